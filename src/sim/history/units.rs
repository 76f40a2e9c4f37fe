//! A run's history when the run is over: its units, each with its reads, writes and acts.

use std::collections::BTreeMap;

use super::damage::{self, Damages};
use super::reading::{self, Done, Told};
use super::{Asked, Fate, Historian, Moment, OpenUnit, UnitEnd};
use crate::sim::id::{ClientId, GrantNo, StoreId, Version, WriteId};
use crate::sim::property::GrantRecord;
use crate::sim::scenario::Scenario;
use crate::sim::time::{SimDuration, SimTime};

/// Something by piece, step and store; the store is 0 where it does not matter. One type for all
/// that is kept so, because each other one is code of its own in the page.
pub(super) type PerPiece = BTreeMap<(Option<ClientId>, u32, u16, StoreId), u32>;

/// The number of a unit of work in its run, from 0 in the order begun.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitNo(pub u32);

impl UnitNo {
    /// As an index into a history's units.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What must be whole: a step of one's own work, or a shared piece; one attempt at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its client, piece and first step. Piece 0: its client had not yet learnt which.
    pub write: WriteId,
    /// Whether it is a whole piece.
    pub is_whole: bool,
    /// Which attempt at this piece and step it is, from 1; those of others count, too, where the
    /// piece is shared.
    pub attempt: u32,
    /// When it began: with its first request to a store, or its work.
    pub began: Moment,
    /// The grants under which it read for use, wrote and acted, each once, in the order made.
    pub grants: Vec<GrantNo>,
    /// What it read, in the order sent; what was only looked at, too.
    pub reads: Vec<Read>,
    /// Its writes, in the order sent; each attempt and each second arrival of one.
    pub writes: Vec<Write>,
    /// What it did outside, in the order sent.
    pub acts: Vec<Act>,
    /// How it ended.
    pub end: UnitEnd,
    /// When.
    pub ended: Option<Moment>,
}

/// A read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Read {
    /// Where.
    pub store: StoreId,
    /// The step inside the piece that it was for.
    pub step: u16,
    /// When it was sent.
    pub sent: Moment,
    /// The newest grant that its client had handled then.
    pub under: Option<GrantNo>,
    /// The version read, and when; `None`: it was not served.
    pub served: Option<(Version, Moment)>,
    /// When its client handled the value.
    pub handled: Option<Moment>,
    /// Something that was installed or done outside was built on it.
    pub is_used: bool,
}

/// A write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Write {
    /// Where to.
    pub store: StoreId,
    /// The step inside the piece.
    pub step: u16,
    /// When it was sent.
    pub sent: Moment,
    /// The newest grant that its client had handled then.
    pub under: Option<GrantNo>,
    /// What became of it.
    pub fate: Fate,
    /// When that was settled.
    pub settled: Option<Moment>,
    /// Whether its client was told that it was applied, and when.
    pub told: Option<(bool, Moment)>,
    /// A second arrival of the one sent.
    pub is_again: bool,
}

/// Something done outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Act {
    /// The step inside the piece.
    pub step: u16,
    /// When it was sent.
    pub sent: Moment,
    /// The newest grant that its client had handled then.
    pub under: Option<GrantNo>,
    /// When the outside had it; `None`: it never did, or has not yet.
    pub done: Option<Moment>,
    /// The outside knew that it had acted for this piece before, and did not act again.
    pub is_known: bool,
    /// It never arrives.
    pub is_lost: bool,
    /// When its client was told.
    pub told: Option<Moment>,
}

impl Unit {
    /// What tells its piece from others: a shared one is nobody's own.
    pub fn piece(&self) -> (Option<ClientId>, u32, u16) {
        self.write.piece()
    }

    /// Whether anything of it is so: a version of it was installed, or the outside acted.
    pub fn has_effect(&self) -> bool {
        let installed = |write: &Write| matches!(write.fate, Fate::Installed { .. });
        self.writes.iter().any(installed) || self.did_act()
    }

    /// Whether the outside acted for it.
    pub fn did_act(&self) -> bool {
        self.acts.iter().any(|act| act.done.is_some() && !act.is_known)
    }

    /// Whether a write to this store, of this step, was applied.
    pub fn is_applied(&self, step: u16, store: StoreId) -> bool {
        let applied = |fate| matches!(fate, Fate::Installed { .. } | Fate::AlreadyApplied);
        self.writes
            .iter()
            .any(|write| (write.step, write.store) == (step, store) && applied(write.fate))
    }
}

/// The history of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    units: Vec<Unit>,
    damages: Damages,
    n_done: u32,
    /// No unit was finished, although there was time for it: since when.
    nothing_done: Option<Moment>,
}

impl History {
    /// The units, in the order begun.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// A unit.
    pub fn unit(&self, unit: UnitNo) -> &Unit {
        &self.units[unit.index()]
    }

    /// What the order of the units, and what is missing of them, did.
    pub fn damages(&self) -> &Damages {
        &self.damages
    }

    /// Units of which all is written, or for which the outside acted.
    pub fn n_done(&self) -> u32 {
        self.n_done
    }

    /// Since when it is so that no unit was finished and every client's first one is over, although
    /// there was time for two.
    pub fn nothing_done(&self) -> Option<Moment> {
        self.nothing_done
    }
}

impl Historian {
    /// The history of a run that ended at `ends_at`, and had these grants.
    pub fn finish(
        mut self,
        scenario: &Scenario,
        grants: &[GrantRecord],
        ends_at: SimTime,
    ) -> History {
        let mut units = self.close_units();
        let damages = damage::of(&mut units, &self.plans, self.n_stores, grants);
        let n_steps = |unit: &Unit| {
            let plan = self.plans[unit.write.client.index()];
            if plan.is_whole { 1..=plan.n_steps } else { unit.write.step..=unit.write.step }
        };
        let is_finished = |unit: &Unit| {
            let mut parts = n_steps(unit)
                .flat_map(|step| (0..self.n_stores).map(move |store| (step, StoreId(store))));
            parts.all(|(step, store)| unit.is_applied(step, store)) || unit.did_act()
        };
        let n_done = units.iter().filter(|unit| is_finished(unit)).count();
        let nothing_done =
            if n_done == 0 { self.nothing_done(scenario, &units, ends_at) } else { None };
        History { units, damages, n_done: u32::try_from(n_done).expect("units"), nothing_done }
    }

    /// The units with what belongs to each.
    fn close_units(&mut self) -> Vec<Unit> {
        let mut attempts = PerPiece::new();
        let mut close = |unit: &OpenUnit| {
            let (client, work, step) = unit.write.piece();
            let attempt = attempts.entry((client, work, step, StoreId(0))).or_insert(0);
            *attempt += 1;
            let waits = unit.stuck.filter(|_| unit.end == UnitEnd::UnderWay);
            Unit {
                write: unit.write,
                is_whole: self.plans[unit.write.client.index()].is_whole,
                attempt: *attempt,
                began: unit.began,
                grants: Vec::new(),
                reads: Vec::new(),
                writes: Vec::new(),
                acts: Vec::new(),
                end: if waits.is_some() { UnitEnd::WaitsForGood } else { unit.end },
                ended: waits.map(|(at, _)| at).or(unit.ended),
            }
        };
        let mut units = Vec::with_capacity(self.units.n_entries() as usize);
        units.extend(self.units.iter().map(&mut close));
        for (unit, counts) in units.iter_mut().zip(self.count_parts()) {
            let [reads, writes, acts] = counts.map(|count| count as usize);
            unit.reads.reserve_exact(reads);
            unit.writes.reserve_exact(writes);
            unit.acts.reserve_exact(acts);
        }
        for request in self.requests.iter() {
            let Some(unit) = request.unit else {
                continue;
            };
            let unit = &mut units[unit.index()];
            match request.kind {
                reading::Asks::Seal => {}
                reading::Asks::Read => unit.reads.push(request.as_read()),
                reading::Asks::Write => unit.writes.push(request.as_write()),
                reading::Asks::Act => unit.acts.push(request.as_act()),
            }
        }
        for unit in &mut units {
            unit.writes.sort_unstable_by_key(|write| (write.sent, write.is_again, write.settled));
        }
        units
    }

    /// How many reads, writes and acts each unit has: its lists are made of their size.
    fn count_parts(&self) -> Vec<[u32; 3]> {
        let mut counts = vec![[0; 3]; self.units.n_entries() as usize];
        for request in self.requests.iter() {
            let part = match request.kind {
                reading::Asks::Seal => continue,
                reading::Asks::Read => 0,
                reading::Asks::Write => 1,
                reading::Asks::Act => 2,
            };
            if let Some(unit) = request.unit {
                counts[unit.index()][part] += 1;
            }
        }
        counts
    }

    /// Where nothing was finished: since when every client's first unit is over and there had been
    /// time for two, or nobody is left who could begin another.
    fn nothing_done(
        &self,
        scenario: &Scenario,
        units: &[Unit],
        ends_at: SimTime,
    ) -> Option<Moment> {
        let (first, client) = self.first_grant?;
        let enough = first + self.longest_unit(scenario, client).times(2);
        let mut last: Option<Moment> = None;
        for client in 0..scenario.n_clients() {
            let own = units.iter().find(|unit| unit.write.client == ClientId(client));
            let Some(own) = own else {
                continue;
            };
            let is_over = matches!(own.end, UnitEnd::GivenUp | UnitEnd::Refused | UnitEnd::Crashed);
            last = last.max(Some(own.ended.filter(|_| is_over)?));
        }
        let last = last?;
        if self.clients.iter().all(|client| client.is_over) {
            return Some(last);
        }
        let at = last.at.max(enough);
        (at <= ends_at).then_some(Moment { at, ..last })
    }

    /// How long a unit of this client takes if nothing goes wrong: seals, reads, work, acts and
    /// writes.
    fn longest_unit(&self, scenario: &Scenario, client: ClientId) -> SimDuration {
        let (plan, settings) =
            (self.plans[client.index()], &scenario.clients()[client.index()].settings);
        let round_trip = scenario.spec().latency.times(2);
        let n_stores = u64::from(self.n_stores);
        let reads = if plan.reads() { n_stores } else { 0 };
        let step = round_trip.times(reads + u64::from(plan.acts) + n_stores) + settings.work;
        let n_steps = if plan.is_whole { u64::from(plan.n_steps) } else { 1 };
        let seal = if scenario.storage().seal { round_trip } else { SimDuration::ZERO };
        seal + step.times(n_steps)
    }
}

impl Asked {
    fn as_read(&self) -> Read {
        Read {
            store: self.store,
            step: self.step,
            sent: self.sent,
            under: self.under,
            served: self.done.and_then(|(done, at)| match done {
                Done::Read(version) => Some((version, at)),
                Done::Installed { .. }
                | Done::AlreadyApplied
                | Done::PutOff
                | Done::Refused(_)
                | Done::Acted { .. } => None,
            }),
            handled: self.told.map(|(_, at)| at),
            is_used: false,
        }
    }

    fn as_write(&self) -> Write {
        let fate = match self.done {
            Some((Done::Installed { base, version }, _)) => Fate::Installed { version, base },
            Some((Done::AlreadyApplied, _)) => Fate::AlreadyApplied,
            Some((Done::Refused(why), _)) => Fate::Refused(why),
            Some((Done::PutOff, _)) => Fate::PutOff,
            Some((Done::Read(_) | Done::Acted { .. }, _)) | None if self.lost_at.is_some() => {
                Fate::Lost
            }
            Some((Done::Read(_) | Done::Acted { .. }, _)) | None => Fate::UnderWay,
        };
        Write {
            store: self.store,
            step: self.step,
            sent: self.sent,
            under: self.under,
            fate,
            settled: self.done.map(|(_, at)| at).or(self.lost_at),
            told: self.told.map(|(told, at)| (told == Told::Accepted, at)),
            is_again: self.is_again,
        }
    }

    fn as_act(&self) -> Act {
        let acted = self.done.map(|(done, at)| (matches!(done, Done::Acted { again: true }), at));
        let (is_known, done) = acted.unzip();
        let is_known = is_known.unwrap_or(false);
        Act {
            step: self.step,
            sent: self.sent,
            under: self.under,
            done,
            is_known,
            is_lost: self.lost_at.is_some() && done.is_none(),
            told: self.told.map(|(_, at)| at),
        }
    }
}
