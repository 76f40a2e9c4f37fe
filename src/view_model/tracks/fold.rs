//! Folds a run's log and report into the tracks of its lanes: one pass over the log, one over the
//! writes. What is so at an entry says `World`, as the state cards do: a lane is what its card says
//! from entry to entry. What a write was, and when a grant ended, the report says.

use std::collections::BTreeSet;

use crate::sim::fact::{Act, Fact, FaultFact, Paused, Refusal, Said, Seal, StoreFact, Written};
use crate::sim::history::{DamageForm, UnitNo};
use crate::sim::id::{ClientId, EntrySeq, FaultId, FencingToken, GrantNo, LockNodeId, StoreId};
use crate::sim::lock::TokenWorth;
use crate::sim::log::LogEntry;
use crate::sim::property::WriteStatus;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;
use crate::sim::world::{Belief, Holder, LeaseState, LockNodeState, Phase, World};

use super::flight::{Counted, Flights};
use super::incident::{self, Acted};
use super::nodes;
use super::{
    BeliefSpan, ClientTracks, DeadSpan, LeaseSpan, Mark, MarkKind, PauseSpan, Raise, RunTracks,
    StoreTracks, Stretch, Tooth, ValueSpan,
};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::facts::harm::{self, Harm};

impl RunTracks {
    /// Folds a run.
    pub fn of(run: &Recording) -> Self {
        fold(run)
    }
}

fn fold(run: &Recording) -> RunTracks {
    let storage = run.scenario().storage();
    let ordered = run.scenario().rules().worth == TokenWorth::Ordered;
    let store = StoreTracks { fenced: storage.fencing, ordered, ..StoreTracks::default() };
    let n_clients = run.scenario().clients().len();
    let world = World::new(run.scenario());
    let mut fold = Fold {
        run,
        named: None,
        nodes: world.service.nodes.clone(),
        world,
        messages: Counted::default(),
        open: vec![Open::default(); n_clients],
        acted: Acted::default(),
        answers: run.history().answers(),
        tracks: RunTracks {
            service: Vec::new(),
            service_incidents: Vec::new(),
            nodes: nodes::lanes(run),
            clients: vec![ClientTracks::default(); n_clients],
            stores: vec![store; usize::from(storage.stores)],
            flights: Flights::default(),
            ends_at: run.ends_at(),
        },
    };
    run.entries().iter().for_each(|entry| fold.entry(entry));
    fold.close();
    nodes::count(&mut fold.tracks);
    fold.writes();
    fold.torn();
    // Last: lists of a known size fit into what the lists that grew have left of memory.
    let stores = &fold.tracks.stores;
    let decided = |client: ClientId, store: StoreId, at: SimTime| {
        let store = stores.get(usize::from(store.0));
        store.is_some_and(|store| store.decided(client, at).is_some())
    };
    fold.tracks.flights = fold.messages.flights(run, &decided);
    for (client, tracks) in (0..).map(ClientId).zip(&mut fold.tracks.clients) {
        tracks.polls = fold.tracks.flights.polls(client);
        tracks.lost = fold.tracks.flights.lost(client);
    }
    fold.tracks
}

struct Fold<'a> {
    run: &'a Recording,
    world: World,
    /// The grant whose bar is open in the service's lane.
    named: Option<Holder>,
    /// What is drawn of the service's nodes, where each has a lane.
    nodes: Vec<LockNodeState>,
    messages: Counted,
    /// What is open in each client's lane.
    open: Vec<Open>,
    /// The pieces of work for which the outside has acted.
    acted: Acted,
    /// The answers of stores, each with its unit of work.
    answers: Vec<(EntrySeq, UnitNo)>,
    tracks: RunTracks,
}

/// What goes on in a client's lane.
#[derive(Clone, Default)]
struct Open {
    belief: Option<Belief>,
    /// The grant in which it has believed: of others it was never told.
    told: Option<GrantNo>,
    /// The time that is left, and since when it is drawn.
    lease: Option<(SimTime, LeaseState)>,
    /// Since when it asks or waits, and whether it was told to wait.
    asks: Option<(SimTime, bool)>,
}

impl Fold<'_> {
    fn entry(&mut self, entry: &LogEntry) {
        let at = entry.at;
        incident::note(entry, &mut self.tracks);
        let changed = self.world.apply(entry);
        if let Some(node) = changed.service {
            self.service(at);
            self.node(node, at);
        }
        if let Some(client) = changed.client {
            self.client(client, at);
        }
        if let Some(store) = changed.store {
            self.store(store, at);
        }
        match entry.fact {
            Fact::Fault(id, fact) => self.struck(id, at, fact),
            Fact::Store(store, fact) => self.answered(store, entry, fact),
            Fact::Message(..) => self.messages.note(&entry.fact),
            Fact::Service(..) | Fact::Client(..) => {}
        }
    }

    /// What one of several nodes of the service is at.
    fn node(&mut self, node: LockNodeId, at: SimTime) {
        let index = usize::from(node.0);
        let (Some(now), Some(drawn), Some(tracks)) = (
            self.world.service.nodes.get(index),
            self.nodes.get_mut(index),
            self.tracks.nodes.get_mut(index),
        ) else {
            return;
        };
        tracks.follow(drawn, now, at);
        *drawn = *now;
    }

    /// The bar of the grant that the service names.
    fn service(&mut self, at: SimTime) {
        let named = self.world.service.holder();
        let of = |h: Holder| (h.grant, h.client, h.token, h.over.is_some());
        let is_same = |a: Holder, b: Holder| of(a) == of(b);
        match (self.named, named) {
            (None, None) => return,
            (Some(before), Some(now)) if is_same(before, now) => return,
            _ => {}
        }
        if let (Some(before), Some(bar)) = (self.named, self.tracks.service.last_mut()) {
            let lease = self.world.clients[before.client.index()].lease;
            let lease = lease.filter(|lease| lease.grant == before.grant);
            let is_over = self.world.service.holders.iter().all(|h| h.grant != before.grant);
            let ended = lease.and_then(|lease| lease.ended).filter(|_| is_over);
            (bar.to, bar.ended) = (at, ended.map(|(_, how, _)| how));
        }
        self.named = named;
        let Some(Holder { grant, client, token, over, .. }) = named else {
            return;
        };
        self.tracks.service.push(LeaseSpan {
            from: at,
            to: self.tracks.ends_at,
            client,
            token,
            color: TokenColor::of(grant),
            ended: None,
            over: over.is_some(),
            delivery: self.run.scenario().rules().item.map(|_| grant.0),
            keys: None,
        });
        if let Some(tracks) = self.tracks.clients.get_mut(client.index())
            && tracks.tokens.len() < 2
            && tracks.tokens.last().is_none_or(|(_, last)| *last != token)
        {
            tracks.tokens.push((at, token));
        }
    }

    fn client(&mut self, client: ClientId, at: SimTime) {
        let (Some(state), Some(open), Some(tracks)) = (
            self.world.clients.get(client.index()),
            self.open.get_mut(client.index()),
            self.tracks.clients.get_mut(client.index()),
        ) else {
            return;
        };
        if state.crashed.is_none()
            && let Some(death) = tracks.deaths.last_mut().filter(|death| !death.restarted)
        {
            (death.to, death.restarted) = (at, true);
        }
        if open.belief != state.belief {
            end_belief(tracks, at);
            if let Some(belief) = state.belief {
                let ended = self.run.grant(belief.grant).and_then(|record| record.ended);
                tracks.beliefs.push(BeliefSpan {
                    from: at,
                    to: self.tracks.ends_at,
                    color: TokenColor::of(belief.grant),
                    false_from: ended.map(|(ended, _, _)| ended),
                    ended: false,
                });
                open.told = Some(belief.grant);
            }
            open.belief = state.belief;
        }
        let lasts = state.lease.filter(|lease| lease.ended.is_none());
        let lasts = lasts.filter(|lease| open.told == Some(lease.grant));
        if open.lease.map(|(_, lease)| lease) != lasts {
            end_tooth(tracks, open.lease, at);
            open.lease = lasts.map(|lease| (at, lease));
        }
        let asks = matches!(state.phase, Phase::Asking | Phase::Waiting);
        match &mut open.asks {
            Some((_, waits)) if asks => *waits |= state.phase == Phase::Waiting,
            Some(_) => end_wait(tracks, open.asks.take(), at),
            None if asks => open.asks = Some((at, state.phase == Phase::Waiting)),
            None => {}
        }
    }

    /// A pause or a crash, which is drawn as the fault that it is.
    fn struck(&mut self, fault: FaultId, at: SimTime, fact: FaultFact) {
        if let Some(Paused { client, scope, kind, until }) = fact.paused()
            && let Some(tracks) = self.tracks.clients.get_mut(client.index())
        {
            let pause = PauseSpan { fault, from: at, to: until, scope, kind, open: false };
            tracks.pauses.push(pause);
        }
        if let Some(client) = fact.crashed()
            && let Some(tracks) = self.tracks.clients.get_mut(client.index())
        {
            let to = self.tracks.ends_at;
            tracks.deaths.push(DeadSpan { fault, from: at, to, restarted: false });
            for pause in &mut tracks.pauses {
                pause.to = pause.to.min(at.max(pause.from));
            }
        }
    }

    fn store(&mut self, store: StoreId, at: SimTime) {
        let index = usize::from(store.0);
        let (Some(state), Some(tracks)) =
            (self.world.stores.get(index), self.tracks.stores.get_mut(index))
        else {
            return;
        };
        let highest = state.highest.map(|(token, _)| token);
        if tracks.highest.last().and_then(|last| last.token) != highest {
            tracks.highest.push(Raise { at, token: highest, level: 0 });
        }
        let entry = state.value.filter(|value| value.entry.0 + 1 == self.world.n_entries);
        if let Some(value) = entry {
            if let Some(last) = tracks.values.last_mut() {
                last.to = at;
            }
            tracks.values.push(ValueSpan {
                from: at,
                to: self.tracks.ends_at,
                client: value.write.client,
                color: TokenColor::of(value.grant),
                kept: None,
                torn: false,
            });
        }
    }

    /// The unit of work that a store's answer belongs to.
    fn unit_at(&self, entry: EntrySeq) -> Option<UnitNo> {
        let place = self.answers.binary_search_by_key(&entry, |(at, _)| *at).ok()?;
        self.answers.get(place).map(|(_, unit)| *unit)
    }

    /// What a store answered, but for writes, which the report judges.
    fn answered(&mut self, store: StoreId, entry: &LogEntry, fact: StoreFact) {
        let (at, unit) = (entry.at, self.unit_at(entry.seq));
        let Some(tracks) = self.tracks.stores.get_mut(usize::from(store.0)) else {
            return;
        };
        if let Some((Written { write, grant, token }, Said::Known)) = fact.written() {
            mark(tracks, MarkKind::Ignored, at, unit, (write.client, grant, token), None);
        } else if let Some(Act { write, grant, again }) = fact.act() {
            let kind = self.acted.kind(write, again);
            let token = self.run.grant(grant).map(|record| record.token);
            let token = token.unwrap_or(FencingToken(0));
            mark(tracks, kind, at, unit, (write.client, grant, token), None);
        } else if let Some(Seal { client, grant, token, below }) = fact.seal() {
            let ended = self.run.grant(grant).and_then(|record| record.ended);
            let rightful = ended.is_none_or(|(ended, _, _)| at < ended);
            let kind = match (below, rightful) {
                (None, _) => MarkKind::Sealed,
                (Some(_), true) => MarkKind::RefusedRightful,
                (Some(_), false) => MarkKind::Refused,
            };
            mark(tracks, kind, at, None, (client, grant, token), below);
        }
    }

    /// The answers to writes, with what the report says of each.
    fn writes(&mut self) {
        for judged in self.run.writes() {
            let Some(entry) = self.run.log().get(judged.entry) else {
                continue;
            };
            let Fact::Store(store, fact) = entry.fact else {
                continue;
            };
            let (written, highest) = match fact.written() {
                Some((written, Said::Applied { .. })) => (written, None),
                Some((written, Said::Refused { why, highest })) => {
                    (written, (why == Refusal::Token).then_some(highest))
                }
                Some((_, Said::Known)) | None => continue,
            };
            let kind = match (judged.accepted, harm::of_write(judged), judged.status) {
                (true, Harm::None, _) => MarkKind::Accepted,
                (true, Harm::Late, _) => MarkKind::Late,
                (true, Harm::Damage, _) => MarkKind::Damage,
                (false, _, WriteStatus::Rightful) if !judged.seen_before => {
                    MarkKind::RefusedRightful
                }
                (false, _, _) => MarkKind::Refused,
            };
            let unit = self.unit_at(judged.entry);
            let Some(tracks) = self.tracks.stores.get_mut(usize::from(store.0)) else {
                continue;
            };
            if !judged.accepted {
                let index = tracks.values.partition_point(|value| value.from <= entry.at);
                let value = index.checked_sub(1).and_then(|i| tracks.values.get_mut(i));
                if let Some(value) = value {
                    value.kept = value.kept.or(Some(entry.at));
                }
            }
            let presented = (written.write.client, written.grant, written.token);
            mark(tracks, kind, entry.at, unit, presented, highest);
            if judged.lost_update
                && let Some(last) = tracks.marks.entry(kind).or_default().last_mut()
            {
                last.lost_update = true;
            }
        }
    }

    /// The values that were replaced by who had not read them: what the history calls damage.
    fn torn(&mut self) {
        for damage in &self.run.history().damages().all {
            let replaces = match damage.form {
                DamageForm::NoOrder(_) | DamageForm::OlderOverNewer | DamageForm::OwnOlderStep => {
                    true
                }
                DamageForm::HalfRead
                | DamageForm::HalfStands
                | DamageForm::ActedTwice
                | DamageForm::UpdatedTwice
                | DamageForm::ActedOutOfOrder => false,
            };
            let store = damage.store.filter(|_| replaces);
            let written = self.run.write(damage.at.entry).is_some_and(|write| write.accepted);
            let tracks = store.and_then(|store| self.tracks.stores.get_mut(usize::from(store.0)));
            if let Some(tracks) = tracks.filter(|_| written) {
                let n_before = tracks.values.partition_point(|value| value.from < damage.at.at);
                let value = n_before.checked_sub(1).and_then(|last| tracks.values.get_mut(last));
                if let Some(value) = value.filter(|value| value.to == damage.at.at) {
                    value.torn = true;
                }
            }
        }
    }

    /// Ends what is open when the run is over.
    fn close(&mut self) {
        let ends_at = self.tracks.ends_at;
        for (open, tracks) in self.open.iter_mut().zip(&mut self.tracks.clients) {
            end_tooth(tracks, open.lease.take(), ends_at);
            end_wait(tracks, open.asks.take(), ends_at);
        }
        nodes::close(&mut self.tracks.nodes, self.run);
        self.tracks.stores.iter_mut().for_each(levels);
    }
}

fn end_belief(tracks: &mut ClientTracks, at: SimTime) {
    let Some(belief) = tracks.beliefs.last_mut().filter(|belief| !belief.ended) else {
        return;
    };
    (belief.to, belief.ended) = (at, true);
    belief.false_from =
        belief.false_from.filter(|&ended| ended < at).map(|ended| ended.max(belief.from));
}

fn end_tooth(tracks: &mut ClientTracks, open: Option<(SimTime, LeaseState)>, to: SimTime) {
    if let Some((from, lease)) = open.filter(|(from, _)| *from < to) {
        let color = TokenColor::of(lease.grant);
        tracks.teeth.push(Tooth { from, to, color, until: lease.until });
    }
}

/// Whoever asks and is granted at once has not waited.
fn end_wait(tracks: &mut ClientTracks, open: Option<(SimTime, bool)>, to: SimTime) {
    if let Some((from, _)) = open.filter(|(from, waits)| *waits && *from < to) {
        tracks.waits.push(Stretch { from, to });
    }
}

/// How high each step of the highest token stands: its place among all that the store has seen.
fn levels(tracks: &mut StoreTracks) {
    let seen: BTreeSet<_> = tracks.highest.iter().filter_map(|raise| raise.token).collect();
    let seen: Vec<_> = seen.into_iter().collect();
    for raise in &mut tracks.highest {
        let place = raise.token.map_or(0, |token| 1 + seen.partition_point(|other| *other < token));
        raise.level = u32::try_from(place).unwrap_or(u32::MAX);
    }
}

fn mark(
    tracks: &mut StoreTracks,
    kind: MarkKind,
    at: SimTime,
    unit: Option<UnitNo>,
    (client, grant, token): (ClientId, GrantNo, FencingToken),
    highest: Option<FencingToken>,
) {
    tracks.marks.entry(kind).or_default().push(Mark {
        at,
        color: TokenColor::of(grant),
        client,
        token,
        highest,
        lost_update: false,
        unit,
    });
}
