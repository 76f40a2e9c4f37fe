//! What a history says of the state: whether an order of the units explains it, and the five forms
//! of damage, each with its first event. Definitions and sources: `docs/model.md`, “Damage”.

mod halves;
mod search;

use super::order::{Cycle, CycleName, Edge, sort};
use super::units::{Unit, UnitNo};
use super::{Fate, Moment, Plan};
use crate::sim::id::{EntrySeq, GrantNo, StoreId, Version};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::property::GrantRecord;
use crate::sim::time::SimTime;
use search::{Search, What};

/// A form of damage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DamageForm {
    /// No order of the units explains what was read and what is there.
    NoOrder(CycleName),
    /// A unit of an older holder replaced what a newer one had written, and had not read it.
    OlderOverNewer,
    /// A client's own older step came after its newer one.
    OwnOlderStep,
    /// Another unit was built on half of one.
    HalfRead,
    /// Half of a unit is there at the end.
    HalfStands,
    /// The outside acted twice for one piece of work.
    ActedTwice,
    /// An update of one piece was built on a version that had it already.
    UpdatedTwice,
    /// The outside acted for an older holder after it had for a newer one.
    ActedOutOfOrder,
}

impl DamageForm {
    /// Its place among the forms.
    fn rank(self) -> u8 {
        match self {
            Self::NoOrder(_) => 0,
            Self::OlderOverNewer => 1,
            Self::OwnOlderStep => 2,
            Self::HalfRead => 3,
            Self::HalfStands => 4,
            Self::ActedTwice => 5,
            Self::UpdatedTwice => 6,
            Self::ActedOutOfOrder => 7,
        }
    }
}

/// One damage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Its form.
    pub form: DamageForm,
    /// When it came about, and the entry by which it did.
    pub at: Moment,
    /// The unit that did it; of a half, the half.
    pub unit: UnitNo,
    /// The other unit: whose value it replaced, who had acted before, who built on the half.
    pub other: Option<UnitNo>,
    /// Where.
    pub store: Option<StoreId>,
    /// The version that was replaced, or that is or was read of the half.
    pub version: Option<Version>,
    /// The cycle, for the first of those forms that are one.
    pub cycle: Option<Cycle>,
}

/// Two units of two clients that had effects and ran at one time, each under a grant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Overlap {
    /// The one that began first.
    pub first: UnitNo,
    /// The one that began before that had ended.
    pub second: UnitNo,
}

/// The order that explains a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explained {
    /// The units that had effects, in an order in which they can have run one after the other.
    pub order: Vec<UnitNo>,
    /// What must come before what, and why.
    pub edges: Vec<Edge>,
}

/// All that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Damages {
    /// In the order of their entries.
    pub all: Vec<Damage>,
    /// An order of the units; what closed a cycle is left out.
    pub explained: Explained,
    /// The rest of a half may still come.
    pub half_undecided: bool,
    /// A write is under way at the end that its client has given up, or that is built on what is
    /// there no more.
    pub harm_under_way: bool,
    /// Two holders' units overlapped.
    pub overlap: Option<Overlap>,
    /// The outside acted under a grant that was over.
    pub late_acts: Vec<Moment>,
}

impl Damages {
    /// The first damage of forms that a test chooses.
    pub fn first(&self, test: impl Fn(DamageForm) -> bool) -> Option<&Damage> {
        self.all.iter().find(|damage| test(damage.form))
    }
}

/// What a history says; marks the reads that were used, and writes down the grants of each unit.
pub(super) fn of(
    units: &mut [Unit],
    plans: &[Plan],
    n_stores: u8,
    grants: &[GrantRecord],
) -> Damages {
    let mut search = Search::new(units, plans, n_stores);
    let effects = effects(search.units);
    for (at, unit, what) in &effects {
        search.enter(*unit);
        match *what {
            What::Write(index) => search.installs(*unit, index, *at),
            What::Act(index) => search.acts(*unit, index, *at),
        }
    }
    add_grants(search.units);
    search.older_over_newer(grants);
    search.acts_out_of_order(&effects, grants);
    let half_undecided = search.halves();
    let harm_under_way = search.harm_under_way();
    let late_acts = late_acts(search.units, &effects, grants);
    let Search { units, order, with_clients, all, .. } = search;
    let all = in_order(&all);
    let explains = if all.iter().any(|damage| damage.form == DamageForm::OwnOlderStep) {
        &order
    } else {
        &with_clients
    };
    let explained = Explained { order: explains.in_order(), edges: order.edges() };
    Damages {
        all,
        explained,
        half_undecided,
        harm_under_way,
        overlap: overlap(units, grants),
        late_acts,
    }
}

/// Damages in the order of their entries; of one entry, the plainest form first.
fn in_order(all: &[Damage]) -> Vec<Damage> {
    let key = |damage: &Damage| u64::from(damage.at.entry.0) << 8 | u64::from(damage.form.rank());
    let mut places: Vec<_> = all.iter().map(key).zip(0..).collect();
    sort(&mut places);
    places.into_iter().map(|(_, place)| all[place as usize].clone()).collect()
}

/// Everything that was done, in the order of the log.
fn effects(units: &[Unit]) -> Vec<(Moment, UnitNo, What)> {
    let n_parts = units.iter().map(|unit| unit.writes.len() + unit.acts.len()).sum();
    let mut effects = Vec::with_capacity(n_parts);
    for (no, unit) in (0_u32..).zip(units) {
        for (index, write) in unit.writes.iter().enumerate() {
            if let (Fate::Installed { .. }, Some(at)) = (write.fate, write.settled) {
                effects.push((at, UnitNo(no), What::Write(index)));
            }
        }
        for (index, act) in unit.acts.iter().enumerate() {
            if let Some(at) = act.done.filter(|_| !act.is_known) {
                effects.push((at, UnitNo(no), What::Act(index)));
            }
        }
    }
    let mut places = Vec::with_capacity(effects.len());
    places.extend(effects.iter().map(|(at, ..)| u64::from(at.entry.0)).zip(0..));
    sort(&mut places);
    let mut in_order = Vec::with_capacity(places.len());
    in_order.extend(places.into_iter().map(|(_, place)| effects[place as usize]));
    in_order
}

/// The grants under which each unit read for use, wrote and acted.
fn add_grants(units: &mut [Unit]) {
    let mut grants: Vec<GrantNo> = Vec::new();
    for unit in units {
        let used = unit.reads.iter().filter(|read| read.is_used).filter_map(|read| read.under);
        let installed =
            unit.writes.iter().filter(|write| matches!(write.fate, Fate::Installed { .. }));
        let acts = unit.acts.iter().filter(|act| act.done.is_some() && !act.is_known);
        let written = installed.filter_map(|write| write.under);
        grants.clear();
        for grant in used.chain(written).chain(acts.filter_map(|act| act.under)) {
            if let Err(place) = grants.binary_search(&grant) {
                grants.insert(place, grant);
            }
        }
        unit.grants = grants.as_slice().to_vec();
    }
}

fn record(grants: &[GrantRecord], grant: GrantNo) -> Option<&GrantRecord> {
    grants.get((grant.0 as usize).checked_sub(1)?)
}

/// The entry that ended the last grant of a unit, if it did end.
fn end_of_last(unit: &Unit, grants: &[GrantRecord]) -> Option<EntrySeq> {
    record(grants, *unit.grants.last()?)?.ended.map(|(.., entry)| entry)
}

/// When the first grant of a unit was made.
fn start_of_first(unit: &Unit, grants: &[GrantRecord]) -> Option<SimTime> {
    record(grants, *unit.grants.first()?).map(|record| record.at)
}

/// Lock order: one unit's last grant had ended when the first of another client's was made.
fn is_before(one: &Unit, other: &Unit, grants: &[GrantRecord]) -> bool {
    // Grants can be made and end at one instant: the log says which came first.
    let made = other.grants.first().and_then(|grant| record(grants, *grant));
    let of_two = one.write.client != other.write.client;
    of_two && end_of_last(one, grants).zip(made).is_some_and(|(end, made)| end < made.entry)
}

/// When the outside acted under a grant that was over.
fn late_acts(
    units: &[Unit],
    effects: &[(Moment, UnitNo, What)],
    grants: &[GrantRecord],
) -> Vec<Moment> {
    let late = effects.iter().filter(|(at, unit, what)| match what {
        What::Act(index) => {
            let under = units[unit.index()].acts[*index].under;
            let ended = under.and_then(|under| record(grants, under)).and_then(|it| it.ended);
            ended.is_some_and(|(_, _, ended)| ended < at.entry)
        }
        What::Write(_) => false,
    });
    late.map(|(at, ..)| *at).collect()
}

/// Two units of two clients that had effects and ran at one time, each from when it held its first
/// grant to its last effect.
fn overlap(units: &[Unit], grants: &[GrantRecord]) -> Option<Overlap> {
    let mut spans: Vec<(u64, u32)> = Vec::with_capacity(units.len());
    let mut ends: Vec<SimTime> = vec![SimTime::ZERO; units.len()];
    for (no, unit) in (0_u32..).zip(units) {
        let writes = unit.writes.iter();
        let installed = writes
            .filter(|write| matches!(write.fate, Fate::Installed { .. }))
            .filter_map(|write| write.settled);
        let acted = unit.acts.iter().filter(|act| !act.is_known).filter_map(|act| act.done);
        let last = installed.chain(acted).max();
        if let (Some(last), Some(held)) = (last, start_of_first(unit, grants)) {
            spans.push((unit.began.at.max(held).micros(), no));
            ends[no as usize] = last.at;
        }
    }
    sort(&mut spans);
    let mut latest: [Option<(SimTime, UnitNo)>; MAX_CLIENTS] = [None; MAX_CLIENTS];
    for (from, no) in spans {
        let (no, to) = (UnitNo(no), ends[no as usize]);
        let client = units[no.index()].write.client.index();
        let others = latest.iter().enumerate().filter(|(other, _)| *other != client);
        let open = others.filter_map(|(_, span)| *span).find(|(end, _)| end.micros() > from);
        if let Some((_, first)) = open {
            return Some(Overlap { first, second: no });
        }
        latest[client] = latest[client].max(Some((to, no)));
    }
    None
}
