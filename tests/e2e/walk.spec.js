// Nothing ordinary stops the page: one walk that meets every ordered pair of gallery scenarios in
// one page, so that whatever one leaves behind is there when the next one comes.

import { expect, open, test } from "./support/fixtures.js";
import { parts } from "./support/parts.js";
import { untilDrawn } from "./support/monkey.js";

/** Above so many scenarios their pairs are too many for a test: then one for each shape of page. */
const MOST = 80;

/** Above so many scenarios their pairs are too many: then one for each shape of page. */
export function walk(n) {
  const steps = [0];
  for (let from = 0; from < n; from += 1) {
    for (let to = from + 1; to < n; to += 1) steps.push(to, from);
    if (from + 1 < n) steps.push(from + 1);
  }
  return steps;
}

test("the walk meets every ordered pair", () => {
  const steps = walk(5);
  const pairs = new Set(steps.slice(1).map((to, index) => `${steps[index]} ${to}`));
  expect(pairs.size).toBe(5 * 4);
});

for (const half of [0, 1]) {
  test(`every scenario can follow every other one, half ${half + 1}`, async ({
    page, app, wrongs,
  }) => {
    // So many scenarios are loaded and drawn, one after the other; a limit for what hangs.
    test.setTimeout(30 * 60_000);
    await open(page, app);
    const titles = await parts(page).scenario.getByRole("option").allTextContents();
    expect(titles.length).toBeGreaterThan(10);
    expect(titles.length).toBeLessThanOrEqual(MOST);
    const all = walk(titles.length);
    // Both halves hold the step at which one becomes the other.
    const middle = Math.floor(all.length / 2);
    const steps = half === 0 ? all.slice(0, middle + 1) : all.slice(middle);
    // Some hundred steps at a time within the page, so that a step costs what the page does.
    for (let from = 0; from < steps.length && wrongs.length === 0; from += 200) {
      const stopped = await page.evaluate(untilDrawn, steps.slice(from, from + 200));
      if (stopped === null) continue;
      const [before, after] = [steps[from + stopped - 1] ?? 0, steps[from + stopped]];
      wrongs.push(`the page stopped from “${titles[before]}” to “${titles[after]}”`);
    }
    expect(wrongs).toEqual([]);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
}
