//! “No older write once the next holder has begun”: after a holder's first read was served or first
//! write accepted, at any store, no write of an older grant is accepted at any store.

use super::breaks::{Breaks, holds_if};
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::event::Event;
use crate::sim::id::GrantNo;

#[derive(Clone, Debug, Default)]
pub(super) struct OlderWrite {
    /// The newest grant whose holder has begun.
    begun: Option<GrantNo>,
    breaks: Breaks,
}

impl OlderWrite {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other events begin nothing")]
    /// Tells whether the entry breaks it.
    pub(super) fn observe(&mut self, seen: &Seen<'_>) -> bool {
        match seen.entry.event {
            Event::ReadServed { grant, .. } => {
                self.begun = self.begun.max(Some(grant));
                false
            }
            Event::WriteAccepted { grant, .. } => {
                let breaks = self.begun.is_some_and(|begun| grant < begun);
                if breaks {
                    self.breaks.by(seen.entry);
                }
                self.begun = self.begun.max(Some(grant));
                breaks
            }
            _ => false,
        }
    }

    pub(super) fn state(&self, end: &End<'_>) -> PropertyState {
        self.breaks.state(holds_if(!end.late_write_pending))
    }
}
