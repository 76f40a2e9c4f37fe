//! How long a lease may be renewed at the service: a renewal that would pass that time, counted
//! from the grant, is refused, or given what is left of it. The grant itself lasts no longer, but
//! for a session's, which was promised before.

use super::LeaseTable;
use crate::sim::effect::Effects;
use crate::sim::fact::ServiceFact;
use crate::sim::scenario::LeaseCap;
use crate::sim::time::{LocalTime, SimDuration};

impl LeaseTable {
    pub(super) fn longest(&self) -> Option<SimDuration> {
        match self.rules.cap {
            LeaseCap::Off => None,
            LeaseCap::RefusedAfter(longest) | LeaseCap::CutAfter(longest) => Some(longest),
        }
    }

    /// What a grant lasts that was asked for with this time to live.
    pub(super) fn of_grant(&self, ttl: SimDuration) -> SimDuration {
        self.longest().map_or(ttl, |longest| ttl.min(longest))
    }

    /// What of a time to live the holder's lease may still be given; `None`: it is refused. It is
    /// said where that is not all.
    pub(super) fn of_renewal(
        &self,
        now: LocalTime,
        ttl: SimDuration,
        effects: &mut Effects,
    ) -> Option<SimDuration> {
        let limits = self.holder.zip(self.longest());
        let Some((lease, longest)) = limits.filter(|(lease, longest)| {
            lease.since.is_some_and(|since| since + *longest < now + ttl)
        }) else {
            return Some(ttl);
        };
        let left = lease.since.map_or(SimDuration::ZERO, |since| (since + longest).since(now));
        // A session's lease can last longer than that already: no renewal shortens it.
        let is_no_shorter = lease.expires.is_none_or(|expires| self.ends(now, left) >= expires);
        let cut =
            matches!(self.rules.cap, LeaseCap::CutAfter(_)) && !left.is_zero() && is_no_shorter;
        let (grant, client, token) = (lease.grant, lease.client, lease.token);
        effects.fact(ServiceFact::CapReached { grant, client, token, longest, cut });
        cut.then_some(left)
    }
}
