//! What can be taken along as a file: the scenario, the event log, a diagram, a trace. Plain text
//! made of the file and its runs; it knows no browser. Names that people wrote may hold anything:
//! each format escapes them in its own way.

pub mod event_log;
pub mod mermaid;
pub mod trace;

use crate::sim::scenario::ScenarioFile;

use super::moment::RunNo;
use super::runs::Runs;

/// What can be taken along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Export {
    /// The scenario with its comparison, which this page reads again.
    Scenario,
    /// A run's event log, one line an entry.
    LogText,
    /// The same as JSON, one object a line.
    LogJson,
    /// A run's messages as a sequence diagram.
    Mermaid,
    /// All runs as a trace.
    Trace,
}

/// What is said of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is good for.
    pub hint: &'static str,
    /// How its file's name ends.
    pub ending: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Whether it is of one run only.
    pub of_one_run: bool,
}

/// The longest beginning of a file's name that a title gives.
const MAX_NAME: usize = 60;

impl Export {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] =
        [Self::Scenario, Self::LogText, Self::LogJson, Self::Mermaid, Self::Trace];

    /// What is said of it.
    pub fn info(self) -> ExportInfo {
        let (name, hint, ending, media) = match self {
            Self::Scenario => {
                ("Scenario file", "Opens here again, and in the command line", "json", JSON)
            }
            Self::LogText => ("Event log", "One line an event, for grep", "log.txt", TEXT),
            Self::LogJson => ("Event log as JSON", "One object a line", "log.jsonl", JSON),
            Self::Mermaid => ("Sequence diagram", "Mermaid, for Markdown and wikis", "mmd", TEXT),
            Self::Trace => {
                ("Trace", "Opens in Perfetto and in Chrome's tracing", "trace.json", JSON)
            }
        };
        let of_one_run = match self {
            Self::Scenario | Self::Trace => false,
            Self::LogText | Self::LogJson | Self::Mermaid => true,
        };
        ExportInfo { name, hint, ending, media, of_one_run }
    }

    /// Its text; of the run `run`, if it is of one only.
    pub fn text(self, file: &ScenarioFile, runs: &Runs, run: RunNo) -> String {
        let recording = runs.run(run).unwrap_or(&runs.run_1);
        match self {
            Self::Scenario => format!("{}\n", file.to_json()),
            Self::LogText => event_log::text(recording, &file.incident),
            Self::LogJson => event_log::json_lines(recording, &file.incident),
            Self::Mermaid => mermaid::diagram(&file.title, runs, run),
            Self::Trace => trace::trace(&file.title, runs),
        }
    }

    /// The name of its file.
    pub fn file_name(self, title: &str, runs: &Runs, run: RunNo) -> String {
        let info = self.info();
        let which = match run {
            _ if !info.of_one_run || runs.run_2.is_none() => "",
            RunNo::One => "-run-1",
            RunNo::Two => "-run-2",
        };
        format!("{}{which}.{}", file_stem(title), info.ending)
    }
}

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// How the name of a file begins that holds something with this title: what every system takes.
pub fn file_stem(title: &str) -> String {
    let mut stem = String::from("fenceline");
    let mut wants_dash = true;
    for char in title.chars() {
        if !char.is_ascii_alphanumeric() {
            wants_dash = true;
            continue;
        }
        if stem.len() >= MAX_NAME {
            break;
        }
        if std::mem::take(&mut wants_dash) {
            stem.push('-');
        }
        stem.push(char.to_ascii_lowercase());
    }
    stem
}

/// Whether a character breaks lines, or changes how its neighbours are shown: it says nothing by
/// itself, and can make text look like what it is not.
pub fn is_treacherous(char: char) -> bool {
    let steers =
        ['\u{61c}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{feff}'];
    char.is_control()
        || steers.contains(&char)
        || ('\u{202a}'..='\u{202e}').contains(&char)
        || ('\u{2066}'..='\u{2069}').contains(&char)
}

/// `text` on one line, in the order in which it is written: in place of what is treacherous stands
/// a space or a replacement character.
pub fn one_line(text: &str) -> String {
    let plain = |char: char| match char {
        '\n' | '\r' | '\t' => ' ',
        _ if is_treacherous(char) => char::REPLACEMENT_CHARACTER,
        _ => char,
    };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::recording::Recording;

    #[test]
    fn a_scenario_reads_back() {
        for entry in GALLERY {
            let file = entry.file();
            let runs = Runs::of(&file).expect(entry.id);
            let text = Export::Scenario.text(&file, &runs, RunNo::One);
            assert_eq!(ScenarioFile::parse(&text), Ok(file), "{}", entry.id);
        }
    }

    #[test]
    fn each_log_is_of_the_run_that_was_asked_for() {
        let file = GALLERY[0].file();
        let runs = Runs::of(&file).expect("valid");
        for (run, recording) in runs.shown() {
            let text = Export::LogText.text(&file, &runs, run);
            assert_eq!(text, recording.log().to_string());
            let json = Export::LogJson.text(&file, &runs, run);
            assert_eq!(json.lines().count(), recording.entries().len());
            check_json(&json, recording);
        }
    }

    fn check_json(json: &str, recording: &Recording) {
        for (line, entry) in json.lines().zip(recording.entries()) {
            let value: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
            assert_eq!(value["seq"], entry.seq.0);
            assert_eq!(value["event"], entry.event.to_string());
            assert_eq!(value["cause"].as_u64(), entry.cause.map(|it| u64::from(it.seq().0)));
        }
    }

    #[test]
    fn names_of_files_are_plain_whatever_the_title() {
        let runs = Runs::of(&GALLERY[0].file()).expect("valid");
        let name = |title: &str| Export::LogText.file_name(title, &runs, RunNo::Two);
        assert_eq!(name("The paused holder"), "fenceline-the-paused-holder-run-2.log.txt");
        assert_eq!(name("../../etc/passwd\0\n"), "fenceline-etc-passwd-run-2.log.txt");
        assert_eq!(name("\u{202e}<script>"), "fenceline-script-run-2.log.txt");
        assert_eq!(name("Größe"), "fenceline-gr-e-run-2.log.txt");
        assert_eq!(name(""), "fenceline-run-2.log.txt");
        assert!(name(&"long ".repeat(40)).len() < 80);
        let whole = Export::Trace.file_name("a", &runs, RunNo::Two);
        assert_eq!(whole, "fenceline-a.trace.json");
    }

    #[test]
    fn one_line_has_no_breaks_and_no_turns() {
        assert_eq!(one_line("a\nb\u{202e}c\u{2066}\0é"), "a b\u{fffd}c\u{fffd}\u{fffd}é");
    }
}
