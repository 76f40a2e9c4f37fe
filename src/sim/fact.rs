//! The facts that a run's log holds, in the past tense. They are what happened, not what somebody
//! believes; who believes what is itself a fact.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use super::id::{
    ClientId, FaultId, FencingToken, GrantNo, MessageNo, NodeId, StoreId, Version, WriteId,
};
use super::message::MessageKind;
use super::scenario::{Loses, PauseKind, PauseScope};
use super::time::{ClockShift, SimDuration, SimTime};

/// One fact. The node that it happened at stands in the log entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A message left this node and lands at `arrives`.
    Sent {
        message: MessageNo,
        to: NodeId,
        kind: MessageKind,
        token: Option<FencingToken>,
        arrives: SimTime,
    },
    /// A message was handled here: at its arrival, or when the pause that it met was over.
    Received { message: MessageNo, from: NodeId, kind: MessageKind },
    /// A message that was on its way here never arrives.
    Lost { message: MessageNo, from: NodeId, kind: MessageKind, why: Loss },

    /// The service granted the lock; without a renewal the lease is over after `ttl`.
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

    /// The client handled the grant: from here it believes that it holds the lock.
    BeliefStarted { grant: GrantNo, token: FencingToken },
    /// The client stopped believing.
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
    /// The renewer has stopped for good, and told nobody.
    RenewerGaveUp { token: FencingToken },
    /// The worker died; its client's renewer lives on.
    WorkerCrashed { fault: FaultId },

    /// The client stands still until `until`, or until a later pause that joins this one ends.
    Paused { fault: FaultId, scope: PauseScope, kind: PauseKind, until: SimTime },
    /// No pause of this scope is left.
    Resumed { scope: PauseScope },
    /// The client lost all it knew.
    Crashed { fault: FaultId },
    /// The client started again, knowing nothing.
    Restarted { fault: FaultId },
    /// Nothing passes between this node and the other until then.
    LinkCut { fault: FaultId, to: NodeId, until: SimTime },
    /// The link is back.
    LinkRestored { fault: FaultId, to: NodeId },
    /// This node's wall clock was set.
    ClockJumped { fault: FaultId, by: ClockShift },
    /// The lock service stopped.
    ServiceStopped { fault: FaultId, until: SimTime },
    /// The lock service is back.
    ServiceBack { fault: FaultId, loses: Loses },
    /// The store stopped and came back; whether it has forgotten the highest token.
    StoreRestarted { fault: FaultId, forgot: bool },
    /// The connection to the service was lost and made anew; the client was not told.
    ConnectionLost { fault: FaultId },

    /// The store told the value's version.
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
    /// The store refused the write.
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
    /// What a node of the lock service did that only some systems do.
    AtNode(NodeEvent),
}

/// What a node of the lock service did that only some systems do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeEvent {
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
    /// A client's own deadline has passed, and it waits to hear of the service.
    Jeopardy { client: ClientId, token: FencingToken },
    /// It heard in time: its session lives.
    Safe { client: ClientId, token: FencingToken },
    /// One of several nodes that know nothing of one another set its key for this client.
    KeySet { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// Its key now lasts `ttl` from here.
    KeyExtended { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// Its key is gone.
    KeyGone { client: ClientId, token: FencingToken, how: LeaseEnd },
    /// It is back and answers nobody for this long.
    KeepsOut { ttl: SimDuration },
    /// With one key more, a majority of them lasts `ttl` from here.
    Lasts { grant: GrantNo, client: ClientId, token: FencingToken, ttl: SimDuration },
    /// The client counted a majority that never stood at one time: a grant that was over when made.
    Miscounted { grant: GrantNo, client: ClientId, token: FencingToken },
    /// A node of a Raft group asks for votes in this term.
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
    /// Code of the holder took the lock once more, and was told this token: the holder's own, or
    /// (`anew`) a new one.
    Reentered { grant: GrantNo, client: ClientId, token: FencingToken, anew: bool },
    /// It took the lock once more, and the lock was not its own any more.
    ReentryRefused { client: ClientId, token: FencingToken },
    /// A store learnt the leader epoch.
    EpochLearnt { token: FencingToken },
    /// A store does not know this client's epoch yet and put its write off; `known`: what it knows.
    EpochUnknown { client: ClientId, token: FencingToken, known: Option<FencingToken> },
    /// The coordinator aborts this client's transaction and raised the epoch to fence it.
    EpochRaised { client: ClientId, token: FencingToken },
    /// A store took in that a transaction is over, and knows this epoch from here.
    MarkerWritten { token: FencingToken, commits: bool },
    /// A store refused such word: it knows a newer epoch.
    MarkerRefused { token: FencingToken, known: FencingToken },
    /// A store asked whether this token is that of the lock's holder.
    StoreAsked { token: FencingToken, valid: bool },
}

impl NodeEvent {
    /// The client that it is about, if it is about one.
    pub fn client(self) -> Option<ClientId> {
        match self {
            Self::Copied { held } => held.map(|(client, _)| client),
            Self::Refreshed { client, .. }
            | Self::TookOver { client, .. }
            | Self::Unserved { client }
            | Self::Jeopardy { client, .. }
            | Self::Safe { client, .. }
            | Self::KeySet { client, .. }
            | Self::KeyExtended { client, .. }
            | Self::KeyGone { client, .. }
            | Self::Lasts { client, .. }
            | Self::Miscounted { client, .. }
            | Self::Elected { client, .. }
            | Self::LeadsOn { client, .. }
            | Self::Deposed { client, .. }
            | Self::Reentered { client, .. }
            | Self::ReentryRefused { client, .. }
            | Self::EpochUnknown { client, .. }
            | Self::EpochRaised { client, .. } => Some(client),
            Self::Campaigns { .. }
            | Self::Leads { .. }
            | Self::LeadsNoMore { .. }
            | Self::EpochLearnt { .. }
            | Self::MarkerWritten { .. }
            | Self::MarkerRefused { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Election { .. }
            | Self::StoreAsked { .. }
            | Self::KeepsOut { .. } => None,
        }
    }

    /// The grant that it is about, if it is about one.
    pub fn grant(self) -> Option<GrantNo> {
        match self {
            Self::Refreshed { grant, .. }
            | Self::TookOver { grant, .. }
            | Self::Lasts { grant, .. }
            | Self::Miscounted { grant, .. }
            | Self::Reentered { grant, .. } => Some(grant),
            Self::Copied { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Election { .. }
            | Self::Unserved { .. }
            | Self::Jeopardy { .. }
            | Self::Safe { .. }
            | Self::KeySet { .. }
            | Self::KeyExtended { .. }
            | Self::KeyGone { .. }
            | Self::KeepsOut { .. }
            | Self::Campaigns { .. }
            | Self::Elected { .. }
            | Self::LeadsOn { .. }
            | Self::Leads { .. }
            | Self::LeadsNoMore { .. }
            | Self::Deposed { .. }
            | Self::ReentryRefused { .. }
            | Self::EpochLearnt { .. }
            | Self::EpochUnknown { .. }
            | Self::EpochRaised { .. }
            | Self::MarkerWritten { .. }
            | Self::MarkerRefused { .. }
            | Self::StoreAsked { .. } => None,
        }
    }

    /// The same with another length, where it holds one.
    pub fn with_length(self, of: impl Fn(SimDuration) -> SimDuration) -> Self {
        match self {
            Self::Refreshed { grant, client, token, ttl } => {
                Self::Refreshed { grant, client, token, ttl: of(ttl) }
            }
            Self::TookOver { grant, client, token, ttl } => {
                Self::TookOver { grant, client, token, ttl: ttl.map(of) }
            }
            Self::Election { lasts } => Self::Election { lasts: of(lasts) },
            Self::KeySet { client, token, ttl } => Self::KeySet { client, token, ttl: of(ttl) },
            Self::KeyExtended { client, token, ttl } => {
                Self::KeyExtended { client, token, ttl: of(ttl) }
            }
            Self::KeepsOut { ttl } => Self::KeepsOut { ttl: of(ttl) },
            Self::LeadsOn { client, token, ttl } => Self::LeadsOn { client, token, ttl: of(ttl) },
            // An observer counted how long a majority lasts, in true time.
            Self::Lasts { .. }
            | Self::Reentered { .. }
            | Self::ReentryRefused { .. }
            | Self::EpochLearnt { .. }
            | Self::EpochUnknown { .. }
            | Self::EpochRaised { .. }
            | Self::MarkerWritten { .. }
            | Self::MarkerRefused { .. }
            | Self::StoreAsked { .. }
            | Self::Campaigns { .. }
            | Self::Elected { .. }
            | Self::Deposed { .. }
            | Self::KeyGone { .. }
            | Self::Miscounted { .. }
            | Self::Copied { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Unserved { .. }
            | Self::Jeopardy { .. }
            | Self::Leads { .. }
            | Self::LeadsNoMore { .. }
            | Self::Safe { .. } => self,
        }
    }

    /// Whether it is an outcome that two runs are compared by.
    pub fn is_outcome(self) -> bool {
        match self {
            Self::Refreshed { .. }
            | Self::Copied { .. }
            | Self::TookOver { .. }
            | Self::TookOverFree
            | Self::Unserved { .. }
            | Self::Safe { .. }
            | Self::KeySet { .. }
            | Self::KeyExtended { .. }
            | Self::KeyGone { .. }
            | Self::KeepsOut { .. }
            | Self::Lasts { .. }
            | Self::Campaigns { .. }
            | Self::Elected { .. }
            | Self::LeadsOn { .. }
            | Self::Leads { .. }
            | Self::LeadsNoMore { .. }
            | Self::Deposed { .. }
            | Self::Reentered { .. }
            | Self::EpochLearnt { .. }
            | Self::EpochUnknown { .. }
            | Self::MarkerWritten { .. }
            | Self::StoreAsked { valid: true, .. } => false,
            Self::MadeAnew
            | Self::StoreAsked { valid: false, .. }
            | Self::ReentryRefused { .. }
            | Self::Election { .. }
            | Self::Jeopardy { .. }
            | Self::EpochRaised { .. }
            | Self::MarkerRefused { .. }
            | Self::Miscounted { .. } => true,
        }
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
