//! What the properties need to know of a way through the model: written from the facts that the
//! state machines state, and apart from `sim::property`, so that each checks the other.

use fenceline::sim::fact::{OwnFact, ServiceFact, StoreFact};

use fenceline::sim::id::{GrantNo, StoreId};

use super::units::Units;

/// What has happened so far, as far as a property asks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Ledger {
    pub(super) n_grants: u32,
    /// Per store.
    stores: Vec<Accepted>,
    /// The newest grant that was served a read or a write anywhere.
    begun: Option<GrantNo>,
    /// An accepted write went back in grant order at its store.
    pub(super) went_back: bool,
    /// A write of an older grant was accepted after a newer holder had begun.
    pub(super) older_write: bool,
    /// What was read and written; kept only where a model asks for damage, for it takes more
    /// states.
    pub(super) units: Option<Units>,
}

/// What a store has accepted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Accepted {
    newest: Option<GrantNo>,
}

impl Ledger {
    pub(super) fn new(n_stores: usize, follows_units: bool) -> Self {
        let units = follows_units.then(Units::default);
        Self { stores: vec![Accepted::default(); n_stores], units, ..Self::default() }
    }

    pub(super) fn granted(&mut self, event: &OwnFact) {
        if let OwnFact::Service(ServiceFact::Granted { grant, .. }) = event {
            self.n_grants = grant.0;
        }
    }

    /// A fact at a store.
    pub(super) fn stored(&mut self, store: StoreId, event: &OwnFact) {
        if let Some(units) = &mut self.units {
            units.stored(store, event);
        }
        match *event {
            OwnFact::Store(StoreFact::ReadServed { grant, .. }) => {
                self.begun = self.begun.max(Some(grant));
            }
            OwnFact::Store(StoreFact::WriteAccepted { grant, .. }) => {
                self.older_write |= self.begun.is_some_and(|begun| grant < begun);
                self.begun = self.begun.max(Some(grant));
                let accepted = &mut self.stores[usize::from(store.0)];
                self.went_back |= accepted.newest.is_some_and(|newest| grant < newest);
                accepted.newest = accepted.newest.max(Some(grant));
            }
            _ => {}
        }
    }
}
