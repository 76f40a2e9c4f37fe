//! The units of work on a way through the model, and the damage of forms 1 and 2 among them:
//! written from the definitions (`docs/model.md`, “The history”, “Damage”) and apart from
//! `sim::history`, so that each checks the other. A unit is a step of one's own work; a second
//! attempt at the same one is the same unit here, because only models that are to break have any.

use std::collections::BTreeMap;

use fenceline::sim::fact::{ClientFact, OwnFact, StoreFact};
use fenceline::sim::id::{ClientId, GrantNo, NodeId, StoreId, Version, WriteId};
use fenceline::sim::message::{Body, StoreAnswer, StoreRequest};

/// A version: how many writes its store had accepted.
type Count = usize;
/// The newest grant that a client had handled when it sent something.
type Under = Option<GrantNo>;

/// What the clients sent and handled, and what the stores accepted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Units {
    known: BTreeMap<ClientId, GrantNo>,
    /// What each client has asked a store for and not yet been told.
    asked: BTreeMap<(ClientId, StoreId), Under>,
    /// What each client was told since its last write.
    told: BTreeMap<(ClientId, StoreId), (Count, Under)>,
    units: BTreeMap<WriteId, Unit>,
    /// Per store, whose each accepted write is.
    accepted: BTreeMap<StoreId, Vec<WriteId>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Unit {
    /// What it had read when it first sent a write.
    read: BTreeMap<StoreId, (Count, Under)>,
    /// Its writes.
    sent: BTreeMap<StoreId, Under>,
    /// What was accepted of them.
    accepted: Vec<StoreId>,
}

impl Unit {
    /// The grants under which it read for use and wrote.
    fn grants(&self) -> impl Iterator<Item = GrantNo> + '_ {
        let written = self.accepted.iter().filter_map(|store| self.sent[store]);
        self.read.values().filter_map(|(_, under)| *under).chain(written)
    }

    /// Whether its last grant was over when another's first was made: this service names one
    /// holder at a time.
    fn is_before(&self, other: &Self) -> bool {
        self.grants().max().zip(other.grants().min()).is_some_and(|(last, first)| last < first)
    }
}

impl Units {
    /// A fact at a client.
    pub(super) fn stated(&mut self, client: ClientId, event: &OwnFact) {
        if let OwnFact::Client(ClientFact::BeliefStarted { grant, .. }) = event {
            self.known.insert(client, *grant);
        }
    }

    /// A client sends something.
    pub(super) fn sends(&mut self, client: ClientId, to: NodeId, body: &Body) {
        let under = self.known.get(&client).copied();
        match (*body, to) {
            (Body::StoreRequest(StoreRequest::Read { .. }), NodeId::Store(store)) => {
                self.asked.insert((client, store), under);
            }
            (Body::StoreRequest(StoreRequest::Write { write, .. }), NodeId::Store(store)) => {
                let unit = self.units.entry(write).or_default();
                if unit.sent.is_empty() {
                    let own = |key: &(ClientId, StoreId)| key.0 == client;
                    unit.read.extend(
                        self.told.iter().filter(|(key, _)| own(key)).map(|(key, it)| (key.1, *it)),
                    );
                    self.told.retain(|key, _| !own(key));
                }
                unit.sent.entry(store).or_insert(under);
            }
            _ => {}
        }
    }

    /// A client handles something.
    pub(super) fn handles(&mut self, client: ClientId, from: NodeId, body: &Body) {
        if let (Body::StoreAnswer(StoreAnswer::Value { version, .. }), NodeId::Store(store)) =
            (*body, from)
            && let Some(under) = self.asked.remove(&(client, store))
        {
            self.told.insert((client, store), (count(version), under));
        }
    }

    /// A fact at a store.
    pub(super) fn stored(&mut self, store: StoreId, event: &OwnFact) {
        if let OwnFact::Store(StoreFact::WriteAccepted { write, base, .. }) = *event {
            let unit = self.units.entry(write).or_default();
            unit.accepted.push(store);
            // What the store says that it was built on is what was read of it.
            if let (Some(base), Some(read)) = (base, unit.read.get_mut(&store)) {
                read.0 = count(base);
            }
            self.accepted.entry(store).or_default().push(write);
        }
    }

    /// Per store, whose its versions are: what arrived twice, directly on itself, made none.
    fn made(&self, store: StoreId) -> Vec<(WriteId, Count)> {
        let accepted = self.accepted.get(&store).into_iter().flatten();
        let mut made: Vec<_> = accepted.copied().zip(1..).collect();
        made.dedup_by_key(|(write, _)| *write);
        made
    }

    /// What must come before what at a store: ww, wr and rw.
    fn edges(&self, store: StoreId) -> Vec<(WriteId, WriteId)> {
        let made = self.made(store);
        let mut edges: Vec<_> = made.windows(2).map(|two| (two[0].0, two[1].0)).collect();
        for (write, unit) in self.units.iter().filter(|(_, unit)| !unit.accepted.is_empty()) {
            if let Some((read, _)) = unit.read.get(&store) {
                let next = made.partition_point(|(_, version)| version <= read);
                let writer = next.checked_sub(1).map(|before| (made[before].0, *write));
                edges.extend(writer);
                edges.extend(made.get(next).map(|(later, _)| (*write, *later)));
            }
        }
        edges.retain(|(from, to)| from != to);
        edges
    }

    /// Form 1: no order of the units explains what was read and written.
    pub(super) fn has_no_order(&self) -> bool {
        is_circular(self.accepted.keys().flat_map(|store| self.edges(*store)).collect())
    }

    /// The same, at one store alone: an update was lost there.
    pub(super) fn has_no_order_at_a_store(&self) -> bool {
        self.accepted.keys().any(|store| is_circular(self.edges(*store)))
    }

    /// Form 2: an older holder replaced a newer one's value unseen.
    pub(super) fn older_replaced_newer(&self) -> bool {
        self.accepted.keys().any(|store| {
            let made = self.made(*store);
            made.windows(2).any(|two| {
                let ((newer, version), (older, _)) = (two[0], two[1]);
                let unit = &self.units[&older];
                let has_read = unit.read.get(store).is_some_and(|(read, _)| *read >= version);
                older.client != newer.client && !has_read && unit.is_before(&self.units[&newer])
            })
        })
    }
}

fn count(version: Version) -> Count {
    version.n_writes() as Count
}

/// Whether what must come before what goes round: what has nothing before it is taken away until
/// nothing is left, or nothing can be taken.
fn is_circular(mut edges: Vec<(WriteId, WriteId)>) -> bool {
    loop {
        let n_before = edges.len();
        let has_earlier: Vec<_> = edges.iter().map(|(_, to)| *to).collect();
        edges.retain(|(from, _)| has_earlier.contains(from));
        match edges.len() {
            0 => return false,
            left if left == n_before => return true,
            _ => {}
        }
    }
}

#[test]
fn an_unread_write_and_a_late_duplicate_leave_no_order() {
    let [a, b] = [ClientId(0), ClientId(1)].map(|client| WriteId {
        client,
        work: 1,
        step: 1,
        shared: false,
    });
    let store = StoreId(0);
    let units = |accepted: &[(WriteId, Option<Count>)]| {
        let mut units = Units::default();
        for (write, read) in accepted {
            let unit = units.units.entry(*write).or_default();
            unit.sent.insert(store, Some(GrantNo(u32::from(write.client.0) + 1)));
            unit.accepted.push(store);
            if let Some(read) = read {
                unit.read.insert(store, (*read, None));
            }
            units.accepted.entry(store).or_default().push(*write);
        }
        units
    };
    assert!(!units(&[(b, Some(0)), (a, Some(1))]).has_no_order());
    assert!(units(&[(b, Some(0)), (a, Some(0))]).has_no_order(), "it had not read it");
    assert!(!units(&[(a, Some(0)), (a, Some(0))]).has_no_order(), "its own retry");
    assert!(!units(&[(a, None), (b, None), (b, None)]).has_no_order());
    assert!(units(&[(a, None), (b, None), (a, None)]).has_no_order(), "it arrived again later");
    assert!(!units(&[(a, None), (b, None)]).older_replaced_newer());
    assert!(units(&[(b, None), (a, None)]).older_replaced_newer());
    assert!(!units(&[(b, Some(0)), (a, Some(1))]).older_replaced_newer(), "it had read it");
}
