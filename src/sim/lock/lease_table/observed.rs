//! The lock as a record that the service keeps and does not judge: whoever asks is shown which
//! version of it stands there, and replaces it if that is the one that it has watched for long
//! enough (compare and swap). Each grant and each renewal writes a new version.

use super::{Lease, LeaseTable, ended};
use crate::sim::effect::Effects;
use crate::sim::fact::LeaseEnd;
use crate::sim::scenario::ExpiryJudge;
use crate::sim::time::SimDuration;

/// What an observer sees of the lock's record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Record {
    /// How often it has been written.
    pub version: u32,
    /// The time to live that its holder wrote into it; `None`: none.
    pub ttl: Option<SimDuration>,
}

impl LeaseTable {
    /// Whether observers judge.
    pub(super) fn is_observed(&self) -> bool {
        self.rules.expiry == ExpiryJudge::Observers
    }

    /// Whether askers judge by the time that the holder wrote.
    pub(super) fn is_by_holders_time(&self) -> bool {
        self.rules.expiry == ExpiryJudge::HoldersTimestamp
    }

    /// The holder has written the record.
    pub(super) fn write_record(&mut self, ttl: Option<SimDuration>) {
        if self.is_observed() {
            self.record = Record { version: self.record.version.saturating_add(1), ttl };
        }
    }

    /// What somebody is shown who found the lock taken.
    pub(super) fn shown_record(&self) -> Option<Record> {
        (self.is_observed() && self.holder.is_some()).then_some(self.record)
    }

    /// Somebody has watched this version for long enough; if it still stands there, it goes.
    pub(super) fn replace_if_unchanged(&mut self, version: Option<u32>, effects: &mut Effects) {
        if version != Some(self.record.version) {
            return;
        }
        if let Some(lease) = self.holder.take() {
            effects.fact(ended(&lease, LeaseEnd::TakenOver));
        }
    }

    /// The holder asked again and found its own record: it writes it anew. For how long it holds
    /// from here.
    pub(super) fn rewritten(&mut self, lease: Lease, effects: &mut Effects) -> Option<SimDuration> {
        let ttl = self.known(lease.client).ttl.filter(|_| self.is_observed())?;
        self.write_record(Some(ttl));
        effects.fact(lease.as_grant().renewed(lease.client, ttl));
        Some(ttl)
    }
}
