// After the first visit the app needs no host: it opens from the device, at a link, below any path.
// A newer version is taken as a whole or not at all, and open pages lose nothing by it. What the
// device has damaged or lost is kept again, and where that cannot be, the page says so.

import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { DIST, expect, expectAccessible, open, test as base } from "./support/fixtures.js";
import { openDialog, parts } from "./support/parts.js";
import { serve } from "./support/static-server.js";

const PAUSE = "Client A pauses for";
const SOURCE = fileURLToPath(new URL("../../static/offline.js", import.meta.url));
const PLACE = /const KEPT = \{[^}]*\};/;

/** Every file of a folder, as an address below it; the page is the folder itself. */
function addresses(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return files.filter((name) => name !== "offline.js")
    .map((name) => (name === "index.html" ? "" : name)).sort();
}

/** FNV-1a, 32 bits. */
function checksum(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/** A built app with a host of its own, which can be changed and can go away. */
class Site {
  folder = mkdtempSync(join(tmpdir(), "fenceline-"));
  path = "/of/its/own/";

  async start() {
    cpSync(DIST, this.folder, { recursive: true });
    this.host = await serve(this.folder, this.path);
    this.address = this.host.origin + this.path;
    return this;
  }

  /** From now on nothing answers. */
  async down() {
    const { host } = this;
    this.host = undefined;
    await host?.close();
  }

  change(name, change) {
    const file = join(this.folder, name);
    const text = readFileSync(file, "utf8");
    if (change(text) === text) throw new Error(`${name} has no place for this change`);
    writeFileSync(file, change(text));
  }

  /** Makes the page one that is known by a name. */
  name(version) {
    this.change("index.html", (html) => html.replace(/<html[^>]*>/, `<html lang=${version}>`));
  }

  /** Writes the worker's list, as `cargo xtask build` does. */
  list() {
    const kept = addresses(this.folder).map((name) =>
      [name, checksum(readFileSync(join(this.folder, name || "index.html")))]);
    const list = `const KEPT = ${JSON.stringify(Object.fromEntries(kept))};`;
    this.change("offline.js", (worker) => worker.replace(PLACE, list));
  }
}

const test = base.extend({
  site: async ({}, use) => {
    const site = await new Site().start();
    await use(site);
    await site.down();
    rmSync(site.folder, { recursive: true });
  },
});

test.use({ serviceWorkers: "allow" });

const edit = async (page) => {
  const field = parts(page).field(PAUSE);
  await field.fill("9 s");
  await field.press("Enter");
  await expect(page).toHaveURL(/#2\./);
};
const expectEdit = (page) => expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
const version = (page) => page.evaluate(() => document.documentElement.lang);

/** A page that was visited, and is kept. */
async function visited(context, address) {
  const page = await context.newPage();
  await open(page, address);
  const own = `${address}offline.js`;
  await page.waitForFunction((own) => navigator.serviceWorker.controller?.scriptURL === own, own);
  return page;
}

/** What the browser does by itself at each visit: it looks for a newer worker. */
const lookForNewer = (page) => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const { installing } = await registration.update();
  if (!installing) return "none";
  return new Promise((resolve) => {
    installing.addEventListener("statechange", () => {
      if (["activated", "redundant"].includes(installing.state)) resolve(installing.state);
    });
  });
});

/** How long a file is that the page asks for when it needs it. */
const later = (page) => page.evaluate(async () =>
  (await (await fetch("incidents.json")).text()).length);

const stores = (page) => page.evaluate(async () =>
  (await caches.keys()).filter((name) => name.startsWith("fenceline ")).length);

test("the build lists every file of its own", () => {
  const [list] = PLACE.exec(readFileSync(join(DIST, "offline.js"), "utf8"));
  const names = [...list.matchAll(/"([^"]*)": (\d+)/g)].map(([, name]) => name);
  expect(names.sort()).toEqual(addresses(DIST));
  expect(names).toContain("manifest.webmanifest");
  for (const [, name, sum] of list.matchAll(/"([^"]*)": (\d+)/g)) {
    const bytes = readFileSync(join(DIST, name || "index.html"));
    expect(checksum(bytes), `the checksum of ${name}`).toBe(Number(sum));
  }
});

test("after one visit it opens without a host, at a link", async ({ context, site }) => {
  const page = await visited(context, site.address);
  await edit(page);
  const link = page.url();
  await site.down();

  await page.reload();
  await expectEdit(page);
  const other = await context.newPage();
  await open(other, link);
  await expectEdit(other);
  await expect(parts(other).verdict("Run 2")).toHaveText(/^Safe/);
  for (const way of ["index.html", "?a=b", `index.html?a=b#${new URL(link).hash.slice(1)}`]) {
    await open(other, site.address + way);
  }
  await expectEdit(other);
  await openDialog(other, "Export");
  await expect(other.getByRole("dialog", { name: "Export" })).toBeVisible();
});

test("a newer version comes at the next load, and nothing on screen is lost", async ({
  context, site,
}) => {
  const page = await visited(context, site.address);
  await edit(page);
  expect(await lookForNewer(page), "the same version").toBe("none");
  await expect(page.locator(".notice")).toHaveCount(0);

  for (const [name, n] of [["en-GB", 2], ["en-US", 2]]) {
    const before = await version(page);
    const length = await later(page);
    site.name(name);
    site.change("incidents.json", (text) => `${text}\n`);
    site.list();
    expect(await lookForNewer(page)).toBe("activated");
    await expect(page.locator(".notice")).toContainText("A newer version of Fenceline");
    await expectEdit(page);
    expect(await version(page), "the open page is still the old one").toBe(before);
    expect(await later(page), "and gets files of its own version").toBe(length);
    expect(await stores(page), "the version before is kept, none older").toBe(n);
    await page.reload();
    expect(await version(page)).toBe(name);
    expect(await later(page)).toBe(length + 1);
    await expectEdit(page);
  }
  await site.down();
  await page.reload();
  expect(await version(page)).toBe("en-US");
  await expectEdit(page);
});

test("a version that is only half there is not taken", async ({ context, site }) => {
  const page = await visited(context, site.address);
  await edit(page);
  const before = readFileSync(join(site.folder, "index.html"));
  site.name("en-GB");
  site.list();
  const after = readFileSync(join(site.folder, "index.html"));
  writeFileSync(join(site.folder, "index.html"), before);
  expect(await lookForNewer(page)).toBe("redundant");
  expect(await stores(page), "nothing of it is left").toBe(1);
  await expect(page.locator(".notice")).toHaveCount(0);
  await page.reload();
  expect(await version(page)).toBe("en");
  await expectEdit(page);

  writeFileSync(join(site.folder, "index.html"), after);
  expect(await lookForNewer(page)).toBe("activated");
  await page.reload();
  expect(await version(page)).toBe("en-GB");
  await expectEdit(page);
});

/** Spoils kept files whose address ends so, and says how many. */
const spoil = (page, ending, how) => page.evaluate(async ([ending, how]) => {
  let n = 0;
  for (const name of await caches.keys()) {
    const store = await caches.open(name);
    for (const { url } of await store.keys()) {
      if (!url.endsWith(ending)) continue;
      n += 1;
      const kept = await store.match(url);
      const bytes = new Uint8Array(await kept.arrayBuffer());
      const middle = bytes.length >> 1;
      if (how === "changed") bytes[middle] ^= 1;
      const other = how === "cut" ? bytes.slice(0, middle) : bytes;
      await store.delete(url);
      if (how !== "gone") await store.put(url, new Response(other, { headers: kept.headers }));
    }
  }
  return n;
}, [ending, how]);

/** What the device keeps, by name, with checksums. */
async function sums(page) {
  const kept = await page.evaluate(async () => {
    const found = [];
    for (const name of await caches.keys()) {
      const store = await caches.open(name);
      for (const { url } of await store.keys()) {
        const bytes = new Uint8Array(await (await store.match(url)).arrayBuffer());
        found.push([new URL(url).pathname, [...bytes].join()]);
      }
    }
    return found;
  });
  return Object.fromEntries(kept.map(([name, bytes]) => [name, checksum(bytes.split(","))]));
}

for (const how of ["changed", "cut", "gone"]) {
  test(`kept files that are ${how} are had from the host and kept again`, async ({
    context, site,
  }) => {
    const page = await visited(context, site.address);
    await edit(page);
    const before = await sums(page);
    for (const [ending, least] of [
      ["_bg.wasm", 1], [".js", 2], [".css", 5], [site.path, 1], ["", 10],
    ]) {
      expect(await spoil(page, ending, how), ending).toBeGreaterThanOrEqual(least);
      await page.reload();
      await expectEdit(page);
      expect(await page.evaluate(() => [...document.styleSheets].map((it) => it.cssRules.length)))
        .not.toContain(0);
    }
    await later(page);
    const after = await sums(page);
    // Neither icons nor the list of products were asked for since.
    const unasked = [".png", ".webmanifest", "products.json"];
    for (const [name, sum] of Object.entries(before)) {
      if (!unasked.some((ending) => name.endsWith(ending))) expect(after[name], name).toBe(sum);
    }
    await site.down();
    await page.reload();
    await expectEdit(page);
    expect((await later(page)) > 0).toBe(true);
  });
}

test("a damaged file that the host does not have is never used, and the page says so", async ({
  context, site,
}) => {
  const page = await visited(context, site.address);
  await edit(page);
  const link = page.url();
  const stopped = page.getByRole("heading", { name: "Fenceline could not start" });
  const names = readdirSync(site.folder);
  for (const ending of ["_bg.wasm", ".css", ".js"]) {
    const name = names.find((name) => name.endsWith(ending) && name.includes("-"));
    rmSync(join(site.folder, name));
    await spoil(page, name, "changed");
    await page.reload();
    await expect(stopped, name).toBeVisible();
    await expect(page.getByRole("alert")).toContainText("A file that this device keeps");
    await expect(page.getByRole("textbox", { name: "Link" })).toHaveValue(link);
    cpSync(join(DIST, name), join(site.folder, name));
    await parts(page).button("Reload the page").click();
    await expectEdit(page);
  }
  await spoil(page, site.path, "changed");
  await site.down();
  await page.reload();
  await expect(page.locator("body")).toContainText("is missing or damaged");
});

test("a start that fails can drop what is kept, if the host is there", async ({
  context, site,
}) => {
  const page = await visited(context, site.address);
  await edit(page);
  const wasm = readdirSync(site.folder).find((name) => name.endsWith(".wasm"));
  // The host has moved on to another version, which is not offered yet.
  rmSync(join(site.folder, wasm));
  site.name("en-GB");
  await spoil(page, wasm, "cut");
  await page.reload();
  const anew = parts(page).button("Load everything anew");
  await expectAccessible(page);
  await anew.click();
  await expect(anew, "the host's page is not kept").toHaveCount(0);
  expect(await version(page)).toBe("en-GB");
  expect(await stores(page)).toBe(0);
  cpSync(join(DIST, wasm), join(site.folder, wasm));
  await parts(page).button("Reload the page").click();
  await expectEdit(page);

  site.list();
  const other = await visited(context, site.address);
  await spoil(other, wasm, "cut");
  await site.down();
  await other.reload();
  await parts(other).button("Load everything anew").click();
  await expect(other.getByRole("status")).toContainText("so nothing was dropped");
  expect(await stores(other)).toBe(1);
});

test("a storage that is full, forbidden or broken does not stop the page", async ({
  context, site,
}) => {
  // Forbidden: even asking throws.
  const forbidden = await context.newPage();
  await forbidden.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "serviceWorker", {
      get() { throw new DOMException("forbidden", "SecurityError"); },
    });
  });
  await open(forbidden, site.address);
  await edit(forbidden);
  await expect(forbidden.locator(".notice")).toHaveCount(0);

  // Full: what is damaged is used from the host.
  const page = await visited(context, site.address);
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(site.address);
  await spoil(page, ".wasm", "gone");
  await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  await page.reload();
  await edit(page);
  expect(await spoil(page, ".wasm", "gone"), "there was no room").toBe(0);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin });

  // Broken: from now on the worker's every look into it fails.
  site.change("offline.js", (worker) => `${worker}
    addEventListener("message", () => {
      CacheStorage.prototype.keys = CacheStorage.prototype.open = () =>
        Promise.reject(new DOMException("broken", "UnknownError"));
    });`);
  expect(await lookForNewer(page)).toBe("activated");
  await page.evaluate(() => navigator.serviceWorker.controller.postMessage(""));
  await page.reload();
  await edit(page);
});

test("what `serve` hands out at the same address gets a built page away", async ({
  context, site,
}) => {
  const page = await visited(context, site.address);
  writeFileSync(join(site.folder, "offline.js"), readFileSync(SOURCE));
  site.change("index.html", (html) => html.replace(/ data-offline=\S+/, ""));
  site.name("en-GB");
  await lookForNewer(page);
  await expect.poll(() => stores(page)).toBe(0);
  await page.reload();
  expect(await version(page)).toBe("en-GB");
  const registrations = () => page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registrations).toBe(0);
});

test("two apps of one origin keep apart", async ({ context, site }) => {
  cpSync(DIST, join(site.folder, "below"), { recursive: true });
  // The outer one keeps what lies below as well: it is a folder of it.
  site.list();
  await visited(context, site.address);
  const inner = await visited(context, `${site.address}below/`);
  expect(await stores(inner)).toBe(2);
  const scopes = await inner.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));
  expect(scopes.sort()).toEqual([site.address, `${site.address}below/`]);
  await site.down();
  await inner.reload();
  await expect(inner.getByRole("heading", { level: 1 })).toBeVisible();
});

test("it can be installed", async ({ context, site }) => {
  const page = await visited(context, site.address);
  const manifest = JSON.parse(readFileSync(join(DIST, "manifest.webmanifest"), "utf8"));
  expect(manifest).toMatchObject({ name: "Fenceline", start_url: "./", display: "standalone" });
  for (const { src, sizes } of manifest.icons) {
    const png = readFileSync(join(DIST, src));
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes);
  }
  const devtools = await context.newCDPSession(page);
  const { errors, url } = await devtools.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(url).toBe(`${site.address}manifest.webmanifest`);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  const found = installabilityErrors.map(({ errorId }) => errorId);
  // Tests run in windows like private ones, where nothing is installed.
  expect(found.filter((id) => id !== "in-incognito")).toEqual([]);
});
