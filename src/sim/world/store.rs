//! A store as the log tells it: where its fence stands, its value, how often it has answered.

use crate::sim::event::{Event, NodeEvent};
use crate::sim::id::{EntrySeq, FencingToken, GrantNo, Version, WriteId};
use crate::sim::log::LogEntry;
use crate::sim::time::ClockShift;

/// What is so at a store.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct StoreState {
    /// The highest token that it has seen in an accepted seal or write, and the entry that set it.
    /// Recorded with fencing off, too. Where check and write are two steps, that of the last one.
    pub highest: Option<(FencingToken, EntrySeq)>,
    /// See [`StorageSettings::overwrites_fence`](crate::sim::scenario::StorageSettings).
    pub(super) overwrites: bool,
    /// The value.
    pub value: Option<ValueState>,
    /// How far its wall clock was set.
    pub shift: ClockShift,
    /// Reads, seals and writes that it has answered.
    pub n_answers: u32,
}

/// A value in a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueState {
    /// The write that made it.
    pub write: WriteId,
    /// The grant under which that write's work began.
    pub grant: GrantNo,
    /// The token that the write carried.
    pub token: FencingToken,
    /// Its version.
    pub version: Version,
    /// The entry that made it.
    pub entry: EntrySeq,
}

impl StoreState {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other events leave a store as it is")]
    pub(super) fn apply(&mut self, entry: &LogEntry) {
        match entry.event {
            Event::WriteAccepted { write, grant, token, version, .. } => {
                if self.overwrites {
                    self.highest = Some((token, entry.seq));
                }
                self.raise(token, entry.seq);
                self.value = Some(ValueState { write, grant, token, version, entry: entry.seq });
                self.n_answers += 1;
            }
            Event::SealAccepted { token, .. } => {
                self.raise(token, entry.seq);
                self.n_answers += 1;
            }
            Event::AtNode(
                NodeEvent::EpochLearnt { token } | NodeEvent::MarkerWritten { token, .. },
            ) => self.raise(token, entry.seq),
            Event::StoreRestarted { forgot: true, .. } => self.highest = None,
            Event::ClockJumped { by, .. } => self.shift = self.shift.plus(by),
            Event::WriteRefused { .. }
            | Event::SealRefused { .. }
            | Event::ReadServed { .. }
            | Event::DuplicateIgnored { .. }
            | Event::Effect { .. } => {
                self.n_answers += 1;
            }
            _ => {}
        }
    }

    fn raise(&mut self, token: FencingToken, entry: EntrySeq) {
        if self.highest.is_none_or(|(highest, _)| token > highest) {
            self.highest = Some((token, entry));
        }
    }
}
