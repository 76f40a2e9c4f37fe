//! The facts that a run's log holds, in the past tense, typed by the place where they happened.
//! They are what happened, not what somebody believes; who believes what is itself a fact.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use super::id::{
    ClientId, FaultId, FencingToken, GrantNo, LockNodeId, MessageNo, NodeId, StoreId, Version,
    WriteId,
};
use super::message::MessageKind;
use super::scenario::{Loses, PauseKind, PauseScope};
use super::time::{ClockShift, SimDuration, SimTime};

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

/// What a message did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageFact {
    /// It left this node and lands at `arrives`.
    Sent {
        message: MessageNo,
        to: NodeId,
        kind: MessageKind,
        token: Option<FencingToken>,
        arrives: SimTime,
    },
    /// It was handled here: at its arrival, or when the pause that it met was over.
    Received { message: MessageNo, from: NodeId, kind: MessageKind },
    /// It was on its way here and never arrives.
    Lost { message: MessageNo, from: NodeId, kind: MessageKind, why: Loss },
}

/// What a node of the lock service did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ServiceFact {
    /// It granted the lock; without a renewal the lease is over after `ttl`.
    Granted { grant: GrantNo, client: ClientId, token: FencingToken, ttl: Option<SimDuration> },
    /// The holder asked again and was told its own grant.
    GrantedAgain { grant: GrantNo, client: ClientId, token: FencingToken },
    /// A client waits in the queue behind `ahead` others, the holder not counted.
    Queued { client: ClientId, ahead: u8 },
    /// The lock is taken, and this client was told so.
    Refused { client: ClientId },
    /// A waiter's session is over; it has left the queue.
    WaiterLeft { client: ClientId },
    /// The lease now lasts `ttl` from here.
    Renewed { grant: GrantNo, by: ClientId, token: FencingToken, ttl: SimDuration },
    /// A renewal came too late, or from one that is not the holder.
    RenewRefused { client: ClientId, token: FencingToken },
    /// The service stopped naming this grant.
    LeaseEnded { grant: GrantNo, client: ClientId, token: FencingToken, how: LeaseEnd },
    /// A release came too late, or from one that is not the holder.
    ReleaseRefused { client: ClientId, token: FencingToken },
    /// The service was asked whether this client holds the lock.
    Checked { client: ClientId, token: FencingToken, valid: bool },
    /// A new leader, or the same one after a restart, gave the lease its whole time again: it lasts
    /// `ttl` from here.
    Refreshed { grant: GrantNo, client: ClientId, token: FencingToken, ttl: SimDuration },
    /// A copy now has what the node that it copies had when it was told: a holder, or none.
    Copied { held: Option<(ClientId, FencingToken)> },
    /// A copy took the place of the node that it copied, or was restored there, and names this
    /// grant for `ttl` more.
    TookOver { grant: GrantNo, client: ClientId, token: FencingToken, ttl: Option<SimDuration> },
    /// A copy took the place of the node that it copied, and names nobody.
    TookOverFree,
    /// The lock's own node was gone when a client made its own below it: it was made anew.
    MadeAnew,
    /// The service lost its leader and is away until there is another one.
    Election { lasts: SimDuration },
    /// There is no leader that could serve this client.
    Unserved { client: ClientId },
    /// Code of the holder took the lock once more, and was told this token: the holder's own, or
    /// (`anew`) a new one.
    Reentered { grant: GrantNo, client: ClientId, token: FencingToken, anew: bool },
    /// It took the lock once more, and the lock was not its own any more.
    ReentryRefused { client: ClientId, token: FencingToken },
    /// The coordinator aborts this client's transaction and raised the epoch to fence it.
    EpochRaised { client: ClientId, token: FencingToken },
    /// A store asked whether this token is that of the lock's holder.
    StoreAsked { token: FencingToken, valid: bool },
    /// About the key of one of several nodes that know nothing of one another.
    Key(KeyFact),
    /// About who leads a group of nodes.
    Raft(RaftFact),
}

/// What one of several nodes that know nothing of one another did with its key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyFact {
    /// It set its key for this client.
    Set { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// Its key now lasts `ttl` from here.
    Extended { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// Its key is gone.
    Gone { client: ClientId, token: FencingToken, how: LeaseEnd },
    /// It is back and answers nobody for this long.
    KeepsOut { ttl: SimDuration },
    /// With one key more, a majority of them lasts `ttl` from here.
    Lasts { grant: GrantNo, client: ClientId, token: FencingToken, ttl: SimDuration },
}

/// Who leads a group of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaftFact {
    /// A node asks for votes in this term.
    Campaigns { term: FencingToken },
    /// A majority voted for this client's node; the token is the term.
    Elected { client: ClientId, token: FencingToken },
    /// A majority has answered its heartbeats, and votes for nobody else for so long.
    LeadsOn { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// It knows that it no longer leads.
    Deposed { client: ClientId, token: FencingToken, how: LeaseEnd },
    /// A majority voted for this node of a lease service.
    Leads { term: FencingToken },
    /// It knows that it no longer leads.
    LeadsNoMore { term: FencingToken },
}

/// What a client did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientFact {
    /// It handled the grant: from here it believes that it holds the lock.
    BeliefStarted { grant: GrantNo, token: FencingToken },
    /// It stopped believing.
    BeliefEnded { grant: GrantNo, token: FencingToken, why: BeliefEnd },
    /// The worker began a piece of work (or its next step) that will end in this write.
    WorkStarted { write: WriteId, grant: GrantNo, takes: SimDuration },
    /// The worker gave a piece of work up before its write, and says why.
    WorkAbandoned { write: WriteId, grant: GrantNo, why: Abandoned },
    /// The worker has nothing left to do; `holding`: it stays on as idle holder.
    WorkerDone { holding: bool },
    /// The grant was handled after the client's own deadline: it starts no belief.
    GrantTooLate { grant: GrantNo, token: FencingToken },
    /// The worker heard nothing in time; `attempt` counts from 1. `gives_up`: it asks no more.
    TimedOut { attempt: u32, gives_up: bool },
    /// A compare-and-set refused its write: it reads and works again; `attempt` counts from 1.
    TriesAgain { write: WriteId, attempt: u32 },
    /// The renewer has stopped for good, and told nobody.
    RenewerGaveUp { token: FencingToken },
    /// No pause of this scope is left.
    Resumed { scope: PauseScope },
    /// Its own deadline has passed, and it waits to hear of the service.
    Jeopardy { token: FencingToken },
    /// It heard in time: its session lives.
    Safe { token: FencingToken },
    /// It counted a majority that never stood at one time: a grant that was over when made.
    Miscounted { grant: GrantNo, token: FencingToken },
}

/// What a store did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreFact {
    /// It told the value's version.
    ReadServed { client: ClientId, grant: GrantNo, version: Version },
    /// The fence was raised by a new holder, or stood there already.
    SealAccepted { client: ClientId, grant: GrantNo, token: FencingToken },
    /// The fence stands higher than the seal.
    SealRefused { client: ClientId, grant: GrantNo, token: FencingToken, highest: FencingToken },
    /// The write was applied; it made `version`.
    WriteAccepted {
        write: WriteId,
        grant: GrantNo,
        token: FencingToken,
        base: Option<Version>,
        version: Version,
    },
    /// It refused the write.
    WriteRefused {
        write: WriteId,
        grant: GrantNo,
        token: FencingToken,
        highest: FencingToken,
        why: Refusal,
    },
    /// The write was applied before, and is answered as then.
    DuplicateIgnored { write: WriteId, grant: GrantNo, token: FencingToken },
    /// The outside acted for this piece of work; `again`: it had before, and knew it, so it did
    /// not.
    Effect { write: WriteId, grant: GrantNo, again: bool },
    /// It does not know this client's epoch yet and put its write off; `known`: what it knows.
    EpochUnknown { client: ClientId, token: FencingToken, known: Option<FencingToken> },
    /// About the epochs by which it judges.
    Epoch(EpochFact),
}

/// What a store learnt of epochs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EpochFact {
    /// It learnt the leader epoch.
    Learnt { token: FencingToken },
    /// It took in that a transaction is over, and knows this epoch from here.
    MarkerWritten { token: FencingToken, commits: bool },
    /// It refused such word: it knows a newer epoch.
    MarkerRefused { token: FencingToken, known: FencingToken },
}

/// What a fault did, and to whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultFact {
    /// The client stands still until `until`, or until a later pause that joins this one ends.
    Paused { client: ClientId, scope: PauseScope, kind: PauseKind, until: SimTime },
    /// The client lost all it knew.
    Crashed { client: ClientId },
    /// The client started again, knowing nothing.
    Restarted { client: ClientId },
    /// The worker died; its client's renewer lives on.
    WorkerCrashed { client: ClientId },
    /// The connection to the service was lost and made anew; the client was not told.
    ConnectionLost { client: ClientId },
    /// Nothing passes between these two nodes until then.
    LinkCut { node: NodeId, to: NodeId, until: SimTime },
    /// The link is back.
    LinkRestored { node: NodeId, to: NodeId },
    /// This node's wall clock was set.
    ClockJumped { node: NodeId, by: ClockShift },
    /// The node of the lock service stopped.
    ServiceStopped { node: LockNodeId, until: SimTime },
    /// The node of the lock service is back.
    ServiceBack { node: LockNodeId, loses: Loses },
    /// The store stopped and came back; whether it has forgotten the highest token.
    StoreRestarted { store: StoreId, forgot: bool },
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
        if let Self::Service(_, ServiceFact::WaiterLeft { client }) = *self {
            return Some(client);
        }
        let Self::Message(to, MessageFact::Lost { from, kind, .. }) = *self else {
            return None;
        };
        match (from, to) {
            (NodeId::Client(client), _) if kind == MessageKind::Acquire => Some(client),
            (_, NodeId::Client(client)) if kind == MessageKind::Granted => Some(client),
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

/// A grant, as the lock's facts name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grant {
    /// Its number.
    pub no: GrantNo,
    /// Whose it is.
    pub client: ClientId,
    /// The token that it was given under.
    pub token: FencingToken,
}

impl Grant {
    /// It is made, for so long.
    pub fn made(self, ttl: Option<SimDuration>) -> ServiceFact {
        let Self { no: grant, client, token } = self;
        ServiceFact::Granted { grant, client, token, ttl }
    }

    /// It is given so much more time, asked for by this client.
    pub fn renewed(self, by: ClientId, ttl: SimDuration) -> ServiceFact {
        let Self { no: grant, token, .. } = self;
        ServiceFact::Renewed { grant, by, token, ttl }
    }

    /// It ends.
    pub fn ended(self, how: LeaseEnd) -> ServiceFact {
        let Self { no: grant, client, token } = self;
        ServiceFact::LeaseEnded { grant, client, token, how }
    }
}

/// A write, as the facts of a store name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Which.
    pub write: WriteId,
    /// Under which grant it was sent.
    pub grant: GrantNo,
    /// With which token.
    pub token: FencingToken,
}

impl FaultFact {
    /// The client whose worker dies of it.
    pub fn kills(self) -> Option<ClientId> {
        match self {
            Self::Crashed { client } | Self::WorkerCrashed { client } => Some(client),
            Self::Paused { .. }
            | Self::Restarted { .. }
            | Self::ConnectionLost { .. }
            | Self::LinkCut { .. }
            | Self::LinkRestored { .. }
            | Self::ClockJumped { .. }
            | Self::ServiceStopped { .. }
            | Self::ServiceBack { .. }
            | Self::StoreRestarted { .. } => None,
        }
    }

    /// The node that it befell: of a link, the one that the fault names first.
    pub fn node(self) -> NodeId {
        match self {
            Self::Paused { client, .. }
            | Self::Crashed { client }
            | Self::Restarted { client }
            | Self::WorkerCrashed { client }
            | Self::ConnectionLost { client } => NodeId::Client(client),
            Self::LinkCut { node, .. }
            | Self::LinkRestored { node, .. }
            | Self::ClockJumped { node, .. } => node,
            Self::ServiceStopped { node, .. } | Self::ServiceBack { node, .. } => {
                NodeId::Lock(node)
            }
            Self::StoreRestarted { store, .. } => NodeId::Store(store),
        }
    }
}

impl MessageFact {
    /// The kind of the message that is sent.
    pub fn sent(self) -> Option<MessageKind> {
        match self {
            Self::Sent { kind, .. } => Some(kind),
            Self::Received { .. } | Self::Lost { .. } => None,
        }
    }

    /// The kind of the message, and the node at its other end.
    pub fn with_whom(self) -> (MessageKind, NodeId) {
        match self {
            Self::Sent { kind, to: other, .. }
            | Self::Received { kind, from: other, .. }
            | Self::Lost { kind, from: other, .. } => (kind, other),
        }
    }

    fn about(self) -> About {
        match self {
            Self::Sent { kind, to, token, .. } => {
                About { token, ..About::default() }.asks(Question::Sent(kind, to))
            }
            Self::Received { .. } => About::default(),
            Self::Lost { kind, from, .. } => About::default().asks(Question::Lost(kind, from)),
        }
    }
}

impl ServiceFact {
    /// What it is about.
    pub fn about(self) -> About {
        match self {
            Self::Granted { grant, client, .. } => About::of(client).grant(grant).outcome(),
            Self::GrantedAgain { grant, client, .. }
            | Self::Refreshed { grant, client, .. }
            | Self::TookOver { grant, client, .. }
            | Self::Reentered { grant, client, .. } => About::of(client).grant(grant),
            Self::Queued { client, .. } | Self::Refused { client } | Self::Unserved { client } => {
                About::of(client)
            }
            Self::WaiterLeft { client } => About::of(client).outcome(),
            Self::Renewed { grant, by, .. } => {
                About::of(by).grant(grant).asks(Question::Renewal(by))
            }
            Self::RenewRefused { client, token } => {
                About::of(client).token(token).asks(Question::Renewal(client)).outcome()
            }
            Self::LeaseEnded { grant, client, .. } => {
                About::of(client).grant(grant).asks(Question::LeaseEnded(grant)).outcome()
            }
            Self::ReleaseRefused { client, token } => About::of(client).token(token).outcome(),
            Self::Checked { client, token, .. } => {
                About::of(client).token(token).asks(Question::Check(client)).outcome()
            }
            Self::Copied { held } => About { client: held.map(|held| held.0), ..About::default() },
            Self::ReentryRefused { client, .. } | Self::EpochRaised { client, .. } => {
                About::of(client).outcome()
            }
            Self::MadeAnew | Self::Election { .. } => About::default().outcome(),
            Self::StoreAsked { valid, .. } => About { outcome: !valid, ..About::default() },
            Self::TookOverFree => About::default(),
            Self::Key(fact) => fact.about(),
            Self::Raft(fact) => fact.about(),
        }
    }

    /// The grant that is made, and for how long.
    pub fn made(self) -> Option<(Grant, Option<SimDuration>)> {
        let Self::Granted { grant: no, client, token, ttl } = self else {
            return None;
        };
        Some((Grant { no, client, token }, ttl))
    }

    /// The grant that ends, and how.
    pub fn ended(self) -> Option<(Grant, LeaseEnd)> {
        let Self::LeaseEnded { grant: no, client, token, how } = self else {
            return None;
        };
        Some((Grant { no, client, token }, how))
    }

    /// Whether it sets the time of a lease.
    pub fn sets_time(self) -> bool {
        matches!(self, Self::Granted { .. } | Self::Renewed { .. })
    }

    /// The same of the grant that has this number in the record, where an earlier one is named.
    pub fn numbered(
        mut self,
        number: impl FnOnce(ClientId, FencingToken, GrantNo) -> GrantNo,
    ) -> Self {
        if let Self::GrantedAgain { grant, client, token }
        | Self::Renewed { grant, by: client, token, .. }
        | Self::Refreshed { grant, client, token, .. }
        | Self::LeaseEnded { grant, client, token, .. } = &mut self
        {
            *grant = number(*client, *token, *grant);
        }
        self
    }

    /// Whether it answers somebody who gives the lock back.
    pub fn answers_a_release(&self) -> bool {
        use LeaseEnd::{Released, ReleasedBy};
        matches!(
            self,
            Self::LeaseEnded { how: Released | ReleasedBy(_), .. } | Self::ReleaseRefused { .. }
        )
    }

    /// The token that it names, if it names one.
    pub fn token(self) -> Option<FencingToken> {
        match self {
            Self::Granted { token, .. }
            | Self::GrantedAgain { token, .. }
            | Self::Renewed { token, .. }
            | Self::RenewRefused { token, .. }
            | Self::LeaseEnded { token, .. }
            | Self::ReleaseRefused { token, .. }
            | Self::Checked { token, .. }
            | Self::Refreshed { token, .. }
            | Self::TookOver { token, .. }
            | Self::Reentered { token, .. }
            | Self::ReentryRefused { token, .. }
            | Self::EpochRaised { token, .. }
            | Self::StoreAsked { token, .. } => Some(token),
            Self::Copied { held } => held.map(|(_, token)| token),
            Self::Queued { .. }
            | Self::Refused { .. }
            | Self::WaiterLeft { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Election { .. }
            | Self::Unserved { .. }
            | Self::Key(_)
            | Self::Raft(_) => None,
        }
    }

    /// The same with another length, where it holds one on the node's own clock.
    pub fn with_length(self, of: impl Fn(SimDuration) -> SimDuration) -> Self {
        let mut fact = self;
        match &mut fact {
            Self::Granted { ttl, .. } | Self::TookOver { ttl, .. } => *ttl = ttl.map(&of),
            Self::Renewed { ttl, .. }
            | Self::Refreshed { ttl, .. }
            | Self::Election { lasts: ttl }
            | Self::Key(
                KeyFact::Set { ttl, .. }
                | KeyFact::Extended { ttl, .. }
                | KeyFact::KeepsOut { ttl },
            )
            | Self::Raft(RaftFact::LeadsOn { ttl, .. }) => *ttl = of(*ttl),
            // An observer counted how long a majority lasts, in true time.
            Self::Key(KeyFact::Lasts { .. } | KeyFact::Gone { .. }) => {}
            Self::Raft(
                RaftFact::Campaigns { .. }
                | RaftFact::Elected { .. }
                | RaftFact::Deposed { .. }
                | RaftFact::Leads { .. }
                | RaftFact::LeadsNoMore { .. },
            ) => {}
            Self::GrantedAgain { .. }
            | Self::Queued { .. }
            | Self::Refused { .. }
            | Self::WaiterLeft { .. }
            | Self::RenewRefused { .. }
            | Self::LeaseEnded { .. }
            | Self::ReleaseRefused { .. }
            | Self::Checked { .. }
            | Self::Copied { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Unserved { .. }
            | Self::Reentered { .. }
            | Self::ReentryRefused { .. }
            | Self::EpochRaised { .. }
            | Self::StoreAsked { .. } => {}
        }
        fact
    }
}

impl KeyFact {
    fn about(self) -> About {
        match self {
            Self::Set { client, .. }
            | Self::Extended { client, .. }
            | Self::Gone { client, .. } => About::of(client),
            Self::KeepsOut { .. } => About::default(),
            Self::Lasts { grant, client, .. } => About::of(client).grant(grant),
        }
    }
}

impl RaftFact {
    fn about(self) -> About {
        match self {
            Self::Campaigns { .. } | Self::Leads { .. } | Self::LeadsNoMore { .. } => {
                About::default()
            }
            Self::Elected { client, .. }
            | Self::LeadsOn { client, .. }
            | Self::Deposed { client, .. } => About::of(client),
        }
    }
}

impl ClientFact {
    fn about(self) -> About {
        match self {
            Self::BeliefStarted { grant, .. } | Self::GrantTooLate { grant, .. } => {
                About::a(grant).outcome()
            }
            Self::BeliefEnded { grant, .. } => {
                About::a(grant).asks(Question::BeliefEnded(grant)).outcome()
            }
            Self::WorkStarted { write, grant, .. } => About::of(write.client).grant(grant),
            Self::TriesAgain { write, .. } => About::of(write.client),
            Self::WorkAbandoned { write, grant, .. } => {
                About::of(write.client).grant(grant).outcome()
            }
            Self::RenewerGaveUp { token } => About::default().token(token),
            Self::Miscounted { grant, .. } => About::a(grant).outcome(),
            Self::Jeopardy { .. } => About::default().outcome(),
            Self::WorkerDone { .. }
            | Self::TimedOut { .. }
            | Self::Resumed { .. }
            | Self::Safe { .. } => About::default(),
        }
    }
}

impl StoreFact {
    /// The write that is applied.
    pub fn applied(self) -> Option<Written> {
        let Self::WriteAccepted { write, grant, token, .. } = self else {
            return None;
        };
        Some(Written { write, grant, token })
    }

    /// The write that was done before, and is not again.
    pub fn known_again(self) -> Option<WriteId> {
        let Self::DuplicateIgnored { write, .. } = self else {
            return None;
        };
        Some(write)
    }

    /// The write that is there by now.
    pub fn stands(self) -> Option<WriteId> {
        self.applied().map(|written| written.write).or(self.known_again())
    }

    /// What it is about.
    pub fn about(self) -> About {
        match self {
            Self::ReadServed { client, grant, .. } => About::of(client).grant(grant),
            Self::SealAccepted { client, grant, .. } => {
                About::of(client).grant(grant).asks(Question::Seal(client))
            }
            Self::SealRefused { client, grant, .. } => {
                About::of(client).grant(grant).asks(Question::Seal(client)).outcome()
            }
            Self::WriteAccepted { write, grant, .. }
            | Self::WriteRefused { write, grant, .. }
            | Self::DuplicateIgnored { write, grant, .. } => {
                About::of(write.client).grant(grant).asks(Question::Write(write)).outcome()
            }
            Self::Effect { write, grant, .. } => {
                About::of(write.client).grant(grant).asks(Question::Effect(write)).outcome()
            }
            Self::EpochUnknown { client, .. } => About::of(client),
            Self::Epoch(fact) => fact.about(),
        }
    }
}

impl EpochFact {
    fn about(self) -> About {
        match self {
            Self::Learnt { .. } | Self::MarkerWritten { .. } => About::default(),
            Self::MarkerRefused { .. } => About::default().outcome(),
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

/// Why a write was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refusal {
    /// Its token does not pass the fence.
    Token,
    /// It was built on another version than the present one.
    Version,
    /// It came after the time that its sender gave it.
    TooLate,
    /// There is nothing to update.
    Missing,
    /// A write before it is missing: its number does not follow.
    Gap,
    /// The lock service said that the token is not the holder's.
    NotHeld,
}

/// Why a message never arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loss {
    /// Nobody was there to take it.
    NobodyThere,
    /// The link was cut when it was sent or due.
    LinkCut,
    /// The scenario loses this one message.
    Dropped,
}

/// How a grant ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LeaseEnd {
    /// Its time to live was over.
    Expired,
    /// Its holder gave it back.
    Released,
    /// Somebody else gave it back, and the service did not check.
    ReleasedBy(ClientId),
    /// Somebody else took it over, judging by another clock that it was over.
    TakenOver,
    /// The connection that it lived with was lost.
    Disconnected,
    /// The service forgot it.
    Forgotten,
    /// Another's node came to stand before its own; nobody told it.
    Overtaken,
}

/// Why a client stopped believing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BeliefEnd {
    /// Its renewal was refused.
    RenewalRefused,
    /// A check found that the lease is gone.
    CheckFailed,
    /// A store refused its token.
    Fenced(StoreId),
    /// It sent the release.
    Released,
    /// Its own deadline has passed.
    DeadlinePassed,
    /// It crashed.
    Crashed,
    /// Its connection to the service was lost, and it takes no risk.
    Disconnected,
}

/// Why a piece of work ended without its write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Abandoned {
    /// The check said that the lease is gone.
    CheckFailed,
    /// A store refused the seal.
    SealRefused,
    /// A store refused the write.
    Fenced,
    /// No answer came, however often it asked.
    NoAnswer,
    /// The client knows that the lock is lost, and stops.
    LockLost,
}
