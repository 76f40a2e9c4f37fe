//! The controls of a Raft-backed lease service.

use crate::sim::limits::{MAX_LOCK_NODES, MIN_INTERVAL};
use crate::sim::lock::RaftLeaseSettings;
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::view_model::controls::field;
use crate::view_model::controls::{Control, ToChange};
use crate::view_model::words::wording::duration;

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let own = &spec.systems.raft_lease;
    let most = i64::try_from(MAX_LOCK_NODES).unwrap_or(i64::MAX);
    let to_nodes = ToChange::new(Change::Systems(spec.systems.clone()), |change, n: i64| {
        if let Change::Systems(all) = change {
            all.raft_lease.nodes = u8::try_from(n).unwrap_or(1);
        }
    })
    .keyed("nodes");
    vec![
        Control::count("Nodes", None, i64::from(own.nodes), (1, most), to_nodes)
            .hinted("A majority of them must have a lease before it is granted"),
        Control::length("Heartbeat every", None, own.heartbeat, MIN_INTERVAL, {
            field!(spec, raft_lease.heartbeat)
        }),
        Control::length("Election timeout", None, own.election_timeout, MIN_INTERVAL, {
            field!(spec, raft_lease.election_timeout)
        })
        .hinted("At least so long without a leader, and at most twice that"),
        Control::turn(
            "Voters keep to a leader",
            None,
            own.sticky,
            &field!(spec, raft_lease.sticky),
        )
        .hinted("Who hears a leader votes for nobody else meanwhile"),
        Control::turn(
            "Leader needs a majority",
            None,
            own.check_quorum,
            &field!(spec, raft_lease.check_quorum),
        )
        .hinted("One that hears none for an election timeout gives up, and says so"),
        Control::length("Clients wait for a node", None, own.request_timeout, MIN_INTERVAL, {
            field!(spec, raft_lease.request_timeout)
        })
        .hinted("Then they ask the next one"),
    ]
}

pub(super) fn setting(own: &RaftLeaseSettings) -> Vec<String> {
    let usual = RaftLeaseSettings::default();
    let mut parts = Vec::new();
    let mut note = |differs: bool, text: String| {
        if differs {
            parts.push(text);
        }
    };
    note(own.nodes != usual.nodes, format!("{} nodes", own.nodes));
    let heartbeat = format!("heartbeat {}", duration(own.heartbeat));
    note(own.heartbeat != usual.heartbeat, heartbeat);
    let timeout = format!("election timeout {}", duration(own.election_timeout));
    note(own.election_timeout != usual.election_timeout, timeout);
    note(!own.sticky, "voters keep to nobody".to_owned());
    note(!own.check_quorum, "a leader without a majority stays".to_owned());
    let wait = format!("clients wait {} for a node", duration(own.request_timeout));
    note(own.request_timeout != usual.request_timeout, wait);
    parts
}
