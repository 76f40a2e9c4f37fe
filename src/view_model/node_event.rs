//! What a node of the lock service did that only some systems do, for every list, sentence and mark
//! that an event appears in: one file, so that a system that adds a fact adds its words here. It
//! decides nothing.

use super::moment::MomentKind;
use super::row::Mark;
use super::wording::{duration, time};
use crate::sim::event::NodeEvent;
use crate::sim::time::SimTime;

/// In a few words, without a full stop. `node`: who did it.
pub fn event(node: &str, event: NodeEvent) -> String {
    match event {
        NodeEvent::Refreshed { client, ttl, .. } => {
            format!("{node} counts {client}'s lease anew, {}", duration(ttl))
        }
        NodeEvent::Copied { held: Some((client, _)) } => {
            format!("{node} is told that {client} holds the lock")
        }
        NodeEvent::Copied { held: None } => format!("{node} is told that the lock is free"),
        NodeEvent::TookOver { client, .. } => {
            format!("{node} takes over, with {client} as holder")
        }
        NodeEvent::TookOverFree => format!("{node} takes over, with a free lock"),
    }
}

/// Why, in a sentence.
pub fn why(at: SimTime, event: NodeEvent) -> String {
    match event {
        NodeEvent::Refreshed { client, ttl, .. } => format!(
            "A new leader cannot know how much of a lease is over, so it gives {client} the whole \
             time again: until {}. A dead holder's lock comes free that much later.",
            time(at + ttl)
        ),
        NodeEvent::Copied { .. } => "A copy is told of a change after the client has its answer. \
             What it was not told is lost when it has to take over."
            .to_owned(),
        NodeEvent::TookOver { ttl: Some(ttl), .. } => format!(
            "It knows what it was told before the other node failed: this lease, until {}. Later \
             changes are lost, and nobody is told.",
            time(at + ttl)
        ),
        NodeEvent::TookOver { .. } | NodeEvent::TookOverFree => {
            "It knows what it was told before the other node failed. Later changes are lost, and \
             nobody is told."
                .to_owned()
        }
    }
}

/// The filter of the event list that it falls under; `None`: it is not listed.
pub fn kind(event: NodeEvent) -> Option<MomentKind> {
    match event {
        NodeEvent::Refreshed { .. }
        | NodeEvent::Copied { .. }
        | NodeEvent::TookOver { .. }
        | NodeEvent::TookOverFree => Some(MomentKind::Lease),
    }
}

/// Its mark in the event list.
pub fn mark(event: NodeEvent) -> Mark {
    match event {
        NodeEvent::Refreshed { .. }
        | NodeEvent::Copied { .. }
        | NodeEvent::TookOver { .. }
        | NodeEvent::TookOverFree => Mark::Renewal,
    }
}

/// How much it matters when several things happen at one instant; see `why`.
pub fn weight(event: NodeEvent) -> u8 {
    match event {
        NodeEvent::Refreshed { .. } | NodeEvent::Copied { .. } => 5,
        NodeEvent::TookOver { .. } | NodeEvent::TookOverFree => 8,
    }
}
