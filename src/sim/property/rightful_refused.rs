//! “Rightful holder never refused”: no write and no seal under a grant that has not ended is
//! refused.

use super::Seen;
use super::breaks::Breaks;
use super::report::{PropertyState, WriteStatus};
use crate::sim::fact::{Fact, StoreFact};
use crate::sim::id::{ClientId, EntrySeq};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::time::SimTime;

#[derive(Clone, Debug, Default)]
pub(super) struct RightfulRefused {
    breaks: Breaks,
    /// Per client, the first refusal since it was last served.
    unserved: [Option<(SimTime, EntrySeq)>; MAX_CLIENTS],
}

impl RightfulRefused {
    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let entry = seen.entry;
        match entry.fact {
            Fact::Store(_, StoreFact::WriteAccepted { write, .. }) => {
                self.unserved[write.client.index()] = None;
            }
            Fact::Store(_, StoreFact::WriteRefused { write, .. })
                if seen.write.is_some_and(|judged| {
                    judged.status == WriteStatus::Rightful && !judged.seen_before
                }) =>
            {
                self.refused(write.client, seen);
            }
            Fact::Store(store, StoreFact::SealRefused { client, grant, .. })
                if seen.facts.status(store, grant) == WriteStatus::Rightful =>
            {
                self.refused(client, seen);
            }
            Fact::Message(..)
            | Fact::Service(..)
            | Fact::Client(..)
            | Fact::Store(..)
            | Fact::Fault(..) => {}
        }
    }

    fn refused(&mut self, client: ClientId, seen: &Seen<'_>) {
        self.breaks.by(seen.entry);
        self.unserved[client.index()].get_or_insert((seen.entry.at, seen.entry.seq));
    }

    /// The first rightful refusal after which that client was never served.
    pub(super) fn never_served(&self) -> Option<(SimTime, EntrySeq)> {
        self.unserved.iter().flatten().min_by_key(|(_, seq)| *seq).copied()
    }

    pub(super) fn state(&self) -> PropertyState {
        self.breaks.state(PropertyState::Holds)
    }
}
