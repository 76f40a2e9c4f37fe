// The texts of the timeline as the browser draws them: in every scenario of the gallery no two of
// them meet, and none lies under a name, a button, a verdict or a handle.

import { expect, open, test } from "./support/fixtures.js";

/** How many CSS px boxes may share: a box of text is higher than its letters. */
const ROOM = { x: 0.5, y: 2 };

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test(`${width}×${height}: no two texts of the timeline meet, in any scenario`, async ({
    page, app,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height });
    await open(page, app);
    const seen = await page.evaluate(everyScenario, ROOM);
    expect(seen.length).toBeGreaterThan(40);
    expect(seen.every(({ n }) => n > 8), JSON.stringify(seen.filter(({ n }) => n <= 8))).toBe(true);
    expect(seen.flatMap(({ name, met }) => met.map((pair) => `${name}: ${pair}`))).toEqual([]);
  });
}

test("texts that are made to meet are found", async ({ page, app }) => {
  await open(page, app);
  await page.evaluate(() => {
    document.querySelector(".tl").style.setProperty("letter-spacing", "0.4em");
  });
  const [{ met }] = await page.evaluate(everyScenario, { ...ROOM, most: 1 });
  expect(met.length).toBeGreaterThan(0);
});

/** Chooses each scenario and compares all boxes. Runs within the page. */
async function everyScenario({ x, y, most = Infinity }) {
  const frame = () => new Promise((drawn) => { requestAnimationFrame(() => drawn()); });
  // Of a text in a block the box of its letters, as far as it is not cut.
  const boxOf = (node) => {
    const own = node.getBoundingClientRect();
    if (node instanceof SVGElement || node.textContent.trim() === "") return own;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, top, width, height } = range.getBoundingClientRect();
    const high = Math.min(height, own.bottom - top);
    return { left, top, width: Math.min(width, own.right - left), height: high };
  };
  const boxes = (selector, kind) =>
    [...document.querySelectorAll(selector)].flatMap((node) => {
      const style = getComputedStyle(node);
      const { left, top, width, height } = boxOf(node);
      const right = left + width;
      if (width === 0 || style.visibility === "hidden" || style.opacity === "0") return [];
      const cut = kind === "text" ? 2 : 0;
      const what = `${node.textContent.trim() || node.getAttribute("class")}`;
      return [{ kind, what, left, right, top: top + cut / 2, bottom: top + height - cut / 2 }];
    });
  const pairs = () => {
    const { left, right } = document.querySelector(".tl").getBoundingClientRect();
    const all = [
      ...boxes(".tl-labels text, .tl-ruler text, .tl-observed text", "text"),
      ...boxes(".tl-label b:not(:has(.tl-fold)), .tl-label span", "text"),
      ...boxes(".tl-verdict, .tl-not-to-scale", "text"),
      ...boxes(".tl-fold, .tl-add, .tl-grip-plate", "handle"),
    ].filter((box) => box.right > left && box.left < right);
    const met = [];
    for (const [index, one] of all.entries()) {
      if (one.kind === "text" && (one.left < left - 1 || one.right > right + 1)) {
        met.push(`“${one.what}” is cut`);
      }
      for (const other of all.slice(index + 1)) {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        const is = one.kind === "text" || other.kind === "text";
        if (is && wide > x && high > y) met.push(`“${one.what}” meets “${other.what}”`);
      }
    }
    return { n: all.length, met };
  };
  const select = () => document.querySelector("select[aria-label='Scenario']");
  const seen = [];
  for (let at = 0; at < Math.min(select().options.length, most); at += 1) {
    select().selectedIndex = at;
    select().dispatchEvent(new Event("change", { bubbles: true }));
    await frame();
    await frame();
    const name = select().options[at].textContent;
    seen.push({ name, ...pairs() });
  }
  return seen;
}
