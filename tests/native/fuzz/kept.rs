//! The work that the browser keeps: whatever stands where the list should be.

use std::sync::LazyLock;

use fenceline::scenarios::GALLERY;
use fenceline::sim::limits;
use fenceline::view_model::outside::import::{self, Source};
use fenceline::view_model::outside::recent::{Recent, Work};

use super::dice::Dice;
use super::{Fuzzer, Trial, inputs, mutate};

pub const KEPT: Fuzzer = Fuzzer { name: "kept", usual: 150, make: changed, hold: is_kept };

/// Lists of different lengths.
static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let list = |n_works: usize| {
        let mut recent = Recent::default();
        for (edited, entry) in (1..).zip(GALLERY.iter().take(n_works)) {
            recent.keep(Work::of(entry.id, edited, &entry.file(), (entry.id, false)));
        }
        recent.to_text()
    };
    let corpus = inputs("fuzz/corpus/kept").into_iter().map(|(_, text)| text);
    [0, 1, 3, limits::MAX_RECENT].map(list).into_iter().chain(corpus).collect()
});

fn changed(dice: &mut Dice) -> String {
    let text = dice.text(&ALL);
    match dice.once_in(2) {
        true => mutate::values(text, &ALL, dice),
        false => mutate::characters(text, &ALL, dice),
    }
}

/// What is read is within its limits, reads back, and each piece opens or says why not.
fn is_kept(text: &str, trial: &mut Trial) {
    let recent = Recent::parse(text);
    assert_eq!(Recent::parse(&recent.to_text()), recent, "what is written can be read");
    let mut n_works = 0;
    for work in recent.works() {
        n_works += 1;
        match import::read(&work.link, Source::Link) {
            Ok(_) => trial.taken(),
            Err(message) => trial.refused(&message),
        }
    }
    assert!(n_works <= limits::MAX_RECENT);
}
