//! The lanes of a lock service's single nodes, where it has several: whose key a node holds, when
//! it keeps out, what befell it. It decides nothing: whether keys make a grant, the log says.

use std::collections::BTreeMap;

use crate::sim::fact::LeaseEnd;
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;
use crate::sim::world::{LockNodeState, NodeWork};
use crate::view_model::drawing::merge::Span;
use crate::view_model::drawing::palette::TokenColor;

use super::RunTracks;
use super::incident::Incident;

/// A node's lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeTracks {
    /// What it was at, one after the other.
    pub spans: Vec<NodeSpan>,
    /// What befell it.
    pub incidents: Vec<Incident>,
}

/// What a node was at for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeSpan {
    /// Since when.
    pub from: SimTime,
    /// Until when.
    pub to: SimTime,
    /// What it was.
    pub what: NodeDoes,
    /// Whether it ended before the run did.
    pub ended: bool,
}

/// What a node is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeDoes {
    /// It holds a client's key.
    Key {
        /// Whose.
        client: ClientId,
        /// Its value.
        token: FencingToken,
        /// The grant's colour; `None`: it became none.
        color: Option<TokenColor>,
        /// How it went.
        how: Option<LeaseEnd>,
    },
    /// It is back, and answers nobody.
    KeepsOut,
    /// It leads for its client.
    Leads {
        /// Whose it is.
        client: ClientId,
        /// In which term.
        term: FencingToken,
        /// The grant's colour.
        color: Option<TokenColor>,
    },
    /// It asks for votes.
    Campaigns(FencingToken),
    /// It leads a lease service, as it believes, in this term.
    LeadsService(FencingToken),
}

impl Span for NodeSpan {
    fn from(&self) -> SimTime {
        self.from
    }
    fn to(&self) -> SimTime {
        self.to
    }
}

/// A lane for each node; none where the service is one node.
pub(super) fn lanes(run: &Recording) -> Vec<NodeTracks> {
    let rules = run.scenario().rules();
    // A copy that waits has nothing of its own to show.
    let n_nodes = if rules.has_standby { 1 } else { usize::from(rules.n_nodes) };
    vec![NodeTracks::default(); if n_nodes > 1 { n_nodes } else { 0 }]
}

impl NodeTracks {
    /// Draws what became of a node at an entry.
    pub(super) fn follow(&mut self, before: &LockNodeState, now: &LockNodeState, at: SimTime) {
        if before.keeps_out_until != now.keeps_out_until
            && let Some(until) = now.keeps_out_until
        {
            // A key that it has kept goes on behind it and is over before.
            self.begin(at, NodeDoes::KeepsOut);
            self.end(until);
        }
        if before.works == now.works {
            return;
        }
        match now.works.map(|(_, what)| what) {
            None => {
                self.end(at);
            }
            Some(NodeWork::Key { gone: Some(why), .. }) => {
                if let Some(NodeSpan { what: NodeDoes::Key { how, .. }, .. }) = self.end(at) {
                    *how = Some(why);
                }
            }
            Some(NodeWork::Key { client, token, gone: None }) => {
                self.begin(at, NodeDoes::Key { client, token, color: None, how: None });
            }
            Some(NodeWork::Campaigns(term)) => {
                // A candidate gives up in silence: only when it asked is known.
                self.begin(at, NodeDoes::Campaigns(term));
                self.end(at);
            }
            Some(NodeWork::Leads { client, term }) => {
                self.begin(at, NodeDoes::Leads { client, term, color: None });
            }
            Some(NodeWork::LeadsService(term)) => self.begin(at, NodeDoes::LeadsService(term)),
        }
    }

    fn begin(&mut self, at: SimTime, what: NodeDoes) {
        self.end(at);
        self.spans.push(NodeSpan { from: at, to: at, what, ended: false });
    }

    fn end(&mut self, at: SimTime) -> Option<&mut NodeSpan> {
        let open = self.spans.last_mut().filter(|span| !span.ended)?;
        (open.to, open.ended) = (at, true);
        Some(open)
    }
}

/// Ends what is open when the run is over, and gives what led to a grant the grant's colour.
pub(super) fn close(nodes: &mut [NodeTracks], run: &Recording) {
    let spans = nodes.iter_mut().flat_map(|node| &mut node.spans);
    let mut grants: Option<BTreeMap<(ClientId, FencingToken), TokenColor>> = None;
    for span in spans {
        if !span.ended {
            span.to = run.ends_at();
        }
        if let NodeDoes::Key { client, token, color, .. }
        | NodeDoes::Leads { client, term: token, color } = &mut span.what
        {
            let grants = grants.get_or_insert_with(|| {
                let made = run.grants().iter().filter(|record| !record.is_over_when_made());
                made.map(|it| ((it.client, it.token), TokenColor::of(it.grant))).collect()
            });
            *color = grants.get(&(*client, *token)).copied();
        }
    }
}

/// Says of each lease how many of the nodes' keys it had.
pub(super) fn count(tracks: &mut RunTracks) {
    let Ok(of @ 1..) = u8::try_from(tracks.nodes.len()) else {
        return;
    };
    for lease in &mut tracks.service {
        let is_its = |span: &NodeSpan| match span.what {
            NodeDoes::Key { client, token, .. } => (client, token) == (lease.client, lease.token),
            NodeDoes::KeepsOut
            | NodeDoes::Leads { .. }
            | NodeDoes::LeadsService(_)
            | NodeDoes::Campaigns(_) => false,
        };
        let with_key = tracks.nodes.iter().filter(|node| node.spans.iter().any(is_its)).count();
        lease.keys = u8::try_from(with_key).ok().filter(|n| *n > 0).map(|n_keys| (n_keys, of));
    }
}
