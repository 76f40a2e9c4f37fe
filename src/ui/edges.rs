//! When edges are searched: in slices between frames, after each edit, never while the same search
//! would come to the same. What is found stays on the page until the next search is over.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use crate::explore::EdgeSearch;
use crate::sim::Scenario;
use crate::sim::scenario::Quantity;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::edge_words::RunEdges;

/// Runs made before the clock is looked at; a typical one takes a tenth of a millisecond.
const RUNS_AT_ONCE: u32 = 4;
/// How long a slice lasts: a quarter of a frame.
const SLICE_MILLIS: f64 = 4.0;
/// Runs with more entries than this are not searched: each of some hundred runs would be felt.
pub const MAX_ENTRIES: u32 = 20_000;

/// The edges of a quantity in each shown run; empty until the first search is over.
#[hook]
pub fn use_edges(runs: &Rc<Runs>, quantity: Quantity) -> Rc<Vec<RunEdges>> {
    let found = use_state(|| Rc::new(Vec::new()));
    let searched =
        use_memo((runs.clone(), quantity), |(runs, quantity)| scenarios(runs, *quantity));
    let setter = found.setter();
    use_effect_with((searched, quantity), move |(searched, quantity)| {
        let searches = searched
            .iter()
            .map(|(run, scenario)| (*run, EdgeSearch::new(scenario, *quantity)))
            .collect();
        let job = Rc::new(Job { searches: RefCell::new(searches), timer: RefCell::default() });
        schedule(&job, Rc::new(move |edges| setter.set(Rc::new(edges))));
        // Another search takes the place of this one: its timer dies with it.
        move || drop(job.timer.take())
    });
    (*found).clone()
}

/// What is searched. The quantity itself is taken out, so that dragging it searches nothing anew.
fn scenarios(runs: &Runs, quantity: Quantity) -> Vec<(RunNo, Scenario)> {
    let small = runs.shown().all(|(_, recording)| recording.log().n_entries() <= MAX_ENTRIES);
    let shown = runs.shown().filter(|_| small);
    shown
        .filter_map(|(run, recording)| {
            let scenario = recording.scenario();
            let (least, _) = quantity.range();
            let fixed = scenario.with(&[quantity.set(least)]).ok()?;
            quantity.value(scenario.spec()).map(|_| (run, fixed))
        })
        .collect()
}

struct Job {
    searches: RefCell<Vec<(RunNo, EdgeSearch)>>,
    timer: RefCell<Option<Timeout>>,
}

type Done = Rc<dyn Fn(Vec<RunEdges>)>;

fn schedule(job: &Rc<Job>, done: Done) {
    let next = job.clone();
    let timer = Timeout::new(0, move || {
        if slice(&next) {
            let found = next.searches.borrow();
            let found = found.iter().map(|(run, search)| RunEdges::of(*run, search));
            done(found.collect());
        } else {
            schedule(&next, done);
        }
    });
    job.timer.replace(Some(timer));
}

/// Searches for a slice of time. Tells whether all searches are over.
fn slice(job: &Job) -> bool {
    let Some(clock) = web_sys::window().and_then(|window| window.performance()) else {
        return true;
    };
    let until = clock.now() + SLICE_MILLIS;
    let mut searches = job.searches.borrow_mut();
    while clock.now() < until {
        let open = searches.iter_mut().find(|(_, search)| !search.is_over());
        match open {
            Some((_, search)) => search.step(RUNS_AT_ONCE),
            None => return true,
        };
    }
    searches.iter().all(|(_, search)| search.is_over())
}
