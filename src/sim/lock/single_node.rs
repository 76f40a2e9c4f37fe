//! The client half for systems whose service is one node: every request goes there and is answered
//! once. An answer to a request that is not open (made before a crash, say) teaches nothing.

use super::lease_table::Record;
use super::{Intent, Outcome, Rules};
use crate::sim::clock::Now;
use crate::sim::effect::Effects;
use crate::sim::id::{ClientId, LockNodeId, RequestNo};
use crate::sim::message::{Answer, Request};
use crate::sim::scenario::{ExpiryJudge, Scenario, Wait};
use crate::sim::time::LocalTime;

/// Polls of one wait whose answers are still waited for.
const MAX_OPEN_POLLS: usize = 16;

const SERVICE: LockNodeId = LockNodeId(0);

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
    /// That of client `id`.
    pub(super) fn of(scenario: &Scenario, id: ClientId) -> Self {
        Self::new(scenario.rules(), scenario.clients()[id.index()].settings.wait)
    }

    /// That of a system with these rules.
    pub(super) fn new(rules: &Rules, wait: Wait) -> Self {
        let observes = rules.expiry == ExpiryJudge::Observers;
        let (polls, watch) = (rules.polls(wait), observes.then(Watch::default));
        let hears_disconnects = rules.connection_bound;
        Self { polls, watch, hears_disconnects, ..Self::default() }
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
        match intent {
            Intent::Acquire => {
                self.ask(now, request);
                if let Some(watch) = &mut self.watch {
                    (watch.asked, watch.replaces) = (now.monotonic, false);
                }
            }
            Intent::OpenSession | Intent::KeepAlive | Intent::Renew(_) => {
                self.renew_since.get_or_insert(request);
            }
            // A grant that answers an older request is of what is given back here.
            Intent::Release(_) | Intent::Settle(..) => {
                (self.release, self.acquire) = (Some(request), None);
                self.earlier.clear();
            }
            Intent::Check(_) => self.check = Some(request),
            Intent::Reenter(..) => self.reentry = Some(request),
            Intent::SetExpiry(_) => {}
        }
        effects.send(SERVICE, intent.request(request, now.wall));
    }

    pub(super) fn handle(
        &mut self,
        now: Now,
        answer: Answer,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let request = answer.request();
        if let Answer::Taken { record, .. } = answer {
            self.earlier.retain(|(earlier, _)| *earlier != request);
            self.acquire.filter(|open| *open == request)?;
            if let Some(version) = self.may_replace(now, record) {
                let (stamp, unchanged) = (now.wall, Some(version));
                effects.send(SERVICE, Request::Acquire { request, stamp, unchanged });
                return None;
            }
        }
        let outcome = Outcome::of(answer)?;
        let open = match outcome {
            Outcome::Granted { grant, token, ttl, .. } => {
                let earlier = self.take_asked(request)?;
                return Some(Outcome::Granted { grant, token, ttl, earlier });
            }
            Outcome::Taken | Outcome::NothingLeft => &mut self.acquire,
            Outcome::ReleaseAnswered { .. } => &mut self.release,
            Outcome::Reentered(_) => &mut self.reentry,
            Outcome::Checked { .. } => &mut self.check,
            Outcome::Queued => return (self.acquire == Some(request)).then_some(outcome),
            Outcome::Alive(_)
            | Outcome::SessionOver
            | Outcome::Renewed { .. }
            | Outcome::RenewRefused { .. } => {
                let counts = self.renew_since.is_some_and(|first| request >= first);
                return counts.then_some(outcome);
            }
            Outcome::Disconnected => return None,
        };
        open.take_if(|open| *open == request)?;
        Some(outcome)
    }

    pub(super) fn disconnected(&self) -> Option<Outcome> {
        self.hears_disconnects.then_some(Outcome::Disconnected)
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
