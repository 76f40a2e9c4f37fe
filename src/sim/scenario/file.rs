//! The scenario file: an envelope around a scenario that says what it is called, what it is
//! compared with, what is expected of each run, and where to look first.

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::error::{FileError, ScenarioError};
use super::incident::Incident;
use super::place::path_at;
use super::quantity::Quantity;
use super::spec::ScenarioSpec;
use super::valid::Scenario;
use crate::sim::limits;
use crate::sim::plain_text::{brief, with_escapes};
use crate::sim::property::{PropertyId, PropertyState, VerdictKind};
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

/// The version that this program writes, and the only one so far.
pub const FILE_VERSION: u32 = 1;

/// A scenario file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// Where the schema of this format stands, for editors; the program does not read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Format version; 1.
    #[cfg_attr(not(target_family = "wasm"), schemars(range(min = 1, max = 1)))]
    pub version: u32,
    /// What it is called, at most 200 characters.
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(length(min = 0, max = limits::MAX_TITLE_CHARS))
    )]
    pub title: String,
    /// What happens and why, for people; at most 20,000 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(length(min = 0, max = limits::MAX_NOTES_CHARS))
    )]
    pub notes: String,
    /// What determines the run.
    pub scenario: ScenarioSpec,
    /// The changes that make Run 2 out of Run 1; empty: there is no Run 2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(not(target_family = "wasm"), schemars(length(min = 0, max = limits::MAX_CHANGES)))]
    pub compare: Vec<Change>,
    /// What each run must come to; tests and `fenceline check` assert it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expectation>,
    /// The real incident that it stands for; nothing of it changes a run.
    #[serde(default, skip_serializing_if = "Incident::is_empty")]
    pub incident: Incident,
    /// What to show first.
    #[serde(default)]
    pub view: ViewSpec,
}

/// What each run must come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The scenario as it stands.
    pub run_1: ExpectedRun,
    /// The scenario with the changes of `compare`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_2: Option<ExpectedRun>,
}

/// What one run must come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExpectedRun {
    /// Its verdict.
    pub verdict: VerdictKind,
    /// The instant of the verdict's first event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SimTime>,
    /// Properties that are broken, besides any others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<PropertyId>,
    /// Whether the run is safe only by luck: a late write did no harm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_luck: Option<bool>,
}

/// What the page shows first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ViewSpec {
    /// Where the playhead stands; absent: at the first bad event of either run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SimTime>,
    /// The scenario's main quantity, on the large slider; absent: the first pause's length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<Quantity>,
}

impl ExpectedRun {
    /// In what a recording is not as expected; each a sentence.
    pub fn problems(&self, recording: &Recording) -> Vec<String> {
        let verdict = recording.verdict();
        let mut problems = Vec::new();
        if verdict.kind != self.verdict {
            problems.push(format!("the verdict is {:?}, not {:?}", verdict.kind, self.verdict));
        }
        if self.at.is_some_and(|at| verdict.at != Some(at)) {
            let told = |at: Option<_>| at.map_or("no time".to_owned(), |at| format!("{at}"));
            let (at, expected) = (told(verdict.at), told(self.at));
            problems.push(format!("it comes about at {at}, not {expected}"));
        }
        if self.by_luck.is_some_and(|by_luck| by_luck != verdict.by_luck) {
            problems.push(format!("by luck is {}", verdict.by_luck));
        }
        for report in recording.properties() {
            let broken = matches!(report.state, PropertyState::Broken { .. });
            if self.broken.contains(&report.id) && !broken {
                problems.push(format!("“{}” is not broken", report.id.name()));
            }
        }
        problems
    }
}

impl ScenarioFile {
    /// Reads a file and checks everything in it.
    ///
    /// # Errors
    /// Names the place, quotes what stands there and says what would be right.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        if text.len() > limits::MAX_FILE_BYTES {
            return Err(FileError::TooLarge(text.len()));
        }
        let file: Self = serde_json::from_str(text).map_err(|error| FileError::Syntax {
            path: brief(&path_at(text, error.line(), error.column())),
            problem: brief(&problem_of(&error)),
        })?;
        file.validate()?;
        Ok(file)
    }

    /// Writes the file, one field a line. What could turn or hide text stands as an escape.
    pub fn to_json(&self) -> String {
        indented(&self.to_compact_json())
    }

    /// Writes the file on one line.
    pub fn to_compact_json(&self) -> String {
        let json = serde_json::to_string(self);
        with_escapes(&json.expect("plain data without maps always serialises"))
    }

    /// The scenario of Run 1.
    ///
    /// # Errors
    /// See [`ScenarioError`]; none after [`ScenarioFile::parse`].
    pub fn base(&self) -> Result<Scenario, ScenarioError> {
        Scenario::new(self.scenario.clone())
    }

    /// Checks everything in it.
    ///
    /// # Errors
    /// As [`ScenarioFile::parse`].
    pub fn validate(&self) -> Result<(), FileError> {
        if self.version != FILE_VERSION {
            return Err(FileError::Version(self.version));
        }
        within("title", &self.title, limits::MAX_TITLE_CHARS)?;
        within("notes", &self.notes, limits::MAX_NOTES_CHARS)?;
        self.incident.validate()?;
        if self.compare.len() > limits::MAX_CHANGES {
            return Err(ScenarioError::ChangeCount(self.compare.len()).into());
        }
        self.base()?.with(&self.compare)?;
        Ok(())
    }
}

/// JSON without spaces, one field a line. serde_json could write it so, at the price of all its
/// code for our types a second time, which is 20 kB of the page.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    let mut before = ' ';
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    for char in json.chars() {
        if in_string {
            text.push(char);
            in_string = escaped || char != '"';
            escaped = char == '\\' && !escaped;
            before = char;
            continue;
        }
        let closes = matches!(char, '}' | ']');
        let opened = matches!(before, '{' | '[');
        if closes {
            depth -= 1;
        }
        // What is empty stays together.
        if opened != closes || before == ',' {
            line(&mut text, depth);
        }
        text.push(char);
        match char {
            '{' | '[' => depth += 1,
            ':' => text.push(' '),
            '"' => in_string = true,
            _ => {}
        }
        before = char;
    }
    text
}

/// What is wrong, without the position that serde_json adds: the path says it better.
fn problem_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

fn within(path: &'static str, text: &str, most: usize) -> Result<(), ScenarioError> {
    let given = text.chars().count();
    if given > most {
        return Err(ScenarioError::TextTooLong { path, given, most });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_one_field_a_line() {
        let texts = [
            r#"{"a":[],"b":{},"c":[1,{"d":"}],\"\\"},[[]]],"e":"","f":null}"#,
            r#"["\\","\\\"",{"\"":[{}]}]"#,
            "3",
        ];
        for text in texts {
            let value: serde_json::Value = serde_json::from_str(text).expect(text);
            let pretty = serde_json::to_string_pretty(&value).expect(text);
            assert_eq!(indented(text), pretty);
        }
    }
}
