// Tours: steps with their links, predictions that hide the future, a presenter's remote, and the
// reader's own work that comes back.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectAt, expectVerdicts, inMenu, now, parts, tabTo } from "./support/parts.js";

const card = (page) => page.getByRole("region", { name: "Tour", exact: true });
const heading = (page) => card(page).getByRole("heading");
const tour = (page, name) => card(page).getByRole("button", { name, exact: true });
const fragment = (page) => page.evaluate(() => location.hash);

/** Opens the page at a step of a tour. */
async function openStep(page, app, step) {
  await open(page, `${app}#tour=${step}`);
  await expect(card(page)).toBeVisible();
}

async function start(page, title) {
  await parts(page).button("Tours").click();
  await page.getByRole("dialog", { name: "Tours" }).getByRole("button", { name: title }).click();
  await expect(card(page)).toBeVisible();
}

test("a tour moves the playhead to what it tells, and can be replayed", async ({ page, app }) => {
  await open(page, app);
  await start(page, "The paused holder");
  await expect(heading(page)).toHaveText("The paused holder: A freezes");
  await expect(heading(page)).toBeFocused();
  await expectAt(page, 2.0);
  await expect(parts(page).block).toHaveCSS("stroke-width", "3px");
  await tour(page, "Next step").click();
  await expect(card(page)).toContainText("Step 2 of 5");
  await expect.poll(() => now(page)).toBe(10.2);
  await expect(parts(page).button("Play")).toBeVisible();
  await tour(page, "Replay this step").click();
  await expect.poll(() => now(page)).toBeLessThan(10.2);
  await expect.poll(() => now(page)).toBe(10.2);
  await tour(page, "Previous step").click();
  await expectAt(page, 2.0);
});

test("a prediction hides the future until it is answered", async ({ page, app }) => {
  await openStep(page, app, "fence.3");
  await expectAt(page, 17.0);
  const question = card(page).getByRole("group", { name: "Accepted or refused?" });
  await expect(parts(page).button("Hide the future")).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".tl-verdict")).toHaveCount(0);
  await expect(parts(page).region("Properties")).toHaveCount(0);
  await question.getByRole("button", { name: "Accepted" }).click();
  await expect(question.getByRole("status")).toContainText("No. The answer is: Refused.");
  await expectAt(page, 17.1);
  await expect(parts(page).verdict("Run")).toHaveText("Safe in this run");
  await expect(parts(page).region("Why")).toContainText("33 is lower than 34");
  await expect(question.getByRole("button", { name: "Refused" })).toBeDisabled();
});

test("the reader acts, and the step says when it is done", async ({ page, app }) => {
  await openStep(page, app, "fence.4");
  await expect(card(page).getByRole("status")).toContainText("Your turn: Turn fencing on");
  await expect(page.locator(".fencing").first()).toHaveCSS("outline-style", "solid");
  await parts(page).mode("On").check({ force: true });
  await expect(card(page).getByRole("status")).toContainText("Done: The write is refused");
});

test("a presenter's remote goes on, back, and plays", async ({ page, app }) => {
  await openStep(page, app, "deadlock.1");
  await page.keyboard.press("PageDown");
  await expect(card(page)).toContainText("Step 2 of 3");
  // The next press answers the question first.
  await page.keyboard.press("PageDown");
  await expect(card(page)).toContainText("The answer is: Never.");
  await page.keyboard.press("PageDown");
  await expect(card(page)).toContainText("Step 3 of 3");
  await page.keyboard.press("PageDown");
  await expect(heading(page)).toContainText("A lease frees itself: ");
  await page.keyboard.press("PageUp");
  await expect(card(page)).toContainText("Step 3 of 3");
  for (const key of [".", "b"]) {
    await page.keyboard.press(key);
    await expect(parts(page).button("Pause")).toBeVisible();
    await page.keyboard.press(key);
    await expect(parts(page).button("Play")).toBeVisible();
  }
});

test("leaving a tour gives the reader's own work back", async ({ page, app }) => {
  await open(page, app);
  const { field, button } = parts(page);
  await field("Client A pauses for").fill("9 s");
  await field("Client A pauses for").press("Enter");
  await expectVerdicts(page, "Safe by luck", "Safe by luck");
  await start(page, "What the fence does not do");
  await expect(button("Undo")).toBeDisabled();
  await tour(page, "Leave the tour").click();
  await expect(card(page)).toHaveCount(0);
  await expectVerdicts(page, "Safe by luck", "Safe by luck");
  await expect(field("Client A pauses for")).toHaveValue("9.0 s");
  await expect(button("Hide the future")).toHaveAttribute("aria-pressed", "false");
  await button("Undo").click();
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
});

test("each step has its link; one that is none says so", async ({ page, app }) => {
  await openStep(page, app, "check.2");
  await expect(heading(page)).toContainText("Between the check and the write");
  await page.reload();
  await expect(heading(page)).toContainText("Between the check and the write");
  await page.evaluate(() => { location.hash = "#tour=longer.2"; });
  await expect(heading(page)).toContainText("What it costs");
  await expect(card(page).getByRole("link", { name: "Link to this step" }))
    .toHaveAttribute("href", "#tour=longer.2");
  await tour(page, "Next step").click();
  await expect.poll(() => fragment(page)).toBe("#tour=longer.3");
  await page.evaluate(() => { location.hash = "#tour=longer.77"; });
  await expect(page.getByText(/^This link asks for step “77” of the tour “longer”/)).toBeVisible();
  await expect(card(page)).toBeVisible();
  // Another fragment alone would be no new page.
  await page.goto("about:blank");
  await open(page, `${app}#tour=nothing`);
  await expect(page.getByText(/^This link names the tour “nothing”/)).toBeVisible();
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
});

test("by keyboard alone", async ({ page, app }) => {
  await open(page, app);
  await tabTo(page, parts(page).button("Tours"));
  await page.keyboard.press("Enter");
  const first = page.getByRole("button", { name: "A lock without expiry deadlocks" });
  await tabTo(page, first);
  await page.keyboard.press("Enter");
  await tabTo(page, tour(page, "Next step"));
  await page.keyboard.press("Enter");
  const never = card(page).getByRole("button", { name: "Never" });
  await tabTo(page, never, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(card(page)).toContainText("Right: Never.");
  await tabTo(page, tour(page, "Leave the tour"));
  await page.keyboard.press("Enter");
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing: ${colorScheme}, the tours`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, app);
    await parts(page).button("Tours").click();
    await expectAccessible(page);
  });

  test(`axe finds nothing: ${colorScheme}, a question and its answer`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await openStep(page, app, "beyond.1");
    await expectAccessible(page);
    await tour(page, "Next step").click();
    await expect(card(page)).toContainText("The answer is: Accepted.");
    await expectAccessible(page);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a finger takes a tour", async ({ page, app }) => {
    await open(page, app);
    await inMenu(page, "Tours");
    await page.getByRole("button", { name: "The fence", exact: true }).tap();
    await tour(page, "Next step").tap();
    await tour(page, "Next step").tap();
    await card(page).getByRole("button", { name: "Refused" }).tap();
    await expect(card(page)).toContainText("Right: Refused.");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    const heights = await card(page).getByRole("button").evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  });
});
