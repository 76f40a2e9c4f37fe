//! What a client does again and again, as ticks under its belief: renewals where the time that is
//! left jumps, questions for the lock that told nothing new, and what it sends into a silence. How
//! many they are stands beside.

use crate::sim::time::SimTime;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::tracks::{ClientTracks, Tooth};

use super::canvas::{Anchor, Canvas, Paint, Part, TextStyle};

/// The ticks of one kind that are on screen.
struct Ticks {
    n: usize,
    first: Px,
    last: Px,
}

impl Ticks {
    fn span(&self) -> (Px, Px) {
        (self.first, self.last)
    }
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
    let all = [(&polls, "more poll"), (&renewals, "renewal"), (&lost, "lost message")];
    let mut taken: Vec<_> =
        all.iter().filter_map(|(ticks, _)| ticks.as_ref()).map(Ticks::span).collect();
    for (ticks, what) in all {
        count(canvas, ticks.as_ref(), what, y, &mut taken);
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
        let all = all.get_or_insert(Ticks { n: 0, first: x, last: x });
        all.n += 1;
        // Closer ones are one tick, and are counted.
        if !near {
            all.last = x;
            canvas.path(Paint::Routine).move_to(x, top).down_to(bottom);
        }
    }
    all
}

/// How many there are, right of the last or left of the first, where nothing else stands.
fn count(
    canvas: &mut Canvas<'_>,
    ticks: Option<&Ticks>,
    what: &str,
    y: Px,
    taken: &mut Vec<(Px, Px)>,
) {
    let Some(&Ticks { n, first, last }) = ticks else {
        return;
    };
    let text = format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (gap, baseline) = (canvas.metrics.px(6), y + canvas.metrics.px(12));
    let width = canvas.width(&text, TextStyle::Plain);
    let right = (last + gap, last + gap + width);
    let left = (first - gap - width, first - gap);
    let is_free = |&(from, to): &(Px, Px)| {
        let meets = |&(other, end): &(Px, Px)| from <= end && other <= to;
        from >= canvas.scale.left && to <= canvas.scale.right() && !taken.iter().any(meets)
    };
    if let Some(place) = [right, left].into_iter().find(is_free) {
        taken.push(place);
        canvas.text(place.0, baseline, Anchor::Start, TextStyle::Plain, text);
    }
}
