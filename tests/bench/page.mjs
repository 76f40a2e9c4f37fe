// The page's figures, in headless Chromium on the optimised build: what a drag, a scrub and
// playing cost the main thread, how much is drawn, how much is transferred. `cargo xtask bench`
// runs it. One line per figure: name, value, unit, with tabs between. Nothing is asserted: speed is
// measured here and tested nowhere.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { serve } from "../e2e/support/static-server.js";

const DIST = process.env.DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const MOVES = 200;
const PLAYED_MILLIS = 8_000;
const LOADS = 7;

const print = (name, value, unit) => console.log([name, value, unit].join("\t"));
const fixed = (value, digits = 1) => value.toFixed(digits);
const wait = (millis) => new Promise((done) => setTimeout(done, millis));
const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.ceil(values.length * share) - 1];

const host = await serve(DIST, "/fenceline/");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});

/**
 * A fresh page at 1440×900, with Chromium's own meters. They count the main thread's own time, so
 * that what else the machine does costs nothing; with `wall` the time on the clock.
 */
async function open(wall = false, serviceWorkers = "block") {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers,
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`page error: ${error}`));
  // When the playhead first stands somewhere, the page has drawn its runs.
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(".tl-playhead[data-sim-time]")) {
        observer.disconnect();
        requestAnimationFrame(() => { window.drawnAt = performance.now(); });
      }
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
  const devtools = await context.newCDPSession(page);
  const timeDomain = wall ? "timeTicks" : "threadTicks";
  await devtools.send("Performance.enable", { timeDomain });
  await page.goto(`${host.origin}/fenceline/`);
  await page.waitForFunction(() => window.drawnAt !== undefined);
  const metrics = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  return { page, context, devtools, metrics };
}

/** Main-thread milliseconds between two readings, by kind. */
function spent(before, after, times = 1) {
  const of = (name) => ((after[name] - before[name]) * 1e3) / times;
  return {
    task: of("TaskDuration"),
    script: of("ScriptDuration"),
    style: of("RecalcStyleDuration"),
    layout: of("LayoutDuration"),
  };
}

/** Places on a track, far apart from one to the next, all different. */
const to = (box, n, from = 0.05, share = 0.9) =>
  box.x + box.width * (from + (share * ((n * 37) % MOVES)) / MOVES);

/**
 * Presses at `box`, moves through it, and tells the time per move; each one if `apart`. The moves
 * are the browser's own input: Playwright's `mouse.move` runs a script of its own in the page each
 * time while a button is down, and that would be measured with it.
 */
async function dragged({ page, devtools, metrics }, box, range = [0.05, 0.9], apart = false) {
  const y = box.y + box.height / 2;
  const move = (x) => devtools.send("Input.dispatchMouseEvent",
    { type: "mouseMoved", x, y, button: "left", buttons: 1 });
  await page.mouse.move(box.x + box.width * (range[0] + range[1]), y);
  await page.mouse.down();
  await move(to(box, 1, ...range));
  const before = await metrics();
  const each = [];
  let last = before;
  for (let n = 0; n < MOVES; n += 1) {
    await move(to(box, n, ...range));
    if (apart) {
      const now = await metrics();
      each.push(spent(last, now).task);
      last = now;
    }
  }
  const after = await metrics();
  await page.mouse.up();
  return { each, ...spent(before, after, MOVES) };
}

const slider = (page, name) => page.getByRole("slider", { name, exact: true });

async function dragOfTheRace() {
  // From 0.9 s to 65 s: both sides of both edges.
  const range = [0.2, 0.5];
  const race = (page) => slider(page, "Client A pauses for").boundingBox();
  const opened = await open();
  await wait(500);
  const track = await race(opened.page);
  await dragged(opened, track, range);
  const cost = await dragged(opened, track, range);
  print("drag of the pause, per move", fixed(cost.task), "ms");
  print("- of which script", fixed(cost.script), "ms");
  print("- of which style and layout", fixed(cost.style + cost.layout), "ms");
  const { each: all } = await dragged(opened, track, range, true);
  print("drag of the pause: 95 % within", fixed(quantile(all, 0.95)), "ms");
  await opened.context.close();
  // Slowed down by being stopped again and again: only the clock on the wall sees that.
  const slowed = await open(true);
  const { page, devtools, context } = slowed;
  await wait(500);
  await dragged(slowed, await race(page), range);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const { each } = await dragged(slowed, await race(page), range, true);
  print("drag of the pause, 4× slower: 95 % within", fixed(quantile(each, 0.95)), "ms");
  print("drag of the pause, 4× slower: median", fixed(quantile(each, 0.5)), "ms");
  await context.close();
}

async function scrubAndPlay() {
  const opened = await open();
  const { page, metrics, context } = opened;
  await wait(500);
  const ruler = await page.locator(".tl-ruler").first().boundingBox();
  await dragged(opened, ruler);
  const cost = await dragged(opened, ruler);
  print("scrub, per move", fixed(cost.task), "ms");
  print("- of which script, scrubbing", fixed(cost.script), "ms");
  const still = await metrics();
  await wait(3_000);
  const idle = await metrics();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const start = await metrics();
  await wait(PLAYED_MILLIS);
  const end = await metrics();
  const busy = (a, b) =>
    fixed((100 * (b.TaskDuration - a.TaskDuration)) / (b.Timestamp - a.Timestamp));
  print("busy while nothing happens", busy(still, idle), "%");
  print("busy while playing at 1×", busy(start, end), "%");
  const script = (end.ScriptDuration - start.ScriptDuration) / (end.Timestamp - start.Timestamp);
  print("- of which script, playing", fixed(100 * script), "%");
  await context.close();
}

const nodes = (page) =>
  page.evaluate(() => ({
    // All elements inside drawings, icons included, as `gallery.spec.js` counts what it bounds.
    svg: document.querySelectorAll("svg *").length,
    all: document.querySelectorAll("*").length,
  }));

async function drawn() {
  const { page, context } = await open();
  const { svg, all } = await nodes(page);
  print("SVG nodes, first scenario", svg, "nodes");
  print("all nodes, first scenario", all, "nodes");
  let most = 0;
  const scenario = page.getByRole("combobox", { name: "Scenario" });
  for (let n = 0; n < (await scenario.locator("option").count()); n += 1) {
    await scenario.selectOption({ index: n });
    most = Math.max(most, (await nodes(page)).svg);
  }
  print("SVG nodes, most in the gallery", most, "nodes");
  await context.close();
}

/** Eight busy clients, a day: more than a run may have, so that it ends at the limit. */
async function longRun() {
  const opened = await open();
  const { page, context } = opened;
  const set = async (name, value) => {
    const field = page.getByRole("textbox", { name, exact: true });
    await field.fill(value);
    await field.press("Enter");
  };
  await page.getByRole("button", { name: "More numbers" }).click();
  await set("Number of clients", "8");
  await set("Work takes", "400ms");
  await page.getByRole("switch", { name: "Release when done" }).check({ force: true });
  await page.getByRole("switch", { name: "Repeat" }).check({ force: true });
  await page.getByRole("switch", { name: "Run ends by itself" }).uncheck({ force: true });
  const start = Date.now();
  await set("Run lasts", "24 h");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() =>
    Number(document.querySelector(".tl-playhead").getAttribute("aria-valuemax")) > 1e6,
  undefined, { timeout: 120_000 });
  print("longest run, both runs, edit to picture", fixed((Date.now() - start) / 1e3), "s");
  await wait(1_000);
  const { svg } = await nodes(page);
  print("SVG nodes, longest run", svg, "nodes");
  const ruler = await page.locator(".tl-ruler").first().boundingBox();
  const cost = await dragged(opened, ruler, [0.05, 0.9], true);
  print("scrub in the longest run, per move", fixed(cost.task), "ms");
  print("scrub in the longest run: 95 % within", fixed(quantile(cost.each, 0.95)), "ms");
  await context.close();
}

async function loads() {
  const times = [];
  const paints = [];
  for (let n = 0; n < LOADS; n += 1) {
    const { page, context } = await open();
    times.push(await page.evaluate(() => window.drawnAt));
    paints.push(await page.evaluate(() =>
      performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? window.drawnAt));
    await context.close();
  }
  print("first render after load, cold", fixed(quantile(times, 0.5), 0), "ms");
  print("first contentful paint, cold", fixed(quantile(paints, 0.5), 0), "ms");
}

/** A second visit: what the device has kept, drawn without the host's help. */
async function fromTheDevice() {
  const { page, context } = await open(false, "allow");
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const times = [];
  for (let n = 0; n < LOADS; n += 1) {
    await page.reload();
    await page.waitForFunction(() => window.drawnAt !== undefined);
    times.push(await page.evaluate(() => window.drawnAt));
  }
  print("first render after load, from the device", fixed(quantile(times, 0.5), 0), "ms");
  const kept = await page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const files = (await Promise.all(stores.map((store) => store.matchAll()))).flat();
    const sizes = await Promise.all(files.map(async (file) => (await file.blob()).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  });
  print("kept on the device", fixed(kept / 1e3, 0), "kB");
  await context.close();
}

function sizes() {
  const packed = { html: 0, css: 0, js: 0, wasm: 0 };
  for (const name of readdirSync(DIST)) {
    const kind = name.split(".").pop();
    if (!(kind in packed)) continue;
    packed[kind] += gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length;
  }
  const all = Object.values(packed).reduce((sum, size) => sum + size, 0);
  print("transfer, gzip", fixed(all / 1e3, 0), "kB");
  for (const [kind, size] of Object.entries(packed)) {
    print(`- of which ${kind}`, fixed(size / 1e3), "kB");
  }
}

print("browser", browser.version(), "Chromium");
// ONLY=dragOfTheRace,scrubAndPlay measures just these; DIST names another built folder.
const only = process.env.ONLY?.split(",");
const all = [sizes, loads, fromTheDevice, dragOfTheRace, scrubAndPlay, drawn, longRun];
for (const measure of all) {
  if (only && !only.includes(measure.name)) continue;
  try {
    await measure();
  } catch (error) {
    console.error(`${measure.name}: ${error.message}`);
    process.exitCode = 1;
  }
}
await browser.close();
await host.close();
