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
