//! The event log: every fact of a run in order, each with its cause. A log is never edited; a
//! change makes a new scenario, and that a new log.

use std::cell::RefCell;

use super::id::{EntrySeq, FaultId, NodeId};
use super::limits::MAX_EVENTS;
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

/// Entries from which on a log is given room for all that a run may have, at once: two megabytes.
const LONG: usize = 32_768;
/// What a last step may still log once the limit is reached.
const LAST_STEP: usize = 1_024;
const ROOM: usize = MAX_EVENTS as usize + LAST_STEP;
/// Rooms that are kept for the next long runs: two are shown while two others are made.
const MAX_SPARE: usize = 2;

thread_local! {
    /// Rooms of long runs that are gone, empty. WebAssembly's memory never shrinks, and what is
    /// freed there is soon broken into small pieces: without these each long run would take some
    /// more of it.
    static SPARE: RefCell<Vec<Vec<LogEntry>>> = const { RefCell::new(Vec::new()) };
}

/// Keeps a room for the next long run, if it is one.
fn give_back(mut room: Vec<LogEntry>) {
    if room.capacity() < ROOM {
        return;
    }
    room.clear();
    // A thread that is over keeps nothing.
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        if spare.len() < MAX_SPARE {
            spare.push(room);
        }
    });
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

    /// The entry in which a fault of the scenario first acted, if it did.
    pub fn first_of(&self, fault: FaultId) -> Option<&LogEntry> {
        self.entries.iter().find(|entry| matches!(entry.fact, Fact::Fault(id, _) if id == fault))
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
        if self.entries.len() == LONG {
            let mut room = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
            room.reserve_exact(ROOM);
            room.append(&mut self.entries);
            self.entries = room;
        }
        self.entries.push(LogEntry { at, seq, cause: cause.map(Cause::of), fact });
        seq
    }

    /// Gives back what a run that is over did not take of its room, if that is more than half.
    pub(super) fn close(&mut self) {
        if self.entries.len() < self.entries.capacity() / 2 {
            let exact = self.entries.as_slice().to_vec();
            give_back(std::mem::replace(&mut self.entries, exact));
        }
    }
}

impl Drop for EventLog {
    fn drop(&mut self) {
        give_back(std::mem::take(&mut self.entries));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::fact::ClientFact;
    use crate::sim::id::ClientId;

    /// A log of so many entries, which are all alike.
    fn log(n_entries: usize) -> EventLog {
        let mut log = EventLog::default();
        let done = ClientFact::WorkerDone { holding: true };
        for _ in 0..n_entries {
            log.push(SimTime::ZERO, Fact::Client(ClientId(0), done), None);
        }
        log
    }

    #[test]
    fn a_long_log_takes_the_room_of_one_that_is_gone() {
        let first = log(LONG + 1);
        let (room, other) = (first.entries().as_ptr(), log(LONG + 1));
        assert_ne!(other.entries().as_ptr(), room, "both are there");
        drop(first);
        assert_ne!(log(LONG).entries().as_ptr(), room, "a short one needs none");
        let mut next = log(LONG + 2);
        assert_eq!(next.entries().as_ptr(), room);
        assert_eq!(next, log(LONG + 2), "nothing of the old one is left");
        next.close();
        assert_ne!(next.entries().as_ptr(), room, "it takes a part of it");
        assert_eq!(next.entries.capacity(), LONG + 2);
        assert_eq!(log(LONG + 1).entries().as_ptr(), room);
    }
}
