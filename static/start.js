// Starts the app. A file of its own, because the page's policy allows no inline script; Trunk.toml
// puts the names of the two files that it loads into its script element.
// What is shown after a bug of the app must reload without the app.
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-reload]")) {
    event.preventDefault();
    location.reload();
  }
});

const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
const at = (name) => new URL(name, document.baseURI);

try {
  const app = await import(at(js));
  await app.default({ module_or_path: at(wasm) });
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  const advice = "Reload the page; if that does not help, try a current browser.";
  message.textContent = `Fenceline could not start: ${error}. ${advice}`;
  document.getElementById("app").replaceChildren(message);
  throw error;
}
