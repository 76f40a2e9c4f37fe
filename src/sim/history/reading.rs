//! What the history takes from the log: the one place that reads entries. Everything else is told
//! by these.

use crate::sim::fact::{Abandoned, ClientFact, Fact, FaultFact, MessageFact, Refusal, StoreFact};
use crate::sim::id::{ClientId, GrantNo, NodeId, StoreId, Version, WriteId};
use crate::sim::log::LogEntry;
use crate::sim::message::{MessageKind, Step};

/// An entry as the history sees it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// A client sent a request to a store.
    Sent(ClientId, StoreId, Asks),
    /// A store did something because of a request.
    AtStore(Done),
    /// A request to a store never arrives, or (`answer`) what it was answered.
    Lost { answer: bool },
    /// A client handled what a store had answered.
    Told(ClientId, Told),
    /// Something that happens to a client or that it does by itself.
    AtClient(ClientId, Deed),
    /// Something on the way of a request or of its answer.
    OnTheWay,
    /// Anything else.
    AtAnother,
}

/// A request to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asks {
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
pub(super) enum Deed {
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
pub(super) fn read(entry: &LogEntry) -> Entry {
    match entry.fact {
        Fact::Message(node, fact) => of_message(node, fact),
        Fact::Store(_, fact) => of_store(fact),
        Fact::Client(client, ClientFact::BeliefStarted { grant, .. }) => {
            Entry::AtClient(client, Deed::Believes(grant))
        }
        Fact::Client(client, ClientFact::WorkStarted { write, .. }) => {
            Entry::AtClient(client, Deed::Works(write))
        }
        Fact::Client(client, ClientFact::WorkAbandoned { write, why, .. }) => {
            Entry::AtClient(client, Deed::GivesUp(write, why))
        }
        Fact::Client(client, ClientFact::WorkerDone { .. }) => Entry::AtClient(client, Deed::Ends),
        Fact::Fault(_, FaultFact::Crashed { client } | FaultFact::WorkerCrashed { client }) => {
            Entry::AtClient(client, Deed::Dies)
        }
        Fact::Fault(_, FaultFact::Restarted { client }) => {
            Entry::AtClient(client, Deed::StartsAgain)
        }
        Fact::Service(..) => Entry::OnTheWay,
        Fact::Client(..) | Fact::Fault(..) => Entry::AtAnother,
    }
}

fn of_message(node: NodeId, fact: MessageFact) -> Entry {
    match (node, fact) {
        (NodeId::Client(client), MessageFact::Sent { to: NodeId::Store(store), kind, .. }) => {
            request(kind).map_or(Entry::AtAnother, |request| Entry::Sent(client, store, request))
        }
        (NodeId::Client(client), MessageFact::Received { kind, .. }) => {
            told(kind).map_or(Entry::AtAnother, |told| Entry::Told(client, told))
        }
        (NodeId::Client(_), MessageFact::Lost { kind, .. }) if is_answer(kind) => {
            Entry::Lost { answer: true }
        }
        (NodeId::Store(_), MessageFact::Lost { .. })
        | (NodeId::Lock(_), MessageFact::Lost { from: NodeId::Store(_), .. }) => {
            Entry::Lost { answer: false }
        }
        (NodeId::Client(_), MessageFact::Sent { .. } | MessageFact::Lost { .. }) => {
            Entry::AtAnother
        }
        (NodeId::Lock(_) | NodeId::Store(_), _) => Entry::OnTheWay,
    }
}

fn request(kind: MessageKind) -> Option<Asks> {
    match kind.step()? {
        Step::Seals => Some(Asks::Seal),
        Step::Reads => Some(Asks::Read),
        Step::Writes => Some(Asks::Write),
        Step::Acts => Some(Asks::Act),
        Step::Asks | Step::Checks | Step::Releases => None,
    }
}

fn told(kind: MessageKind) -> Option<Told> {
    let answers = [
        (MessageKind::Value, Told::Value),
        (MessageKind::WriteAccepted, Told::Accepted),
        (MessageKind::WriteRefused, Told::Refused),
        (MessageKind::EffectDone, Told::Acted),
    ];
    answers.into_iter().find(|(of, _)| *of == kind).map(|(_, told)| told)
}

/// Whether a store answers by it.
fn is_answer(kind: MessageKind) -> bool {
    let others = [MessageKind::Sealed, MessageKind::SealRefused, MessageKind::UnknownEpoch];
    told(kind).is_some() || others.contains(&kind)
}

fn of_store(fact: StoreFact) -> Entry {
    match fact {
        StoreFact::ReadServed { version, .. } => Entry::AtStore(Done::Read(version)),
        StoreFact::WriteAccepted { base, version, .. } => {
            Entry::AtStore(Done::Installed { base, version })
        }
        StoreFact::DuplicateIgnored { .. } => Entry::AtStore(Done::AlreadyApplied),
        StoreFact::WriteRefused { why, .. } => Entry::AtStore(Done::Refused(why)),
        StoreFact::Effect { again, .. } => Entry::AtStore(Done::Acted { again }),
        StoreFact::EpochUnknown { .. } => Entry::AtStore(Done::PutOff),
        StoreFact::SealAccepted { .. } | StoreFact::SealRefused { .. } | StoreFact::Epoch(_) => {
            Entry::OnTheWay
        }
    }
}
