//! The client half of Redlock: it asks all nodes, counts, and looks at its own monotonic clock. It
//! never knows how many of its keys still stand.

use super::round::Round;
use super::{AskOrder, RedlockSettings, Validity, drift, value_of};
use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::ClientFact;
use crate::sim::id::{ClientId, FencingToken, GrantNo, LockNodeId, NodeId, RequestNo};
use crate::sim::lock::{Intent, Outcome};
use crate::sim::message::Body;
use crate::sim::scenario::Scenario;
use crate::sim::time::{LocalTime, SimDuration};

/// The questions that are open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClientHalf {
    settings: RedlockSettings,
    seed: u32,
    id: ClientId,
    ttl: SimDuration,
    acquire: Option<Round>,
    check: Option<Round>,
    release: Option<Round>,
    renew: Option<Round>,
    /// When it first tried since it last held the lock.
    first_try: Option<LocalTime>,
    /// Where validity counts from there: when the lock is over as the library sees it.
    over_at: Option<LocalTime>,
    /// A renewal that the library refuses by itself, with the value.
    spent: Option<FencingToken>,
}

impl ClientHalf {
    pub(in crate::sim::lock) fn new(scenario: &Scenario, id: ClientId) -> Self {
        Self {
            settings: scenario.spec().systems.redlock.clone(),
            seed: scenario.spec().seed,
            id,
            ttl: scenario.clients()[id.index()].ttl.unwrap_or_default(),
            acquire: None,
            check: None,
            release: None,
            renew: None,
            first_try: None,
            over_at: None,
            spent: None,
        }
    }

    pub(in crate::sim::lock) fn intend(
        &mut self,
        now: Now,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        match intent {
            Intent::Acquire => {
                if let Some(given_up) = self.acquire.take() {
                    self.unlock(given_up.request, given_up.value, effects);
                }
                self.first_try.get_or_insert(now.monotonic);
                let value = value_of(self.seed, self.id, request);
                let stamp = now.wall;
                let round = self.begin(now, (request, value));
                self.ask(&round, Body::Acquire { request, stamp, unchanged: None }, effects);
                self.acquire = Some(round);
            }
            Intent::Renew(token) => self.renew(now, request, token, effects),
            Intent::Release(token) => {
                self.over_at = None;
                let round = self.begin(now, (request, token));
                self.ask(&round, Body::Release { request, token }, effects);
                self.release = Some(round);
            }
            Intent::Check(token) => {
                let round = self.begin(now, (request, token));
                self.ask(&round, Body::Check { request, token }, effects);
                self.check = Some(round);
            }
            // No key is taken without a time to live, nobody waits in a queue, and no code takes
            // the lock twice (`Reentry::Never`).
            Intent::SetExpiry(_)
            | Intent::KeepAlive
            | Intent::OpenSession
            | Intent::Reenter(..) => {}
        }
        self.set_timer(effects);
    }

    fn renew(&mut self, now: Now, request: RequestNo, token: FencingToken, effects: &mut Effects) {
        if self.over_at.is_some_and(|over| over <= now.monotonic) {
            self.spent = Some(token);
            effects.timer(TimerKind::LibraryRenewal, now.monotonic);
            return;
        }
        let round = self.begin(now, (request, token));
        let stamp = now.wall;
        self.ask(&round, Body::Renew { request, token, stamp }, effects);
        effects.timer(TimerKind::LibraryRenewal, round.until);
        self.renew = Some(round);
    }

    fn begin(&self, now: Now, what: (RequestNo, FencingToken)) -> Round {
        let RedlockSettings { nodes, order, waits_for, node_timeout, .. } = self.settings;
        Round::new(what, now, now.monotonic + node_timeout, nodes, order, waits_for)
    }

    /// Asks the first node, or all.
    fn ask(&self, round: &Round, body: Body, effects: &mut Effects) {
        (0..round.n_asked).for_each(|node| effects.send(NodeId::Lock(LockNodeId(node)), body));
    }

    /// Deletes the keys of a try that has failed, at all nodes, whether or not they have answered.
    fn unlock(&self, request: RequestNo, token: FencingToken, effects: &mut Effects) {
        for node in 0..self.settings.nodes {
            effects.send(NodeId::Lock(LockNodeId(node)), Body::Unlock { request, token });
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other message teaches a client")]
    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: Now,
        from: LockNodeId,
        body: &Body,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let (slot, request, yes) = match *body {
            Body::Granted { request, .. } => (&mut self.acquire, request, true),
            Body::Taken { request, .. } => (&mut self.acquire, request, false),
            Body::Released { request } => (&mut self.release, request, true),
            Body::ReleaseRefused { request } => (&mut self.release, request, false),
            Body::Renewed { request, .. } => (&mut self.renew, request, true),
            Body::RenewRefused { request, .. } => (&mut self.renew, request, false),
            Body::Checked { request, valid, .. } => (&mut self.check, request, valid),
            _ => return None,
        };
        let round = slot.as_mut().filter(|round| round.request == request)?;
        round.answer(from, yes);
        if let Body::Granted { grant, .. } = body {
            round.grant = round.grant.max(*grant);
        }
        let outcome = self.go_on(now, effects);
        self.set_timer(effects);
        outcome
    }

    /// The time of one of the library's timers has come: nodes that have not answered are given up.
    pub(in crate::sim::lock) fn timer(
        &mut self,
        now: Now,
        kind: TimerKind,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        if kind == TimerKind::LibraryRenewal {
            if let Some(token) = self.spent.take() {
                return Some(Outcome::RenewRefused { token });
            }
            self.renew.iter_mut().filter(|round| round.until <= now.monotonic).for_each(give_up);
        } else {
            let rounds = [&mut self.acquire, &mut self.check, &mut self.release];
            let rounds = rounds.into_iter().flatten();
            rounds.filter(|round| round.until <= now.monotonic).for_each(give_up);
        }
        let outcome = self.go_on(now, effects);
        self.set_timer(effects);
        outcome
    }

    /// Asks the next node where that is due, and ends what is decided: of several, one; the others
    /// are decided at the next input, which there is, because each has a timer.
    fn go_on(&mut self, now: Now, effects: &mut Effects) -> Option<Outcome> {
        let timeout = self.settings.node_timeout;
        let in_turn = self.settings.order == AskOrder::InTurn;
        let stamp = now.wall;
        let acquire = |Round { request, .. }: &Round| Body::Acquire {
            request: *request,
            stamp,
            unchanged: None,
        };
        let check =
            |Round { request, value, .. }: &Round| Body::Check { request: *request, token: *value };
        let release = |Round { request, value, .. }: &Round| Body::Release {
            request: *request,
            token: *value,
        };
        let renew = |Round { request, value, .. }: &Round| Body::Renew {
            request: *request,
            token: *value,
            stamp,
        };
        let until = now.monotonic + timeout;
        if in_turn {
            ask_next(&mut self.acquire, until, acquire, effects);
            ask_next(&mut self.check, until, check, effects);
            ask_next(&mut self.release, until, release, effects);
            if ask_next(&mut self.renew, until, renew, effects) {
                effects.timer(TimerKind::LibraryRenewal, until);
            }
        }
        if let Some((round, yes)) = take_decided(&mut self.acquire) {
            return Some(self.acquired(now, &round, yes, effects));
        }
        if let Some((_, yes)) = take_decided(&mut self.release) {
            return Some(Outcome::ReleaseAnswered { refused: !yes });
        }
        if let Some((_, valid)) = take_decided(&mut self.check) {
            return Some(Outcome::Checked { valid, current: None });
        }
        let (round, yes) = take_decided(&mut self.renew)?;
        effects.no_timer(TimerKind::LibraryRenewal);
        let valid = self.left(now, &round);
        if yes && valid.is_some() {
            self.over_at = self.over_at.map(|_| round.sent.monotonic + self.promised());
            return Some(Outcome::Renewed { request: round.request, ttl: self.promised() });
        }
        Some(Outcome::RenewRefused { token: round.value })
    }

    /// The time to live less the drift of clocks.
    fn promised(&self) -> SimDuration {
        self.ttl.minus(drift(self.ttl))
    }

    /// What is left of a lock whose first key was asked for when this round began.
    fn left(&self, now: Now, round: &Round) -> Option<SimDuration> {
        let over = round.sent.monotonic + self.promised();
        (over > now.monotonic).then(|| over.since(now.monotonic))
    }

    fn acquired(&mut self, now: Now, round: &Round, yes: bool, effects: &mut Effects) -> Outcome {
        let Round { request, value: token, grant, .. } = *round;
        let from_first = self.settings.validity == Validity::FromTheFirstTry;
        if !yes || !from_first && self.left(now, round).is_none() {
            self.unlock(request, token, effects);
            return Outcome::Taken;
        }
        let first = self.first_try.take().filter(|_| from_first);
        self.over_at = first.map(|first| first + self.promised());
        let grant = if grant == GrantNo::UNKNOWN {
            // Each node said yes, and no majority stood at one time. The client cannot know.
            let grant = effects.new_grant();
            effects.fact(ClientFact::Miscounted { grant, token });
            grant
        } else {
            grant
        };
        Outcome::Granted { grant, token, ttl: Some(self.promised()), earlier: None }
    }

    /// Sets the timer of the rounds that the worker waits for to the first of their ends.
    fn set_timer(&self, effects: &mut Effects) {
        let rounds = [&self.acquire, &self.check, &self.release];
        match rounds.into_iter().flatten().map(|round| round.until).min() {
            Some(until) => effects.timer(TimerKind::Library, until),
            None => effects.no_timer(TimerKind::Library),
        }
    }
}

fn give_up(round: &mut Round) {
    round.give_up();
}

/// Asks the next node of a round that asks in turn. Tells whether it did.
fn ask_next(
    slot: &mut Option<Round>,
    until: LocalTime,
    body: impl Fn(&Round) -> Body,
    effects: &mut Effects,
) -> bool {
    let due = |round: &&mut Round| round.is_next_due() && round.outcome().is_none();
    let Some(round) = slot.as_mut().filter(due) else {
        return false;
    };
    let node = LockNodeId(round.n_asked);
    (round.n_asked, round.until) = (round.n_asked + 1, until);
    effects.send(NodeId::Lock(node), body(round));
    true
}

fn take_decided(slot: &mut Option<Round>) -> Option<(Round, bool)> {
    let outcome = slot.as_ref()?.outcome()?;
    slot.take().map(|round| (round, outcome))
}
