// The service worker: keeps the whole app on the device, so that it opens without a network. `cargo
// xtask build` writes the list of dist/'s files into it (xtask/src/offline.rs). As it stands here,
// and as `cargo xtask serve` hands it out, it keeps nothing and takes itself away: whoever had a
// built page at this address gets the served one.

/** What is kept: each file's address below this worker's folder, and its checksum. */
const KEPT = {};

const PREFIX = `fenceline ${registration.scope} `;
/** Another list is another version, with a store of its own. */
const STORE = PREFIX + checksum(new TextEncoder().encode(JSON.stringify(KEPT)));

/** FNV-1a, 32 bits: it finds damage, and files that do not fit; it guards against nobody. */
function checksum(bytes) {
  let sum = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at += 1) sum = Math.imul(sum ^ bytes[at], 0x01000193);
  return sum >>> 0;
}

/** What stands where a file cannot be had whole. */
const LOST = "A file of Fenceline that this device keeps is missing or damaged, and its host " +
  "does not give it. Look at the network, then reload the page: your work and your link are " +
  "not touched.";

/** In the store of the version before: which pages were open when this one took over. */
const OPEN = new URL("?open", registration.scope).href;

const find = (place, url) => place.match(url, { ignoreVary: true });
const others = async () =>
  (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== STORE);

/** Whether all of a file can be read, and it is as it was built. */
async function fits(response, sum) {
  // A page must not be answered by what was redirected.
  if (!response?.ok || response.redirected) return false;
  return checksum(new Uint8Array(await response.arrayBuffer())) === sum;
}

/**
 * The file as it was built: from an older version's store, from the browser's cache, or from the
 * host. A host that is in the middle of a change gives files that do not fit: then this version
 * is not taken, the last one stays, and the browser tries again at the next visit.
 */
async function built(url, sum) {
  for (const ask of [
    () => find(caches, url),
    () => fetch(url),
    () => fetch(url, { cache: "reload" }),
  ]) {
    try {
      const response = await ask();
      if (await fits(response?.clone(), sum)) return response;
    } catch {
      // The next one may have it.
    }
  }
  throw new Error(`${url} is not the file that this version was built with`);
}

async function keepAll() {
  const isNew = !await caches.has(STORE);
  const store = await caches.open(STORE);
  try {
    await Promise.all(Object.entries(KEPT).map(async ([name, sum]) => {
      const url = new URL(name, registration.scope).href;
      await store.put(url, await built(url, sum));
    }));
  } catch (error) {
    if (isNew) await caches.delete(STORE);
    throw error;
  }
  // Open pages go on with their own version, and the next load is of this one.
  await skipWaiting();
}

async function takeOver() {
  const before = await others();
  if (Object.keys(KEPT).length === 0) {
    await Promise.all([...before, STORE].map((name) => caches.delete(name)));
    await registration.unregister();
    return;
  }
  // The version before stays, for its pages that are open.
  const last = before.pop();
  await Promise.all(before.map((name) => caches.delete(name)));
  if (last) {
    const open = await clients.matchAll({ includeUncontrolled: true });
    const ids = JSON.stringify(open.map(({ id }) => id));
    await (await caches.open(last)).put(OPEN, new Response(ids));
  }
  await clients.claim();
}

/** The store of the version before, for a page that was open when this one took over. */
async function storeBefore(page) {
  for (const name of await others()) {
    const store = await caches.open(name);
    const open = await (await find(store, OPEN))?.json();
    if (open?.includes(page)) return store;
  }
  return undefined;
}

/** A file of this version. One that is damaged or missing in the store is kept again. */
async function own(url, sum) {
  const store = await caches.open(STORE);
  const whole = await fits(await find(store, url), sum).catch(() => false);
  // Asked for anew: the browser has its own ways with an answer that nobody has read.
  const kept = whole && await find(store, url);
  if (kept) return kept;
  try {
    const response = await built(url, sum);
    // A device that is full goes on without it.
    await store.put(url, response.clone()).catch(() => {});
    return response;
  } catch {
    // Never what is damaged, and never what may be of another version.
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Response(LOST, { status: 503, headers });
  }
}

/** What is kept comes first, so that all files of a page are of one version. */
async function answer(request, page) {
  const url = new URL(request.url);
  // Queries are for the page to read (`?embed`): it is one and the same page.
  url.search = url.hash = "";
  const name = url.href.slice(registration.scope.length).replace(/^index\.html$/, "");
  url.href = registration.scope + name;
  try {
    const before = await storeBefore(page);
    const theirs = before && await find(before, url.href);
    if (theirs) return theirs;
    if (Object.hasOwn(KEPT, name)) return await own(url.href, KEPT[name]);
    for (const other of await others()) {
      const kept = await find(await caches.open(other), url.href);
      if (kept) return kept;
    }
  } catch {
    // The device's storage does not work: the host has everything.
  }
  return fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keepAll()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) {
    // A page that is to come is of this version, whichever the page is that asks for it.
    event.respondWith(answer(request, request.mode === "navigate" ? "" : clientId));
  }
});
