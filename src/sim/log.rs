//! The event log: every fact of a run in order, each with its cause. A log is never edited; a
//! change makes a new scenario, and that a new log.

use super::id::{EntrySeq, NodeId};
use super::time::SimTime;
use crate::sim::fact::Fact;

/// One fact with its place in the run. 56 bytes: a run of `limits::MAX_EVENTS` takes 56 MB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LogEntry {
    /// When it happened.
    pub at: SimTime,
    /// Its place in the log.
    pub seq: EntrySeq,
    /// The entry that led to it. Entries without one are due to the scenario alone.
    pub cause: Option<Cause>,
    /// What happened, and where.
    pub fact: Fact,
}

const _: () = assert!(size_of::<LogEntry>() <= 56, "a longer entry makes every run larger");

impl LogEntry {
    /// Where it happened.
    pub fn node(&self) -> NodeId {
        self.fact.node()
    }
}

/// A reference to an earlier entry; kept one higher than the entry's place, so that `Option` of it
/// takes four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cause(std::num::NonZeroU32);

impl Cause {
    /// A reference to the entry at `seq`.
    pub fn of(seq: EntrySeq) -> Self {
        Self(std::num::NonZeroU32::MIN.saturating_add(seq.0))
    }

    /// The entry referred to.
    pub fn seq(self) -> EntrySeq {
        EntrySeq(self.0.get() - 1)
    }
}

/// The entries of a run, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventLog {
    entries: Vec<LogEntry>,
}

impl EventLog {
    /// All entries.
    pub fn entries(&self) -> &[LogEntry] {
        &self.entries
    }

    /// The entry at `seq`, if there is one.
    pub fn get(&self, seq: EntrySeq) -> Option<&LogEntry> {
        self.entries.get(seq.index())
    }

    /// Number of entries.
    pub fn n_entries(&self) -> u32 {
        u32::try_from(self.entries.len()).expect("limits::MAX_EVENTS fits 32 bits")
    }

    /// How many entries happened at `time` or before.
    pub fn n_until(&self, time: SimTime) -> u32 {
        let count = self.entries.partition_point(|entry| entry.at <= time);
        u32::try_from(count).expect("limits::MAX_EVENTS fits 32 bits")
    }

    /// How many entries happened before `time`.
    pub fn n_before(&self, time: SimTime) -> u32 {
        let count = self.entries.partition_point(|entry| entry.at < time);
        u32::try_from(count).expect("limits::MAX_EVENTS fits 32 bits")
    }

    pub(super) fn push(&mut self, at: SimTime, fact: Fact, cause: Option<EntrySeq>) -> EntrySeq {
        let seq = EntrySeq(self.n_entries());
        self.entries.push(LogEntry { at, seq, cause: cause.map(Cause::of), fact });
        seq
    }
}
