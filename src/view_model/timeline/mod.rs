//! The timeline as plain data: the tracks of the runs as lanes, arrows and marks, laid out; what
//! lies under a pointer, and faults that are drawn by hand.

pub mod arrow;
mod arrow_label;
pub mod by_hand;
pub mod held;
pub mod hit;
pub mod label;
pub mod lane;
pub mod layout;
pub mod marker;
pub mod overview;
pub mod paint;
pub mod ruler;
pub mod snap;
