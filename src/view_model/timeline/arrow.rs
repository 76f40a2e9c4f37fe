//! Messages as arrows from lane to lane, from sent to received: for all that look alike one path of
//! lines and one of heads. Where lanes stand the layout says.

use std::collections::{BTreeMap, BTreeSet};

use crate::sim::id::NodeId;
use crate::sim::time::SimTime;

use crate::view_model::drawing::merge;
use crate::view_model::drawing::path::PathData;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::tracks::MarkKind;
use crate::view_model::tracks::flight::{Fate, Flight, Route};

/// All arrows that look alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrowPath {
    /// What became of them.
    pub fate: Fate,
    /// What they did where they arrived.
    pub did: Did,
    /// The lines.
    pub lines: String,
    /// Their heads; of lost messages, crosses.
    pub heads: String,
}

/// What a message did where it arrived.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Did {
    /// Nothing that decides.
    Plain,
    /// A fence threw it back.
    Refused,
    /// Damage.
    Damage,
}

impl Did {
    /// By what the store's answer was.
    pub(super) fn of(answer: Option<MarkKind>) -> Self {
        match answer {
            Some(MarkKind::Refused | MarkKind::RefusedRightful) => Self::Refused,
            Some(MarkKind::Damage | MarkKind::EffectTwice) => Self::Damage,
            Some(
                MarkKind::Ignored
                | MarkKind::Effect
                | MarkKind::Accepted
                | MarkKind::Sealed
                | MarkKind::Late,
            )
            | None => Self::Plain,
        }
    }
}

/// Where an arrow begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    /// The height at which it begins.
    pub(super) from: Px,
    /// The height at which it ends.
    pub(super) to: Px,
    /// How far left of its instant it ends.
    pub(super) short: Px,
    /// What it did there.
    pub(super) did: Did,
}

/// Arrows under construction.
#[derive(Default)]
pub(super) struct Arrows {
    /// Lines and heads.
    paths: BTreeMap<(Fate, Did), (PathData, PathData)>,
    /// What is drawn: to several nodes that share a lane it is one arrow.
    drawn: BTreeSet<(Fate, Did, [Px; 4])>,
    /// Whether there are more messages on screen than can be told apart.
    crowded: bool,
    /// Those that were drawn since they were asked for.
    just_drawn: Vec<(Flight, Ends)>,
}

/// More arrows at once cannot be told apart: of a crowd only what was delayed or lost is drawn.
const MOST: usize = 1_200;

/// Closer ones on one route are drawn as one.
const APART: Px = Px::whole(3);
/// Length and half the width of a head.
const HEAD: (i64, i64) = (7 * 64, 3 * 64);

impl Arrows {
    /// Arrows for what is on screen of these routes.
    pub(super) fn for_routes<'a>(
        routes: impl Iterator<Item = &'a Route>,
        scale: &TimeScale,
    ) -> Self {
        let view = scale.view;
        let counts = routes.map(|route| route.telling(view.from, view.to).len());
        Self { crowded: counts.sum::<usize>() > MOST, ..Self::default() }
    }

    /// Adds the messages of a route that tell something. `ends` says where one begins and ends.
    pub(super) fn route(
        &mut self,
        route: &Route,
        scale: &TimeScale,
        is_drawn: &dyn Fn(&Flight) -> bool,
        ends: &dyn Fn(&Flight) -> Ends,
    ) {
        let view = scale.view;
        let all = route.telling(view.from, view.to).filter(|flight| flight.arrives >= view.from);
        let (crowded, mut until) = (self.crowded, SimTime::ZERO);
        for flight in all.filter(|flight| !crowded || flight.is_remarkable()) {
            // One that is remarkable is drawn even where it falls together with another.
            if (flight.sent >= until || flight.is_remarkable()) && is_drawn(flight) {
                let ends = ends(flight);
                self.arrow(scale, flight, ends);
                self.just_drawn.push((*flight, ends));
                until = merge::until(scale, scale.x(flight.sent) + APART);
            }
        }
    }

    fn arrow(&mut self, scale: &TimeScale, flight: &Flight, ends: Ends) {
        let Ends { from, to, short, did } = ends;
        let x = scale.x(flight.sent);
        let end = (scale.x(flight.arrives) - short).max(x);
        if !self.drawn.insert((flight.fate, did, [x, from, end, to])) {
            return;
        }
        let (lines, heads) = self.paths.entry((flight.fate, did)).or_default();
        let (dx, dy) = (i64::from(end.0 - x.0), i64::from(to.0 - from.0));
        let length = (dx * dx + dy * dy).unsigned_abs().isqrt().max(1);
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        // A point so far back from the tip, and so far aside.
        let point = |back: i64, aside: i64| {
            let px = i64::from(end.0) - (dx * back + dy * aside) / length;
            let py = i64::from(to.0) - (dy * back - dx * aside) / length;
            (Px::held(px), Px::held(py))
        };
        lines.move_to(x, from);
        if flight.fate == Fate::Lost {
            lines.line_to(end, to);
            let arm = Px::whole(4);
            heads
                .move_to(end - arm, to - arm)
                .line_to(end + arm, to + arm)
                .move_to(end + arm, to - arm)
                .line_to(end - arm, to + arm);
            return;
        }
        let base = point(HEAD.0.min(length), 0);
        lines.line_to(base.0, base.1);
        let (left, right) = (point(HEAD.0, HEAD.1), point(HEAD.0, -HEAD.1));
        heads.move_to(end, to).line_to(left.0, left.1).line_to(right.0, right.1).close();
    }

    /// The arrows that were added since this was asked.
    pub(super) fn just_drawn(&mut self) -> Vec<(Flight, Ends)> {
        std::mem::take(&mut self.just_drawn)
    }

    /// Whether only what was delayed or lost is drawn.
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// The paths that hold something.
    pub(super) fn finish(self) -> Vec<ArrowPath> {
        let path = |((fate, did), (lines, heads)): (_, (PathData, PathData))| ArrowPath {
            fate,
            did,
            lines: lines.into_string(),
            heads: heads.into_string(),
        };
        self.paths.into_iter().map(path).collect()
    }
}

/// Whether a route leads to or from a store.
pub(super) fn touches_store(from: NodeId, to: NodeId) -> bool {
    matches!((from, to), (NodeId::Store(_), _) | (_, NodeId::Store(_)))
}

/// Whether a flight is also in another list: sent and received at the same instants.
pub(super) fn is_in(flight: &Flight, other: Option<&Route>) -> bool {
    let Some(other) = other else { return false };
    let list = &other.flights;
    let first = list.partition_point(|candidate| candidate.sent < flight.sent);
    list[first..]
        .iter()
        .take_while(|candidate| candidate.sent == flight.sent)
        .any(|candidate| candidate == flight)
}

/// Whether a lane that splits has split.
pub(super) fn has_split(splits: Option<SimTime>, at: SimTime) -> bool {
    splits.is_some_and(|split| at >= split)
}
