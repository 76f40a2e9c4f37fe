// The same story by keyboard alone: no test in this file moves a pointer.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectAt, expectVerdicts, now, openTab, parts, press, tabTo } from "./support/parts.js";

test.beforeEach(async ({ page, app }) => open(page, app));

test("a whole session: time, race, fence, undo", async ({ page }) => {
  const { race, mode, playhead, verdict, button } = parts(page);
  await press(page, "Home");
  await expectAt(page, 0);
  await press(page, "ArrowRight");
  await expectAt(page, 0.1);
  await press(page, "Shift+ArrowRight");
  await expectAt(page, 1.1);
  await press(page, "Shift+ArrowLeft");
  await expectAt(page, 0.1);
  await press(page, "End");
  await expect(playhead).toHaveAttribute("aria-valuetext", /event 20 of 20/);
  await press(page, "p");
  await expectAt(page, 17.1);
  await tabTo(page, race);
  await press(page, "ArrowLeft", 47);
  await expect(race).toHaveAttribute("aria-valuetext", /^10[.]3 s[.]/);
  await expectVerdicts(page, "Safe by luck", "Safe by luck");
  await press(page, "ArrowRight");
  await expect(race).toHaveAttribute("aria-valuetext", /^10[.]4 s[.]/);
  await expectVerdicts(page, /^Corrupted/, "Safe in this run");
  await tabTo(page, mode("Compare both"), "Shift+Tab");
  await press(page, "ArrowLeft");
  await expect(verdict("Run")).toHaveText("Safe in this run");
  await press(page, "f");
  await expect(mode("Compare both")).toBeChecked();
  await tabTo(page, button("Undo"), "Shift+Tab");
  await press(page, "Control+z", 3);
  await expect(race).toHaveAttribute("aria-valuetext", /^10[.]3 s[.]/);
  await press(page, "Control+Shift+z");
  await expect(race).toHaveAttribute("aria-valuetext", /^10[.]4 s[.]/);
});

test("Space plays and pauses; digits set the speed", async ({ page }) => {
  const speed = page.getByRole("combobox", { name: "Speed" });
  await press(page, "Home");
  await press(page, "7");
  await expect(speed.getByRole("option", { selected: true })).toHaveText("10×");
  await press(page, "Space");
  await expect.poll(() => now(page)).toBeGreaterThan(1);
  await press(page, "Space");
  await expect(parts(page).button("Play")).toBeVisible();
  for (const key of ["b", "."]) {
    await press(page, key);
    await expect(parts(page).button("Pause")).toBeVisible();
    await press(page, key);
    await expect(parts(page).button("Play")).toBeVisible();
  }
});

test("N and P go to violations, Page keys to notable events", async ({ page }) => {
  await press(page, "Home");
  await press(page, "n");
  await expectAt(page, 17.1);
  await press(page, "End");
  await press(page, "p");
  await expectAt(page, 17.1);
  await press(page, "PageUp");
  await expectAt(page, 17);
  await press(page, "PageDown");
  await expectAt(page, 17.1);
});

test("F switches the fence, H hides the future, + and − zoom", async ({ page }) => {
  const { mode, button, region } = parts(page);
  for (const name of ["Off", "On", "Compare both"]) {
    await press(page, "f");
    await expect(mode(name)).toBeChecked();
  }
  await openTab(page, "Properties");
  await press(page, "h");
  await expect(button("Hide the future")).toHaveAttribute("aria-pressed", "true");
  await expect(region("Properties")).toHaveCount(0);
  await press(page, "h");
  await expect(region("Properties")).toBeVisible();
  const shown = () => page.locator(".ov-window").evaluate((window) => window.getAttribute("width"));
  const fitted = Number(await shown());
  await press(page, "+");
  await expect.poll(async () => Number(await shown())).toBeLessThan(fitted);
  await press(page, "-");
  await expect.poll(async () => Number(await shown())).toBeGreaterThanOrEqual(fitted - 2);
});

test("the legend and help open, keep the focus, and close", async ({ page }) => {
  for (const [key, name] of [["k", "Legend"], ["?", "Help"]]) {
    const dialog = page.getByRole("dialog", { name });
    await press(page, key);
    await expect(dialog).toBeVisible();
    const at = await now(page);
    await press(page, "ArrowLeft");
    expect(await now(page)).toBe(at);
    await press(page, "Tab", 3);
    await expect(page.locator("header :focus, main :focus")).toHaveCount(0);
    await press(page, "Escape");
    await expect(dialog).toHaveCount(0);
  }
});

test("what a safe verdict does not judge opens by a key", async ({ page }) => {
  const { region } = parts(page);
  await openTab(page, "Properties");
  const beside = region("Properties").locator(".not-judged");
  await expect(beside, "nothing stands beside the corrupted run").toHaveCount(1);
  await expect(beside.getByRole("listitem").first()).toBeHidden();
  const at = await now(page);
  await tabTo(page, beside.locator("summary"), "Shift+Tab");
  await press(page, "Space");
  await expect(beside.getByRole("listitem")).toHaveText([
    "what others read or write in the storage, without the lock",
    "what work does elsewhere before it writes",
  ]);
  await expect(parts(page).button("Play"), "the key plays nothing").toBeVisible();
  expect(await now(page)).toBe(at);
  await expectAccessible(page);
});

test("single keys can be switched off in Help; undo stays", async ({ page }) => {
  const { race } = parts(page);
  await openTab(page, "Properties");
  await press(page, "?");
  await tabTo(page, page.getByRole("switch", { name: /single-key/i }));
  await press(page, "Space");
  await press(page, "Escape");
  await press(page, "f");
  await press(page, "h");
  await expect(parts(page).mode("Compare both")).toBeChecked();
  await expect(parts(page).region("Properties")).toBeVisible();
  await tabTo(page, race);
  await press(page, "ArrowLeft");
  await expect(race).toHaveAttribute("aria-valuetext", /^14[.]9 s[.]/);
  await press(page, "Control+z");
  await expect(race).toHaveAttribute("aria-valuetext", /^15[.]0 s[.]/);
});

test("nothing fires while typing, and a focused control keeps its own keys", async ({ page }) => {
  const { field, mode, slider } = parts(page);
  await tabTo(page, field("Time to live"));
  await press(page, "End");
  for (const key of ["f", "h", "k", "Space", "n"]) await press(page, key);
  await expect(field("Time to live")).toHaveValue("10.0 sfhk n");
  await expectAt(page, 17.1);
  await expect(mode("Compare both")).toBeChecked();
  await press(page, "Escape");
  await expect(field("Time to live")).toHaveValue("10.0 s");
  await tabTo(page, slider("Time to live"));
  await press(page, "ArrowRight");
  await expect(slider("Time to live")).not.toHaveAttribute("aria-valuetext", "10.0 s");
  await expectAt(page, 17.1);
});

test("the playhead is a slider of its own", async ({ page }) => {
  const { playhead } = parts(page);
  await tabTo(page, playhead);
  await press(page, "ArrowLeft");
  await expect(playhead).toHaveAttribute("data-event-index", "19");
  await press(page, "Shift+ArrowLeft");
  await expect.poll(() => now(page)).toBeCloseTo(16, 1);
  await press(page, "Home");
  await expect(playhead).toHaveAttribute("aria-valuetext", /before the first of 20 events$/);
});

test("the list of events is walked by Tab and Enter", async ({ page }) => {
  const event = parts(page).region("Events").getByRole("button", { name: /^17\.0 s A wakes/ });
  await tabTo(page, event);
  await press(page, "Enter");
  await expectAt(page, 17);
  await expect(event).toHaveAttribute("aria-current", "true");
});

test("whatever has the focus shows it", async ({ page }) => {
  for (let n = 0; n < 40; n += 1) {
    await press(page, "Tab");
    const seen = await page.evaluate(() => {
      const focused = document.activeElement;
      const style = (element) => element && getComputedStyle(element);
      const near = [focused, ...focused.querySelectorAll("*"), focused.nextElementSibling];
      const ringed = near.some((element) => {
        const { outlineStyle, outlineWidth, stroke } = style(element) ?? {};
        return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || stroke !== "none";
      });
      return { ringed, what: focused.outerHTML.slice(0, 120) };
    });
    expect(seen.ringed, seen.what).toBe(true);
  }
});
