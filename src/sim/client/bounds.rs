//! What bounds a client's renewal: how long after the grant it is renewed at all, whether its
//! worker does it, and whether it goes on while the worker takes no step. A step is taken when work
//! towards a write begins; the grant counts as one. All on the client's monotonic clock.

use crate::sim::clock::Now;
use crate::sim::scenario::{ClientSettings, Progress, RenewCap, RenewedBy};
use crate::sim::time::{LocalTime, SimDuration};

/// The bounds of one client, and what they are counted from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Bounds {
    cap: Option<SimDuration>,
    by_worker: bool,
    progress: Progress,
    granted_at: LocalTime,
    stepped_at: LocalTime,
    /// The worker has just taken a step.
    has_stepped: bool,
    /// It was said that renewal stops.
    is_told: bool,
}

/// What stands against a renewal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Nothing.
    Free,
    /// So long after the grant nothing is renewed.
    Cap(SimDuration),
    /// The worker has taken no step for so long: not now.
    NoProgress(SimDuration),
    /// The same, and the lock is given back.
    Leaves(SimDuration),
}

impl Bounds {
    pub(super) fn new(settings: &ClientSettings) -> Self {
        let cap = match settings.renew_cap {
            RenewCap::Off => None,
            RenewCap::After(cap) => Some(cap),
        };
        let by_worker = settings.renewed_by == RenewedBy::Worker;
        let start = LocalTime::default();
        Self {
            cap,
            by_worker,
            progress: settings.progress,
            granted_at: start,
            stepped_at: start,
            has_stepped: false,
            is_told: false,
        }
    }

    /// Whether the worker renews, and nobody else.
    pub(super) fn by_worker(&self) -> bool {
        self.by_worker
    }

    /// Whether a lease is some day not renewed any more although its client lives.
    pub(super) fn end_some_day(&self) -> bool {
        self.cap.is_some() || self.by_worker || self.progress != Progress::Off
    }

    /// A grant is handled.
    pub(super) fn begin(&mut self, now: Now) {
        // Not part of the state where nothing counts from it.
        if !self.end_some_day() {
            return;
        }
        (self.granted_at, self.stepped_at) = (now.monotonic, now.monotonic);
        (self.has_stepped, self.is_told) = (false, false);
    }

    /// The worker takes a step.
    pub(super) fn step(&mut self) {
        self.has_stepped = self.end_some_day();
    }

    /// Whether the worker has taken a step since this was last asked; from now on it counts.
    pub(super) fn take_step(&mut self, now: Now) -> bool {
        let has_stepped = std::mem::take(&mut self.has_stepped);
        if has_stepped {
            self.stepped_at = now.monotonic;
            self.is_told &= self.is_over(now).is_some();
        }
        has_stepped
    }

    fn is_over(&self, now: Now) -> Option<SimDuration> {
        self.cap.filter(|cap| self.granted_at + *cap < now.monotonic)
    }

    /// What stands against a renewal now.
    pub(super) fn look(&self, now: Now) -> Bound {
        if let Some(cap) = self.is_over(now) {
            return Bound::Cap(cap);
        }
        let is_stuck = |after| !self.by_worker && self.stepped_at + after < now.monotonic;
        match self.progress {
            Progress::StopsAfter(after) if is_stuck(after) => Bound::NoProgress(after),
            Progress::LeavesAfter(after) if is_stuck(after) => Bound::Leaves(after),
            Progress::Off | Progress::StopsAfter(_) | Progress::LeavesAfter(_) => Bound::Free,
        }
    }

    /// Whether that is to be said: once for each time that it comes to be so.
    pub(super) fn must_tell(&mut self) -> bool {
        !std::mem::replace(&mut self.is_told, true)
    }
}
