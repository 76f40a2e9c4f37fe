//! Counts how often and since when a property is broken.

use super::report::PropertyState;
use crate::sim::id::EntrySeq;
use crate::sim::log::LogEntry;
use crate::sim::time::{SimDuration, SimTime};

/// The breaks of one property.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Breaks {
    first: Option<(SimTime, Option<EntrySeq>)>,
    times: u32,
}

impl Breaks {
    /// The entry breaks it.
    pub(super) fn by(&mut self, entry: &LogEntry) {
        self.first.get_or_insert((entry.at, Some(entry.seq)));
        self.times += 1;
    }

    /// It is broken at `at` by something that did not happen; because of `entry`, if one is known.
    pub(super) fn by_nothing(&mut self, at: SimTime, entry: Option<EntrySeq>) {
        self.first.get_or_insert((at, entry));
        self.times += 1;
    }

    pub(super) fn is_broken(&self) -> bool {
        self.first.is_some()
    }

    /// Its state, where a break is an instant; `otherwise` where there was none.
    pub(super) fn state(&self, otherwise: PropertyState) -> PropertyState {
        self.state_that_lasted(None, otherwise)
    }

    pub(super) fn state_that_lasted(
        &self,
        lasted: Option<SimDuration>,
        otherwise: PropertyState,
    ) -> PropertyState {
        match self.first {
            Some((at, first)) => PropertyState::Broken { at, first, times: self.times, lasted },
            None => otherwise,
        }
    }
}

/// “Holds” if it is decided, else “undecided”.
pub(super) fn holds_if(decided: bool) -> PropertyState {
    if decided { PropertyState::Holds } else { PropertyState::Undecided }
}
