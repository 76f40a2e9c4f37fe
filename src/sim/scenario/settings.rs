//! The settings of clients and storage, as a scenario file writes them. Plain data: what a setting
//! does is decided in `sim::client` and `sim::storage`.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::resource::Resource;
use super::unchecked::Unchecked;
use crate::sim::id::StoreId;
use crate::sim::limits;
use crate::sim::plain_text::quoted;
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
    pub const THIRD: Self = Self { numerator: 1, denominator: 3 };

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
        let part = |text: &str| text.trim().parse::<u16>().ok().filter(|n| (1..=1000).contains(n));
        let parts = text.split_once('/').map(|(up, down)| (part(up), part(down)));
        if let Some((Some(numerator), Some(denominator))) = parts {
            return Ok(Self { numerator, denominator });
        }
        let quoted = quoted(text);
        Err(format!("“{quoted}” is not a share: write two numbers from 1 to 1000, such as 1/3"))
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// When a holder renews its lease.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
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
            // A thousandth of a short lease would tick more often than anything that repeats may.
            Self::Share(share) => Some(share.of(ttl).max(limits::MIN_INTERVAL)),
            Self::Every(interval) => Some(interval),
        }
    }
}

/// What a renewer does when a renewal fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RenewFailure {
    /// It tries again at every tick until it is refused.
    #[default]
    TriesAgain,
    /// It tries again as soon as the request timeout has passed without an answer, where that is
    /// before the next tick, and otherwise as above.
    TriesSooner,
    /// It stops for good when a renewal is still unanswered at the next tick; nobody is told.
    GivesUp,
    /// When it is refused it acquires anew and goes on as if nothing had been.
    Reacquires,
}

/// From when a client counts its own deadline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Deadline {
    /// It has none: it believes until it is told.
    #[default]
    Off,
    /// From when it sent the request that succeeded: never later than the service.
    FromSend,
    /// From when it handled the answer: too late by the answer's flight.
    FromReceipt,
}

/// What a worker does once its client has learned that the lock is lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnLoss {
    /// Goes on with what it is at.
    #[default]
    GoesOn,
    /// Stops this long after.
    StopsAfter(SimDuration),
    /// Ends at once and for good.
    Dies,
}

/// What a write does to the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Replaces the value, whatever it was.
    #[default]
    Overwrite,
    /// Reads the value first and writes one that is built on it.
    ReadModifyWrite,
    /// Acts on the outside (a payment, a mail), which no fence reaches, and then writes.
    ExternalEffect,
}

/// Whose piece of work a worker does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Each client has its own.
    #[default]
    Own,
    /// All share one list of work; a holder looks at the first store which piece is next.
    Shared,
}

/// How work passes its time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
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
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Nothing: it believes.
    #[default]
    Off,
    /// Looks at its own belief and deadline.
    OwnBelief,
    /// Asks the lock service and waits for the answer.
    AsksService,
}

/// Whether a worker starts another piece of work after the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// One piece of work, then it is done.
    #[default]
    Off,
    /// The next piece begins after this rest: under the same grant if the worker still believes in
    /// it, otherwise with a new acquire.
    After(SimDuration),
}

/// How a client waits for a lock that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Wait {
    /// In the service's queue, until it is told.
    #[default]
    Queue,
    /// It asks again.
    Poll {
        /// At least this long after the refusal is handled.
        every: SimDuration,
        /// And at most this much longer, at random.
        jitter: SimDuration,
    },
}

/// By what name the service knows a client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// By its grant: a new acquisition is a new owner.
    #[default]
    Unique,
    /// By a name that others bear too (a host name, a process number used again).
    Shared,
}

/// What the service answers when code that holds the lock takes it once more inside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reenters {
    /// No code does.
    #[default]
    Off,
    /// The token that it has.
    SameToken,
    /// A new one (Redisson's `RFencedLock`).
    NewToken,
}

/// What a worker does when its release is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RefusedRelease {
    /// Goes on: the lock is not its own any more, which is what it wanted.
    #[default]
    GoesOn,
    /// Sends it again after this long, until it is accepted.
    SentAgain(SimDuration),
}

/// How one client behaves. The same fields stand in a scenario's defaults and, each optional, in
/// every client.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ClientSettings {
    /// When its renewer renews. Default: a third of the time to live.
    pub renew: Renew,
    /// What its renewer does when that fails. Default: tries again.
    pub renew_failure: RenewFailure,
    /// Its own deadline. Default: none.
    pub deadline: Deadline,
    /// How much earlier than computed the deadline lies. Default 0.
    pub deadline_margin: SimDuration,
    /// The largest error of any clock's rate that the deadline allows for, in parts per million.
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(range(min = 0, max = limits::MAX_RATE_ERROR_PPM))
    )]
    pub deadline_rate_error_ppm: u32,
    /// What its worker does once the client knows that the lock is lost. Default: goes on.
    pub on_loss: OnLoss,
    /// What its writes do. Default: overwrite.
    pub operation: Operation,
    /// Whose work it does. Default: its own.
    pub piece: Piece,
    /// How long a piece of work takes before each write. Default 2 s.
    pub work: SimDuration,
    /// How the work passes its time. Default: waiting.
    pub work_kind: WorkKind,
    /// Writes made under one grant for one piece of work, each after its own work. Default 1.
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(range(min = 1, max = limits::MAX_WRITES_PER_GRANT))
    )]
    pub writes_per_grant: u32,
    /// The check right before each write. Default: none.
    pub check: Check,
    /// Whether it asks for the current token before each write and sends that instead of its own.
    pub rereads_token: bool,
    /// Whether the lease is released when the piece of work is done. Default: no, the worker stays
    /// on as idle holder.
    pub release: bool,
    /// Releases this long after a piece of work began, whether it is done or not.
    pub release_early: Option<SimDuration>,
    /// Whether another piece of work follows. Default: no.
    pub repeat: Repeat,
    /// How it waits for the lock. Default: in the queue.
    pub wait: Wait,
    /// Whether it has a session of its own from when it asks, which it must renew while it waits.
    pub session: bool,
    /// By what name the service knows it. Default: by its grant.
    pub identity: Identity,
    /// How long its worker waits for an answer. Default: without end.
    pub timeout: Option<SimDuration>,
    /// How often it then tries again before it gives the piece of work up. Default 0.
    #[cfg_attr(not(target_family = "wasm"), schemars(range(min = 0, max = limits::MAX_RETRIES)))]
    pub retries: u32,
    /// Whether its code takes the lock a second time inside, and what it is then told. Default: it
    /// does not.
    pub reenters: Reenters,
    /// What its worker does when its release is refused. Default: goes on.
    pub refused_release: RefusedRelease,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            renew: Renew::Share(Ratio::THIRD),
            renew_failure: RenewFailure::TriesAgain,
            deadline: Deadline::Off,
            deadline_margin: SimDuration::ZERO,
            deadline_rate_error_ppm: 0,
            on_loss: OnLoss::GoesOn,
            operation: Operation::Overwrite,
            piece: Piece::Own,
            work: SimDuration::from_secs(2),
            work_kind: WorkKind::Waiting,
            writes_per_grant: 1,
            check: Check::Off,
            rereads_token: false,
            release: false,
            release_early: None,
            repeat: Repeat::Off,
            wait: Wait::Queue,
            session: false,
            identity: Identity::Unique,
            timeout: None,
            retries: 0,
            reenters: Reenters::Off,
            refused_release: RefusedRelease::GoesOn,
        }
    }
}

/// Which tokens a store refuses once it has seen `highest`; `docs/model.md`, “The fence”.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FenceRule {
    /// Refuses a token lower than the highest seen (Chubby, Raft, HDFS).
    #[default]
    RejectLower,
    /// Refuses a token lower than or equal to the highest seen (the SQL conditional update).
    RejectLowerOrEqual,
    /// Refuses every token but the current one (etcd inside one transaction).
    MustMatch,
    /// Compares no token: refuses a write that was not built on the value's present version
    /// (compare-and-set).
    DataVersion,
    /// Compares no token: refuses a write after the time that its sender gave it, by the store's
    /// own clock.
    TimeFence,
    /// The value lies in the lock service itself: a write is applied in one transaction that
    /// compares its token with that of the lock's present holder (etcd's `If`, `Then`).
    SameTransaction,
    /// Compares nothing itself: it asks the lock service whether the token is that of the lock's
    /// holder, and applies the write when the answer says so (Chubby's `CheckSequencer`).
    AsksService,
}

/// The stores that the lock protects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StorageSettings {
    /// Whether tokens are checked. Off: they are recorded, not checked.
    pub fencing: bool,
    /// Which tokens are refused.
    pub rule: FenceRule,
    /// Whether a new holder raises the fence at every store before it reads or writes.
    pub seal: bool,
    /// Number of stores, 1 to 4. Every write goes to each of them in turn.
    #[cfg_attr(not(target_family = "wasm"), schemars(range(min = 1, max = limits::MAX_STORES)))]
    pub stores: u8,
    /// Which of them cannot check: how many, the last ones, or a list. Default: none.
    pub unchecked_stores: Unchecked,
    /// Whether a write is known by its piece of work and step, so that a second one is ignored.
    pub idempotent: bool,
    /// How long after the check a write is applied. Default 0: in one atomic step.
    pub check_gap: SimDuration,
    /// Whether the highest token survives a store's restart. Default yes.
    pub durable: bool,
    /// What is protected: it settles some of these settings. Default: a generic store.
    pub resource: Resource,
    /// Of a SQL row: whether it is not there, so that every statement changes no row.
    pub missing_row: bool,
}

impl StorageSettings {
    /// Whether this store checks what arrives.
    pub fn checks(&self, store: StoreId) -> bool {
        self.fencing && !self.unchecked_stores.has(store, self.stores)
    }

    /// Whether an accepted write leaves its own token as the fence, even a lower one: it was
    /// checked before, in a step of its own.
    pub fn overwrites_fence(&self) -> bool {
        self.fencing && !self.check_gap.is_zero()
    }
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self {
            fencing: true,
            rule: FenceRule::RejectLower,
            seal: false,
            stores: 1,
            unchecked_stores: Unchecked::NONE,
            idempotent: false,
            check_gap: SimDuration::ZERO,
            durable: true,
            resource: Resource::Generic,
            missing_row: false,
        }
    }
}

/// Where tokens come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TokenSource {
    /// A counter that grows by one with every grant.
    #[default]
    Counter,
    /// A revision that the whole store shares: it grows with every grant, with gaps.
    Revision,
    /// A revision fixed when the client asked, so that the order is that of asking.
    RevisionAtEnqueue,
    /// A counter of 32 bits that wraps to a negative number after 2147483647.
    Sequence32,
    /// An id without any order, such as etcd's lease id.
    LeaseId,
    /// The same number for every grant.
    Constant,
    /// A revision as it was when the client's session was made: it can repeat, and be older than
    /// that of an earlier grant.
    RevisionOfSession,
    /// A number whose upper 32 bits grow with every leader, and whose lower ones count under it.
    EpochAndCounter,
}

/// Who of those that wait is granted a lock that has come free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HandOff {
    /// Whoever has waited longest.
    #[default]
    InOrder,
    /// Anybody, at random.
    Random,
}

/// Who judges that a lease is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExpiryJudge {
    /// The service, by its own clock.
    #[default]
    Service,
    /// Whoever asks, by its own wall clock, against a time that the holder wrote by its own.
    HoldersTimestamp,
    /// Whoever asks, by its own monotonic clock, once it has seen the lock's record unchanged for a
    /// whole time to live (client-go, the DynamoDB lock client).
    Observers,
}
