// The first minute: one's own lock system a click away, the sentence that goes on, and the
// same behind one button on a phone.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectVerdicts, parts } from "./support/parts.js";

const yours = (page) => page.getByRole("navigation", { name: "Yours" });
const chosen = (page) => parts(page).scenario.getByRole("option", { selected: true });

test("a click opens one's own system's trap with its real numbers", async ({ page, app }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, app);
  const { field } = parts(page);
  await expect(page.locator("h1")).toHaveText(
    "A lock that expires can have two holders. Client A freezes past its lease, then writes late. "
    + "Drag the pause, or press Play.",
  );
  await yours(page).getByRole("button", { name: "Redis", exact: true }).click();
  await expect(chosen(page)).toHaveText("Good for efficiency, not for correctness");
  await expect(field("Time to live")).toHaveValue("30.0 s");
  await expect(page.locator("h1")).toContainText("Now with your own numbers, on the left.");
  await yours(page).getByRole("button", { name: "etcd", exact: true }).click();
  await expect(chosen(page)).toHaveText("Nobody tells the holder");
  await expect(field("Time to live")).toHaveValue("60.0 s");
  await expectVerdicts(page, /^Corrupted/, /^Safe/);
  await yours(page).getByRole("button", { name: "another …", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Gallery" })).toBeVisible();
  await page.keyboard.press("Escape");
  await yours(page).getByRole("button", { name: "An incident", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Incident" })).toBeVisible();
});

test("on a phone they are behind one button", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, app);
  await expect(yours(page)).toBeHidden();
  await parts(page).button("Yours …").click();
  const menu = page.locator("#yours");
  await expectAccessible(page);
  await menu.getByRole("button", { name: "PostgreSQL", exact: true }).click();
  await expect(menu).toBeHidden();
  await expect(chosen(page)).toHaveText("A pause inside a transaction");
});
