//! When causes are searched: in slices between frames, once nothing is dragged any more. What is
//! found is shown with the runs that it is of, and with no others.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::ranges::MAX_ENTRIES;
use crate::explore::CauseSearch;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::cause_words::{self, CauseText};

/// Runs made before the clock is looked at; a typical one takes a tenth of a millisecond.
const RUNS_AT_ONCE: u32 = 4;
/// How long a slice lasts: a quarter of a frame.
const SLICE_MILLIS: f64 = 4.0;

/// The causes of shown runs, in words.
#[derive(Clone, PartialEq, Default)]
pub struct FoundCauses {
    /// The runs that they are of.
    runs: Option<Rc<Runs>>,
    told: Vec<(RunNo, CauseText)>,
}

impl FoundCauses {
    /// Whether they are of these runs.
    pub fn are_of(&self, runs: &Rc<Runs>) -> bool {
        self.runs.as_ref().is_some_and(|of| Rc::ptr_eq(of, runs))
    }

    /// The causes of a run, if they are found by now.
    pub fn of(&self, runs: &Rc<Runs>, run: RunNo) -> Option<&CauseText> {
        let told = self.told.iter().filter(|_| self.are_of(runs));
        told.filter(|(of, _)| *of == run).map(|(_, text)| text).next()
    }
}

/// The causes of the shown runs; of none while something is dragged or the search is not over.
#[hook]
pub fn use_causes(runs: &Rc<Runs>, dragging: bool) -> Rc<FoundCauses> {
    let found = use_state(|| Rc::new(FoundCauses::default()));
    let setter = found.setter();
    use_effect_with((runs.clone(), dragging), move |(runs, dragging)| {
        let job = Rc::new(Job { searches: RefCell::default(), timer: RefCell::default() });
        if !dragging {
            job.searches.replace(searches(runs));
            schedule(&job, runs.clone(), Rc::new(move |found| setter.set(Rc::new(found))));
        }
        // Another search takes the place of this one: its timer dies with it.
        move || drop(job.timer.take())
    });
    (*found).clone()
}

/// A search for each shown run; `None`: the run is too long for it.
fn searches(runs: &Runs) -> Vec<(RunNo, Option<CauseSearch>)> {
    let search = |(run, recording): (RunNo, &crate::sim::Recording)| {
        let is_short = recording.log().n_entries() <= MAX_ENTRIES;
        (run, is_short.then(|| CauseSearch::new(recording)))
    };
    runs.shown().map(search).collect()
}

struct Job {
    searches: RefCell<Vec<(RunNo, Option<CauseSearch>)>>,
    timer: RefCell<Option<Timeout>>,
}

fn schedule(job: &Rc<Job>, runs: Rc<Runs>, done: Rc<dyn Fn(FoundCauses)>) {
    let next = job.clone();
    let timer = Timeout::new(0, move || {
        if slice(&next) {
            let told = told(&runs, &next.searches.borrow());
            done(FoundCauses { runs: Some(runs), told });
        } else {
            schedule(&next, runs, done);
        }
    });
    job.timer.replace(Some(timer));
}

fn told(runs: &Runs, searches: &[(RunNo, Option<CauseSearch>)]) -> Vec<(RunNo, CauseText)> {
    let told = searches.iter().filter_map(|(run, search)| {
        let recording = runs.run(*run)?;
        let text = match search {
            Some(search) => cause_words::told(&runs.words, recording, search)?,
            None => cause_words::not_searched(recording)?,
        };
        Some((*run, text))
    });
    told.collect()
}

/// Searches for a slice of time. Tells whether all searches are over.
fn slice(job: &Job) -> bool {
    let Some(clock) = web_sys::window().and_then(|window| window.performance()) else {
        return true;
    };
    let until = clock.now() + SLICE_MILLIS;
    let mut searches = job.searches.borrow_mut();
    let mut open = || {
        searches.iter_mut().flat_map(|(_, it)| it).find(|it| !it.is_over()).is_none_or(|it| {
            it.step(RUNS_AT_ONCE);
            false
        })
    };
    while clock.now() < until {
        if open() {
            return true;
        }
    }
    false
}
