// A long run, eight clients for a day and more than half a million events, stays a page that can be
// used.

import { expect, open, test } from "./support/fixtures.js";
import { drag, now, openNumbers, parts, place } from "./support/parts.js";

const MOST_NODES = 1_500;

/** Eight busy clients, a day. */
async function lengthen(page) {
  await openNumbers(page);
  const set = async (name, value) => {
    const field = page.getByRole("textbox", { name, exact: true });
    await field.fill(value);
    await field.press("Enter");
  };
  await set("Number of clients", "8");
  await set("Work takes", "400ms");
  await page.getByRole("switch", { name: "Release when done" }).check({ force: true });
  await page.getByRole("switch", { name: "Repeat" }).check({ force: true });
  await page.getByRole("switch", { name: "Run ends by itself" }).uncheck({ force: true });
  await set("Run lasts", "24 h");
  await page.keyboard.press("Escape");
}

const nodes = (page) => page.locator("svg, svg *").count();

/** How many events the page says there are. */
async function events(page) {
  const text = await parts(page).playhead.getAttribute("aria-valuetext");
  return Number(text.match(/of (\d+)/)?.[1]);
}

test("while it is computed: progress, the last picture, and a way back", async ({ page, app }) => {
  await open(page, app);
  // Slow enough that a hand is quicker.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await lengthen(page);
  const progress = page.getByRole("progressbar", { name: "Computing" });
  await expect(progress).toBeVisible();
  await expect(page.getByText("what you see is the run before")).toBeVisible();
  const before = await events(page);
  expect(before).toBeLessThan(20_000);
  await parts(page).button("Cancel").click();
  await expect(progress).toHaveCount(0);
  expect(await events(page)).toBe(before);
});

test("a day of eight clients: few nodes; scrub, zoom and play work", async ({ page, app }) => {
  await open(page, app);
  await lengthen(page);
  const { playhead, button } = parts(page);
  await expect.poll(() => events(page), { timeout: 4 * 60_000 }).toBeGreaterThan(100_000);
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  await expect(page.locator(".limit-note")).toContainText("1000000 entries");

  const ruler = page.locator(".tl-ruler").first();
  await drag(page, await place(ruler, 0.1), await place(ruler, 0.7));
  await expect.poll(() => now(page)).toBeGreaterThan(10);
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);

  const lane = await place(page.locator(".tl-lane").first(), 0.6);
  await page.mouse.move(lane.x, lane.y);
  await page.keyboard.down("Control");
  for (let n = 0; n < 6; n += 1) {
    await page.mouse.wheel(0, 400);
    expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  }
  for (let n = 0; n < 12; n += 1) {
    await page.mouse.wheel(0, -400);
    expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  }
  await page.keyboard.up("Control");

  const from = await now(page);
  await button("Play").click();
  await expect.poll(() => now(page)).toBeGreaterThan(from + 0.5);
  await button("Pause").click();
  await playhead.press("End");
  await expect.poll(() => now(page)).toBeGreaterThan(30_000);
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
});
