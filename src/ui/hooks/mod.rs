//! Hooks that tie components to the browser: its frames, its keys, the size of an element. They
//! know nothing of what is drawn.

mod frame;
mod keyboard;
mod media;
mod resize;

pub use frame::{use_on_time, use_on_time_paced};
pub use keyboard::use_keys;
pub use media::{use_printing, use_reduced_motion};
pub use resize::{Room, use_room};
