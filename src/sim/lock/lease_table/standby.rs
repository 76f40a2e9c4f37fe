//! What of a table goes to a copy of it, and what the copy makes of that when it takes the table's
//! place. A copy that is not in place does nothing by itself: it neither ends a lease nor grants.

use super::{Lease, LeaseTable};
use crate::sim::effect::Effects;
use crate::sim::fact::{Grant, LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo};
use crate::sim::time::LocalTime;

/// The lock as one node tells it to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Copied {
    /// Who holds it, if anybody does.
    pub held: Option<Held>,
    /// The counter's next token.
    pub next: FencingToken,
}

/// Who holds a lock, as one node tells it to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Held {
    /// For the record; nobody decides by it.
    pub grant: GrantNo,
    /// Whose it is.
    pub client: ClientId,
    /// The token that it was granted under, or the value that stands for one.
    pub first: FencingToken,
    /// The same, or what a holder that took the lock again drew last.
    pub token: FencingToken,
    /// Until when, by the clock that is judged by: an instant, not a length.
    pub expires: Option<LocalTime>,
}

impl LeaseTable {
    /// A grant's number: its own count, unless another node grants as well.
    pub(super) fn new_grant(&mut self, effects: &mut Effects) -> GrantNo {
        if self.rules.has_standby {
            return effects.new_grant();
        }
        self.n_grants += 1;
        GrantNo(self.n_grants)
    }

    /// What a copy is told.
    pub(in crate::sim::lock) fn copied(&self) -> Copied {
        let held = self.holder.map(|lease| {
            let Lease { grant, client, first, token, expires, .. } = lease;
            Held { grant, client, first, token, expires }
        });
        Copied { held, next: self.tokens.upcoming() }
    }

    /// Takes over what it is told, as a copy that nobody asks.
    pub(in crate::sim::lock) fn copy(&mut self, told: Copied, effects: &mut Effects) {
        let lease = |held: Held| {
            let Held { grant, client, first, token, expires } = held;
            let name = FencingToken(0);
            Lease {
                grant,
                client,
                first,
                token,
                name,
                expires,
                written: None,
                is_past: false,
                is_over: false,
                heard: None,
                cut_at: None,
                since: None,
            }
        };
        self.holder = told.held.map(lease);
        self.tokens.go_on_from(told.next);
        let held = told.held.map(|held| (held.client, held.token));
        effects.fact(ServiceFact::Copied { held });
    }

    /// Takes the place of the table that it is a copy of. `named`: the grant that this one named
    /// last, for the record; if the copy does not have it, it is forgotten.
    pub(in crate::sim::lock) fn take_place(
        &mut self,
        now: LocalTime,
        named: Option<Grant>,
        effects: &mut Effects,
    ) {
        let known = self.holder.map(|lease| lease.grant);
        if let Some(grant) = named.filter(|named| Some(named.no) != known) {
            effects.fact(grant.ended(LeaseEnd::Forgotten));
        }
        let fact = match self.holder {
            Some(Lease { grant, client, token, expires, .. }) => {
                let ttl = expires.map(|expires| expires.since(now));
                ServiceFact::TookOver { grant, client, token, ttl }
            }
            None => ServiceFact::TookOverFree,
        };
        effects.fact(fact);
        self.pass_time(now, effects);
        self.set_timer(effects);
    }

    /// What its timer is set to.
    pub(in crate::sim::lock) fn timer_is(&self) -> Option<LocalTime> {
        self.timer
    }
}
