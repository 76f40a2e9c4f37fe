// The page on every screen: what must be in sight, what is pinned at the thumb, large text, forced
// colours, reduced motion.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import {
  expectInSight, expectInWindow, expectNoSidewaysScroll, expectStoryInSight, expectVerdicts, grab,
  now, openDialog, parts,
} from "./support/parts.js";

const SIZES = [[1440, 900], [1280, 800], [1280, 640], [1100, 800], [800, 1000], [799, 1000],
  [844, 390], [390, 844], [360, 740], [320, 640], [256, 600]];

// Two stacks, and more lanes than any window is high.
const TALL = ["redlock-paused-holder", "raft-lease-minority", "kubernetes-paused-leader"];

for (const [width, height] of SIZES) {
  test(`${width}×${height}: no sideways scroll, what is read and aimed at is large enough`, async ({
    page, app,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, app);
    await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
    await expectNoSidewaysScroll(page);
    await expectStoryInSight(page);
    const sizes = await page.locator(".tl text").evaluateAll((texts) =>
      texts.map((text) => parseFloat(getComputedStyle(text).fontSize)));
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
    const scaled = await page.locator(".tl svg").evaluateAll((all) =>
      all.filter((svg) => svg.hasAttribute("viewBox") && svg.querySelector("text")).length);
    expect(scaled, "drawings that scale their text").toBe(0);
    expect(await page.evaluate(tooSmall)).toEqual([]);
    // What scrolls under the dock may be half covered by it; axe looks where it covers nothing.
    await page.evaluate(() => {
      for (const pinned of document.querySelectorAll(".dock, .stage-foot")) {
        pinned.style.position = "relative";
      }
    });
    await expectAccessible(page);
  });
}

for (const [width, height] of SIZES) {
  test(`${width}×${height}: outcomes, race, fencing, Play in sight, whatever the lanes`, async ({
    page, app,
  }) => {
    await page.setViewportSize({ width, height });
    for (const id of TALL) {
      await open(page, `${app}#${id}`);
      await expect(page.locator(".tl-verdict").first()).toBeAttached();
      const { fencing, button, verdict } = parts(page);
      const race = page.locator(".is-main input[type=range]");
      const all = [race, fencing, button("Play"), verdict("Run 1"), verdict("Run 2")];
      for (const part of all) await expectInSight(part);
      await expectNoSidewaysScroll(page);
    }
  });
}

/** What one aims at and is less than 24 px wide or high. Runs within the page. */
function tooSmall() {
  const targets = document.querySelectorAll("button, select, summary, [role=slider] rect");
  return [...targets].flatMap((target) => {
    const { width, height } = target.getBoundingClientRect();
    const isText = getComputedStyle(target).display === "inline";
    const isPart = target.matches("rect:not(.tl-grip-hit)");
    const isSmall = width > 0 && (width < 24 || height < 24);
    const what = `${target.outerHTML.slice(0, 90)} ${width}×${height}`;
    return isSmall && !isText && !isPart ? [what] : [];
  });
}

/**
 * What is cut off at a side where nothing can be scrolled, and what lies beside the page. The
 * timeline is moved under its window by other means.
 */
const cut = (page) => page.evaluate(() => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const width = document.documentElement.clientWidth;
  const goes = (element) => getComputedStyle(element).overflowX;
  return [...root.querySelectorAll("*")].flatMap((element) => {
    const { left, right, width: own } = element.getBoundingClientRect();
    const apart = element.closest(".visually-hidden, option, svg *");
    if (own === 0 || apart || !element.checkVisibility()) return [];
    const name = `${element.outerHTML.slice(0, 80)} ${Math.round(left)} to ${Math.round(right)}`;
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (["auto", "scroll"].includes(goes(around)) && around !== document.body) return [];
      const box = around.getBoundingClientRect();
      const sticksOut = right > box.right + 1 || left < box.left - 1;
      const hides = ["hidden", "clip"].includes(goes(around)) && !around.closest("svg");
      if (hides && sticksOut) return [`${name}, cut by ${around.className}`];
    }
    return right > width + 1 || left < -1 ? [name] : [];
  });
});

for (const [width, height] of [[256, 600], [320, 256]]) {
  test(`${width}×${height}: nothing is cut that cannot be scrolled to`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    await open(page, app);
    expect(await cut(page)).toEqual([]);
    const { top, position } = await page.locator(".dock").evaluate((dock) => ({
      top: dock.getBoundingClientRect().top, position: getComputedStyle(dock).position,
    }));
    expect(top > height / 2 || position === "relative", "the dock covers half of it at most")
      .toBe(true);
    for (const name of ["Open", "Export", "Gallery", "Help", "Legend", "Copy link", "Tours"]) {
      await openDialog(page, name);
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      expect(await cut(page), name).toEqual([]);
      const over = await dialog.evaluate((it) => it.scrollWidth - it.clientWidth);
      expect(over, `${name} scrolls one way only`).toBeLessThanOrEqual(0);
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
    }
  });
}

test("1440×900: race, outcomes, why, transport and the first results are in sight", async ({
  page, app,
}) => {
  await open(page, app);
  const tabs = await page.locator(".tabs").boundingBox();
  expect(tabs.y).toBeLessThanOrEqual(790);
  const { race, fencing, verdict, region, button } = parts(page);
  const all = [race, fencing, verdict("Run 1"), verdict("Run 2"), region("Why"), button("Play")];
  for (const part of all) await expectInWindow(part);
});

test("1100 px: state and events stand below the timeline", async ({ page, app }) => {
  await page.setViewportSize({ width: 1100, height: 800 });
  await open(page, app);
  const timeline = await page.locator(".tl").boundingBox();
  const state = await parts(page).region("State").boundingBox();
  expect(state.y).toBeGreaterThan(timeline.y + timeline.height);
});

for (const [width, height] of [[390, 844], [360, 740]]) {
  test.describe(`${width}×${height}, by touch`, () => {
    test.use({ viewport: { width, height }, hasTouch: true, isMobile: true });
    test.beforeEach(async ({ page, app }) => open(page, app));

    test("race, fencing and transport are pinned, both verdicts in sight", async ({ page }) => {
      const { race, fencing, button, verdict } = parts(page);
      const pinned = [race, fencing, button("Play"), button("Next event")];
      for (const part of pinned) await expectInWindow(part);
      // Beside their lanes as long as these are in sight, else in the dock.
      for (const run of ["Run 1", "Run 2"]) await expectInWindow(verdict(run));
      const dock = page.locator(".dock-verdicts");
      if (height >= 800) await expect(dock).toBeHidden();
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expect(dock).toContainText("Corrupted at 17.1 s");
      await expect(dock).toContainText("Safe in this run");
      for (const part of [...pinned, dock]) await expectInWindow(part);
      await page.evaluate(() => window.scrollTo(0, 0));
      await verdict("Run 1").scrollIntoViewIfNeeded();
      await expectInWindow(verdict("Run 1"));
    });

    test("the sheet covers at most 40 % and no storage lane", async ({ page }) => {
      const { button, region } = parts(page);
      await button("Numbers").tap();
      const sheet = page.getByRole("region", { name: "Numbers", exact: true });
      await expect(sheet).toBeVisible();
      const box = await sheet.boundingBox();
      expect(box.height).toBeLessThanOrEqual(height * 0.4);
      for (const run of ["Run 1", "Run 2"]) {
        await expect(region(run)).toBeInViewport({ ratio: 0.99 });
        const lanes = await region(run).boundingBox();
        expect(lanes.y + lanes.height, run).toBeLessThanOrEqual(box.y + 1);
      }
      await sheet.getByRole("switch", { name: "Check the lease before the write" })
        .check({ force: true });
      await expect(parts(page).verdict("Run 1")).toHaveText(/^Safe/);
      await sheet.getByRole("button", { name: "Close" }).tap();
      await expect(sheet).toHaveCount(0);
    });

    test("each verdict is read out once, and where it is in sight", async ({ page }) => {
      const { verdict } = parts(page);
      const all = page.getByRole("status").filter({ hasText: /^(Safe|Corrupted)/ });
      await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
      await expect(all).toHaveCount(2);
      const inDock = page.locator(".dock").getByRole("status");
      await page.locator(".results").evaluate((part) => part.scrollIntoView());
      await expect(inDock).toHaveCount(2);
      await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
      for (const run of ["Run 1", "Run 2"]) await expectInWindow(verdict(run));
      await expect(all).toHaveCount(2);
      await expectAccessible(page);
      await page.evaluate(() => window.scrollTo(0, 0));
      // On the lower screen the lanes of the storage are out of sight from the start.
      await expect(inDock).toHaveCount(height >= 800 ? 0 : 2);
      await expect(all).toHaveCount(2);
    });

    test("what a scenario is about, and all ranges, open below the lanes", async ({ page }) => {
      for (const [name, id] of [["About this scenario", "about-scenario"],
        ["All ranges", "race-ranges"]]) {
        await expect(page.locator(`#${id}`)).toBeHidden();
        await parts(page).button(name).tap();
        await expect(page.locator(`#${id}`)).toBeVisible();
        await page.keyboard.press("Escape");
      }
    });

    test("what is used less of the transport is behind Numbers", async ({ page }) => {
      const { button } = parts(page);
      for (const name of ["Start", "Loop", "Next violation"]) {
        await expect(button(name)).toHaveCount(0);
      }
      await button("Numbers").tap();
      const sheet = page.getByRole("region", { name: "Numbers", exact: true });
      await sheet.getByRole("button", { name: "Start", exact: true }).tap();
      await expect(parts(page).playhead).toHaveAttribute("data-sim-time", "0");
      await sheet.getByRole("button", { name: "Loop" }).tap();
      await expect(sheet.getByRole("button", { name: "Loop" }))
        .toHaveAttribute("aria-pressed", "true");
      await sheet.getByRole("combobox", { name: "Speed" }).selectOption({ label: "10×" });
    });

    test("the race is run by a finger", async ({ page }) => {
      const { mode, button, verdict } = parts(page);
      await mode("On").check({ force: true });
      await expect(verdict("Run")).toHaveText("Safe in this run");
      await mode("Compare both").check({ force: true });
      await button("Previous event").tap();
      await expect(parts(page).playhead).toHaveAttribute("data-event-index", "19");
      await grab(page, parts(page).race, 0.4);
      await page.mouse.up();
      await expectVerdicts(page, "Safe in this run", "Safe in this run");
    });

    test("what is used less is in the menu, and targets are 44 px", async ({ page }) => {
      await parts(page).button("Menu").tap();
      for (const name of ["Tours", "Legend", "Help"]) {
        await expect(parts(page).button(name)).toBeVisible();
      }
      const heights = await page.locator(".dock :is(button, .segment)").evaluateAll((all) =>
        all.filter((each) => each.checkVisibility())
          .map((each) => each.getBoundingClientRect().height));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
      const tops = await page.locator(".dock .tp :is(.tp-button, .segment)").evaluateAll((all) =>
        all.map((each) => Math.round(each.getBoundingClientRect().top)));
      expect(Math.max(...tops) - Math.min(...tops), "one row").toBeLessThanOrEqual(2);
    });
  });
}

for (const [width, height] of [[1440, 900], [800, 900]]) {
  test(`200 % text at ${width} px: nothing is cut off, the race works`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    await open(page, app);
    // Another text size, as the reader's settings make it: the policy forbids a style attribute.
    await page.evaluate(() => {
      document.documentElement.style.setProperty("font-size", "200%");
    });
    await expectNoSidewaysScroll(page);
    await expectStoryInSight(page);
    const { verdict } = parts(page);
    const size = await verdict("Run 1").evaluate((text) =>
      parseFloat(getComputedStyle(text).fontSize));
    expect(size).toBeGreaterThanOrEqual(24);
    await grab(page, parts(page).race, 0.4);
    await page.mouse.up();
    await expectVerdicts(page, "Safe in this run", "Safe in this run");
  });
}

test("forced colours: marks, handles and the playhead are still drawn", async ({ page, app }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, app);
  const { blockEnd, race } = parts(page);
  const inks = await page.evaluate(() => {
    const paint = (css, what) => getComputedStyle(document.querySelector(css))[what];
    return {
      paper: getComputedStyle(document.body).backgroundColor,
      damage: paint(".tl .p-damage", "fill"),
      handle: paint(".tl-grip-plate", "stroke"),
      playhead: paint(".tl-playhead", "color"),
      text: paint(".tl text", "fill"),
    };
  });
  const { paper, ...rest } = inks;
  for (const [what, ink] of Object.entries(rest)) {
    expect(ink, what).not.toBe("none");
    expect(ink, what).not.toBe(paper);
  }
  await expect(blockEnd).toBeVisible();
  await grab(page, race, 0.4);
  await page.mouse.up();
  await expectVerdicts(page, "Safe in this run", "Safe in this run");
});

test("on paper: timeline, legend and events, and nothing else", async ({ page, app }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, app);
  const legend = parts(page).region("Legend");
  await expect(legend).toHaveCount(0);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(legend).toBeVisible();
  await expect(legend).toContainText("damage: a stale write accepted");
  await expect(legend).toContainText("simulation");
  const { region, race, button, verdict } = parts(page);
  await expect(verdict("Run 1")).toBeVisible();
  await expect(region("Why")).toBeVisible();
  const onScreen = [race, button("Play"), button("Undo"), region("State"), region("Properties")];
  for (const part of onScreen) {
    await expect(part).toBeHidden();
  }
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(paper, "light on paper, whatever the screen was").toBe("rgb(248, 247, 244)");
  const list = page.locator(".event-list");
  await expect(list).toBeVisible();
  const cut = await list.evaluate((list) => list.scrollHeight - list.clientHeight);
  expect(cut, "pixels of events that are cut off").toBeLessThanOrEqual(0);
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await expect(legend).toHaveCount(0);
});

for (const [width, height] of [[1440, 900], [1100, 800], [800, 900]]) {
  test(`${width} px: the top bar and the transport take one row each`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    await open(page, app);
    for (const bar of [".top-bar", ".tp"]) {
      const middles = await page.locator(`${bar} :is(button, select, summary)`).evaluateAll((all) =>
        all.filter((part) => part.checkVisibility()).map((part) => {
          const { y, height } = part.getBoundingClientRect();
          return Math.round(y + height / 2);
        }));
      const over = Math.max(...middles) - Math.min(...middles);
      expect(over, `${bar}: ${middles}`).toBeLessThanOrEqual(4);
    }
  });
}

test("reduced motion: playing steps from event to event", async ({ page, app }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, app);
  const { button } = parts(page);
  await button("Start").click();
  const seen = await page.evaluate(() => {
    const playhead = document.querySelector("[role=slider][aria-label=Playhead]");
    window.seenTimes = [];
    new MutationObserver(() => window.seenTimes.push(+playhead.dataset.simTime))
      .observe(playhead, { attributes: true, attributeFilter: ["data-sim-time"] });
    return playhead.dataset.simTime;
  });
  expect(seen).toBe("0");
  await button("Play").click();
  await expect.poll(() => now(page)).toBeGreaterThan(0.2);
  await button("Pause").click();
  const times = new Set(await page.evaluate(() => window.seenTimes));
  expect(times.size).toBeGreaterThan(1);
  for (const time of times) expect(time % 100_000, `${time} µs is an event's instant`).toBe(0);
});
