//! The client half for systems whose service is one node: every request goes there and is answered
//! once. An answer to a request that is not open (made before a crash, say) teaches nothing.

use super::{Intent, Outcome};
use crate::sim::effect::Effects;
use crate::sim::id::{LockNodeId, NodeId, RequestNo};
use crate::sim::message::Body;
use crate::sim::time::LocalTime;

const SERVICE: NodeId = NodeId::Lock(LockNodeId(0));

/// The requests that are open.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClientHalf {
    acquire: Option<RequestNo>,
    /// Renewals overtake one another when one is delayed; only the last one's answer counts, but a
    /// refusal counts whichever it answers, because the service refuses for good.
    renew_since: Option<RequestNo>,
    release: Option<RequestNo>,
    check: Option<RequestNo>,
}

impl ClientHalf {
    pub(super) fn intend(
        &mut self,
        _now: LocalTime,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let body = match intent {
            Intent::Acquire => {
                self.acquire = Some(request);
                Body::Acquire { request }
            }
            Intent::Renew(token) => {
                self.renew_since.get_or_insert(request);
                Body::Renew { request, token }
            }
            Intent::Release(token) => {
                self.release = Some(request);
                Body::Release { request, token }
            }
            Intent::Check(token) => {
                self.check = Some(request);
                Body::Check { request, token }
            }
        };
        effects.send(SERVICE, body);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other message teaches a client"
    )]
    pub(super) fn handle(
        &mut self,
        _now: LocalTime,
        body: &Body,
        _effects: &mut Effects,
    ) -> Option<Outcome> {
        match *body {
            Body::Granted {
                request,
                token,
                grant,
                ..
            } => {
                self.acquire.take_if(|open| *open == request)?;
                Some(Outcome::Granted { grant, token })
            }
            Body::RenewRefused { request, token } => {
                let first = self.renew_since?;
                (request >= first).then_some(Outcome::RenewRefused { token })
            }
            Body::Released { request } | Body::ReleaseRefused { request } => {
                self.release.take_if(|open| *open == request)?;
                Some(Outcome::ReleaseAnswered)
            }
            Body::Checked { request, valid, .. } => {
                self.check.take_if(|open| *open == request)?;
                Some(Outcome::Checked { valid })
            }
            _ => None,
        }
    }
}
