//! What travels between nodes. A message that was sent keeps travelling while its sender is paused
//! or dead.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::id::{
    FencingToken, GrantNo, LockNodeId, MessageNo, NodeId, RequestNo, Version, WriteId,
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

/// What a message says. Every request carries a number that its answer repeats.
///
/// `grant` rides along for the record of the run only (which grant a write belongs to); no store
/// and no lock service decides by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Body {
    /// A client asks for the lock. `stamp`: its wall clock when it did.
    /// `unchanged`: the version of the lock's record that it has watched for long enough.
    Acquire { request: RequestNo, stamp: LocalTime, unchanged: Option<u32> },
    /// A holder of a lock that was taken without a time to live sets it.
    SetExpiry { request: RequestNo, token: FencingToken },
    /// A waiter keeps its session alive.
    KeepAlive { request: RequestNo },
    /// A holder asks for more time. `stamp`: its wall clock when it did.
    Renew { request: RequestNo, token: FencingToken, stamp: LocalTime },
    /// A holder gives the lock back.
    Release { request: RequestNo, token: FencingToken },
    /// A holder asks whether it still holds the lock.
    Check { request: RequestNo, token: FencingToken },
    /// The lock is the receiver's.
    Granted { request: RequestNo, token: FencingToken, grant: GrantNo, ttl: Option<SimDuration> },
    /// The lock is taken; the receiver waits in the queue.
    Queued { request: RequestNo },
    /// The lock is taken; the receiver may ask again.
    /// `record`: what stands there, where askers judge by that.
    Taken { request: RequestNo, record: Option<Record> },
    /// The session lives on.
    Alive { request: RequestNo },
    /// The session is over, and the place in the queue with it.
    SessionOver { request: RequestNo },
    /// The client's connection is gone; the service's own observation, not the client's word.
    Disconnected,
    /// More time was given.
    Renewed { request: RequestNo, token: FencingToken, ttl: SimDuration },
    /// No more time: the lease is over or another's.
    RenewRefused { request: RequestNo, token: FencingToken },
    /// The lock was given back.
    Released { request: RequestNo },
    /// Nothing was given back: the lease is over or another's.
    ReleaseRefused { request: RequestNo },
    /// Whether the asker held the lock when the service was asked.
    Checked {
        request: RequestNo,
        token: FencingToken,
        valid: bool,
        /// The present holder's token.
        current: Option<FencingToken>,
    },
    /// A new holder raises the fence.
    Seal { request: RequestNo, token: FencingToken, grant: GrantNo },
    /// The fence was raised, or stood there already.
    Sealed { request: RequestNo },
    /// The fence stands higher.
    SealRefused { request: RequestNo, highest: FencingToken },
    /// A worker reads the value.
    Read { request: RequestNo, grant: GrantNo },
    /// The value's version when it was read, and how many shared pieces of work are done.
    Value { request: RequestNo, version: Version, done: u32 },
    /// A worker acts on the outside; no fence stands there.
    Effect { request: RequestNo, write: WriteId, grant: GrantNo },
    /// The outside has acted, now or before.
    EffectDone { request: RequestNo },
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
    /// The write was applied.
    WriteAccepted { request: RequestNo, write: WriteId },
    /// The write was refused by the fence, which stands at `highest`.
    WriteRefused { request: RequestNo, write: WriteId, highest: FencingToken },
    /// A client makes a session, and does not ask for the lock yet.
    OpenSession { request: RequestNo },
    /// A lock node tells its copy what it has.
    Copy(Copied),
    /// A client takes back what a failed try may have set; nobody answers.
    Unlock { request: RequestNo, token: FencingToken },
    /// A client reads the lock's record, to ask for it if it is free. `stamp`: its wall clock.
    Look { request: RequestNo, stamp: LocalTime },
    /// Whether the lock was free when its record was read.
    Looked { request: RequestNo, free: bool },
    /// What the nodes of a Raft group tell one another.
    Raft(RaftMessage),
    /// The node that was asked does not lead; who does, as far as it knows. `renews`: it was asked
    /// for more time.
    NotLeader { request: RequestNo, leader: Option<LockNodeId>, renews: bool },
    /// Code of a holder takes the lock once more. `anew`: it is to get a token of its own.
    Reenter { request: RequestNo, token: FencingToken, anew: bool },
    /// The token that it is to use inside; `None`: the lock is not the asker's.
    Reentered { request: RequestNo, token: Option<FencingToken> },
    /// A store is told who leads: the leader epoch.
    LeaderEpoch { token: FencingToken },
    /// A store is told that a transaction is over, and under which producer epoch.
    Marker { token: FencingToken, commits: bool },
    /// A store has taken in what it was told.
    Noted { token: FencingToken },
    /// The store does not know the write's epoch yet: the write is to be tried again.
    UnknownEpoch { request: RequestNo },
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
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Acquire => "acquire",
            Self::Renew => "renew",
            Self::Release => "release",
            Self::Check => "check",
            Self::Granted => "granted",
            Self::Queued => "queued",
            Self::Renewed => "renewed",
            Self::RenewRefused => "renewal refused",
            Self::Released => "released",
            Self::ReleaseRefused => "release refused",
            Self::Checked => "checked",
            Self::Seal => "seal",
            Self::Sealed => "sealed",
            Self::SealRefused => "seal refused",
            Self::Read => "read",
            Self::Value => "value",
            Self::Write => "write",
            Self::WriteAccepted => "write accepted",
            Self::WriteRefused => "write refused",
            Self::SetExpiry => "set expiry",
            Self::KeepAlive => "keep alive",
            Self::Taken => "taken",
            Self::Alive => "alive",
            Self::SessionOver => "session over",
            Self::Disconnected => "disconnected",
            Self::Effect => "effect",
            Self::EffectDone => "effect done",
            Self::OpenSession => "open session",
            Self::Copy => "copy",
            Self::Unlock => "unlock",
            Self::Look => "look",
            Self::Looked => "looked",
            Self::AskVote => "ask vote",
            Self::Vote => "vote",
            Self::Append => "append",
            Self::Appended => "appended",
            Self::NotLeader => "not the leader",
            Self::Reenter => "re-enter",
            Self::Reentered => "re-entered",
            Self::LeaderEpoch => "leader epoch",
            Self::Marker => "marker",
            Self::Noted => "noted",
            Self::UnknownEpoch => "unknown epoch",
        })
    }
}

impl Body {
    /// The kind of this message.
    pub fn kind(&self) -> MessageKind {
        match self {
            Self::Acquire { .. } => MessageKind::Acquire,
            Self::Renew { .. } => MessageKind::Renew,
            Self::Release { .. } => MessageKind::Release,
            Self::Check { .. } => MessageKind::Check,
            Self::Granted { .. } => MessageKind::Granted,
            Self::Queued { .. } => MessageKind::Queued,
            Self::Renewed { .. } => MessageKind::Renewed,
            Self::RenewRefused { .. } => MessageKind::RenewRefused,
            Self::Released { .. } => MessageKind::Released,
            Self::ReleaseRefused { .. } => MessageKind::ReleaseRefused,
            Self::Checked { .. } => MessageKind::Checked,
            Self::Seal { .. } => MessageKind::Seal,
            Self::Sealed { .. } => MessageKind::Sealed,
            Self::SealRefused { .. } => MessageKind::SealRefused,
            Self::Read { .. } => MessageKind::Read,
            Self::Value { .. } => MessageKind::Value,
            Self::Write { .. } => MessageKind::Write,
            Self::WriteAccepted { .. } => MessageKind::WriteAccepted,
            Self::WriteRefused { .. } => MessageKind::WriteRefused,
            Self::SetExpiry { .. } => MessageKind::SetExpiry,
            Self::KeepAlive { .. } => MessageKind::KeepAlive,
            Self::Taken { .. } => MessageKind::Taken,
            Self::Alive { .. } => MessageKind::Alive,
            Self::SessionOver { .. } => MessageKind::SessionOver,
            Self::Disconnected => MessageKind::Disconnected,
            Self::Effect { .. } => MessageKind::Effect,
            Self::EffectDone { .. } => MessageKind::EffectDone,
            Self::OpenSession { .. } => MessageKind::OpenSession,
            Self::Copy(_) => MessageKind::Copy,
            Self::Unlock { .. } => MessageKind::Unlock,
            Self::Look { .. } => MessageKind::Look,
            Self::Looked { .. } => MessageKind::Looked,
            Self::Raft(message) => message.kind(),
            Self::NotLeader { .. } => MessageKind::NotLeader,
            Self::Reenter { .. } => MessageKind::Reenter,
            Self::Reentered { .. } => MessageKind::Reentered,
            Self::LeaderEpoch { .. } => MessageKind::LeaderEpoch,
            Self::Marker { .. } => MessageKind::Marker,
            Self::Noted { .. } => MessageKind::Noted,
            Self::UnknownEpoch { .. } => MessageKind::UnknownEpoch,
        }
    }

    /// The token that it carries, if any.
    pub fn token(&self) -> Option<FencingToken> {
        match self {
            Self::Renew { token, .. }
            | Self::Release { token, .. }
            | Self::Check { token, .. }
            | Self::Granted { token, .. }
            | Self::Renewed { token, .. }
            | Self::RenewRefused { token, .. }
            | Self::Checked { token, .. }
            | Self::Seal { token, .. }
            | Self::SetExpiry { token, .. }
            | Self::Unlock { token, .. }
            | Self::Reenter { token, .. }
            | Self::LeaderEpoch { token }
            | Self::Marker { token, .. }
            | Self::Noted { token }
            | Self::Write { token, .. } => Some(*token),
            Self::Reentered { token, .. } => *token,
            Self::Raft(_)
            | Self::NotLeader { .. }
            | Self::Acquire { .. }
            | Self::Queued { .. }
            | Self::Released { .. }
            | Self::ReleaseRefused { .. }
            | Self::Sealed { .. }
            | Self::SealRefused { .. }
            | Self::Read { .. }
            | Self::Value { .. }
            | Self::WriteAccepted { .. }
            | Self::WriteRefused { .. }
            | Self::KeepAlive { .. }
            | Self::Taken { .. }
            | Self::Alive { .. }
            | Self::SessionOver { .. }
            | Self::Disconnected
            | Self::Effect { .. }
            | Self::EffectDone { .. }
            | Self::OpenSession { .. }
            | Self::Copy(_)
            | Self::Look { .. }
            | Self::UnknownEpoch { .. }
            | Self::Looked { .. } => None,
        }
    }

    /// Whether the renewer handles it at a client; all else is the worker's.
    pub fn is_for_renewer(&self) -> bool {
        matches!(
            self,
            Self::Renewed { .. }
                | Self::RenewRefused { .. }
                | Self::Alive { .. }
                | Self::SessionOver { .. }
                | Self::Disconnected
                | Self::NotLeader { renews: true, .. }
        )
    }
}
