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
  corrupted: "Corrupted",
};

function beginning({ verdict, by_luck: byLuck, at }) {
  const word = BEGINS[verdict];
  if (byLuck) return /^Safe by luck/;
  return new RegExp(`^${word}${at && verdict === "corrupted" ? ` at ${at}` : ""}`);
}

test("the page offers the whole gallery", async ({ page, app }) => {
  await open(page, app);
  expect(IDS.length).toBeGreaterThanOrEqual(11);
  await expect(parts(page).scenario.getByRole("option")).toHaveCount(IDS.length);
});

for (const [index, id] of IDS.entries()) {
  test(`${id}: both verdicts as its file expects, and axe finds nothing`, async ({ page, app }) => {
    const file = JSON.parse(readFileSync(fileURLToPath(new URL(`${id}.json`, FOLDER)), "utf8"));
    await open(page, app);
    await parts(page).scenario.selectOption({ index });
    await expect(parts(page).scenario.getByRole("option", { selected: true }))
      .toHaveText(file.title);
    const { run_1: one, run_2: two } = file.expect;
    await expectVerdicts(page, beginning(one), beginning(two));
    await expect(parts(page).region("Why").locator("p")).toHaveText(/\.$/);
    await expect(parts(page).button("Play")).toBeVisible();
    // Marks and the icons of lists and controls; most where there are many faults and lock nodes.
    expect(await page.locator("svg *").count()).toBeLessThanOrEqual(600);
    await expectAccessible(page);
  });
}
