//! A Raft leader, by the calls of a Raft library. Source: etcd's `raft` package (`Campaign`,
//! `ReadIndex`, `TransferLeadership`).

use crate::sim::lock::RaftLeaderSettings;
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::view_model::systems::live::Live;
use crate::view_model::systems::origin;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::transaction::{Transaction, token_and_value};

pub(super) const PRACTICE: Practice = Practice {
    seen: "The library tells it with the change of role",
    token: |_| None,
    defaults,
    whose: "these",
    takes: "Raft",
    counter: None,
    commands,
    transaction,
    origin: |_| [origin::RAFT; 3],
};

/// Its time to live is its election timeout.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.raft_leader = RaftLeaderSettings::default();
    let ttl = systems.raft_leader.election_timeout;
    vec![Change::Ttl(ttl), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let elected = |term, _| format!("StateLeader, term {term}");
    let follows = ("StateFollower", "another leads, or nobody does");
    // Neither call returns a refusal: a node that leads no more hands the message on or drops it.
    let confirmed = ("ReadState", "a majority has answered its heartbeats");
    let silence = ("", "no majority answers it as leader, so no ReadState of its own comes");
    let handed = ("", "nothing is returned; MsgTimeoutNow goes to the other node");
    let dropped = ("", "nothing is returned, and nothing happens: it leads no more");
    [
        ("node.Campaign(ctx)".to_owned(), live.of_asking(elected, follows, follows)),
        ("node.ReadIndex(ctx, key)".to_owned(), live.of_keeping(live.renewed, confirmed, silence)),
        (
            "node.TransferLeadership(ctx, lead, transferee)".to_owned(),
            live.of_keeping(live.released, handed, dropped),
        ),
    ]
}

/// Each node compares the term when it applies the entry.
fn transaction(live: &Live<'_>) -> Transaction {
    let (term, value) = token_and_value(live);
    let text = format!("node.Propose(ctx, []byte(\"in term {term}: put jobs/7 {value}\"))");
    Transaction { text, yes: "", no: "", origin: origin::RAFT }
}
