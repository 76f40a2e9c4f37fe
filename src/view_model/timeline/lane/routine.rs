//! What a client does again and again, as ticks under its belief: renewals where the time that is
//! left jumps, questions for the lock that told nothing new, and what it sends into a silence. How
//! many they are stands beside.

use crate::sim::time::SimTime;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::timeline::label::{Anchor, Place, Rank, Thing, Wish};
use crate::view_model::tracks::{ClientTracks, Tooth};

use super::canvas::{Canvas, Paint, Part, along};

/// The ticks of one kind that are on screen.
struct Ticks {
    n: usize,
    first: Px,
    last: Px,
    /// Where those begin that stand as near as a text is wide.
    row: Px,
}

/// Draws the ticks of a part below a height.
pub(super) fn routine(canvas: &mut Canvas<'_>, part: &Part<'_, ClientTracks>, y: Px) {
    let view = canvas.scale.view;
    let seen = |at: &SimTime| view.holds(*at) && part.holds(*at);
    let teeth = &part.tracks.teeth;
    let first = teeth.partition_point(|tooth| tooth.from < view.from).saturating_sub(1);
    let pairs = teeth[first..].windows(2).take_while(|pair| pair[1].from <= view.to);
    let renewals = pairs.filter(|pair| is_renewed(&pair[0], &pair[1])).map(|pair| pair[1].from);
    let renewals = ticks(canvas, renewals.filter(seen), y);
    let mut listed = |list: &[SimTime]| {
        let from = list.partition_point(|at| *at < view.from);
        let to = list.partition_point(|at| *at <= view.to).max(from);
        ticks(canvas, list[from..to].iter().copied().filter(seen), y)
    };
    let polls = listed(&part.tracks.polls);
    let lost = listed(&part.tracks.lost);
    for (ticks, what) in [(polls, "more poll"), (renewals, "renewal"), (lost, "lost message")] {
        count(canvas, ticks.as_ref(), what, y);
    }
}

/// Whether the second tooth is the first one, renewed.
fn is_renewed(one: &Tooth, two: &Tooth) -> bool {
    one.to == two.from && one.color == two.color
}

fn ticks(canvas: &mut Canvas<'_>, instants: impl Iterator<Item = SimTime>, y: Px) -> Option<Ticks> {
    let (scale, metrics): (&TimeScale, &Metrics) = (canvas.scale, canvas.metrics);
    let (top, bottom) = (y + metrics.px(3), y + metrics.px(9));
    let mut all: Option<Ticks> = None;
    for at in instants {
        let x = scale.x(at);
        let near = all.as_ref().is_some_and(|all| x - all.last < Px::whole(2));
        let all = all.get_or_insert(Ticks { n: 0, first: x, last: x, row: x });
        all.n += 1;
        // Closer ones are one tick, and are counted.
        if !near {
            if x - all.last > metrics.px(20) {
                let rect = Rect { x: all.row, y: top, w: all.last - all.row, h: bottom - top };
                canvas.take(Thing::Ticks, rect);
                all.row = x;
            }
            all.last = x;
            canvas.path(Paint::Routine).move_to(x, top).down_to(bottom);
        }
    }
    if let Some(Ticks { row, last, .. }) = &all {
        let rect = Rect { x: *row, y: top, w: *last - *row, h: bottom - top };
        canvas.take(Thing::Ticks, rect);
    }
    all
}

/// How many there are, right of the last or left of the first, or between two that stand apart.
fn count(canvas: &mut Canvas<'_>, ticks: Option<&Ticks>, what: &str, y: Px) {
    let Some(&Ticks { n, first, last, .. }) = ticks else {
        return;
    };
    let text = format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (gap, metrics) = (canvas.metrics.px(6), canvas.metrics);
    let (y, height) = (y + metrics.px(2), metrics.px(14));
    let own = [(last + gap, Anchor::Start), (first - gap, Anchor::End)];
    let own = own.map(|(x, anchor)| Place { x, anchor, y });
    let ends = canvas.seen(first, last);
    let rect = Rect { x: first, y, w: last - first + gap, h: height };
    let wish = Wish {
        words: vec![text.into()],
        places: own.into_iter().chain(along(ends, 8, y)).collect(),
        height: Some(height),
        ..canvas.about(Rank::Count, rect)
    };
    canvas.wish(wish);
}
