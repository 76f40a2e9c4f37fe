// Another lock, another thing that it protects: what no longer applies, what would help where a
// fence compares nothing, the real commands at the playhead, every system in one table, and any
// setting as Run 2.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectVerdicts, openNumbers, openTab, parts, tabTo } from "./support/parts.js";

const combo = (page, name) => page.getByRole("combobox", { name, exact: true });
const inYourSystem = (page) => parts(page).region("In your system");
const table = (page) => page.getByRole("table", { name: "Every lock system", exact: true });
const row = (page, name) => table(page).getByRole("row")
  .filter({ has: page.getByRole("rowheader", { name, exact: true }) });

test("another system keeps the faults, and says once what it settles itself", async ({
  page, app,
}) => {
  await open(page, app);
  const { button, block } = parts(page);
  await combo(page, "Lock system").selectOption("etcd");
  const notice = page.getByText(/^etcd settles these itself; yours are kept: /);
  await expect(notice).toContainText("lock-delay");
  await expect(block).toBeVisible();
  await button("Dismiss").click();
  await expect(notice).toHaveCount(0);
  await expect(parts(page).region("Your numbers")).toContainText("create revision");

  await page.getByRole("button", { name: /^Use etcd's defaults/ }).click();
  await expect(parts(page).field("Time to live")).toHaveValue(/^60/);
  await button("Undo").click();
  await expect(parts(page).field("Time to live")).toHaveValue(/^10/);
});

test("without a token there is no copy as Run 2, and what would give one is a click away", async ({
  page, app,
}) => {
  await open(page, app);
  const { button, region } = parts(page);
  await combo(page, "Lock system").selectOption("Redis");
  const note = page.getByText(
    "Redis SET gives no growing number: a fence has nothing to compare.",
  );
  await expect(note).toBeVisible();
  // Its place in the drawing, and the service by its name.
  expect((await region("No fence").boundingBox()).height).toBe(64);
  await expect(page.locator(".tl-label b").first()).toHaveText("Redis");
  await expect(page.locator(".tl-labels")).toContainText("lock to B");
  await expect(page.locator(".tp-event")).toContainText("polls grouped");
  await expect(region("Run 2")).toHaveCount(0);
  await openTab(page, "In your system");
  await expect(inYourSystem(page)).toContainText("SET lock:job-7 $value NX PX 10000");
  await button("Add a counter in the same script").click();
  await expect(note).toHaveCount(0);
  await expect(region("Run 2")).toBeVisible();
  await expect(inYourSystem(page)).toContainText("redis.call('INCR', KEYS[2])");

  await button("Undo").click();
  await button("Use etcd instead").click();
  await expect(combo(page, "Lock system")).toHaveValue("etcd");
  await expectVerdicts(page, /^Corrupted/, /^Safe/);
});

test("before what cannot check there is no copy as Run 2, and idempotence is offered", async ({
  page, app,
}) => {
  await open(page, app);
  const { button, region, mode } = parts(page);
  await openNumbers(page);
  await combo(page, "Protected resource").selectOption("Store that cannot check");
  await page.keyboard.press("Escape");
  await expect(region("Run 1")).toHaveCount(0);
  await expect(region("Run")).toBeVisible();
  await expect(mode("Compare both")).toBeChecked();
  const notice = page.locator(".tl-no-fence").filter({ hasText: "compares nothing" });
  await expect(notice).toContainText(
    "This store compares nothing: only an idempotent operation helps.",
  );
  await expectAccessible(page);
  await button("Make the operation idempotent").click();
  await expect(region("Run 2")).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("the commands follow the playhead with this run's numbers, and are copied", async ({
  page, app, context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, app);
  const { button, playhead, live } = parts(page);
  await openNumbers(page);
  await combo(page, "Protected resource").selectOption("SQL row");
  await page.keyboard.press("Escape");
  await openTab(page, "In your system");
  const write = inYourSystem(page).locator(".command").filter({ hasText: "Fenced write" });
  await expect(write.locator("pre")).toHaveText(
    "UPDATE jobs SET value = 'A1.1', fence = 33 WHERE id = 7 AND fence < 33;",
  );
  await expect(write).toContainText("→ UPDATE 0: 33 < 34, for A · 17.1 s");
  await expect(write).toContainText("Run in psql on PostgreSQL 15.18, recorded");
  const readBack = inYourSystem(page).locator(".command").filter({ hasText: "Read back" });
  await expect(readBack).toContainText("→ 34 | B1.1: 33 is stale, for A");
  await button("Copy: fenced write").click();
  await expect(live).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^UPDATE jobs SET/);

  await playhead.focus();
  await page.keyboard.press("Home");
  await expect(write).toContainText("fence < :token");
  await expect(write).toContainText("→ Not yet");
  await page.keyboard.press("Space");
  await expect(inYourSystem(page)).toContainText('201 {"token": 33}: granted to A');
  await page.keyboard.press("Space");
});

test("every system is tried on this schedule, and a cell becomes Run 2", async ({ page, app }) => {
  await open(page, app);
  await openTab(page, "Lock systems");
  await expect(table(page)).toHaveAttribute("aria-busy", "false");
  await expect(row(page, "Lease server").getByRole("cell").first())
    .toHaveText("Corrupted at 17.1 s");
  await expect(row(page, "etcd")).toContainText("310 ms");
  await expect(row(page, "Plain lock")).toContainText("none expired");
  const changed = page.getByRole("list", { name: "What was changed" });
  await expect(changed).toContainText("Kubernetes (client-go): with a renew deadline of 6.67 s");
  const cell = row(page, "etcd").getByRole("button").last();
  await cell.focus();
  await page.keyboard.press("Enter");
  await expect(cell).toHaveAttribute("aria-pressed", "true");
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
  await expectAccessible(page);
});

test("any control's other value becomes Run 2, by keyboard", async ({ page, app }) => {
  await open(page, app);
  const { button, field, region } = parts(page);
  await tabTo(page, button("Compare …"));
  await page.keyboard.press("Enter");
  await expect(button("Compare …")).toHaveAttribute("aria-pressed", "true");
  await field("Time to live").fill("20 s");
  await field("Time to live").press("Enter");
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
  await expect(region("Run 2's numbers")).toContainText("it has: TTL 20.0 s");
  await combo(page, "Lock system").selectOption("etcd");
  await expect(region("Run 2's numbers")).toContainText("TTL 20.0 s, etcd");
  await expectAccessible(page);

  // It names the other system by then, and every card says which run it turns.
  await expect(button("Compare: etcd")).toHaveAttribute("aria-pressed", "true");
  await expect(region("The race")).toContainText("of Run 2 alone");
  await expect(region("What goes wrong in Run 2")).toBeVisible();
  await button("Turn both again").click();
  await expect(button("Compare: etcd")).toHaveAttribute("aria-pressed", "false");
  await expect(region("Your numbers")).toBeVisible();
  await expect(field("Time to live")).toHaveValue(/^10/);
  await expect(combo(page, "Lock system")).toHaveValue("Lease server");
});
