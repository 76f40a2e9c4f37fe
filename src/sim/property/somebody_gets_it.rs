//! “Somebody can always get the lock”: once the holder is gone for good, or the lock is free, an
//! awake, connected client that asks (or a waiter ahead of it) is granted within the time to live,
//! counted from the arrival of the last renewal that was already sent, and the message time,
//! lateness, lock-delay and poll interval of the scenario; where a new leader counts a lease anew,
//! from there. Without a time to live it is broken when the holder is gone for good, or lives and
//! has given up its belief or its request for good, and nothing that could free the lock is under
//! way. Whoever stopped asking by an accident must be served, too, once the lock is free.

use super::breaks::{Breaks, holds_if};
use super::report::PropertyState;
use super::stranded::Stranded;
use super::{End, Seen};
use crate::sim::fact::{Asked, BeliefEnd, ClientFact, Fact, Grant, Link, Sending, ServiceFact};
use crate::sim::id::{ClientId, EntrySeq, FaultId, NodeId};
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, FaultKind, PauseScope, Progress, Repeat, Scenario, Wait,
};
use crate::sim::time::{SimDuration, SimTime};
use crate::sim::world::{Phase, World};

#[derive(Clone, Debug)]
pub(super) struct SomebodyGetsIt {
    /// Per client, the time to live of its leases.
    ttls: Vec<Option<SimDuration>>,
    /// What may pass beyond the time to live until somebody is granted.
    slack: SimDuration,
    /// Per client, how long its renewer goes on once its worker takes no step; what does so for
    /// ever is not allowed for.
    renews_on: Vec<SimDuration>,
    /// Crashes after which the client starts again.
    with_restart: Vec<FaultId>,
    /// Per client, when the last renewal or release that it sent lands.
    last_word: [SimTime; MAX_CLIENTS],
    /// Per client, whether it crashed and will not start again.
    gone_for_good: [bool; MAX_CLIENTS],
    /// Per client, the lock nodes that its link to is cut, a bit each.
    cut: [u16; MAX_CLIENTS],
    /// How many of them may be cut off until it can no longer be granted.
    most_cut: u32,
    /// Per client, whether it waits for an answer without end, and whether it does one piece of
    /// work and no more.
    no_timeout: Vec<bool>,
    one_piece: Vec<bool>,
    /// Per client, whether its renewer keeps its place in the queue alive.
    has_session: Vec<bool>,
    /// Per client, when its renewer last woke.
    renewer_woke: [SimTime; MAX_CLIENTS],
    /// Per client, whether the news of its last grant was lost: it waits on.
    missed_its_grant: [bool; MAX_CLIENTS],
    /// Where observers judge: how long each must watch before it may take over.
    watch: Option<SimDuration>,
    /// Per client, since when it has watched.
    watches_since: [Option<SimTime>; MAX_CLIENTS],
    /// Why somebody must be granted, and by when.
    owed: Option<Owed>,
    stranded: Stranded,
    /// Per client, since when the lock has been free for it while it waits for an answer that never
    /// comes.
    forgotten_since: [Option<SimTime>; MAX_CLIENTS],
    /// The item that the lock stands for is done or dead: nobody is granted, and nobody waits.
    is_closed: bool,
    breaks: Breaks,
}

/// How long a renewer goes on once its worker takes no step, where that ends.
fn renews_on(settings: &ClientSettings) -> SimDuration {
    match settings.progress {
        Progress::Off => SimDuration::ZERO,
        Progress::StopsAfter(after) | Progress::LeavesAfter(after) => after,
    }
}

#[derive(Clone, Copy, Debug)]
struct Owed {
    /// The holder that is gone; `None`: the lock is free.
    gone: Option<ClientId>,
    by: SimTime,
}

impl SomebodyGetsIt {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let (spec, rules) = (scenario.spec(), scenario.rules());
        let restarts =
            |kind: &FaultKind| matches!(kind, FaultKind::Crash { restart_after: Some(_), .. });
        let with_restart = spec.faults.iter().filter(|fault| restarts(&fault.kind));
        let polls = scenario.clients().iter().map(|client| match client.settings.wait {
            Wait::Queue => SimDuration::from_secs(1),
            Wait::Poll { every, jitter } => every + jitter,
        });
        let poll = polls.max().unwrap_or_default();
        let slack = spec.latency.times(2)
            + rules.most_late(scenario.longest_ttl())
            + rules.lock_delay
            + rules.asking
            + poll;
        let clients = scenario.clients().iter();
        let has_session: Vec<_> = clients.map(|client| client.settings.session).collect();
        let is_observed = rules.expiry == ExpiryJudge::Observers;
        Self {
            // A lock without one can end because its holder's connection says nothing.
            ttls: (scenario.clients().iter())
                .map(|client| client.ttl.or(rules.cuts_idle_after))
                .collect(),
            // An observer learns of the last change when it next asks, and must ask again.
            slack: if is_observed { slack.times(2) } else { slack },
            watch: scenario.longest_ttl().filter(|_| is_observed),
            watches_since: [None; MAX_CLIENTS],
            renews_on: scenario
                .clients()
                .iter()
                .map(|client| renews_on(&client.settings))
                .collect(),
            with_restart: with_restart.map(|fault| fault.id).collect(),
            last_word: [SimTime::ZERO; MAX_CLIENTS],
            gone_for_good: [false; MAX_CLIENTS],
            cut: [0; MAX_CLIENTS],
            most_cut: u32::from((rules.n_nodes - 1) / 2),
            no_timeout: (scenario.clients().iter())
                .map(|client| client.settings.timeout.is_none())
                .collect(),
            one_piece: (scenario.clients().iter())
                .map(|client| client.settings.repeat == Repeat::Off)
                .collect(),
            renewer_woke: [SimTime::ZERO; MAX_CLIENTS],
            missed_its_grant: [false; MAX_CLIENTS],
            owed: None,
            stranded: Stranded::new(scenario, &has_session),
            has_session,
            forgotten_since: [None; MAX_CLIENTS],
            is_closed: false,
            breaks: Breaks::default(),
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let now = seen.entry.at;
        self.look_at_the_time(seen.before, now);
        self.watch(seen);
        self.stranded.observe(seen);
        self.observe_belief(seen);
        match seen.entry.fact {
            Fact::Message(NodeId::Client(client), _) => self.observe_message(client, seen),
            Fact::Service(_, fact) => self.observe_service(fact, seen),
            Fact::Client(client, fact) => {
                if fact.wakes().is_some_and(|scope| scope != PauseScope::Worker) {
                    self.renewer_woke[client.index()] = now;
                }
            }
            Fact::Fault(fault, fact) => {
                let restarts = self.with_restart.contains(&fault);
                let is_gone = fact.kills().filter(|_| fact.crashed().is_none() || !restarts);
                if let Some(client) = is_gone {
                    self.gone_for_good[client.index()] |= fact.crashed().is_some();
                    self.is_gone(client, seen);
                }
                if let Some(Link { one, other, is_cut }) = fact.link() {
                    self.set_cut(one, other, is_cut);
                }
            }
            Fact::Message(..) | Fact::Store(..) => {}
        }
    }

    fn observe_message(&mut self, client: ClientId, seen: &Seen<'_>) {
        let fact = &seen.entry.fact;
        if let Some(Sending { arrives, .. }) =
            fact.sending().filter(|sent| sent.kind.is_a_holders_word())
        {
            // Links do not keep order: a delayed renewal lands after the ones sent later. What
            // a worker's renewer sends after the worker's death does not count.
            let dead = seen.before.clients[client.index()].worker_crashed.is_some();
            let last = &mut self.last_word[client.index()];
            *last = if dead { *last } else { arrives.max(*last) };
        } else if fact.lost().is_some_and(|lost| lost.kind.gives_the_lock()) {
            self.missed_its_grant[client.index()] = true;
        }
    }

    fn observe_service(&mut self, fact: ServiceFact, seen: &Seen<'_>) {
        let now = seen.entry.at;
        if fact.closes_item().is_some() {
            (self.is_closed, self.owed) = (true, None);
        } else if fact.ended().is_some() {
            self.owed = Some(Owed { gone: None, by: now + self.slack });
        } else if let Some(left) = fact.kept_on() {
            self.owed = self.owed.map(|owed| Owed { by: owed.by + left, ..owed });
        } else if let Some((client, Asked::Queued)) = fact.asked()
            // A holder that waits for the lock itself was never told, and is none.
            && seen.before.service.holder().is_some_and(|held| held.client == client)
        {
            self.owed = Some(self.gone(client, now));
        } else if let Some((Grant { client, .. }, _)) = fact.made() {
            self.missed_its_grant[client.index()] = false;
            // A dead waiter can be granted; it is gone from the start.
            self.owed = self.gone_for_good[client.index()].then(|| self.gone(client, now));
        } else if let ServiceFact::Refreshed { client, ttl, .. } = fact {
            let by = now + ttl + self.slack;
            let of_it = self.owed.filter(|owed| owed.gone == Some(client));
            self.owed = of_it.map(|owed| Owed { by: owed.by.max(by), ..owed }).or(self.owed);
        } else if let ServiceFact::TookOver { client, ttl: Some(ttl), .. } = fact {
            // A lease that is there again, and perhaps nobody's any more: it has its own time.
            let believes = seen.before.clients[client.index()].belief.is_some();
            let by = now + ttl + self.slack;
            self.owed = (!believes).then_some(Owed { gone: Some(client), by });
        }
    }

    /// A living holder stops believing, gives its release up, gives its request up and was never
    /// told that it holds the lock, or believes anew.
    fn observe_belief(&mut self, seen: &Seen<'_>) {
        let Fact::Client(client, fact) = seen.entry.fact else {
            return;
        };
        let is_at_an_end = |why| {
            why != BeliefEnd::Crashed
                && (why != BeliefEnd::Released || self.no_timeout[client.index()])
        };
        let gives_up = matches!(fact, ClientFact::TimedOut { gives_up: true, .. })
            && matches!(
                seen.before.clients[client.index()].phase,
                Phase::Releasing | Phase::Asking
            );
        if gives_up || fact.stops_believing().is_some_and(is_at_an_end) {
            self.gave_up(client, seen);
        } else if fact.believes().is_some() {
            self.owed.take_if(|owed| owed.gone == Some(client));
        }
    }

    /// A client watches from its first request on, and anew after it was away.
    fn watch(&mut self, seen: &Seen<'_>) {
        let away = match seen.entry.fact {
            Fact::Message(NodeId::Client(client), fact) => {
                if fact.sent().is_some_and(MessageKind::is_a_try) {
                    self.watches_since[client.index()].get_or_insert(seen.entry.at);
                }
                None
            }
            Fact::Client(client, fact) => fact.wakes().map(|_| client),
            Fact::Service(_, fact) => fact.made().map(|(grant, _)| grant.client),
            Fact::Fault(_, fact) => {
                if fact.link().is_some_and(|link| !link.is_cut) {
                    self.watches_since = [None; MAX_CLIENTS];
                }
                fact.crashed()
            }
            Fact::Message(..) | Fact::Store(..) => None,
        };
        if let Some(client) = away {
            self.watches_since[client.index()] = None;
        }
    }

    fn set_cut(&mut self, one: NodeId, other: NodeId, cut: bool) {
        if let (NodeId::Client(client), NodeId::Lock(node))
        | (NodeId::Lock(node), NodeId::Client(client)) = (one, other)
        {
            let (links, bit) = (&mut self.cut[client.index()], 1 << node.0);
            *links = if cut { *links | bit } else { *links & !bit };
        }
    }

    fn is_gone(&mut self, client: ClientId, seen: &Seen<'_>) {
        if seen.before.service.holder().is_none_or(|held| held.client != client) {
            return;
        }
        self.owed = Some(self.gone(client, seen.entry.at));
        let dies_alone =
            matches!(seen.entry.fact, Fact::Fault(_, fact) if fact.crashed().is_none());
        let renews_on = self.renews_on[client.index()];
        if let Some(owed) = self.owed.as_mut().filter(|_| dies_alone) {
            owed.by = owed.by + renews_on;
        }
    }

    /// A living holder believes no more and does nothing more about a lock that has no end.
    fn gave_up(&mut self, client: ClientId, seen: &Seen<'_>) {
        let mut holders = seen.before.service.holders.iter();
        let has_no_end = holders.any(|held| held.client == client && held.until.is_none());
        if has_no_end && self.one_piece[client.index()] {
            self.owed = Some(self.gone(client, seen.entry.at));
        }
    }

    fn gone(&self, client: ClientId, now: SimTime) -> Owed {
        let last_word = self.last_word[client.index()].max(now);
        let allowed = self.ttls[client.index()].map_or(SimDuration::ZERO, |ttl| ttl + self.slack);
        Owed { gone: Some(client), by: last_word + allowed }
    }

    /// Nothing happens at the instant at which somebody should have been granted and was not, so
    /// the time is looked at whenever something else happens, and at the end.
    fn look_at_the_time(&mut self, world: &World, now: SimTime) {
        if self.breaks.is_broken() || self.is_closed {
            return;
        }
        let overdue = [self.not_granted(world, now), self.not_answered(world, now)];
        if let Some((due, why)) = overdue.into_iter().flatten().min_by_key(|(due, _)| *due) {
            self.breaks.by_nothing(due, why);
        }
    }

    /// When somebody who waits should have been granted, if that is past; and the accident for
    /// which it was not.
    fn not_granted(&self, world: &World, now: SimTime) -> Option<(SimTime, Option<EntrySeq>)> {
        let owed = self.owed.filter(|owed| owed.by < now)?;
        // Who asks later is granted or queued at once if the lock is free; so only waiting counts,
        // and from when the lock was free a client has its own time to be served.
        let served = owed.gone.is_none() || self.watch.is_some();
        let own = if served { self.slack } else { SimDuration::ZERO };
        let (client, asked) = self.waits_since(world)?;
        let due = Some(owed.by.max(asked + own)).filter(|due| *due < now)?;
        // A dead holder keeps everybody out, whatever else was lost.
        let is_free = owed.gone.is_none();
        Some((due, self.stranded.accident(client, world).filter(|_| is_free)))
    }

    /// The same of who waits for an answer that never comes, though the lock is free.
    fn not_answered(&mut self, world: &World, now: SimTime) -> Option<(SimTime, Option<EntrySeq>)> {
        let is_served = world.service.nodes.iter().all(|node| node.stopped_until.is_none());
        let is_free = world.service.holders.is_empty() && is_served;
        let mut overdue: Option<(SimTime, Option<EntrySeq>)> = None;
        for index in 0..world.clients.len() {
            let accident = self.stranded.is_forgotten(index, world);
            let accident = accident.filter(|_| is_free && self.is_able(index, world));
            let since = &mut self.forgotten_since[index];
            if accident.is_none() {
                *since = None;
                continue;
            }
            // What is so now is so since the last entry, if it was not so before.
            let due = *since.get_or_insert(world.at) + self.slack;
            if due < now && overdue.is_none_or(|(first, _)| due < first) {
                overdue = Some((due, accident));
            }
        }
        overdue
    }

    /// Whether this client is awake and connected: with a session its renewer is, too.
    fn is_able(&self, index: usize, world: &World) -> bool {
        let client = &world.clients[index];
        let asleep = client.pause_of(PauseScope::Worker).is_some()
            || self.has_session[index] && client.pause_of(PauseScope::Renewer).is_some();
        client.crashed.is_none() && !asleep && self.cut[index].count_ones() <= self.most_cut
    }

    /// The first client that waits, is awake and connected and was not granted, and since when.
    fn waits_since(&self, world: &World) -> Option<(ClientId, SimTime)> {
        let waits = |index: usize| {
            let client = world.clients.get(index)?;
            let granted = client.lease.is_some_and(|lease| {
                let missed = self.missed_its_grant[index] && lease.ended.is_some();
                lease.runs_from >= client.phase_since && !missed
            });
            let waits = client.phase == Phase::Waiting && self.is_able(index, world) && !granted;
            if let Some(watch) = self.watch {
                return self.watches_since[index].filter(|_| waits).map(|since| since + watch);
            }
            waits.then(|| {
                let woke = client.woke_at.unwrap_or_default();
                let renewer_woke = self.renewer_woke[index];
                let renewer_woke = if self.has_session[index] { renewer_woke } else { woke };
                client.phase_since.max(woke).max(renewer_woke)
            })
        };
        let clients = (0_u8..).map(ClientId).take(world.clients.len());
        let waiting = clients.filter_map(|client| Some((client, waits(client.index())?)));
        waiting.min_by_key(|(_, since)| *since)
    }

    pub(super) fn state(mut self, end: &End<'_>) -> PropertyState {
        // At the end itself a deadline that falls on it has passed, too.
        self.look_at_the_time(end.world, end.at + SimDuration::from_micros(1));
        let waiting_still = self.owed.is_some() && self.waits_since(end.world).is_some()
            || self.forgotten_since.iter().any(Option::is_some);
        self.breaks.state(holds_if(!waiting_still))
    }
}
