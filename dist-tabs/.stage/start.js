// Starts the app, keeps it for use without a network, and says so when it cannot go on: then none
// of the app's own code may be relied on. A file of its own, because the page's policy allows no
// inline script; Trunk.toml puts the names of the two files that it loads into its script element,
// `cargo xtask build` that of the service worker.

const { js, wasm, offline } = document.querySelector("script[data-wasm]").dataset;
const at = (name) => new URL(name, document.baseURI);

const RELOAD = "Your scenario is in this link: reload the page to go on with it. What was edited " +
  "is listed under Open as well, where this device keeps work.";
const ADVICE = "The link still holds your scenario. Reload the page; if that does not help, look " +
  "at the network, or open the link in a current browser.";
const KEPT = "The link still holds your scenario. A file that this device keeps of the page may " +
  "be damaged, and not to be had from the host: look at the network, then reload the page. " +
  "“Load everything anew” drops what the device keeps of the page, and not your work.";
const NO_WASM = "The link still holds your scenario. WebAssembly may be switched off here, by a " +
  "lockdown mode or somebody's policy. Open the link in a browser that has it.";

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Puts a text into the clipboard, or selects it where the browser does not take it. */
async function copy(field, told) {
  try {
    await navigator.clipboard.writeText(field.value);
    told.textContent = "Copied";
  } catch {
    field.select();
    told.textContent = "The browser did not copy: the link is selected, copy it yourself";
  }
}

/** Drops what the service worker keeps, if the host is there to have it from, and loads that. */
async function loadAnew(told) {
  try {
    const answer = await fetch(at(offline), { cache: "no-store" });
    if (!answer.ok) throw new Error(`the host answers ${answer.status}`);
  } catch (error) {
    told.textContent = `The host does not answer, so nothing was dropped (${error.message})`;
    return;
  }
  try {
    const own = `fenceline ${at("./")} `;
    const names = (await caches.keys()).filter((name) => name.startsWith(own));
    await Promise.all(names.map((name) => caches.delete(name)));
  } catch {
    // A storage that does not even drop things: then the worker alone goes.
  }
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  await registration?.unregister().catch(() => false);
  location.reload();
}

let stopped = false;

/**
 * Takes the place of the whole page: what is left of it would call a program that is gone. `more`:
 * a button that does something else with what is told there.
 */
function stop(title, advice, error, more) {
  if (stopped) return;
  stopped = true;
  const field = make("input", { class: "link-text", readonly: "", "aria-label": "Link" });
  const told = make("p", { class: "hint", role: "status" });
  const reload = make("button", { type: "button", class: "button is-main" }, "Reload the page");
  const copies = make("button", { type: "button", class: "button" }, "Copy link");
  const first = location.pathname + location.search;
  const screen = make("main", { class: "stopped" },
    make("div", { role: "alert" }, make("h1", {}, title), make("p", {}, advice)),
    field,
    make("p", {}, reload, " ", copies, " ",
      make("a", { class: "button", href: first }, "Start with the first scenario"), " ",
      ...(more ? [more(told)] : [])),
    told,
    make("details", {}, make("summary", {}, "What happened"), make("pre", {}, `${error}`)));
  reload.addEventListener("click", () => location.reload());
  copies.addEventListener("click", () => copy(field, told));
  // The app listens to keys at the window.
  for (const type of ["keydown", "keyup", "paste", "wheel"]) {
    screen.addEventListener(type, (event) => event.stopPropagation());
  }
  document.body.replaceChildren(screen);
  field.value = location.href;
  // The app may still put its last state into the address.
  setTimeout(() => { field.value = location.href; });
  reload.focus();
}

/** An error that has left the app's own code has left the app in the middle of something. */
function leftTheApp(error) {
  const trap = typeof WebAssembly === "object" && error instanceof WebAssembly.RuntimeError;
  return trap || Boolean(error?.stack?.includes(at(js).pathname.replace(/\.js$/, "")));
}

const BUG = "Fenceline has stopped: it met a bug of its own";
// src/ui/panic.rs sends this, with what it knows.
addEventListener("fenceline-stopped", ({ detail }) => stop(BUG, RELOAD, detail));
addEventListener("error", ({ error }) => leftTheApp(error) && stop(BUG, RELOAD, error));
addEventListener("unhandledrejection", ({ reason }) => {
  if (leftTheApp(reason)) stop(BUG, RELOAD, reason);
});

/** Whether the page's own service worker answers for its files. */
function isKept() {
  try {
    // On one origin, a worker of a folder above may answer.
    return Boolean(offline) && navigator.serviceWorker?.controller?.scriptURL === at(offline).href;
  } catch {
    // A frame in a sandbox may not even ask.
    return false;
  }
}

/** Has the service worker keep this version, and tells the app when a newer one has come. */
function keepOffline() {
  // Only a secure address has it.
  const workers = navigator.serviceWorker;
  if (!offline || !workers) return;
  const own = at(offline).href;
  let had = isKept();
  workers.addEventListener("controllerchange", () => {
    if (had) dispatchEvent(new Event("fenceline-updated"));
    had = true;
  });
  const policy = window.trustedTypes?.createPolicy("fenceline", {
    createScriptURL: (url) => (url === own ? url : ""),
  });
  // Private windows may refuse: the page works, as long as there is a network.
  workers.register(policy?.createScriptURL(own) ?? own).catch(() => {});
}

/** Of a start that failed, where the device keeps the page. */
function anew(told) {
  const button = make("button", { type: "button", class: "button" }, "Load everything anew");
  button.addEventListener("click", () => loadAnew(told));
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    told.textContent = "A newer version of the page is here: reload it";
  });
  return button;
}

/** Fails for a style sheet that did not come: without it nothing on the timeline can be seen. */
function needStyles() {
  for (const { sheet, href } of document.querySelectorAll("link[rel=stylesheet]")) {
    if (!sheet?.cssRules.length) throw new Error(`${href} did not come`);
  }
}

try {
  if (typeof WebAssembly !== "object") throw new Error("there is no WebAssembly");
  needStyles();
  const app = await import(at(js));
  await app.default({ module_or_path: at(wasm) });
} catch (error) {
  const title = "Fenceline could not start";
  if (typeof WebAssembly !== "object") stop(title, NO_WASM, error);
  else if (isKept()) stop(title, KEPT, error, anew);
  else stop(title, ADVICE, error);
  throw error;
}

try {
  keepOffline();
} catch {
  // A frame in a sandbox may keep nothing: the page works, as long as there is a network.
}
