//! When ranges are searched: in slices between frames, after each edit, never while the same search
//! would come to the same. What is found stays on the page until the next search is over.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use crate::explore::RangeSearch;
use crate::explore::ranges::home;
use crate::sim::Scenario;
use crate::sim::scenario::Quantity;
use crate::ui::hooks::{RUNS_AT_ONCE, Slices};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::range_words::RunRanges;

/// Runs with more entries than this are not searched: each of some hundred runs would be felt.
pub const MAX_ENTRIES: u32 = 20_000;

/// The ranges of a quantity in each shown run; empty until the first search is over.
#[hook]
pub fn use_ranges(runs: &Rc<Runs>, quantity: Quantity) -> Rc<Vec<RunRanges>> {
    let found = use_state(|| Rc::new(Vec::new()));
    let searched =
        use_memo((runs.clone(), quantity), |(runs, quantity)| scenarios(runs, *quantity));
    let setter = found.setter();
    use_effect_with((searched, quantity), move |(searched, quantity)| {
        let searches = searched
            .iter()
            .map(|(run, scenario)| (*run, RangeSearch::new(scenario, *quantity)))
            .collect();
        let searches: Rc<RefCell<Vec<_>>> = Rc::new(RefCell::new(searches));
        let done = searches.clone();
        let slices = Slices::start(
            move || step(&mut searches.borrow_mut()),
            move |is_over| {
                if is_over {
                    let found = done.borrow();
                    let found = found.iter().map(|(run, search)| RunRanges::of(*run, search));
                    setter.set(Rc::new(found.collect()));
                }
            },
        );
        // Another search takes the place of this one.
        move || drop(slices)
    });
    (*found).clone()
}

/// What is searched. The quantity stands where a search begins, so that dragging it within an
/// octave searches nothing anew.
fn scenarios(runs: &Runs, quantity: Quantity) -> Vec<(RunNo, Scenario)> {
    let small = runs.shown().all(|(_, recording)| recording.log().n_entries() <= MAX_ENTRIES);
    let shown = runs.shown().filter(|_| small);
    shown
        .filter_map(|(run, recording)| {
            let scenario = recording.scenario();
            let fixed = scenario.with(&[quantity.set(home(scenario, quantity)?)]).ok()?;
            Some((run, fixed))
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
