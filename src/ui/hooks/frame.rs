//! What follows the playhead without being rendered again: told at each tick, it writes to its own
//! elements; what moves glides from one event to the next.

use std::cell::RefCell;

use web_sys::{CssStyleDeclaration, Element};
use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::playhead::{Glide, PlayheadBus};
use crate::view_model::drawing::scale::{Px, TimeScale};

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
    written: RefCell<Option<(TimeScale, Option<Glide>)>>,
}

impl Mover {
    /// Moves `element` to where the playhead stands on a scale.
    pub fn follow(&self, style: &CssStyleDeclaration, scale: &TimeScale, bus: &PlayheadBus) {
        // On another scale it is elsewhere at once.
        let is_same = self.written.borrow().as_ref().is_some_and(|(of, _)| of == scale);
        let glide = bus.glide().filter(|_| is_same);
        let written = self.written.replace(Some((scale.clone(), glide)));
        if glide.is_some() && written.is_some_and(|(_, before)| before == glide) {
            return;
        }
        let transition = match glide {
            Some(glide) => format!("transform {}ms linear", bus.left_of(glide)),
            None => "none".to_owned(),
        };
        let x = scale.x_near(glide.map_or(bus.now(), |glide| glide.to));
        // Properties that exist with well-formed values: setting them cannot fail.
        let _ = style.set_property("transition", &transition);
        if let Some(bent) = glide.and_then(|glide| bent(scale, bus.now(), glide.to)) {
            // Browsers that do not know it keep to the straight one.
            let _ = style.set_property("transition-timing-function", &bent);
        }
        let _ = style.set_property("transform", &format!("translateX({x}px)"));
    }
}

/// How a glide goes where time bends under way: what share of its way at what share of its time.
fn bent(scale: &TimeScale, from: SimTime, to: SimTime) -> Option<String> {
    let (x, end) = (scale.x_near(from), scale.x_near(to));
    let (way, takes) = ((end - x).0, to.since(from).micros());
    if way <= 0 || takes == 0 {
        return None;
    }
    let permille = |part: u64, of: u64| part.saturating_mul(1_000) / of.max(1);
    let steps = |px: Px| u64::try_from(px.0).unwrap_or(0);
    let mut points = String::new();
    for at in scale.bends(from, to) {
        let way = permille(steps(scale.x(at) - x), steps(end - x));
        let time = permille(at.since(from).micros(), takes);
        points += &format!("0.{:03} {}.{}%, ", way.min(999), time / 10, time % 10);
    }
    (!points.is_empty()).then(|| format!("linear(0, {points}1)"))
}
