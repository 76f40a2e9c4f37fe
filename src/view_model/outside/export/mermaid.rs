//! A run as a sequence diagram in Mermaid: an arrow where a message was handled, a cross where one
//! was lost, a note for what happened. Routine renewals are left out. It reads the log; the words
//! are the page's own.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::sim::fact::{Passed, Sending};
use crate::sim::id::{FencingToken, MessageNo, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::facts::listed;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::{MomentKind, RunNo};
use crate::view_model::sentences::{describe, history, verdict};
use crate::view_model::words::wording;

use crate::sim::plain_text::one_line;

/// Mermaid draws no text that is longer than 50,000 characters; this leaves room for the last line.
const MAX_CHARS: usize = 49_000;

/// The diagram of a run.
pub fn diagram(title: &str, runs: &Runs, run: RunNo) -> String {
    let mut text = String::from("sequenceDiagram\n");
    let Some(recording) = runs.run(run) else {
        return text;
    };
    let label = labels::run_label(runs, run);
    let came_to = verdict::of_run(runs, run).map(|it| it.text).unwrap_or_default();
    line(&mut text, &format!("title {}", escaped(&format!("{title} · {label} · simulated"))));
    let nodes = nodes(recording);
    for node in &nodes {
        let name = runs.words.actor(*node);
        line(&mut text, &format!("participant {} as {}", id(*node), alias(&name)));
    }
    let mut sent = BTreeMap::new();
    let usual = recording.scenario().spec().latency;
    for (index, entry) in recording.entries().iter().enumerate() {
        if let Some(Sending { message, token, .. }) = entry.fact.sending() {
            sent.insert(message, (entry.at, token));
            continue;
        }
        let Some(step) = step(entry, &mut sent, runs, run, usual) else {
            continue;
        };
        if text.len() + step.len() > MAX_CHARS {
            let left = recording.entries().len() - index;
            let note = format!("{left} entries of the log are left out: Mermaid takes no more");
            line(&mut text, &format!("{}: {}", over_all(&nodes), escaped(&note)));
            return text;
        }
        line(&mut text, &step);
    }
    let (explained, _) = history::heading(recording);
    let came_to = format!("{came_to} · {}", explained.trim_start_matches("Yes: "));
    line(&mut text, &format!("{}: {}", over_all(&nodes), escaped(&came_to)));
    text
}

fn line(text: &mut String, what: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "    {what}");
}

fn over_all(nodes: &[NodeId]) -> String {
    match nodes {
        [first, .., last] => format!("Note over {},{}", id(*first), id(*last)),
        [only] => format!("Note over {}", id(*only)),
        [] => "Note".to_owned(),
    }
}

/// Who takes part, as the page's lanes stand: clients, lock nodes, stores.
fn nodes(recording: &Recording) -> Vec<NodeId> {
    let mut nodes: Vec<_> = recording.entries().iter().map(LogEntry::node).collect();
    nodes.extend(recording.entries().iter().filter_map(|entry| Some(entry.fact.sending()?.to)));
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// A name of our own: nothing that people wrote.
fn id(node: NodeId) -> String {
    match node {
        NodeId::Client(client) => format!("c{client}"),
        NodeId::Lock(lock) => format!("lock{}", lock.0),
        NodeId::Store(store) => format!("store{}", store.0),
    }
}

type Sent = BTreeMap<MessageNo, (SimTime, Option<FencingToken>)>;

/// What an entry is in the diagram, if it is anything.
fn step(
    entry: &LogEntry,
    sent: &mut Sent,
    runs: &Runs,
    run: RunNo,
    usual: SimDuration,
) -> Option<String> {
    let (at, here) = (wording::time(entry.at), id(entry.node()));
    if let Some(Passed { message, from, kind, .. }) = entry.fact.handled() {
        let (left, token) = sent.remove(&message)?;
        if is_routine(kind) {
            return None;
        }
        let token = token.map(|token| format!(" {token}")).unwrap_or_default();
        let late = match entry.at.since(left) > usual {
            true => format!(", sent at {}", wording::time(left)),
            false => String::new(),
        };
        let words = escaped(&format!("{at} {}{token}{late}", wording::message(kind)));
        return Some(format!("{}->>{here}: {words}", id(from)));
    }
    if let Some(Passed { message, from, kind, .. }) = entry.fact.lost() {
        sent.remove(&message);
        let words = escaped(&format!("{at} {}, lost", wording::message(kind)));
        return Some(format!("{}-x{here}: {words}", id(from)));
    }
    if listed(&entry.fact).kind.is_none_or(|kind| kind == MomentKind::Renewal) {
        return None;
    }
    let words = format!("{at} {}", describe::event(entry, runs, run));
    Some(format!("Note over {here}: {}", escaped(&words)))
}

/// Whether a message says what everybody expected of a renewal.
fn is_routine(kind: MessageKind) -> bool {
    let routine =
        [MessageKind::Renew, MessageKind::Renewed, MessageKind::KeepAlive, MessageKind::Alive];
    routine.contains(&kind)
}

/// A participant's name. Alone, “end” would close a block.
fn alias(name: &str) -> String {
    match name.trim() {
        "" => escaped("?"),
        name if name.eq_ignore_ascii_case("end") => format!("#{};nd", u32::from('e')),
        name => escaped(name),
    }
}

/// `text` as Mermaid shows it and never reads it: what could mean something to it, or to the HTML
/// that it makes, is written as an entity.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for char in one_line(text).chars() {
        let is_plain =
            char.is_ascii_alphanumeric() || !char.is_ascii() || " .,'()/+=".contains(char);
        match is_plain {
            true => escaped.push(char),
            false => escaped += &format!("#{};", u32::from(char)),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::{Length, Repeat};

    #[test]
    fn what_people_wrote_stays_text() {
        let hostile = "<script>alert(\"`x`\")</script>;\nA->>B: %%{init}%% #35; \u{202e}end";
        let text = escaped(hostile);
        let forbidden = |char: char| "<>\"`;\n%{}#:\u{202e}".contains(char);
        // Every # and ; belongs to an entity.
        let mut rest = text.as_str();
        let mut outside = String::new();
        while let Some((before, after)) = rest.split_once('#') {
            outside += before;
            let (number, after) = after.split_once(';').expect("an entity ends");
            assert!(number.chars().all(|char| char.is_ascii_digit()), "{number}");
            rest = after;
        }
        outside += rest;
        assert!(!outside.contains(forbidden), "{outside}");
        assert_eq!(alias("END"), "#101;nd");
    }

    #[test]
    fn a_hostile_title_adds_no_line() {
        let file = GALLERY[0].file();
        let runs = Runs::of(&file).expect("valid");
        let plain = diagram(&file.title, &runs, RunNo::One);
        let hostile = diagram("x\n    cA->>cB: forged\r\n%% y", &runs, RunNo::One);
        assert_eq!(plain.lines().count(), hostile.lines().count());
        assert_eq!(
            plain.lines().skip(2).collect::<Vec<_>>(),
            hostile.lines().skip(2).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_long_run_says_what_is_left_out() {
        let mut file = GALLERY[0].file();
        let defaults = &mut file.scenario.defaults;
        defaults.repeat = Repeat::After(SimDuration::from_millis(10));
        file.scenario.length = Length::Fixed(SimDuration::from_secs(3_000));
        let runs = Runs::of(&file).expect("valid");
        let text = diagram(&file.title, &runs, RunNo::One);
        assert!(text.len() < 50_000);
        assert!(text.lines().last().is_some_and(|last| last.contains("are left out")));
    }
}
