//! The client half of Redlock: it asks all nodes, counts, and looks at its own monotonic clock. It
//! never knows how many of its keys still stand.

use super::round::Round;
use super::{AskOrder, RedlockSettings, Validity, drift, value_of};
use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::ClientFact;
use crate::sim::id::{ClientId, FencingToken, GrantNo, LockNodeId, RequestNo};
use crate::sim::lock::{Intent, Outcome};
use crate::sim::message::{Answer, Request, SpecialRequest};
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
                let round = self.begin(now, (request, value));
                self.ask(&round, intent.request(request, now.wall), effects);
                self.acquire = Some(round);
            }
            Intent::Renew(token) => self.renew(now, request, token, effects),
            Intent::Release(token) => {
                self.over_at = None;
                let round = self.begin(now, (request, token));
                self.ask(&round, intent.request(request, now.wall), effects);
                self.release = Some(round);
            }
            Intent::Check(token) => {
                let round = self.begin(now, (request, token));
                self.ask(&round, intent.request(request, now.wall), effects);
                self.check = Some(round);
            }
            // No key is taken without a time to live, nobody waits in a queue, and no code takes
            // the lock twice (`Reentry::Never`).
            Intent::SetExpiry(_)
            | Intent::KeepAlive
            | Intent::OpenSession
            | Intent::Settle(..)
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
        self.ask(&round, Intent::Renew(token).request(request, now.wall), effects);
        effects.timer(TimerKind::LibraryRenewal, round.until);
        self.renew = Some(round);
    }

    fn begin(&self, now: Now, what: (RequestNo, FencingToken)) -> Round {
        let RedlockSettings { nodes, order, waits_for, node_timeout, .. } = self.settings;
        Round::new(what, now, now.monotonic + node_timeout, nodes, order, waits_for)
    }

    /// Asks the first node, or all.
    fn ask(&self, round: &Round, asks: Request, effects: &mut Effects) {
        (0..round.n_asked).for_each(|node| effects.send(LockNodeId(node), asks));
    }

    /// Deletes the keys of a try that has failed, at all nodes, whether or not they have answered.
    fn unlock(&self, request: RequestNo, token: FencingToken, effects: &mut Effects) {
        for node in 0..self.settings.nodes {
            let unlock = SpecialRequest::Unlock { request, token };
            effects.send(LockNodeId(node), Request::from(unlock));
        }
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: Now,
        from: LockNodeId,
        answer: Answer,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let told = Outcome::of(answer)?;
        let (slot, yes) = match told {
            Outcome::Granted { .. } => (&mut self.acquire, true),
            Outcome::Taken => (&mut self.acquire, false),
            Outcome::ReleaseAnswered { refused } => (&mut self.release, !refused),
            Outcome::Renewed { .. } => (&mut self.renew, true),
            Outcome::RenewRefused { .. } => (&mut self.renew, false),
            Outcome::Checked { valid, .. } => (&mut self.check, valid),
            // No node of it says that.
            Outcome::Queued
            | Outcome::Alive(_)
            | Outcome::SessionOver
            | Outcome::NothingLeft
            | Outcome::Reentered(_)
            | Outcome::Disconnected => return None,
        };
        let round = slot.as_mut().filter(|round| round.request == answer.request())?;
        round.answer(from, yes);
        if let Outcome::Granted { grant, .. } = told {
            round.grant = round.grant.max(grant);
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
        let until = now.monotonic + timeout;
        if in_turn {
            ask_next(&mut self.acquire, now, until, |_| Intent::Acquire, effects);
            ask_next(&mut self.check, now, until, Intent::Check, effects);
            ask_next(&mut self.release, now, until, Intent::Release, effects);
            if ask_next(&mut self.renew, now, until, Intent::Renew, effects) {
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
    now: Now,
    until: LocalTime,
    intent: impl Fn(FencingToken) -> Intent,
    effects: &mut Effects,
) -> bool {
    let due = |round: &&mut Round| round.is_next_due() && round.outcome().is_none();
    let Some(round) = slot.as_mut().filter(due) else {
        return false;
    };
    let node = LockNodeId(round.n_asked);
    (round.n_asked, round.until) = (round.n_asked + 1, until);
    effects.send(node, intent(round.value).request(round.request, now.wall));
    true
}

fn take_decided(slot: &mut Option<Round>) -> Option<(Round, bool)> {
    let outcome = slot.as_ref()?.outcome()?;
    slot.take().map(|round| (round, outcome))
}
