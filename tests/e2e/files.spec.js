// Files and what the device keeps: everything that can be read back comes back; hostile names stay
// text; a full or forbidden storage is said once and loses nothing.

import { readFileSync } from "node:fs";
import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { openDialog, parts } from "./support/parts.js";

const HOSTILE = "<script>document.title='owned'</script>\"'`&#35;;\n\u202e--> x";
const PAUSE = "Client A pauses for";
const notice = (page) => page.locator(".notice");
const dialog = (page, name) => page.getByRole("dialog", { name });

async function set(page, name, value) {
  const field = parts(page).field(name);
  await field.fill(value);
  await field.press("Enter");
}

/** Saves an export and reads it. */
async function saved(page, name) {
  const download = page.waitForEvent("download");
  await dialog(page, "Export").getByRole("button", { name: `Save: ${name}`, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

async function exported(page, names) {
  await openDialog(page, "Export");
  const files = [];
  for (const name of names) files.push(await saved(page, name));
  await page.keyboard.press("Escape");
  return files;
}

/** Has the page open a file through the dialog. */
async function load(page, text, name = "a.json") {
  await openDialog(page, "Open");
  const input = dialog(page, "Open").getByLabel("Scenario file");
  await input.setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}

/** Pastes text where no field is. */
async function paste(page, text, target = "body") {
  await page.evaluate(([text, target]) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector(target).dispatchEvent(event);
  }, [text, target]);
}

async function drop(page, ...texts) {
  await page.evaluate((texts) => {
    const dataTransfer = new DataTransfer();
    texts.forEach((text, index) => {
      const name = `dropped-${index + 1}.json`;
      dataTransfer.items.add(new File([text], name, { type: "application/json" }));
    });
    for (const name of ["dragover", "drop"]) {
      const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
      if (document.body.dispatchEvent(event)) throw new Error(`${name} is left to the browser`);
    }
  }, texts);
}

/** Writes a text into the dialog's own field, and has it opened. */
async function write(page, text) {
  await openDialog(page, "Open");
  await dialog(page, "Open").getByLabel("Text of a scenario, or a link").fill(text);
  await dialog(page, "Open").getByRole("button", { name: "Open this text" }).click();
}

test("a scenario comes back by file, drop and paste, each as one step", async ({ page, app }) => {
  await open(page, app);
  await set(page, PAUSE, "9 s");
  const [file] = await exported(page, ["Scenario file"]);
  expect(file.name).toBe("fenceline-the-paused-holder.json");
  for (const way of [load, drop, paste, write]) {
    await set(page, PAUSE, "4 s");
    await way(page, file.text);
    await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
    await expect(dialog(page, "Open")).toHaveCount(0);
    await parts(page).button("Undo").click();
    await expect(parts(page).field(PAUSE)).toHaveValue("4.0 s");
  }
});

test("a link can be pasted, and a field keeps its own paste", async ({ page, app }) => {
  await open(page, app);
  await set(page, PAUSE, "9 s");
  await expect(page).toHaveURL(/#2\./);
  const link = page.url();
  await set(page, PAUSE, "4 s");
  await paste(page, link);
  await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
  await paste(page, "{ no scenario", "input[type=text]");
  await expect(notice(page)).toHaveCount(0);
});

test("what cannot be read says so, and loses nothing", async ({ page, app }) => {
  await open(page, app);
  await set(page, PAUSE, "9 s");
  const wrong = [
    [load, "hello"], [drop, "{\"version\":1"], [paste, "{\"version\":99,\"title\":\"\"}"],
    [load, ""], [load, " ".repeat(1_000_001)], [paste, `{"version":${"[".repeat(100_000)}`],
  ];
  for (const [way, text] of wrong) {
    await way(page, text);
    await expect(notice(page)).toContainText(/^This file/);
    await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
  await paste(page, "some words");
  await expect(notice(page)).toContainText(/^This link/);
});

test("of several files that are dropped the first is opened, and the others are told", async ({
  page, app,
}) => {
  await open(page, app);
  await set(page, PAUSE, "9 s");
  const [{ text }] = await exported(page, ["Scenario file"]);
  await set(page, PAUSE, "4 s");
  await drop(page, text, "{}");
  await expect(parts(page).field(PAUSE)).toHaveValue("9.0 s");
  await expect(notice(page)).toContainText("2 files were dropped");
  await expect(notice(page)).toContainText("“dropped-1.json” was taken, “dropped-2.json” was not");
  await drop(page, "{}", text, text);
  await expect(notice(page)).toContainText(/^This file.*the other 2 were not/);
  await drop(page, " ".repeat(1_000_001), text);
  await expect(notice(page)).toContainText(/^This file has 1000001 bytes.*-2.json” was not/);
  await drop(page, text);
  await expect(notice(page)).toHaveCount(0);
});

test("every export is of the run that was asked for", async ({ page, app }) => {
  await open(page, app);
  await openDialog(page, "Export");
  await expectAccessible(page);
  const [one, json, trace] = [
    await saved(page, "Event log"),
    await saved(page, "Event log as JSON"),
    await saved(page, "Trace"),
  ];
  await page.getByRole("radio", { name: /^Run 2/ }).check();
  const [two, diagram] = [await saved(page, "Event log"), await saved(page, "Sequence diagram")];
  expect(one.name).toBe("fenceline-the-paused-holder-run-1.log.txt");
  expect(two.name).toBe("fenceline-the-paused-holder-run-2.log.txt");
  expect(one.text).toContain("storage  accepts write A1.1");
  expect(two.text).toContain("storage  refuses write A1.1");
  const lines = json.text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const entries = one.text.trimEnd().split("\n").filter((line) => /^#\d/.test(line));
  expect(lines.filter((line) => "seq" in line).length).toBe(entries.length);
  expect(JSON.parse(trace.text).traceEvents.length).toBeGreaterThan(50);
  expect(diagram.text).toMatch(/^sequenceDiagram\n/);
});

test("hostile names stay text on the page and in every export", async ({ page, app }) => {
  await open(page, app);
  const [file] = await exported(page, ["Scenario file"]);
  const scenario = JSON.parse(file.text);
  scenario.title = HOSTILE;
  scenario.notes = HOSTILE;
  scenario.scenario.faults.forEach((fault) => { fault.label = HOSTILE; });
  await load(page, JSON.stringify(scenario));
  await expect(parts(page).scenario.locator("option:checked"))
    .toHaveText(HOSTILE.replace("\u202e", "\ufffd"));
  await set(page, PAUSE, "9 s");
  await openDialog(page, "Open");
  const recent = dialog(page, "Open").getByRole("list", { name: "Recent work" });
  await expect(recent).toContainText("<script>");
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  const [again, diagram, trace] =
    await exported(page, ["Scenario file", "Sequence diagram", "Trace"]);
  expect(JSON.parse(again.text).title).toBe(HOSTILE);
  expect(again.name).toMatch(/^[a-z0-9.-]+$/);
  expect(diagram.text).not.toMatch(/<|`|"|\u202e/);
  expect(JSON.parse(trace.text).otherData.title).toBe(HOSTILE);
  await expect(page).toHaveTitle("Fenceline");
  expect(await page.locator("script:not([src])").count()).toBe(0);
});

test("work that was edited is kept, listed, opened again and forgotten", async ({
  page, app, context,
}) => {
  await open(page, app);
  await set(page, PAUSE, "9 s");
  const read = () => JSON.parse(localStorage["fenceline.recent"] ?? "[]");
  const kept = (which) => which.evaluate(read);
  await expect.poll(async () => (await kept(page)).length).toBe(1);
  await set(page, PAUSE, "8 s");
  await page.reload();
  await set(page, PAUSE, "7 s");
  await expect(page).toHaveURL(/#2\./);
  await parts(page).scenario.selectOption({ index: 4 });
  await page.close();

  // As after a crash: another page, without its address.
  const later = await context.newPage();
  await open(later, app);
  expect((await kept(later)).length, "one work, however often it is edited").toBe(1);
  await openDialog(later, "Open");
  const list = dialog(later, "Open").getByRole("list", { name: "Recent work" });
  await list.getByRole("button", { name: "The paused holder", exact: true }).click();
  await expect(parts(later).field(PAUSE)).toHaveValue("7.0 s");
  await set(later, PAUSE, "6 s");
  await parts(later).button("Undo").click();
  await parts(later).button("Undo").click();
  await expect(parts(later).field(PAUSE)).toHaveValue("15.0 s");
  await set(later, PAUSE, "5 s");
  await expect.poll(async () => (await kept(later)).length, "another work").toBe(2);

  await openDialog(later, "Open");
  await list.getByRole("button", { name: /^Delete/ }).first().click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await later.getByRole("button", { name: "Forget all" }).click();
  await expect(list).toHaveCount(0);
  expect(await later.evaluate(() => localStorage.getItem("fenceline.recent"))).toBe(null);
});

test("kept work whose date no calendar has is listed with what stands there", async ({
  page, app,
}) => {
  await page.addInitScript(() => localStorage.setItem("fenceline.recent",
    '[{"key":"a","title":"Late","edited":18446744073709551615,"link":"1.a"}]'));
  await open(page, app);
  await openDialog(page, "Open");
  await expect(dialog(page, "Open").getByRole("listitem"))
    .toContainText("Lateat 18446744073709551615 ms, which no calendar has");
});

test("kept work that cannot be read stays as it is, and can be saved", async ({ page, app }) => {
  const newer = '{"key":"n","title":"Newer", "edited":1,"link":"1.a","color":"red"}';
  const list = () => localStorage.getItem("fenceline.recent");
  await open(page, app);
  await set(page, PAUSE, "9 s");
  await expect.poll(() => page.evaluate(list)).toContain("The paused holder");
  // A newer version puts one before it; then the list is cut off in another.
  await page.evaluate((newer) => {
    const kept = localStorage.getItem("fenceline.recent");
    localStorage.setItem("fenceline.recent", `[${newer},${kept.slice(1, -1)},{"key":"cut`);
  }, newer);
  await set(page, PAUSE, "7 s");
  await expect.poll(() => page.evaluate(list)).toMatch(/]$/);
  expect(await page.evaluate(list)).toContain(newer);

  await openDialog(page, "Open");
  const works = dialog(page, "Open").getByRole("list", { name: "Recent work" });
  await expect(works.getByRole("listitem")).toHaveCount(1);
  await expect(dialog(page, "Open")).toContainText("2 entries of this list cannot be read here");
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await parts(page).button("Save what cannot be read").click();
  expect(readFileSync(await (await download).path(), "utf8")).toBe(`${newer}\n{"key":"cut`);
  await page.getByRole("button", { name: "Forget all" }).click();
  await expect(works).toHaveCount(0);
  expect(JSON.parse(await page.evaluate(list)), "all that can be read").toHaveLength(2);
  await parts(page).button("Forget what cannot be read").click();
  await expect(dialog(page, "Open")).not.toContainText("cannot be read");
  expect(await page.evaluate(list)).toBe(null);
});

for (const [how, script] of [
  ["full", () => { Storage.prototype.setItem = () => { throw new DOMException("full"); }; }],
  ["forbidden", () => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("no"); } });
    }
  }],
]) {
  test(`a storage that is ${how} is told once, and nothing is lost`, async ({ page, app }) => {
    await page.addInitScript(script);
    await open(page, app);
    await expect(notice(page)).toHaveCount(0);
    await set(page, PAUSE, "9 s");
    await expect(notice(page)).toContainText("keeps no work");
    await page.getByRole("button", { name: "Dismiss" }).click();
    const before = page.url();
    await set(page, PAUSE, "8 s");
    // The address is written later than the work would be kept.
    await expect(page).not.toHaveURL(before);
    await expect(notice(page)).toHaveCount(0);
    await openDialog(page, "Open");
    await expect(dialog(page, "Open")).toContainText("kept here");
    await page.keyboard.press("Escape");
    await page.reload();
    await expect(parts(page).field(PAUSE)).toHaveValue("8.0 s");
  });
}
