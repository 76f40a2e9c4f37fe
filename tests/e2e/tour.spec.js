// Tours: steps with their links, predictions that hide the future, a presenter's remote, and the
// reader's own work that comes back.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import {
  expectAt, expectVerdicts, inMenu, now, openTab, parts, tabTo,
} from "./support/parts.js";

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

const TOURS = ["deadlock", "lease", "paused", "check", "fence", "beyond", "longer"];

/** What of the page tells how a run ends: its words, and what is coloured by its end. */
function tells() {
  const tour = document.querySelector(".tour");
  const walker = document.createTreeWalker(document.querySelector(".app"), NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    // The names of scenarios and of controls tell nothing of this run.
    if (!tour.contains(parent) && !parent.closest("select, .tabs, [role=tab]")) {
      words.push(walker.currentNode.textContent);
    }
  }
  const named = [...document.querySelectorAll(".app [aria-valuetext], .app [title]")]
    .filter((element) => !tour.contains(element))
    .map((element) => `${element.getAttribute("aria-valuetext") ?? ""} ${element.title ?? ""}`);
  const colours = [".is-bad", ".is-damage", ".is-corrupted", ".is-by-luck", ".is-unavailable",
    ".tl-verdict", ".zone-marks", ".race-readings .zone", ".row-verdict"];
  const marks = [...document.querySelectorAll(".p-damage")]
    .filter((mark) => mark.getAttribute("d"));
  return {
    words: [...words, ...named].filter((text) =>
      /corrupted|unavailable|wasted|safe (by|in|above|below|up)|stale|\blate\b/i.test(text)),
    // Patterns that nothing is filled with stand ready.
    colours: colours.filter((css) => [...document.querySelectorAll(css)]
      .some((element) => !element.closest("defs"))),
    marks: marks.length,
    later: [...document.querySelectorAll(".event-time")].map((time) => parseFloat(time.textContent))
      .filter((time) => time > document.querySelector(".tl-playhead").dataset.simTime / 1e6 + 0.05),
  };
}

for (const id of TOURS) {
  test(`${id}: nothing of an answer is in the page before it is given`, async ({ page, app }) => {
    await openStep(page, app, `${id}.1`);
    const n = Number(/Step 1 of (\d+)/.exec(await card(page).textContent())[1]);
    let asked = 0;
    for (let step = 1; step <= n; step += 1) {
      await page.goto("about:blank");
      await openStep(page, app, `${id}.${step}`);
      const asks = (await card(page).locator(".tour-options").count()) > 0;
      const eye = parts(page).button("Hide the future");
      const hidden = (await eye.getAttribute("aria-pressed")) === "true";
      asked += Number(asks);
      if (asks) expect(hidden, `step ${step}`).toBe(true);
      if (!hidden) continue;
      await expect(parts(page).region("Events")).toContainText("What comes is hidden");
      for (const tab of ["What would have saved us?", "Lock systems", "Properties", "History"]) {
        await openTab(page, tab);
        expect(await page.evaluate(tells), `step ${step}, ${tab}`)
          .toEqual({ words: [], colours: [], marks: 0, later: [] });
      }
    }
    expect(asked).toBeGreaterThan(0);
  });
}

test("whoever answers keeps the focus, and Next is not louder", async ({ page, app }) => {
  await openStep(page, app, "fence.3");
  await expect(tour(page, "Next step")).not.toHaveClass(/is-main/);
  const refused = card(page).getByRole("button", { name: "Refused" });
  await tabTo(page, refused, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(card(page)).toContainText("Right: Refused.");
  await expect(refused).toBeFocused();
  await expect(tour(page, "Next step")).toHaveClass(/is-main/);
  await page.keyboard.press("Enter");
  await expect(card(page)).toContainText("Right: Refused.");
});

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test(`${width}×${height}: a tour covers nothing it points at`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    for (const step of ["paused.1", "paused.5", "fence.2", "fence.4", "check.3", "longer.3"]) {
      await page.goto("about:blank");
      await openStep(page, app, step);
      const clear = () => page.evaluate(() => {
        const look = [...document.querySelector(".app").classList].find((it) => /^look-/.test(it));
        const target = { "look-why": ".why", "look-fault": ".tl-block", "look-fencing": ".fencing",
          "look-slider": ".control.is-main", "look-ttl": "[aria-label='Time to live']",
          "look-one": ".tl-run", "look-two": ".tl-run + .tl-run" }[look];
        const box = document.querySelector(target)?.getBoundingClientRect();
        const tour = document.querySelector(".tour").getBoundingClientRect();
        // What is not on a phone's page is not covered.
        return !box || box.height === 0 || box.top >= tour.bottom - 1 || box.bottom <= tour.top + 1;
      });
      await expect.poll(clear, { message: step }).toBe(true);
    }
  });
}

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
