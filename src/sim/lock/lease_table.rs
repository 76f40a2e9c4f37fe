//! What the single-node systems share: one lock, its holder, a queue and a counter. It judges expiry
//! by comparing its own clock, whether or not a timer has fired.

use std::collections::VecDeque;

use super::NodeInput;
use crate::sim::effect::Effects;
use crate::sim::event::{Event, LeaseEnd};
use crate::sim::id::{ClientId, FencingToken, GrantNo, NodeId, RequestNo};
use crate::sim::message::Body;
use crate::sim::scenario::LeaseSpec;
use crate::sim::time::{LocalTime, SimDuration};

/// The state of the lock at the service.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct LeaseTable {
    ttl: Option<SimDuration>,
    owner_check: bool,
    next_token: FencingToken,
    n_grants: u32,
    holder: Option<Lease>,
    queue: VecDeque<Waiter>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Lease {
    grant: GrantNo,
    client: ClientId,
    token: FencingToken,
    /// On the service's clock; the lease is over at this instant. `None`: never.
    expires: Option<LocalTime>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Waiter {
    client: ClientId,
    /// The request that the grant will answer: the client's last one.
    request: RequestNo,
}

impl LeaseTable {
    pub(super) fn new(spec: &LeaseSpec, ttl: Option<SimDuration>) -> Self {
        Self {
            ttl,
            owner_check: spec.owner_check,
            next_token: spec.first_token,
            n_grants: 0,
            holder: None,
            queue: VecDeque::new(),
        }
    }

    pub(super) fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        self.expire_if_due(now, effects);
        let NodeInput::Message(NodeId::Client(client), body) = input else {
            return; // The timer's work was done above; nodes of other kinds send nothing here.
        };
        match body {
            Body::Acquire { request } => self.acquire(now, client, request, effects),
            Body::Renew { request, token } => self.renew(now, client, request, token, effects),
            Body::Release { request, token } => self.release(now, client, request, token, effects),
            Body::Check { request, token } => {
                let valid = self.is_holder(client, token);
                effects.fact(Event::Checked {
                    client,
                    token,
                    valid,
                });
                effects.send(
                    NodeId::Client(client),
                    Body::Checked {
                        request,
                        token,
                        valid,
                    },
                );
            }
            Body::Granted { .. }
            | Body::Queued { .. }
            | Body::Renewed { .. }
            | Body::RenewRefused { .. }
            | Body::Released { .. }
            | Body::ReleaseRefused { .. }
            | Body::Checked { .. }
            | Body::Seal { .. }
            | Body::Sealed { .. }
            | Body::SealRefused { .. }
            | Body::Read { .. }
            | Body::Value { .. }
            | Body::Write { .. }
            | Body::WriteAccepted { .. }
            | Body::WriteRefused { .. } => {}
        }
    }

    fn is_holder(&self, client: ClientId, token: FencingToken) -> bool {
        self.holder
            .is_some_and(|lease| lease.client == client && lease.token == token)
    }

    /// Whether a release or a renewal by this client is let through.
    fn may_touch(&self, client: ClientId, token: FencingToken) -> bool {
        self.holder.is_some() && (!self.owner_check || self.is_holder(client, token))
    }

    fn expire_if_due(&mut self, now: LocalTime, effects: &mut Effects) {
        // Once is enough: a time to live of zero, with which the next lease would be over at once,
        // is not valid.
        let due = |lease: &Lease| lease.expires.is_some_and(|expires| expires <= now);
        if let Some(lease) = self.holder.take_if(|lease| due(lease)) {
            effects.fact(ended(&lease, LeaseEnd::Expired));
            self.grant_next(now, effects);
        }
    }

    fn acquire(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        if let Some(lease) = self.holder.filter(|lease| lease.client == client) {
            let Lease { grant, token, .. } = lease;
            effects.fact(Event::GrantedAgain {
                grant,
                client,
                token,
            });
            let ttl = lease.expires.map(|expires| expires.since(now));
            effects.send(
                NodeId::Client(client),
                Body::Granted {
                    request,
                    token,
                    grant,
                    ttl,
                },
            );
            return;
        }
        if self.holder.is_none() {
            self.grant(now, Waiter { client, request }, effects);
            return;
        }
        let place = self.queue.iter().position(|waiter| waiter.client == client);
        let place = place.unwrap_or_else(|| {
            self.queue.push_back(Waiter { client, request });
            self.queue.len() - 1
        });
        self.queue[place].request = request;
        let ahead = u8::try_from(place).expect("at most 8 clients wait");
        effects.fact(Event::Queued { client, ahead });
        effects.send(NodeId::Client(client), Body::Queued { request });
    }

    fn grant_next(&mut self, now: LocalTime, effects: &mut Effects) {
        match self.queue.pop_front() {
            Some(waiter) => self.grant(now, waiter, effects),
            None => effects.no_timer(),
        }
    }

    fn grant(&mut self, now: LocalTime, waiter: Waiter, effects: &mut Effects) {
        let Waiter { client, request } = waiter;
        self.n_grants += 1;
        let (grant, token, ttl) = (GrantNo(self.n_grants), self.next_token, self.ttl);
        self.next_token = FencingToken(token.0.saturating_add(1));
        let expires = ttl.map(|ttl| now + ttl);
        self.holder = Some(Lease {
            grant,
            client,
            token,
            expires,
        });
        effects.fact(Event::Granted {
            grant,
            client,
            token,
            ttl,
        });
        effects.send(
            NodeId::Client(client),
            Body::Granted {
                request,
                token,
                grant,
                ttl,
            },
        );
        self.set_timer(effects);
    }

    fn renew(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        effects: &mut Effects,
    ) {
        let may = self.may_touch(client, token);
        let (Some(lease), Some(ttl)) = (self.holder.as_mut().filter(|_| may), self.ttl) else {
            effects.fact(Event::RenewRefused { client, token });
            effects.send(
                NodeId::Client(client),
                Body::RenewRefused { request, token },
            );
            return;
        };
        lease.expires = Some(now + ttl);
        let event = Event::Renewed {
            grant: lease.grant,
            by: client,
            token: lease.token,
            ttl,
        };
        effects.fact(event);
        effects.send(
            NodeId::Client(client),
            Body::Renewed {
                request,
                token,
                ttl,
            },
        );
        self.set_timer(effects);
    }

    fn release(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        effects: &mut Effects,
    ) {
        let may = self.may_touch(client, token);
        let Some(lease) = self.holder.take_if(|_| may) else {
            effects.fact(Event::ReleaseRefused { client, token });
            effects.send(NodeId::Client(client), Body::ReleaseRefused { request });
            return;
        };
        let own = lease.client == client && lease.token == token;
        let how = if own {
            LeaseEnd::Released
        } else {
            LeaseEnd::ReleasedBy(client)
        };
        effects.fact(ended(&lease, how));
        effects.send(NodeId::Client(client), Body::Released { request });
        self.grant_next(now, effects);
    }

    fn set_timer(&self, effects: &mut Effects) {
        match self.holder.and_then(|lease| lease.expires) {
            Some(expires) => effects.timer(expires),
            None => effects.no_timer(),
        }
    }
}

fn ended(lease: &Lease, how: LeaseEnd) -> Event {
    Event::LeaseEnded {
        grant: lease.grant,
        client: lease.client,
        token: lease.token,
        how,
    }
}
