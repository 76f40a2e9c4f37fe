//! What happened, in a few words: the lines of the event list, of the playhead's value text and of
//! the live region. Why it happened is said in `why`, what it comes to in `verdict`.

use crate::sim::event::{Abandoned, BeliefEnd, Event, LeaseEnd, Loss};
use crate::sim::id::{ClientId, FencingToken, GrantNo, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::property::WriteStatus;
use crate::sim::scenario::{FenceRule, PauseScope};
use crate::view_model::incident::names::short;

mod happened;

use super::moment::{Moment, MomentKind, RunNo};
use super::node_event;
use super::runs::Runs;
use super::wording;

/// The lines of a moment: one, or one for each run where they differ (“Without fence: …”).
pub fn moment(runs: &Runs, moment: &Moment) -> Vec<String> {
    let entries = runs.entries_of(moment);
    if !runs.differs(moment) {
        let entry = entries.into_iter().flatten().next();
        let run = if entries[0].is_some() { RunNo::One } else { RunNo::Two };
        return entry.map(|entry| event(entry, runs, run)).into_iter().collect();
    }
    let both = entries.iter().flatten().count() == 2;
    let alike = matches!(entries, [Some(one), Some(two)] if one.event == two.event);
    let lines = RunNo::ALL.into_iter().zip(entries);
    lines
        .filter_map(|(run, entry)| {
            let label = wording::run_label_capital(runs, run);
            let entry = entry?;
            let text = if both { predicate(entry, runs, run, alike) } else { None };
            Some(format!("{label}: {}", text.unwrap_or_else(|| event(entry, runs, run))))
        })
        .collect()
}

/// The name of a kind of moment, on its filter.
pub fn kind(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Lease => "Lease",
        MomentKind::Belief => "Belief",
        MomentKind::Work => "Work",
        MomentKind::Write => "Writes",
        MomentKind::Renewal => "Renewals",
        MomentKind::Fault => "Faults",
    }
}

/// Whom an event is about: the client whose lease, belief, work or write it is.
pub fn actor(entry: &LogEntry) -> NodeId {
    match about(&entry.event) {
        Some(client) => NodeId::Client(client),
        None => match (entry.node, entry.event) {
            (_, Event::Lost { from, .. }) => from,
            (node, _) => node,
        },
    }
}

fn about(event: &Event) -> Option<ClientId> {
    match event {
        Event::Granted { client, .. }
        | Event::GrantedAgain { client, .. }
        | Event::Queued { client, .. }
        | Event::Renewed { by: client, .. }
        | Event::RenewRefused { client, .. }
        | Event::LeaseEnded { client, .. }
        | Event::ReleaseRefused { client, .. }
        | Event::Checked { client, .. }
        | Event::ReadServed { client, .. }
        | Event::SealAccepted { client, .. }
        | Event::SealRefused { client, .. }
        | Event::Refused { client }
        | Event::WaiterLeft { client } => Some(*client),
        Event::DuplicateIgnored { write, .. }
        | Event::Effect { write, .. }
        | Event::WriteAccepted { write, .. }
        | Event::WriteRefused { write, .. }
        | Event::WorkStarted { write, .. }
        | Event::WorkAbandoned { write, .. } => Some(write.client),
        Event::AtNode(event) => event.client(),
        Event::Sent { .. }
        | Event::Received { .. }
        | Event::Lost { .. }
        | Event::BeliefStarted { .. }
        | Event::BeliefEnded { .. }
        | Event::WorkerDone { .. }
        | Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::Crashed { .. }
        | Event::Restarted { .. }
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
        | Event::ConnectionLost { .. } => None,
    }
}

/// An answer without its subject, where both runs' answers stand one under the other. `alike`: both
/// accept, and differ in whether the write was rightful.
fn predicate(entry: &LogEntry, runs: &Runs, run: RunNo, alike: bool) -> Option<String> {
    match entry.event {
        Event::WriteAccepted { write, token, .. } => {
            let status = runs.run(run)?.write(entry.seq)?.status;
            let what = match status {
                _ if !alike => "write",
                WriteStatus::Rightful => "rightful write",
                WriteStatus::Late => "late write",
                WriteStatus::Stale => "stale write",
            };
            let was = happened::standing(entry, runs, run);
            let was = if alike { String::new() } else { was };
            Some(format!("accepts {}'s {what}, {token}{was}", short(write.client)))
        }
        Event::WriteRefused { .. } => {
            let was = happened::standing(entry, runs, run);
            Some(format!("refuses it, {}{was}", happened::refusal(entry, runs, run)))
        }
        Event::DuplicateIgnored { .. } => Some("ignores it, applied before".to_owned()),
        _ => None,
    }
}

/// What stands between a refused token and the highest one.
pub fn refusal_sign(token: FencingToken, highest: FencingToken, rule: FenceRule) -> &'static str {
    match (rule, token.cmp(&highest)) {
        (_, std::cmp::Ordering::Less) => "<",
        (_, std::cmp::Ordering::Equal) => "=",
        (FenceRule::MustMatch, std::cmp::Ordering::Greater) => "≠",
        (_, std::cmp::Ordering::Greater) => ">",
    }
}

/// One event of a run in a few words, without a full stop.
pub fn event(entry: &LogEntry, runs: &Runs, run: RunNo) -> String {
    let node = wording::node(entry.node);
    match entry.event {
        Event::Sent { kind: MessageKind::Check, token: Some(token), .. }
            if matches!(entry.node, NodeId::Store(_)) =>
        {
            format!("{node} asks whether {token} is the lock's token")
        }
        Event::Sent { kind, token, .. } => sent(&node, kind, token),
        Event::Received { from, kind, .. } => {
            format!("{node} receives {}'s {}", wording::node(from), wording::message(kind))
        }
        Event::Lost { from, kind, why, .. } => {
            let (from, kind) = (wording::node(from), wording::message(kind));
            match why {
                Loss::NobodyThere => format!("{from}'s {kind} is lost: {node} is down"),
                Loss::LinkCut => format!("{from}'s {kind} is lost: the link is cut"),
                Loss::Dropped => format!("{from}'s {kind} is lost on its way"),
            }
        }
        Event::Paused { scope, .. } => paused(&node, scope).to_owned(),
        Event::Resumed { scope } => match scope {
            PauseScope::Client => format!("{node} wakes"),
            PauseScope::Worker => format!("{node}'s worker wakes"),
            PauseScope::Renewer => format!("{node}'s renewer wakes"),
        },
        Event::Crashed { .. } => format!("{node} crashes"),
        Event::Restarted { .. } => format!("{node} starts again, knowing nothing"),
        Event::BeliefStarted { token, .. } => format!("{node} believes that it holds {token}"),
        Event::BeliefEnded { why, .. } => belief_ended(&node, why),
        Event::WorkStarted { write, takes, .. } => {
            let takes = wording::duration(takes);
            match (write.work, write.step) {
                (1, 1) => format!("{node} starts its work, {takes}"),
                (_, 1) => format!("{node} starts its next work, {takes}"),
                (_, step) => format!("{node} works towards write {step}, {takes}"),
            }
        }
        Event::WorkAbandoned { why, .. } => match why {
            Abandoned::CheckFailed => format!("{node} gives its work up: the check failed"),
            Abandoned::SealRefused => format!("{node} gives its work up: its seal was refused"),
            Abandoned::Fenced => format!("{node} gives its work up: it was fenced"),
            Abandoned::NoAnswer => format!("{node} gives its work up: no answer came"),
            Abandoned::LockLost => format!("{node} gives its work up: the lock is lost"),
        },
        Event::WorkerDone { holding: true } => format!("{node} is done and stays on as holder"),
        Event::WorkerDone { holding: false } => format!("{node} is done"),
        Event::Granted { .. }
        | Event::GrantedAgain { .. }
        | Event::Queued { .. }
        | Event::Renewed { .. }
        | Event::RenewRefused { .. }
        | Event::LeaseEnded { .. }
        | Event::ReleaseRefused { .. }
        | Event::Checked { .. } => at_service(&node, &entry.event, |grant| owner(runs, run, grant)),
        Event::ReadServed { .. }
        | Event::SealAccepted { .. }
        | Event::SealRefused { .. }
        | Event::WriteAccepted { .. }
        | Event::WriteRefused { .. } => at_store(&node, entry, runs, run),
        Event::AtNode(event) => node_event::event(&node, event),
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
        | Event::Effect { .. } => happened::event(&node, entry, runs, run),
    }
}

/// Whose a grant is.
fn owner(runs: &Runs, run: RunNo, grant: GrantNo) -> Option<ClientId> {
    Some(runs.run(run)?.grant(grant)?.client)
}

fn sent(node: &str, kind: MessageKind, token: Option<FencingToken>) -> String {
    let carried = token.map_or(String::new(), |token| format!(", {token}"));
    match kind {
        MessageKind::Acquire => format!("{node} asks for the lock"),
        MessageKind::Look => format!("{node} looks whether the lock is free"),
        MessageKind::Renew => format!("{node} sends a renewal{carried}"),
        MessageKind::Release => format!("{node} releases the lock"),
        MessageKind::Check => format!("{node} asks whether it still holds the lock"),
        MessageKind::Reenter => format!("{node} takes the lock again, inside"),
        MessageKind::Seal => format!("{node} sends its seal{carried}"),
        MessageKind::Read => format!("{node} reads"),
        MessageKind::Write => format!("{node} sends its write{carried}"),
        MessageKind::SetExpiry => format!("{node} sets the time to live{carried}"),
        MessageKind::KeepAlive => format!("{node} sends a sign of life"),
        MessageKind::Effect => format!("{node} asks the outside to act"),
        MessageKind::Granted
        | MessageKind::Queued
        | MessageKind::Renewed
        | MessageKind::RenewRefused
        | MessageKind::Released
        | MessageKind::ReleaseRefused
        | MessageKind::Checked
        | MessageKind::Sealed
        | MessageKind::SealRefused
        | MessageKind::Value
        | MessageKind::Unlock
        | MessageKind::AskVote
        | MessageKind::Vote
        | MessageKind::Append
        | MessageKind::Appended
        | MessageKind::NotLeader
        | MessageKind::LeaderEpoch
        | MessageKind::Marker
        | MessageKind::Noted
        | MessageKind::UnknownEpoch
        | MessageKind::WriteAccepted
        | MessageKind::WriteRefused
        | MessageKind::Taken
        | MessageKind::Alive
        | MessageKind::SessionOver
        | MessageKind::Disconnected
        | MessageKind::OpenSession
        | MessageKind::EffectDone
        | MessageKind::Looked
        | MessageKind::Reentered
        | MessageKind::Copy => format!("{node} sends its {}", wording::message(kind)),
    }
}

fn paused(node: &str, scope: PauseScope) -> String {
    match scope {
        PauseScope::Client => format!("{node} pauses"),
        PauseScope::Worker => format!("{node}'s worker pauses"),
        PauseScope::Renewer => format!("{node}'s renewer pauses"),
    }
}

fn belief_ended(node: &str, why: BeliefEnd) -> String {
    match why {
        BeliefEnd::RenewalRefused => format!("{node} learns that its lease is gone"),
        BeliefEnd::CheckFailed => format!("{node} learns from its check that its lease is gone"),
        BeliefEnd::Fenced(_) => format!("{node} learns from the refusal that it was fenced"),
        BeliefEnd::Released => format!("{node} no longer believes: it releases"),
        BeliefEnd::DeadlinePassed => format!("{node} stops believing: its own deadline"),
        BeliefEnd::Disconnected => format!("{node} lets go: its connection is lost"),
        BeliefEnd::Crashed => format!("{node} forgets its lease in the crash"),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`event` sends the service's events only")]
fn at_service(node: &str, event: &Event, owner: impl Fn(GrantNo) -> Option<ClientId>) -> String {
    match *event {
        Event::Granted { client, token, .. } => {
            format!("{node} grants {client} token {token}", client = short(client))
        }
        Event::GrantedAgain { client, token, .. } => {
            format!("{node} tells {client} that it holds {token} already", client = short(client))
        }
        Event::Queued { client, ahead: 0 } => {
            format!("{client} waits in the queue", client = short(client))
        }
        Event::Queued { client, ahead } => {
            format!("{client} waits in the queue, {ahead} ahead", client = short(client))
        }
        Event::Renewed { by, token, grant, .. } => match owner(grant) {
            Some(owner) if owner != by => {
                format!(
                    "{node} renews {owner}'s lease, {token}: {by} asked",
                    owner = short(owner),
                    by = short(by)
                )
            }
            Some(_) | None => format!("{node} renews {by}'s lease, {token}", by = short(by)),
        },
        Event::RenewRefused { client, token } => {
            format!("{node} refuses {client}'s renewal, {token}", client = short(client))
        }
        Event::LeaseEnded { client, how, .. } => match how {
            LeaseEnd::Expired => format!("{client}'s lease expires", client = short(client)),
            LeaseEnd::Released => {
                format!("{client}'s lease ends: released", client = short(client))
            }
            LeaseEnd::ReleasedBy(other) => format!(
                "{client}'s lease ends: {other} released it",
                client = short(client),
                other = short(other)
            ),
            LeaseEnd::TakenOver => {
                format!("{client}'s lease ends: taken over", client = short(client))
            }
            LeaseEnd::Disconnected => {
                format!("{client}'s lease ends with its connection", client = short(client))
            }
            LeaseEnd::Overtaken => {
                format!("Another's node comes before {client}'s", client = short(client))
            }
            LeaseEnd::Forgotten => format!("{client}'s lease is forgotten", client = short(client)),
        },
        Event::ReleaseRefused { client, token } => {
            format!("{node} refuses {client}'s release, {token}", client = short(client))
        }
        Event::Checked { client, valid, .. } => match valid {
            true => format!("{node} says that {client} holds the lock", client = short(client)),
            false => {
                format!("{node} says that {client} does not hold the lock", client = short(client))
            }
        },
        _ => String::new(),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`event` sends a store's events only")]
fn at_store(node: &str, entry: &LogEntry, runs: &Runs, run: RunNo) -> String {
    match entry.event {
        Event::ReadServed { client, version, .. } => match version.n_writes() {
            0 => format!("{node} is read by {client}: no value yet", client = short(client)),
            version => {
                format!("{node} is read by {client}: version {version}", client = short(client))
            }
        },
        Event::SealAccepted { client, token, .. } => {
            format!("{node} takes {client}'s seal, {token}", client = short(client))
        }
        Event::SealRefused { client, token, highest, .. } if token == highest => {
            format!("{node} refuses {client}'s seal, 0 rows: no such row", client = short(client))
        }
        Event::SealRefused { client, token, highest, .. } => {
            format!("{node} refuses {client}'s seal, {token} < {highest}", client = short(client))
        }
        Event::WriteAccepted { write, token, .. } => {
            let row = if happened::is_sql_row(runs, run) { ": 1 row" } else { "" };
            let was = happened::standing(entry, runs, run);
            format!("{node} accepts {}'s write, {token}{row}{was}", short(write.client))
        }
        Event::WriteRefused { write, .. } => {
            let reason = happened::refusal(entry, runs, run);
            let was = happened::standing(entry, runs, run);
            format!("{node} refuses {}'s write, {reason}{was}", short(write.client))
        }
        _ => String::new(),
    }
}
