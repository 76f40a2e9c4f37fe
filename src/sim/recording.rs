//! A run that is over: its log, snapshots for seeking, and what it is judged to be. A recording is
//! a value; it never changes.

use super::digest::Digest;
use super::history::{Damage, History};
use super::id::{EntrySeq, GrantNo};
use super::limits::SNAPSHOT_EVERY;
use super::log::{EventLog, LogEntry};
use super::property::{
    Costs, GrantRecord, PropertyReport, Report, Verdict, WriteJudgement, damage_of,
};
use super::scenario::Scenario;
use super::time::SimTime;
use super::world::World;

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// It reached its length.
    Complete,
    /// It reached `limits::MAX_EVENTS` entries or `limits::MAX_STEPS` steps; what there is is
    /// shown.
    Limit,
}

/// A run that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    scenario: Scenario,
    log: EventLog,
    /// The world before entry `i * SNAPSHOT_EVERY`.
    snapshots: Vec<World>,
    report: Report,
    history: History,
    ends_at: SimTime,
    run_end: RunEnd,
}

impl Recording {
    /// Runs `scenario` to its end.
    pub fn of(scenario: &Scenario) -> Self {
        super::engine::record(scenario)
    }

    /// What was run.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The log.
    pub fn log(&self) -> &EventLog {
        &self.log
    }

    /// The log's entries.
    pub fn entries(&self) -> &[LogEntry] {
        self.log.entries()
    }

    /// When the run ended.
    pub fn ends_at(&self) -> SimTime {
        self.ends_at
    }

    /// Why the run ended.
    pub fn run_end(&self) -> RunEnd {
        self.run_end
    }

    /// A number that two runs share if, and practically only if, their logs are equal. Computed
    /// when asked for: a run that is dragged need not pay for it.
    pub fn digest(&self) -> Digest {
        Digest::of(self.log.entries())
    }

    /// The properties, in `PropertyId::ALL`'s order.
    pub fn properties(&self) -> &[PropertyReport] {
        &self.report.properties
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.report.verdict
    }

    /// The costs.
    pub fn costs(&self) -> &Costs {
        &self.report.costs
    }

    /// The units of work, and in which order they can have run.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The damage that the verdict is about; `None` where it is about none.
    pub fn damage(&self) -> Option<&Damage> {
        damage_of(&self.report.verdict, &self.history)
    }

    /// Every write's judgement, in log order.
    pub fn writes(&self) -> &[WriteJudgement] {
        &self.report.writes
    }

    /// The judgement of the write that was answered at `entry`.
    pub fn write(&self, entry: EntrySeq) -> Option<&WriteJudgement> {
        let index = self.report.writes.binary_search_by_key(&entry, |write| write.entry).ok()?;
        self.report.writes.get(index)
    }

    /// Every grant, in the order made.
    pub fn grants(&self) -> &[GrantRecord] {
        &self.report.grants
    }

    /// The record of a grant.
    pub fn grant(&self, grant: GrantNo) -> Option<&GrantRecord> {
        self.report.grants.get((grant.0 as usize).checked_sub(1)?)
    }

    /// How many snapshots it keeps for seeking.
    pub fn n_snapshots(&self) -> u32 {
        u32::try_from(self.snapshots.len()).expect("fewer than entries")
    }

    /// The world after the first `n_entries` entries: the nearest snapshot, and at most
    /// `SNAPSHOT_EVERY` entries replayed.
    pub fn world_after(&self, n_entries: u32) -> World {
        let n_entries = n_entries.min(self.log.n_entries());
        let snapshot = (n_entries / SNAPSHOT_EVERY) as usize;
        let nearest = snapshot.min(self.snapshots.len().saturating_sub(1));
        let mut world = self.snapshots[nearest].clone();
        for entry in &self.entries()[world.n_entries as usize..n_entries as usize] {
            world.apply(entry);
        }
        world
    }

    /// The world at `time`: after everything that happened then or before.
    pub fn world_at(&self, time: SimTime) -> World {
        self.world_after(self.log.n_until(time))
    }

    pub(super) fn new(
        scenario: Scenario,
        log: EventLog,
        snapshots: Vec<World>,
        (report, history): (Report, History),
        ends_at: SimTime,
        run_end: RunEnd,
    ) -> Self {
        Self { scenario, log, snapshots, report, history, ends_at, run_end }
    }
}
