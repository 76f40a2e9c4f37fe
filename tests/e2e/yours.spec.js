// The first minute: one's own lock system a click away, the sentence that goes on, an incident with
// its title and its source, and what is taken along for a post-mortem.

import { readFileSync } from "node:fs";
import { expect, expectAccessible, open, test } from "./support/fixtures.js";
import { expectVerdicts, parts } from "./support/parts.js";

const INCIDENTS = JSON.parse(
  readFileSync(new URL("../../static/incidents.json", import.meta.url), "utf8"),
);
const yours = (page) => page.getByRole("navigation", { name: "Yours" });
const chosen = (page) => parts(page).scenario.getByRole("option", { selected: true });

test("a click opens one's own system's trap with its real numbers", async ({ page, app }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, app);
  const { field } = parts(page);
  await expect(page.locator("h1")).toHaveText(
    "A lock that expires can have two holders. Client A freezes past its lease, then writes late. "
    + "Drag the pause, or press Play.",
  );
  await yours(page).getByRole("button", { name: "Redis", exact: true }).click();
  await expect(chosen(page)).toHaveText("Good for efficiency, not for correctness");
  await expect(field("Time to live")).toHaveValue("30.0 s");
  await expect(page.locator("h1")).toContainText("Now with your own numbers, on the left.");
  await yours(page).getByRole("button", { name: "etcd", exact: true }).click();
  await expect(chosen(page)).toHaveText("Nobody tells the holder");
  await expect(field("Time to live")).toHaveValue("60.0 s");
  await expectVerdicts(page, /^Corrupted/, /^Safe/);
  await yours(page).getByRole("button", { name: "another …", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Find your product" })).toBeVisible();
  await page.keyboard.press("Escape");
  await yours(page).getByRole("button", { name: "An incident", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Incident" })).toBeVisible();
});

test("on a phone they are behind one button", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, app);
  await expect(yours(page)).toBeHidden();
  await parts(page).button("Yours …").click();
  const menu = page.locator("#yours");
  await expectAccessible(page);
  await menu.getByRole("button", { name: "PostgreSQL", exact: true }).click();
  await expect(menu).toBeHidden();
  await expect(chosen(page)).toHaveText("A pause inside a transaction");
});

test("an incident shows its title, its system's name and its source", async ({ page, app }) => {
  await open(page, app);
  const { happened } = INCIDENTS.find(({ id }) => id === "E1");
  await parts(page).button("Gallery").click();
  const dialog = page.getByRole("dialog", { name: "Gallery" });
  await dialog.getByRole("button", { name: happened.title, exact: true }).click();
  await expect(page.locator("h1")).toContainText(happened.title);
  await expect(page.getByRole("combobox", { name: "Lock system" })
    .getByRole("option", { selected: true })).toHaveText("etcd (Lease server)");
  await page.getByText("About this scenario").click();
  await expect(page.getByRole("link", { name: /^https:/ }).first())
    .toHaveAttribute("href", "https://github.com/etcd-io/etcd/issues/10811");
});
