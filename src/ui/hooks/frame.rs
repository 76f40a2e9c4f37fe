//! What follows the playhead on every frame without being rendered again.

use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::playhead::PlayheadBus;

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
