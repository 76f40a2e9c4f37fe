//! Faults: when they begin and end, and what they do to links, clocks, nodes and messages. The
//! nodes themselves are never told. Pauses stand in `super::pauses`.

use super::super::client::ClientInput;
use super::super::course;
use super::super::effect::{Effects, TimerKind};
use super::super::event_queue::Due;
use super::super::fact::{Fact, FaultFact, Grant};
use super::super::id::{ClientId, EntrySeq, FaultId, LockNodeId, NodeId, StoreId};
use super::super::lock::NodeInput;
use super::super::message::{Body, MessageKind};
use super::super::scenario::{
    CrashScope, FaultKind, Loses, MessageAddress, NamedStep, PauseKind, PauseScope, Scenario,
};
use super::super::time::{ClockShift, SimDuration, SimTime};
use super::{ClientSlot, Simulation};

/// A pause that holds a client now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ActivePause {
    pub(super) fault: u16,
    pub(super) client: ClientId,
    pub(super) scope: PauseScope,
    pub(super) kind: PauseKind,
    pub(super) until: SimTime,
}

/// A link that carries nothing now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ActiveCut {
    fault: u16,
    ends: [NodeId; 2],
    pub(super) held: bool,
    pub(super) until: SimTime,
}

/// The faults that strike single messages.
#[derive(Clone, Debug)]
pub(super) struct MessageFaults {
    faults: Vec<Aimed>,
}

/// A fault that strikes one message.
#[derive(Clone, Debug)]
struct Aimed {
    id: FaultId,
    at: MessageAddress,
    does: MessageFault,
    /// How many of its address were sent.
    n_sent: u32,
}

/// What strikes one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MessageFault {
    pub(super) delay: SimDuration,
    pub(super) is_lost: bool,
    pub(super) again_after: Option<SimDuration>,
}

impl MessageFault {
    pub(super) fn is_any(&self) -> bool {
        *self != Self::default()
    }
}

impl MessageFaults {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let none = MessageFault::default();
        let faults = scenario.spec().faults.iter().filter(|fault| fault.enabled);
        let aimed = |id, at: &MessageAddress, does| Some(Aimed { id, at: *at, does, n_sent: 0 });
        let faults = faults.filter_map(|fault| match &fault.kind {
            FaultKind::Delay { message, by } => {
                aimed(fault.id, message, MessageFault { delay: *by, ..none })
            }
            FaultKind::Lose { message } => {
                aimed(fault.id, message, MessageFault { is_lost: true, ..none })
            }
            FaultKind::Duplicate { message, after } => {
                aimed(fault.id, message, MessageFault { again_after: Some(*after), ..none })
            }
            FaultKind::Pause { .. }
            | FaultKind::Crash { .. }
            | FaultKind::Cut { .. }
            | FaultKind::ClockJump { .. }
            | FaultKind::ClockRate { .. }
            | FaultKind::ServiceRestart { .. }
            | FaultKind::Failover { .. }
            | FaultKind::StoreRestart { .. }
            | FaultKind::ConnectionLost { .. } => None,
        });
        Self { faults: faults.collect() }
    }

    /// What strikes the message that is sent now.
    pub(super) fn of(&mut self, from: NodeId, to: NodeId, kind: MessageKind) -> MessageFault {
        let mut all = MessageFault::default();
        for Aimed { at, does, n_sent, .. } in &mut self.faults {
            if at.from != from || at.to != to || at.kind != kind {
                continue;
            }
            *n_sent += 1;
            if *n_sent == at.nth {
                all.delay += does.delay;
                all.is_lost |= does.is_lost;
                all.again_after = all.again_after.or(does.again_after);
            }
        }
        all
    }

    /// Whether the message of a fault was sent.
    pub(super) fn has_struck(&self, fault: FaultId) -> bool {
        self.faults.iter().any(|aimed| aimed.id == fault && aimed.n_sent >= aimed.at.nth)
    }

    /// They do what they do in a scenario that differs in how long that lasts alone.
    pub(super) fn last_as_in(&mut self, scenario: &Scenario) {
        for (aimed, other) in self.faults.iter_mut().zip(Self::new(scenario).faults) {
            aimed.does = other.does;
        }
    }
}

/// How much faster than true time a node's clocks run, in parts per million.
pub(super) fn rate_of(scenario: &Scenario, node: NodeId) -> i32 {
    let faults = scenario.spec().faults.iter().filter(|fault| fault.enabled);
    let mut rate = 0;
    for fault in faults {
        if let FaultKind::ClockRate { node: whose, ppm } = fault.kind
            && whose == node
        {
            rate = ppm;
        }
    }
    rate
}

/// What of a node of the service stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stops {
    /// Its process, which forgets so much: the system that it ran on closes its connections.
    Process(Loses),
    /// Its host: nothing closes them.
    Host,
}

impl Simulation {
    pub(super) fn schedule_faults(&mut self) {
        for (index, fault) in self.scenario.spec().faults.iter().enumerate() {
            if let Some(at) = fault.kind.starts_at().filter(|_| fault.enabled) {
                let index = u16::try_from(index).expect("limits::MAX_FAULTS fits 16 bits");
                self.queue.push(at, Due::FaultBegins(index));
            }
        }
    }

    pub(super) fn fault_begins(&mut self, fault: u16) {
        let listed = &self.scenario.spec().faults[usize::from(fault)];
        let id = listed.id;
        self.begun.push(id);
        match listed.kind {
            FaultKind::Pause { client, scope, kind, length, .. } => {
                let until = self.now + length;
                let pause = ActivePause { fault, client, scope, kind, until };
                self.pause_begins(pause, id, length);
            }
            FaultKind::Crash { client, scope, restart_after, .. } => {
                self.crash_begins(fault, client, scope, restart_after);
            }
            FaultKind::Cut { a, b, length, held, .. } => {
                let until = self.now + length;
                self.cut_begins(ActiveCut { fault, ends: [a, b], held, until }, id);
            }
            FaultKind::ClockJump { node, by, .. } => self.jump(node, by, id),
            FaultKind::ServiceRestart { node, length, loses, .. } => {
                self.service_stops(fault, id, node, length, Stops::Process(loses));
            }
            FaultKind::Failover { length, lives_on: true, .. } => {
                let until = self.now + length;
                self.queue.push(until, Due::ServiceReturns(fault));
                self.a_fault_lasts_until(until);
            }
            FaultKind::Failover { length, .. } => {
                self.service_stops(fault, id, Some(self.serving), length, Stops::Host);
            }
            FaultKind::StoreRestart { store, .. } => self.store_restarts(store, id),
            FaultKind::ConnectionLost { client, .. } => self.connection_lost(client, id),
            FaultKind::Delay { .. }
            | FaultKind::Lose { .. }
            | FaultKind::Duplicate { .. }
            | FaultKind::ClockRate { .. } => {}
        }
    }

    fn crash_begins(
        &mut self,
        fault: u16,
        client: ClientId,
        scope: CrashScope,
        restart_after: Option<SimDuration>,
    ) {
        // The dead do not die again, and so do not start again after it either.
        if self.clients[client.index()].is_dead {
            return;
        }
        let id = self.scenario.spec().faults[usize::from(fault)].id;
        match scope {
            CrashScope::Client => {
                self.crash(client, id);
                if let Some(after) = restart_after {
                    self.queue.push(self.now + after, Due::Restart(fault));
                }
            }
            CrashScope::Worker => {
                self.record(Fact::Fault(id, FaultFact::WorkerCrashed { client }), None);
                self.a_fault_lasts_until(self.now);
                let slot = &mut self.clients[client.index()];
                slot.client.worker_dies();
                slot.step.set(self.now, None, None);
                slot.remaining = None;
            }
        }
    }

    fn crash(&mut self, client: ClientId, id: FaultId) {
        let node = NodeId::Client(client);
        let crashed = self.record(Fact::Fault(id, FaultFact::Crashed { client }), None);
        self.pauses.retain(|pause| pause.client != client);
        self.a_fault_lasts_until(self.now);
        self.node_of_client_stops(client);
        let slot = &mut self.clients[client.index()];
        slot.is_dead = true;
        slot.clock.go_on(self.now);
        for timer in &mut slot.timers {
            timer.set(self.now, None, None);
            timer.local = None;
        }
        slot.step.set(self.now, None, None);
        slot.remaining = None;
        let mut effects = Effects::default();
        slot.client.crash(&mut effects);
        let backlog = std::mem::take(&mut slot.backlog);
        self.carry_out(node, effects.list(), Some(crashed));
        for waiting in backlog {
            // Messages that had arrived and were not yet handled die with it.
            self.at_client(client, waiting.event);
        }
        if self.scenario.rules().connection_bound {
            // The operating system closes the connections of a process that is gone.
            let service = NodeId::Lock(LockNodeId(0));
            self.send(node, service, Body::Disconnected, Some(crashed));
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
        let restarted = self.record(Fact::Fault(id, FaultFact::Restarted { client }), None);
        self.clients[client.index()].is_dead = false;
        self.node_of_client_starts(client, restarted);
        self.a_fault_lasts_until(self.now);
        let start = ClientInput::Start(SimDuration::ZERO);
        self.tell_client(client, start, Some(restarted));
    }

    fn cut_begins(&mut self, cut: ActiveCut, id: FaultId) {
        if cut.until == self.now {
            return;
        }
        let [from, to] = cut.ends;
        let until = cut.until;
        self.record(Fact::Fault(id, FaultFact::LinkCut { node: from, to, until }), None);
        self.cuts.push(cut);
        self.queue.push(cut.until, Due::LinkReturns(cut.fault));
        self.a_fault_lasts_until(cut.until);
    }

    pub(super) fn link_returns(&mut self, fault: u16) {
        let Some(place) = self.cuts.iter().position(|cut| cut.fault == fault) else {
            return;
        };
        let [from, to] = self.cuts.remove(place).ends;
        let id = self.scenario.spec().faults[usize::from(fault)].id;
        self.record(Fact::Fault(id, FaultFact::LinkRestored { node: from, to }), None);
    }

    /// The cut that lies between two nodes now; of several the one that ends last.
    pub(super) fn cut_between(&self, one: NodeId, other: NodeId) -> Option<ActiveCut> {
        // What lies in the lock service is reached by the same link.
        let inside = self.values_lie_in_the_lock_service();
        let place = |node: NodeId| match node {
            NodeId::Store(_) if inside => NodeId::Lock(LockNodeId(0)),
            NodeId::Store(_) | NodeId::Client(_) | NodeId::Lock(_) => node,
        };
        let ends = [place(one), place(other)];
        let between = |cut: &&ActiveCut| {
            let [from, to] = cut.ends.map(place);
            ends == [from, to] || ends == [to, from]
        };
        self.cuts.iter().filter(between).max_by_key(|cut| cut.until).copied()
    }

    fn jump(&mut self, node: NodeId, by: ClockShift, id: FaultId) {
        self.record(Fact::Fault(id, FaultFact::ClockJumped { node, by }), None);
        self.a_fault_lasts_until(self.now);
        match node {
            NodeId::Client(client) => self.clients[client.index()].clock.jump(by),
            NodeId::Store(store) => self.stores[usize::from(store.0)].clock.jump(by),
            NodeId::Lock(lock) => {
                let slot = &mut self.nodes[usize::from(lock.0)];
                slot.clock.jump(by);
                let (local, cause) = (slot.timer.local, slot.timer.cause);
                self.rekey_node_timer(lock, local, cause);
            }
        }
    }

    fn service_stops(
        &mut self,
        fault: u16,
        id: FaultId,
        node: Option<LockNodeId>,
        length: SimDuration,
        stops: Stops,
    ) {
        let until = self.now + length;
        let loses = match stops {
            Stops::Process(loses) => loses,
            Stops::Host => Loses::Nothing,
        };
        for node in self.struck(node) {
            let slot = &mut self.nodes[usize::from(node.0)];
            let was_down = slot.is_down;
            slot.stopped = match was_down {
                true => (slot.stopped.0.max(until), slot.stopped.1.and(loses)),
                false => (until, loses),
            };
            if was_down {
                // It has nothing more to lose: it stays away for longer.
                let until = slot.stopped.0;
                self.record(Fact::Fault(id, FaultFact::ServiceStopped { node, until }), None);
                continue;
            }
            if self.scenario.rules().snapshot_every.is_some() {
                // Snapshots are saved when a node next does something: those that were due are.
                self.at_node(node, NodeInput::Timer, None);
            }
            let stopped = Fact::Fault(id, FaultFact::ServiceStopped { node, until });
            let stopped = self.record(stopped, None);
            let (rules, connected) = (self.scenario.rules(), self.connected());
            let is_bound = rules.connection_bound;
            if rules.closes_connections || is_bound && matches!(stops, Stops::Process(_)) {
                for client in connected {
                    let to = NodeId::Client(client);
                    self.send(NodeId::Lock(node), to, Body::Disconnected, Some(stopped));
                }
            } else if is_bound {
                for client in connected {
                    self.connection_times_out(client, stopped);
                }
            }
            if is_bound {
                self.what_lived_with_connections_ends(node, stopped);
            }
            self.nodes[usize::from(node.0)].is_down = true;
        }
        self.queue.push(until, Due::ServiceReturns(fault));
        self.a_fault_lasts_until(until);
    }

    pub(super) fn service_returns(&mut self, fault: u16) {
        let listed = &self.scenario.spec().faults[usize::from(fault)];
        let id = listed.id;
        if matches!(listed.kind, FaultKind::Failover { lives_on: true, .. }) {
            // Without a copy nobody takes over from a node that lives: a majority would have to.
            self.fail_over();
            return;
        }
        let fails_over = matches!(listed.kind, FaultKind::Failover { .. });
        let node = if let FaultKind::ServiceRestart { node, .. } = listed.kind {
            node
        } else if fails_over && !self.fail_over() {
            // Whoever takes its place knows everything: it is as if it had come back.
            Some(self.serving)
        } else {
            return;
        };
        for node in self.struck(node) {
            let slot = &mut self.nodes[usize::from(node.0)];
            // Another fault may hold it for longer, or have brought it back at this very instant.
            if !slot.is_down || self.now < slot.stopped.0 {
                continue;
            }
            slot.is_down = false;
            let loses = std::mem::take(&mut slot.stopped.1);
            let back = Fact::Fault(id, FaultFact::ServiceBack { node, loses });
            let back = self.record(back, None);
            self.at_node(node, NodeInput::Restart(loses), Some(back));
            if !fails_over {
                self.refuse_connections(back);
            }
        }
    }

    /// The clients that have a connection to the service: those that have ever asked.
    fn connected(&self) -> Vec<ClientId> {
        let slots = (0..).map(ClientId).zip(&self.clients);
        let has_asked = |slot: &ClientSlot| slot.reached[NamedStep::BeforeAcquire as usize] > 0;
        slots.filter(|(_, slot)| has_asked(slot)).map(|(client, _)| client).collect()
    }

    /// A host that is gone closes nothing: its client learns it when it has waited for as long as
    /// it waits for an answer, and if it waits without end, never.
    fn connection_times_out(&mut self, client: ClientId, stopped: EntrySeq) {
        let timeout = self.scenario.clients()[client.index()].settings.timeout;
        if let Some(timeout) = timeout.filter(|_| !self.clients[client.index()].is_dead) {
            let now = self.clients[client.index()].clock.now(self.now);
            let at = Some(now.monotonic + timeout);
            self.set_timer(NodeId::Client(client), TimerKind::Connection, at, Some(stopped));
        }
    }

    /// All connections of this node end, and with them the places and the lock that lived with
    /// them: the places first, so that nobody is granted by a node that is gone.
    fn what_lived_with_connections_ends(&mut self, node: LockNodeId, stopped: EntrySeq) {
        let holders = self.world.service.holders.iter().map(|held| held.client);
        let clients: Vec<_> = self.world.service.queue.iter().copied().chain(holders).collect();
        for client in clients {
            let input = NodeInput::Disconnected(client);
            self.at_node(node, input, Some(stopped));
        }
    }

    /// Who asked while the process was away had no connection, and finds that out when its host
    /// answers again.
    fn refuse_connections(&mut self, back: EntrySeq) {
        for client in std::mem::take(&mut self.refused_connections) {
            let (from, to) = (NodeId::Lock(self.serving), NodeId::Client(client));
            self.send(from, to, Body::Disconnected, Some(back));
        }
    }

    /// The copy takes the place of the node that has failed. Tells whether there is one.
    fn fail_over(&mut self) -> bool {
        let copy = LockNodeId(self.scenario.rules().n_nodes - 1);
        if !self.scenario.rules().has_standby || self.serving == copy {
            return false;
        }
        self.serving = copy;
        let held = self.world.service.holder();
        let named =
            held.map(|held| Grant { no: held.grant, client: held.client, token: held.token });
        self.at_node(copy, NodeInput::TakesOver { named }, None);
        true
    }

    /// The node of the service that this client finds: the one that serves, or the old one, if that
    /// lives and the client hears nothing of the other.
    pub(super) fn found_by(&self, client: NodeId) -> LockNodeId {
        let (old, new) = (LockNodeId(0), self.serving);
        let old_lives = !self.nodes[usize::from(old.0)].is_down;
        let is_cut_off = self.cut_between(client, NodeId::Lock(new)).is_some();
        if old_lives && is_cut_off { old } else { new }
    }

    /// The lock nodes that a fault of one of them, or of all, strikes.
    fn struck(&self, node: Option<LockNodeId>) -> impl Iterator<Item = LockNodeId> + use<> {
        let all = 0..self.scenario.rules().n_nodes;
        let one = node.map_or(all, |node| node.0..node.0 + 1);
        // One whose place was taken does not come back as what it was.
        let serving = self.serving;
        one.map(LockNodeId).filter(move |node| *node >= serving)
    }

    fn store_restarts(&mut self, store: StoreId, id: FaultId) {
        let forgot = self.stores[usize::from(store.0)].store.restart();
        let fact = Fact::Fault(id, FaultFact::StoreRestarted { store, forgot });
        self.record(fact, None);
        self.a_fault_lasts_until(self.now);
    }

    fn connection_lost(&mut self, client: ClientId, id: FaultId) {
        let fact = Fact::Fault(id, FaultFact::ConnectionLost { client });
        let lost = self.record(fact, None);
        self.a_fault_lasts_until(self.now);
        let service = LockNodeId(0);
        // One that is away has lost its connections already.
        if !self.nodes[usize::from(service.0)].is_down {
            let input = NodeInput::Disconnected(client);
            self.at_node(service, input, Some(lost));
        }
    }

    pub(super) fn a_fault_lasts_until(&mut self, end: SimTime) {
        let ends_at = super::length::after_fault(&self.scenario, end);
        // Kept for runs that differ in what is still to come: a look at it, and no condition.
        self.faults_last_until = course::aside(|| self.faults_last_until.max(ends_at));
        self.ends_at = self.ends_at.max(ends_at).min(self.ends_at_latest);
    }
}
