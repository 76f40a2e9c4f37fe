//! The generic lease server: one node, expiry on time by its own clock, a queue, and a counter as
//! token. It is the textbook's lock service; the named systems differ from it in what is late,
//! what is rounded and what the token is worth.

use super::lease_table::LeaseTable;
use super::{NodeInput, Rules, SystemInfo};
use crate::sim::effect::Effects;
use crate::sim::scenario::{LockSystem, Scenario};
use crate::sim::time::LocalTime;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::LeaseServer,
    name: "Lease server",
    token: "A counter that grows by one with every grant: it can fence",
    fixes: &[],
    fixed: "",
    rules: Rules::of_lease_server,
    shape: |_, _, _| {},
};

/// The server's one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    table: LeaseTable,
}

impl Node {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { table: LeaseTable::new(scenario) }
    }

    pub(super) fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        self.table.handle(now, input, effects);
    }
}
