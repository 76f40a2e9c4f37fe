//! What a client did: how it is listed, what it was in a few words, and why.

use crate::sim::fact::{Abandoned, BeliefEnd, ClientFact, Fact, RenewalStop};
use crate::sim::id::ClientId;
use crate::sim::log::LogEntry;
use crate::sim::recording::Recording;
use crate::sim::scenario::{OnLoss, PauseScope};
use crate::sim::time::SimTime;
use crate::sim::world::Phase;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{duration, time};

use super::{IncidentKind, Listed, Listing, Mark, MomentKind, Teller};

impl Listed for ClientFact {
    fn listing(&self) -> Listing {
        match self {
            Self::BeliefStarted { .. } => Listing::of(MomentKind::Belief, Mark::Belief, 3),
            Self::BeliefEnded { .. } | Self::GrantTooLate { .. } => {
                Listing::of(MomentKind::Belief, Mark::Belief, 5)
            }
            Self::WorkStarted { .. } => Listing::of(MomentKind::Work, Mark::Work, 2),
            Self::WaitsToBegin { .. } => Listing::of(MomentKind::Work, Mark::Wait, 4),
            Self::WorkAbandoned { .. } | Self::TriesAgain { .. } => {
                Listing::of(MomentKind::Work, Mark::Work, 3)
            }
            Self::WorkerDone { .. } => Listing::unlisted(Mark::Work, 1),
            Self::TimedOut { .. } => Listing::of(MomentKind::Fault, Mark::Wait, 4),
            Self::RenewalStopped { .. } | Self::RenewerGaveUp { .. } => {
                Listing::of(MomentKind::Lease, Mark::Crash, 5)
            }
            Self::Resumed { .. } => Listing::of(MomentKind::Fault, Mark::Wake, 6),
            Self::Jeopardy { .. } => Listing::of(MomentKind::Lease, Mark::LeaseEnd, 5),
            Self::Safe { .. } => Listing::of(MomentKind::Lease, Mark::Renewal, 5),
            Self::Miscounted { .. } => Listing::of(MomentKind::Lease, Mark::Grant, 5),
        }
    }
}

/// What a lane shows of it, and until when.
pub(super) fn incident(at: SimTime, fact: ClientFact) -> Option<(IncidentKind, Option<SimTime>)> {
    if let ClientFact::WaitsToBegin { takes, .. } = fact {
        return Some((IncidentKind::WaitsToBegin, Some(at + takes)));
    }
    if let ClientFact::RenewalStopped { why, .. } = fact {
        return Some((IncidentKind::RenewalStopped(why), None));
    }
    let gave_up = matches!(fact, ClientFact::RenewerGaveUp { .. });
    gave_up.then_some((IncidentKind::RenewerGaveUp, None))
}

impl Teller<'_> {
    /// What happened, in a few words, without a full stop. `node`: who did it.
    pub(super) fn client_did(
        &self,
        node: &str,
        entry: &LogEntry,
        client: ClientId,
        fact: ClientFact,
    ) -> String {
        match fact {
            ClientFact::BeliefStarted { token, .. } => match self.token_word() {
                "value" => format!("{node} believes that it holds the lock"),
                _ => format!("{node} believes that it holds {token}"),
            },
            ClientFact::BeliefEnded { why, .. } => belief_ended(node, why),
            ClientFact::WorkStarted { write, takes, .. } => {
                let takes = duration(takes);
                match (write.work, write.step) {
                    (1, 1) => format!("{node} starts its work, {takes}"),
                    (_, 1) => format!("{node} starts its next work, {takes}"),
                    (_, step) => format!("{node} works towards write {step}, {takes}"),
                }
            }
            ClientFact::WaitsToBegin { takes, .. } => {
                format!("{node} waits {} before it begins its work", duration(takes))
            }
            ClientFact::WorkAbandoned { why, .. } => match why {
                Abandoned::CheckFailed => format!("{node} gives its work up: the check failed"),
                Abandoned::SealRefused => format!("{node} gives its work up: its seal was refused"),
                Abandoned::Fenced => format!("{node} gives its work up: it was refused"),
                Abandoned::NoAnswer => format!("{node} gives its work up: no answer came"),
                Abandoned::LockLost => format!("{node} gives its work up: the lock is lost"),
            },
            ClientFact::WorkerDone { holding: true } => {
                format!("{node} is done and stays on as holder")
            }
            ClientFact::WorkerDone { holding: false } => match self.dies(entry, client) {
                Some(true) => {
                    format!("{node} stops for good: it lost the lock, its work is unfinished")
                }
                Some(false) => format!("{node} stops for good: it lost the lock"),
                None => format!("{node} is done"),
            },
            ClientFact::GrantTooLate { token, .. } => {
                format!("{node} does not take {token}: its deadline has passed")
            }
            ClientFact::TimedOut { attempt, gives_up } => {
                let often =
                    if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                let ends = if gives_up { ", and gives up" } else { "" };
                format!("{node} hears nothing in time{often}{ends}")
            }
            ClientFact::TriesAgain { attempt, .. } => {
                format!("{node} reads again, retry {attempt}")
            }
            ClientFact::RenewalStopped { token, why } => match why {
                RenewalStop::Cap(cap) => {
                    let token = self.write_token(token);
                    format!("{node} renews{token} no more: {} are over", duration(cap))
                }
                RenewalStop::NoProgress(after) => {
                    let token = self.write_token(token);
                    format!("{node} does not renew{token}: no step for {}", duration(after))
                }
                RenewalStop::Leaves(after) => {
                    format!("{node} gives the lock back: no step for {}", duration(after))
                }
            },
            ClientFact::RenewerGaveUp { token } => {
                format!("{node}'s renewer gives up{}", self.told_token(token))
            }
            ClientFact::Resumed { scope } => match scope {
                PauseScope::Client => format!("{node} wakes"),
                PauseScope::Worker => format!("{node}'s worker wakes"),
                PauseScope::Renewer => format!("{node}'s renewer wakes"),
            },
            ClientFact::Jeopardy { .. } => {
                format!(
                    "{client}'s session is in jeopardy: it waits",
                    client = self.words.short(client)
                )
            }
            ClientFact::Safe { .. } => {
                format!("{client}'s session is safe again", client = self.words.short(client))
            }
            ClientFact::Miscounted { .. } => {
                format!("{node} counts a majority that never stood at one time")
            }
        }
    }

    /// Why, in a sentence.
    pub(super) fn why_client(
        &self,
        entry: &LogEntry,
        fact: ClientFact,
        client: ClientId,
    ) -> String {
        match fact {
            ClientFact::BeliefStarted { token, .. } => format!(
                "The grant has reached {client}. From here it acts as the holder, with token \
                {token}.",
                client = self.words.short(client)
            ),
            ClientFact::BeliefEnded { grant, why, .. } => {
                self.belief_ended(entry, client, grant, why)
            }
            ClientFact::WorkStarted { takes, .. } => format!(
                "The work takes {}, before its write. {client} does not ask again meanwhile.",
                duration(takes),
                client = self.words.short(client)
            ),
            ClientFact::WaitsToBegin { takes, renews, .. } => format!(
                "What it is to do waits in a buffer, or is not due before {}. The lease runs from \
                 the grant on{}.",
                time(entry.at + takes),
                if renews { " and is renewed" } else { ", and is not renewed before" }
            ),
            ClientFact::WorkAbandoned { why, .. } => abandoned(self.words, client, why),
            ClientFact::WorkerDone { .. } if self.dies(entry, client).is_some() => {
                format!("{} ends itself once it takes the lock for lost.", self.words.short(client))
            }
            ClientFact::WorkerDone { holding } => worker_done(self.words, client, holding),
            ClientFact::GrantTooLate { .. } => format!(
                "The answer was under way for so long that {client}'s own deadline had passed: \
                it starts no belief.{}",
                self.still_named(entry, client),
                client = self.words.short(client)
            ),
            ClientFact::TimedOut { gives_up, .. } => self.timed_out(client, gives_up),
            ClientFact::TriesAgain { .. } => format!(
                "The value was no longer what {client} had read. A compare-and-set says nothing of \
                who holds the lock: {client} reads again and does its work again.",
                client = self.words.short(client)
            ),
            ClientFact::RenewalStopped { why, .. } => renewal_stopped(self.words, client, why),
            ClientFact::RenewerGaveUp { .. } => format!(
                "A renewal was unanswered when the next one was due. The renewer stops and tells \
                nobody: {client}'s worker goes on, and nobody renews its lease.",
                client = self.words.short(client)
            ),
            ClientFact::Resumed { scope } => self.resumed(entry, client, scope),
            ClientFact::Jeopardy { .. } => format!(
                "By {client}'s own clock its lease is over, and it has not heard from the master. \
                 There may be none, and its session may live: until it hears, it does nothing.",
                client = self.words.short(client)
            ),
            ClientFact::Safe { .. } => "It heard from the master within the grace period: nothing \
                was lost, and it goes on."
                .to_owned(),
            ClientFact::Miscounted { .. } => "Each node said yes, but the first keys were gone \
                before the last was set. The client cannot know: it has only the answers."
                .to_owned(),
        }
    }
}

fn belief_ended(node: &str, why: BeliefEnd) -> String {
    match why {
        BeliefEnd::RenewalRefused => format!("{node} learns that its lease is gone"),
        BeliefEnd::CheckFailed => format!("{node} learns from its check that its lease is gone"),
        BeliefEnd::Fenced(_) => format!("{node} stops believing: a storage refused it"),
        BeliefEnd::Released => format!("{node} no longer believes: it releases"),
        BeliefEnd::DeadlinePassed => format!("{node} stops believing: its own deadline"),
        BeliefEnd::Disconnected => format!("{node} lets go: its connection is lost"),
        BeliefEnd::Crashed => format!("{node} forgets its lease in the crash"),
    }
}

/// Why a living client does not renew.
fn renewal_stopped(words: &Words, client: ClientId, why: RenewalStop) -> String {
    let client = words.short(client);
    match why {
        RenewalStop::Cap(cap) => format!(
            "{client}'s library renews for {} after the grant and then stops. It tells nobody: \
             {client} still believes that it holds the lock.",
            duration(cap)
        ),
        RenewalStop::NoProgress(after) => format!(
            "{client}'s worker began no step of its work for {}, so its renewer waits for the next \
             one. {client} still believes that it holds the lock.",
            duration(after)
        ),
        RenewalStop::Leaves(after) => format!(
            "{client}'s worker began no step of its work for {}: its library gives the lock back \
             behind the worker's back.",
            duration(after)
        ),
    }
}

fn worker_done(words: &Words, client: ClientId, holding: bool) -> String {
    let client = words.short(client);
    match holding {
        true => format!(
            "{client} has nothing left to write and does not give the lock back: it stays on as \
             holder for as long as its lease is renewed."
        ),
        false => {
            format!("{client} has nothing left to do, and holds nothing as far as it knows.")
        }
    }
}

impl Teller<'_> {
    fn dies(&self, entry: &LogEntry, client: ClientId) -> Option<bool> {
        dies(self.recording, entry, client)
    }

    fn still_named(&self, entry: &LogEntry, client: ClientId) -> String {
        let world = self.recording.world_after(entry.seq.0);
        match world.service.holder().is_some_and(|holder| holder.client == client) {
            true => format!(" The service still names {} as the holder.", self.words.short(client)),
            false => String::new(),
        }
    }

    fn timed_out(&self, client: ClientId, gives_up: bool) -> String {
        let settings = &self.recording.scenario().clients()[client.index()].settings;
        let waited = settings.timeout.map_or(String::new(), |timeout| {
            format!("No answer came within {}. ", duration(timeout))
        });
        let next = match gives_up {
            true => "it has no try left",
            false => "it tries again",
        };
        format!(
            "{waited}The request or its answer may be lost or late; {client} cannot tell, and \
            {next}.",
            client = self.words.short(client)
        )
    }
}
/// Why a piece of work was given up.
fn abandoned(words: &Words, client: ClientId, why: Abandoned) -> String {
    match why {
        Abandoned::CheckFailed | Abandoned::SealRefused | Abandoned::Fenced => {
            format!(
                "{client} knows that it must not write under this lease.",
                client = words.short(client)
            )
        }
        Abandoned::NoAnswer => {
            "No answer came, however often it asked. What became of its last request it does \
            not know."
                .to_owned()
        }
        Abandoned::LockLost => {
            format!(
                "{client} has learned that the lock is lost, and stops.",
                client = words.short(client)
            )
        }
    }
}

/// Whether a worker that stops here ends itself because of a lost lock, and whether its work was
/// unfinished then; `None`: it stops for another reason.
pub(super) fn dies(recording: &Recording, entry: &LogEntry, client: ClientId) -> Option<bool> {
    let settings = &recording.scenario().clients().get(client.index())?.settings;
    let lost = entry.cause.and_then(|cause| recording.log().get(cause.seq()));
    let is_lost = lost
        .is_some_and(|lost| matches!(lost.fact, Fact::Client(_, ClientFact::BeliefEnded { .. })));
    let before = recording.world_after(entry.seq.0);
    let phase = before.clients.get(client.index())?.phase;
    let is_unfinished = !matches!(phase, Phase::Done { .. } | Phase::Releasing);
    (settings.on_loss == OnLoss::Dies && is_lost).then_some(is_unfinished)
}
