//! What is under the pointer stays there, although time stretches: the view whose own map has an
//! instant at a place, and the edit whose own map has its edge there. It knows no pointer and no
//! browser.

use crate::sim::engine::{Progress, Simulation};
use crate::sim::recording::Recording;
use crate::sim::scenario::Change;
use crate::sim::time::{SimDuration, SimTime};

use super::layout::{paced_scale, scale};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::tracks::shown::Shown;

/// Runs of more entries keep their map while something is dragged: another one would take longer
/// than a frame.
pub const MOST_BENT_ENTRIES: u32 = 20_000;

/// The entries of all runs that are shown.
pub fn n_entries(runs: &Runs) -> u32 {
    runs.shown().map(|(_, run)| run.log().n_entries()).sum()
}

/// The stretch of a length in which an instant lies nearest to a place. What the maps of two
/// stretches have loud differs, so it is found by halving.
pub fn anchored(
    shown: &Shown,
    metrics: &Metrics,
    axis: TimeAxis,
    length: SimDuration,
    (at, x): (SimTime, Px),
) -> TimeView {
    let end = shown.ends_at();
    let view = |from: SimTime| TimeView::within(from, from + length, end);
    let place = |from: SimTime| scale(shown, view(from), metrics, axis).x(at);
    // The later a stretch begins, the farther left the instant lies.
    let (mut low, mut high) = (at - length, view(at).from.max(at - length));
    let mut best = (Px::whole(i32::from(i16::MAX)), low);
    for _ in 0..18 {
        let from = SimTime::from_micros(low.micros().midpoint(high.micros()));
        let off = place(from) - x;
        best = best.min((Px(off.0.abs()), from));
        if off > Px::ZERO {
            low = from;
        } else {
            high = from;
        }
    }
    view(best.1)
}

/// So many runs are tried for one move of the pointer; each takes about a millisecond.
const MOST_TRIED: usize = 12;
/// An edge that is so near the pointer is under it.
const NEAR: Px = Px(32);

/// Where something is being held: what is drawn, and how.
pub struct Ground<'a> {
    /// The runs before this move.
    pub runs: &'a Runs,
    /// Their map.
    pub scale: &'a TimeScale,
    /// The sizes.
    pub metrics: &'a Metrics,
    /// How time is drawn.
    pub axis: TimeAxis,
}

/// The instant at which an edge is put so that the map of what comes of it has it nearest to a
/// place, with that map. Each instant has its own, so it is found by trying: between one whose edge
/// is short of the place and one whose edge is past it. Where the maps jump past the place it is
/// the nearer side of the jump.
pub fn under_hand(
    ground: &Ground<'_>,
    put: &dyn Fn(SimTime) -> Option<Change>,
    x: Px,
) -> (SimTime, TimeScale) {
    let scale = ground.scale;
    let first = scale.time(x);
    if ground.axis == TimeAxis::ToScale || n_entries(ground.runs) > MOST_BENT_ENTRIES {
        return (first, scale.clone());
    }
    // An instant before the place and one behind it, each with how far its edge is off.
    let mut low = (scale.view.from, scale.left - x);
    let mut high = (scale.view.to, scale.right() - x);
    let mut best = (Px::whole(i32::from(i16::MAX)), first, scale.clone());
    let mut at = first;
    for _ in 0..MOST_TRIED {
        let Some(map) = put(at).and_then(|change| map_with(ground, &change)) else {
            break;
        };
        let off = map.x(at) - x;
        let apart = Px(off.0.abs());
        if apart < best.0 {
            best = (apart, at, map);
        }
        // The end that stays counts for half, so that the other one comes to move as well.
        match off > Px::ZERO {
            true => (low.1, high) = (low.1.share(1, 2), (at, off)),
            false => (low, high.1) = ((at, off), high.1.share(1, 2)),
        }
        at = between(low, high);
        if apart <= NEAR || at <= low.0 || high.0 <= at {
            break;
        }
    }
    (best.1, best.2)
}

/// Where a straight line between two instants meets the pointer.
fn between(low: (SimTime, Px), high: (SimTime, Px)) -> SimTime {
    let (short, past) = (u64::from(low.1.0.unsigned_abs()), u64::from(high.1.0.unsigned_abs()));
    let length = u128::from(high.0.since(low.0).micros());
    let part = length * u128::from(short) / u128::from((short + past).max(1));
    low.0 + SimDuration::from_micros(u64::try_from(part).unwrap_or(0))
}

/// The map of the runs with a change; `None` where it does not fit, or takes too long.
fn map_with(ground: &Ground<'_>, change: &Change) -> Option<TimeScale> {
    let changed = |(_, run): (_, &Recording)| {
        let scenario = run.scenario().with(std::slice::from_ref(change)).ok()?;
        let mut simulation = Simulation::new(&scenario);
        match simulation.run(MOST_BENT_ENTRIES) {
            Progress::Finished => Some(simulation.finish()),
            Progress::Running => None,
        }
    };
    let runs: Vec<Recording> = ground.runs.shown().map(changed).collect::<Option<_>>()?;
    let pace = Shown::pace_of(&runs);
    Some(paced_scale(&pace, ground.scale.view, ground.metrics, ground.axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::view_model::timeline::overview::story;
    use std::rc::Rc;

    fn first() -> Shown {
        Shown::of(&Rc::new(Runs::of(&GALLERY[0].file()).expect("it is valid")))
    }

    fn metrics() -> Metrics {
        Metrics::new(Px::whole(772), 12, false)
    }

    /// The first scenario with its pause so long, in milliseconds, as it is drawn in its view.
    fn paused_for(millis: u64) -> (Shown, TimeScale) {
        let mut file = GALLERY[0].file();
        let id = file.scenario.faults[0].id;
        let length = SimDuration::from_millis(millis);
        Change::FaultLength { id, length }.apply(&mut file.scenario).expect("it has the fault");
        let shown = Shown::of(&Rc::new(Runs::of(&file).expect("it is valid")));
        let view = story(&first().runs, SimTime::ZERO);
        let scale = scale(&shown, view, &metrics(), TimeAxis::Slow);
        (shown, scale)
    }

    #[test]
    fn a_drag_of_the_race_moves_no_mark_far() {
        let mut moves = Vec::new();
        let mut before = paused_for(7_000);
        for millis in (7_050..=17_000).step_by(50) {
            let after = paused_for(millis);
            for (one, two) in before.0.tracks.iter().zip(&after.0.tracks) {
                for (ends, route) in &one.flights.routes {
                    let flights = two.flights.routes.get(ends).map(|route| &route.flights);
                    for (a, b) in route.flights.iter().zip(flights.into_iter().flatten()) {
                        let is_same = (a.kind, a.tells) == (b.kind, b.tells);
                        let is_near = b.sent.micros().abs_diff(a.sent.micros()) <= 50_000;
                        if is_same && is_near && before.1.view.holds(a.arrives) {
                            moves.push((after.1.x(b.sent) - before.1.x(a.sent)).0.abs());
                            moves.push((after.1.x(b.arrives) - before.1.x(a.arrives)).0.abs());
                        }
                    }
                }
            }
            before = after;
        }
        moves.sort_unstable();
        assert!(moves.len() > 2_000, "{}", moves.len());
        let (median, most) = (moves[moves.len() / 2], moves[moves.len() - 1]);
        assert!(Px(median) <= Px::whole(1), "the median is {} px", Px(median));
        assert!(Px(most) <= Px::whole(60), "the most is {} px", Px(most));
    }

    #[test]
    fn what_is_dragged_stays_under_the_pointer_although_time_stretches() {
        let (shown, scale) = paused_for(15_000);
        let metrics = metrics();
        let runs = &shown.runs;
        let ground = Ground { runs, scale: &scale, metrics: &metrics, axis: TimeAxis::Slow };
        let id = runs.run_1.scenario().spec().faults[0].id;
        let begins = SimTime::from_millis(2_000);
        let put = |at: SimTime| Some(Change::FaultLength { id, length: at.since(begins) });
        let (mut n_off, mut n_all) = (0, 0);
        for pixel in (200..760).step_by(7) {
            let x = Px::whole(pixel);
            let (at, map) = under_hand(&ground, &put, x);
            let own = map_with(&ground, &put(at).expect("it is one")).expect("it fits");
            assert_eq!(own, map, "it is the map of what comes of it");
            let off = map.x(at) - x;
            n_all += 1;
            if Px(off.0.abs()) > Px::whole(1) {
                // It waits at a jump: a little to one side of it the edge is past the pointer, and
                // to the other it is short of it.
                n_off += 1;
                let little = SimDuration::from_millis(10);
                let is_past =
                    |other: SimTime| map_with(&ground, &put(other)?).map(|map| map.x(other) > x);
                let (before, after) = (is_past(at - little), is_past(at + little));
                assert_ne!(before, after, "{pixel} px: {at} is {off} px off");
                assert!(Px(off.0.abs()) <= Px::whole(60), "{pixel} px: {at} is {off} px off");
            }
        }
        assert!(n_off * 3 < n_all, "{n_off} of {n_all} are at a jump");
    }

    #[test]
    fn zooming_and_panning_keep_what_is_under_the_pointer() {
        let shown = first();
        let view = story(&shown.runs, SimTime::ZERO);
        let (metrics, end) = (metrics(), shown.ends_at());
        for millis in [500, 6_000, 12_350, 17_050, 18_500] {
            let at = SimTime::from_millis(millis);
            let x = scale(&shown, view, &metrics, TimeAxis::Slow).x(at);
            for percent in [80, 50, 20] {
                let length = view.zoomed(at, percent, end).length();
                let zoomed = anchored(&shown, &metrics, TimeAxis::Slow, length, (at, x));
                assert_eq!(zoomed.length(), length);
                let after = scale(&shown, zoomed, &metrics, TimeAxis::Slow).x(at);
                // Where a stretch is met by the view's edge the map itself jumps.
                let off = (after - x).0.abs();
                assert!(off <= Px::whole(20).0, "{at} at {percent} %: {} px", off / 64);
            }
        }
    }
}
