//! What a client believes and until when by its own clock; the requests that this rests on.

use super::bounds::Bounds;
use crate::sim::clock::Now;
use crate::sim::course;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{BeliefEnd, ClientFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo, NodeId, RequestNo};
use crate::sim::lock::{Intent, LockClient, Schedule};
use crate::sim::prng::{Purpose, random, random_up_to};
use crate::sim::scenario::{ClientSettings, Deadline, FenceRule, Scenario, SettleAt, Wait};
use crate::sim::time::{LocalTime, SimDuration, SimTime};

/// A grant that a client knows of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KnownGrant {
    /// Its number, for the record.
    pub grant: GrantNo,
    /// Its token.
    pub token: FencingToken,
}

/// What worker and renewer share: the process's own memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Common {
    pub(super) id: ClientId,
    pub(super) settings: ClientSettings,
    pub(super) lock: LockClient,
    ttl: Option<SimDuration>,
    two_steps: bool,
    /// When it settles the item that the lock stands for, if it stands for one.
    pub(super) settles: Option<SettleAt>,
    /// Whether the lock, and a place in the queue, lives with its connection to the service.
    pub(super) connection_bound: bool,
    /// When it renews.
    pub(super) schedule: Schedule,
    /// What bounds its renewal.
    pub(super) bounds: Bounds,
    /// Where it renews at marks of its lease: when the request was sent that gave the lease, and
    /// how long that lasts from there.
    pub(super) leased: Option<(LocalTime, SimDuration)>,
    /// The stores compare with the time that a write carries.
    sends_times: bool,
    /// When its session is made, counted from its first start, if before it asks.
    session_at: Option<SimDuration>,
    early_session: EarlySession,
    /// How long it waits in jeopardy after its own deadline, and whether it does.
    grace: Option<SimDuration>,
    in_jeopardy: bool,
    belief: Option<KnownGrant>,
    /// A grant that was told and is not believed before a renewal of it is answered.
    pub(super) unproven: Option<KnownGrant>,
    /// On the monotonic clock: when the client stops believing by itself.
    deadline: Option<LocalTime>,
    /// On the wall clock: until when the client may ask a store to apply its writes. Kept when the
    /// belief ends: what is under way still carries the time that it had.
    pub(super) writes_until: Option<LocalTime>,
    /// When it sent its last acquire, and whether that was answered by a place in the queue.
    asked: Now,
    pub(super) is_asking: bool,
    /// A tick of the renewer is set.
    pub(super) is_ticking: bool,
    pub(super) is_queued: bool,
    /// How long beyond the interval it waits for the answer to a poll before it polls again: there
    /// and back, where it polls, has no timeout, and its library does not ask again by itself.
    patience: Option<SimDuration>,
    /// Key of what is random in its polls, and how often it was told to wait.
    seed: u32,
    n_polls: u32,
    /// Its renewer asks for the lock behind its worker's back.
    pub(super) is_reacquiring: bool,
    /// When the last keep-alive was sent that has been answered.
    session_from: Option<Now>,
    /// Renewals and keep-alives that are not answered yet, with when they were sent. Bounded: the
    /// oldest is dropped, whose answer would not move a deadline any more.
    sent: Vec<(RequestNo, Now)>,
    /// Survives a crash, as a connection's number does: an answer to an old request is told apart.
    next_request: RequestNo,
}

/// The session that a client makes before it asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum EarlySession {
    /// None, or it went over to a request for the lock, or ended.
    None,
    /// To be made at the renewer's next tick.
    ToBeMade,
    /// Made; to be kept alive.
    Open,
}

/// How often a client asks again where nobody keeps a queue and it did not say.
const DEFAULT_POLL: SimDuration = SimDuration::from_secs(1);

/// See [`Common::patience`].
fn patience(scenario: &Scenario, id: ClientId) -> Option<SimDuration> {
    let settings = &scenario.clients()[id.index()].settings;
    let asks_again = scenario.rules().polls(settings.wait)
        && settings.timeout.is_none()
        && !LockClient::new(scenario, id).asks_again_by_itself();
    asks_again.then(|| scenario.spec().latency.times(2))
}

/// Renewals whose answers are still waited for; more than are ever under way at once unless a link
/// is slower than a whole lease.
const MAX_OPEN_RENEWALS: usize = 16;

impl Common {
    pub(super) fn new(scenario: &Scenario, id: ClientId, lock: LockClient) -> Self {
        let client = &scenario.clients()[id.index()];
        Self {
            id,
            settings: client.settings.clone(),
            lock,
            ttl: client.ttl,
            two_steps: scenario.rules().two_steps,
            settles: scenario.rules().item.map(|item| item.settle_at),
            connection_bound: scenario.rules().connection_bound,
            schedule: scenario.rules().schedule,
            bounds: Bounds::new(&client.settings),
            leased: None,
            sends_times: scenario.storage().rule == FenceRule::TimeFence,
            session_at: client.session_at.map(SimTime::since_start),
            early_session: EarlySession::None,
            grace: scenario.rules().client_grace,
            in_jeopardy: false,
            belief: None,
            unproven: None,
            deadline: None,
            writes_until: None,
            asked: Now::default(),
            is_asking: false,
            is_ticking: false,
            is_queued: false,
            patience: patience(scenario, id),
            seed: scenario.spec().seed,
            n_polls: 0,
            is_reacquiring: false,
            session_from: None,
            sent: Vec::new(),
            next_request: RequestNo(0),
        }
    }

    /// Everything but the number of the next request.
    pub(super) fn forget(&mut self, lock: LockClient) {
        self.lock = lock;
        (self.belief, self.unproven) = (None, None);
        (self.deadline, self.writes_until, self.session_from) = (None, None, None);
        (self.is_asking, self.is_queued, self.is_reacquiring) = (false, false, false);
        (self.is_ticking, self.early_session) = (false, EarlySession::None);
        (self.in_jeopardy, self.leased) = (false, None);
        self.bounds = Bounds::new(&self.settings);
        self.sent.clear();
    }

    pub(super) fn ttl(&self) -> Option<SimDuration> {
        self.ttl
    }

    pub(super) fn belief(&self) -> Option<KnownGrant> {
        self.belief
    }

    pub(super) fn believes(&self) -> bool {
        self.belief.is_some()
    }

    pub(super) fn believes_in(&self, token: FencingToken) -> bool {
        self.belief.is_some_and(|belief| belief.token == token)
    }

    pub(super) fn request(&mut self) -> RequestNo {
        let request = self.next_request;
        self.next_request = RequestNo(request.0 + 1);
        request
    }

    /// The number that the next request will have.
    pub(super) fn upcoming(&self) -> RequestNo {
        self.next_request
    }

    pub(super) fn intend(&mut self, now: Now, intent: Intent, effects: &mut Effects) {
        let request = self.request();
        self.lock.intend(now, intent, request, effects);
    }

    pub(super) fn acquire(&mut self, now: Now, effects: &mut Effects) {
        self.asked = now;
        (self.is_asking, self.is_queued) = (true, false);
        // A session that was made before counts from its own last sign of life.
        if std::mem::replace(&mut self.early_session, EarlySession::None) != EarlySession::Open {
            self.session_from = None;
        }
        self.intend(now, Intent::Acquire, effects);
    }

    /// The grant answers an earlier poll of this wait: the lease runs from when that was sent.
    pub(super) fn counts_from(&mut self, earlier: Option<Now>) {
        self.asked = earlier.unwrap_or(self.asked);
    }

    /// How long after it was told that the lock is taken this client asks again.
    pub(super) fn wait_for_next_poll(&mut self) -> SimDuration {
        let wait = self.until_next_poll();
        self.n_polls += 1;
        wait
    }

    fn until_next_poll(&self) -> SimDuration {
        match self.settings.wait {
            Wait::Queue => DEFAULT_POLL,
            Wait::Poll { every, jitter } => {
                let node = NodeId::Client(self.id);
                let number = random(self.seed, node, Purpose::PollJitter, self.n_polls);
                every + random_up_to(jitter, number)
            }
        }
    }

    /// How long after it asked it asks again if it is not answered, where no timeout says so.
    pub(super) fn polls_again_after(&self) -> Option<SimDuration> {
        self.patience.map(|patience| self.until_next_poll() + patience)
    }

    pub(super) fn renew(&mut self, now: Now, token: FencingToken, effects: &mut Effects) {
        self.remember(now);
        self.intend(now, Intent::Renew(token), effects);
    }

    /// The renewer's next tick comes after this long.
    pub(super) fn tick_after(&mut self, now: Now, after: SimDuration, effects: &mut Effects) {
        self.is_ticking = true;
        effects.timer(TimerKind::Main, now.monotonic + after);
    }

    /// The renewer's next tick is taken back, if there is one.
    pub(super) fn no_tick(&mut self, effects: &mut Effects) {
        if std::mem::take(&mut self.is_ticking) {
            effects.no_timer(TimerKind::Main);
        }
    }

    /// Whether a session is to be made before the worker asks, which is in `asks_in`; in how long.
    pub(super) fn session_before(&mut self, asks_in: SimDuration) -> Option<SimDuration> {
        let from = self.session_at.filter(|from| *from < asks_in && self.settings.session)?;
        self.early_session = EarlySession::ToBeMade;
        Some(from)
    }

    pub(super) fn early_session(&self) -> EarlySession {
        self.early_session
    }

    pub(super) fn open_session(&mut self, now: Now, effects: &mut Effects) {
        self.early_session = EarlySession::Open;
        self.session_from = Some(now);
        self.remember(now);
        self.intend(now, Intent::OpenSession, effects);
    }

    pub(super) fn session_is_over(&mut self) {
        self.early_session = EarlySession::None;
    }

    pub(super) fn keep_alive(&mut self, now: Now, effects: &mut Effects) {
        self.remember(now);
        self.intend(now, Intent::KeepAlive, effects);
    }

    fn remember(&mut self, now: Now) {
        if self.sent.len() >= MAX_OPEN_RENEWALS {
            self.sent.remove(0);
        }
        self.sent.push((self.next_request, now));
    }

    pub(super) fn sets_expiry(&self) -> bool {
        self.two_steps && self.ttl.is_some()
    }

    pub(super) fn set_expiry(&mut self, now: Now, token: FencingToken, effects: &mut Effects) {
        self.intend(now, Intent::SetExpiry(token), effects);
    }

    pub(super) fn session_lives(&mut self, request: RequestNo) {
        self.session_from = self.renewal_sent(request).or(self.session_from);
    }

    /// When the renewal or keep-alive was sent that is answered now; older ones are forgotten.
    pub(super) fn renewal_sent(&mut self, request: RequestNo) -> Option<Now> {
        let sent = self.sent.iter().find(|(open, _)| *open == request).map(|(_, sent)| *sent);
        self.sent.retain(|(open, _)| *open > request);
        sent
    }

    /// Whether its last request for the lock was sent so long ago.
    pub(super) fn has_asked_for(&self, now: Now, time: SimDuration) -> bool {
        self.asked.monotonic + time <= now.monotonic
    }

    /// Whether a grant now would come out of a queue, long after it was asked for.
    pub(super) fn must_renew_first(&self) -> bool {
        (self.settings.deadline == Deadline::FromSend || self.sends_times)
            && self.is_queued
            && !self.settings.session
            && self.ttl.is_some()
    }

    /// Sets the client's own deadline for a grant that it is told of with `ttl`. Tells whether it
    /// is still ahead.
    pub(super) fn grant_begins(
        &mut self,
        now: Now,
        ttl: Option<SimDuration>,
        effects: &mut Effects,
    ) -> bool {
        self.writes_until = None;
        // A lease that is a session's runs for all of its length from its last sign of life: the
        // last keep-alive that was answered, or the request that was answered by a place in the
        // queue. What is left of it at the grant says nothing of when it began.
        let alive = self.session_from.or(self.is_queued.then_some(self.asked));
        match alive.filter(|_| self.settings.session) {
            Some(alive) => self.set_deadline(now, alive, None, effects),
            None => self.set_deadline(now, self.asked, ttl, effects),
        }
    }

    /// Sets the client's own deadline for a lease of `ttl` (its own, if it is not told) whose
    /// request was sent at `sent`. Tells whether it is still ahead.
    pub(super) fn set_deadline(
        &mut self,
        now: Now,
        sent: Now,
        ttl: Option<SimDuration>,
        effects: &mut Effects,
    ) -> bool {
        let Some(ttl) = ttl.or(self.ttl) else {
            return true;
        };
        let writes_until = sent.wall + ttl;
        self.writes_until =
            Some(self.writes_until.map_or(writes_until, |old| old.max(writes_until)));
        if let Schedule::Marks { .. } = self.schedule {
            self.leased = Some((sent.monotonic, ttl));
        }
        let Some(deadline) = self.own_deadline(now, sent, ttl) else {
            return true;
        };
        // In jeopardy the old deadline is that of the grace, and a new one begins.
        let old = self.deadline.filter(|_| !self.in_jeopardy);
        let deadline = old.map_or(deadline, |old| old.max(deadline));
        if deadline <= now.monotonic {
            return false;
        }
        self.deadline = Some(deadline);
        effects.timer(TimerKind::Deadline, deadline);
        true
    }

    /// When it stops by itself, if it does, after an answer that it handles now.
    fn own_deadline(&self, now: Now, sent: Now, ttl: SimDuration) -> Option<LocalTime> {
        if let Schedule::Retries { every, deadline, .. } = self.schedule {
            // The next round of tries begins now, or so long after a renewal, and the deadline is
            // that round's.
            let rest = if self.believes() { every } else { SimDuration::ZERO };
            return Some(now.monotonic + rest + deadline);
        }
        let from = match self.settings.deadline {
            Deadline::Off => return None,
            Deadline::FromSend => sent.monotonic,
            Deadline::FromReceipt => now.monotonic,
        };
        Some(from + self.own_length(ttl))
    }

    /// `L(1-r)/(1+r) - m`: what of a lease of length L a client may use if clocks err by the rate r
    /// (Gray and Cheriton 1989, section 5), less its margin.
    fn own_length(&self, ttl: SimDuration) -> SimDuration {
        let rate = self.settings.deadline_rate_error_ppm;
        let length = match rate {
            0 => ttl,
            _ => {
                let product = i128::from(ttl.micros()) * i128::from(1_000_000 - rate);
                course::rounds(product, 1_000_000 + rate);
                let micros = product / i128::from(1_000_000 + rate);
                SimDuration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
            }
        };
        length.minus(self.settings.deadline_margin)
    }

    pub(super) fn deadline_is_past(&self, now: Now) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now.monotonic)
    }

    /// Its deadline has passed. Whether it now waits to hear of the service before it believes that
    /// its session is over.
    pub(super) fn waits_in_jeopardy(&mut self, effects: &mut Effects) -> bool {
        let (Some(grace), Some(deadline), Some(known)) = (self.grace, self.deadline, self.belief)
        else {
            return false;
        };
        if std::mem::replace(&mut self.in_jeopardy, true) {
            return false;
        }
        effects.fact(ClientFact::Jeopardy { token: known.token });
        self.deadline = Some(deadline + grace);
        effects.timer(TimerKind::Deadline, deadline + grace);
        true
    }

    pub(super) fn is_in_jeopardy(&self) -> bool {
        self.in_jeopardy
    }

    /// It heard of the service. Tells whether it was in jeopardy.
    pub(super) fn is_safe_again(&mut self, effects: &mut Effects) -> bool {
        let was = std::mem::replace(&mut self.in_jeopardy, false);
        if let Some(KnownGrant { token, .. }) = self.belief.filter(|_| was) {
            effects.fact(ClientFact::Safe { token });
        }
        was
    }

    pub(super) fn believe(&mut self, known: KnownGrant, effects: &mut Effects) {
        let KnownGrant { grant, token } = known;
        (self.is_asking, self.is_reacquiring) = (false, false);
        // Told once more of the grant that it believes in, it begins nothing.
        if self.belief.replace(known) != Some(known) {
            effects.fact(ClientFact::BeliefStarted { grant, token });
        }
    }

    pub(super) fn stop_believing(&mut self, why: BeliefEnd, effects: &mut Effects) {
        if let Some(KnownGrant { grant, token }) = self.belief.take() {
            effects.fact(ClientFact::BeliefEnded { grant, token, why });
            self.deadline = None;
            // Nothing is left to renew and nothing to wait for.
            effects.no_timer(TimerKind::Main);
            (self.is_ticking, self.in_jeopardy) = (false, false);
            if self.settings.deadline != Deadline::Off {
                effects.no_timer(TimerKind::Deadline);
            }
        }
    }
}
