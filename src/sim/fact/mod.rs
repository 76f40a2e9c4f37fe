//! The facts that a run's log holds, in the past tense, typed by the place where they happened.
//! They are what happened, not what somebody believes; who believes what is itself a fact. Each
//! place has a file: its facts, what each is about, what readers ask of it, its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

mod client;
mod fault;
mod message;
mod node;
mod service;
mod store;

use std::fmt;

use super::id::{ClientId, FaultId, FencingToken, GrantNo, LockNodeId, NodeId, StoreId, WriteId};
use super::message::MessageKind;
use super::scenario::PauseScope;
pub use client::{Abandoned, BeliefEnd, ClientFact, RenewalStop};
pub use fault::{FaultFact, Link, Paused};
pub use message::{Loss, MessageFact, Passed, Sending};
pub use node::{KeyFact, RaftFact};
pub use service::{Asked, Grant, Kept, LeaseEnd, ServiceFact};
pub use store::{Act, EpochFact, PutOff, Read, Refusal, Said, Seal, StoreFact, Written};

/// One fact, with the place where it happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// What a message did at this node.
    Message(NodeId, MessageFact),
    /// What a node of the lock service did.
    Service(LockNodeId, ServiceFact),
    /// What a client did.
    Client(ClientId, ClientFact),
    /// What a store did.
    Store(StoreId, StoreFact),
    /// What a fault of the scenario did, and to whom.
    Fault(FaultId, FaultFact),
}

/// What a state machine reports of itself; the engine adds which node it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OwnFact {
    Service(ServiceFact),
    Client(ClientFact),
    Store(StoreFact),
}

/// What a fact is about, beside where it happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The client whose lease, work or write it is, where that is not the place itself.
    pub client: Option<ClientId>,
    /// The grant.
    pub grant: Option<GrantNo>,
    /// The token, where no grant is named.
    pub token: Option<FencingToken>,
    /// Whether it is an outcome that two runs are compared by.
    pub outcome: bool,
    /// What it answers or asks.
    pub question: Option<Question>,
}

/// What a fact answers or asks, without what differs between two runs of one schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether a write is taken.
    Write(WriteId),
    /// Whether the outside acts.
    Effect(WriteId),
    /// Whether a client's seal is taken.
    Seal(ClientId),
    /// Whether a client holds the lock.
    Check(ClientId),
    /// Whether a client is given more time.
    Renewal(ClientId),
    /// A message of this kind to this node.
    Sent(MessageKind, NodeId),
    /// The same, lost on its way from this node.
    Lost(MessageKind, NodeId),
    /// How a client's belief ends.
    BeliefEnded(GrantNo),
    /// How a lease ends.
    LeaseEnded(GrantNo),
}

impl About {
    fn of(client: ClientId) -> Self {
        Self { client: Some(client), ..Self::default() }
    }

    fn a(grant: GrantNo) -> Self {
        Self { grant: Some(grant), ..Self::default() }
    }

    fn grant(self, grant: GrantNo) -> Self {
        Self { grant: Some(grant), ..self }
    }

    fn token(self, token: FencingToken) -> Self {
        Self { token: Some(token), ..self }
    }

    fn asks(self, question: Question) -> Self {
        Self { question: Some(question), ..self }
    }

    fn outcome(self) -> Self {
        Self { outcome: true, ..self }
    }
}

impl Fact {
    /// What a state machine at a node reports of itself; `None` if no such machine stands there.
    pub fn at(node: NodeId, own: OwnFact) -> Option<Self> {
        match (node, own) {
            (NodeId::Lock(node), OwnFact::Service(fact)) => Some(Self::Service(node, fact)),
            (NodeId::Client(client), OwnFact::Client(fact)) => Some(Self::Client(client, fact)),
            (NodeId::Store(store), OwnFact::Store(fact)) => Some(Self::Store(store, fact)),
            (_, OwnFact::Service(_) | OwnFact::Client(_) | OwnFact::Store(_)) => None,
        }
    }

    /// The client that may wait in vain from here on: its request was lost, or the news of its
    /// grant, or its place in the queue.
    pub fn strands(&self) -> Option<ClientId> {
        if let Self::Service(_, fact) = self {
            return fact.waiter_left();
        }
        let Passed { from, to, kind, .. } = self.lost()?;
        match (from, to) {
            (NodeId::Client(client), _) if kind.is_a_try() => Some(client),
            (_, NodeId::Client(client)) if kind.gives_the_lock() => Some(client),
            (NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_), _) => None,
        }
    }

    /// Where it happened.
    pub fn node(&self) -> NodeId {
        match *self {
            Self::Message(node, _) => node,
            Self::Service(node, _) => NodeId::Lock(node),
            Self::Client(client, _) => NodeId::Client(client),
            Self::Store(store, _) => NodeId::Store(store),
            Self::Fault(_, fact) => fact.node(),
        }
    }

    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Message(_, fact) => fact.about(),
            Self::Service(_, fact) => fact.about(),
            Self::Client(_, fact) => fact.about(),
            Self::Store(_, fact) => fact.about(),
            Self::Fault(..) => About::default(),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(_, fact) => fact.fmt(f),
            Self::Service(_, fact) => fact.fmt(f),
            Self::Client(_, fact) => fact.fmt(f),
            Self::Store(_, fact) => fact.fmt(f),
            Self::Fault(_, fact) => fact.fmt(f),
        }
    }
}

macro_rules! own {
    ($($place:ident($fact:ty),)*) => {$(
        impl From<$fact> for OwnFact {
            fn from(fact: $fact) -> Self {
                Self::$place(fact)
            }
        }
    )*};
}

own!(Service(ServiceFact), Client(ClientFact), Store(StoreFact),);

impl From<KeyFact> for OwnFact {
    fn from(fact: KeyFact) -> Self {
        Self::Service(ServiceFact::Key(fact))
    }
}

impl From<RaftFact> for OwnFact {
    fn from(fact: RaftFact) -> Self {
        Self::Service(ServiceFact::Raft(fact))
    }
}

impl From<EpochFact> for OwnFact {
    fn from(fact: EpochFact) -> Self {
        Self::Store(StoreFact::Epoch(fact))
    }
}

/// A part of a client, in a line of a log.
fn scope_name(scope: PauseScope) -> &'static str {
    match scope {
        PauseScope::Client => "all of it",
        PauseScope::Worker => "worker",
        PauseScope::Renewer => "renewer",
    }
}
