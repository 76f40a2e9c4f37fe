//! A Raft leader, by the calls of a Raft library. Source: etcd's `raft` package (`Campaign`,
//! `ReadIndex`, `TransferLeadership`).

use crate::sim::lock::RaftLeaderSettings;
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::view_model::systems::live::Live;
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "The library tells it with the change of role",
    defaults,
    takes: "Raft",
    counter: None,
    commands,
};

/// Its time to live is its election timeout.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.raft_leader = RaftLeaderSettings::default();
    let ttl = systems.raft_leader.election_timeout;
    vec![Change::Ttl(ttl), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let elected = |term, client| format!("StateLeader in term {term}, for {client}");
    let (yes, no) = ("a majority has answered", "ErrProposalDropped");
    [
        (
            "node.Campaign(ctx)".to_owned(),
            live.of_asking(elected, "StateFollower", "StateFollower"),
        ),
        ("node.ReadIndex(ctx, key)".to_owned(), live.of_keeping(live.renewed, yes, no)),
        (
            "node.TransferLeadership(ctx, lead, transferee)".to_owned(),
            live.of_keeping(live.released, "MsgTimeoutNow is sent", no),
        ),
    ]
}
