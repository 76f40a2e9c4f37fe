//! The link: a scenario with its comparison, and where the page stood, as text for an address's
//! fragment. `2.` and then base64url of deflated JSON with its checksum behind it; the number is
//! the version. Version 1 has no checksum, and stays readable (golden links in
//! `tests/native/links.rs`). A scenario of the gallery as it comes is its id. A link carries the
//! verdicts that its sender saw, so that a program
//! that computes others can say so. Nothing of it is sent anywhere: browsers keep the fragment to
//! themselves.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use thiserror::Error;

use crate::scenarios::GalleryEntry;
use crate::sim::form::{Form, Given, Json, choices, fields};
use crate::sim::id::FaultId;
use crate::sim::limits::{self, MAX_FILE_BYTES};
use crate::sim::plain_text::{brief, one_line};
use crate::sim::property::VerdictKind;
use crate::sim::scenario::{FileError, ScenarioFile};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::runs::Runs;
use crate::view_model::sentences::verdict::kind_name;

/// The version that is written: what stands before the dot.
const VERSION: &str = "2";

/// The version before it, which has no checksum.
const WITHOUT_CHECKSUM: &str = "1";

/// Taken over the packed bytes, so that what it must find is what happens to a link: one character
/// that is changed, or two that change places, spoils at most 12 bits in a row, and this finds any
/// 32. Of what is left out or added one in four thousand million gets through. It is the checksum
/// of zip and PNG, least significant byte first.
const CHECKSUM: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// How hard to compress: the best that the format has; a scenario takes a fraction of a
/// millisecond.
const LEVEL: u8 = 10;

/// A link's content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The scenario with its comparison.
    pub file: ScenarioFile,
    /// Where the page stood.
    pub place: Place,
}

fields! {
    /// Where the page stood.
    pub struct Place: Default {
        /// The gallery's entry that the scenario began as.
        pub scenario: Option<String> => None;
        /// The playhead.
        pub at: Option<SimTime> => None;
        /// The stretch that the timeline shows, if it is not the whole.
        pub window: Option<(SimTime, SimTime)> => None;
        /// Whether the timeline draws time to scale.
        pub to_scale: bool => false;
        /// What is selected.
        pub selected: Option<Selected> => None;
        /// The verdicts of the runs as the sender saw them.
        pub verdicts: Vec<VerdictKind> => Vec::new();
    }
}

choices! {
    /// What is selected.
    #[derive(Copy)]
    pub enum Selected {
        /// A moment, by its index.
        Moment(u32),
        /// A fault.
        Fault(FaultId),
    }
}

fields! {
    /// The JSON in a link.
    pub struct Envelope {
        /// The scenario with its comparison.
        pub file: ScenarioFile;
        /// Where the page stood.
        pub place: Place = Place::default();
    }
}

/// Why a text is no link. Each begins “This link”.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LinkError {
    /// Longer than any link of this program.
    #[error("This link has {0} characters; at most {max} are read", max = limits::MAX_LINK_CHARS)]
    TooLong(usize),
    /// Another version.
    #[error(
        "This link begins “{0}”; this program reads links that begin “{VERSION}.” or \
         “{WITHOUT_CHECKSUM}.”"
    )]
    Version(String),
    /// It does not fit its checksum, or was not made by this program.
    #[error(
        "This link is damaged: it begins “{0}”, and a character of it was changed, left out or \
         added, or its end was cut off. Copy it once more, as a whole"
    )]
    Damaged(String),
    /// It unpacks to more than a file may have.
    #[error("This link holds more than {MAX_FILE_BYTES} bytes, the most there may be")]
    TooLarge,
    /// What it holds is not a scenario.
    #[error("This link holds no scenario: {0}")]
    NoScenario(String),
}

impl Link {
    /// As text for an address's fragment, without the `#`.
    pub fn to_fragment(&self) -> String {
        let envelope = Envelope { file: self.file.clone(), place: self.place.clone() };
        packed(&envelope.write().to_string())
    }

    /// Reads a fragment, without the `#`.
    ///
    /// # Errors
    /// Says what is wrong and quotes its beginning. Nothing that it reads is larger than a file may
    /// be, whatever the text claims.
    pub fn parse(fragment: &str) -> Result<Self, LinkError> {
        if fragment.len() > limits::MAX_LINK_CHARS {
            return Err(LinkError::TooLong(fragment.len()));
        }
        if let Some(link) = of_entry(fragment) {
            return Ok(link);
        }
        let quote = |text: &str| one_line(&text.chars().take(20).collect::<String>());
        let (packed, has_checksum) = match fragment.split_once('.') {
            Some((VERSION, packed)) => (packed, true),
            Some((WITHOUT_CHECKSUM, packed)) => (packed, false),
            Some(_) | None => return Err(LinkError::Version(quote(fragment))),
        };
        let damaged = || LinkError::Damaged(quote(fragment));
        let packed = URL_SAFE_NO_PAD.decode(packed.trim_end()).map_err(|_| damaged())?;
        let packed = match has_checksum {
            true => checked(&packed).ok_or_else(damaged)?,
            false => &packed,
        };
        let json = decompress_to_vec_with_limit(packed, MAX_FILE_BYTES);
        let json = json.map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => LinkError::TooLarge,
            _ => damaged(),
        })?;
        let json = String::from_utf8(json).map_err(|_| damaged())?;
        let no_scenario = |error: FileError| LinkError::NoScenario(brief(&error.to_string()));
        let json = Json::parse(&json).map_err(|error| no_scenario(error.into()))?;
        let envelope = Envelope::read(&Given::whole(&json));
        let Envelope { mut file, place } = envelope.map_err(|error| no_scenario(error.into()))?;
        // A link can hold nothing that a file could not.
        file.validate().map_err(no_scenario)?;
        // A page's edits leave some behind, such as the expectation of a run that was taken away:
        // nobody wrote them, and nobody misses them.
        file.leave_out_loose_ends();
        Ok(Self { file, place })
    }
}

/// The fragment of a scenario of the gallery as it comes: `paused-holder`, or with the playhead's
/// time `paused-holder@17.1s`.
pub fn to_entry(id: &str, at: Option<SimTime>) -> String {
    let at = at.map(|at| SimDuration::from_micros(at.micros()).to_string().replace(' ', ""));
    at.map_or(id.to_owned(), |at| format!("{id}@{at}"))
}

/// Reads one; `None`: it is none.
fn of_entry(fragment: &str) -> Option<Link> {
    let (id, at) = match fragment.split_once('@') {
        Some((id, at)) => (id, Some(SimDuration::parse(at, None).ok()?)),
        None => (fragment, None),
    };
    let entry = GalleryEntry::find(id)?;
    let at = at.map(|at| SimTime::from_micros(at.micros()));
    let place = Place { scenario: Some(id.to_owned()), at, ..Place::default() };
    Some(Link { file: entry.file(), place })
}

/// JSON as a link.
fn packed(json: &str) -> String {
    let mut packed = compress_to_vec(json.as_bytes(), LEVEL);
    packed.extend(CHECKSUM.checksum(&packed).to_le_bytes());
    format!("{VERSION}.{}", URL_SAFE_NO_PAD.encode(packed))
}

/// What stands before the checksum, if it fits.
fn checked(packed: &[u8]) -> Option<&[u8]> {
    let (packed, checksum) = packed.split_last_chunk()?;
    (CHECKSUM.checksum(packed).to_le_bytes() == *checksum).then_some(packed)
}

/// What is said where a link carries other verdicts than its runs come to here; `None` where it
/// does not, or carries none.
pub fn other_verdicts(place: &Place, runs: &Runs) -> Option<String> {
    let here = verdicts(runs);
    if place.verdicts.is_empty() || place.verdicts == here {
        return None;
    }
    Some(format!(
        "This link was made where the runs came to: {}. This version of the program comes to: {}. \
         The rules of the simulation have changed since, or the link was edited",
        names(&place.verdicts),
        names(&here),
    ))
}

fn names(verdicts: &[VerdictKind]) -> String {
    let names: Vec<_> = verdicts.iter().map(|kind| kind_name(*kind)).collect();
    names.join(", then ")
}

/// The verdicts of the runs that are shown, Run 1's first.
pub fn verdicts(runs: &Runs) -> Vec<VerdictKind> {
    runs.shown().map(|(_, recording)| recording.verdict().kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn link(file: ScenarioFile) -> Link {
        let place = Place {
            scenario: Some("paused-holder".to_owned()),
            at: Some(SimTime::from_millis(17_100)),
            window: Some((SimTime::from_millis(9_000), SimTime::from_millis(18_000))),
            to_scale: true,
            selected: Some(Selected::Moment(20)),
            verdicts: vec![VerdictKind::Corrupted, VerdictKind::Safe],
        };
        Link { file, place }
    }

    #[test]
    fn a_scenario_as_it_comes_is_opened_by_its_name() {
        for entry in &GALLERY {
            let link = Link::parse(&to_entry(entry.id, None)).expect(entry.id);
            assert_eq!((link.file, link.place.at), (entry.file(), None));
        }
        let at = Some(SimTime::from_micros(17_100_001));
        let text = to_entry("paused-holder", at);
        assert_eq!(text, "paused-holder@17.100001s");
        assert_eq!(Link::parse(&text).map(|link| link.place.at), Ok(at));
        assert_eq!(to_entry("no-expiry", Some(SimTime::ZERO)), "no-expiry@0s");
        for bad in ["paused", "paused-holder@", "paused-holder@soon", "@17.1s", "Paused-holder"] {
            assert!(Link::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_gallery_scenario_comes_back_and_is_short() {
        for entry in GALLERY {
            let link = link(entry.file());
            let fragment = link.to_fragment();
            assert_eq!(Link::parse(&fragment), Ok(link), "{}", entry.id);
            assert!(fragment.len() <= 8_000, "{}: {} characters", entry.id, fragment.len());
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            assert!(fragment.chars().all(is_plain), "{}", entry.id);
        }
    }

    #[test]
    fn other_verdicts_are_told() {
        let file = GALLERY[0].file();
        let runs = Runs::of(&file).expect("valid");
        let place = |verdicts| Place { verdicts, ..Place::default() };
        assert_eq!(other_verdicts(&place(verdicts(&runs)), &runs), None);
        assert_eq!(other_verdicts(&place(Vec::new()), &runs), None, "it carries none");
        let told = other_verdicts(&place(vec![VerdictKind::Safe; 2]), &runs).expect("others");
        assert!(told.starts_with("This link was made where"), "{told}");
        assert!(told.contains("came to: Safe in this run, then Safe in this run"), "{told}");
        assert!(told.contains("comes to: Corrupted, then Safe in this run"), "{told}");
    }

    #[test]
    fn a_bad_link_is_quoted_and_explained() {
        let good = link(GALLERY[0].file()).to_fragment();
        let error = |text: &str| Link::parse(text).expect_err(text).to_string();
        assert!(error("hello").starts_with("This link begins “hello”"));
        assert!(error("3.abc").starts_with("This link begins “3.abc”"));
        assert!(error("").starts_with("This link begins “”"));
        assert!(error(&good[..good.len() / 2]).starts_with("This link is damaged"));
        for damaged in ["1.!!!", "2.!!!", "2.", "2.AAAA", "2.AAAAAAAA"] {
            assert!(error(damaged).starts_with("This link is damaged"), "{damaged}");
        }
        assert!(error(&"1.".repeat(limits::MAX_LINK_CHARS)).contains("at most"));
        let bomb = " ".repeat(MAX_FILE_BYTES + 1);
        assert_eq!(Link::parse(&packed(&bomb)), Err(LinkError::TooLarge));
        assert!(error(&packed("{}")).starts_with("This link holds no scenario"));
        let mut file = GALLERY[0].file();
        file.scenario.clients.clear();
        assert!(error(&link(file).to_fragment()).starts_with("This link holds no scenario"));
    }
}
