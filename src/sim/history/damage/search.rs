//! The search through what a run's units did, in the order of the log: which edges each effect
//! makes, and what it closes or repeats.

use super::{Damage, DamageForm, is_before, start_of_first};
use crate::sim::history::order::{Edge, Order, Reason};
use crate::sim::history::units::{PerPiece, Unit, UnitNo};
use crate::sim::history::{Fate, Moment, Plan};
use crate::sim::id::{EntrySeq, StoreId, Version};
use crate::sim::limits::{MAX_CLIENTS, MAX_STORES};
use crate::sim::long_list::LongList;
use crate::sim::property::GrantRecord;
use crate::sim::time::SimTime;

/// A version of a store; what arrived twice, directly on itself, makes none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) unit: UnitNo,
    pub(super) step: u16,
    pub(super) version: Version,
}

/// A store as its writes made it.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    /// What made each version, in order.
    pub(super) made: LongList<Made>,
    /// Per accepted write, its place in `made`.
    pub(super) places: LongList<u32>,
    /// Who has used the last version.
    pub(super) readers: Vec<UnitNo>,
    /// The place in `made` of the last plain overwrite.
    pub(super) overwritten: Option<u32>,
}

impl Store {
    /// The place in `made` of a version; `None`: the one before the first write.
    pub(super) fn place(&self, version: Version) -> Option<u32> {
        self.places.get(version.n_writes().checked_sub(1)?).copied()
    }

    /// The last version.
    pub(super) fn last(&self) -> Option<Made> {
        self.made.get(self.made.n_entries().checked_sub(1)?).copied()
    }

    /// What came directly after that.
    pub(super) fn next(&self, place: Option<u32>) -> Option<Made> {
        self.made.get(place.map_or(0, |place| place + 1)).copied()
    }
}

/// Something that a unit did.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Write(usize),
    Act(usize),
}

pub(super) struct Search<'a> {
    pub(super) units: &'a mut [Unit],
    pub(super) plans: &'a [Plan],
    pub(super) stores: Vec<Store>,
    /// By what was read and written alone.
    pub(super) order: Order,
    /// With client order.
    pub(super) with_clients: Order,
    /// Per client, its units that had effects.
    pub(super) entered: [Vec<UnitNo>; MAX_CLIENTS],
    /// Who built on whose version, and by what.
    pub(super) built_on: LongList<(UnitNo, UnitNo, StoreId, Version, Moment)>,
    /// Who replaced whose version without having read it.
    pub(super) replaced: LongList<(UnitNo, UnitNo, StoreId, Version, Moment)>,
    /// Per piece, step and store, the place of its first update there.
    pub(super) updates: PerPiece,
    /// Per piece and step, the unit for which the outside first acted.
    pub(super) acted: PerPiece,
    pub(super) all: Vec<Damage>,
}

impl<'a> Search<'a> {
    pub(super) fn new(units: &'a mut [Unit], plans: &'a [Plan], n_stores: u8) -> Self {
        let n_units = units.len();
        Self {
            units,
            plans,
            stores: vec![Store::default(); usize::from(n_stores)],
            order: Order::new(n_units),
            with_clients: Order::new(n_units),
            entered: Default::default(),
            built_on: LongList::default(),
            replaced: LongList::default(),
            updates: PerPiece::new(),
            acted: PerPiece::new(),
            all: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, mut damage: Damage) {
        let kind = std::mem::discriminant(&damage.form);
        // A long run may have very many; the first cycle of each form is shown.
        if self.all.iter().any(|other| std::mem::discriminant(&other.form) == kind) {
            damage.cycle = None;
        }
        self.all.push(damage);
    }

    /// A unit has its first effect: it takes its place among the units of its client.
    pub(super) fn enter(&mut self, unit: UnitNo) {
        let own = &mut self.entered[self.units[unit.index()].write.client.index()];
        let Err(place) = own.binary_search(&unit) else {
            return;
        };
        own.insert(place, unit);
        let earlier = place.checked_sub(1).map(|place| own[place]);
        let later = own.get(place + 1).copied();
        self.order.enter(unit);
        self.with_clients.enter(unit);
        let reason = Reason::SameClient;
        let edges = [
            earlier.map(|from| Edge { from, to: unit, reason }),
            later.map(|to| Edge { from: unit, to, reason }),
        ];
        for edge in edges.into_iter().flatten() {
            // It has no other edge yet.
            let _ = self.with_clients.add(edge);
        }
    }

    /// A step of a unit is built on what it has read before it.
    fn uses_reads(
        &mut self,
        unit: UnitNo,
        step: u16,
        sent: Moment,
        base: Option<(StoreId, Version)>,
        edges: &mut Vec<Edge>,
        at: Moment,
    ) {
        let reads = &mut self.units[unit.index()].reads;
        let from = reads.partition_point(|read| read.step < step);
        let mut found = [None; MAX_STORES];
        for (index, read) in reads.iter().enumerate().skip(from).take_while(|it| it.1.step == step)
        {
            let place = &mut found[usize::from(read.store.0)];
            let is_handled = read.handled.is_some_and(|handled| handled.entry < sent.entry);
            // Of several tries the first that was answered counts.
            if let Some((version, _)) = read.served.filter(|_| is_handled && place.is_none()) {
                *place = Some((index, version));
            }
        }
        for (store, read) in (0_u8..).map(StoreId).zip(found) {
            let Some((index, version)) = read else {
                continue;
            };
            let version = base.filter(|(at, _)| *at == store).map_or(version, |base| base.1);
            if std::mem::replace(&mut reads[index].is_used, true) {
                continue;
            }
            let state = &mut self.stores[usize::from(store.0)];
            let place = state.place(version);
            if let Some(place) = place {
                let from = state.made[place].unit;
                edges.push(Edge { from, to: unit, reason: Reason::Read(store, version) });
                self.built_on.push((unit, from, store, version, at));
            }
            match state.next(place) {
                Some(Made { unit: to, .. }) => {
                    edges.push(Edge { from: unit, to, reason: Reason::ReadBefore(store, version) });
                }
                None => state.readers.push(unit),
            }
        }
    }

    pub(super) fn installs(&mut self, unit: UnitNo, index: usize, at: Moment) {
        let write = self.units[unit.index()].writes[index];
        let Fate::Installed { version, base } = write.fate else {
            return;
        };
        let (store, step) = (write.store, write.step);
        let mut edges = Vec::new();
        // The base of an overwrite is a condition; what is written is not built on it.
        let modifies = self.plans[self.units[unit.index()].write.client.index()].modifies;
        if let Some(base) = base.filter(|_| modifies) {
            self.uses_reads(unit, step, write.sent, Some((store, base)), &mut edges, at);
        }
        let state = &mut self.stores[usize::from(store.0)];
        let last = state.last();
        if last.is_some_and(|last| (last.unit, last.step) == (unit, step)) {
            // It arrived twice, directly on its own version.
            state.places.push(state.made.n_entries() - 1);
            return;
        }
        let built = base.map(|base| state.place(base));
        if let Some(last) = last {
            let reason = Reason::Replaced(store, last.version);
            edges.push(Edge { from: last.unit, to: unit, reason });
            if built != Some(state.made.n_entries().checked_sub(1)) {
                self.replaced.push((unit, last.unit, store, last.version, at));
            }
        }
        let read = last.map_or(Version::EMPTY, |last| last.version);
        for reader in state.readers.drain(..) {
            let reason = Reason::ReadBefore(store, read);
            edges.push(Edge { from: reader, to: unit, reason });
        }
        let place = state.made.n_entries();
        state.places.push(place);
        state.made.push(Made { unit, step, version });
        self.updates_twice(unit, step, store, built, at);
        self.take(edges, unit, at);
    }

    /// An update of a piece, built on a version that has that piece's update already.
    fn updates_twice(
        &mut self,
        unit: UnitNo,
        step: u16,
        store: StoreId,
        built: Option<Option<u32>>,
        at: Moment,
    ) {
        let write = self.units[unit.index()].write;
        let state = &mut self.stores[usize::from(store.0)];
        let place = state.made.n_entries() - 1;
        let Some(built) = built.filter(|_| self.plans[write.client.index()].modifies) else {
            state.overwritten = Some(place);
            return;
        };
        let (client, work, _) = write.piece();
        let first = *self.updates.entry((client, work, step, store)).or_insert(place);
        let contains = built.is_some_and(|built| built >= first)
            && state.overwritten.is_none_or(|overwritten| overwritten <= first);
        if first != place && contains {
            let made = state.made[first];
            self.add(Damage {
                form: DamageForm::UpdatedTwice,
                at,
                unit,
                other: Some(made.unit),
                store: Some(store),
                version: Some(made.version),
                cycle: None,
            });
        }
    }

    pub(super) fn acts(&mut self, unit: UnitNo, index: usize, at: Moment) {
        let act = self.units[unit.index()].acts[index];
        let write = self.units[unit.index()].write;
        let mut edges = Vec::new();
        if self.plans[write.client.index()].reads_for_acts {
            self.uses_reads(unit, act.step, act.sent, None, &mut edges, at);
        }
        let (client, work, _) = write.piece();
        let key = (client, work, act.step, StoreId(0));
        let first = UnitNo(*self.acted.entry(key).or_insert(unit.0));
        let is_first = at.entry == self.first_act(first, act.step);
        if !is_first {
            self.add(Damage {
                form: DamageForm::ActedTwice,
                at,
                unit,
                other: Some(first),
                store: None,
                version: None,
                cycle: None,
            });
        }
        self.take(edges, unit, at);
    }

    /// The entry by which the outside first acted for a step of a unit.
    fn first_act(&self, unit: UnitNo, step: u16) -> EntrySeq {
        let acts = self.units[unit.index()].acts.iter().filter(|act| act.step == step);
        let done = acts.filter(|act| !act.is_known).filter_map(|act| act.done);
        done.map(|at| at.entry).min().expect("it acted")
    }

    /// Takes edges in that one event made; the first cycle that they close is a damage.
    fn take(&mut self, edges: Vec<Edge>, unit: UnitNo, at: Moment) {
        let (mut cycle, mut own) = (None, None);
        for edge in edges.into_iter().filter(|edge| edge.from != edge.to) {
            match self.order.add(edge) {
                Err(closed) => cycle = cycle.or(Some(closed)),
                // A cycle that other edges close, too, does not need client order.
                Ok(()) => {
                    let closed = self.with_clients.add(edge).err();
                    let needed = closed.filter(|_| !self.order.may_reach(edge.to, edge.from));
                    own = own.or(needed);
                }
            }
        }
        let form = match (&cycle, &own) {
            (Some(closed), _) => DamageForm::NoOrder(closed.name()),
            (None, Some(_)) => DamageForm::OwnOlderStep,
            (None, None) => return,
        };
        let cycle = cycle.or(own).expect("one of them is there");
        let last = *cycle.0.last().expect("a cycle has edges");
        let other = if last.from == unit { last.to } else { last.from };
        let (store, version) = match last.reason {
            Reason::Replaced(store, version)
            | Reason::Read(store, version)
            | Reason::ReadBefore(store, version) => (Some(store), Some(version)),
            Reason::SameClient => (None, None),
        };
        self.add(Damage { form, at, unit, other: Some(other), store, version, cycle: Some(cycle) });
    }

    pub(super) fn older_over_newer(&mut self, grants: &[GrantRecord]) {
        for &(unit, other, store, version, at) in std::mem::take(&mut self.replaced).iter() {
            if is_before(&self.units[unit.index()], &self.units[other.index()], grants) {
                self.add(Damage {
                    form: DamageForm::OlderOverNewer,
                    at,
                    unit,
                    other: Some(other),
                    store: Some(store),
                    version: Some(version),
                    cycle: None,
                });
            }
        }
    }

    pub(super) fn acts_out_of_order(
        &mut self,
        effects: &[(Moment, UnitNo, What)],
        grants: &[GrantRecord],
    ) {
        // Per client, its acting unit whose first grant is the newest.
        let mut newest: [Option<(SimTime, UnitNo)>; MAX_CLIENTS] = [None; MAX_CLIENTS];
        for (at, no, what) in effects {
            if !matches!(what, What::Act(_)) {
                continue;
            }
            let unit = &self.units[no.index()];
            let others = newest.iter().flatten().copied();
            let newer = others
                .map(|(_, other)| other)
                .find(|other| is_before(unit, &self.units[other.index()], grants));
            let client = unit.write.client;
            if let Some(start) = start_of_first(unit, grants) {
                let own = &mut newest[client.index()];
                *own = (*own).max(Some((start, *no)));
            }
            if let Some(newer) = newer {
                self.add(Damage {
                    form: DamageForm::ActedOutOfOrder,
                    at: *at,
                    unit: *no,
                    other: Some(newer),
                    store: None,
                    version: None,
                    cycle: None,
                });
            }
        }
    }
}
