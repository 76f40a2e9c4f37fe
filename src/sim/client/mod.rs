//! A client: a worker, a renewer apart from it, the lock system's library, and what the client
//! believes. It sees its own clock and what arrives, never the truth.

mod renewer;
mod worker;

use super::effect::Effects;
use super::event::{BeliefEnd, Event};
use super::id::{ClientId, FencingToken, GrantNo, NodeId, RequestNo, Version, WriteId};
use super::lock::{Intent, LockClient, Outcome};
use super::message::Body;
use super::scenario::{NamedStep, Scenario};
use super::time::{LocalTime, SimDuration};
use renewer::Renewer;
use worker::Worker;

/// What happens to a client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientInput {
    /// It starts, for the first time or again after a crash; its worker asks after this long.
    Start(SimDuration),
    /// A message is handled.
    Message(NodeId, Body),
    /// The time of its renewal has come.
    RenewTick,
    /// Its worker takes its pending step.
    WorkerStep,
}

/// A grant that a client knows of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KnownGrant {
    /// Its number, for the record.
    pub grant: GrantNo,
    /// Its token.
    pub token: FencingToken,
}

/// One client.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Client {
    worker: Worker,
    renewer: Renewer,
    lock: LockClient,
    /// As it was made, to start again from after a crash.
    library: LockClient,
    common: Common,
}

/// What worker and renewer share: the process's own memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Common {
    id: ClientId,
    belief: Option<KnownGrant>,
    /// Survives a crash, as a connection's number does: an answer to an old request is told apart.
    next_request: RequestNo,
}

impl Common {
    fn request(&mut self) -> RequestNo {
        let request = self.next_request;
        self.next_request = RequestNo(request.0 + 1);
        request
    }

    fn stop_believing(&mut self, why: BeliefEnd, effects: &mut Effects) {
        if let Some(KnownGrant { grant, token }) = self.belief.take() {
            effects.fact(Event::BeliefEnded { grant, token, why });
            // Nothing is left to renew; the client's only timer is the renewal's.
            effects.no_timer();
        }
    }
}

impl Client {
    /// A client of `scenario` that has not started yet.
    pub fn new(scenario: &Scenario, id: ClientId) -> Self {
        let settings = &scenario.clients()[id.index()].settings;
        let lock = LockClient::new(scenario);
        Self {
            worker: Worker::new(
                settings,
                scenario.spec().storage.stores,
                scenario.spec().storage.seal,
            ),
            renewer: Renewer::new(settings.renew.interval(scenario.ttl())),
            lock: lock.clone(),
            library: lock,
            common: Common {
                id,
                belief: None,
                next_request: RequestNo(0),
            },
        }
    }

    /// Takes an input in; `now` is what the client's monotonic clock shows.
    pub fn handle(&mut self, now: LocalTime, input: ClientInput, effects: &mut Effects) {
        match input {
            ClientInput::Start(after) => effects.step(after),
            ClientInput::RenewTick => {
                self.renewer
                    .tick(now, &mut self.common, &mut self.lock, effects);
            }
            ClientInput::WorkerStep => {
                self.worker
                    .step(now, &mut self.common, &mut self.lock, effects);
            }
            ClientInput::Message(NodeId::Store(store), body) => {
                self.worker.store_answered(
                    now,
                    store,
                    &body,
                    &mut self.common,
                    &mut self.lock,
                    effects,
                );
            }
            ClientInput::Message(NodeId::Lock(_), body) => {
                if let Some(outcome) = self.lock.handle(now, &body, effects) {
                    self.learn(now, outcome, effects);
                }
            }
            ClientInput::Message(NodeId::Client(_), _) => {}
        }
    }

    /// Loses everything but its name.
    pub fn crash(&mut self, effects: &mut Effects) {
        self.common.stop_believing(BeliefEnd::Crashed, effects);
        self.worker.crash();
        self.lock = self.library.clone();
    }

    /// The named steps that its worker's pending step is.
    pub fn pending_steps(&self) -> impl Iterator<Item = NamedStep> + use<> {
        self.worker.pending_steps().into_iter().flatten()
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

    /// Whether it waits for the lock and has never had it.
    pub fn is_waiting_for_its_first_grant(&self) -> bool {
        self.worker.is_waiting_for_its_first_grant()
    }

    /// Whether it holds the lock, as it believes, and will keep it without end.
    pub fn holds_for_good(&self) -> bool {
        self.common.belief.is_some() && self.renewer.is_on() && self.worker.never_releases()
    }

    fn learn(&mut self, now: LocalTime, outcome: Outcome, effects: &mut Effects) {
        match outcome {
            Outcome::Granted { grant, token } => {
                let known = KnownGrant { grant, token };
                self.common.belief = Some(known);
                effects.fact(Event::BeliefStarted { grant, token });
                self.renewer.start(now, effects);
                self.worker.granted(known, effects);
            }
            Outcome::RenewRefused { token } => {
                if self
                    .common
                    .belief
                    .is_some_and(|belief| belief.token == token)
                {
                    self.common
                        .stop_believing(BeliefEnd::RenewalRefused, effects);
                }
            }
            Outcome::ReleaseAnswered => self.worker.release_answered(&self.common, effects),
            Outcome::Checked { valid } => {
                self.worker.checked(valid, &mut self.common, effects);
            }
        }
    }
}

/// What a worker's write carries besides its id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct WriteRequest {
    write: WriteId,
    under: KnownGrant,
    base: Option<Version>,
}

impl WriteRequest {
    fn body(self, request: RequestNo) -> Body {
        let KnownGrant { grant, token } = self.under;
        Body::Write {
            request,
            write: self.write,
            token,
            grant,
            base: self.base,
        }
    }
}

fn release(
    now: LocalTime,
    common: &mut Common,
    lock: &mut LockClient,
    token: FencingToken,
    effects: &mut Effects,
) {
    let request = common.request();
    lock.intend(now, Intent::Release(token), request, effects);
    common.stop_believing(BeliefEnd::Released, effects);
}
