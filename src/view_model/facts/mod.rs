//! What is said of a fact: how it is listed, what it was in a few words, and why it happened. One
//! file for each place where facts happen, so that a new fact adds its row and its words there.
//! Captions rest on the log's causes and on what each write was judged to be, and on nothing else.

mod client;
mod fault;
pub mod harm;
mod item;
mod message;
pub mod routine;
mod service;
mod stopped;
mod store;
mod taken;
mod write;

use crate::sim::fact::{Fact, Seal};
use crate::sim::id::{ClientId, EntrySeq, FencingToken, GrantNo};
use crate::sim::lock::TokenWorth;
use crate::sim::log::LogEntry;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

use crate::view_model::words::names::Words;

pub use fault::IncidentKind;

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

/// What a lane shows of a fact that befell a node, and until when; `None`: at an instant.
pub fn incident(at: SimTime, fact: &Fact) -> Option<(IncidentKind, Option<SimTime>)> {
    match fact {
        Fact::Fault(_, fact) => fault::incident(*fact),
        Fact::Client(_, fact) => client::incident(at, *fact),
        Fact::Service(_, fact) => {
            fact.kept_on().map(|left| (IncidentKind::KeptOn, Some(at + left)))
        }
        Fact::Message(..) | Fact::Store(..) => None,
    }
}

/// Whether a client, by the first `n_entries` entries, has ended itself because it lost the lock,
/// and whether its work was unfinished then.
pub fn stopped_for_good(recording: &Recording, client: ClientId, n_entries: u32) -> Option<bool> {
    let before = &recording.entries()[..n_entries as usize];
    let end = before.iter().rev().find(|entry| match entry.fact {
        Fact::Client(who, fact) => who == client && fact.is_done(),
        _ => false,
    })?;
    client::dies(recording, end, client)
}

/// What a write was when it was answered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::view_model) struct Standing {
    /// Before the word: `stale `, `late `.
    pub status: &'static str,
    /// Behind it: `, a second time`.
    pub more: &'static str,
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
            Fact::Client(client, fact) => self.client_did(node, entry, client, fact),
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
        match fact.seal() {
            Some(Seal { token, below, .. }) => below.is_some_and(|highest| token != highest),
            None => {
                (fact.applied().is_some() || fact.refused().is_some())
                    && self.recording.write(entry.seq).is_some()
            }
        }
    }

    fn entry(&self, seq: EntrySeq) -> Option<&LogEntry> {
        self.recording.log().get(seq)
    }

    /// The cause of an entry.
    fn cause_of(&self, entry: &LogEntry) -> Option<&LogEntry> {
        self.entry(entry.cause?.seq())
    }

    /// Whether tokens grow with every grant, so that one can be called higher than another. Random
    /// values and names have no order.
    fn are_ordered(&self) -> bool {
        self.recording.scenario().rules().worth == TokenWorth::Ordered
    }

    /// What a number that comes with a grant is called.
    fn token_word(&self) -> &'static str {
        match self.recording.scenario().rules().worth {
            TokenWorth::Ordered | TokenWorth::Unordered => "token",
            TokenWorth::Nothing => "value",
        }
    }

    /// What stands behind whose it is: `, 33`; a random value tells a reader nothing there.
    fn told_token(&self, token: FencingToken) -> String {
        match self.recording.scenario().rules().worth {
            TokenWorth::Ordered | TokenWorth::Unordered => format!(", {token}"),
            TokenWorth::Nothing => String::new(),
        }
    }

    /// What stands behind a write: ` 33`.
    pub fn write_token(&self, token: FencingToken) -> String {
        self.told_token(token).replace(',', "")
    }

    /// Whose a grant is.
    fn owner(&self, grant: GrantNo) -> Option<ClientId> {
        Some(self.recording.grant(grant)?.client)
    }
}
