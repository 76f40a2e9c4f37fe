//! Tests that run as WebAssembly in a headless browser; empty on every other target.
//!
//! They hold that wasm32 comes to the same runs, byte for byte, as this machine's own target: both
//! are compared with the digests of `tests/snapshots/digests.txt`, which
//! `tests/native/sim/determinism.rs` writes.
#![cfg(target_family = "wasm")]

use fenceline::scenarios::GALLERY;
use fenceline::sim::engine::Progress;
use fenceline::sim::{Recording, Scenario, Simulation};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// `id digest-of-run-1 digest-of-run-2`, a line for each scenario of the gallery.
const DIGESTS: &str = include_str!("snapshots/digests.txt");

/// Both runs of each scenario.
fn gallery() -> impl Iterator<Item = (&'static str, [Scenario; 2])> {
    GALLERY.iter().map(|entry| {
        let file = entry.file();
        let base = file.base().expect("the gallery's scenarios are valid");
        let patched = base.with(&file.compare).expect("and their comparisons");
        (entry.id, [base, patched])
    })
}

/// The runner, the browser and its driver fit together.
#[wasm_bindgen_test]
fn runs_in_a_browser() {
    assert!(web_sys::window().is_some(), "there is a window");
}

#[wasm_bindgen_test]
fn wasm32_comes_to_the_same_runs_as_the_native_target() {
    let mut here = String::new();
    for (id, runs) in gallery() {
        let [one, two] = runs.map(|scenario| Recording::of(&scenario).digest());
        here.push_str(&format!("{id} {one} {two}\n"));
    }
    assert!(!here.is_empty(), "the gallery holds scenarios");
    assert_eq!(here, DIGESTS);
}

#[wasm_bindgen_test]
fn a_run_in_slices_is_the_same_run() {
    for (id, runs) in gallery() {
        for scenario in runs {
            let at_once = Recording::of(&scenario);
            for budget in [1, 7, 1_000] {
                let mut simulation = Simulation::new(&scenario);
                while simulation.run(budget) == Progress::Running {}
                assert_eq!(simulation.finish(), at_once, "{id}, {budget} steps at a time");
            }
        }
    }
}
