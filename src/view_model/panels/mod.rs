//! What stands around the timeline: the state cards, the event list and the history as a drawing.

pub mod graph;
pub mod inspector;
pub mod row;
