//! What the history takes from the log: the one place that reads entries. Everything else is told
//! by these.

use crate::sim::fact::{Abandoned, ClientFact, Fact, Passed, Refusal, Said, Sending, StoreFact};
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
    /// Its write was refused, and it does the same work again.
    TriesAgain,
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
        Fact::Message(node, _) => of_message(node, &entry.fact),
        Fact::Store(_, fact) => of_store(fact),
        Fact::Client(client, fact) => {
            of_client(fact).map_or(Entry::AtAnother, |deed| Entry::AtClient(client, deed))
        }
        Fact::Fault(_, fact) => match (fact.kills(), fact.restarted()) {
            (Some(client), _) => Entry::AtClient(client, Deed::Dies),
            (None, Some(client)) => Entry::AtClient(client, Deed::StartsAgain),
            (None, None) => Entry::AtAnother,
        },
        Fact::Service(..) => Entry::OnTheWay,
    }
}

fn of_client(fact: ClientFact) -> Option<Deed> {
    if fact.tries_again() {
        return Some(Deed::TriesAgain);
    }
    if fact.is_done() {
        return Some(Deed::Ends);
    }
    let works = fact.starts_work().map(|(write, _)| Deed::Works(write));
    let gives_up = || fact.gives_up().map(|(write, why)| Deed::GivesUp(write, why));
    works.or_else(gives_up).or_else(|| fact.believes().map(Deed::Believes))
}

fn of_message(node: NodeId, fact: &Fact) -> Entry {
    let NodeId::Client(client) = node else {
        let to_a_store = |lost: Passed| {
            matches!(lost.to, NodeId::Store(_)) || matches!(lost.from, NodeId::Store(_))
        };
        return match fact.lost().is_some_and(to_a_store) {
            true => Entry::Lost { answer: false },
            false => Entry::OnTheWay,
        };
    };
    if let Some(Sending { to: NodeId::Store(store), kind, .. }) = fact.sending() {
        return request(kind).map_or(Entry::AtAnother, |asks| Entry::Sent(client, store, asks));
    }
    if let Some(handled) = fact.handled() {
        return told(handled.kind).map_or(Entry::AtAnother, |told| Entry::Told(client, told));
    }
    match fact.lost().is_some_and(|lost| is_answer(lost.kind)) {
        true => Entry::Lost { answer: true },
        false => Entry::AtAnother,
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
    let written = fact.written().map(|(_, said)| match said {
        Said::Applied { base, version } => Done::Installed { base, version },
        Said::Refused { why, .. } => Done::Refused(why),
        Said::Known => Done::AlreadyApplied,
    });
    let done = written
        .or_else(|| fact.read().map(|read| Done::Read(read.version)))
        .or_else(|| fact.act().map(|act| Done::Acted { again: act.again }))
        .or_else(|| fact.put_off().map(|_| Done::PutOff));
    done.map_or(Entry::OnTheWay, Entry::AtStore)
}
