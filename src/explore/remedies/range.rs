//! In which ranges of the main quantity a row of the table breaks: where the table of remedies
//! searches.

use crate::explore::budget::Budget;
use crate::explore::outcome::Outcome;
use crate::explore::ranges::{RangeSearch, Ranges};
use crate::sim::scenario::{Check, Fault, FaultKind, NamedStep, Quantity, Start};
use crate::sim::{Change, Scenario, SimDuration};

/// A search under way.
#[derive(Clone, Debug)]
pub(super) struct Range {
    search: RangeSearch,
    /// The same with the fault between check and write, where a client checks.
    after_check: Option<RangeSearch>,
    /// The row's own run: one more that is known.
    own: Option<(SimDuration, Outcome)>,
}

impl Range {
    /// Of a row's scenario, which comes to `outcome`.
    pub(super) fn new(scenario: &Scenario, main: Quantity, outcome: Outcome) -> Self {
        let checks = scenario.clients().iter().any(|client| client.settings.check != Check::Off);
        let moved = checks.then(|| after_check(scenario, main)).flatten();
        Self {
            search: RangeSearch::new(scenario, main),
            after_check: moved.map(|moved| RangeSearch::new(&moved, main)),
            own: main.present(scenario.spec()).map(|present| (present, outcome)),
        }
    }

    /// Makes about `n_runs` runs. Tells whether it is over.
    pub(super) fn step(&mut self, n_runs: u32, budget: &mut Budget) -> bool {
        let mut searches = std::iter::once(&mut self.search).chain(&mut self.after_check);
        searches.all(|search| search.is_over() || search.step_within(n_runs, budget))
    }

    /// What was found, and what with the fault between check and write.
    pub(super) fn found(&self) -> (Ranges, Option<Ranges>) {
        let found = |search: &RangeSearch| search.ranges().clone();
        let own = match self.own {
            Some((present, outcome)) => found(&self.search).knowing(present, outcome),
            None => found(&self.search),
        };
        (own, self.after_check.as_ref().map(found))
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
    scenario.with(&[Change::ReplaceFault(moved)]).ok()
}
