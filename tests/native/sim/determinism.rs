//! The same scenario gives the same log, byte for byte: twice here, and on wasm32 (`tests/web.rs`
//! compares with the digests that this writes).

use expect_test::expect_file;
use fenceline::scenarios::GALLERY;
use fenceline::sim::engine::Progress;
use fenceline::sim::{Change, Recording, Simulation};

use super::run;

#[test]
fn twice_is_the_same() {
    let (one, two) = (run(&[Change::Fencing(true)]), run(&[Change::Fencing(true)]));
    assert_eq!(one, two);
    assert_ne!(one.digest(), run(&[]).digest());
}

#[test]
fn a_run_in_slices_is_the_same_run() {
    let scenario = super::paused_holder();
    for budget in [1, 7, 1_000] {
        let mut simulation = Simulation::new(&scenario);
        while simulation.run(budget) == Progress::Running {}
        assert_eq!(simulation.finish(), Recording::of(&scenario));
    }
}

#[test]
fn the_gallerys_digests_are_as_recorded() {
    let mut digests = String::new();
    for entry in GALLERY {
        let file = entry.file();
        let base = file.base().expect("the gallery's scenarios are valid");
        let patched = base.with(&file.compare).expect("and their comparisons");
        let (one, two) = (Recording::of(&base).digest(), Recording::of(&patched).digest());
        digests.push_str(&format!("{} {one} {two}\n", entry.id));
    }
    expect_file!["../../snapshots/digests.txt"].assert_eq(&digests);
}
