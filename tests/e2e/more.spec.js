// Settings that few need: they act, and say why where they do not.

import { expect, open, test } from "./support/fixtures.js";
import { expectVerdicts, parts } from "./support/parts.js";

const combo = (page, name) => page.getByRole("combobox", { name, exact: true });
// The name is clicked: the track lies over the box.
const turn = (page, name) => page.getByText(name, { exact: true });
const isOn = (page, name) => page.getByRole("switch", { name, exact: true });
const more = (page) => page.locator("summary", { hasText: "More" }).click();

test("code that takes the lock again is told a new token, the same, or nothing", async ({
  page, app,
}) => {
  await open(page, app);
  await parts(page).scenario.selectOption({ label: "The lock taken twice" });
  await expectVerdicts(page, /^Unavailable/, /^Safe/);
  await more(page);
  const inside = combo(page, "Code inside that takes the lock again");
  await expect(inside).toHaveValue("Gets a new token");
  await page.getByRole("textbox", { name: "Writes per grant" }).fill("1");
  await page.keyboard.press("Enter");
  await expect(inside).toBeDisabled();
  await expect(page.getByText("With one write per grant nothing is left to write outside"))
    .toBeVisible();
});

test("each store checks by itself, and a refused release has its own answer", async ({
  page, app,
}) => {
  await open(page, app);
  await more(page);
  await expect(combo(page, "A worker whose release is refused")).toBeDisabled();
  await turn(page, "Release when done").click();
  await expect(combo(page, "A worker whose release is refused")).toBeEnabled();
  await page.getByRole("textbox", { name: "Stores" }).fill("2");
  await page.keyboard.press("Enter");
  const second = "Storage 2 checks what arrives";
  await expect(isOn(page, second)).toBeChecked();
  await expectVerdicts(page, /^Corrupted/, /^Safe/);
  // The stale write is refused by the second one alone: the first has taken it.
  await turn(page, "Storage checks what arrives").click();
  await expectVerdicts(page, /^Corrupted/, /^Corrupted/);
  await turn(page, second).click();
  await expect(isOn(page, second)).not.toBeChecked();
});
