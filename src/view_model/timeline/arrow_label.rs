//! What stands at the arrows: who asks, which token is granted, which write decides. Arrows pass
//! under it.

use std::collections::BTreeMap;

use crate::sim::id::{ClientId, NodeId};
use crate::sim::message::MessageKind;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::tracks::flight::{Fate, Flight};
use crate::view_model::words::message_row::at_arrow;
use crate::view_model::words::names::Words;

use super::arrow::{Did, Ends};
use super::label::{Anchor, Area, Board, Place, Rank, TextGround, TextStyle, Wish};

/// In whose lane an arrow begins or ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Lane {
    Service,
    Client(ClientId),
    Storage,
}

impl Lane {
    fn of(node: NodeId) -> Self {
        match node {
            NodeId::Lock(_) => Self::Service,
            NodeId::Client(client) => Self::Client(client),
            NodeId::Store(_) => Self::Storage,
        }
    }
}

/// The labels of arrows under construction.
pub(super) struct ArrowLabels<'a> {
    pub(super) words: &'a Words,
    pub(super) scale: &'a TimeScale,
    pub(super) metrics: &'a Metrics,
    /// What was said, on which way, and where: several nodes that say the same are labelled once.
    said: BTreeMap<(Lane, Lane, String), Vec<Px>>,
}

impl<'a> ArrowLabels<'a> {
    pub(super) fn new(words: &'a Words, scale: &'a TimeScale, metrics: &'a Metrics) -> Self {
        Self { words, scale, metrics, said: BTreeMap::new() }
    }

    /// What was said is said anew.
    pub(super) fn forget(&mut self) {
        self.said.clear();
    }

    /// Labels an arrow between two heights, if it is to have a label.
    pub(super) fn add(
        &mut self,
        board: &mut Board,
        (from, to): (NodeId, NodeId),
        (flight, ends): (&Flight, Ends),
        decides: bool,
    ) {
        let metrics = self.metrics;
        let is_seen = self.scale.view.holds(flight.sent) || self.scale.view.holds(flight.arrives);
        if !is_seen || (self.metrics.narrow && !is_told_on_phones(flight.kind, to)) {
            return;
        }
        let text = self.text(from, flight);
        let x = self.scale.x(flight.sent);
        let near = metrics.px(if flight.fate == Fate::Lost { 300 } else { 60 });
        let said = self.said.entry((Lane::of(from), Lane::of(to), text.clone())).or_default();
        if said.iter().any(|other| (*other - x).0.abs() < near.0) {
            return;
        }
        said.push(x);
        let start = (x, ends.from);
        let end = (self.scale.x(flight.arrives), ends.to);
        let style = match (ends.did, flight.kind) {
            (Did::Damage, _) => TextStyle::Bad,
            (Did::Refused, _)
            | (_, MessageKind::Write | MessageKind::Granted | MessageKind::Effect) => {
                TextStyle::Strong
            }
            (Did::Plain, _) => TextStyle::Ink,
        };
        let (top, bottom) = (ends.from.min(ends.to), ends.from.max(ends.to));
        let edges = (Px::whole(2), self.metrics.width - Px::whole(2));
        // From the sender's lane on, and into that of the receiver.
        let (top, bottom) = (top - self.metrics.px(44), bottom + self.metrics.px(60));
        let room = Rect { x: edges.0, y: top, w: edges.1 - edges.0, h: bottom - top };
        board.wishes.push(Wish {
            rank: Rank::Message,
            about: Area::Line(start, end),
            words: vec![text.into()],
            places: self.places(start, end, (flight.kind, ends.did)),
            bounds: edges,
            over: &[],
            style,
            ground: TextGround::Card,
            height: None,
            anywhere: (decides && writes(flight.kind)).then_some(room),
        });
    }

    fn text(&self, from: NodeId, flight: &Flight) -> String {
        let what = at_arrow(flight.kind);
        let asks =
            matches!(flight.kind, MessageKind::Acquire | MessageKind::Look | MessageKind::Reenter);
        let carries =
            matches!(flight.kind, MessageKind::Granted | MessageKind::Seal | MessageKind::Write);
        let said = match (from, flight.token) {
            (NodeId::Client(client), _) if asks => format!("{} {what}", self.words.tag(client)),
            (_, Some(token)) if carries => format!("{what} {}", token.token()),
            _ => what.to_owned(),
        };
        match flight.fate {
            Fate::Lost if asks => "no answer".to_owned(),
            Fate::Lost => format!("{said} lost"),
            Fate::Arrived | Fate::Delayed => said,
        }
    }

    /// Places along the arrow: on it, or beside it.
    fn places(
        &self,
        start: (Px, Px),
        end: (Px, Px),
        (kind, did): (MessageKind, Did),
    ) -> Vec<Place> {
        let metrics = self.metrics;
        let half = metrics.px(9);
        let (near, beside) = (metrics.px(5), metrics.px(9));
        let writes = writes(kind);
        let shares: &[i32] = match (did, writes) {
            (Did::Damage, _) => &[10, 14, 20, 28, 36, 45, 55, 65],
            (_, true) => &[20, 28, 14, 36, 45, 55, 10, 65],
            (_, false) => &[50, 42, 58, 35, 65, 25, 75, 16, 84],
        };
        let point = |percent: i32| {
            let x = start.0 + (end.0 - start.0).share(percent, 100);
            (x, start.1 + (end.1 - start.1).share(percent, 100) - half)
        };
        let around = |percent: i32| {
            let (x, y) = point(percent);
            let on = Place { x, anchor: Anchor::Middle, y };
            let left = Place { x: x - near, anchor: Anchor::End, y };
            let right = Place { x: x + near, anchor: Anchor::Start, y };
            match (did, writes) {
                (Did::Damage, _) => [Place { x: x + beside, ..right }, on, left],
                (_, true) => [left, on, right],
                (_, false) => [on, right, left],
            }
        };
        shares.iter().flat_map(|share| around(*share)).collect()
    }
}

/// Whether it may decide.
fn writes(kind: MessageKind) -> bool {
    matches!(kind, MessageKind::Write | MessageKind::Seal | MessageKind::Effect)
}

/// On a phone only what is granted to the first client, and what is written.
fn is_told_on_phones(kind: MessageKind, to: NodeId) -> bool {
    match kind {
        MessageKind::Granted => to == NodeId::Client(ClientId(0)),
        MessageKind::Write | MessageKind::Effect | MessageKind::Seal => true,
        _ => false,
    }
}
