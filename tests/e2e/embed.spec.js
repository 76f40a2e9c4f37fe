// The page inside another page, on another origin: what the frame shows, what it may be told, who
// is heard and who is answered.

import { createServer } from "node:http";
import { expect, expectAccessible, open, test as base } from "./support/fixtures.js";
import { openDialog, parts } from "./support/parts.js";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** A page of another origin, with frames in it. It notes every message that it gets. */
const HOST = (frames) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
<body><script>
  window.heard = [];
  window.addEventListener("message", (event) => {
    const frames = [...document.querySelectorAll("iframe")];
    const frame = frames.findIndex((it) => it.contentWindow === event.source);
    heard.push({ frame, origin: event.origin, data: event.data });
  });
</script>
${frames.map((src, nth) => `<iframe id="frame${nth}" title="Race ${nth}" src="${escaped(src)}"
  width="100%" height="600"></iframe>`).join("\n")}
</body></html>`;

const test = base.extend({
  /** Serves a page with frames on a port of its own; gives its origin to who names the frames. */
  around: async ({}, use) => {
    let frames = () => [];
    const server = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(HOST(frames(request.url)));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${server.address().port}`;
    await use({ origin, serve: (make) => { frames = make; } });
    await new Promise((resolve) => server.close(resolve));
  },
});

/** The host's page, which asks for nothing but itself and the app. */
async function visit({ page, around, wrongs }, frames) {
  around.serve(() => frames);
  await page.goto(`${around.origin}/`);
  const own = (wrong) => wrong.startsWith("request") && wrong.includes(around.origin);
  const rest = wrongs.filter((wrong) => !own(wrong));
  wrongs.splice(0, wrongs.length, ...rest);
}

const inside = (page, nth = 0) => page.frameLocator(`#frame${nth}`);
const heard = (page) => page.evaluate(() => window.heard);
const states = async (page) =>
  (await heard(page)).filter(({ data }) => data.type === "state").map(({ data }) => data);
const last = async (page) => (await states(page)).at(-1);

/** Sends a message to a frame. */
async function tell(page, message, nth = 0) {
  await page.evaluate(([message, nth]) => {
    document.getElementById(`frame${nth}`).contentWindow.postMessage(message, "*");
  }, [message, nth]);
}

const say = (rest) => ({ fenceline: 1, ...rest });

test("a frame is timeline, transport and fencing alone, down to 320 px", async ({
  page, app, around, wrongs,
}) => {
  await visit({ page, around, wrongs }, [`${app}?embed`]);
  for (const width of [1200, 600, 336]) {
    await page.setViewportSize({ width, height: 700 });
    const frame = inside(page);
    await expect(frame.getByRole("heading", { level: 1 })).toHaveText("The paused holder");
    await expect(frame.getByRole("radiogroup", { name: "Fencing" })).toBeVisible();
    await expect(frame.getByRole("button", { name: "Play", exact: true })).toBeVisible();
    await expect(frame.locator(".tl-playhead-plate")).toBeVisible();
    await expect(frame.locator("main")).toContainText("A simulation");
    await expect(frame.getByRole("combobox", { name: "Scenario" })).toHaveCount(0);
    const over =
      await frame.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
    expect(over, `nothing sticks out at ${width} px`).toBe(0);
  }
  await expect(inside(page).getByRole("link", { name: "Open the whole page" }))
    .toHaveAttribute("href", /\/#paused-holder$/);
});

test("a frame alone is accessible, keeps nothing and hears nobody", async ({ page, app }) => {
  await page.goto(`${app}?embed&origin=${encodeURIComponent(new URL(app).origin)}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "On", exact: true }).check();
  await page.evaluate(() => window.postMessage({ fenceline: 1, do: "seek", to: "1 s" }, "*"));
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(parts(page).playhead).toHaveAttribute("data-sim-time", "17100000");
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});

test("the copied frame shows what was shown", async ({ page, app, around, wrongs }) => {
  await open(page, app);
  await parts(page).field("Client A pauses for").fill("9 s");
  await parts(page).field("Client A pauses for").press("Enter");
  await openDialog(page, "Copy link");
  await page.getByRole("button", { name: "Copy as a frame for a web page" }).click();
  const text = await page.getByRole("textbox", { name: "Text to copy" }).inputValue();
  expect(text).toMatch(/^<iframe [^<>]*><\/iframe>$/);
  const src = /src="([^"]*)"/.exec(text)[1].replaceAll("&amp;", "&");
  await visit({ page, around, wrongs }, [src]);
  await expect(inside(page).locator(".tl")).toContainText("paused for 9.0 s");
});

test("the page around plays, pauses, seeks and sets fencing, and is told", async ({
  page, app, around, wrongs,
}) => {
  const origin = encodeURIComponent(around.origin);
  await visit({ page, around, wrongs }, [`${app}?embed&origin=${origin}`]);
  await expect.poll(() => last(page), "it says that it is ready")
    .toMatchObject({ fenceline: 1, playing: false, atMicros: 17_100_000, fencing: "both" });
  const [{ origin: from }] = await heard(page);
  expect(from).toBe(new URL(app).origin);
  expect((await last(page)).runs.map(({ verdict }) => verdict))
    .toEqual(["Corrupted at 17.1 s", "Safe in this run"]);

  await tell(page, say({ do: "seek", to: "2 s" }));
  await expect.poll(() => last(page)).toMatchObject({ atMicros: 2_000_000 });
  await expect(inside(page).getByRole("slider", { name: "Playhead" }))
    .toHaveAttribute("data-sim-time", "2000000");
  await tell(page, say({ do: "fencing", mode: "on" }));
  await expect.poll(() => last(page)).toMatchObject({ fencing: "on", runs: [{}] });
  await expect(inside(page).getByRole("radio", { name: "On", exact: true })).toBeChecked();
  await tell(page, say({ do: "play" }));
  await expect.poll(() => last(page)).toMatchObject({ playing: true });
  await tell(page, say({ do: "pause" }));
  await expect.poll(() => last(page)).toMatchObject({ playing: false });
  await inside(page).getByRole("radio", { name: "Off", exact: true }).check();
  await expect.poll(() => last(page), "what its reader does is told, too")
    .toMatchObject({ fencing: "off" });
});

test("a wrong message is quoted; others are left alone", async ({ page, app, around, wrongs }) => {
  const origin = encodeURIComponent(around.origin);
  await visit({ page, around, wrongs }, [`${app}?embed&origin=${origin}`]);
  await expect.poll(() => last(page)).toMatchObject({ atMicros: 17_100_000 });
  const n = (await heard(page)).length;
  for (const odd of [null, 7, "play", [], {}, { type: "x" }, { fenceline: undefined }]) {
    await tell(page, odd);
  }
  await page.evaluate(() => {
    const loop = { fenceline: 1 };
    loop.loop = loop;
    const frame = document.getElementById("frame0").contentWindow;
    for (const odd of [loop, { fenceline: 1n }, new ArrayBuffer(8)]) frame.postMessage(odd, "*");
  });
  await tell(page, say({ do: "eval", code: "alert(1)" }));
  await tell(page, say({ do: "seek", to: 17.1 }));
  await expect.poll(async () => (await heard(page)).length).toBe(n + 2);
  const errors = (await heard(page)).slice(n).map(({ data }) => data);
  expect(errors.map(({ type }) => type)).toEqual(["error", "error"]);
  expect(errors[0].message).toContain('"eval"');
  expect(errors[1].message).toContain("17.1 is not a time");
});

test("without an origin, or with another one, nobody is heard or answered", async ({
  page, app, around, wrongs,
}) => {
  const other = encodeURIComponent("https://other.example");
  const own = encodeURIComponent(around.origin);
  await visit({ page, around, wrongs }, [
    `${app}?embed`, `${app}?embed&origin=${other}`, `${app}?embed&origin=*`,
    `${app}?embed&origin=${own}`,
  ]);
  for (const nth of [0, 1, 2, 3]) {
    await expect(inside(page, nth).locator(".tl-playhead-plate")).toBeVisible();
    await tell(page, say({ do: "seek", to: "2 s" }), nth);
  }
  // The last frame answers; by then the others would have.
  await expect.poll(() => last(page)).toMatchObject({ atMicros: 2_000_000 });
  for (const nth of [0, 1, 2]) {
    await expect(inside(page, nth).getByRole("slider", { name: "Playhead" }))
      .toHaveAttribute("data-sim-time", "17100000");
  }
  expect(new Set((await heard(page)).map(({ frame }) => frame))).toEqual(new Set([3]));
  await expect(inside(page, 2).getByRole("alert")).toContainText("origin “*” is not taken");
  // The browser says in the console that it gave nothing to the window around.
  const refused = (wrong) => wrong.includes("Failed to execute 'postMessage'");
  wrongs.splice(0, wrongs.length, ...wrongs.filter((wrong) => !refused(wrong)));
});
