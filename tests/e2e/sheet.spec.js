// The sheet of all numbers: over the left, with a search, what was changed and a way back, and what
// both runs come to above it.

import { expect, open, test } from "./support/fixtures.js";
import { openNumbers, parts, press, tabTo } from "./support/parts.js";

const box = (sheet, name) => sheet.getByRole("textbox", { name, exact: true });
const shown = (sheet, name) => sheet.getByRole("radio", { name });
const names = (sheet) => sheet.locator(".sheet-name");
// As they are seen: what each means is not, until it is opened.
const expectNames = (sheet, ...all) =>
  expect(names(sheet)).toHaveText(all, { useInnerText: true });

test("a search finds by name, key and other words, and says where it finds nothing", async ({
  page, app,
}) => {
  await open(page, app);
  const sheet = await openNumbers(page);
  const all = await names(sheet).count();
  expect(all).toBeGreaterThan(40);
  await expect(shown(sheet, `All ${all}`)).toBeChecked();
  const search = sheet.getByRole("searchbox", { name: "Find a setting" });
  for (const query of ["deadline margin", "deadline_margin"]) {
    await search.fill(query);
    await expectNames(sheet, "Deadline margin");
  }
  await search.fill("watchdog");
  await expectNames(sheet, "Renew every");
  await search.fill("no such thing");
  await expect(names(sheet)).toHaveCount(0);
  await expect(sheet.getByRole("status")).toHaveText(
    "No setting is called “no such thing”: try another word",
  );
  await search.fill("");
  await expect(names(sheet)).toHaveCount(all);
});

test("what both runs come to follows, and what was changed is bold and goes back", async ({
  page, app,
}) => {
  await open(page, app);
  const sheet = await openNumbers(page);
  const race = sheet.locator(".sheet-race");
  await expect(race).toContainText(/corrupted (above )?10\.3/);
  await expect(race).toContainText("Client A pauses for 15.0 s");
  await box(sheet, "Time to live").fill("20 s");
  await box(sheet, "Time to live").press("Enter");
  await expect(race).toContainText("safe below");
  const row = sheet.locator(".sheet-row.is-changed");
  await expect(row).toHaveCount(1);
  await expect(row).toHaveAttribute("title", "It was: 10.0 s");
  await shown(sheet, "Changed 1").check({ force: true });
  await expectNames(sheet, "Time to live");
  await sheet.getByRole("button", { name: "Time to live: back to 10.0 s" }).click();
  await expect(shown(sheet, "Changed 0")).toBeChecked();
  await expect(sheet.getByRole("status")).toHaveText("Nothing was changed: all is as it came");
  await expect(race).toContainText(/corrupted (above )?10\.3/);
});

test("what has no effect shows why in place of its value", async ({ page, app }) => {
  await open(page, app);
  const sheet = await openNumbers(page);
  await expect(box(sheet, "Jitter")).toBeDisabled();
  await expect(box(sheet, "Jitter")).toHaveValue("no polls");
  await expect(box(sheet, "Deadline margin")).toHaveValue("no deadline");
  await sheet.getByRole("combobox", { name: "A waiter waits" }).selectOption("Asks again");
  await expect(box(sheet, "Jitter")).toBeEnabled();
});

test("it opens by keyboard, takes the focus, and gives it back", async ({ page, app }) => {
  await open(page, app);
  const { button, region } = parts(page);
  const sheet = region("All numbers");
  await tabTo(page, button("More numbers"));
  await page.keyboard.press("Enter");
  await expect(sheet.getByRole("searchbox")).toBeFocused();
  await tabTo(page, box(sheet, "Writes per grant"));
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(button("More numbers")).toBeFocused();

  await page.keyboard.press("Enter");
  await press(page, "Tab", 2);
  await expect(sheet.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sheet).toBeHidden();
  await expect(button("More numbers")).toBeFocused();

  await openNumbers(page);
  await page.mouse.click(1_400, 500);
  await expect(sheet).toBeHidden();
});

test("at 1440 the moment that matters stays in sight in both storages", async ({ page, app }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, app);
  const sheet = await openNumbers(page);
  const end = await sheet.evaluate((element) => element.getBoundingClientRect().right);
  const playhead = await page.locator(".tl-playhead").boundingBox();
  expect(playhead.x).toBeGreaterThan(end);
  const high = await sheet.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(high).toBeLessThan(900);
});

test("on a phone it is as large as the screen, and closes onto the numbers", async ({
  page, app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, app);
  const { button, region } = parts(page);
  await button("Numbers").click();
  const sheet = await openNumbers(page);
  const size = await sheet.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    return [width, height, element.scrollWidth <= element.clientWidth];
  });
  expect(size).toEqual([390, 844, true]);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(region("Numbers")).toBeVisible();
});
