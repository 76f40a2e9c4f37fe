//! Where a client and a node of the lock service are one process: what stops the one stops the
//! other.

use super::super::clock::ClockModel;
use super::super::id::{ClientId, EntrySeq, LockNodeId, NodeId};
use super::super::lock::NodeInput;
use super::super::scenario::{Loses, PauseScope};
use super::super::time::SimTime;
use super::Simulation;

impl Simulation {
    /// The client that runs in one process with a lock node.
    pub(super) fn colocated(&self, node: NodeId) -> Option<ClientId> {
        match node {
            NodeId::Lock(node) if self.scenario.rules().is_colocated => {
                Some(ClientId(node.0)).filter(|client| client.0 < self.scenario.n_clients())
            }
            NodeId::Lock(_) | NodeId::Client(_) | NodeId::Store(_) => None,
        }
    }

    /// Until when a lock node stands still with its client, as far as is known now.
    pub(super) fn stands_still_until(&self, node: NodeId) -> Option<SimTime> {
        let client = self.colocated(node)?;
        let of_all = |scope: PauseScope| scope == PauseScope::Client;
        let pauses = self.pauses.iter();
        let own = pauses.filter(|pause| pause.client == client && of_all(pause.scope));
        own.map(|pause| pause.until).max()
    }

    fn node_of(&self, client: ClientId) -> Option<LockNodeId> {
        let node = LockNodeId(client.0);
        self.colocated(NodeId::Lock(node)).map(|_| node)
    }

    pub(super) fn node_of_client_stops(&mut self, client: ClientId) {
        if let Some(node) = self.node_of(client) {
            self.nodes[usize::from(node.0)].is_down = true;
            self.clock_of_its_node(client, ClockModel::go_on);
        }
    }

    /// Its disk is as it was; what its client had asked of it is forgotten.
    pub(super) fn node_of_client_starts(&mut self, client: ClientId, cause: EntrySeq) {
        if let Some(node) = self.node_of(client) {
            self.nodes[usize::from(node.0)].is_down = false;
            self.at_node(node, NodeInput::Restart(Loses::Leases), Some(cause));
        }
    }

    /// A suspended machine's monotonic clock stands still for both.
    pub(super) fn clock_of_its_node(
        &mut self,
        client: ClientId,
        change: fn(&mut ClockModel, SimTime),
    ) {
        if let Some(node) = self.node_of(client) {
            let slot = &mut self.nodes[usize::from(node.0)];
            change(&mut slot.clock, self.now);
            let (local, cause) = (slot.timer.local, slot.timer.cause);
            self.rekey_node_timer(node, local, cause);
        }
    }
}
