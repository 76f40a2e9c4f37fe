//! Wasted work: a piece that all clients share was done by two of them, and it did no harm.

use std::collections::BTreeMap;

use super::Seen;
use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, EntrySeq};
use crate::sim::time::SimTime;

#[derive(Clone, Debug, Default)]
pub(super) struct WorkTwice {
    /// Who did each step of each shared piece first.
    done_by: BTreeMap<(u32, u16), ClientId>,
    first: Option<(SimTime, EntrySeq)>,
}

impl WorkTwice {
    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let write = match seen.entry.fact {
            Fact::Store(_, fact) => fact.act().map(|act| act.write).or_else(|| fact.stands()),
            Fact::Message(..) | Fact::Service(..) | Fact::Client(..) | Fact::Fault(..) => None,
        };
        let Some(write) = write else {
            return;
        };
        if write.shared {
            let doer = *self.done_by.entry((write.work, write.step)).or_insert(write.client);
            if doer != write.client {
                self.first.get_or_insert((seen.entry.at, seen.entry.seq));
            }
        }
    }

    /// When a piece was first done for the second time.
    pub(super) fn first(&self) -> Option<(SimTime, EntrySeq)> {
        self.first
    }
}
