//! Why, where it is about links, clocks, restarts, waiting and giving up, or about work that was
//! done before. Every sentence rests on the entry, its causes and the scenario's settings.

use crate::sim::clock::ClockKind;
use crate::sim::event::{Abandoned, Event, Loss};
use crate::sim::id::{ClientId, NodeId};
use crate::sim::lock::StoreCheck;
use crate::sim::log::LogEntry;
use crate::sim::scenario::{ExpiryJudge, FaultKind, FenceRule, Loses};
use crate::view_model::harm;
use crate::view_model::incident::names::short;
use crate::view_model::wording::{duration, time};

use super::Teller;

impl Teller<'_> {
    /// The why of what is listed in `Teller::why` as sent here.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`Teller::why` sends what is listed here")]
    pub(super) fn struck(&self, entry: &LogEntry, client: ClientId) -> String {
        let rules = self.recording.scenario().rules();
        match entry.event {
            Event::Refused { client } => self.taken(entry, client),
            Event::WaiterLeft { client } => self.waiter_left(entry, client),
            Event::GrantTooLate { .. } => format!(
                "The answer was under way for so long that {client}'s own deadline had passed: \
                it starts no belief. The service still names {client} as the holder.",
                client = short(client)
            ),
            Event::TimedOut { gives_up, .. } => self.timed_out(client, gives_up),
            Event::RenewerGaveUp { .. } => format!(
                "A renewal was unanswered when the next one was due. The renewer stops and tells \
                nobody: {client}'s worker goes on while its lease runs out.",
                client = short(client)
            ),
            Event::WorkerCrashed { .. } => format!(
                "{client}'s renewer goes on renewing for a worker that is gone: the service \
                cannot tell, and nobody else gets the lock.",
                client = short(client)
            ),
            Event::LinkCut { until, .. } => {
                let held = match self.is_held(entry) {
                    true => "is held until then",
                    false => "is lost",
                };
                format!(
                    "Until {} nothing passes, and what is sent {held}. Neither end is told: each \
                    sees silence, as in a pause or a crash.",
                    time(until)
                )
            }
            Event::LinkRestored { .. } => match self.is_held(entry) {
                true => "What was held arrives now.".to_owned(),
                false => "Messages pass again; what was lost stays lost.".to_owned(),
            },
            Event::ClockJumped { .. } => self.clock_jumped(entry),
            Event::ServiceStopped { .. } => {
                "It answers nobody meanwhile, and what reaches it is lost.".to_owned()
            }
            Event::ServiceBack { loses, .. } => back(loses).to_owned(),
            Event::StoreRestarted { forgot: true, .. } => {
                "The highest token was not durable: from here every token passes until a newer \
                one arrives."
                    .to_owned()
            }
            Event::StoreRestarted { .. } => "It has kept all that it knew.".to_owned(),
            Event::ConnectionLost { .. } if rules.connection_bound => format!(
                "The lease lives with the connection and ends with it. {client} is not told.",
                client = short(client)
            ),
            Event::ConnectionLost { .. } => {
                "The lease does not live with the connection: nothing ends.".to_owned()
            }
            Event::DuplicateIgnored { .. } => self.known_again().to_owned(),
            Event::Effect { again: true, .. } => {
                "The outside knows the piece of work by its id and does not act again.".to_owned()
            }
            Event::Effect { .. } if harm::is_second_effect(self.recording, entry) => {
                "The outside had acted for this piece of work before and cannot tell: no fence \
                stands there, only an idempotent operation would help."
                    .to_owned()
            }
            Event::Effect { .. } => {
                "No fence stands outside: it acts for whoever asks, holder or not.".to_owned()
            }
            _ => String::new(),
        }
    }

    /// Why a message never arrived.
    pub(super) fn lost(why: Loss) -> String {
        match why {
            Loss::NobodyThere => {
                "Whoever it was for is down. A message does not wait for a restart."
            }
            Loss::LinkCut => {
                "The link was cut when it was sent or due. Neither end is told: silence looks the \
                same as a pause."
            }
            Loss::Dropped => {
                "The network lost this one. Its sender cannot tell whether the request or its \
                answer is gone."
            }
        }
        .to_owned()
    }

    /// Why a piece of work was given up.
    pub(super) fn abandoned(client: ClientId, why: Abandoned) -> String {
        match why {
            Abandoned::CheckFailed | Abandoned::SealRefused | Abandoned::Fenced => {
                format!(
                    "{client} knows that it must not write under this lease.",
                    client = short(client)
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
                    client = short(client)
                )
            }
        }
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

    fn taken(&self, entry: &LogEntry, client: ClientId) -> String {
        let rules = self.recording.scenario().rules();
        let world = self.recording.world_after(entry.seq.0);
        let holder = world.service.holder().map(|holder| holder.client);
        let held = holder.map_or("The lock is not free yet.".to_owned(), |holder| {
            format!("{holder} holds the lock.", holder = short(holder))
        });
        match rules.expiry {
            ExpiryJudge::HoldersTimestamp => format!(
                "{held} By {client}'s clock the time that the holder wrote is not over. {client} \
                asks again later.",
                client = short(client)
            ),
            ExpiryJudge::Observers => format!(
                "{held} By its own clock {client} has not yet seen its record unchanged for a \
                whole lease. {client} asks again later.",
                client = short(client)
            ),
            ExpiryJudge::Service => {
                format!(
                    "{held} {client} has no place in a queue: it asks again later.",
                    client = short(client)
                )
            }
        }
    }

    fn waiter_left(&self, entry: &LogEntry, client: ClientId) -> String {
        let cause = entry.cause.and_then(|cause| self.entry(cause.seq()));
        let cause = cause.map(|cause| cause.event);
        match cause {
            Some(Event::ServiceBack { .. }) => {
                format!(
                    "The service has lost its queue in the restart. {client} is not told.",
                    client = short(client)
                )
            }
            Some(Event::ConnectionLost { .. } | Event::Received { .. }) => format!(
                "{client}'s place lives with its connection, and that was lost. {client} is not \
                told.",
                client = short(client)
            ),
            _ => format!(
                "{client}'s own session was not renewed in time: a waiter that is silent is taken \
                for dead.",
                client = short(client)
            ),
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
            client = short(client)
        )
    }

    /// Whether the cut that this entry is about holds messages back.
    fn is_held(&self, entry: &LogEntry) -> bool {
        let (Event::LinkCut { fault, .. } | Event::LinkRestored { fault, .. }) = entry.event else {
            return false;
        };
        let faults = &self.recording.scenario().spec().faults;
        let found = faults.iter().find(|listed| listed.id == fault);
        found.is_some_and(|found| matches!(found.kind, FaultKind::Cut { held: true, .. }))
    }

    fn clock_jumped(&self, entry: &LogEntry) -> String {
        let rules = self.recording.scenario().rules();
        let by_timestamp = rules.expiry == ExpiryJudge::HoldersTimestamp;
        match entry.node {
            NodeId::Lock(_) if rules.expiry == ExpiryJudge::Observers => {
                "Nobody judges a lease by it: whoever asks watches the record by its own clock."
            }
            NodeId::Lock(_) if rules.clock == ClockKind::Wall => {
                "The service judges expiry by this clock: every lease now ends as much earlier or \
                later."
            }
            NodeId::Lock(_) => {
                "Its wall clock alone. The service judges expiry by its monotonic clock, which \
                does not jump."
            }
            NodeId::Client(_) if by_timestamp => {
                "Expiry is judged by the clients' wall clocks here: a lease is over when the \
                asker's clock says so."
            }
            NodeId::Client(_) => {
                "Its wall clock alone. Intervals and its own deadline run by its monotonic clock, \
                which does not jump."
            }
            NodeId::Store(_)
                if self.recording.scenario().storage().rule == FenceRule::TimeFence =>
            {
                "The time fence compares with this clock: writes are now judged as much earlier \
                or later."
            }
            NodeId::Store(_) => "Nothing in this set-up is judged by it.",
        }
        .to_owned()
    }
}

fn back(loses: Loses) -> &'static str {
    match loses {
        Loses::Nothing => "Its state was durable: leases, queue and counter are as before.",
        Loses::Leases => {
            "It no longer knows who holds the lock or who waited. The holder is not told, and the \
            next one who asks is granted."
        }
        Loses::Everything => {
            "It no longer knows who holds the lock, and its counter starts again: tokens are \
            handed out a second time."
        }
        Loses::SinceSnapshot => {
            "It was restored from its last snapshot: grants made since are forgotten, their \
            holders not told, and their tokens are handed out a second time, unless the restore \
            skips them."
        }
    }
}
