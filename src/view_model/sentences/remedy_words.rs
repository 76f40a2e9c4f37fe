//! The words of “What would have saved us?”: the table's cells for the page, and the whole table as
//! lines for a chat or a post-mortem. It reads the table and decides nothing.

use super::range_words::{self, About};
use super::verdict::Tone;
use crate::explore::remedies::Row;
use crate::explore::{NotTried, Outcome, RemedyId, RemedyTable};
use crate::sim::{Scenario, SimTime};
use crate::view_model::words::outcome_words::{self, words};
use crate::view_model::words::wording;

/// The argument, as colleagues make it.
pub fn name(id: RemedyId) -> &'static str {
    match id {
        RemedyId::AsItIs => "As it is",
        RemedyId::LongerLease => "TTL × 2",
        RemedyId::MoreRenewal => "Renew more often",
        RemedyId::CheckBeforeWrite => "Check the lease before the write",
        RemedyId::LocalDeadline => "A deadline of the client's own",
        RemedyId::LocalDeadlineChecked => "Check its own deadline before the write",
        RemedyId::OwnerCheck => "Owner check on release and renew",
        RemedyId::Idempotent => "Idempotent operation",
        RemedyId::RejectLower => "Fencing token",
        RemedyId::RejectLowerOrEqual => "Fencing token, equal refused too",
        RemedyId::Sealed => "Fencing token + seal",
        RemedyId::CompareAndSet => "Compare-and-set on the value's version",
        RemedyId::Etcd => "etcd + fencing token",
        RemedyId::Sql => "SQL row, lock and value in one database",
    }
}

/// Why an argument was not tried.
pub fn not_tried(reason: NotTried) -> &'static str {
    match reason {
        NotTried::NoTimeToLive => "this lock has no time to live",
        NotTried::AlreadyOn => "this set-up has it already",
        NotTried::NoOrderedToken => "this token has no order: nothing to compare",
        NotTried::CannotCheck => "what is protected compares nothing",
        NotTried::SettledByResource => "what is protected settles how it checks",
        NotTried::NothingDoneTwice => "each client does its own work, once",
        NotTried::SeveralWritesPerGrant => "it would refuse the holder's own second write",
        NotTried::BudgetSpent => "the search was stopped before its turn",
    }
}

/// What the schedule comes to.
pub fn verdict(row: &Row) -> String {
    outcome(row.outcome, row.at)
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
    let Some(ranges) = &row.ranges else {
        return "–".to_owned();
    };
    let own = range_words::cell(ranges, about);
    let Some(after) = &row.ranges_after_check else {
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
    let all = [&row.ranges, &row.ranges_after_check].into_iter().flatten();
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
    let ttl = scenario.ttl().unwrap_or_default();
    match row.id {
        RemedyId::LongerLease => {
            costs.push(format!("a dead holder blocks for {}", wording::duration(ttl.times(2))));
        }
        RemedyId::MoreRenewal => costs.push("twice the renewals".to_owned()),
        RemedyId::CheckBeforeWrite => costs.push("one round trip per write".to_owned()),
        RemedyId::Sealed => costs.push("one more round trip per grant".to_owned()),
        RemedyId::CompareAndSet => costs.push("one read per write".to_owned()),
        RemedyId::Idempotent => costs.push("the storage keeps the ids".to_owned()),
        RemedyId::LocalDeadline | RemedyId::LocalDeadlineChecked => {
            costs.push("a holder that cannot renew stops early".to_owned());
        }
        RemedyId::Etcd => costs.push("another lock service".to_owned()),
        RemedyId::Sql => costs.push("lock and value live in the database".to_owned()),
        RemedyId::AsItIs
        | RemedyId::OwnerCheck
        | RemedyId::RejectLower
        | RemedyId::RejectLowerOrEqual => {}
    }
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

/// The whole table as lines of text, aligned, for a terminal, a chat or a post-mortem.
pub fn as_text(title: &str, table: &RemedyTable, scenario: &Scenario, about: About<'_>) -> String {
    let mut lines = vec![[
        "Instead".to_owned(),
        "This schedule".to_owned(),
        "Breaks".to_owned(),
        "Cost".to_owned(),
    ]];
    for row in &table.rows {
        let cells =
            [name(row.id).to_owned(), verdict(row), breaks(row, about), cost(row, scenario)];
        lines.push(cells);
    }
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths = [0, 1, 2].map(|column| width(column).unwrap_or(0));
    let title = wording::title(title);
    let mut text = format!("What would have saved us? {title} (simulated)\n");
    for [instead, verdict, breaks, cost] in &lines {
        let [one, two, three] = widths;
        text.push_str(&format!("{instead:<one$}  {verdict:<two$}  {breaks:<three$}  {cost}\n"));
    }
    for (id, reason) in &table.not_tried {
        text.push_str(&format!("Not tried: {}, because {}\n", name(*id), not_tried(*reason)));
    }
    text.extend(stopped(table).map(|stopped| format!("{stopped}\n")));
    text
}
