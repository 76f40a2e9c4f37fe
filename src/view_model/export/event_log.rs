//! The event log as JSON, one object a line: what scripts filter best. The page and the command
//! line write the same.

use serde::Serialize;

use crate::sim::recording::Recording;

/// An entry as JSON. Instants and events are the log's own text.
#[derive(Serialize)]
struct Line {
    seq: u32,
    at: String,
    node: String,
    event: String,
    cause: Option<u32>,
}

/// A run's log, one JSON object a line.
pub fn json_lines(recording: &Recording) -> String {
    let mut text = String::new();
    for entry in recording.entries() {
        let line = Line {
            seq: entry.seq.0,
            at: entry.at.to_string(),
            node: entry.node.to_string(),
            event: entry.event.to_string(),
            cause: entry.cause.map(|cause| cause.seq().0),
        };
        text += &serde_json::to_string(&line).expect("plain data always serialises");
        text.push('\n');
    }
    text
}
