//! Redlock: N Redis nodes that know nothing of one another, each with a key that one client can set
//! (`SET key value NX PX ttl`) and that ends by the node's own wall clock. A client that has set a
//! majority of the keys, and has time left by its own count, believes that it holds the lock.
//!
//! Sources: redis.io, “Distributed Locks with Redis” (the algorithm, 5 nodes, random retry, the
//! drift of 1 % of the time to live and 2 ms, “crash recovery and fsync”); redsync `redsync.go`
//! (5 % of the time to live as a node's timeout) and `mutex.go`; node-redlock `index.ts` (200 ms
//! between tries, 100 ms jitter); M. Kleppmann 2016, “How to do distributed locking”; S. Sanfilippo
//! 2016, “Is Redlock safe?”.

pub(super) mod client;
pub(super) mod majority;
pub(super) mod node;
mod round;

use super::{
    Fixed, Halves, LockClient, LockNode, Observer, Reentry, Rules, SystemInfo, TokenWorth,
    by_library,
};
use crate::sim::clock::ClockKind;
use crate::sim::form::choices;
use crate::sim::id::{ClientId, FencingToken, NodeId, RequestNo};
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::prng::{Purpose, random};
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, LockSystem, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Redlock,
    name: "Redlock",
    service: "Redlock",
    token: "None: each key holds a random value, which says nothing about order. It cannot fence",
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
    fixed: "Redlock settles this itself",
    own: RedlockSettings::OWN,
    rules,
    shape,
    halves: Halves {
        node: |scenario, _| LockNode::Redlock(node::Node::new(scenario)),
        client: |scenario, id| LockClient::Redlock(Box::new(client::ClientHalf::new(scenario, id))),
        observer: |scenario| Observer::Keys(majority::Majority::of(scenario.rules().n_nodes)),
    },
};

own_settings! {
    /// What only Redlock has.
    pub struct RedlockSettings in redlock {
        /// Number of its nodes, 1 to 9. Default 5.
        pub nodes: u8 = 5, in 1, limits::MAX_LOCK_NODES, none "a number of nodes";
        /// Whether a node's keys are on disk before it answers. Default: they are in memory only.
        pub persistence: Persistence = Persistence::Memory, neutral Persistence::Memory;
        /// Whether a node that was away keeps out for one time to live when it is back. Default
        /// off.
        pub delayed_restart: bool = false, neutral false;
        /// In which order a client asks. Default: all at once.
        pub order: AskOrder = AskOrder::AtOnce, neutral AskOrder::AtOnce;
        /// How long a client waits for one node. Default 500 ms: 5 % of 10 s.
        pub node_timeout: SimDuration = SimDuration::from_millis(500),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How many answers a client waits for. Default: until a majority has decided.
        pub waits_for: WaitsFor = WaitsFor::Majority, neutral WaitsFor::Majority;
        /// From when a client counts what is left of its lock. Default: the try that succeeded.
        pub validity: Validity = Validity::FromTheTry, neutral Validity::FromTheTry;
        /// How long a client waits before it tries again. Default 200 ms.
        pub retry: SimDuration = SimDuration::from_millis(200),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// The most that it adds, at random. Default 100 ms.
        pub retry_jitter: SimDuration = SimDuration::from_millis(100), none "a quantity";
    }
}

choices! {
    /// What of a node's keys is on disk.
    #[derive(Copy)]
    pub enum Persistence = Memory {
        /// Nothing that counts: a restart that loses its memory loses its key (Redis as it is
        /// installed).
        Memory,
        /// Everything, before it is answered (`appendfsync always`): no restart loses a key.
        Always,
    }
}

choices! {
    /// In which order a client asks the nodes.
    #[derive(Copy)]
    pub enum AskOrder = AtOnce {
        /// All at once, as redsync and node-redlock do.
        AtOnce,
        /// One after the other, each when the one before has answered or is given up, as in the
        /// text of the algorithm.
        InTurn,
    }
}

choices! {
    /// How many answers a client waits for.
    #[derive(Copy)]
    pub enum WaitsFor = Majority {
        /// Until a majority has decided.
        Majority,
        /// Until all have answered or are given up.
        All,
    }
}

choices! {
    /// From when a client counts what is left of its lock.
    #[derive(Copy)]
    pub enum Validity = FromTheTry {
        /// From the first request of the try that succeeded; with none left, the try has failed.
        FromTheTry,
        /// From the first try of all, and nobody looks before the first renewal, which the library
        /// then refuses by itself (node-redlock 5.0.0-beta.2).
        FromTheFirstTry,
    }
}

/// What the algorithm takes off for clocks that do not run alike: 1 % and 2 ms.
pub(super) fn drift(ttl: SimDuration) -> SimDuration {
    ttl.part(100) + SimDuration::from_millis(2)
}

/// How many of `n_nodes` are a majority.
pub(crate) fn majority_of(n_nodes: u8) -> u8 {
    n_nodes / 2 + 1
}

/// The random value that a client sends with a try: six digits of what would be 20 bytes.
pub(super) fn value_of(seed: u32, client: ClientId, request: RequestNo) -> FencingToken {
    let number = random(seed, NodeId::Client(client), Purpose::Token, request.0);
    FencingToken(100_000 + ((number >> 8) % 900_000).cast_signed())
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let own = &spec.systems.redlock;
    let n_waits = if own.order == AskOrder::InTurn { own.nodes } else { 1 };
    Rules {
        worth: TokenWorth::Nothing,
        token_source: TokenSource::LeaseId,
        // A key is deleted and extended by a script that compares the value first.
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Wall,
        connection_bound: false,
        two_steps: false,
        asking: own.node_timeout.times(u64::from(n_waits)).times(2),
        n_nodes: own.nodes,
        answers_stores: false,
        reentry: Reentry::Never,
        ..Rules::of_lease_server(spec)
    }
}

/// Its client has a value of its own in every try, and tries again after a random delay.
fn shape(spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    let own = &spec.systems.redlock;
    by_library(settings, false, Wait::Poll { every: own.retry, jitter: own.retry_jitter });
}
