//! A map of time that becomes another goes there in a moment: when time is drawn in another way,
//! and when the whole drawing makes room while a slider is dragged.

use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use yew::prelude::*;

use crate::ui::hooks::use_reduced_motion;
use crate::view_model::drawing::pace::Pace;
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale};

/// How long it takes when time is drawn in another way, in milliseconds.
const SWITCH: f64 = 300.0;
/// How long it takes inside a drag.
const JUMP: f64 = 120.0;
/// What moves less does not jump.
const SMALL: Px = Px::whole(6);

/// Where the drawing comes from, and where it goes.
struct Flow {
    from: TimeScale,
    to: TimeScale,
    pace: Rc<Pace>,
    axis: TimeAxis,
    since: f64,
    millis: f64,
    frame: Option<AnimationFrame>,
}

impl Flow {
    /// The map at a time of the browser's.
    fn at(&self, now: f64) -> TimeScale {
        let share = if self.millis > 0.0 { (now - self.since) / self.millis } else { 1.0 };
        let share = share.clamp(0.0, 1.0);
        // Slow at both ends.
        let eased = share * share * (3.0 - 2.0 * share);
        #[expect(clippy::cast_possible_truncation, reason = "between nothing and a thousand")]
        self.from.toward(&self.to, (eased * 1_000.0) as i32)
    }

    /// Goes on to another map from where it is.
    fn turn(&mut self, to: &TimeScale, pace: &Rc<Pace>, axis: TimeAxis, drags: bool, now: f64) {
        let shown = self.at(now);
        let left = (self.since + self.millis - now).max(0.0);
        let jumps = drags && !self.pace.wants_as(pace) && self.to.farthest(to) > SMALL;
        self.millis = match (self.axis != axis, jumps) {
            (true, _) => SWITCH,
            (false, true) => JUMP,
            // What goes on inside a drag goes on to where that has come.
            (false, false) if drags => left,
            (false, false) => 0.0,
        };
        (self.from, self.to, self.since) = (shown, to.clone(), now);
        (self.pace, self.axis) = (pace.clone(), axis);
    }
}

/// The map on its way to `to`; for those who asked for less motion it is there at once.
#[hook]
pub(super) fn use_flow(to: &TimeScale, pace: &Rc<Pace>, axis: TimeAxis, drags: bool) -> TimeScale {
    let reduced = use_reduced_motion();
    let update = use_force_update();
    let now = web_sys::window().and_then(|window| window.performance());
    let now = now.map_or(0.0, |clock| clock.now());
    let flow = use_mut_ref(|| Flow {
        from: to.clone(),
        to: to.clone(),
        pace: pace.clone(),
        axis,
        since: now,
        millis: 0.0,
        frame: None,
    });
    let mut flow = flow.borrow_mut();
    if flow.to != *to || flow.axis != axis {
        flow.turn(to, pace, axis, drags, now);
        if reduced {
            flow.millis = 0.0;
        }
    }
    let shown = flow.at(now);
    flow.frame = (shown != *to).then(|| request_animation_frame(move |_| update.force_update()));
    shown
}
