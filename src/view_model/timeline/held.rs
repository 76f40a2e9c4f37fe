//! What is under the pointer stays there, although time stretches: the view whose own map has an
//! instant at a place. It knows no pointer and no browser.

use crate::sim::time::{SimDuration, SimTime};

use super::layout::scale;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeView};
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
