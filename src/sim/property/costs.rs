//! What a run cost: refused writes, wasted work, time without a holder, time of false belief.

use super::report::{Costs, WriteStatus};
use super::{End, Seen};
use crate::sim::event::Event;
use crate::sim::id::NodeId;
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::scenario::Scenario;
use crate::sim::time::{SimDuration, SimTime};
use crate::sim::world::{Phase, World};

#[derive(Clone, Debug)]
pub(super) struct CostMeter {
    costs: Costs,
    /// Per client, when its present work began and how long it takes.
    work: [Option<(SimTime, SimDuration)>; MAX_CLIENTS],
    /// Up to when time without a holder and time of false belief are added up.
    measured_to: SimTime,
    n_clients: usize,
}

impl CostMeter {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            costs: Costs::default(),
            work: [None; MAX_CLIENTS],
            measured_to: SimTime::ZERO,
            n_clients: scenario.clients().len(),
        }
    }

    /// `harmful`: the entry broke a property that makes a run corrupted.
    pub(super) fn observe(&mut self, seen: &Seen<'_>, harmful: bool) {
        let now = seen.entry.at;
        self.measure(seen.before, now);
        match (seen.entry.node, seen.entry.event) {
            (NodeId::Client(client), Event::WorkStarted { takes, .. }) => {
                self.work[client.index()] = Some((now, takes));
            }
            (
                NodeId::Client(client),
                Event::WorkAbandoned { .. } | Event::Crashed { .. } | Event::WorkerCrashed { .. },
            ) => {
                if let Some((since, takes)) = self.work[client.index()].take() {
                    self.costs.wasted_work += now.since(since).min(takes);
                }
            }
            (_, Event::WriteAccepted { write, .. } | Event::DuplicateIgnored { write, .. }) => {
                self.work[write.client.index()] = None;
            }
            _ => {}
        }
        let refused_or_accepted = seen
            .write
            .filter(|write| write.accepted || !write.seen_before);
        match refused_or_accepted.map(|write| (write.accepted, write.status)) {
            Some((false, WriteStatus::Rightful)) => self.costs.refused_rightful += 1,
            Some((false, WriteStatus::Late | WriteStatus::Stale)) => self.costs.refused_stale += 1,
            Some((true, WriteStatus::Late | WriteStatus::Stale)) if !harmful => {
                self.costs.harmless_late += 1;
            }
            Some((true, _)) | None => {}
        }
    }

    /// Adds up what lasted since the last look; between two entries nothing changes.
    fn measure(&mut self, world: &World, now: SimTime) {
        let passed = now.since(self.measured_to);
        if passed.is_zero() {
            return;
        }
        self.measured_to = now;
        let held = world
            .service
            .holder
            .is_some_and(|holder| world.clients[holder.client.index()].crashed.is_none());
        let mut alive = world
            .clients
            .iter()
            .filter(|client| client.crashed.is_none());
        if !held && alive.any(|client| client.phase == Phase::Waiting) {
            self.costs.unheld_though_wanted += passed;
        }
        for client in &world.clients[..self.n_clients] {
            if client.false_belief(now).is_some() {
                self.costs.false_belief += passed;
            }
        }
    }

    pub(super) fn finish(mut self, end: &End<'_>) -> Costs {
        self.measure(end.world, end.at);
        self.costs
    }
}
