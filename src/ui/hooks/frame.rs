//! What follows the playhead without being rendered again: told at each tick, it writes to its own
//! elements; what moves glides from one event to the next.

use std::cell::Cell;

use web_sys::{CssStyleDeclaration, Element};
use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::playhead::{Glide, PlayheadBus};
use crate::view_model::drawing::scale::TimeScale;

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

/// Writes a text into an element, if it is another one than stands there: writing the same would
/// be laid out and painted again.
pub fn set_text(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// An element that moves with the playhead: put where it stands, and left to the browser while it
/// glides.
#[derive(Default)]
pub struct Mover {
    /// The scale and the glide that were written last.
    written: Cell<Option<(TimeScale, Option<Glide>)>>,
}

impl Mover {
    /// Moves `element` to where the playhead stands on a scale.
    pub fn follow(&self, style: &CssStyleDeclaration, scale: &TimeScale, bus: &PlayheadBus) {
        // On another scale it is elsewhere at once.
        let is_same = self.written.get().is_some_and(|(of, _)| of == *scale);
        let glide = bus.glide().filter(|_| is_same);
        let written = self.written.replace(Some((*scale, glide)));
        if glide.is_some() && written == Some((*scale, glide)) {
            return;
        }
        let transition = match glide {
            Some(glide) => format!("transform {}ms linear", bus.left_of(glide)),
            None => "none".to_owned(),
        };
        let x = scale.x_near(glide.map_or(bus.now(), |glide| glide.to));
        // Properties that exist with well-formed values: setting them cannot fail.
        let _ = style.set_property("transition", &transition);
        let _ = style.set_property("transform", &format!("translateX({x}px)"));
    }
}
