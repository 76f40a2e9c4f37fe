//! The settings of clients and storage, as a scenario file writes them. Plain data: what a setting
//! does is decided in `sim::client` and `sim::storage`.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::sim::time::SimDuration;

/// A share of a duration, such as `1/3`. Kept as a fraction, so that a third of 10 s is exact to
/// the microsecond (3.333333 s, rounded down).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    /// Parts taken; 1 to 1000.
    pub numerator: u16,
    /// Parts in the whole; 1 to 1000.
    pub denominator: u16,
}

impl Ratio {
    /// A third: what etcd, ZooKeeper and Redisson use.
    pub const THIRD: Self = Self {
        numerator: 1,
        denominator: 3,
    };

    /// This share of `whole`, rounded down to a microsecond.
    pub fn of(self, whole: SimDuration) -> SimDuration {
        let product = u128::from(whole.micros()) * u128::from(self.numerator);
        let share = product / u128::from(self.denominator.max(1));
        SimDuration::from_micros(u64::try_from(share).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl FromStr for Ratio {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let part = |text: &str| {
            text.trim()
                .parse::<u16>()
                .ok()
                .filter(|n| (1..=1000).contains(n))
        };
        let parts = text
            .split_once('/')
            .map(|(up, down)| (part(up), part(down)));
        if let Some((Some(numerator), Some(denominator))) = parts {
            return Ok(Self {
                numerator,
                denominator,
            });
        }
        let quoted: String = text.chars().take(40).collect();
        Err(format!(
            "“{quoted}” is not a share: write two numbers from 1 to 1000, such as 1/3"
        ))
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

/// When a holder renews its lease.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Renew {
    /// Never: the lease lasts one time to live.
    Off,
    /// At a share of the time to live, so that a longer lease is renewed less often.
    Share(Ratio),
    /// At a fixed interval, whatever the time to live.
    Every(SimDuration),
}

impl Renew {
    /// The interval under a time to live; `None` when there is nothing to renew.
    pub fn interval(self, ttl: Option<SimDuration>) -> Option<SimDuration> {
        let ttl = ttl?;
        match self {
            Self::Off => None,
            Self::Share(share) => Some(share.of(ttl)),
            Self::Every(interval) => Some(interval),
        }
    }
}

/// What a write does to the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Replaces the value, whatever it was.
    #[default]
    Overwrite,
    /// Reads the value first and writes one that is built on it.
    ReadModifyWrite,
}

/// How work passes its time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkKind {
    /// It elapses during a pause, as waiting for another machine does.
    #[default]
    Waiting,
    /// A pause adds its own length, as it does to computing.
    Computing,
}

/// What a worker does right before each write to learn whether it still holds the lease.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Nothing: it believes.
    #[default]
    Off,
    /// Asks the lock service and waits for the answer.
    AsksService,
}

/// Whether a worker starts another piece of work after the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// One piece of work, then it is done.
    #[default]
    Off,
    /// The next piece begins after this rest: under the same grant if the worker still believes in
    /// it, otherwise with a new acquire.
    After(SimDuration),
}

/// How one client behaves. The same fields stand in a scenario's defaults and, each optional, in
/// every client.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClientSettings {
    /// When its renewer renews. Default: a third of the time to live.
    pub renew: Renew,
    /// What its writes do. Default: overwrite.
    pub operation: Operation,
    /// How long a piece of work takes before each write. Default 2 s.
    pub work: SimDuration,
    /// How the work passes its time. Default: waiting.
    pub work_kind: WorkKind,
    /// Writes made under one grant for one piece of work, each after its own work. Default 1.
    pub writes_per_grant: u32,
    /// The check right before each write. Default: none.
    pub check: Check,
    /// Whether the lease is released when the piece of work is done. Default: no, the worker stays
    /// on as idle holder.
    pub release: bool,
    /// Whether another piece of work follows. Default: no.
    pub repeat: Repeat,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            renew: Renew::Share(Ratio::THIRD),
            operation: Operation::Overwrite,
            work: SimDuration::from_secs(2),
            work_kind: WorkKind::Waiting,
            writes_per_grant: 1,
            check: Check::Off,
            release: false,
            repeat: Repeat::Off,
        }
    }
}

/// Which tokens a store refuses once it has seen `highest`. DOMAIN rule table: `docs/model.md`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FenceRule {
    /// Refuses a token lower than the highest seen (Chubby, Raft, HDFS).
    #[default]
    RejectLower,
    /// Refuses a token lower than or equal to the highest seen (the SQL conditional update).
    RejectLowerOrEqual,
    /// Refuses every token but the current one (etcd inside one transaction).
    MustMatch,
}

/// The stores that the lock protects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StorageSettings {
    /// Whether tokens are checked. Off: they are recorded, not checked.
    pub fencing: bool,
    /// Which tokens are refused.
    pub rule: FenceRule,
    /// Whether a new holder raises the fence at every store before it reads or writes.
    pub seal: bool,
    /// Number of stores, 1 to 4. Every write goes to each of them in turn.
    pub stores: u8,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self {
            fencing: true,
            rule: FenceRule::RejectLower,
            seal: false,
            stores: 1,
        }
    }
}
