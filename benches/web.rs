//! The simulation's figures as WebAssembly in a headless browser: a typical run, the engine, seek.
//! `cargo xtask bench` runs it as a test of the release profile, which the page is built with. It
//! prints one line per figure, `name<TAB>value<TAB>unit`; nothing is asserted. Empty on other
//! targets.
#![cfg(target_family = "wasm")]

use std::hint::black_box;

use fenceline::scenarios::GALLERY;
use fenceline::sim::scenario::{ClientSpec, Length, Renew, Repeat};
use fenceline::sim::{Change, Recording, Scenario, SimDuration, SimTime, limits};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The first scenario with these changes.
fn scenario(changes: &[Change]) -> Scenario {
    let base = GALLERY[0].file().base().expect("the gallery's scenarios are valid");
    base.with(changes).expect("the changes fit")
}

/// The browser's clock, in milliseconds.
fn now() -> f64 {
    let window = web_sys::window().expect("a browser has a window");
    window.performance().expect("and a clock").now()
}

/// Milliseconds of one call. The browser's clock is too coarse for a single one.
fn millis(n_calls: u32, mut call: impl FnMut()) -> f64 {
    let start = now();
    for _ in 0..n_calls {
        call();
    }
    (now() - start) / f64::from(n_calls)
}

fn print(name: &str, value: f64, unit: &str) {
    console_log!("web: {name}\t{value:.2}\t{unit}");
}

#[wasm_bindgen_test]
fn figures() {
    let third = ClientSpec::asking_at(SimTime::from_millis(1_500));
    let minute = Length::Fixed(SimDuration::from_secs(60));
    let typical = scenario(&[
        Change::AddClient(third),
        Change::Length(minute),
        Change::Fencing(true),
        Change::Renew(Renew::Every(SimDuration::from_millis(1_500))),
    ]);
    print("typical run: entries", f64::from(Recording::of(&typical).log().n_entries()), "entries");
    let run = || drop(black_box(Recording::of(black_box(&typical))));
    millis(500, run);
    print("typical run", millis(2_000, run) * 1e3, "µs");

    let others = (2..8).map(|n| ClientSpec::asking_at(SimTime::from_millis(n * 700)));
    let mut changes: Vec<_> = others.map(Change::AddClient).collect();
    changes.extend([
        Change::Length(Length::Fixed(limits::MAX_DURATION)),
        Change::Release(true),
        Change::Work(SimDuration::from_millis(400)),
        Change::Repeat(Repeat::After(SimDuration::from_millis(300))),
        Change::Renew(Renew::Every(SimDuration::from_millis(200))),
    ]);
    let longest = scenario(&changes);
    let took = millis(2, || drop(black_box(Recording::of(&longest))));
    let recording = Recording::of(&longest);
    let n = recording.log().n_entries();
    print("longest run", took, "ms");
    print("engine", f64::from(n) / took / 1e3, "M entries/s");
    for of in [10_000, n] {
        seek(&recording, of);
    }
}

/// Seeks to places spread over the first `of` entries. Each place is sought a few times, because
/// the clock is coarse; the 99th of a hundred places and the worst.
fn seek(recording: &Recording, of: u32) {
    const TIMES: u32 = 50;
    let mut times: Vec<f64> = (0..1_000_u32)
        .map(|i| {
            let to = i.wrapping_mul(2_654_435_761) % of;
            millis(TIMES, || {
                drop(black_box(recording.world_after(black_box(to))));
            })
        })
        .collect();
    times.sort_by(f64::total_cmp);
    print(&format!("seek in {of} entries, 99 %"), times[989] * 1e3, "µs");
    print(&format!("seek in {of} entries, worst"), times[999] * 1e3, "µs");
}
