//! The renewer: it renews while the client believes, whatever the worker is at. Its first tick
//! comes one interval after the grant is handled, each next one after the tick before; ticks that a
//! pause swallowed count once, because the next is set only when one is handled. Some libraries
//! renew on another schedule than an interval (`Schedule`): the same ticks at other times.

use super::belief::{Common, EarlySession, KnownGrant};
use super::bounds::Bound;
use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{ClientFact, RenewalStop};
use crate::sim::id::FencingToken;
use crate::sim::lock::Schedule;
use crate::sim::scenario::RenewFailure;
use crate::sim::time::{LocalTime, SimDuration};

/// A client's renewer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Renewer {
    interval: Option<SimDuration>,
    /// The last renewal has no answer yet.
    is_unanswered: bool,
    /// When the last renewal was sent, on the monotonic clock; kept where it may be tried again
    /// sooner.
    sent_at: LocalTime,
}

/// What a tick came to, where the client has more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tick {
    /// Nothing more.
    Done,
    /// It has stopped for good.
    GaveUp,
    /// Its worker takes no step: the lock is to be given back.
    Leaves,
    /// The renewal that a new grant rests on was never answered, and the grant must be over.
    ProofIsOverdue,
}

impl Renewer {
    /// `None`: there is nothing to renew.
    pub(super) fn new(interval: Option<SimDuration>) -> Self {
        Self { interval, is_unanswered: false, sent_at: LocalTime::default() }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::new(self.interval);
    }

    pub(super) fn is_on(&self) -> bool {
        self.interval.is_some()
    }

    pub(super) fn start(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        self.is_unanswered = false;
        if common.bounds.by_worker() && common.believes() {
            common.no_tick(effects);
            return;
        }
        match (common.schedule, self.interval) {
            (Schedule::Marks { .. }, _) => first_mark(now, common, effects),
            (Schedule::Retries { .. }, _) => common.tick_after(now, SimDuration::ZERO, effects),
            (Schedule::Interval, Some(interval)) => common.tick_after(now, interval, effects),
            (Schedule::Interval, None) => {}
        }
    }

    /// The lease was renewed while its client believed: the schedule begins anew.
    pub(super) fn begin_anew(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        // Its worker renews then, and it does not.
        if common.bounds.by_worker() {
            return;
        }
        match common.schedule {
            Schedule::Interval => {}
            Schedule::Marks { .. } => first_mark(now, common, effects),
            Schedule::Retries { every, .. } => common.tick_after(now, every, effects),
        }
    }

    /// A renewal was refused. Whether it is tried again all the same, because its library tries
    /// until its deadline.
    pub(super) fn tries_on(
        &mut self,
        now: Now,
        common: &mut Common,
        effects: &mut Effects,
    ) -> bool {
        let Schedule::Retries { every, .. } = common.schedule else {
            return false;
        };
        let reacquires = common.settings.renew_failure == RenewFailure::Reacquires;
        if reacquires || common.bounds.by_worker() {
            return false;
        }
        let next = (self.sent_at + every).since(now.monotonic);
        common.tick_after(now, next, effects);
        true
    }

    pub(super) fn start_if_idle(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        if !common.is_ticking {
            self.start(now, common, effects);
        }
    }

    /// A renewal was answered. One that was tried again sooner goes back to the interval.
    pub(super) fn answered(&mut self, common: &Common, effects: &mut Effects) {
        self.is_unanswered = false;
        if let (Some(interval), Some(_)) = (self.interval, sooner(common))
            && common.is_ticking
            && common.schedule == Schedule::Interval
        {
            effects.timer(TimerKind::Main, self.sent_at + interval);
        }
    }

    pub(super) fn refused(&mut self) {
        self.is_unanswered = false;
    }

    /// Asks for the lock behind its worker's back.
    pub(super) fn reacquire(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        common.acquire(now, effects);
        common.is_reacquiring = true;
        self.come_back_for_the_answer(now, common, effects);
    }

    /// While it waits for the lock it keeps its session alive, if it has one, and asks again where
    /// no answer comes in time.
    fn come_back_for_the_answer(&self, now: Now, common: &mut Common, effects: &mut Effects) {
        let alive = self.interval.filter(|_| common.settings.session);
        let again = common.settings.timeout.or(common.polls_again_after());
        let again = again.filter(|_| !common.is_queued);
        if let Some(next) = alive.into_iter().chain(again).min() {
            common.tick_after(now, next, effects);
        }
    }

    /// A grant out of a queue counts from a renewal that is sent now; its worker waits for the
    /// answer.
    pub(super) fn prove(
        &mut self,
        now: Now,
        known: KnownGrant,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        self.renew(now, known.token, common, effects);
        if self.interval.is_none() {
            // Nothing is tried again: a whole lease later the grant is over.
            let lease = common.ttl().unwrap_or_default();
            common.tick_after(now, lease, effects);
        }
    }

    fn renew(&mut self, now: Now, token: FencingToken, common: &mut Common, effects: &mut Effects) {
        self.is_unanswered = true;
        common.renew(now, token, effects);
        match common.schedule {
            Schedule::Interval => {}
            Schedule::Marks { .. } => return next_mark(now, common, effects),
            Schedule::Retries { every, timeout, .. } => {
                self.sent_at = now.monotonic;
                return common.tick_after(now, every.max(timeout), effects);
            }
        }
        if let Some(interval) = self.interval {
            let sooner = sooner(common);
            if sooner.is_some() {
                self.sent_at = now.monotonic;
            }
            common.tick_after(now, sooner.unwrap_or(interval).min(interval), effects);
        }
    }

    pub(super) fn tick(&mut self, now: Now, common: &mut Common, effects: &mut Effects) -> Tick {
        common.is_ticking = false;
        if let Some(known) = common.belief().or(common.unproven) {
            if !self.is_on() {
                return Tick::ProofIsOverdue;
            }
            if common.believes()
                && let Some(come_to) = self.is_bounded(now, known.token, common, effects)
            {
                return come_to;
            }
            let gives_up = common.settings.renew_failure == RenewFailure::GivesUp;
            if gives_up && self.is_unanswered {
                self.is_unanswered = false;
                effects.fact(ClientFact::RenewerGaveUp { token: known.token });
                return Tick::GaveUp;
            }
            self.renew(now, known.token, common, effects);
        } else if common.is_reacquiring && self.must_ask_again(now, common) {
            self.reacquire(now, common, effects);
        } else if common.settings.session && common.is_asking {
            common.keep_alive(now, effects);
            self.start(now, common, effects);
        } else {
            match common.early_session() {
                EarlySession::None => return Tick::Done,
                EarlySession::ToBeMade => common.open_session(now, effects),
                EarlySession::Open => common.keep_alive(now, effects),
            }
            self.start(now, common, effects);
        }
        Tick::Done
    }

    /// Whether something stands against a renewal now, and what its tick then comes to.
    fn is_bounded(
        &self,
        now: Now,
        token: FencingToken,
        common: &mut Common,
        effects: &mut Effects,
    ) -> Option<Tick> {
        let bound = common.bounds.look(now);
        let (why, tick) = match bound {
            Bound::Free => return None,
            Bound::Cap(cap) => (RenewalStop::Cap(cap), Tick::Done),
            Bound::NoProgress(after) => (RenewalStop::NoProgress(after), Tick::Done),
            Bound::Leaves(after) => (RenewalStop::Leaves(after), Tick::Leaves),
        };
        if common.bounds.must_tell() {
            effects.fact(ClientFact::RenewalStopped { token, why });
        }
        // There may be a step by then.
        if let (Bound::NoProgress(_), Some(interval)) = (bound, self.interval) {
            common.tick_after(now, interval, effects);
        }
        Some(tick)
    }

    /// The worker has taken a step: where it renews by itself, it does so now.
    pub(super) fn worker_stepped(&self, now: Now, common: &mut Common, effects: &mut Effects) {
        let Some(known) = common.belief().filter(|_| self.is_on() && common.bounds.by_worker())
        else {
            return;
        };
        if self.is_bounded(now, known.token, common, effects).is_none() {
            common.renew(now, known.token, effects);
        }
    }

    /// Whether it was told that the lock is taken, or not told anything in time.
    fn must_ask_again(&self, now: Now, common: &Common) -> bool {
        let timed_out = |timeout| common.has_asked_for(now, timeout);
        let again = common.settings.timeout.or(common.polls_again_after());
        !common.is_asking || !common.is_queued && again.is_some_and(timed_out)
    }
}

/// The next renewal is at the first mark of the lease.
fn first_mark(now: Now, common: &mut Common, effects: &mut Effects) {
    if let (Schedule::Marks { t1, .. }, Some((from, ttl))) = (common.schedule, common.leased) {
        common.tick_after(now, (from + t1.of(ttl)).since(now.monotonic), effects);
    }
}

/// Unanswered at the first mark or after it, it asks again when half of what is left until the
/// second has passed, at the second, and then when half of what is left of the lease has passed; no
/// more when that is over.
fn next_mark(now: Now, common: &mut Common, effects: &mut Effects) {
    let (Schedule::Marks { t2, least, .. }, Some((from, ttl))) = (common.schedule, common.leased)
    else {
        return;
    };
    let (second, end) = (from + t2.of(ttl), from + ttl);
    let half = |until: LocalTime| until.since(now.monotonic).part(2).max(least);
    let next = match now.monotonic < second {
        true => (now.monotonic + half(second)).min(second),
        false => now.monotonic + half(end),
    };
    if next < end {
        common.tick_after(now, next.since(now.monotonic), effects);
    }
}

/// How long after it was sent a renewal without an answer is tried again, where that is sooner than
/// at the next tick.
fn sooner(common: &Common) -> Option<SimDuration> {
    let sooner = common.settings.renew_failure == RenewFailure::TriesSooner;
    common.settings.timeout.filter(|_| sooner)
}
