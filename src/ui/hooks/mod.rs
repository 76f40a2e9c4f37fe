//! Hooks that tie components to the browser: its frames, its keys, the size of an element. They
//! know nothing of what is drawn.

mod fetched;
mod frame;
mod keyboard;
mod media;
mod resize;
mod sight;
mod slices;

pub use fetched::{Fetched, use_fetched};
pub use frame::{Mover, after_frame, set_text, use_on_time};
pub use keyboard::use_keys;
pub use media::{use_printing, use_reduced_motion};
pub use resize::{Room, use_height, use_room};
pub use sight::{use_in_sight, use_seen, use_waiting};
pub use slices::{RUNS_AT_ONCE, Slices};
