// The content policy: what it allows, that it is in force, and that nothing of the app needs more,
// whatever scenarios are called that come from others.

import { readFileSync } from "node:fs";
import { expect, html, open, test } from "./support/fixtures.js";
import { expectNoSidewaysScroll, openDialog, parts } from "./support/parts.js";

const DIALOGS = ["Help", "Legend", "Open", "Copy link", "Export", "Gallery"];
const HOSTILE = [
  "<img src=x onerror=\"document.title='owned'\">",
  "<script>document.title='owned'</script>",
  "\"'></title></svg></script><script>document.title='owned'</script><svg onload=alert(1)>",
  "javascript:document.title='owned'//[x](javascript:alert(1))",
  "%%{init: {'securityLevel':'loose'}}%%\nclick A call alert(1)\n]]>-->&lt;b&gt;\u202e\u0000",
];

/** Notes what the policy refuses, from the first moment. */
const listen = (page) => page.addInitScript(() => {
  window.refused = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    window.refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
  });
});

/** Nothing was refused, and no name has become an element or has run. */
async function expectHarmless(page) {
  await expect(page).toHaveTitle("Fenceline");
  expect(await page.evaluate(() => window.refused)).toEqual([]);
  const bad = "script:not([src]), img[src=x], [onerror], [onload], a[href^='javascript:' i]";
  expect(await page.locator(bad).count()).toBe(0);
}

test("the policy is the strictest that the app runs under", () => {
  const [, policy] = /content="([^"]*)" http-equiv=Content-Security-Policy/.exec(html());
  const directives = policy.split("; ").map((text) => text.split(/ (.*)/).slice(0, 2));
  expect(Object.fromEntries(directives)).toEqual({
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "fenceline",
  });
});

for (const [what, attack, directive] of [
  ["a script of text", () => {
    const script = document.createElement("script");
    script.append("document.title = 'owned'");
    document.body.append(script);
  }, "require-trusted-types-for"],
  // Outside of the evaluation by the test, which may.
  ["eval", () => { setTimeout(() => window.eval("document.title = 'owned'")); },
    "require-trusted-types-for|script-src"],
  ["a timer of text", () => {
    try { setTimeout("document.title = 'owned'"); } catch { /* refused */ }
  }, "require-trusted-types-for|script-src"],
  ["markup of text", () => {
    try { document.body.innerHTML = "<img src=x>"; } catch { /* refused */ }
  }, "require-trusted-types-for"],
  ["a style of text", () => { document.body.setAttribute("style", "color: red"); },
    "style-src-attr"],
  ["a script of another host", () => {
    const script = document.createElement("script");
    try { script.src = "https://example.invalid/a.js"; } catch { /* refused */ }
    document.body.append(script);
  }, "require-trusted-types-for"],
  ["an image of another host", () => { new Image().src = "https://example.invalid/a.png"; },
    "img-src"],
  ["a frame", () => {
    const frame = document.createElement("iframe");
    frame.src = "https://example.invalid/";
    document.body.append(frame);
  }, "frame-src"],
]) {
  test(`the policy is in force: ${what} is refused`, async ({ page, app, wrongs }) => {
    await listen(page);
    await open(page, app);
    await page.evaluate(attack);
    await expect.poll(() => page.evaluate(() => window.refused.join()))
      .toMatch(new RegExp(`^(${directive}) `));
    await expect(page).toHaveTitle("Fenceline");
    await expect.poll(() => wrongs.length).toBeGreaterThan(0);
    wrongs.splice(0);
  });
}

/** The scenario on screen as its file, with every name that people give replaced. */
async function hostile(page, name) {
  await openDialog(page, "Export");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save: Scenario file", exact: true }).click(),
  ]);
  await page.keyboard.press("Escape");
  const scenario = JSON.parse(readFileSync(await file.path(), "utf8"));
  scenario.title = scenario.notes = name;
  for (const fault of scenario.scenario.faults) fault.label = name;
  const short = name.slice(0, 58);
  scenario.incident = {
    start: "2024-05-01T10:00:00Z",
    zone: short,
    clock: true,
    names: ["A", "service", "storage"].map((actor, index) => ({ actor, name: short + index })),
    observed: [{ at: "17 s", actor: "A", text: name.slice(0, 300), is: "write_accepted" }],
  };
  return JSON.stringify(scenario);
}

/** Opens a file through the dialog. */
async function load(page, text) {
  await openDialog(page, "Open");
  const input = page.getByRole("dialog", { name: "Open" }).getByLabel("Scenario file");
  await input.setInputFiles({
    name: "<img src=x onerror=alert(1)>.json", mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Opens and closes every dialog, and everything that is folded. */
async function walk(page) {
  for (const name of DIALOGS) {
    await openDialog(page, name);
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await expectHarmless(page);
    await page.keyboard.press("Escape");
  }
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await expectHarmless(page);
  }
  await page.locator("main details").evaluateAll((all) => all.forEach((it) => { it.open = true; }));
  await parts(page).button("Next event").click();
  await parts(page).button("Add a fault").click();
  await expectHarmless(page);
}

for (const [index, name] of HOSTILE.entries()) {
  test(`hostile names of a file and a link are text everywhere, ${index + 1}`, async ({
    page, app, context,
  }) => {
    test.slow();
    await listen(page);
    await open(page, app);
    await load(page, await hostile(page, name));
    await expect(parts(page).scenario.locator("option:checked")).toContainText(name.slice(0, 12));
    await walk(page);
    await expect(page).toHaveURL(/#2\./);

    const other = await context.newPage();
    await listen(other);
    await open(other, page.url());
    await expect(parts(other).scenario.locator("option:checked")).toContainText(name.slice(0, 12));
    await walk(other);
  });

  test(`hostile names are text in every export, ${index + 1}`, async ({ page, app, context }) => {
    await open(page, app);
    await load(page, await hostile(page, name));
    await openDialog(page, "Export");
    const saves = page.getByRole("button", { name: /^Save: / });
    await expect(saves.first()).toBeVisible();
    const reader = await context.newPage();
    for (const save of await saves.all()) {
      const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
      expect(file.suggestedFilename()).toMatch(/^fenceline[a-z0-9.-]*$/);
      await expectHarmlessFile(reader, file.suggestedFilename(), await file.path());
    }
  });
}

/** Reads an export as whoever gets it would. */
async function expectHarmlessFile(reader, name, path) {
  const bytes = readFileSync(path);
  if (name.endsWith(".png")) return;
  const text = bytes.toString("utf8");
  expect(text, `${name} holds no control characters`).not.toMatch(/[\u0000-\u0008]/);
  if (name.endsWith(".svg")) {
    const found = await reader.evaluate((text) => {
      const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
      const bad = "script, foreignObject, img, parsererror, [onload], [onerror]";
      return [root.nodeName, ...[...root.querySelectorAll(bad)].map((it) => it.nodeName)];
    }, text);
    expect(found, name).toEqual(["svg"]);
  } else if (name.endsWith(".html")) {
    await reader.goto(`file://${path}`);
    await expect(reader).not.toHaveTitle("owned");
    expect(await reader.locator("img[src=x], [onerror], [onload]").count(), name).toBe(0);
  } else if (name.endsWith(".mmd")) {
    expect(text, name).not.toMatch(/<|`|"|\u202e|%%\{|^\s*click/m);
  } else if (name.endsWith(".jsonl")) {
    text.trimEnd().split("\n").forEach((line) => JSON.parse(line));
  } else if (name.endsWith(".json")) {
    JSON.parse(text);
  }
}

// What turns its neighbours round, hides them, or is no text at all.
const STEERS = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b" +
  "\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]", "u");
const STEERING = "safe\u202eetirw\u200b \u2066x\u0007\u009b";
/** The same as it is shown. */
const SHOWN = "safe\ufffdetirw\ufffd \ufffdx\ufffd\ufffd";

/** No text of the page, shown or read out, has any of these. What is typed in fields stays. */
async function expectPlain(page) {
  const texts = await page.evaluate(() => {
    const names = ["aria-label", "aria-valuetext", "aria-description", "title"];
    const all = [...document.querySelectorAll("body *")];
    return [document.body.textContent, ...all.flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ""))];
  });
  expect(texts.filter((text) => STEERS.test(text))).toEqual([]);
}

const paste = (page, text) => page.evaluate((text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, text);

test("what turns or hides text is made visible everywhere", async ({ page, app }) => {
  test.slow();
  await open(page, app);
  await load(page, await hostile(page, STEERING));
  await expect(parts(page).scenario.locator("option:checked")).toHaveText(SHOWN);
  await expect(parts(page).region("Timeline").or(page.locator(".tl")).first()).toContainText(SHOWN);
  await expectPlain(page);
  await page.locator("main details").evaluateAll((all) => all.forEach((it) => { it.open = true; }));
  await expect(page.locator("#about-scenario p")).toHaveText(SHOWN);
  // The actor has such a name, too.
  const field = page.getByRole("textbox", { name: /pauses for value$/ }).first();
  for (const text of ["9 s", STEERING]) {
    await field.fill(text);
    await field.press("Enter");
    await expectPlain(page);
  }
  await expect(page.locator(".field-problem")).toContainText("safe\ufffdetirw");
  await field.press("Escape");
  for (const name of ["Open", "Copy link", "Export", "Your incident", "Present"]) {
    await openDialog(page, name);
    if (name === "Open") await expect(page.getByRole("dialog")).toContainText(SHOWN);
    if (name === "Present") {
      await expect(page.getByRole("heading", { level: 1 }).first()).toContainText(SHOWN);
    }
    await expectPlain(page);
    await page.keyboard.press("Escape");
  }
  await paste(page, JSON.stringify({ [STEERING]: 1 }));
  await expect(page.locator(".notice")).toContainText("safe\ufffdetirw");
  await expectPlain(page);
  await open(page, `${app}?embed#${new URL(page.url()).hash.slice(1)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(SHOWN);
  await expectPlain(page);
});

test("a key or a title of any length makes the page no wider", async ({ page, app }) => {
  const long = "k".repeat(900_000);
  await page.addInitScript(() => localStorage.setItem("fenceline.recent",
    JSON.stringify([{ key: "a", title: "t".repeat(400_000), edited: 1, link: "1.a" }])));
  await open(page, app);
  for (const text of [
    `{"${long}":1}`, `{"version":1,"title":"","scenario":{"${long}":1}}`,
    `{"version":1,"title":"","scenario":{"lock":"${long}"}}`,
    `{"version":1,"title":"${long}","scenario":{}}`, long,
  ]) {
    await paste(page, text);
    const notice = page.locator(".notice");
    await expect(notice).toContainText(/^This (file|link)/);
    expect((await notice.textContent()).length).toBeLessThan(700);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
  await openDialog(page, "Open");
  await expect(page.getByRole("dialog").getByRole("listitem")).toContainText("tttt…");
  await expectNoSidewaysScroll(page);
  const over = await page.getByRole("dialog").evaluate((it) => it.scrollWidth - it.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
});
