//! How long a run lasts: as long as the scenario says, or until two leases after its last fault and
//! until its outcome is settled.

use super::super::event_queue::{Due, EventQueue};
use super::super::limits;
use super::super::message::{Body, Message, MessageKind};
use super::super::recording::RunEnd;
use super::super::scenario::{FaultKind, Length, Scenario, Start};
use super::super::time::{SimDuration, SimTime};
use super::Simulation;

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
    match kind {
        FaultKind::Pause {
            start: Start::At(at),
            length,
            ..
        } => Some(*at + *length),
        FaultKind::Crash {
            at, restart_after, ..
        } => Some(*at + restart_after.unwrap_or_default()),
        FaultKind::Pause {
            start: Start::Step { .. },
            ..
        }
        | FaultKind::Delay { .. } => None,
    }
}

/// When an automatic run ends after a fault that is over at `end`: two leases and a piece of work.
pub(super) fn after_fault(scenario: &Scenario, end: SimTime) -> SimTime {
    let work = scenario
        .clients()
        .iter()
        .map(|client| client.settings.work)
        .max();
    end + scenario.ttl().unwrap_or_default().times(2) + work.unwrap_or_default()
}

/// The messages under way that are writes, with when they land.
pub(super) fn writes_in_flight(queue: &EventQueue) -> Vec<Message> {
    let messages = queue.iter().filter_map(|event| match event.what {
        Due::Arrival(message, _) => Some(message),
        Due::FaultBegins(_)
        | Due::PauseEnds(_)
        | Due::Restart(_)
        | Due::Expiry(..)
        | Due::RenewTick(..)
        | Due::WorkerStep(..) => None,
    });
    messages
        .filter(|message| matches!(message.body, Body::Write { .. }))
        .collect()
}

impl Simulation {
    /// Nothing more is due before the end: the run is over, or goes on until it is settled.
    pub(super) fn extend_or_end(&mut self) {
        if self.ends_at < self.ends_at_latest && !self.is_settled() {
            let more = self
                .scenario
                .ttl()
                .unwrap_or_default()
                .micros()
                .max(1_000_000);
            let longer = self.ends_at + SimDuration::from_micros(more);
            self.ends_at = longer.min(self.ends_at_latest);
        } else {
            self.end = Some(RunEnd::Complete);
        }
    }

    /// Whether nothing that is still to come can change the outcome: no worker is at work, nobody
    /// waits for a lock that will come free, and no message but a renewal is under way.
    fn is_settled(&self) -> bool {
        let mut alive = self.clients.iter().filter(|slot| !slot.is_dead);
        if alive.clone().any(|slot| slot.client.is_busy()) {
            return false;
        }
        let someone_waits = alive
            .clone()
            .any(|slot| slot.client.is_waiting_for_its_first_grant());
        let held_for_good = self.scenario.ttl().is_none() && self.world.service.holder.is_some()
            || alive.any(|slot| slot.client.holds_for_good());
        if someone_waits && !held_for_good {
            return false;
        }
        self.queue.iter().all(|event| match &event.what {
            Due::Arrival(message, _) => is_renewal(message.body.kind()),
            Due::FaultBegins(_) | Due::PauseEnds(_) | Due::Restart(_) => false,
            Due::Expiry(..) | Due::RenewTick(..) | Due::WorkerStep(..) => true,
        })
    }
}

fn is_renewal(kind: MessageKind) -> bool {
    matches!(
        kind,
        MessageKind::Renew | MessageKind::Renewed | MessageKind::RenewRefused
    )
}
