// The dialog “Find your product”: typed, by keyboard alone, on a phone, without its list; what it
// opens, what it sets, and files that are short for a product's set-up.

import { readFileSync } from "node:fs";
import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectNoSidewaysScroll, expectVerdicts, inMenu, parts, tabTo } from "./support/parts.js";

const { products: PRODUCTS } = JSON.parse(
  readFileSync(new URL("../../static/products.json", import.meta.url), "utf8"),
);
const dialog = (page) => page.getByRole("dialog", { name: "Find your product" });
const field = (page) => dialog(page).getByRole("combobox", { name: "Product or setting" });
const options = (page) => dialog(page).getByRole("option");
const chosen = (page) => options(page).and(page.locator("[aria-selected=true]"));
const system = (page) =>
  page.getByRole("combobox", { name: "Lock system" }).getByRole("option", { selected: true });
const scenario = (page) => parts(page).scenario.getByRole("option", { selected: true });

async function find(page, typed) {
  await page.keyboard.press("/");
  await expect(options(page).first()).toBeVisible();
  await field(page).fill(typed);
}

const SHORT = (lock) => JSON.stringify({
  version: 1,
  title: "Mine",
  scenario: { lock, clients: [{ asks_at: "0.1 s" }, { asks_at: "1 s" }] },
});

async function paste(page, text) {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

test("it finds by name and by a setting's own word, and names the nearest", async ({
  page, app,
}) => {
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await open(page, app);
  expect(asked.some((url) => url.includes("products.json")), "no part of the first load")
    .toBe(false);
  await parts(page).button("Find your product").click();
  await expect(field(page)).toBeFocused();
  await expect(options(page)).toHaveCount(PRODUCTS.length);
  await field(page).fill("sq");
  await expect(options(page).first()).toContainText("SQS");
  await expect(options(page).first().locator("mark")).toHaveText("SQ");
  await field(page).fill("visibilitytimeout");
  await expect(options(page).first()).toContainText("SQS");
  await field(page).fill("redison");
  await expect(dialog(page).getByRole("status"))
    .toHaveText("Nothing is called “redison”; these names are the nearest");
  await expect(options(page).first()).toContainText("Redisson");
  await dialog(page).getByRole("button", { name: "All products" }).click();
  await expect(options(page)).toHaveCount(PRODUCTS.length);
});

test("by keyboard alone, to a product's trap and back", async ({ page, app }) => {
  await open(page, app);
  await find(page, "redisson");
  await expect(chosen(page)).toContainText("Redisson");
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).toHaveAttribute("id", "product-redisson-lease-time");
  await expect(field(page)).toHaveAttribute("aria-activedescendant", "product-redisson-lease-time");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("button", { name: "Open its trap" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field(page)).toBeFocused();
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toHaveCount(0);
  await expectVerdicts(page, /^Corrupted/, /^Safe/);
  await expect(scenario(page)).toHaveText("Redisson: a pause outlasts the watchdog");
  await expect(system(page)).toHaveText("Redisson (Redis)");
  await page.keyboard.press("Control+z");
  await expect(scenario(page)).toHaveText("The paused holder");
  await expect(system(page)).toHaveText("Lease server");
  await find(page, "");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
});

test("its numbers go under the schedule that is shown, and a link keeps its name", async ({
  page, app,
}) => {
  await open(page, app);
  await find(page, "Spring Redis");
  await options(page).first().click();
  await expect(dialog(page)).toContainText("Numbers by its source");
  await dialog(page).getByRole("button", { name: "Use these numbers" }).click();
  const { field: number } = parts(page);
  await expect(number("Time to live")).toHaveValue("60.0 s");
  await expect(number("Client A pauses for")).toHaveValue("15.0 s");
  await expect(system(page)).toHaveText("Spring RedisLockRegistry (Redis)");
  await expect(page.locator(".system-line")).toContainText("Spring RedisLockRegistry");
  await expect(page).toHaveURL(/#2\./);
  await page.reload();
  await expect(system(page)).toHaveText("Spring RedisLockRegistry (Redis)");
  await expect(number("Time to live")).toHaveValue("60.0 s");
  // Another lock system takes the name away.
  await page.getByRole("combobox", { name: "Lock system" }).selectOption({ label: "etcd" });
  await expect(system(page)).toHaveText("etcd");
});

test("what is known by its numbers alone says so", async ({ page, app }) => {
  const known = PRODUCTS.filter(({ scenario }) => !scenario);
  test.skip(known.length === 0, "every product has a set-up");
  await open(page, app);
  await find(page, known[0].name);
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toContainText("Its numbers alone:");
  await expect(dialog(page).getByRole("button", { name: "Use these numbers" })).toHaveCount(0);
  await expect(dialog(page).getByRole("button", { name: "Back to the list" })).toBeFocused();
});

test("without the list it says so, and tries again", async ({ page, app, wrongs }) => {
  await page.route("**/products.json", (route) => route.abort());
  await open(page, app);
  await page.getByRole("navigation", { name: "Yours" })
    .getByRole("button", { name: "another …", exact: true }).click();
  const alert = dialog(page).getByRole("alert");
  await expect(alert).toContainText("The list of products could not be loaded");
  await expectAccessible(page);
  await page.unroute("**/products.json");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(options(page)).toHaveCount(PRODUCTS.length);
  // The request that this test lets fail.
  expect(wrongs.splice(0).every((wrong) => /products\.json|ERR_FAILED/.test(wrong))).toBe(true);
});

test("a file that is short for a set-up is opened, or waits for the list", async ({
  page, app, wrongs,
}) => {
  await page.route("**/products.json", (route) => route.abort());
  await open(page, app);
  await paste(page, SHORT("redsync"));
  const notice = page.locator(".notice").filter({ hasText: "short for a product's set-up" });
  await expect(notice).toContainText("The list of products could not be loaded");
  await expect(scenario(page)).toHaveText("The paused holder");
  await page.unroute("**/products.json");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(scenario(page)).toHaveText("Mine");
  await expect(notice).toHaveCount(0);
  await expect(system(page)).toHaveText("redsync, one Redis (Redis)");
  await expect(parts(page).field("Time to live")).toHaveValue("8.0 s");
  await paste(page, SHORT("redison"));
  await expect(page.locator(".notice").first())
    .toContainText("“redison” is no lock system and no product; there is “redisson”");
  await expect(scenario(page)).toHaveText("Mine");
  expect(wrongs.splice(0).every((wrong) => /products\.json|ERR_FAILED/.test(wrong))).toBe(true);
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in it, ${colorScheme}`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, app);
    await find(page, "lock");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByRole("button", { name: "Back to the list" })).toBeVisible();
    await expectAccessible(page);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a finger finds a product and opens its trap", async ({ page, app }) => {
    await open(page, app);
    await inMenu(page, "Find your product");
    await field(page).fill("client-go");
    await expectAccessible(page);
    await options(page).first().tap();
    await expectNoSidewaysScroll(page);
    await dialog(page).getByRole("button", { name: "Open its trap" }).tap();
    await expect(scenario(page)).toHaveText("client-go: a paused leader");
  });
});

test("by Tab to its button, and Enter", async ({ page, app }) => {
  await open(page, app);
  await tabTo(page, parts(page).button("Find your product"));
  await page.keyboard.press("Enter");
  await expect(field(page)).toBeFocused();
});
