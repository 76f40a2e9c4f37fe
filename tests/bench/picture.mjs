// The picture in README.md: the page as it opens, from the optimised build, in headless Chromium.
// `cargo xtask picture` runs it.

import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { serve } from "../e2e/support/static-server.js";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const host = await serve(process.env.DIST ?? at("../../dist"), "/fenceline/");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(`${host.origin}/fenceline/`);
// The ranges are found after the first drawing, and searched on at leisure.
await page.locator(".race-readings", { hasText: "corrupted above" }).waitFor();
await page.locator(".remedies tr.is-shown").first().waitFor();
await page.screenshot({ path: at("../../docs/screenshot.png") });
await browser.close();
await host.close();
