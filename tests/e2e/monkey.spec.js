// Somebody presses, drags, chooses and types at random: scenarios, systems, resources, switches,
// undo, tours, dialogs, sizes. The page never stops, and does nothing wrong. MONKEY_SEED repeats a
// run, MONKEY_STEPS makes it longer; `cargo xtask fuzz monkey` does both.

import { expect, open, test } from "./support/fixtures.js";
import { deed, hasStopped, seeded } from "./support/monkey.js";

const STEPS = Number(process.env.MONKEY_STEPS ?? 500);
const SEED = Number(process.env.MONKEY_SEED ?? 1);

test(`a monkey with the seed ${SEED} does ${STEPS} things`, async ({ page, app, wrongs }) => {
  // For what hangs: a step takes some tens of milliseconds.
  test.setTimeout(60_000 + STEPS * 1_000);
  // What it presses may leave the page, or ask for leave.
  page.on("dialog", (dialog) => dialog.dismiss());
  await open(page, app);
  const random = seeded(SEED);
  const done = [];
  for (let step = 1; step <= STEPS && wrongs.length === 0; step += 1) {
    done.push(`${step}. ${await deed(page, random)}`);
    if (await hasStopped(page)) wrongs.push("the page stopped");
  }
  const last = done.slice(-12).join("\n");
  const told = `MONKEY_SEED=${SEED}; the last of ${done.length} things:\n${last}`;
  expect(wrongs, told).toEqual([]);
});
