//! The renewer: it renews while the client believes, whatever the worker is at. Its first tick comes
//! one interval after the grant is handled, each next one after the tick before; ticks that a pause
//! swallowed count once, because the next is set only when one is handled.

use super::Common;
use crate::sim::effect::Effects;
use crate::sim::lock::{Intent, LockClient};
use crate::sim::time::{LocalTime, SimDuration};

/// A client's renewer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Renewer {
    interval: Option<SimDuration>,
}

impl Renewer {
    /// `None`: there is nothing to renew.
    pub(super) fn new(interval: Option<SimDuration>) -> Self {
        Self { interval }
    }

    pub(super) fn is_on(&self) -> bool {
        self.interval.is_some()
    }

    pub(super) fn start(&self, now: LocalTime, effects: &mut Effects) {
        if let Some(interval) = self.interval {
            effects.timer(now + interval);
        }
    }

    pub(super) fn tick(
        &self,
        now: LocalTime,
        common: &mut Common,
        lock: &mut LockClient,
        effects: &mut Effects,
    ) {
        if let Some(belief) = common.belief {
            let request = common.request();
            lock.intend(now, Intent::Renew(belief.token), request, effects);
            self.start(now, effects);
        }
    }
}
