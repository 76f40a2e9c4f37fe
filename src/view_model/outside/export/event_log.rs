//! The event log as JSON, one object a line: what scripts filter best. The page and the command
//! line write the same.

use serde::Serialize;

use crate::sim::plain_text::one_line;
use crate::sim::plain_text::with_escapes;
use crate::sim::recording::Recording;
use crate::sim::scenario::Incident;
use crate::view_model::words::names::Words;

/// An entry as JSON. Instants and events are the log's own text.
#[derive(Serialize)]
struct Line {
    seq: u32,
    at: String,
    node: String,
    /// What the incident calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The calendar, where the incident has a start.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    event: String,
    cause: Option<u32>,
}

/// A run's log as text; above it, each on a line of its own, what the incident says.
pub fn text(recording: &Recording, incident: &Incident) -> String {
    let mut text = String::new();
    if let Some(start) = incident.start {
        let zone = match incident.zone.is_empty() {
            true => String::new(),
            false => format!(" ({})", one_line(&incident.zone)),
        };
        text += &format!("# 0 s is {start}{zone}, simulated\n");
    }
    for name in &incident.names {
        text += &format!("# {} is {}\n", name.actor, one_line(&name.name));
    }
    text + &recording.log().to_string()
}

/// A run's log, one JSON object a line.
pub fn json_lines(recording: &Recording, incident: &Incident) -> String {
    let words = Words::of(incident, recording.scenario().spec());
    let mut text = String::new();
    for entry in recording.entries() {
        let line = Line {
            seq: entry.seq.0,
            at: entry.at.to_string(),
            node: entry.node().to_string(),
            name: words.given(entry.node()).map(str::to_owned),
            time: words.clock.and_then(|clock| Some(clock.timestamp(entry.at)?.to_string())),
            event: entry.fact.to_string(),
            cause: entry.cause.map(|cause| cause.seq().0),
        };
        let json = serde_json::to_string(&line).expect("plain data always serialises");
        text += &with_escapes(&json);
        text.push('\n');
    }
    text
}
