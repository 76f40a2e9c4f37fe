//! What befalls a node, as its lane shows it: cut links, clocks that are set, restarts, connections
//! lost. Pauses and crashes of whole clients have tracks of their own.

use std::collections::BTreeSet;

use crate::sim::id::{ClientId, NodeId, WriteId};
use crate::sim::log::LogEntry;
use crate::sim::time::SimTime;
use crate::view_model::drawing::merge::Span;
use crate::view_model::facts;
pub use crate::view_model::facts::IncidentKind;

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

impl Span for Incident {
    fn from(&self) -> SimTime {
        self.from
    }
    fn to(&self) -> SimTime {
        self.to
    }
}

/// The incident that an entry is, and in whose lane it stands: a cut in the client's.
fn of(entry: &LogEntry) -> Option<(NodeId, Incident)> {
    let (at, node) = (entry.at, entry.node());
    let (kind, until) = facts::incident(at, &entry.fact)?;
    let (node, kind) = match (node, kind) {
        (NodeId::Lock(_) | NodeId::Store(_), IncidentKind::Cut(to)) => {
            (to, IncidentKind::Cut(node))
        }
        _ => (node, kind),
    };
    Some((node, Incident { from: at, to: until.unwrap_or(at), kind, open: false }))
}

/// Puts the incident that an entry is, if it is one, in its lane. Of one of several nodes of the
/// service it stands in the node's own lane, too, and a cut between two of them in both.
pub(super) fn note(entry: &LogEntry, tracks: &mut RunTracks) {
    let Some((node, incident)) = of(entry) else {
        return;
    };
    let mut at_node = |node: NodeId, incident: Incident| {
        if let NodeId::Lock(id) = node
            && let Some(node) = tracks.nodes.get_mut(usize::from(id.0))
        {
            node.incidents.push(incident);
        }
    };
    at_node(node, incident);
    if let IncidentKind::Cut(other) = incident.kind
        && !matches!(node, NodeId::Client(_))
    {
        at_node(other, Incident { kind: IncidentKind::Cut(node), ..incident });
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GalleryEntry;
    use crate::sim::Recording;
    use crate::sim::fact::{Fact, FaultFact};
    use crate::sim::id::{EntrySeq, FaultId, LockNodeId};

    #[test]
    fn a_cut_between_two_nodes_stands_in_both_lanes_with_the_other_one() {
        let entry = GalleryEntry::find("redlock-restart").expect("it has several nodes");
        let mut tracks = RunTracks::of(&Recording::of(&entry.file().base().expect("it is valid")));
        tracks.nodes.iter_mut().for_each(|node| node.incidents.clear());
        let (one, two) = (NodeId::Lock(LockNodeId(0)), NodeId::Lock(LockNodeId(1)));
        let cut = FaultFact::LinkCut { node: one, to: two, until: SimTime::from_millis(1) };
        let fact = Fact::Fault(FaultId(1), cut);
        note(&LogEntry { at: SimTime::ZERO, seq: EntrySeq(0), cause: None, fact }, &mut tracks);
        let others = tracks.nodes.iter().map(|node| node.incidents.iter().map(|it| it.kind));
        let others: Vec<Vec<_>> = others.map(Iterator::collect).collect();
        let cut = |other| vec![IncidentKind::Cut(other)];
        assert_eq!(others[..3], [cut(two), cut(one), Vec::new()]);
    }
}
