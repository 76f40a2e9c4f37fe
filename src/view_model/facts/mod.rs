//! What is said of a fact: how it is listed, what it was in a few words, and why it happened. One
//! file for each place where facts happen, so that a new fact adds its row and its words there.
//! Captions rest on the log's causes and on what each write was judged to be, and on nothing else.

mod client;
mod fault;
mod message;
mod service;
mod stopped;
mod store;
mod taken;
mod write;

use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, EntrySeq, GrantNo};
use crate::sim::log::LogEntry;
use crate::sim::recording::Recording;

use super::wording;

/// What a fact is about, for filters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MomentKind {
    /// Asking, waiting, grants, their ends.
    Lease,
    /// A client begins or ceases to believe that it holds the lock.
    Belief,
    /// Work begins or ends, reads, checks.
    Work,
    /// Writes and seals, and what the storage says to them.
    Write,
    /// Routine renewals: asked for and given. A refused one is about the lease.
    Renewal,
    /// Pauses, crashes, lost messages.
    Fault,
}

impl MomentKind {
    /// All of them, in the order in which filters show them.
    pub const ALL: [Self; 6] =
        [Self::Lease, Self::Belief, Self::Work, Self::Write, Self::Renewal, Self::Fault];
}

/// What is drawn in front of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A grant.
    Grant,
    /// Asking, waiting.
    Wait,
    /// A lease ends.
    LeaseEnd,
    /// A belief begins or ends.
    Belief,
    /// Work, reads, checks.
    Work,
    /// A write is on its way.
    Sent,
    /// A write or a seal was accepted.
    Accepted,
    /// A late write was accepted, or a rightful one refused.
    Warning,
    /// The fence refused a write.
    Refused,
    /// A stale write was accepted.
    Damage,
    /// A renewal.
    Renewal,
    /// A pause begins.
    Pause,
    /// It ends.
    Wake,
    /// A crash, a lost message.
    Crash,
}

/// How a fact stands in the event list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The filter that it falls under; `None`: it is not listed, because its consequence is, or
    /// because nobody would miss it.
    pub kind: Option<MomentKind>,
    /// What is drawn in front of it, before it is judged.
    pub mark: Mark,
    /// How much it matters when several things happen at one instant.
    pub weight: u8,
}

impl Listing {
    fn of(kind: MomentKind, mark: Mark, weight: u8) -> Self {
        Self { kind: Some(kind), mark, weight }
    }

    fn unlisted(mark: Mark, weight: u8) -> Self {
        Self { kind: None, mark, weight }
    }
}

/// What has a row in the event list.
trait Listed {
    /// The row.
    fn listing(&self) -> Listing;
}

/// How a fact is listed.
pub fn listing(fact: &Fact) -> Listing {
    match fact {
        Fact::Message(_, fact) => fact.listing(),
        Fact::Service(_, fact) => fact.listing(),
        Fact::Client(_, fact) => fact.listing(),
        Fact::Store(_, fact) => fact.listing(),
        Fact::Fault(_, fact) => fact.listing(),
    }
}

/// Tells of one run's entries.
pub struct Teller<'a> {
    /// The run.
    pub recording: &'a Recording,
}

impl Teller<'_> {
    /// What happened, in a few words, without a full stop.
    pub fn what(&self, entry: &LogEntry) -> String {
        let node = &wording::node(entry.node());
        match entry.fact {
            Fact::Message(_, fact) => self.message_did(node, entry, fact),
            Fact::Service(_, fact) => self.service_did(node, fact),
            Fact::Client(client, fact) => self.client_did(node, client, fact),
            Fact::Store(_, fact) => self.store_did(node, entry, fact),
            Fact::Fault(_, fact) => self.fault_did(node, entry, fact),
        }
    }

    /// Why, in whole sentences; nothing where the fact speaks for itself.
    pub fn why(&self, entry: &LogEntry) -> String {
        match entry.fact {
            Fact::Message(_, fact) => self.why_message(entry, fact),
            Fact::Service(_, fact) => self.why_service(entry, fact),
            Fact::Client(client, fact) => self.why_client(entry, fact, client),
            Fact::Store(_, fact) => self.why_store(entry, fact),
            Fact::Fault(id, fact) => self.why_fault(entry, id, fact),
        }
    }

    fn entry(&self, seq: EntrySeq) -> Option<&LogEntry> {
        self.recording.log().get(seq)
    }

    /// Whose a grant is.
    fn owner(&self, grant: GrantNo) -> Option<ClientId> {
        Some(self.recording.grant(grant)?.client)
    }
}
