// The region History: the units of work, the order that explains them or the circle that forbids
// one, drawn and in sentences; each unit leads to its moment.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectAt, openTab, parts } from "./support/parts.js";

const history = (page) => page.getByRole("region", { name: "History" });

for (const colorScheme of ["light", "dark"]) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    test(`a circle and an order: ${colorScheme}, ${width} px`, async ({ page, app }, info) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await open(page, app);
      await openTab(page, "History");
      const region = history(page);
      await region.scrollIntoViewIfNeeded();
      await expect(region.getByText("An order fits, and there is damage")).toBeVisible();
      await expect(region.getByText("Yes: as if only one of them ran")).toBeVisible();
      const drawn = region.getByRole("group");
      await expect(drawn).toHaveCount(2);
      // Nothing is wider than the page: what is long is scrolled inside.
      const wide = await page.evaluate(() =>
        document.documentElement.scrollWidth > document.documentElement.clientWidth);
      expect(wide, "the page is scrolled sideways").toBe(false);
      await expectAccessible(page);
      await region.screenshot({ path: info.outputPath(`history-${colorScheme}-${width}.png`) });
    });
  }
}

test("a unit in the table, in a sentence and in the drawing leads to its moment", async ({
  page, app,
}) => {
  await open(page, app);
  await openTab(page, "History");
  const region = history(page);
  const row = (name) => region.getByRole("row", { name }).first().getByRole("button");
  await row(/B, piece 1/).click();
  await expectAt(page, 12.4);
  await row(/A, piece 1/).click();
  await expectAt(page, 17.1);
  // By key, in the drawing, and in a sentence.
  const drawn = region.getByRole("group").first();
  await drawn.getByRole("button", { name: /B, piece 1/ }).focus();
  await page.keyboard.press("Enter");
  await expectAt(page, 12.4);
  const sentence = region.locator("p", { hasText: "of the older holder" });
  await sentence.getByRole("button", { name: "A, piece 1" }).click();
  await expectAt(page, 17.1);
});

test("a circle is drawn with its reasons, and both its units lead to their moments", async ({
  page, app,
}, info) => {
  await open(page, app);
  await parts(page).scenario.selectOption({ label: "A waiter whose session died" });
  await openTab(page, "History");
  const region = history(page);
  await expect(region.getByText("No order fits", { exact: true })).toBeVisible();
  const drawn = region.getByRole("group", { name: "No order fits" });
  await expect(drawn.getByRole("button")).toHaveCount(2);
  await expect(drawn.locator("text", { hasText: /^(rw|ww)$/ })).toHaveCount(2);
  await expectAccessible(page);
  await region.screenshot({ path: info.outputPath("circle.png") });
});
