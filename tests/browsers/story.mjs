// The first story in Firefox and in WebKit, each by its own remote control: what a first visit sees
// and does, with real pointers and keys, and the app without its host. `cargo xtask test --only
// browsers` runs it; it needs nothing of npm. Chromium has the whole of tests/e2e.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../e2e/support/static-server.js";
import { firefox, persist } from "./firefox.mjs";
import { webkit } from "./webkit.mjs";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const PICTURES = fileURLToPath(new URL("../../target/browsers", import.meta.url));
const PATH = "/some/sub/path/";
const PAUSE = "Client A pauses for";
const KEYS = { Enter: "\uE007", Escape: "\uE00C", Home: "\uE011", Space: " " };

/** What a person sees and does on the page, in words. */
class Reader {
  constructor(browser) {
    this.browser = browser;
  }

  /** What `look`, run in the page, gives. */
  see(look, ...args) {
    return this.browser.run(`return (${look})(...arguments)`, args);
  }

  /** Waits until the page looks so. */
  until(what, look, ...args) {
    return persist(async () => {
      assert(await this.see(look, ...args), `${what} is not so`);
    }, 15);
  }

  async untilText(selector, text) {
    const found = (selector) => document.querySelector(selector)?.textContent ?? "nothing";
    return persist(async () => {
      assert.match(await this.see(found, selector), text, `the text of ${selector}`);
    }, 15);
  }

  press(button) {
    return this.browser.click("xpath", `//button[normalize-space()='${button}' or ` +
      `@aria-label='${button}']`);
  }

  /** Presses and lets go of each key, while the first is held if `held`. */
  keys(...keys) {
    const stroke = (value) => [{ type: "keyDown", value }, { type: "keyUp", value }];
    return this.browser.act([{ type: "key", id: "keys", actions: keys.flatMap(stroke) }]);
  }

  /** Presses at a place, moves to another in steps, lets go. */
  drag(from, to) {
    const at = (n) => ({
      type: "pointerMove", origin: "viewport", duration: 20,
      x: Math.round(from.x + ((to.x - from.x) * n) / 8),
      y: Math.round(from.y + ((to.y - from.y) * n) / 8),
    });
    const moves = [1, 2, 3, 4, 5, 6, 7, 8].map(at);
    return this.browser.act([{
      type: "pointer", id: "mouse", parameters: { pointerType: "mouse" },
      actions: [at(0), { type: "pointerDown", button: 0 }, ...moves,
        { type: "pointerUp", button: 0 }],
    }]);
  }

  /** Types into a field in place of what it holds. */
  async type(name, text) {
    const selector = `[aria-label="${name} value"]`;
    await this.browser.click("css selector", selector);
    await this.see((selector) => document.querySelector(selector).select(), selector);
    await this.keys(...text, KEYS.Enter);
  }

  value(name) {
    return this.see((name) =>
      document.querySelector(`[aria-label="${name} value"]`).value, name);
  }

  time() {
    return this.see(() => Number(document.querySelector("[data-sim-time]").dataset.simTime));
  }
}

const status = (region) => `[aria-label="${region}"] [role=status]`;

/** The steps, in order. */
const STORY = {
  async "the page opens at the moment at which it goes wrong"(reader, { address }) {
    await reader.browser.go(address);
    await reader.untilText(status("Run 1"), /^Corrupted at 17\.1 s/);
    await reader.untilText(status("Run 2"), /^Safe/);
    assert.equal(await reader.time(), 17_100_000);
    await reader.see(() => {
      window.wrongs = [];
      addEventListener("error", (event) => window.wrongs.push(event.message));
      addEventListener("unhandledrejection", (event) => window.wrongs.push(`${event.reason}`));
      document.addEventListener("securitypolicyviolation", (event) =>
        window.wrongs.push(`${event.effectiveDirective} ${event.blockedURI}`));
    });
  },
  async "a shorter pause, typed, does no harm"(reader) {
    await reader.type(PAUSE, "5 s");
    await reader.untilText(status("Run 1"), /^Safe/);
    await reader.type(PAUSE, "15 s");
    await reader.untilText(status("Run 1"), /^Corrupted/);
  },
  async "the end of the pause can be dragged on the timeline"(reader) {
    const middle = () => {
      const handle = document.querySelector('[role=slider][aria-label="Client A pause, end"]');
      handle.scrollIntoView({ block: "center" });
      const { x, y, width, height } = handle.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    };
    const from = await reader.see(middle);
    const before = await reader.value(PAUSE);
    await reader.drag(from, { x: from.x - 250, y: from.y });
    await reader.until("the pause is shorter", (name, before) =>
      parseFloat(document.querySelector(`[aria-label="${name} value"]`).value) <
        parseFloat(before) - 1, PAUSE, before);
    await reader.press("Undo");
    await reader.until("the pause is what it was", (name, before) =>
      document.querySelector(`[aria-label="${name} value"]`).value === before, PAUSE, before);
  },
  async "fencing on shows the safe run alone, compare both shows both"(reader) {
    await reader.browser.click("xpath", "//label[normalize-space()='On']");
    await reader.untilText(status("Run"), /^Safe/);
    await reader.browser.click("xpath", "//label[normalize-space()='Compare both']");
    await reader.untilText(status("Run 1"), /^Corrupted/);
  },
  async "keys move the playhead, and time passes while it plays"(reader) {
    await reader.see(() => document.activeElement.blur());
    await reader.keys(KEYS.Home);
    await reader.until("the playhead is at the start", () =>
      document.querySelector("[data-sim-time]").dataset.simTime === "0");
    await reader.keys("n");
    await reader.until("the playhead is at the violation", () =>
      document.querySelector("[data-sim-time]").dataset.simTime === "17100000");
    await reader.keys(KEYS.Home);
    await reader.keys(KEYS.Space);
    await reader.until("time passes", () =>
      Number(document.querySelector("[data-sim-time]").dataset.simTime) > 100_000);
    await reader.keys(KEYS.Space);
    await reader.until("it has stopped", () =>
      document.querySelector('button[aria-label="Play"]') !== null ||
      [...document.querySelectorAll("button")].some((it) => it.textContent.trim() === "Play"));
  },
  async "dialogs open and close"(reader) {
    for (const name of ["Help", "Legend", "Open", "Copy link", "Export", "Gallery"]) {
      // Some stand in menus, and the legend has a key.
      const way = { "Open": ["Menu", "Open"], "Export": ["Share", "Picture"],
        "Copy link": ["Share", "Link as text"] }[name] ?? [name];
      if (name === "Legend") await reader.keys("k");
      else for (const button of way) await reader.press(button);
      await reader.untilText("dialog[open] h2", new RegExp(`^${name}$`));
      await reader.keys(KEYS.Escape);
      await reader.until("it is closed", () => document.querySelector("dialog") === null);
    }
  },
  async "the address opens there again, without the host"(reader, { down }) {
    const before = await reader.see(() => location.hash);
    await reader.type(PAUSE, "9 s");
    await reader.until("the address has it", (before) => location.hash !== before, before);
    await reader.until("the device has the page", () =>
      navigator.serviceWorker.controller !== null);
    assert.deepEqual(await reader.see(() => window.wrongs), []);
    const address = await reader.see(() => location.href);
    await down();
    await reader.browser.go("about:blank");
    await reader.browser.go(address);
    await reader.untilText(status("Run 2"), /^Safe/);
    assert.equal(await reader.value(PAUSE), "9.0 s");
    // By the page: Firefox's own remote control loads anew past everything that is kept.
    await reader.see(() => {
      window.isBefore = true;
      location.reload();
    });
    await reader.until("it is loaded anew", () =>
      !window.isBefore && document.querySelector("h1") !== null);
    await reader.untilText(status("Run 2"), /^Safe/);
    assert.equal(await reader.value(PAUSE), "9.0 s");
  },
};

async function tell(name, start) {
  const host = await serve(DIST, PATH);
  const browser = await start();
  console.log(`\n  ${browser.name}`);
  const reader = new Reader(browser);
  let up = true;
  const down = () => { up = false; return host.close(); };
  try {
    await browser.size(1440, 1000);
    for (const [step, act] of Object.entries(STORY)) {
      try {
        await act(reader, { address: host.origin + PATH, down });
      } catch (error) {
        mkdirSync(PICTURES, { recursive: true });
        const picture = join(PICTURES, `${name}.png`);
        await browser.picture().then((png) => writeFileSync(picture, png)).catch(() => {});
        throw new Error(`${browser.name}: ${step}: ${error.message} (${picture})`);
      }
      console.log(`    ${step}`);
    }
  } finally {
    await browser.end();
    if (up) await host.close();
  }
}

const { FIREFOX, WEBKIT_DRIVER, WEBKIT } = process.env;
const browsers = [];
if (FIREFOX) browsers.push(["firefox", () => firefox(FIREFOX)]);
if (WEBKIT_DRIVER) browsers.push(["webkit", () => webkit(WEBKIT_DRIVER, WEBKIT)]);
assert(browsers.length > 0, "xtask names the browsers in FIREFOX, WEBKIT_DRIVER and WEBKIT");
for (const [name, start] of browsers) await tell(name, start);
