//! In which order the units of a run can have run one after the other: a graph of what must come
//! before what, kept free of cycles. Versions are known, so that nothing is inferred. Names of the
//! cycles: Adya, “Weak Consistency” (1999), and Gray's “lost update”.

use super::units::UnitNo;
use crate::sim::id::{StoreId, Version};
use crate::sim::long_list::LongList;

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
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Per unit, its place in the order; [`NONE`]: it is not in it.
    places: Vec<u32>,
    n_places: u32,
    edges: LongList<Edge>,
    /// By the unit that an edge comes from, and by the one that it leads to.
    after: Lists,
    before: Lists,
    /// What closed a cycle, by the unit that it comes from.
    left_out: LongList<UnitNo>,
    left_out_after: Lists,
    /// Per unit, the search that has last come to it, and by which edge.
    seen: Vec<(u32, u32)>,
    n_searches: u32,
    found: Vec<UnitNo>,
}

/// In place of a number.
const NONE: u32 = u32::MAX;

/// A long run with much damage must not be searched for ever.
const MOST_EDGES_LOOKED_AT: u32 = 10_000;

/// Numbers from 0, each in the list of one unit. A run has many units and most lists are short, so
/// that a vector each would take much memory in small parts.
#[derive(Clone, Debug)]
struct Lists {
    /// Per unit, the last in its list; [`NONE`]: it is empty.
    last: Vec<u32>,
    /// Per number, the next in its list; after the last comes the first.
    next: LongList<u32>,
}

impl Lists {
    fn new(n_units: usize) -> Self {
        Self { last: vec![NONE; n_units], next: LongList::default() }
    }

    /// Puts the next number at the end of a unit's list.
    fn push(&mut self, unit: UnitNo) {
        let no = self.next.n_entries();
        let last = std::mem::replace(&mut self.last[unit.index()], no);
        let first = if last == NONE { no } else { std::mem::replace(&mut self.next[last], no) };
        self.next.push(first);
    }

    /// The first of a unit's list.
    fn first(&self, unit: UnitNo) -> Option<u32> {
        let last = self.last[unit.index()];
        (last != NONE).then(|| self.next[last])
    }

    /// What comes after that in a unit's list.
    fn following(&self, unit: UnitNo, no: u32) -> Option<u32> {
        (no != self.last[unit.index()]).then(|| self.next[no])
    }

    fn of(&self, unit: UnitNo) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.first(unit), move |no| self.following(unit, *no))
    }
}

impl Order {
    pub(super) fn new(n_units: usize) -> Self {
        Self {
            places: vec![NONE; n_units],
            n_places: 0,
            edges: LongList::default(),
            after: Lists::new(n_units),
            before: Lists::new(n_units),
            left_out: LongList::default(),
            left_out_after: Lists::new(n_units),
            seen: vec![(0, NONE); n_units],
            n_searches: 0,
            found: Vec::new(),
        }
    }

    /// Takes a unit in, at the end.
    pub(super) fn enter(&mut self, unit: UnitNo) {
        self.places[unit.index()] = self.n_places;
        self.n_places += 1;
    }

    /// Its place; edges are between units that have entered.
    fn place(&self, unit: UnitNo) -> u32 {
        self.places[unit.index()]
    }

    /// Begins a search with this unit.
    fn search_from(&mut self, unit: UnitNo) {
        self.n_searches += 1;
        self.found.clear();
        self.comes_to(unit, NONE);
    }

    /// A search comes to a unit by an edge. Whether that is the first time.
    fn comes_to(&mut self, unit: UnitNo, by: u32) -> bool {
        let seen = &mut self.seen[unit.index()];
        let is_new = seen.0 != self.n_searches;
        if is_new {
            *seen = (self.n_searches, by);
            self.found.push(unit);
        }
        is_new
    }

    /// Whether something comes after another by edges that were taken in or left out. Looks at so
    /// many; where that is not enough, it says yes.
    pub(super) fn may_reach(&mut self, from: UnitNo, to: UnitNo) -> bool {
        self.search_from(from);
        let (mut next, mut n_left) = (0, MOST_EDGES_LOOKED_AT);
        while let Some(&unit) = self.found.get(next) {
            next += 1;
            let (mut taken, mut left_out) =
                (self.after.first(unit), self.left_out_after.first(unit));
            loop {
                let later = if let Some(no) = taken {
                    taken = self.after.following(unit, no);
                    self.edges[no].to
                } else if let Some(no) = left_out {
                    left_out = self.left_out_after.following(unit, no);
                    self.left_out[no]
                } else {
                    break;
                };
                n_left -= 1;
                if later == to || n_left == 0 {
                    return true;
                }
                self.comes_to(later, NONE);
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
            if let Err(cycle) = self.reach(edge, high) {
                self.left_out.push(edge.to);
                self.left_out_after.push(edge.from);
                return Err(cycle);
            }
            let later = self.sorted();
            self.reach_back(edge.from, low);
            let earlier = self.sorted();
            self.put_before(&earlier, &later);
        }
        self.edges.push(edge);
        self.after.push(edge.from);
        self.before.push(edge.to);
        Ok(())
    }

    /// Finds what comes after the edge's end, up to this place; or the way from there to its
    /// beginning.
    fn reach(&mut self, edge: Edge, high: u32) -> Result<(), Cycle> {
        self.search_from(edge.to);
        let mut next = 0;
        while let Some(&unit) = self.found.get(next) {
            next += 1;
            let mut step = self.after.first(unit);
            while let Some(no) = step {
                step = self.after.following(unit, no);
                let to = self.edges[no].to;
                if self.place(to) <= high && self.comes_to(to, no) && to == edge.from {
                    return Err(self.way(edge));
                }
            }
        }
        Ok(())
    }

    /// The way that a search has come from an edge's end to its beginning, and the edge.
    fn way(&self, edge: Edge) -> Cycle {
        let mut way = vec![edge];
        let mut at = edge.from;
        while self.seen[at.index()].1 != NONE {
            let step = self.edges[self.seen[at.index()].1];
            way.push(step);
            at = step.from;
        }
        way.reverse();
        Cycle(way)
    }

    /// Finds what comes before this unit, down to this place.
    fn reach_back(&mut self, unit: UnitNo, low: u32) {
        self.search_from(unit);
        let mut next = 0;
        while let Some(&unit) = self.found.get(next) {
            next += 1;
            let mut step = self.before.first(unit);
            while let Some(no) = step {
                step = self.before.following(unit, no);
                let earlier = self.edges[no].from;
                if self.place(earlier) >= low {
                    self.comes_to(earlier, NONE);
                }
            }
        }
    }

    /// The places of what was found, in order, each with its unit.
    fn sorted(&self) -> Vec<u64> {
        let placed = |unit: &UnitNo| u64::from(self.place(*unit)) << 32 | u64::from(unit.0);
        let mut sorted: Vec<u64> = self.found.iter().map(placed).collect();
        sorted.sort_unstable();
        sorted
    }

    /// Gives these units the places that they have between them, the earlier ones first.
    fn put_before(&mut self, earlier: &[u64], later: &[u64]) {
        let units = earlier.iter().chain(later);
        let mut places: Vec<u64> = units.clone().copied().collect();
        places.sort_unstable();
        for (placed, place) in units.zip(places) {
            // The lower half is the unit, the upper one the place.
            self.places[(*placed & u64::from(u32::MAX)) as usize] =
                u32::try_from(place >> 32).expect("a place has 32 bits");
        }
    }

    /// The units that have entered, in order.
    pub(super) fn in_order(&self) -> Vec<UnitNo> {
        let mut units = vec![UnitNo(0); self.n_places as usize];
        for (no, place) in (0_u32..).zip(&self.places) {
            if *place != NONE {
                units[*place as usize] = UnitNo(no);
            }
        }
        units
    }

    /// The edges that were taken in, by the units that they come from.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(self.edges.n_entries() as usize);
        for no in 0..u32::try_from(self.places.len()).expect("fewer than entries") {
            edges.extend(self.after.of(UnitNo(no)).map(|edge| self.edges[edge]));
        }
        edges
    }
}
