//! In which order the units of a run can have run one after the other: a graph of what must come
//! before what, kept free of cycles. Versions are known, so that nothing is inferred. Names of the
//! cycles: Adya, “Weak Consistency” (1999), and Gray's “lost update”.

use std::collections::{BTreeMap, BTreeSet};

use super::units::UnitNo;
use crate::sim::id::{StoreId, Version};

/// Why one unit comes before another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// ww: the later one replaced this version, which the earlier one had made.
    Replaced(StoreId, Version),
    /// wr: the later one read this version, which the earlier one had made.
    Read(StoreId, Version),
    /// rw: the earlier one read this version, which the later one then replaced.
    ReadBefore(StoreId, Version),
    /// Both are of one client, which did one after the other.
    SameClient,
}

impl Reason {
    /// The field's short name; client order has none.
    pub fn short(self) -> &'static str {
        match self {
            Self::Replaced(..) => "ww",
            Self::Read(..) => "wr",
            Self::ReadBefore(..) => "rw",
            Self::SameClient => "client order",
        }
    }

    fn store(self) -> Option<StoreId> {
        match self {
            Self::Replaced(store, _) | Self::Read(store, _) | Self::ReadBefore(store, _) => {
                Some(store)
            }
            Self::SameClient => None,
        }
    }
}

/// One unit comes before another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What comes first.
    pub from: UnitNo,
    /// What comes later.
    pub to: UnitNo,
    /// Why.
    pub reason: Reason,
}

/// Units each of which must come before the next, and the last before the first: no order fits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cycle(pub Vec<Edge>);

/// What the field calls a cycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CycleName {
    /// G0: writes alone.
    DirtyWrite,
    /// An update was replaced by one that was built on what was there before it.
    LostUpdate,
    /// G1b: what was read was replaced by its own writer.
    IntermediateRead,
    /// G1c: writes, and reads of what was written.
    CircularInformationFlow,
    /// G-single: one read saw what was before.
    ReadSkew,
    /// G2-item: several reads saw what was before.
    WriteSkew,
}

impl Cycle {
    /// Its name. Client order is no part of it where no cycle needs it.
    pub fn name(&self) -> CycleName {
        let count = |test: fn(&Edge) -> bool| self.0.iter().filter(|edge| test(edge)).count();
        let n_before = count(|edge| matches!(edge.reason, Reason::ReadBefore(..)));
        let n_reads = count(|edge| matches!(edge.reason, Reason::Read(..)));
        let first = self.0.first().and_then(|edge| edge.reason.store());
        let is_at_one_store = self.0.iter().all(|edge| edge.reason.store() == first);
        match (n_before, n_reads) {
            (0, 0) => CycleName::DirtyWrite,
            (0, _) => CycleName::CircularInformationFlow,
            (1, 0) if is_at_one_store => CycleName::LostUpdate,
            (1, 1) if is_at_one_store && self.0.len() == 2 => CycleName::IntermediateRead,
            (1, _) => CycleName::ReadSkew,
            _ => CycleName::WriteSkew,
        }
    }
}

/// Units in an order that every edge agrees with. An edge that would close a cycle is told and left
/// out, so that the next cycle is found, too. Method: Pearce and Kelly, “A dynamic topological sort
/// algorithm for directed acyclic graphs” (2006): only what lies between the two is looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// Per unit, its place in the order; `None`: it is not in it.
    places: Vec<Option<u32>>,
    n_places: u32,
    after: Vec<Vec<Edge>>,
    before: Vec<Vec<UnitNo>>,
    /// What closed a cycle.
    left_out: BTreeMap<UnitNo, Vec<UnitNo>>,
}

/// A long run with much damage must not be searched for ever.
const MOST_EDGES_LOOKED_AT: u32 = 10_000;

impl Order {
    pub(super) fn new(n_units: usize) -> Self {
        Self {
            places: vec![None; n_units],
            n_places: 0,
            after: vec![Vec::new(); n_units],
            before: vec![Vec::new(); n_units],
            left_out: BTreeMap::new(),
        }
    }

    /// Takes a unit in, at the end.
    pub(super) fn enter(&mut self, unit: UnitNo) {
        self.places[unit.index()] = Some(self.n_places);
        self.n_places += 1;
    }

    fn place(&self, unit: UnitNo) -> u32 {
        self.places[unit.index()].expect("edges are between units that have entered")
    }

    /// Whether something comes after another by edges that were taken in or left out. Looks at so
    /// many; where that is not enough, it says yes.
    pub(super) fn may_reach(&self, from: UnitNo, to: UnitNo) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut found = vec![from];
        let mut next = 0;
        let mut n_left = MOST_EDGES_LOOKED_AT;
        while let Some(&unit) = found.get(next) {
            next += 1;
            let left_out = self.left_out.get(&unit).into_iter().flatten();
            for later in
                self.after[unit.index()].iter().map(|edge| edge.to).chain(left_out.copied())
            {
                n_left -= 1;
                if later == to || n_left == 0 {
                    return true;
                }
                if seen.insert(later) {
                    found.push(later);
                }
            }
        }
        false
    }

    /// Takes an edge in between two units that have entered.
    ///
    /// # Errors
    /// The shortest cycle that it would close, itself last.
    pub(super) fn add(&mut self, edge: Edge) -> Result<(), Cycle> {
        let (low, high) = (self.place(edge.to), self.place(edge.from));
        if low < high {
            let later = match self.reach(edge, high) {
                Ok(later) => later,
                Err(cycle) => {
                    self.left_out.entry(edge.from).or_default().push(edge.to);
                    return Err(cycle);
                }
            };
            let earlier = self.reached_from(edge.from, low);
            self.put_before(earlier, later);
        }
        self.after[edge.from.index()].push(edge);
        self.before[edge.to.index()].push(edge.from);
        Ok(())
    }

    /// What comes after the edge's end, up to this place; or the way from there to its beginning.
    fn reach(&self, edge: Edge, high: u32) -> Result<Vec<UnitNo>, Cycle> {
        let mut came_by = BTreeMap::<UnitNo, Option<Edge>>::new();
        came_by.insert(edge.to, None);
        let mut found = vec![edge.to];
        let mut next = 0;
        while let Some(&unit) = found.get(next) {
            next += 1;
            for step in &self.after[unit.index()] {
                if self.place(step.to) > high || came_by.contains_key(&step.to) {
                    continue;
                }
                came_by.insert(step.to, Some(*step));
                found.push(step.to);
                if step.to == edge.from {
                    let mut way = vec![edge];
                    let mut at = step.to;
                    while let Some(Some(step)) = came_by.get(&at) {
                        way.push(*step);
                        at = step.from;
                    }
                    way.reverse();
                    return Err(Cycle(way));
                }
            }
        }
        Ok(found)
    }

    /// What comes before this unit, down to this place.
    fn reached_from(&self, unit: UnitNo, low: u32) -> Vec<UnitNo> {
        let mut seen = BTreeSet::from([unit]);
        let mut found = vec![unit];
        let mut next = 0;
        while let Some(&unit) = found.get(next) {
            next += 1;
            for &earlier in &self.before[unit.index()] {
                if self.place(earlier) >= low && seen.insert(earlier) {
                    found.push(earlier);
                }
            }
        }
        found
    }

    /// Gives these units the places that they have between them, the earlier ones first.
    fn put_before(&mut self, mut earlier: Vec<UnitNo>, mut later: Vec<UnitNo>) {
        earlier.sort_unstable_by_key(|unit| self.place(*unit));
        later.sort_unstable_by_key(|unit| self.place(*unit));
        earlier.extend(later);
        let mut places: Vec<_> = earlier.iter().map(|unit| self.place(*unit)).collect();
        places.sort_unstable();
        for (unit, place) in earlier.into_iter().zip(places) {
            self.places[unit.index()] = Some(place);
        }
    }

    /// The units that have entered, in order.
    pub(super) fn in_order(&self) -> Vec<UnitNo> {
        let entered = (0_u32..)
            .zip(&self.places)
            .filter_map(|(no, place)| Some((place.as_ref()?, UnitNo(no))));
        let mut units: Vec<_> = entered.collect();
        units.sort_unstable();
        units.into_iter().map(|(_, unit)| unit).collect()
    }

    /// The edges that were taken in.
    pub(super) fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.after.iter().flatten().copied()
    }
}
