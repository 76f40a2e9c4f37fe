//! The names of what goes wrong with messages, links, clocks, the lock service and the stores, as
//! their controls and the timeline call them.

use crate::sim::id::NodeId;
use crate::sim::scenario::MessageAddress;
use crate::sim::time::ClockShift;

use super::{duration, message, node};
use crate::view_model::words::names::{self, short};

/// `Delay of A's write no. 2`.
pub(super) fn of_message(what: &str, address: &MessageAddress) -> String {
    let whose = |node: NodeId, usual: &str| {
        format!("{}'s", names::of(node).unwrap_or_else(|| usual.to_owned()))
    };
    let whose = match address.from {
        NodeId::Client(client) => format!("{client}'s", client = short(client)),
        NodeId::Lock(_) => whose(address.from, "the service"),
        NodeId::Store(_) => whose(address.from, "the storage"),
    };
    match address.nth {
        1 => format!("{what} {whose} {}", message(address.kind)),
        nth => format!("{what} {whose} {} no. {nth}", message(address.kind)),
    }
}

/// A node inside a sentence: `A`, `lock service`, `storage 2`.
pub fn inside(id: NodeId) -> String {
    match id {
        NodeId::Client(client) => short(client),
        NodeId::Lock(_) | NodeId::Store(_) => {
            names::of(id).unwrap_or_else(|| node(id).to_ascii_lowercase())
        }
    }
}

/// How far a clock was set: `ahead by 1 min`, `back by 2.0 s`.
pub fn shift(by: ClockShift) -> String {
    let way = if by.micros() < 0 { "back" } else { "ahead" };
    format!("{way} by {}", duration(by.length()))
}
