//! What a worker makes of the answers that it gets. Every attempt of one request counts, so that a
//! late answer to the first is as good as one to the second.

use super::super::belief::Common;
use super::{State, Worker};
use crate::sim::clock::Now;
use crate::sim::effect::Effects;
use crate::sim::fact::{Abandoned, BeliefEnd, ClientFact};
use crate::sim::id::{FencingToken, StoreId, Version};
use crate::sim::message::StoreAnswer;
use crate::sim::scenario::{Check, OnConflict, Piece, RefusedRelease, Repeat};
use crate::sim::time::SimDuration;

impl Worker {
    /// It has a place in the queue: the grant may take as long as it takes.
    pub(in crate::sim::client) fn queued(&mut self, effects: &mut Effects) {
        if self.state == State::Asking {
            self.answered(effects);
        }
    }

    /// The lock is taken: it asks again later.
    pub(in crate::sim::client) fn taken(&mut self, common: &mut Common, effects: &mut Effects) {
        self.answered(effects);
        let wait = common.wait_for_next_poll();
        self.state = State::Resting;
        effects.step(wait);
    }

    /// Its session is over while it waited: it asks anew.
    pub(in crate::sim::client) fn session_over(&mut self, effects: &mut Effects) {
        if self.state == State::Asking {
            (self.state, self.polls_again) = (State::Resting, false);
            effects.step(SimDuration::ZERO);
        }
    }

    /// The grant was of no use: it asks again.
    pub(in crate::sim::client) fn granted_too_late(&mut self, effects: &mut Effects) {
        self.session_over(effects);
    }

    /// The connection is gone with which the lock lived: what it asked the service is not answered.
    pub(in crate::sim::client) fn disconnected(
        &mut self,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        match self.state {
            State::Asking => self.session_over(effects),
            State::Checking => self.checked(false, None, common, effects),
            State::Reentering => self.reentered(None, common, effects),
            State::Settling { .. } => {
                self.answered(effects);
                self.abandon(Abandoned::LockLost, common, effects);
            }
            // There is nothing left to give back.
            State::Releasing { .. } | State::ReleaseRefused { .. } => {
                self.answered(effects);
                self.rest_or_finish(common, effects);
            }
            State::Resting
            | State::Beginning
            | State::Sealing { .. }
            | State::Reading { .. }
            | State::Working
            | State::Checked
            | State::Acting { .. }
            | State::Writing { .. }
            | State::PuttingBack
            | State::Done => {}
        }
    }

    /// The check was answered.
    pub(in crate::sim::client) fn checked(
        &mut self,
        valid: bool,
        current: Option<FencingToken>,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        if self.state != State::Checking {
            return;
        }
        self.answered(effects);
        if self.settings.check != Check::Off && !valid {
            common.stop_believing(BeliefEnd::CheckFailed, effects);
            self.abandon(Abandoned::CheckFailed, common, effects);
            return;
        }
        if self.settings.rereads_token {
            self.carries = current.unwrap_or(self.carries);
        }
        self.state = State::Checked;
        effects.step(SimDuration::ZERO);
    }

    /// A store answered. Every attempt of one request counts, so that a late answer to the first is
    /// as good as one to the second.
    pub(in crate::sim::client) fn store_answered(
        &mut self,
        now: Now,
        from: StoreId,
        answer: StoreAnswer,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        match (self.state, answer) {
            (State::Sealing { first, open }, StoreAnswer::Sealed { request })
                if request >= first =>
            {
                self.state = State::Sealing { first, open: open - 1 };
                if open == 1 {
                    self.answered(effects);
                    self.next_write(common, effects);
                }
            }
            (State::Sealing { first, .. }, StoreAnswer::SealRefused { request, .. })
                if request >= first =>
            {
                self.fenced(from, Abandoned::SealRefused, common, effects);
            }
            (State::Reading { store, first }, StoreAnswer::Value { request, version, done })
                if request >= first =>
            {
                self.was_read(now, store, version, done, common, effects);
            }
            (State::Acting { first }, StoreAnswer::EffectDone { request }) if request >= first => {
                self.answered(effects);
                self.write(self.from_store, None, common, effects);
            }
            (State::Writing { store, first }, StoreAnswer::WriteAccepted { request, .. })
                if request >= first && from == store =>
            {
                self.answered(effects);
                match self.store_after(store) {
                    Some(next) => self.write(next, None, common, effects),
                    None => self.written(now, common, effects),
                }
            }
            (State::Writing { store, first }, StoreAnswer::UnknownEpoch { request })
                if request >= first && from == store =>
            {
                self.answered(effects);
                self.writes_again = true;
                effects.step(self.write_again_after);
            }
            (State::Writing { store, first }, StoreAnswer::WriteRefused { request, .. })
                if request >= first && from == store =>
            {
                if self.may_try_again() {
                    self.try_again(store, common, effects);
                } else {
                    self.fenced(from, Abandoned::Fenced, common, effects);
                }
            }
            _ => {}
        }
    }

    /// Whether it tries again: a compare-and-set says nothing of who holds the lock.
    fn may_try_again(&self) -> bool {
        self.compares_versions
            && self.settings.on_conflict == OnConflict::Retries
            && self.n_conflicts < self.settings.retries
    }

    /// A compare-and-set refused its write: it reads again, from this store on, and does its work
    /// again. What it has written to the stores before stays written.
    fn try_again(&mut self, store: StoreId, common: &mut Common, effects: &mut Effects) {
        self.answered(effects);
        self.n_conflicts += 1;
        self.from_store = store;
        let (write, attempt) = (self.write_id(common.id), self.n_conflicts);
        effects.fact(ClientFact::TriesAgain { write, attempt });
        self.read(store, None, common, effects);
    }

    pub(super) fn was_read(
        &mut self,
        now: Now,
        store: StoreId,
        version: Version,
        done: u32,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        self.answered(effects);
        self.bases[usize::from(store.0)] = Some(version);
        if self.settings.piece == Piece::Shared && self.step == 1 && store == StoreId(0) {
            self.work = done + 1;
            if done > 0 && (self.is_for_item || self.settings.repeat == Repeat::Off) {
                self.finish_piece(now, common, effects);
                return;
            }
        }
        match self.store_after(store) {
            Some(next) => self.read(next, None, common, effects),
            None => self.work(common, effects),
        }
    }

    pub(super) fn store_after(&self, store: StoreId) -> Option<StoreId> {
        let next = store.0 + 1;
        (next < self.n_stores).then_some(StoreId(next))
    }

    /// A store refused its token: it learns that it is no longer the holder.
    pub(super) fn fenced(
        &mut self,
        by: StoreId,
        why: Abandoned,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        self.answered(effects);
        if common.belief() == self.under {
            common.stop_believing(BeliefEnd::Fenced(by), effects);
        }
        self.abandon(why, common, effects);
    }

    pub(in crate::sim::client) fn release_answered(
        &mut self,
        refused: bool,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        if let State::Settling { .. } = self.state {
            self.answered(effects);
            match refused {
                true => self.abandon(Abandoned::LockLost, common, effects),
                false => self.begin_work(common, effects),
            }
            return;
        }
        let State::Releasing { token, .. } = self.state else {
            return;
        };
        self.answered(effects);
        match self.settings.refused_release {
            RefusedRelease::SentAgain(after) if refused => {
                self.state = State::ReleaseRefused { token };
                effects.step(after);
            }
            RefusedRelease::GoesOn | RefusedRelease::SentAgain(_) => {
                self.rest_or_finish(common, effects);
            }
        }
    }

    /// The code inside has taken the lock once more, or learns that it is lost.
    pub(in crate::sim::client) fn reentered(
        &mut self,
        token: Option<FencingToken>,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        if self.state != State::Reentering {
            return;
        }
        self.answered(effects);
        match token {
            Some(token) => {
                (self.inside, self.carries) = (Some(token), token);
                self.begin_work(common, effects);
            }
            None => {
                common.stop_believing(BeliefEnd::CheckFailed, effects);
                self.abandon(Abandoned::CheckFailed, common, effects);
            }
        }
    }
}
