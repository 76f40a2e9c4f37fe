//! Why a write was accepted or refused, and what it did to the value: the sentences that the whole
//! page is about. Made from the simulation's judgement of the write and the entries that it names.

use crate::sim::fact::{ClientFact, Fact, FaultFact, MessageFact, Refusal, ServiceFact, StoreFact};
use crate::sim::id::{ClientId, EntrySeq, FencingToken, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::Step;
use crate::sim::property::{WriteJudgement, WriteStatus};
use crate::sim::scenario::{FenceRule, Resource};
use crate::sim::time::SimTime;

use super::Teller;
use super::harm;
use crate::view_model::words::wording::{duration, time};

impl Teller<'_> {
    /// A write and what the storage said to it.
    pub(super) fn written(&self, entry: &LogEntry) -> String {
        let Some(judgement) = self.recording.write(entry.seq) else {
            return String::new();
        };
        let first = match entry.fact {
            Fact::Store(_, StoreFact::WriteRefused { .. }) => self.refused(entry, judgement),
            _ => self.accepted(entry, judgement),
        };
        let context = self.could_not_know(entry, judgement);
        let outcome = match judgement.accepted {
            true => self.outcome(judgement).map(|text| format!(" It {text}.")),
            false => None,
        };
        let begun = match (judgement.accepted, judgement.status) {
            (true, WriteStatus::Late) => self.had_begun(judgement),
            _ => String::new(),
        };
        format!("{first}{context}{begun}{}", outcome.unwrap_or_default())
    }

    fn refused(&self, entry: &LogEntry, judgement: &WriteJudgement) -> String {
        let Fact::Store(_, StoreFact::WriteRefused { write, token, highest, why, .. }) = entry.fact
        else {
            return String::new();
        };
        let rule = self.recording.scenario().storage().rule;
        let seen = "the highest this storage has seen";
        let reason = match rule {
            _ if why == Refusal::Version => {
                "it was built on another version than the one that stands here: the value has \
                changed since it was read"
                    .to_owned()
            }
            _ if why == Refusal::Missing => {
                "0 rows changed, because there is no such row. Reading it back tells this from a \
                stale token"
                    .to_owned()
            }
            _ if why == Refusal::Gap => {
                "its number does not follow that of the last write under this epoch: one before it \
                is missing"
                    .to_owned()
            }
            _ if why == Refusal::NotHeld => not_held(token, highest),
            _ if why == Refusal::TooLate => {
                "by this storage's clock the time is over that its sender gave it".to_owned()
            }
            FenceRule::SameTransaction if token == highest => {
                "the transaction's comparison fails, because nobody holds the lock now".to_owned()
            }
            FenceRule::SameTransaction => format!(
                "the transaction's comparison fails, because {highest} holds the lock now, and \
                not {token}"
            ),
            _ if token < highest => format!("token {token} is lower than {highest}, {seen}"),
            FenceRule::RejectLower | FenceRule::RejectLowerOrEqual => {
                format!("token {token} is not higher than {highest}, {seen}")
            }
            FenceRule::MustMatch
            | FenceRule::DataVersion
            | FenceRule::TimeFence
            | FenceRule::AsksService => {
                format!("token {token} is not {highest}, the current one of this storage")
            }
        };
        let client = write.client;
        let is_row = self.recording.scenario().storage().resource == Resource::SqlRow;
        let reason = match why {
            Refusal::Token if is_row => format!("0 rows changed, because {reason}"),
            _ => reason,
        };
        match judgement.status {
            _ if judgement.seen_before && is_row => format!(
                "Refused: {reason}. But the same write was applied before: read back, the row \
                has this very token, so {client}'s write stands.",
                client = self.words.short(client)
            ),
            _ if judgement.seen_before => format!(
                "Refused: {reason}. But the same write was applied before: to {client} it looks \
                as if it were fenced, although its write stands.",
                client = self.words.short(client)
            ),
            WriteStatus::Rightful => format!(
                "Refused: {reason}. {client} holds the lease: the rightful holder is turned \
                 away.{}",
                self.by_its_own_code(entry, judgement).unwrap_or_default(),
                client = self.words.short(client)
            ),
            WriteStatus::Late | WriteStatus::Stale => format!("Refused: {reason}."),
        }
    }

    /// The token that stands higher is the holder's own, drawn when its code took the lock again.
    fn by_its_own_code(&self, entry: &LogEntry, judgement: &WriteJudgement) -> Option<String> {
        let Fact::Store(_, StoreFact::WriteRefused { grant: refused, write, token: old, .. }) =
            entry.fact
        else {
            return None;
        };
        let set = self.entry(judgement.highest_set?)?;
        let Fact::Store(
            _,
            StoreFact::WriteAccepted { grant, token, .. }
            | StoreFact::SealAccepted { grant, token, .. },
        ) = set.fact
        else {
            return None;
        };
        (grant == refused && token != old).then(|| {
            format!(
                " {token} is {}'s own, too: its code drew it when it took the lock again, inside.",
                self.words.short(write.client)
            )
        })
    }

    fn accepted(&self, entry: &LogEntry, judgement: &WriteJudgement) -> String {
        let Fact::Store(_, StoreFact::WriteAccepted { write, token, .. }) = entry.fact else {
            return String::new();
        };
        let storage = self.recording.scenario().storage();
        let before = self.recording.world_after(entry.seq.0);
        let highest = match entry.node() {
            NodeId::Store(store) => before.stores[usize::from(store.0)].highest,
            NodeId::Client(_) | NodeId::Lock(_) => None,
        };
        let highest = highest.map(|(highest, _)| highest);
        let client = write.client;
        if let Some(other) = self.not_by_token(entry) {
            return match judgement.status {
                WriteStatus::Rightful => {
                    format!(
                        "Accepted: {client} holds the lease, and {other}.",
                        client = self.words.short(client)
                    )
                }
                WriteStatus::Late => format!("Accepted late: {other}."),
                WriteStatus::Stale => {
                    format!("Accepted, although stale: {other}.")
                }
            };
        }
        match (judgement.status, highest) {
            (WriteStatus::Rightful, Some(highest)) if storage.fencing => format!(
                "Accepted: {client} holds the lease, and token {token} is not lower than \
                {highest}, the highest this storage had seen.",
                client = self.words.short(client)
            ),
            (WriteStatus::Rightful, _) if storage.fencing => format!(
                "Accepted: {client} holds the lease. {token} is the first token that this \
                storage sees, and from here the highest.",
                client = self.words.short(client)
            ),
            (WriteStatus::Rightful, _) => format!(
                "Accepted: {client} holds the lease. Without a fence its token, {token}, is \
                recorded and not checked.",
                client = self.words.short(client)
            ),
            (WriteStatus::Late, _) => "Accepted late: this storage has seen nothing of a newer \
            holder, so no token is higher."
                .to_owned(),
            (WriteStatus::Stale, Some(highest)) if !storage.fencing => format!(
                "Accepted: without a fence token {token} is not compared with {highest}, the \
                highest this storage has seen."
            ),
            (WriteStatus::Stale, _) => {
                format!("Accepted, although stale: this rule lets token {token} pass.")
            }
        }
    }

    /// What a fenced store looks at instead of the token; `None`: at the token.
    fn not_by_token(&self, entry: &LogEntry) -> Option<&'static str> {
        let storage = self.recording.scenario().storage();
        let NodeId::Store(store) = entry.node() else {
            return None;
        };
        if !storage.fencing {
            return None;
        }
        if !storage.checks(store) {
            return Some("this storage cannot check tokens");
        }
        match storage.rule {
            FenceRule::DataVersion => Some("it was built on the version that stood here"),
            FenceRule::TimeFence => Some("it came within the time that its sender gave it"),
            FenceRule::SameTransaction => Some("its token is that of the lock in this transaction"),
            FenceRule::AsksService => {
                Some("its token was the lock's when the service answered, a message's time ago")
            }
            FenceRule::RejectLower | FenceRule::RejectLowerOrEqual | FenceRule::MustMatch => None,
        }
    }

    /// Why a late write does harm although no newer write was there.
    fn had_begun(&self, judgement: &WriteJudgement) -> String {
        harm::newer_reader(self.recording, judgement).map_or(String::new(), |(reader, at)| {
            format!(
                " But {} had read the value at {}: what it writes will lack this.",
                self.words.short(reader),
                time(at)
            )
        })
    }

    /// What an accepted write did to the value, as a predicate; `None`: it did no harm.
    fn outcome(&self, judgement: &WriteJudgement) -> Option<String> {
        let over = self.entry(judgement.over?)?;
        let Fact::Store(_, StoreFact::WriteAccepted { write: old, .. }) = over.fact else {
            return None;
        };
        if judgement.lost_update {
            return Some(format!(
                "was built on a value that lacked {}'s write: that update is lost",
                self.words.short(old.client)
            ));
        }
        match judgement.status {
            WriteStatus::Stale => {
                Some(format!("overwrote {}'s value", self.words.short(old.client)))
            }
            WriteStatus::Late | WriteStatus::Rightful => None,
        }
    }

    /// The other run's answer, after “Without the fence”.
    pub(in crate::view_model) fn in_the_other_run(&self, entry: &LogEntry) -> String {
        let is_same = "the same write";
        match entry.fact {
            Fact::Store(_, StoreFact::WriteAccepted { .. }) => {
                let judgement = self.recording.write(entry.seq);
                let outcome = judgement.and_then(|judgement| self.outcome(judgement));
                if let Some(outcome) = outcome {
                    return format!("{is_same} {outcome}.");
                }
                let begun = judgement.map(|judgement| match judgement.status {
                    WriteStatus::Rightful => " Its lease had not ended.".to_owned(),
                    WriteStatus::Late | WriteStatus::Stale => self.had_begun(judgement),
                });
                format!("{is_same} was accepted.{}", begun.unwrap_or_default())
            }
            Fact::Store(_, StoreFact::DuplicateIgnored { .. }) => {
                format!("{is_same} was known again, and changed nothing.")
            }
            Fact::Store(_, StoreFact::WriteRefused { why: Refusal::Version, .. }) => {
                format!("{is_same} was refused: it was built on another version.")
            }
            Fact::Store(_, StoreFact::WriteRefused { why: Refusal::Missing, .. }) => {
                format!("{is_same} changed no row: there is none.")
            }
            Fact::Store(_, StoreFact::WriteRefused { why: Refusal::Gap, .. }) => {
                format!("{is_same} was refused: a write before it is missing.")
            }
            Fact::Store(_, StoreFact::WriteRefused { why: Refusal::TooLate, .. }) => {
                format!("{is_same} was refused: its time was over.")
            }
            Fact::Store(_, StoreFact::WriteRefused { why: Refusal::NotHeld, .. }) => {
                format!("{is_same} was refused: the lock was not its sender's any more.")
            }
            Fact::Store(_, StoreFact::WriteRefused { token, highest, .. }) => {
                format!("{is_same} was refused: token {token} against {highest}.")
            }
            Fact::Client(_, ClientFact::BeliefEnded { why, .. }) => match entry.node() {
                NodeId::Client(client) => {
                    format!("{}.", super::stopped::how_it_learnt(self.words, client, why))
                }
                NodeId::Lock(_) | NodeId::Store(_) => String::new(),
            },
            _ => self.why(entry),
        }
    }

    /// Why a late or stale writer wrote at all.
    fn could_not_know(&self, entry: &LogEntry, judgement: &WriteJudgement) -> String {
        let ended = judgement.grant_ended.and_then(|seq| self.entry(seq));
        let Some((ended, Fact::Service(_, ServiceFact::LeaseEnded { client, .. }))) =
            ended.map(|e| (e.at, e.fact))
        else {
            return String::new();
        };
        let over = format!(
            " {client}'s lease ended at {}",
            time(ended),
            client = self.words.short(client)
        );
        if let Some((from, to)) = judgement.pause.and_then(|seq| self.pause_span(seq)) {
            let until = to.map_or(String::new(), |to| format!(" to {}", time(to)));
            return format!(
                "{over}; {client} was paused from {}{until}, so it could not know.",
                time(from),
                client = self.words.short(client)
            );
        }
        match self.sent_at(entry) {
            Some(sent) if sent < ended => format!(
                "{over}; the write was sent at {}, in time, and travelled for {}.",
                time(sent),
                duration(entry.at.since(sent))
            ),
            Some(sent) if self.had_stopped_believing(client, sent) => format!(
                "{over}; {client} no longer believed when it sent this at {}: its work went on \
                all the same.",
                time(sent),
                client = self.words.short(client)
            ),
            Some(sent) => {
                format!(
                    "{over}; nothing had told {client} when it sent this at {}.",
                    time(sent),
                    client = self.words.short(client)
                )
            }
            None => format!("{over}."),
        }
    }

    /// Whether a client believed nothing when it sent a write.
    fn had_stopped_believing(&self, client: ClientId, sent: SimTime) -> bool {
        let world = self.recording.world_at(sent);
        let state = world.clients.get(client.index());
        state.is_some_and(|state| state.belief.is_none())
    }

    /// When the pause that began at `seq` began, and when the client went on.
    fn pause_span(&self, seq: EntrySeq) -> Option<(SimTime, Option<SimTime>)> {
        let begun = self.entry(seq)?;
        let Fact::Fault(_, FaultFact::Paused { client, scope, .. }) = begun.fact else {
            return None;
        };
        let rest = &self.recording.entries()[seq.index()..];
        let goes_on = |entry: &&LogEntry| {
            let goes_on = ClientFact::Resumed { scope };
            matches!(entry.fact, Fact::Client(who, fact) if who == client && fact == goes_on)
        };
        let end = rest.iter().find(goes_on).map(|entry| entry.at);
        Some((begun.at, end))
    }

    /// When the message that `entry` answers was sent: its cause, or its cause's cause.
    fn sent_at(&self, entry: &LogEntry) -> Option<SimTime> {
        let mut here = *entry;
        for _ in 0..4 {
            here = *self.entry(here.cause?.seq())?;
            let is_write = matches!(
                here.fact,
                Fact::Message(_, MessageFact::Sent { kind, .. })
                    if kind.step() == Some(Step::Writes)
            );
            if is_write {
                return Some(here.at);
            }
        }
        None
    }
}

/// What the lock service said to a storage that asked; `current`: the lock's token, or the same one
/// where nobody holds it.
fn not_held(token: FencingToken, current: FencingToken) -> String {
    match token == current {
        true => "the lock service said that nobody holds the lock".to_owned(),
        false => {
            format!("the lock service said that {current} is the lock's token, and not {token}")
        }
    }
}
