//! The write-up: a race in Markdown, for a post-mortem. What happened and when, why, where it
//! breaks and what would have saved it, with the picture inside as a data URI. What was not
//! searched is left out. What people wrote is shown as text: no mark of it becomes Markdown or
//! HTML.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::sim::limits::MAX_WRITE_UP_EVENTS;
use crate::sim::lock;
use crate::sim::plain_text::one_line;
use crate::sim::scenario::resource_info;
use crate::sim::time::SimTime;
use crate::view_model::panels::row::{Filter, rows};
use crate::view_model::runs::labels;
use crate::view_model::sentences::remedy_words as remedies;
use crate::view_model::sentences::{range_words, verdict, why};
use crate::view_model::words::outcome_words;
use crate::view_model::words::wording::{self, time};

use super::drawing::{drawn, notes};
use super::subject::Subject;
use super::svg::{self, SIMULATION};

/// The write-up.
pub(super) fn write_up(subject: &Subject) -> String {
    let parts = [
        head(subject),
        picture(subject),
        what_happened(subject),
        why_it_did(subject),
        where_it_breaks(subject),
        what_would_have_saved_us(subject),
        foot(subject),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Text of people's as text, on one line.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for char in one_line(text).chars() {
        match char {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '$' => {
                plain.push('\\');
                plain.push(char);
            }
            char => plain.push(char),
        }
    }
    plain
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.iter().map(|cell| plain(cell)).collect::<Vec<_>>().join(" | "))
}

fn table(heads: &[&str], body: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = row(&heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>());
    text += &format!("|{}\n", "---|".repeat(heads.len()));
    text.extend(body.map(|cells| row(&cells)));
    text
}

/// What it is, where, and what it came to.
fn head(subject: &Subject) -> String {
    let Subject { file, runs, .. } = subject;
    let spec = &file.scenario;
    let mut text = format!("# {}\n\n", plain(&wording::title(&file.title)));
    text += "> This is a simulation, made with Fenceline. Its times are those of a model with the \
             numbers given here, and no measurement.\n\n";
    if !file.notes.trim().is_empty() {
        text += &format!("{}\n\n", plain(file.notes.trim()));
    }
    for (run, recording) in runs.shown() {
        let Some(came_to) = verdict::of_run(runs, run) else { continue };
        let kind = recording.verdict().kind;
        let meaning = outcome_words::words(kind, recording.verdict().by_luck).meaning;
        let label = plain(&labels::run_label_capital(runs, run));
        text += &format!("- {label}: **{}**. {meaning}\n", came_to.text);
    }
    let (system, resource) =
        (lock::info(spec.lock).name, resource_info(spec.storage.resource).name);
    let numbers = [
        match &spec.product {
            Some(product) => format!("lock system {system}, set up as {}", plain(product)),
            None => format!("lock system {system}"),
        },
        format!("protected: {resource}"),
        format!("time to live {}", wording::duration(spec.lease.ttl)),
        format!("renewed every {}", wording::renew(spec.defaults.renew)),
        format!("work {}", wording::duration(spec.defaults.work)),
        format!("message {}", wording::duration(spec.latency)),
    ];
    text += &format!("- Set-up: {}.\n", numbers.join(", "));
    for fault in spec.faults.iter().filter(|fault| fault.enabled) {
        let name = runs.words.fault(&fault.kind);
        let at = fault.kind.starts_at().map(|at| format!(", at {}", when(subject, at)));
        let length = fault.kind.length().map(|it| format!(", {}", wording::duration(it)));
        let told = [at, length].into_iter().flatten().collect::<String>();
        let label = match fault.label.is_empty() {
            true => String::new(),
            false => format!(" ({})", fault.label),
        };
        text += &format!("- What goes wrong: {}.\n", plain(&format!("{name}{told}{label}")));
    }
    if let Some(clock) = runs.words.clock {
        let zone = one_line(&file.incident.zone);
        let zone = if zone.is_empty() { String::new() } else { format!(" ({zone})") };
        let start = plain(&format!("{}{zone}", clock.start()));
        text += &format!("- Times of day are simulated, too: 0 s is {start}.\n");
    }
    text
}

/// An instant: the time of day where the incident has one.
fn when(subject: &Subject, at: SimTime) -> String {
    subject.runs.words.clock.map_or_else(|| time(at), |clock| clock.time_of_day(at, 3))
}

fn picture(subject: &Subject) -> String {
    let about = notes(subject, &drawn(subject, svg::inner()).layout).join(". ");
    let about = if about.is_empty() { "The timeline".to_owned() } else { about };
    let data = STANDARD.encode(svg::svg(subject));
    format!("![{}](data:image/svg+xml;base64,{data})\n", plain(&about))
}

/// The events that matter: what is routine is counted.
fn what_happened(subject: &Subject) -> String {
    let runs = &subject.runs;
    let around = runs.moments.n_until(runs.opens_at());
    let all = rows(runs, &Filter::default(), around, &[], u32::MAX).rows;
    let middle = all.iter().position(|row| row.at >= runs.opens_at()).unwrap_or_default();
    let from = middle.saturating_sub(MAX_WRITE_UP_EVENTS * 3 / 4);
    let shown = all.iter().skip(from).take(MAX_WRITE_UP_EVENTS);
    let left_out = all.len() - shown.len();
    let body = shown.map(|row| vec![when(subject, row.at), row.lines.join("; ")]);
    let mut text = "## What happened\n\n".to_owned() + &table(&["Time", "Event"], body);
    if left_out > 0 {
        let events = wording::plural(left_out as u64, "more line", "more lines");
        text += &format!("\n{events} of the list: earlier, or later.\n");
    }
    text
}

/// What decided each run, and what that does not happen without.
fn why_it_did(subject: &Subject) -> String {
    let runs = &subject.runs;
    let mut text = String::new();
    let at = runs.opens_at();
    let spoken = why::spoken_of(runs, runs.moments.n_until(at));
    if let Some(why) = spoken.and_then(|index| why::why(runs, index)) {
        text += &format!("{}: {}\n", when(subject, why.at), plain(&why.text));
    }
    for (run, found) in &subject.found.causes {
        let label = plain(&labels::run_label_capital(runs, *run));
        let lines: Vec<_> = found.lines().map(plain).collect();
        text += &format!("\n{label}: {}\n", lines.join(" "));
    }
    if text.is_empty() { text } else { format!("## Why\n\n{text}") }
}

fn where_it_breaks(subject: &Subject) -> String {
    let about = range_words::about(&subject.file);
    let clauses = range_words::sentences(&subject.runs, &subject.found.ranges, about);
    if clauses.is_empty() {
        return String::new();
    }
    let told: Vec<_> = clauses.iter().map(|clause| plain(&clause.text)).collect();
    format!("## Where it breaks\n\nBy the {}: {}\n", about.what, told.join(" "))
}

/// The remedies that were run on this schedule.
fn what_would_have_saved_us(subject: &Subject) -> String {
    let found = &subject.found.remedies;
    if found.rows.is_empty() {
        return String::new();
    }
    let about = range_words::about(&subject.file);
    let scenario = subject.runs.run_1.scenario();
    let body = found.rows.iter().map(|row| {
        let never = remedies::never_strikes(row, scenario).map(|never| format!("; {never}"));
        vec![
            remedies::name(row.id).to_owned(),
            remedies::verdict(row) + &never.unwrap_or_default(),
            remedies::breaks(row, about),
            remedies::cost(row, scenario),
        ]
    });
    let heads = ["Instead", "This schedule", "Breaks", "Cost"];
    let mut text = "## What would have saved us\n\n".to_owned() + &table(&heads, body);
    text.extend(remedies::stopped(found).map(|stopped| format!("\n{}\n", plain(&stopped))));
    text
}

fn foot(subject: &Subject) -> String {
    let link = subject.link.as_ref();
    let open = link.map(|link| format!(" [Open this run, and change it](<{link}>)."));
    format!("---\n\n{SIMULATION}.{}\n", open.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::view_model::outside::export::Export;

    #[test]
    fn what_people_wrote_stays_text() {
        let mut file = GALLERY[0].file();
        file.title = "a](javascript:x) <script> `b` |\n# c".to_owned();
        file.notes = "![x](http://host/) | *d*".to_owned();
        let subject = Subject::of(file).expect("valid");
        let text = Export::WriteUp.text(&subject);
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first, "# a\\](javascript:x) &lt;script&gt; \\`b\\` \\| \\# c");
        assert!(text.contains("\n\\!\\[x\\](http://host/) \\| \\*d\\*\n"), "{text}");
        assert!(!text.contains("<script"));
    }

    #[test]
    fn what_was_not_searched_is_left_out() {
        let text = Export::WriteUp.text(&Subject::of(GALLERY[0].file()).expect("valid"));
        assert!(text.contains("## What happened") && text.contains("This is a simulation"));
        assert!(!text.contains("## Where it breaks") && !text.contains("saved us"));
    }
}
