//! What the properties need to know of a way through the model: written from the facts that the
//! state machines state, and apart from `sim::property`, so that each checks the other.

use fenceline::sim::fact::{OwnFact, ServiceFact, StoreFact};
use std::collections::BTreeSet;

use fenceline::sim::id::{GrantNo, StoreId, WriteId};

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
    /// An update was lost.
    pub(super) lost_update: bool,
}

/// What a store has accepted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Accepted {
    newest: Option<GrantNo>,
    /// The writes in order; kept only where a model asks for lost updates.
    writes: Vec<WriteId>,
}

impl Ledger {
    pub(super) fn new(n_stores: usize) -> Self {
        Self { stores: vec![Accepted::default(); n_stores], ..Self::default() }
    }

    pub(super) fn granted(&mut self, event: &OwnFact) {
        if let OwnFact::Service(ServiceFact::Granted { grant, .. }) = event {
            self.n_grants = grant.0;
        }
    }

    /// A fact at a store.
    pub(super) fn stored(&mut self, store: StoreId, event: &OwnFact, follow_updates: bool) {
        match *event {
            OwnFact::Store(StoreFact::ReadServed { grant, .. }) => {
                self.begun = self.begun.max(Some(grant));
            }
            OwnFact::Store(StoreFact::WriteAccepted { write, grant, base, .. }) => {
                self.older_write |= self.begun.is_some_and(|begun| grant < begun);
                self.begun = self.begun.max(Some(grant));
                let accepted = &mut self.stores[usize::from(store.0)];
                self.went_back |= accepted.newest.is_some_and(|newest| grant < newest);
                accepted.newest = accepted.newest.max(Some(grant));
                if follow_updates {
                    let read = base.map(|version| version.n_writes() as usize);
                    self.lost_update |= accepted.loses(write, read);
                    accepted.writes.push(write);
                }
            }
            _ => {}
        }
    }
}

impl Accepted {
    /// Whether `write`, built on the first `read` of the accepted writes, takes another one's
    /// effect away: one that it did not read, or one that came after the same write's first
    /// arrival.
    fn loses(&self, write: WriteId, read: Option<usize>) -> bool {
        match read {
            Some(read) => self.writes[read..].iter().any(|other| *other != write),
            None => {
                let all: BTreeSet<_> = self.writes.iter().copied().collect();
                all.contains(&write) && self.writes.last() != Some(&write)
            }
        }
    }
}

#[test]
fn an_unread_write_and_a_late_duplicate_lose_an_update() {
    use fenceline::sim::ClientId;
    let [a, b] = [ClientId(0), ClientId(1)].map(|client| WriteId {
        client,
        work: 1,
        step: 1,
        shared: false,
    });
    let after = |writes: &[WriteId]| Accepted { newest: None, writes: writes.to_vec() };
    assert!(!after(&[]).loses(a, Some(0)));
    assert!(!after(&[b]).loses(a, Some(1)));
    assert!(after(&[b]).loses(a, Some(0)));
    assert!(!after(&[a]).loses(a, Some(0)), "its own retry");
    assert!(after(&[a, b]).loses(a, Some(0)));
    assert!(!after(&[a, b]).loses(b, None));
    assert!(after(&[a, b]).loses(a, None));
}
