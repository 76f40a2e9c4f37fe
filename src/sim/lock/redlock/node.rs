//! One of Redlock's nodes: a Redis with one key. It knows its own wall clock and nothing of the
//! other nodes. Which client a majority stands for is said by nobody here; see `super::majority`.

use super::{Persistence, value_of};
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{KeyFact, LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo, NodeId, RequestNo};
use crate::sim::lock::NodeInput;
use crate::sim::message::Body;
use crate::sim::scenario::{Loses, Scenario};
use crate::sim::time::{LocalTime, SimDuration};

/// A node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    seed: u32,
    /// Per client, the time to live that it asks for.
    ttls: Vec<SimDuration>,
    persistence: Persistence,
    /// How long it keeps out after it was away.
    keeps_out: Option<SimDuration>,
    key: Option<Key>,
    /// On its wall clock: it answers nobody before.
    out_until: Option<LocalTime>,
    timer: Option<LocalTime>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    client: ClientId,
    value: FencingToken,
    expires: LocalTime,
}

impl Node {
    pub(in crate::sim::lock) fn new(scenario: &Scenario) -> Self {
        let own = &scenario.spec().systems.redlock;
        let ttls = scenario.clients().iter().map(|client| client.ttl.unwrap_or_default());
        Self {
            seed: scenario.spec().seed,
            ttls: ttls.collect(),
            persistence: own.persistence,
            keeps_out: scenario.longest_ttl().filter(|_| own.delayed_restart),
            key: None,
            out_until: None,
            timer: None,
        }
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: LocalTime,
        input: NodeInput,
        effects: &mut Effects,
    ) {
        match input {
            NodeInput::Restart(loses) => self.restart(now, loses, effects),
            NodeInput::Timer => self.timer = None,
            // No node of it takes another's place.
            NodeInput::Start | NodeInput::TakesOver { .. } | NodeInput::Message(..) => {}
        }
        self.out_until.take_if(|until| *until <= now);
        if let Some(key) = self.key.take_if(|key| key.expires <= now) {
            effects.fact(gone(&key, LeaseEnd::Expired));
        }
        if let NodeInput::Message(NodeId::Client(client), body) = input
            && self.out_until.is_none()
        {
            self.serve(now, client, body, effects);
        }
        self.set_timer(effects);
    }

    fn restart(&mut self, now: LocalTime, loses: Loses, effects: &mut Effects) {
        self.timer = None;
        let keeps = loses == Loses::Nothing || self.persistence == Persistence::Always;
        if let Some(key) = self.key.take_if(|_| !keeps) {
            effects.fact(gone(&key, LeaseEnd::Forgotten));
        }
        if let Some(ttl) = self.keeps_out {
            self.out_until = Some(now + ttl);
            effects.fact(KeyFact::KeepsOut { ttl });
        }
    }

    fn holds(&self, client: ClientId, value: FencingToken) -> bool {
        self.key.is_some_and(|key| key.client == client && key.value == value)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other message is for a Redis node")]
    fn serve(&mut self, now: LocalTime, client: ClientId, body: Body, effects: &mut Effects) {
        let to = NodeId::Client(client);
        match body {
            Body::Acquire { request, .. } => self.set(now, client, request, effects),
            Body::Renew { request, token, .. } => {
                let ttl = self.ttls[client.index()];
                let held = self.holds(client, token);
                let Some(key) = self.key.as_mut().filter(|_| held) else {
                    effects.fact(ServiceFact::RenewRefused { client, token });
                    effects.send(to, Body::RenewRefused { request, token });
                    return;
                };
                key.expires = now + ttl;
                effects.fact(KeyFact::Extended { client, token, ttl });
                effects.send(to, Body::Renewed { request, token, ttl });
            }
            Body::Release { request, token } => {
                let body = if self.delete(client, token, effects) {
                    Body::Released { request }
                } else {
                    effects.fact(ServiceFact::ReleaseRefused { client, token });
                    Body::ReleaseRefused { request }
                };
                effects.send(to, body);
            }
            Body::Unlock { token, .. } => {
                self.delete(client, token, effects);
            }
            Body::Check { request, token } => {
                let valid = self.holds(client, token);
                effects.fact(ServiceFact::Checked { client, token, valid });
                let current = self.key.map(|key| key.value);
                effects.send(to, Body::Checked { request, token, valid, current });
            }
            _ => {}
        }
    }

    /// `SET key value NX PX ttl`.
    fn set(&mut self, now: LocalTime, client: ClientId, request: RequestNo, effects: &mut Effects) {
        let to = NodeId::Client(client);
        let ttl = self.ttls[client.index()];
        if self.key.is_some() {
            effects.fact(ServiceFact::Refused { client });
            effects.send(to, Body::Taken { request, record: None });
            return;
        }
        let value = value_of(self.seed, client, request);
        self.key = Some(Key { client, value, expires: now + ttl });
        effects.fact(KeyFact::Set { client, token: value, ttl });
        let (grant, ttl) = (GrantNo::UNKNOWN, Some(ttl));
        effects.send(to, Body::Granted { request, token: value, grant, ttl });
    }

    /// Deletes the key if it holds this value.
    fn delete(&mut self, client: ClientId, value: FencingToken, effects: &mut Effects) -> bool {
        let held = self.holds(client, value);
        let key = self.key.take_if(|_| held);
        if let Some(key) = key {
            effects.fact(gone(&key, LeaseEnd::Released));
        }
        key.is_some()
    }

    fn set_timer(&mut self, effects: &mut Effects) {
        let next = self.key.map(|key| key.expires);
        if next != self.timer {
            match next {
                Some(at) => effects.timer(TimerKind::Main, at),
                None => effects.no_timer(TimerKind::Main),
            }
            self.timer = next;
        }
    }
}

fn gone(key: &Key, how: LeaseEnd) -> KeyFact {
    KeyFact::Gone { client: key.client, token: key.value, how }
}
