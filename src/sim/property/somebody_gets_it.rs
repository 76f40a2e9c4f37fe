//! “Somebody can always get the lock”: once the holder is gone for good, a client that asks (or a
//! waiter ahead of it) is granted within the time to live, counted from the arrival of the last
//! renewal that was already sent, and one message time. Without a time to live it is broken when
//! the holder is gone for good and nothing that could free the lock is under way.

use super::breaks::{Breaks, holds_if};
use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::event::Event;
use crate::sim::id::{ClientId, FaultId, NodeId};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{FaultKind, Scenario};
use crate::sim::time::{SimDuration, SimTime};
use crate::sim::world::World;

#[derive(Clone, Debug)]
pub(super) struct SomebodyGetsIt {
    ttl: Option<SimDuration>,
    latency: SimDuration,
    /// Crashes after which the client starts again.
    with_restart: Vec<FaultId>,
    /// Per client, when the last renewal or release that it sent lands.
    last_word: [SimTime; MAX_CLIENTS],
    /// The holder that is gone for good, and from when on somebody must have been granted.
    gone: Option<Gone>,
    breaks: Breaks,
}

#[derive(Clone, Copy, Debug)]
struct Gone {
    client: ClientId,
    /// By then the lock must be free for whoever asks; without a time to live: from then on nothing
    /// can free it.
    free_by: SimTime,
}

impl SomebodyGetsIt {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let faults = scenario.spec().faults.iter();
        let with_restart = faults.filter_map(|fault| match fault.kind {
            FaultKind::Crash {
                restart_after: Some(_),
                ..
            } => Some(fault.id),
            FaultKind::Crash { .. } | FaultKind::Pause { .. } | FaultKind::Delay { .. } => None,
        });
        Self {
            ttl: scenario.ttl(),
            latency: scenario.spec().latency,
            with_restart: with_restart.collect(),
            last_word: [SimTime::ZERO; MAX_CLIENTS],
            gone: None,
            breaks: Breaks::default(),
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let now = seen.entry.at;
        self.look_at_the_time(seen.before, now);
        match (seen.entry.node, seen.entry.event) {
            (
                NodeId::Client(client),
                Event::Sent {
                    kind: MessageKind::Renew | MessageKind::Release,
                    arrives,
                    ..
                },
            ) => {
                // Links do not keep order: a delayed renewal lands after the ones sent later.
                let last = &mut self.last_word[client.index()];
                *last = arrives.max(*last);
            }
            (NodeId::Client(client), Event::Crashed { fault }) => {
                let holds = seen
                    .before
                    .service
                    .holder
                    .is_some_and(|held| held.client == client);
                if holds && !self.with_restart.contains(&fault) {
                    let last_word = self.last_word[client.index()].max(now);
                    let allowed = self.ttl.map_or(SimDuration::ZERO, |ttl| ttl + self.latency);
                    self.gone = Some(Gone {
                        client,
                        free_by: last_word + allowed,
                    });
                }
            }
            (_, Event::LeaseEnded { client, .. }) => {
                self.gone = self.gone.filter(|gone| gone.client != client);
            }
            _ => {}
        }
    }

    /// Nothing happens at the instant at which somebody should have been granted and was not, so
    /// the time is looked at whenever something else happens, and at the end.
    fn look_at_the_time(&mut self, world: &World, now: SimTime) {
        let Some(gone) = self.gone.filter(|gone| gone.free_by < now) else {
            return;
        };
        let waiter = world.service.queue.first();
        if let Some(waiter) = waiter.filter(|_| !self.breaks.is_broken()) {
            let asked = world.clients[waiter.index()].phase_since;
            self.breaks.by_nothing(gone.free_by.max(asked));
        }
    }

    pub(super) fn state(mut self, end: &End<'_>) -> PropertyState {
        // At the end itself a deadline that falls on it has passed, too.
        self.look_at_the_time(end.world, end.at + SimDuration::from_micros(1));
        let waiting_still = self.gone.is_some() && !end.world.service.queue.is_empty();
        self.breaks.state(holds_if(!waiting_still))
    }
}
