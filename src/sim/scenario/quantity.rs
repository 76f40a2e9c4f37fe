//! The quantities that a slider can drag: one place that knows how to read each from a scenario and
//! which change sets it. Sliders, edges and the outcome map share it.

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::settings::Renew;
use super::spec::ScenarioSpec;
use crate::sim::id::FaultId;
use crate::sim::limits;
use crate::sim::time::{SimDuration, SimTime};

/// A length of time in a scenario that a user can drag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// The lease's time to live.
    Ttl,
    /// The interval of renewal.
    Renew,
    /// How long the work takes.
    Work,
    /// How long a message takes, one way.
    Latency,
    /// How long a fault lasts (of a crash: until the restart; of a delay: its length).
    FaultLength(FaultId),
    /// When a fault begins.
    FaultStart(FaultId),
    /// How long nobody is granted after a holder failed.
    LockDelay,
    /// How much later than the time to live the service ends a lease.
    Grace,
    /// How much earlier than computed a client's own deadline lies.
    DeadlineMargin,
    /// How long after the check a write is applied.
    CheckGap,
}

impl Quantity {
    /// The quantity that a scenario is about if its file does not say: the length of the first
    /// fault that has one.
    pub fn main_of(spec: &ScenarioSpec) -> Option<Self> {
        let fault = spec.faults.iter().find(|fault| fault.kind.length().is_some())?;
        Some(Self::FaultLength(fault.id))
    }

    /// Its value; `None` where this scenario has none (a fault that is gone, renewal that is off).
    pub fn value(self, spec: &ScenarioSpec) -> Option<SimDuration> {
        match self {
            Self::Ttl => Some(spec.lease.ttl),
            Self::Renew => spec.defaults.renew.interval(Some(spec.lease.ttl)),
            Self::Work => Some(spec.defaults.work),
            Self::Latency => Some(spec.latency),
            Self::FaultLength(id) => fault(spec, id)?.kind.length(),
            Self::FaultStart(id) => fault(spec, id)?.kind.starts_at().map(SimTime::since_start),
            Self::LockDelay => Some(spec.lease.lock_delay),
            Self::Grace => Some(spec.lease.grace),
            Self::DeadlineMargin => Some(spec.defaults.deadline_margin),
            Self::CheckGap => Some(spec.storage.check_gap),
        }
    }

    /// The change that sets it. Setting the interval of renewal fixes it; a share of the time to
    /// live is a choice of its own.
    pub fn set(self, value: SimDuration) -> Change {
        match self {
            Self::Ttl => Change::Ttl(value),
            Self::Renew => Change::Renew(Renew::Every(value)),
            Self::Work => Change::Work(value),
            Self::Latency => Change::Latency(value),
            Self::FaultLength(id) => Change::FaultLength { id, length: value },
            Self::FaultStart(id) => Change::FaultStart { id, at: SimTime::ZERO + value },
            Self::LockDelay => Change::LockDelay(value),
            Self::Grace => Change::Grace(value),
            Self::DeadlineMargin => Change::DeadlineMargin(value),
            Self::CheckGap => Change::CheckGap(value),
        }
    }

    /// The least and the most that a valid scenario has.
    pub fn range(self) -> (SimDuration, SimDuration) {
        let least = match self {
            Self::Ttl => limits::MIN_TTL,
            Self::Renew => limits::MIN_INTERVAL,
            Self::Work
            | Self::Latency
            | Self::FaultLength(_)
            | Self::FaultStart(_)
            | Self::LockDelay
            | Self::Grace
            | Self::DeadlineMargin
            | Self::CheckGap => SimDuration::ZERO,
        };
        (least, limits::MAX_DURATION)
    }
}

fn fault(spec: &ScenarioSpec, id: FaultId) -> Option<&super::fault::Fault> {
    spec.faults.iter().find(|fault| fault.id == id)
}
