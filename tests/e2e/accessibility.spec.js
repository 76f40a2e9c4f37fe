// axe finds nothing, in both themes and at three widths, with the dialogs open, and in the states
// that a session goes through.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { openDialog, openMenu, openNumbers, parts } from "./support/parts.js";

for (const colorScheme of ["light", "dark"]) {
  for (const [width, height] of [[1440, 900], [800, 900], [799, 900], [390, 844]]) {
    test(`axe finds nothing: ${colorScheme}, ${width} px`, async ({ page, app }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await open(page, app);
      await expectAccessible(page);
    });
  }

  for (const name of ["Help", "Legend", "Open", "Copy link", "Export", "Gallery"]) {
    test(`axe finds nothing: ${colorScheme}, ${name} open`, async ({ page, app }) => {
      await page.emulateMedia({ colorScheme });
      await open(page, app);
      await openDialog(page, name);
      await expect(page.getByRole("dialog", { name })).toBeVisible();
      await expectAccessible(page);
    });
  }

  test(`axe finds nothing: ${colorScheme}, everything unfolded, a bad value`, async ({
    page, app,
  }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, app);
    const { field, button } = parts(page);
    await openNumbers(page);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await button("Add a fault").click();
    await field("Time to live").fill("soon");
    await field("Time to live").press("Enter");
    await expect(field("Time to live")).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(page);
    await button("Kinds").click();
    await expect(page.getByRole("group", { name: "Kinds of events" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", "true");
      await expectAccessible(page);
    }
  });

  test(`axe finds nothing: ${colorScheme}, the sheet of a phone`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, app);
    await parts(page).button("Numbers").click();
    await expectAccessible(page);
  });
}

test("axe finds nothing: Fencing off, the future hidden, a plain lock", async ({ page, app }) => {
  await open(page, app);
  await parts(page).mode("Off").check({ force: true });
  await expectAccessible(page);
  await parts(page).button("Hide the future").click();
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Lock system" }).selectOption("Plain lock");
  await expectAccessible(page);
});

test("the theme can be set against the system's", async ({ page, app }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, app);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await openMenu(page);
  await page.getByRole("combobox", { name: "Theme" }).selectOption({ label: "Theme: dark" });
  await expect.poll(paper).not.toBe(light);
  await expectAccessible(page);
});
