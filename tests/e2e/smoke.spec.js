// The built app loads from a path of a static host, keeps to its own files, and can be used by all.

import { expect, expectAccessible, html, open, test } from "./support/fixtures.js";

test("the app starts, without an error or a request to another host", async ({ page, app }) => {
  await open(page, app);
  await expect(page).toHaveTitle(/Fenceline/);
});

test("the page holds no inline script or style, and a policy that forbids them", async () => {
  const source = html();
  expect(source).not.toMatch(/<script(?![^>]*\ssrc=)/i);
  expect(source).not.toMatch(/<style|\sstyle=/i);
  expect(source).not.toMatch(/unsafe-inline/);
  expect(source).toMatch(/Content-Security-Policy/i);
});

test("a request to another host would be noticed", async ({ page, app, wrongs }) => {
  await open(page, app);
  await page.evaluate(() => fetch("https://example.invalid/").catch(() => {}));
  await expect.poll(() => wrongs.join()).toContain("example.invalid");
  wrongs.length = 0;
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in the ${colorScheme} theme`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, app);
    await expectAccessible(page);
  });
}

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test(`nothing jumps while the page comes, ${width} px`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => {
      window.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.moved += value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await open(page, app);
    // The last that comes by itself above the fold.
    await expect(page.locator(".race-readings").first()).toContainText(/corrupted .*10\.3 s/);
    // A tenth is felt; without its height beforehand, the timeline alone came to that.
    expect(await page.evaluate(() => window.moved)).toBeLessThan(0.05);
  });
}
