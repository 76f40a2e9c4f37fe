//! What would every other lock system have done? Each tried on this very schedule, without and with
//! a fence. Every cell is a run.

use crate::sim::fact::{Fact, LeaseEnd, ServiceFact};
use crate::sim::lock::{SYSTEMS, TokenWorth};
use crate::sim::scenario::LockSystem;
use crate::sim::{Change, LogEntry, Recording, Scenario, SimDuration, SimTime};

use super::edges::Outcome;

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
}

impl SystemSearch {
    /// A table for `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        Self { scenario: scenario.clone(), rows: Vec::new() }
    }

    /// Makes the runs of one row. Tells whether the table is complete.
    pub fn step(&mut self) -> bool {
        if let Some(info) = SYSTEMS.get(self.rows.len()) {
            self.rows.push(self.tried(info.system));
        }
        self.is_complete()
    }

    /// Fills the whole table.
    pub fn finish(mut self) -> Vec<SystemRow> {
        while !self.step() {}
        self.rows
    }

    /// Whether every row is there.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == SYSTEMS.len()
    }

    /// The rows so far.
    pub fn rows(&self) -> &[SystemRow] {
        &self.rows
    }

    fn tried(&self, system: LockSystem) -> SystemRow {
        let run = |fencing: bool| {
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
            let recording = Recording::of(&changed);
            let outcome = Outcome::of(&recording);
            let tried = Tried { patch, outcome, at: recording.verdict().at };
            Some((tried, recording))
        };
        let (without, with) = (run(false), run(true));
        let first = without.as_ref().map(|(_, recording)| recording);
        SystemRow {
            system,
            late: first.and_then(lateness),
            worth: first.map_or(TokenWorth::Nothing, |run| run.scenario().rules().worth),
            without: without.map(|(tried, _)| tried),
            with: with.map(|(tried, _)| tried),
        }
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
        SystemSearch::new(&base).finish()
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
