//! “No external effect twice”: the outside acts at most once for a piece of work. No fence stands
//! there; only an outside that knows the piece by its id can refuse to act again.

use std::collections::BTreeSet;

use super::Seen;
use super::breaks::Breaks;
use super::report::PropertyState;
use crate::sim::fact::{Fact, StoreFact};
use crate::sim::id::ClientId;
use crate::sim::scenario::{Operation, Scenario};

#[derive(Clone, Debug)]
pub(super) struct ExternalEffect {
    applies: bool,
    acted: BTreeSet<(Option<ClientId>, u32, u16)>,
    breaks: Breaks,
}

impl ExternalEffect {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut clients = scenario.clients().iter();
        let applies = clients.any(|client| client.settings.operation == Operation::ExternalEffect);
        Self { applies, acted: BTreeSet::new(), breaks: Breaks::default() }
    }

    /// Tells whether the entry breaks it.
    pub(super) fn observe(&mut self, seen: &Seen<'_>) -> bool {
        let Fact::Store(_, StoreFact::Effect { write, again: false, .. }) = seen.entry.fact else {
            return false;
        };
        let is_first = self.acted.insert(write.piece());
        if !is_first {
            self.breaks.by(seen.entry);
        }
        !is_first
    }

    pub(super) fn state(&self) -> PropertyState {
        if !self.applies {
            return PropertyState::DoesNotApply;
        }
        self.breaks.state(PropertyState::Holds)
    }
}
