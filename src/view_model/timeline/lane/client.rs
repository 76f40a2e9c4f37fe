//! A client's lane: the time that is left over its belief, waiting, pauses, crashes. Truth (the
//! saw-tooth) and belief (the bar) stand one over the other, because they can differ.

use crate::sim::scenario::{PauseKind, PauseScope};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::timeline::label::{
    Anchor, Board, Place, Rank, TextGround, TextStyle, Thing, Wish, Wording,
};
use crate::view_model::tracks::{BeliefSpan, ClientTracks, DeadSpan, PauseSpan, Stretch, Tooth};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{duration, time};

use super::canvas::{Band, Canvas, LaneData, LaneId, Lasts, Paint, Part, along};

/// How much a lane shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneForm {
    /// All, at its full height: where there are few clients.
    Full,
    /// All, as low as it can be read: where two runs stand one under the other.
    Low,
    /// All, lower: of many clients, one that matters.
    Open,
    /// Belief and waiting alone: no saw-tooth, and no arrows of its own.
    Compact,
}

/// The height of the drawing; of a lane that splits, `split`.
fn lane_height(metrics: &Metrics, form: LaneForm, split: bool) -> Px {
    let height = match (form, split) {
        (LaneForm::Full | LaneForm::Open | LaneForm::Low, true) => 88,
        (LaneForm::Full, false) => 76,
        (LaneForm::Low, false) => 48,
        (LaneForm::Open, false) => 52,
        (LaneForm::Compact, true) => 44,
        (LaneForm::Compact, false) => 36,
    };
    metrics.px(height).rounded()
}

/// Where things stand in a band of the lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientBands {
    /// Upper edge of pauses.
    pub top: Px,
    /// The tip of the tallest tooth.
    pub tip: Px,
    /// The teeth's base.
    pub base: Px,
    /// Upper edge of the belief.
    pub belief: Px,
    /// Lower edge of the belief.
    pub belief_end: Px,
    /// Lower edge of pauses.
    pub bottom: Px,
}

impl ClientBands {
    /// The places in a band of a lane.
    pub fn of(metrics: &Metrics, form: LaneForm, band: Band) -> Self {
        let at = |pixels: i32| metrics.px(pixels);
        let low = |top: i32, bar: i32, bar_end: i32, bottom: i32| Self {
            top: at(top),
            tip: at(top + 4),
            base: at(bar - 2),
            belief: at(bar),
            belief_end: at(bar_end),
            bottom: at(bottom),
        };
        match (form, band) {
            (LaneForm::Full, _)
            | (LaneForm::Low | LaneForm::Open, Band::Before | Band::Upper | Band::Lower) => {}
            (LaneForm::Low, Band::Whole) => return low(1, 24, 39, 45),
            (LaneForm::Open, Band::Whole) => return low(2, 29, 44, 49),
            (LaneForm::Compact, Band::Whole) => return low(2, 15, 28, 33),
            (LaneForm::Compact, Band::Before) => return low(3, 19, 33, 41),
            (LaneForm::Compact, Band::Upper) => return low(2, 6, 18, 21),
            (LaneForm::Compact, Band::Lower) => return low(23, 26, 38, 42),
        }
        let whole = |lift: i32| Self {
            top: at(3 + lift),
            tip: at(7 + lift),
            base: at(42 + lift),
            belief: at(44 + lift),
            belief_end: at(60 + lift),
            bottom: at(65 + lift),
        };
        let half = |lift: i32| Self {
            top: at(2 + lift),
            tip: at(4 + lift),
            base: at(24 + lift),
            belief: at(26 + lift),
            belief_end: at(39 + lift),
            bottom: at(42 + lift),
        };
        match band {
            Band::Whole => whole(0),
            Band::Before => whole(9),
            Band::Upper => half(0),
            Band::Lower => half(44),
        }
    }
}

/// Draws the lane. `ttl` is the height of the tallest tooth.
pub fn client_lane(
    (id, title, form): (LaneId, String, LaneForm),
    parts: &[Part<'_, ClientTracks>],
    ttl: Option<SimDuration>,
    words: &Words,
    scale: &TimeScale,
    metrics: &Metrics,
) -> (LaneData, Board) {
    let mut canvas = Canvas::new(words, scale, metrics);
    for part in parts {
        let bands = ClientBands::of(metrics, form, part.band);
        if form != LaneForm::Compact {
            teeth(&mut canvas, part, &bands, ttl);
        }
        waits(&mut canvas, part, &bands);
        beliefs(&mut canvas, part, &bands);
        if part.band == Band::Whole && form != LaneForm::Compact {
            super::routine::routine(&mut canvas, part, bands.belief_end);
        }
        for death in &part.tracks.deaths {
            dead(&mut canvas, part, &bands, death);
        }
        for pause in &part.tracks.pauses {
            paused(&mut canvas, part, &bands, pause);
        }
        let incidents = &part.tracks.incidents;
        super::incident::incidents(&mut canvas, part, incidents, (bands.top, bands.bottom));
    }
    let tokens = parts.first().map(|part| part.tracks.tokens.as_slice());
    let ordered = parts.first().is_none_or(|part| part.ordered);
    let what = if ordered { "token" } else { "value" };
    let subtitle = match tokens.unwrap_or_default() {
        [] => format!("no {what}"),
        [(_, token)] => format!("{what} {token}"),
        [_, ..] => format!("several {what}s"),
    };
    let height = lane_height(metrics, form, parts.len() > 1);
    canvas.finish(id, title, subtitle, height)
}

fn teeth(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    bands: &ClientBands,
    ttl: Option<SimDuration>,
) {
    for drawn in merge::spans(&part.tracks.teeth, canvas.scale) {
        match drawn {
            Drawn::One(tooth) => draw_tooth(canvas, part, bands, tooth, ttl),
            Drawn::Many(first, to) => {
                let Some((from, to)) = part.cut(first.from, to) else {
                    continue;
                };
                let (x, end) = canvas.edges(from, to);
                // Many leases have many colours: a crowd has none.
                let rect =
                    bar(x, end, bands.base - (bands.base - bands.tip).share(1, 3), bands.base);
                canvas.path(Paint::Dense).rect(rect, Px::ZERO);
            }
        }
    }
}

fn draw_tooth(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    bands: &ClientBands,
    tooth: &Tooth,
    ttl: Option<SimDuration>,
) {
    let Some((from, to)) = part.cut(tooth.from, tooth.to) else {
        return;
    };
    // The slope is that of the tooth itself: its ends are looked up where the view cuts them.
    let view = canvas.scale.view;
    let (from, to) = (from.max(view.from), to.min(view.to));
    let (x, end) = canvas.edges(from, to);
    let level = |at: SimTime| tooth_level(tooth, at, ttl, bands);
    let scale = canvas.scale;
    let path = canvas.path(Paint::Tooth(tooth.color));
    path.move_to(x, bands.base).down_to(level(from));
    // Its slope changes where the time axis does.
    for at in scale.bends(from, to) {
        path.line_to(scale.x(at), level(at));
    }
    path.line_to(end, level(to)).down_to(bands.base).close();
}

/// Where in its lane the time that is left at an instant stands.
pub fn tooth_level(
    tooth: &Tooth,
    at: SimTime,
    ttl: Option<SimDuration>,
    bands: &ClientBands,
) -> Px {
    bands.base - height_left(tooth, at, ttl, bands.base - bands.tip)
}

/// How high the time that is left at an instant stands; full without a time to live.
fn height_left(tooth: &Tooth, at: SimTime, ttl: Option<SimDuration>, full: Px) -> Px {
    let (Some(until), Some(ttl)) = (tooth.until, ttl) else {
        return full;
    };
    let (left, ttl) = (u128::from(until.since(at).micros()), u128::from(ttl.micros().max(1)));
    let full_steps = u128::try_from(full.0).unwrap_or(0);
    let height = (full_steps * left / ttl).min(full_steps);
    Px(i32::try_from(height).expect("at most the full height"))
}

fn bar(x: Px, end: Px, y: Px, bottom: Px) -> Rect {
    Rect { x, y, w: end - x, h: bottom - y }
}

fn waits(canvas: &mut Canvas<'_>, part: &Part<'_, ClientTracks>, bands: &ClientBands) {
    let (y, bottom) = (bands.belief + Px::whole(1), bands.belief_end - Px::whole(1));
    for drawn in merge::spans(&part.tracks.waits, canvas.scale) {
        let (wait, to) = match drawn {
            Drawn::One(wait) => (wait, wait.to),
            Drawn::Many(first, to) => (first, to),
        };
        let Some((from, to)) = part.cut(wait.from, to) else {
            continue;
        };
        let (x, end) = canvas.edges(from, to);
        let rect = bar(x, end, y, bottom);
        canvas.path(Paint::Waiting).rect(rect, Px::whole(3));
        if matches!(drawn, Drawn::One(_)) {
            wait_label(canvas, part, wait, rect);
        }
    }
}

fn wait_label(canvas: &mut Canvas<'_>, part: &Part<'_, ClientTracks>, wait: &Stretch, rect: Rect) {
    if !part.tells(wait.to) {
        return;
    }
    let words = match part.lasts(wait.from, wait.to, part.is_over(wait.to)) {
        Lasts::For(length) => vec![format!("waits {length}"), length],
        Lasts::ToTheEnd(Some(length)) => {
            vec![format!("waits {length}, to the end"), format!("waits {length}"), length]
        }
        Lasts::ToTheEnd(None) => vec!["waits, to the end".to_owned(), "waits".to_owned()],
        Lasts::Untold => vec!["waits".to_owned()],
    };
    let (x, end) = canvas.seen(rect.x, rect.x + rect.w);
    let (from, to) = (x + canvas.metrics.px(8), end - canvas.metrics.px(4));
    let wish = Wish {
        words: words.into_iter().map(Wording::from).collect(),
        places: along((from, to), 6, rect.y).collect(),
        bounds: (from, to),
        height: Some(rect.h),
        ..canvas.about(Rank::Wait, rect)
    };
    canvas.wish(wish);
}

fn beliefs(canvas: &mut Canvas<'_>, part: &Part<'_, ClientTracks>, bands: &ClientBands) {
    for drawn in merge::spans(&part.tracks.beliefs, canvas.scale) {
        match drawn {
            Drawn::One(belief) => draw_belief(canvas, part, bands, belief),
            Drawn::Many(first, to) => {
                let Some((from, to)) = part.cut(first.from, to) else {
                    continue;
                };
                let (x, end) = canvas.edges(from, to);
                canvas
                    .path(Paint::Dense)
                    .rect(bar(x, end, bands.belief, bands.belief_end), Px::ZERO);
            }
        }
    }
}

fn draw_belief(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    bands: &ClientBands,
    belief: &BeliefSpan,
) {
    let corner = Px::whole(3);
    let false_from = belief.false_from.map(|from| from.max(belief.from));
    let true_to = false_from.unwrap_or(belief.to);
    if let Some((from, to)) = part.cut(belief.from, true_to) {
        let (x, end) = canvas.edges(from, to);
        let rect = bar(x, end, bands.belief, bands.belief_end);
        canvas.path(Paint::Belief(belief.color)).rect(rect, corner);
        canvas.take(Thing::Belief, rect);
        canvas.block(rect);
        let is_over = belief.ended || belief.false_from.is_some();
        if part.tells(true_to) {
            let lasts = part.lasts(belief.from, true_to, is_over);
            belief_label(canvas, part, rect, lasts);
        }
    }
    let Some((from, to)) = false_from.and_then(|from| part.cut(from, belief.to)) else {
        return;
    };
    let (x, end) = canvas.edges(from, to);
    let rect = bar(x, end, bands.belief, bands.belief_end);
    canvas.path(Paint::FalseBelief(belief.color)).rect(rect, corner);
    canvas.take(Thing::Belief, rect);
    canvas.block(rect);
    if let Some(from) = false_from.filter(|_| part.tells(belief.to)) {
        false_label(canvas, bands, rect, part.lasts(from, belief.to, belief.ended));
    }
}

/// How long it believed and was right, on a plate in its bar.
fn belief_label(canvas: &mut Canvas<'_>, part: &Part<'_, ClientTracks>, rect: Rect, lasts: Lasts) {
    let words = match lasts {
        Lasts::For(length) => vec![format!("believes · {length}"), length],
        Lasts::ToTheEnd(Some(length)) => {
            vec![format!("believes, to the end · {length}"), length]
        }
        Lasts::ToTheEnd(None) => vec!["believes, to the end".to_owned()],
        Lasts::Untold => return,
    };
    let (x, end) = canvas.seen(rect.x, rect.x + rect.w);
    let metrics = canvas.metrics;
    let (inset, height) = (metrics.px(4), rect.h - metrics.px(3));
    let y = rect.y + (rect.h - height).share(1, 2);
    let (from, to) = (x + inset, end - inset);
    // Behind the handles of pauses that reach into the bar.
    let handles = part.tracks.pauses.iter().flat_map(|pause| [pause.from, pause.to]);
    let handles = handles.map(|at| canvas.scale.x(at) + metrics.px(9));
    let behind = handles.map(|x| Place { x, anchor: Anchor::Start, y });
    let wish = Wish {
        words: words.into_iter().map(Wording::from).collect(),
        places: along((from, to), 1, y).chain(behind).chain(along((from, to), 6, y)).collect(),
        bounds: (from, to),
        over: &[Thing::Belief],
        style: TextStyle::Ink,
        ground: TextGround::Card,
        height: Some(height),
        ..canvas.about(Rank::Belief, rect)
    };
    canvas.wish(wish);
}

/// How long it believed without a lease, above its bar.
fn false_label(canvas: &mut Canvas<'_>, bands: &ClientBands, rect: Rect, lasts: Lasts) {
    let (so, end) = match lasts {
        Lasts::For(length) => (format!(" · {length}"), ""),
        Lasts::ToTheEnd(Some(length)) => (format!(" · {length}"), ", to the end"),
        Lasts::ToTheEnd(None) => (String::new(), ", to the end"),
        Lasts::Untold => (String::new(), ""),
    };
    let words = ["still believes, without a lease", "still believes, no lease", "no lease"];
    let mut words: Vec<_> = words.map(|what| Wording::from(format!("{what}{end}{so}"))).into();
    words.push(Wording::from("no lease".to_owned()));
    let (x, end) = canvas.seen(rect.x, rect.x + rect.w);
    let metrics = canvas.metrics;
    let high = bands.belief - metrics.px(19);
    // The text may reach back over the foot of the last tooth, which is empty there.
    let from = x - metrics.px(48);
    let own = [
        Place { x: end - metrics.px(8), anchor: Anchor::End, y: high },
        Place { x: x + metrics.px(6), anchor: Anchor::Start, y: high },
    ];
    let rows = [high, high - metrics.px(20)].into_iter().filter(|y| *y >= bands.top);
    let others = rows.flat_map(|y| along((from, end), 16, y));
    let wish = Wish {
        words,
        places: own.into_iter().chain(others).collect(),
        bounds: (from.max(Px::whole(2)), end - Px::whole(2)),
        style: TextStyle::Strong,
        ground: TextGround::Card,
        ..canvas.about(Rank::StillBelieves, rect)
    };
    canvas.wish(wish);
}

fn dead(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    bands: &ClientBands,
    death: &DeadSpan,
) {
    let middle = Px((bands.belief.0 + bands.belief_end.0) / 2);
    if let Some((from, to)) = part.cut(death.from, death.to) {
        let (x, end) = canvas.edges(from, to);
        canvas.path(Paint::Dead).move_to(x, middle).across_to(end);
    }
    if part.holds(death.from) {
        let x = canvas.scale.x(death.from);
        let arm = canvas.metrics.px(6);
        canvas
            .path(Paint::Crash)
            .move_to(x, bands.top)
            .down_to(middle - arm - Px::whole(3))
            .move_to(x - arm, middle - arm)
            .line_to(x + arm, middle + arm)
            .move_to(x + arm, middle - arm)
            .line_to(x - arm, middle + arm);
        pill(canvas, bands, x, arm, format!("crashed {}", time(death.from)));
    }
    if death.restarted && part.holds(death.to) {
        restart(canvas, bands, death.to, middle);
    }
}

/// An open circle with a head: it starts again.
fn restart(canvas: &mut Canvas<'_>, bands: &ClientBands, at: SimTime, middle: Px) {
    let x = canvas.scale.x(at);
    let (r, head) = (canvas.metrics.px(5), canvas.metrics.px(3));
    canvas
        .path(Paint::Restart)
        .circle(x, middle, r)
        .move_to(x + r - head, middle - head)
        .line_to(x + r, middle)
        .line_to(x + r + head, middle - head);
    pill(canvas, bands, x, r, format!("restarted {}", time(at)));
}

/// A text beside a mark that reaches down to the belief's middle.
fn pill(canvas: &mut Canvas<'_>, bands: &ClientBands, x: Px, half: Px, text: String) {
    let mark = bar(x - half, x + half, bands.top, bands.belief_end);
    canvas.take(Thing::Mark, mark);
    if canvas.scale.left <= x && x <= canvas.scale.right() {
        let wish = canvas.pill(Rank::Fault, mark, canvas.metrics.px(3), vec![text.into()]);
        canvas.wish(wish);
    }
}

fn paused(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    bands: &ClientBands,
    pause: &PauseSpan,
) {
    let Some((from, to)) = part.cut(pause.from, pause.to.max(pause.from)) else {
        return;
    };
    let is_seen = canvas.scale.view.from < to && from < canvas.scale.view.to;
    if !is_seen {
        return;
    }
    let (y, bottom) = pause_band(bands, pause.scope);
    let (x, end) = canvas.edges(from, to);
    canvas.path(Paint::Pause).rect(bar(x, end, y, bottom), Px::whole(5));
    if part.holds(pause.from) && part.to > pause.from {
        pause_label(canvas, bar(x, end, y, bottom), pause);
    }
}

/// Where a pause of a part of a client stands: the renewer keeps the time that is left, the worker
/// is what believes.
pub(super) fn pause_band(bands: &ClientBands, scope: PauseScope) -> (Px, Px) {
    match scope {
        PauseScope::Client => (bands.top, bands.bottom),
        PauseScope::Worker => (bands.belief - Px::whole(22), bands.bottom),
        PauseScope::Renewer => (bands.top, bands.base),
    }
}

/// What it is and how long, on a plate right of its first handle, or wherever there is room.
fn pause_label(canvas: &mut Canvas<'_>, rect: Rect, pause: &PauseSpan) {
    let what = match (pause.kind, pause.scope) {
        (PauseKind::Process, PauseScope::Client) => "paused",
        (PauseKind::Process, PauseScope::Worker) => "worker paused",
        (PauseKind::Process, PauseScope::Renewer) => "renewer paused",
        (PauseKind::Suspend, PauseScope::Client) => "suspended",
        (PauseKind::Suspend, PauseScope::Worker) => "worker suspended",
        (PauseKind::Suspend, PauseScope::Renewer) => "renewer suspended",
    };
    let words = match pause.open {
        true => vec![what.to_owned()],
        false => {
            let length = duration(pause.to.since(pause.from));
            vec![format!("{what} for {length}"), length]
        }
    };
    let (x, end) = canvas.seen(rect.x, rect.x + rect.w);
    let metrics = canvas.metrics;
    let (handle, y) = (metrics.px(10), rect.y + metrics.px(2));
    let mut places: Vec<_> = [1, 21, 41]
        .into_iter()
        .map(|down| Place { x: x + handle, anchor: Anchor::Start, y: y + metrics.px(down) })
        .take_while(|place| place.y < rect.y + rect.h)
        .collect();
    // Narrower than its text, or with its handle at the top.
    places.extend([
        Place { x: end + handle, anchor: Anchor::Start, y },
        Place { x: x - handle, anchor: Anchor::End, y },
        Place { x: x + metrics.px(3), anchor: Anchor::Start, y: rect.y + metrics.px(1) },
    ]);
    let wish = Wish {
        words: words.into_iter().map(Wording::from).collect(),
        places,
        style: TextStyle::Strong,
        ground: TextGround::Pill,
        anywhere: Some(rect),
        ..canvas.about(Rank::Pause, rect)
    };
    canvas.wish(wish);
}
