//! The names of what goes wrong with messages, links, clocks, the lock service and the stores, as
//! their controls and the timeline call them.

use crate::sim::id::NodeId;
use crate::sim::scenario::{FaultKind, MessageAddress};
use crate::sim::time::ClockShift;

use super::{actor, client, duration, message, node};

/// The name of a fault that no client alone suffers.
#[expect(clippy::wildcard_enum_match_arm, reason = "`wording::fault` names pauses and crashes")]
pub(super) fn fault(kind: &FaultKind) -> String {
    match kind {
        FaultKind::Delay { message, .. } => of_message("Delay of", message),
        FaultKind::Lose { message } => of_message("Loss of", message),
        FaultKind::Duplicate { message, .. } => of_message("Duplicate of", message),
        FaultKind::Cut { a, b, .. } => format!("Cut between {} and {}", inside(*a), inside(*b)),
        FaultKind::ClockJump { node, .. } => format!("{} clock jump", actor(*node)),
        FaultKind::ClockRate { node, .. } => format!("{} clock rate", actor(*node)),
        FaultKind::ServiceRestart { .. } => "Lock service restart".to_owned(),
        FaultKind::Failover { .. } => "Lock service failover".to_owned(),
        FaultKind::StoreRestart { store, .. } => format!("{} restart", node(NodeId::Store(*store))),
        FaultKind::ConnectionLost { client: who, .. } => {
            format!("{} connection loss", client(*who))
        }
        _ => String::new(),
    }
}

/// `Delay of A's write no. 2`.
fn of_message(what: &str, address: &MessageAddress) -> String {
    let whose = match address.from {
        NodeId::Client(client) => format!("{client}'s"),
        NodeId::Lock(_) => "the service's".to_owned(),
        NodeId::Store(_) => "the storage's".to_owned(),
    };
    match address.nth {
        1 => format!("{what} {whose} {}", message(address.kind)),
        nth => format!("{what} {whose} {} no. {nth}", message(address.kind)),
    }
}

/// A node inside a sentence: `A`, `lock service`, `storage 2`.
pub fn inside(id: NodeId) -> String {
    match id {
        NodeId::Client(client) => client.to_string(),
        NodeId::Lock(_) | NodeId::Store(_) => node(id).to_ascii_lowercase(),
    }
}

/// How far a clock was set: `ahead by 1 min`, `back by 2.0 s`.
pub fn shift(by: ClockShift) -> String {
    let way = if by.micros() < 0 { "back" } else { "ahead" };
    format!("{way} by {}", duration(by.length()))
}
