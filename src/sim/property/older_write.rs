//! “No older write once the next holder has begun”: after a holder's first read was served or
//! first write accepted, at any store, no write of an older grant is accepted at any store. A look
//! at which piece of shared work is next is no such read: nothing that is written afterwards is
//! built on it.

use super::breaks::{Breaks, holds_if};
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::fact::{Fact, Read};
use crate::sim::id::GrantNo;
use crate::sim::scenario::{FenceRule, Operation, Scenario};

#[derive(Clone, Debug)]
pub(super) struct OlderWrite {
    /// Per client, whether its writes are built on what it has read.
    builds_on_reads: Vec<bool>,
    /// The newest grant whose holder has begun.
    begun: Option<GrantNo>,
    breaks: Breaks,
}

impl OlderWrite {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let by_version = scenario.storage().rule == FenceRule::DataVersion;
        let clients = scenario.clients().iter();
        let builds_on_reads = clients
            .map(|client| by_version || client.settings.operation == Operation::ReadModifyWrite);
        Self { builds_on_reads: builds_on_reads.collect(), begun: None, breaks: Breaks::default() }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let Fact::Store(_, fact) = seen.entry.fact else {
            return;
        };
        if let Some(Read { client, grant, .. }) = fact.read()
            && self.builds_on_reads[client.index()]
        {
            self.begun = self.begun.max(Some(seen.under.unwrap_or(grant)));
        } else if let Some(written) = fact.applied() {
            let under = seen.under.unwrap_or(written.grant);
            if self.begun.is_some_and(|begun| under < begun) {
                self.breaks.by(seen.entry);
            }
            self.begun = self.begun.max(Some(under));
        }
    }

    pub(super) fn state(&self, end: &End<'_>) -> PropertyState {
        self.breaks.state(holds_if(!end.late_write_pending))
    }
}
