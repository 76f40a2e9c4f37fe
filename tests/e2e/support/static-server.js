// A static host as plain as they come: it serves one folder below one path, and knows nothing else.
// What is asked for outside that path is missing, so an absolute address in the app is found out.

import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The file that a request's path means, or nothing. */
function fileFor(folder, base, path) {
  if (!path.startsWith(base)) return undefined;
  const name = normalize("/" + path.slice(base.length) + (path.endsWith("/") ? "index.html" : ""));
  const file = join(folder, name);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/** A file as most hosts send it: packed, once. */
function packed(file, store) {
  if (!store.has(file)) store.set(file, gzipSync(readFileSync(file), { level: 9 }));
  return store.get(file);
}

/**
 * Serves `folder` at `base` (which starts and ends with a slash), on a free port. What is measured
 * is sent packed.
 */
export async function serve(folder, base, { packs = false } = {}) {
  const store = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = fileFor(folder, base, path);
    if (!file) {
      response.writeHead(404, { "content-type": "text/plain" }).end(`nothing at ${path}`);
      return;
    }
    response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    if (packs && extname(file) !== ".png") {
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed(file, store));
    } else {
      response.writeHead(200);
      createReadStream(file).pipe(response);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      // Browsers keep theirs open for a while.
      server.closeAllConnections();
    }),
  };
}
