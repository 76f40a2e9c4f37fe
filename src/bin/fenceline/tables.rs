//! Tables of many runs: what would have saved a schedule, and every lock system on it. They say how
//! far they have come where somebody watches, and end after a number of steps.

use std::io::{IsTerminal, Write};

use fenceline::explore::{Budget, RemedySearch, SystemSearch};
use fenceline::sim::Scenario;
use fenceline::sim::lock::SYSTEMS;
use fenceline::sim::scenario::Quantity;
use fenceline::view_model::sentences::{range_words, remedy_words, system_words};
use fenceline::view_model::words::names::Words;

use super::arguments::TableOptions;
use super::output::Output;
use super::{AS_EXPECTED, Wrong, base, input};

/// Runs between two words of how far it has come.
const RUNS_AT_ONCE: u32 = 64;

/// `remedies`.
pub(crate) fn remedies(out: &mut Output, options: TableOptions) -> Result<u8, Wrong> {
    let TableOptions { path, budget, why_not, json } = options;
    let file = input::open(&path)?;
    let scenario = base(&file)?;
    let main = file.main_quantity();
    let search = remedies_of(&scenario, main, budget);
    let table = search.table();
    if json {
        out.escaped(&remedy_words::json_lines(table, &scenario));
        return Ok(AS_EXPECTED);
    }
    let about = range_words::about(&file);
    out.lines(&remedy_words::as_text(&file.title, table, &scenario, about));
    let others = remedy_words::why_not(table, false);
    if why_not {
        out.lines(&others.join("\n"));
    } else if !others.is_empty() {
        out.lines(&remedy_words::others(others.len()));
    }
    Ok(AS_EXPECTED)
}

/// The search of a scenario's remedies, when it is over.
pub(crate) fn remedies_of(scenario: &Scenario, main: Quantity, budget: Budget) -> RemedySearch {
    let mut search = RemedySearch::new(scenario, Some(main)).within(budget);
    let mut told = Told::new();
    while !search.has_verdicts() {
        search.step(RUNS_AT_ONCE);
        let (n_done, n_all) = search.progress();
        told.progress("verdicts", n_done, n_all, search.budget());
    }
    search_ranges(&mut search, told);
    search
}

/// Searches the ranges on every core that there is.
#[cfg(not(target_family = "wasm"))]
fn search_ranges(search: &mut RemedySearch, told: Told) {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let told = std::sync::Mutex::new(told);
    search.search_in_parallel(n_threads, &|n_done, n_all| {
        if let Ok(mut told) = told.lock() {
            told.tell(format!("{n_done} of {n_all} ranges"));
        }
    });
    while !search.step(RUNS_AT_ONCE) {}
}

#[cfg(target_family = "wasm")]
fn search_ranges(search: &mut RemedySearch, mut told: Told) {
    while !search.step(RUNS_AT_ONCE) {
        let (n_done, n_all) = search.progress();
        told.progress("ranges", n_done, n_all, search.budget());
    }
}

/// `systems`.
pub(crate) fn systems(out: &mut Output, options: TableOptions) -> Result<u8, Wrong> {
    let TableOptions { path, budget, .. } = options;
    let file = input::open(&path)?;
    let mut search = SystemSearch::new(&base(&file)?).within(budget);
    let mut told = Told::new();
    while !search.step() {
        told.progress("systems", search.rows().len(), SYSTEMS.len(), search.budget());
    }
    drop(told);
    out.lines(&system_words::as_text(
        &file.title,
        &search,
        &Words::of(&file.incident, &file.scenario),
    ));
    Ok(AS_EXPECTED)
}

/// A line on a terminal that says how far something has come, and goes when it is done.
struct Told {
    is_watched: bool,
    last: String,
}

impl Told {
    fn new() -> Self {
        Self { is_watched: std::io::stderr().is_terminal(), last: String::new() }
    }

    fn progress(&mut self, what: &str, n_done: usize, n_all: usize, budget: &Budget) {
        let percent = u128::from(budget.used()) * 100 / u128::from(budget.whole().max(1));
        self.tell(format!("{n_done} of {n_all} {what}, {percent} % of the budget"));
    }

    fn tell(&mut self, text: String) {
        if self.is_watched && text != self.last {
            drop(write!(std::io::stderr(), "\r\x1b[K{text}"));
            self.last = text;
        }
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        if !self.last.is_empty() {
            drop(write!(std::io::stderr(), "\r\x1b[K"));
        }
    }
}
