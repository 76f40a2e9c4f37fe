//! Marks of what befalls a node: a cut link is a gap with a dashed line as long as it lasts, a
//! clock that was set a small clock face, a stopped service a pale block, all else a cross or a
//! new start.

use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::Px;
use crate::view_model::tracks::incident::{Incident, IncidentKind};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::duration;

use super::client::{label, label_apart, label_width};
use super::{Canvas, Paint, Part};

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
            | IncidentKind::RenewerGaveUp => cross(canvas, x, (top, middle)),
        }
        match incident.kind {
            // The service's own lane knows what stands beside it.
            IncidentKind::Down => {}
            // Beside the clock's face.
            IncidentKind::ClockJump(_) => {
                label_apart(canvas, x, top, canvas.metrics.px(11), text(canvas.words, incident));
            }
            IncidentKind::Cut(_)
            | IncidentKind::StoreRestart(_)
            | IncidentKind::ConnectionLost
            | IncidentKind::WorkerDied
            | IncidentKind::RenewerGaveUp => label(canvas, x, top, text(canvas.words, incident)),
        }
    }
}

/// How long inside the block of a stopped service; beside one that is too narrow only what it is,
/// and nothing where the next lease, at `next`, is too close: the events say it.
pub(super) fn down_label(canvas: &mut Canvas<'_>, incident: &Incident, top: Px, next: Px) {
    let (x, end) = canvas.edges(incident.from, incident.to);
    let (whole, handle) = (text(canvas.words, incident), canvas.metrics.px(14));
    let short = "down".to_owned();
    if x + handle + label_width(canvas, &whole) <= end - handle {
        label_apart(canvas, x, top, handle, whole);
    } else if end + handle + label_width(canvas, &short) <= next {
        label_apart(canvas, end, top, handle, short);
    }
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
        IncidentKind::Down => {
            let rect = Rect { x, y: top, w: end - x, h: bottom - top };
            canvas.path(Paint::Down).rect(rect, Px::whole(3));
        }
        IncidentKind::ClockJump(_)
        | IncidentKind::StoreRestart(_)
        | IncidentKind::ConnectionLost
        | IncidentKind::WorkerDied
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
pub(super) fn text(words: &Words, incident: &Incident) -> String {
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
    }
}
