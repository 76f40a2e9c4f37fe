//! Sessions that were made before anybody asked for the lock: until when each lives, and what the
//! store's revision was when it was made; and how a new leader counts all of them anew.

use super::{Lease, LeaseTable};
use crate::sim::effect::Effects;
use crate::sim::fact::ServiceFact;
use crate::sim::id::{ClientId, FencingToken, RequestNo};
use crate::sim::message::Answer;
use crate::sim::scenario::TokenSource;
use crate::sim::time::{LocalTime, SimDuration};

/// A session without a lock and without a place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Session {
    /// When it is over, if nothing is heard.
    until: LocalTime,
    /// The store's revision when it was made.
    revision: FencingToken,
}

impl LeaseTable {
    /// A client makes its session, and does not ask for the lock yet.
    pub(super) fn open_session(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let Some(ttl) = self.known(client).ttl else {
            return;
        };
        let revision = self.tokens.session_revision();
        self.sessions[client.index()] = Some(Session { until: now + ttl, revision });
        effects.send(client, Answer::Alive { request });
    }

    /// Keeps a session alive that was made early. Tells whether there was one.
    pub(super) fn keep_early_session(&mut self, now: LocalTime, client: ClientId) -> bool {
        let ttl = self.known(client).ttl;
        let rules = &self.rules;
        let session = self.sessions[client.index()].as_mut();
        let alive = session.filter(|session| rules.renewable_until(session.until, ttl) > now);
        match (alive, ttl) {
            (Some(session), Some(ttl)) => {
                session.until = now + ttl;
                true
            }
            _ => false,
        }
    }

    /// The session under which a client asks: the one that it made before, if that lives, or one
    /// that it makes now. Until when it lives, and its revision where that is the token.
    pub(super) fn session_for(
        &mut self,
        now: LocalTime,
        client: ClientId,
    ) -> (Option<LocalTime>, Option<FencingToken>) {
        let known = self.known(client);
        let rules = &self.rules;
        let early = self.sessions[client.index()].take();
        let early = early.filter(|session| rules.stands_until(session.until, known.ttl) > now);
        let fresh = known.ttl.filter(|_| known.has_session).map(|ttl| now + ttl);
        let until = early.map(|session| session.until).or(fresh);
        if self.rules.token_source != TokenSource::RevisionOfSession {
            return (until, None);
        }
        let made_now = || self.tokens.session_revision();
        let revision = early.map_or_else(made_now, |session| session.revision);
        // The key that it then makes is one more change of the store.
        self.tokens.draw();
        (until, Some(revision))
    }

    /// A new leader counts them anew, as it does the leases.
    pub(super) fn refresh_sessions(&mut self, now: LocalTime, more: SimDuration) {
        for (session, known) in self.sessions.iter_mut().zip(&self.clients) {
            if let (Some(session), Some(ttl)) = (session, known.ttl) {
                session.until = now + ttl + more;
            }
        }
    }

    /// A new leader cannot know how much of each lease is over: it counts all of them anew.
    pub(super) fn refresh(&mut self, now: LocalTime, effects: &mut Effects) {
        let Some(more) = self.rules.refreshes_by else {
            return;
        };
        self.refresh_sessions(now, more);
        let whole = |client: ClientId| self.clients[client.index()].ttl.map(|ttl| ttl + more);
        if let Some(lease) = &mut self.holder
            && let (Some(_), Some(ttl)) = (lease.expires, whole(lease.client))
        {
            lease.expires = Some(now + ttl + self.rules.grace);
            let Lease { grant, client, token, .. } = *lease;
            effects.fact(ServiceFact::Refreshed { grant, client, token, ttl });
        }
        for waiter in &mut self.queue {
            let until = whole(waiter.client).map(|ttl| now + ttl);
            waiter.session_until = waiter.session_until.and(until);
        }
    }
}
