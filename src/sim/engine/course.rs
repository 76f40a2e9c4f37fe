//! What the engine adds to the course of a run: which event came before which, what was cancelled
//! before it was due, and what lay beyond the end.

use super::super::course;
use super::super::event_queue::{Due, ScheduledEvent};
use super::super::time::SimTime;
use super::{Simulation, Timer};

impl Simulation {
    /// An event leaves the queue, which was not out of date and did not lie beyond the end.
    pub(super) fn comes_next(&mut self, event: ScheduledEvent) {
        if !course::is_followed() || self.is_void(&event.what) {
            return;
        }
        course::order(difference(self.ends_at, event.due));
        if let Some((last, n_scheduled)) = self.last
            // What was scheduled by the last one is due no earlier, whatever the values are.
            && event.seq() < n_scheduled
        {
            let later = difference(event.due, last.due);
            course::order(later - i128::from(event.goes_before(&last)));
        }
        self.last = Some((event, self.queue.n_scheduled()));
    }

    /// Nothing more is due before the end, as far as that is known.
    pub(super) fn all_is_later(&self) {
        if !course::is_followed() {
            return;
        }
        let mut events: Vec<_> = self.queue.iter().collect();
        events.retain(|event| !self.is_void(&event.what));
        // The queue's own order depends on what is out of date.
        events.sort_unstable_by_key(|event| event.seq());
        for event in events {
            course::order(difference(event.due, self.ends_at) - 1);
        }
    }

    /// Whether it was cancelled, or set anew.
    fn is_void(&self, what: &Due) -> bool {
        match what {
            Due::Expiry(node, generation) => {
                self.nodes[usize::from(node.0)].timer.generation != *generation
            }
            Due::Timer(..)
            | Due::WorkerStep(..)
            | Due::Arrival(..)
            | Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::LinkReturns(_)
            | Due::ServiceReturns(_)
            | Due::Restart(_)
            | Due::Apply(_) => self.is_out_of_date(what),
        }
    }
}

impl Timer {
    /// It is cancelled or set anew at `now`: it was not due before that.
    pub(super) fn was_not_due(&self, now: SimTime) {
        if !course::is_followed() {
            return;
        }
        // One that was due before waits for its client to wake, and has left the queue.
        if let Some(due) = self.due.filter(|due| due.micros() >= now.micros()) {
            let later = difference(due, now);
            course::order(later);
            course::order(later - 1);
        }
    }
}

fn difference(this: SimTime, that: SimTime) -> i128 {
    i128::from(this.micros()) - i128::from(that.micros())
}
