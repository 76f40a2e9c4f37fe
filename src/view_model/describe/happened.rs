//! What happened, in a few words, where it is about links, clocks, restarts, waiting and giving up,
//! or about work that was done before.

use crate::sim::event::{Event, Refusal};
use crate::sim::log::LogEntry;
use crate::sim::property::WriteStatus;
use crate::sim::scenario::{Loses, Resource};
use crate::view_model::describe::refusal_sign;
use crate::view_model::harm;
use crate::view_model::incident::names::short;
use crate::view_model::moment::RunNo;
use crate::view_model::runs::Runs;
use crate::view_model::wording::struck::{inside, shift};
use crate::view_model::wording::{capital, duration};

/// One event of a run, without a full stop.
#[expect(clippy::wildcard_enum_match_arm, reason = "`describe::event` sends what is listed here")]
pub(super) fn event(node: &str, entry: &LogEntry, runs: &Runs, run: RunNo) -> String {
    match entry.event {
        Event::Refused { client } => {
            format!("{node} tells {client} that the lock is taken", client = short(client))
        }
        Event::WaiterLeft { client } => {
            format!("{client} loses its place in the queue", client = short(client))
        }
        Event::GrantTooLate { token, .. } => {
            format!("{node} does not take {token}: its deadline has passed")
        }
        Event::TimedOut { attempt, gives_up } => {
            let often = if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
            let ends = if gives_up { ", and gives up" } else { "" };
            format!("{node} hears nothing in time{often}{ends}")
        }
        Event::RenewerGaveUp { token } => format!("{node}'s renewer gives up, {token}"),
        Event::WorkerCrashed { .. } => format!("{node}'s worker dies; its renewer lives on"),
        Event::LinkCut { to, .. } => {
            let ends = format!("{} and {}", inside(entry.node), inside(to));
            format!("The link between {ends} is cut")
        }
        Event::LinkRestored { to, .. } => {
            let ends = format!("{} and {}", inside(entry.node), inside(to));
            format!("The link between {ends} is back")
        }
        Event::ClockJumped { by, .. } => format!("{node}'s clock is set {}", shift(by)),
        Event::ServiceStopped { until, .. } => {
            format!("{node} stops for {}", duration(until.since(entry.at)))
        }
        Event::ServiceBack { loses, .. } => match loses {
            Loses::Nothing => format!("{node} is back"),
            Loses::Leases => format!("{node} is back and has forgotten its leases"),
            Loses::Everything => format!("{node} is back and has forgotten everything"),
            Loses::SinceSnapshot => format!("{node} is back as it was at its last snapshot"),
        },
        Event::StoreRestarted { forgot: false, .. } => format!("{node} restarts"),
        Event::StoreRestarted { forgot: true, .. } => {
            format!("{node} restarts and forgets the highest token")
        }
        Event::ConnectionLost { .. } => format!("{node}'s connection to the service is lost"),
        Event::DuplicateIgnored { write, .. } => {
            format!("{node} ignores {}'s write: applied before", short(write.client))
        }
        Event::Effect { write, again: true, .. } => {
            format!("{}'s act outside is ignored: done before", short(write.client))
        }
        Event::Effect { write, .. } => {
            let is_second =
                runs.run(run).is_some_and(|recording| harm::is_second_effect(recording, entry));
            match is_second {
                true => format!("{} acts outside: a second time", short(write.client)),
                false => format!("{} acts outside", short(write.client)),
            }
        }
        _ => capital(node),
    }
}

/// Why a store refuses a write: `33 < 34`, `built on another version`. Of a SQL row, which of the
/// three meanings of “0 rows” it is.
pub(super) fn refusal(entry: &LogEntry, runs: &Runs, run: RunNo) -> String {
    let Event::WriteRefused { token, highest, why, .. } = entry.event else {
        return String::new();
    };
    let recording = runs.run(run);
    let is_row = is_sql_row(runs, run);
    let applied = recording.and_then(|recording| recording.write(entry.seq));
    let reason = match why {
        Refusal::Token if is_row && applied.is_some_and(|write| write.seen_before) => {
            "applied already".to_owned()
        }
        Refusal::Token => {
            let rule = recording.map(|recording| recording.scenario().storage().rule);
            let sign = refusal_sign(token, highest, rule.unwrap_or_default());
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

/// Whether a run's storage is a row of a database.
pub(super) fn is_sql_row(runs: &Runs, run: RunNo) -> bool {
    let recording = runs.run(run);
    recording.is_some_and(|it| it.scenario().storage().resource == Resource::SqlRow)
}

/// What a write was when it was answered, after a comma; nothing, if it was rightful and is taken
/// for the first time.
pub(super) fn standing(entry: &LogEntry, runs: &Runs, run: RunNo) -> String {
    let judged = runs.run(run).and_then(|recording| recording.write(entry.seq));
    let Some(judged) = judged else {
        return String::new();
    };
    let status = match (judged.status, judged.accepted) {
        (WriteStatus::Rightful, true) => "",
        (WriteStatus::Rightful, false) if judged.seen_before => "",
        (WriteStatus::Rightful, false) => ", although rightful",
        (WriteStatus::Late, _) => ", late",
        (WriteStatus::Stale, _) => ", stale",
    };
    let again = match (judged.seen_before, judged.accepted) {
        (true, true) => ", a second time",
        // The answer of a SQL row says so by itself.
        (true, false) if is_sql_row(runs, run) => "",
        (true, false) => ", applied before",
        (false, _) => "",
    };
    format!("{status}{again}")
}

#[cfg(test)]
mod tests {
    use crate::scenarios::GALLERY;
    use crate::sim::event::Event;
    use crate::sim::id::{ClientId, FaultId, NodeId, StoreId};
    use crate::sim::message::MessageKind;
    use crate::sim::scenario::{Fault, FaultKind, FenceRule, MessageAddress};
    use crate::sim::{Change, SimDuration};
    use crate::view_model::describe;
    use crate::view_model::moment::RunNo;
    use crate::view_model::runs::Runs;

    /// The answers to A's writes in *The paused holder* with these changes.
    fn answers(changes: &[Change]) -> Vec<String> {
        let mut file = GALLERY[0].file();
        let base = file.base().expect("the gallery is valid");
        file.scenario = base.with(changes).expect("the changes fit").spec().clone();
        file.compare = Vec::new();
        let runs = Runs::of(&file).expect("it was just checked");
        let recording = runs.run(RunNo::One).expect("it is the one that is shown");
        let is_answer = |event: &Event| {
            matches!(event, Event::WriteAccepted { write, .. } | Event::WriteRefused { write, .. }
                if write.client == ClientId(0))
        };
        let entries = recording.entries().iter().filter(|entry| is_answer(&entry.event));
        entries.map(|entry| describe::event(entry, &runs, RunNo::One)).collect()
    }

    #[test]
    fn every_write_says_what_it_was() {
        let pause = |millis| {
            let length = SimDuration::from_millis(millis);
            Change::FaultLength { id: FaultId(1), length }
        };
        let fence = || Change::Fencing(true);
        assert_eq!(answers(&[pause(1_000)]), ["Storage accepts A's write, 33"]);
        assert_eq!(answers(&[pause(9_000)]), ["Storage accepts A's write, 33, late"]);
        assert_eq!(answers(&[]), ["Storage accepts A's write, 33, stale"]);
        assert_eq!(answers(&[fence()]), ["Storage refuses A's write, 33 < 34, stale"]);
        let strict = [fence(), Change::Rule(FenceRule::RejectLowerOrEqual), pause(1_000)];
        let twice = [&strict[..], &[Change::WritesPerGrant(2)]].concat();
        let second = "Storage refuses A's write, 33 = 33, although rightful";
        assert_eq!(answers(&twice), ["Storage accepts A's write, 33", second]);
        let kind = FaultKind::Duplicate {
            message: MessageAddress {
                from: NodeId::Client(ClientId(0)),
                to: NodeId::Store(StoreId(0)),
                kind: MessageKind::Write,
                nth: 1,
            },
            after: SimDuration::from_millis(500),
        };
        let copy = Fault { id: FaultId(2), label: String::new(), enabled: true, kind };
        let copied = [&strict[..], &[Change::AddFault(copy.clone())]].concat();
        let before = "Storage refuses A's write, 33 = 33, applied before";
        assert_eq!(answers(&copied), ["Storage accepts A's write, 33", before]);
        let again = "Storage accepts A's write, 33, a second time";
        let unfenced = [pause(1_000), Change::AddFault(copy)];
        assert_eq!(answers(&unfenced), ["Storage accepts A's write, 33", again]);
    }
}
