// The service worker: keeps the whole app on the device, so that it opens without a network. `cargo
// xtask build` writes the list of dist/'s files into it (xtask/src/offline.rs). As it stands here,
// and as `cargo xtask serve` hands it out, it keeps nothing and takes itself away: whoever had a
// built page at this address gets the served one.

/** What is kept: each file's address below this worker's folder, and its checksum. */
const KEPT = {};

const PREFIX = `fenceline ${registration.scope} `;
/** Another list is another version, with a store of its own. */
const STORE = PREFIX + checksum(new TextEncoder().encode(JSON.stringify(KEPT)));

/** FNV-1a, 32 bits: it finds files that do not belong together, and guards against nobody. */
function checksum(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

const find = (place, url) => place.match(url, { ignoreVary: true });

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
    const response = await ask();
    // A page must not be answered by what was redirected.
    if (!response?.ok || response.redirected) continue;
    if (checksum(new Uint8Array(await response.clone().arrayBuffer())) === sum) return response;
  }
  throw new Error(`${url} is not the file that this version was built with`);
}

async function keepAll() {
  const store = await caches.open(STORE);
  await Promise.all(Object.entries(KEPT).map(async ([name, sum]) => {
    const url = new URL(name, registration.scope).href;
    await store.put(url, await built(url, sum));
  }));
  // Open pages have all that they run on. They go on, and the next load is of this version.
  await skipWaiting();
}

async function takeOver() {
  const nothing = Object.keys(KEPT).length === 0;
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== STORE);
  // The version before stays for a page of it that is just being loaded.
  const gone = nothing ? [...others, STORE] : others.slice(0, -1);
  await Promise.all(gone.map((name) => caches.delete(name)));
  if (nothing) await registration.unregister();
  else await clients.claim();
}

/** What is kept comes first, so that all files of a page are of one version. */
async function answer(request) {
  const url = new URL(request.url);
  // Queries are for the page to read (`?embed`): it is one and the same page.
  url.search = url.hash = "";
  const name = url.href.slice(registration.scope.length);
  if (name === "index.html") url.href = registration.scope;
  const kept = await find(await caches.open(STORE), url.href);
  return kept ?? await find(caches, url.href) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keepAll()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) {
    event.respondWith(answer(request));
  }
});
