//! Who asks for the lock no more, by an accident and not by its setting: its request was lost on
//! its way, or the news of its grant, or its place in the queue; and it waits for an answer without
//! end. That is known as soon as nothing of its own is under way any more: neither a timeout nor a
//! poll, a session or its library makes it ask again.

use super::Seen;
use crate::sim::fact::{Fact, MessageFact};
use crate::sim::id::{ClientId, EntrySeq, NodeId};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::lock::LockClient;
use crate::sim::scenario::{FaultKind, MessageAddress, Scenario};
use crate::sim::world::{Phase, World};

#[derive(Clone, Debug)]
pub(super) struct Stranded {
    /// Per client, whether an answer that does not come is all that it waits for.
    waits_without_end: Vec<bool>,
    /// Per client, the accident after which it was neither served nor asked again.
    accident: [Option<EntrySeq>; MAX_CLIENTS],
    /// Per client, how many of its requests for the lock, and of grants to it, are under way.
    under_way: [u32; MAX_CLIENTS],
    /// The messages that a fault doubles, each with how many of its kind were sent so far.
    doubled: Vec<(MessageAddress, u32)>,
}

impl Stranded {
    /// `has_session`: per client, whether its renewer keeps its place in the queue alive.
    pub(super) fn new(scenario: &Scenario, has_session: &[bool]) -> Self {
        let clients = (0_u8..).map(ClientId).zip(scenario.clients()).zip(has_session);
        let without_end = clients.map(|((id, client), has_session)| {
            let settings = &client.settings;
            settings.timeout.is_none()
                && !has_session
                && !scenario.rules().polls(settings.wait)
                && !LockClient::new(scenario, id).asks_again_by_itself()
        });
        let faults = scenario.spec().faults.iter().filter(|fault| fault.enabled);
        let doubled = faults.filter_map(|fault| {
            if let FaultKind::Duplicate { message, .. } = &fault.kind {
                Some((*message, 0))
            } else {
                None
            }
        });
        Self {
            waits_without_end: without_end.collect(),
            accident: [None; MAX_CLIENTS],
            under_way: [0; MAX_CLIENTS],
            doubled: doubled.collect(),
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let fact = seen.entry.fact;
        if let Fact::Message(node, fact) = fact {
            self.observe_message(node, fact);
        }
        if let Some(client) = fact.strands() {
            self.accident[client.index()] = Some(seen.entry.seq);
        }
    }

    fn observe_message(&mut self, node: NodeId, fact: MessageFact) {
        let (kind, other) = fact.with_whom();
        let client = match (node, other) {
            (NodeId::Client(client), NodeId::Lock(_))
            | (NodeId::Lock(_), NodeId::Client(client)) => client.index(),
            (NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_), _) => return,
        };
        if !kind.is_a_try() && !kind.gives_the_lock() {
            return;
        }
        self.accident[client] = None;
        let under_way = &mut self.under_way[client];
        if fact.sent().is_none() {
            *under_way = under_way.saturating_sub(1);
            return;
        }
        *under_way += 1;
        for (message, n_sent) in &mut self.doubled {
            if (message.from, message.to, message.kind) == (node, other, kind) {
                *n_sent += 1;
                *under_way += u32::from(*n_sent == message.nth);
            }
        }
    }

    /// The last accident of this client, if it has neither asked since nor has a place again.
    pub(super) fn accident(&self, client: ClientId, world: &World) -> Option<EntrySeq> {
        let has_place = world.service.queue.contains(&client);
        self.accident[client.index()].filter(|_| !has_place)
    }

    /// The accident for which this client waits for an answer that never comes. Who has a place in
    /// the queue, or had one, waits for its grant, which is looked at by itself.
    pub(super) fn is_forgotten(&self, client: usize, world: &World) -> Option<EntrySeq> {
        let waits = *self.waits_without_end.get(client)? && self.under_way[client] == 0;
        self.accident[client].filter(|_| waits && world.clients[client].phase == Phase::Asking)
    }
}
