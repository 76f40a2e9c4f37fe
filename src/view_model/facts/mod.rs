//! What is said of a fact: how it is listed, what it was in a few words, and why it happened. One
//! file for each place where facts happen, so that a new fact adds its row and its words there.
//! Captions rest on the log's causes and on what each write was judged to be, and on nothing else.

mod client;
mod fault;
pub mod harm;
mod message;
mod service;
mod stopped;
mod store;
mod taken;
mod write;

use crate::sim::fact::{Fact, StoreFact};
use crate::sim::id::{ClientId, EntrySeq, GrantNo};
use crate::sim::log::LogEntry;
use crate::sim::recording::Recording;

use crate::view_model::words::names::Words;

pub use crate::view_model::words::listing::{Listing, Mark, MomentKind};

/// What has a row in the event list.
trait Listed {
    /// The row.
    fn listing(&self) -> Listing;
}

/// How a fact is listed.
pub fn listed(fact: &Fact) -> Listing {
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
    /// What everybody is called.
    pub words: &'a Words,
}

impl Teller<'_> {
    /// What happened, in a few words, without a full stop.
    pub fn what(&self, entry: &LogEntry) -> String {
        let node = &self.words.node(entry.node());
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

    /// Whether what happened is said again where it is said why: what a storage answered to a write
    /// or to a seal.
    pub fn why_says_what(&self, entry: &LogEntry) -> bool {
        let Fact::Store(_, fact) = entry.fact else {
            return false;
        };
        match fact {
            StoreFact::WriteAccepted { .. } | StoreFact::WriteRefused { .. } => {
                self.recording.write(entry.seq).is_some()
            }
            StoreFact::SealRefused { token, highest, .. } => token != highest,
            StoreFact::ReadServed { .. }
            | StoreFact::SealAccepted { .. }
            | StoreFact::DuplicateIgnored { .. }
            | StoreFact::EpochUnknown { .. }
            | StoreFact::Effect { .. }
            | StoreFact::Epoch(_) => false,
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
