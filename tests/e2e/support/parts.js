// The page's parts by their accessible names, and what tests do with them again and again.

import { expect } from "./fixtures.js";

/** The page's parts; names are those that the design binds. */
export function parts(page) {
  const slider = (name) => page.getByRole("slider", { name, exact: true });
  const button = (name) => page.getByRole("button", { name, exact: true });
  const region = (name) => page.getByRole("region", { name, exact: true });
  return {
    slider,
    button,
    region,
    field: (name) => page.getByRole("textbox", { name: `${name} value`, exact: true }),
    race: slider("Client A pauses for"),
    playhead: slider("Playhead"),
    block: button("Client A pause"),
    blockStart: slider("Client A pause, start"),
    blockEnd: slider("Client A pause, end"),
    fencing: page.getByRole("radiogroup", { name: "Fencing" }),
    mode: (name) => page.getByRole("radio", { name, exact: true }),
    scenario: page.getByRole("combobox", { name: "Scenario" }),
    verdict: (name) => region(name).getByRole("status"),
    current: region("Events").locator("[aria-current]"),
    live: page.locator("[aria-live=polite][aria-atomic=true]"),
  };
}

/** Draws time to scale, or in slow motion. */
export async function drawTime(page, how) {
  const group = page.getByRole("radiogroup", { name: "Time axis" });
  await group.getByRole("radio", { name: how, exact: true }).check();
  // The drawing goes there in a moment.
  await expect(page.locator(".tl.is-flowing")).toHaveCount(0);
}

/** Opens the menu of the top bar. */
export async function openMenu(page) {
  const body = page.locator("#menu");
  if (!(await body.isVisible())) await parts(page).button("Menu").click();
  await expect(body).toBeVisible();
}

/** Presses a button of the menu. */
export async function inMenu(page, name) {
  await openMenu(page);
  await page.locator("#menu").getByRole("button", { name, exact: true }).click();
}

/** Where a dialog is opened that has no button of its own in the bar. */
const WAYS = {
  Open: ["Menu", "Open"],
  Legend: ["Menu", "Legend"],
  Export: ["Share", "Picture"],
  "Copy link": ["Share", "Link as text"],
};

/** Opens a dialog, through the menus where that is the way. */
export async function openDialog(page, name) {
  const { button } = parts(page);
  const [menu, item] = WAYS[name] ?? ["Menu", name];
  const direct = button(item);
  if (!(await direct.isVisible())) {
    const opener = button(menu);
    await ((await opener.isVisible()) ? opener : button("Menu")).click();
  }
  await direct.click();
}

/** Opens the sheet of all numbers. */
export async function openNumbers(page) {
  await parts(page).button("More numbers").click();
  const sheet = parts(page).region("All numbers");
  await expect(sheet.getByRole("searchbox")).toBeFocused();
  return sheet;
}

/** Chooses a tab below the timeline. */
export async function openTab(page, name) {
  await page.getByRole("tab", { name, exact: true }).click();
}

/** Both verdicts, as their regions say them. */
export async function expectVerdicts(page, one, two) {
  await expect(parts(page).verdict("Run 1")).toHaveText(one);
  await expect(parts(page).verdict("Run 2")).toHaveText(two);
}

/** The playhead stands at so many seconds. */
export async function expectAt(page, seconds) {
  const micros = String(Math.round(seconds * 1e6));
  await expect(parts(page).playhead).toHaveAttribute("data-sim-time", micros);
}

/** The playhead's time in seconds. */
export async function now(page) {
  return Number(await parts(page).playhead.getAttribute("data-sim-time")) / 1e6;
}

/** Presses a key, so many times. */
export async function press(page, key, times = 1) {
  for (let n = 0; n < times; n += 1) await page.keyboard.press(key);
}

/** Presses Tab until the element has the focus: it can be reached by keyboard. */
export async function tabTo(page, target, key = "Tab") {
  for (let n = 0; n < 120; n += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached by ${key}`);
}

/** The middle of an element, or another place in it, in the window's pixels. */
export async function place(target, across = 0.5, down = 0.5) {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

/** Where the thumb of a native range stands when it is at a share of its track. */
export async function thumb(range, share) {
  await range.scrollIntoViewIfNeeded();
  const box = await range.boundingBox();
  const width = 16;
  return { x: box.x + width / 2 + (box.width - width) * share, y: box.y + box.height / 2 };
}

/** The share of its track at which a native range stands. */
export const share = (range) => range.evaluate((input) => input.value / input.max);

/** Takes hold of a range's thumb with the mouse and moves it; the button stays down. */
export async function grab(page, range, to, steps = 12) {
  const from = await thumb(range, await share(range));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const goal = await thumb(range, to);
  await page.mouse.move(goal.x, goal.y, { steps });
}

/** Drags with the mouse from one place to another, lets go at the end. */
export async function drag(page, from, to, steps = 12) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps });
  await page.mouse.up();
}

/** Touches one place, moves the finger to another, lifts it. */
export async function swipe(page, from, to, steps = 12) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type, touchPoints) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", [from]);
  for (let n = 1; n <= steps; n += 1) {
    const at = (axis) => from[axis] + ((to[axis] - from[axis]) * n) / steps;
    await send("touchMove", [{ x: at("x"), y: at("y") }]);
  }
  await send("touchEnd", []);
  await devtools.detach();
}

/** Puts two fingers down at places, moves them to others, lifts them. */
export async function pinch(page, from, to, steps = 12) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type, places) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: places.map(({ x, y }, id) => ({ x, y, id })),
    });
  await send("touchStart", from.slice(0, 1));
  await send("touchStart", from);
  for (let n = 1; n <= steps; n += 1) {
    const at = (finger, axis) =>
      from[finger][axis] + ((to[finger][axis] - from[finger][axis]) * n) / steps;
    await send("touchMove", from.map((_, finger) => ({ x: at(finger, "x"), y: at(finger, "y") })));
  }
  await send("touchEnd", []);
  await devtools.detach();
}

/** The seconds of a slider on the timeline. */
export async function seconds(handle) {
  return Number(await handle.getAttribute("aria-valuenow")) / 1e3;
}

/** Whether the whole of an element lies in the window. */
export async function expectInWindow(target) {
  await expect(target).toBeInViewport({ ratio: 0.99 });
}

/** Nothing that is pinned lies over the middle of an element, and all of it is in the window. */
export async function expectInSight(target) {
  await expectInWindow(target);
  await expect.poll(() => target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const pinned = ".stage-foot, .dock, .sheet, .tour, .top-bar";
    const over = document.elementFromPoint(x + width / 2, y + height / 2)?.closest(pinned) ?? null;
    return over === null || over.contains(element);
  }), "nothing lies over it").toBe(true);
}

/** Both outcomes, the race of a quantity, fencing and Play, wherever they stand. */
export async function expectStoryInSight(page, quantity = "Client A pauses for") {
  const { fencing, button, verdict } = parts(page);
  const race = page.getByRole("slider", { name: quantity, exact: true });
  const all = [race, fencing, button("Play"), verdict("Run 1"), verdict("Run 2")];
  for (const part of all) await expectInSight(part);
}

/** The page is no wider than its window. */
export async function expectNoSidewaysScroll(page) {
  const over = await page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
  expect(over, "pixels by which the page is wider than its window").toBeLessThanOrEqual(0);
}
