//! A lock that is a record, or lives in an open transaction: who looks before it asks, who writes
//! over what stands there, and what the loss of a connection undoes.

use super::{Lease, LeaseTable, ended};
use crate::sim::effect::Effects;
use crate::sim::fact::{LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, RequestNo};
use crate::sim::message::Answer;
use crate::sim::time::LocalTime;

impl LeaseTable {
    /// Somebody reads the record, to ask for the lock if it is free. `stamp`: its wall clock.
    pub(super) fn look(
        &mut self,
        client: ClientId,
        request: RequestNo,
        stamp: LocalTime,
        effects: &mut Effects,
    ) {
        let past = |lease: &Lease| self.may_be_taken(lease, stamp);
        let free = self.holder.as_ref().is_none_or(past) && !self.is_kept(stamp);
        if !free {
            effects.fact(ServiceFact::Refused { client });
        }
        effects.send(client, Answer::Looked { request, free });
    }

    /// Who has looked before writes without another condition, over whatever stands there now.
    pub(super) fn write_over(&mut self, effects: &mut Effects) {
        if !self.rules.overwrites {
            return;
        }
        self.kept_until = None;
        if let Some(lease) = self.holder.take().filter(|lease| !lease.is_past) {
            effects.fact(ended(&lease, LeaseEnd::TakenOver));
        }
    }

    /// The holder said something: its connection is not idle.
    pub(super) fn hears(&mut self, now: LocalTime, client: ClientId) {
        let after = self.rules.cuts_idle_after;
        if let Some(lease) = self.holder.as_mut().filter(|lease| lease.client == client) {
            lease.cut_at = after.map(|after| now + after);
        }
    }

    /// Cuts a connection that has been idle for too long.
    pub(super) fn cut_idle(&mut self, now: LocalTime, effects: &mut Effects) {
        let is_idle = |lease: &mut Lease| lease.cut_at.is_some_and(|at| at <= now);
        if let Some(lease) = self.holder.take_if(is_idle) {
            self.connection_is_gone(&lease, now, effects);
        }
    }

    /// The lock ends with the connection that it lived with, and what was not committed is undone.
    pub(super) fn connection_is_gone(
        &mut self,
        lease: &Lease,
        now: LocalTime,
        effects: &mut Effects,
    ) {
        effects.fact(ended(lease, LeaseEnd::Disconnected));
        if self.rules.rolls_back {
            self.tokens.go_on_from(lease.first);
        }
        self.free_after_failure(now, effects);
    }
}
