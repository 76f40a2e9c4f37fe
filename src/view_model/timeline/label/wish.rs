//! What is to be said on the timeline: a text with its wordings, the places that it may stand at,
//! and how much it matters. Whoever wishes knows his own lane; what else stands there the placer
//! knows.

use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::Px;

/// Kinds of texts; those before are placed first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    /// How long a client believed and was right, in its bar.
    Belief,
    /// What a store's answer was.
    Answer,
    /// How long a pause lasts.
    Pause,
    /// What else befell a node.
    Fault,
    /// How long a client believed without a lease.
    StillBelieves,
    /// What a message says.
    Message,
    /// Whose lease it is, and how long.
    Lease,
    /// Whose value it is, and how long.
    Value,
    /// The highest token seen.
    Highest,
    /// How long a client waited.
    Wait,
    /// How many of a kind there are.
    Count,
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
    /// In ink.
    Ink,
    /// In ink, bold.
    Strong,
    /// Damage: red, bold.
    Bad,
    /// The same, of less weight.
    BadPlain,
    /// Late or refused although rightful: amber, bold.
    Warning,
}

impl TextStyle {
    /// Whether it is bold.
    pub fn is_strong(self) -> bool {
        match self {
            Self::Plain | Self::Ink | Self::BadPlain => false,
            Self::Strong | Self::Bad | Self::Warning => true,
        }
    }
}

/// What lies under a text, so that arrows and hatches do not run through it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextGround {
    /// Nothing: it stands on a bar of one colour, or where nothing is.
    Clear,
    /// The colour of a lane.
    Card,
    /// That of a store's lane whose run came to damage.
    Bad,
    /// To something else that is not well.
    Warned,
    /// To nothing bad.
    Safe,
    /// The colour of a value's bar.
    Value(TokenColor),
    /// A plate with a rim.
    Pill,
}

/// What a place is taken by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// A handle, a button, or a name: nothing may lie under or over it.
    Handle,
    /// A mark, a fence, a disc.
    Mark,
    /// The bar of a belief.
    Belief,
    /// The bar of a lease.
    Lease,
    /// The bar of a value.
    Value,
    /// Ticks of what goes to and fro.
    Ticks,
}

/// A place that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// By what.
    pub by: Thing,
    /// What it covers.
    pub rect: Rect,
}

/// What a text is about: who points at it is told what found no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Area {
    /// A bar or a mark.
    Rect(Rect),
    /// An arrow, from one end to the other.
    Line((Px, Px), (Px, Px)),
}

/// Where a text may stand: the left end, middle or right end of its ground, and the upper edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where it is anchored.
    pub x: Px,
    /// Which end of the ground lies there.
    pub anchor: Anchor,
    /// The ground's upper edge.
    pub y: Px,
}

/// A way to say it: in one row or, with a line break, in two; behind it a quieter part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The text.
    pub text: String,
    /// What follows it in the same row.
    pub tail: String,
}

impl From<String> for Wording {
    fn from(text: String) -> Self {
        Self { text, tail: String::new() }
    }
}

/// Something that is to be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    /// How early it is placed.
    pub rank: Rank,
    /// What it is about.
    pub about: Area,
    /// How to say it, the best first.
    pub words: Vec<Wording>,
    /// Where it may stand, the best first.
    pub places: Vec<Place>,
    /// Left and right edge of what it may not leave.
    pub bounds: (Px, Px),
    /// What of its places are taken by may lie under it.
    pub over: &'static [Thing],
    /// How it looks.
    pub style: TextStyle,
    /// What lies under it.
    pub ground: TextGround,
    /// The height of the ground, where it is not that of a usual one.
    pub height: Option<Px>,
    /// Where it may stand if no place of its own is free; only for what is never left out.
    pub anywhere: Option<Rect>,
}

impl Wish {
    /// The same, lower.
    fn lowered(mut self, by: Px) -> Self {
        let lower = |rect: Rect| Rect { y: rect.y + by, ..rect };
        self.about = match self.about {
            Area::Rect(rect) => Area::Rect(lower(rect)),
            Area::Line(from, to) => Area::Line((from.0, from.1 + by), (to.0, to.1 + by)),
        };
        self.places.iter_mut().for_each(|place| place.y = place.y + by);
        self.anywhere = self.anywhere.map(lower);
        self
    }

    /// Room left and right of the words.
    pub(super) fn pad(&self, metrics: &Metrics) -> Px {
        match self.ground {
            TextGround::Pill => metrics.px(8),
            TextGround::Clear => Px::ZERO,
            TextGround::Card | TextGround::Bad | TextGround::Warned | TextGround::Safe => {
                metrics.px(4)
            }
            TextGround::Value(_) => metrics.px(3),
        }
    }
}

/// A text at its place, in the coordinates of the whole timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Which kind.
    pub rank: Rank,
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
    /// What follows it, quieter.
    pub tail: String,
    /// What it covers with its ground.
    pub rect: Rect,
}

/// What wants to be said and what is taken: of one lane, then of all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// What is to be said.
    pub wishes: Vec<Wish>,
    /// What is taken.
    pub taken: Vec<Taken>,
}

impl Board {
    /// Notes that a place is taken.
    pub fn take(&mut self, by: Thing, rect: Rect) {
        self.taken.push(Taken { by, rect });
    }

    /// Takes over what stands on another board, lower.
    pub fn put(&mut self, other: Self, by: Px) {
        self.wishes.extend(other.wishes.into_iter().map(|wish| wish.lowered(by)));
        let lower =
            |taken: Taken| Taken { rect: Rect { y: taken.rect.y + by, ..taken.rect }, ..taken };
        self.taken.extend(other.taken.into_iter().map(lower));
    }
}
