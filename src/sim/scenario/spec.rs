//! The scenario as a file writes it: plain data that may still be wrong. [`super::Scenario`] is the
//! same, checked.

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::settings::{
    Check, ClientSettings, Deadline, ExpiryJudge, HandOff, Identity, OnLoss, Operation, Piece,
    Reenters, RefusedRelease, Renew, RenewFailure, Repeat, StorageSettings, TokenSource, Wait,
    WorkKind,
};
use crate::sim::clock::ClockKind;
use crate::sim::id::FencingToken;
#[cfg(not(target_family = "wasm"))]
use crate::sim::limits;
use crate::sim::lock::SystemSettings;
use crate::sim::time::{SimDuration, SimTime};

/// Everything that determines a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScenarioSpec {
    /// Key of all random numbers. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// How long the run lasts. Default: automatic.
    #[serde(default)]
    pub length: Length,
    /// Which lock system grants the lease.
    pub lock: LockSystem,
    /// The lease's own settings, for systems that have leases.
    #[serde(default)]
    pub lease: LeaseSpec,
    /// What only one lock system has.
    #[serde(default, skip_serializing_if = "SystemSettings::is_default")]
    pub systems: SystemSettings,
    /// One-way travel time of every message. Default 100 ms.
    #[serde(default = "default_latency")]
    pub latency: SimDuration,
    /// The stores.
    #[serde(default)]
    pub storage: StorageSettings,
    /// What every client does, unless it says otherwise.
    #[serde(default)]
    pub defaults: ClientSettings,
    /// The clients, A first; 1 to 8.
    #[cfg_attr(not(target_family = "wasm"), schemars(length(min = 1, max = limits::MAX_CLIENTS)))]
    pub clients: Vec<ClientSpec>,
    /// What goes wrong.
    #[serde(default)]
    #[cfg_attr(not(target_family = "wasm"), schemars(length(min = 0, max = limits::MAX_FAULTS)))]
    pub faults: Vec<Fault>,
}

fn default_seed() -> u32 {
    1
}

fn default_latency() -> SimDuration {
    SimDuration::from_millis(100)
}

/// How long a run lasts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Last fault's end + 2 × TTL + work, at least 20 s, and until the outcome is settled.
    #[default]
    Auto,
    /// This long, whatever is pending then.
    Fixed(SimDuration),
}

/// The lock systems. What each one is, and what its token is worth, stands in `sim::lock`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LockSystem {
    /// A lock without a time to live.
    Plain,
    /// A generic lease server with a counter as token.
    LeaseServer,
    /// etcd.
    Etcd,
    /// Redis, `SET key value NX PX ttl`.
    Redis,
    /// `ZooKeeper`, with the lock of its recipes.
    #[serde(rename = "zookeeper")]
    ZooKeeper,
    /// Chubby.
    Chubby,
    /// Consul.
    Consul,
    /// Redlock: a majority of Redis nodes that know nothing of one another.
    Redlock,
    /// A row of a SQL database, or a lock in one of its connections.
    Sql,
    /// DHCP: an address on lease.
    Dhcp,
    /// Leadership in a Raft group.
    RaftLeader,
    /// Leader election by Kubernetes' client-go.
    Kubernetes,
    /// A lease service whose nodes agree on every lease by Raft.
    RaftLease,
    /// Leadership of a partition in Kafka.
    KafkaLeader,
    /// A transactional producer of Kafka.
    KafkaProducer,
}

/// The lease's settings.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LeaseSpec {
    /// Time to live, 1 ms to 24 h. Default 10 s. A plain lock ignores it.
    pub ttl: SimDuration,
    /// The first token handed out. Default 33, as in the example that everybody quotes.
    pub first_token: FencingToken,
    /// Where tokens come from. Default: a counter.
    pub token_source: TokenSource,
    /// Whether release and renew are refused to all but the holder. Default on.
    pub owner_check: bool,
    /// After a holder failed, how long nobody is granted. Default 0; never after a clean release.
    pub lock_delay: SimDuration,
    /// How much later than the time to live the service ends a lease. Default 0.
    pub grace: SimDuration,
    /// Who judges that a lease is over. Default: the service.
    pub expiry: ExpiryJudge,
    /// Which of the service's clocks it judges by. Default: monotonic.
    pub clock: ClockKind,
    /// Whether the lease lives with the client's connection and ends when that is lost.
    pub connection_bound: bool,
    /// Whether a client takes the lock first and sets its time to live in a second request.
    pub two_steps: bool,
    /// Whether a waiter's own session is looked at before it is granted. Default yes.
    pub waiter_check: bool,
    /// Who of those that wait is granted next. Default: in order.
    pub hand_off: HandOff,
}

impl Default for LeaseSpec {
    fn default() -> Self {
        Self {
            ttl: SimDuration::from_secs(10),
            first_token: FencingToken(33),
            token_source: TokenSource::Counter,
            owner_check: true,
            lock_delay: SimDuration::ZERO,
            grace: SimDuration::ZERO,
            expiry: ExpiryJudge::Service,
            clock: ClockKind::Monotonic,
            connection_bound: false,
            two_steps: false,
            waiter_check: true,
            hand_off: HandOff::InOrder,
        }
    }
}

/// Defines the overrides of a client: each setting of [`ClientSettings`], optional. One list, so
/// that a new setting cannot be forgotten in one of its three places.
macro_rules! client_spec {
    ($($(#[$extra:meta])* $field:ident: $type:ty),* $(,)?) => {
        /// One client: when it first asks, and where it differs from the defaults. Every field but
        /// `asks_at`, `ttl` and `session_at` overrides the one of the same name in `defaults`.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
        #[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct ClientSpec {
            /// When its worker first asks for the lock (sends the acquire).
            pub asks_at: SimTime,
            /// The time to live of its own leases, if it differs from the scenario's.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub ttl: Option<SimDuration>,
            /// When its session is made, if that is before it asks. Default: when it asks.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub session_at: Option<SimTime>,
            $(
                /// The same as in `defaults`, for this client alone.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $(#[$extra])*
                pub $field: Option<$type>,
            )*
        }

        impl ClientSpec {
            /// The settings that hold for this client.
            pub fn settings(&self, defaults: &ClientSettings) -> ClientSettings {
                ClientSettings {
                    $($field: self.$field.unwrap_or(defaults.$field),)*
                    // A client cannot override “none” with a value and back in one field, so these
                    // two are given for all clients alone.
                    release_early: defaults.release_early,
                    timeout: defaults.timeout,
                }
            }
        }
    };
}

client_spec! {
    renew: Renew,
    renew_failure: RenewFailure,
    deadline: Deadline,
    deadline_margin: SimDuration,
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(range(min = 0, max = limits::MAX_RATE_ERROR_PPM))
    )]
    deadline_rate_error_ppm: u32,
    on_loss: OnLoss,
    operation: Operation,
    piece: Piece,
    work: SimDuration,
    work_kind: WorkKind,
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(range(min = 1, max = limits::MAX_WRITES_PER_GRANT))
    )]
    writes_per_grant: u32,
    check: Check,
    rereads_token: bool,
    release: bool,
    repeat: Repeat,
    wait: Wait,
    session: bool,
    identity: Identity,
    #[cfg_attr(not(target_family = "wasm"), schemars(range(min = 0, max = limits::MAX_RETRIES)))]
    retries: u32,
    reenters: Reenters,
    refused_release: RefusedRelease,
}

impl ClientSpec {
    /// A client that follows the defaults.
    pub fn asking_at(asks_at: SimTime) -> Self {
        Self { asks_at, ..Self::default() }
    }
}
