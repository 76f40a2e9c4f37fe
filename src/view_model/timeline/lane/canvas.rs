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
use crate::view_model::timeline::label::{
    Anchor, Area, Board, Place, Rank, TextGround, TextStyle, Thing, Wish, Wording,
};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::duration;

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
    /// Its name where it stands: cut in its middle if it finds no room.
    pub short: String,
    /// What its node is called in a list: `Client A`, `Storage`.
    pub called: String,
    /// What its name does not say: `token 33`, `no fence`.
    pub subtitle: String,
    /// Of how many nodes it is the sum, and whether their lanes are open below it.
    pub unfolds: Option<(u8, bool)>,
    /// Whether it is open, where it can be compact.
    pub opens: Option<bool>,
    /// The height of the drawing.
    pub height: Px,
    /// Its paths, what lies on top last.
    pub paths: Vec<LanePath>,
    /// What the playhead leaves out: marks and beliefs.
    pub blocks: Vec<Rect>,
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
    /// A lease that is over and has not ended.
    Overdue(TokenColor),
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
    /// When the run is over.
    pub ends_at: RunsEnd,
    /// Whether its tokens have an order. Else they are values, of which none is the higher.
    pub ordered: bool,
}

/// When the runs of a lane are over, as far as it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunsEnd {
    /// Then.
    At(SimTime),
    /// The longer of two then, and the other one earlier.
    Longer(SimTime),
    /// It is not told, nor how long goes on what is not over now.
    Hidden(SimTime),
}

/// How long something lasts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Lasts {
    /// So long.
    For(String),
    /// To the end of the run, and how long that is, where that is one length.
    ToTheEnd(Option<String>),
    /// Nobody is to know.
    Untold,
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

    /// How long something lasts that began at `from`; `ended`: and was over at `to`.
    pub(super) fn lasts(&self, from: SimTime, to: SimTime, ended: bool) -> Lasts {
        match self.ends_at {
            RunsEnd::Hidden(now) if !ended || to > now => Lasts::Untold,
            _ if ended => Lasts::For(duration(to.since(from))),
            RunsEnd::Longer(_) | RunsEnd::Hidden(_) => Lasts::ToTheEnd(None),
            RunsEnd::At(end) => Lasts::ToTheEnd(Some(duration(end.since(from)))),
        }
    }

    /// Whether what lasts until `to` is over then, and is not only cut there.
    pub(super) fn is_over(&self, to: SimTime) -> bool {
        let (RunsEnd::At(end) | RunsEnd::Longer(end) | RunsEnd::Hidden(end)) = self.ends_at;
        to < end
    }

    /// Whether something is said in this part: not where it goes on in another, in which the runs
    /// may differ.
    pub(super) fn tells(&self, to: SimTime) -> bool {
        self.band != Band::Before || to <= self.to
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
    /// The lane's own colour, for what lies under its texts.
    pub(super) ground: TextGround,
    /// What the lane wants to say, and what is taken in it.
    board: Board,
    blocks: Vec<Rect>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(words: &'a Words, scale: &'a TimeScale, metrics: &'a Metrics) -> Self {
        Self {
            words,
            scale,
            metrics,
            paths: BTreeMap::new(),
            ground: TextGround::Card,
            board: Board::default(),
            blocks: Vec::new(),
        }
    }

    pub(super) fn path(&mut self, paint: Paint) -> &mut PathData {
        self.paths.entry(paint).or_default()
    }

    /// Says something, if there is room.
    pub(super) fn wish(&mut self, wish: Wish) {
        self.board.wishes.push(wish);
    }

    /// Notes that a place is taken.
    pub(super) fn take(&mut self, by: Thing, rect: Rect) {
        self.board.take(by, rect);
    }

    /// Keeps the playhead out of a place.
    pub(super) fn block(&mut self, rect: Rect) {
        self.blocks.push(rect);
    }

    /// What a text of the lane begins with: no ground, no bounds but the drawing's.
    pub(super) fn about(&self, rank: Rank, rect: Rect) -> Wish {
        Wish {
            rank,
            about: Area::Rect(rect),
            words: Vec::new(),
            places: Vec::new(),
            bounds: (Px::whole(2), self.metrics.width - Px::whole(2)),
            over: &[],
            style: TextStyle::Plain,
            ground: TextGround::Clear,
            height: None,
            anywhere: None,
        }
    }

    /// A text on a plate beside something at the top of the lane: right of it, else left of it,
    /// else lower.
    pub(super) fn pill(&self, rank: Rank, mark: Rect, gap: Px, words: Vec<Wording>) -> Wish {
        let (right, left) = (mark.x + mark.w + gap, mark.x - gap);
        let rows = [1, 21, 41].map(|down| mark.y + self.metrics.px(down));
        let rows = rows.into_iter().take_while(|y| *y < mark.y + mark.h);
        let places = rows.flat_map(|y| {
            [(right, Anchor::Start), (left, Anchor::End)].map(|(x, anchor)| Place { x, anchor, y })
        });
        Wish {
            words,
            places: places.collect(),
            style: TextStyle::Strong,
            ground: TextGround::Pill,
            ..self.about(rank, mark)
        }
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
    ) -> (LaneData, Board) {
        let mut board = self.board;
        let whole = Rect { x: Px::ZERO, y: Px::ZERO, w: self.metrics.width, h: height };
        // What must be said may stand wherever the lane has room.
        let musts = board.wishes.iter_mut().filter_map(|wish| wish.anywhere.as_mut());
        musts.for_each(|anywhere| *anywhere = whole);
        let paths = self.paths.into_iter();
        let data = LaneData {
            called: self.words.actor(id.node),
            short: self.metrics.cut_name(&title, self.metrics.name_room()),
            id,
            title,
            subtitle,
            unfolds: None,
            opens: None,
            height,
            paths: paths.map(|(paint, d)| LanePath { paint, d: d.into_string() }).collect(),
            blocks: self.blocks,
        };
        (data, board)
    }
}

/// The beginnings of a text at so many places of a stretch, from left to right.
pub(super) fn along((from, to): (Px, Px), n: i32, y: Px) -> impl Iterator<Item = Place> {
    (0..n).map(move |nth| Place {
        x: from + (to - from).share(nth, n.max(1)),
        anchor: Anchor::Start,
        y,
    })
}
