// What every spec starts from: `test` with a page that may do nothing wrong unseen, and `app`, the
// address of the built app below a path. A spec is one file: `*.spec.js` beside this folder.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect } from "@playwright/test";
import { serve } from "./static-server.js";

/** The folder of the built app. */
export const DIST = fileURLToPath(new URL("../../../dist", import.meta.url));
const PATH = "/some/sub/path/";
/** What Playwright says where it blocks the service worker, which only offline.spec.js allows. */
const BLOCKED = "Service Worker registration blocked by Playwright";

/** The source of the built page, as a host sends it. */
export const html = () => readFileSync(join(DIST, "index.html"), "utf8");

/** Notes in `wrongs` what a page must never do while it is used. */
function watch(page, origin, wrongs) {
  page.on("pageerror", (error) => wrongs.push(`page error: ${error.stack ?? error}`));
  page.on("console", (message) => {
    if (message.text() === BLOCKED) return;
    if (message.type() === "error" || message.type() === "warning") {
      wrongs.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const own = url.origin === origin && url.pathname.startsWith(PATH);
    if (!own && !["data:", "blob:"].includes(url.protocol)) {
      wrongs.push(`request outside the app's own path: ${url}`);
    }
  });
  page.on("requestfailed", (request) => {
    // A page that is left gives up what it still loads.
    const given = request.failure()?.errorText === "net::ERR_ABORTED";
    if (!given) wrongs.push(`request failed: ${request.url()}`);
  });
}

export const test = base.extend({
  host: [
    async ({}, use) => {
      if (!existsSync(join(DIST, "index.html"))) {
        throw new Error("There is no dist/: `cargo xtask build` makes it.");
      }
      const host = await serve(DIST, PATH);
      await use(host);
      await host.close();
    },
    { scope: "worker" },
  ],

  /** The address of the app. */
  app: async ({ host }, use) => use(host.origin + PATH),

  /** What the page did wrong so far: a test that provokes something takes it out again. */
  wrongs: async ({}, use) => use([]),

  page: async ({ page, host, wrongs }, use) => {
    watch(page, host.origin, wrongs);
    await use(page);
    expect(wrongs, "what the page did wrong while the test used it").toEqual([]);
  },
});

/** Opens the app and waits until it has drawn itself. */
export async function open(page, address) {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Fails where axe finds an obstacle by WCAG 2.2, levels A and AA, or by its best practices. */
export async function expectAccessible(page) {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`),
  }));
  expect(found, "what axe found").toEqual([]);
}

export { expect };
