//! The words of choosing a lock system: what each came to on this schedule, which settings no
//! longer apply, and what would help where a fence compares nothing. It reads and decides nothing.

use std::collections::BTreeMap;

use super::remedy_words;
use super::verdict::{Pattern, Tone};
use crate::explore::systems::{Note, SystemRow, SystemSearch, Tried};
use crate::sim::lock::{Fixed, TokenWorth, info};
use crate::sim::plain_text::one_line;
use crate::sim::scenario::{
    CannotFence, Change, LeaseSpec, Resource, ScenarioFile, ScenarioSpec, resource_info,
};
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::systems::{self, Offer};
use crate::view_model::words::names::Words;
use crate::view_model::words::outcome_words::{OutcomeWords, words};
use crate::view_model::words::wording;

/// The heads of the table of systems.
pub const HEADS: [&str; 6] =
    ["Lock system", "Without a fence", "With a fence", "Lease late by", "Can fence", "Token"];

/// What a run of the table came to, how loud and with which pattern; `None`: it was not made.
pub fn cell(tried: Option<&Tried>) -> Option<(String, Tone, Pattern)> {
    let tried = tried?;
    let text = remedy_words::outcome(tried.outcome, tried.at);
    let OutcomeWords { tone, pattern, .. } = words(tried.outcome.kind, tried.outcome.by_luck);
    Some((text, tone, pattern))
}

/// Why a run with a fence was not made.
pub fn no_fence(row: &SystemRow) -> &'static str {
    match (&row.without, row.worth) {
        (None, _) if row.notes.contains(&Note::NoSuchNode) => "not applicable",
        (None, _) => "not comparable",
        (Some(_), TokenWorth::Nothing) => "nothing to compare",
        (Some(_), TokenWorth::Ordered | TokenWorth::Unordered) => "the storage compares nothing",
    }
}

/// How late its lease ended in this run.
pub fn late(row: &SystemRow) -> String {
    let none = if row.without.is_some() { "none expired" } else { "–" };
    row.late.map_or_else(|| none.to_owned(), wording::duration)
}

/// Whether its token can fence on this schedule.
pub fn can_fence(row: &SystemRow) -> &'static str {
    match row.worth {
        TokenWorth::Ordered => "yes",
        TokenWorth::Unordered => "no: no order",
        TokenWorth::Nothing => "no: no token",
    }
}

/// What its token is on this schedule.
pub fn token(search: &SystemSearch, row: &SystemRow) -> &'static str {
    let spec = ScenarioSpec { lock: row.system, ..search.scenario().spec().clone() };
    systems::token(&spec)
}

/// What is said beside the rows, once for all systems that it is said of.
pub fn notes(search: &SystemSearch, words: &Words) -> Vec<String> {
    let mut by_note: BTreeMap<Note, Vec<&str>> = BTreeMap::new();
    for row in search.rows() {
        for note in &row.notes {
            by_note.entry(*note).or_default().push(info(row.system).name);
        }
    }
    by_note.into_iter().map(|(note, names)| said(note, &names.join(", "), words)).collect()
}

fn said(note: Note, systems: &str, words: &Words) -> String {
    match note {
        Note::NoSuchNode => {
            format!("Not applicable to {systems}: a fault strikes a lock node that is not there")
        }
        Note::NeverThere(client) => {
            let client = words.client(client);
            format!(
                "Not comparable, {systems}: {client} holds the lock here when it is paused, and \
                 never comes so far there"
            )
        }
        Note::Lease(lease) => {
            let lease = wording::duration(lease);
            format!("{systems}: a lease lasts {lease} there, whatever is asked for here")
        }
        Note::RenewDeadline(deadline) => {
            let deadline = wording::duration(deadline);
            format!(
                "{systems}: with a renew deadline of {deadline}, two thirds of the lease; with its \
                 usual one it does not start, because the lease is no longer"
            )
        }
        Note::Moved(client, at, step) => {
            let client = words.client(client);
            let (at, step) = (wording::time(at), wording::step(step));
            format!(
                "{systems}: {client} does not hold the lock at {at} there, so its pause begins \
                 {step} instead"
            )
        }
        Note::NotHolder(client, at) => {
            let client = words.client(client);
            let at = wording::time(at);
            format!(
                "{systems}: {client} does not hold the lock at {at} there, so the fault strikes \
                 another situation than here"
            )
        }
        Note::Undecided(length) => {
            let length = wording::duration(length);
            format!("{systems}: not all is decided within {length}; it may come to worse")
        }
    }
}

/// Why a system was not tried.
pub const NO_TURN: &str = "the search was stopped before its turn";

/// What is said of a table that was stopped.
pub fn stopped(search: &SystemSearch) -> Option<String> {
    let budget = search.budget();
    budget.is_spent().then(|| remedy_words::stopped_after(budget.whole()))
}

/// The whole table as lines of text.
pub fn as_text(title: &str, search: &SystemSearch, words: &Words) -> String {
    let rows = search.rows();
    let mut lines = vec![HEADS.map(str::to_owned)];
    for row in rows {
        let tried = |tried: &Option<Tried>| {
            cell(tried.as_ref()).map_or_else(|| no_fence(row).to_owned(), |(text, ..)| text)
        };
        lines.push([
            info(row.system).name.to_owned(),
            tried(&row.without),
            tried(&row.with),
            late(row),
            can_fence(row).to_owned(),
            token(search, row).to_owned(),
        ]);
    }
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths = [0, 1, 2, 3, 4].map(|column| width(column).unwrap_or(0));
    let title = one_line(title);
    let mut text = format!("Every lock system on this schedule: {title} (simulated)\n");
    for [name, without, with, late, can, token] in &lines {
        let [one, two, three, four, five] = widths;
        text.push_str(&format!(
            "{name:<one$}  {without:<two$}  {with:<three$}  {late:<four$}  {can:<five$}  {token}\n"
        ));
    }
    for system in search.not_tried() {
        text.push_str(&format!("Not tried: {}, because {NO_TURN}\n", system.name));
    }
    text.extend(notes(search, words).into_iter().map(|note| format!("{note}\n")));
    text.extend(stopped(search).map(|stopped| format!("{stopped}\n")));
    text
}

/// The name of a setting that a system or a resource can settle.
fn fixed(setting: Fixed) -> &'static str {
    match setting {
        Fixed::TokenSource => "where tokens come from",
        Fixed::Expiry => "who judges expiry",
        Fixed::Clock => "the service's clock",
        Fixed::OwnerCheck => "owner check",
        Fixed::LockDelay => "lock-delay",
        Fixed::Grace => "grace",
        Fixed::MinHold => "least hold",
        Fixed::Cap => "how long a lease may be renewed",
        Fixed::Item => "items of a queue",
        Fixed::Ends => "when an end is acted on",
        Fixed::Late => "what a late holder is told",
        Fixed::ConnectionBound => "life with the connection",
        Fixed::TwoSteps => "acquire in two steps",
        Fixed::Wait => "how clients wait",
        Fixed::Session => "sessions",
        Fixed::WaiterCheck => "waiter check",
        Fixed::HandOff => "order of the hand-off",
        Fixed::Identity => "names of clients",
        Fixed::Renew => "renewal",
        Fixed::Fencing => "fencing",
        Fixed::Rule => "which tokens are refused",
        Fixed::Seal => "seal",
        Fixed::CheckGap => "gap between check and write",
        Fixed::UncheckedStores => "stores that cannot check",
        Fixed::Durable => "whether the fence survives a restart",
        Fixed::Operation => "operation",
        Fixed::Deadline => "the local deadline",
    }
}

/// Whether a setting is off that few set-ups have: nothing of theirs is kept there.
fn is_off(setting: Fixed, lease: &LeaseSpec) -> bool {
    let usual = LeaseSpec::default();
    match setting {
        Fixed::MinHold => lease.min_hold == usual.min_hold,
        Fixed::Cap => lease.cap == usual.cap,
        Fixed::Item => lease.item == usual.item,
        Fixed::Ends | Fixed::Late => lease.ends == usual.ends,
        _ => false,
    }
}

/// What no longer applies after another system or resource was chosen; `None`: nothing.
pub fn no_longer_apply(before: &ScenarioSpec, after: &ScenarioSpec) -> Option<String> {
    let fixes = |spec: &ScenarioSpec| {
        [info(spec.lock).fixes, resource_info(spec.storage.resource).fixes].concat()
    };
    let old = fixes(before);
    let new = fixes(after).into_iter();
    let new = new.filter(|setting| !old.contains(setting) && !is_off(*setting, &before.lease));
    let names: Vec<_> = new.map(fixed).collect();
    if names.is_empty() {
        return None;
    }
    let who = match before.lock == after.lock {
        true => resource_info(after.storage.resource).name,
        false => info(after.lock).name,
    };
    Some(format!("{who} settles these itself; yours are kept: {}", names.join(", ")))
}

/// The place of a storage that cannot fence: why, and the ways out.
pub type NoFence = (String, Vec<Offer>);

/// What is said where a fence was asked for and compares nothing, and what would help.
pub fn compares_nothing(file: &ScenarioFile, runs: &Runs) -> Option<NoFence> {
    let why = runs.run_1.scenario().cannot_fence()?;
    let spec = runs.run_1.scenario().spec();
    if FencingMode::of(file) == FencingMode::Off || runs.run_2.is_some() {
        return None;
    }
    let idempotent = Offer {
        name: "Make the operation idempotent",
        changes: vec![Change::Idempotent(true)],
        compared: true,
    };
    match why {
        CannotFence::NoToken => {
            let name = systems::takes(spec);
            let text = format!("{name} gives no growing number: a fence has nothing to compare.");
            Some((text, systems::ways_to_a_token(spec)))
        }
        CannotFence::Resource(resource) => {
            let text = match resource {
                Resource::ExternalCall => {
                    "No fence reaches an external call: only an idempotent operation helps."
                }
                Resource::CannotCheck
                | Resource::Generic
                | Resource::SqlRow
                | Resource::ObjectStore => {
                    "This store compares nothing: only an idempotent operation helps."
                }
            };
            let is_new = !spec.storage.idempotent;
            Some((text.to_owned(), is_new.then_some(idempotent).into_iter().collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::LockSystem;
    use crate::sim::time::SimDuration;

    #[test]
    fn the_table_reads_as_text() {
        let base = GALLERY[0].file().base().expect("valid");
        let text =
            as_text("The paused holder", &SystemSearch::new(&base).finish(), &Words::default());
        let line = |start: &str| {
            let found = text.lines().find(|line| line.starts_with(start));
            found.unwrap_or_default().split("  ").filter(|part| !part.is_empty()).count()
        };
        assert_eq!(line("Lease server"), 6, "{text}");
        assert!(text.contains("310 ms"), "{text}");
        assert!(text.contains("Corrupted at 17.1 s"), "{text}");
    }

    #[test]
    fn what_no_longer_applies_is_what_the_new_choice_settles() {
        let before = GALLERY[0].file().scenario;
        let mut after = before.clone();
        assert_eq!(no_longer_apply(&before, &after), None);
        after.lock = LockSystem::Etcd;
        let text = no_longer_apply(&before, &after).expect("etcd settles much");
        assert!(text.starts_with("etcd settles") && text.contains("lock-delay"), "{text}");
        assert!(!text.contains("least hold"), "{text}");
        let held = ScenarioSpec {
            lease: LeaseSpec { min_hold: SimDuration::from_secs(1), ..before.lease.clone() },
            ..before.clone()
        };
        let text = no_longer_apply(&held, &after).expect("etcd settles much");
        assert!(text.contains("least hold"), "{text}");
        let mut row = after.clone();
        row.storage.resource = Resource::SqlRow;
        let text = no_longer_apply(&after, &row).expect("a row settles its rule");
        assert!(text.starts_with("SQL row") && !text.contains("lock-delay"), "{text}");
        assert_eq!(no_longer_apply(&row, &before), None, "the lease server leaves all open");
    }

    #[test]
    fn without_a_token_what_would_give_one_is_offered() {
        let mut file = GALLERY[0].file();
        file.scenario.lock = LockSystem::Redis;
        let runs = Runs::of(&file).expect("valid");
        assert!(runs.run_2.is_none(), "no copy as Run 2");
        let (text, offers) = compares_nothing(&file, &runs).expect("nothing is compared");
        let said = "Redis SET gives no growing number: a fence has nothing to compare.";
        assert_eq!(text, said);
        let names: Vec<_> = offers.iter().map(|offer| offer.name).collect();
        let ways =
            ["Add a counter in the same script", "Count in the database", "Use etcd instead"];
        assert_eq!(names, ways);
        for change in &offers[0].changes {
            change.apply(&mut file.scenario).expect("fits");
        }
        let helped = Runs::of(&file).expect("valid");
        assert!(helped.run_2.is_some() && compares_nothing(&file, &helped).is_none());
    }

    #[test]
    fn before_a_store_that_cannot_check_only_idempotence_is_offered() {
        let mut file = GALLERY[0].file();
        let said = |file: &ScenarioFile| compares_nothing(file, &Runs::of(file).expect("valid"));
        assert_eq!(said(&file), None);
        file.scenario.storage.resource = Resource::CannotCheck;
        let (text, offers) = said(&file).expect("nothing is compared");
        assert!(text.contains("only an idempotent operation helps"), "{text}");
        assert_eq!(offers.len(), 1);
        assert!(offers[0].compared);
        FencingMode::Off.write_to(&mut file);
        assert_eq!(said(&file), None, "nobody asked for a fence");
    }
}
