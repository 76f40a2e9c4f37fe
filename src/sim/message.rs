//! What travels between nodes, typed by direction: who hears a message is known by its type. A
//! message that was sent keeps travelling while its sender is paused or dead.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::id::{
    ClientId, FencingToken, GrantNo, LockNodeId, MessageNo, NodeId, RequestNo, StoreId, Version,
    WriteId,
};
use super::lock::{Copied, RaftMessage, Record};
use super::time::{LocalTime, SimDuration};
use crate::sim::form::choices;

/// A message under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// Its number, in the order sent.
    pub no: MessageNo,
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// What it says.
    pub body: Body,
}

/// What a client asks of the lock service. Every request carries a number that its answer repeats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Request {
    /// It asks for the lock. `stamp`: its wall clock when it did. `unchanged`: the version of the
    /// lock's record that it has watched for long enough.
    Acquire { request: RequestNo, stamp: LocalTime, unchanged: Option<u32> },
    /// A holder asks for more time. `stamp`: its wall clock when it did.
    Renew { request: RequestNo, token: FencingToken, stamp: LocalTime },
    /// A holder gives the lock back.
    Release { request: RequestNo, token: FencingToken },
    /// A holder asks whether it still holds the lock.
    Check { request: RequestNo, token: FencingToken },
    /// What the libraries of some systems ask beside.
    Special(SpecialRequest),
}

/// What the libraries of some systems ask beside what all ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecialRequest {
    /// It reads the lock's record, to ask for it if it is free. `stamp`: its wall clock.
    Look { request: RequestNo, stamp: LocalTime },
    /// The holder of a lock that was taken without a time to live sets it.
    SetExpiry { request: RequestNo, token: FencingToken },
    /// It makes a session, and does not ask for the lock yet.
    OpenSession { request: RequestNo },
    /// A waiter keeps its session alive.
    KeepAlive { request: RequestNo },
    /// Code of a holder takes the lock once more. `anew`: it is to get a token of its own.
    Reenter { request: RequestNo, token: FencingToken, anew: bool },
    /// A worker settles its delivery of an item: it is done, or goes back (`back`).
    Settle { request: RequestNo, token: FencingToken, back: bool },
    /// It takes back what a failed try may have set; nobody answers.
    Unlock { request: RequestNo, token: FencingToken },
}

impl From<SpecialRequest> for Request {
    fn from(request: SpecialRequest) -> Self {
        Self::Special(request)
    }
}

/// What the lock service answers a client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// The lock is the receiver's.
    Granted { request: RequestNo, token: FencingToken, grant: GrantNo, ttl: Option<SimDuration> },
    /// The lock is taken; the receiver waits in the queue.
    Queued { request: RequestNo },
    /// The lock is taken; the receiver may ask again.
    /// `record`: what stands there, where askers judge by that.
    Taken { request: RequestNo, record: Option<Record> },
    /// Whether the lock was free when its record was read.
    Looked { request: RequestNo, free: bool },
    /// The session lives on.
    Alive { request: RequestNo },
    /// The session is over, and the place in the queue with it.
    SessionOver { request: RequestNo },
    /// More time was given.
    Renewed { request: RequestNo, token: FencingToken, ttl: SimDuration },
    /// No more time: the lease is over or another's.
    RenewRefused { request: RequestNo, token: FencingToken },
    /// The lock was given back.
    Released { request: RequestNo },
    /// Nothing was given back: the lease is over or another's.
    ReleaseRefused { request: RequestNo },
    /// The delivery was settled, or so it is said.
    Settled { request: RequestNo },
    /// The settling was not taken.
    SettleRefused { request: RequestNo },
    /// The item is done, or dead: nothing is to be granted any more.
    NothingLeft { request: RequestNo },
    /// Whether the asker held the lock when the service was asked.
    Checked {
        request: RequestNo,
        token: FencingToken,
        valid: bool,
        /// The present holder's token.
        current: Option<FencingToken>,
    },
    /// The token that it is to use inside; `None`: the lock is not the asker's.
    Reentered { request: RequestNo, token: Option<FencingToken> },
    /// The node that was asked does not lead; who does, as far as it knows. `renews`: it was asked
    /// for more time.
    NotLeader { request: RequestNo, leader: Option<LockNodeId>, renews: bool },
}

/// What a worker asks of a store.
///
/// `grant` rides along for the record of the run only (which grant a write belongs to); no store
/// decides by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreRequest {
    /// A new holder raises the fence.
    Seal { request: RequestNo, token: FencingToken, grant: GrantNo },
    /// A worker reads the value.
    Read { request: RequestNo, grant: GrantNo },
    /// A worker acts on the outside; no fence stands there.
    Effect { request: RequestNo, write: WriteId, grant: GrantNo },
    /// A worker writes.
    Write {
        request: RequestNo,
        write: WriteId,
        token: FencingToken,
        grant: GrantNo,
        /// The version that the new value is built on; `None` for an overwrite.
        base: Option<Version>,
        /// Whether the piece of work is done with it.
        finishes: bool,
        /// By the store's wall clock, when the write is no longer wanted.
        not_after: Option<LocalTime>,
        /// Which write it is under its token, from 0, where the system numbers them.
        sequence: u32,
    },
}

/// What a store answers a worker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreAnswer {
    /// The fence was raised, or stood there already.
    Sealed { request: RequestNo },
    /// The fence stands higher.
    SealRefused { request: RequestNo, highest: FencingToken },
    /// The value's version when it was read, and how many shared pieces of work are done.
    Value { request: RequestNo, version: Version, done: u32 },
    /// The outside has acted, now or before.
    EffectDone { request: RequestNo },
    /// The write was applied.
    WriteAccepted { request: RequestNo, write: WriteId },
    /// The write was refused by the fence, which stands at `highest`.
    WriteRefused { request: RequestNo, write: WriteId, highest: FencingToken },
    /// The store does not know the write's epoch yet: the write is to be tried again.
    UnknownEpoch { request: RequestNo },
}

/// What nodes of the lock service tell one another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Peer {
    /// A node tells its copy what it has.
    Copy(Copied),
    /// What the nodes of a Raft group tell one another.
    Raft(RaftMessage),
}

/// What the lock service tells a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ServiceToStore {
    /// Who leads: the leader epoch.
    LeaderEpoch { token: FencingToken },
    /// A transaction is over, and under which producer epoch.
    Marker { token: FencingToken, commits: bool },
    /// Whether a token is that of the lock's holder.
    Checked { request: RequestNo, token: FencingToken, valid: bool, current: Option<FencingToken> },
}

/// What a store tells the lock service.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreToService {
    /// It asks whether a token is that of the lock's holder.
    Check { request: RequestNo, token: FencingToken },
    /// It has taken in what it was told.
    Noted { token: FencingToken },
}

/// What a message says: the sum over the directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Body {
    /// From a client to the lock service.
    Request(Request),
    /// Back.
    Answer(Answer),
    /// From a client to a store.
    StoreRequest(StoreRequest),
    /// Back.
    StoreAnswer(StoreAnswer),
    /// From one node of the lock service to another.
    Peer(Peer),
    /// From the lock service to a store.
    ServiceToStore(ServiceToStore),
    /// Back.
    StoreToService(StoreToService),
    /// The connection between a client and the service is gone: what the one that hears of it finds
    /// by itself, and not the other's word.
    Disconnected,
}

/// A message that goes one way only, and to whom.
pub trait OneWay: Into<Body> {
    /// Who hears it.
    type To: Into<NodeId>;
}

macro_rules! one_way {
    ($($Direction:ident => $To:ident),* $(,)?) => {
        $(
            impl OneWay for $Direction {
                type To = $To;
            }

            impl From<$Direction> for Body {
                fn from(said: $Direction) -> Self {
                    Self::$Direction(said)
                }
            }
        )*

        impl Body {
            fn row(&self) -> Row {
                match self {
                    $(Self::$Direction(said) => said.row(),)*
                    Self::Disconnected => Row::of(MessageKind::Disconnected).for_the_renewer(),
                }
            }
        }
    };
}

one_way! {
    Request => LockNodeId,
    Answer => ClientId,
    StoreRequest => StoreId,
    StoreAnswer => ClientId,
    Peer => LockNodeId,
    ServiceToStore => StoreId,
    StoreToService => LockNodeId,
}

/// What the simulation says of a message, whatever its direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    kind: MessageKind,
    token: Option<FencingToken>,
    /// Under which grant it changes something at a store or outside.
    acts_under: Option<GrantNo>,
    /// Whether the renewer handles it at a client; all else is the worker's.
    is_for_renewer: bool,
}

impl Row {
    const fn of(kind: MessageKind) -> Self {
        Self { kind, token: None, acts_under: None, is_for_renewer: false }
    }

    const fn with(kind: MessageKind, token: FencingToken) -> Self {
        Self { token: Some(token), ..Self::of(kind) }
    }

    const fn acting_under(self, grant: GrantNo) -> Self {
        Self { acts_under: Some(grant), ..self }
    }

    const fn for_the_renewer(self) -> Self {
        Self { is_for_renewer: true, ..self }
    }
}

impl Request {
    fn row(&self) -> Row {
        match *self {
            Self::Acquire { .. } => Row::of(MessageKind::Acquire),
            Self::Renew { token, .. } => Row::with(MessageKind::Renew, token),
            Self::Release { token, .. } => Row::with(MessageKind::Release, token),
            Self::Check { token, .. } => Row::with(MessageKind::Check, token),
            Self::Special(request) => request.row(),
        }
    }
}

impl SpecialRequest {
    fn row(&self) -> Row {
        match *self {
            Self::Look { .. } => Row::of(MessageKind::Look),
            Self::SetExpiry { token, .. } => Row::with(MessageKind::SetExpiry, token),
            Self::OpenSession { .. } => Row::of(MessageKind::OpenSession),
            Self::KeepAlive { .. } => Row::of(MessageKind::KeepAlive),
            Self::Reenter { token, .. } => Row::with(MessageKind::Reenter, token),
            Self::Unlock { token, .. } => Row::with(MessageKind::Unlock, token),
            Self::Settle { token, back: false, .. } => Row::with(MessageKind::Ack, token),
            Self::Settle { token, back: true, .. } => Row::with(MessageKind::Back, token),
        }
    }
}

impl Answer {
    fn row(&self) -> Row {
        match *self {
            Self::Granted { token, .. } => Row::with(MessageKind::Granted, token),
            Self::Queued { .. } => Row::of(MessageKind::Queued),
            Self::Taken { .. } => Row::of(MessageKind::Taken),
            Self::Looked { .. } => Row::of(MessageKind::Looked),
            Self::Alive { .. } => Row::of(MessageKind::Alive).for_the_renewer(),
            Self::SessionOver { .. } => Row::of(MessageKind::SessionOver).for_the_renewer(),
            Self::Renewed { token, .. } => Row::with(MessageKind::Renewed, token).for_the_renewer(),
            Self::RenewRefused { token, .. } => {
                Row::with(MessageKind::RenewRefused, token).for_the_renewer()
            }
            Self::Released { .. } => Row::of(MessageKind::Released),
            Self::ReleaseRefused { .. } => Row::of(MessageKind::ReleaseRefused),
            Self::Settled { .. } => Row::of(MessageKind::Settled),
            Self::SettleRefused { .. } => Row::of(MessageKind::SettleRefused),
            Self::NothingLeft { .. } => Row::of(MessageKind::NothingLeft),
            Self::Checked { token, .. } => Row::with(MessageKind::Checked, token),
            Self::Reentered { token, .. } => Row { token, ..Row::of(MessageKind::Reentered) },
            Self::NotLeader { renews: is_for_renewer, .. } => {
                Row { is_for_renewer, ..Row::of(MessageKind::NotLeader) }
            }
        }
    }

    /// The same with the number of its grant, where the node that made it cannot know that.
    pub fn numbered(mut self, grant_of: impl Fn(FencingToken) -> Option<GrantNo>) -> Self {
        if let Self::Granted { token, grant, .. } = &mut self
            && *grant == GrantNo::UNKNOWN
        {
            *grant = grant_of(*token).unwrap_or(GrantNo::UNKNOWN);
        }
        self
    }

    /// The number of the request that it answers.
    pub fn request(&self) -> RequestNo {
        match *self {
            Self::Granted { request, .. }
            | Self::Queued { request }
            | Self::Taken { request, .. }
            | Self::Looked { request, .. }
            | Self::Alive { request }
            | Self::SessionOver { request }
            | Self::Renewed { request, .. }
            | Self::RenewRefused { request, .. }
            | Self::Released { request }
            | Self::ReleaseRefused { request }
            | Self::Settled { request }
            | Self::SettleRefused { request }
            | Self::NothingLeft { request }
            | Self::Checked { request, .. }
            | Self::Reentered { request, .. }
            | Self::NotLeader { request, .. } => request,
        }
    }
}

impl StoreRequest {
    fn row(&self) -> Row {
        match *self {
            Self::Seal { token, .. } => Row::with(MessageKind::Seal, token),
            Self::Read { .. } => Row::of(MessageKind::Read),
            Self::Effect { grant, .. } => Row::of(MessageKind::Effect).acting_under(grant),
            Self::Write { token, grant, .. } => {
                Row::with(MessageKind::Write, token).acting_under(grant)
            }
        }
    }
}

impl StoreAnswer {
    fn row(&self) -> Row {
        Row::of(match self {
            Self::Sealed { .. } => MessageKind::Sealed,
            Self::SealRefused { .. } => MessageKind::SealRefused,
            Self::Value { .. } => MessageKind::Value,
            Self::EffectDone { .. } => MessageKind::EffectDone,
            Self::WriteAccepted { .. } => MessageKind::WriteAccepted,
            Self::WriteRefused { .. } => MessageKind::WriteRefused,
            Self::UnknownEpoch { .. } => MessageKind::UnknownEpoch,
        })
    }
}

impl Peer {
    fn row(&self) -> Row {
        Row::of(match self {
            Self::Copy(_) => MessageKind::Copy,
            Self::Raft(message) => message.kind(),
        })
    }
}

impl ServiceToStore {
    fn row(&self) -> Row {
        match *self {
            Self::LeaderEpoch { token } => Row::with(MessageKind::LeaderEpoch, token),
            Self::Marker { token, .. } => Row::with(MessageKind::Marker, token),
            Self::Checked { token, .. } => Row::with(MessageKind::Checked, token),
        }
    }
}

impl StoreToService {
    fn row(&self) -> Row {
        match *self {
            Self::Check { token, .. } => Row::with(MessageKind::Check, token),
            Self::Noted { token } => Row::with(MessageKind::Noted, token),
        }
    }
}

impl Body {
    /// The kind of this message.
    pub fn kind(&self) -> MessageKind {
        self.row().kind
    }

    /// The token that it carries, if any.
    pub fn token(&self) -> Option<FencingToken> {
        self.row().token
    }

    /// Under which grant it changes something at a store or outside, if it does.
    pub fn acts_under(&self) -> Option<GrantNo> {
        self.row().acts_under
    }

    /// Whether the renewer handles it at a client; all else is the worker's.
    pub fn is_for_renewer(&self) -> bool {
        self.row().is_for_renewer
    }
}

choices! {
    /// The kind of a message, by which a fault names it.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum MessageKind {
        /// A client asks for the lock.
        Acquire,
        /// A holder asks for more time.
        Renew,
        /// A holder gives the lock back.
        Release,
        /// A holder asks whether it still holds the lock.
        Check,
        /// The lock is the receiver's.
        Granted,
        /// The receiver waits in the queue.
        Queued,
        /// More time was given.
        Renewed,
        /// No more time.
        RenewRefused,
        /// The lock was given back.
        Released,
        /// Nothing was given back.
        ReleaseRefused,
        /// The answer to a check.
        Checked,
        /// A new holder raises the fence.
        Seal,
        /// The fence was raised.
        Sealed,
        /// The fence stands higher.
        SealRefused,
        /// A worker reads.
        Read,
        /// The value that was read.
        Value,
        /// A worker writes.
        Write,
        /// The write was applied.
        WriteAccepted,
        /// The write was refused.
        WriteRefused,
        /// The time to live is set in a second step.
        SetExpiry,
        /// A waiter keeps its session alive.
        KeepAlive,
        /// The lock is taken; ask again.
        Taken,
        /// The session lives on.
        Alive,
        /// The session is over.
        SessionOver,
        /// The connection is gone.
        Disconnected,
        /// A worker acts on the outside.
        Effect,
        /// The outside has acted.
        EffectDone,
        /// A client makes a session.
        OpenSession,
        /// A lock node tells its copy what it has.
        Copy,
        /// What a failed try may have set is taken back.
        Unlock,
        /// A client reads the lock's record.
        Look,
        /// Whether the lock was free.
        Looked,
        /// A candidate asks a node for its vote.
        AskVote,
        /// The answer.
        Vote,
        /// A leader's heartbeat, with an entry or without.
        Append,
        /// The answer.
        Appended,
        /// The node that was asked does not lead.
        NotLeader,
        /// Code of a holder takes the lock once more.
        Reenter,
        /// What it is told.
        Reentered,
        /// A store is told the leader epoch.
        LeaderEpoch,
        /// A store is told that a transaction is over.
        Marker,
        /// A store has taken in what it was told.
        Noted,
        /// The store does not know the epoch yet.
        UnknownEpoch,
        /// A worker says that its item is done.
        Ack,
        /// A worker puts its item back.
        Back,
        /// The delivery was settled.
        Settled,
        /// It was not.
        SettleRefused,
        /// The item is done or dead.
        NothingLeft,
    }
}

/// The step of a piece of work that a client takes with a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// It asks for the lock.
    Asks,
    /// It raises the fence.
    Seals,
    /// It reads.
    Reads,
    /// It asks whether it still holds the lock.
    Checks,
    /// It acts on the outside.
    Acts,
    /// It writes.
    Writes,
    /// It gives the lock back.
    Releases,
}

/// What the simulation says of a kind of message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KindRow {
    /// Its name in logs.
    name: &'static str,
    step: Option<Step>,
    is_routine: bool,
    is_at_intervals: bool,
}

impl KindRow {
    const fn of(name: &'static str) -> Self {
        Self { name, step: None, is_routine: false, is_at_intervals: false }
    }

    const fn step(name: &'static str, step: Step) -> Self {
        Self { step: Some(step), ..Self::of(name) }
    }

    const fn routine(self) -> Self {
        Self { is_routine: true, ..self }
    }

    const fn at_intervals(self) -> Self {
        Self { is_at_intervals: true, ..self }
    }
}

impl MessageKind {
    const fn row(self) -> KindRow {
        match self {
            Self::Acquire => KindRow::step("acquire", Step::Asks).routine(),
            Self::Renew => KindRow::of("renew").routine().at_intervals(),
            Self::Release => KindRow::step("release", Step::Releases),
            Self::Check => KindRow::step("check", Step::Checks),
            Self::Granted => KindRow::of("granted"),
            Self::Queued => KindRow::of("queued").routine(),
            Self::Renewed => KindRow::of("renewed").routine().at_intervals(),
            Self::RenewRefused => KindRow::of("renewal refused").routine().at_intervals(),
            Self::Released => KindRow::of("released"),
            Self::ReleaseRefused => KindRow::of("release refused"),
            Self::Checked => KindRow::of("checked"),
            Self::Seal => KindRow::step("seal", Step::Seals),
            Self::Sealed => KindRow::of("sealed"),
            Self::SealRefused => KindRow::of("seal refused"),
            Self::Read => KindRow::step("read", Step::Reads),
            Self::Value => KindRow::of("value"),
            Self::Write => KindRow::step("write", Step::Writes),
            Self::WriteAccepted => KindRow::of("write accepted"),
            Self::WriteRefused => KindRow::of("write refused"),
            Self::SetExpiry => KindRow::of("set expiry"),
            Self::KeepAlive => KindRow::of("keep alive").routine().at_intervals(),
            Self::Taken => KindRow::of("taken").routine(),
            Self::Alive => KindRow::of("alive").routine().at_intervals(),
            Self::SessionOver => KindRow::of("session over").routine(),
            Self::Disconnected => KindRow::of("disconnected"),
            Self::Effect => KindRow::step("effect", Step::Acts),
            Self::EffectDone => KindRow::of("effect done"),
            Self::OpenSession => KindRow::of("open session"),
            Self::Copy => KindRow::of("copy").routine().at_intervals(),
            Self::Unlock => KindRow::of("unlock").routine(),
            Self::Look => KindRow::step("look", Step::Asks).routine().at_intervals(),
            Self::Looked => KindRow::of("looked").routine().at_intervals(),
            Self::AskVote => KindRow::of("ask vote").routine(),
            Self::Vote => KindRow::of("vote").routine(),
            Self::Append => KindRow::of("append").routine().at_intervals(),
            Self::Appended => KindRow::of("appended").routine().at_intervals(),
            Self::NotLeader => KindRow::of("not the leader").routine(),
            Self::Reenter => KindRow::step("re-enter", Step::Asks),
            Self::Reentered => KindRow::of("re-entered"),
            Self::LeaderEpoch => KindRow::of("leader epoch").routine(),
            Self::Marker => KindRow::of("marker").routine(),
            Self::Noted => KindRow::of("noted").routine(),
            Self::UnknownEpoch => KindRow::of("unknown epoch"),
            Self::Ack => KindRow::step("ack", Step::Releases),
            Self::Back => KindRow::step("back", Step::Releases),
            Self::Settled => KindRow::of("settled"),
            Self::SettleRefused => KindRow::of("settling refused"),
            Self::NothingLeft => KindRow::of("nothing left"),
        }
    }

    /// The step that a client takes with it, if it is one.
    pub const fn step(self) -> Option<Step> {
        self.row().step
    }

    /// Whether it asks for the lock.
    pub fn is_a_try(self) -> bool {
        self == Self::Acquire
    }

    /// Whether its sender wants the lock and does not have it.
    pub fn wants_the_lock(self) -> bool {
        matches!(self, Self::Acquire | Self::Look)
    }

    /// Whether it gives the lock to its receiver.
    pub fn gives_the_lock(self) -> bool {
        self == Self::Granted
    }

    /// Whether a holder keeps the lock by it, or gives it back.
    pub fn is_a_holders_word(self) -> bool {
        matches!(self, Self::Renew | Self::Release | Self::Ack | Self::Back)
    }

    /// Whether such are sent at intervals, so that one is known by when it is sent.
    pub const fn is_at_intervals(self) -> bool {
        self.row().is_at_intervals
    }

    /// Whether it goes to and fro without end and settles nothing.
    pub const fn is_routine(self) -> bool {
        self.row().is_routine
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}
