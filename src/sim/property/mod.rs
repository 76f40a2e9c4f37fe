//! What a run is judged by: the properties, each in its own file, the verdict over them, the costs,
//! and the judgement of every write. All of it is a fold over the log; nothing here steers a run.
//!
//! Definitions and sources: `docs/model.md`, “Properties”.

mod breaks;
mod costs;
mod external_effect;
mod facts;
mod grants;
mod lost_update;
mod older_write;
mod one_believer;
mod one_lease;
mod report;
mod rightful_refused;
mod somebody_gets_it;
mod token_order;
mod verdict;
mod work_twice;
mod write_after_end;

use super::log::LogEntry;
use super::message::Message;
use super::scenario::Scenario;
use super::time::SimTime;
use super::world::World;
use facts::Facts;
pub use grants::GrantRecord;
pub use report::{
    Costs, PropertyId, PropertyReport, PropertyState, Report, Verdict, VerdictKind, WriteJudgement,
    WriteStatus,
};

/// One entry as the properties see it: what was so before it, and what it was.
struct Seen<'a> {
    entry: &'a LogEntry,
    /// The world before the entry.
    before: &'a World,
    /// Grants, stores and writes, this entry included.
    facts: &'a Facts,
    /// The judgement, if the entry answers a write.
    write: Option<&'a WriteJudgement>,
}

/// The end of a run as the properties see it.
struct End<'a> {
    at: SimTime,
    world: &'a World,
    /// A write of a grant that is over is still to come: in flight, or with a paused worker.
    late_write_pending: bool,
}

/// Watches a run entry by entry and judges it at its end.
#[derive(Clone, Debug)]
pub struct Judge {
    facts: Facts,
    writes: Vec<WriteJudgement>,
    one_lease: one_lease::OneLease,
    one_believer: one_believer::OneBeliever,
    token_order: token_order::TokenOrder,
    write_after_end: write_after_end::WriteAfterEnd,
    older_write: older_write::OlderWrite,
    lost_update: lost_update::LostUpdate,
    rightful_refused: rightful_refused::RightfulRefused,
    somebody: somebody_gets_it::SomebodyGetsIt,
    effect: external_effect::ExternalEffect,
    work_twice: work_twice::WorkTwice,
    costs: costs::CostMeter,
}

impl Judge {
    /// A judge of a run of `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            facts: Facts::new(scenario),
            writes: Vec::new(),
            one_lease: one_lease::OneLease::default(),
            one_believer: one_believer::OneBeliever::default(),
            token_order: token_order::TokenOrder::new(scenario),
            write_after_end: write_after_end::WriteAfterEnd::default(),
            older_write: older_write::OlderWrite::new(scenario),
            lost_update: lost_update::LostUpdate::new(scenario),
            rightful_refused: rightful_refused::RightfulRefused::default(),
            somebody: somebody_gets_it::SomebodyGetsIt::new(scenario),
            effect: external_effect::ExternalEffect::new(scenario),
            work_twice: work_twice::WorkTwice::default(),
            costs: costs::CostMeter::new(),
        }
    }

    /// Takes the next entry in; `before` is the world before it.
    pub fn observe(&mut self, entry: &LogEntry, before: &World) {
        let mut write = self.facts.observe(entry, before);
        if let Some(write) = &mut write {
            write.lost_update = lost_update::LostUpdate::loses(entry, &self.facts);
        }
        let seen = Seen { entry, before, facts: &self.facts, write: write.as_ref() };
        self.one_lease.observe(&seen);
        self.one_believer.observe(&seen);
        self.token_order.observe(&seen);
        self.write_after_end.observe(&seen);
        let harmful = self.older_write.observe(&seen)
            | self.lost_update.observe(&seen)
            | self.effect.observe(&seen);
        self.work_twice.observe(&seen);
        self.rightful_refused.observe(&seen);
        self.somebody.observe(&seen);
        self.costs.observe(&seen, harmful);
        if let Some(write) = &mut write {
            write.harmful = harmful;
        }
        self.writes.extend(write);
    }

    /// Judges the run, which ended at `at` with `world` and these writes still in flight.
    pub fn finish(self, at: SimTime, world: &World, writes_in_flight: &[Message]) -> Report {
        let late_write_pending = self.facts.late_write_pending(world, writes_in_flight);
        let end = End { at, world, late_write_pending };
        let states = [
            self.one_lease.state(),
            self.one_believer.state(&end),
            self.token_order.state(&end),
            self.write_after_end.state(&end),
            self.older_write.state(&end),
            self.lost_update.state(&end),
            self.rightful_refused.state(),
            self.somebody.state(&end),
            self.effect.state(),
        ];
        let properties: Vec<_> = PropertyId::ALL
            .into_iter()
            .zip(states)
            .map(|(id, state)| PropertyReport { id, state })
            .collect();
        let never_served = self.rightful_refused.never_served();
        let costs = self.costs.finish(&end);
        let verdict = verdict::of(&properties, never_served, self.work_twice.first(), &costs);
        Report { properties, verdict, costs, writes: self.writes, grants: self.facts.grants }
    }
}
