//! What in a file names something that its scenario has not: an expectation of a run that there is
//! not, a quantity, an actor or a fault that is gone. None of it changes a run, so a page can open
//! the file without it; but whoever wrote it has meant something else, and `fenceline check` says
//! so.

use thiserror::Error;

use super::fault::FaultKind;
use super::file::ScenarioFile;
use super::incident::FaultEnd;
use super::settings::Quantity;
use super::valid::{Scenario, is_there};
use crate::sim::id::{FaultId, NodeId};
use crate::sim::time::{SimDuration, SimTime};

/// Something that names nothing. Each message begins with the field as the file writes it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LooseEnd {
    /// An expectation of Run 2, which there is not.
    #[error("expect.run_2: there is no Run 2: say under `compare` what it changes")]
    Expectation,
    /// A main quantity of a fault that is not there, or that has no such value.
    #[error("view.main: {0}")]
    Main(FaultProblem),
    /// A name of an actor that is not there.
    #[error("incident.names[{index}].actor: there is no “{actor}” in this scenario")]
    Name {
        /// Its place in the list.
        index: usize,
        /// Who is named.
        actor: NodeId,
    },
    /// A line of an actor that is not there.
    #[error("incident.observed[{index}].actor: there is no “{actor}” in this scenario")]
    Actor {
        /// Its place in the list.
        index: usize,
        /// Who is named.
        actor: NodeId,
    },
    /// A line that sets an end that is not there.
    #[error("incident.observed[{index}].sets: {problem}")]
    Sets {
        /// Its place in the list.
        index: usize,
        /// What is wrong with the fault that is named.
        problem: FaultProblem,
    },
}

/// Why a fault cannot be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FaultProblem {
    /// It is not there.
    #[error("there is no fault with the id {}", .0.0)]
    Missing(FaultId),
    /// It has no start that could be set.
    #[error("the fault {} has no start", .0.0)]
    NoStart(FaultId),
    /// It has no length that could be set.
    #[error("the fault {} has no length", .0.0)]
    NoLength(FaultId),
}

impl ScenarioFile {
    /// What names nothing, in the order of the file's fields; empty where the scenario is not
    /// valid, which says more.
    pub fn loose_ends(&self) -> Vec<LooseEnd> {
        let Ok(base) = self.base() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if self.compare.is_empty() && self.expect.as_ref().is_some_and(|it| it.run_2.is_some()) {
            found.push(LooseEnd::Expectation);
        }
        // Run 2 may have clients and nodes that Run 1 has not.
        let runs = [base.with(&self.compare).ok(), Some(base)];
        let anywhere = |actor: NodeId| {
            let has = |run: &Scenario| is_there(run.spec(), run.rules(), actor);
            runs.iter().flatten().any(has)
        };
        for (index, name) in self.incident.names.iter().enumerate() {
            if !anywhere(name.actor) {
                found.push(LooseEnd::Name { index, actor: name.actor });
            }
        }
        for (index, line) in self.incident.observed.iter().enumerate() {
            if let Some(actor) = line.actor.filter(|actor| !anywhere(*actor)) {
                found.push(LooseEnd::Actor { index, actor });
            }
            let problem = line.sets.and_then(|end| match end {
                FaultEnd::Start(id) => self.without_start(id),
                FaultEnd::End(id) => self.without_start(id).or_else(|| self.without_length(id)),
            });
            found.extend(problem.map(|problem| LooseEnd::Sets { index, problem }));
        }
        found.extend(self.view.main.and_then(|main| self.main_problem(main)).map(LooseEnd::Main));
        found
    }

    /// Leaves out what names nothing, and tells what that was.
    pub fn leave_out_loose_ends(&mut self) -> Vec<LooseEnd> {
        let found = self.loose_ends();
        // From the end, so that the places before stay what they are.
        for loose in found.iter().rev() {
            match *loose {
                LooseEnd::Expectation => {
                    if let Some(expect) = &mut self.expect {
                        expect.run_2 = None;
                    }
                }
                LooseEnd::Main(_) => self.view.main = None,
                LooseEnd::Name { index, .. } => drop(self.incident.names.remove(index)),
                LooseEnd::Actor { index, .. } => self.incident.observed[index].actor = None,
                LooseEnd::Sets { index, .. } => self.incident.observed[index].sets = None,
            }
        }
        found
    }

    /// What is off or not said is there, and can be set: renewal, or when a crash is over.
    fn main_problem(&self, main: Quantity) -> Option<FaultProblem> {
        match main {
            Quantity::FaultLength(id) => self.without_length(id),
            Quantity::FaultStart(id) => self.without_start(id),
            Quantity::Ttl
            | Quantity::Renew
            | Quantity::Work
            | Quantity::Latency
            | Quantity::LockDelay
            | Quantity::Grace
            | Quantity::DeadlineMargin
            | Quantity::CheckGap
            | Quantity::StartsAfter
            | Quantity::MinHold
            | Quantity::RenewCap => None,
        }
    }

    fn without_start(&self, id: FaultId) -> Option<FaultProblem> {
        match self.kind_of(id) {
            None => Some(FaultProblem::Missing(id)),
            Some(mut kind) => (!kind.start_at(SimTime::ZERO)).then_some(FaultProblem::NoStart(id)),
        }
    }

    fn without_length(&self, id: FaultId) -> Option<FaultProblem> {
        match self.kind_of(id) {
            None => Some(FaultProblem::Missing(id)),
            Some(mut kind) => {
                (!kind.set_length(SimDuration::ZERO)).then_some(FaultProblem::NoLength(id))
            }
        }
    }

    fn kind_of(&self, id: FaultId) -> Option<FaultKind> {
        let mut faults = self.scenario.faults.iter();
        faults.find(|fault| fault.id == id).map(|fault| fault.kind.clone())
    }
}
