//! “No write after its lease ended”: no late or stale write is accepted.

use super::breaks::{Breaks, holds_if};
use super::report::{PropertyState, WriteStatus};
use super::{End, Seen};

#[derive(Clone, Debug, Default)]
pub(super) struct WriteAfterEnd {
    breaks: Breaks,
}

impl WriteAfterEnd {
    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let accepted = seen.write.filter(|write| write.accepted);
        if accepted.is_some_and(|write| write.status != WriteStatus::Rightful) {
            self.breaks.by(seen.entry);
        }
    }

    pub(super) fn state(&self, end: &End<'_>) -> PropertyState {
        self.breaks.state(holds_if(!end.late_write_pending))
    }
}
