//! How long a run lasts: as long as the scenario says, or until two leases after its last fault and
//! until its outcome is settled.

use super::super::effect::TimerKind;
use super::super::event_queue::{Due, EventQueue, ScheduledEvent};
use super::super::id::{ClientId, NodeId};
use super::super::limits;
use super::super::message::{Message, MessageKind};
use super::super::recording::RunEnd;
use super::super::scenario::{FaultKind, Length, Scenario};
use super::super::time::{SimDuration, SimTime};
use super::{ClientSlot, Simulation};

/// When a run ends as far as the scenario tells, and the latest that it may be extended to.
pub(super) fn at_the_start(scenario: &Scenario) -> (SimTime, SimTime) {
    match scenario.spec().length {
        Length::Fixed(length) => (SimTime::ZERO + length, SimTime::ZERO + length),
        Length::Auto => {
            let faults = scenario.spec().faults.iter().filter(|fault| fault.enabled);
            let last = faults.filter_map(|fault| known_end(&fault.kind)).max();
            let asked = scenario.clients().iter().map(|client| client.asks_at).max();
            let begins = last.max(asked).unwrap_or(SimTime::ZERO);
            let least = SimTime::ZERO + limits::MIN_AUTOMATIC_RUN;
            let end = after_fault(scenario, begins).max(least).min(latest());
            // What settles late settles within a few more rounds; what does not settle by then
            // (a client that starves) would not in any time, and is shown as undecided.
            let reserve = end.since_start().times(8) + SimDuration::from_secs(600);
            (end, (SimTime::ZERO + reserve).min(latest()))
        }
    }
}

fn latest() -> SimTime {
    SimTime::ZERO + limits::MAX_DURATION
}

/// When a fault is over, where the scenario alone tells.
fn known_end(kind: &FaultKind) -> Option<SimTime> {
    let at = kind.starts_at()?;
    // A jump has a distance and takes no time.
    let is_jump = matches!(kind, FaultKind::ClockJump { .. });
    let length = kind.length().filter(|_| !is_jump);
    Some(at + length.unwrap_or_default())
}

/// When an automatic run ends after a fault that is over at `end`: two leases and a piece of work.
pub(super) fn after_fault(scenario: &Scenario, end: SimTime) -> SimTime {
    let clients = scenario.clients().iter();
    let work = clients.map(|client| client.settings.starts_after + client.settings.work).max();
    end + scenario.longest_ttl().unwrap_or_default().times(2) + work.unwrap_or_default()
}

/// The messages under way that are writes, with when they land.
pub(super) fn writes_in_flight(queue: &EventQueue) -> Vec<Message> {
    let messages = queue.iter().filter_map(|event| match event.what {
        Due::Arrival(message, ..) => Some(message),
        Due::FaultBegins(_)
        | Due::PauseEnds(_)
        | Due::LinkReturns(_)
        | Due::ServiceReturns(_)
        | Due::Restart(_)
        | Due::Apply(_)
        | Due::Expiry(..)
        | Due::Timer(..)
        | Due::WorkerStep(..) => None,
    });
    messages.filter(|message| message.body.acts_under().is_some()).collect()
}

impl Simulation {
    /// Nothing more is due before the end: the run is over, or goes on until it is settled.
    pub(super) fn extend_or_end(&mut self) {
        self.all_is_later();
        if self.ends_at < self.ends_at_latest && !self.is_settled() {
            let more = self.scenario.ttl().unwrap_or_default().max(SimDuration::from_secs(1));
            let longer = self.ends_at + more;
            self.ends_at = longer.min(self.ends_at_latest);
        } else {
            self.end = Some(RunEnd::Complete);
        }
    }

    /// Whether nothing that is still to come can change the outcome: no worker is at work, nobody
    /// waits for a lock that will come free, and no message but a renewal is under way.
    fn is_settled(&self) -> bool {
        let mut alive = self.clients.iter().enumerate().filter(|(_, slot)| !slot.is_dead);
        if alive.clone().any(|(index, slot)| slot.client.is_busy() && self.will_hear(index, slot)) {
            return false;
        }
        let someone_waits =
            alive.clone().any(|(_, slot)| slot.client.is_waiting_for_its_first_grant());
        let is_kept = self.scenario.rules().cuts_idle_after.is_none();
        let held_for_good =
            self.scenario.ttl().is_none() && is_kept && self.world.service.holder().is_some()
                || alive.any(|(_, slot)| slot.client.holds_for_good());
        if someone_waits && !held_for_good && self.service_may_grant() {
            return false;
        }
        self.queue.iter().all(|event| match &event.what {
            Due::Arrival(message, ..) => {
                message.body.kind().is_routine() || self.is_sent_again(message)
            }
            Due::FaultBegins(_)
            | Due::PauseEnds(_)
            | Due::LinkReturns(_)
            | Due::ServiceReturns(_)
            | Due::Restart(_)
            | Due::Apply(_) => false,
            Due::Expiry(..) | Due::Timer(..) | Due::WorkerStep(..) => true,
        })
    }

    /// Whether it is about a release that was refused before and goes to and fro.
    fn is_sent_again(&self, message: &Message) -> bool {
        let about = |id: NodeId| match id {
            NodeId::Client(client) => self.clients.get(client.index()),
            NodeId::Lock(_) | NodeId::Store(_) => None,
        };
        let kinds = [
            MessageKind::Release,
            MessageKind::ReleaseRefused,
            MessageKind::Ack,
            MessageKind::Back,
            MessageKind::SettleRefused,
        ];
        kinds.contains(&message.body.kind())
            && about(message.from)
                .or(about(message.to))
                .is_some_and(|slot| slot.client.sends_its_release_again())
    }

    /// Whether anything will still move this client: one that awaits an answer that was lost, and
    /// has no timeout, waits for ever.
    fn will_hear(&self, index: usize, slot: &ClientSlot) -> bool {
        let node = NodeId::Client(ClientId(u8::try_from(index).unwrap_or(u8::MAX)));
        let is_own = |message: &Message| message.from == node || message.to == node;
        let concerns = |event: &ScheduledEvent| {
            matches!(event.what, Due::Apply(_))
                || matches!(&event.what, Due::Arrival(message, _, None) if is_own(message))
        };
        slot.step.due.is_some()
            || slot.timers[TimerKind::Library as usize].due.is_some()
            || slot.remaining.is_some()
            || !slot.backlog.is_empty()
            || self.queue.iter().any(concerns)
    }

    /// Whether the service has a reason to grant: somebody holds, is queued, or is about to ask.
    fn service_may_grant(&self) -> bool {
        let asks = self.clients.iter().any(|slot| !slot.is_dead && slot.step.due.is_some());
        asks || self.world.service.holder().is_some()
            || self.nodes.iter().any(|n| n.timer.due.is_some())
    }
}
