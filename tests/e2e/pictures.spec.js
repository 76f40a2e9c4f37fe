// Pictures, and the page that plays by itself: what is saved shows both runs and says that it is a
// simulation, opens here again, and plays from the disk. Hostile names stay text in all of them.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectNoSidewaysScroll, openDialog, parts } from "./support/parts.js";

const HOSTILE = "</script></text><script>document.title='owned'</script>\"'\u2028\u202e";
const dialog = (page, name) => page.getByRole("dialog", { name });

async function saved(page, name) {
  const download = page.waitForEvent("download");
  await dialog(page, "Export").getByRole("button", { name: `Save: ${name}`, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Opens a file of the disk in a page of its own, which may ask nobody for anything. */
async function fromDisk(context, info, name, bytes) {
  const path = info.outputPath(name);
  writeFileSync(path, bytes);
  const page = await context.newPage();
  const wrongs = [];
  page.on("pageerror", (error) => wrongs.push(String(error)));
  page.on("console", (message) => wrongs.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) wrongs.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  return { page, wrongs };
}

test("a picture is as the page is, in both themes, and opens here again", async ({
  page, app, context,
}, info) => {
  await open(page, app);
  await parts(page).field("Client A pauses for").fill("9 s");
  await parts(page).field("Client A pauses for").press("Enter");
  await openDialog(page, "Export");
  await expectAccessible(page);
  const light = await saved(page, "Picture");
  expect(light.name).toBe("fenceline-the-paused-holder.svg");
  const text = light.bytes.toString("utf8");
  const drawn = await page.locator(".tl-draw path").evaluateAll((paths) =>
    paths.map((path) => path.getAttribute("class")));
  for (const name of new Set(drawn)) expect(text).toContain(`class="${name}"`);
  for (const words of ["if it has no", "if it has a", "A simulation, made with Fenceline"]) {
    expect(text).toContain(words);
  }
  await page.getByRole("radio", { name: "Dark" }).check();
  const dark = await saved(page, "Picture");
  expect(dark.name).toBe("fenceline-the-paused-holder-dark.svg");
  expect(dark.bytes.toString("utf8")).not.toBe(text);
  for (const [name, { bytes }] of [["light.svg", light], ["dark.svg", dark]]) {
    const { page: drawing, wrongs } = await fromDisk(context, info, name, bytes);
    await expect(drawing.locator("parsererror"), `${name} is XML`).toHaveCount(0);
    await expect(drawing.locator("svg").first()).toHaveAttribute("width", "1200");
    expect(wrongs, name).toEqual([]);
    await drawing.close();
  }

  await page.keyboard.press("Escape");
  await parts(page).field("Client A pauses for").fill("4 s");
  await parts(page).field("Client A pauses for").press("Enter");
  await openDialog(page, "Open");
  await dialog(page, "Open").getByLabel("Scenario file")
    .setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer: light.bytes });
  await expect(parts(page).field("Client A pauses for")).toHaveValue("9.0 s");
});

test("a picture in pixels is drawn at twice its size", async ({ page, app }) => {
  await open(page, app);
  await openDialog(page, "Export");
  const svg = (await saved(page, "Picture")).bytes.toString("utf8");
  const [width, height] =
    /width="(\d+)" height="(\d+)/.exec(svg).slice(1).map(Number);
  const { name, bytes } = await saved(page, "Picture in pixels");
  expect(name).toBe("fenceline-the-paused-holder.png");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2 * width, 2 * height]);
  const colors = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) {
      found.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    }
    return [0xf8f7f4, 0x1f45c8, 0x0b8a90, 0xc2183a].map((color) => found.has(color));
  }, bytes.toString("base64"));
  expect(colors, "paper, both tokens, damage").toEqual([true, true, true, true]);
});

test("the saved page plays from the disk", async ({ page, app, context }, info) => {
  await open(page, app);
  await openDialog(page, "Export");
  const { name, bytes } = await saved(page, "Page that plays");
  expect(name).toBe("fenceline-the-paused-holder.html");
  const { page: saved_, wrongs } = await fromDisk(context, info, name, bytes);
  await expect(saved_.getByRole("heading", { level: 1 })).toHaveText("The paused holder");
  await expect(saved_.locator("main")).toContainText("A simulation, made with Fenceline");
  const caption = saved_.locator("#caption");
  await expect(caption).toContainText("No fence: accepts A's stale write 33");
  await expect(caption).toContainText("With a fence: refuses it");
  await expect(saved_.locator("#why")).toContainText("token 33 is lower than 34");
  // On a phone all of the drawing is seen, and nothing scrolls sideways.
  const size = saved_.viewportSize();
  await saved_.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(saved_);
  const drawn = await saved_.locator("#timeline").boundingBox();
  expect(drawn.width).toBeLessThanOrEqual(390);
  await saved_.setViewportSize(size);
  const button = (text) => saved_.getByRole("button", { name: text, exact: true });
  await button("Start").click();
  await expect(saved_.locator("#now")).toHaveText("0.00 s");
  await button("Next event").click();
  await expect(caption).toContainText("asks for the lock");
  const playhead = saved_.getByRole("slider", { name: "Playhead" });
  await expect(playhead).toHaveAttribute("aria-valuetext", /event 1 of \d+/);
  await saved_.getByLabel("Speed").selectOption("10");
  await button("Play").click();
  await expect(button("Play"), "it comes to the end by itself").toBeVisible();
  const { from, to, at } = await saved_.locator("#timeline").evaluate((svg) => svg.dataset);
  expect(Number(from)).toBe(0);
  expect(Number(at)).toBe(17_100_000);
  expect(await playhead.inputValue()).toBe(to);
  await saved_.keyboard.press("Home");
  await expect(saved_.locator("#now")).toHaveText("0.00 s");
  await expectAccessible(saved_);
  expect(wrongs, "what the saved page did wrong").toEqual([]);
});

test("hostile names stay text in pictures and in the saved page", async ({
  page, app, context,
}, info) => {
  await open(page, app);
  await openDialog(page, "Export");
  const scenario = JSON.parse((await saved(page, "Scenario file")).bytes.toString("utf8"));
  await page.keyboard.press("Escape");
  scenario.title = HOSTILE;
  scenario.scenario.faults.forEach((fault) => { fault.label = HOSTILE; });
  await openDialog(page, "Open");
  await dialog(page, "Open").getByLabel("Scenario file").setInputFiles({
    name: "a.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await expect(dialog(page, "Open")).toHaveCount(0);
  await openDialog(page, "Export");
  const svg = await saved(page, "Picture");
  const html = await saved(page, "Page that plays");
  expect(svg.bytes.toString("utf8")).not.toMatch(/<script|\u202e|\u2028/);
  expect(html.bytes.toString("utf8").match(/<script/g)).toHaveLength(1);
  for (const [name, { bytes }] of [["a.svg", svg], ["a.html", html]]) {
    const { page: saved_, wrongs } = await fromDisk(context, info, name, bytes);
    expect(await saved_.title()).toContain("<script>");
    expect(wrongs, name).toEqual([]);
  }
});
