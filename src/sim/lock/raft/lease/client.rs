//! The client half: it asks the node that it takes for the leader, goes where it is sent, and tries
//! the next node when nobody answers. A request that is sent again keeps its number.

use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::id::{FencingToken, LockNodeId, NodeId, RequestNo};
use crate::sim::lock::{Intent, Outcome};
use crate::sim::message::Body;
use crate::sim::scenario::Scenario;
use crate::sim::time::{LocalTime, SimDuration};

/// How long it waits where the node that it asked knows of no leader: a fifth of what it waits for
/// an answer.
const SHARE: u64 = 5;

/// How many times as long a waiter rests between two questions whether its place stands.
const PATIENCE: u64 = 4;

/// The requests that are open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClientHalf {
    n_nodes: u8,
    timeout: SimDuration,
    /// Whom it takes for the leader.
    leader: u8,
    acquire: Option<Call>,
    release: Option<Call>,
    check: Option<Call>,
    renew: Option<Call>,
    /// The first renewal since the client started: an older answer is to a process that is no more.
    renew_since: Option<RequestNo>,
}

/// A request that is not answered yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Call {
    what: Asks,
    request: RequestNo,
    token: FencingToken,
    node: u8,
    state: State,
    /// How often it was sent on since a node did not answer.
    hops: u8,
    until: LocalTime,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Asks {
    Acquire,
    Renew,
    Release,
    Check,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum State {
    /// It awaits the answer.
    Asked,
    /// Nobody leads; it waits before it asks again.
    Waits,
    /// It has a place in the queue.
    Queued,
    /// It awaits the answer whether it still has.
    AsksForItsPlace,
}

impl ClientHalf {
    pub(in crate::sim::lock) fn new(scenario: &Scenario) -> Self {
        Self {
            n_nodes: scenario.rules().n_nodes,
            timeout: scenario.spec().systems.raft_lease.request_timeout,
            leader: 0,
            acquire: None,
            release: None,
            check: None,
            renew: None,
            renew_since: None,
        }
    }

    pub(in crate::sim::lock) fn intend(
        &mut self,
        now: Now,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let (what, token) = match intent {
            Intent::Acquire => (Asks::Acquire, FencingToken(0)),
            Intent::Renew(token) => (Asks::Renew, token),
            Intent::Release(token) => (Asks::Release, token),
            Intent::Check(token) => (Asks::Check, token),
            // No session lives apart from the lease, and the lock is taken in one step, once.
            Intent::SetExpiry(_)
            | Intent::KeepAlive
            | Intent::OpenSession
            | Intent::Reenter(..) => return,
        };
        let (node, state, until) = (self.leader, State::Asked, now.monotonic + self.timeout);
        let call = Call { what, request, token, node, state, hops: 0, until };
        send(&call, now, effects);
        match what {
            Asks::Acquire => self.acquire = Some(call),
            Asks::Renew => {
                self.renew_since.get_or_insert(request);
                self.renew = Some(call);
            }
            // A grant that answers an older request is of what is given back here.
            Asks::Release => (self.release, self.acquire) = (Some(call), None),
            Asks::Check => self.check = Some(call),
        }
        self.set_timers(effects);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other message teaches a client")]
    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: Now,
        from: LockNodeId,
        body: &Body,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let is = |call: &mut Call, request| call.request == request;
        let since = self.renew_since;
        let counts = |request: RequestNo| since.is_some_and(|first| request >= first);
        let timeout = self.timeout;
        let outcome = match *body {
            Body::Granted { request, token, grant, ttl } => {
                self.acquire.take_if(|call| is(call, request))?;
                Some(Outcome::Granted { grant, token, ttl, earlier: None })
            }
            Body::Taken { request, .. } => {
                self.acquire.take_if(|call| is(call, request))?;
                Some(Outcome::Taken)
            }
            Body::Queued { request } => {
                self.acquire_of(request)?.queues(now, timeout);
                Some(Outcome::Queued)
            }
            Body::Alive { request } => {
                self.acquire_of(request)?.queues(now, timeout);
                None
            }
            Body::SessionOver { request } => {
                self.acquire_of(request)?.ask(from.0, now, timeout, effects);
                None
            }
            Body::Renewed { request, ttl, .. } if counts(request) => {
                self.renew.take_if(|call| call.request <= request);
                Some(Outcome::Renewed { request, ttl })
            }
            Body::RenewRefused { request, token } if counts(request) => {
                self.renew.take_if(|call| call.request <= request);
                Some(Outcome::RenewRefused { token })
            }
            Body::Released { request } | Body::ReleaseRefused { request } => {
                self.release.take_if(|call| is(call, request))?;
                let refused = matches!(body, Body::ReleaseRefused { .. });
                Some(Outcome::ReleaseAnswered { refused })
            }
            Body::Checked { request, valid, current, .. } => {
                self.check.take_if(|call| is(call, request))?;
                Some(Outcome::Checked { valid, current })
            }
            Body::NotLeader { request, leader, .. } => {
                self.is_sent_on(now, from, request, leader, effects);
                None
            }
            _ => return None,
        };
        if !matches!(body, Body::NotLeader { .. }) {
            self.leader = from.0;
        }
        self.set_timers(effects);
        outcome
    }

    fn acquire_of(&mut self, request: RequestNo) -> Option<&mut Call> {
        self.acquire.as_mut().filter(|call| call.request == request)
    }

    /// The node that was asked does not lead, and may know who does.
    fn is_sent_on(
        &mut self,
        now: Now,
        from: LockNodeId,
        request: RequestNo,
        leader: Option<LockNodeId>,
        effects: &mut Effects,
    ) {
        let calls = [&mut self.acquire, &mut self.renew, &mut self.release, &mut self.check];
        let asked = |call: &&mut Call| call.request == request && call.node == from.0;
        let Some(call) = calls.into_iter().flatten().find(asked) else {
            return;
        };
        match leader {
            // Nodes that send it on to one another do not know better.
            Some(leader) if call.hops < self.n_nodes => {
                self.leader = leader.0;
                call.hops += 1;
                call.ask(leader.0, now, self.timeout, effects);
            }
            Some(_) | None => {
                call.state = State::Waits;
                let share = SimDuration::from_micros(self.timeout.micros().div_ceil(SHARE));
                call.until = now.monotonic + share;
            }
        }
    }

    /// Who has not answered in time is given up, and the next one asked.
    pub(in crate::sim::lock) fn timer(&mut self, now: Now, kind: TimerKind, effects: &mut Effects) {
        let calls = match kind == TimerKind::LibraryRenewal {
            true => [&mut self.renew, &mut None, &mut None],
            false => [&mut self.acquire, &mut self.release, &mut self.check],
        };
        let due = |call: &&mut Call| call.until <= now.monotonic;
        for call in calls.into_iter().flatten().filter(due) {
            let next = (call.node + 1) % self.n_nodes;
            match call.state {
                State::Queued => {
                    let request = call.request;
                    call.state = State::AsksForItsPlace;
                    call.until = now.monotonic + self.timeout;
                    let to = NodeId::Lock(LockNodeId(call.node));
                    effects.send(to, Body::KeepAlive { request });
                }
                State::Asked | State::AsksForItsPlace | State::Waits => {
                    // Another request may have found the leader meanwhile.
                    let node = if self.leader == call.node { next } else { self.leader };
                    (self.leader, call.hops) = (node, 0);
                    call.ask(node, now, self.timeout, effects);
                }
            }
        }
        self.set_timers(effects);
    }

    fn set_timers(&self, effects: &mut Effects) {
        let calls = [&self.acquire, &self.release, &self.check];
        let first = calls.into_iter().flatten().map(|call| call.until).min();
        set_timer(TimerKind::Library, first, effects);
        set_timer(TimerKind::LibraryRenewal, self.renew.map(|call| call.until), effects);
    }
}

impl Call {
    fn ask(&mut self, node: u8, now: Now, timeout: SimDuration, effects: &mut Effects) {
        (self.node, self.state, self.until) = (node, State::Asked, now.monotonic + timeout);
        send(self, now, effects);
    }

    fn queues(&mut self, now: Now, timeout: SimDuration) {
        (self.state, self.hops) = (State::Queued, 0);
        self.until = now.monotonic + timeout.times(PATIENCE);
    }
}

fn send(call: &Call, now: Now, effects: &mut Effects) {
    let Call { request, token, .. } = *call;
    let stamp = now.wall;
    let body = match call.what {
        Asks::Acquire => Body::Acquire { request, stamp, unchanged: None },
        Asks::Renew => Body::Renew { request, token, stamp },
        Asks::Release => Body::Release { request, token },
        Asks::Check => Body::Check { request, token },
    };
    effects.send(NodeId::Lock(LockNodeId(call.node)), body);
}

fn set_timer(kind: TimerKind, at: Option<LocalTime>, effects: &mut Effects) {
    match at {
        Some(at) => effects.timer(kind, at),
        None => effects.no_timer(kind),
    }
}
