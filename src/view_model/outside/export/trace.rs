//! All runs as a trace in Chrome's trace-event format (JSON object form), which Perfetto and
//! `chrome://tracing` open: a process for each actor of each run; complete events (`X`) for leases,
//! beliefs, waiting, work, pauses, crashes and values; instants (`i`) for what happened; flows (`s`
//! and `f`) for messages. Times are in microseconds, as the format has them and as the log does.
//!
//! Viewers want the complete events of one thread to nest or not to touch, so each kind has threads
//! of its own, and one more wherever two would overlap. A flow is tied to the complete event that
//! is open where it begins and ends: each message has one of 1 µs at both.

use crate::view_model::runs::labels;
use crate::view_model::words::names::Words;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, NodeId, StoreId};
use crate::sim::limits::MAX_TOLD_UNITS;
use crate::sim::log::LogEntry;
use crate::sim::message::{MessageKind, Step};
use crate::sim::plain_text::with_escapes;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;
use crate::view_model::facts::listed;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::{MomentKind, RunNo};
use crate::view_model::sentences::{describe, history, verdict};
use crate::view_model::tracks::RunTracks;
use crate::view_model::words::wording;

/// Entries of a log that become events: a viewer takes more, but the page would have to hold the
/// text.
const MAX_ENTRIES: usize = 100_000;

/// Threads of each kind: there can be one more wherever two events of a kind overlap.
const PER_KIND: u32 = 100;
/// Threads of each process.
const PER_PROCESS: u32 = 1_000;

/// The kinds of threads, in the order in which a process shows them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Events,
    Messages,
    Leases,
    Belief,
    Waiting,
    Work,
    Pauses,
    Crashes,
    Value,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Events => "Events",
            Self::Messages => "Messages",
            Self::Leases => "Leases",
            Self::Belief => "Belief",
            Self::Waiting => "Waiting",
            Self::Work => "Work",
            Self::Pauses => "Pauses",
            Self::Crashes => "Crashes",
            Self::Value => "Value",
        }
    }

    /// The number of its first thread in a process. Some viewers know threads by their number
    /// alone, so that no two processes may share one.
    fn first_thread(self, pid: u32) -> u32 {
        pid * PER_PROCESS + self as u32 * PER_KIND
    }
}

#[derive(Serialize)]
struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<TraceEvent>,
    #[serde(rename = "displayTimeUnit")]
    unit: &'static str,
    #[serde(rename = "otherData")]
    about: BTreeMap<&'static str, String>,
}

/// An event of the format; absent fields have no meaning in its phase.
#[derive(Serialize, Default)]
struct TraceEvent {
    name: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    cat: &'static str,
    ph: &'static str,
    ts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    pid: u32,
    tid: u32,
    /// Ties the two ends of a flow.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// `e`: a flow ends at the event around it, not at the next one.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    /// `t`: an instant is its thread's.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<&'static str, Arg>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Arg {
    Text(String),
    Number(u32),
}

/// The trace of all runs that are shown.
pub fn trace(title: &str, runs: &Runs) -> String {
    let mut writer = Writer { runs, events: Vec::new(), next_pid: 1 };
    let mut about = BTreeMap::from([
        ("title", title.to_owned()),
        ("simulated", "This is a simulation: nothing of it was measured".to_owned()),
    ]);
    for (run, recording) in runs.shown() {
        writer.run(run, recording);
        let label = match run {
            RunNo::One => "Run 1",
            RunNo::Two => "Run 2",
        };
        let verdict = verdict::of_run(runs, run).map(|it| it.text).unwrap_or_default();
        about.insert(label, format!("{}: {verdict}", labels::run_label(runs, run)));
        let history = match run {
            RunNo::One => "History of Run 1",
            RunNo::Two => "History of Run 2",
        };
        about.insert(history, history::text(&runs.words, recording, MAX_TOLD_UNITS));
        if recording.entries().len() > MAX_ENTRIES {
            about.insert("cut", format!("Events end after {MAX_ENTRIES} entries of the log"));
        }
    }
    let trace = Trace { events: writer.events, unit: "ms", about };
    with_escapes(&serde_json::to_string(&trace).expect("plain data always serialises"))
}

/// What one thread holds: a stretch with its name.
type Stretch = (SimTime, SimTime, String);

struct Writer<'a> {
    runs: &'a Runs,
    events: Vec<TraceEvent>,
    next_pid: u32,
}

impl Writer<'_> {
    fn run(&mut self, run: RunNo, recording: &Recording) {
        let tracks = RunTracks::of(recording);
        let stores = (0_u8..).take(tracks.stores.len());
        let mut nodes: Vec<_> = tracks.flights.routes.keys().flat_map(|it| [it.0, it.1]).collect();
        nodes.extend(recording.entries().iter().map(LogEntry::node));
        nodes.extend(stores.map(|store| NodeId::Store(StoreId(store))));
        nodes.sort_unstable();
        nodes.dedup();
        let pids: BTreeMap<NodeId, u32> = nodes.into_iter().zip(self.next_pid..).collect();
        self.next_pid += u32::try_from(pids.len()).unwrap_or(0);
        for (node, pid) in &pids {
            self.process(run, *node, *pid);
            for (kind, stretches) in stretches(&self.runs.words, *node, &tracks, recording) {
                self.threads(*pid, kind, stretches);
            }
        }
        self.log(run, recording, &pids);
    }

    /// Names a process; processes stand as the page's lanes do.
    fn process(&mut self, run: RunNo, node: NodeId, pid: u32) {
        let words = &self.runs.words;
        let name = match (self.runs.run_2.is_some(), run) {
            (false, _) => words.actor(node),
            (true, RunNo::One) => format!("Run 1 · {}", words.actor(node)),
            (true, RunNo::Two) => format!("Run 2 · {}", words.actor(node)),
        };
        // Thread 0 has a meaning of its own to some viewers.
        let tid = Kind::Events.first_thread(pid);
        self.meta("process_name", pid, tid, ("name", Arg::Text(name)));
        self.meta("process_sort_index", pid, tid, ("sort_index", Arg::Number(pid)));
        for kind in [Kind::Events, Kind::Messages] {
            self.thread(pid, kind, 0);
        }
    }

    fn meta(&mut self, name: &str, pid: u32, tid: u32, arg: (&'static str, Arg)) {
        self.events.push(TraceEvent {
            name: name.to_owned(),
            ph: "M",
            pid,
            tid,
            args: BTreeMap::from([arg]),
            ..TraceEvent::default()
        });
    }

    fn thread(&mut self, pid: u32, kind: Kind, row: u32) {
        let tid = kind.first_thread(pid) + row;
        let name = match row {
            0 => kind.name().to_owned(),
            row => format!("{} {}", kind.name(), row + 1),
        };
        self.meta("thread_name", pid, tid, ("name", Arg::Text(name)));
        self.meta("thread_sort_index", pid, tid, ("sort_index", Arg::Number(tid)));
    }

    /// Complete events of a kind, each on the first thread where it touches no other.
    fn threads(&mut self, pid: u32, kind: Kind, mut stretches: Vec<Stretch>) {
        stretches.sort_by_key(|(from, to, _)| (*from, *to));
        let mut ends: Vec<SimTime> = Vec::new();
        for (from, to, name) in stretches {
            let row = ends.iter().position(|end| *end <= from).unwrap_or(ends.len());
            let number = u32::try_from(row).unwrap_or(0);
            if row == ends.len() {
                ends.push(to);
                self.thread(pid, kind, number);
            }
            ends[row] = to;
            self.events.push(TraceEvent {
                name,
                cat: kind.name(),
                ph: "X",
                ts: from.micros(),
                dur: Some(to.since(from).micros()),
                pid,
                tid: kind.first_thread(pid) + number,
                ..TraceEvent::default()
            });
        }
    }

    /// What happened, and the messages.
    fn log(&mut self, run: RunNo, recording: &Recording, pids: &BTreeMap<NodeId, u32>) {
        // A message's number is unique in its run.
        let flow = |message: u32| u64::from(message) * 2 + u64::from(run == RunNo::Two);
        for entry in recording.entries().iter().take(MAX_ENTRIES) {
            let Some(pid) = pids.get(&entry.node()).copied() else {
                continue;
            };
            if let Some(sent) = entry.fact.sending() {
                self.end_of_flow(pid, entry, run, flow(sent.message.0), "s", None);
            } else if let Some(handled) = entry.fact.handled() {
                self.end_of_flow(pid, entry, run, flow(handled.message.0), "f", Some("e"));
            } else {
                self.instant(pid, entry, run);
            }
        }
    }

    fn end_of_flow(
        &mut self,
        pid: u32,
        entry: &LogEntry,
        run: RunNo,
        id: u64,
        ph: &'static str,
        bp: Option<&'static str>,
    ) {
        let at = TraceEvent {
            ts: entry.at.micros(),
            pid,
            tid: Kind::Messages.first_thread(pid),
            ..TraceEvent::default()
        };
        let args = BTreeMap::from([("entry", Arg::Number(entry.seq.0))]);
        let name = describe::event(entry, self.runs, run);
        self.events.push(TraceEvent { name, cat: "message", ph: "X", dur: Some(1), args, ..at });
        self.events.push(TraceEvent {
            name: "message".to_owned(),
            cat: "message",
            ph,
            ts: entry.at.micros(),
            pid,
            tid: Kind::Messages.first_thread(pid),
            id: Some(id),
            bp,
            ..TraceEvent::default()
        });
    }

    fn instant(&mut self, pid: u32, entry: &LogEntry, run: RunNo) {
        let Some(kind) = listed(&entry.fact).kind else {
            return;
        };
        self.events.push(TraceEvent {
            name: describe::event(entry, self.runs, run),
            cat: category(kind),
            ph: "i",
            ts: entry.at.micros(),
            pid,
            tid: Kind::Events.first_thread(pid),
            s: Some("t"),
            args: BTreeMap::from([("entry", Arg::Number(entry.seq.0))]),
            ..TraceEvent::default()
        });
    }
}

fn category(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Lease => "lease",
        MomentKind::Belief => "belief",
        MomentKind::Work => "work",
        MomentKind::Write => "write",
        MomentKind::Renewal => "renewal",
        MomentKind::Fault => "fault",
    }
}

/// The stretches of an actor, by kind.
fn stretches(
    words: &Words,
    node: NodeId,
    tracks: &RunTracks,
    recording: &Recording,
) -> Vec<(Kind, Vec<Stretch>)> {
    match node {
        // The grants are the service's, not a single node's: they stand with its first.
        NodeId::Lock(lock) if lock.0 == 0 => {
            let leases = tracks.service.iter();
            let name = |token, client| format!("{token} → {client}", client = words.short(client));
            vec![(
                Kind::Leases,
                leases.map(|it| (it.from, it.to, name(it.token, it.client))).collect(),
            )]
        }
        NodeId::Lock(_) => Vec::new(),
        NodeId::Client(client) => of_client(client, tracks, recording),
        NodeId::Store(store) => {
            let values = tracks.stores.get(usize::from(store.0)).map(|it| it.values.iter());
            let values = values.into_iter().flatten();
            let name = |client: ClientId| format!("{client}'s value", client = words.short(client));
            vec![(Kind::Value, values.map(|it| (it.from, it.to, name(it.client))).collect())]
        }
    }
}

fn of_client(
    client: ClientId,
    tracks: &RunTracks,
    recording: &Recording,
) -> Vec<(Kind, Vec<Stretch>)> {
    let Some(track) = tracks.clients.get(client.index()) else {
        return Vec::new();
    };
    let mut beliefs = Vec::new();
    for belief in &track.beliefs {
        let held = belief.false_from.map_or(belief.to, |it| it.clamp(belief.from, belief.to));
        if held > belief.from {
            beliefs.push((belief.from, held, "believes".to_owned()));
        }
        if held < belief.to {
            beliefs.push((held, belief.to, "still believes, without a lease".to_owned()));
        }
    }
    let waits = track.waits.iter().map(|it| (it.from, it.to, "waits".to_owned()));
    let pauses = track.pauses.iter();
    let pauses = pauses.map(|it| (it.from, it.to, format!("pause: {}", wording::scope(it.scope))));
    let deaths = track.deaths.iter().map(|it| (it.from, it.to, "down".to_owned()));
    vec![
        (Kind::Belief, beliefs),
        (Kind::Waiting, waits.collect()),
        (Kind::Work, work(client, recording)),
        (Kind::Pauses, pauses.collect()),
        (Kind::Crashes, deaths.collect()),
    ]
}

/// When a client was at work: from the beginning of a piece to the write that it was for, or to
/// whatever ended it.
fn work(client: ClientId, recording: &Recording) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut open: Option<SimTime> = None;
    let entries = recording.entries().iter().filter(|it| it.node() == NodeId::Client(client));
    for entry in entries {
        let starts = matches!(entry.fact, Fact::Client(_, fact) if fact.starts_work().is_some());
        let ends = match entry.fact {
            Fact::Client(_, fact) => fact.gives_up().is_some(),
            Fact::Fault(_, fact) => fact.kills().is_some(),
            Fact::Message(_, fact) => fact.sent().and_then(MessageKind::step) == Some(Step::Writes),
            Fact::Service(..) | Fact::Store(..) => false,
        };
        if let Some(from) = open.filter(|_| starts || ends) {
            found.push((from, entry.at, "works".to_owned()));
            open = None;
        }
        if starts {
            open = Some(entry.at);
        }
    }
    found.extend(open.map(|from| (from, recording.ends_at(), "works".to_owned())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use serde_json::Value;

    fn events(title: &str, runs: &Runs) -> Vec<Value> {
        let trace: Value = serde_json::from_str(&trace(title, runs)).expect("it is JSON");
        trace["traceEvents"].as_array().expect("a list").clone()
    }

    #[test]
    fn every_gallery_trace_is_what_viewers_want() {
        for entry in GALLERY {
            let runs = Runs::of(&entry.file()).expect(entry.id);
            let events = events(entry.id, &runs);
            nest_or_part(&events, entry.id);
            flows_are_tied(&events, entry.id);
        }
    }

    /// Complete events of one thread nest or do not touch.
    fn nest_or_part(events: &[Value], id: &str) {
        let mut threads: BTreeMap<_, Vec<(u64, u64)>> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let number = |name: &str| event[name].as_u64().expect("a whole number");
            let span = (number("ts"), number("ts") + number("dur"));
            threads.entry((number("pid"), number("tid"))).or_default().push(span);
        }
        for spans in threads.values_mut() {
            spans.sort_unstable();
            for pair in spans.windows(2) {
                let ((_, end), (from, to)) = (pair[0], pair[1]);
                assert!(from >= end || to <= end, "{id}: {pair:?}");
            }
        }
    }

    /// Each flow begins once, ends at most once and not before, and both ends lie on a complete
    /// event of their thread.
    fn flows_are_tied(events: &[Value], id: &str) {
        let place = |event: &Value| {
            ["pid", "tid", "ts"].map(|name| event[name].as_u64().expect("a whole number"))
        };
        let messages = events.iter().filter(|it| it["ph"] == "X" && it["cat"] == "message");
        let tied: std::collections::BTreeSet<_> = messages.map(place).collect();
        let mut starts = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "s") {
            assert!(tied.contains(&place(event)), "{id}");
            let at = event["ts"].as_u64();
            assert!(starts.insert(event["id"].as_u64(), at).is_none(), "{id}: twice");
        }
        let mut n_ends = 0;
        for event in events.iter().filter(|event| event["ph"] == "f") {
            assert!(tied.contains(&place(event)), "{id}");
            assert_eq!(event["bp"], "e");
            let start = starts.remove(&event["id"].as_u64()).expect("it began, and ends once");
            assert!(start <= event["ts"].as_u64(), "{id}");
            n_ends += 1;
        }
        assert!(n_ends > 5, "{id}: {n_ends} messages");
    }

    #[test]
    fn a_process_for_each_actor_of_each_run() {
        let runs = Runs::of(&GALLERY[0].file()).expect("valid");
        let events = events("x", &runs);
        let names = events.iter().filter(|event| event["name"] == "process_name");
        let names: Vec<_> = names.map(|event| event["args"]["name"].as_str().unwrap()).collect();
        let actors = ["Client A", "Client B", "Lock service", "Storage"];
        let expected: Vec<_> = ["Run 1", "Run 2"]
            .iter()
            .flat_map(|run| actors.map(|actor| format!("{run} · {actor}")))
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn what_people_wrote_stays_text() {
        let runs = Runs::of(&GALLERY[0].file()).expect("valid");
        let title = "</script>\"}],\n\u{202e}`";
        let trace: Value = serde_json::from_str(&trace(title, &runs)).expect("it is JSON");
        assert_eq!(trace["otherData"]["title"], title);
    }
}
