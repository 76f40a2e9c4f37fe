// Firefox by its own remote control (Marionette), which needs no driver: messages of JSON over a
// socket, each after its length. The commands are WebDriver's.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Tries until it answers; what it waits for is a program that starts. */
export async function persist(attempt, seconds = 60) {
  const end = Date.now() + seconds * 1e3;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const dial = (port) => new Promise((resolve, reject) => {
  const socket = connect(port, "127.0.0.1", () => resolve(socket));
  socket.on("error", reject);
});

/** Sends commands and hands each its answer. */
class Wire {
  #waiting = new Map();
  #data = Buffer.alloc(0);
  #next = 1;

  constructor(socket) {
    this.socket = socket;
    socket.on("data", (data) => this.#read(data));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Firefox has gone"));
    });
  }

  #read(data) {
    this.#data = Buffer.concat([this.#data, data]);
    for (;;) {
      const colon = this.#data.indexOf(":");
      const length = Number(this.#data.subarray(0, Math.max(colon, 0)));
      if (colon < 0 || this.#data.length < colon + 1 + length) return;
      const message = JSON.parse(this.#data.subarray(colon + 1, colon + 1 + length));
      this.#data = this.#data.subarray(colon + 1 + length);
      // The first message is a greeting.
      if (Array.isArray(message)) this.#answer(message);
    }
  }

  #answer([, id, error, result]) {
    const { name, resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(`${name}: ${error.error}: ${error.message}`));
    else resolve(result && "value" in result ? result.value : result);
  }

  send(name, parameters = {}) {
    const id = this.#next++;
    const text = JSON.stringify([0, id, name, parameters]);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { name, resolve, reject });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }
}

/** Starts Firefox with a profile of its own. */
export async function firefox(program) {
  const profile = mkdtempSync(join(tmpdir(), "fenceline-firefox-"));
  const port = await freePort();
  const settings = {
    "marionette.port": port,
    "app.update.enabled": false,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "toolkit.telemetry.reportingpolicy.firstRun": false,
  };
  writeFileSync(join(profile, "user.js"), Object.entries(settings)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join(""));
  const options = ["--headless", "--marionette", "--no-remote", "--profile", profile];
  const env = { ...process.env, HOME: profile };
  const child = spawn(program, options, { stdio: "ignore", env });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  process.on("exit", () => child.kill());
  const socket = await persist(() => dial(port));
  const wire = new Wire(socket);
  const { capabilities } = await wire.send("WebDriver:NewSession", {});
  const element = (using, value) => wire.send("WebDriver:FindElement", { using, value });
  const id = async (using, value) => Object.values(await element(using, value))[0];
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    size: (width, height) => wire.send("WebDriver:SetWindowRect", { width, height }),
    go: (url) => wire.send("WebDriver:Navigate", { url }),
    run: (script, args) => wire.send("WebDriver:ExecuteScript", { script, args }),
    act: (actions) => wire.send("WebDriver:PerformActions", { actions }),
    click: async (...which) => wire.send("WebDriver:ElementClick", { id: await id(...which) }),
    picture: async () => Buffer.from(await wire.send("WebDriver:TakeScreenshot"), "base64"),
    async end() {
      await wire.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => child.kill());
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
