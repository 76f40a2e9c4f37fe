//! A Raft-backed lease service, by Hazelcast's CP Subsystem: a `FencedLock` lives in a Raft group,
//! its fence grows with every holder, and a session that the client keeps alive stands behind it.
//! Sources: Hazelcast's documentation, “CP Subsystem”, and `CPSubsystemConfig.java` (a session of
//! 5 min, a heartbeat every 5 s), the javadoc of `FencedLock`.

use crate::sim::lock::RaftLeaseSettings;
use crate::sim::scenario::{Change, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};

pub(super) const PRACTICE: Practice = Practice {
    seen: "In Hazelcast's CP Subsystem, what lockAndGetFence() returns",
    token: |_| None,
    defaults,
    whose: "these",
    takes: "A Raft group",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::HAZELCAST; 3],
};

fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.raft_lease = RaftLeaseSettings::default();
    vec![
        Change::Ttl(SimDuration::from_secs(300)),
        Change::Renew(Renew::Every(SimDuration::from_secs(5))),
        Change::Wait(Wait::Queue),
        Change::Systems(systems),
    ]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let ttl = live.ttl_secs();
    let lost = "LockOwnershipLostException";
    [
        (
            "long fence = hz.getCPSubsystem().getLock(\"job-7\").lockAndGetFence()".to_owned(),
            live.of_asking(
                |fence, _| fence.to_string(),
                ("", "it waits"),
                ("", "the grant is over, it asks again"),
            ),
        ),
        (
            format!("// by itself: a heartbeat of the session; session-time-to-live-seconds {ttl}"),
            live.of_keeping(
                live.renewed,
                ("", "the session lives on"),
                ("", "the session is closed"),
            ),
        ),
        ("lock.unlock()".to_owned(), live.of_keeping(live.released, ("", "free"), (lost, "lost"))),
    ]
}
