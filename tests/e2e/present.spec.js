// Presenting: nothing beside the timeline, large text, Escape; and what a term means, where it
// stands.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import {
  expectAt, expectInSight, expectStoryInSight, expectVerdicts, openDialog, parts,
} from "./support/parts.js";

const stop = (page) => parts(page).button("Stop presenting");

/** The smallest text that is in sight, in px. */
const smallestText = (page) => page.evaluate(() => {
  const sizes = [];
  const walker = document.createTreeWalker(document.querySelector(".app"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const shown = element.checkVisibility({ checkVisibilityCSS: true });
    const hidden = element.closest(".visually-hidden, option");
    if (walker.currentNode.textContent.trim() && shown && !hidden) {
      sizes.push(parseFloat(getComputedStyle(element).fontSize));
    }
  }
  return Math.min(...sizes);
});

test("side columns are hidden and no text is smaller than 20 px", async ({ page, app }) => {
  await open(page, app);
  expect(await smallestText(page)).toBeLessThan(20);
  await parts(page).button("Present").click();
  await expect(stop(page)).toBeVisible();
  for (const name of ["Events", "State", "Properties"]) {
    await expect(parts(page).region(name)).toHaveCount(0);
  }
  await expect(parts(page).slider("Time to live")).toHaveCount(0);
  await expect.poll(() => smallestText(page)).toBeGreaterThanOrEqual(20);
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(1440);
  await page.keyboard.press("ArrowLeft");
  await expectAt(page, 17);
});

for (const [width, height] of [[1280, 720], [1024, 768], [1440, 900], [1920, 1080]]) {
  for (const id of ["paused-holder", "redlock-paused-holder", "redis-failover"]) {
    test(`${width}×${height}, ${id}: all of it is in sight, and no control is cut`, async ({
      page, app,
    }) => {
      await page.setViewportSize({ width, height });
      await open(page, `${app}#${id}`);
      await openDialog(page, "Present");
      await expectStoryInSight(page, id === "redis-failover" ? "Redis failover at" : undefined);
      const { button, region } = parts(page);
      const all = [stop(page), region("Why"), page.getByRole("textbox", { name: "Time" }),
        page.getByRole("radiogroup", { name: "Time axis" })];
      for (const name of ["Previous event", "Next event", "Hide the future", "Tours"]) {
        all.push(button(name));
      }
      for (const part of all) await expectInSight(part);
      const box = (part) => page.locator(part).last().boundingBox();
      const [lane, foot] = [await box(".tl-run"), await box(".stage-foot")];
      const lanesEnd = lane.y + lane.height;
      if (id !== "redlock-paused-holder") expect(lanesEnd).toBeLessThanOrEqual(foot.y + 1);
      expect(foot.y + foot.height).toBeLessThanOrEqual(height);
      expect(await smallestText(page)).toBeGreaterThanOrEqual(20);
    });
  }
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("nothing runs off while presenting", async ({ page, app }) => {
    await open(page, app);
    await openDialog(page, "Present");
    await expectStoryInSight(page);
    for (const part of await page.locator(".tp :is(button, label)").all()) {
      await expectInSight(part);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});

test("the whole screen is asked for; Escape and the button leave", async ({ page, app }) => {
  await open(page, app);
  await parts(page).button("Present").click();
  const full = () => page.evaluate(() => document.fullscreenElement !== null);
  await expect.poll(full).toBe(true);
  await stop(page).click();
  await expect.poll(full).toBe(false);
  await expect(parts(page).region("State")).toBeVisible();
  await parts(page).button("Present").click();
  await expect(stop(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(stop(page)).toHaveCount(0);
  await expect(parts(page).region("State")).toBeVisible();
});

test("a browser that refuses the whole screen presents in its window", async ({ page, app }) => {
  await page.addInitScript(() => {
    Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("not here"));
  });
  await open(page, app);
  await parts(page).button("Present").click();
  await expect(stop(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(stop(page)).toHaveCount(0);
});

test("a tour is presented with a remote", async ({ page, app }) => {
  await open(page, `${app}#tour=fence.1`);
  await parts(page).button("Present").click();
  await page.getByRole("heading", { name: /^The fence/ }).click();
  await page.keyboard.press("PageDown");
  const card = page.getByRole("region", { name: "Tour", exact: true });
  await expect(card).toContainText("Step 2 of 5");
  await expect.poll(() => smallestText(page)).toBeGreaterThanOrEqual(20);
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing while presenting: ${colorScheme}`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, app);
    await parts(page).button("Present").click();
    await expect(stop(page)).toBeVisible();
    await expectAccessible(page);
  });

  test(`a term is explained where it stands: ${colorScheme}`, async ({ page, app }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, app);
    const what = page.getByRole("button", { name: "Time to live: what it means" });
    const text = page.getByText("How long a lease lasts from its grant");
    await expect(text).toBeHidden();
    await what.click();
    await expect(text).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(text).toBeHidden();
    await page.getByRole("button", { name: "Fencing: what it means" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("The storage refuses a write whose token is lower").first())
      .toBeVisible();
  });
}

test("help has keys, legend and glossary", async ({ page, app }) => {
  await open(page, app);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Help" });
  for (const name of ["Keys", "Legend", "Words"]) {
    await expect(help.getByRole("heading", { name })).toBeVisible();
  }
  await expect(help).toContainText("next step of a tour");
  await expect(help).toContainText("Lock-delay");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a finger opens an explanation", async ({ page, app }) => {
    await open(page, app);
    await parts(page).button("Numbers").tap();
    await page.getByRole("button", { name: "Renew every: what it means" }).tap();
    await expect(page.getByText("The holder asks for more time.")).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});
