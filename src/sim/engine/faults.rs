//! Faults: when they begin and end, what they do to a client's clocks, steps and backlog, and which
//! message travels longer. The nodes themselves are never told.

use super::super::client::ClientInput;
use super::super::effect::Effects;
use super::super::event::Event;
use super::super::event_queue::Due;
use super::super::id::{ClientId, FaultId, NodeId};
use super::super::message::MessageKind;
use super::super::scenario::{
    FaultKind, MessageAddress, NamedStep, PauseKind, PauseScope, Scenario, Start,
};
use super::super::time::{SimDuration, SimTime};
use super::{Simulation, Waiting};

/// A pause that holds a client now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ActivePause {
    fault: u16,
    client: ClientId,
    scope: PauseScope,
    kind: PauseKind,
}

/// The delays of a scenario, each with how many messages of its address were sent.
#[derive(Clone, Debug)]
pub(super) struct DelayCounts {
    delays: Vec<(MessageAddress, SimDuration, u32)>,
}

impl DelayCounts {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let faults = scenario.spec().faults.iter().filter(|fault| fault.enabled);
        let delays = faults.filter_map(|fault| match &fault.kind {
            FaultKind::Delay { message, by } => Some((*message, *by, 0)),
            FaultKind::Pause { .. } | FaultKind::Crash { .. } => None,
        });
        Self {
            delays: delays.collect(),
        }
    }
}

impl Simulation {
    pub(super) fn schedule_faults(&mut self) {
        for (index, fault) in self.scenario.spec().faults.iter().enumerate() {
            let at = match &fault.kind {
                FaultKind::Pause {
                    start: Start::At(at),
                    ..
                }
                | FaultKind::Crash { at, .. } => *at,
                FaultKind::Pause {
                    start: Start::Step { .. },
                    ..
                }
                | FaultKind::Delay { .. } => {
                    continue;
                }
            };
            if fault.enabled {
                let index = u16::try_from(index).expect("limits::MAX_FAULTS fits 16 bits");
                self.queue.push(at, Due::FaultBegins(index));
            }
        }
    }

    pub(super) fn fault_begins(&mut self, fault: u16) {
        let listed = &self.scenario.spec().faults[usize::from(fault)];
        let id = listed.id;
        match listed.kind {
            FaultKind::Pause {
                client,
                scope,
                kind,
                length,
                ..
            } => {
                self.pause_begins(
                    ActivePause {
                        fault,
                        client,
                        scope,
                        kind,
                    },
                    id,
                    length,
                );
            }
            FaultKind::Crash {
                client,
                restart_after,
                ..
            } => {
                // The dead do not die again, and so do not start again after it either.
                if self.clients[client.index()].is_dead {
                    return;
                }
                self.crash(client, id);
                if let Some(after) = restart_after {
                    self.queue.push(self.now + after, Due::Restart(fault));
                }
            }
            FaultKind::Delay { .. } => {}
        }
    }

    fn pause_begins(&mut self, pause: ActivePause, id: FaultId, length: SimDuration) {
        let ActivePause {
            fault,
            client,
            scope,
            kind,
        } = pause;
        if length.is_zero() || self.clients[client.index()].is_dead {
            return;
        }
        let until = self.now + length;
        self.record(
            NodeId::Client(client),
            Event::Paused {
                fault: id,
                scope,
                kind,
                until,
            },
            None,
        );
        self.pauses.push(pause);
        self.queue.push(until, Due::PauseEnds(fault));
        self.a_fault_lasts_until(until);
        if scope != PauseScope::Renewer {
            self.hold_computing_work(client);
        }
        if kind == PauseKind::Suspend {
            self.clients[client.index()].clock.stop(self.now);
            self.rekey_timer(client);
        }
    }

    pub(super) fn pause_ends(&mut self, fault: u16) {
        let Some(place) = self.pauses.iter().position(|pause| pause.fault == fault) else {
            return; // A crash took it away.
        };
        let ActivePause {
            client,
            scope,
            kind,
            ..
        } = self.pauses.remove(place);
        let others = |pauses: &[ActivePause], test: &dyn Fn(&ActivePause) -> bool| {
            pauses
                .iter()
                .any(|pause| pause.client == client && test(pause))
        };
        if kind == PauseKind::Suspend
            && !others(&self.pauses, &|pause| pause.kind == PauseKind::Suspend)
        {
            self.clients[client.index()].clock.go_on(self.now);
            self.rekey_timer(client);
        }
        if !others(&self.pauses, &|pause| pause.scope == scope) {
            self.wake(client, scope);
        }
    }

    /// On waking, first the worker's one pending step, then all that came due, in order of due time
    /// and sequence. A step of these may meet a pause of its own; then the rest waits on.
    fn wake(&mut self, client: ClientId, scope: PauseScope) {
        let woken = self.record(NodeId::Client(client), Event::Resumed { scope }, None);
        self.let_computing_work_go_on(client);
        let mut backlog = std::mem::take(&mut self.clients[client.index()].backlog);
        let is_step = |what: &Due| matches!(what, Due::WorkerStep(..));
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

    fn crash(&mut self, client: ClientId, id: FaultId) {
        let node = NodeId::Client(client);
        let crashed = self.record(node, Event::Crashed { fault: id }, None);
        self.pauses.retain(|pause| pause.client != client);
        self.a_fault_lasts_until(self.now);
        let slot = &mut self.clients[client.index()];
        slot.is_dead = true;
        slot.clock.go_on(self.now);
        slot.timer.set(None, None);
        slot.timer.local = None;
        slot.step.set(None, None);
        slot.remaining = None;
        let mut effects = Effects::default();
        slot.client.crash(&mut effects);
        let backlog = std::mem::take(&mut slot.backlog);
        self.carry_out(node, effects.list(), Some(crashed));
        for waiting in backlog {
            // Messages that had arrived and were not yet handled die with it.
            self.at_client(client, waiting.event);
        }
    }

    pub(super) fn restart(&mut self, fault: u16) {
        let listed = &self.scenario.spec().faults[usize::from(fault)];
        let (id, Some(client)) = (listed.id, listed.kind.client()) else {
            return;
        };
        if !self.clients[client.index()].is_dead {
            return;
        }
        let node = NodeId::Client(client);
        let restarted = self.record(node, Event::Restarted { fault: id }, None);
        self.clients[client.index()].is_dead = false;
        self.a_fault_lasts_until(self.now);
        let start = ClientInput::Start(SimDuration::ZERO);
        self.tell_client(client, start, Some(restarted));
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
            slot.step.set(None, slot.step.cause);
        }
    }

    fn let_computing_work_go_on(&mut self, client: ClientId) {
        if self.stands_still(client, PauseScope::Worker) {
            return;
        }
        let slot = &mut self.clients[client.index()];
        if let Some(remaining) = slot.remaining.take() {
            let due = self.now + remaining;
            let generation = slot.step.set(Some(due), slot.step.cause);
            self.queue.push(due, Due::WorkerStep(client, generation));
        }
    }

    /// A client's clock stopped or goes on: its timer, set on that clock, comes at another time.
    fn rekey_timer(&mut self, client: ClientId) {
        let now = self.now;
        let slot = &mut self.clients[client.index()];
        // A timer that is overdue already waits in the backlog and stays there.
        let overdue = slot
            .backlog
            .iter()
            .any(|waiting| matches!(waiting.event.what, Due::RenewTick(..)));
        let Some(local) = slot.timer.local.filter(|_| !overdue) else {
            return;
        };
        let due = slot.clock.time_of(local, now);
        let generation = slot.timer.set(due, slot.timer.cause);
        if let Some(due) = due {
            self.queue.push(due, Due::RenewTick(client, generation));
        }
    }

    /// How much longer this message travels than the network's latency.
    pub(super) fn delay_of(&mut self, from: NodeId, to: NodeId, kind: MessageKind) -> SimDuration {
        let mut longer = SimDuration::ZERO;
        for (address, by, sent) in &mut self.delays.delays {
            if address.from == from && address.to == to && address.kind == kind {
                *sent += 1;
                if *sent == address.nth {
                    longer += *by;
                }
            }
        }
        if !longer.is_zero() {
            self.a_fault_lasts_until(self.now + self.scenario.spec().latency + longer);
        }
        longer
    }

    fn a_fault_lasts_until(&mut self, end: SimTime) {
        let ends_at = super::length::after_fault(&self.scenario, end);
        self.ends_at = self.ends_at.max(ends_at).min(self.ends_at_latest);
    }
}
