//! Marks of what befalls a node: a cut link is a gap with a dashed line as long as it lasts, a
//! clock that was set a small clock face, a stopped service a pale block, all else a cross or a
//! new start.

use crate::sim::fact::RenewalStop;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::Px;
use crate::view_model::timeline::label::{
    Anchor, Place, Rank, TextGround, TextStyle, Thing, Wish, Wording,
};
use crate::view_model::tracks::incident::{Incident, IncidentKind};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{duration, time};

use super::canvas::{Canvas, Paint, Part};

/// Draws the incidents of a part of a lane between two heights.
pub(super) fn incidents<T: ?Sized>(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, T>,
    list: &[Incident],
    (top, bottom): (Px, Px),
) {
    for incident in list {
        lasting(canvas, part, incident, (top, bottom));
        let view = canvas.scale.view;
        if !part.holds(incident.from) || !view.holds(incident.from) {
            continue;
        }
        let x = canvas.scale.x(incident.from);
        let middle = Px((top.0 + bottom.0) / 2);
        match incident.kind {
            IncidentKind::Cut(_) => gap(canvas, x, top),
            IncidentKind::ClockJump(_) => clock_face(canvas, x, (top, middle)),
            IncidentKind::Down => {}
            IncidentKind::StoreRestart(_) => {
                let r = canvas.metrics.px(5);
                canvas
                    .path(Paint::Restart)
                    .move_to(x, top)
                    .down_to(middle - r)
                    .circle(x, middle, r);
            }
            IncidentKind::ConnectionLost
            | IncidentKind::WorkerDied
            | IncidentKind::RenewalStopped(_)
            | IncidentKind::RenewerGaveUp => cross(canvas, x, (top, middle)),
            IncidentKind::WaitsToBegin | IncidentKind::KeptOn => {}
        }
        let half = match incident.kind {
            IncidentKind::Cut(_) => canvas.metrics.px(5),
            IncidentKind::ClockJump(_) => canvas.metrics.px(8),
            IncidentKind::Down => continue,
            IncidentKind::StoreRestart(_)
            | IncidentKind::ConnectionLost
            | IncidentKind::WorkerDied
            | IncidentKind::RenewerGaveUp
            | IncidentKind::RenewalStopped(_)
            | IncidentKind::WaitsToBegin
            | IncidentKind::KeptOn => canvas.metrics.px(6),
        };
        let is_high = matches!(incident.kind, IncidentKind::Cut(_) | IncidentKind::ClockJump(_));
        let depth = if is_high { canvas.metrics.px(18) } else { middle - top + half };
        let mark = Rect { x: x - half, y: top, w: half + half, h: depth };
        canvas.take(Thing::Mark, mark);
        let Some(words) = words(canvas.words, list, incident) else {
            continue;
        };
        // It may stand as deep as the lane has room.
        let mark = Rect { h: bottom - top, ..mark };
        let wish = canvas.pill(Rank::Fault, mark, canvas.metrics.px(3), words);
        canvas.wish(wish);
    }
}

/// What the label of an incident says; of links that are cut at once one label speaks of all.
fn words(names: &Words, list: &[Incident], incident: &Incident) -> Option<Vec<Wording>> {
    let alike = |other: &&Incident| {
        let are_cut =
            matches!((incident.kind, other.kind), (IncidentKind::Cut(_), IncidentKind::Cut(_)));
        are_cut && (other.from, other.to) == (incident.from, incident.to)
    };
    let cut: Vec<_> = list.iter().filter(alike).collect();
    let whole = text(names, incident);
    if cut.len() < 2 {
        let short = whole.split(" for ").next().unwrap_or(&whole).to_owned();
        return Some(vec![whole.into(), short.into()]);
    }
    if cut.first().is_some_and(|first| first.kind != incident.kind) {
        return None;
    }
    let (_, lasted) = whole.split_once(" for ").unwrap_or((&whole, ""));
    let lasted = if incident.open { String::new() } else { format!(" for {lasted}") };
    let who: Vec<_> = cut
        .iter()
        .filter_map(|other| match other.kind {
            IncidentKind::Cut(to) => Some(names.inside(to)),
            _ => None,
        })
        .collect();
    let short = format!("{} links cut", cut.len());
    let named = format!("no link to {}{lasted}", who.join(", "));
    Some(vec![named.into(), format!("{short}{lasted}").into(), short.into()])
}

/// How long, inside the block of a stopped service, or beside it.
pub(super) fn down_label(canvas: &mut Canvas<'_>, incident: &Incident, (top, bottom): (Px, Px)) {
    let (x, end) = canvas.edges(incident.from, incident.to);
    let handle = canvas.metrics.px(12);
    let y = top + (bottom - top - canvas.metrics.px(17)).share(1, 2);
    let places =
        [(x + handle, Anchor::Start), (end + handle, Anchor::Start), (x - handle, Anchor::End)];
    let words = [text(canvas.words, incident), "down".to_owned()];
    let wish = Wish {
        words: words.map(Wording::from).into(),
        places: places.map(|(x, anchor)| Place { x, anchor, y }).into(),
        style: TextStyle::Strong,
        ground: TextGround::Pill,
        ..canvas.about(Rank::Fault, Rect { x, y: top, w: end - x, h: bottom - top })
    };
    canvas.wish(wish);
}

/// What of an incident has a length.
fn lasting<T: ?Sized>(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, T>,
    incident: &Incident,
    (top, bottom): (Px, Px),
) {
    let Some((from, to)) = part.cut(incident.from, incident.to) else {
        return;
    };
    let (x, end) = canvas.edges(from, to);
    match incident.kind {
        IncidentKind::Cut(_) => {
            let y = top + canvas.metrics.px(3);
            canvas.path(Paint::Cut).move_to(x, y).across_to(end);
        }
        IncidentKind::WaitsToBegin | IncidentKind::KeptOn => {
            let y = Px((top.0 + bottom.0) / 2);
            canvas.path(Paint::Waiting).move_to(x, y).across_to(end);
        }
        IncidentKind::Down => {
            let rect = Rect { x, y: top, w: end - x, h: bottom - top };
            canvas.path(Paint::Down).rect(rect, Px::whole(3));
        }
        IncidentKind::ClockJump(_)
        | IncidentKind::StoreRestart(_)
        | IncidentKind::ConnectionLost
        | IncidentKind::WorkerDied
        | IncidentKind::RenewalStopped(_)
        | IncidentKind::RenewerGaveUp => {}
    }
}

/// Two slanted strokes: the line between two nodes is interrupted.
fn gap(canvas: &mut Canvas<'_>, x: Px, top: Px) {
    let metrics = canvas.metrics;
    let (y, arm, apart) = (top + metrics.px(3), metrics.px(6), metrics.px(2));
    for x in [x - apart, x + apart] {
        canvas.path(Paint::CutMark).move_to(x - apart, y + arm).line_to(x + apart, y - arm);
    }
}

/// A face at the top, where no bar is, on a line that says when.
fn clock_face(canvas: &mut Canvas<'_>, x: Px, (top, middle): (Px, Px)) {
    let (r, hand) = (canvas.metrics.px(7), canvas.metrics.px(4));
    let y = top + r + canvas.metrics.px(3);
    canvas.path(Paint::Clock).move_to(x, y + r).down_to(middle.max(y + r)).circle(x, y, r);
    canvas.path(Paint::ClockHands).move_to(x, y - hand).down_to(y).across_to(x + hand);
}

fn cross(canvas: &mut Canvas<'_>, x: Px, (top, middle): (Px, Px)) {
    let arm = canvas.metrics.px(5);
    canvas
        .path(Paint::Crash)
        .move_to(x, top)
        .down_to(middle - arm)
        .move_to(x - arm, middle - arm)
        .line_to(x + arm, middle + arm)
        .move_to(x + arm, middle - arm)
        .line_to(x - arm, middle + arm);
}

/// What an incident's label says.
fn text(words: &Words, incident: &Incident) -> String {
    let lasted = match incident.open {
        true => String::new(),
        false => format!(" for {}", duration(incident.to.since(incident.from))),
    };
    match incident.kind {
        IncidentKind::Cut(to) => format!("no link to {}{lasted}", words.inside(to)),
        IncidentKind::ClockJump(by) => {
            let sign = if by.micros() < 0 { '−' } else { '+' };
            format!("clock {sign}{}", duration(by.length()))
        }
        IncidentKind::Down => format!("down{lasted}"),
        IncidentKind::StoreRestart(false) => "restarted".to_owned(),
        IncidentKind::StoreRestart(true) => "restarted, fence forgotten".to_owned(),
        IncidentKind::ConnectionLost => "connection lost".to_owned(),
        IncidentKind::WorkerDied => "worker died".to_owned(),
        IncidentKind::RenewerGaveUp => "renewer gave up".to_owned(),
        IncidentKind::RenewalStopped(RenewalStop::Cap(cap)) => {
            format!("renewal stopped: {} cap", duration(cap))
        }
        IncidentKind::RenewalStopped(RenewalStop::NoProgress(_)) => {
            "renewal stopped: no step".to_owned()
        }
        IncidentKind::RenewalStopped(RenewalStop::Leaves(_)) => "left: no step".to_owned(),
        IncidentKind::WaitsToBegin => format!("waits until {} to begin", time(incident.to)),
        IncidentKind::KeptOn => format!("kept taken{lasted}"),
    }
}
