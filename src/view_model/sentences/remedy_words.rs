//! The words of “What would have saved us?”: the table's cells for the page, and the whole table as
//! lines for a chat or a post-mortem. It reads the table and decides nothing.

use super::verdict::Tone;
use crate::explore::remedies::Row;
use crate::explore::{BreaksFrom, NotTried, Outcome, RemedyId, RemedyTable};
use crate::sim::scenario::{Quantity, ScenarioSpec};
use crate::sim::{Scenario, SimDuration, SimTime};
use crate::view_model::controls::amount;
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

/// From which length of the main fault on it corrupts; with the fault between check and write, if
/// that is worse.
pub fn breaks_from(row: &Row, main: Quantity, spec: &ScenarioSpec) -> String {
    let what = amount::noun(main, spec);
    let found = match (row.breaks, row.breaks_after_check) {
        (_, Some(BreaksFrom::Above(edge))) => {
            format!("{what} after the check, above {}", wording::duration(edge))
        }
        (_, Some(BreaksFrom::Always)) => format!("any {what} after the check"),
        (BreaksFrom::Above(edge), _) => format!("{what} above {}", wording::duration(edge)),
        (BreaksFrom::Always, _) => format!("any {what}"),
        (BreaksFrom::Never(most), _) => format!("never, up to {}", minutes(most)),
        (BreaksFrom::NotSearched, _) => "not searched".to_owned(),
        (BreaksFrom::NoFault, _) => "–".to_owned(),
    };
    match row.breaks_after_check {
        Some(BreaksFrom::NotSearched) if row.breaks != BreaksFrom::NotSearched => {
            format!("{found}; after the check: not searched")
        }
        _ => found,
    }
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

fn minutes(length: SimDuration) -> String {
    let minutes = length.micros() / 60_000_000;
    if minutes > 0 { format!("{minutes} min") } else { length.to_string() }
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
pub fn as_text(title: &str, table: &RemedyTable, scenario: &Scenario, main: Quantity) -> String {
    let mut lines = vec![[
        "Instead".to_owned(),
        "This schedule".to_owned(),
        "Breaks from".to_owned(),
        "Cost".to_owned(),
    ]];
    for row in &table.rows {
        let cells = [
            name(row.id).to_owned(),
            verdict(row),
            breaks_from(row, main, scenario.spec()),
            cost(row, scenario),
        ];
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
