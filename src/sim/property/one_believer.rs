//! “One believer at a time”: at most one client believes that it holds the lock.

use super::breaks::Breaks;
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::fact::Fact;
use crate::sim::time::{SimDuration, SimTime};

#[derive(Clone, Debug, Default)]
pub(super) struct OneBeliever {
    n_believers: u8,
    since: Option<SimTime>,
    lasted: SimDuration,
    breaks: Breaks,
}

impl OneBeliever {
    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let now = seen.entry.at;
        let Fact::Client(_, fact) = seen.entry.fact else {
            return;
        };
        if fact.believes().is_some() {
            self.n_believers += 1;
            if self.n_believers == 2 {
                self.breaks.by(seen.entry);
                self.since = Some(now);
            }
        } else if fact.stops_believing().is_some() {
            self.n_believers -= 1;
            if self.n_believers == 1 {
                let since = self.since.take();
                self.lasted += since.map_or(SimDuration::ZERO, |since| now.since(since));
            }
        }
    }

    pub(super) fn state(&self, end: &End<'_>) -> PropertyState {
        let running = self.since.map_or(SimDuration::ZERO, |since| end.at.since(since));
        let lasted = self.lasted + running;
        self.breaks.state_that_lasted(Some(lasted), PropertyState::Holds)
    }
}
