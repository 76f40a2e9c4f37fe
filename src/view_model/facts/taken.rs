//! Why, where somebody took over what another one held. It rests on who judges and on what the lock
//! system does with whoever asks.

use crate::sim::id::ClientId;
use crate::sim::lock::StoreCheck;
use crate::sim::log::LogEntry;
use crate::sim::scenario::{Ends, ExpiryJudge};

use super::Teller;
use crate::view_model::words::wording::time;

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
    /// Its time was over, and whoever asked next acted on that.
    Overdue,
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
            (ExpiryJudge::Service, _) if rules.acts() == Some(Ends::WhenTaken) => Takeover::Overdue,
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
            Takeover::Overdue => format!(
                "The time of {of}'s lease was over, and {client} was the next to ask.",
                client = self.words.short(client),
                of = self.words.short(of)
            ),
            Takeover::Replaced => {
                format!(
                    "{client} takes {of}'s place.",
                    client = self.words.short(client),
                    of = self.words.short(of)
                )
            }
        }
    }

    /// Why a lease is over and has not ended, and what its holder can do meanwhile.
    pub(super) fn overdue(&self, entry: &LogEntry, client: ClientId) -> String {
        let rules = self.recording.scenario().rules();
        let who = match rules.acts() {
            None | Some(Ends::OnTime) => return String::new(),
            Some(Ends::AtSweep { .. }) => "The service ends it when it next looks",
            Some(Ends::SecondLook { .. }) => {
                "The service ends it at the second look since its holder was heard"
            }
            Some(Ends::WhenTaken) => "Whoever asks next ends it",
        };
        let client = self.words.short(client);
        let meanwhile = match rules.refuses_late() {
            false => "is taken as before",
            true => "is refused",
        };
        let at = time(entry.at);
        format!("Its time is over at {at}. {who}; what {client} asks until then {meanwhile}.")
    }

    /// When the time of a lease was over that ends only here; empty: it ends at that moment.
    pub(super) fn ended_late(&self, entry: &LogEntry) -> String {
        let before = self.recording.world_after(entry.seq.0);
        let over = before.service.holder().and_then(|holder| holder.over);
        over.map_or(String::new(), |over| {
            format!(" Its time was over at {}, and here somebody looked.", time(over))
        })
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
            Takeover::Overdue => format!(
                "Its time was over, and nobody had acted on that until somebody asked. {client} is \
                not told.",
                client = self.words.short(client)
            ),
            Takeover::Replaced => {
                format!(
                    "Another one has {client}'s place. {client} is not told.",
                    client = self.words.short(client)
                )
            }
        }
    }
}
