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

use serde::{Deserialize, Serialize};

use super::{Fixed, Reentry, Rules, SystemInfo, TokenWorth};
use crate::sim::clock::ClockKind;
use crate::sim::id::{ClientId, FencingToken, NodeId, RequestNo};
use crate::sim::prng::{Purpose, random};
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, Identity, LockSystem, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Redlock,
    name: "Redlock",
    token: "None: each key holds a random value, which says nothing about order. It cannot fence",
    fixes: &[
        Fixed::TokenSource,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Wait,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::Identity,
    ],
    fixed: "Redlock settles this itself",
    rules,
    shape,
};

/// What only Redlock has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RedlockSettings {
    /// Number of its nodes, 1 to 9. Default 5.
    pub nodes: u8,
    /// Whether a node's keys are on disk before it answers. Default: they are in memory only.
    pub persistence: Persistence,
    /// Whether a node that was away keeps out for one time to live when it is back. Default off.
    pub delayed_restart: bool,
    /// In which order a client asks. Default: all at once.
    pub order: AskOrder,
    /// How long a client waits for one node. Default 500 ms: 5 % of 10 s.
    pub node_timeout: SimDuration,
    /// How many answers a client waits for. Default: until a majority has decided.
    pub waits_for: WaitsFor,
    /// From when a client counts what is left of its lock. Default: the try that succeeded.
    pub validity: Validity,
    /// How long a client waits before it tries again. Default 200 ms.
    pub retry: SimDuration,
    /// The most that it adds, at random. Default 100 ms.
    pub retry_jitter: SimDuration,
}

impl Default for RedlockSettings {
    fn default() -> Self {
        Self {
            nodes: 5,
            persistence: Persistence::Memory,
            delayed_restart: false,
            order: AskOrder::AtOnce,
            node_timeout: SimDuration::from_millis(500),
            waits_for: WaitsFor::Majority,
            validity: Validity::FromTheTry,
            retry: SimDuration::from_millis(200),
            retry_jitter: SimDuration::from_millis(100),
        }
    }
}

/// What of a node's keys is on disk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Persistence {
    /// Nothing that counts: a restart that loses its memory loses its key (Redis as it is
    /// installed).
    #[default]
    Memory,
    /// Everything, before it is answered (`appendfsync always`): no restart loses a key.
    Always,
}

/// In which order a client asks the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AskOrder {
    /// All at once, as redsync and node-redlock do.
    #[default]
    AtOnce,
    /// One after the other, each when the one before has answered or is given up, as in the text of
    /// the algorithm.
    InTurn,
}

/// How many answers a client waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// Until a majority has decided.
    #[default]
    Majority,
    /// Until all have answered or are given up.
    All,
}

/// From when a client counts what is left of its lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Validity {
    /// From the first request of the try that succeeded; with none left, the try has failed.
    #[default]
    FromTheTry,
    /// From the first try of all, and nobody looks before the first renewal, which the library then
    /// refuses by itself (node-redlock 5.0.0-beta.2).
    FromTheFirstTry,
}

/// What the algorithm takes off for clocks that do not run alike: 1 % and 2 ms.
pub(super) fn drift(ttl: SimDuration) -> SimDuration {
    SimDuration::from_micros(ttl.micros() / 100) + SimDuration::from_millis(2)
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
    settings.session = false;
    settings.wait = Wait::Poll { every: own.retry, jitter: own.retry_jitter };
    settings.identity = Identity::Unique;
}
