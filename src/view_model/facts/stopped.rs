//! Why, where it is about a client that stops: a belief that ends, a pause, a crash, and going on.

use crate::sim::fact::BeliefEnd;
use crate::sim::id::{ClientId, GrantNo};
use crate::sim::log::LogEntry;
use crate::sim::scenario::PauseScope;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{capital, duration, time};

use super::Teller;

impl Teller<'_> {
    pub(super) fn belief_ended(
        &self,
        entry: &LogEntry,
        client: ClientId,
        grant: GrantNo,
        why: BeliefEnd,
    ) -> String {
        let ended = self.recording.grant(grant).and_then(|record| record.ended);
        let falsely = ended.filter(|(at, ..)| *at < entry.at).map(|(at, ..)| {
            format!(
                " It believed without a lease for {}, from {}.",
                duration(entry.at.since(at)),
                time(at)
            )
        });
        let how = how_it_learnt(self.words, client, why);
        format!("{}.{}", capital(&how), falsely.unwrap_or_default())
    }

    pub(super) fn paused(&self, entry: &LogEntry, client: ClientId, scope: PauseScope) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let lease = world.clients[client.index()].lease;
        let runs_on = lease.filter(|lease| lease.ended.is_none()).map(|lease| {
            lease.until.map_or(String::new(), |until| {
                format!(" As it stands, its lease runs until {}.", time(until))
            })
        });
        let runs_on = runs_on.unwrap_or_default();
        match scope {
            PauseScope::Client => format!(
                "{client} stands still and does not notice: it sends nothing and handles \
                nothing.{runs_on}",
                client = self.words.short(client)
            ),
            PauseScope::Worker => {
                format!(
                    "{client}'s worker stands still; its renewer goes on renewing.{runs_on}",
                    client = self.words.short(client)
                )
            }
            PauseScope::Renewer => {
                format!(
                    "{client}'s renewer stands still; its worker goes on.{runs_on}",
                    client = self.words.short(client)
                )
            }
        }
    }

    pub(super) fn resumed(&self, entry: &LogEntry, client: ClientId, scope: PauseScope) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let state = &world.clients[client.index()];
        let stood = state.paused[scope as usize]
            .map(|pause| format!("It stood still for {}. ", duration(entry.at.since(pause.since))));
        let stood = stood.unwrap_or_default();
        let ended = state.lease.and_then(|lease| lease.ended);
        match (state.belief, ended) {
            (Some(belief), Some((at, ..))) => format!(
                "{stood}{client} goes on as if nothing had happened, and believes that it holds \
                {}. Its lease ended at {}.",
                belief.token,
                time(at),
                client = self.words.short(client)
            ),
            _ => format!(
                "{stood}{client} goes on as if nothing had happened.",
                client = self.words.short(client)
            ),
        }
    }

    pub(super) fn crashed(&self, entry: &LogEntry, client: ClientId) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let holder = world.service.holder().filter(|h| h.client == client);
        match holder.map(|holder| holder.until) {
            None => format!("{client} loses all it knew.", client = self.words.short(client)),
            Some(None) => format!(
                "{client} loses all it knew. It holds the lock, and a lock without a time to \
                live is never taken from a dead holder.",
                client = self.words.short(client)
            ),
            Some(Some(until)) => format!(
                "{client} loses all it knew. The service does not notice: as it stands, its lease \
                 runs until {}.",
                time(until),
                client = self.words.short(client)
            ),
        }
    }
}

/// How a client ceased to believe, as a clause.
pub(super) fn how_it_learnt(words: &Words, client: ClientId, why: BeliefEnd) -> String {
    match why {
        BeliefEnd::RenewalRefused => {
            format!(
                "its renewal came back refused: only then did {client} know",
                client = words.short(client)
            )
        }
        BeliefEnd::CheckFailed => {
            format!(
                "{client} asked, and was told that the lease is gone",
                client = words.short(client)
            )
        }
        BeliefEnd::Fenced(_) => {
            format!(
                "a storage refused what it had sent, and {client} takes the lock for lost",
                client = words.short(client)
            )
        }
        BeliefEnd::DeadlinePassed => {
            format!(
                "{client}'s own deadline passed: it stops without having been told",
                client = words.short(client)
            )
        }
        BeliefEnd::Released => "it gives the lock back of its own accord".to_owned(),
        BeliefEnd::Disconnected => {
            format!(
                "{client}'s connection is lost: whether its session lives it cannot know",
                client = words.short(client)
            )
        }
        BeliefEnd::Crashed => "a crash forgets everything".to_owned(),
    }
}
