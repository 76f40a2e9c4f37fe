//! “No lost update”: a read-modify-write is accepted only if what it read had every write accepted
//! so far. Speaks of read-modify-writes alone.

use super::breaks::{Breaks, holds_if};
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::event::Event;
use crate::sim::log::LogEntry;
use crate::sim::scenario::{Operation, Scenario};

#[derive(Clone, Debug)]
pub(super) struct LostUpdate {
    applies: bool,
    breaks: Breaks,
}

impl LostUpdate {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut clients = scenario.clients().iter();
        let applies = clients.any(|client| client.settings.operation == Operation::ReadModifyWrite);
        Self {
            applies,
            breaks: Breaks::default(),
        }
    }

    /// Whether an accepted update is missing from what this write was built on. A store counts its
    /// accepted writes, so the value that was read has all of them if its version is the one
    /// right before the new one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is an update")]
    pub(super) fn loses(entry: &LogEntry) -> bool {
        match entry.event {
            Event::WriteAccepted {
                base: Some(base),
                version,
                ..
            } => base.next() < version,
            _ => false,
        }
    }

    /// Tells whether the entry breaks it.
    pub(super) fn observe(&mut self, seen: &Seen<'_>) -> bool {
        let breaks = seen.write.is_some_and(|write| write.lost_update);
        if breaks {
            self.breaks.by(seen.entry);
        }
        breaks
    }

    pub(super) fn state(&self, end: &End<'_>) -> PropertyState {
        if !self.applies {
            return PropertyState::DoesNotApply;
        }
        self.breaks.state(holds_if(!end.late_write_pending))
    }
}
