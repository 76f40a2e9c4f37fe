//! What a store did: how it is listed, what it was in a few words, and why. Why a write was
//! answered as it was stands in `write.rs`.

use super::harm;
use crate::sim::fact::{EpochFact, Fact, Refusal, StoreFact};
use crate::sim::id::{ClientId, FencingToken, NodeId};
use crate::sim::lock::StoreCheck;
use crate::sim::log::LogEntry;
use crate::sim::property::WriteStatus;
use crate::sim::scenario::{FenceRule, Resource};
use crate::view_model::words::names::Words;

use super::{Listed, Listing, Mark, MomentKind, Standing, Teller};

impl Listed for StoreFact {
    fn listing(&self) -> Listing {
        match self {
            Self::ReadServed { .. } => Listing::of(MomentKind::Work, Mark::Work, 3),
            Self::SealAccepted { .. } => Listing::of(MomentKind::Write, Mark::Accepted, 5),
            Self::SealRefused { .. } | Self::WriteRefused { .. } => {
                Listing::of(MomentKind::Write, Mark::Refused, 9)
            }
            Self::WriteAccepted { .. } | Self::Effect { again: false, .. } => {
                Listing::of(MomentKind::Write, Mark::Accepted, 9)
            }
            Self::DuplicateIgnored { .. } | Self::Effect { again: true, .. } => {
                Listing::of(MomentKind::Write, Mark::Work, 9)
            }
            Self::EpochUnknown { .. } => Listing::of(MomentKind::Write, Mark::Wait, 4),
            Self::Epoch(fact) => fact.listing(),
        }
    }
}

impl Listed for EpochFact {
    fn listing(&self) -> Listing {
        match self {
            Self::Learnt { .. } | Self::MarkerWritten { .. } => {
                Listing::of(MomentKind::Write, Mark::Renewal, 4)
            }
            Self::MarkerRefused { .. } => Listing::of(MomentKind::Write, Mark::LeaseEnd, 4),
        }
    }
}

impl Teller<'_> {
    /// What an accepted seal does at its store.
    fn seal(&self, entry: &LogEntry, token: FencingToken) -> String {
        let storage = self.recording.scenario().storage();
        let checks = match entry.node() {
            NodeId::Store(store) => storage.checks(store),
            NodeId::Client(_) | NodeId::Lock(_) => false,
        };
        match storage.rule {
            _ if !checks => {
                format!("It is recorded: tokens are not checked here, {token} neither.")
            }
            _ if self.recording.scenario().store_check() != StoreCheck::AsSet => {
                "It is recorded: this broker goes by the epochs that it is told.".to_owned()
            }
            FenceRule::MustMatch => format!("From here every token but {token} is refused."),
            FenceRule::RejectLower | FenceRule::RejectLowerOrEqual if !self.are_ordered() => {
                format!(
                    "From here {token} is compared with tokens as numbers, which says nothing of \
                     who is newer."
                )
            }
            FenceRule::RejectLower | FenceRule::RejectLowerOrEqual => {
                format!("It raises the fence: from here every token below {token} is refused.")
            }
            FenceRule::SameTransaction | FenceRule::AsksService => format!(
                "{token} is the token of the lock's holder. Each write is looked at by itself, \
                 whatever was sealed."
            ),
            FenceRule::DataVersion | FenceRule::TimeFence => {
                format!(
                    "It is recorded; this rule does not compare the token of a write with {token}."
                )
            }
        }
    }

    /// What happened, in a few words, without a full stop. `node`: who did it.
    pub(super) fn store_did(&self, node: &str, entry: &LogEntry, fact: StoreFact) -> String {
        match fact {
            StoreFact::ReadServed { client, version, .. } => match version.n_writes() {
                0 => format!(
                    "{node} is read by {client}: no value yet",
                    client = self.words.short(client)
                ),
                version => {
                    format!(
                        "{node} is read by {client}: version {version}",
                        client = self.words.short(client)
                    )
                }
            },
            StoreFact::SealAccepted { client, token, .. } => {
                let row = match (self.is_sql_row(), self.claimed_before(entry)) {
                    (false, _) => "",
                    (true, false) => ": 1 row",
                    (true, true) => ": 0 rows, its own claim stands",
                };
                format!(
                    "{node} takes {client}'s seal, {token}{row}",
                    client = self.words.short(client)
                )
            }
            StoreFact::SealRefused { client, token, highest, .. } if token == highest => {
                format!(
                    "{node} refuses {client}'s seal, 0 rows: no such row",
                    client = self.words.short(client)
                )
            }
            StoreFact::SealRefused { client, token, highest, .. } => {
                format!(
                    "{node} refuses {client}'s seal, {token} < {highest}",
                    client = self.words.short(client)
                )
            }
            StoreFact::WriteAccepted { write, token, .. } => {
                let row = if self.is_sql_row() { ": 1 row" } else { "" };
                let Standing { status, more } = self.standing(entry);
                let (client, token) = (self.words.short(write.client), self.write_token(token));
                format!("{node} accepts {client}'s {status}write{token}{row}{more}")
            }
            StoreFact::WriteRefused { write, .. } => {
                let reason = self.refusal(entry);
                let Standing { status, more } = self.standing(entry);
                format!(
                    "{node} refuses {}'s {status}write, {reason}{more}",
                    self.words.short(write.client)
                )
            }
            StoreFact::DuplicateIgnored { write, .. } => {
                format!("{node} ignores {}'s write: applied before", self.words.short(write.client))
            }
            StoreFact::EpochUnknown { client, token, known } => {
                let why =
                    known.map_or("it knows no epoch".to_owned(), |it| format!("{token} > {it}"));
                format!(
                    "{node} puts {client}'s write off: {why}",
                    client = self.words.short(client)
                )
            }
            StoreFact::Effect { write, again: true, .. } => {
                format!("{}'s act outside is ignored: done before", self.words.short(write.client))
            }
            StoreFact::Effect { write, .. } => {
                match harm::is_second_effect(self.recording, entry) {
                    true => {
                        format!("{} acts outside: a second time", self.words.short(write.client))
                    }
                    false => format!("{} acts outside", self.words.short(write.client)),
                }
            }
            StoreFact::Epoch(fact) => epoch_did(node, fact),
        }
    }

    /// Why, in a sentence.
    pub(super) fn why_store(&self, entry: &LogEntry, fact: StoreFact) -> String {
        match fact {
            StoreFact::ReadServed { .. } => {
                "A read is not checked. What is built on it can be overtaken.".to_owned()
            }
            StoreFact::SealAccepted { client, .. }
                if self.is_sql_row() && self.claimed_before(entry) =>
            {
                format!(
                    "The claim changed 0 rows, because {client} had made it before. Reading the \
                     row back shows its own fence, so it goes on.",
                    client = self.words.short(client)
                )
            }
            StoreFact::SealAccepted { client, token, .. } => {
                let client = self.words.short(client);
                format!("{} {client} sends it before it reads or writes.", self.seal(entry, token))
            }
            StoreFact::SealRefused { token, highest, .. } if token == highest => {
                "The claim changed 0 rows: there is no such row. Reading it back tells this from a \
                 stale token."
                    .to_owned()
            }
            StoreFact::SealRefused { token, highest, .. } if !self.are_ordered() => format!(
                "Refused: this storage compares {token} with {highest} as numbers, which says \
                nothing of who is newer."
            ),
            StoreFact::SealRefused { client, token, highest, .. } => format!(
                "Refused: the fence stands at {highest}, higher than {client}'s {token}.",
                client = self.words.short(client)
            ),
            StoreFact::WriteAccepted { .. } | StoreFact::WriteRefused { .. } => self.written(entry),
            StoreFact::DuplicateIgnored { .. } => self.known_again().to_owned(),
            StoreFact::EpochUnknown { client, .. } => epoch_unknown(self.words, client),
            StoreFact::Effect { again: true, .. } => {
                "The outside knows the piece of work by its id and does not act again.".to_owned()
            }
            StoreFact::Effect { .. } if harm::is_second_effect(self.recording, entry) => {
                "The outside had acted for this piece of work before and cannot tell: no fence \
                stands there, only an idempotent operation would help."
                    .to_owned()
            }
            StoreFact::Effect { .. } => {
                "No fence stands outside: it acts for whoever asks, holder or not.".to_owned()
            }
            StoreFact::Epoch(fact) => why_epoch(fact),
        }
    }
}

/// What happened, in a few words, without a full stop. `node`: who did it.
fn epoch_did(node: &str, fact: EpochFact) -> String {
    match fact {
        EpochFact::Learnt { token } => format!("{node} learns that the epoch is {token}"),
        EpochFact::MarkerWritten { token, commits } => {
            let what = if commits { "commit" } else { "abort" };
            format!("{node} writes the {what} marker, {token}")
        }
        EpochFact::MarkerRefused { token, known } => {
            format!("{node} refuses a marker: {token} against {known}")
        }
    }
}

/// Why, in a sentence.
fn why_epoch(fact: EpochFact) -> String {
    match fact {
        EpochFact::Learnt { token } => epoch_learnt(token),
        EpochFact::MarkerWritten { .. } => MARKER_WRITTEN.to_owned(),
        EpochFact::MarkerRefused { .. } => MARKER_REFUSED.to_owned(),
    }
}

const MARKER_WRITTEN: &str = "From here this broker refuses writes under an older epoch, although \
                              nobody has written under this one yet.";
const MARKER_REFUSED: &str = "It would end another transaction than the one that it is of.";

fn epoch_learnt(token: FencingToken) -> String {
    format!(
        "Word of the leader has come through the metadata log. Until here this broker took the \
         epoch before for the present one; from here it refuses what is older than {token}."
    )
}

fn epoch_unknown(words: &Words, client: ClientId) -> String {
    format!(
        "The epoch is newer than what this broker knows: it has not heard of {client} as leader. \
         It cannot judge, so it does not refuse: {client} tries again.",
        client = words.short(client)
    )
}

/// What stands between a refused token and the highest one.
fn refusal_sign(token: FencingToken, highest: FencingToken, rule: FenceRule) -> &'static str {
    match (rule, token.cmp(&highest)) {
        (_, std::cmp::Ordering::Less) => "<",
        (_, std::cmp::Ordering::Equal) => "=",
        (FenceRule::MustMatch, std::cmp::Ordering::Greater) => "≠",
        (_, std::cmp::Ordering::Greater) => ">",
    }
}

impl Teller<'_> {
    /// Why a store refuses a write: `33 < 34`, `built on another version`. Of a SQL row, which of
    /// the three meanings of “0 rows” it is.
    pub(in crate::view_model) fn refusal(&self, entry: &LogEntry) -> String {
        let Fact::Store(_, StoreFact::WriteRefused { token, highest, why, .. }) = entry.fact else {
            return String::new();
        };
        let is_row = self.is_sql_row();
        let applied = self.recording.write(entry.seq);
        let reason = match why {
            Refusal::Token if is_row && applied.is_some_and(|write| write.seen_before) => {
                "applied already".to_owned()
            }
            Refusal::Token if token == highest && self.looks_at_the_lock() => {
                "nobody holds the lock".to_owned()
            }
            Refusal::Token => {
                let sign = refusal_sign(token, highest, self.recording.scenario().storage().rule);
                format!("{token} {sign} {highest}")
            }
            Refusal::Version => "built on another version".to_owned(),
            Refusal::TooLate => "past its time".to_owned(),
            Refusal::NotHeld => "not the lock's".to_owned(),
            Refusal::Missing => "no such row".to_owned(),
            Refusal::Gap => "a write before it is missing".to_owned(),
        };
        if is_row { format!("0 rows: {reason}") } else { reason }
    }

    /// Whether a write's token is compared with that of the lock's holder, in its own transaction.
    pub(super) fn looks_at_the_lock(&self) -> bool {
        self.recording.scenario().storage().rule == FenceRule::SameTransaction
    }

    /// Whether a run's storage is a row of a database.
    fn is_sql_row(&self) -> bool {
        self.recording.scenario().storage().resource == Resource::SqlRow
    }

    /// Whether the fence stood at a seal's own token before it: a claim that is made again.
    fn claimed_before(&self, entry: &LogEntry) -> bool {
        let (NodeId::Store(store), Fact::Store(_, StoreFact::SealAccepted { token, .. })) =
            (entry.node(), entry.fact)
        else {
            return false;
        };
        let world = self.recording.world_after(entry.seq.0);
        let before = world.stores.get(usize::from(store.0)).and_then(|state| state.highest);
        let compares = self.recording.scenario().storage().fencing;
        compares && before.is_some_and(|(highest, _)| highest == token)
    }

    /// What a write was when it was answered; nothing, if it was rightful and is taken for the
    /// first time.
    pub(in crate::view_model) fn standing(&self, entry: &LogEntry) -> Standing {
        let Some(judged) = self.recording.write(entry.seq) else {
            return Standing::default();
        };
        let status = match judged.status {
            WriteStatus::Rightful => "",
            WriteStatus::Late => "late ",
            WriteStatus::Stale => "stale ",
        };
        let wronged = judged.status == WriteStatus::Rightful && !judged.accepted;
        let more = match (judged.seen_before, judged.accepted) {
            (true, true) => ", a second time",
            // The answer of a SQL row says so by itself.
            (true, false) if self.is_sql_row() => "",
            (true, false) => ", applied before",
            (false, _) if wronged => ", although rightful",
            (false, _) => "",
        };
        Standing { status, more }
    }

    /// How a storage knows a write that it has.
    fn known_again(&self) -> &'static str {
        match self.recording.scenario().store_check() {
            StoreCheck::ProducerEpoch { .. } => {
                "This broker has a write with this number under this epoch: the copy is dropped. \
                The answer is the one of then, and nothing changes."
            }
            StoreCheck::AsSet | StoreCheck::LeaderEpoch => {
                "This storage knows the piece of work and its step: it was applied before. The \
                answer is the one of then, and nothing changes."
            }
        }
    }
}
