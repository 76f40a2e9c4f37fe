//! The renewer: it renews while the client believes, whatever the worker is at. Its first tick
//! comes one interval after the grant is handled, each next one after the tick before; ticks that a
//! pause swallowed count once, because the next is set only when one is handled.

use super::belief::Common;
use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::event::Event;
use crate::sim::scenario::RenewFailure;
use crate::sim::time::SimDuration;

/// A client's renewer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Renewer {
    interval: Option<SimDuration>,
    /// A tick is set.
    is_ticking: bool,
    /// The last renewal has no answer yet.
    is_unanswered: bool,
    /// It asked for the lock anew behind its worker's back.
    is_reacquiring: bool,
}

impl Renewer {
    /// `None`: there is nothing to renew.
    pub(super) fn new(interval: Option<SimDuration>) -> Self {
        Self { interval, is_ticking: false, is_unanswered: false, is_reacquiring: false }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::new(self.interval);
    }

    pub(super) fn is_on(&self) -> bool {
        self.interval.is_some()
    }

    pub(super) fn start(&mut self, now: Now, effects: &mut Effects) {
        if let Some(interval) = self.interval {
            self.is_ticking = true;
            effects.timer(TimerKind::Main, now.monotonic + interval);
        }
    }

    pub(super) fn start_if_idle(&mut self, now: Now, effects: &mut Effects) {
        if !self.is_ticking {
            self.start(now, effects);
        }
    }

    pub(super) fn answered(&mut self) {
        self.is_unanswered = false;
    }

    pub(super) fn reacquire(&mut self) {
        self.is_reacquiring = true;
    }

    /// Whether the grant that has come is one that it asked for itself.
    pub(super) fn reacquired(&mut self) -> bool {
        std::mem::take(&mut self.is_reacquiring)
    }

    pub(super) fn tick(&mut self, now: Now, common: &mut Common, effects: &mut Effects) {
        self.is_ticking = false;
        if let Some(belief) = common.belief() {
            let gives_up = common.settings.renew_failure == RenewFailure::GivesUp;
            if gives_up && self.is_unanswered {
                effects.fact(Event::RenewerGaveUp { token: belief.token });
                return;
            }
            self.is_unanswered = true;
            common.renew(now, belief.token, effects);
            self.start(now, effects);
        } else if common.settings.session && common.is_asking {
            common.keep_alive(now, effects);
            self.start(now, effects);
        }
    }
}
