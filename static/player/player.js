// Plays the run that this page holds. What happened stands in the page as text; this only moves the
// playhead over it, and asks no host for anything.
"use strict";
(() => {
  const get = (id) => document.getElementById(id);
  const svg = get("timeline");
  const line = get("line");
  const range = get("playhead");
  const [from, to] = ["from", "to"].map((name) => Number(svg.dataset[name]));
  // Where time bends: instants and their places.
  const bends = svg.dataset.bends.split(" ").map((bend) => bend.split(",").map(Number));
  const items = [...document.querySelectorAll("#events > li")];
  const times = items.map((item) => Number(item.dataset.at));
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  let now = Number(svg.dataset.at);
  let playing = false;
  let speed = 1;
  let frame = 0;
  let timer = 0;
  let last = null;
  let current = -1;
  let at = [];

  // How many events lie at an instant or before.
  function until(time) {
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const decimals = to - from < 2e6 ? 4 : to - from < 20e6 ? 3 : 2;
  const text = (micros) => `${(micros / 1e6).toFixed(decimals)} s`;
  const words = (item) =>
    [...item.querySelectorAll("span > span")].map((span) => span.textContent).join(". ");

  // What column `b` says where column `a` says `value`: between two bends time is linear.
  function along(value, a, b) {
    let index = 1;
    while (index < bends.length - 1 && bends[index][a] < value) index += 1;
    const [one, two] = [bends[index - 1], bends[index]];
    const share = (value - one[a]) / (two[a] - one[a] || 1);
    return one[b] + share * (two[b] - one[b]);
  }

  function show() {
    const count = until(now);
    const x = along(now, 0, 1);
    line.setAttribute("transform", `translate(${x.toFixed(2)} 0)`);
    range.value = String(Math.round(now));
    get("now").textContent = text(now);
    get("place").textContent = `event ${count} of ${times.length}`;
    if (current !== count) {
      for (const item of at) mark(item, false);
      current = count;
      // All that happened at the last instant.
      at = items.slice(count > 0 ? until(times[count - 1] - 1) : 0, count);
      for (const item of at) mark(item, true);
      get("caption").textContent = at.map(words).join(". ") || "Nothing has happened yet";
      get("why").textContent = at.find((item) => item.dataset.why)?.dataset.why ?? "";
      if (at.length > 0) keepInSight(at);
    }
    const caption = get("caption").textContent;
    range.setAttribute(
      "aria-valuetext", `${text(now)}, event ${count} of ${times.length}: ${caption}`,
    );
  }

  function mark(item, on) {
    item.classList.toggle("now", on);
    if (on) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }

  // Only their own list is scrolled, never the page.
  function keepInSight(shown) {
    const list = shown[0].parentElement;
    const last = shown[shown.length - 1];
    const [top, bottom] = [shown[0].offsetTop, last.offsetTop + last.offsetHeight];
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    if (top < list.scrollTop) list.scrollTop = top;
  }

  function seek(time) {
    now = Math.min(Math.max(time, from), to);
    show();
  }

  // Simulated time to the reader's: a long stretch without events is passed in a second.
  function rate() {
    const next = until(now);
    const gap = (times[next] ?? to) - (times[next - 1] ?? from);
    return gap / speed > 1.5e6 ? gap / 1e6 : speed;
  }

  function tick(time) {
    // A tab that was hidden does not make time jump.
    const passed = last === null ? 0 : Math.min(time - last, 100);
    last = time;
    seek(now + passed * 1000 * rate());
    if (now >= to) play(false);
    else frame = requestAnimationFrame(tick);
  }

  function dwell() {
    const next = times[until(now)];
    if (next === undefined || next > to) return play(false);
    seek(next);
    timer = setTimeout(dwell, 1200 / speed);
  }

  function play(on) {
    playing = on;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    last = null;
    get("play").textContent = on ? "Pause" : "Play";
    // What happens is read out step by step, and not while it runs by.
    get("caption").setAttribute("aria-live", on && !reduced.matches ? "off" : "polite");
    if (!on) return;
    if (now >= to) seek(from);
    if (reduced.matches) dwell();
    else frame = requestAnimationFrame(tick);
  }

  function step(forward) {
    play(false);
    const before = until(now - 1);
    const time = forward ? times[until(now)] : times[before - 1];
    seek(time ?? (forward ? to : from));
  }

  const does = {
    start: () => { play(false); seek(from); },
    previous: () => step(false),
    play: () => play(!playing),
    next: () => step(true),
    theme: () => {
      const root = document.documentElement.style;
      const names = ["light dark", "light", "dark"];
      const at = names.indexOf(root.colorScheme || names[0]);
      root.colorScheme = names[(at + 1) % names.length];
      get("theme").textContent = `Theme: ${["system", "light", "dark"][(at + 1) % names.length]}`;
    },
  };
  for (const [id, act] of Object.entries(does)) get(id).addEventListener("click", act);
  range.addEventListener("input", () => { play(false); seek(Number(range.value)); });
  get("speed").addEventListener("change", (event) => { speed = Number(event.target.value); });
  items.forEach((item, index) => item.firstElementChild.addEventListener("click", () => {
    play(false);
    seek(times[index]);
  }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    // It is scaled to the window's width.
    const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    play(false);
    seek(along(x, 1, 0));
  });
  const keys = {
    " ": does.play, ArrowLeft: does.previous, ArrowRight: does.next, Home: does.start,
    End: () => { play(false); seek(to); },
  };
  document.addEventListener("keydown", (event) => {
    // A focused control keeps its own keys.
    const kept = event.key === " " ? "button, select, input, a" : "select, input";
    const own = event.target.closest(kept);
    if (own || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  show();
})();
