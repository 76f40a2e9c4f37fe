// What stands there when the app cannot go on, or not even start: what happened, the scenario's
// link, a way to load it again. Nothing that was edited is lost.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { openDialog, parts } from "./support/parts.js";

const PAUSE = "Client A pauses for";
const BUG = "Fenceline has stopped: it met a bug of its own";
const NO_START = "Fenceline could not start";
const heading = (page) => page.getByRole("heading", { level: 1 });
const link = (page) => page.getByRole("textbox", { name: "Link" });
const reload = (page) => parts(page).button("Reload the page");

const set = async (page, value) => {
  const field = parts(page).field(PAUSE);
  await field.fill(value);
  await field.press("Enter");
};

/** Everything that waits a while before it is written never comes to it. */
const neverLater = (page) => page.addInitScript(() => {
  const later = window.setTimeout;
  window.setTimeout = (what, millis, ...rest) =>
    millis >= 200 && millis <= 1_000 ? 0 : later(what, millis, ...rest);
});

/** The browser refuses the next element, which the app takes for granted, and needs for Help. */
const refuseOnce = (page) => page.evaluate(() => {
  const made = [[Document, "createElement"], [Document, "createElementNS"], [Node, "cloneNode"]];
  const before = made.map(([{ prototype }, name]) => prototype[name]);
  made.forEach(([{ prototype }, name]) => {
    prototype[name] = () => {
      made.forEach(([it, name], index) => { it.prototype[name] = before[index]; });
      throw new DOMException("refused");
    };
  });
  [...document.querySelectorAll("button")].find((it) => it.textContent === "Help").click();
});

/** The app meets a bug, after an edit that nothing has written yet. */
async function stopped(page, app) {
  await neverLater(page);
  await open(page, app);
  await set(page, "9 s");
  await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
  expect(new URL(page.url()).hash, "nothing has been written").toBe("");
  await refuseOnce(page);
  await expect(heading(page)).toHaveText(BUG);
}

test("a bug of the app leaves a message, the link, and all that was edited", async ({
  page, app, wrongs, context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await stopped(page, app);
  expect(wrongs.splice(0).join("\n")).toContain("panicked at");
  await expect(page.locator("pre")).toContainText("panicked at");
  await expect(link(page)).toHaveValue(/#2\./);
  await expect(reload(page)).toBeFocused();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await parts(page).button("Copy link").click();
  await expect(page.getByRole("status")).toHaveText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await link(page).inputValue());
  const recent = await page.evaluate(() => JSON.parse(localStorage["fenceline.recent"]));
  expect(recent.length).toBe(1);

  await reload(page).focus();
  const loaded = page.waitForEvent("load");
  await page.keyboard.press("Space");
  await loaded;
  await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
  wrongs.splice(0);
  await page.goto("about:blank");
  await open(page, copied);
  await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
});

test("a dialog that was open does not cover the message", async ({ page, app, wrongs }) => {
  await open(page, app);
  await openDialog(page, "Open");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.evaluate(() => {
    setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); });
  });
  await expect(heading(page)).toHaveText(BUG);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await reload(page).click();
  await expect(parts(page).button("Gallery")).toBeVisible();
  wrongs.splice(0);
});

test("who does not want the scenario again starts with the first one", async ({
  page, app, wrongs,
}) => {
  await stopped(page, app);
  wrongs.splice(0);
  await page.getByRole("link", { name: "Start with the first scenario" }).click();
  await expect(parts(page).field(PAUSE)).toHaveValue("15.0 s");
});

test("without a clipboard the link is selected", async ({ page, app, wrongs }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
  });
  await stopped(page, app);
  wrongs.splice(0);
  await parts(page).button("Copy link").click();
  await expect(page.getByRole("status")).toHaveText(/^The browser did not copy/);
  await expect(link(page)).toBeFocused();
  const chosen = await link(page).evaluate((it) => it.selectionEnd - it.selectionStart);
  expect(chosen).toBe((await link(page).inputValue()).length);
});

test("an error of somebody else's script is not the app's", async ({ page, app, wrongs }) => {
  await open(page, app);
  await page.evaluate(() => setTimeout(() => { throw new TypeError("an extension's"); }));
  await expect.poll(() => wrongs.join()).toContain("an extension's");
  wrongs.splice(0);
  await set(page, "9 s");
  await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
});

test("a bug at the start says so", async ({ page, app, wrongs }) => {
  // What the app is put into cannot be found.
  await page.addInitScript(() => { Document.prototype.getElementById = () => null; });
  await page.goto(app);
  await expect(heading(page)).toHaveText(BUG);
  await expect(page.locator("pre")).toContainText("index.html holds an element with the id app");
  wrongs.splice(0);
});

for (const [what, name, answer] of [
  ["does not come", "*_bg.wasm", (route) => route.abort()],
  ["is missing", "*_bg.wasm", (route) => route.fulfill({ status: 404, body: "nothing" })],
  ["is damaged", "*_bg.wasm", (route) => route.fulfill({ contentType: "application/wasm",
    body: Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0xff]) })],
  ["is missing", "fenceline-app-*.js", (route) => route.fulfill({ status: 404, body: "" })],
]) {
  test(`${name} ${what}: it says so, and keeps the link`, async ({ page, app, wrongs }) => {
    await page.route(`**/${name}`, answer);
    await page.goto(`${app}#1.a-link`);
    await expect(heading(page)).toHaveText(NO_START);
    await expect(link(page)).toHaveValue(`${app}#1.a-link`);
    await expectAccessible(page);
    await page.unroute(`**/${name}`);
    await reload(page).click();
    await expect(heading(page)).toContainText("A lock that expires");
    wrongs.splice(0);
  });
}

for (const name of ["*_bg.wasm", "start.js"]) {
  test(`who waits for ${name} in vain is told what to do`, async ({ page, app }) => {
    await page.route(`**/${name}`, () => {});
    await page.goto(app, { waitUntil: "commit" });
    const late = page.getByText("If nothing more comes");
    await expect(page.getByText("Loading …")).toBeVisible();
    await expect(late).toBeHidden();
    // As if the time had passed.
    await page.evaluate(() => document.getAnimations().forEach((waits) => waits.finish()));
    await expect(late).toBeVisible();
  });
}

test("a browser without WebAssembly is told", async ({ page, app, wrongs }) => {
  await page.addInitScript(() => { delete window.WebAssembly; });
  await page.goto(app);
  await expect(heading(page)).toHaveText(NO_START);
  await expect(page.getByRole("alert")).toContainText("WebAssembly may be switched off");
  wrongs.splice(0);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("the page says what it needs", async ({ page, app, wrongs }) => {
    await page.goto(app);
    const boxes = (it) => it.getClientRects().length;
    expect(await page.locator("noscript").evaluate(boxes)).toBeGreaterThan(0);
    await expect(page.getByText("Loading …")).toBeHidden();
    // What was to be loaded for the script is not used.
    wrongs.splice(0);
  });
});
