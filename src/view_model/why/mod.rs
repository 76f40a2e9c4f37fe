//! Why it happened: one caption for the event at the playhead, made from the log's causes and from
//! what each write was judged to be. It draws conclusions from nothing else.

use crate::view_model::incident::names::short;
use std::cmp::Ordering;

use crate::sim::event::{Event, LeaseEnd};
use crate::sim::id::{ClientId, EntrySeq, GrantNo, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::scenario::{Change, PauseScope};
use crate::sim::time::{SimDuration, SimTime};

mod stopped;
mod struck;
mod taken;
mod write;

use super::harm;
use super::moment::{Moment, MomentKind, RunNo};
use super::node_event;
use super::runs::Runs;
use super::wording::{duration, run_label_capital, time};

/// The caption of a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// When it happened.
    pub at: SimTime,
    /// What happened and why, in whole sentences.
    pub text: String,
}

/// Which moment the caption speaks of, when `position` moments lie at the playhead or before: the
/// one that matters most among those of the last instant. `None` before the first.
pub fn spoken_of(runs: &Runs, position: u32) -> Option<u32> {
    let last = position.checked_sub(1)?;
    let at = runs.moments.get(last)?.at;
    let first = runs.moments.n_before(at);
    // The later one wins where two matter alike: it is what the instant came to.
    (first..=last).max_by_key(|&index| weight_of(runs, index))
}

fn weight_of(runs: &Runs, index: u32) -> u8 {
    let Some(moment) = runs.moments.get(index) else {
        return 0;
    };
    let entries = runs.entries_of(&moment).into_iter().flatten();
    entries.map(|entry| weight(&entry.event)).max().unwrap_or(0)
}

fn weight(event: &Event) -> u8 {
    match event {
        Event::WriteAccepted { .. }
        | Event::WriteRefused { .. }
        | Event::SealRefused { .. }
        | Event::Effect { .. }
        | Event::DuplicateIgnored { .. } => 9,
        Event::Crashed { .. }
        | Event::Paused { .. }
        | Event::WorkerCrashed { .. }
        | Event::LinkCut { .. }
        | Event::ClockJumped { .. }
        | Event::ServiceStopped { .. }
        | Event::ServiceBack { .. }
        | Event::StoreRestarted { .. }
        | Event::ConnectionLost { .. } => 8,
        Event::Sent { kind: MessageKind::Write, .. } => 7,
        Event::Granted { .. } | Event::Resumed { .. } | Event::Checked { .. } => 6,
        Event::LeaseEnded { .. } | Event::BeliefEnded { .. } | Event::SealAccepted { .. } => 5,
        Event::GrantTooLate { .. } | Event::RenewerGaveUp { .. } | Event::WaiterLeft { .. } => 5,
        Event::Lost { .. } | Event::Restarted { .. } | Event::Queued { .. } => 4,
        Event::LinkRestored { .. } | Event::TimedOut { .. } | Event::Refused { .. } => 4,
        Event::RenewRefused { .. } | Event::ReleaseRefused { .. } => 4,
        Event::BeliefStarted { .. } | Event::WorkAbandoned { .. } | Event::ReadServed { .. } => 3,
        Event::Sent { .. } | Event::GrantedAgain { .. } | Event::WorkStarted { .. } => 2,
        Event::AtNode(event) => node_event::weight(*event),
        Event::Renewed { .. } | Event::WorkerDone { .. } | Event::Received { .. } => 1,
    }
}

/// The caption of the moment at `index`.
pub fn why(runs: &Runs, index: u32) -> Option<Why> {
    let moment = runs.moments.get(index)?;
    let reason = reason(runs, &moment);
    // What a write came to is in its reason; two answers would be told twice.
    let is_told = matches!(runs.entries_of(&moment), [Some(_), Some(_)]) && runs.differs(&moment)
        || runs.kind_of(&moment) == MomentKind::Write
            && (reason.starts_with("Accepted") || reason.starts_with("Refused"));
    let what = super::describe::moment(runs, &moment).join(". ");
    let text = match (is_told, reason.is_empty()) {
        (true, _) => reason,
        (false, true) => what,
        (false, false) => format!("{what}. {reason}"),
    };
    Some(Why { at: moment.at, text })
}

fn reason(runs: &Runs, moment: &Moment) -> String {
    let tell = |run: RunNo, entry: &LogEntry| {
        let recording = runs.run(run).expect("a moment names shown runs only");
        Teller { recording }.why(entry)
    };
    match runs.entries_of(moment) {
        [Some(one), Some(two)] if runs.differs(moment) => both(runs, one, two),
        [None, Some(two)] => tell(RunNo::Two, two),
        // What both runs share is told by Run 2, which checks tokens where the two differ in that.
        [Some(_), Some(two)] => tell(RunNo::Two, two),
        [Some(one), None] => tell(RunNo::One, one),
        [None, None] => String::new(),
    }
}

/// Two answers to one question: the refusal is explained, otherwise the worse one; the other is
/// told in a sentence.
fn both(runs: &Runs, one: &LogEntry, two: &LogEntry) -> String {
    let rank = |run: RunNo, entry: &LogEntry| {
        let refused = matches!(entry.event, Event::WriteRefused { .. });
        let judged = runs.run(run).and_then(|r| Some((r, r.write(entry.seq)?)));
        (refused, judged.map(|(_, judged)| harm::of_write(judged)))
    };
    let explained =
        if rank(RunNo::One, one) > rank(RunNo::Two, two) { RunNo::One } else { RunNo::Two };
    let (main, other, other_run) = match explained {
        RunNo::One => (one, two, RunNo::Two),
        RunNo::Two => (two, one, RunNo::One),
    };
    let teller = |run: RunNo| Teller { recording: runs.run(run).expect("both runs are shown") };
    let label = match (runs.compare.as_slice(), other_run) {
        ([Change::Fencing(_)], RunNo::One) => "Without the fence".to_owned(),
        ([Change::Fencing(_)], RunNo::Two) => "With the fence".to_owned(),
        _ => format!("{}:", run_label_capital(runs, other_run)),
    };
    let told = teller(other_run).in_the_other_run(other);
    format!("{} {label} {told}", teller(explained).why(main))
}

/// Tells the why of one run's entries.
struct Teller<'a> {
    recording: &'a Recording,
}

impl Teller<'_> {
    fn entry(&self, seq: EntrySeq) -> Option<&LogEntry> {
        self.recording.log().get(seq)
    }

    fn why(&self, entry: &LogEntry) -> String {
        let client = match entry.node {
            NodeId::Client(client) => client,
            NodeId::Lock(_) | NodeId::Store(_) => ClientId(0),
        };
        match entry.event {
            Event::Sent { kind, arrives, .. } => self.sent(entry, kind, arrives),
            Event::Received { .. } => String::new(),
            Event::WorkerDone { holding } => worker_done(client, holding),
            Event::Lost { why, .. } => Self::lost(why),
            Event::Granted { .. } => self.granted(entry),
            Event::GrantedAgain { client, .. } => {
                format!(
                    "{client} holds this lease already: the same grant, the same token.",
                    client = short(client)
                )
            }
            Event::Queued { .. } => self.queued(entry),
            Event::Renewed { grant, by, ttl, .. } => self.renewed(entry, grant, by, ttl),
            Event::RenewRefused { client, .. } => self.renew_refused(entry, client),
            Event::LeaseEnded { grant, how, .. } => self.lease_ended(entry, grant, how),
            Event::ReleaseRefused { client, .. } => {
                format!("The lock is no longer {client}'s to give back.", client = short(client))
            }
            Event::Checked { client, valid, .. } => checked(client, valid),
            Event::BeliefStarted { token, .. } => format!(
                "The grant has reached {client}. From here it acts as the holder, with token \
                {token}.",
                client = short(client)
            ),
            Event::BeliefEnded { grant, why, .. } => self.belief_ended(entry, client, grant, why),
            Event::WorkStarted { takes, .. } => format!(
                "The work takes {}; its write follows. {client} does not ask again meanwhile.",
                duration(takes),
                client = short(client)
            ),
            Event::WorkAbandoned { why, .. } => Self::abandoned(client, why),
            Event::Paused { scope, .. } => self.paused(entry, client, scope),
            Event::Resumed { scope } => self.resumed(entry, client, scope),
            Event::Crashed { .. } => self.crashed(entry, client),
            Event::Restarted { .. } => {
                format!(
                    "{client} begins from nothing: it must ask for the lock again.",
                    client = short(client)
                )
            }
            Event::ReadServed { .. } => {
                "A read is not checked. What is built on it can be overtaken.".to_owned()
            }
            Event::SealAccepted { client, token, .. } => format!(
                "Raised before {client}'s first read or write: from here every token below \
                {token} is refused, although {token} has written nothing yet.",
                client = short(client)
            ),
            Event::SealRefused { token, highest, .. } if token == highest => {
                "The claim changed 0 rows: there is no such row. Reading it back tells this from a \
                 stale token."
                    .to_owned()
            }
            Event::SealRefused { client, token, highest, .. } => format!(
                "Refused: the fence stands at {highest}, higher than {client}'s {token}. A \
                newer holder has been here.",
                client = short(client)
            ),
            Event::WriteAccepted { .. } | Event::WriteRefused { .. } => self.written(entry),
            Event::AtNode(event) => node_event::why(entry.at, event),
            Event::Refused { .. }
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
            | Event::Effect { .. } => self.struck(entry, client),
        }
    }

    fn sent(&self, entry: &LogEntry, kind: MessageKind, arrives: SimTime) -> String {
        let lands = format!("It lands at {}.", time(arrives));
        let NodeId::Client(client) = entry.node else {
            let asks = kind == MessageKind::Check;
            return if asks {
                format!("Its write waits for the answer. {lands}")
            } else {
                String::new()
            };
        };
        if kind != MessageKind::Write {
            return lands;
        }
        let world = self.recording.world_after(entry.seq.0 + 1);
        let state = &world.clients[client.index()];
        let gone = state.lease.and_then(|lease| lease.ended);
        let awake = match state.woke_at == Some(entry.at) {
            true => "Awake again, it",
            false => "It",
        };
        match (gone, state.belief) {
            (Some((ended, ..)), Some(belief)) => format!(
                "{client}'s work is done. {awake} still believes that it holds {}, but its lease \
                 ended at {}: nothing has told it. {lands}",
                belief.token,
                time(ended),
                client = short(client)
            ),
            _ => format!("{client}'s work is done. {lands}", client = short(client)),
        }
    }

    fn granted(&self, entry: &LogEntry) -> String {
        let Event::Granted { grant, client, token, ttl } = entry.event else {
            return String::new();
        };
        let previous = grant.0.checked_sub(1);
        let previous = previous.and_then(|no| self.recording.grant(GrantNo(no)));
        let freed = previous.and_then(|record| record.ended);
        let reason = match (previous, freed) {
            (Some(record), Some((_, LeaseEnd::TakenOver, _))) => {
                self.took_over(client, record.client)
            }
            (Some(record), Some((at, ..))) if at == entry.at => format!(
                "{}'s lease ended at this instant, and {client} was next in the queue.",
                short(record.client),
                client = short(client)
            ),
            _ if self.waited(entry, client) => format!(
                "The delay after the holder's failure was over, and {client} was next in the \
                queue.",
                client = short(client)
            ),
            _ => format!(
                "The lock was free when {client}'s request arrived.",
                client = short(client)
            ),
        };
        let lasts = ttl.map_or("It lasts until it is given back.".to_owned(), |ttl| {
            format!("It lasts until {} unless {}.", time(entry.at + ttl), self.ends_otherwise())
        });
        let higher = previous.map_or(String::new(), |record| match token.cmp(&record.token) {
            Ordering::Greater => format!(" Token {token} is higher than {}.", record.token),
            Ordering::Equal => format!(" Token {token} is the one of the grant before."),
            Ordering::Less => format!(" Token {token} is lower than {}.", record.token),
        });
        format!("{reason} {lasts}{higher}")
    }

    /// Whether a client stood in the queue just before.
    fn waited(&self, entry: &LogEntry, client: ClientId) -> bool {
        let before = self.recording.world_after(entry.seq.0);
        before.service.queue.contains(&client)
    }

    fn queued(&self, entry: &LogEntry) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let Some(holder) = world.service.holder() else {
            return "Somebody else is ahead in the queue.".to_owned();
        };
        let until = holder.until.map_or("it gives it back".to_owned(), |until| {
            format!("{} at the earliest, unless it gives it back", time(until))
        });
        format!(
            "{} holds the lock until {until}. The place in the queue is kept, even through a \
            pause.",
            short(holder.client)
        )
    }

    fn renewed(&self, entry: &LogEntry, grant: GrantNo, by: ClientId, ttl: SimDuration) -> String {
        let owner = self.recording.grant(grant).map(|record| record.client);
        let reason = match owner {
            Some(owner) if owner != by => "The service does not check who asks".to_owned(),
            Some(_) | None => format!("{by} held the lease when it asked", by = short(by)),
        };
        let (ttl, until) = (duration(ttl), time(entry.at + ttl));
        format!("{reason}: it now lasts {ttl} from here, until {until}.")
    }

    fn renew_refused(&self, entry: &LogEntry, client: ClientId) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let ended = world.clients[client.index()].lease.and_then(|l| l.ended);
        let over = ended
            .map_or(format!("{client} is not the holder", client = short(client)), |(at, ..)| {
                format!("{client}'s lease ended at {}", time(at), client = short(client))
            });
        let other = world.service.holder().filter(|h| h.client != client);
        let held = other.map_or(String::new(), |holder| {
            format!(" and {} holds the lock", short(holder.client))
        });
        format!("{over}{held}: a renewal does not bring an ended lease back.")
    }

    fn lease_ended(&self, entry: &LogEntry, grant: GrantNo, how: LeaseEnd) -> String {
        let Some(record) = self.recording.grant(grant) else {
            return String::new();
        };
        let client = record.client;
        let before = self.recording.world_after(entry.seq.0);
        let state = &before.clients[client.index()];
        match how {
            LeaseEnd::Released => format!("{client} gave it back.", client = short(client)),
            LeaseEnd::TakenOver => self.taken_from(client),
            LeaseEnd::Disconnected => {
                format!(
                    "The lease lives with {client}'s connection. {client} is not told.",
                    client = short(client)
                )
            }
            LeaseEnd::Overtaken => format!(
                "A node was made whose name comes before that of {client}'s. {client}'s session \
                 lives, it watches nobody, and it is not told.",
                client = short(client)
            ),
            LeaseEnd::Forgotten => {
                format!(
                    "The service has lost it in its restart. {client} is not told.",
                    client = short(client)
                )
            }
            LeaseEnd::ReleasedBy(other) => format!(
                "{other} gave back what was {client}'s: the service does not check who asks.",
                other = short(other),
                client = short(client)
            ),
            LeaseEnd::Expired => {
                let ran = state.lease.map_or(record.at, |lease| lease.runs_from);
                let length = duration(entry.at.since(ran));
                let silence = format!("No renewal came for {length}.");
                let reason = match (state.crashed, state.pause_of(PauseScope::Renewer)) {
                    (Some(at), _) => format!(
                        " {client} is down since {}; the service sees silence and nothing else.",
                        time(at),
                        client = short(client)
                    ),
                    (None, Some(pause)) => format!(
                        " {client} is paused since {}; the service cannot tell a pause from a \
                        crash.",
                        time(pause.since),
                        client = short(client)
                    ),
                    (None, None) => String::new(),
                };
                format!("{silence}{reason}")
            }
        }
    }
}

fn worker_done(client: ClientId, holding: bool) -> String {
    let client = short(client);
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

fn checked(client: ClientId, valid: bool) -> String {
    match valid {
        true => format!(
            "True at this instant. The answer travels back while the lease runs on, and \
            {client} can be paused before it writes.",
            client = short(client)
        ),
        false => {
            format!("The service does not name {client} as the holder.", client = short(client))
        }
    }
}
