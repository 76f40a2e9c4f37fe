//! What can be taken along as a file: the scenario, pictures, a page that plays by itself, the
//! event log, a diagram, a trace, a write-up. Plain text made of the file and its runs; it knows no
//! browser. Names that people wrote may hold anything: each format escapes them in its own way.

mod drawing;
pub mod event_log;
pub mod mermaid;
pub mod page;
mod style;
pub mod subject;
pub mod svg;
pub mod trace;
mod write_up;
pub mod xml;

use crate::sim::limits::MAX_TOLD_UNITS;
use crate::sim::scenario::ScenarioFile;

use crate::view_model::drawing::colors::Theme;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::history;

pub use subject::{Found, Subject};

/// What can be taken along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Export {
    /// The scenario with its comparison, which this page reads again.
    Scenario,
    /// The timeline as a drawing.
    Svg,
    /// The same in pixels: who saves it draws the drawing.
    Png,
    /// A page that plays the runs by itself.
    Page,
    /// A run's event log, one line an entry.
    LogText,
    /// The same as JSON, one object a line.
    LogJson,
    /// A run's messages as a sequence diagram.
    Mermaid,
    /// All runs as a trace.
    Trace,
    /// What happened, why, and what would have saved it, for a post-mortem.
    WriteUp,
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
    /// Whether it shows a stretch of time.
    pub of_stretch: bool,
    /// Whether it is light or dark.
    pub has_theme: bool,
}

/// The longest beginning of a file's name that a title gives.
const MAX_NAME: usize = 60;

impl Export {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 9] = [
        Self::Scenario,
        Self::Svg,
        Self::Png,
        Self::Page,
        Self::LogText,
        Self::LogJson,
        Self::Mermaid,
        Self::Trace,
        Self::WriteUp,
    ];

    /// What is said of it.
    pub fn info(self) -> ExportInfo {
        let (name, hint, ending, media) = match self {
            Self::Scenario => {
                ("Scenario file", "Opens here again, and in the command line", "json", JSON)
            }
            Self::Svg => ("Picture", "SVG, sharp at any size; opens here again", "svg", SVG),
            Self::Png => ("Picture in pixels", "PNG at twice the size, for documents", "png", PNG),
            Self::Page => {
                ("Page that plays", "One HTML file that needs no network", "html", "text/html")
            }
            Self::LogText => ("Event log", "One line an event, for grep", "log.txt", TEXT),
            Self::LogJson => ("Event log as JSON", "One object a line", "log.jsonl", JSON),
            Self::Mermaid => ("Sequence diagram", "Mermaid, for Markdown and wikis", "mmd", TEXT),
            Self::Trace => {
                ("Trace", "Opens in Perfetto and in Chrome's tracing", "trace.json", JSON)
            }
            Self::WriteUp => {
                ("Write-up", "Markdown, with the picture inside as a data URI", "md", MARKDOWN)
            }
        };
        let of_one_run = match self {
            Self::Scenario | Self::Svg | Self::Png | Self::Page | Self::Trace | Self::WriteUp => {
                false
            }
            Self::LogText | Self::LogJson | Self::Mermaid => true,
        };
        let has_theme = matches!(self, Self::Svg | Self::Png);
        let of_stretch = has_theme || matches!(self, Self::Page | Self::WriteUp);
        ExportInfo { name, hint, ending, media, of_one_run, of_stretch, has_theme }
    }

    /// Its text; of the run that is asked for, if it is of one only.
    pub fn text(self, subject: &Subject) -> String {
        let Subject { file, runs, run, .. } = subject;
        let recording = runs.run(*run).unwrap_or(&runs.run_1);
        match self {
            Self::Scenario => {
                // What edits have left behind would be an error to `fenceline check`.
                let mut file = ScenarioFile::clone(file);
                file.leave_out_loose_ends();
                format!("{}\n", file.to_json())
            }
            Self::Svg | Self::Png => svg::svg(subject),
            Self::Page => page::page(subject),
            Self::LogText => {
                // As remarks: whoever reads the log alone goes past them.
                let mut text = event_log::text(recording, &file.incident);
                for line in history::text(&runs.words, recording, MAX_TOLD_UNITS).lines() {
                    text += &format!("# {line}\n");
                }
                text
            }
            Self::LogJson => {
                let log = event_log::json_lines(recording, &file.incident);
                log + &history::json_lines(&runs.words, recording)
            }
            Self::Mermaid => mermaid::diagram(&file.title, runs, *run),
            Self::Trace => trace::trace(&file.title, runs),
            Self::WriteUp => write_up::write_up(subject),
        }
    }

    /// The name of its file.
    pub fn file_name(self, subject: &Subject) -> String {
        let info = self.info();
        let which = match (subject.run, subject.theme) {
            (_, Theme::Dark) if info.has_theme => "-dark",
            _ if !info.of_one_run || subject.runs.run_2.is_none() => "",
            (RunNo::One, _) => "-run-1",
            (RunNo::Two, _) => "-run-2",
        };
        format!("{}{which}.{}", file_stem(&subject.file.title), info.ending)
    }
}

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";
const MARKDOWN: &str = "text/markdown";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::recording::Recording;
    use std::rc::Rc;

    fn first() -> Subject {
        Subject::of(GALLERY[0].file()).expect("valid")
    }

    #[test]
    fn a_scenario_reads_back() {
        for entry in GALLERY {
            let subject = Subject::of(entry.file()).expect(entry.id);
            let text = Export::Scenario.text(&subject);
            assert_eq!(ScenarioFile::parse(&text), Ok(entry.file()), "{}", entry.id);
        }
    }

    #[test]
    fn each_log_is_of_the_run_that_was_asked_for() {
        let mut subject = first();
        let runs = subject.runs.clone();
        for (run, recording) in runs.shown() {
            subject.run = run;
            let text = Export::LogText.text(&subject);
            let (log, remarks) = text.split_at(recording.log().to_string().len());
            assert_eq!(log, recording.log().to_string());
            assert!(remarks.lines().all(|line| line.starts_with("# ")), "{remarks}");
            let units = recording.history().units().len();
            assert!(remarks.contains("# 1 A, piece 1") && remarks.lines().count() > units);
            let json = Export::LogJson.text(&subject);
            let told = history::json_lines(&runs.words, recording);
            assert_eq!(json.lines().count(), recording.entries().len() + units + 1);
            assert!(json.ends_with(&told), "{told}");
            check_json(&json, recording);
        }
    }

    fn check_json(json: &str, recording: &Recording) {
        for (line, entry) in json.lines().zip(recording.entries()) {
            let value: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
            assert_eq!(value["seq"], entry.seq.0);
            assert_eq!(value["event"], entry.fact.to_string());
            assert_eq!(value["cause"].as_u64(), entry.cause.map(|it| u64::from(it.seq().0)));
        }
    }

    #[test]
    fn names_of_files_are_plain_whatever_the_title() {
        let mut subject = first();
        subject.run = RunNo::Two;
        let named = |export: Export, title: &str| {
            let mut file = GALLERY[0].file();
            file.title = title.to_owned();
            export.file_name(&Subject { file: Rc::new(file), ..subject.clone() })
        };
        let name = |title: &str| named(Export::LogText, title);
        assert_eq!(name("The paused holder"), "fenceline-the-paused-holder-run-2.log.txt");
        assert_eq!(name("../../etc/passwd\0\n"), "fenceline-etc-passwd-run-2.log.txt");
        assert_eq!(name("\u{202e}<script>"), "fenceline-script-run-2.log.txt");
        assert_eq!(name("Größe"), "fenceline-gr-e-run-2.log.txt");
        assert_eq!(name(""), "fenceline-run-2.log.txt");
        assert!(name(&"long ".repeat(40)).len() < 80);
        assert_eq!(named(Export::Trace, "a"), "fenceline-a.trace.json");
        assert_eq!(named(Export::Svg, "a"), "fenceline-a.svg");
        subject.theme = Theme::Dark;
        assert_eq!(Export::Png.file_name(&subject), "fenceline-the-paused-holder-dark.png");
        assert_eq!(Export::Page.file_name(&subject), "fenceline-the-paused-holder.html");
    }
}
