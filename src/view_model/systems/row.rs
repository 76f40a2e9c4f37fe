//! What is said of one lock system and set in it, as one row: what using it is like, the controls
//! that it alone has, and what a set-up has of them.

use crate::sim::id::ClientId;
use crate::sim::scenario::{Change, ScenarioSpec};
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

/// What using a lock system is like.
pub(super) struct Practice {
    /// Where its user finds the token.
    pub(super) seen: &'static str,
    /// Its real time to live, renewal and waiting.
    pub(super) defaults: Edit,
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
