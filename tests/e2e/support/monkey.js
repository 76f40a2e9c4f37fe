// What uses the page at random, and at speed: the steps of the walk and of the monkey, each a
// function that runs within the page and ends with the next frame.

/**
 * Chooses scenarios by their places in the list, each as soon as the one before is drawn. Returns
 * the place in `choices` of the one at which the page stopped, or null. Runs within the page.
 */
export async function untilDrawn(choices) {
  const frame = () => new Promise((drawn) => { requestAnimationFrame(() => drawn()); });
  for (const [at, choice] of choices.entries()) {
    const select = document.querySelector("select[aria-label='Scenario']");
    if (!select) return at;
    select.selectedIndex = choice;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await frame();
    if (document.querySelector("main.stopped")) return at;
  }
  return null;
}

/** Random numbers that a seed repeats: xorshift with 32 bits. */
export function seeded(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const KEYS = [
  " ", "ArrowLeft", "ArrowRight", "Shift+ArrowRight", "Home", "End", "f", "h", "l", "?", "+", "-",
  "PageUp", "PageDown", "Control+z", "Control+Shift+z", "Escape", "[", "]", "Tab", "Enter",
  "Delete",
];

const BOXES = "input[type=checkbox],input[type=radio]";

const SIZES = [[1440, 900], [1100, 800], [800, 900], [390, 844]];

/**
 * What the monkey can do, with how often it does it. Each takes the page and `random`, and returns
 * what it did, in words.
 */
const DEEDS = [
  [6, (page, random) => page.evaluate(choose, ["select", random(1e9), random(1e9)])],
  [6, (page, random) => page.evaluate(slide, [random(1e9), random(1e9)])],
  [6, (page, random) => page.evaluate(press, ["button", random(1e9)])],
  [4, (page, random) => page.evaluate(press, [BOXES, random(1e9)])],
  [2, (page, random) => page.evaluate(press, ["summary", random(1e9)])],
  [2, (page, random) => page.evaluate(type, [random(1e9), random(1e9)])],
  [3, async (page, random) => {
    const key = KEYS[random(KEYS.length)];
    await page.keyboard.press(key);
    return `key ${key}`;
  }],
  [2, async (page, random) => {
    const [x, y] = [random(1440), random(900)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + random(300) - 150, y + random(80) - 40);
    await page.mouse.up();
    return `drag from ${x},${y}`;
  }],
  [1, async (page, random) => {
    const [width, height] = SIZES[random(SIZES.length)];
    await page.setViewportSize({ width, height });
    return `${width}×${height}`;
  }],
];

/** Does one thing, and waits for the frame after it. Returns what it did. */
export async function deed(page, random) {
  const all = DEEDS.reduce((sum, [weight]) => sum + weight, 0);
  let left = random(all);
  const [, act] = DEEDS.find(([weight]) => (left -= weight) < 0);
  const did = await act(page, random);
  await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => drawn()); }));
  return did;
}

/** Whether the page has stopped, or is empty. */
export const hasStopped = (page) => page.evaluate(() =>
  document.querySelector("main.stopped") !== null || document.querySelector("h1") === null);

// Within the page. What stands in a dialog comes first, because nothing else can be reached then.

function choose([what, which, to]) {
  const room = document.querySelector("dialog[open]") ?? document;
  const all = [...room.querySelectorAll(what)].filter((it) => !it.disabled && it.options.length);
  if (all.length === 0) return "nothing to choose";
  const select = all[which % all.length];
  select.selectedIndex = to % select.options.length;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  return `${select.getAttribute("aria-label")}: ${select.selectedOptions[0]?.textContent}`;
}

function slide([which, to]) {
  const all = [...document.querySelectorAll("input[type=range]")].filter((it) => !it.disabled);
  if (all.length === 0) return "nothing to drag";
  const slider = all[which % all.length];
  const place = to % (Number(slider.max) + 1);
  slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  for (const value of [place, Math.floor(place / 2), place]) {
    slider.value = String(value);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  slider.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
  return `${slider.getAttribute("aria-label")} to ${place} of ${slider.max}`;
}

function press([what, which]) {
  const room = document.querySelector("dialog[open]") ?? document;
  const all = [...room.querySelectorAll(what)].filter((it) => !it.disabled);
  if (all.length === 0) return `no ${what}`;
  const one = all[which % all.length];
  one.click();
  return `press ${one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 60)}`;
}

function type([which, to]) {
  const room = document.querySelector("dialog[open]") ?? document;
  const texts = [
    "0", "1 ms", "3 s", "90 s", "15 min", "-1", "", "ten", "1e9 s", "\u202e4", "999999999999 s",
  ];
  const all = [...room.querySelectorAll("input[type=text],textarea")].filter((it) => !it.disabled);
  if (all.length === 0) return "nothing to type in";
  const field = all[which % all.length];
  const text = texts[to % texts.length];
  field.focus();
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  return `${field.getAttribute("aria-label")}: type ${JSON.stringify(text)}`;
}
