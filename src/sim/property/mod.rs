//! What a run is judged by: the properties, each in its own file, the verdict over them, the costs,
//! and the judgement of every write. All of it is a fold over the log; nothing here steers a run.
//!
//! Definitions and sources: `docs/model.md`, “Properties”.

mod breaks;
mod costs;
mod facts;
mod grants;
mod history;
mod item_lost;
mod not_judged;
mod older_write;
mod one_believer;
mod one_lease;
mod report;
mod rightful_refused;
mod somebody_gets_it;
mod stranded;
mod token_order;
mod verdict;
mod work_twice;
mod write_after_end;

use super::course;
use super::history::{Historian, History};
use super::id::GrantNo;
use super::log::LogEntry;
use super::message::Message;
use super::scenario::Scenario;
use super::time::SimTime;
use super::world::World;
use facts::Facts;
pub use grants::GrantRecord;
pub use not_judged::{NotJudged, not_judged};
pub use report::{
    Costs, Decides, PropertyId, PropertyReport, PropertyState, Report, Verdict, VerdictKind,
    WriteJudgement, WriteStatus,
};
pub(super) use verdict::damage_of;

/// One entry as the properties see it: what was so before it, and what it was.
struct Seen<'a> {
    entry: &'a LogEntry,
    /// The world before the entry.
    before: &'a World,
    /// Grants, stores and writes, this entry included.
    facts: &'a Facts,
    /// The judgement, if the entry answers a write.
    write: Option<&'a WriteJudgement>,
    /// At a store: the newest grant that the client had handled when it sent the request that the
    /// entry is due to. What a write is under is that, never the token that it carries.
    under: Option<GrantNo>,
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
    scenario: Scenario,
    historian: Historian,
    facts: Facts,
    writes: Vec<WriteJudgement>,
    one_lease: one_lease::OneLease,
    one_believer: one_believer::OneBeliever,
    token_order: token_order::TokenOrder,
    write_after_end: write_after_end::WriteAfterEnd,
    older_write: older_write::OlderWrite,
    rightful_refused: rightful_refused::RightfulRefused,
    somebody: somebody_gets_it::SomebodyGetsIt,
    work_twice: work_twice::WorkTwice,
    item_lost: item_lost::ItemLost,
    costs: costs::CostMeter,
}

impl Judge {
    /// A judge of a run of `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            scenario: scenario.clone(),
            historian: Historian::new(scenario),
            facts: Facts::new(scenario),
            writes: Vec::new(),
            one_lease: one_lease::OneLease::default(),
            one_believer: one_believer::OneBeliever::default(),
            token_order: token_order::TokenOrder::new(scenario),
            write_after_end: write_after_end::WriteAfterEnd::default(),
            older_write: older_write::OlderWrite::new(scenario),
            rightful_refused: rightful_refused::RightfulRefused::default(),
            somebody: somebody_gets_it::SomebodyGetsIt::new(scenario),
            work_twice: work_twice::WorkTwice::default(),
            item_lost: item_lost::ItemLost::new(scenario),
            costs: costs::CostMeter::new(scenario),
        }
    }

    /// Takes the next entry in; `before` is the world before it.
    pub fn observe(&mut self, entry: &LogEntry, before: &World) {
        let under = self.historian.observe(entry);
        let write = self.facts.observe(entry, before, under);
        let seen = Seen { entry, before, facts: &self.facts, write: write.as_ref(), under };
        self.token_order.observe(&seen);
        self.write_after_end.observe(&seen);
        self.older_write.observe(&seen);
        self.work_twice.observe(&seen);
        self.item_lost.observe(&seen);
        self.rightful_refused.observe(&seen);
        self.somebody.observe(&seen);
        // The verdict does not rest on these.
        course::aside(|| {
            self.one_lease.observe(&seen);
            self.one_believer.observe(&seen);
            self.costs.observe(&seen);
        });
        self.writes.extend(write);
    }

    /// Judges the run, which ended at `at` with `world` and these requests to stores still in
    /// flight. With it comes the run's history.
    pub fn finish(
        mut self,
        at: SimTime,
        world: &World,
        in_flight: &[Message],
    ) -> (Report, History) {
        let late_write_pending = self
            .facts
            .late_write_pending(world, in_flight, |client| self.historian.known_by(client));
        let end = End { at, world, late_write_pending };
        let history = self.historian.finish(&self.scenario, &self.facts.grants, at);
        let found = history::Found { scenario: &self.scenario, history: &history, end: &end };
        let states = [
            self.one_lease.state(),
            course::aside(|| self.one_believer.state(&end)),
            self.token_order.state(&end),
            self.write_after_end.state(&end),
            self.older_write.state(&end),
            found.no_lost_update(),
            found.no_older_over_newer(),
            found.no_own_older_step(),
            found.no_half_unit(),
            self.item_lost.state(&history, &end),
            self.rightful_refused.state(),
            self.somebody.state(&end),
            found.no_external_effect_twice(),
        ];
        let properties: Vec<_> = PropertyId::ALL
            .into_iter()
            .zip(states)
            .map(|(id, state)| PropertyReport { id, state })
            .collect();
        history::mark_harm(&mut self.writes, &history);
        let never_served = self.rightful_refused.never_served();
        // Of the costs the verdict takes counts alone.
        let costs = course::aside(|| self.costs.finish(&end, &self.writes, &history));
        let verdict =
            verdict::of(&properties, never_served, self.work_twice.first(), &costs, &history);
        let (writes, grants) = (self.writes, self.facts.grants);
        (Report { properties, verdict, costs, writes, grants }, history)
    }
}
