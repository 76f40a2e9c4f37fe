//! When ranges are searched: in slices between frames, after each edit, never while the same
//! search would come to the same. What is found stays on the page until the next search is over,
//! and is said to be of another set-up where it is. What is a sample then is searched once more
//! at leisure, by a longer walk.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use crate::explore::RangeSearch;
use crate::explore::ranges::home;
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
    /// What a longer walk may still make complete.
    fn is_a_sample(&self, of: &Rc<Vec<Searched>>, quantity: Quantity) -> bool {
        let is_of_it = self.quantity == Some(quantity) && self.of == *of && !self.is_thorough;
        is_of_it && self.ranges.iter().any(|run| !run.ranges.are_complete())
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
    let searched =
        use_memo((runs.clone(), quantity), |(runs, quantity)| scenarios(runs, *quantity));
    let setter = found.setter();
    use_effect_with((searched.clone(), quantity), move |(searched, quantity)| {
        let slices = searching(searched, *quantity, false, setter);
        // Another search takes the place of this one.
        move || drop(slices)
    });
    let is_a_sample = found.is_a_sample(&searched, quantity) && !dragging;
    let setter = found.setter();
    use_effect_with((searched, quantity, is_a_sample), move |(searched, quantity, open)| {
        let slices = open.then(|| searching(searched, *quantity, true, setter));
        move || drop(slices)
    });
    let search = use_memo((runs.clone(), found.clone()), |(runs, found)| {
        match (is_short(runs), is_of(found, runs, quantity)) {
            (false, _) => Search::TooLong,
            (true, true) => Search::Over,
            (true, false) => Search::UnderWay,
        }
    });
    // Those of another quantity lie elsewhere on its slider.
    let is_of_it = found.quantity == Some(quantity);
    let ranges = if is_of_it { found.ranges.clone() } else { Rc::default() };
    let search = match *search {
        Search::Over if !is_of_it => Search::UnderWay,
        search => search,
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

/// Whether what was found is of these runs: they are those that were searched, but for the value of
/// the quantity.
fn is_of(found: &Found, runs: &Runs, quantity: Quantity) -> bool {
    let is_same = |(run, scenario, value): &Searched| {
        let shown = runs.run(*run).map(Recording::scenario);
        let fixed = shown.and_then(|shown| shown.with(&[quantity.set(*value)]).ok());
        fixed.is_some_and(|fixed| fixed == *scenario)
    };
    found.of.len() == runs.shown().count() && found.of.iter().all(is_same)
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
