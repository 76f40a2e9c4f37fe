//! When causes are searched: in slices between frames, once nothing is dragged any more. What is
//! found is shown with the runs that it is of, and with no others.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::hooks::{RUNS_AT_ONCE, Slices};
use super::ranges::MAX_ENTRIES;
use crate::explore::CauseSearch;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::cause_words::{self, CauseText};

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
        let slices = (!dragging).then(|| {
            let searches = Rc::new(RefCell::new(searches(runs)));
            let (done, runs) = (searches.clone(), runs.clone());
            Slices::start(
                move || step(&mut searches.borrow_mut()),
                move |is_over| {
                    if is_over {
                        let told = told(&runs, &done.borrow());
                        setter.set(Rc::new(FoundCauses { runs: Some(runs.clone()), told }));
                    }
                },
            )
        });
        // Another search takes the place of this one.
        move || drop(slices)
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

/// Makes a few runs. Tells whether all searches are over.
fn step(searches: &mut [(RunNo, Option<CauseSearch>)]) -> bool {
    let mut all = searches.iter_mut().flat_map(|(_, search)| search);
    all.find(|search| !search.is_over()).is_none_or(|search| {
        search.step(RUNS_AT_ONCE);
        false
    })
}
