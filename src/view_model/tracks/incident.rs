//! What befalls a node, as its lane shows it: cut links, clocks that are set, restarts, connections
//! lost. Pauses and crashes of whole clients have tracks of their own.

use std::collections::BTreeSet;

use crate::sim::event::Event;
use crate::sim::id::{ClientId, NodeId, WriteId};
use crate::sim::log::LogEntry;
use crate::sim::time::{ClockShift, SimTime};
use crate::view_model::merge::Span;

use super::{MarkKind, RunTracks};

/// Something that befell a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Incident {
    /// When it began.
    pub from: SimTime,
    /// When it was over; the same instant where it took no time.
    pub to: SimTime,
    /// What it was.
    pub kind: IncidentKind,
    /// Its end is not known yet: `to` is only how far it is seen.
    pub open: bool,
}

/// What befell a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IncidentKind {
    /// Nothing passes between it and this node.
    Cut(NodeId),
    /// Its wall clock was set.
    ClockJump(ClockShift),
    /// The lock service was stopped.
    Down,
    /// A store stopped and came back; whether it has forgotten the highest token.
    StoreRestart(bool),
    /// A client's connection to the service was lost.
    ConnectionLost,
    /// A client's worker died and its renewer did not.
    WorkerDied,
    /// A client's renewer stopped for good.
    RenewerGaveUp,
}

impl Span for Incident {
    fn from(&self) -> SimTime {
        self.from
    }
    fn to(&self) -> SimTime {
        self.to
    }
}

/// The incident that an entry is, and in whose lane it stands: a cut in the client's.
pub(super) fn of(entry: &LogEntry) -> Option<(NodeId, Incident)> {
    let (node, to, kind) = match entry.event {
        Event::LinkCut { to, until, .. } => match (entry.node, to) {
            (NodeId::Client(_), other) => (entry.node, until, IncidentKind::Cut(other)),
            (other, _) => (to, until, IncidentKind::Cut(other)),
        },
        Event::ClockJumped { by, .. } => (entry.node, entry.at, IncidentKind::ClockJump(by)),
        Event::ServiceStopped { until, .. } => (entry.node, until, IncidentKind::Down),
        Event::StoreRestarted { forgot, .. } => {
            (entry.node, entry.at, IncidentKind::StoreRestart(forgot))
        }
        Event::ConnectionLost { .. } => (entry.node, entry.at, IncidentKind::ConnectionLost),
        Event::WorkerCrashed { .. } => (entry.node, entry.at, IncidentKind::WorkerDied),
        Event::RenewerGaveUp { .. } => (entry.node, entry.at, IncidentKind::RenewerGaveUp),
        _ => return None,
    };
    let from = entry.at;
    Some((node, Incident { from, to, kind, open: false }))
}

/// Puts the incident that an entry is, if it is one, in its lane.
pub(super) fn note(entry: &LogEntry, tracks: &mut RunTracks) {
    let Some((node, incident)) = of(entry) else {
        return;
    };
    let list = match node {
        NodeId::Client(client) => &mut tracks.clients[client.index()].incidents,
        NodeId::Lock(_) => &mut tracks.service_incidents,
        NodeId::Store(store) => &mut tracks.stores[usize::from(store.0)].incidents,
    };
    list.push(incident);
}

/// The pieces of work for which the outside has acted.
#[derive(Default)]
pub(super) struct Acted(BTreeSet<(Option<ClientId>, u32, u16)>);

impl Acted {
    /// What an act outside is; `again`: the outside knew the piece and did nothing.
    pub(super) fn kind(&mut self, write: WriteId, again: bool) -> MarkKind {
        match (again, self.0.insert(write.piece())) {
            (true, _) => MarkKind::Ignored,
            (false, true) => MarkKind::Effect,
            (false, false) => MarkKind::EffectTwice,
        }
    }
}
