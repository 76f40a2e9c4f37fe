//! When ranges are searched: in slices between frames, after each edit, never while what was found
//! says all that a search would. What is found stays on the page until the next search is over, and
//! is said to be of another set-up where it is. What is a sample then is searched once more at
//! leisure, by a longer walk.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use crate::explore::RangeSearch;
use crate::explore::ranges::{home, searched_to};
use crate::sim::recording::Recording;
use crate::sim::scenario::Quantity;
use crate::sim::{Scenario, SimDuration};
use crate::ui::hooks::{RUNS_AT_ONCE, Slices};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::race_words::Search;
use crate::view_model::sentences::range_words::RunRanges;

/// Runs with more entries than this are not searched: each of some hundred runs would be felt.
pub const MAX_ENTRIES: u32 = 20_000;

/// What is searched: a run's scenario with the quantity at this value.
type Searched = (RunNo, Scenario, SimDuration);

/// What was found, and of what.
#[derive(PartialEq, Default)]
struct Found {
    quantity: Option<Quantity>,
    of: Rc<Vec<Searched>>,
    ranges: Rc<Vec<RunRanges>>,
    is_thorough: bool,
}

impl Found {
    /// Whether a longer walk may still make it complete.
    fn is_a_sample(&self, quantity: Quantity) -> bool {
        let is_open = self.quantity == Some(quantity) && !self.is_thorough;
        is_open && self.ranges.iter().any(|run| !run.ranges.are_complete())
    }
}

/// The ranges that are known by now.
#[derive(Clone, PartialEq)]
pub struct KnownRanges {
    /// Of each shown run; empty until a first search is over.
    pub ranges: Rc<Vec<RunRanges>>,
    /// Whether they are of what is shown.
    pub search: Search,
}

/// The ranges of a quantity in each shown run.
#[hook]
pub fn use_ranges(runs: &Rc<Runs>, quantity: Quantity, dragging: bool) -> KnownRanges {
    let found = use_state(|| Rc::new(Found::default()));
    let is_found = use_memo((runs.clone(), quantity, found.clone()), |(runs, quantity, found)| {
        is_of(found, runs, *quantity)
    });
    let searched = use_memo((runs.clone(), quantity, *is_found), |(runs, quantity, is_found)| {
        if *is_found { Vec::new() } else { scenarios(runs, *quantity) }
    });
    let setter = found.setter();
    use_effect_with((searched.clone(), quantity), move |(searched, quantity)| {
        let slices = (!searched.is_empty()).then(|| searching(searched, *quantity, false, setter));
        // Another search takes the place of this one.
        move || drop(slices)
    });
    let is_a_sample = *is_found && !dragging && found.is_a_sample(quantity);
    let setter = found.setter();
    use_effect_with((found.of.clone(), quantity, is_a_sample), move |(of, quantity, is_open)| {
        let slices = is_open.then(|| searching(of, *quantity, true, setter));
        move || drop(slices)
    });
    // Those of another quantity lie elsewhere on its slider.
    let is_of_it = found.quantity == Some(quantity);
    let ranges = if is_of_it { found.ranges.clone() } else { Rc::default() };
    let search = match (is_short(runs), *is_found) {
        (false, _) => Search::TooLong,
        (true, true) => Search::Over,
        (true, false) => Search::UnderWay,
    };
    KnownRanges { ranges, search }
}

/// A search of all these, which tells what it has found when it is over.
fn searching(
    searched: &Rc<Vec<Searched>>,
    quantity: Quantity,
    is_thorough: bool,
    setter: UseStateSetter<Rc<Found>>,
) -> Slices {
    let search = |(run, scenario, _): &Searched| {
        let search = RangeSearch::new(scenario, quantity);
        (*run, if is_thorough { search.thorough() } else { search })
    };
    let searches: Vec<_> = searched.iter().map(search).collect();
    let searches = Rc::new(RefCell::new(searches));
    let (done, of) = (searches.clone(), searched.clone());
    let after = move |is_over: bool| {
        if is_over {
            let found = done.borrow();
            let ranges = found.iter().map(|(run, search)| RunRanges::of(*run, search));
            let (quantity, ranges) = (Some(quantity), Rc::new(ranges.collect()));
            setter.set(Rc::new(Found { quantity, of: of.clone(), ranges, is_thorough }));
        }
    };
    let step = move || step(&mut searches.borrow_mut());
    if is_thorough { Slices::at_leisure(step, after) } else { Slices::start(step, after) }
}

fn is_short(runs: &Runs) -> bool {
    runs.shown().all(|(_, recording)| recording.log().n_entries() <= MAX_ENTRIES)
}

/// Whether what was found says of these runs what a search would: it is of them but for the value
/// of the quantity, which stands where the search began, or where what it found is complete.
fn is_of(found: &Found, runs: &Runs, quantity: Quantity) -> bool {
    let is_same = |(run, scenario, value): &Searched| {
        let Some(shown) = runs.run(*run).map(Recording::scenario) else { return false };
        let mut spec = shown.spec().clone();
        let is_fixed = quantity.set(*value).apply(&mut spec).is_ok();
        is_fixed && spec == *scenario.spec() && says(found, *run, shown, quantity)
    };
    found.quantity == Some(quantity)
        && found.of.len() == runs.shown().count()
        && found.of.iter().all(is_same)
}

/// Whether a search from the present value would say the same.
fn says(found: &Found, run: RunNo, shown: &Scenario, quantity: Quantity) -> bool {
    let begins = found.of.iter().find(|(of, ..)| *of == run).map(|(.., value)| *value);
    let known = found.ranges.iter().find(|known| known.run == run);
    let present = quantity.value(shown.spec());
    begins == home(shown, quantity)
        || known.zip(present).is_some_and(|(known, present)| {
            known.ranges.is_complete_at(present)
                && known.ranges.searched_to >= searched_to(shown, quantity)
        })
}

/// What is searched. The quantity stands where a search begins, so that dragging it within an
/// octave searches nothing anew.
fn scenarios(runs: &Runs, quantity: Quantity) -> Vec<Searched> {
    let shown = runs.shown().filter(|_| is_short(runs));
    shown
        .filter_map(|(run, recording)| {
            let scenario = recording.scenario();
            let home = home(scenario, quantity)?;
            let fixed = scenario.with(&[quantity.set(home)]).ok()?;
            Some((run, fixed, home))
        })
        .collect()
}

/// Makes a few runs. Tells whether all searches are over.
fn step(searches: &mut [(RunNo, RangeSearch)]) -> bool {
    let open = searches.iter_mut().find(|(_, search)| !search.is_over());
    open.is_none_or(|(_, search)| {
        search.step(RUNS_AT_ONCE);
        false
    })
}
