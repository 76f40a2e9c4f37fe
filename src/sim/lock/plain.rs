//! A plain lock: no time to live. A holder that dies keeps it for ever. It does hand out growing
//! tokens, so that the same fence can stand behind it.

use super::lease_table::LeaseTable;
use super::{NodeInput, Rules, SystemInfo};
use crate::sim::effect::Effects;
use crate::sim::scenario::{LockSystem, Scenario, ScenarioSpec};
use crate::sim::time::LocalTime;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Plain,
    name: "Plain lock",
    token: "A counter that grows by one: it can fence. A dead holder keeps the lock",
    fixes: &[],
    fixed: "",
    rules,
    shape: |_, _, _| {},
};

fn rules(spec: &ScenarioSpec) -> Rules {
    Rules { has_ttl: false, ..Rules::of_lease_server(spec) }
}

/// The lock's one node.
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
