// The timeline by hand: faults drawn on a lane or put at the playhead, snapped to events, switched
// off and removed where they stand, and the old future that stays faintly behind.

import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import {
  drag,
  drawTime,
  expectVerdicts,
  parts,
  place,
  press,
  seconds,
  swipe,
  tabTo,
} from "./support/parts.js";

// To scale, so that a second has a place on the screen.
test.beforeEach(async ({ page, app }) => {
  await open(page, app);
  await drawTime(page, "to scale");
});

const plus = (page, name) => page.getByRole("button", { name: `New fault: ${name}`, exact: true });
const bar = (page) => page.getByRole("group", { name: "The fault that is picked out" });
const kind = (page) => page.getByRole("combobox", { name: "What happens on this lane" });
const ghosts = (page) => page.locator(".tl-draw .tl-ghost");

/** A place on the drawing of a lane, by seconds of the run. */
async function at(page, lane, second, down = 0.5) {
  const { blockStart, blockEnd } = parts(page);
  const [from, to] = [await place(blockStart), await place(blockEnd)];
  const [start, end] = [await seconds(blockStart), await seconds(blockEnd)];
  const y = (await place(lane, 0.5, down)).y;
  return { x: from.x + ((second - start) * (to.x - from.x)) / (end - start), y };
}

const lane = (page, n) => page.locator(".tl-shared .tl-lane").nth(n);

test("a pause is drawn on B's lane with the mouse; one undo", async ({ page }) => {
  const { button, slider, block } = parts(page);
  await plus(page, "Client B").click();
  await expect(kind(page)).toBeVisible();
  const b = lane(page, 2);
  await drag(page, await at(page, b, 3, 0.3), await at(page, b, 6, 0.3));
  await expect(button("Client B pause")).toBeVisible();
  expect(await seconds(slider("Client B pause, start"))).toBeCloseTo(3, 0);
  expect(await seconds(slider("Client B pause, end"))).toBeCloseTo(6, 0);
  await expect(bar(page)).toContainText("Client B pause");
  await expect(kind(page)).toHaveCount(0);
  await button("Undo").click();
  await expect(button("Client B pause")).toHaveCount(0);
  await expect(block).toBeVisible();
  await expect(button("Undo")).toBeDisabled();
});

test("“+” shows itself at its lane's name, by mouse and by keys", async ({ page }) => {
  const opacity = () => plus(page, "Client B").evaluate((it) => getComputedStyle(it).opacity);
  await page.mouse.move(700, 20);
  expect(await opacity()).toBe("0");
  await lane(page, 2).locator("b").hover();
  expect(await opacity()).toBe("1");
  await page.mouse.move(700, 20);
  await tabTo(page, plus(page, "Client B"));
  expect(await opacity()).toBe("1");
});

test("every lane offers what can befall its node, and a tap puts it down", async ({ page }) => {
  const { button } = parts(page);
  await plus(page, "Storage").click();
  await expect(kind(page).locator("option")).toHaveText([
    "Restart the storage",
    "Set a clock",
    "Let a clock run too fast",
  ]);
  await plus(page, "Storage").click();
  await expect(kind(page)).toHaveCount(0);
  await plus(page, "Lock service").click();
  await kind(page).selectOption("Restart it: leases lost");
  const spot = await at(page, lane(page, 0), 5);
  await page.mouse.click(spot.x, spot.y);
  await expect(button("Lock service restart").first()).toBeVisible();
});

test("by keyboard: a fault at the playhead, in hand at once, switched off and removed", async ({
  page,
}) => {
  const { button, slider, playhead } = parts(page);
  await playhead.press("Home");
  await press(page, "Shift+ArrowRight", 4);
  await tabTo(page, plus(page, "Client B"), "Shift+Tab");
  await press(page, "Enter");
  await kind(page).selectOption("Pause its renewer only");
  await button("Add at the playhead").press("Enter");
  const block = button("Client B renewer pause");
  await expect(block).toBeFocused();
  const start = slider("Client B renewer pause, start");
  expect(await seconds(start)).toBe(4);
  await press(page, "ArrowRight");
  expect(await seconds(start)).toBe(4.1);
  // Ctrl and an arrow go to the next event that does not depend on it.
  await press(page, "Control+ArrowRight");
  const event = await seconds(start);
  await press(page, "Control+ArrowLeft");
  expect(await seconds(start)).toBeLessThan(event);
  await press(page, "d");
  await expect(button("Client B renewer pause, off")).toBeFocused();
  await press(page, "d");
  await expect(block).toBeFocused();
  await press(page, "Delete");
  await expect(block).toHaveCount(0);
  await expect(playhead).toBeFocused();
});

test("what is dragged snaps to events, unless the switch is off", async ({ page }) => {
  const { block, blockEnd, slider } = parts(page);
  await block.click({ position: { x: 40, y: 4 } });
  // B's grant: an event that does not depend on when A's pause ends.
  const granted = 12.1;
  const near = async () => {
    const spot = await at(page, lane(page, 1), granted);
    return { x: spot.x + 5, y: spot.y };
  };
  const to = async () => drag(page, await place(blockEnd), { ...(await near()) });
  await to();
  const snapped = await seconds(blockEnd);
  const events = page.getByRole("region", { name: "Events" });
  await expect(events).toContainText(`${snapped.toFixed(1)} s`);
  await bar(page).getByRole("switch", { name: "Snap to events" }).uncheck({ force: true });
  const free = await place(blockEnd);
  await drag(page, free, { x: free.x + 4, y: free.y });
  expect(await seconds(slider("Client A pause, end"))).toBeGreaterThan(snapped);
});

test("a fault that is switched off leaves the old future as a ghost", async ({ page }) => {
  const { block, button } = parts(page);
  await expect(ghosts(page)).toHaveCount(0);
  await block.click({ position: { x: 40, y: 4 } });
  await bar(page).getByRole("button", { name: "Switch off" }).click();
  await expectVerdicts(page, "Safe in this run", "Safe in this run");
  await expect(ghosts(page).first()).toBeAttached();
  await expect(page.locator(".tl-hand.is-ghost")).toContainText(
    "Faint: what happened with “Client A pause”. Run 1 Corrupted at 17.1 s",
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(ghosts(page)).toHaveCount(0);
  await bar(page).getByRole("button", { name: "Switch on" }).click();
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
  await bar(page).getByRole("button", { name: "Remove", exact: true }).click();
  await expect(ghosts(page).first()).toBeAttached();
  await button("Undo").click();
  await expect(ghosts(page)).toHaveCount(0);
  await expect(block).toBeVisible();
});

test("the bar of a new fault has no obstacle", async ({ page }) => {
  await plus(page, "Client A").click();
  await expectAccessible(page);
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("a pause is drawn with a finger on a small screen", async ({ page }) => {
    const { button, slider } = parts(page);
    await plus(page, "Client B").tap();
    await expect(kind(page)).toBeVisible();
    const b = lane(page, 2);
    await swipe(page, await at(page, b, 4, 0.6), await at(page, b, 9, 0.6));
    await expect(button("Client B pause")).toBeAttached();
    expect(await seconds(slider("Client B pause, start"))).toBeCloseTo(4, 0);
    expect(await seconds(slider("Client B pause, end"))).toBeCloseTo(9, 0);
  });
});
