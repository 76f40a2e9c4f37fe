//! What every lane is made of: its data, how it is painted, the part of it that is drawn, and the
//! canvas on which it is.

use std::collections::BTreeMap;

use crate::sim::id::NodeId;
use crate::sim::time::SimTime;

use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::path::{PathData, Rect};
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::runs::moment::RunNo;
use crate::view_model::words::names::Words;

/// Which lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LaneId {
    /// Whose run it shows; `None`: both.
    pub run: Option<RunNo>,
    /// Whose lane it is.
    pub node: NodeId,
    /// Whether it is that of one node of a lock service that has several.
    pub is_one_of_many: bool,
}

/// A lane, ready to be drawn. Coordinates begin at its own upper left corner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneData {
    /// Which one.
    pub id: LaneId,
    /// Its name.
    pub title: String,
    /// What its node is called in a list: `Client A`, `Storage`.
    pub called: String,
    /// What its name does not say: `token 33`, `without fence`.
    pub subtitle: String,
    /// Of how many nodes it is the sum, and whether their lanes are open below it.
    pub unfolds: Option<(u8, bool)>,
    /// The height of the drawing.
    pub height: Px,
    /// Its paths, what lies on top last.
    pub paths: Vec<LanePath>,
    /// Its texts.
    pub texts: Vec<LaneText>,
}

/// All that is drawn alike in a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanePath {
    /// How.
    pub paint: Paint,
    /// What: an SVG path's data.
    pub d: String,
}

/// How something is drawn, in the order of painting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Paint {
    /// A lease in the service's lane.
    Lease(TokenColor),
    /// The time that is left.
    Tooth(TokenColor),
    /// Waiting for the lock.
    Waiting,
    /// Routine: a renewal, another question for the lock.
    Routine,
    /// A belief that is true.
    Belief(TokenColor),
    /// A belief without a lease.
    FalseBelief(TokenColor),
    /// Too much to tell apart.
    Dense,
    /// Dead.
    Dead,
    /// The lock service is stopped.
    Down,
    /// The block of a pause.
    Pause,
    /// A link is cut, as long as it is.
    Cut,
    /// Where it was cut.
    CutMark,
    /// A clock was set: its face.
    Clock,
    /// The hands in it.
    ClockHands,
    /// A crash.
    Crash,
    /// A new start.
    Restart,
    /// The highest token seen.
    Highest,
    /// Stopped by the fence. Below values: a value that is kept runs over it, unbroken.
    Fence,
    /// How a write is thrown back from it.
    Bounce,
    /// The disc of who wrote it.
    Bounced(TokenColor),
    /// A value in a store.
    Value(TokenColor),
    /// A value that is lost.
    Lost(TokenColor),
    /// Where damage cut a value off.
    Torn,
    /// A write or an act outside that was done before, and is ignored.
    Ignored,
    /// The outside acted.
    Effect(TokenColor),
    /// A write that was accepted.
    Accepted(TokenColor),
    /// A new holder raised the fence.
    Seal(TokenColor),
    /// The corner of a late write.
    LateCorner,
    /// Refused although rightful: the circle.
    Warning,
    /// The “!” in it.
    WarningSign,
    /// Damage.
    Damage,
    /// The plate under a label.
    Plate,
}

/// A text of a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneText {
    /// Where it is anchored.
    pub x: Px,
    /// Its baseline.
    pub y: Px,
    /// Which end of it lies there.
    pub anchor: Anchor,
    /// How it looks.
    pub style: TextStyle,
    /// What it says.
    pub text: String,
}

/// Which end of a text lies at its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Anchor {
    /// Its begin.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextStyle {
    /// Quiet.
    Plain,
    /// In ink, bold.
    Strong,
    /// Damage: red, bold.
    Bad,
    /// Late or refused although rightful: amber, bold.
    Warning,
}

impl TextStyle {
    pub(super) fn is_strong(self) -> bool {
        match self {
            Self::Plain => false,
            Self::Strong | Self::Bad | Self::Warning => true,
        }
    }
}

/// A part of a lane's time, in one of its bands: all of it, or one half from where two runs part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part<'a, T: ?Sized> {
    /// What to draw.
    pub tracks: &'a T,
    /// Which band.
    pub band: Band,
    /// From when.
    pub from: SimTime,
    /// Until when.
    pub to: SimTime,
}

/// A band of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Band {
    /// The whole height, in a lane that never splits.
    Whole,
    /// The whole height, in a lane that splits later.
    Before,
    /// Run 1's half.
    Upper,
    /// Run 2's half.
    Lower,
}

impl<T: ?Sized> Part<'_, T> {
    /// A stretch cut to this part; `None` if nothing is left.
    pub(super) fn cut(&self, from: SimTime, to: SimTime) -> Option<(SimTime, SimTime)> {
        let (from, to) = (from.max(self.from), to.min(self.to));
        (from < to).then_some((from, to))
    }

    /// Whether an instant lies in this part.
    pub(super) fn holds(&self, at: SimTime) -> bool {
        self.from <= at && at < self.to
    }
}

/// A drawing under construction.
pub(super) struct Canvas<'a> {
    pub(super) words: &'a Words,
    pub(super) scale: &'a TimeScale,
    pub(super) metrics: &'a Metrics,
    paths: BTreeMap<Paint, PathData>,
    texts: Vec<LaneText>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(words: &'a Words, scale: &'a TimeScale, metrics: &'a Metrics) -> Self {
        Self { words, scale, metrics, paths: BTreeMap::new(), texts: Vec::new() }
    }

    pub(super) fn path(&mut self, paint: Paint) -> &mut PathData {
        self.paths.entry(paint).or_default()
    }

    pub(super) fn text(&mut self, x: Px, y: Px, anchor: Anchor, style: TextStyle, text: String) {
        self.texts.push(LaneText { x, y, anchor, style, text });
    }

    pub(super) fn width(&self, text: &str, style: TextStyle) -> Px {
        self.metrics.text_width(text, style.is_strong())
    }

    /// The left and right edge of a stretch on the screen, at least a pixel and a half apart.
    pub(super) fn edges(&self, from: SimTime, to: SimTime) -> (Px, Px) {
        let (x, end) = (self.scale.x_near(from), self.scale.x_near(to));
        (x, end.max(x + Px(96)))
    }

    /// The part of a stretch that is on the screen, for labels.
    pub(super) fn seen(&self, x: Px, end: Px) -> (Px, Px) {
        (x.max(self.scale.left), end.min(self.scale.right()))
    }

    pub(super) fn finish(
        self,
        id: LaneId,
        title: String,
        subtitle: String,
        height: Px,
    ) -> LaneData {
        LaneData {
            called: self.words.actor(id.node),
            id,
            title,
            subtitle,
            unfolds: None,
            height,
            paths: self
                .paths
                .into_iter()
                .map(|(paint, d)| LanePath { paint, d: d.into_string() })
                .collect(),
            texts: self.texts,
        }
    }
}

/// A label on a plate beside a mark at the top of the lane.
pub(super) fn label(canvas: &mut Canvas<'_>, x: Px, y: Px, text: String) {
    label_apart(canvas, x, y, canvas.metrics.px(6), text);
}

/// The width of a label with its plate.
pub(super) fn label_width(canvas: &Canvas<'_>, text: &str) -> Px {
    canvas.width(text, TextStyle::Strong) + canvas.metrics.px(18)
}

/// The same, `gap` away from the mark.
pub(super) fn label_apart(canvas: &mut Canvas<'_>, x: Px, y: Px, gap: Px, text: String) {
    let width = label_width(canvas, &text);
    let right = canvas.scale.right() + canvas.metrics.right();
    let left = if x + gap + width <= right { x + gap } else { x - gap - width };
    let is_seen = x >= canvas.scale.left && x <= canvas.scale.right();
    if is_seen {
        plate(canvas, left, y + canvas.metrics.px(1), width, text);
    }
}

pub(super) fn plate(canvas: &mut Canvas<'_>, x: Px, y: Px, width: Px, text: String) {
    let height = canvas.metrics.px(20);
    let rect = Rect { x, y, w: width, h: height };
    let corner = canvas.metrics.px(10);
    canvas.path(Paint::Plate).rect(rect, corner);
    let baseline = y + canvas.metrics.px(14);
    let middle = x + Px(width.0 / 2);
    canvas.text(middle, baseline, Anchor::Middle, TextStyle::Strong, text);
}
