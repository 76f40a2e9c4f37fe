//! From which length of the main fault on a set-up corrupts: the one place in which the table of
//! remedies reads the edges.

use super::BreaksFrom;
use crate::explore::budget::Budget;
use crate::explore::edges::{EdgeSearch, SEARCHED_TO};
use crate::explore::outcome::Outcome;
use crate::sim::Scenario;
use crate::sim::property::VerdictKind;
use crate::sim::scenario::{Check, Fault, FaultKind, NamedStep, Quantity, Start};

/// A search under way.
#[derive(Clone, Debug)]
pub(super) struct Range {
    search: EdgeSearch,
    /// The same with the fault between check and write, where a client checks.
    after_check: Option<EdgeSearch>,
}

impl Range {
    pub(super) fn new(scenario: &Scenario, main: Quantity) -> Self {
        let checks = scenario.clients().iter().any(|client| client.settings.check != Check::Off);
        let moved = checks.then(|| after_check(scenario, main)).flatten();
        Self {
            search: EdgeSearch::new(scenario, main),
            after_check: moved.map(|moved| EdgeSearch::new(&moved, main)),
        }
    }

    /// Makes about `n_runs` runs. Tells whether it is over.
    pub(super) fn step(&mut self, n_runs: u32, budget: &mut Budget) -> bool {
        let mut searches = std::iter::once(&mut self.search).chain(&mut self.after_check);
        searches.all(|search| search.is_over() || search.step_within(n_runs, budget))
    }

    /// What was found, and what with the fault between check and write.
    pub(super) fn found(&self) -> (BreaksFrom, Option<BreaksFrom>) {
        (breaks_from(&self.search), self.after_check.as_ref().map(breaks_from))
    }
}

/// Where a search found the first corruption.
fn breaks_from(search: &EdgeSearch) -> BreaksFrom {
    if search.is_cut() {
        return BreaksFrom::NotSearched;
    }
    let corrupts = |outcome: Outcome| outcome.kind == VerdictKind::Corrupted;
    let first = search.edges().iter().find(|edge| corrupts(edge.above));
    match first {
        Some(edge) => BreaksFrom::Above(edge.last_below),
        None if search.at_least().is_some_and(corrupts) => BreaksFrom::Always,
        None => BreaksFrom::Never(SEARCHED_TO),
    }
}

/// The scenario with its main fault, a pause, between a client's check and its write.
fn after_check(scenario: &Scenario, main: Quantity) -> Option<Scenario> {
    let Quantity::FaultLength(id) = main else {
        return None;
    };
    let fault = scenario.spec().faults.iter().find(|fault| fault.id == id)?;
    let FaultKind::Pause { client, scope, kind, length, .. } = fault.kind else {
        return None;
    };
    let start = Start::Step { step: NamedStep::AfterCheck, nth: 1 };
    let kind = FaultKind::Pause { client, scope, kind, start, length };
    let moved = Fault { kind, ..fault.clone() };
    scenario.with(&[crate::sim::Change::ReplaceFault(moved)]).ok()
}
