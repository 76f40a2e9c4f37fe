//! The lock service's lane: a bar for each lease, with its token, its holder and how it ended. It
//! knows what the service said, never what a client believes.

use crate::sim::fact::LeaseEnd;
use crate::sim::time::SimTime;
use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::timeline::label::{
    Anchor, Board, Place, Rank, TextStyle, Thing, Wish, Wording,
};
use crate::view_model::tracks::LeaseSpan;
use crate::view_model::tracks::incident::{Incident, IncidentKind};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::time;

use super::canvas::{Band, Canvas, LaneData, LaneId, Lasts, Paint, Part, along};

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
) -> (LaneData, Board) {
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
            super::incident::down_label(&mut canvas, incident, band);
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
    let paint = if lease.over { Paint::Overdue } else { Paint::Lease };
    canvas.path(paint(lease.color)).rect(rect, corner);
    canvas.take(Thing::Lease, rect);
    let words = words(canvas.words, part, lease, from);
    let (x, end) = canvas.seen(x, end);
    let gap = canvas.metrics.px(8);
    let (from, to) = (x + gap, end - gap);
    let middle = Px((x.0 + end.0) / 2);
    let mut places: Vec<_> = along((from, to), 8, rect.y).collect();
    places.push(Place { x: to, anchor: Anchor::End, y: rect.y });
    places.push(Place { x: middle, anchor: Anchor::Middle, y: rect.y });
    let wish = Wish {
        words,
        places,
        bounds: (x + Px::whole(2), end - Px::whole(2)),
        over: &[Thing::Lease],
        style: TextStyle::Strong,
        height: Some(rect.h),
        ..canvas.about(Rank::Lease, rect)
    };
    canvas.wish(wish);
}

/// Whose it is, how long and how it ended. A bar that goes on in a half says how long.
fn words(
    names: &Words,
    part: &Part<'_, [LeaseSpan]>,
    lease: &LeaseSpan,
    from: SimTime,
) -> Vec<Wording> {
    let client = names.tag(lease.client);
    let (whole, short) = match lease.keys {
        None if lease.delivery.is_some() && !lease.over => {
            let no = lease.delivery.unwrap_or_default();
            (format!("delivery {no} → {client}"), format!("delivery {no}"))
        }
        _ if lease.over => (format!("{} over, not ended", lease.token), "over".to_owned()),
        Some((n_keys, of)) => (format!("{client} · {n_keys} of {of} keys"), client),
        None if !part.ordered => (format!("lock to {client}"), client),
        None => (format!("{} → {client}", lease.token), lease.token.to_string()),
    };
    let is_told = part.tells(lease.to);
    let tails = match (part.lasts(lease.from, lease.to, lease.ended.is_some()), lease.ended) {
        _ if !is_told => Vec::new(),
        (Lasts::For(length), how) => {
            let how = how.map_or("until", how_word);
            vec![format!("{length}, {how} {}", time(lease.to)), length]
        }
        (Lasts::ToTheEnd(Some(length)), _) => {
            vec![format!("{length}, to the end of the run"), format!("{length}, to the end")]
        }
        (Lasts::ToTheEnd(None), _) => vec!["to the end of the run".to_owned()],
        (Lasts::Untold, _) => Vec::new(),
    };
    if from > lease.from && part.band != Band::Whole {
        let tails = tails.into_iter();
        return tails.map(|tail| Wording { text: String::new(), tail }).collect();
    }
    let mut words: Vec<_> =
        tails.into_iter().map(|tail| Wording { text: whole.clone(), tail }).collect();
    words.extend([whole, short].map(Wording::from));
    words
}

fn how_word(how: LeaseEnd) -> &'static str {
    match how {
        LeaseEnd::Expired => "until",
        LeaseEnd::Released => "released",
        LeaseEnd::ReleasedBy(_) => "released by another,",
        LeaseEnd::Settled(_) => "done",
        LeaseEnd::TakenOver => "taken over",
        LeaseEnd::Disconnected => "connection lost",
        LeaseEnd::Forgotten => "forgotten",
        LeaseEnd::Overtaken => "overtaken",
    }
}
