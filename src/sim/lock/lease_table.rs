//! What the single-node systems share: one lock, its holder, a queue and a source of tokens. It
//! judges expiry by comparing its own clock, whether or not a timer has fired.

use std::collections::VecDeque;

mod agreed;
mod cap;
mod ends;
mod hold;
mod item;
mod names;
mod observed;
mod record;
mod reentry;
mod sessions;
mod snapshot;
mod waiters;

use item::{Closed, nothing_left};
use names::Names;
pub use observed::Record;
use sessions::Session;
use snapshot::Snapshot;
mod standby;
pub use standby::{Copied, Held};
use waiters::Waiter;

use super::tokens::Tokens;
use super::{Lateness, NodeInput, Rules};
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{Grant, LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo, LockNodeId, NodeId, RequestNo};
use crate::sim::message::{Answer, Request, SpecialRequest, StoreToService};
use crate::sim::prng::{Purpose, random};
use crate::sim::scenario::{ExpiryJudge, HandOff, Identity, Loses, Scenario};
use crate::sim::time::{LocalTime, SimDuration};

/// The state of the lock at the service.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LeaseTable {
    rules: Rules,
    clients: Vec<Known>,
    tokens: Tokens,
    /// Key of what is random in it.
    seed: u32,
    n_grants: u32,
    holder: Option<Lease>,
    queue: VecDeque<Waiter>,
    /// After a holder failed: until then nobody is granted.
    blocked_until: Option<LocalTime>,
    /// After the holder gave it back sooner than it may be free: until then nobody is granted.
    kept_until: Option<LocalTime>,
    /// Per client, a session that it made before it asks.
    sessions: Vec<Option<Session>>,
    snapshot: Snapshot,
    /// The names of the waiters' nodes, where they order the queue.
    names: Option<Names>,
    /// Since when neither holder nor waiter has been there, once there was one.
    empty_since: Option<LocalTime>,
    /// What observers see of the lock, where they judge.
    record: Record,
    /// How the item is closed that the lock stands for.
    closed: Option<Closed>,
    /// Where it looks from time to time for what is over: when it last came back.
    looks_from: Option<LocalTime>,
    /// What the timer is set to.
    timer: Option<LocalTime>,
}

/// What the service knows of a client from its requests' own options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Known {
    ttl: Option<SimDuration>,
    polls: bool,
    has_session: bool,
    shares_its_name: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Lease {
    grant: GrantNo,
    client: ClientId,
    /// The token that it was granted under, by which its holder renews and releases.
    first: FencingToken,
    /// The same, or what a holder that took the lock again drew last.
    token: FencingToken,
    /// The number that its node is named by, where there are names.
    name: FencingToken,
    /// On the clock that the service judges by; the lease is over at this instant. `None`: never.
    expires: Option<LocalTime>,
    /// The time that the holder wrote by its own wall clock, where askers judge by it.
    written: Option<LocalTime>,
    /// That time has passed on the service's clock; the record still stands there.
    is_past: bool,
    /// That time has passed, and nobody has acted on it yet.
    is_over: bool,
    /// When its holder was last heard, where a second look asks for that.
    heard: Option<LocalTime>,
    /// When its idle connection is cut, where that is done.
    cut_at: Option<LocalTime>,
    /// When it was granted: by its holder's wall clock where askers judge, else by the service's
    /// clock. `None`: nothing counts from it, or a copy does not know.
    since: Option<LocalTime>,
}

impl LeaseTable {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let clients = scenario.clients().iter().map(|client| Known {
            ttl: client.ttl,
            polls: scenario.rules().polls(client.settings.wait),
            has_session: client.settings.session && client.ttl.is_some(),
            shares_its_name: client.settings.identity == Identity::Shared,
        });
        let tokens = Tokens::new(scenario.rules(), scenario.spec().seed);
        Self {
            rules: scenario.rules().clone(),
            clients: clients.collect(),
            sessions: vec![None; scenario.clients().len()],
            names: scenario.rules().nodes.map(|rules| Names::new(rules, scenario.spec().seed)),
            empty_since: None,
            snapshot: Snapshot::of_the_beginning(tokens.clone()),
            tokens,
            seed: scenario.spec().seed,
            n_grants: 0,
            holder: None,
            queue: VecDeque::new(),
            blocked_until: None,
            kept_until: None,
            record: Record::default(),
            closed: None,
            looks_from: None,
            timer: None,
        }
    }

    /// The same at another node of the service.
    pub(super) fn at(self, id: LockNodeId) -> Self {
        Self { tokens: self.tokens.at(id), ..self }
    }

    pub(super) fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        match input {
            NodeInput::Restart(loses) => {
                self.timer = None;
                self.looks_from = self.rules.acts().map(|_| now);
                self.forget(now, loses, effects);
                if self.rules.leader_raises_epoch && loses != Loses::Everything {
                    self.tokens.new_leader();
                }
                self.refresh(now, effects);
            }
            NodeInput::Timer => {
                self.take_snapshot(now);
                self.timer = None;
            }
            NodeInput::Start
            | NodeInput::Request(..)
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(..)
            | NodeInput::Store(..) => self.take_snapshot(now),
            NodeInput::TakesOver { named } => {
                self.take_place(now, named, effects);
                return;
            }
        }
        self.pass_time(now, effects);
        match input {
            NodeInput::Request(client, request) => {
                self.hears(now, client);
                self.serve(now, client, request, effects);
            }
            NodeInput::Disconnected(client) => {
                self.hears(now, client);
                self.disconnected(now, client, effects);
            }
            NodeInput::Store(store, StoreToService::Check { request, token }) => {
                self.tell(store, request, token, effects);
            }
            NodeInput::Store(_, StoreToService::Noted { .. })
            | NodeInput::Peer(..)
            | NodeInput::Start
            | NodeInput::Timer
            | NodeInput::Restart(_)
            | NodeInput::TakesOver { .. } => {}
        }
        self.note_emptiness(now);
        self.set_timer(effects);
    }

    /// Another leader takes over, under an epoch that was drawn before.
    pub(super) fn new_leader(&mut self, now: LocalTime, effects: &mut Effects) {
        self.timer = None;
        self.refresh(now, effects);
    }

    /// Whether the lower half of its numbers was used up since this was last asked.
    pub(super) fn has_used_up_its_counter(&mut self) -> bool {
        self.tokens.take_used_up()
    }

    fn serve(&mut self, now: LocalTime, client: ClientId, request: Request, effects: &mut Effects) {
        match request {
            Request::Acquire { request, stamp, unchanged } => {
                self.replace_if_unchanged(unchanged, effects);
                self.acquire(now, client, request, stamp, effects);
            }
            Request::Renew { request, token, stamp } => {
                self.renew(now, client, request, token, stamp, effects);
            }
            Request::Release { request, token } => {
                self.release(now, client, request, token, effects);
            }
            Request::Check { request, token } => {
                let refused =
                    self.holder.is_some_and(|lease| lease.is_over) && self.rules.refuses_late();
                let valid = self.is_holder(client, token) && !refused;
                let current = self.holder.map(|lease| lease.token);
                effects.checked(client, request, token, (valid, current));
            }
            Request::Special(request) => self.serve_special(now, client, request, effects),
        }
    }

    fn serve_special(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: SpecialRequest,
        effects: &mut Effects,
    ) {
        match request {
            SpecialRequest::Look { request, stamp } => self.look(client, request, stamp, effects),
            SpecialRequest::SetExpiry { token, .. } => {
                self.set_expiry(now, client, token, effects);
            }
            SpecialRequest::OpenSession { request } => {
                self.open_session(now, client, request, effects);
            }
            SpecialRequest::KeepAlive { request } => self.keep_alive(now, client, request, effects),
            SpecialRequest::Reenter { request, token, anew } => {
                self.reenter(client, request, (token, anew), effects);
            }
            SpecialRequest::Settle { request, token, back } => {
                self.settle(now, client, request, (token, back), effects);
            }
            // Only Redlock's clients take back what they may have set.
            SpecialRequest::Unlock { .. } => {}
        }
    }

    fn known(&self, client: ClientId) -> Known {
        self.clients[client.index()]
    }

    /// Whether two clients are one to the service.
    fn is_same_owner(&self, one: ClientId, other: ClientId) -> bool {
        let shared = |client| self.known(client).shares_its_name;
        one == other || (shared(one) && shared(other))
    }

    /// Whether this client holds the lock under this token; where names are shared, the name is all
    /// that is looked at.
    fn is_holder(&self, client: ClientId, token: FencingToken) -> bool {
        self.holder.is_some_and(|lease| {
            self.is_same_owner(lease.client, client)
                && (lease.is_under(token) || self.known(client).shares_its_name)
        })
    }

    /// Whether a release or a renewal by this client is let through.
    fn may_touch(&self, client: ClientId, token: FencingToken) -> bool {
        self.holder.is_some_and(|lease| self.is_open(&lease))
            && (!self.rules.owner_check || self.is_holder(client, token))
    }

    /// Ends what is over by now: sessions of waiters, the lease, the delay after a failure.
    fn pass_time(&mut self, now: LocalTime, effects: &mut Effects) {
        self.end_sessions(now, effects);
        self.cut_idle(now, effects);
        let is_due = |lease: &Lease| self.ends_at(lease).is_some_and(|at| at <= now);
        if let Some(lease) = self.holder.filter(is_due) {
            self.holder = None;
            effects.fact(ended(&lease, LeaseEnd::Expired));
            self.key_is_gone();
            if self.rules.failure_removes {
                self.tokens.reset();
            }
            self.free_after_failure(now, effects);
        }
        if self.names.is_some() {
            self.end_overtaken(now);
            self.grant_next(now, effects);
        }
        // A record without a watcher: its end is noted, and it stays until somebody asks.
        let acts = self.rules.acts().is_some();
        let is_past = |lease: &&mut Lease| {
            !acts && !lease.is_past && lease.written.is_some_and(|written| written <= now)
        };
        if let Some(lease) = self.holder.as_mut().filter(is_past) {
            lease.is_past = true;
            effects.fact(ended(lease, LeaseEnd::Expired));
        }
        self.note_over(now, effects);
        if self.blocked_until.take_if(|until| *until <= now).is_some() {
            self.grant_next(now, effects);
        }
        self.end_least_hold(now, effects);
    }

    /// When a lease is over that lasts `ttl` from now, without the system's own lateness.
    fn ends(&self, now: LocalTime, ttl: SimDuration) -> LocalTime {
        now + ttl + self.rules.grace
    }

    fn free_after_failure(&mut self, now: LocalTime, effects: &mut Effects) {
        if self.rules.lock_delay.is_zero() {
            self.grant_next(now, effects);
        } else {
            self.blocked_until = Some(now + self.rules.lock_delay);
        }
    }

    fn acquire(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        stamp: LocalTime,
        effects: &mut Effects,
    ) {
        self.take_over_if_past(client, stamp, effects);
        let again = |lease: &Lease| {
            self.rules.knows_its_holder
                && !lease.is_over
                && !self.leaves_orphans()
                && self.is_same_owner(lease.client, client)
                // By its own clock the time that it wrote is past: what it held is over.
                && lease.written.is_none_or(|written| written > stamp)
        };
        if let Some(lease) = self.holder.filter(again) {
            let Lease { grant, token, .. } = lease;
            effects.fact(ServiceFact::GrantedAgain { grant, client, token });
            let left = lease.expires.map(|expires| expires.since(now));
            let ttl = left.or(self.rewritten(lease, effects));
            effects.send(client, Answer::Granted { request, token, grant, ttl });
            return;
        }
        self.write_over(effects);
        if self.is_closed(self.is_kept(stamp), effects) {
            nothing_left(client, request, effects);
            return;
        }
        let (session_until, token) = self.session_for(now, client);
        let mut waiter =
            Waiter { client, request, token, name: FencingToken(0), session_until, stamp };
        let place = self.queue.iter().position(|waiter| waiter.client == client);
        let place = place.filter(|_| !self.leaves_orphans());
        if place.is_none() {
            self.look_at_the_parent(now, effects);
            if self.name_is_taken() {
                effects.taken(client, request, None);
                return;
            }
            if let Some((name, token)) = self.make_node() {
                (waiter.name, waiter.token) = (name, Some(token));
                self.overtake(&waiter, effects);
            }
        }
        let is_free = self.holder.is_none() && self.blocked_until.is_none() && !self.is_kept(stamp);
        if is_free && self.comes_first(waiter.name) {
            self.grant(now, waiter, effects);
            return;
        }
        if self.known(client).polls {
            effects.taken(client, request, self.shown_record());
            return;
        }
        let place = place.unwrap_or_else(|| {
            let fixed = self.tokens.are_fixed_at_enqueue();
            waiter.token = waiter.token.or_else(|| fixed.then(|| self.tokens.draw()));
            self.join(waiter)
        });
        let waiter = &mut self.queue[place];
        (waiter.request, waiter.session_until) = (request, session_until);
        let ahead = u8::try_from(place).expect("at most 8 clients wait");
        effects.fact(ServiceFact::Queued { client, ahead });
        effects.send(client, Answer::Queued { request });
    }

    fn grant_next(&mut self, now: LocalTime, effects: &mut Effects) {
        while self.holder.is_none() && !self.is_closed(self.kept_until.is_some(), effects) {
            let next = self.next_in_line();
            let comes_first = |waiter: &&Waiter| self.comes_first(waiter.name);
            let Some(waiter) = self.queue.get(next).filter(comes_first).copied() else {
                return;
            };
            self.queue.remove(next);
            self.grant(now, waiter, effects);
        }
    }

    /// The place in the queue that is granted next.
    fn next_in_line(&self) -> usize {
        let waiting = u64::try_from(self.queue.len()).expect("at most 8 clients wait").max(1);
        match self.rules.hand_off {
            HandOff::InOrder => 0,
            HandOff::Random => {
                let service = NodeId::Lock(LockNodeId(0));
                let number = random(self.seed, service, Purpose::HandOff, self.n_grants);
                usize::try_from(number % waiting).expect("at most 8 clients wait")
            }
        }
    }

    fn grant(&mut self, now: LocalTime, waiter: Waiter, effects: &mut Effects) {
        let Waiter { client, request, token, name, session_until, stamp } = waiter;
        let known = self.known(client);
        let grant = self.new_grant(effects);
        let token = token.unwrap_or_else(|| self.tokens.draw());
        let full = known.ttl.filter(|_| !self.rules.two_steps);
        let by_holder = self.is_by_holders_time();
        // A lease that is a session's runs as long as that session, a fresh one from here.
        let full = full.map(|ttl| self.of_grant(ttl));
        let ttl = session_until.map_or(full, |until| Some(until.since(now)));
        let by_service = self.rules.expiry == ExpiryJudge::Service;
        let expires = ttl.filter(|_| by_service).map(|ttl| self.ends(now, ttl));
        self.write_record(ttl);
        let written = full.filter(|_| by_holder).map(|ttl| stamp + ttl);
        let cut_at = self.rules.cuts_idle_after.map(|after| now + after);
        // Not part of the state where nothing counts from it.
        let counts = !self.rules.min_hold.is_zero() || self.longest().is_some();
        let since = counts.then_some(if by_holder { stamp } else { now });
        self.kept_until = None;
        let lease = Lease {
            grant,
            client,
            first: token,
            token,
            name,
            expires,
            written,
            is_past: false,
            is_over: false,
            heard: self.heard(now),
            cut_at,
            since,
        };
        effects.fact(lease.as_grant().made(ttl));
        effects.send(client, Answer::Granted { request, token, grant, ttl });
        let is_over = |expires| self.rules.stands_until(expires, known.ttl) <= now;
        let on_time = self.rules.lateness == Lateness::OnTime;
        if on_time && ttl.is_some_and(SimDuration::is_zero) || expires.is_some_and(is_over) {
            // Its session was over before: it is told of a lock that it no longer has.
            effects.fact(ended(&lease, LeaseEnd::Expired));
        } else {
            self.holder = Some(lease);
        }
    }

    /// The second step of an acquire in two steps.
    fn set_expiry(
        &mut self,
        now: LocalTime,
        client: ClientId,
        token: FencingToken,
        effects: &mut Effects,
    ) {
        let is_open = self.holder.is_some_and(|lease| self.is_open(&lease));
        let valid = self.is_holder(client, token) && is_open;
        let ttl = self.known(client).ttl.map(|ttl| self.of_grant(ttl));
        let expires = ttl.filter(|_| !self.is_observed()).map(|ttl| self.ends(now, ttl));
        let heard = self.heard(now);
        if let (Some(lease), Some(ttl)) = (self.holder.as_mut().filter(|_| valid), ttl) {
            (lease.expires, lease.is_over, lease.heard) = (expires, false, heard);
            effects.fact(lease.as_grant().renewed(client, ttl));
            self.write_record(Some(ttl));
        }
    }

    fn renew(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        stamp: LocalTime,
        effects: &mut Effects,
    ) {
        let in_time = |lease: Lease| {
            let ttl = self.known(lease.client).ttl;
            lease.expires.is_none_or(|expires| self.rules.renewable_until(expires, ttl) > now)
        };
        let may = self.may_touch(client, token) && self.holder.is_some_and(in_time);
        let whole = self.known(client).ttl;
        let given = whole.filter(|_| may).and_then(|ttl| self.of_renewal(now, ttl, effects));
        let expires = given.filter(|_| !self.is_observed()).map(|ttl| self.ends(now, ttl));
        let heard = self.heard(now);
        let (Some(lease), Some(ttl)) = (self.holder.as_mut().filter(|_| may), given) else {
            if self.was_overtaken(now, token) && self.touch_nodes(now, client) {
                let ttl = whole.unwrap_or_default();
                effects.send(client, Answer::Renewed { request, token, ttl });
                return;
            }
            effects.fact(ServiceFact::RenewRefused { client, token });
            effects.send(client, Answer::RenewRefused { request, token });
            return;
        };
        match &mut lease.written {
            Some(written) => *written = stamp + ttl,
            None => lease.expires = expires,
        }
        (lease.is_over, lease.heard) = (false, heard);
        effects.fact(lease.as_grant().renewed(client, ttl));
        self.write_record(Some(ttl));
        self.touch_nodes(now, client);
        effects.send(client, Answer::Renewed { request, token, ttl });
    }

    fn release(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        effects: &mut Effects,
    ) {
        let may = self.may_touch(client, token);
        let Some(lease) = self.holder.take_if(|_| may) else {
            self.forget_overtaken(client, token);
            effects.fact(ServiceFact::ReleaseRefused { client, token });
            effects.send(client, Answer::ReleaseRefused { request });
            return;
        };
        let own = lease.client == client && lease.is_under(token);
        let how = if own { LeaseEnd::Released } else { LeaseEnd::ReleasedBy(client) };
        effects.fact(ended(&lease, how));
        effects.send(client, Answer::Released { request });
        self.key_is_gone();
        if !self.keep_for_least_hold(now, &lease, effects) {
            self.grant_next(now, effects);
        }
    }

    fn set_timer(&mut self, effects: &mut Effects) {
        let rules = &self.rules;
        let stands = |client: ClientId, until: Option<LocalTime>| {
            until.map(|until| rules.stands_until(until, self.known(client).ttl))
        };
        let waiters = self.queue.iter();
        let sessions = waiters.filter_map(|waiter| stands(waiter.client, waiter.session_until));
        let sessions = sessions.filter(|_| rules.waiter_check).min();
        let record = self.holder.filter(|lease| rules.acts().is_none() && !lease.is_past);
        let written = record.and_then(|lease| lease.written);
        let expires = self.holder.and_then(|lease| self.ends_at(&lease));
        let overtaken = self.next_end_of_overtaken();
        let idle = self.holder.and_then(|lease| lease.cut_at);
        let (kept, over) = (self.least_hold_ends(), self.notes_at());
        let ends = [sessions, expires, written, over, overtaken, idle, self.blocked_until, kept];
        let next = ends.into_iter().flatten().min();
        if next != self.timer {
            match next {
                Some(at) => effects.timer(TimerKind::Main, at),
                None => effects.no_timer(TimerKind::Main),
            }
            self.timer = next;
        }
    }
}

impl Lease {
    /// As the lock's facts name it.
    fn as_grant(&self) -> Grant {
        Grant { no: self.grant, client: self.client, token: self.token }
    }
}

fn ended(lease: &Lease, how: LeaseEnd) -> ServiceFact {
    lease.as_grant().ended(how)
}
