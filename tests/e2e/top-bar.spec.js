// The top bar: its menus, what is shared, and the links that lead past it.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectAt, parts } from "./support/parts.js";

const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

test("everything stands in one row, with names before what is chosen", async ({ page, app }) => {
  await open(page, app);
  const bar = page.locator(".top-bar");
  await expect(bar.getByText("Scenario", { exact: true })).toBeVisible();
  await expect(bar.getByText("Lock system", { exact: true })).toBeVisible();
  const names = ["Undo", "Redo", "Gallery", "Tours", "Your incident", "Share", "Present", "Help",
    "Menu"];
  const places = [];
  for (const name of names) {
    places.push((await bar.getByRole("button", { name, exact: true }).boundingBox()).x);
  }
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

for (const name of ["Share", "Menu"]) {
  test(`${name} goes by Escape, by a click elsewhere, under a dialog`, async ({ page, app }) => {
    await open(page, app);
    const body = page.locator(name === "Share" ? "#share" : "#menu");
    const opener = parts(page).button(name);
    await opener.click();
    await expect(body).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(body).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(body).toBeVisible();
    await page.mouse.click(700, 500);
    await expect(body).toBeHidden();
    await opener.click();
    await body.getByRole("button", { name: name === "Share" ? "Picture" : "Legend" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(body).toBeHidden();
  });
}

test("the link of a scenario as it came is its name, and is copied without a dialog", async ({
  page, app, context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, app);
  const { button, field } = parts(page);
  const copy = async () => {
    await button("Share").click();
    await button("Copy link").click();
    await expect(page.locator(".toast")).toHaveText("Link copied");
    return copied(page);
  };
  expect(await copy()).toBe(`${app}#paused-holder`);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Home");
  await expectAt(page, 0);
  expect(await copy()).toBe(`${app}#paused-holder@0s`);
  await open(page, `${app}?again#paused-holder@0s`);
  await expectAt(page, 0);
  await field("Client A pauses for").fill("9 s");
  await field("Client A pauses for").press("Enter");
  expect(await copy()).toContain(`${app}?again#2.`);
});

test("the page that plays and the file are saved at once", async ({ page, app }) => {
  await open(page, app);
  const { button } = parts(page);
  for (const [name, ending] of [["Write-up", /\.md$/],
    ["Page that plays", /\.html$/], ["File", /\.json$/]]) {
    await button("Share").click();
    const download = page.waitForEvent("download");
    await button(name).click();
    expect((await download).suggestedFilename()).toMatch(ending);
    await expect(page.locator(".toast")).toContainText("Saved as");
  }
});

test("the first three stops lead past the bar", async ({ page, app }) => {
  const targets = [
    ["To the race", parts(page).race], ["To the timeline", parts(page).playhead],
    ["To the events", page.locator(".event-list button").first()],
  ];
  for (const [index, [name, target]] of targets.entries()) {
    await open(page, `${app}?stop=${index}`);
    for (let n = 0; n <= index; n += 1) await page.keyboard.press("Tab");
    const link = parts(page).button(name);
    await expect(link).toBeFocused();
    await expect(link).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(target).toBeFocused();
  }
});

test("below the timeline one thing stands at a time, and arrows lead on", async ({ page, app }) => {
  await open(page, app);
  const tab = (name) => page.getByRole("tab", { name, exact: true });
  const panel = page.getByRole("tabpanel");
  await expect(panel).toHaveAccessibleName("What would have saved us?");
  await tab("What would have saved us?").focus();
  const names = ["Lock systems", "Properties", "History", "In your system",
    "What would have saved us?"];
  for (const name of names) {
    await page.keyboard.press("ArrowRight");
    await expect(tab(name)).toBeFocused();
    await expect(panel).toHaveAccessibleName(name);
    await expect(panel.locator(".card")).toHaveCount(1);
  }
  await page.keyboard.press("End");
  await expect(tab("In your system")).toHaveAttribute("aria-selected", "true");
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(high, "no page of many columns").toBeLessThan(2_600);
});
