//! Waiters that are ordered by the names of their nodes, as ZooKeeper's are: whose name comes first
//! holds the lock, and nobody tells it when that changes. What becomes of the place that a client
//! has when it asks again, and of the lock's own node when nobody is there.

use super::{Lease, LeaseTable, Waiter, ended};
use crate::sim::effect::Effects;
use crate::sim::fact::{LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::lock::tokens::Tokens;
use crate::sim::lock::{Anew, NameOrder, NodeRules};
use crate::sim::time::LocalTime;

/// The numbers that nodes are named by, and who was overtaken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Names {
    rules: NodeRules,
    numbers: Tokens,
    /// Holders whose name no longer comes first. Their nodes and their sessions live on.
    overtaken: Vec<Lease>,
}

impl Names {
    pub(super) fn new(rules: NodeRules, seed: u32) -> Self {
        let numbers = Tokens::of_names(rules.first, rules.others_create, rules.stands_still, seed);
        Self { rules, numbers, overtaken: Vec::new() }
    }
}

/// Whether the node of the first number comes before that of the second.
fn comes_before(order: NameOrder, one: FencingToken, other: FencingToken) -> bool {
    // The server names a node by ten digits at least, padded with zeros.
    let text = |number: FencingToken| format!("{:010}", number.0);
    match order {
        NameOrder::Number => one < other,
        NameOrder::Text => text(one) < text(other),
    }
}

impl LeaseTable {
    /// The name and the token of a node that is made now; `None` without names.
    pub(super) fn make_node(&mut self) -> Option<(FencingToken, FencingToken)> {
        let names = self.names.as_mut()?;
        let name = names.numbers.draw();
        let token = if names.rules.token_is_name { name } else { self.tokens.draw() };
        Some((name, token))
    }

    /// Whether no node can be made: its name would be that of one that is there.
    pub(super) fn name_is_taken(&self) -> bool {
        let last = FencingToken(i64::from(i32::MAX));
        let at_the_end = |names: &Names| names.numbers.is_at_its_end();
        let waiting = self.queue.iter().any(|waiter| waiter.name == last);
        self.names.as_ref().is_some_and(at_the_end)
            && (waiting || self.holder.is_some_and(|lease| lease.name == last))
    }

    /// Puts a waiter where its name says; without names at the end. Tells its place.
    pub(super) fn join(&mut self, waiter: Waiter) -> usize {
        let order = self.names.as_ref().map(|names| names.rules.order);
        let later = |other: &Waiter| {
            order.is_some_and(|order| comes_before(order, waiter.name, other.name))
        };
        let place = self.queue.iter().position(later).unwrap_or(self.queue.len());
        self.queue.insert(place, waiter);
        place
    }

    /// Whether a client that asks again makes another node, because it cannot tell which is its
    /// own.
    pub(super) fn leaves_orphans(&self) -> bool {
        self.names.as_ref().is_some_and(|names| !names.rules.finds_own)
    }

    /// A newcomer's name comes before the holder's: it holds the lock from here, and the other one
    /// is not told.
    pub(super) fn overtake(&mut self, newcomer: &Waiter, effects: &mut Effects) {
        let Some(names) = &mut self.names else {
            return;
        };
        let order = names.rules.order;
        let is_later = |lease: &mut Lease| comes_before(order, newcomer.name, lease.name);
        if let Some(lease) = self.holder.take_if(is_later) {
            effects.fact(ended(&lease, LeaseEnd::Overtaken));
            names.overtaken.push(lease);
        }
    }

    /// The session of a client was heard of: all its nodes live on. Tells whether one does beside
    /// the one that holds the lock.
    pub(super) fn touch_nodes(&mut self, now: LocalTime, client: ClientId) -> bool {
        let ttl = self.known(client).ttl;
        let (Some(names), Some(whole)) = (&mut self.names, ttl) else {
            return false;
        };
        let rules = &self.rules;
        let renewable = |until: LocalTime| rules.renewable_until(until, ttl) > now;
        let waiters = self.queue.iter_mut().filter(|waiter| waiter.client == client);
        let waiting = waiters.map(|waiter| &mut waiter.session_until);
        let overtaken = names.overtaken.iter_mut().filter(|lease| lease.client == client);
        let mut found = false;
        for until in waiting.chain(overtaken.map(|lease| &mut lease.expires)) {
            if until.is_some_and(renewable) {
                *until = Some(now + whole);
                found = true;
            }
        }
        found
    }

    /// The same for a node that holds the lock and whose client waits all the same: it was never
    /// told, and its session keeps the node alive.
    pub(super) fn touch_own_lease(
        &mut self,
        now: LocalTime,
        client: ClientId,
        effects: &mut Effects,
    ) -> bool {
        let ttl = self.known(client).ttl;
        let rules = &self.rules;
        let renewable = |until: LocalTime| rules.renewable_until(until, ttl) > now;
        let own = self.holder.as_mut().filter(|lease| lease.client == client);
        let own = own.filter(|lease| lease.expires.is_some_and(renewable));
        let (Some(_), Some(lease), Some(ttl)) = (&self.names, own, ttl) else {
            return false;
        };
        lease.expires = Some(now + ttl);
        effects.fact(lease.as_grant().renewed(client, ttl));
        true
    }

    /// Whether it was overtaken under this token; its session lives, and that is all it asks after.
    pub(super) fn was_overtaken(&self, now: LocalTime, token: FencingToken) -> bool {
        let lives = |lease: &Lease| {
            let ttl = self.known(lease.client).ttl;
            lease.expires.is_some_and(|until| self.rules.renewable_until(until, ttl) > now)
        };
        self.names.as_ref().is_some_and(|names| {
            names.overtaken.iter().any(|lease| lease.token == token && lives(lease))
        })
    }

    /// Its node is gone: it gave the lock back that it had lost.
    pub(super) fn forget_overtaken(&mut self, client: ClientId, token: FencingToken) {
        if let Some(names) = &mut self.names {
            names.overtaken.retain(|lease| lease.client != client || lease.token != token);
        }
    }

    /// The nodes go whose sessions are over.
    pub(super) fn end_overtaken(&mut self, now: LocalTime) {
        let (rules, clients) = (&self.rules, &self.clients);
        if let Some(names) = &mut self.names {
            let lives = |lease: &Lease| {
                let ttl = clients[lease.client.index()].ttl;
                lease.expires.is_some_and(|until| rules.stands_until(until, ttl) > now)
            };
            names.overtaken.retain(lives);
        }
    }

    /// When the first of them goes.
    pub(super) fn next_end_of_overtaken(&self) -> Option<LocalTime> {
        let overtaken = self.names.iter().flat_map(|names| &names.overtaken);
        let ends = overtaken.filter_map(|lease| {
            let ttl = self.known(lease.client).ttl;
            lease.expires.map(|until| self.rules.stands_until(until, ttl))
        });
        ends.min()
    }

    /// Whether no node is there that comes before this name.
    pub(super) fn comes_first(&self, name: FencingToken) -> bool {
        self.names.as_ref().is_none_or(|names| {
            let order = names.rules.order;
            !names.overtaken.iter().any(|lease| comes_before(order, lease.name, name))
        })
    }

    /// What the lock's own node has become by the time at which a client makes its own below it.
    pub(super) fn look_at_the_parent(&mut self, now: LocalTime, effects: &mut Effects) {
        let Some(every) = self.rules.removed_when_empty else {
            return;
        };
        let Some(since) = self.empty_since.take() else {
            return;
        };
        if since.rounded_up_to(every) > now {
            return;
        }
        effects.fact(ServiceFact::MadeAnew);
        match self.rules.anew {
            Anew::NamesRestart => {
                if let Some(names) = &mut self.names {
                    names.numbers.go_on_from(FencingToken(0));
                }
            }
            Anew::TokensRestart => self.tokens.reset(),
            Anew::NextInstance => self.tokens.new_epoch(),
        }
    }

    /// Notes since when nobody has had a node.
    pub(super) fn note_emptiness(&mut self, now: LocalTime) {
        if self.rules.removed_when_empty.is_none() {
            return;
        }
        let overtaken = self.names.as_ref().is_some_and(|names| !names.overtaken.is_empty());
        let is_empty = self.holder.is_none() && self.queue.is_empty() && !overtaken;
        if !is_empty {
            self.empty_since = None;
        } else if self.n_grants > 0 {
            self.empty_since.get_or_insert(now);
        }
    }
}
