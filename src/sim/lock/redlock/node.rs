//! One of Redlock's nodes: a Redis with one key. It knows its own wall clock and nothing of the
//! other nodes. Which client a majority stands for is said by nobody here; see `super::majority`.

use super::{Persistence, value_of};
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{KeyFact, LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo, RequestNo};
use crate::sim::lock::NodeInput;
use crate::sim::message::{Answer, Request, SpecialRequest};
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
            NodeInput::Start
            | NodeInput::TakesOver { .. }
            | NodeInput::Request(..)
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(..)
            | NodeInput::Store(..) => {}
        }
        self.out_until.take_if(|until| *until <= now);
        if let Some(key) = self.key.take_if(|key| key.expires <= now) {
            effects.fact(gone(&key, LeaseEnd::Expired));
        }
        if let NodeInput::Request(client, request) = input
            && self.out_until.is_none()
        {
            self.serve(now, client, request, effects);
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

    fn serve(&mut self, now: LocalTime, client: ClientId, request: Request, effects: &mut Effects) {
        match request {
            Request::Acquire { request, .. } => self.set(now, client, request, effects),
            Request::Renew { request, token, .. } => {
                let ttl = self.ttls[client.index()];
                let held = self.holds(client, token);
                let Some(key) = self.key.as_mut().filter(|_| held) else {
                    effects.fact(ServiceFact::RenewRefused { client, token });
                    effects.send(client, Answer::RenewRefused { request, token });
                    return;
                };
                key.expires = now + ttl;
                effects.fact(KeyFact::Extended { client, token, ttl });
                effects.send(client, Answer::Renewed { request, token, ttl });
            }
            Request::Release { request, token } => {
                let answer = if self.delete(client, token, effects) {
                    Answer::Released { request }
                } else {
                    effects.fact(ServiceFact::ReleaseRefused { client, token });
                    Answer::ReleaseRefused { request }
                };
                effects.send(client, answer);
            }
            Request::Special(SpecialRequest::Unlock { token, .. }) => {
                self.delete(client, token, effects);
            }
            Request::Check { request, token } => {
                let valid = self.holds(client, token);
                let current = self.key.map(|key| key.value);
                effects.checked(client, request, token, (valid, current));
            }
            // Its client asks for nothing else.
            Request::Special(_) => {}
        }
    }

    /// `SET key value NX PX ttl`.
    fn set(&mut self, now: LocalTime, client: ClientId, request: RequestNo, effects: &mut Effects) {
        let ttl = self.ttls[client.index()];
        if self.key.is_some() {
            effects.taken(client, request, None);
            return;
        }
        let value = value_of(self.seed, client, request);
        self.key = Some(Key { client, value, expires: now + ttl });
        effects.fact(KeyFact::Set { client, token: value, ttl });
        let (grant, ttl) = (GrantNo::UNKNOWN, Some(ttl));
        effects.send(client, Answer::Granted { request, token: value, grant, ttl });
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
