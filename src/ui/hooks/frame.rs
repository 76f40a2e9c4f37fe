//! What follows the playhead without being rendered again: on every frame, or, where nobody can
//! read that fast, on every few.

use std::cell::Cell;

use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::playhead::PlayheadBus;

/// While time passes, figures change on one frame of so many: ten times a second on the usual
/// screen. Each change of a text costs a layout and a painting.
const FRAMES_PER_FIGURE: u32 = 6;

/// Calls `follow` with the playhead's time now, whenever it moves, and again when `deps` change.
/// `follow` writes to elements through their `NodeRef`s: a render per frame would be too dear.
#[hook]
pub fn use_on_time<D, F>(bus: &PlayheadBus, deps: D, follow: F)
where
    D: PartialEq + 'static,
    F: Fn(SimTime) + 'static,
{
    use_effect_with((bus.clone(), deps), move |(bus, _)| {
        follow(bus.now());
        let subscription = bus.subscribe(follow);
        move || drop(subscription)
    });
}

/// As [`use_on_time`], but while time passes only on every few frames. Where it stops is told.
#[hook]
pub fn use_on_time_paced<D, F>(bus: &PlayheadBus, deps: D, follow: F)
where
    D: PartialEq + 'static,
    F: Fn(SimTime) + 'static,
{
    let frames = Cell::new(0_u32);
    let asked = bus.clone();
    use_on_time(bus, deps, move |now| {
        frames.set(frames.get().wrapping_add(1));
        if frames.get() % FRAMES_PER_FIGURE == 1 || !asked.is_playing() {
            follow(now);
        }
    });
}
