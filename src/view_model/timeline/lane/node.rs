//! The lane of one node of a lock service that has several: whose key it holds until when, when it
//! keeps out, what befell it. It says nothing of the lock: that is the service's lane.

use crate::sim::fact::LeaseEnd;
use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::timeline::label::{Board, Rank, Thing, Wish, Wording};
use crate::view_model::tracks::nodes::{NodeDoes, NodeSpan, NodeTracks};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::time;

use super::canvas::{Band, Canvas, LaneData, LaneId, Paint, Part, along};

/// Where the bars of a band begin and end.
pub fn node_band(metrics: &Metrics, band: Band) -> (Px, Px) {
    let (top, bottom) = match band {
        Band::Whole => (2, 18),
        Band::Before => (7, 25),
        Band::Upper => (2, 15),
        Band::Lower => (17, 30),
    };
    (metrics.px(top), metrics.px(bottom))
}

/// Draws the lane.
pub fn node_lane(
    id: LaneId,
    title: String,
    parts: &[Part<'_, NodeTracks>],
    words: &Words,
    scale: &TimeScale,
    metrics: &Metrics,
) -> (LaneData, Board) {
    let mut canvas = Canvas::new(words, scale, metrics);
    for part in parts {
        let (y, bottom) = node_band(metrics, part.band);
        for drawn in merge::spans(&part.tracks.spans, scale) {
            let (span, to) = match drawn {
                Drawn::One(span) => (Some(span), span.to),
                Drawn::Many(first, to) => {
                    dense(&mut canvas, part, (first.from, to), (y, bottom));
                    (None, to)
                }
            };
            if let Some((span, (from, to))) = span.zip(span.and_then(|s| part.cut(s.from, to))) {
                draw(&mut canvas, span, (from, to), (y, bottom));
            }
        }
        super::incident::incidents(&mut canvas, part, &part.tracks.incidents, (y, bottom));
    }
    let height = metrics.px(if parts.len() > 1 { 32 } else { 21 }).rounded();
    canvas.finish(id, title, String::new(), height)
}

fn dense(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, NodeTracks>,
    (from, to): (crate::sim::SimTime, crate::sim::SimTime),
    (y, bottom): (Px, Px),
) {
    if let Some((from, to)) = part.cut(from, to) {
        let (x, end) = canvas.edges(from, to);
        canvas.path(Paint::Dense).rect(Rect { x, y, w: end - x, h: bottom - y }, Px::ZERO);
    }
}

fn draw(
    canvas: &mut Canvas<'_>,
    span: &NodeSpan,
    (from, to): (crate::sim::SimTime, crate::sim::SimTime),
    (y, bottom): (Px, Px),
) {
    let (x, end) = canvas.edges(from, to);
    let rect = Rect { x, y, w: end - x, h: bottom - y };
    let paint = match span.what {
        NodeDoes::Key { color: Some(color), .. } | NodeDoes::Leads { color: Some(color), .. } => {
            Paint::Lease(color)
        }
        NodeDoes::Key { color: None, .. }
        | NodeDoes::Leads { color: None, .. }
        | NodeDoes::LeadsService(_)
        | NodeDoes::Campaigns(_) => Paint::Waiting,
        NodeDoes::KeepsOut => Paint::Down,
    };
    canvas.path(paint).rect(rect, Px::whole(3));
    canvas.take(Thing::Lease, rect);
    let (x, end) = canvas.seen(x, end);
    let gap = canvas.metrics.px(6);
    let wish = Wish {
        words: words(canvas.words, span).into_iter().map(Wording::from).collect(),
        places: along((x + gap, end), 6, y).collect(),
        bounds: (x + gap, end - gap),
        over: &[Thing::Lease],
        height: Some(bottom - y),
        ..canvas.about(Rank::Lease, rect)
    };
    canvas.wish(wish);
}

/// What it says, the longest that fits first.
fn words(names: &Words, span: &NodeSpan) -> Vec<String> {
    match span.what {
        NodeDoes::Key { client, how, .. } => {
            let end = match how {
                Some(LeaseEnd::Expired) => format!("until {}", time(span.to)),
                Some(LeaseEnd::Forgotten) => format!("forgotten {}", time(span.to)),
                Some(_) => format!("deleted {}", time(span.to)),
                None => return vec![format!("{client}", client = names.short(client))],
            };
            vec![
                format!("{client}, {end}", client = names.short(client)),
                format!("{client}", client = names.short(client)),
            ]
        }
        NodeDoes::Leads { client, term, .. } => {
            vec![
                format!(
                    "{client} leads, as it believes, term {term}",
                    client = names.short(client)
                ),
                format!("term {term}"),
            ]
        }
        NodeDoes::LeadsService(term) => {
            vec![format!("leads, as it believes, term {term}"), format!("term {term}")]
        }
        NodeDoes::Campaigns(term) => vec![format!("asks for votes, term {term}")],
        NodeDoes::KeepsOut => {
            vec![format!("keeps out until {}", time(span.to)), "out".to_owned()]
        }
    }
}
