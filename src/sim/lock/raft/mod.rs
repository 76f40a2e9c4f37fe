//! Raft, and what is made of it: leadership as the lock (`leader`), and a lease service whose nodes
//! agree on every lease (`lease`). What the nodes tell one another stands here; how they elect and
//! replicate in `core`.
//!
//! Sources: D. Ongaro and J. Ousterhout 2014, “In Search of an Understandable Consensus Algorithm”;
//! D. Ongaro 2014, “Consensus: Bridging Theory and Practice”, 3.4 (elections), 4.2.3 (a server that
//! hears a leader does not vote), 6.4 (read index, leases); etcd, “Tuning” (a heartbeat about one
//! round trip, an election timeout of ten).

pub mod core;
pub(super) mod leader;
pub mod lease;

use crate::sim::id::{ClientId, FencingToken, RequestNo};
use crate::sim::message::MessageKind;
use crate::sim::time::LocalTime;

/// The kinds of command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// It only shows that its leader leads.
    Nothing,
    /// A client asks for the lock.
    Acquire,
    /// A holder asks for more time.
    Renew,
    /// A holder gives the lock back.
    Release,
    /// A holder asks whether it still holds the lock.
    Check,
    /// The leader found that the lease's time is over, which the entry `since` set last. If another
    /// entry has set it meanwhile, the lease stands.
    Expire {
        /// That entry.
        since: u32,
    },
}

/// What an entry of the log does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Command {
    /// Its kind.
    pub what: What,
    /// Whose request it is.
    pub client: ClientId,
    /// The request's number.
    pub request: RequestNo,
    /// The token that it carries.
    pub token: FencingToken,
}

impl Command {
    /// What a new leader appends first.
    pub const NOTHING: Self = Self {
        what: What::Nothing,
        client: ClientId(0),
        request: RequestNo(0),
        token: FencingToken(0),
    };
}

/// An entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The term of the leader that appended it.
    pub term: i64,
    /// What it does.
    pub command: Command,
}

/// What nodes tell one another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaftMessage {
    /// A candidate asks for a vote.
    AskVote {
        /// Its term.
        term: i64,
        /// The last entry of its log.
        last_index: u32,
        /// That entry's term.
        last_term: i64,
    },
    /// The answer.
    Vote {
        /// The voter's term.
        term: i64,
        /// Whether it votes for the asker.
        granted: bool,
    },
    /// A leader's heartbeat, with the next entry if there is one.
    Append {
        /// Its term.
        term: i64,
        /// The entry before.
        before: u32,
        /// That entry's term.
        before_term: i64,
        /// The entry.
        entry: Option<Entry>,
        /// Up to which entry a majority has its log.
        commit: u32,
        /// By the leader's clock, when it was sent.
        sent: LocalTime,
    },
    /// The answer.
    Appended {
        /// The follower's term.
        term: i64,
        /// Whether its log has the entry before.
        ok: bool,
        /// Up to which entry its log is the leader's; if not `ok`, may be.
        has: u32,
        /// As in the heartbeat.
        sent: LocalTime,
    },
}

impl RaftMessage {
    /// The sender's term.
    pub fn term(&self) -> i64 {
        match *self {
            Self::AskVote { term, .. }
            | Self::Vote { term, .. }
            | Self::Append { term, .. }
            | Self::Appended { term, .. } => term,
        }
    }

    /// The kind by which a fault names it.
    pub fn kind(&self) -> MessageKind {
        match self {
            Self::AskVote { .. } => MessageKind::AskVote,
            Self::Vote { .. } => MessageKind::Vote,
            Self::Append { .. } => MessageKind::Append,
            Self::Appended { .. } => MessageKind::Appended,
        }
    }
}
