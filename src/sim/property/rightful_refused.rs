//! “Rightful holder never refused”: no write and no seal under a grant that has not ended is
//! refused.

use super::Seen;
use super::breaks::Breaks;
use super::report::{PropertyState, WriteStatus};
use crate::sim::fact::{Fact, Refusal, Seal};
use crate::sim::id::{ClientId, EntrySeq};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::log::LogEntry;
use crate::sim::time::SimTime;

#[derive(Clone, Debug, Default)]
pub(super) struct RightfulRefused {
    breaks: Breaks,
    /// Per client, the first refusal for its token or a missing row since it was last served.
    unserved: [Option<(SimTime, EntrySeq)>; MAX_CLIENTS],
}

impl RightfulRefused {
    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let entry = seen.entry;
        let Fact::Store(store, fact) = entry.fact else {
            return;
        };
        if let Some(written) = fact.applied() {
            self.unserved[written.write.client.index()] = None;
        } else if let Some((written, why, _)) = fact.refused()
            && seen
                .write
                .is_some_and(|judged| judged.status == WriteStatus::Rightful && !judged.seen_before)
        {
            self.breaks.by(entry);
            // A conflict of versions is a cost: reading again and trying again would do.
            if why != Refusal::Version {
                self.refused(written.write.client, entry);
            }
        } else if let Some(Seal { client, grant, below: Some(_), .. }) = fact.seal()
            && seen.facts.status(store, seen.under.unwrap_or(grant)) == WriteStatus::Rightful
        {
            self.breaks.by(entry);
            self.refused(client, entry);
        }
    }

    fn refused(&mut self, client: ClientId, entry: &LogEntry) {
        self.unserved[client.index()].get_or_insert((entry.at, entry.seq));
    }

    /// The first rightful refusal after which that client was never served.
    pub(super) fn never_served(&self) -> Option<(SimTime, EntrySeq)> {
        self.unserved.iter().flatten().min_by_key(|(_, seq)| *seq).copied()
    }

    pub(super) fn state(&self) -> PropertyState {
        self.breaks.state(PropertyState::Holds)
    }
}
