//! What a worker sends, and what it does when no answer comes in time.

use super::super::belief::{Common, KnownGrant};
use super::super::letting_go;
use super::{State, Worker};
use crate::sim::clock::Now;
use crate::sim::effect::Effects;
use crate::sim::fact::{Abandoned, ClientFact};
use crate::sim::id::{ClientId, FencingToken, RequestNo, StoreId, WriteId};
use crate::sim::lock::Intent;
use crate::sim::message::StoreRequest;
use crate::sim::scenario::{FenceRule, Operation, Piece, Reenters};

impl Worker {
    pub(super) fn ask(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        self.state = State::Asking;
        common.is_reacquiring = false;
        common.acquire(now, effects);
        self.await_answer(effects);
        // Nothing is given up: a poll that was lost, or its answer, is made again.
        if let Some(again) = common.polls_again_after() {
            self.polls_again = true;
            effects.step(again);
        }
    }

    /// A poll was not answered: it asks once more.
    pub(super) fn poll_again(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        let _ = common.wait_for_next_poll();
        self.ask(now, common, effects);
    }

    /// The answer must come within the timeout, if there is one.
    pub(super) fn await_answer(&self, effects: &mut Effects) {
        if let Some(timeout) = self.settings.timeout {
            effects.step(timeout);
        }
    }

    pub(super) fn answered(&mut self, effects: &mut Effects) {
        self.n_timeouts = 0;
        let again = std::mem::take(&mut self.writes_again) | std::mem::take(&mut self.polls_again);
        if again || self.settings.timeout.is_some() {
            effects.no_step();
        }
    }

    pub(super) fn timed_out(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        self.n_timeouts += 1;
        let gives_up = self.n_timeouts > self.settings.retries;
        effects.fact(ClientFact::TimedOut { attempt: self.n_timeouts, gives_up });
        if gives_up {
            self.n_timeouts = 0;
            common.is_asking = false;
            if self.state == State::Asking {
                common.lock.wait_is_over();
            }
            if matches!(self.state, State::Releasing { .. }) {
                // What was written stays written: no piece of work is given up.
                self.rest_or_finish(common, effects);
            } else {
                self.abandon(Abandoned::NoAnswer, common, effects);
            }
            return;
        }
        match self.state {
            State::Asking => self.ask(now, common, effects),
            State::Sealing { .. } => self.send_seals(common, effects),
            State::Reading { store, first } => self.read(store, Some(first), common, effects),
            State::Checking => self.ask_service(now, common, effects),
            State::Acting { first } => self.act(Some(first), common, effects),
            State::Writing { store, first } => self.write(store, Some(first), common, effects),
            State::Releasing { token, .. } => {
                common.intend(now, letting_go(token, self.puts_back, common), effects);
                self.await_answer(effects);
            }
            State::Settling { token } => {
                common.intend(now, letting_go(token, false, common), effects);
                self.await_answer(effects);
            }
            State::Reentering => self.reenter(now, common, effects),
            State::Resting
            | State::Beginning
            | State::Working
            | State::Checked
            | State::PuttingBack
            | State::ReleaseRefused { .. }
            | State::Done => {}
        }
    }

    pub(super) fn send_seals(&mut self, common: &mut Common, effects: &mut Effects) {
        let Some(KnownGrant { grant, token }) = self.under else {
            return;
        };
        // The code inside seals with its own token, as it would if nobody were outside.
        let token = self.inside.unwrap_or(token);
        let first = common.upcoming();
        for store in 0..self.n_stores {
            let request = common.request();
            effects.send(StoreId(store), StoreRequest::Seal { request, token, grant });
        }
        self.state = State::Sealing { first, open: self.n_stores };
        self.await_answer(effects);
    }

    /// Takes the lock once more, inside.
    pub(super) fn reenter(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        let Some(KnownGrant { token, .. }) = self.under else {
            return;
        };
        let anew = self.settings.reenters == Reenters::NewToken;
        self.state = State::Reentering;
        common.intend(now, Intent::Reenter(token, anew), effects);
        self.await_answer(effects);
    }

    /// Sends a release that was refused once more.
    pub(super) fn release_again(
        &mut self,
        now: Now,
        token: FencingToken,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        self.state = State::Releasing { token, again: true };
        common.intend(now, letting_go(token, self.puts_back, common), effects);
        self.await_answer(effects);
    }

    pub(super) fn read(
        &mut self,
        store: StoreId,
        retried: Option<RequestNo>,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        let Some(KnownGrant { grant, .. }) = self.under else {
            return;
        };
        let request = common.request();
        self.state = State::Reading { store, first: retried.unwrap_or(request) };
        effects.send(store, StoreRequest::Read { request, grant });
        self.await_answer(effects);
    }

    pub(super) fn ask_service(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        self.state = State::Checking;
        common.intend(now, Intent::Check(self.carries), effects);
        self.await_answer(effects);
    }

    pub(super) fn act(
        &mut self,
        retried: Option<RequestNo>,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        let Some(KnownGrant { grant, .. }) = self.under else {
            return;
        };
        let request = common.request();
        self.state = State::Acting { first: retried.unwrap_or(request) };
        let body = StoreRequest::Effect { request, write: self.write_id(common.id), grant };
        effects.send(StoreId(0), body);
        self.await_answer(effects);
    }

    pub(super) fn write(
        &mut self,
        store: StoreId,
        retried: Option<RequestNo>,
        common: &mut Common,
        effects: &mut Effects,
    ) {
        let Some(KnownGrant { grant, .. }) = self.under else {
            return;
        };
        let request = common.request();
        self.state = State::Writing { store, first: retried.unwrap_or(request) };
        self.has_written = true;
        if self.numbers_writes && store == StoreId(0) && retried.is_none() {
            let last = self.numbered.filter(|(token, _)| *token == self.carries);
            self.numbered = Some((self.carries, last.map_or(0, |(_, number)| number + 1)));
        }
        let built_on = self.settings.operation == Operation::ReadModifyWrite
            || self.rule == FenceRule::DataVersion;
        let body = StoreRequest::Write {
            request,
            write: self.write_id(common.id),
            token: self.carries,
            grant,
            base: self.bases[usize::from(store.0)].filter(|_| built_on),
            finishes: self.is_last_write(),
            not_after: common.writes_until.filter(|_| self.rule == FenceRule::TimeFence),
            sequence: self.numbered.map_or(0, |(_, number)| number),
        };
        effects.send(store, body);
        self.await_answer(effects);
    }

    pub(super) fn is_last_write(&self) -> bool {
        u32::from(self.step) >= self.settings.writes_per_grant
    }

    pub(super) fn write_id(&self, client: ClientId) -> WriteId {
        let shared = self.is_for_item || self.settings.piece == Piece::Shared;
        let work = if self.is_for_item { 1 } else { self.work };
        WriteId { client, work, step: self.step, shared }
    }
}
