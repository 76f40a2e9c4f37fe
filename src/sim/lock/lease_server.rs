//! The generic lease server: one node, expiry on time by its own clock, a queue, and a counter as
//! token. It is the textbook's lock service; the named systems differ from it in what is late,
//! what is rounded and what the token is worth.

use super::{Halves, Rules, SystemInfo};
use crate::sim::scenario::{LockSystem, ScenarioSpec};

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::LeaseServer,
    name: "Lease server",
    service: super::LOCK_SERVICE,
    token: "A counter that grows by one with every grant: it can fence",
    fixes: &[],
    fixed: "",
    own: &[],
    rules,
    shape: |_, _, _| {},
    halves: Halves::TABLE,
};

fn rules(spec: &ScenarioSpec) -> Rules {
    Rules::of_lease_server(spec).ending_as_set(spec).for_an_item_as_set(spec)
}
