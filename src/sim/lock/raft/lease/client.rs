//! The client half: it asks the node that it takes for the leader, goes where it is sent, and tries
//! the next node when nobody answers. A request that is sent again keeps its number.

use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::id::{LockNodeId, RequestNo};
use crate::sim::lock::{Intent, Outcome};
use crate::sim::message::Answer;
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
    intent: Intent,
    request: RequestNo,
    node: u8,
    state: State,
    /// How often it was sent on since a node did not answer.
    hops: u8,
    until: LocalTime,
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
        let (node, state, until) = (self.leader, State::Asked, now.monotonic + self.timeout);
        let call = Call { intent, request, node, state, hops: 0, until };
        match intent {
            Intent::Acquire => self.acquire = Some(call),
            Intent::Renew(_) => {
                self.renew_since.get_or_insert(request);
                self.renew = Some(call);
            }
            // A grant that answers an older request is of what is given back here.
            Intent::Release(_) => (self.release, self.acquire) = (Some(call), None),
            Intent::Check(_) => self.check = Some(call),
            // No session lives apart from the lease, and the lock is taken in one step, once.
            Intent::SetExpiry(_)
            | Intent::KeepAlive
            | Intent::OpenSession
            | Intent::Settle(..)
            | Intent::Reenter(..) => return,
        }
        send(&call, now, effects);
        self.set_timers(effects);
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: Now,
        from: LockNodeId,
        answer: Answer,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let request = answer.request();
        if let Answer::NotLeader { leader, .. } = answer {
            self.is_sent_on(now, from, request, leader, effects);
            self.set_timers(effects);
            return None;
        }
        let is = |call: &mut Call| call.request == request;
        let timeout = self.timeout;
        let outcome = Outcome::of(answer)?;
        let mut teaches = true;
        match outcome {
            Outcome::Granted { .. } | Outcome::Taken => {
                self.acquire.take_if(is)?;
            }
            Outcome::Queued => self.acquire_of(request)?.queues(now, timeout),
            Outcome::Alive(_) => {
                self.acquire_of(request)?.queues(now, timeout);
                teaches = false;
            }
            Outcome::SessionOver => {
                self.acquire_of(request)?.ask(from.0, now, timeout, effects);
                teaches = false;
            }
            Outcome::Renewed { .. } | Outcome::RenewRefused { .. } => {
                self.renew_since.filter(|first| request >= *first)?;
                self.renew.take_if(|call| call.request <= request);
            }
            Outcome::ReleaseAnswered { .. } => {
                self.release.take_if(is)?;
            }
            Outcome::Checked { .. } => {
                self.check.take_if(is)?;
            }
            Outcome::NothingLeft | Outcome::Reentered(_) | Outcome::Disconnected => return None,
        }
        self.leader = from.0;
        self.set_timers(effects);
        teaches.then_some(outcome)
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
                    call.state = State::AsksForItsPlace;
                    call.until = now.monotonic + self.timeout;
                    let asks = Intent::KeepAlive.request(call.request, now.wall);
                    effects.send(LockNodeId(call.node), asks);
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
    effects.send(LockNodeId(call.node), call.intent.request(call.request, now.wall));
}

fn set_timer(kind: TimerKind, at: Option<LocalTime>, effects: &mut Effects) {
    match at {
        Some(at) => effects.timer(kind, at),
        None => effects.no_timer(kind),
    }
}
