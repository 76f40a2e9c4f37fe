//! What stands around the timeline: the state cards and the event list.

pub mod inspector;
pub mod row;
