//! What each lane shows of a run: stretches and instants, in order, folded once from the log and
//! the report. It says nothing of pixels; lanes are drawn from it at every zoom. Two runs whose
//! lane is the same have equal tracks, so nothing here holds a place in a log.

pub mod flight;
mod fold;
pub mod incident;
pub mod nodes;
mod pace;
pub mod shown;

use std::collections::BTreeMap;

use crate::sim::fact::LeaseEnd;
use crate::sim::history::UnitNo;
use crate::sim::id::{ClientId, FaultId, FencingToken};
use crate::sim::scenario::{PauseKind, PauseScope};
use crate::sim::time::{SimDuration, SimTime};

use crate::view_model::drawing::merge::{Instant, Span};
use crate::view_model::drawing::palette::TokenColor;
use flight::Flights;
use incident::Incident;
use nodes::NodeTracks;

/// The tracks of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunTracks {
    /// The lock service's lane.
    pub service: Vec<LeaseSpan>,
    /// What befell the lock service.
    pub service_incidents: Vec<Incident>,
    /// Its single nodes, where it has several.
    pub nodes: Vec<NodeTracks>,
    /// The clients' lanes, A first.
    pub clients: Vec<ClientTracks>,
    /// The stores' lanes.
    pub stores: Vec<StoreTracks>,
    /// The messages.
    pub flights: Flights,
    /// When the run ended.
    pub ends_at: SimTime,
}

/// A granted lease.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeaseSpan {
    /// When it was granted.
    pub from: SimTime,
    /// When it ended, or the run did.
    pub to: SimTime,
    /// Whose it is.
    pub client: ClientId,
    /// Its token.
    pub token: FencingToken,
    /// The colour of both.
    pub color: TokenColor,
    /// How it ended; `None` while it lasts.
    pub ended: Option<LeaseEnd>,
    /// Its time is over, and nobody has acted on its end: a bar of its own.
    pub over: bool,
    /// Where the lock stands for an item: which delivery of it.
    pub delivery: Option<u32>,
    /// Of a majority of keys: the most that it had, of how many.
    pub keys: Option<(u8, u8)>,
}

/// A client's lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClientTracks {
    /// The teeth of the time that is left.
    pub teeth: Vec<Tooth>,
    /// What it believed.
    pub beliefs: Vec<BeliefSpan>,
    /// When it waited in the queue.
    pub waits: Vec<Stretch>,
    /// When parts of it stood still. They can overlap; there are at most as many as faults.
    pub pauses: Vec<PauseSpan>,
    /// When it was dead.
    pub deaths: Vec<DeadSpan>,
    /// What else befell it; at most as many as faults, and its renewer giving up.
    pub incidents: Vec<Incident>,
    /// When it asked for the lock again, and was told nothing new.
    pub polls: Vec<SimTime>,
    /// When it sent something else into a silence, but for the first and the last time.
    pub lost: Vec<SimTime>,
    /// The tokens that it held and since when, at most two, for the lane's label.
    pub tokens: Vec<(SimTime, FencingToken)>,
}

/// The time that is left of a lease, from a grant or a renewal to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tooth {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub to: SimTime,
    /// The lease's colour.
    pub color: TokenColor,
    /// When the lease would end; `None` without a time to live.
    pub until: Option<SimTime>,
}

/// A client's belief that it holds the lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeliefSpan {
    /// Since when.
    pub from: SimTime,
    /// Until when.
    pub to: SimTime,
    /// The colour of what it believes to hold.
    pub color: TokenColor,
    /// From when on it was without a lease.
    pub false_from: Option<SimTime>,
    /// Whether it ended before the run did.
    pub ended: bool,
}

/// A plain stretch of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub to: SimTime,
}

/// A pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PauseSpan {
    /// The fault that made it.
    pub fault: FaultId,
    /// Its begin.
    pub from: SimTime,
    /// Its end, which can lie behind that of the run.
    pub to: SimTime,
    /// What stood still.
    pub scope: PauseScope,
    /// Whether its clocks ran on.
    pub kind: PauseKind,
    /// Its end is not known yet: `to` is only how far it is seen.
    pub open: bool,
}

/// A crash, and what followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadSpan {
    /// The fault that made it.
    pub fault: FaultId,
    /// When it crashed.
    pub from: SimTime,
    /// When it started again, or the run ended.
    pub to: SimTime,
    /// Whether it started again.
    pub restarted: bool,
}

/// A store's lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoreTracks {
    /// Its answers to writes and seals, by what they were.
    pub marks: BTreeMap<MarkKind, Vec<Mark>>,
    /// Its values, one after the other.
    pub values: Vec<ValueSpan>,
    /// How the highest token seen went.
    pub highest: Vec<Raise>,
    /// Whether it checks tokens.
    pub fenced: bool,
    /// Whether tokens grow with every grant, so that one is higher than another.
    pub ordered: bool,
    /// What befell it.
    pub incidents: Vec<Incident>,
}

/// What a store's answer was; drawn in this order, so that damage lies on top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MarkKind {
    /// A write that was applied before, or an act outside that was done before: ignored.
    Ignored,
    /// The outside acted.
    Effect,
    /// A rightful write, accepted.
    Accepted,
    /// The fence was raised by a new holder.
    Sealed,
    /// A write whose grant had ended, accepted, and no harm done.
    Late,
    /// Stopped by the fence: a write or a seal.
    Refused,
    /// A rightful write or seal, refused.
    RefusedRightful,
    /// A stale write accepted, or an update lost.
    Damage,
    /// The outside acted for a piece of work for which it had acted before.
    EffectTwice,
}

/// One answer of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// When.
    pub at: SimTime,
    /// The colour of the token presented.
    pub color: TokenColor,
    /// Who presented it.
    pub client: ClientId,
    /// The token presented.
    pub token: FencingToken,
    /// The fence that refused it.
    pub highest: Option<FencingToken>,
    /// Whether it lost an update.
    pub lost_update: bool,
    /// The unit of work that it belongs to, where it belongs to one.
    pub unit: Option<UnitNo>,
}

/// A value in the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueSpan {
    /// Since when.
    pub from: SimTime,
    /// Until when.
    pub to: SimTime,
    /// Whose write made it.
    pub client: ClientId,
    /// The colour of that write's token.
    pub color: TokenColor,
    /// Whether the fence kept it: a write that would have replaced it was refused.
    pub kept: Option<SimTime>,
    /// Whether the write that replaced it lost it: it was stale, or had not read it.
    pub torn: bool,
}

/// A step of the highest token seen: mostly up; down where a store forgets it or overwrites it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raise {
    /// When.
    pub at: SimTime,
    /// To which token; `None`: it was forgotten.
    pub token: Option<FencingToken>,
    /// Its place among all tokens that this store has seen; 0 for none.
    pub level: u32,
}

macro_rules! spans {
    ($($span:ty),*) => {$(
        impl Span for $span {
            fn from(&self) -> SimTime {
                self.from
            }
            fn to(&self) -> SimTime {
                self.to
            }
        }
    )*};
}

spans!(LeaseSpan, Tooth, BeliefSpan, Stretch, PauseSpan, DeadSpan, ValueSpan);

impl Instant for Mark {
    fn at(&self) -> SimTime {
        self.at
    }
}

impl Instant for Raise {
    fn at(&self) -> SimTime {
        self.at
    }
}

impl StoreTracks {
    /// What the answer was that a client's write, seal or act outside had there, if it was refused
    /// or did damage.
    pub fn decided(&self, client: ClientId, at: SimTime) -> Option<MarkKind> {
        let kinds =
            [MarkKind::Refused, MarkKind::RefusedRightful, MarkKind::Damage, MarkKind::EffectTwice];
        kinds.into_iter().find(|kind| {
            let marks = self.marks.get(kind).map_or(&[][..], Vec::as_slice);
            let first = marks.partition_point(|mark| mark.at < at);
            let mut then = marks[first..].iter().take_while(|mark| mark.at == at);
            then.any(|mark| mark.client == client)
        })
    }
}

impl BeliefSpan {
    /// How long it believed without a lease.
    pub fn false_for(&self) -> Option<SimDuration> {
        Some(self.to.since(self.false_from?.max(self.from)))
    }
}
