// The controls and panels around the timeline: values good and bad, undo, scenarios and events.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";

const slider = (page, name) => page.getByRole("slider", { name, exact: true });
const field = (page, name) => page.getByRole("textbox", { name: `${name} value`, exact: true });
const PAUSE = "Client A pauses for";

async function write(page, name, text) {
  await field(page, name).fill(text);
  await field(page, name).press("Enter");
}

async function expectVerdicts(page, ...verdicts) {
  await expect(page.getByRole("status")).toHaveText(verdicts);
}

test("the page opens still, at the first bad event, with both outcomes", async ({ page, app }) => {
  await open(page, app);
  await expectVerdicts(page, /^Corrupted at 17\.1 s/, /^Safe in this run/);
  await expect(page.getByRole("region", { name: "Why" })).toContainText(
    "token 33 is lower than 34, the highest this storage has seen",
  );
  await expect(page.getByRole("region", { name: "State" })).toContainText("At 17.10 s");
  const current = page.getByRole("region", { name: "Events" }).locator("[aria-current]");
  await expect(current).toContainText("No fence: accepts A's stale write 33");
});

test("dragging the pause changes both outcomes, and is one step to undo", async ({ page, app }) => {
  await open(page, app);
  const box = await slider(page, PAUSE).boundingBox();
  const at = (share) => [box.x + box.width * share, box.y + box.height / 2];
  await page.mouse.move(...at(0.54));
  await page.mouse.down();
  await page.mouse.move(...at(0.4), { steps: 8 });
  await expectVerdicts(page, /^Safe in this run/, /^Safe in this run/);
  await page.mouse.up();
  await page.getByRole("button", { name: "Undo" }).click();
  await expectVerdicts(page, /^Corrupted at 17\.1 s/, /^Safe in this run/);
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
  await page.keyboard.press("Control+Shift+Z");
  await expectVerdicts(page, /^Safe in this run/, /^Safe in this run/);
});

test("the slider says where it breaks, and keys go there", async ({ page, app }) => {
  await open(page, app);
  await expect(page.locator(".race-readings")).toContainText(/corrupted .*10\.3 /);
  await write(page, PAUSE, "10.2 s");
  await expectVerdicts(page, /^Safe by luck/, /^Safe by luck/);
  await slider(page, PAUSE).press("ArrowRight");
  await expect(slider(page, PAUSE)).toHaveAttribute("aria-valuetext", /^10[.]3 s[.]/);
  await expectVerdicts(page, /^Safe by luck/, /^Safe by luck/);
  await slider(page, PAUSE).press("ArrowRight");
  await expectVerdicts(page, /^Corrupted/, /^Safe in this run/);
});

test("a bad value is quoted beside its field, the last good run stays", async ({ page, app }) => {
  await open(page, app);
  for (const bad of ["-3 s", "999999 h", "soon"]) {
    await write(page, "Time to live", bad);
    await expect(page.getByRole("alert")).toContainText(`“${bad}”`);
    await expect(field(page, "Time to live")).toHaveValue(bad);
    await expectVerdicts(page, /^Corrupted at 17\.1 s/, /^Safe in this run/);
  }
  await write(page, "Time to live", "");
  await expect(page.getByRole("alert")).toContainText("Empty: write a time");
  await write(page, "Time to live", "20");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(field(page, "Time to live")).toHaveValue("20.0 s");
  await expectVerdicts(page, /^Safe in this run/, /^Safe in this run/);
});

test("renewal takes a share, an interval, and off", async ({ page, app }) => {
  await open(page, app);
  for (const [text, shown] of [["TTL/4", "TTL / 4"], ["3 s", "3.0 s"], ["off", "off"]]) {
    await write(page, "Renew every", text);
    await expect(field(page, "Renew every")).toHaveValue(shown);
  }
});

test("a click on an event goes there, and the page does not move", async ({ page, app }) => {
  await open(page, app);
  const events = page.getByRole("region", { name: "Events" });
  await events.getByRole("button", { name: /A's lease expires/ }).click();
  await expect(page.getByRole("region", { name: "State" })).toContainText("At 10.20 s");
  const why = page.getByRole("region", { name: "Why" });
  await expect(why).toContainText("No renewal was applied for 10.0 s");
  await expect(events.locator("[aria-current]")).toContainText("A's lease expires");
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test("a fault is added, switched off, and removed", async ({ page, app }) => {
  await open(page, app);
  await page.getByRole("button", { name: "Add a fault" }).click();
  const form = page.getByRole("group", { name: "New fault" });
  await form.getByRole("combobox", { name: "What happens" }).selectOption("Crash");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await expectVerdicts(page, /^Safe in this run/, /^Safe in this run/);
  const crash = page.getByRole("group", { name: "Client A crash" });
  await crash.getByRole("switch").uncheck({ force: true });
  await expectVerdicts(page, /^Corrupted/, /^Safe in this run/);
  await crash.getByRole("button", { name: "Remove" }).click();
  await expect(crash).toHaveCount(0);
});

test("help, the legend, and the switch for single keys", async ({ page, app }) => {
  await open(page, app);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Help" });
  await expect(help).toBeVisible();
  await expectAccessible(page);
  await help.getByRole("switch").uncheck({ force: true });
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("k");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a hidden future tells nothing of how it ends", async ({ page, app }) => {
  await open(page, app);
  await page.getByRole("tab", { name: "Properties" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("h");
  await expect(page.getByRole("status")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Properties" })).toHaveCount(0);
  await expect(page.getByText("Corrupt")).toHaveCount(0);
  await expectAccessible(page);
});

test("a reload brings back what was on screen", async ({ page, app }) => {
  await open(page, app);
  await write(page, PAUSE, "9 s");
  await page.getByRole("button", { name: /A's lease expires/ }).click();
  // The address is written a moment after the last change: then it stays as it is.
  await expect(page).toHaveURL(/#2\..+/);
  let before = "";
  await expect.poll(async () => {
    const [last, now] = [before, page.url()];
    before = now;
    return now === last;
  }, { intervals: [1_000] }).toBe(true);
  await page.reload();
  await expect(field(page, PAUSE)).toHaveValue("9.0 s");
  await expect(page.getByRole("region", { name: "State" })).toContainText("At 10.20 s");
});
