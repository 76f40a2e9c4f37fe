// What would have saved us? Every argument tried on this schedule, and one of them made Run 2.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectVerdicts, parts } from "./support/parts.js";

const TITLE = "What would have saved us?";
const table = (page) => page.getByRole("table", { name: TITLE, exact: true });
const choice = (page, name) => table(page).getByRole("button", { name, exact: true });
const row = (page, name) => table(page).getByRole("row")
  .filter({ has: page.getByRole("button", { name, exact: true }) });

test("the table fills, a row becomes Run 2, and undo brings the old comparison back", async ({
  page, app,
}) => {
  await open(page, app);
  const { button } = parts(page);
  await expect(button("Copy as text")).toBeEnabled();
  await expect(table(page)).not.toContainText("…");
  await expect(row(page, "As it is").getByRole("cell"))
    .toHaveText([
      /^Corrupted at 17\.1 s/, "pause above 10.3 s, up to 10 min, the end of the search", "–",
    ]);
  await expect(row(page, "As it is").getByRole("cell").first()).toHaveClass("is-damage");
  await expect(row(page, "Fencing token"))
    .toContainText(/no pause up to \d+\.0 s; none was found in \d+ more runs up to 10 min/);
  await expect(choice(page, "Fencing token")).toHaveAttribute("aria-pressed", "true");

  await choice(page, "TTL × 2").click();
  await expect(row(page, "TTL × 2")).toContainText("TTL × 2 · shown as Run 2");
  await expect(choice(page, "Fencing token")).toHaveAttribute("aria-pressed", "false");
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");

  await choice(page, "Fencing token").click();
  await expect(row(page, "Fencing token")).toContainText("· shown as Run 2");
  await expect(parts(page).mode("Compare both")).toBeChecked();
  await expectAccessible(page);

  await button("Undo").click();
  await expect(choice(page, "TTL × 2")).toHaveAttribute("aria-pressed", "true");
  await button("Undo").click();
  await expect(choice(page, "Fencing token")).toHaveAttribute("aria-pressed", "true");
  await expect(button("Undo")).toBeDisabled();
});

test("what has nothing to do with the set-up is told on demand", async ({ page, app }) => {
  await open(page, app);
  const { button, region } = parts(page);
  await expect(button("Copy as text")).toBeEnabled();
  const others = page.getByRole("list", { name: "Nothing to do with this set-up" });
  await expect(others).toBeHidden();
  await expect(choice(page, "Five nodes")).toHaveCount(0);
  await region(TITLE).getByText("Why not something else?").click();
  await expect(others).toContainText("Not tried: Five nodes, because nothing here calls for it");
  await expectAccessible(page);
});

test("the table is copied as text, and what came of it is said", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, app);
  await parts(page).button("Copy as text").click();
  await expect(parts(page).live).toHaveText("Copied");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain(TITLE);
  expect(text).toMatch(/^As it is +Corrupted at 17\.1 s +2 of 2 .* pause above 10\.3 s/m);

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await parts(page).button("Copy as text").click();
  await expect(parts(page).live).toHaveText(/^The browser did not copy/);
});

test("an edit tries again, and nothing of it is told while the future is hidden", async ({
  page, app,
}) => {
  await open(page, app);
  const { field, button, region } = parts(page);
  await expect(row(page, "As it is")).toContainText("Corrupted at 17.1 s");
  await field("Time to live").fill("20 s");
  await field("Time to live").press("Enter");
  await expect(row(page, "As it is")).toContainText("Safe in this run");
  await expect(row(page, "As it is")).toContainText("pause above 20.3 s");
  await button("Hide the future").click();
  await expect(region(TITLE)).toHaveCount(0);
});

test("what each run cost stands under its verdict, all of it on demand", async ({ page, app }) => {
  await open(page, app);
  const { button } = parts(page);
  await expect(button("Copy as text")).toBeEnabled();
  const costs = (name) => row(page, name).getByRole("listitem");
  await expect(costs("As it is")).toHaveCount(5);
  await expect(choice(page, "A deadline of the client's own")).toHaveCount(0);
  const fold = button(/^\d+ that do not help here$/);
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await fold.press("Enter");
  await expect(fold).toHaveAttribute("aria-expanded", "true");
  await expect(choice(page, "A deadline of the client's own")).toHaveCount(1);
  await expect(costs("Lock-delay of 15 s")).toHaveText([/^[\d.]+ s nobody worked$/,
    /^[\d.]+ s longest wait$/]);
  await button("All costs").click();
  await expect(button("All costs")).toHaveAttribute("aria-pressed", "true");
  await expect(costs("Lock-delay of 15 s")).toHaveCount(5);
  await expectAccessible(page);
});

test("on a phone no row is cut, and all are a table still", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, app);
  await expect(parts(page).button("Copy as text")).toBeEnabled();
  await parts(page).button("All costs").click();
  const cut = await table(page).evaluate((it) => {
    const place = it.parentElement.getBoundingClientRect();
    const parts = [...it.querySelectorAll("th, td, li")].filter((one) => one.closest("tbody"));
    return parts.filter((one) => one.getBoundingClientRect().right > place.right + 1).length;
  });
  expect(cut).toBe(0);
  await expect(row(page, "As it is").getByRole("cell")).toHaveCount(3);
  await expectAccessible(page);
});
