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

let stopped = false;

/** Takes the place of the whole page: what is left of it would call a program that is gone. */
function stop(title, advice, error) {
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
      make("a", { class: "button", href: first }, "Start with the first scenario")),
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

/** Has the service worker keep this version, and tells the app when a newer one has come. */
function keepOffline() {
  // Only a secure address has it.
  const workers = navigator.serviceWorker;
  if (!offline || !workers) return;
  const own = at(offline).href;
  // On one origin, a worker of a folder above may have answered so far.
  let had = workers.controller?.scriptURL === own;
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

try {
  if (typeof WebAssembly !== "object") throw new Error("there is no WebAssembly");
  const app = await import(at(js));
  await app.default({ module_or_path: at(wasm) });
  keepOffline();
} catch (error) {
  const title = "Fenceline could not start";
  stop(title, typeof WebAssembly === "object" ? ADVICE : NO_WASM, error);
  throw error;
}
