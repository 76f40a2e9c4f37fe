//! The texts of the timeline. Lanes, arrows and faults hand in what they want to say and what is
//! taken; one pass finds each text a place, so that no two of them meet.

mod placer;
mod wish;

pub use placer::{Labels, Unsaid, place};
pub use wish::{
    Anchor, Area, Board, Label, Place, Rank, Taken, TextGround, TextStyle, Thing, Wish, Wording,
};
