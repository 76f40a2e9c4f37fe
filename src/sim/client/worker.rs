//! The worker: it asks, works, perhaps checks, writes, and releases or stays. It awaits each answer
//! before its next request. Losing the lock does not stop it by magic: it goes on until something
//! that it does tells it.

use super::{Common, KnownGrant, WriteRequest, release};
use crate::sim::effect::Effects;
use crate::sim::event::{Abandoned, BeliefEnd, Event};
use crate::sim::id::{ClientId, NodeId, RequestNo, StoreId, Version, WriteId};
use crate::sim::limits::MAX_STORES;
use crate::sim::lock::{Intent, LockClient};
use crate::sim::message::Body;
use crate::sim::scenario::{Check, ClientSettings, NamedStep, Operation, Repeat, WorkKind};
use crate::sim::time::{LocalTime, SimDuration};

/// A client's worker.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Worker {
    settings: ClientSettings,
    n_stores: u8,
    seal: bool,
    state: State,
    /// The grant under which the present piece of work began; it may be over by now.
    under: Option<KnownGrant>,
    /// The piece of work, from 1, and the write inside it. Counted on after a crash, as a job's
    /// number would be.
    work: u32,
    step: u16,
    /// What each store's value was when it was read.
    bases: [Option<Version>; MAX_STORES],
}

/// What the worker is at. A state with a pending step is left by `Worker::step`, the others by an
/// answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum State {
    /// Pending step: ask for the lock, or begin under the grant that it still believes in.
    Resting,
    /// Awaits the grant.
    Asking,
    /// Pending step: begin.
    Beginning,
    /// Awaits the answers to its seals.
    Sealing { first: RequestNo, open: u8 },
    /// Awaits a store's value.
    Reading { store: StoreId, request: RequestNo },
    /// Pending step: the work is over; check or write.
    Working,
    /// Awaits the answer to its check.
    Checking,
    /// Pending step: write, after the check.
    Checked,
    /// Awaits a store's answer to its write.
    Writing { store: StoreId, request: RequestNo },
    /// Awaits the answer to its release.
    Releasing,
    /// Has nothing left to do.
    Done,
}

impl Worker {
    pub(super) fn new(settings: &ClientSettings, n_stores: u8, seal: bool) -> Self {
        Self {
            settings: settings.clone(),
            n_stores,
            seal,
            state: State::Resting,
            under: None,
            work: 0,
            step: 0,
            bases: [None; MAX_STORES],
        }
    }

    pub(super) fn crash(&mut self) {
        self.state = State::Resting;
        self.under = None;
        self.bases = [None; MAX_STORES];
    }

    pub(super) fn pending_steps(&self) -> [Option<NamedStep>; 2] {
        let checks = self.settings.check != Check::Off;
        let first_write = (self.step == 1).then_some(NamedStep::BeforeFirstWrite);
        match self.state {
            State::Resting => [Some(NamedStep::BeforeAcquire), None],
            State::Beginning => [Some(NamedStep::BeforeRead), None],
            State::Working => [
                Some(NamedStep::BeforeWrite),
                first_write.filter(|_| !checks),
            ],
            State::Checked => [Some(NamedStep::AfterCheck), first_write],
            State::Asking
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Checking
            | State::Writing { .. }
            | State::Releasing
            | State::Done => [None, None],
        }
    }

    pub(super) fn is_computing(&self) -> bool {
        self.state == State::Working && self.settings.work_kind == WorkKind::Computing
    }

    pub(super) fn is_busy(&self) -> bool {
        match self.state {
            State::Done | State::Asking => false,
            State::Resting => self.work == 0,
            // A repeater is never finished; once it has been round, it settles nothing more.
            State::Beginning
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Working
            | State::Checking
            | State::Checked
            | State::Writing { .. }
            | State::Releasing => self.settings.repeat == Repeat::Off || self.work <= 1,
        }
    }

    pub(super) fn is_waiting_for_its_first_grant(&self) -> bool {
        self.state == State::Asking && self.work == 0
    }

    pub(super) fn never_releases(&self) -> bool {
        !self.settings.release && (self.state == State::Done || self.settings.repeat != Repeat::Off)
    }

    /// Takes the pending step.
    pub(super) fn step(
        &mut self,
        now: LocalTime,
        common: &mut Common,
        lock: &mut LockClient,
        effects: &mut Effects,
    ) {
        match self.state {
            State::Resting => match common.belief {
                Some(known) => self.begin(known, common, effects),
                None => {
                    self.state = State::Asking;
                    let request = common.request();
                    lock.intend(now, Intent::Acquire, request, effects);
                }
            },
            State::Beginning => {
                if let Some(known) = self.under {
                    self.begin(known, common, effects);
                }
            }
            State::Working => match (self.settings.check, self.under) {
                (Check::AsksService, Some(known)) => {
                    self.state = State::Checking;
                    let request = common.request();
                    lock.intend(now, Intent::Check(known.token), request, effects);
                }
                (Check::Off, _) | (_, None) => self.write(StoreId(0), common, effects),
            },
            State::Checked => self.write(StoreId(0), common, effects),
            State::Asking
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Checking
            | State::Writing { .. }
            | State::Releasing
            | State::Done => {}
        }
    }

    /// The lock is granted: the first step of the piece of work is pending.
    pub(super) fn granted(&mut self, known: KnownGrant, effects: &mut Effects) {
        if self.state == State::Asking {
            self.under = Some(known);
            self.state = State::Beginning;
            effects.step(SimDuration::ZERO);
        }
    }

    /// Starts a piece of work: raises the fence, or reads, or works.
    fn begin(&mut self, known: KnownGrant, common: &mut Common, effects: &mut Effects) {
        self.under = Some(known);
        self.work += 1;
        self.step = 1;
        if !self.seal {
            self.next_write(common, effects);
            return;
        }
        let KnownGrant { grant, token } = known;
        let first = common.next_request;
        for store in 0..self.n_stores {
            let request = common.request();
            effects.send(
                NodeId::Store(StoreId(store)),
                Body::Seal {
                    request,
                    token,
                    grant,
                },
            );
        }
        self.state = State::Sealing {
            first,
            open: self.n_stores,
        };
    }

    /// Goes towards the next write: reads first if the operation does.
    fn next_write(&mut self, common: &mut Common, effects: &mut Effects) {
        match self.settings.operation {
            Operation::ReadModifyWrite => self.read(StoreId(0), common, effects),
            Operation::Overwrite => self.work(common.id, effects),
        }
    }

    fn read(&mut self, store: StoreId, common: &mut Common, effects: &mut Effects) {
        let Some(KnownGrant { grant, .. }) = self.under else {
            return;
        };
        let request = common.request();
        self.state = State::Reading { store, request };
        effects.send(NodeId::Store(store), Body::Read { request, grant });
    }

    fn work(&mut self, client: ClientId, effects: &mut Effects) {
        let Some(KnownGrant { grant, .. }) = self.under else {
            return;
        };
        let takes = self.settings.work;
        self.state = State::Working;
        effects.fact(Event::WorkStarted {
            write: self.write_id(client),
            grant,
            takes,
        });
        effects.step(takes);
    }

    fn write_id(&self, client: ClientId) -> WriteId {
        WriteId {
            client,
            work: self.work,
            step: self.step,
        }
    }

    fn write(&mut self, store: StoreId, common: &mut Common, effects: &mut Effects) {
        let Some(under) = self.under else { return };
        let request = common.request();
        self.state = State::Writing { store, request };
        let base = self.bases[usize::from(store.0)];
        let write = WriteRequest {
            write: self.write_id(common.id),
            under,
            base,
        };
        effects.send(NodeId::Store(store), write.body(request));
    }

    /// A store answered.
    pub(super) fn store_answered(
        &mut self,
        now: LocalTime,
        from: StoreId,
        body: &Body,
        common: &mut Common,
        lock: &mut LockClient,
        effects: &mut Effects,
    ) {
        match (self.state, *body) {
            (State::Sealing { first, open }, Body::Sealed { request }) if request >= first => {
                self.state = State::Sealing {
                    first,
                    open: open - 1,
                };
                if open == 1 {
                    self.next_write(common, effects);
                }
            }
            (State::Sealing { first, .. }, Body::SealRefused { request, .. })
                if request >= first =>
            {
                self.fenced(from, Abandoned::SealRefused, common, effects);
            }
            (
                State::Reading { store, request },
                Body::Value {
                    request: answered,
                    version,
                },
            ) if request == answered => {
                self.bases[usize::from(store.0)] = Some(version);
                match self.store_after(store) {
                    Some(next) => self.read(next, common, effects),
                    None => self.work(common.id, effects),
                }
            }
            (
                State::Writing { store, request },
                Body::WriteAccepted {
                    request: answered, ..
                },
            ) if request == answered => match self.store_after(store) {
                Some(next) => self.write(next, common, effects),
                None => self.written(now, common, lock, effects),
            },
            (
                State::Writing { request, .. },
                Body::WriteRefused {
                    request: answered, ..
                },
            ) if request == answered => {
                self.fenced(from, Abandoned::Fenced, common, effects);
            }
            _ => {}
        }
    }

    fn store_after(&self, store: StoreId) -> Option<StoreId> {
        let next = store.0 + 1;
        (next < self.n_stores).then_some(StoreId(next))
    }

    /// The check was answered.
    pub(super) fn checked(&mut self, valid: bool, common: &mut Common, effects: &mut Effects) {
        if self.state != State::Checking {
            return;
        }
        if valid {
            self.state = State::Checked;
            effects.step(SimDuration::ZERO);
        } else {
            common.stop_believing(BeliefEnd::CheckFailed, effects);
            self.abandon(Abandoned::CheckFailed, common, effects);
        }
    }

    /// A store refused its token: it learns that it is no longer the holder.
    fn fenced(&mut self, by: StoreId, why: Abandoned, common: &mut Common, effects: &mut Effects) {
        if common.belief == self.under {
            common.stop_believing(BeliefEnd::Fenced(by), effects);
        }
        self.abandon(why, common, effects);
    }

    fn abandon(&mut self, why: Abandoned, common: &Common, effects: &mut Effects) {
        if let Some(KnownGrant { grant, .. }) = self.under {
            effects.fact(Event::WorkAbandoned {
                write: self.write_id(common.id),
                grant,
                why,
            });
        }
        self.rest_or_finish(common, effects);
    }

    /// Every store accepted the write.
    fn written(
        &mut self,
        now: LocalTime,
        common: &mut Common,
        lock: &mut LockClient,
        effects: &mut Effects,
    ) {
        if u32::from(self.step) < self.settings.writes_per_grant {
            self.step += 1;
            self.next_write(common, effects);
            return;
        }
        match common.belief {
            Some(known) if self.settings.release => {
                self.state = State::Releasing;
                release(now, common, lock, known.token, effects);
            }
            _ => self.rest_or_finish(common, effects),
        }
    }

    pub(super) fn release_answered(&mut self, common: &Common, effects: &mut Effects) {
        if self.state == State::Releasing {
            self.rest_or_finish(common, effects);
        }
    }

    fn rest_or_finish(&mut self, common: &Common, effects: &mut Effects) {
        self.under = None;
        match self.settings.repeat {
            Repeat::After(rest) => {
                self.state = State::Resting;
                effects.step(rest);
            }
            Repeat::Off => {
                self.state = State::Done;
                effects.fact(Event::WorkerDone {
                    holding: common.belief.is_some(),
                });
            }
        }
    }
}
