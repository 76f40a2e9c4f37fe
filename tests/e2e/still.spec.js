// Nothing outside the lanes changes its box while time passes and while something is dragged.

import { expect, open, test } from "./support/fixtures.js";
import { grab, now, parts, thumb } from "./support/parts.js";

/** What keeps its box. */
const STILL = [
  ".top-bar", ".title", ".race", ".race-body", ".race-sentence", ".race-readings", ".tl-ruler",
  ".why", ".ov", ".tp", ".tp > *", ".numbers", ".faults", ".state", ".who", ".events",
  ".event-list", ".dock", ".stage-foot",
];

/** Every box that it has had since it began, by what it is; the first of each. */
function watchBoxes([what, lanesMayGrow]) {
  const seen = new Map();
  const lanes = document.querySelector(".tl").getBoundingClientRect().top;
  const look = () => {
    for (const css of what) {
      for (const [index, element] of document.querySelectorAll(css).entries()) {
        const { x, y, width, height } = element.getBoundingClientRect();
        // How high the lanes are is theirs to say; what lies below them keeps its size.
        const down = lanesMayGrow && y > lanes ? 0 : y;
        const box = [x, down, width, height].map((it) => Math.round(it)).join(" ");
        const key = `${css} ${index}`;
        seen.set(key, (seen.get(key) ?? new Set()).add(box));
      }
    }
    window.watching = requestAnimationFrame(look);
  };
  window.scrollTo(0, 0);
  look();
  window.moved = () => {
    cancelAnimationFrame(window.watching);
    return [...seen].filter(([, boxes]) => boxes.size > 1)
      .map(([key, boxes]) => `${key}: ${[...boxes].join(", ")}`);
  };
}

/** Waits until the page has laid itself out: nothing moves for ten frames. Runs within the page. */
async function settled() {
  const frame = () => new Promise((drawn) => { requestAnimationFrame(() => drawn()); });
  const place = () => document.querySelector(".why").getBoundingClientRect().top;
  for (let still = 0, last = NaN; still < 10; await frame()) {
    still = place() === last ? still + 1 : 0;
    last = place();
  }
}

const SIZES = [[1440, 900], [1100, 800], [800, 1000], [390, 844]];

for (const [width, height] of SIZES) {
  for (const [id, name] of [["paused-holder", "the first scenario"], ["no-expiry", "a crash"]]) {
    test(`${width}×${height}, ${name}: playing moves no box`, async ({ page, app }) => {
      await page.setViewportSize({ width, height });
      await open(page, `${app}#${id}@0s`);
      await expect(page.locator(".race-readings").first()).not.toContainText("searching");
      await page.evaluate(settled);
      await page.evaluate(watchBoxes, [STILL, false]);
      await page.keyboard.press("8");
      await page.keyboard.press("Space");
      await expect.poll(() => now(page)).toBeGreaterThan(15);
      expect(await page.evaluate(() => window.moved())).toEqual([]);
    });
  }

  test(`${width}×${height}: dragging the race moves no box`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    await open(page, app);
    const { race } = parts(page);
    await expect(page.locator(".race-readings").first()).not.toContainText("searching");
    await page.evaluate(settled);
    await page.evaluate(watchBoxes, [STILL, true]);
    await grab(page, race, 0.1, 4);
    for (const share of [0.3, 0.45, 0.52, 0.7, 0.95]) {
      const to = await thumb(race, share);
      await page.mouse.move(to.x, to.y, { steps: 4 });
    }
    const moved = await page.evaluate(() => window.moved());
    await page.mouse.up();
    expect(moved).toEqual([]);
  });
}
