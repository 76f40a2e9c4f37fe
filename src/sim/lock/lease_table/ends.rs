//! A lease that is over and has not ended: its time is past, and nobody has acted on that yet. A
//! service that looks from time to time ends it at a look; otherwise whoever asks next does.

use super::{Lease, LeaseTable, ended};
use crate::sim::effect::Effects;
use crate::sim::fact::{LeaseEnd, ServiceFact};
use crate::sim::id::ClientId;
use crate::sim::scenario::Ends;
use crate::sim::time::LocalTime;

impl Lease {
    /// When its time is over, by the clock that is judged by.
    fn over_at(&self) -> Option<LocalTime> {
        self.written.or(self.expires)
    }
}

impl LeaseTable {
    /// When the table ends this lease by itself, if nothing is heard of it.
    pub(super) fn ends_at(&self, lease: &Lease) -> Option<LocalTime> {
        let Some(ends) = self.rules.acts() else {
            let ttl = self.known(lease.client).ttl;
            return lease.expires.map(|until| self.rules.stands_until(until, ttl));
        };
        let until = lease.over_at()?;
        let from = lease.heard.unwrap_or(until);
        // Looks that were due while it was away were not made, and nothing is marked any more.
        let later = |at: LocalTime| self.looks_from.map_or(at, |from| from.max(at));
        ends.acts_at(later(until), later(from))
    }

    /// What a lease keeps of when its holder was heard: a second look asks for that.
    pub(super) fn heard(&self, now: LocalTime) -> Option<LocalTime> {
        let asks = matches!(self.rules.acts(), Some(Ends::SecondLook { .. }));
        asks.then_some(now)
    }

    /// When it is noted that the holder's time is over, before anybody acts on that.
    pub(super) fn notes_at(&self) -> Option<LocalTime> {
        self.rules.acts()?;
        self.holder.filter(|lease| !lease.is_over)?.over_at()
    }

    /// Notes that the holder's time is over.
    pub(super) fn note_over(&mut self, now: LocalTime, effects: &mut Effects) {
        if self.notes_at().is_some_and(|at| at <= now)
            && let Some(lease) = &mut self.holder
        {
            lease.is_over = true;
            let Lease { grant, client, token, .. } = *lease;
            effects.fact(ServiceFact::Overdue { grant, client, token });
        }
    }

    /// Whether the table lets this lease's holder do anything with it.
    pub(super) fn is_open(&self, lease: &Lease) -> bool {
        !(lease.is_past || lease.is_over && self.rules.refuses_late())
    }

    /// Whether whoever asks, its wall clock showing `stamp`, may take this lease: its time is over,
    /// and nobody else acts on that.
    pub(super) fn may_be_taken(&self, lease: &Lease, stamp: LocalTime) -> bool {
        match (self.rules.acts(), lease.written) {
            (Some(Ends::WhenTaken), None) => lease.is_over,
            (None | Some(Ends::WhenTaken), written) => written.is_some_and(|at| at <= stamp),
            (Some(Ends::OnTime | Ends::AtSweep { .. } | Ends::SecondLook { .. }), _) => false,
        }
    }

    /// Somebody asks: what it may take ends.
    pub(super) fn take_over_if_past(
        &mut self,
        client: ClientId,
        stamp: LocalTime,
        effects: &mut Effects,
    ) {
        let Some(lease) = self.holder.filter(|lease| self.may_be_taken(lease, stamp)) else {
            return;
        };
        self.holder = None;
        if !lease.is_past {
            // Nobody takes over what was its own.
            let own = self.is_same_owner(lease.client, client);
            let how = if own { LeaseEnd::Expired } else { LeaseEnd::TakenOver };
            effects.fact(ended(&lease, how));
        }
    }
}
