//! What a fault did, and to whom: the facts, whom each befell, and its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::scenario::{Loses, PauseKind, PauseScope};
use crate::sim::time::{ClockShift, SimTime};

/// What a fault did, and to whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultFact {
    /// The client stands still until `until`, or until a later pause that joins this one ends.
    Paused { client: ClientId, scope: PauseScope, kind: PauseKind, until: SimTime },
    /// The client lost all it knew.
    Crashed { client: ClientId },
    /// The client started again, knowing nothing.
    Restarted { client: ClientId },
    /// The worker died; its client's renewer lives on.
    WorkerCrashed { client: ClientId },
    /// The connection to the service was lost and made anew; the client was not told.
    ConnectionLost { client: ClientId },
    /// Nothing passes between these two nodes until then.
    LinkCut { node: NodeId, to: NodeId, until: SimTime },
    /// The link is back.
    LinkRestored { node: NodeId, to: NodeId },
    /// This node's wall clock was set.
    ClockJumped { node: NodeId, by: ClockShift },
    /// The node of the lock service stopped.
    ServiceStopped { node: LockNodeId, until: SimTime },
    /// The node of the lock service is back.
    ServiceBack { node: LockNodeId, loses: Loses },
    /// The store stopped and came back; whether it has forgotten the highest token.
    StoreRestarted { store: StoreId, forgot: bool },
}

/// A pause as it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paused {
    pub client: ClientId,
    pub scope: PauseScope,
    pub kind: PauseKind,
    pub until: SimTime,
}

/// A link that is cut or is back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    pub one: NodeId,
    pub other: NodeId,
    pub is_cut: bool,
}

impl FaultFact {
    /// The pause that begins.
    pub fn paused(self) -> Option<Paused> {
        let Self::Paused { client, scope, kind, until } = self else {
            return None;
        };
        Some(Paused { client, scope, kind, until })
    }

    /// The client that crashes as a whole.
    pub fn crashed(self) -> Option<ClientId> {
        let Self::Crashed { client } = self else {
            return None;
        };
        Some(client)
    }

    /// The client that starts again.
    pub fn restarted(self) -> Option<ClientId> {
        let Self::Restarted { client } = self else {
            return None;
        };
        Some(client)
    }

    /// The link that is cut or is back.
    pub fn link(self) -> Option<Link> {
        if let Self::LinkCut { node: one, to: other, .. } = self {
            return Some(Link { one, other, is_cut: true });
        }
        let Self::LinkRestored { node: one, to: other } = self else {
            return None;
        };
        Some(Link { one, other, is_cut: false })
    }

    /// The client whose worker dies of it.
    pub fn kills(self) -> Option<ClientId> {
        match self {
            Self::Crashed { client } | Self::WorkerCrashed { client } => Some(client),
            Self::Paused { .. }
            | Self::Restarted { .. }
            | Self::ConnectionLost { .. }
            | Self::LinkCut { .. }
            | Self::LinkRestored { .. }
            | Self::ClockJumped { .. }
            | Self::ServiceStopped { .. }
            | Self::ServiceBack { .. }
            | Self::StoreRestarted { .. } => None,
        }
    }

    /// The node that it befell: of a link, the one that the fault names first.
    pub fn node(self) -> NodeId {
        match self {
            Self::Paused { client, .. }
            | Self::Crashed { client }
            | Self::Restarted { client }
            | Self::WorkerCrashed { client }
            | Self::ConnectionLost { client } => NodeId::Client(client),
            Self::LinkCut { node, .. }
            | Self::LinkRestored { node, .. }
            | Self::ClockJumped { node, .. } => node,
            Self::ServiceStopped { node, .. } | Self::ServiceBack { node, .. } => {
                NodeId::Lock(node)
            }
            Self::StoreRestarted { store, .. } => NodeId::Store(store),
        }
    }
}

impl fmt::Display for FaultFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paused { scope, until, .. } => {
                write!(f, "pauses ({}) until {until}", super::scope_name(*scope))
            }
            Self::Crashed { .. } => f.write_str("crashes"),
            Self::Restarted { .. } => f.write_str("starts again"),
            Self::WorkerCrashed { .. } => f.write_str("loses its worker"),
            Self::LinkCut { to, until, .. } => write!(f, "is cut off from {to} until {until}"),
            Self::LinkRestored { to, .. } => write!(f, "reaches {to} again"),
            Self::ClockJumped { by, .. } => write!(f, "sets its wall clock by {by}"),
            Self::ServiceStopped { until, .. } => write!(f, "stops until {until}"),
            Self::ServiceBack { loses, .. } => {
                f.write_str("is back")?;
                match loses {
                    Loses::Nothing => Ok(()),
                    Loses::Leases => f.write_str(" without its leases"),
                    Loses::Everything => f.write_str(" without leases and counter"),
                    Loses::SinceSnapshot => f.write_str(" as it was at its last snapshot"),
                }
            }
            Self::StoreRestarted { forgot: true, .. } => {
                f.write_str("restarts and forgets the highest token")
            }
            Self::StoreRestarted { forgot: false, .. } => f.write_str("restarts"),
            Self::ConnectionLost { .. } => f.write_str("loses its connection to the service"),
        }
    }
}
