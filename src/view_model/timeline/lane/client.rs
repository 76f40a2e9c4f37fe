//! A client's lane: the time that is left over its belief, waiting, pauses, crashes. Truth (the
//! saw-tooth) and belief (the bar) stand one over the other, because they can differ.

use std::collections::BTreeSet;

use crate::sim::scenario::{PauseKind, PauseScope};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::tracks::{BeliefSpan, ClientTracks, DeadSpan, PauseSpan, Stretch, Tooth};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{duration, time};

use super::canvas::{Anchor, Band, Canvas, LaneData, LaneId, Paint, Part, TextStyle};
use super::canvas::{label, label_width, plate};

/// The height of the drawing; of a lane that splits, `split`.
fn lane_height(metrics: &Metrics, split: bool) -> Px {
    metrics.px(if split { 88 } else { 76 }).rounded()
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
    /// The places in a band.
    pub fn of(metrics: &Metrics, band: Band) -> Self {
        let at = |pixels: i32| metrics.px(pixels);
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
    id: LaneId,
    title: String,
    parts: &[Part<'_, ClientTracks>],
    ttl: Option<SimDuration>,
    words: &Words,
    scale: &TimeScale,
    metrics: &Metrics,
) -> LaneData {
    let mut canvas = Canvas::new(words, scale, metrics);
    for part in parts {
        let bands = ClientBands::of(metrics, part.band);
        teeth(&mut canvas, part, &bands, ttl);
        waits(&mut canvas, part, &bands);
        beliefs(&mut canvas, part, &bands);
        if part.band == Band::Whole {
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
    let subtitle = match tokens.unwrap_or_default() {
        [] => "no token".to_owned(),
        [(_, token)] => format!("token {token}"),
        [_, ..] => "several tokens".to_owned(),
    };
    let height = lane_height(metrics, parts.len() > 1);
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
        canvas.path(Paint::Waiting).rect(bar(x, end, y, bottom), Px::whole(3));
        wait_label(canvas, wait, (x, end), bottom);
    }
}

fn wait_label(canvas: &mut Canvas<'_>, wait: &Stretch, edges: (Px, Px), bottom: Px) {
    let (x, end) = canvas.seen(edges.0, edges.1);
    let texts = [format!("waiting · {}", duration(wait.to.since(wait.from))), "waiting".to_owned()];
    // How long stands there only if the whole wait is seen.
    let is_whole = canvas.scale.view.holds(wait.from) && canvas.scale.view.holds(wait.to);
    let fitting = texts
        .into_iter()
        .skip(usize::from(!is_whole))
        .find(|text| canvas.width(text, TextStyle::Plain) + canvas.metrics.px(12) <= end - x);
    if let Some(text) = fitting {
        let baseline = bottom - canvas.metrics.px(3);
        let x = x + canvas.metrics.px(8);
        canvas.text(x, baseline, Anchor::Start, TextStyle::Plain, text);
    }
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
        canvas
            .path(Paint::Belief(belief.color))
            .rect(bar(x, end, bands.belief, bands.belief_end), corner);
    }
    let Some((from, to)) = false_from.and_then(|from| part.cut(from, belief.to)) else {
        return;
    };
    let (x, end) = canvas.edges(from, to);
    canvas
        .path(Paint::FalseBelief(belief.color))
        .rect(bar(x, end, bands.belief, bands.belief_end), corner);
    if part.band == Band::Before {
        return;
    }
    let Some(lasted) = belief.false_for() else {
        return;
    };
    let (x, end) = canvas.seen(x, end);
    let texts = [
        format!("still believes, without a lease · {}", duration(lasted)),
        format!("still believes, no lease · {}", duration(lasted)),
        format!("without a lease · {}", duration(lasted)),
        "without a lease".to_owned(),
    ];
    let style = TextStyle::Strong;
    // The text may reach back over the foot of the last tooth, which is empty there.
    let from = (x - canvas.metrics.px(48)).max(labels_end(canvas, part, end));
    let gap = canvas.metrics.px(8);
    let places = between_handles(canvas, part, from, end);
    let fitting = texts.into_iter().find_map(|text| {
        let width = canvas.width(&text, style) + gap;
        let place = places.iter().rev().find(|(from, end)| *end - *from >= width);
        place.map(|(_, end)| (*end - gap, text))
    });
    if let Some((x, text)) = fitting {
        canvas.text(x, bands.belief - canvas.metrics.px(6), Anchor::End, style, text);
    }
}

/// The pieces of a stretch that no handle of a pause or an incident stands in, from left to right.
fn between_handles(
    canvas: &Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    from: Px,
    end: Px,
) -> Vec<(Px, Px)> {
    let half = canvas.metrics.px(8);
    let pauses = part.tracks.pauses.iter().flat_map(|pause| [pause.from, pause.to]);
    let incidents = part.tracks.incidents.iter().flat_map(|incident| [incident.from, incident.to]);
    let ends: BTreeSet<Px> = pauses.chain(incidents).map(|at| canvas.scale.x(at)).collect();
    let mut pieces = Vec::new();
    let mut left = from;
    for handle in ends {
        pieces.push((left, end.min(handle - half)));
        left = left.max(handle + half);
    }
    pieces.push((left, end));
    pieces.retain(|(left, right)| left < right);
    pieces
}

/// Where the labels of pauses and incidents end that begin before `end`: in half a lane they stand
/// as high as the words over a belief.
fn labels_end(canvas: &Canvas<'_>, part: &Part<'_, ClientTracks>, end: Px) -> Px {
    if part.band == Band::Whole {
        return Px::whole(i32::from(i16::MIN));
    }
    let pauses = part.tracks.pauses.iter().map(|pause| (pause.from, pause_text(pause)));
    let incidents = part.tracks.incidents.iter();
    let text = |incident| super::incident::text(canvas.words, incident);
    let incidents = incidents.map(|incident| (incident.from, text(incident)));
    let labels = pauses.chain(incidents).filter(|(from, _)| part.holds(*from));
    let ends = labels.filter_map(|(from, text)| {
        let x = canvas.scale.x(from);
        (x < end).then(|| x + canvas.metrics.px(24) + label_width(canvas, &text))
    });
    ends.max().unwrap_or(Px::whole(i32::from(i16::MIN)))
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
        let text = format!("crashed {}", time(death.from));
        label(canvas, x, bands.top, text);
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
    label(canvas, x, bands.top, format!("restarted {}", time(at)));
}

fn paused(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, ClientTracks>,
    bands: &ClientBands,
    pause: &PauseSpan,
) {
    let end_of_part = part.to;
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
    if part.holds(pause.from) && end_of_part > pause.from {
        label_inside(canvas, (x, end), y, pause_text(pause));
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

fn pause_text(pause: &PauseSpan) -> String {
    let what = match (pause.kind, pause.scope) {
        (PauseKind::Process, PauseScope::Client) => "paused",
        (PauseKind::Process, PauseScope::Worker) => "worker paused",
        (PauseKind::Process, PauseScope::Renewer) => "renewer paused",
        (PauseKind::Suspend, PauseScope::Client) => "suspended",
        (PauseKind::Suspend, PauseScope::Worker) => "worker suspended",
        (PauseKind::Suspend, PauseScope::Renewer) => "renewer suspended",
    };
    match pause.open {
        true => what.to_owned(),
        false => format!("{what} for {}", duration(pause.to.since(pause.from))),
    }
}

/// A label on a plate inside a block, right of its handle; right of the block if it is too narrow.
fn label_inside(canvas: &mut Canvas<'_>, edges: (Px, Px), y: Px, text: String) {
    let (x, end) = canvas.seen(edges.0, edges.1);
    let width = label_width(canvas, &text);
    let handle = canvas.metrics.px(14);
    let inside = x + handle;
    let beside = end + canvas.metrics.px(10);
    let right = canvas.scale.right() + canvas.metrics.right();
    let left = if inside + width <= end - handle {
        inside
    } else if beside + width <= right {
        beside
    } else {
        x - canvas.metrics.px(10) - width
    };
    plate(canvas, left, y + canvas.metrics.px(4), width, text);
}
