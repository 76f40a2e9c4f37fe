//! What would every other lock system have done? Each tried on this very schedule, without and with
//! a fence. Every cell is a run.

use crate::sim::fact::{Fact, LeaseEnd, ServiceFact};
use crate::sim::lock::{SYSTEMS, SystemInfo, TokenWorth};
use crate::sim::scenario::LockSystem;
use crate::sim::{Change, LogEntry, Recording, Scenario, SimDuration, SimTime, limits};

use super::budget::Budget;
use super::outcome::Outcome;

/// One run of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// What it changes; Run 2 if the cell is chosen.
    pub patch: Vec<Change>,
    /// What the schedule comes to.
    pub outcome: Outcome,
    /// When the verdict's first event is.
    pub at: Option<SimTime>,
}

/// One system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemRow {
    /// Which.
    pub system: LockSystem,
    /// Without a fence; `None`: the schedule does not fit it, because a fault strikes a node that
    /// this system does not have.
    pub without: Option<Tried>,
    /// With one; `None` as well where there is nothing to compare.
    pub with: Option<Tried>,
    /// How much later than its time to live a lease ended in this run, at most; `None`: none
    /// expired.
    pub late: Option<SimDuration>,
    /// What its token is worth on this schedule.
    pub worth: TokenWorth,
}

/// The table being filled: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct SystemSearch {
    scenario: Scenario,
    rows: Vec<SystemRow>,
    budget: Budget,
}

impl SystemSearch {
    /// A table for `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        let budget = Budget::of_steps(limits::MAX_SEARCH_STEPS);
        Self { scenario: scenario.clone(), rows: Vec::new(), budget }
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

    /// The systems that were not tried because the budget was spent.
    pub fn not_tried(&self) -> &'static [SystemInfo] {
        if self.budget.is_spent() { &SYSTEMS[self.rows.len()..] } else { &[] }
    }

    /// Makes the runs of one row. Tells whether the table is complete.
    pub fn step(&mut self) -> bool {
        if let Some(info) = SYSTEMS.get(self.rows.len())
            && let Some(row) = self.tried(info.system)
        {
            self.rows.push(row);
        }
        self.is_complete()
    }

    /// Fills the whole table.
    #[must_use]
    pub fn finish(mut self) -> Self {
        while !self.step() {}
        self
    }

    /// Whether every row is there that the budget is enough for.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == SYSTEMS.len() || self.budget.is_spent()
    }

    /// The rows so far.
    pub fn rows(&self) -> &[SystemRow] {
        &self.rows
    }

    /// A row; `None`: the budget is not enough for it.
    fn tried(&mut self, system: LockSystem) -> Option<SystemRow> {
        let without = self.run(system, false);
        let with = self.run(system, true);
        if self.budget.is_spent() {
            return None;
        }
        let first = without.as_ref().map(|(_, recording)| recording);
        Some(SystemRow {
            system,
            late: first.and_then(lateness),
            worth: first.map_or(TokenWorth::Nothing, |run| run.scenario().rules().worth),
            without: without.map(|(tried, _)| tried),
            with: with.map(|(tried, _)| tried),
        })
    }

    fn run(&mut self, system: LockSystem, fencing: bool) -> Option<(Tried, Recording)> {
        let mut patch = vec![Change::Lock(system), Change::Fencing(fencing)];
        let storage = &self.scenario.spec().storage;
        patch.retain(|change| match change {
            Change::Lock(to) => *to != self.scenario.spec().lock,
            Change::Fencing(on) => *on != storage.fencing,
            _ => true,
        });
        let changed = self.scenario.with(&patch).ok()?;
        if fencing && changed.cannot_fence().is_some() {
            return None;
        }
        let recording = self.budget.run(&changed)?;
        let outcome = Outcome::of(&recording);
        let tried = Tried { patch, outcome, at: recording.verdict().at };
        Some((tried, recording))
    }
}

/// How much later than its time a lease ended, at most; `None`: none expired.
pub fn lateness(recording: &Recording) -> Option<SimDuration> {
    let late = |entry: &LogEntry| match entry.fact {
        Fact::Service(
            _,
            ServiceFact::LeaseEnded { grant, how: LeaseEnd::Expired | LeaseEnd::TakenOver, .. },
        ) => {
            let before = recording.world_after(entry.seq.0);
            let holder = before.service.holder().filter(|holder| holder.grant == grant)?;
            let until = holder.until?;
            Some(entry.at.max(until).since(until))
        }
        _ => None,
    };
    recording.entries().iter().filter_map(late).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::property::VerdictKind;
    use crate::sim::scenario::Resource;

    fn table(changes: &[Change]) -> Vec<SystemRow> {
        let base = GALLERY[0].file().base().expect("valid").with(changes).expect("fits");
        SystemSearch::new(&base).finish().rows().to_vec()
    }

    fn row(table: &[SystemRow], system: LockSystem) -> &SystemRow {
        table.iter().find(|row| row.system == system).expect("all are tried")
    }

    #[test]
    fn every_system_is_tried_and_every_cell_is_a_plain_run() {
        let base = GALLERY[0].file().base().expect("valid");
        let table = table(&[]);
        assert_eq!(table.len(), SYSTEMS.len());
        for row in &table {
            for tried in [&row.without, &row.with].into_iter().flatten() {
                let changed = base.with(&tried.patch).expect("fits");
                assert_eq!(changed.spec().lock, row.system);
                let recording = Recording::of(&changed);
                assert_eq!(Outcome::of(&recording), tried.outcome, "{:?}", row.system);
            }
        }
        let server = row(&table, LockSystem::LeaseServer);
        let without = server.without.as_ref().expect("fits");
        assert!(without.patch.is_empty(), "it is the schedule itself");
        assert_eq!(without.outcome.kind, VerdictKind::Corrupted);
        let with = server.with.as_ref().expect("it has a token");
        assert_eq!(with.outcome.kind, VerdictKind::Safe);
    }

    #[test]
    fn a_table_that_is_stopped_says_which_systems_it_has_not_tried() {
        let base = GALLERY[0].file().base().expect("valid");
        let whole = SystemSearch::new(&base).finish();
        assert!(whole.not_tried().is_empty());
        let half = Budget::of_steps(whole.budget().used() / 2);
        let half = SystemSearch::new(&base).within(half).finish();
        let n_rows = half.rows().len();
        assert!((1..SYSTEMS.len()).contains(&n_rows), "{n_rows} rows are there");
        assert_eq!(half.rows(), &whole.rows()[..n_rows]);
        assert_eq!(half.not_tried().len(), SYSTEMS.len() - n_rows);
    }

    #[test]
    fn lateness_is_what_was_seen_in_the_run() {
        let table = table(&[]);
        let late = |system| row(&table, system).late;
        assert_eq!(late(LockSystem::LeaseServer), Some(SimDuration::ZERO));
        assert_eq!(late(LockSystem::Plain), None, "its lease never ends");
        // A's lease is over at 10.2 s; the leader looks at 10.5 s, and the revoke takes 10 ms.
        assert_eq!(late(LockSystem::Etcd), Some(SimDuration::from_millis(310)));
    }

    #[test]
    fn where_nothing_compares_there_is_no_fenced_run() {
        let table = table(&[Change::Resource(Resource::CannotCheck)]);
        assert!(table.iter().all(|row| row.with.is_none() && row.without.is_some()));
    }
}
