// Playwright's settings: the optimised build in dist/, in the machine's own Chromium.
// `cargo xtask test --only e2e` runs it; it fails, and never skips, where something is missing.

import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// xtask names the browser; the list is for who starts Playwright by hand.
const executablePath = process.env.CHROMIUM ?? [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find(existsSync);

if (!executablePath) {
  throw new Error("No Chromium found: install it, or name it in the variable CHROMIUM.");
}

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.js",
  outputDir: "../../target/e2e",
  // A test that passes only at its second try is a failure.
  retries: 0,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [["list"]],
  // For what hangs: nothing here judges how fast the machine is.
  timeout: 5 * 60_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    // Every test starts with an empty browser and would keep the whole app again. offline.spec.js
    // allows it.
    serviceWorkers: "block",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      // No graphics card, and no connection that the test did not ask for.
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
