//! The client half where a client and a node of the service are one process: it asks its own node
//! for office, and is told when that is lost. There is nothing to renew.

use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::id::{ClientId, FencingToken, LockNodeId, RequestNo};
use crate::sim::lock::{Intent, Outcome};
use crate::sim::message::Answer;
use crate::sim::time::SimDuration;

/// How often it asks its node again, which may have started again and forgotten.
const ASKS_AGAIN: SimDuration = SimDuration::from_secs(1);

/// What it waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OwnNode {
    node: LockNodeId,
    acquire: Option<RequestNo>,
    holds: Option<FencingToken>,
    release: Option<RequestNo>,
    check: Option<RequestNo>,
}

impl OwnNode {
    pub(in crate::sim::lock) fn new(id: ClientId) -> Self {
        let node = LockNodeId(id.0);
        Self { node, acquire: None, holds: None, release: None, check: None }
    }

    pub(in crate::sim::lock) fn intend(
        &mut self,
        now: Now,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        match intent {
            Intent::Acquire => {
                self.acquire = Some(request);
                effects.timer(TimerKind::Library, now.monotonic + ASKS_AGAIN);
            }
            Intent::Release(_) => self.release = Some(request),
            Intent::Check(_) => self.check = Some(request),
            // The node's heartbeats do it, and nobody leads twice (`Reentry::Never`).
            Intent::Renew(_)
            | Intent::SetExpiry(_)
            | Intent::KeepAlive
            | Intent::OpenSession
            | Intent::Settle(..)
            | Intent::Reenter(..) => return,
        }
        effects.send(self.node, intent.request(request, now.wall));
    }

    pub(in crate::sim::lock) fn timer(&mut self, now: Now, effects: &mut Effects) {
        if let Some(request) = self.acquire {
            effects.timer(TimerKind::Library, now.monotonic + ASKS_AGAIN);
            effects.send(self.node, Intent::Acquire.request(request, now.wall));
        }
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        answer: Answer,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let request = answer.request();
        let outcome = Outcome::of(answer)?;
        match outcome {
            Outcome::Granted { token, .. } => {
                self.acquire.take_if(|open| *open == request)?;
                effects.no_timer(TimerKind::Library);
                self.holds = Some(token);
            }
            Outcome::Queued => {
                self.acquire.filter(|open| *open == request)?;
            }
            // Whatever was asked: its node tells it by itself.
            Outcome::RenewRefused { token } => {
                self.holds.take_if(|held| *held == token)?;
            }
            Outcome::ReleaseAnswered { .. } => {
                self.release.take_if(|open| *open == request)?;
            }
            Outcome::Checked { .. } => {
                self.check.take_if(|open| *open == request)?;
            }
            Outcome::Taken
            | Outcome::Alive(_)
            | Outcome::SessionOver
            | Outcome::NothingLeft
            | Outcome::Renewed { .. }
            | Outcome::Reentered(_)
            | Outcome::Disconnected => return None,
        }
        Some(outcome)
    }
}
