//! The scenario file: an envelope around a scenario that says what it is called, what it is
//! compared with, what is expected of each run, and where to look first.

use super::encoding::{text_of, without_mark};
use super::error::{FileError, ScenarioError};
use super::incident::Incident;
use super::settings::{Change, Quantity, ScenarioSpec};
use super::valid::Scenario;
#[cfg(not(target_family = "wasm"))]
use crate::sim::form::Types;
use crate::sim::form::{At, Form, Given, Json, fields};
use crate::sim::limits;
use crate::sim::property::{PropertyId, PropertyState, VerdictKind};
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

/// The version that this program writes, and the only one so far.
pub const FILE_VERSION: u32 = 1;

fields! {
    /// A scenario file.
    pub struct ScenarioFile {
        /// Where the schema of this format stands, for editors; the program does not read it.
        pub schema ["$schema"]: Option<String> => None;
        /// Format version; 1.
        pub version: u32, in FILE_VERSION, FILE_VERSION;
        /// What it is called, at most 200 characters.
        pub title: String, in 0, limits::MAX_TITLE_CHARS;
        /// What happens and why, for people; at most 20,000 characters.
        pub notes: String => String::new(), in 0, limits::MAX_NOTES_CHARS;
        /// What determines the run.
        pub scenario: ScenarioSpec;
        /// The changes that make Run 2 out of Run 1; empty: there is no Run 2.
        pub compare: Vec<Change> => Vec::new(), in 0, limits::MAX_CHANGES;
        /// What each run must come to; tests and `fenceline check` assert it.
        pub expect: Option<Expectation> => None;
        /// The real incident that it stands for; nothing of it changes a run.
        pub incident: Incident => Incident::default();
        /// What to show first.
        pub view: ViewSpec = ViewSpec::default();
    }
}

fields! {
    /// What each run must come to.
    pub struct Expectation {
        /// The scenario as it stands.
        pub run_1: ExpectedRun;
        /// The scenario with the changes of `compare`.
        pub run_2: Option<ExpectedRun> => None;
    }
}

fields! {
    /// What one run must come to.
    pub struct ExpectedRun {
        /// Its verdict.
        pub verdict: VerdictKind;
        /// The instant of the verdict's first event.
        pub at: Option<SimTime> => None;
        /// Properties that are broken, besides any others.
        pub broken: Vec<PropertyId> => Vec::new();
        /// Whether the run is safe only by luck: a late write did no harm.
        pub by_luck: Option<bool> => None;
    }
}

fields! {
    /// What the page shows first.
    pub struct ViewSpec: Default {
        /// Where the playhead stands; absent: at the first bad event of either run.
        pub at: Option<SimTime> => None;
        /// The scenario's main quantity, on the large slider; absent: the first pause's length.
        pub main: Option<Quantity> => None;
    }
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
    /// Reads the bytes of a file and checks everything in it.
    ///
    /// # Errors
    /// As [`ScenarioFile::parse`], and where they are no text in UTF-8.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        Self::parse(text_of(bytes)?)
    }

    /// Reads a file's text and checks everything in it.
    ///
    /// # Errors
    /// Names the place, quotes what stands there and shows what would be right.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        Self::of_json(&Self::json(text)?)
    }

    /// A file's text as JSON, whatever it says.
    ///
    /// # Errors
    /// If it is too large, or no JSON.
    pub(crate) fn json(text: &str) -> Result<Json, FileError> {
        let text = without_mark(text);
        match text.len() {
            ..=limits::MAX_FILE_BYTES => Ok(Json::parse(text)?),
            too_large => Err(FileError::TooLarge(too_large)),
        }
    }

    /// Reads what a file holds and checks everything in it.
    ///
    /// # Errors
    /// As [`ScenarioFile::parse`].
    pub(crate) fn of_json(json: &Json) -> Result<Self, FileError> {
        if let Json::Fields(fields) = json
            && let Some((_, version)) = fields.iter().find(|(key, _)| key == "version")
            && *version != FILE_VERSION.write()
            && matches!(version, Json::Number(_))
        {
            return Err(FileError::Version(version.to_string()));
        }
        let file = Self::read(&Given::whole(json))?;
        file.validate()?;
        Ok(file)
    }

    /// Writes the file, one field a line. What could turn or hide text stands as an escape.
    pub fn to_json(&self) -> String {
        self.write().indented()
    }

    /// Writes the file on one line.
    pub fn to_compact_json(&self) -> String {
        self.write().to_string()
    }

    /// The JSON Schema of the format, as text.
    #[cfg(not(target_family = "wasm"))]
    pub fn json_schema() -> String {
        let mut types = Types::default();
        let file = Self::schema(&mut types);
        types.file("Fenceline scenario", file).indented() + "\n"
    }

    /// The scenario of Run 1.
    ///
    /// # Errors
    /// See [`ScenarioError`]; none after [`ScenarioFile::parse`].
    pub fn base(&self) -> Result<Scenario, ScenarioError> {
        Scenario::new(self.scenario.clone())
    }

    /// Checks what one value alone does not show: whether all who are named are there.
    ///
    /// # Errors
    /// As [`ScenarioFile::parse`].
    pub fn validate(&self) -> Result<(), FileError> {
        self.check(&At::ROOT).map_err(ScenarioError::from)?;
        self.incident.validate()?;
        let mut changed = self.base()?.spec().clone();
        for (nth, change) in self.compare.iter().enumerate() {
            change.apply(&mut changed).map_err(|error| FileError::Change { nth, error })?;
        }
        Scenario::new(changed).map(drop).map_err(FileError::Changed)
    }
}
