//! Who waits at the service: a waiter's place, the session that it may have to keep alive, and how
//! a place is lost.

use super::LeaseTable;
use crate::sim::effect::Effects;
use crate::sim::fact::ServiceFact;
use crate::sim::id::{ClientId, FencingToken, RequestNo, StoreId};
use crate::sim::message::{Answer, ServiceToStore};
use crate::sim::time::LocalTime;

/// A place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Waiter {
    pub(super) client: ClientId,
    /// The request that the grant will answer: the client's last one.
    pub(super) request: RequestNo,
    /// Where tokens are fixed at the enqueue.
    pub(super) token: Option<FencingToken>,
    /// The number that its node is named by, where there are names.
    pub(super) name: FencingToken,
    /// When its own session is over, if it has one.
    pub(super) session_until: Option<LocalTime>,
    /// By its own wall clock, when it asked.
    pub(super) stamp: LocalTime,
}

impl LeaseTable {
    /// Waiters whose own session is over leave, if anybody looks.
    pub(super) fn end_sessions(&mut self, now: LocalTime, effects: &mut Effects) {
        if !self.rules.waiter_check {
            return;
        }
        let (rules, clients) = (&self.rules, &self.clients);
        let over = |waiter: &Waiter| {
            let ttl = clients[waiter.client.index()].ttl;
            waiter.session_until.is_some_and(|until| rules.stands_until(until, ttl) <= now)
        };
        for waiter in self.queue.iter().filter(|waiter| over(waiter)) {
            effects.fact(ServiceFact::WaiterLeft { client: waiter.client });
        }
        let before = self.queue.len();
        self.queue.retain(|waiter| !over(waiter));
        for _ in self.queue.len()..before {
            self.key_is_gone();
        }
    }

    /// Tells a store whether a token is that of the lock's holder.
    pub(super) fn tell(
        &self,
        store: StoreId,
        request: RequestNo,
        token: FencingToken,
        effects: &mut Effects,
    ) {
        let current = self.holder.filter(|lease| self.is_open(lease)).map(|lease| lease.token);
        let valid = current == Some(token);
        effects.fact(ServiceFact::StoreAsked { token, valid });
        effects.send(store, ServiceToStore::Checked { request, token, valid, current });
    }

    /// A holder's or a waiter's key is deleted.
    pub(super) fn key_is_gone(&mut self) {
        if self.rules.ends_take_numbers {
            self.tokens.skip(1);
        }
    }

    pub(super) fn keep_alive(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let touched = self.touch_nodes(now, client) | self.touch_own_lease(now, client, effects);
        if touched || self.keep_early_session(now, client) {
            effects.send(client, Answer::Alive { request });
            return;
        }
        let ttl = self.known(client).ttl;
        let waiter = self.queue.iter_mut().find(|waiter| waiter.client == client);
        let renewable = |until| self.rules.renewable_until(until, ttl) > now;
        let alive = waiter.filter(|waiter| waiter.session_until.is_none_or(renewable));
        let answer = match (alive, ttl) {
            (Some(waiter), Some(ttl)) => {
                waiter.session_until = Some(now + ttl);
                Answer::Alive { request }
            }
            // Granted meanwhile, and the grant is on its way. This sign of life came too late to
            // move the lease's end; an answer would move the client's deadline all the same.
            (None, _) if self.holder.is_some_and(|lease| lease.client == client) => return,
            _ => Answer::SessionOver { request },
        };
        effects.send(client, answer);
    }

    pub(super) fn disconnected(&mut self, now: LocalTime, client: ClientId, effects: &mut Effects) {
        if !self.rules.connection_bound {
            return;
        }
        if self.queue.iter().any(|waiter| waiter.client == client) {
            self.queue.retain(|waiter| waiter.client != client);
            effects.fact(ServiceFact::WaiterLeft { client });
        }
        if let Some(lease) = self.holder.take_if(|lease| lease.client == client) {
            self.connection_is_gone(&lease, now, effects);
        }
    }
}
