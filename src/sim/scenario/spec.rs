//! The scenario as a file writes it: plain data that may still be wrong. [`super::Scenario`] is the
//! same, checked.

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::settings::{Check, ClientSettings, Operation, Renew, Repeat, StorageSettings, WorkKind};
use crate::sim::id::FencingToken;
use crate::sim::time::{SimDuration, SimTime};

/// Everything that determines a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSpec {
    /// How long the run lasts. Default: automatic.
    #[serde(default)]
    pub length: Length,
    /// Which lock system grants the lease.
    pub lock: LockSystem,
    /// The lease's own settings, for systems that have leases.
    #[serde(default)]
    pub lease: LeaseSpec,
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
    pub clients: Vec<ClientSpec>,
    /// What goes wrong.
    #[serde(default)]
    pub faults: Vec<Fault>,
}

fn default_latency() -> SimDuration {
    SimDuration::from_millis(100)
}

/// How long a run lasts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
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
#[serde(rename_all = "snake_case")]
pub enum LockSystem {
    /// A lock without a time to live.
    Plain,
    /// A generic lease server with a counter as token.
    LeaseServer,
}

/// The lease's settings.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeaseSpec {
    /// Time to live, 1 ms to 24 h. Default 10 s. A plain lock ignores it.
    pub ttl: SimDuration,
    /// The first token handed out. Default 33, as in the example that everybody quotes.
    pub first_token: FencingToken,
    /// Whether release and renew are refused to all but the holder. Default on.
    pub owner_check: bool,
}

impl Default for LeaseSpec {
    fn default() -> Self {
        Self {
            ttl: SimDuration::from_secs(10),
            first_token: FencingToken(33),
            owner_check: true,
        }
    }
}

/// One client: when it first asks, and where it differs from the defaults.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientSpec {
    /// When its worker first asks for the lock (sends the acquire).
    pub asks_at: SimTime,
    /// Overrides the default of the same name; so do all below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renew: Option<Renew>,
    /// See [`ClientSettings::operation`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// See [`ClientSettings::work`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<SimDuration>,
    /// See [`ClientSettings::work_kind`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_kind: Option<WorkKind>,
    /// See [`ClientSettings::writes_per_grant`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes_per_grant: Option<u32>,
    /// See [`ClientSettings::check`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// See [`ClientSettings::release`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<bool>,
    /// See [`ClientSettings::repeat`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
}

impl ClientSpec {
    /// A client that follows the defaults.
    pub fn asking_at(asks_at: SimTime) -> Self {
        Self {
            asks_at,
            renew: None,
            operation: None,
            work: None,
            work_kind: None,
            writes_per_grant: None,
            check: None,
            release: None,
            repeat: None,
        }
    }

    /// The settings that hold for this client.
    pub fn settings(&self, defaults: &ClientSettings) -> ClientSettings {
        ClientSettings {
            renew: self.renew.unwrap_or(defaults.renew),
            operation: self.operation.unwrap_or(defaults.operation),
            work: self.work.unwrap_or(defaults.work),
            work_kind: self.work_kind.unwrap_or(defaults.work_kind),
            writes_per_grant: self.writes_per_grant.unwrap_or(defaults.writes_per_grant),
            check: self.check.unwrap_or(defaults.check),
            release: self.release.unwrap_or(defaults.release),
            repeat: self.repeat.unwrap_or(defaults.repeat),
        }
    }
}
