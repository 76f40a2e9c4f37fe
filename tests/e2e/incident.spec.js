// A real incident on the simulation: names, times of day, the observed lines above the lanes, what
// they set and how they differ. By mouse, by keyboard, on a small screen by touch.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import {
  drag,
  expectNoSidewaysScroll,
  expectVerdicts,
  openDialog,
  parts,
  place,
  press,
  seconds,
  swipe,
} from "./support/parts.js";

test.beforeEach(async ({ page, app }) => open(page, app));

const HOSTILE = `<img src=x onerror=alert(1)>`;
const LINES = [
  "2024-05-01T10:00:03.000+02:00 billing-7 stopped",
  "no time at all",
  "May  1 10:00:12 B lock acquired",
].join("\n");

const field = (page, name) => page.getByRole("textbox", { name, exact: true });

async function incident(page) {
  await openDialog(page, "Your incident");
  await expect(page.getByRole("dialog", { name: "Incident" })).toBeVisible();
}

/** Fills the form in: a start in a named zone, a name. */
async function fill(page) {
  await incident(page);
  await field(page, "Start, the run's 0 s").fill("2024-05-01 10:00:00");
  await field(page, "Zone").fill("Europe/Berlin");
  await field(page, "Client A is called").fill("billing-7");
}

/** Pastes the lines and closes the dialog. */
async function paste(page) {
  await fill(page);
  await field(page, "Lines").fill(LINES);
  await page.getByRole("button", { name: "Read the lines" }).click();
  await expect(page.getByRole("list", { name: "Lines that were not taken" })).toHaveText(
    /^Line 2, “no time at all”: it begins with no time; write 2024-05-01T10:00:00\+02:00, /,
  );
  await expect(page.getByText("2 lines were taken")).toBeVisible();
  await page.keyboard.press("Escape");
}

const observed = (page) => page.getByRole("region", { name: "Observed" });
const mark = (page, text) => page.locator(".tl-line", { hasText: text }).first();

test("names and times of day stand everywhere, travel in the link, and can be undone", async ({
  page,
}) => {
  await fill(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Apply" }).click();
  const { button, region } = parts(page);
  await expect(page.locator(".tl-label b").nth(1)).toHaveText("billing-7");
  await expect(button("billing-7 pause")).toBeVisible();
  await expect(region("Why")).toContainText("billing-7's lease ended");
  await expect(region("State")).toContainText("billing-7");
  await expect(region("Events")).toContainText("billing-7");
  // The address follows when the page rests: here it has the names, and then the clock as well.
  await page.waitForFunction(() => location.hash.length > 10);
  const named = page.url();
  const clock = page.getByRole("switch", { name: "Times of day" });
  await clock.check({ force: true });
  await expect(page.locator(".tl-ruler .tl-time").first()).toHaveText("10:00:00");
  await expect(page.locator(".tl-playhead-plate")).toHaveText("10:00:17.10");
  await expect(page.getByText("0 s is 2024-05-01T10:00:00+02:00")).toBeVisible();
  await expect(page).not.toHaveURL(named);
  await page.reload();
  await expect(page.locator(".tl-label b").nth(1)).toHaveText("billing-7");
  await expect(page.locator(".tl-playhead-plate")).toHaveText("10:00:17.10");
});

test("a hostile name stays text, and a bad start is quoted", async ({ page }) => {
  await incident(page);
  await field(page, "Client A is called").fill(HOSTILE);
  await field(page, "Start, the run's 0 s").fill("yesterday");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("alert")).toContainText("“yesterday” is not a timestamp with a zone");
  await field(page, "Start, the run's 0 s").fill("");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.locator(".tl-label b").nth(1)).toHaveAttribute("title", HOSTILE);
  await expect(page.locator("img")).toHaveCount(0);
  await parts(page).button("Undo").click();
  await expect(page.locator(".tl-label b").nth(1)).toHaveText("Client A");
});

test("an observed line that is dropped on a pause sets its start", async ({ page }) => {
  await paste(page);
  await expect(mark(page, "stopped")).toHaveAttribute(
    "aria-label",
    "Observed: 10:00:03.000 · billing-7 · stopped",
  );
  const { slider, button } = parts(page);
  const start = slider("billing-7 pause, start");
  const end = await seconds(slider("billing-7 pause, end"));
  const goal = await place(button("billing-7 pause"), 0.1);
  const from = await place(mark(page, "stopped"), 0.5, 0.3);
  const box = await mark(page, "stopped").locator(".tl-line-hit").boundingBox();
  await drag(page, { x: box.x + 12, y: from.y }, goal);
  expect(await seconds(start)).toBe(3);
  expect(await seconds(slider("billing-7 pause, end"))).toBe(end);
  await button("Undo").click();
  expect(await seconds(start)).toBe(2);
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
});

test("by keyboard a line is compared and sets an end; what differs is told", async ({ page }) => {
  await paste(page);
  await mark(page, "lock acquired").focus();
  await press(page, "Enter");
  const sets = observed(page).getByRole("combobox", { name: "Sets, line 2" });
  await expect(sets).toBeFocused();
  await observed(page)
    .getByRole("combobox", { name: "Compared with, line 2" })
    .selectOption("Granted");
  await expect(observed(page)).toContainText(/Simulated: 1\.\d+ s earlier, at 10\.\d+ s/);
  await sets.selectOption("sets: End of billing-7 pause");
  expect(await seconds(parts(page).slider("billing-7 pause, end"))).toBe(12);
  await expectAccessible(page);
  await observed(page).getByRole("button", { name: "Remove all lines" }).click();
  await expect(observed(page)).toHaveCount(0);
  await expect(page.locator(".tl-line")).toHaveCount(0);
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("a line is dropped with a finger on a small screen", async ({ page }) => {
    await paste(page);
    await expectNoSidewaysScroll(page);
    const { slider, button } = parts(page);
    const goal = await place(button("billing-7 pause"), 0.1);
    const box = await mark(page, "stopped").locator(".tl-line-hit").boundingBox();
    await swipe(page, { x: box.x + box.width / 2, y: box.y + 10 }, goal);
    expect(await seconds(slider("billing-7 pause, start"))).toBe(3);
  });
});
