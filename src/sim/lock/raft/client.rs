//! The client half where a client and a node of the service are one process: it asks its own node
//! for office, and is told when that is lost. There is nothing to renew.

use crate::sim::clock::Now;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::id::{ClientId, FencingToken, LockNodeId, NodeId, RequestNo};
use crate::sim::lock::{Intent, Outcome};
use crate::sim::message::Body;
use crate::sim::time::SimDuration;

/// How often it asks its node again, which may have started again and forgotten.
const ASKS_AGAIN: SimDuration = SimDuration::from_secs(1);

/// What it waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OwnNode {
    node: NodeId,
    acquire: Option<RequestNo>,
    holds: Option<FencingToken>,
    release: Option<RequestNo>,
    check: Option<RequestNo>,
}

impl OwnNode {
    pub(in crate::sim::lock) fn new(id: ClientId) -> Self {
        let node = NodeId::Lock(LockNodeId(id.0));
        Self { node, acquire: None, holds: None, release: None, check: None }
    }

    pub(in crate::sim::lock) fn intend(
        &mut self,
        now: Now,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let body = match intent {
            Intent::Acquire => {
                self.acquire = Some(request);
                effects.timer(TimerKind::Library, now.monotonic + ASKS_AGAIN);
                Body::Acquire { request, stamp: now.wall, unchanged: None }
            }
            Intent::Release(token) => {
                self.release = Some(request);
                Body::Release { request, token }
            }
            Intent::Check(token) => {
                self.check = Some(request);
                Body::Check { request, token }
            }
            // The node's heartbeats do it, and nobody leads twice (`Reentry::Never`).
            Intent::Renew(_)
            | Intent::SetExpiry(_)
            | Intent::KeepAlive
            | Intent::OpenSession
            | Intent::Reenter(..) => return,
        };
        effects.send(self.node, body);
    }

    pub(in crate::sim::lock) fn timer(&mut self, now: Now, effects: &mut Effects) {
        if let Some(request) = self.acquire {
            effects.timer(TimerKind::Library, now.monotonic + ASKS_AGAIN);
            effects.send(self.node, Body::Acquire { request, stamp: now.wall, unchanged: None });
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other message teaches a client")]
    pub(in crate::sim::lock) fn handle(
        &mut self,
        body: &Body,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        match *body {
            Body::Granted { request, token, grant, ttl } => {
                self.acquire.take_if(|open| *open == request)?;
                effects.no_timer(TimerKind::Library);
                self.holds = Some(token);
                Some(Outcome::Granted { grant, token, ttl, earlier: None })
            }
            Body::Queued { request } => (self.acquire == Some(request)).then_some(Outcome::Queued),
            Body::RenewRefused { token, .. } => {
                self.holds.take_if(|held| *held == token)?;
                Some(Outcome::RenewRefused { token })
            }
            Body::Released { request } => {
                self.release.take_if(|open| *open == request)?;
                Some(Outcome::ReleaseAnswered { refused: false })
            }
            Body::Checked { request, valid, current, .. } => {
                self.check.take_if(|open| *open == request)?;
                Some(Outcome::Checked { valid, current })
            }
            _ => None,
        }
    }
}
