//! Folds a run's log and report into the tracks of its lanes: one pass over the log, one over the
//! writes. It decides nothing: what a write was, and when a grant ended, the report says.

use std::collections::BTreeMap;

use crate::sim::event::{Event, NodeEvent, Refusal};
use crate::sim::id::{ClientId, FencingToken, GrantNo, NodeId, StoreId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::property::WriteStatus;
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};

use super::incident::{self, Acted};
use super::nodes;
use super::{
    BeliefSpan, ClientTracks, DeadSpan, LeaseSpan, Mark, MarkKind, PauseSpan, Raise, RunTracks,
    StoreTracks, Stretch, Tooth, ValueSpan,
};
use crate::view_model::flight::Flights;
use crate::view_model::harm::{self, Harm};
use crate::view_model::palette::TokenColor;

/// Folds a run.
pub(super) fn fold(run: &Recording) -> RunTracks {
    let storage = run.scenario().storage();
    let store = StoreTracks { fenced: storage.fencing, ..StoreTracks::default() };
    let mut fold = Fold {
        run,
        open: BTreeMap::new(),
        asked: BTreeMap::new(),
        acted: Acted::default(),
        tracks: RunTracks {
            service: Vec::new(),
            service_incidents: Vec::new(),
            nodes: nodes::fold(run),
            clients: vec![ClientTracks::default(); run.scenario().clients().len()],
            stores: vec![store; usize::from(storage.stores)],
            flights: Flights::of(run),
            ends_at: run.ends_at(),
        },
    };
    run.entries().iter().for_each(|entry| fold.entry(entry));
    fold.close();
    nodes::count(&mut fold.tracks);
    fold.writes();
    fold.tracks
}

/// A grant that the service names.
struct OpenLease {
    client: ClientId,
    runs_from: SimTime,
    until: Option<SimTime>,
    handled: bool,
    /// Its place in the service's lane.
    index: usize,
}

struct Fold<'a> {
    run: &'a Recording,
    open: BTreeMap<GrantNo, OpenLease>,
    /// Who asked and was not granted yet: since when, and whether it was queued.
    asked: BTreeMap<ClientId, (SimTime, bool)>,
    /// The pieces of work for which the outside has acted.
    acted: Acted,
    tracks: RunTracks,
}

impl Fold<'_> {
    fn entry(&mut self, entry: &LogEntry) {
        let at = entry.at;
        incident::note(entry, &mut self.tracks);
        match entry.node {
            NodeId::Client(client) => self.at_client(client, at, &entry.event),
            NodeId::Lock(_) => self.at_service(at, &entry.event),
            NodeId::Store(store) => self.at_store(store, at, &entry.event),
        }
    }

    fn at_service(&mut self, at: SimTime, event: &Event) {
        match *event {
            Event::Granted { grant, client, token, ttl } => {
                self.granted(at, grant, client, token, ttl);
            }
            Event::Renewed { grant, ttl, .. }
            | Event::AtNode(
                NodeEvent::Refreshed { grant, ttl, .. } | NodeEvent::Lasts { grant, ttl, .. },
            ) => {
                self.tooth(grant, at);
                if let Some(lease) = self.open.get_mut(&grant) {
                    (lease.runs_from, lease.until) = (at, Some(at + ttl));
                }
            }
            Event::LeaseEnded { grant, how, .. } => {
                self.tooth(grant, at);
                if let Some(lease) = self.open.remove(&grant) {
                    let span = &mut self.tracks.service[lease.index];
                    (span.to, span.ended) = (at, Some(how));
                }
            }
            // Whoever asks again later waits as well as whoever stands in the queue.
            Event::Queued { client, .. } | Event::Refused { client } => {
                if let Some(asked) = self.asked.get_mut(&client) {
                    asked.1 = true;
                }
            }
            Event::AtNode(NodeEvent::TookOver { grant, client, token, ttl }) => {
                // What it names had ended for the node before, if it was not told of that end.
                match self.open.get_mut(&grant) {
                    Some(lease) => lease.until = ttl.map(|ttl| at + ttl),
                    None => self.granted(at, grant, client, token, ttl),
                }
            }
            Event::AtNode(
                NodeEvent::Copied { .. }
                | NodeEvent::TookOverFree
                | NodeEvent::MadeAnew
                | NodeEvent::Election { .. }
                | NodeEvent::Unserved { .. }
                | NodeEvent::Jeopardy { .. }
                | NodeEvent::Safe { .. }
                | NodeEvent::KeySet { .. }
                | NodeEvent::KeyExtended { .. }
                | NodeEvent::KeyGone { .. }
                | NodeEvent::KeepsOut { .. }
                | NodeEvent::Miscounted { .. }
                | NodeEvent::Campaigns { .. }
                | NodeEvent::Elected { .. }
                | NodeEvent::LeadsOn { .. }
                | NodeEvent::Leads { .. }
                | NodeEvent::LeadsNoMore { .. }
                | NodeEvent::Reentered { .. }
                | NodeEvent::ReentryRefused { .. }
                | NodeEvent::Deposed { .. }
                | NodeEvent::EpochLearnt { .. }
                | NodeEvent::EpochUnknown { .. }
                | NodeEvent::EpochRaised { .. }
                | NodeEvent::MarkerWritten { .. }
                | NodeEvent::MarkerRefused { .. }
                | NodeEvent::StoreAsked { .. },
            )
            | Event::Sent { .. }
            | Event::Received { .. }
            | Event::WaiterLeft { .. }
            | Event::GrantTooLate { .. }
            | Event::TimedOut { .. }
            | Event::RenewerGaveUp { .. }
            | Event::WorkerCrashed { .. }
            | Event::LinkCut { .. }
            | Event::LinkRestored { .. }
            | Event::ClockJumped { .. }
            | Event::ServiceStopped { .. }
            | Event::ServiceBack { .. }
            | Event::StoreRestarted { .. }
            | Event::ConnectionLost { .. }
            | Event::DuplicateIgnored { .. }
            | Event::Effect { .. }
            | Event::Lost { .. }
            | Event::GrantedAgain { .. }
            | Event::RenewRefused { .. }
            | Event::ReleaseRefused { .. }
            | Event::Checked { .. }
            | Event::BeliefStarted { .. }
            | Event::BeliefEnded { .. }
            | Event::WorkStarted { .. }
            | Event::WorkAbandoned { .. }
            | Event::WorkerDone { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Crashed { .. }
            | Event::Restarted { .. }
            | Event::ReadServed { .. }
            | Event::SealAccepted { .. }
            | Event::SealRefused { .. }
            | Event::WriteAccepted { .. }
            | Event::WriteRefused { .. } => {}
        }
    }

    fn granted(
        &mut self,
        at: SimTime,
        grant: GrantNo,
        client: ClientId,
        token: FencingToken,
        ttl: Option<SimDuration>,
    ) {
        let index = self.tracks.service.len();
        self.tracks.service.push(LeaseSpan {
            from: at,
            to: self.tracks.ends_at,
            client,
            token,
            color: TokenColor::of(grant),
            ended: None,
            keys: None,
        });
        self.open.insert(
            grant,
            OpenLease {
                client,
                runs_from: at,
                until: ttl.map(|ttl| at + ttl),
                handled: false,
                index,
            },
        );
        if let Some(tracks) = self.tracks.clients.get_mut(client.index())
            && tracks.tokens.len() < 2
        {
            tracks.tokens.push((at, token));
        }
    }

    /// Ends the tooth of a lease, if its client knows of the lease.
    fn tooth(&mut self, grant: GrantNo, to: SimTime) {
        let Some(lease) = self.open.get(&grant).filter(|lease| lease.handled) else {
            return;
        };
        let tooth =
            Tooth { from: lease.runs_from, to, color: TokenColor::of(grant), until: lease.until };
        if let Some(client) = self.tracks.clients.get_mut(lease.client.index())
            && tooth.from < tooth.to
        {
            client.teeth.push(tooth);
        }
    }

    fn at_client(&mut self, client: ClientId, at: SimTime, event: &Event) {
        let ends_at = self.tracks.ends_at;
        let Some(tracks) = self.tracks.clients.get_mut(client.index()) else {
            return;
        };
        match *event {
            Event::Sent { kind: MessageKind::Acquire | MessageKind::Look, .. } => {
                self.asked.entry(client).or_insert((at, false));
            }
            Event::BeliefStarted { grant, .. } => {
                end_belief(tracks, at);
                let lease_ended = self.run.grant(grant).and_then(|record| record.ended);
                tracks.beliefs.push(BeliefSpan {
                    from: at,
                    to: ends_at,
                    color: TokenColor::of(grant),
                    false_from: lease_ended.map(|(ended, _, _)| ended),
                    ended: false,
                });
                if let Some(lease) = self.open.get_mut(&grant).filter(|lease| !lease.handled) {
                    lease.handled = true;
                    lease.runs_from = lease.runs_from.max(at);
                }
                self.end_wait(client, at);
            }
            Event::BeliefEnded { .. } => end_belief(tracks, at),
            Event::Paused { fault, scope, kind, until } => tracks.pauses.push(PauseSpan {
                fault,
                from: at,
                to: until,
                scope,
                kind,
                open: false,
            }),
            Event::Crashed { fault } => {
                tracks.deaths.push(DeadSpan { fault, from: at, to: ends_at, restarted: false });
                for pause in &mut tracks.pauses {
                    pause.to = pause.to.min(at.max(pause.from));
                }
                self.end_wait(client, at);
            }
            Event::Restarted { .. } => {
                if let Some(death) = tracks.deaths.last_mut() {
                    (death.to, death.restarted) = (at, true);
                }
            }
            Event::AtNode(_)
            | Event::Sent { .. }
            | Event::Received { .. }
            | Event::GrantTooLate { .. }
            | Event::TimedOut { .. }
            | Event::RenewerGaveUp { .. }
            | Event::WorkerCrashed { .. }
            | Event::LinkCut { .. }
            | Event::LinkRestored { .. }
            | Event::ClockJumped { .. }
            | Event::ServiceStopped { .. }
            | Event::ServiceBack { .. }
            | Event::StoreRestarted { .. }
            | Event::ConnectionLost { .. }
            | Event::Refused { .. }
            | Event::WaiterLeft { .. }
            | Event::DuplicateIgnored { .. }
            | Event::Effect { .. }
            | Event::Lost { .. }
            | Event::Granted { .. }
            | Event::GrantedAgain { .. }
            | Event::Queued { .. }
            | Event::Renewed { .. }
            | Event::RenewRefused { .. }
            | Event::LeaseEnded { .. }
            | Event::ReleaseRefused { .. }
            | Event::Checked { .. }
            | Event::WorkStarted { .. }
            | Event::WorkAbandoned { .. }
            | Event::WorkerDone { .. }
            | Event::Resumed { .. }
            | Event::ReadServed { .. }
            | Event::SealAccepted { .. }
            | Event::SealRefused { .. }
            | Event::WriteAccepted { .. }
            | Event::WriteRefused { .. } => {}
        }
    }

    fn end_wait(&mut self, client: ClientId, at: SimTime) {
        if let Some((since, true)) = self.asked.remove(&client)
            && let Some(tracks) = self.tracks.clients.get_mut(client.index())
        {
            tracks.waits.push(Stretch { from: since, to: at });
        }
    }

    fn at_store(&mut self, store: StoreId, at: SimTime, event: &Event) {
        let ends_at = self.tracks.ends_at;
        let Some(tracks) = self.tracks.stores.get_mut(usize::from(store.0)) else {
            return;
        };
        match *event {
            Event::WriteAccepted { write, grant, token, .. } => {
                raise(tracks, at, token);
                if let Some(value) = tracks.values.last_mut() {
                    value.to = at;
                }
                tracks.values.push(ValueSpan {
                    from: at,
                    to: ends_at,
                    client: write.client,
                    color: TokenColor::of(grant),
                    kept: None,
                });
            }
            Event::DuplicateIgnored { grant, token, .. } => {
                mark(tracks, MarkKind::Ignored, at, grant, token, None);
            }
            Event::Effect { write, grant, again } => {
                let kind = self.acted.kind(write, again);
                let token = self.run.grant(grant).map(|record| record.token);
                let token = token.unwrap_or(FencingToken(0));
                mark(tracks, kind, at, grant, token, None);
            }
            Event::SealAccepted { grant, token, .. } => {
                raise(tracks, at, token);
                mark(tracks, MarkKind::Sealed, at, grant, token, None);
            }
            Event::SealRefused { grant, token, highest, .. } => {
                let ended = self.run.grant(grant).and_then(|record| record.ended);
                let rightful = ended.is_none_or(|(ended, _, _)| at < ended);
                let kind = if rightful { MarkKind::RefusedRightful } else { MarkKind::Refused };
                mark(tracks, kind, at, grant, token, Some(highest));
            }
            // A broker is told an epoch: what is lower is refused from here.
            Event::AtNode(
                NodeEvent::EpochLearnt { token } | NodeEvent::MarkerWritten { token, .. },
            ) => raise(tracks, at, token),
            Event::AtNode(_)
            | Event::Sent { .. }
            | Event::Received { .. }
            | Event::GrantTooLate { .. }
            | Event::TimedOut { .. }
            | Event::RenewerGaveUp { .. }
            | Event::WorkerCrashed { .. }
            | Event::LinkCut { .. }
            | Event::LinkRestored { .. }
            | Event::ClockJumped { .. }
            | Event::ServiceStopped { .. }
            | Event::ServiceBack { .. }
            | Event::StoreRestarted { .. }
            | Event::ConnectionLost { .. }
            | Event::Refused { .. }
            | Event::WaiterLeft { .. }
            | Event::Lost { .. }
            | Event::Granted { .. }
            | Event::GrantedAgain { .. }
            | Event::Queued { .. }
            | Event::Renewed { .. }
            | Event::RenewRefused { .. }
            | Event::LeaseEnded { .. }
            | Event::ReleaseRefused { .. }
            | Event::Checked { .. }
            | Event::BeliefStarted { .. }
            | Event::BeliefEnded { .. }
            | Event::WorkStarted { .. }
            | Event::WorkAbandoned { .. }
            | Event::WorkerDone { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Crashed { .. }
            | Event::Restarted { .. }
            | Event::ReadServed { .. }
            | Event::WriteRefused { .. } => {}
        }
    }

    /// The answers to writes, with what the report says of each.
    fn writes(&mut self) {
        for judged in self.run.writes() {
            let Some(entry) = self.run.log().get(judged.entry) else {
                continue;
            };
            let (grant, token, highest) = match entry.event {
                Event::WriteAccepted { grant, token, .. } => (grant, token, None),
                Event::WriteRefused { grant, token, highest, why, .. } => {
                    (grant, token, (why == Refusal::Token).then_some(highest))
                }
                _ => continue,
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
            let NodeId::Store(store) = entry.node else {
                continue;
            };
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
            mark(tracks, kind, entry.at, grant, token, highest);
            if judged.lost_update
                && let Some(last) = tracks.marks.entry(kind).or_default().last_mut()
            {
                last.lost_update = true;
            }
        }
    }

    /// Ends what is open when the run is over.
    fn close(&mut self) {
        let ends_at = self.tracks.ends_at;
        let grants: Vec<GrantNo> = self.open.keys().copied().collect();
        for grant in grants {
            self.tooth(grant, ends_at);
        }
        let waiting: Vec<ClientId> = self.asked.keys().copied().collect();
        for client in waiting {
            self.end_wait(client, ends_at);
        }
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

fn raise(tracks: &mut StoreTracks, at: SimTime, token: FencingToken) {
    if tracks.highest.last().is_none_or(|last| token > last.token) {
        tracks.highest.push(Raise { at, token });
    }
}

fn mark(
    tracks: &mut StoreTracks,
    kind: MarkKind,
    at: SimTime,
    grant: GrantNo,
    token: FencingToken,
    highest: Option<FencingToken>,
) {
    tracks.marks.entry(kind).or_default().push(Mark {
        at,
        color: TokenColor::of(grant),
        token,
        highest,
        lost_update: false,
    });
}
