//! The lock service's lane: a bar for each lease, with its token, its holder and how it ended. It
//! knows what the service said, never what a client believes.

use crate::sim::fact::LeaseEnd;
use crate::sim::time::SimTime;
use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::tracks::LeaseSpan;
use crate::view_model::tracks::incident::{Incident, IncidentKind};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::time;

use super::{Anchor, Band, Canvas, LaneData, LaneId, Paint, Part, TextStyle};

/// The height of the drawing; of a lane that splits, `split`.
fn lane_height(metrics: &Metrics, split: bool) -> Px {
    metrics.px(if split { 48 } else { 34 }).rounded()
}

/// Where the bars of a band begin and end.
pub fn service_band(metrics: &Metrics, band: Band) -> (Px, Px) {
    let (top, bottom) = match band {
        Band::Whole => (4, 28),
        Band::Before => (9, 35),
        Band::Upper => (3, 21),
        Band::Lower => (24, 42),
    };
    (metrics.px(top), metrics.px(bottom))
}

/// Draws the lane.
pub fn service_lane(
    id: LaneId,
    subtitle: String,
    (parts, incidents): (&[Part<'_, [LeaseSpan]>], &[Incident]),
    words: &Words,
    scale: &TimeScale,
    metrics: &Metrics,
) -> LaneData {
    let mut canvas = Canvas::new(words, scale, metrics);
    for part in parts {
        for drawn in merge::spans(part.tracks, scale) {
            match drawn {
                Drawn::One(lease) => draw(&mut canvas, part, lease),
                Drawn::Many(first, to) => dense(&mut canvas, part, first.from, to),
            }
        }
        let band = service_band(metrics, part.band);
        super::incident::incidents(&mut canvas, part, incidents, band);
        let down = incidents.iter().filter(|incident| incident.kind == IncidentKind::Down);
        for incident in down.filter(|incident| part.holds(incident.from)) {
            let next = part.tracks.iter().find(|lease| lease.from >= incident.to);
            let next = next.map_or(scale.right(), |lease| scale.x_near(lease.from));
            super::incident::down_label(&mut canvas, incident, band.0, next);
        }
    }
    let split = parts.len() > 1;
    let height = lane_height(metrics, split);
    canvas.finish(id, words.node(id.node), subtitle, height)
}

fn dense(canvas: &mut Canvas<'_>, part: &Part<'_, [LeaseSpan]>, from: SimTime, to: SimTime) {
    let Some((from, to)) = part.cut(from, to) else {
        return;
    };
    let (y, bottom) = service_band(canvas.metrics, part.band);
    let (x, end) = canvas.edges(from, to);
    let rect = Rect { x, y, w: end - x, h: bottom - y };
    canvas.path(Paint::Dense).rect(rect, Px::ZERO);
}

fn draw(canvas: &mut Canvas<'_>, part: &Part<'_, [LeaseSpan]>, lease: &LeaseSpan) {
    let Some((from, to)) = part.cut(lease.from, lease.to) else {
        return;
    };
    let (y, bottom) = service_band(canvas.metrics, part.band);
    let (x, end) = canvas.edges(from, to);
    let rect = Rect { x, y, w: end - x, h: bottom - y };
    let corner = Px::whole(4);
    canvas.path(Paint::Lease(lease.color)).rect(rect, corner);
    // A bar that goes on in a half repeats no label.
    if from > lease.from && part.band != Band::Whole {
        return;
    }
    let (x, end) = canvas.seen(x, end);
    let baseline = y + Px((bottom - y).0 / 2) + canvas.metrics.px(4);
    let gap = canvas.metrics.px(8);
    let room = end - x - gap - gap;
    let name = match lease.keys {
        Some((n_keys, of)) => {
            format!("{} · {n_keys} of {of} keys", canvas.words.short(lease.client))
        }
        None => format!("{} → {}", lease.token, canvas.words.short(lease.client)),
    };
    let name_width = canvas.width(&name, TextStyle::Strong);
    if name_width > room {
        let token = match lease.keys {
            Some(_) => canvas.words.short(lease.client),
            None => lease.token.to_string(),
        };
        if canvas.width(&token, TextStyle::Strong) + Px::whole(4) <= end - x {
            let middle = x + Px((end - x).0 / 2);
            canvas.text(middle, baseline, Anchor::Middle, TextStyle::Strong, token);
        }
        return;
    }
    canvas.text(x + gap, baseline, Anchor::Start, TextStyle::Strong, name);
    let is_seen = canvas.scale.view.holds(to) && to == lease.to;
    let Some(how) = lease.ended.filter(|_| is_seen) else {
        return;
    };
    let end_text = format!("{} {}", how_word(how), time(lease.to));
    let end_width = canvas.width(&end_text, TextStyle::Plain);
    if name_width + end_width + gap <= room {
        canvas.text(end - gap, baseline, Anchor::End, TextStyle::Plain, end_text);
    }
}

fn how_word(how: LeaseEnd) -> &'static str {
    match how {
        LeaseEnd::Expired => "expires",
        LeaseEnd::Released => "released",
        LeaseEnd::ReleasedBy(_) => "released by another,",
        LeaseEnd::TakenOver => "taken over",
        LeaseEnd::Disconnected => "connection lost",
        LeaseEnd::Forgotten => "forgotten",
        LeaseEnd::Overtaken => "overtaken",
    }
}
