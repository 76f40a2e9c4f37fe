//! How time passes while playing: evenly over the drawing. What is drawn in slow motion is seen in
//! slow motion, what is squeezed passes quickly; where nothing is drawn time passes as on a clock.

use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::drawing::scale::{Rate, TimeScale};

/// A drawing that the playhead goes over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tempo {
    scale: Option<TimeScale>,
}

/// At the usual speed all that is in view takes no longer than this.
const LONGEST: SimDuration = SimDuration::from_millis(20_000);

/// `a * b / c`, which fits.
fn of(a: u64, b: u64, c: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) / u128::from(c.max(1))).unwrap_or(u64::MAX)
}

impl Tempo {
    /// The tempo over a drawing.
    pub fn over(scale: Option<TimeScale>) -> Self {
        Self { scale }
    }

    /// The drawing.
    pub fn scale(&self) -> Option<&TimeScale> {
        self.scale.as_ref()
    }

    /// Whether an instant is drawn in slow motion.
    pub fn is_slow_at(&self, time: SimTime) -> bool {
        self.scale.as_ref().is_some_and(|scale| scale.rate_at(time) == Rate::Slow)
    }

    /// How much of the user's time passes between two instants at the usual speed.
    pub fn takes(&self, from: SimTime, to: SimTime) -> SimDuration {
        let Some(scale) = &self.scale else {
            return to.since(from);
        };
        let (view, whole, length) = measures(scale);
        let inside = scale.x_near(to) - scale.x_near(from);
        let inside = of(u64::try_from(inside.0).unwrap_or(0), whole, steps(scale));
        // Outside of the view time goes on at the view's own rate.
        let before = to.min(view.from).since(from.min(view.from));
        let after = to.max(view.to).since(from.max(view.to));
        let outside = of((before + after).micros(), whole, length);
        SimDuration::from_micros(inside.saturating_add(outside))
    }

    /// Where time stands after so much of the user's time at the usual speed, and how much of that
    /// has moved it: a drawing has a finest step.
    pub fn ahead(&self, from: SimTime, passed: SimDuration) -> (SimTime, SimDuration) {
        let Some(scale) = &self.scale else {
            return (from + passed, passed);
        };
        let (view, whole, length) = measures(scale);
        if from < view.from || view.to <= from {
            return (from + SimDuration::from_micros(of(passed.micros(), length, whole)), passed);
        }
        let wanted = of(passed.micros(), steps(scale), whole);
        let x = scale.x_near(from);
        let room = u64::try_from((scale.right() - x).0).unwrap_or(0);
        let moved = wanted.min(room.max(1));
        let used = of(moved, whole, steps(scale)).min(passed.micros());
        let mut to = x;
        to.0 = to.0.saturating_add(i32::try_from(moved).unwrap_or(i32::MAX));
        (scale.time(to).max(from), SimDuration::from_micros(used))
    }
}

/// The view, how long it takes at the usual speed, and how long it is, in microseconds.
fn measures(scale: &TimeScale) -> (crate::view_model::drawing::scale::TimeView, u64, u64) {
    let length = scale.view.length().micros().max(1);
    (scale.view, length.min(LONGEST.micros()), length)
}

/// The drawing's width in its finest steps.
fn steps(scale: &TimeScale) -> u64 {
    u64::try_from(scale.width.0).unwrap_or(1).max(1)
}
