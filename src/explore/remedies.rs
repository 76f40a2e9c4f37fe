//! What would have saved us? First what puts the set-up's own mistakes right, then every argument
//! that colleagues make, each tried on this very schedule: its verdict, in which ranges of the main
//! quantity it breaks, and what it costs. Every cell is a run.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::sim::fact::Fact;
use crate::sim::id::FaultId;
use crate::sim::property::{Costs, VerdictKind};
use crate::sim::scenario::Quantity;
use crate::sim::{Change, Recording, Scenario, limits};

use super::budget::Budget;
use super::outcome::Outcome;
use super::ranges::Ranges;
use range::Range;
use setup::{Offer, Setup};

mod catalogue;
mod clients;
mod groups;
#[cfg(not(target_family = "wasm"))]
mod parallel;
mod range;
mod service;
mod setup;
mod storage;
mod strikes;

pub use catalogue::RemedyId;
pub use groups::Group;

/// Why a remedy is not tried on a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotTried {
    /// The lock has no time to live.
    NoTimeToLive,
    /// The set-up has it already.
    AlreadyOn,
    /// There is nothing in the set-up that it would put right.
    NothingCallsForIt,
    /// The lock system settles it.
    SettledBySystem,
    /// The token has no order: the storage has nothing to compare.
    NoOrderedToken,
    /// The protected resource compares nothing.
    CannotCheck,
    /// The protected resource settles how it checks.
    SettledByResource,
    /// Each client does its own work, once: nothing can be done twice.
    NothingDoneTwice,
    /// Nothing tells a client that its lease is over.
    NothingTells,
    /// A holder goes on with its next piece of work for ever: no time to live covers that.
    NeverDone,
    /// It would refuse the rightful holder's second write under one grant.
    SeveralWritesPerGrant,
    /// One number for all clients fits none: some of them have far longer leases than others.
    LeasesDiffer,
    /// Another row changes the same.
    SameAsAnother,
    /// A fault of this schedule strikes a node that there would not be.
    FaultHasNoPlace,
    /// The budget was spent before its turn.
    BudgetSpent,
}

impl NotTried {
    /// Whether it has to do with this set-up. What has not is said on demand only.
    pub fn is_of_this_set_up(self) -> bool {
        match self {
            Self::NoOrderedToken
            | Self::CannotCheck
            | Self::SettledByResource
            | Self::NeverDone
            | Self::SeveralWritesPerGrant
            | Self::LeasesDiffer
            | Self::FaultHasNoPlace
            | Self::BudgetSpent => true,
            Self::NoTimeToLive
            | Self::AlreadyOn
            | Self::SameAsAnother
            | Self::NothingCallsForIt
            | Self::SettledBySystem
            | Self::NothingDoneTwice
            | Self::NothingTells => false,
        }
    }
}

/// In which ranges of the main quantity a row breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Breaks {
    /// What was found.
    In(Ranges),
    /// The scenario has no main quantity, or the row's run has it no more.
    NoQuantity,
    /// It is still to be searched.
    NotYet,
    /// It alters nothing here, so that it breaks as the set-up does.
    AsItIs,
}

impl Breaks {
    /// What was found, if it was searched.
    pub fn ranges(&self) -> Option<&Ranges> {
        match self {
            Self::In(ranges) => Some(ranges),
            Self::NoQuantity | Self::NotYet | Self::AsItIs => None,
        }
    }
}

/// One row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The remedy.
    pub id: RemedyId,
    /// What it changes; Run 2 if the row is chosen.
    pub patch: Vec<Change>,
    /// What the schedule comes to.
    pub outcome: Outcome,
    /// When the verdict's first event is.
    pub at: Option<crate::sim::SimTime>,
    /// Whether the log is that of the set-up as it is.
    pub does_nothing: bool,
    /// Faults that strike in the schedule as it is, and stand in this one and never strike.
    pub never_strike: Vec<FaultId>,
    /// What the run cost.
    pub costs: Costs,
    /// For a lock that ends with its connection: one of the same system that does not comes to the
    /// same, so that what helps is the other system.
    pub by_its_system: bool,
    /// Messages sent in the run.
    pub n_messages: u32,
    /// In which ranges of the main quantity it breaks.
    pub breaks: Breaks,
    /// For a row that checks before it writes: the same with the fault between check and write.
    pub breaks_after_check: Option<Ranges>,
}

/// The table: its rows, and the remedies that were not tried.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RemedyTable {
    /// In the order of [`RemedyId::ALL`].
    pub rows: Vec<Row>,
    /// Each with its reason.
    pub not_tried: Vec<(RemedyId, NotTried)>,
    /// The steps after which it was stopped, if it was: then something was not tried or searched.
    pub stopped_after: Option<u64>,
}

/// The table being filled: a stepper, so that it never stands in the way of a frame. All verdicts
/// come first, because each is one run; then the ranges, row by row.
#[derive(Clone, Debug)]
pub struct RemedySearch {
    scenario: Scenario,
    main: Option<Quantity>,
    /// The run of the set-up as it is, until every verdict is there.
    as_it_is: Option<Arc<Recording>>,
    /// Remedies still to be tried, the next one last; `None`: nobody has looked yet which.
    to_try: Option<Vec<(RemedyId, Vec<Change>)>>,
    /// Rows whose range is still to be searched, by their place.
    unsearched: VecDeque<(usize, Range)>,
    budget: Budget,
    table: RemedyTable,
}

impl RemedySearch {
    /// A table for `scenario`, whose main fault is `main`.
    pub fn new(scenario: &Scenario, main: Option<Quantity>) -> Self {
        Self {
            scenario: scenario.clone(),
            main: main.filter(|main| main.value(scenario.spec()).is_some()),
            as_it_is: None,
            to_try: None,
            unsearched: VecDeque::new(),
            budget: Budget::of_steps(limits::MAX_SEARCH_STEPS),
            table: RemedyTable::default(),
        }
    }

    /// The same with another budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// What it has cost so far.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether every verdict is there.
    pub fn has_verdicts(&self) -> bool {
        self.to_try.as_ref().is_some_and(Vec::is_empty)
    }

    /// Those whose verdict is still to come, as far as is known.
    pub fn awaited(&self) -> impl Iterator<Item = RemedyId> {
        self.to_try.iter().flatten().rev().map(|(id, _)| *id)
    }

    /// Of verdicts until all are there, of ranges then: how many there are, and how many there
    /// will be.
    pub fn progress(&self) -> (usize, usize) {
        let n_rows = self.table.rows.len();
        match &self.to_try {
            None => (0, RemedyId::ALL.len()),
            Some(to_try) if !to_try.is_empty() => (n_rows, n_rows + to_try.len()),
            Some(_) => (n_rows - self.unsearched.len(), n_rows),
        }
    }

    /// Makes a verdict, or about `n_runs` runs of a range. Tells whether the table is complete.
    pub fn step(&mut self, n_runs: u32) -> bool {
        match &mut self.to_try {
            None => self.look(),
            Some(to_try) => match to_try.pop() {
                Some((id, patch)) => self.try_out(id, patch),
                None => self.search(n_runs),
            },
        }
        if self.has_verdicts() {
            self.as_it_is = None;
        }
        if self.budget.is_spent() {
            self.table.stopped_after = Some(self.budget.whole());
        }
        self.is_complete()
    }

    /// Fills the whole table.
    pub fn finish(mut self) -> RemedyTable {
        while !self.step(u32::MAX) {}
        self.table
    }

    /// Whether every row is there.
    pub fn is_complete(&self) -> bool {
        self.has_verdicts() && self.unsearched.is_empty()
    }

    /// The rows so far.
    pub fn table(&self) -> &RemedyTable {
        &self.table
    }

    /// Runs the set-up as it is, and finds what is to be tried.
    fn look(&mut self) {
        let mut to_try = Vec::new();
        if let Some(run) = self.budget.run(&self.scenario) {
            let needed = clients::longest_need(&self.scenario, &mut self.budget);
            let setup = Setup { scenario: &self.scenario, run: &run, needed };
            for id in RemedyId::ALL {
                let is_there = |changes: &Vec<Change>| {
                    let mut others = to_try.iter();
                    others.any(|(_, others): &(RemedyId, Vec<Change>)| others == changes)
                };
                match offer(*id, &setup) {
                    Ok(changes) if is_there(&changes) => {
                        self.table.not_tried.push((*id, NotTried::SameAsAnother));
                    }
                    Ok(changes) => to_try.push((*id, changes)),
                    Err(reason) => self.table.not_tried.push((*id, reason)),
                }
            }
            self.as_it_is = Some(Arc::new(run));
        } else {
            let spent = RemedyId::ALL.iter().map(|id| (*id, NotTried::BudgetSpent));
            self.table.not_tried.extend(spent);
        }
        to_try.reverse();
        self.to_try = Some(to_try);
    }

    fn try_out(&mut self, id: RemedyId, patch: Vec<Change>) {
        let (Ok(changed), Some(as_it_is)) = (self.scenario.with(&patch), self.as_it_is.clone())
        else {
            return self.table.not_tried.push((id, NotTried::FaultHasNoPlace));
        };
        let recording = if patch.is_empty() {
            as_it_is.clone()
        } else if let Some(recording) = self.budget.run(&changed) {
            Arc::new(recording)
        } else {
            return self.table.not_tried.push((id, NotTried::BudgetSpent));
        };
        let by_its_system = id == RemedyId::LivesWithConnection
            && self.comes_to(&service::without_connection(&patch)) == Some(Outcome::of(&recording));
        let does_nothing = !patch.is_empty() && recording.entries() == as_it_is.entries();
        let is_bad = as_it_is.verdict().kind > VerdictKind::SafeSoFar;
        let mut row = Row {
            id,
            patch,
            outcome: Outcome::of(&recording),
            at: recording.verdict().at,
            does_nothing,
            never_strike: strikes::never_strike(&recording),
            costs: *recording.costs(),
            by_its_system,
            n_messages: n_messages(&recording),
            breaks: Breaks::NoQuantity,
            breaks_after_check: None,
        };
        let never_struck = strikes::never_strike(&as_it_is);
        row.never_strike.retain(|fault| !never_struck.contains(fault));
        if let Some(main) = self.main.filter(|main| main.value(changed.spec()).is_some()) {
            if does_nothing && is_bad {
                row.breaks = Breaks::AsItIs;
            } else {
                row.breaks = Breaks::NotYet;
                let place = self.table.rows.len();
                self.unsearched.push_back((place, Range::new(&changed, main, row.outcome)));
            }
        }
        self.table.rows.push(row);
    }

    /// What the schedule comes to with these changes, if it can be run.
    fn comes_to(&mut self, patch: &[Change]) -> Option<Outcome> {
        let changed = self.scenario.with(patch).ok()?;
        self.budget.run(&changed).map(|recording| Outcome::of(&recording))
    }

    fn search(&mut self, n_runs: u32) {
        let Some((place, range)) = self.unsearched.front_mut() else {
            return;
        };
        if range.step(n_runs, &mut self.budget) {
            let row = &mut self.table.rows[*place];
            let (own, after_check) = range.found();
            (row.breaks, row.breaks_after_check) = (Breaks::In(own), after_check);
            self.unsearched.pop_front();
        }
    }
}

/// What a remedy changes in a set-up: no change that alters nothing.
fn offer(id: RemedyId, setup: &Setup<'_>) -> Offer {
    match id {
        RemedyId::AsItIs => Ok(Vec::new()),
        _ => setup.effective(id.offer(setup)?),
    }
}

fn n_messages(recording: &Recording) -> u32 {
    let sent = recording.entries().iter();
    let sent = sent
        .filter(|entry| matches!(entry.fact, Fact::Message(_, fact) if fact.sent().is_some()))
        .count();
    u32::try_from(sent).expect("limits::MAX_EVENTS fits 32 bits")
}

#[cfg(test)]
mod tests;
