// Links: the address holds what is shown and opens there again; bad links say so and do no harm;
// “Copy link”, with and without a clipboard.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectAt, expectVerdicts, openDialog, parts } from "./support/parts.js";

const fragment = (page) => new URL(page.url()).hash.slice(1);
const notice = (page) => page.locator(".notice");

/** Types an amount into a field. */
async function set(page, name, value) {
  const field = parts(page).field(name);
  await field.fill(value);
  await field.press("Enter");
}

/** The fragment once it is another than `before`, and stays as it is. */
async function written(page, before = "") {
  let last = before;
  await expect.poll(() => {
    const settled = fragment(page) !== before && fragment(page) === last;
    last = fragment(page);
    return settled;
  }, { intervals: [600] }).toBe(true);
  return fragment(page);
}

test("the address opens where it was taken, in another tab and after a reload", async ({
  page, app, context,
}) => {
  await open(page, app);
  expect(fragment(page), "nothing was done yet").toBe("");
  await set(page, "Client A pauses for", "9 s");
  const first = await written(page);
  await page.getByRole("button", { name: /A's lease expires/ }).click();
  await expectAt(page, 10.2);
  await page.keyboard.press("+");
  const second = await written(page, first);

  const other = await context.newPage();
  await open(other, `${app}#${second}`);
  await expectAt(other, 10.2);
  await expect(parts(other).field("Client A pauses for")).toHaveValue("9.0 s");
  await expect(parts(other).current).toContainText("A's lease expires");
  await expect(notice(other)).toHaveCount(0);
  await expect(parts(other).button("Undo")).toBeDisabled();
  await other.close();

  await page.reload();
  await expectAt(page, 10.2);
  await expect(parts(page).field("Client A pauses for")).toHaveValue("9.0 s");
});

test("a link put into the address of an open page is one step", async ({ page, app }) => {
  await open(page, app);
  await parts(page).scenario.selectOption({ index: 3 });
  const link = await written(page);
  await open(page, `${app}?other`);
  await set(page, "Client A pauses for", "9 s");
  const before = await written(page);
  await page.evaluate((link) => { location.hash = link; }, link);
  await expect(parts(page).scenario).not.toHaveValue("The paused holder");
  await parts(page).button("Undo").click();
  await expect(parts(page).field("Client A pauses for")).toHaveValue("9.0 s");
  expect(await written(page, link)).not.toBe(link);
  expect(before).not.toBe(link);
});

test("bad and hostile links say so, and nothing on screen is lost", async ({ page, app }) => {
  await open(page, app);
  await set(page, "Client A pauses for", "9 s");
  const good = await written(page);
  const bad = [
    "hello", "3.abc", "2.", "2.AAAA", "1.AAAA", good.slice(0, good.length / 2),
    `${good.slice(0, 200)}${good[200] === "A" ? "B" : "A"}${good.slice(201)}`,
    `1.${"A".repeat(70_000)}`, "<script>document.title='owned'</script>", "%00%ff",
  ];
  for (const link of bad) {
    await page.evaluate((link) => { location.hash = link; }, link);
    await expect(notice(page)).toContainText(/^This link/);
    await expect(parts(page).field("Client A pauses for")).toHaveValue("9.0 s");
    await expect.poll(() => fragment(page), "the address mends itself").toBe(good);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(notice(page)).toHaveCount(0);
  }
  await expect(page).toHaveTitle("Fenceline");
});

test("a page that opens with a bad link shows the first scenario", async ({ page, app }) => {
  await open(page, `${app}#2.nonsense`);
  await expect(notice(page)).toContainText(/^This link is damaged/);
  await expectVerdicts(page, /^Corrupted at 17.1 s/, /^Safe/);
  await expectAt(page, 17.1);
  await expectAccessible(page);
});

test("the link is copied, alone and with the remedies", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, app);
  const { button } = parts(page);
  await openDialog(page, "Copy link");
  const dialog = page.getByRole("dialog", { name: "Copy link" });
  await expect(dialog.getByRole("status")).toHaveText("Copied");
  await expectAccessible(page);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const link = await copied();
  expect(link).toBe(`${app}#paused-holder`);
  await dialog.getByRole("button", { name: "Copy it with the remedies" }).click();
  await expect(dialog.getByRole("textbox")).toHaveValue(/What would have saved us\?/);
  await expect.poll(copied).toMatch(/^As it is +Corrupted at 17\.1 s/m);
  expect(await copied()).toContain(link);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await page.goto("about:blank");
  await open(page, link);
  await expectAt(page, 17.1);
});

test("without a clipboard the text stands selected in a field", async ({ page, app }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
  });
  await open(page, app);
  await openDialog(page, "Copy link");
  const dialog = page.getByRole("dialog", { name: "Copy link" });
  await expect(dialog.getByRole("status")).toHaveText(/^The browser did not copy/);
  const field = dialog.getByRole("textbox");
  await expect(field).toBeFocused();
  const chosen = await field.evaluate((it) => it.value.slice(it.selectionStart, it.selectionEnd));
  expect(chosen).toBe(`${app}#paused-holder`);
});

test("a browser that takes no address loses nothing else", async ({ page, app }) => {
  await page.addInitScript(() => {
    history.replaceState = () => { throw new Error("too many"); };
  });
  await open(page, app);
  await set(page, "Client A pauses for", "9 s");
  await expect(parts(page).field("Client A pauses for")).toHaveValue("9.0 s");
  await parts(page).button("Undo").click();
  await expect(parts(page).field("Client A pauses for")).toHaveValue("15.0 s");
});

test("the address is written no more than a few times a second", async ({ page, app }) => {
  await page.addInitScript(() => {
    window.writes = [];
    const write = history.replaceState.bind(history);
    history.replaceState = (...all) => {
      window.writes.push(performance.now());
      write(...all);
    };
  });
  await open(page, app);
  for (let n = 0; n < 60; n += 1) await page.keyboard.press(n % 2 ? "ArrowRight" : "ArrowLeft");
  await written(page);
  const writes = await page.evaluate(() => window.writes);
  const apart = writes.slice(1).map((at, index) => at - writes[index]);
  expect(Math.min(...apart, Infinity)).toBeGreaterThan(300);
});
