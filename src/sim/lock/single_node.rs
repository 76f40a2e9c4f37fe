//! The client half for systems whose service is one node: every request goes there and is answered
//! once. An answer to a request that is not open (made before a crash, say) teaches nothing.

use super::lease_table::Record;
use super::{Intent, Outcome, Rules};
use crate::sim::clock::Now;
use crate::sim::effect::Effects;
use crate::sim::id::{LockNodeId, NodeId, RequestNo};
use crate::sim::message::Body;
use crate::sim::scenario::{ExpiryJudge, Wait};
use crate::sim::time::LocalTime;

/// Polls of one wait whose answers are still waited for.
const MAX_OPEN_POLLS: usize = 16;

const SERVICE: NodeId = NodeId::Lock(LockNodeId(0));

/// The requests that are open.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClientHalf {
    acquire: Option<RequestNo>,
    /// When that was sent.
    asked: Now,
    /// Whether it polls, and the earlier polls of this wait that were not answered. Bounded: the
    /// oldest is dropped.
    polls: bool,
    earlier: Vec<(RequestNo, Now)>,
    /// The first renewal or keep-alive since the client started: an older answer is to a process
    /// that is no more. Renewals overtake one another when one is delayed, so every later one
    /// counts.
    renew_since: Option<RequestNo>,
    release: Option<RequestNo>,
    check: Option<RequestNo>,
    reentry: Option<RequestNo>,
    /// Whether a closed connection matters to its user.
    hears_disconnects: bool,
    /// What it has seen of the lock's record, where observers judge.
    watch: Option<Watch>,
}

/// An observer's memory, all on its monotonic clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Watch {
    /// The record that it saw last, and when it first saw that one.
    seen: Option<(Record, LocalTime)>,
    /// When it began its last try.
    asked: LocalTime,
    /// It has asked to replace the record.
    replaces: bool,
}

impl ClientHalf {
    /// That of a system with these rules.
    pub(super) fn new(rules: &Rules, wait: Wait) -> Self {
        let observes = rules.expiry == ExpiryJudge::Observers;
        let (polls, watch) = (rules.polls(wait), observes.then(Watch::default));
        Self { polls, watch, ..Self::default() }
    }

    /// One whose user lets go when the connection is lost.
    pub(super) fn hearing_disconnects(self, hears_disconnects: bool) -> Self {
        Self { hears_disconnects, ..self }
    }

    /// It waits no more; what its polls are still answered is of no use. Who has a place in a queue
    /// may still be granted.
    pub(super) fn wait_is_over(&mut self) {
        if self.polls {
            self.acquire = None;
            self.earlier.clear();
        }
    }

    /// Asks anew; what was asked before may still be answered by a grant.
    fn ask(&mut self, now: Now, request: RequestNo) {
        if let Some(before) = self.acquire.replace(request).filter(|_| self.polls) {
            if self.earlier.len() >= MAX_OPEN_POLLS {
                self.earlier.remove(0);
            }
            self.earlier.push((before, self.asked));
        }
        self.asked = now;
    }

    /// Whether a grant in answer to this request counts; where it is an earlier one than the last,
    /// when that was sent.
    fn take_asked(&mut self, request: RequestNo) -> Option<Option<Now>> {
        if self.acquire.take_if(|open| *open == request).is_some() {
            return Some(None);
        }
        let place = self.earlier.iter().position(|(earlier, _)| *earlier == request)?;
        Some(Some(self.earlier.remove(place).1))
    }

    pub(super) fn intend(
        &mut self,
        now: Now,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let stamp = now.wall;
        let body = match intent {
            Intent::Acquire => {
                self.ask(now, request);
                if let Some(watch) = &mut self.watch {
                    (watch.asked, watch.replaces) = (now.monotonic, false);
                }
                Body::Acquire { request, stamp, unchanged: None }
            }
            Intent::SetExpiry(token) => Body::SetExpiry { request, token },
            Intent::OpenSession => {
                self.renew_since.get_or_insert(request);
                Body::OpenSession { request }
            }
            Intent::KeepAlive => {
                self.renew_since.get_or_insert(request);
                Body::KeepAlive { request }
            }
            Intent::Renew(token) => {
                self.renew_since.get_or_insert(request);
                Body::Renew { request, token, stamp }
            }
            Intent::Release(token) => {
                // A grant that answers an older request is of what is given back here.
                (self.release, self.acquire) = (Some(request), None);
                self.earlier.clear();
                Body::Release { request, token }
            }
            Intent::Check(token) => {
                self.check = Some(request);
                Body::Check { request, token }
            }
            Intent::Reenter(token, anew) => {
                self.reentry = Some(request);
                Body::Reenter { request, token, anew }
            }
        };
        effects.send(SERVICE, body);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other message teaches a client")]
    pub(super) fn handle(
        &mut self,
        now: Now,
        body: &Body,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let counts = |request: RequestNo| self.renew_since.is_some_and(|first| request >= first);
        match *body {
            Body::Granted { request, token, grant, ttl } => {
                let earlier = self.take_asked(request)?;
                Some(Outcome::Granted { grant, token, ttl, earlier })
            }
            Body::Queued { request } => (self.acquire == Some(request)).then_some(Outcome::Queued),
            Body::Taken { request, record } => {
                self.earlier.retain(|(earlier, _)| *earlier != request);
                let open = self.acquire.filter(|open| *open == request)?;
                if let Some(version) = self.may_replace(now, record) {
                    let (stamp, unchanged) = (now.wall, Some(version));
                    effects.send(SERVICE, Body::Acquire { request: open, stamp, unchanged });
                    return None;
                }
                self.acquire = None;
                Some(Outcome::Taken)
            }
            Body::Alive { request } => counts(request).then_some(Outcome::Alive(request)),
            Body::SessionOver { request } => counts(request).then_some(Outcome::SessionOver),
            Body::Renewed { request, ttl, .. } => {
                counts(request).then_some(Outcome::Renewed { request, ttl })
            }
            Body::RenewRefused { request, token } => {
                counts(request).then_some(Outcome::RenewRefused { token })
            }
            Body::Released { request } | Body::ReleaseRefused { request } => {
                self.release.take_if(|open| *open == request)?;
                let refused = matches!(body, Body::ReleaseRefused { .. });
                Some(Outcome::ReleaseAnswered { refused })
            }
            Body::Reentered { request, token } => {
                self.reentry.take_if(|open| *open == request)?;
                Some(Outcome::Reentered(token))
            }
            Body::Checked { request, valid, current, .. } => {
                self.check.take_if(|open| *open == request)?;
                Some(Outcome::Checked { valid, current })
            }
            Body::Disconnected => self.hears_disconnects.then_some(Outcome::Disconnected),
            _ => None,
        }
    }

    /// It sees a record. Which version it may replace: one that it had watched for a whole time to
    /// live when it began this try.
    fn may_replace(&mut self, now: Now, record: Option<Record>) -> Option<u32> {
        let (watch, record) = (self.watch.as_mut()?, record?);
        let since = match watch.seen {
            Some((seen, since)) if seen == record => since,
            Some(_) | None => now.monotonic,
        };
        watch.seen = Some((record, since));
        let is_over = record.ttl.is_some_and(|ttl| since + ttl <= watch.asked);
        if !is_over || std::mem::replace(&mut watch.replaces, true) {
            return None;
        }
        Some(record.version)
    }
}
