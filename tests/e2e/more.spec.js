// Settings that few need: they act, and say why where they do not.

import { expect, open, test } from "./support/fixtures.js";
import { expectVerdicts, openNumbers, parts } from "./support/parts.js";

const combo = (page, name) => page.getByRole("combobox", { name, exact: true });
const box = (page, name) => page.getByRole("textbox", { name, exact: true });
const isOn = (page, name) => page.getByRole("switch", { name, exact: true });
// The track lies over the box.
const turn = (page, name) => isOn(page, name).click({ force: true });

test("code that takes the lock again is told a new token, the same, or nothing", async ({
  page, app,
}) => {
  await open(page, app);
  await parts(page).scenario.selectOption({ label: "The lock taken twice" });
  await expectVerdicts(page, /^Unavailable/, /^Safe/);
  await openNumbers(page);
  await expect(combo(page, "Takes it twice")).toHaveValue("Gets a new token");
  await page.getByRole("textbox", { name: "Writes per grant" }).fill("1");
  await page.keyboard.press("Enter");
  await expect(box(page, "Takes it twice")).toBeDisabled();
  await expect(box(page, "Takes it twice")).toHaveValue("one write");
  await parts(page).button("Takes it twice: what it means").click();
  await expect(page.getByText("With one write per grant nothing is left to write outside"))
    .toBeVisible();
});

test("each store checks by itself, and a refused release has its own answer", async ({
  page, app,
}) => {
  await open(page, app);
  await openNumbers(page);
  await expect(box(page, "A refused release")).toHaveValue("no release");
  await turn(page, "Release when done");
  await expect(combo(page, "A refused release")).toBeEnabled();
  await page.getByRole("textbox", { name: "Stores" }).fill("2");
  await page.keyboard.press("Enter");
  const second = "Storage 2 checks what arrives";
  await expect(isOn(page, second)).toBeChecked();
  await expectVerdicts(page, /^Corrupted/, /^Safe/);
  // The stale write is refused by the second one alone: the first has taken it.
  await turn(page, "Storage checks what arrives");
  await expectVerdicts(page, /^Corrupted/, /^Corrupted/);
  await turn(page, second);
  await expect(isOn(page, second)).not.toBeChecked();
});
