// What is told, and what is kept: the live region, and Hide the future.

import { expect, open, test } from "./support/fixtures.js";
import { expectAt, grab, openTab, parts } from "./support/parts.js";

test.beforeEach(async ({ page, app }) => open(page, app));

/** Notes every text that the live region takes, from now on. */
async function listen(page) {
  await parts(page).live.evaluate((region) => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(region.textContent))
      .observe(region, { childList: true, characterData: true, subtree: true });
  });
}
const heard = (page) => page.evaluate(() => window.heard);

test("a step is told as the event that it came to", async ({ page }) => {
  const { button, live } = parts(page);
  await expect(live).toHaveCount(1);
  await expect(live).toHaveText("");
  await button("Previous event").click();
  await expect(live).toHaveText("17.0 s: A sends its write, 33");
  await button("Next event").click();
  await expect(live).toContainText("17.1 s: ");
  await expect(live).toContainText("33 < 34");
});

test("of many steps in a row only the last is told", async ({ page }) => {
  await listen(page);
  for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowLeft");
  await expect.poll(() => heard(page)).toHaveLength(1);
});

test("a drag is told once, after it, as both verdicts", async ({ page }) => {
  const { race, live, verdict } = parts(page);
  await listen(page);
  await grab(page, race, 0.4);
  await expect(verdict("Run 1")).toHaveAttribute("aria-live", "off");
  expect(await heard(page)).toEqual([]);
  await page.mouse.up();
  await expect(live).toHaveText(/no fence: Safe in this run\. With a fence: Safe in this run/i);
  expect(await heard(page)).toHaveLength(1);
});

test("playing is not told event by event; where it is paused is", async ({ page }) => {
  const { button, live, verdict } = parts(page);
  await button("Start").click();
  await button("Next event").click();
  await expect(live).toContainText("0.1 s: ");
  await listen(page);
  await button("Play").click();
  await expect(verdict("Run 1")).toHaveAttribute("aria-live", "off");
  await expect(parts(page).playhead).toHaveAttribute("data-event-index", /^[4-9]$/);
  expect(await heard(page)).toEqual([]);
  await button("Pause").click();
  await expect(live).toContainText(/^\d+\.\d s: /);
});

test("hiding the future cuts no mark in half, and lanes and list say so", async ({ page }) => {
  const { button, region } = parts(page);
  await expectAt(page, 17.1);
  await button("Hide the future").click();
  const cover = page.locator(".tl-cover");
  await expect(cover).toContainText("What comes is hidden");
  await expect(region("Events")).toContainText("What comes is hidden");
  // The mark at the playhead lies above the cover, the bars below it.
  const mark = page.locator(".tl-words .p-damage");
  await expect(mark).toHaveCount(1);
  await expect(page.locator(".tl-draw .p-damage")).toHaveCount(0);
  const level = (what) => what.evaluate((element) =>
    Number(getComputedStyle(element.closest(".tl-words") ?? element).zIndex));
  expect(await level(mark)).toBeGreaterThan(await level(cover));
  await button("Hide the future").click();
  await expect(page.locator(".tl-draw .p-damage")).toHaveCount(1);
});

test("the hidden future is nowhere in the text or the accessibility tree", async ({ page }) => {
  const { button, region, playhead } = parts(page);
  await openTab(page, "Properties");
  await expect(region("Properties")).toBeVisible();
  await page.getByRole("textbox", { name: "Time", exact: true }).fill("9");
  await page.keyboard.press("Enter");
  await expectAt(page, 9);
  await button("Hide the future").click();
  await expect(region("Properties")).toHaveCount(0);
  await expect(page.getByRole("status")).toHaveCount(0);
  await expect(region("Events").getByRole("button", { name: / s / }).last()).toContainText("2.0 s");
  const later = /Corrupt|Safe|refuse|grants B|B's value|A's value|17\.|accept|wakes/;
  const text = await page.locator("main").innerText();
  const tree = await page.locator("main").ariaSnapshot();
  expect(text).not.toMatch(later);
  expect(tree).not.toMatch(later);
  await expect(playhead).toHaveAttribute("aria-valuetext", /^9\.00? s, event \d+/);
});

test("with the future hidden, time brings it to light step by step", async ({ page }) => {
  const { button, region } = parts(page);
  await button("Hide the future").click();
  await expect(region("Why")).toContainText("Refused: token 33 is lower than 34");
  await expect(region("Events")).toContainText("accepts A's stale write 33");
  await expect(region("Events")).not.toContainText("17.2 s");
  await button("Next event").click();
  await expect(region("Events")).toContainText("17.2 s");
  await button("Hide the future").click();
  await expect(parts(page).verdict("Run 1")).toHaveText("Corrupted at 17.1 s");
});
