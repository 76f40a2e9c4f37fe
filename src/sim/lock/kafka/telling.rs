//! What the service tells the stores, until each has confirmed it. Brokers fetch the metadata log
//! without end, and the coordinator sends a marker until it is written: so nothing that is told is
//! lost for good, however the links are.

use crate::sim::effect::Effects;
use crate::sim::id::{FencingToken, StoreId};
use crate::sim::message::ServiceToStore;
use crate::sim::scenario::Scenario;
use crate::sim::time::{LocalTime, SimDuration};

/// What is not confirmed yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Telling {
    n_stores: u8,
    /// After how long without an answer a store is told again.
    again: SimDuration,
    open: Vec<Open>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Open {
    store: StoreId,
    said: ServiceToStore,
    token: FencingToken,
    due: LocalTime,
}

impl Telling {
    /// Stores that are no brokers are told nothing.
    pub(super) fn new(scenario: &Scenario) -> Self {
        let are_brokers = scenario.store_check() == scenario.rules().store_check;
        let n_stores = if are_brokers { scenario.storage().stores } else { 0 };
        let again = scenario.spec().latency.times(2) + SimDuration::from_secs(1);
        Self { n_stores, again, open: Vec::new() }
    }

    /// Every store is to be told at `due`.
    pub(super) fn tell(&mut self, due: LocalTime, token: FencingToken, said: ServiceToStore) {
        let stores = (0..self.n_stores).map(StoreId);
        self.open.extend(stores.map(|store| Open { store, said, token, due }));
    }

    /// Sends what is due.
    pub(super) fn send(&mut self, now: LocalTime, effects: &mut Effects) {
        for open in self.open.iter_mut().filter(|open| open.due <= now) {
            effects.send(open.store, open.said);
            open.due = now + self.again;
        }
    }

    /// A store has confirmed this.
    pub(super) fn noted(&mut self, store: StoreId, token: FencingToken) {
        self.open.retain(|open| open.store != store || open.token != token);
    }

    /// Whether a store has not confirmed this.
    pub(super) fn is_open(&self, token: FencingToken) -> bool {
        self.open.iter().any(|open| open.token == token)
    }

    /// When something is to be sent.
    pub(super) fn next(&self) -> Option<LocalTime> {
        self.open.iter().map(|open| open.due).min()
    }

    /// Nothing is told any more.
    pub(super) fn forget(&mut self) {
        self.open.clear();
    }
}
