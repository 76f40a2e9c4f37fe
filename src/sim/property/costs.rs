//! What a run cost: refused writes, wasted work, time without a holder, time of false belief.

use super::report::{Costs, WriteStatus};
use super::{End, Seen};
use crate::sim::fact::{ClientFact, Fact, FaultFact, MessageFact, ServiceFact, StoreFact};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::time::{SimDuration, SimTime};
use crate::sim::world::{Phase, World};

#[derive(Clone, Debug)]
pub(super) struct CostMeter {
    costs: Costs,
    /// Per client, when its present work began and how long it takes.
    work: [Option<(SimTime, SimDuration)>; MAX_CLIENTS],
    /// What lasts now, and whether an entry may have changed it since it was computed.
    lasting: Lasting,
    is_stale: bool,
    /// Up to when time without a holder and time of false belief are added up.
    measured_to: SimTime,
}

/// What lasts from one entry to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Lasting {
    is_unheld_though_wanted: bool,
    n_false_believers: u64,
}

impl Lasting {
    fn of(world: &World, now: SimTime) -> Self {
        let holder = world.service.holder();
        let is_held =
            holder.is_some_and(|held| world.clients[held.client.index()].crashed.is_none());
        let mut alive = world.clients.iter().filter(|client| client.crashed.is_none());
        let is_wanted = alive.any(|client| client.phase == Phase::Waiting);
        let believers = world.clients.iter();
        let n_false = believers.filter(|client| client.false_belief(now).is_some()).count();
        Self { is_unheld_though_wanted: !is_held && is_wanted, n_false_believers: n_false as u64 }
    }
}

impl CostMeter {
    pub(super) fn new() -> Self {
        Self {
            costs: Costs::default(),
            work: [None; MAX_CLIENTS],
            lasting: Lasting::default(),
            is_stale: false,
            measured_to: SimTime::ZERO,
        }
    }

    /// `harmful`: the entry broke a property that makes a run corrupted.
    pub(super) fn observe(&mut self, seen: &Seen<'_>, harmful: bool) {
        let now = seen.entry.at;
        self.measure(seen.before, now);
        // A message changes what lasts only if it is a request that a worker waits after.
        let is_message = matches!(
            seen.entry.fact,
            Fact::Message(_, MessageFact::Received { .. })
                | Fact::Service(_, ServiceFact::Renewed { .. })
        );
        self.is_stale |= !is_message;
        match seen.entry.fact {
            Fact::Client(client, ClientFact::WorkStarted { takes, .. }) => {
                self.work[client.index()] = Some((now, takes));
            }
            Fact::Client(client, ClientFact::WorkAbandoned { .. })
            | Fact::Fault(_, FaultFact::Crashed { client })
            | Fact::Fault(_, FaultFact::WorkerCrashed { client }) => {
                if let Some((since, takes)) = self.work[client.index()].take() {
                    self.costs.wasted_work += now.since(since).min(takes);
                }
            }
            Fact::Store(
                _,
                StoreFact::WriteAccepted { write, .. } | StoreFact::DuplicateIgnored { write, .. },
            ) => {
                self.work[write.client.index()] = None;
            }
            Fact::Message(..)
            | Fact::Service(..)
            | Fact::Client(..)
            | Fact::Store(..)
            | Fact::Fault(..) => {}
        }
        let refused_or_accepted = seen.write.filter(|write| write.accepted || !write.seen_before);
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
        if std::mem::take(&mut self.is_stale) {
            self.lasting = Lasting::of(world, now);
        }
        if self.lasting.is_unheld_though_wanted {
            self.costs.unheld_though_wanted += passed;
        }
        self.costs.false_belief += passed.times(self.lasting.n_false_believers);
    }

    pub(super) fn finish(mut self, end: &End<'_>) -> Costs {
        self.measure(end.world, end.at);
        self.costs
    }
}
