//! What of a table several nodes agree on: each applies the same commands in the same order, and no
//! lease ends by a node's own clock but by a command that says so. What time a lease has left is
//! each node's own guess; only the leader acts on it.

use super::{LeaseTable, ended};
use crate::sim::effect::Effects;
use crate::sim::fact::LeaseEnd;
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::time::{LocalTime, SimDuration};

impl LeaseTable {
    /// Who holds the lock, and when the time is over by this node's clock.
    pub(in crate::sim::lock) fn held_until(&self) -> Option<(ClientId, FencingToken, LocalTime)> {
        let lease = self.holder?;
        Some((lease.client, lease.token, lease.expires?))
    }

    /// What is left of a lease by this node's clock; `None`: it is over, or another's.
    pub(in crate::sim::lock) fn left_of(
        &self,
        now: LocalTime,
        client: ClientId,
        token: FencingToken,
    ) -> Option<SimDuration> {
        let (holder, held, until) = self.held_until()?;
        ((holder, held) == (client, token)).then(|| until.since(now))
    }

    /// Whether this client has a place in the queue.
    pub(in crate::sim::lock) fn is_queued(&self, client: ClientId) -> bool {
        self.queue.iter().any(|waiter| waiter.client == client)
    }

    /// It was agreed that the lease's time is over.
    pub(in crate::sim::lock) fn end_as_agreed(&mut self, now: LocalTime, effects: &mut Effects) {
        if let Some(lease) = self.holder.take() {
            effects.fact(ended(&lease, LeaseEnd::Expired));
            self.grant_next(now, effects);
        }
    }
}
