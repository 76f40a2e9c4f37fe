// The dialog "Gallery": cards with their pictures and verdicts, search, incidents that are fetched,
// by mouse, keyboard and finger.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectVerdicts, inMenu, parts, tabTo } from "./support/parts.js";

const BUNDLE = new URL("../../static/incidents.json", import.meta.url);
const INCIDENTS = JSON.parse(readFileSync(fileURLToPath(BUNDLE), "utf8"));

const dialog = (page) => page.getByRole("dialog", { name: "Gallery" });
const cards = (page, group) =>
  dialog(page).getByRole("list", { name: group, exact: true }).locator(":scope > li");
const search = (page) => dialog(page).getByRole("searchbox", { name: "Search the gallery" });

async function openGallery(page, app) {
  await open(page, app);
  await parts(page).button("Gallery").click();
  await expect(dialog(page)).toBeVisible();
}

test("four groups, each card with its picture and what its runs come to", async ({ page, app }) => {
  await openGallery(page, app);
  for (const group of ["The idea", "Faults", "Systems"]) {
    await expect(cards(page, group).first()).toBeVisible();
  }
  await expect(cards(page, "Real incidents")).toHaveCount(INCIDENTS.length);
  const first = cards(page, "The idea").first();
  await expect(first).toContainText("The paused holder");
  await expect(first).toContainText("No fence: Corrupted at 17.1 s");
  await expect(first).toContainText("With a fence: Safe in this run");
  expect(await first.locator("svg path").count()).toBeGreaterThan(5);
});

test("what is out of sight is not run and not drawn before it is scrolled to", async ({
  page, app,
}) => {
  await openGallery(page, app);
  const last = cards(page, "Real incidents").last();
  await expect(last).toBeAttached();
  await expect(last.locator("svg")).toHaveCount(0);
  await last.scrollIntoViewIfNeeded();
  await expect(last.locator("svg path").first()).toBeAttached();
  await expect(last).toContainText(/What happened: (Safe|Wasted work|Unavailable|Corrupted)/);
});

test("a card opens its scenario, and undo leads back", async ({ page, app }) => {
  await openGallery(page, app);
  await dialog(page).getByRole("button", { name: "The window before the first new write" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expectVerdicts(page, "Corrupted at 12.6 s", "Safe in this run");
  await expect(parts(page).scenario.getByRole("option", { selected: true }))
    .toHaveText("The window before the first new write");
  await parts(page).button("Undo").click();
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
});

test("a search finds by any word, and says so when it finds nothing", async ({ page, app }) => {
  await openGallery(page, app);
  await search(page).fill("redlock vote");
  await expect(dialog(page).locator(".gallery-card")).toHaveCount(1);
  await expect(dialog(page).getByRole("status")).toHaveText("1 scenario");
  const before = await dialog(page).boundingBox();
  await search(page).fill("zebra crossing");
  await expect(dialog(page).locator(".gallery-card")).toHaveCount(0);
  expect(await dialog(page).boundingBox(), "it stays as large").toEqual(before);
  await expect(dialog(page).getByRole("status")).toContainText("Nothing here has “zebra crossing”");
  await search(page).fill("");
  await dialog(page).getByRole("button", { name: "Systems" }).click();
  await expect(dialog(page).getByRole("list", { name: "The idea" })).toHaveCount(0);
  await expect(cards(page, "Systems").first()).toBeVisible();
});

test("an incident opens as it happened and mended, and names its source", async ({ page, app }) => {
  await openGallery(page, app);
  await search(page).fill("HBase");
  const card = cards(page, "Real incidents").first();
  const { happened, mended } = INCIDENTS.find(({ id }) => id === "Z11");
  await expect(card).toContainText(happened.title);
  await expect(card.locator("a")).toHaveAttribute("href", /^https:\/\//);
  await expect(card.locator("a")).toHaveAttribute("rel", "noopener noreferrer");
  await card.getByRole("button", { name: happened.title, exact: true }).click();
  await expect(parts(page).scenario.getByRole("option", { selected: true }))
    .toHaveText(happened.title);
  await expect(page.getByRole("region", { name: /^Run( 1)?$/ }).getByRole("status"))
    .toHaveText(/^Corrupted/);
  await parts(page).button("Gallery").click();
  await search(page).fill("HBase");
  await card.getByRole("button", { name: `Mended: ${happened.title}` }).click();
  await expect(parts(page).scenario.getByRole("option", { selected: true }))
    .toHaveText(mended.title);
});

test("without the incidents the rest of the gallery works", async ({ page, app, wrongs }) => {
  await page.route("**/incidents.json", (route) => route.abort());
  await openGallery(page, app);
  const alert = dialog(page).getByRole("alert");
  await expect(alert).toContainText("The real incidents could not be loaded");
  await expect(cards(page, "The idea").first()).toContainText("Corrupted at 17.1 s");
  await page.unroute("**/incidents.json");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(cards(page, "Real incidents")).toHaveCount(INCIDENTS.length);
  // The request that this test lets fail.
  expect(wrongs.splice(0).every((wrong) => /incidents\.json|ERR_FAILED/.test(wrong))).toBe(true);
});

test("incidents that do not come are told, and asked for again", async ({ page, app }) => {
  await page.clock.install();
  let n = 0;
  const answers = [];
  await page.route("**/incidents.json", (route) => {
    n += 1;
    answers.push(route);
  });
  await openGallery(page, app);
  const alert = dialog(page).getByRole("alert");
  await expect.poll(() => n).toBe(1);
  await expect(alert).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect(alert).toContainText("The real incidents have not come so far");
  await expectAccessible(page);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => n).toBe(2);
  await expect(alert).toHaveCount(0);
  // What was asked for first comes at last, and the second never does.
  await answers[0].continue();
  await expect(cards(page, "Real incidents")).toHaveCount(INCIDENTS.length);
  await page.clock.fastForward(20_000);
  await expect(alert).toHaveCount(0);
});

test("by keyboard alone", async ({ page, app }) => {
  await open(page, app);
  await tabTo(page, parts(page).button("Gallery"));
  await page.keyboard.press("Enter");
  await tabTo(page, search(page));
  await page.keyboard.type("seal");
  const card = dialog(page).getByRole("button", { name: "The window before the first new write" });
  await tabTo(page, card);
  await page.keyboard.press("Enter");
  await expectVerdicts(page, "Corrupted at 12.6 s", "Safe in this run");
  await parts(page).button("Gallery").focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a finger opens a card", async ({ page, app }) => {
    await open(page, app);
    await inMenu(page, "Gallery");
    await expectAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    await cards(page, "Faults").first().tap();
    await expect(dialog(page)).toHaveCount(0);
    await expectVerdicts(page, "Corrupted at 12.4 s", "Safe in this run");
  });
});

test("at 1280 px the top bar is one line", async ({ page, app }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, app);
  const bar = await page.locator(".top-bar").boundingBox();
  expect(bar.height).toBeLessThan(60);
  const right = await page.locator(".top-bar > *").evaluateAll((all) =>
    Math.max(...all.map((each) => each.getBoundingClientRect().right)));
  expect(right).toBeLessThanOrEqual(1280);
});
