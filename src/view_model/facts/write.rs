//! Why a write was accepted or refused, and what it did to the value: the sentences that the whole
//! page is about. Made from the simulation's judgement of the write and the entries that it names.

use crate::sim::fact::{Fact, Grant, Paused, Refusal, Said, Written};
use crate::sim::id::{ClientId, EntrySeq, FencingToken, NodeId, WriteId};
use crate::sim::lock::StoreCheck;
use crate::sim::log::LogEntry;
use crate::sim::message::{MessageKind, Step};
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
        let first = match refused(entry) {
            Some(_) => self.refused(entry, judgement),
            None => self.accepted(entry, judgement),
        };
        let context = self.what_it_knew(entry, judgement);
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
        let Some((Written { write, token, .. }, why, highest)) = refused(entry) else {
            return String::new();
        };
        let reason = self.why_refused(token, highest, why);
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

    fn why_refused(&self, token: FencingToken, highest: FencingToken, why: Refusal) -> String {
        let rule = self.recording.scenario().storage().rule;
        let seen = "the highest this storage has seen";
        match rule {
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
            _ if why == Refusal::NotHeld => not_held(&self.words.the_service(), token, highest),
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
            _ if why == Refusal::Token && !self.are_ordered() => format!(
                "this storage compares {token} with {highest} as numbers, which says nothing of \
                who is newer"
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
        }
    }

    /// The token that stands higher is the holder's own, drawn when its code took the lock again.
    fn by_its_own_code(&self, entry: &LogEntry, judgement: &WriteJudgement) -> Option<String> {
        let (refused, ..) = refused(entry)?;
        let set = self.entry(judgement.highest_set?)?.fact;
        let Fact::Store(_, fact) = set else {
            return None;
        };
        let token = fact.raises()?;
        (set.about().grant == Some(refused.grant) && token != refused.token).then(|| {
            format!(
                " {token} is {}'s own, too: its code drew it when it took the lock again, inside.",
                self.words.short(refused.write.client)
            )
        })
    }

    fn accepted(&self, entry: &LogEntry, judgement: &WriteJudgement) -> String {
        let Some(Written { write, token, .. }) = applied(entry) else {
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
            (WriteStatus::Rightful, Some(highest)) if storage.fencing && !self.are_ordered() => {
                format!(
                    "Accepted: {client} holds the lease, and this storage compares {token} with \
                    {highest} as numbers, which says nothing of who is newer.",
                    client = self.words.short(client)
                )
            }
            (WriteStatus::Rightful, Some(highest)) if storage.fencing => format!(
                "Accepted: {client} holds the lease, and token {token} is not lower than \
                {highest}, the highest this storage had seen.",
                client = self.words.short(client)
            ),
            (WriteStatus::Rightful, _) if storage.fencing => format!(
                "Accepted: {client} holds the lease. {token} is the first token that this \
                storage sees{}.",
                if self.are_ordered() { ", and from here the highest" } else { "" },
                client = self.words.short(client)
            ),
            (WriteStatus::Rightful, _) => format!(
                "Accepted: {client} holds the lease. Without a fence its {word}, {token}, is \
                recorded and not checked.",
                word = self.token_word(),
                client = self.words.short(client)
            ),
            (WriteStatus::Late, highest) => self.late(token, highest),
            (WriteStatus::Stale, _) if !storage.fencing && !self.are_ordered() => {
                format!("Accepted: without a fence {token} is recorded and not compared.")
            }
            (WriteStatus::Stale, Some(highest)) if !storage.fencing => format!(
                "Accepted: without a fence token {token} is not compared with {highest}, the \
                highest this storage has seen."
            ),
            (WriteStatus::Stale, highest) => {
                format!("Accepted, although stale: {}.", self.lets_pass(token, highest))
            }
        }
    }

    fn late(&self, token: FencingToken, highest: Option<FencingToken>) -> String {
        let is_compared = self.recording.scenario().storage().fencing && self.are_ordered();
        let is_highest = highest.is_none_or(|highest| highest <= token);
        let nor = if is_compared && is_highest { ", and no higher token" } else { "" };
        format!("Accepted late: this storage has seen nothing of a newer holder{nor}.")
    }

    /// Why a fence that compares tokens lets a stale one pass.
    fn lets_pass(&self, token: FencingToken, highest: Option<FencingToken>) -> String {
        let scenario = self.recording.scenario();
        let by_token = scenario.store_check() == StoreCheck::AsSet;
        match highest {
            Some(highest) if by_token && !self.are_ordered() => format!(
                "this storage compares {token} with {highest} as numbers, which says nothing of \
                 who is newer"
            ),
            Some(highest)
                if by_token && token < highest && scenario.storage().overwrites_fence() =>
            {
                format!(
                    "it had passed its check before {highest} was here; check and write are two \
                     steps"
                )
            }
            Some(highest) if by_token && token >= highest => format!(
                "token {token} is not lower than {highest}, the highest that this storage knows"
            ),
            None if by_token => "this storage knows of no token any more".to_owned(),
            Some(_) | None => format!("this rule lets token {token} pass"),
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
                Some("its token was the lock's when the service answered, and that was before")
            }
            FenceRule::RejectLower | FenceRule::RejectLowerOrEqual | FenceRule::MustMatch => None,
        }
    }

    /// Why a late write does harm although no newer write was there.
    fn had_begun(&self, judgement: &WriteJudgement) -> String {
        harm::newer_reader(self.recording, judgement).map_or(String::new(), |(reader, at)| {
            let reader = self.words.short(reader);
            format!(" But {reader} had read the value at {}, without this.", time(at))
        })
    }

    /// What an accepted write did to the value, as a predicate; `None`: it did no harm.
    fn outcome(&self, judgement: &WriteJudgement) -> Option<String> {
        let Written { write: old, .. } = applied(self.entry(judgement.over?)?)?;
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

    /// Whether a storage refused a write.
    pub(in crate::view_model) fn has_refused(&self, write: WriteId) -> bool {
        let refused = self.recording.writes().iter().filter(|judgement| !judgement.accepted);
        let mut refused = refused.filter_map(|judgement| self.entry(judgement.entry));
        refused.any(|entry| {
            matches!(entry.fact, Fact::Store(_, fact)
                if fact.refused().is_some_and(|(refused, ..)| refused.write == write))
        })
    }

    /// What an accepted write did to another's value, as a clause, and whose write it was: `A
    /// writes late and replaces B's value`; `None`: nothing, or no matter of one value.
    pub(in crate::view_model) fn did_harm(&self, entry: &LogEntry) -> Option<(ClientId, String)> {
        let judgement = self.recording.write(entry.seq).filter(|judgement| judgement.accepted)?;
        let client = applied(entry)?.write.client;
        let other = applied(self.entry(judgement.over?)?)?.write.client;
        let (name, others) = (self.words.short(client), self.words.short(other));
        let did = match judgement.status {
            _ if client == other => return None,
            _ if judgement.lost_update => {
                format!("{name} writes what lacks {others}'s update, which is lost")
            }
            WriteStatus::Stale if self.was_sent_in_time(entry, judgement) => {
                format!("{name}'s write arrives late and replaces {others}'s value")
            }
            WriteStatus::Stale => format!("{name} writes late and replaces {others}'s value"),
            WriteStatus::Late | WriteStatus::Rightful => return None,
        };
        Some((client, did))
    }

    /// The other run's answer, after “Without the fence”.
    pub(in crate::view_model) fn in_the_other_run(&self, entry: &LogEntry) -> String {
        match entry.fact {
            Fact::Store(_, fact) => match fact.written() {
                Some((written, said)) => self.in_the_other(entry, written.token, said),
                None => self.why(entry),
            },
            Fact::Client(client, fact) => match fact.stops_believing() {
                Some(why) => format!("{}.", super::stopped::how_it_learnt(self.words, client, why)),
                None => self.why(entry),
            },
            Fact::Message(..) | Fact::Service(..) | Fact::Fault(..) => self.why(entry),
        }
    }

    fn in_the_other(&self, entry: &LogEntry, token: FencingToken, said: Said) -> String {
        let is_same = "the same write";
        let (why, highest) = match said {
            Said::Applied { .. } => {
                let judgement = self.recording.write(entry.seq);
                let outcome = judgement.and_then(|judgement| self.outcome(judgement));
                if let Some(outcome) = outcome {
                    return format!("{is_same} {outcome}.");
                }
                let begun = judgement.map(|judgement| match judgement.status {
                    WriteStatus::Rightful => " Its lease had not ended.".to_owned(),
                    WriteStatus::Late | WriteStatus::Stale => self.had_begun(judgement),
                });
                return format!("{is_same} was accepted.{}", begun.unwrap_or_default());
            }
            Said::Known => return format!("{is_same} was known again, and changed nothing."),
            Said::Refused { why, highest } => (why, highest),
        };
        match why {
            Refusal::Version => {
                format!("{is_same} was refused: it was built on another version.")
            }
            Refusal::Missing => format!("{is_same} changed no row: there is none."),
            Refusal::Gap => format!("{is_same} was refused: a write before it is missing."),
            Refusal::TooLate => format!("{is_same} was refused: its time was over."),
            Refusal::NotHeld => {
                format!("{is_same} was refused: the lock was not its sender's any more.")
            }
            Refusal::Token if token == highest && self.looks_at_the_lock() => {
                format!("{is_same} was refused: nobody held the lock.")
            }
            Refusal::Token => format!("{is_same} was refused: token {token} against {highest}."),
        }
    }

    /// What a late or stale writer had been told when it wrote. Whether a pause was to blame is no
    /// matter of times, and is said with the verdict's causes.
    fn what_it_knew(&self, entry: &LogEntry, judgement: &WriteJudgement) -> String {
        let ended = judgement.grant_ended.and_then(|seq| self.entry(seq));
        let Some((ended, Fact::Service(_, fact))) = ended.map(|e| (e.at, e.fact)) else {
            return String::new();
        };
        let Some((Grant { client, .. }, _)) = fact.ended() else {
            return String::new();
        };
        let over = format!(
            " {client}'s lease ended at {}",
            time(ended),
            client = self.words.short(client)
        );
        let Some(sent) = self.sent(entry) else {
            return format!("{over}.");
        };
        let at = time(sent.at);
        if sent.at < ended {
            let under_way = duration(entry.at.since(sent.at));
            return format!(
                "{over}; the write was sent at {at}, in time, and travelled for {under_way}."
            );
        }
        let client_name = self.words.short(client);
        if self.had_stopped_believing(client, sent) {
            return format!(
                "{over}; {client_name} no longer believed when it sent this at {at}: its work went \
                 on all the same."
            );
        }
        match judgement.pause.and_then(|seq| self.paused_until(seq, sent.at)) {
            Some(from) => format!(
                "{over}; {client_name} was paused from {} to {at}, and nothing had told it when it \
                 sent this.",
                time(from)
            ),
            None => format!("{over}; nothing had told {client_name} when it sent this at {at}."),
        }
    }

    /// Whether a client believed nothing when it sent a write.
    fn had_stopped_believing(&self, client: ClientId, sent: &LogEntry) -> bool {
        let world = self.recording.world_after(sent.seq.0);
        let state = world.clients.get(client.index());
        state.is_some_and(|state| state.belief.is_none())
    }

    /// When the pause that began at `seq` began, if it lasted until `then`.
    fn paused_until(&self, seq: EntrySeq, then: SimTime) -> Option<SimTime> {
        let begun = self.entry(seq)?;
        let Fact::Fault(_, fact) = begun.fact else {
            return None;
        };
        let Paused { client, scope, .. } = fact.paused()?;
        let rest = &self.recording.entries()[seq.index()..];
        let goes_on = |entry: &&LogEntry| match entry.fact {
            Fact::Client(who, fact) => who == client && fact.wakes() == Some(scope),
            _ => false,
        };
        let end = rest.iter().find(goes_on).map(|entry| entry.at);
        (end == Some(then)).then_some(begun.at)
    }

    /// Whether a write was on its way before its grant ended.
    fn was_sent_in_time(&self, entry: &LogEntry, judgement: &WriteJudgement) -> bool {
        let ended = judgement.grant_ended.and_then(|seq| self.entry(seq));
        let sent = self.sent(entry);
        ended.zip(sent).is_some_and(|(ended, sent)| sent.seq < ended.seq)
    }

    /// The sending of the write that `entry` answers: its cause, or its cause's cause.
    fn sent(&self, entry: &LogEntry) -> Option<&LogEntry> {
        let is_write = |fact: Fact| {
            matches!(fact, Fact::Message(_, fact)
                if fact.sent().and_then(MessageKind::step) == Some(Step::Writes))
        };
        let mut here = self.cause_of(entry)?;
        for _ in 0..3 {
            if is_write(here.fact) {
                break;
            }
            here = self.cause_of(here)?;
        }
        is_write(here.fact).then_some(here)
    }
}

/// What the lock service said to a storage that asked; `current`: the lock's token, or the same one
/// where nobody holds it.
fn not_held(service: &str, token: FencingToken, current: FencingToken) -> String {
    match token == current {
        true => format!("{service} said that nobody holds the lock"),
        false => {
            format!("{service} said that {current} is the lock's token, and not {token}")
        }
    }
}

/// The write that an entry applies.
fn applied(entry: &LogEntry) -> Option<Written> {
    let Fact::Store(_, fact) = entry.fact else {
        return None;
    };
    fact.applied()
}

/// The write that an entry refuses, why, and by which fence.
fn refused(entry: &LogEntry) -> Option<(Written, Refusal, FencingToken)> {
    let Fact::Store(_, fact) = entry.fact else {
        return None;
    };
    fact.refused()
}
