//! Why, where somebody took over what another one held. It rests on who judges and on what the lock
//! system does with whoever asks.

use crate::sim::id::ClientId;
use crate::sim::lock::StoreCheck;
use crate::sim::scenario::ExpiryJudge;

use super::Teller;

/// How a lock is taken from its holder.
enum Takeover {
    /// The record was seen unchanged for long enough.
    Observed,
    /// The time that stands in it was over, by the clock of whoever asked.
    Timed,
    /// Whoever initialises last owns it.
    Initialised,
    /// It had been seen free before, and was written over.
    WrittenOver,
    /// Others agreed on another holder.
    Replaced,
}

impl Teller<'_> {
    fn takeover(&self) -> Takeover {
        let rules = self.recording.scenario().rules();
        match (rules.expiry, rules.store_check) {
            (ExpiryJudge::Observers, _) => Takeover::Observed,
            (_, StoreCheck::ProducerEpoch { .. }) => Takeover::Initialised,
            (ExpiryJudge::HoldersTimestamp, _) => Takeover::Timed,
            (ExpiryJudge::Service, StoreCheck::AsSet | StoreCheck::LeaderEpoch) => {
                if rules.overwrites { Takeover::WrittenOver } else { Takeover::Replaced }
            }
        }
    }

    /// How a grant does not last for its time to live.
    pub(super) fn ends_otherwise(&self) -> &'static str {
        match self.recording.scenario().rules().store_check {
            StoreCheck::AsSet | StoreCheck::LeaderEpoch => "renewed",
            StoreCheck::ProducerEpoch { .. } => "it is committed before",
        }
    }

    /// Why `client` got what was `of`'s.
    pub(super) fn took_over(&self, client: ClientId, of: ClientId) -> String {
        match self.takeover() {
            Takeover::Observed => format!(
                "By its own clock {client} has seen {of}'s record unchanged for a whole lease: \
                {client} replaces it.",
                client = self.words.short(client),
                of = self.words.short(of)
            ),
            Takeover::Timed => format!(
                "By {client}'s clock the time that {of} wrote was over: {client} takes the lock.",
                client = self.words.short(client),
                of = self.words.short(of)
            ),
            Takeover::Initialised => format!(
                "{of}'s transaction is aborted, and all brokers have written so. Whoever \
                initialises last owns the id: {client}, under an epoch of its own.",
                client = self.words.short(client),
                of = self.words.short(of)
            ),
            Takeover::WrittenOver => {
                format!(
                    "{client} had seen the lock free, and wrote over what stands there now.",
                    client = self.words.short(client)
                )
            }
            Takeover::Replaced => {
                format!(
                    "{client} takes {of}'s place.",
                    client = self.words.short(client),
                    of = self.words.short(of)
                )
            }
        }
    }

    /// Why `client` lost it.
    pub(super) fn taken_from(&self, client: ClientId) -> String {
        match self.takeover() {
            Takeover::Observed => format!(
                "Somebody had seen {client}'s record unchanged for a whole lease, by its own \
                clock. {client} is not told.",
                client = self.words.short(client)
            ),
            Takeover::Timed => format!(
                "Whoever asked judged by its own clock that the time which {client} wrote was \
                over.",
                client = self.words.short(client)
            ),
            Takeover::Initialised => format!(
                "Somebody has initialised the same transactional id. There was no lock to ask \
                for: {client} is fenced, at work or not, and it is not told.",
                client = self.words.short(client)
            ),
            Takeover::WrittenOver => {
                format!(
                    "Somebody had seen the lock free and wrote over it. {client} is not told.",
                    client = self.words.short(client)
                )
            }
            Takeover::Replaced => {
                format!(
                    "Another one has {client}'s place. {client} is not told.",
                    client = self.words.short(client)
                )
            }
        }
    }
}
