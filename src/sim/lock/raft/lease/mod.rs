//! A lease service on top of Raft: each node applies the commands that a majority has to a lease
//! table of its own, so that the loss of the leader loses no lease, no waiter and no token. What it
//! has of settings; `node` is the node half, `client` the client half, `history` the record.
//!
//! Sources: Ongaro 2014, 6.2 (finding the leader, a leader without a majority gives up) and 6.3 (a
//! command that is sent again is answered as before); etcd, `server/lease/lessor.go` (`Promote`
//! begins every lease anew; the leader judges that one is over and proposes its end).

pub(in crate::sim::lock) mod client;
pub mod history;
pub(in crate::sim::lock) mod node;

use crate::sim::clock::ClockKind;
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::lock::{
    Fixed, Halves, Lateness, LockClient, LockNode, Observer, Reentry, Rules, SystemInfo,
    TokenWorth, TtlRule, by_library,
};
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, LockSystem, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;
use history::History;

pub(in crate::sim::lock) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::RaftLease,
    name: "Raft lease service",
    service: "Raft",
    token: "A counter that a majority of the nodes has: it outlives any one of them. It can fence",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::Item,
        Fixed::Ends,
        Fixed::Late,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Wait,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::Identity,
    ],
    fixed: "The replicated service settles this itself",
    own: RaftLeaseSettings::OWN,
    rules,
    shape,
    halves: Halves {
        node: |scenario, id| LockNode::RaftLease(Box::new(node::Node::new(scenario, id))),
        client: |scenario, _| LockClient::FindsLeader(Box::new(client::ClientHalf::new(scenario))),
        observer: |_| Observer::Log(History::default()),
    },
};

own_settings! {
    /// What only a Raft-backed lease service has.
    pub struct RaftLeaseSettings in raft_lease {
        /// Number of nodes, 1 to 9. Default 3.
        pub nodes: u8 = 3, in 1, limits::MAX_LOCK_NODES, none "a number of nodes";
        /// How often the leader says that it lives. Default 200 ms: a round trip.
        pub heartbeat: SimDuration = SimDuration::from_millis(200),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// The least time without a leader until a node asks for votes; at most twice that. Default
        /// 2 s: ten round trips.
        pub election_timeout: SimDuration = SimDuration::from_secs(2),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// Whether a node that hears a leader votes for nobody else meanwhile. Default on.
        pub sticky: bool = true, neutral true;
        /// Whether a leader that hears of no majority for an election timeout gives up. Default on.
        pub check_quorum: bool = true, neutral true;
        /// How long a client waits for the node that it asked before it asks the next one. Default
        /// 1 s.
        pub request_timeout: SimDuration = SimDuration::from_secs(1),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let own = &spec.systems.raft_lease;
    Rules {
        ttl: TtlRule::AS_ASKED,
        // What is proposed stands when a majority has it: a message there and one back.
        lateness: Lateness::Agreed { commit: spec.latency.times(2) },
        refreshes_by: Some(SimDuration::ZERO),
        worth: TokenWorth::Ordered,
        token_source: TokenSource::Counter,
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Monotonic,
        connection_bound: false,
        two_steps: false,
        waiter_check: false,
        // An election takes up to two timeouts, and votes may split; then every node is tried, by
        // a waiter not before it asks for its place.
        asking: own.election_timeout.times(6)
            + own.request_timeout.times(u64::from(own.nodes) + 5)
            + spec.latency.times(8),
        n_nodes: own.nodes,
        // The value lies beside no one node.
        holds_values: false,
        answers_stores: false,
        reentry: Reentry::Never,
        ..Rules::of_lease_server(spec)
    }
}

/// Its clients have no session apart from the lease, and wait in the replicated queue.
fn shape(_spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, false, Wait::Queue);
}
