//! The gallery as it is looked through: a card for each scenario that comes with the program and
//! for each real incident, what a search finds among them, what a card's runs come to, and its
//! small picture, which is the timeline's own layout. Incidents come as one text, made of
//! `tests/cases`.

use std::rc::Rc;

use crate::scenarios::GALLERY;
use crate::sim::form::{Form, Given, Json, fields};
use crate::sim::scenario::{LockSystem, ScenarioFile};
use crate::sim::time::SimTime;
use crate::view_model::drawing::metrics::{MIN_TEXT, Metrics};
use crate::view_model::drawing::scale::Px;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::verdict::{self, Tone, VerdictText};
use crate::view_model::timeline::arrow::ArrowPath;
use crate::view_model::timeline::lane::LaneData;
use crate::view_model::timeline::layout::layout;
use crate::view_model::timeline::overview::story;
use crate::view_model::tracks::shown::Shown;

/// What a card is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// What leases and fences are, and what they are not.
    Idea,
    /// What else can go wrong.
    Fault,
    /// One lock system and its traps.
    System,
    /// What happened to somebody.
    Incident,
}

impl Group {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Idea, Self::Fault, Self::System, Self::Incident];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idea => "The idea",
            Self::Fault => "Faults",
            Self::System => "Systems",
            Self::Incident => "Real incidents",
        }
    }
}

/// What tells the idea; the other scenarios without a system of their own are about faults.
const IDEA: [&str; 14] = [
    "paused-holder",
    "lease-frees-itself",
    "no-expiry",
    "renew-or-lose-it",
    "short-pause",
    "longer-lease",
    "checked-still-late",
    "window-before-first-write",
    "slow-or-dead",
    "nobody-checks",
    "second-write",
    "lost-reply",
    "efficiency",
    "outside-the-fence",
];

/// A scenario to choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// Its own among all cards: the gallery's id, or the case's.
    pub id: String,
    /// What it is about.
    pub group: Group,
    /// Whether the id is the gallery's.
    pub in_gallery: bool,
    /// What it shows, in a sentence or a few.
    pub line: String,
    /// The scenario.
    pub file: ScenarioFile,
    /// The same incident with what would have been right.
    pub mended: Option<ScenarioFile>,
    /// Where the incident was reported.
    pub source: Option<String>,
}

fields! {
    /// An incident, as the bundle holds it.
    pub struct Incident {
        /// Its id in `tests/cases`.
        pub id: String;
        /// What happened.
        pub happened: ScenarioFile;
        /// The same with what would have been right.
        pub mended: Option<ScenarioFile> => None;
    }
}

/// The cards of the scenarios that come with the program.
pub fn cards() -> Vec<Rc<Card>> {
    let card = |entry: crate::scenarios::GalleryEntry| {
        let file = entry.file();
        let generic = matches!(file.scenario.lock, LockSystem::LeaseServer | LockSystem::Plain);
        let group = match generic {
            _ if IDEA.contains(&entry.id) => Group::Idea,
            true => Group::Fault,
            false => Group::System,
        };
        let (id, line) = (entry.id.to_owned(), entry.call.to_owned());
        Rc::new(Card { id, group, in_gallery: true, line, file, mended: None, source: None })
    };
    GALLERY.map(card).to_vec()
}

/// The cards of the incidents in a bundle.
///
/// # Errors
/// If it is no bundle.
pub fn incidents(bundle: &str) -> Result<Vec<Rc<Card>>, String> {
    let bundle = Json::parse(bundle).map_err(|error| error.to_string())?;
    let all: Vec<Incident> =
        Form::read(&Given::whole(&bundle)).map_err(|error| error.to_string())?;
    let files = || all.iter().flat_map(|it| it.mended.iter().chain([&it.happened]));
    files().try_for_each(ScenarioFile::validate).map_err(|error| error.to_string())?;
    Ok(all.into_iter().map(|incident| Rc::new(card_of(incident))).collect())
}

fn card_of(incident: Incident) -> Card {
    let Incident { id, happened: file, mended } = incident;
    let (line, source) = match file.notes.split_once("Source: ") {
        Some((line, source)) => (line.trim_end(), source.split_whitespace().next()),
        None => (file.notes.as_str(), None),
    };
    let (line, source) = (line.to_owned(), source.map(str::to_owned));
    Card { id, group: Group::Incident, in_gallery: false, line, file, mended, source }
}

impl Card {
    /// Whether every word of `query` stands somewhere in what the card says.
    pub fn matches(&self, query: &str) -> bool {
        let system = crate::sim::lock::info(self.file.scenario.lock).name;
        let said = [&self.id, &self.file.title, &self.line, &self.file.notes, system];
        let said = said.join("\n").to_ascii_lowercase();
        query.to_ascii_lowercase().split_whitespace().all(|word| said.contains(word))
    }
}

/// What a card's scenario comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Which run.
    pub label: String,
    /// Its verdict.
    pub verdict: VerdictText,
}

/// What is drawn and said of a card once it is looked at: its scenario is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The verdicts: of its runs, and of the mended form.
    pub outcomes: Vec<Outcome>,
    /// Its picture.
    pub picture: Picture,
}

impl Drawn {
    /// Runs a card's scenario, and its mended form; `None` if it cannot be run.
    pub fn of(card: &Card) -> Option<Self> {
        let runs = Rc::new(Runs::of(&card.file).ok()?);
        let alone = runs.run_2.is_none();
        let outcome = |(run, _)| {
            let label = match alone {
                true => "What happened".to_owned(),
                false => labels::run_label_capital(&runs, run),
            };
            Some(Outcome { label, verdict: verdict::of_run(&runs, run)? })
        };
        let mut outcomes: Vec<_> = runs.shown().filter_map(outcome).collect();
        let mended = card.mended.as_ref().and_then(|file| Runs::of(file).ok());
        let mended = mended.as_ref().and_then(|runs| verdict::of_run(runs, RunNo::One));
        outcomes.extend(mended.map(|verdict| Outcome { label: "Mended".to_owned(), verdict }));
        Some(Self { outcomes, picture: Picture::of(&runs) })
    }
}

/// A timeline without its texts, small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The height of what is drawn; the width is [`Picture::WIDTH`].
    pub height: Px,
    /// The lanes.
    pub lanes: Vec<PictureLane>,
    /// The messages.
    pub arrows: Vec<ArrowPath>,
}

/// A lane of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureLane {
    /// Where it begins.
    pub top: Px,
    /// What its run came to, in the lanes of one run.
    pub tone: Option<Tone>,
    /// What is drawn in it.
    pub data: LaneData,
}

impl Picture {
    /// The width that it is laid out in, which nothing else is told.
    pub const WIDTH: Px = Px::whole(760);

    /// The picture of runs: what the timeline shows when they are opened.
    pub fn of(runs: &Rc<Runs>) -> Self {
        let metrics = Metrics::new(Self::WIDTH, MIN_TEXT, false);
        let layout = layout(&Shown::of(runs), story(runs, SimTime::ZERO), metrics);
        let lanes = layout.sections.iter().flat_map(|section| {
            let tone = section.region.and_then(|run| verdict::of_run(runs, run));
            let tone = tone.map(|text| text.tone);
            let of = move |lane: &crate::view_model::timeline::layout::PlacedLane| {
                let data = LaneData::clone(&lane.data);
                PictureLane { top: lane.top, tone, data }
            };
            section.lanes.iter().map(of)
        });
        Self { lanes: lanes.collect(), height: layout.height, arrows: layout.arrows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_but_the_incidents_is_filled_from_the_gallery() {
        let cards = cards();
        assert_eq!(cards.len(), GALLERY.len());
        for group in [Group::Idea, Group::Fault, Group::System] {
            assert!(cards.iter().any(|card| card.group == group), "{}", group.name());
        }
        for id in IDEA {
            assert!(cards.iter().any(|card| card.id == id), "{id} is no scenario");
        }
    }

    #[test]
    fn a_search_wants_every_word_somewhere() {
        let found = |query: &str| -> Vec<String> {
            let cards = cards().into_iter().filter(|card| card.matches(query));
            cards.map(|card| card.id.clone()).collect()
        };
        assert_eq!(found("REDLOCK vote"), ["redlock-split-vote"]);
        assert_eq!(found("paused-holder Twelve"), [""; 0]);
        assert!(found("zookeeper").len() >= 5, "by its system");
        assert_eq!(found(" ").len(), GALLERY.len());
    }

    #[test]
    fn a_card_says_what_its_runs_come_to_and_draws_them() {
        let cards = cards();
        let drawn = Drawn::of(&cards[0]).expect("it runs");
        let said: Vec<_> =
            drawn.outcomes.iter().map(|it| (&*it.label, &*it.verdict.text)).collect();
        assert_eq!(
            said,
            [("No fence", "Corrupted at 17.1 s"), ("With a fence", "Safe in this run"),]
        );
        let tones: Vec<_> = drawn.picture.lanes.iter().map(|lane| lane.tone).collect();
        assert_eq!(tones, [None, None, None, Some(Tone::Damage), Some(Tone::Plain)]);
        let drawn_at = |lane: &PictureLane| lane.top < drawn.picture.height;
        assert!(drawn.picture.lanes.iter().all(drawn_at));
        assert!(drawn.picture.lanes.iter().all(|lane| !lane.data.paths.is_empty()));
        assert!(!drawn.picture.arrows.is_empty());
    }

    #[test]
    fn a_bad_bundle_says_what_is_wrong() {
        assert!(incidents("[").is_err());
        assert!(incidents("[{\"id\":\"E1\"}]").is_err_and(|text| text.contains("happened")));
        assert_eq!(incidents("[]"), Ok(Vec::new()));
    }
}
