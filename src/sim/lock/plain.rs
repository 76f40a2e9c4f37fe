//! A plain lock: no time to live. A holder that dies keeps it for ever. It does hand out growing
//! tokens, so that the same fence can stand behind it.

use super::{Halves, Rules, SystemInfo};
use crate::sim::scenario::{LockSystem, ScenarioSpec};

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Plain,
    name: "Plain lock",
    service: super::LOCK_SERVICE,
    token: "A counter that grows by one: it can fence. A dead holder keeps the lock",
    fixes: &[],
    fixed: "",
    own: &[],
    rules,
    shape: |_, _, _| {},
    halves: Halves::TABLE,
};

fn rules(spec: &ScenarioSpec) -> Rules {
    Rules { has_ttl: false, ..Rules::of_lease_server(spec) }.for_an_item_as_set(spec)
}
