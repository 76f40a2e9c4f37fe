//! Pauses: what stands still, what waits, and in which order a client wakes.

use super::super::clock::{ClockKind, ClockModel};
use super::super::effect::TimerKind;
use super::super::event_queue::Due;
use super::super::fact::{ClientFact, Fact, FaultFact};
use super::super::id::{ClientId, EntrySeq, FaultId, LockNodeId};
use super::super::scenario::{FaultKind, NamedStep, PauseKind, PauseScope, Start};
use super::super::time::{LocalTime, SimDuration};
use super::faults::ActivePause;
use super::{Simulation, Waiting};

impl Simulation {
    pub(super) fn pause_begins(&mut self, pause: ActivePause, id: FaultId, length: SimDuration) {
        let ActivePause { fault, client, scope, kind, .. } = pause;
        if length.is_zero() || self.clients[client.index()].is_dead {
            return;
        }
        let until = self.now + length;
        self.record(Fact::Fault(id, FaultFact::Paused { client, scope, kind, until }), None);
        self.pauses.push(pause);
        self.queue.push(until, Due::PauseEnds(fault));
        self.a_fault_lasts_until(until);
        if scope != PauseScope::Renewer {
            self.hold_computing_work(client);
        }
        if kind == PauseKind::Suspend {
            self.clients[client.index()].clock.stop(self.now);
            self.rekey_timers(client);
            self.clock_of_its_node(client, ClockModel::stop);
        }
    }

    pub(super) fn pause_ends(&mut self, fault: u16) {
        let Some(place) = self.pauses.iter().position(|pause| pause.fault == fault) else {
            return; // A crash took it away.
        };
        let ActivePause { client, scope, kind, .. } = self.pauses.remove(place);
        let others = |pauses: &[ActivePause], test: &dyn Fn(&ActivePause) -> bool| {
            pauses.iter().any(|pause| pause.client == client && test(pause))
        };
        if kind == PauseKind::Suspend
            && !others(&self.pauses, &|pause| pause.kind == PauseKind::Suspend)
        {
            self.clients[client.index()].clock.go_on(self.now);
            self.rekey_timers(client);
            self.clock_of_its_node(client, ClockModel::go_on);
        }
        if !others(&self.pauses, &|pause| pause.scope == scope) {
            self.wake(client, scope);
        }
    }

    /// On waking, first the worker's one pending step, then all that came due, in order of due time
    /// and sequence. A step of these may meet a pause of its own; then the rest waits on.
    fn wake(&mut self, client: ClientId, scope: PauseScope) {
        let woken = self.record(Fact::Client(client, ClientFact::Resumed { scope }), None);
        self.let_computing_work_go_on(client);
        let mut backlog = std::mem::take(&mut self.clients[client.index()].backlog);
        // An answer that has arrived comes before asking once more for want of it.
        let polls_again = self.clients[client.index()].client.polls_again();
        let is_step = |what: &Due| matches!(what, Due::WorkerStep(..)) && !polls_again;
        backlog
            .sort_by_key(|Waiting { event, .. }| (!is_step(&event.what), event.due, event.seq()));
        for waiting in backlog {
            // What happened before it may have set the same timer anew.
            if !self.is_out_of_date(&waiting.event.what) {
                self.happen_or_wait(client, waiting, Some(woken));
            }
        }
    }

    /// Whether this part of a client stands still.
    pub(super) fn stands_still(&self, client: ClientId, part: PauseScope) -> bool {
        self.pauses.iter().any(|pause| {
            pause.client == client && (pause.scope == part || pause.scope == PauseScope::Client)
        })
    }

    /// Begins the pauses that wait for the named steps that `what` is.
    pub(super) fn pause_at_step(&mut self, client: ClientId, what: &Due) {
        for step in self.named_steps(client, what).into_iter().flatten() {
            let place = step as usize;
            self.clients[client.index()].reached[place] += 1;
            let reached = self.clients[client.index()].reached[place];
            for index in 0..self.scenario.spec().faults.len() {
                if self.waits_for_step(index, client, step, reached) {
                    let index = u16::try_from(index).expect("limits::MAX_FAULTS fits 16 bits");
                    self.fault_begins(index);
                }
            }
        }
    }

    fn waits_for_step(
        &self,
        index: usize,
        client: ClientId,
        step: NamedStep,
        reached: u32,
    ) -> bool {
        let fault = &self.scenario.spec().faults[index];
        let starts = Start::Step { step, nth: reached };
        fault.enabled
            && matches!(&fault.kind, FaultKind::Pause { client: who, start, .. }
                if *who == client && *start == starts)
    }

    /// Work that computes stops with its worker; what remains of it is kept.
    fn hold_computing_work(&mut self, client: ClientId) {
        let now = self.now;
        let slot = &mut self.clients[client.index()];
        if !slot.client.is_computing() || slot.remaining.is_some() {
            return;
        }
        if let Some(due) = slot.step.due.filter(|&due| due > now) {
            slot.remaining = Some(due.since(now));
            slot.step.set(now, None, slot.step.cause);
        }
    }

    fn let_computing_work_go_on(&mut self, client: ClientId) {
        if self.stands_still(client, PauseScope::Worker) {
            return;
        }
        let slot = &mut self.clients[client.index()];
        if let Some(remaining) = slot.remaining.take() {
            let due = self.now + remaining;
            let generation = slot.step.set(self.now, Some(due), slot.step.cause);
            self.queue.push(due, Due::WorkerStep(client, generation));
        }
    }

    /// A client's clock stopped or goes on: its timers, set on that clock, come at another time.
    fn rekey_timers(&mut self, client: ClientId) {
        let now = self.now;
        for kind in TimerKind::ALL {
            let slot = &mut self.clients[client.index()];
            // A timer that is overdue already waits in the backlog and stays there.
            let overdue = slot.backlog.iter().any(
                |waiting| matches!(waiting.event.what, Due::Timer(_, waits, _) if waits == kind),
            );
            let timer = &mut slot.timers[kind as usize];
            let Some(local) = timer.local.filter(|_| !overdue) else {
                continue;
            };
            let due = slot.clock.time_of(ClockKind::Monotonic, local, now);
            let generation = timer.set(now, due, timer.cause);
            if let Some(due) = due {
                self.queue.push(due, Due::Timer(client, kind, generation));
            }
        }
    }

    /// A lock node's clock was set: its timer comes at another time.
    pub(super) fn rekey_node_timer(
        &mut self,
        node: LockNodeId,
        local: Option<LocalTime>,
        cause: Option<EntrySeq>,
    ) {
        let slot = &mut self.nodes[usize::from(node.0)];
        let due = local.and_then(|local| slot.clock.time_of(slot.judges_by, local, self.now));
        let generation = slot.timer.set(self.now, due, cause);
        if let Some(due) = due {
            self.queue.push(due, Due::Expiry(node, generation));
        }
    }
}
