//! Time as a machine, and the keys that drive it.

pub mod keymap;
pub mod playback;
