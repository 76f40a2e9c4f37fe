//! Bringing inputs to nodes and carrying their effects out. A part of a client that stands still
//! gets its inputs when it wakes.

use super::super::client::ClientInput;
use super::super::effect::Effect;
use super::super::event::Event;
use super::super::event_queue::{Due, ScheduledEvent};
use super::super::id::{ClientId, EntrySeq, LockNodeId, NodeId, StoreId};
use super::super::lock::NodeInput;
use super::super::message::{Body, Message};
use super::super::scenario::{NamedStep, PauseScope};
use super::super::time::{LocalTime, SimDuration};
use super::{Simulation, Waiting};

impl Simulation {
    pub(super) fn start_clients(&mut self) {
        for index in 0..self.scenario.n_clients() {
            let asks_at = self.scenario.clients()[usize::from(index)].asks_at;
            self.tell_client(
                ClientId(index),
                ClientInput::Start(asks_at.since_start()),
                None,
            );
        }
    }

    /// Something is due at a client: it happens now, or waits for the client to wake.
    pub(super) fn at_client(&mut self, client: ClientId, event: ScheduledEvent) {
        if self.is_out_of_date(&event.what) {
            return;
        }
        let slot = &self.clients[client.index()];
        if slot.is_dead {
            if let Due::Arrival(message, sent) = event.what {
                let Message { no, from, body, .. } = message;
                let lost = Event::Lost {
                    message: no,
                    from,
                    kind: body.kind(),
                };
                self.record(NodeId::Client(client), lost, Some(sent));
            }
            return;
        }
        self.happen_or_wait(
            client,
            Waiting {
                event,
                is_counted: false,
            },
            None,
        );
    }

    /// It happens now, unless its part stands still or it is a step at which a pause begins.
    /// `woken`: the entry of the waking that let it happen only now.
    pub(super) fn happen_or_wait(
        &mut self,
        client: ClientId,
        mut waiting: Waiting,
        woken: Option<EntrySeq>,
    ) {
        let what = waiting.event.what;
        let part = part_for(&what);
        if !self.stands_still(client, part) {
            if !waiting.is_counted {
                self.pause_at_step(client, &what);
                waiting.is_counted = true;
            }
            if !self.stands_still(client, part) {
                self.happen_at_client(client, what, woken);
                return;
            }
        }
        self.clients[client.index()].backlog.push(waiting);
    }

    fn happen_at_client(&mut self, client: ClientId, what: Due, woken: Option<EntrySeq>) {
        let slot = &mut self.clients[client.index()];
        match what {
            Due::Arrival(message, sent) => {
                let Message { no, from, body, .. } = message;
                let event = Event::Received {
                    message: no,
                    from,
                    kind: body.kind(),
                };
                let received = self.record(NodeId::Client(client), event, Some(sent));
                self.tell_client(client, ClientInput::Message(from, body), Some(received));
            }
            Due::RenewTick(..) => {
                let cause = woken.or(slot.timer.cause);
                slot.timer.set(None, None);
                slot.timer.local = None;
                self.tell_client(client, ClientInput::RenewTick, cause);
            }
            Due::WorkerStep(..) => {
                let cause = woken.or(slot.step.cause);
                slot.step.set(None, None);
                self.tell_client(client, ClientInput::WorkerStep, cause);
            }
            Due::FaultBegins(_) | Due::PauseEnds(_) | Due::Restart(_) | Due::Expiry(..) => {}
        }
    }

    pub(super) fn is_out_of_date(&self, what: &Due) -> bool {
        match what {
            Due::RenewTick(client, generation) => {
                self.clients[client.index()].timer.generation != *generation
            }
            Due::WorkerStep(client, generation) => {
                self.clients[client.index()].step.generation != *generation
            }
            Due::Arrival(..)
            | Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::Restart(_)
            | Due::Expiry(..) => false,
        }
    }

    pub(super) fn tell_client(
        &mut self,
        client: ClientId,
        input: ClientInput,
        cause: Option<EntrySeq>,
    ) {
        let slot = &mut self.clients[client.index()];
        let mut effects = std::mem::take(&mut self.effects);
        slot.client
            .handle(slot.clock.reading(self.now), input, &mut effects);
        self.carry_out(NodeId::Client(client), effects.list(), cause);
        effects.clear();
        self.effects = effects;
    }

    pub(super) fn at_node(&mut self, node: LockNodeId, input: NodeInput, cause: Option<EntrySeq>) {
        let slot = &mut self.nodes[usize::from(node.0)];
        let mut effects = std::mem::take(&mut self.effects);
        slot.node
            .handle(slot.clock.reading(self.now), input, &mut effects);
        self.carry_out(NodeId::Lock(node), effects.list(), cause);
        effects.clear();
        self.effects = effects;
    }

    pub(super) fn arrive_at_node(&mut self, node: LockNodeId, message: &Message, sent: EntrySeq) {
        let received = self.received(message, sent);
        self.at_node(
            node,
            NodeInput::Message(message.from, message.body),
            Some(received),
        );
    }

    pub(super) fn arrive_at_store(&mut self, store: StoreId, message: &Message, sent: EntrySeq) {
        let received = self.received(message, sent);
        let mut effects = std::mem::take(&mut self.effects);
        self.stores[usize::from(store.0)].handle(message.from, &message.body, &mut effects);
        self.carry_out(NodeId::Store(store), effects.list(), Some(received));
        effects.clear();
        self.effects = effects;
    }

    fn received(&mut self, message: &Message, sent: EntrySeq) -> EntrySeq {
        let Message { no, from, body, to } = *message;
        self.record(
            to,
            Event::Received {
                message: no,
                from,
                kind: body.kind(),
            },
            Some(sent),
        )
    }

    /// Carries effects out in order. A fact is caused by the fact before it in the same breath, the
    /// first by what was handled. A timer is due to the last thing done before it was set.
    pub(super) fn carry_out(
        &mut self,
        node: NodeId,
        effects: &[Effect],
        mut cause: Option<EntrySeq>,
    ) {
        let mut last = cause;
        for effect in effects {
            match *effect {
                Effect::Fact(event) => {
                    cause = Some(self.record(node, event, cause));
                    last = cause;
                }
                Effect::Send(to, body) => last = Some(self.send(node, to, body, cause)),
                Effect::Timer(at) => self.set_timer(node, Some(at), last),
                Effect::NoTimer => self.set_timer(node, None, last),
                Effect::Step(after) => self.set_step(node, after, last),
            }
        }
    }

    fn send(&mut self, from: NodeId, to: NodeId, body: Body, cause: Option<EntrySeq>) -> EntrySeq {
        let no = self.next_message();
        let delay = self.delay_of(from, to, body.kind());
        let arrives = self.now + self.scenario.spec().latency + delay;
        let kind = body.kind();
        let event = Event::Sent {
            message: no,
            to,
            kind,
            token: body.token(),
            arrives,
        };
        let sent = self.record(from, event, cause);
        self.queue
            .push(arrives, Due::Arrival(Message { no, from, to, body }, sent));
        sent
    }

    fn set_timer(&mut self, node: NodeId, local: Option<LocalTime>, cause: Option<EntrySeq>) {
        let now = self.now;
        let (clock, timer) = match node {
            NodeId::Client(client) => {
                let slot = &mut self.clients[client.index()];
                (&slot.clock, &mut slot.timer)
            }
            NodeId::Lock(id) => {
                let slot = &mut self.nodes[usize::from(id.0)];
                (&slot.clock, &mut slot.timer)
            }
            NodeId::Store(_) => return, // A store has no timer.
        };
        let due = local.and_then(|local| clock.time_of(local, now));
        timer.local = local;
        let generation = timer.set(due, cause);
        let what = match node {
            NodeId::Client(client) => Due::RenewTick(client, generation),
            NodeId::Lock(id) => Due::Expiry(id, generation),
            NodeId::Store(_) => return,
        };
        if let Some(due) = due {
            self.queue.push(due, what);
        }
    }

    fn set_step(&mut self, node: NodeId, after: SimDuration, cause: Option<EntrySeq>) {
        if let NodeId::Client(client) = node {
            let due = self.now + after;
            let generation = self.clients[client.index()].step.set(Some(due), cause);
            self.queue.push(due, Due::WorkerStep(client, generation));
        }
    }

    /// The named steps that something due at a client is.
    pub(super) fn named_steps(&self, client: ClientId, what: &Due) -> [Option<NamedStep>; 2] {
        match what {
            Due::WorkerStep(..) => {
                let mut steps = self.clients[client.index()].client.pending_steps();
                [steps.next(), steps.next()]
            }
            Due::RenewTick(..) => [Some(NamedStep::InRenewer), None],
            Due::Arrival(message, _) if matches!(message.body, Body::Granted { .. }) => {
                [Some(NamedStep::BeforeReply), None]
            }
            Due::Arrival(..)
            | Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::Restart(_)
            | Due::Expiry(..) => [None, None],
        }
    }
}

/// The part of a client that something due concerns.
pub(super) fn part_for(what: &Due) -> PauseScope {
    match what {
        Due::RenewTick(..) => PauseScope::Renewer,
        Due::Arrival(message, _) if message.body.is_for_renewer() => PauseScope::Renewer,
        Due::WorkerStep(..) | Due::Arrival(..) => PauseScope::Worker,
        Due::FaultBegins(_) | Due::PauseEnds(_) | Due::Restart(_) | Due::Expiry(..) => {
            PauseScope::Client
        }
    }
}
