// The story by pointer: two outcomes in sight, a pause that is dragged, time that is scrubbed and
// played, a fence that is switched.

import { expect, open, test } from "./support/fixtures.js";
import {
  drag, drawTime, expectAt, expectVerdicts, grab, now, openTab, parts, place,
} from "./support/parts.js";

test.beforeEach(async ({ page, app }) => open(page, app));

test("the page opens still, at the first bad event, with both outcomes in sight", async ({
  page,
}) => {
  const { playhead, button, verdict, region, current } = parts(page);
  await expectVerdicts(page, "Corrupted at 17.1 s", /^Safe/);
  await expect(verdict("Run 1")).toBeInViewport({ ratio: 1 });
  await expect(verdict("Run 2")).toBeInViewport({ ratio: 1 });
  await expectAt(page, 17.1);
  await expect(playhead).toHaveAttribute("aria-valuetext", /^17\.10 s, event 18 of 20: /);
  await expect(button("Play")).toBeVisible();
  await expect(region("Why")).toContainText("Refused: token 33 is lower than 34");
  await expect(current).toContainText("refuses it, 33 < 34");
});

test("the pause, dragged below the edge and back, changes both outcomes", async ({ page }) => {
  const { race, field, playhead, verdict } = parts(page);
  await grab(page, race, 0.4);
  await expect(race).toHaveAttribute("aria-valuetext", /^[3-7]\.\d s[.]/);
  await expectVerdicts(page, "Safe in this run", "Safe in this run");
  await expect(verdict("Run 1")).toHaveAttribute("aria-live", "off");
  await expectAt(page, 17.1);
  await page.mouse.up();
  await expect(verdict("Run 1")).toHaveAttribute("aria-live", "polite");
  const value = await race.getAttribute("aria-valuetext");
  await expect(field("Client A pauses for")).toHaveValue(value.split(". ")[0]);
  await grab(page, race, 0.56);
  await page.mouse.up();
  await expectVerdicts(page, /^Corrupted at 1\d\.\d s$/, "Safe in this run");
  await expect(playhead).toHaveAttribute("data-sim-time", "17100000");
});

test("between the edges the late write does no harm, by luck", async ({ page }) => {
  const { field } = parts(page);
  const lengths = [
    ["8.0 s", "Safe in this run"],
    ["8.1 s", "Safe by luck"],
    ["10.3 s", "Safe by luck"],
    ["10.4 s", /^Corrupted/],
  ];
  for (const [length, verdict] of lengths) {
    await field("Client A pauses for").fill(length);
    await field("Client A pauses for").press("Enter");
    await expect(parts(page).verdict("Run 1")).toHaveText(verdict);
    await expect(parts(page).verdict("Run 2")).toHaveText(/^Safe/);
  }
});

test("a strip for each run says which values come to what, and how far that is known", async ({
  page,
}) => {
  const { region, button, race, mode } = parts(page);
  const card = region("The race");
  const readings = card.locator(".race-readings > span");
  await expect(readings).toHaveText([/^corrupted .*10\.3 s/, /^safe .*10\.3 s/]);
  await expect(card.locator(".race-edges")).toHaveCount(2);
  await expect(card.locator(".race-sentence")).toHaveText(
    "Paused for 15.0 s, A writes late and replaces B's value. With a fence the storage refuses " +
    "that write.",
  );
  await button("All ranges").click();
  const all = page.locator("#race-ranges");
  await expect(all).toBeVisible();
  await expect(all).toContainText(
    "Corrupts without a fence above 10.3 s, up to 10 min, the end of the search. " +
    "Late but harmless from 8.1 s, up to 10.3 s.",
  );
  await expect(all).toContainText("With a fence: no pause up to");
  await page.keyboard.press("Escape");
  await expect(all).toBeHidden();
  const words = "15.0 s. No fence: corrupted. With a fence: safe.";
  await expect(race).toHaveAttribute("aria-valuetext", words);
  await expect(race).toHaveAccessibleDescription(/^Corrupts without a fence above 10\.3 s/);
  // One run: the other strip keeps its place.
  await mode("Off").check({ force: true });
  await expect(readings).toHaveText([/^corrupted/, "not compared"]);
  await expect(card.locator(".race-none")).toHaveCount(1);
});

test("Control and an arrow go from edge to edge, to either side of it", async ({ page }) => {
  const { race } = parts(page);
  await expect(parts(page).region("The race").locator(".race-readings")).toContainText("10.3 s");
  await race.focus();
  const seen = [];
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight"]) {
    await page.keyboard.press(`Control+${key}`);
    seen.push((await race.getAttribute("aria-valuetext")).replace(". With a fence: ", "; "));
  }
  expect(seen).toEqual([
    "10.300001 s. No fence: corrupted; safe.",
    "10.3 s. No fence: safe by luck; safe by luck.",
    "8.1 s. No fence: safe by luck; safe by luck.",
    "10.3 s. No fence: safe by luck; safe by luck.",
  ]);
});

test("while another number is dragged the zones are marked as of before", async ({ page }) => {
  const { slider, region } = parts(page);
  const strips = region("The race").locator(".race-strips");
  await expect(strips).not.toHaveClass(/is-stale/);
  const stale = page.evaluate(() => new Promise((seen) => {
    const strips = document.querySelector(".race-strips");
    new MutationObserver((_, observer) => {
      if (!strips.classList.contains("is-stale")) return;
      observer.disconnect();
      seen(document.querySelector(".race-readings").textContent);
    }).observe(strips, { attributes: true });
  }));
  await grab(page, slider("Time to live"), 0.55);
  expect(await stale).toContain("searching");
  await page.mouse.up();
  await expect(strips).not.toHaveClass(/is-stale/);
  await expect(region("The race").locator(".race-readings")).not.toContainText("searching");
});

test("what was found of the race holds while the race itself is dragged", async ({ page }) => {
  const { slider, region } = parts(page);
  const readings = region("The race").locator(".race-readings");
  await expect(readings).toContainText(/corrupted .*10\.3 s/);
  await page.evaluate(() => {
    window.stale = 0;
    const strips = document.querySelector(".race-strips");
    new MutationObserver(() => { window.stale += strips.classList.contains("is-stale"); })
      .observe(strips, { attributes: true });
  });
  const race = slider("Client A pauses for");
  for (const share of [0.3, 0.45, 0.6, 0.4]) {
    await grab(page, race, share);
    await page.mouse.up();
  }
  await expect(readings).toContainText(/corrupted|safe/);
  expect(await page.evaluate(() => window.stale)).toBe(0);
});

test("the playhead is scrubbed on the ruler, and everything follows it", async ({ page }) => {
  const { region, current } = parts(page);
  const ruler = page.locator(".tl-ruler").first();
  await drawTime(page, "to scale");
  await drag(page, await place(ruler, 0.86), await place(ruler, 0.525));
  await expect.poll(() => now(page)).toBeLessThan(10.7);
  expect(await now(page)).toBeGreaterThan(10.2);
  await expect(region("Why").locator(".why-time")).toHaveText(/^10\.[23] s$/);
  await expect(current).toContainText("10.");
  await expect(region("State")).toContainText("Client A · paused");
});

test("Play plays to an event and beyond, Pause stops there", async ({ page }) => {
  const { button, field } = parts(page);
  await button("Start").click();
  await expectAt(page, 0);
  await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "10×" });
  await button("Play").click();
  await expect.poll(() => now(page)).toBeGreaterThan(2);
  await button("Pause").click();
  const stopped = await now(page);
  await expect(button("Play")).toBeVisible();
  await field("Work takes").hover();
  expect(await now(page)).toBe(stopped);
});

test("playing waits while the pause is dragged, and goes on after", async ({ page }) => {
  const { button, race } = parts(page);
  await button("Start").click();
  await button("Play").click();
  await expect.poll(() => now(page)).toBeGreaterThan(0);
  await grab(page, race, 0.5);
  const held = await now(page);
  await page.mouse.move(600, 300, { steps: 10 });
  expect(await now(page)).toBe(held);
  await page.mouse.up();
  await expect.poll(() => now(page)).toBeGreaterThan(held);
  await button("Pause").click();
});

test("playing at the end starts again", async ({ page }) => {
  const { button, playhead } = parts(page);
  await playhead.press("End");
  const end = await now(page);
  await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "0.1×" });
  await button("Play").click();
  await expect.poll(() => now(page)).toBeLessThan(end / 2);
  await button("Pause").click();
});

test("the next and the previous event and violation are a click away", async ({ page }) => {
  const { button, playhead, region } = parts(page);
  await button("Previous event").click();
  await expect(playhead).toHaveAttribute("data-event-index", "19");
  await expect(region("Why")).toContainText("17.0 s");
  await button("Next event").click();
  await expectAt(page, 17.1);
  await button("Next event").click();
  await expectAt(page, 17.2);
  await button("Previous violation").click();
  await expectAt(page, 17.1);
  await button("Start").click();
  await button("Next violation").click();
  await expectAt(page, 17.1);
  await region("Events").getByRole("button", { name: /^12\.4 s Storage accepts/ }).click();
  await expectAt(page, 12.4);
  await openTab(page, "Properties");
  await region("Properties").getByRole("button", { name: "Corrupted at 17.1 s" }).click();
  await expectAt(page, 17.1);
});

test("the time can be written", async ({ page }) => {
  const time = page.getByRole("textbox", { name: "Time", exact: true });
  await time.fill("12.4 s");
  await time.press("Enter");
  await expectAt(page, 12.4);
  await time.fill("soon");
  await time.press("Enter");
  await expect(page.getByRole("alert")).toContainText("soon");
  await expectAt(page, 12.4);
});

test("fencing off, on, and both side by side", async ({ page }) => {
  const { mode, region, verdict } = parts(page);
  await mode("Off").check({ force: true });
  await expect(verdict("Run")).toHaveText("Corrupted at 17.1 s");
  await expect(region("Run 2")).toHaveCount(0);
  await mode("On").check({ force: true });
  await expect(verdict("Run")).toHaveText("Safe in this run");
  await expect(region("Run 1")).toHaveCount(0);
  await mode("Compare both").check({ force: true });
  await expectVerdicts(page, "Corrupted at 17.1 s", "Safe in this run");
  await expect(region("Run")).toHaveCount(0);
});

test("a bad value is told beside its field, and the last good run stays", async ({ page }) => {
  const { field, verdict } = parts(page);
  const ttl = field("Time to live");
  for (const bad of ["", "-3 s", "99999999999 h", "soon", "NaN", "1e99 s", "0"]) {
    await ttl.fill(bad);
    await ttl.press("Enter");
    await expect(ttl, bad).toHaveAttribute("aria-invalid", "true");
    await expect(ttl, bad).toHaveValue(bad);
    await expect(ttl, bad).toHaveAccessibleDescription(/.{8}/);
    await expect(verdict("Run 1"), bad).toHaveText("Corrupted at 17.1 s");
  }
  await ttl.fill("20s");
  await ttl.press("Enter");
  await expect(ttl).toHaveValue("20.0 s");
  await expect(ttl).not.toHaveAttribute("aria-invalid", "true");
  await expectVerdicts(page, "Safe in this run", "Safe in this run");
});

test("fields take the units that people write", async ({ page }) => {
  const { field, slider } = parts(page);
  const written = [
    ["Time to live", "2m", "2 min"],
    ["Work takes", "1500ms", "1.5 s"],
    ["Message takes", "250ms", "250 ms"],
    ["Client A pauses for", "90 s", "90.0 s"],
  ];
  for (const [name, text, shown] of written) {
    await field(name).fill(text);
    await field(name).press("Enter");
    await expect(field(name)).toHaveValue(shown);
    const spoken = await slider(name).getAttribute("aria-valuetext");
    expect(spoken.split(". ")[0]).toBe(shown);
  }
});

test("asking the service before the write is a switch", async ({ page }) => {
  const check = page.getByRole("switch", { name: "Check the lease before the write" });
  await check.check({ force: true });
  await expect(check).toBeChecked();
  await expect(parts(page).verdict("Run 1")).toHaveText(/^Safe/);
});
