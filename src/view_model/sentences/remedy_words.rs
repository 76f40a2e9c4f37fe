//! The words of “What would have saved us?”: the table's cells for the page, and the whole table as
//! lines for a chat or a post-mortem. It reads the table and decides nothing.

use std::iter;

use super::range_words::{self, About};
use super::verdict::{Pattern, Tone};
use crate::explore::remedies::{Breaks, Group, Row};
use crate::explore::{NotTried, Outcome, RemedyId, RemedyTable};
use crate::sim::id::FaultId;
use crate::sim::scenario::{FaultKind, Quantity};
use crate::sim::{Scenario, SimTime};
use crate::view_model::controls::amount;
use crate::view_model::words::outcome_words::{self, words};
use crate::view_model::words::wording;
pub use costs::{Cost, costs};

mod costs;
mod json;

/// A remedy's name: what it does.
pub fn name(id: RemedyId) -> &'static str {
    NAMES.iter().find(|(named, _)| *named == id).map_or("", |(_, name)| name)
}

/// The names, in the order of the table.
const NAMES: [(RemedyId, &str); 82] = [
    (RemedyId::AsItIs, "As it is"),
    (RemedyId::RenewalOn, "Switch renewal on"),
    (RemedyId::RenewEveryThird, "Renew every TTL/3"),
    (RemedyId::RenewerTriesAgain, "The renewer tries again"),
    (RemedyId::RenewerTakesNothingAnew, "The renewer stops when it is refused"),
    (RemedyId::RenewerApart, "A renewer that nothing blocks"),
    (RemedyId::RenewalByTheWorker, "Renew from the work, not beside it"),
    (RemedyId::RenewalTiedToProgress, "Tie renewal to the worker's progress"),
    (RemedyId::RenewerOfItsOwn, "A renewer of its own"),
    (RemedyId::CapAboveWork, "A cap of renewal above the longest work"),
    (RemedyId::NothingFetchedAhead, "Fetch nothing ahead"),
    (RemedyId::RenewsBeforeTheWork, "Renew before the work begins, too"),
    (RemedyId::KillBelowTheLimit, "Kill the work below the limit"),
    (RemedyId::TtlCoversWork, "A TTL that covers the work"),
    (RemedyId::RenewDeadline, "Renew deadline of two thirds of the lease"),
    (RemedyId::StopOnLoss, "Stop work when the lease is lost"),
    (RemedyId::ExitOnLoss, "Exit when the lease is lost"),
    (RemedyId::LetsGoOnDisconnect, "Stop when the connection is lost"),
    (RemedyId::DeadlineFromSend, "Count the deadline from the send"),
    (RemedyId::DeadlineToSpare, "A deadline with a third of the TTL to spare"),
    (RemedyId::AllowForClocks, "A deadline that allows for clock rates"),
    (RemedyId::ValidityFromTheTry, "Count the validity from the try that succeeded"),
    (RemedyId::ReleaseAfterWork, "Release only after the work"),
    (RemedyId::ReleaseWhenDone, "Release when the work is done"),
    (RemedyId::SettlesAtTheEnd, "Ack when the work is done"),
    (RemedyId::SettlesByHandle, "Ack by the delivery's handle"),
    (RemedyId::RefusedReleaseIsAnAnswer, "Take a refused release as an answer"),
    (RemedyId::RequestTimeout, "Ask again when no answer comes"),
    (RemedyId::AskAgainWhileWaiting, "Ask again while waiting"),
    (RemedyId::BeginsAgain, "Begin again after a failure"),
    (RemedyId::SendsTheGrantedToken, "Send the granted token"),
    (RemedyId::SameTokenInside, "The same token inside"),
    (RemedyId::OwnerCheck, "Owner check on release and renew"),
    (RemedyId::UniqueNames, "A name of its own for each owner"),
    (RemedyId::TokenThatGrows, "A token that grows, and a fence"),
    (RemedyId::OneTransactionalId, "One transactional id for all"),
    (RemedyId::SecondProtocol, "Transactions of version 2"),
    (RemedyId::OneStep, "Lock and TTL in one request"),
    (RemedyId::WaiterCheck, "Look at a waiter's session before the grant"),
    (RemedyId::HandOffInOrder, "Hand the lock off in order"),
    (RemedyId::NamesByNumber, "Order the nodes by number"),
    (RemedyId::FindsItsNode, "Find the own node again, by a GUID"),
    (RemedyId::KeepsTheKey, "Keep the key: behavior release"),
    (RemedyId::LeaseInstead, "A lease instead of a lock that never expires"),
    (RemedyId::MajorityLock, "A lock that a majority grants"),
    (RemedyId::DatabaseClock, "The database's clock"),
    (RemedyId::ServiceJudges, "The service's clock alone"),
    (RemedyId::ObserversJudge, "Watch the record for a whole TTL"),
    (RemedyId::MonotonicClock, "A monotonic clock at the service"),
    (RemedyId::ClocksAgree, "Clocks that agree (UTC, NTP)"),
    (RemedyId::KeepsItsState, "A lock service that keeps its state"),
    (RemedyId::KeepsItsCounter, "A counter of tokens that is kept, and a fence"),
    (RemedyId::BumpsRevision, "Restore with --bump-revision"),
    (RemedyId::DelayedRestart, "Restart a node one TTL later"),
    (RemedyId::FiveNodes, "Five nodes"),
    (RemedyId::ConditionalUpdate, "Take the row by one conditional UPDATE"),
    (RemedyId::NoIdleTimeout, "Keep-alives, or no idle timeout"),
    (RemedyId::ConnectionKept, "A connection of the lock's own"),
    (RemedyId::UsualMarks, "Renew at the usual marks"),
    (RemedyId::StickyVotes, "No vote while a leader is heard"),
    (RemedyId::ReadsByIndex, "Ask a majority whether it still leads"),
    (RemedyId::EveryStoreChecks, "Every store checks"),
    (RemedyId::OneStepCheck, "Check and write in one step"),
    (RemedyId::DurableFence, "Keep the highest token on disk"),
    (RemedyId::RowIsThere, "Insert the row first"),
    (RemedyId::RefusesLowerOnly, "Refuse lower tokens only"),
    (RemedyId::LongerLease, "TTL × 2"),
    (RemedyId::MoreRenewal, "Renew more often"),
    (RemedyId::CheckBeforeWrite, "Check the lease before the write"),
    (RemedyId::LocalDeadline, "A deadline of the client's own"),
    (RemedyId::LocalDeadlineChecked, "Check its own deadline before the write"),
    (RemedyId::LockDelay, "Lock-delay of 15 s"),
    (RemedyId::LivesWithConnection, "A lock that ends with its connection"),
    (RemedyId::DeadLetter, "Dead letter after 5 deliveries"),
    (RemedyId::Idempotent, "Idempotent operation"),
    (RemedyId::RejectLower, "Fencing token"),
    (RemedyId::RejectLowerOrEqual, "Fencing token, equal refused too"),
    (RemedyId::Sealed, "Fencing token + seal"),
    (RemedyId::CompareAndSet, "Compare-and-set on the value's version"),
    (RemedyId::Etcd, "etcd + fencing token"),
    (RemedyId::EtcdTransaction, "etcd, lock and value in one transaction"),
    (RemedyId::SqlTransaction, "SQL row, lock and value in one database"),
];

/// Why a remedy was not tried.
pub fn not_tried(reason: NotTried) -> &'static str {
    match reason {
        NotTried::NoTimeToLive => "this lock has no time to live",
        NotTried::AlreadyOn => "this set-up has it already",
        NotTried::NothingCallsForIt => "nothing here calls for it",
        NotTried::SettledBySystem => "this lock system settles it itself",
        NotTried::NoOrderedToken => "this token has no order: nothing to compare",
        NotTried::CannotCheck => "what is protected compares nothing",
        NotTried::SettledByResource => "what is protected settles how it checks",
        NotTried::NothingDoneTwice => "each client does its own work, once",
        NotTried::NothingTells => "nothing tells a client here that its lease is over",
        NotTried::NeverDone => "a holder here goes on for ever",
        NotTried::SeveralWritesPerGrant => "it would refuse the holder's own second write",
        NotTried::LeasesDiffer => "some clients' leases are far longer than others'",
        NotTried::SameAsAnother => "another row changes the same",
        NotTried::FaultHasNoPlace => "a fault here strikes a lock node that is not there then",
        NotTried::BudgetSpent => "the search was stopped before its turn",
    }
}

/// What helps against some incidents, and cannot be run: the model has no such thing. None of them
/// has a row, because a row is a run.
pub const NOT_MODELLED: [(&str, &str); 4] = [
    (
        "Exclude the old holder before the take-over (STONITH, a blocklist, revoked credentials)",
        "exclusion is not modelled here",
    ),
    (
        "Hold fewer locks than you can start at once",
        "a scenario has one lock: several are not modelled here",
    ),
    (
        "A lock that ends with its transaction",
        "a lock inside the caller's transaction is not modelled here, nor a pool of connections",
    ),
    ("A connection past the pool", "a pool of connections is not modelled here"),
];

/// Why those were not tried that have to do with this set-up, and on demand the others.
pub fn why_not(table: &RemedyTable, of_this_set_up: bool) -> Vec<String> {
    let wanted = table.not_tried.iter();
    let wanted = wanted.filter(|(_, reason)| reason.is_of_this_set_up() == of_this_set_up);
    let line = |name: &str, why: &str| format!("Not tried: {name}, because {why}");
    let tried = wanted.map(|(id, reason)| line(name(*id), not_tried(*reason)));
    let not_modelled = NOT_MODELLED.iter().filter(|_| !of_this_set_up);
    tried.chain(not_modelled.map(|(name, why)| line(name, why))).collect()
}

/// How many have nothing to do with this set-up, for a terminal.
pub fn others(n: usize) -> String {
    format!("{n} more have nothing to do with this set-up or cannot be run: --why-not says why")
}

/// What the rows of a group have in common; `None`: it is the schedule as it is.
pub fn title(group: Group, table: &RemedyTable, n_rows: usize) -> Option<String> {
    let is_safe = as_it_is(table).is_some_and(|row| outcome_words::is_safe(row.outcome.kind));
    Some(match group {
        Group::AsItIs => return None,
        Group::Mistakes => "The set-up's own mistakes, put right".to_owned(),
        Group::Safe if is_safe => "What stays safe".to_owned(),
        Group::Safe => "What makes it safe".to_owned(),
        Group::LessHarm => "What leaves less harm, and is not safe".to_owned(),
        Group::NotStruck => "What helps where a fault never strikes".to_owned(),
        Group::NoHelp if n_rows == 1 => "1 that does not help here".to_owned(),
        Group::NoHelp => format!("{n_rows} that do not help here"),
    })
}

/// What the schedule comes to.
pub fn verdict(row: &Row) -> String {
    if row.does_nothing { "Does nothing here".to_owned() } else { outcome(row.outcome, row.at) }
}

/// The pattern beside the verdict; of what does nothing no verdict is told.
pub fn pattern(row: &Row) -> Option<Pattern> {
    (!row.does_nothing).then(|| words(row.outcome.kind, row.outcome.by_luck).pattern)
}

/// That something never strikes in a row's run which strikes in the schedule as it is: `here the
/// delay never strikes`.
pub fn never_strikes(row: &Row, scenario: &Scenario) -> Option<String> {
    let spec = scenario.spec();
    let fails_over = |id: &FaultId| {
        let fault = spec.faults.iter().find(|fault| fault.id == *id);
        fault.is_some_and(|fault| matches!(fault.kind, FaultKind::Failover { .. }))
    };
    // Its length is no noun for it.
    let noun = |id: &FaultId| match fails_over(id) {
        true => "failover",
        false => amount::noun(Quantity::FaultLength(*id), spec),
    };
    let mut nouns: Vec<_> = row.never_strike.iter().map(noun).collect();
    nouns.dedup();
    match nouns[..] {
        [] => None,
        [noun] => Some(format!("here the {noun} never strikes")),
        _ => Some(format!("here these never strike: {}", nouns.join(", "))),
    }
}

/// How bad an outcome is.
pub fn tone(outcome: Outcome) -> Tone {
    words(outcome.kind, outcome.by_luck).tone
}

/// What a run comes to, and when its first event is.
pub fn outcome(outcome: Outcome, at: Option<SimTime>) -> String {
    outcome_words::told(outcome.kind, outcome.by_luck, at)
}

/// Where it breaks: the ranges of the main quantity in which a run is not safe; for a row that
/// checks, with the fault between check and write as well.
pub fn breaks(row: &Row, about: About<'_>) -> String {
    let ranges = match &row.breaks {
        Breaks::In(ranges) => ranges,
        Breaks::NotYet => return "…".to_owned(),
        Breaks::AsItIs => return "as it is".to_owned(),
        Breaks::NoQuantity => return "–".to_owned(),
    };
    let own = range_words::cell(ranges, about);
    let Some(after) = &row.breaks_after_check else {
        return own;
    };
    // The present value is that of the fault where it is, not after the check.
    let after = range_words::cell(after, About { present: None, ..about });
    match after == own {
        true => format!("{own}; after the check: the same"),
        false => format!("{own}; after the check: {after}"),
    }
}

/// Whether a row breaks anywhere, and how loud that is.
pub fn breaks_tone(row: &Row) -> Tone {
    let all = row.breaks.ranges().into_iter().chain(&row.breaks_after_check);
    let tones = all.flat_map(|ranges| &ranges.all).map(|range| tone(range.outcome));
    // What is late but harmless does not break.
    tones.filter(|tone| *tone == Tone::Damage).max().unwrap_or(Tone::Plain)
}

/// What is said of a search that was stopped.
pub fn stopped(table: &RemedyTable) -> Option<String> {
    table.stopped_after.map(stopped_after)
}

/// What is said of a search that was stopped after so many steps.
pub fn stopped_after(steps: u64) -> String {
    let steps = match steps / 1_000_000 {
        0 => format!("{steps} steps"),
        millions => format!("{millions} million steps"),
    };
    format!("Stopped after {steps} of simulation: this schedule takes many in each run")
}

/// What it costs.
pub fn cost(row: &Row, scenario: &Scenario) -> String {
    let mut costs = Vec::new();
    costs.extend(own_cost(row, scenario));
    let refused = row.costs.refused_stale + row.costs.refused_rightful;
    match refused {
        0 => {}
        1 => costs.push("1 write refused".to_owned()),
        more => costs.push(format!("{more} writes refused")),
    }
    if row.costs.refused_rightful > 0 {
        costs.push("a rightful one among them".to_owned());
    }
    if costs.is_empty() { "–".to_owned() } else { costs.join(", ") }
}

/// What a remedy costs whatever the schedule; `None`: nothing to speak of.
fn own_cost(row: &Row, scenario: &Scenario) -> Option<String> {
    let text = match row.id {
        RemedyId::LongerLease => {
            let ttl = scenario.with(&row.patch).ok()?.longest_ttl()?;
            return Some(format!("a dead holder blocks for {}", wording::duration(ttl)));
        }
        RemedyId::TtlCoversWork => {
            let changed = scenario.with(&row.patch).ok()?;
            let ttl = wording::duration(changed.longest_ttl()?);
            return Some(format!("{ttl}, the least that does; it covers no pause"));
        }
        RemedyId::RenewalOn | RemedyId::RenewEveryThird => "a renewal every TTL/3",
        RemedyId::MoreRenewal => "twice the renewals",
        RemedyId::AskAgainWhileWaiting => "no place in the queue",
        RemedyId::RenewalByTheWorker => "the work must come back to it in time",
        RemedyId::CheckBeforeWrite | RemedyId::ReadsByIndex => "one round trip per write",
        RemedyId::Sealed => "one more round trip per grant",
        RemedyId::CompareAndSet => "one read per write",
        RemedyId::Idempotent => "the storage keeps the ids",
        RemedyId::SettlesAtTheEnd => "an item whose worker dies is delivered again",
        RemedyId::DeadLetter => "somebody must look at what is dead",
        RemedyId::StopOnLoss | RemedyId::ExitOnLoss | RemedyId::LetsGoOnDisconnect => {
            "work in hand is given up"
        }
        RemedyId::LocalDeadline
        | RemedyId::LocalDeadlineChecked
        | RemedyId::DeadlineToSpare
        | RemedyId::AllowForClocks => "a holder that cannot renew stops early",
        RemedyId::LockDelay => "nobody is granted for 15 s after a holder failed",
        RemedyId::DelayedRestart => "a node is away for one TTL more",
        RemedyId::ObserversJudge => "a newcomer waits for a whole TTL",
        RemedyId::MajorityLock => "a grant takes a round to a majority",
        RemedyId::LeaseInstead => "a holder must renew in time",
        RemedyId::LivesWithConnection if row.by_its_system => {
            "a lost connection loses the lock; a row of the same database comes to the same"
        }
        RemedyId::LivesWithConnection => "a lost connection loses the lock",
        RemedyId::ConnectionKept | RemedyId::NoIdleTimeout => "one connection per holder",
        RemedyId::KeepsItsState | RemedyId::DurableFence => "one write to disk more",
        RemedyId::EveryStoreChecks => "a check in each store",
        RemedyId::Etcd => "another lock service",
        RemedyId::EtcdTransaction => "lock and value live in etcd",
        RemedyId::SqlTransaction => "lock and value live in the database",
        _ => return None,
    };
    Some(text.to_owned())
}

/// The row of the schedule as it is, if it was run.
pub fn as_it_is(table: &RemedyTable) -> Option<&Row> {
    table.rows.iter().find(|row| row.id == RemedyId::AsItIs)
}

/// The whole table as lines of text, aligned, for a terminal, a chat or a post-mortem.
pub fn as_text(
    title_of: &str,
    table: &RemedyTable,
    scenario: &Scenario,
    about: About<'_>,
) -> String {
    let heads = ["Instead", "This schedule"].into_iter().chain(costs::HEADS);
    let heads: Vec<_> = heads.chain(["Breaks", "Cost"]).map(str::to_owned).collect();
    let cells = |row: &Row| -> Vec<String> {
        let never = never_strikes(row, scenario).map(|never| format!("; {never}"));
        let comes_to = verdict(row) + &never.unwrap_or_default();
        let first = [name(row.id).to_owned(), comes_to].into_iter();
        let all = first.chain(costs::values(&row.costs));
        all.chain([breaks(row, about), cost(row, scenario)]).collect()
    };
    let all: Vec<_> = iter::once(heads.clone()).chain(table.rows.iter().map(cells)).collect();
    let width = |column: usize| all.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<_> = (0..heads.len()).map(|column| width(column).unwrap_or(0)).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut text = format!("What would have saved us? {} (simulated)\n", wording::title(title_of));
    text += &line(&heads);
    for (group, rows) in table.grouped() {
        let title = title(group, table, rows.len());
        text.extend(title.map(|title| format!("{title}:\n")));
        text.extend(rows.into_iter().map(|row| line(&cells(row))));
    }
    text.extend(why_not(table, true).into_iter().map(|line| format!("{line}\n")));
    text.extend(stopped(table).map(|stopped| format!("{stopped}\n")));
    text
}

/// The same as JSON, an object a line.
pub fn json_lines(table: &RemedyTable, scenario: &Scenario) -> String {
    json::lines(table, scenario)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_remedy_has_a_name_of_its_own_in_the_order_of_the_table() {
        let named: Vec<_> = NAMES.iter().map(|(id, _)| *id).collect();
        assert_eq!(named, RemedyId::ALL);
        let names: std::collections::BTreeSet<_> = NAMES.iter().map(|(_, name)| name).collect();
        assert_eq!(names.len(), NAMES.len());
    }
}
