// Every scenario of the gallery opens, and both of its verdicts begin as its file expects.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectVerdicts, parts } from "./support/parts.js";

const FOLDER = new URL("../../src/scenarios/", import.meta.url);

/** The gallery in its order, as src/scenarios/mod.rs lists it. */
const IDS = [...readFileSync(fileURLToPath(new URL("mod.rs", FOLDER)), "utf8")
  .matchAll(/entry!\(\s*"([a-z-]+)"/g)].map(([, id]) => id);

/** How a verdict begins on the page. */
const BEGINS = {
  safe: "Safe",
  safe_so_far: "Safe so far",
  wasted_work: "Wasted work",
  unavailable: "Unavailable",
  half_written: "Half written",
  no_work_finished: "No work finished",
  corrupted: "Corrupted",
};

/** From so many seconds on the page writes minutes. */
const MINUTES_FROM = 120;

/** An instant as the page writes it; a file writes seconds. */
function written(at) {
  const seconds = Number.parseFloat(at);
  if (seconds < MINUTES_FROM) return at;
  const rest = Number((seconds % 60).toFixed(6));
  return `${Math.floor(seconds / 60)} min ${Number.isInteger(rest) ? `${rest}.0` : rest} s`;
}

function beginning({ verdict, by_luck: byLuck, at }) {
  const word = BEGINS[verdict];
  if (byLuck) return /^Safe by luck/;
  return new RegExp(`^${word}${at && verdict === "corrupted" ? ` at ${written(at)}` : ""}`);
}

test("the page offers the whole gallery", async ({ page, app }) => {
  await open(page, app);
  expect(IDS.length).toBeGreaterThanOrEqual(11);
  await expect(parts(page).scenario.getByRole("option")).toHaveCount(IDS.length);
});

// What the first scenario has not: two lock systems, two stacks of lanes, many clients and nodes.
// The first one is tried with axe at every size, in both themes and with every dialog.
const UNLIKE = ["no-expiry", "renew-or-lose-it", "three-workers", "raft-lease-minority"];
/** One page opens so many, one after the other. */
const AT_ONCE = 17;

async function expectAsItsFileSays(page, index) {
  const id = IDS[index];
  const file = JSON.parse(readFileSync(fileURLToPath(new URL(`${id}.json`, FOLDER)), "utf8"));
  await parts(page).scenario.selectOption({ index });
  await expect(parts(page).scenario.getByRole("option", { selected: true }))
    .toHaveText(file.title);
  const { run_1: one, run_2: two } = file.expect;
  await expectVerdicts(page, beginning(one), beginning(two));
  await expect(parts(page).region("Why").locator("p")).toHaveText(/\.$/);
  await expect(parts(page).button("Play")).toBeVisible();
  // All that is drawn, icons of controls included.
  expect(await page.locator("svg *").count()).toBeLessThanOrEqual(400);
  if (UNLIKE.includes(id)) await expectAccessible(page);
}

test("what is unlike the first scenario is in the gallery", () => {
  expect(IDS).toEqual(expect.arrayContaining(UNLIKE));
});

for (let from = 0; from < IDS.length; from += AT_ONCE) {
  const to = Math.min(from + AT_ONCE, IDS.length);
  test(`both verdicts as each file expects, scenarios ${from + 1} to ${to}`, async ({
    page, app,
  }) => {
    await open(page, app);
    for (let index = from; index < to; index += 1) {
      await test.step(IDS[index], () => expectAsItsFileSays(page, index));
    }
  });
}
