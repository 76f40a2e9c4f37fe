//! The controls of a Raft leader.

use crate::sim::limits::{MAX_LOCK_NODES, MIN_INTERVAL};
use crate::sim::lock::{RaftLeaderSettings, Reads};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::controls::field;
use crate::view_model::controls::{Control, ToChange};
use crate::view_model::words::wording::duration;

fn reads(reads: Reads) -> &'static str {
    match reads {
        Reads::Plain => "As it believes",
        Reads::Lease => "By its leader lease",
        Reads::Index => "It asks a majority",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let own = &spec.systems.raft_leader;
    let most = i64::try_from(MAX_LOCK_NODES).unwrap_or(i64::MAX);
    let to_nodes = ToChange::new(Change::Systems(spec.systems.clone()), |change, n: i64| {
        if let Change::Systems(all) = change {
            all.raft_leader.nodes = u8::try_from(n).unwrap_or(1);
        }
    })
    .keyed("nodes");
    let to_reads = field!(spec, raft_leader.reads);
    let kinds = [Reads::Plain, Reads::Lease, Reads::Index];
    vec![
        Control::count("Nodes", None, i64::from(own.nodes), (1, most), to_nodes)
            .hinted("Each client runs in one process with one of them"),
        Control::length("Heartbeat every", None, own.heartbeat, MIN_INTERVAL, {
            field!(spec, raft_leader.heartbeat)
        }),
        Control::length("Election timeout", None, own.election_timeout, MIN_INTERVAL, {
            field!(spec, raft_leader.election_timeout)
        })
        .hinted("At least so long without a leader, and at most twice that"),
        Control::turn(
            "Voters keep to a leader",
            None,
            own.sticky,
            &field!(spec, raft_leader.sticky),
        )
        .hinted("Who hears a leader votes for nobody else meanwhile"),
        Control::choice("A leader says that it leads", None, own.reads, &kinds, reads, to_reads)
            .hinted("Where clients ask before they write. As it believes: a deposed one says yes"),
        Control::length("Lease margin", None, own.lease_margin, SimDuration::ZERO, {
            field!(spec, raft_leader.lease_margin)
        })
        .hinted("For clocks that do not run alike"),
    ]
}

pub(super) fn setting(own: &RaftLeaderSettings) -> Vec<String> {
    let usual = RaftLeaderSettings::default();
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
    note(own.reads != usual.reads, format!("says that it leads: {}", reads(own.reads)));
    let margin = format!("lease margin {}", duration(own.lease_margin));
    note(own.lease_margin != usual.lease_margin, margin);
    parts
}
