//! Bringing inputs to nodes and carrying their effects out. A part of a client that stands still
//! gets its inputs when it wakes.

use super::super::client::ClientInput;
use super::super::clock::ClockKind;
use super::super::effect::{Effect, TimerKind};
use super::super::event_queue::{Due, ScheduledEvent};
use super::super::fact::{Fact, Loss, MessageFact, ServiceFact};
use super::super::id::{ClientId, EntrySeq, GrantNo, LockNodeId, NodeId, StoreId};
use super::super::lock::{Applied, NodeInput};
use super::super::message::{Body, Message};
use super::super::scenario::{FenceRule, NamedStep, PauseScope};
use super::super::storage::{Handled, StoreInput};
use super::super::time::{LocalTime, SimDuration};
use super::{PendingApply, Simulation, Waiting};

impl Simulation {
    pub(super) fn start_nodes(&mut self) {
        for index in 0..self.scenario.rules().n_nodes {
            if self.nodes[usize::from(index)].node.acts_by_itself() {
                self.at_node(LockNodeId(index), NodeInput::Start, None);
            }
        }
    }

    pub(super) fn start_clients(&mut self) {
        for index in 0..self.scenario.n_clients() {
            let asks_at = self.scenario.clients()[usize::from(index)].asks_at;
            self.tell_client(ClientId(index), ClientInput::Start(asks_at.since_start()), None);
        }
    }

    /// A message lands, is lost, or waits for its link.
    pub(super) fn arrive(
        &mut self,
        event: ScheduledEvent,
        message: &Message,
        sent: EntrySeq,
        lost: Option<Loss>,
    ) {
        let cut = self.cut_between(message.from, message.to);
        if let Some(until) = cut.filter(|cut| cut.held).map(|cut| cut.until) {
            self.queue.push(until, event.what);
            return;
        }
        if let Some(why) = lost.or(cut.map(|_| Loss::LinkCut)) {
            self.lose(message, sent, why);
            return;
        }
        if let Some(until) = self.stands_still_until(message.to) {
            self.queue.push(until, event.what);
            return;
        }
        match message.to {
            NodeId::Client(client) => self.at_client(client, event),
            NodeId::Lock(node) => self.arrive_at_node(node, message, sent),
            NodeId::Store(store) => self.arrive_at_store(store, message, sent),
        }
    }

    fn lose(&mut self, message: &Message, sent: EntrySeq, why: Loss) {
        let Message { no, from, to, body } = *message;
        let lost = MessageFact::Lost { message: no, from, kind: body.kind(), why };
        self.record(Fact::Message(to, lost), Some(sent));
    }

    /// Something is due at a client: it happens now, or waits for the client to wake.
    pub(super) fn at_client(&mut self, client: ClientId, event: ScheduledEvent) {
        if self.is_out_of_date(&event.what) {
            return;
        }
        if self.clients[client.index()].is_dead {
            if let Due::Arrival(message, sent, _) = event.what {
                self.lose(&message, sent, Loss::NobodyThere);
            }
            return;
        }
        self.happen_or_wait(client, Waiting { event, is_counted: false }, None);
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
            Due::Arrival(message, sent, _) => {
                let Message { no, from, body, .. } = message;
                let fact = MessageFact::Received { message: no, from, kind: body.kind() };
                let received = self.record(Fact::Message(NodeId::Client(client), fact), Some(sent));
                if let Some(input) = ClientInput::of(from, body) {
                    self.tell_client(client, input, Some(received));
                }
            }
            Due::Timer(_, kind, _) => {
                let timer = &mut slot.timers[kind as usize];
                let cause = woken.or(timer.cause);
                timer.set(self.now, None, None);
                timer.local = None;
                self.tell_client(client, ClientInput::Timer(kind), cause);
            }
            Due::WorkerStep(..) => {
                let cause = woken.or(slot.step.cause);
                slot.step.set(self.now, None, None);
                self.tell_client(client, ClientInput::WorkerStep, cause);
            }
            Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::LinkReturns(_)
            | Due::ServiceReturns(_)
            | Due::Restart(_)
            | Due::Apply(_)
            | Due::Expiry(..) => {}
        }
    }

    pub(super) fn is_out_of_date(&self, what: &Due) -> bool {
        match what {
            Due::Timer(client, kind, generation) => {
                self.clients[client.index()].timers[*kind as usize].generation != *generation
            }
            Due::WorkerStep(client, generation) => {
                self.clients[client.index()].step.generation != *generation
            }
            Due::Arrival(..)
            | Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::LinkReturns(_)
            | Due::ServiceReturns(_)
            | Due::Restart(_)
            | Due::Apply(_)
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
        *effects.n_grants() = self.n_grants;
        slot.client.handle(slot.clock.now(self.now), input, &mut effects);
        self.n_grants = *effects.n_grants();
        self.carry_out(NodeId::Client(client), effects.list(), cause);
        effects.clear();
        self.effects = effects;
    }

    pub(super) fn at_node(&mut self, node: LockNodeId, input: NodeInput, cause: Option<EntrySeq>) {
        let slot = &mut self.nodes[usize::from(node.0)];
        let mut effects = std::mem::take(&mut self.effects);
        *effects.n_grants() = self.n_grants;
        slot.node.handle(slot.clock.reading(slot.judges_by, self.now), input, &mut effects);
        self.n_grants = *effects.n_grants();
        self.carry_out(NodeId::Lock(node), effects.list(), cause);
        effects.clear();
        self.effects = effects;
    }

    fn arrive_at_node(&mut self, node: LockNodeId, message: &Message, sent: EntrySeq) {
        if self.nodes[usize::from(node.0)].is_down {
            if let NodeId::Client(client) = message.from
                && self.scenario.rules().connection_bound
                && !self.refused_connections.contains(&client)
            {
                self.refused_connections.push(client);
            }
            self.lose(message, sent, Loss::NobodyThere);
            return;
        }
        let received = self.received(message, sent);
        if let Some(input) = NodeInput::of(message.from, message.body) {
            self.at_node(node, input, Some(received));
        }
    }

    fn arrive_at_store(&mut self, store: StoreId, message: &Message, sent: EntrySeq) {
        let inside = self.values_lie_in_the_lock_service();
        if inside && self.nodes[0].is_down {
            self.lose(message, sent, Loss::NobodyThere);
            return;
        }
        let received = self.received(message, sent);
        let gap = self.scenario.storage().check_gap;
        let mut effects = std::mem::take(&mut self.effects);
        let slot = &mut self.stores[usize::from(store.0)];
        let now = slot.clock.now(self.now);
        let input = StoreInput::of(message.from, message.body);
        match input.map(|input| slot.store.handle(now, input, &mut effects)) {
            None | Some(Handled::Done) => {}
            Some(Handled::Passed(write)) if gap.is_zero() => {
                slot.store.apply(write, &mut effects);
            }
            Some(Handled::Passed(write)) => {
                let index = u32::try_from(self.applies.len()).expect("a run's steps fit 32 bits");
                self.applies.push(PendingApply { store, write, cause: received });
                self.queue.push(self.now + gap, Due::Apply(index));
            }
        }
        self.carry_out(NodeId::Store(store), effects.list(), Some(received));
        effects.clear();
        self.effects = effects;
    }

    /// The second half of a write whose check and application are two steps.
    pub(super) fn apply_write(&mut self, index: u32) {
        let PendingApply { store, write, cause } = self.applies[index as usize];
        let mut effects = std::mem::take(&mut self.effects);
        self.stores[usize::from(store.0)].store.apply(write, &mut effects);
        self.carry_out(NodeId::Store(store), effects.list(), Some(cause));
        effects.clear();
        self.effects = effects;
    }

    fn received(&mut self, message: &Message, sent: EntrySeq) -> EntrySeq {
        let Message { no, from, body, to } = *message;
        let fact = MessageFact::Received { message: no, from, kind: body.kind() };
        self.record(Fact::Message(to, fact), Some(sent))
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
                Effect::Fact(own) => {
                    let fact = Fact::at(node, own).expect("a node reports what it did itself");
                    let fact = self.in_true_time(fact);
                    let seq = self.record(fact, cause);
                    // What follows for the lock stands right behind it, and causes what comes next.
                    cause = Some(self.record_what_follows(fact, seq));
                    last = cause;
                    if let Fact::Service(_, fact) = fact {
                        self.tell_values_beside_the_lock(fact);
                    }
                }
                Effect::FactOnce(applied, fact) => {
                    let NodeId::Lock(node) = node else { continue };
                    if let Fact::Service(_, fact) = self.in_true_time(Fact::Service(node, fact)) {
                        cause = self.record_once(node, applied, fact, cause);
                    }
                    last = cause;
                }
                Effect::Send(to, body) => {
                    let body = self.with_grant(to, body);
                    last = Some(self.send(node, to, body, cause));
                }
                Effect::Timer(kind, at) => self.set_timer(node, kind, Some(at), last),
                Effect::NoTimer(kind) => self.set_timer(node, kind, None, last),
                Effect::Step(after) => self.set_step(node, after, last),
                Effect::NoStep => self.clear_step(node),
            }
        }
    }

    /// A value that lies in the lock service sees the lock as it is: both are one node's memory.
    fn tell_values_beside_the_lock(&mut self, fact: ServiceFact) {
        if !self.values_lie_in_the_lock_service() {
            return;
        }
        let stores = self.stores.iter_mut().map(|slot| &mut slot.store);
        if let Some((grant, _)) = fact.made() {
            stores.for_each(|store| store.lock_is_held_under(grant.token));
        } else if let ServiceFact::Reentered { token, .. } = fact {
            stores.for_each(|store| store.lock_is_held_under(token));
        } else if let Some((grant, _)) = fact.ended() {
            stores.for_each(|store| store.lock_is_free_of(grant.token));
        }
    }

    pub(super) fn values_lie_in_the_lock_service(&self) -> bool {
        self.scenario.storage().rule == FenceRule::SameTransaction
    }

    /// Records what the observer makes of a fact, if anything. Tells the last entry.
    fn record_what_follows(&mut self, fact: Fact, seq: EntrySeq) -> EntrySeq {
        let Fact::Service(node, fact) = fact else {
            return seq;
        };
        let n_grants = &mut self.n_grants;
        let number = || {
            *n_grants += 1;
            GrantNo(*n_grants)
        };
        let follows = self.observer.observe(node, self.now, fact, number);
        let mut last = seq;
        for fact in follows.into_iter().flatten() {
            last = self.record(Fact::Service(node, fact), Some(last));
        }
        last
    }

    /// Records a fact of a replicated log if no node has found it before. Tells the last entry.
    fn record_once(
        &mut self,
        node: LockNodeId,
        applied: Applied,
        fact: ServiceFact,
        mut cause: Option<EntrySeq>,
    ) -> Option<EntrySeq> {
        let n_grants = &mut self.n_grants;
        let number = || {
            *n_grants += 1;
            GrantNo(*n_grants)
        };
        for fact in self.observer.first(applied, fact, number).into_iter().flatten() {
            cause = Some(self.record(Fact::Service(node, fact), cause));
        }
        cause
    }

    /// A node that cannot know whether its yes makes a grant leaves the number out.
    fn with_grant(&self, to: NodeId, body: Body) -> Body {
        let (NodeId::Client(client), Body::Answer(answer)) = (to, body) else {
            return body;
        };
        answer.numbered(|token| self.observer.grant_of(client, token)).into()
    }

    /// A lock node counts a lease by its own clock; the log tells how long that truly is.
    fn in_true_time(&self, fact: Fact) -> Fact {
        let Fact::Service(node, fact) = fact else { return fact };
        let slot = &self.nodes[usize::from(node.0)];
        let (clock, judges_by) = (&slot.clock, slot.judges_by);
        // Exactly: rounded by itself, the length would be a microsecond off the lease's end.
        let in_true_time = |ttl: SimDuration| {
            let end = clock.reading(judges_by, self.now) + ttl;
            let end = clock.time_of(judges_by, end, self.now);
            end.map_or(clock.true_length(ttl), |end| end.since(self.now))
        };
        Fact::Service(node, fact.with_length(in_true_time))
    }

    pub(super) fn send(
        &mut self,
        from: NodeId,
        to: NodeId,
        body: Body,
        cause: Option<EntrySeq>,
    ) -> EntrySeq {
        // A client that sends to the service finds the node that serves now.
        let to = match (from, to) {
            (NodeId::Client(_), NodeId::Lock(LockNodeId(0))) => NodeId::Lock(self.found_by(from)),
            _ => to,
        };
        let no = self.next_message();
        let kind = body.kind();
        let faults = self.message_faults.of(from, to, kind);
        let is_inside = self.colocated(from).is_some_and(|client| to == NodeId::Client(client))
            || self.colocated(to).is_some_and(|client| from == NodeId::Client(client));
        let latency = if is_inside { SimDuration::ZERO } else { self.scenario.spec().latency };
        let arrives = self.now + latency + faults.delay;
        let fact = MessageFact::Sent { message: no, to, kind, token: body.token(), arrives };
        let sent = self.record(Fact::Message(from, fact), cause);
        let cut = self.cut_between(from, to).is_some_and(|cut| !cut.held);
        let lost = if cut { Some(Loss::LinkCut) } else { faults.is_lost.then_some(Loss::Dropped) };
        let message = Message { no, from, to, body };
        self.queue.push(arrives, Due::Arrival(message, sent, lost));
        if let Some(after) = faults.again_after {
            self.queue.push(arrives + after, Due::Arrival(message, sent, None));
        }
        if faults.is_any() {
            self.a_fault_lasts_until(arrives + faults.again_after.unwrap_or_default());
        }
        sent
    }

    pub(super) fn set_timer(
        &mut self,
        node: NodeId,
        kind: TimerKind,
        local: Option<LocalTime>,
        cause: Option<EntrySeq>,
    ) {
        let now = self.now;
        match node {
            NodeId::Client(client) => {
                let slot = &mut self.clients[client.index()];
                let timer = &mut slot.timers[kind as usize];
                let clock = ClockKind::Monotonic;
                let due = local.and_then(|local| slot.clock.time_of(clock, local, now));
                timer.local = local;
                let generation = timer.set(now, due, cause);
                if let Some(due) = due {
                    self.queue.push(due, Due::Timer(client, kind, generation));
                }
            }
            NodeId::Lock(id) => {
                let slot = &mut self.nodes[usize::from(id.0)];
                let clock = slot.judges_by;
                let due = local.and_then(|local| slot.clock.time_of(clock, local, now));
                slot.timer.local = local;
                let generation = slot.timer.set(now, due, cause);
                if let Some(due) = due {
                    self.queue.push(due, Due::Expiry(id, generation));
                }
            }
            NodeId::Store(_) => {} // A store has no timer.
        }
    }

    fn clear_step(&mut self, node: NodeId) {
        if let NodeId::Client(client) = node {
            let slot = &mut self.clients[client.index()];
            slot.step.set(self.now, None, None);
            slot.remaining = None;
        }
    }

    fn set_step(&mut self, node: NodeId, after: SimDuration, cause: Option<EntrySeq>) {
        if let NodeId::Client(client) = node {
            let due = self.now + after;
            let generation = self.clients[client.index()].step.set(self.now, Some(due), cause);
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
            Due::Timer(_, TimerKind::Main, _) => [Some(NamedStep::InRenewer), None],
            Due::Timer(..) => [None, None],
            Due::Arrival(message, ..) if message.body.kind().gives_the_lock() => {
                [Some(NamedStep::BeforeReply), None]
            }
            Due::Arrival(..)
            | Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::LinkReturns(_)
            | Due::ServiceReturns(_)
            | Due::Restart(_)
            | Due::Apply(_)
            | Due::Expiry(..) => [None, None],
        }
    }
}

/// The part of a client that something due concerns.
pub(super) fn part_for(what: &Due) -> PauseScope {
    match what {
        Due::Timer(
            _,
            TimerKind::Main
            | TimerKind::Deadline
            | TimerKind::LibraryRenewal
            | TimerKind::Connection,
            _,
        ) => PauseScope::Renewer,
        Due::Timer(_, TimerKind::Stop | TimerKind::EarlyRelease | TimerKind::Library, _) => {
            PauseScope::Worker
        }
        Due::Arrival(message, ..) if message.body.is_for_renewer() => PauseScope::Renewer,
        Due::WorkerStep(..) | Due::Arrival(..) => PauseScope::Worker,
        Due::FaultBegins(_)
        | Due::PauseEnds(_)
        | Due::LinkReturns(_)
        | Due::ServiceReturns(_)
        | Due::Restart(_)
        | Due::Apply(_)
        | Due::Expiry(..) => PauseScope::Client,
    }
}
