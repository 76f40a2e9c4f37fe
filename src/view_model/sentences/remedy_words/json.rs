//! The table of remedies as JSON, an object a line: a row, a remedy that was not tried, and that
//! the search was stopped, if it was.

use serde::Serialize;

use super::{NOT_MODELLED, cost, name, not_tried};
use crate::explore::remedies::{Group, Row};
use crate::explore::{Range, Ranges, RemedyTable};
use crate::sim::Scenario;
use crate::sim::plain_text::with_escapes;

#[derive(Serialize)]
struct Tried {
    remedy: &'static str,
    group: &'static str,
    verdict: String,
    by_luck: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    does_nothing: bool,
    /// The ids of faults that never strike here.
    never_strike: Vec<u16>,
    units_done: u32,
    units_begun: u32,
    rightful_writes_refused: u32,
    held_without_work: String,
    idle_though_wanted: String,
    redeliveries: u32,
    longest_wait: String,
    cost: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    breaks: Option<Found>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breaks_after_check: Option<Found>,
}

#[derive(Serialize)]
struct NotTried {
    remedy: &'static str,
    not_tried: &'static str,
    of_this_set_up: bool,
}

#[derive(Serialize)]
struct Stopped {
    stopped_after_steps: u64,
}

/// The ranges of the main quantity, all of them.
#[derive(Serialize)]
struct Found {
    ranges: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<[String; 2]>,
    searched_to: String,
    samples: u32,
    was_stopped: bool,
}

#[derive(Serialize)]
struct Part {
    from: String,
    to: String,
    verdict: String,
    by_luck: bool,
}

/// The rows in the order of the table, then what was not tried.
pub(super) fn lines(table: &RemedyTable, scenario: &Scenario) -> String {
    let mut text = String::new();
    for (group, rows) in table.grouped() {
        rows.into_iter().for_each(|row| push(&mut text, &tried(row, group, scenario)));
    }
    for (id, reason) in &table.not_tried {
        let of_this_set_up = reason.is_of_this_set_up();
        let why = NotTried { remedy: name(*id), not_tried: not_tried(*reason), of_this_set_up };
        push(&mut text, &why);
    }
    for (remedy, not_tried) in NOT_MODELLED {
        push(&mut text, &NotTried { remedy, not_tried, of_this_set_up: false });
    }
    if let Some(stopped_after_steps) = table.stopped_after {
        push(&mut text, &Stopped { stopped_after_steps });
    }
    text
}

fn push(text: &mut String, line: &impl Serialize) {
    let json = serde_json::to_string(line).expect("plain data always serialises");
    text.push_str(&with_escapes(&json));
    text.push('\n');
}

fn tried(row: &Row, group: Group, scenario: &Scenario) -> Tried {
    let costs = &row.costs;
    Tried {
        remedy: name(row.id),
        group: group_name(group),
        verdict: row.outcome.kind.name_in_files(),
        by_luck: row.outcome.by_luck,
        at: row.at.map(|at| at.to_string()),
        does_nothing: row.does_nothing,
        never_strike: row.never_strike.iter().map(|fault| fault.0).collect(),
        units_done: costs.units_done,
        units_begun: costs.units_begun,
        rightful_writes_refused: costs.refused_rightful,
        held_without_work: costs.held_without_work.to_string(),
        idle_though_wanted: costs.idle_though_wanted.to_string(),
        redeliveries: costs.redeliveries,
        longest_wait: costs.longest_wait.to_string(),
        cost: cost(row, scenario),
        breaks: row.breaks.ranges().map(found),
        breaks_after_check: row.breaks_after_check.as_ref().map(found),
    }
}

fn group_name(group: Group) -> &'static str {
    match group {
        Group::AsItIs => "as_it_is",
        Group::Mistakes => "mistakes",
        Group::Safe => "safe",
        Group::LessHarm => "less_harm",
        Group::NotStruck => "not_struck",
        Group::NoHelp => "no_help",
    }
}

fn found(ranges: &Ranges) -> Found {
    let part = |range: &Range| Part {
        from: range.from.to_string(),
        to: range.to.to_string(),
        verdict: range.outcome.kind.name_in_files(),
        by_luck: range.outcome.by_luck,
    };
    Found {
        ranges: ranges.all.iter().map(part).collect(),
        complete: ranges.complete.map(|(from, to)| [from.to_string(), to.to_string()]),
        searched_to: ranges.searched_to.to_string(),
        samples: ranges.n_samples,
        was_stopped: ranges.is_cut,
    }
}
