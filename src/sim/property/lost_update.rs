//! “No lost update”: a read-modify-write is accepted only if what it read had every write accepted
//! so far; and no duplicate of an older write overwrites a newer one. Speaks of read-modify-writes,
//! and of writes that can arrive twice.

use super::breaks::{Breaks, holds_if};
use super::facts::Facts;
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::fact::{Fact, StoreFact};
use crate::sim::id::NodeId;
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
        let reads = clients.any(|client| client.settings.operation == Operation::ReadModifyWrite);
        let applies = reads || Facts::can_writes_repeat(scenario);
        Self { applies, breaks: Breaks::default() }
    }

    /// Whether an accepted update is missing from what this write was built on, or a newer one than
    /// the write that this duplicates is overwritten. `facts` has this entry already.
    pub(super) fn loses(entry: &LogEntry, facts: &Facts) -> bool {
        let (
            NodeId::Store(store),
            Fact::Store(_, StoreFact::WriteAccepted { write, base, version, .. }),
        ) = (entry.node(), entry.fact)
        else {
            return false;
        };
        match base {
            // A store counts its accepted writes, so what was read has all of them if its version
            // is the one right before the new one; other attempts of this very write do not count.
            Some(base) if base.next() < version => {
                facts.accepted_between(store, base, version).is_none_or(|mut between| {
                    between.any(|accepted| accepted.piece() != write.piece())
                })
            }
            Some(_) => false,
            None => facts.overwrites_newer(store, write, version),
        }
    }

    /// Tells whether the entry breaks it.
    pub(super) fn observe(&mut self, seen: &Seen<'_>) -> bool {
        let breaks = self.applies && seen.write.is_some_and(|write| write.lost_update);
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
