//! “Tokens never go back”: per store, accepted writes never go back in grant order.

use super::breaks::{Breaks, holds_if};
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::fact::Fact;
use crate::sim::id::GrantNo;
use crate::sim::scenario::Scenario;

#[derive(Clone, Debug)]
pub(super) struct TokenOrder {
    /// Per store, the newest grant of an accepted write.
    newest: Vec<Option<GrantNo>>,
    breaks: Breaks,
}

impl TokenOrder {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let n_stores = usize::from(scenario.storage().stores);
        Self { newest: vec![None; n_stores], breaks: Breaks::default() }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let Fact::Store(store, fact) = seen.entry.fact else {
            return;
        };
        let Some(written) = fact.applied() else {
            return;
        };
        let under = seen.under.unwrap_or(written.grant);
        let newest = &mut self.newest[usize::from(store.0)];
        if newest.is_some_and(|newest| under < newest) {
            self.breaks.by(seen.entry);
        }
        *newest = (*newest).max(Some(under));
    }

    pub(super) fn state(&self, end: &End<'_>) -> PropertyState {
        self.breaks.state(holds_if(!end.late_write_pending))
    }
}
