//! The names of what goes wrong, as their controls and the timeline call them.

use crate::sim::id::{LockNodeId, NodeId};
use crate::sim::scenario::{CrashScope, FaultKind, MessageAddress, PauseScope};
use crate::sim::time::ClockShift;

use super::glossary::A_PAUSE;
use super::message_row::message;
use super::names::Words;
use super::wording::duration;

impl Words {
    /// A fault as the subject of its controls: `Client A pause`, `Delay of A's write`.
    pub fn fault(&self, kind: &FaultKind) -> String {
        match kind {
            FaultKind::Pause { client, scope, .. } => match scope {
                PauseScope::Client => format!("{} pause", self.client(*client)),
                PauseScope::Worker => format!("{} worker pause", self.client(*client)),
                PauseScope::Renewer => format!("{} renewer pause", self.client(*client)),
            },
            FaultKind::Crash { client, scope, .. } => match scope {
                CrashScope::Client => format!("{} crash", self.client(*client)),
                CrashScope::Worker => format!("{} worker crash", self.client(*client)),
            },
            FaultKind::Lose { message } => self.of_message("Loss of", message),
            FaultKind::Duplicate { message, .. } => self.of_message("Duplicate of", message),
            FaultKind::Cut { a, b, .. } => {
                format!("Cut between {}", self.ends(*a, *b))
            }
            FaultKind::ClockJump { node, .. } => format!("{} clock jump", self.actor(*node)),
            FaultKind::ClockRate { node, .. } => format!("{} clock rate", self.actor(*node)),
            FaultKind::ServiceRestart { .. } => format!("{} restart", self.service()),
            FaultKind::Failover { .. } => format!("{} failover", self.service()),
            FaultKind::StoreRestart { store, .. } => {
                format!("{} restart", self.node(NodeId::Store(*store)))
            }
            FaultKind::ConnectionLost { client, .. } => {
                format!("{} connection loss", self.client(*client))
            }
            FaultKind::Delay { message, .. } => format!("Delay of {}", self.addressed(message)),
        }
    }

    fn service(&self) -> String {
        self.node(NodeId::Lock(LockNodeId(0)))
    }

    /// `Loss of A's write no. 2`.
    fn of_message(&self, what: &str, address: &MessageAddress) -> String {
        let from = address.from;
        let whose = match from {
            NodeId::Client(client) => format!("{}'s", self.short(client)),
            NodeId::Lock(_) => format!("{}'s", self.given(from).unwrap_or("the service")),
            NodeId::Store(_) => format!("{}'s", self.given(from).unwrap_or("the storage")),
        };
        match address.nth {
            1 => format!("{what} {whose} {}", message(address.kind)),
            nth => format!("{what} {whose} {} no. {nth}", message(address.kind)),
        }
    }
}

/// What the glossary explains of a fault's controls.
pub fn about(kind: &FaultKind) -> Option<&'static str> {
    matches!(kind, FaultKind::Pause { .. }).then_some(A_PAUSE)
}

/// How far a clock was set: `ahead by 1 min`, `back by 2.0 s`.
pub fn shift(by: ClockShift) -> String {
    let way = if by.micros() < 0 { "back" } else { "ahead" };
    format!("{way} by {}", duration(by.length()))
}
