//! The quantities that a slider can drag: one place that knows how to read each from a scenario and
//! which change sets it. Sliders, ranges and the outcome map share it.

use super::choice::{Renew, RenewCap};
use super::fault::{Fault, FaultKind};
use super::file::ScenarioFile;
use super::settings::{Change, Quantity, ScenarioSpec};
use crate::sim::id::FaultId;
use crate::sim::limits;
use crate::sim::lock::rules;
use crate::sim::time::SimDuration;

/// The type of a setting that can be dragged: it has a length, or is one.
pub(super) trait Dragged {
    /// The least that it may have, if its row does not say.
    const LEAST: SimDuration = SimDuration::ZERO;

    /// Its length in a scenario, if it has one.
    fn length(&self, spec: &ScenarioSpec) -> Option<SimDuration>;

    /// With this length.
    fn of_length(length: SimDuration) -> Self;
}

impl Dragged for SimDuration {
    fn length(&self, _: &ScenarioSpec) -> Option<SimDuration> {
        Some(*self)
    }

    fn of_length(length: SimDuration) -> Self {
        length
    }
}

/// Setting the interval of renewal fixes it; a share of the time to live is a choice of its own.
impl Dragged for Renew {
    const LEAST: SimDuration = limits::MIN_INTERVAL;

    fn length(&self, spec: &ScenarioSpec) -> Option<SimDuration> {
        self.interval(Some(spec.lease.ttl))
    }

    fn of_length(length: SimDuration) -> Self {
        Self::Every(length)
    }
}

/// Without a cap there is nothing to drag.
impl Dragged for RenewCap {
    const LEAST: SimDuration = limits::MIN_INTERVAL;

    fn length(&self, _: &ScenarioSpec) -> Option<SimDuration> {
        match self {
            Self::Off => None,
            Self::After(cap) => Some(*cap),
        }
    }

    fn of_length(length: SimDuration) -> Self {
        Self::After(length)
    }
}

impl Quantity {
    /// Its value; of what each client may have its own of, the longest. `None` where this scenario
    /// has none.
    pub fn value(self, spec: &ScenarioSpec) -> Option<SimDuration> {
        self.values(spec).into_iter().flatten().max()
    }

    /// Its value in the scenario as it is; `None` also where clients differ in it.
    pub fn present(self, spec: &ScenarioSpec) -> Option<SimDuration> {
        self.value(spec).filter(|_| self.differing(spec).is_none())
    }

    /// The values of the clients, where these differ: setting it makes them alike, and no value of
    /// it is the scenario as it is.
    pub fn differing(self, spec: &ScenarioSpec) -> Option<Vec<SimDuration>> {
        let values = self.values(spec);
        let differ = values.iter().any(|value| *value != values[0]);
        differ.then(|| values.into_iter().flatten().collect())
    }

    /// Whether some clients have one of their own that setting it leaves as it is.
    pub fn leaves_some_alone(self, spec: &ScenarioSpec) -> bool {
        self == Self::Ttl && spec.clients.iter().any(|client| client.ttl.is_some())
    }

    /// The change that sets it.
    pub fn set(self, value: SimDuration) -> Change {
        self.change(value).0
    }

    /// The least and the most that a valid scenario has.
    pub fn range(self) -> (SimDuration, SimDuration) {
        (self.change(SimDuration::ZERO).1, limits::MAX_DURATION)
    }
}

impl ScenarioFile {
    /// The quantity that a scenario is about, which the large slider drags and whose ranges are
    /// searched: what the file says, otherwise the length of its first pause, otherwise of its
    /// first fault that has one. Without a fault it is what a user of that set-up would turn: where
    /// nothing renews the lock, how long the work may take, if that is one length for all; else the
    /// time to live, and where there is none, or each client has its own, the work.
    pub fn main_quantity(&self) -> Quantity {
        let spec = &self.scenario;
        let is_pause = |fault: &&Fault| matches!(fault.kind, FaultKind::Pause { .. });
        let lasts = |fault: &&Fault| fault.enabled && fault.kind.length().is_some();
        let lasting = || spec.faults.iter().filter(lasts);
        let fault = lasting().find(is_pause).or_else(|| lasting().next());
        let fault = fault.map(|fault| Quantity::FaultLength(fault.id));
        let named = self.view.main.filter(|main| main.value(spec).is_some());
        let is_kept = spec.defaults.renew != Renew::Off;
        let has_ttl = rules(spec).has_ttl && spec.clients.iter().any(|client| client.ttl.is_none());
        let by_ttl = has_ttl && (is_kept || Quantity::Work.differing(spec).is_some());
        named.or(fault).unwrap_or(if by_ttl { Quantity::Ttl } else { Quantity::Work })
    }
}

/// A fault, if it is there.
pub(super) fn fault_kind(spec: &ScenarioSpec, id: FaultId) -> Option<&FaultKind> {
    spec.faults.iter().find(|fault| fault.id == id).map(|fault| &fault.kind)
}
