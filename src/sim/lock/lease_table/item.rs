//! A lock that stands for one item of a queue: each grant is a delivery of it, and whoever has one
//! settles it: it is done, or goes back. What is done or dead is closed: nobody is granted it.

use super::{Lease, LeaseTable, ended};
use crate::sim::effect::Effects;
use crate::sim::fact::{LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, RequestNo};
use crate::sim::lock::ItemRules;
use crate::sim::message::Answer;
use crate::sim::scenario::{SettleCheck, SettleRefusal};
use crate::sim::time::LocalTime;

/// How an item is closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Closed {
    /// It is done; by which handle.
    Done(FencingToken),
    /// It was delivered as often as it may be.
    Dead,
}

impl LeaseTable {
    /// Whether the item is closed. One that is free, and not kept, and was delivered as often as it
    /// may be is dead from there.
    pub(super) fn is_closed(&mut self, is_kept: bool, effects: &mut Effects) -> bool {
        let most = self.rules.item.and_then(|item| item.max_deliveries);
        let is_worn = most.is_some_and(|most| self.n_grants >= most);
        let is_free = self.holder.is_none() && self.blocked_until.is_none() && !is_kept;
        if self.closed.is_none() && is_worn && is_free {
            effects.fact(ServiceFact::ItemDead { deliveries: self.n_grants });
            self.close(Closed::Dead, effects);
        }
        self.closed.is_some()
    }

    /// Nobody is granted any more: whoever waits is told.
    fn close(&mut self, how: Closed, effects: &mut Effects) {
        self.closed = Some(how);
        for waiter in std::mem::take(&mut self.queue) {
            nothing_left(waiter.client, waiter.request, effects);
        }
    }

    /// Whether a settling of the item is taken.
    fn may_settle(&self, item: ItemRules, client: ClientId, token: FencingToken) -> bool {
        let open = self.holder.filter(|lease| self.is_open(lease));
        match item.check {
            SettleCheck::Handle => open.is_some_and(|lease| {
                lease.is_under(token) && self.is_same_owner(lease.client, client)
            }),
            SettleCheck::State => open.is_some(),
            SettleCheck::Item => true,
        }
    }

    /// A worker settles its delivery.
    pub(super) fn settle(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        (token, back): (FencingToken, bool),
        effects: &mut Effects,
    ) {
        let Some(item) = self.rules.item else {
            return;
        };
        // Said again, it is answered as the first time.
        if self.closed == Some(Closed::Done(token)) && !back {
            effects.send(client, Answer::Settled { request });
            return;
        }
        if self.closed.is_some() || !self.may_settle(item, client, token) {
            let told = item.refusal == SettleRefusal::Told;
            effects.fact(ServiceFact::SettleRefused { client, token, back, told });
            let answer = match told {
                true => Answer::SettleRefused { request },
                false => Answer::Settled { request },
            };
            effects.send(client, answer);
            return;
        }
        let lease = self.holder.take();
        if let Some(lease) = &lease {
            effects.fact(ended(lease, how_it_ends(lease, client, token, back)));
        }
        effects.send(client, Answer::Settled { request });
        if back {
            // Who puts back what nobody holds frees nothing: it may be blocked, or kept.
            if lease.is_some_and(|it| !self.keep_for_least_hold(now, &it, effects)) {
                self.grant_next(now, effects);
            }
        } else {
            effects.fact(ServiceFact::ItemDone { by: client, token });
            self.close(Closed::Done(token), effects);
        }
    }
}

fn how_it_ends(lease: &Lease, client: ClientId, token: FencingToken, back: bool) -> LeaseEnd {
    let own = lease.client == client && lease.is_under(token);
    match (back, own) {
        (false, _) => LeaseEnd::Settled(client),
        (true, true) => LeaseEnd::Released,
        (true, false) => LeaseEnd::ReleasedBy(client),
    }
}

/// Who asks is told that nothing is left.
pub(super) fn nothing_left(client: ClientId, request: RequestNo, effects: &mut Effects) {
    effects.fact(ServiceFact::NothingLeft { client });
    effects.send(client, Answer::NothingLeft { request });
}
