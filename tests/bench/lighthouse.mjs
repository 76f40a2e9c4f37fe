// Lighthouse's scores of the optimised build, and what they are made of: for a desktop, and for a
// slow phone as Lighthouse simulates one. It is large, and so none of the project's packages:
// `npm install --no-save lighthouse@12.8.2`, then `node tests/bench/lighthouse.mjs`. Where it is
// installed elsewhere, the variable LIGHTHOUSE names its folder. Nothing is asserted.

import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { serve } from "../e2e/support/static-server.js";

const DIST = process.env.DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const KINDS = ["performance", "accessibility", "best-practices", "seo"];
const TIMES = ["first-contentful-paint", "largest-contentful-paint", "speed-index",
  "total-blocking-time", "cumulative-layout-shift", "interactive"];

const folder = process.env.LIGHTHOUSE ?? fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(join(folder, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { default: lighthouse, desktopConfig } = await load("lighthouse");
const { launch } = await load("chrome-launcher");

const host = await serve(DIST, "/fenceline/", { packs: true });
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic"],
});

for (const [name, config] of [["desktop", desktopConfig], ["slow phone", undefined]]) {
  const address = `${host.origin}/fenceline/`;
  const options = { port: chrome.port, logLevel: "error", onlyCategories: KINDS };
  const { lhr } = await lighthouse(address, options, config);
  for (const { title, score } of Object.values(lhr.categories)) {
    console.log([`${name}: ${title}`, Math.round(score * 100), ""].join("\t"));
  }
  for (const id of TIMES) {
    console.log([`${name}: ${lhr.audits[id].title}`, lhr.audits[id].displayValue, ""].join("\t"));
  }
  const asked = Object.values(lhr.categories).flatMap(({ auditRefs }) => auditRefs);
  for (const { id, weight } of asked) {
    const { title, score, details, displayValue } = lhr.audits[id];
    if (score === null || score >= 0.9) continue;
    console.log(`  ${name}: ${id} (weight ${weight}): ${title} ${displayValue ?? ""}`);
    for (const item of details?.items?.slice(0, 6) ?? []) {
      console.log(`    ${JSON.stringify(item).slice(0, 300)}`);
    }
  }
}
await chrome.kill();
await host.close();
