//! What follows the playhead without being rendered again: told at each tick, it writes to its own
//! elements; what moves glides from one event to the next.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use web_sys::{CssStyleDeclaration, Element};
use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::playhead::{Glide, PlayheadBus};
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::transport::playback::Tempo;

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

/// Something that waits until the next frame is laid out; dropped, it is not done.
pub struct AfterFrame {
    _frame: AnimationFrame,
    _timer: Rc<RefCell<Option<Timeout>>>,
}

/// Does what asks for places in the page once the browser has laid out the next frame: asked
/// before, it would have to lay out the page for the answer, and again for what is written then.
pub fn after_frame(ask: impl FnOnce() + 'static) -> AfterFrame {
    let timer = Rc::new(RefCell::new(None));
    let of_frame = timer.clone();
    let frame = request_animation_frame(move |_| {
        of_frame.replace(Some(Timeout::new(0, ask)));
    });
    AfterFrame { _frame: frame, _timer: timer }
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
        let place = |at| format!("translateX({}px)", scale.x_near(at));
        self.follow_to(style, scale, bus, SimTime::MAX, &place);
    }

    /// Moves an element along a way on a scale that ends at an instant. `place` writes where it is:
    /// a transform, always of the same functions.
    pub fn follow_to(
        &self,
        style: &CssStyleDeclaration,
        scale: &TimeScale,
        bus: &PlayheadBus,
        end: SimTime,
        place: &dyn Fn(SimTime) -> String,
    ) {
        // On another scale it is elsewhere at once.
        let is_same = self.written.borrow().as_ref().is_some_and(|(of, _)| of == scale);
        let glide = bus.glide().filter(|_| is_same);
        let written = self.written.replace(Some((scale.clone(), glide)));
        if glide.is_some() && written.is_some_and(|(_, before)| before == glide) {
            return;
        }
        let to = glide.map(|glide| (glide, glide.to.min(end)));
        let transition = match to {
            Some((glide, to)) if to == glide.to => {
                format!("transform {}ms linear", bus.left_of(glide))
            }
            Some((_, to)) => format!("transform {}ms linear", bus.left_until(to)),
            None => "none".to_owned(),
        };
        // Properties that exist with well-formed values: setting them cannot fail.
        let _ = style.set_property("transition", &transition);
        if let Some(bent) = to.and_then(|(_, to)| bent(scale, &bus.tempo(), bus.now(), to)) {
            // Browsers that do not know it keep to the straight one.
            let _ = style.set_property("transition-timing-function", &bent);
        }
        let at = to.map_or(bus.now(), |(_, to)| to);
        let _ = style.set_property("transform", &place(at));
    }
}

/// How a glide goes on a scale where time passes evenly over another: what share of its way at what
/// share of its time.
fn bent(scale: &TimeScale, tempo: &Tempo, from: SimTime, to: SimTime) -> Option<String> {
    let over = tempo.scale().filter(|over| *over != scale)?;
    let (x, end) = (scale.x_near(from), scale.x_near(to));
    let (way, takes) = ((end - x).0, tempo.takes(from, to).micros());
    if way <= 0 || takes == 0 {
        return None;
    }
    let permille = |part: u64, of: u64| part.saturating_mul(1_000) / of.max(1);
    let steps = |px: Px| u64::try_from(px.0).unwrap_or(0);
    let mut points = String::new();
    for at in over.bends(from, to) {
        let way = permille(steps(scale.x(at) - x), steps(end - x));
        let time = permille(tempo.takes(from, at).micros(), takes);
        points += &format!("0.{:03} {}.{}%, ", way.min(999), time / 10, time % 10);
    }
    (!points.is_empty()).then(|| format!("linear(0, {points}1)"))
}
