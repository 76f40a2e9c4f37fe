//! A client: a worker, a renewer apart from it, the lock system's library, and what the client
//! believes. It sees its own clocks and what arrives, never the truth.

mod belief;
mod bounds;
mod renewer;
mod worker;

use super::clock::Now;
use super::effect::{Effects, TimerKind};
use super::fact::{BeliefEnd, ClientFact};
use super::id::{ClientId, FencingToken, LockNodeId, NodeId, StoreId};
use super::lock::{Intent, LockClient, Outcome};
use super::message::{Answer, Body, StoreAnswer};
use super::scenario::{NamedStep, OnLoss, RenewFailure, Scenario};
use super::time::SimDuration;
use belief::Common;
pub use belief::KnownGrant;
use renewer::{Renewer, Tick};
use worker::Worker;

/// What happens to a client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientInput {
    /// It starts, for the first time or again after a crash; its worker asks after this long.
    Start(SimDuration),
    /// An answer of a lock node is handled.
    Answer(LockNodeId, Answer),
    /// An answer of a store is handled.
    StoreAnswer(StoreId, StoreAnswer),
    /// Its connection to the service is gone.
    Disconnected,
    /// The time of one of its timers has come.
    Timer(TimerKind),
    /// Its worker takes its pending step.
    WorkerStep,
}

impl ClientInput {
    /// What a message is to a client; `None`: no client is told that.
    pub fn of(from: NodeId, body: Body) -> Option<Self> {
        match (from, body) {
            (NodeId::Lock(node), Body::Answer(answer)) => Some(Self::Answer(node, answer)),
            (NodeId::Store(store), Body::StoreAnswer(answer)) => {
                Some(Self::StoreAnswer(store, answer))
            }
            (NodeId::Lock(_), Body::Disconnected) => Some(Self::Disconnected),
            (
                NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_),
                Body::Answer(_)
                | Body::StoreAnswer(_)
                | Body::Disconnected
                | Body::Request(_)
                | Body::StoreRequest(_)
                | Body::Peer(_)
                | Body::ServiceToStore(_)
                | Body::StoreToService(_),
            ) => None,
        }
    }
}

/// One client.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Client {
    worker: Worker,
    renewer: Renewer,
    common: Common,
    /// As it was made, to start again from after a crash.
    library: LockClient,
}

impl Client {
    /// A client of `scenario` that has not started yet.
    pub fn new(scenario: &Scenario, id: ClientId) -> Self {
        let client = &scenario.clients()[id.index()];
        let lock = LockClient::new(scenario, id);
        Self {
            worker: Worker::new(scenario, id),
            renewer: Renewer::new(client.settings.renew.interval(client.ttl)),
            common: Common::new(scenario, id, lock.clone()),
            library: lock,
        }
    }

    /// Takes an input in; `now` is what the client's clocks show.
    pub fn handle(&mut self, now: Now, input: ClientInput, effects: &mut Effects) {
        match input {
            ClientInput::Start(after) => {
                effects.step(after);
                if let Some(from) = self.common.session_before(after) {
                    effects.timer(TimerKind::Main, now.monotonic + from);
                }
            }
            ClientInput::Timer(kind) => self.timer(now, kind, effects),
            ClientInput::WorkerStep => {
                let waited = self.worker.waits_unrenewed();
                self.worker.step(now, &mut self.common, effects);
                if waited && self.common.believes() && !self.worker.waits_unrenewed() {
                    self.renewer.start(now, &mut self.common, effects);
                }
                self.keep_session_alive(now, effects);
            }
            ClientInput::StoreAnswer(store, answer) => {
                self.worker.store_answered(now, store, answer, &mut self.common, effects);
            }
            ClientInput::Answer(node, answer) => {
                if self.common.connection_bound {
                    // Whoever it hears of, its connection is not dead.
                    effects.no_timer(TimerKind::Connection);
                }
                if let Some(outcome) = self.common.lock.handle(now, node, answer, effects) {
                    self.learn(now, outcome, effects);
                }
            }
            ClientInput::Disconnected => {
                if let Some(outcome) = self.common.lock.disconnected() {
                    self.learn(now, outcome, effects);
                }
            }
        }
        if self.common.bounds.take_step(now) {
            self.renewer.worker_stepped(now, &mut self.common, effects);
        }
    }

    /// Loses everything but its name.
    pub fn crash(&mut self, effects: &mut Effects) {
        self.common.stop_believing(BeliefEnd::Crashed, effects);
        self.common.forget(self.library.clone());
        self.renewer.forget();
        self.worker.crash();
    }

    /// Its worker dies; what is left renews on.
    pub fn worker_dies(&mut self) {
        self.worker.die();
    }

    /// The named steps that its worker's pending step is.
    pub fn pending_steps(&self) -> impl Iterator<Item = NamedStep> + use<> {
        self.worker.pending_steps(self.common.believes()).into_iter().flatten()
    }

    /// Whether its pending step is the end of work that a pause lengthens.
    pub fn is_computing(&self) -> bool {
        self.worker.is_computing()
    }

    /// Whether its worker still has something to do that it will come to by itself or by an answer:
    /// not done, not resting between repetitions, not merely waiting for the lock.
    pub fn is_busy(&self) -> bool {
        self.worker.is_busy()
    }

    /// Whether its worker's pending step is to ask once more unless it is answered before.
    pub fn polls_again(&self) -> bool {
        self.worker.polls_again()
    }

    /// Whether it waits for the lock and has never had it.
    pub fn is_waiting_for_its_first_grant(&self) -> bool {
        self.worker.is_waiting_for_its_first_grant()
    }

    /// Whether its release was refused and is sent again without end.
    pub fn sends_its_release_again(&self) -> bool {
        self.worker.sends_its_release_again()
    }

    /// Whether it holds the lock, as it believes, and will keep it without end.
    pub fn holds_for_good(&self) -> bool {
        self.common.believes()
            && self.renewer.is_on()
            && !self.common.bounds.end_some_day()
            && self.worker.never_releases()
    }

    fn timer(&mut self, now: Now, kind: TimerKind, effects: &mut Effects) {
        match kind {
            TimerKind::Main => self.tick(now, effects),
            TimerKind::Deadline => {
                if self.common.deadline_is_past(now) && !self.common.waits_in_jeopardy(effects) {
                    self.common.stop_believing(BeliefEnd::DeadlinePassed, effects);
                    self.worker.session_is_lost(&self.common, effects);
                    self.react_to_loss(now, effects);
                }
            }
            TimerKind::Library | TimerKind::LibraryRenewal => {
                if let Some(outcome) = self.common.lock.timer(now, kind, effects) {
                    self.learn(now, outcome, effects);
                }
            }
            TimerKind::Connection => self.disconnected(now, effects),
            TimerKind::Stop => self.worker.stop(&self.common, effects),
            TimerKind::EarlyRelease => self.worker.release_early(now, &mut self.common, effects),
        }
    }

    fn learn(&mut self, now: Now, outcome: Outcome, effects: &mut Effects) {
        match outcome {
            Outcome::Granted { grant, token, ttl, earlier } => {
                self.granted(now, KnownGrant { grant, token }, ttl, earlier, effects);
            }
            Outcome::NothingLeft => {
                (self.common.is_asking, self.common.is_reacquiring) = (false, false);
                self.common.lock.wait_is_over();
                self.worker.nothing_left(effects);
            }
            Outcome::Queued => {
                self.common.is_queued = true;
                self.worker.queued(effects);
            }
            Outcome::Taken => self.taken(now, effects),
            Outcome::Alive(request) => self.common.session_lives(request),
            Outcome::SessionOver => self.session_over(now, effects),
            Outcome::Renewed { request, ttl } => {
                self.renewer.answered(&self.common, effects);
                self.renewed(now, request, ttl, effects);
            }
            Outcome::RenewRefused { token } => {
                self.renewer.refused();
                self.renew_refused(now, token, effects);
            }
            Outcome::Disconnected => self.disconnected(now, effects),
            Outcome::ReleaseAnswered { refused } => {
                self.worker.release_answered(refused, &mut self.common, effects);
            }
            Outcome::Reentered(token) => {
                self.worker.reentered(token, &mut self.common, effects);
            }
            Outcome::Checked { valid, current } => {
                self.worker.checked(valid, current, &mut self.common, effects);
            }
        }
    }

    fn tick(&mut self, now: Now, effects: &mut Effects) {
        match self.renewer.tick(now, &mut self.common, effects) {
            Tick::Done => {}
            // Its worker still waits for the grant whose renewal was never answered.
            Tick::GaveUp => {
                if self.common.unproven.take().is_some() {
                    self.worker.granted_too_late(effects);
                }
            }
            Tick::Leaves => {
                if let Some(known) = self.common.belief() {
                    let_go(now, known.token, true, &mut self.common, effects);
                }
                self.react_to_loss(now, effects);
            }
            Tick::ProofIsOverdue => {
                if let Some(known) = self.common.unproven.take() {
                    self.too_late(known, false, effects);
                }
            }
        }
    }

    /// The lock is taken, and whoever asked for it asks again: the worker, or the renewer behind
    /// its back.
    fn taken(&mut self, now: Now, effects: &mut Effects) {
        self.common.is_asking = false;
        if self.worker.is_asking() {
            self.worker.taken(&mut self.common, effects);
        } else if self.common.is_reacquiring {
            let wait = self.common.wait_for_next_poll();
            self.common.tick_after(now, wait, effects);
        }
    }

    /// Its connection is gone. Where the lock lives with that, so is the lock, or the place in the
    /// queue, and nothing that it asked the service is answered any more.
    fn disconnected(&mut self, now: Now, effects: &mut Effects) {
        if self.common.believes() {
            self.common.stop_believing(BeliefEnd::Disconnected, effects);
            self.react_to_loss(now, effects);
        }
        if !self.common.connection_bound {
            return;
        }
        self.common.unproven = None;
        self.common.session_is_over();
        if self.common.is_reacquiring {
            self.renewer.reacquire(now, &mut self.common, effects);
        } else {
            self.worker.disconnected(&mut self.common, effects);
        }
    }

    fn session_over(&mut self, now: Now, effects: &mut Effects) {
        self.common.session_is_over();
        if self.common.believes() {
            return;
        }
        if self.common.is_reacquiring {
            self.renewer.reacquire(now, &mut self.common, effects);
        } else {
            self.worker.session_over(effects);
        }
    }

    fn granted(
        &mut self,
        now: Now,
        known: KnownGrant,
        ttl: Option<SimDuration>,
        earlier: Option<Now>,
        effects: &mut Effects,
    ) {
        if self.common.belief() != Some(known) {
            self.common.bounds.begin(now);
        }
        if self.common.must_renew_first() {
            // Granted from a queue without a session: the request that this answers was sent long
            // ago, so the deadline counts from a renewal that is made now.
            self.common.unproven = Some(known);
            self.common.writes_until = None;
            self.renewer.prove(now, known, &mut self.common, effects);
            return;
        }
        self.common.counts_from(earlier);
        if !self.common.grant_begins(now, ttl, effects) {
            self.too_late(known, earlier.is_some(), effects);
            return;
        }
        self.believe(now, known, earlier.is_some(), effects);
        if ttl.is_none() && self.common.sets_expiry() {
            self.common.set_expiry(now, known.token, effects);
        }
    }

    fn believe(&mut self, now: Now, known: KnownGrant, earlier: bool, effects: &mut Effects) {
        let behind_its_worker = self.common.is_reacquiring;
        self.common.believe(known, effects);
        self.common.lock.wait_is_over();
        self.renewer.start(now, &mut self.common, effects);
        if behind_its_worker {
            self.worker.goes_on_with(known);
        } else {
            self.worker.granted(known, earlier, effects);
        }
        if self.worker.waits_unrenewed() {
            self.common.no_tick(effects);
        }
    }

    /// The reply was handled after the deadline that it would have given: it starts no belief, and
    /// the worker asks again, unless it has a later poll under way.
    fn too_late(&mut self, known: KnownGrant, earlier: bool, effects: &mut Effects) {
        let KnownGrant { grant, token } = known;
        effects.fact(ClientFact::GrantTooLate { grant, token });
        if !earlier {
            self.worker.granted_too_late(effects);
        }
    }

    fn renewed(
        &mut self,
        now: Now,
        request: super::id::RequestNo,
        ttl: SimDuration,
        effects: &mut Effects,
    ) {
        // An answer to a renewal that is no longer open (a duplicate, or one that a later answer
        // has overtaken) tells nothing new, and must not move a deadline.
        let Some(sent) = self.common.renewal_sent(request) else {
            return;
        };
        if let Some(known) = self.common.unproven.take() {
            match self.common.set_deadline(now, sent, Some(ttl), effects) {
                true => self.believe(now, known, false, effects),
                false => self.too_late(known, false, effects),
            }
        } else if self.common.believes() && self.common.set_deadline(now, sent, Some(ttl), effects)
        {
            self.renewer.begin_anew(now, &mut self.common, effects);
            if self.common.is_safe_again(effects) {
                self.worker.goes_on_after_jeopardy(effects);
            }
        }
    }

    fn renew_refused(&mut self, now: Now, token: FencingToken, effects: &mut Effects) {
        if self.common.unproven.take_if(|known| known.token == token).is_some() {
            self.worker.granted_too_late(effects);
        }
        if !self.common.believes_in(token) || self.renewer.tries_on(now, &mut self.common, effects)
        {
            return;
        }
        self.common.stop_believing(BeliefEnd::RenewalRefused, effects);
        if self.common.settings.renew_failure == RenewFailure::Reacquires {
            self.renewer.reacquire(now, &mut self.common, effects);
        } else {
            self.react_to_loss(now, effects);
        }
    }

    fn react_to_loss(&mut self, now: Now, effects: &mut Effects) {
        match self.common.settings.on_loss {
            OnLoss::GoesOn => {}
            OnLoss::StopsAfter(delay) => {
                effects.timer(TimerKind::Stop, now.monotonic + delay);
            }
            OnLoss::Dies => self.worker.end_for_good(effects),
        }
    }

    /// A client with a session of its own renews it from when it first asks.
    fn keep_session_alive(&mut self, now: Now, effects: &mut Effects) {
        if self.common.settings.session && self.common.is_asking && !self.common.believes() {
            self.renewer.start_if_idle(now, &mut self.common, effects);
        }
    }
}

/// What it says to give the lock back; of an item, that it is done, or goes back.
fn letting_go(token: FencingToken, back: bool, common: &Common) -> Intent {
    match common.settles {
        Some(_) => Intent::Settle(token, back),
        None => Intent::Release(token),
    }
}

/// Gives the lock back, or settles the item, and stops believing.
fn let_go(now: Now, token: FencingToken, back: bool, common: &mut Common, effects: &mut Effects) {
    common.intend(now, letting_go(token, back, common), effects);
    common.stop_believing(BeliefEnd::Released, effects);
}
