//! What lies under a pointer: found by geometry, because a drawing has one path for all that is
//! drawn alike. It knows no browser.

use crate::sim::id::NodeId;

use super::describe;
use super::layout::{PlacedLane, TimelineLayout};
use super::moment::{Moment, RunNo};
use super::runs::Runs;
use super::scale::Px;

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
    lanes
        .into_iter()
        .find(|lane| lane.top - label <= y && y < lane.top + lane.data.height)
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
        let hit = Hit {
            index,
            moment,
            x: hit_x,
        };
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
        let at_service = matches!(id.node, NodeId::Lock(_)) && entry.node == id.node;
        at_service || describe::actor(entry) == id.node || entry.node == id.node
    })
}
