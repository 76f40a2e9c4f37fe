//! Halves: units of which a part is there and the rest never will be; and what is under way at the
//! end.

use super::search::Search;
use super::{Damage, DamageForm};
use crate::sim::history::units::{Act, Unit, UnitNo};
use crate::sim::history::{Fate, Moment, Plan, UnitEnd};
use crate::sim::id::StoreId;

impl Search<'_> {
    /// Units of which a part is there and the rest never will be. Tells whether the rest of one may
    /// still come.
    pub(super) fn halves(&mut self) -> bool {
        let mut undecided = false;
        let n_stores = u8::try_from(self.stores.len()).expect("a scenario has few");
        let mut rests: Vec<(UnitNo, Moment)> = Vec::new();
        for no in 0..self.units.len() {
            let unit = &self.units[no];
            if unit.end == UnitEnd::Done || !unit.has_effect() {
                continue;
            }
            let plan = self.plans[unit.write.client.index()];
            let is_whole = |unit: &Unit| {
                steps(unit, plan)
                    .all(|step| (0..n_stores).all(|store| unit.is_applied(step, StoreId(store))))
            };
            if is_whole(unit) {
                continue;
            }
            match rest_is_impossible(unit) {
                Some(at) => {
                    rests.push((UnitNo(u32::try_from(no).expect("fewer than entries")), at));
                }
                None => undecided = true,
            }
        }
        if !rests.is_empty() {
            self.halves_are_read(&rests);
            self.halves_stand(&rests, n_stores);
        }
        undecided
    }

    fn halves_are_read(&mut self, rests: &[(UnitNo, Moment)]) {
        for &(reader, half, store, version, built) in std::mem::take(&mut self.built_on).iter() {
            let Ok(rest) = rests.binary_search_by_key(&half, |(no, _)| *no) else {
                continue;
            };
            let piece = |no: UnitNo| {
                let (client, work, step) = self.units[no.index()].piece();
                (client, work, if client.is_none() { 0 } else { step })
            };
            if reader == half || piece(reader) == piece(half) {
                continue;
            }
            self.add(Damage {
                form: DamageForm::HalfRead,
                at: built.max(rests[rest].1),
                unit: half,
                other: Some(reader),
                store: Some(store),
                version: Some(version),
                cycle: None,
            });
        }
    }

    fn halves_stand(&mut self, rests: &[(UnitNo, Moment)], n_stores: u8) {
        for (no, rest) in rests {
            let unit = &self.units[no.index()];
            let plan = self.plans[unit.write.client.index()];
            // What another attempt at the same piece has written is there, too.
            let (client, work, _) = unit.piece();
            let attempts: Vec<_> = match client {
                Some(_) => vec![unit],
                None => {
                    let same = |other: &&Unit| (other.piece().0, other.piece().1) == (None, work);
                    self.units.iter().filter(same).collect()
                }
            };
            let is_there = |step: u16, store: u8| {
                attempts.iter().any(|attempt| attempt.is_applied(step, StoreId(store)))
            };
            if steps(unit, plan).all(|step| (0..n_stores).all(|store| is_there(step, store))) {
                continue;
            }
            let acted_alone = |step: &u16| {
                let acted = |act: &Act| act.step == *step && act.done.is_some();
                unit.acts.iter().any(acted) && !(0..n_stores).any(|store| is_there(*step, store))
            };
            let stands = (0_u8..).zip(&self.stores).find_map(|(store, state)| {
                let last = state.last().filter(|made| made.unit == *no)?;
                Some((StoreId(store), last.version))
            });
            if stands.is_none() && !steps(unit, plan).any(|step| acted_alone(&step)) {
                continue;
            }
            self.add(Damage {
                form: DamageForm::HalfStands,
                at: *rest,
                unit: *no,
                other: None,
                store: stands.map(|(store, _)| store),
                version: stands.map(|(_, version)| version),
                cycle: None,
            });
        }
    }

    /// Whether at the end a write is under way that can put older over newer: its client is past
    /// it, or it is built on a version that was replaced.
    pub(super) fn harm_under_way(&self) -> bool {
        self.units.iter().any(|unit| {
            let mut on_the_way = unit.writes.iter().filter(|write| write.fate == Fate::UnderWay);
            let is_past = !matches!(unit.end, UnitEnd::UnderWay | UnitEnd::WaitsForGood);
            on_the_way.any(|write| {
                let read = unit.reads.iter().filter(|read| {
                    (read.store, read.step) == (write.store, write.step)
                        && read.handled.is_some_and(|at| at.entry < write.sent.entry)
                });
                let state = &self.stores[usize::from(write.store.0)];
                let plan = self.plans[unit.write.client.index()];
                let is_replaced = |(version, _)| state.next(state.place(version)).is_some();
                let mut versions = read.filter_map(|read| read.served);
                is_past || plan.modifies && versions.any(is_replaced)
            })
        })
    }
}

/// The steps of a unit.
fn steps(unit: &Unit, plan: Plan) -> impl Iterator<Item = u16> + use<> {
    if plan.is_whole { 1..=plan.n_steps } else { unit.write.step..=unit.write.step }
}

/// When the rest of a unit became impossible: it is over, and none of its writes is under way.
fn rest_is_impossible(unit: &Unit) -> Option<Moment> {
    let ended = unit.ended?;
    let mut last = ended;
    for write in &unit.writes {
        match write.fate {
            Fate::UnderWay => return None,
            Fate::Installed { .. }
            | Fate::AlreadyApplied
            | Fate::Refused(_)
            | Fate::PutOff
            | Fate::Lost => last = last.max(write.settled.unwrap_or(ended)),
        }
    }
    Some(last)
}
