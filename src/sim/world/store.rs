//! A store as the log tells it: where its fence stands, its value, how often it has answered.

use crate::sim::fact::{Said, StoreFact, Written};
use crate::sim::id::{EntrySeq, FencingToken, GrantNo, Version, WriteId};
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
    pub(super) fn apply(&mut self, fact: StoreFact, seq: EntrySeq) {
        if let Some(token) = fact.raises() {
            if self.overwrites && fact.applied().is_some() {
                self.highest = Some((token, seq));
            }
            self.raise(token, seq);
        }
        if let Some((Written { write, grant, token }, Said::Applied { version, .. })) =
            fact.written()
        {
            self.value = Some(ValueState { write, grant, token, version, entry: seq });
        }
        self.n_answers += u32::from(fact.is_an_answer());
    }

    fn raise(&mut self, token: FencingToken, entry: EntrySeq) {
        if self.highest.is_none_or(|(highest, _)| token > highest) {
            self.highest = Some((token, entry));
        }
    }
}
