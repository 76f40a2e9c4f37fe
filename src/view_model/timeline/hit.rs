//! What lies under a pointer: found by geometry, because a drawing has one path for all that is
//! drawn alike. It knows no browser.

use crate::sim::id::NodeId;
use crate::sim::time::SimTime;
use crate::view_model::words::names::Words;

use super::layout::{PlacedLane, TimelineLayout};
use crate::view_model::drawing::merge::Span;
use crate::view_model::drawing::scale::Px;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::{Moment, RunNo};
use crate::view_model::sentences::describe;
use crate::view_model::tracks::nodes::{NodeDoes, NodeSpan};
use crate::view_model::tracks::shown::Shown;
use crate::view_model::tracks::{ClientTracks, LeaseSpan, StoreTracks};
use crate::view_model::words::wording;

/// A moment under a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Its index.
    pub index: u32,
    /// The moment.
    pub moment: Moment,
    /// Where it lies.
    pub x: Px,
}

/// How far from a moment a pointer still means it.
const NEAR: Px = Px::whole(10);
/// So many moments are looked at: of a crowd the nearest ones are as good as any.
const MOST: u32 = 256;

/// The lane at a height, if there is one.
pub fn lane_at(layout: &TimelineLayout, y: Px) -> Option<&PlacedLane> {
    let lanes = layout.sections.iter().flat_map(|section| &section.lanes);
    let label = layout.metrics.label_row();
    lanes.into_iter().find(|lane| lane.top - label <= y && y < lane.top + lane.data.height)
}

/// The moment nearest to a place; one of the lane there goes before others as near.
pub fn moment_at(runs: &Runs, layout: &TimelineLayout, x: Px, y: Px) -> Option<Hit> {
    let lane = lane_at(layout, y);
    let scale = &layout.scale;
    let (from, to) = (scale.time(x - NEAR), scale.time(x + NEAR));
    let first = runs.moments.n_before(from);
    let last = runs.moments.n_until(to).min(first + MOST);
    let hits = (first..last).filter_map(|index| {
        let moment = runs.moments.get(index)?;
        let hit_x = scale.x(moment.at);
        let distance = (hit_x - x).0.unsigned_abs();
        let here = lane.is_some_and(|lane| is_in_lane(runs, &moment, lane));
        let hit = Hit { index, moment, x: hit_x };
        Some((!here, distance, hit))
    });
    hits.filter(|(_, distance, _)| *distance <= NEAR.0.unsigned_abs())
        .min_by_key(|(elsewhere, distance, _)| (*elsewhere, *distance))
        .map(|(_, _, hit)| hit)
}

/// Whether a moment happened in a lane, or is about it.
fn is_in_lane(runs: &Runs, moment: &Moment, lane: &PlacedLane) -> bool {
    let id = lane.data.id;
    let entries = RunNo::ALL.into_iter().filter_map(|run| {
        let shown = id.run.is_none_or(|of_lane| of_lane == run);
        let entry = runs.entry(run, moment.entry_in(run)?)?;
        shown.then_some(entry)
    });
    entries.into_iter().any(|entry| {
        let is_lock = |node| matches!(node, NodeId::Lock(_));
        let at_service = is_lock(id.node) && is_lock(entry.node()) && !id.is_one_of_many;
        at_service || describe::actor(entry) == id.node || entry.node() == id.node
    })
}

/// What would be written at a place, and found no room there.
pub fn unsaid_at(layout: &TimelineLayout, x: Px, y: Px) -> Vec<String> {
    layout.labels.unsaid_at(x, y).map(str::to_owned).collect()
}

/// What is so at a place of a lane, in short lines: the lease there, a client's belief, a value. It
/// tells what began, and nothing of what is to come.
pub fn lines_at(shown: &Shown, layout: &TimelineLayout, x: Px, y: Px) -> Vec<String> {
    let Some(lane) = lane_at(layout, y) else {
        return Vec::new();
    };
    let at = layout.scale.time(x);
    let id = lane.data.id;
    let splits = shown.splits(id.node);
    let lower = y - lane.top > Px(lane.data.height.0 / 2);
    let run = match (id.run, splits) {
        (Some(run), _) => run,
        (None, Some(split)) if at >= split && lower => RunNo::Two,
        (None, Some(_)) => RunNo::One,
        (None, None) => shown.longer(),
    };
    let Some(tracks) = shown.run(run) else {
        return Vec::new();
    };
    let words = shown.runs.words_in(run);
    match id.node {
        NodeId::Lock(node) if id.is_one_of_many => {
            let spans = tracks.nodes.get(usize::from(node.0)).map(|node| node.spans.as_slice());
            spans.and_then(|spans| node_line(words, spans, at)).into_iter().collect()
        }
        NodeId::Lock(_) => lease_line(words, &tracks.service, at).into_iter().collect(),
        NodeId::Client(client) => tracks
            .clients
            .get(client.index())
            .map(|tracks| client_lines(tracks, at))
            .unwrap_or_default(),
        NodeId::Store(store) => tracks
            .stores
            .get(usize::from(store.0))
            .map(|tracks| store_lines(words, tracks, at))
            .unwrap_or_default(),
    }
}

/// The stretch of a list that holds an instant.
fn around<T: Span>(list: &[T], at: SimTime) -> Option<&T> {
    let index = list.partition_point(|span| span.from() <= at);
    let span = list.get(index.checked_sub(1)?)?;
    (at < span.to()).then_some(span)
}

fn node_line(words: &Words, spans: &[NodeSpan], at: SimTime) -> Option<String> {
    let span = around(spans, at)?;
    let since = wording::time(span.from);
    Some(match span.what {
        NodeDoes::Key { client, .. } => {
            format!("holds {client}'s key since {since}", client = words.short(client))
        }
        NodeDoes::Leads { client, term, .. } => {
            format!(
                "leads for {client} in term {term}, as it believes, since {since}",
                client = words.short(client)
            )
        }
        NodeDoes::LeadsService(term) => {
            format!("leads in term {term}, as it believes, since {since}")
        }
        NodeDoes::Campaigns(term) => format!("asks for votes in term {term} since {since}"),
        NodeDoes::KeepsOut => format!("answers nobody since {since}"),
    })
}

fn lease_line(words: &Words, leases: &[LeaseSpan], at: SimTime) -> Option<String> {
    let lease = around(leases, at)?;
    let (client, token) = (lease.client, lease.token);
    let since = wording::time(lease.from);
    Some(format!(
        "{client} holds the lease, token {token}, since {since}",
        client = words.short(client)
    ))
}

fn client_lines(tracks: &ClientTracks, at: SimTime) -> Vec<String> {
    let mut lines = Vec::new();
    let mut pauses = tracks.pauses.iter();
    if let Some(pause) = pauses.find(|pause| pause.from <= at && at < pause.to) {
        lines.push(format!("paused since {}", wording::time(pause.from)));
    }
    if let Some(death) = around(&tracks.deaths, at) {
        lines.push(format!("crashed at {}", wording::time(death.from)));
    }
    if let Some(wait) = around(&tracks.waits, at) {
        lines.push(format!("waits since {}", wording::time(wait.from)));
    }
    if let Some(belief) = around(&tracks.beliefs, at) {
        let lost = belief.false_from.filter(|&lost| lost <= at);
        lines.push(match lost {
            Some(lost) => format!(
                "believes that it holds the lock; the lease ended at {}",
                wording::time(lost)
            ),
            None => "believes that it holds the lock, and does".to_owned(),
        });
    }
    if let Some(until) = around(&tracks.teeth, at).and_then(|tooth| tooth.until) {
        let left = until.since(at);
        lines.push(format!("{} of its lease left", wording::counter(left)));
    }
    lines
}

fn store_lines(words: &Words, tracks: &StoreTracks, at: SimTime) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(value) = around(&tracks.values, at) {
        let since = wording::time(value.from);
        lines.push(format!("{}'s value since {since}", words.short(value.client)));
    }
    let n_raised = tracks.highest.partition_point(|raise| raise.at <= at);
    let highest = n_raised.checked_sub(1).and_then(|i| tracks.highest.get(i));
    lines.push(match highest.map(|raise| raise.token) {
        Some(Some(token)) => format!("highest token seen: {token}"),
        Some(None) => "highest token seen: forgotten".to_owned(),
        None => "no token seen yet".to_owned(),
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::view_model::drawing::metrics::Metrics;
    use crate::view_model::timeline::layout::layout;
    use crate::view_model::timeline::overview::story;
    use std::rc::Rc;

    fn first() -> (Shown, TimelineLayout) {
        let runs = Runs::of(&GALLERY[0].file()).expect("it is valid");
        let shown = Shown::of(&Rc::new(runs));
        let view = story(&shown.runs, SimTime::ZERO);
        let metrics = Metrics::new(Px::whole(796), 12, false);
        let layout = layout(&shown, view, metrics);
        (shown, layout)
    }

    fn middle(layout: &TimelineLayout, index: usize) -> Px {
        let mut lanes = layout.sections.iter().flat_map(|section| &section.lanes);
        let lane = lanes.nth(index).expect("five lanes");
        lane.top + Px(lane.data.height.0 / 2)
    }

    #[test]
    fn a_mark_is_found_in_its_own_lane() {
        let (shown, layout) = first();
        let x = layout.scale.x(SimTime::from_millis(17_100)) + Px::whole(3);
        let found = |lane| {
            let hit = moment_at(&shown.runs, &layout, x, middle(&layout, lane));
            describe::moment(&shown.runs, &hit.expect("a moment").moment).join("; ")
        };
        assert!(found(0).contains("refuses A's renewal"), "{}", found(0));
        assert!(found(3).contains("accepts A's stale write"), "{}", found(3));
        let far = layout.scale.x(SimTime::from_millis(6_000));
        assert_eq!(moment_at(&shown.runs, &layout, far, middle(&layout, 0)), None);
    }

    #[test]
    fn a_place_says_what_is_so_there() {
        let (shown, layout) = first();
        let lines = |millis, lane| {
            let x = layout.scale.x(SimTime::from_millis(millis));
            lines_at(&shown, &layout, x, middle(&layout, lane))
        };
        assert_eq!(lines(6_000, 0), ["A holds the lease, token 33, since 0.2 s"]);
        assert_eq!(
            lines(6_000, 1),
            [
                "paused since 2.0 s",
                "believes that it holds the lock, and does",
                "4.20 s of its lease left",
            ]
        );
        assert_eq!(
            lines(12_000, 1)[1],
            "believes that it holds the lock; the lease ended at 10.2 s"
        );
        assert_eq!(lines(6_000, 2), ["waits since 1.0 s"]);
        assert_eq!(lines(6_000, 3), ["no token seen yet"]);
        assert_eq!(lines(19_000, 4), ["B's value since 12.4 s", "highest token seen: 34"]);
    }
}
