//! The worker: it asks, works, perhaps checks, acts, writes, and releases or stays. It awaits each
//! answer before its next request. Losing the lock does not stop it by magic: it goes on until
//! something that it does tells it, or until its client stops it.

mod answers;
mod requests;

use super::belief::{Common, KnownGrant};
use super::let_go;
use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{Abandoned, ClientFact};
use crate::sim::id::{ClientId, FencingToken, RequestNo, StoreId, Version};
use crate::sim::limits::MAX_STORES;
use crate::sim::lock::StoreCheck;
use crate::sim::scenario::{
    Check, ClientSettings, FenceRule, NamedStep, Operation, Piece, Reenters, Repeat, Scenario,
    SettleAt, WorkKind,
};
use crate::sim::time::SimDuration;

/// A client's worker.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Worker {
    settings: ClientSettings,
    n_stores: u8,
    seal: bool,
    rule: FenceRule,
    state: State,
    /// The grant under which the present piece of work began; it may be over by now.
    under: Option<KnownGrant>,
    /// The token that its next write carries.
    carries: FencingToken,
    /// The token of the code inside that took the lock once more, until it has written.
    inside: Option<FencingToken>,
    /// The piece of work, from 1, and the write inside it. Counted on after a crash, as a job's
    /// number would be.
    work: u32,
    step: u16,
    /// Whether it ever began a piece of work.
    has_begun: bool,
    /// Whether it has written under the present grant.
    has_written: bool,
    /// What each store's value was when it was read.
    bases: [Option<Version>; MAX_STORES],
    /// How often the present request has gone unanswered.
    n_timeouts: u32,
    /// The stores compare the version that a write was built on, and how often one has refused the
    /// present step.
    compares_versions: bool,
    n_conflicts: u32,
    /// The first store that its present step has still to write to.
    from_store: StoreId,
    /// It died, its renewer did not.
    is_dead: bool,
    /// Its work is the item that the lock stands for, and it puts that back.
    is_for_item: bool,
    puts_back: bool,
    /// Its pending step waits until its session is safe again.
    is_held: bool,
    /// Its pending step is to send its write again: a store did not know its epoch yet.
    writes_again: bool,
    /// Its pending step is to poll again: the last poll was not answered.
    polls_again: bool,
    /// After how long it does.
    write_again_after: SimDuration,
    /// Where the system numbers writes: the token of the last one and its number under that.
    numbered: Option<(FencingToken, u32)>,
    numbers_writes: bool,
}

/// What the worker is at. A state with a pending step is left by `Worker::step`, the others by an
/// answer, or by `Worker::step` when the answer does not come in time.
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
    Reading { store: StoreId, first: RequestNo },
    /// Pending step: the work is over; check or write.
    Working,
    /// Awaits the answer to its check.
    Checking,
    /// Pending step: act or write, after the check.
    Checked,
    /// Awaits the answer of the outside.
    Acting { first: RequestNo },
    /// Awaits a store's answer to its write.
    Writing { store: StoreId, first: RequestNo },
    /// Awaits the answer to taking the lock once more, inside.
    Reentering,
    /// Awaits the answer to settling its item before it works.
    Settling { token: FencingToken },
    /// Pending step: put its item back.
    PuttingBack,
    /// Awaits the answer to its release; `again`: one was refused.
    Releasing { token: FencingToken, again: bool },
    /// Pending step: send the release again.
    ReleaseRefused { token: FencingToken },
    /// Has nothing left to do.
    Done,
}

impl Worker {
    pub(super) fn new(scenario: &Scenario, id: ClientId) -> Self {
        let storage = scenario.storage();
        Self {
            settings: scenario.clients()[id.index()].settings.clone(),
            n_stores: storage.stores,
            seal: storage.seal,
            rule: storage.rule,
            state: State::Resting,
            under: None,
            carries: FencingToken(0),
            inside: None,
            work: 0,
            step: 0,
            has_begun: false,
            has_written: false,
            bases: [None; MAX_STORES],
            n_timeouts: 0,
            compares_versions: storage.rule == FenceRule::DataVersion
                && scenario.store_check() == StoreCheck::AsSet,
            n_conflicts: 0,
            from_store: StoreId(0),
            is_dead: false,
            is_for_item: scenario.rules().item.is_some(),
            puts_back: false,
            is_held: false,
            writes_again: false,
            polls_again: false,
            write_again_after: scenario.rules().write_again_after,
            numbered: None,
            numbers_writes: matches!(
                scenario.rules().store_check,
                StoreCheck::ProducerEpoch { .. }
            ),
        }
    }

    pub(super) fn crash(&mut self) {
        self.state = State::Resting;
        (self.under, self.inside) = (None, None);
        self.bases = [None; MAX_STORES];
        self.n_timeouts = 0;
        (self.is_held, self.writes_again, self.polls_again) = (false, false, false);
        self.numbered = None;
    }

    pub(super) fn die(&mut self) {
        self.is_dead = true;
        self.state = State::Done;
    }

    pub(super) fn pending_steps(&self, believes: bool) -> [Option<NamedStep>; 2] {
        let checks = self.asks_first() || self.settings.check == Check::OwnBelief;
        let first_write = (!self.has_written).then_some(NamedStep::BeforeFirstWrite);
        match self.state {
            State::Resting if believes => [Some(NamedStep::BeforeRead), None],
            State::Resting => [Some(NamedStep::BeforeAcquire), None],
            State::Beginning => [Some(NamedStep::BeforeRead), None],
            State::Working => [Some(NamedStep::BeforeWrite), first_write.filter(|_| !checks)],
            State::Checked => [Some(NamedStep::AfterCheck), first_write],
            State::Asking
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Checking
            | State::Acting { .. }
            | State::Writing { .. }
            | State::Reentering
            | State::Settling { .. }
            | State::PuttingBack
            | State::Releasing { .. }
            | State::ReleaseRefused { .. }
            | State::Done => [None, None],
        }
    }

    pub(super) fn is_computing(&self) -> bool {
        self.state == State::Working && self.settings.work_kind == WorkKind::Computing
    }

    pub(super) fn is_busy(&self) -> bool {
        match self.state {
            // What is refused for ever settles nothing.
            State::Releasing { again: true, .. } | State::ReleaseRefused { .. } => false,
            State::Done | State::Asking => false,
            State::Resting => !self.has_begun,
            // A repeater is never finished; once it has been round, it settles nothing more.
            State::Beginning
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Working
            | State::Checking
            | State::Checked
            | State::Acting { .. }
            | State::Writing { .. }
            | State::Reentering
            | State::Settling { .. }
            | State::PuttingBack
            | State::Releasing { .. } => self.settings.repeat == Repeat::Off || self.work <= 1,
        }
    }

    pub(super) fn sends_its_release_again(&self) -> bool {
        matches!(self.state, State::Releasing { again: true, .. } | State::ReleaseRefused { .. })
    }

    /// Whether its pending step is to ask once more unless it is answered before.
    pub(super) fn polls_again(&self) -> bool {
        self.polls_again
    }

    pub(super) fn is_asking(&self) -> bool {
        self.state == State::Asking
    }

    pub(super) fn is_waiting_for_its_first_grant(&self) -> bool {
        !self.has_begun && matches!(self.state, State::Asking | State::Resting)
    }

    pub(super) fn never_releases(&self) -> bool {
        let done = self.state == State::Done || self.settings.repeat != Repeat::Off;
        !self.settings.release && self.settings.release_early.is_none() && done || self.is_dead
    }

    fn asks_first(&self) -> bool {
        self.settings.check == Check::AsksService || self.settings.rereads_token
    }

    /// Takes the pending step; where none is pending, the answer has not come in time.
    pub(super) fn step(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        if common.is_in_jeopardy() && self.has_own_step() {
            self.is_held = true;
            return;
        }
        if let (true, State::Writing { store, first }) =
            (std::mem::take(&mut self.writes_again), self.state)
        {
            self.write(store, Some(first), common, effects);
            return;
        }
        match self.state {
            State::Resting => match common.belief() {
                Some(known) => self.begin(now, known, common, effects),
                None => self.ask(now, common, effects),
            },
            State::Beginning => {
                if let Some(known) = self.under {
                    self.begin(now, known, common, effects);
                }
            }
            State::Working => self.check_or_act(now, common, effects),
            State::Checked => self.act_or_write(common, effects),
            State::ReleaseRefused { token } => self.release_again(now, token, common, effects),
            State::PuttingBack => self.put_back(now, common, effects),
            State::Asking if std::mem::take(&mut self.polls_again) => {
                self.poll_again(now, common, effects);
            }
            State::Asking
            | State::Reentering
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Checking
            | State::Acting { .. }
            | State::Writing { .. }
            | State::Settling { .. }
            | State::Releasing { .. } => self.timed_out(now, common, effects),
            State::Done => {}
        }
    }

    /// Whether it stands before a step of its own, not before an answer.
    fn has_own_step(&self) -> bool {
        match self.state {
            State::Resting
            | State::Beginning
            | State::Working
            | State::Checked
            | State::PuttingBack
            | State::ReleaseRefused { .. } => true,
            State::Asking
            | State::Reentering
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Checking
            | State::Acting { .. }
            | State::Writing { .. }
            | State::Settling { .. }
            | State::Releasing { .. }
            | State::Done => false,
        }
    }

    /// The session that was in jeopardy lives: what was held back is done now.
    pub(super) fn goes_on_after_jeopardy(&mut self, effects: &mut Effects) {
        if std::mem::take(&mut self.is_held) {
            effects.step(SimDuration::ZERO);
        }
    }

    /// The session that was in jeopardy is over: what was held back fails.
    pub(super) fn session_is_lost(&mut self, common: &Common, effects: &mut Effects) {
        if std::mem::take(&mut self.is_held) {
            match self.under {
                Some(_) => self.abandon(Abandoned::LockLost, common, effects),
                None => effects.step(SimDuration::ZERO),
            }
        }
    }

    /// The lock is granted: the first step of the piece of work is pending. `earlier`: in answer to
    /// an earlier poll of this wait, so that it may rest before the next one.
    pub(super) fn granted(&mut self, known: KnownGrant, earlier: bool, effects: &mut Effects) {
        if self.state == State::Asking || earlier && self.state == State::Resting {
            self.answered(effects);
            self.under = Some(known);
            self.has_written = false;
            self.state = State::Beginning;
            let takes = self.settings.starts_after;
            effects.step(takes);
            if !takes.is_zero() {
                let (grant, renews) = (known.grant, self.settings.renews_waiting);
                effects.fact(ClientFact::WaitsToBegin { grant, takes, renews });
            }
        }
    }

    /// Whether it holds the lock, has not begun, and its lease is not renewed until it does.
    pub(super) fn waits_unrenewed(&self) -> bool {
        let waits = self.state == State::Beginning && !self.settings.starts_after.is_zero();
        waits && !self.settings.renews_waiting
    }

    /// Its renewer has acquired anew: its next write carries the new token, its work goes on.
    pub(super) fn goes_on_with(&mut self, known: KnownGrant) {
        self.carries = known.token;
        if self.state == State::Beginning && !self.settings.starts_after.is_zero() {
            // Work that has not begun begins under what its client has then.
            self.under = Some(known);
        }
    }

    /// Starts a piece of work: raises the fence, or reads, or works.
    fn begin(&mut self, now: Now, known: KnownGrant, common: &mut Common, effects: &mut Effects) {
        self.under = Some(known);
        (self.carries, self.inside) = (known.token, None);
        self.has_begun = true;
        self.step = 1;
        if self.settings.piece == Piece::Own {
            self.work += 1;
        }
        if let Some(after) = self.settings.release_early {
            effects.timer(TimerKind::EarlyRelease, now.monotonic + after);
        }
        if common.settles == Some(SettleAt::Begin) {
            self.state = State::Settling { token: known.token };
            let_go(now, known.token, false, common, effects);
            self.await_answer(effects);
            return;
        }
        // With one write there is nothing that the code outside could still write.
        if self.settings.reenters != Reenters::Off && self.settings.writes_per_grant > 1 {
            self.reenter(now, common, effects);
        } else {
            self.begin_work(common, effects);
        }
    }

    fn begin_work(&mut self, common: &mut Common, effects: &mut Effects) {
        if self.seal {
            self.send_seals(common, effects);
        } else {
            self.next_write(common, effects);
        }
    }

    /// Goes towards the next write: reads first if something depends on what is there.
    fn next_write(&mut self, common: &mut Common, effects: &mut Effects) {
        (self.n_conflicts, self.from_store) = (0, StoreId(0));
        let reads = self.settings.operation == Operation::ReadModifyWrite
            || self.rule == FenceRule::DataVersion
            || (self.settings.piece == Piece::Shared && self.step == 1);
        if reads {
            self.read(StoreId(0), None, common, effects);
        } else {
            self.work(common, effects);
        }
    }

    fn work(&mut self, common: &mut Common, effects: &mut Effects) {
        let Some(KnownGrant { grant, .. }) = self.under else {
            return;
        };
        let takes = self.settings.work;
        self.state = State::Working;
        common.bounds.step();
        effects.fact(ClientFact::WorkStarted { write: self.write_id(common.id), grant, takes });
        effects.step(takes);
    }

    fn check_or_act(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        if self.asks_first() {
            self.ask_service(now, common, effects);
            return;
        }
        match self.settings.check {
            Check::OwnBelief => {
                let holds = common.belief().is_some_and(|belief| Some(belief) == self.under)
                    && !common.deadline_is_past(now);
                self.state = State::Checking;
                self.checked(holds, None, common, effects);
            }
            Check::Off | Check::AsksService => self.act_or_write(common, effects),
        }
    }

    fn act_or_write(&mut self, common: &mut Common, effects: &mut Effects) {
        if self.settings.operation == Operation::ExternalEffect {
            self.act(None, common, effects);
        } else {
            self.write(self.from_store, None, common, effects);
        }
    }

    /// The client knows that the lock is lost and has waited as long as it waits: it stops.
    pub(super) fn stop(&mut self, common: &Common, effects: &mut Effects) {
        let at_work = !matches!(self.state, State::Resting | State::Asking | State::Done);
        if at_work && common.belief() != self.under {
            self.abandon(Abandoned::LockLost, common, effects);
        }
    }

    /// The client ends itself: at once and for good.
    pub(super) fn end_for_good(&mut self, effects: &mut Effects) {
        if self.state != State::Done {
            self.state = State::Done;
            self.under = None;
            effects.no_step();
            effects.fact(ClientFact::WorkerDone { holding: false });
        }
    }

    /// It gives the lock back although it is still at work.
    pub(super) fn release_early(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        if let Some(known) = self.under.filter(|under| common.belief() == Some(*under)) {
            let_go(now, known.token, true, common, effects);
        }
    }

    fn abandon(&mut self, why: Abandoned, common: &Common, effects: &mut Effects) {
        if let Some(KnownGrant { grant, .. }) = self.under {
            effects.fact(ClientFact::WorkAbandoned { write: self.write_id(common.id), grant, why });
        }
        // What it was delivered and does not do, another one may.
        let holds = self.under.is_some() && common.belief() == self.under;
        if common.settles == Some(SettleAt::End) && holds {
            self.state = State::PuttingBack;
            effects.step(SimDuration::ZERO);
        } else {
            self.rest_or_finish(common, effects);
        }
    }

    /// Every store accepted the write.
    fn written(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        if self.is_last_write() {
            self.finish_piece(now, common, effects);
        } else {
            self.step += 1;
            self.leave_inside();
            self.next_write(common, effects);
        }
    }

    /// The code inside is done: the code outside writes on, with the token that it knows.
    fn leave_inside(&mut self) {
        if let (Some(inside), Some(known)) = (self.inside.take(), self.under)
            && self.carries == inside
        {
            self.carries = known.token;
        }
    }

    fn finish_piece(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        let held = match common.settles {
            // With the handle of its delivery, whatever it believes by now.
            Some(SettleAt::End) => common.belief().or(self.under),
            Some(SettleAt::Begin) => None,
            None => common.belief().filter(|_| self.settings.release),
        };
        match held {
            Some(known) => {
                (self.state, self.puts_back) =
                    (State::Releasing { token: known.token, again: false }, false);
                let_go(now, known.token, false, common, effects);
                self.await_answer(effects);
            }
            None => self.rest_or_finish(common, effects),
        }
    }

    /// It does not do its item: another delivery may.
    fn put_back(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        let Some(known) = self.under else {
            return;
        };
        (self.state, self.puts_back) =
            (State::Releasing { token: known.token, again: false }, true);
        let_go(now, known.token, true, common, effects);
        self.await_answer(effects);
    }

    /// The item is done or dead: there is nothing to wait for.
    pub(super) fn nothing_left(&mut self, effects: &mut Effects) {
        if self.state == State::Asking {
            self.answered(effects);
            self.end_for_good(effects);
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
                effects.no_step();
                effects.fact(ClientFact::WorkerDone { holding: common.believes() });
            }
        }
    }
}
