// WebKit by its driver, WebKitWebDriver, which speaks WebDriver over HTTP and starts the small
// browser that WebKitGTK brings. It draws on a display of its own (Xvfb).

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, persist } from "./firefox.mjs";

/** A display that nobody sees; resolves to its name. */
async function display() {
  const options = ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const child = spawn(process.env.XVFB, options, {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.stdio[3].once("data", (data) => resolve(String(data).trim()));
  });
  return { child, name: `:${number}` };
}

/** Starts WebKit's small browser with a home of its own. */
export async function webkit(driver, browser) {
  const home = mkdtempSync(join(tmpdir(), "fenceline-webkit-"));
  const screen = await display();
  const port = await freePort();
  const child = spawn(driver, [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home,
      XDG_RUNTIME_DIR: home, DISPLAY: screen.name, GDK_BACKEND: "x11",
      // No graphics card, no sound, no bus of a desktop.
      LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_DMABUF_RENDERER: "1", NO_AT_BRIDGE: "1",
    },
  });
  process.on("exit", () => [child, screen.child].forEach((it) => it.kill()));
  const ask = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method, body: body && JSON.stringify(body), headers: { "content-type": "application/json" },
    });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  await persist(() => ask("GET", "/status"));
  const options = { binary: browser, args: ["--automation"] };
  const { sessionId, capabilities } = await ask("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
  });
  const send = (name, body = {}) => ask("POST", `/session/${sessionId}/${name}`, body);
  return {
    name: `WebKitGTK (${capabilities.browserName} ${capabilities.browserVersion})`,
    size: (width, height) => send("window/rect", { width, height }),
    go: (url) => send("url", { url }),
    run: (script, args) => send("execute/sync", { script, args }),
    act: (actions) => send("actions", { actions }),
    async click(using, value) {
      const id = Object.values(await send("element", { using, value }))[0];
      await send(`element/${id}/click`);
    },
    picture: async () =>
      Buffer.from(await ask("GET", `/session/${sessionId}/screenshot`), "base64"),
    async end() {
      await ask("DELETE", `/session/${sessionId}`).catch(() => {});
      child.kill();
      screen.child.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
