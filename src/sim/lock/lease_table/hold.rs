//! How long a lock stays taken at least: given back sooner, it is nobody's and not free until that
//! time is over. Where askers judge by their own clocks, each by its own (a time that stands in the
//! record, as ShedLock's `lock_until`).

use super::{Lease, LeaseTable};
use crate::sim::effect::Effects;
use crate::sim::fact::ServiceFact;
use crate::sim::time::LocalTime;

impl LeaseTable {
    /// Its holder gave the lock back. Whether it stays taken.
    pub(super) fn keep_for_least_hold(
        &mut self,
        now: LocalTime,
        lease: &Lease,
        effects: &mut Effects,
    ) -> bool {
        let least = self.rules.min_hold;
        let Some(until) = lease.since.filter(|_| !least.is_zero()).map(|since| since + least)
        else {
            return false;
        };
        if until <= now && !self.is_by_holders_time() {
            return false;
        }
        self.kept_until = Some(until);
        let Lease { grant, client, token, .. } = *lease;
        effects.fact(ServiceFact::KeptOn { grant, client, token, left: until.since(now) });
        self.end_least_hold(now, effects);
        self.kept_until.is_some()
    }

    /// Whether who asks now, its wall clock showing `stamp`, finds it taken although nobody has it.
    pub(super) fn is_kept(&self, stamp: LocalTime) -> bool {
        self.kept_until.is_some_and(|until| !self.is_by_holders_time() || stamp < until)
    }

    /// When somebody must be told without asking: nobody watches a time in a record but for those
    /// that wait in the queue.
    pub(super) fn least_hold_ends(&self) -> Option<LocalTime> {
        self.kept_until.filter(|_| !self.is_by_holders_time() || !self.queue.is_empty())
    }

    /// The time may be over by now.
    pub(super) fn end_least_hold(&mut self, now: LocalTime, effects: &mut Effects) {
        if self.least_hold_ends().is_some_and(|until| until <= now) {
            self.kept_until = None;
            self.grant_next(now, effects);
        }
    }
}
