//! The page without a browser: somebody turns controls, drags, adds and removes what goes wrong,
//! takes other systems, resources, scenarios, tours, pastes lines and links, undoes and does again;
//! after each step all that the page shows is made. An input is a walk: a line a step.

mod shown;
mod step;

use std::fmt::Write;
use std::rc::Rc;

use fenceline::scenarios::GALLERY;
use fenceline::ui::store::AppState;

use super::dice::Dice;
use super::{Fuzzer, Trial};

pub const PAGE: Fuzzer = Fuzzer { name: "page", usual: 24, make: walk, hold: all_is_shown };

/// Steps of a walk at most.
const STEPS: usize = 16;

/// A scenario, and then words and numbers that say what is done; what the numbers mean is up to
/// the word, modulo what there is.
fn walk(dice: &mut Dice) -> String {
    let mut text = format!("open {}\n", dice.below(GALLERY.len()));
    for _ in 0..=dice.below(STEPS) {
        let word = dice.one_of(&step::WORDS);
        let (one, other) = (dice.below(10_000), dice.below(10_000));
        writeln!(text, "{word} {one} {other}").expect("text");
    }
    text
}

fn all_is_shown(text: &str, trial: &mut Trial) {
    let mut state = Rc::new(AppState::initial());
    for line in text.lines() {
        let mut words = line.split(' ');
        let word = words.next().unwrap_or_default();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let (one, other) = (number(), number());
        state = step::take(state, word, one, other, trial);
        shown::all(&state, one, trial);
    }
}
