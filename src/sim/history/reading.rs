//! What the history takes from the log: the one place that reads entries. Everything else is told
//! by these facts.
#![expect(clippy::wildcard_enum_match_arm, reason = "all other entries are nothing to it")]

use crate::sim::event::{Abandoned, Event, NodeEvent, Refusal};
use crate::sim::id::{ClientId, GrantNo, NodeId, StoreId, Version, WriteId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;

/// An entry as the history sees it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    /// A client sent a request to a store.
    Sent(ClientId, StoreId, Request),
    /// A store did something because of a request.
    AtStore(Done),
    /// A request to a store never arrives, or (`answer`) what it was answered.
    Lost { answer: bool },
    /// A client handled what a store had answered.
    Told(ClientId, Told),
    /// Something that happens to a client or that it does by itself.
    AtClient(ClientId, ClientFact),
    /// Something on the way of a request or of its answer.
    OnTheWay,
    /// Anything else.
    AtAnother,
}

/// A request to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request {
    Seal,
    Read,
    Write,
    Act,
}

/// What a store did because of a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Done {
    Read(Version),
    Installed { base: Option<Version>, version: Version },
    AlreadyApplied,
    PutOff,
    Refused(Refusal),
    Acted { again: bool },
}

/// What a client was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    Value,
    Accepted,
    Refused,
    Acted,
}

/// What happens to a client, or what it does by itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClientFact {
    /// It handled a grant, and believes.
    Believes(GrantNo),
    Works(WriteId),
    GivesUp(WriteId, Abandoned),
    /// Nothing is left to do, or it ended itself.
    Ends,
    /// It, or its worker, is dead.
    Dies,
    /// It starts again.
    StartsAgain,
}

/// What this entry is to the history.
pub(super) fn read(entry: &LogEntry) -> Fact {
    match (entry.node, entry.event) {
        (NodeId::Client(client), Event::Sent { to: NodeId::Store(store), kind, .. }) => {
            match kind {
                MessageKind::Seal => Fact::Sent(client, store, Request::Seal),
                MessageKind::Read => Fact::Sent(client, store, Request::Read),
                MessageKind::Write => Fact::Sent(client, store, Request::Write),
                MessageKind::Effect => Fact::Sent(client, store, Request::Act),
                _ => Fact::AtAnother,
            }
        }
        (NodeId::Client(client), Event::Received { kind, .. }) => match kind {
            MessageKind::Value => Fact::Told(client, Told::Value),
            MessageKind::WriteAccepted => Fact::Told(client, Told::Accepted),
            MessageKind::WriteRefused => Fact::Told(client, Told::Refused),
            MessageKind::EffectDone => Fact::Told(client, Told::Acted),
            _ => Fact::AtAnother,
        },
        (NodeId::Client(_), Event::Lost { kind, .. }) if is_answer(kind) => {
            Fact::Lost { answer: true }
        }
        (NodeId::Store(_), Event::Lost { .. })
        | (NodeId::Lock(_), Event::Lost { from: NodeId::Store(_), .. }) => {
            Fact::Lost { answer: false }
        }
        (NodeId::Client(client), event) => at_client(client, event),
        (NodeId::Store(_), event) => at_store(event),
        (NodeId::Lock(_), _) => Fact::OnTheWay,
    }
}

/// Whether a store answers by it.
fn is_answer(kind: MessageKind) -> bool {
    matches!(
        kind,
        MessageKind::Sealed
            | MessageKind::SealRefused
            | MessageKind::Value
            | MessageKind::EffectDone
            | MessageKind::WriteAccepted
            | MessageKind::WriteRefused
            | MessageKind::UnknownEpoch
    )
}

fn at_client(client: ClientId, event: Event) -> Fact {
    let fact = match event {
        Event::BeliefStarted { grant, .. } => ClientFact::Believes(grant),
        Event::WorkStarted { write, .. } => ClientFact::Works(write),
        Event::WorkAbandoned { write, why, .. } => ClientFact::GivesUp(write, why),
        Event::WorkerDone { .. } => ClientFact::Ends,
        Event::Crashed { .. } | Event::WorkerCrashed { .. } => ClientFact::Dies,
        Event::Restarted { .. } => ClientFact::StartsAgain,
        _ => return Fact::AtAnother,
    };
    Fact::AtClient(client, fact)
}

fn at_store(event: Event) -> Fact {
    let done = match event {
        Event::ReadServed { version, .. } => Done::Read(version),
        Event::WriteAccepted { base, version, .. } => Done::Installed { base, version },
        Event::DuplicateIgnored { .. } => Done::AlreadyApplied,
        Event::WriteRefused { why, .. } => Done::Refused(why),
        Event::Effect { again, .. } => Done::Acted { again },
        Event::AtNode(NodeEvent::EpochUnknown { .. }) => Done::PutOff,
        _ => return Fact::OnTheWay,
    };
    Fact::AtStore(done)
}
