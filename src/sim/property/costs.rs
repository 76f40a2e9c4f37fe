//! What a run cost: refused writes, wasted work, units begun and done, waits, time without a holder
//! or without work, time of false belief.

use super::report::{Costs, WriteJudgement, WriteStatus};
use super::{End, Seen};
use crate::sim::fact::{Fact, ServiceFact};
use crate::sim::history::History;
use crate::sim::id::{ClientId, NodeId};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{PauseScope, Scenario};
use crate::sim::time::{SimDuration, SimTime};
use crate::sim::world::{ClientState, Phase, World};

#[derive(Clone, Debug)]
pub(super) struct CostMeter {
    costs: Costs,
    /// Whether the lock stands for an item.
    is_for_item: bool,
    /// Per client, when its present work began and how long it takes.
    work: [Option<(SimTime, SimDuration)>; MAX_CLIENTS],
    /// Per client, since when it wants the lock and has not got it.
    wants_since: [Option<SimTime>; MAX_CLIENTS],
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
    is_held_without_work: bool,
    is_idle_though_wanted: bool,
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
        let holders = world.service.holders.iter().map(|held| &world.clients[held.client.index()]);
        let mut idle = holders.filter(|client| is_alive(client) && !is_at_work(client));
        let mut workers = world.clients.iter().filter(|client| is_alive(client));
        let works = workers
            .any(|client| is_at_work(client) && client.pause_of(PauseScope::Worker).is_none());
        Self {
            is_unheld_though_wanted: !is_held && is_wanted,
            is_held_without_work: is_wanted && idle.next().is_some(),
            is_idle_though_wanted: is_wanted && !works,
            n_false_believers: n_false as u64,
        }
    }
}

fn is_alive(client: &ClientState) -> bool {
    client.crashed.is_none() && client.worker_crashed.is_none()
}

/// Whether its worker is at a piece of work.
fn is_at_work(client: &ClientState) -> bool {
    match client.phase {
        Phase::Sealing
        | Phase::Reading
        | Phase::Working { .. }
        | Phase::Checking
        | Phase::Acting
        | Phase::Writing => true,
        Phase::Idle
        | Phase::Asking
        | Phase::Waiting
        | Phase::Buffered { .. }
        | Phase::Releasing
        | Phase::Done { .. } => false,
    }
}

impl CostMeter {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            costs: Costs::default(),
            is_for_item: scenario.rules().item.is_some(),
            work: [None; MAX_CLIENTS],
            wants_since: [None; MAX_CLIENTS],
            lasting: Lasting::default(),
            is_stale: false,
            measured_to: SimTime::ZERO,
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let now = seen.entry.at;
        self.measure(seen.before, now);
        // A message changes what lasts only if it is a request that a worker waits after.
        let is_renewal = |fact: ServiceFact| fact.renewed().is_some_and(|renewed| renewed.taken);
        let is_message = match seen.entry.fact {
            Fact::Message(..) => seen.entry.fact.handled().is_some(),
            Fact::Service(_, fact) => is_renewal(fact),
            Fact::Client(..) | Fact::Store(..) | Fact::Fault(..) => false,
        };
        self.is_stale |= !is_message;
        self.observe_wait(seen);
        match seen.entry.fact {
            Fact::Client(client, fact) => {
                if let Some((_, takes)) = fact.starts_work() {
                    self.work[client.index()] = Some((now, takes));
                } else if fact.gives_up().is_some() || fact.tries_again() {
                    self.wasted(client, now);
                }
            }
            Fact::Fault(_, fact) => {
                if let Some(client) = fact.kills() {
                    self.wasted(client, now);
                }
            }
            Fact::Store(_, fact) => {
                if let Some(write) = fact.stands() {
                    self.work[write.client.index()] = None;
                }
            }
            Fact::Service(_, fact) => {
                let is_again = self.is_for_item && fact.made().is_some_and(|(it, _)| it.no.0 > 1);
                self.costs.redeliveries += u32::from(is_again);
            }
            Fact::Message(..) => {}
        }
        let refused_or_accepted = seen.write.filter(|write| write.accepted || !write.seen_before);
        match refused_or_accepted.map(|write| (write.accepted, write.status)) {
            Some((false, WriteStatus::Rightful)) => self.costs.refused_rightful += 1,
            Some((false, WriteStatus::Late | WriteStatus::Stale)) => self.costs.refused_stale += 1,
            Some((true, _)) | None => {}
        }
    }

    /// A client wants the lock from its first request until it has handled the grant, or is done.
    fn observe_wait(&mut self, seen: &Seen<'_>) {
        let now = seen.entry.at;
        let ends = match seen.entry.fact {
            Fact::Message(NodeId::Client(client), fact) => {
                if fact.sent().is_some_and(MessageKind::wants_the_lock) {
                    self.wants_since[client.index()].get_or_insert(now);
                }
                None
            }
            Fact::Client(client, fact) => {
                (fact.believes().is_some() || fact.is_done()).then_some(client)
            }
            Fact::Fault(_, fact) => fact.kills(),
            Fact::Message(..) | Fact::Service(..) | Fact::Store(..) => None,
        };
        if let Some(since) = ends.and_then(|client| self.wants_since[client.index()].take()) {
            self.costs.longest_wait = self.costs.longest_wait.max(now.since(since));
        }
    }

    fn wasted(&mut self, client: ClientId, now: SimTime) {
        if let Some((since, takes)) = self.work[client.index()].take() {
            self.costs.wasted_work += now.since(since).min(takes);
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
        if self.lasting.is_held_without_work {
            self.costs.held_without_work += passed;
        }
        if self.lasting.is_idle_though_wanted {
            self.costs.idle_though_wanted += passed;
        }
        self.costs.false_belief += passed.times(self.lasting.n_false_believers);
    }

    pub(super) fn finish(
        mut self,
        end: &End<'_>,
        writes: &[WriteJudgement],
        history: &History,
    ) -> Costs {
        self.measure(end.world, end.at);
        let still = self.wants_since.iter().flatten().map(|since| end.at.since(*since));
        let longest = still.max().unwrap_or_default();
        self.costs.longest_wait = self.costs.longest_wait.max(longest);
        let count = |n: usize| u32::try_from(n).expect("fewer than entries");
        let late = |write: &&WriteJudgement| {
            write.accepted && !write.harmful && write.status != WriteStatus::Rightful
        };
        let damages = history.damages();
        let acts = damages
            .late_acts
            .iter()
            .filter(|act| damages.all.iter().all(|damage| damage.at.entry != act.entry));
        self.costs.harmless_late = count(writes.iter().filter(late).count() + acts.count());
        self.costs.units_begun = count(history.units().len());
        self.costs.units_done = history.n_done();
        self.costs
    }
}
