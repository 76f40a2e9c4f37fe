//! What is said of one lock system and set in it, as one row: what using it is like, the controls
//! that it alone has, and what a set-up has of them.

use crate::sim::id::ClientId;
use crate::sim::scenario::{Change, ScenarioSpec, TokenSource};
use crate::view_model::controls::Control;
use crate::view_model::words::names::Words;

use super::live::Live;
use super::origin::Origin;
use super::reply::Reply;
use super::transaction::Transaction;

/// A lock system.
pub(super) struct SystemRow {
    /// What using it is like.
    pub(super) practice: Practice,
    /// The controls that it alone has.
    pub(super) controls: fn(&Words, &ScenarioSpec) -> Vec<Control>,
    /// What of these differs from its defaults, in a few words each.
    pub(super) setting: fn(&ScenarioSpec) -> Vec<String>,
}

/// A command, and this run's answer to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// What it is for.
    pub what: &'static str,
    /// What is typed or called; without a number of this run where none is known yet.
    pub text: String,
    /// What came of it last, at the playhead or before.
    pub answer: Reply,
    /// Who ran it then.
    pub by: Option<ClientId>,
    /// What ran the very line, or says that it is so.
    pub origin: Origin,
}

/// A way out, as a button: its name, what it changes, and whether that becomes Run 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The button's name.
    pub name: &'static str,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Whether it is compared with what is there, and not put in its place.
    pub compared: bool,
}

/// What a button changes of a set-up.
pub(super) type Edit = fn(&ScenarioSpec) -> Vec<Change>;

/// The token of a system whose tokens come from where the scenario says.
pub(super) fn by_source(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.lease.token_source {
        TokenSource::Counter => None,
        TokenSource::Revision => {
            Some("A revision that grows with every grant, with gaps: it can fence")
        }
        TokenSource::RevisionAtEnqueue => {
            Some("A revision, fixed on asking: it can fence if the lock is granted in that order")
        }
        TokenSource::Sequence32 => Some("A sequence of 32 bits: it can fence until it wraps"),
        TokenSource::EpochAndCounter => Some("An epoch and a counter: it can fence"),
        TokenSource::LeaseId => Some("A lease id, a number without order: it cannot fence"),
        TokenSource::Constant => Some("The same number for every grant: it cannot fence"),
        TokenSource::RevisionOfSession => Some(
            "The revision when the session was made: it can repeat, and be older than an earlier \
             grant's. It cannot fence",
        ),
    }
}

/// What using a lock system is like.
pub(super) struct Practice {
    /// Where its user finds the token.
    pub(super) seen: &'static str,
    /// What its token is in a set-up, where that is not the usual one.
    pub(super) token: fn(&ScenarioSpec) -> Option<&'static str>,
    /// Its real time to live, renewal and waiting.
    pub(super) defaults: Edit,
    /// Whose they are, as a button names them: a product's, or just these.
    pub(super) whose: &'static str,
    /// What takes the lock, where that hands out no token.
    pub(super) takes: &'static str,
    /// A counter that it could hand out beside the lock, where it has no token: the button's name,
    /// and what it changes.
    pub(super) counter: Option<(&'static str, Edit)>,
    /// How its user asks for the lock, keeps it and gives it back, each with the answer.
    pub(super) commands: fn(&Live<'_>) -> [(String, Reply); 3],
    /// How a value that lies beside the lock is written in one transaction with a look at it.
    pub(super) transaction: fn(&Live<'_>) -> Transaction,
    /// Where each of the commands is from, as the system is set.
    pub(super) origin: fn(&ScenarioSpec) -> [Origin; 3],
}
