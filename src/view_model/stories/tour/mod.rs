//! Tours: stories told in steps. A step shows a scenario at a moment, points at what matters, and
//! may ask what will happen or leave the page to the reader. What it claims is data, and the answer
//! to its question is not written down: it is the option that holds in the run. A test holds every
//! claim against the runs.

mod lease;
mod stories;

use crate::scenarios::GalleryEntry;
use crate::sim::plain_text::quoted;
use crate::sim::property::VerdictKind;
use crate::sim::scenario::ScenarioFile;
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::runs::moment::RunNo;
use crate::view_model::runs::{Runs, only_run_2};

/// All tours, in the order in which a newcomer takes them.
pub static TOURS: [Tour; 7] = [
    lease::DEADLOCK,
    lease::LEASE,
    lease::PAUSED,
    stories::CHECK,
    stories::FENCE,
    stories::BEYOND,
    stories::LONGER,
];

/// A story.
#[derive(Debug)]
pub struct Tour {
    /// Its name in links; never changes.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Its point, in a sentence.
    pub line: &'static str,
    /// Its steps; links count them from 1, so new ones come last.
    pub steps: &'static [Step],
}

/// A step of a tour.
#[derive(Debug)]
pub struct Step {
    /// What it is about.
    pub title: &'static str,
    /// What is told.
    pub text: &'static str,
    /// The gallery's scenario that it shows.
    pub scenario: &'static str,
    /// Which of its runs.
    pub cast: Cast,
    /// From when to when it plays, in milliseconds.
    pub plays: (u64, u64),
    /// What it points at.
    pub look: Look,
    /// What the reader does.
    pub task: Task,
    /// What is so in its runs, besides what `task` needs.
    pub claims: &'static [Truth],
}

/// Which runs of a scenario a step shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cast {
    /// Run 1 alone.
    First,
    /// Run 2 alone, which is then Run 1 on the page.
    Second,
    /// Both.
    Both,
}

/// What a step points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The sentence under the timeline.
    Why,
    /// The fault on the timeline.
    Fault,
    /// The large slider.
    Slider,
    /// The switch for the fence.
    Fencing,
    /// The time to live.
    Ttl,
    /// The storage of a run, with its verdict.
    Storage(RunNo),
}

impl Look {
    /// The class by which the style sheet frames it, and the element on the page.
    pub fn on_page(self) -> (&'static str, &'static str) {
        match self {
            Self::Why => ("look-why", ".why"),
            Self::Fault => ("look-fault", ".tl-block"),
            Self::Slider => ("look-slider", ".control.is-main"),
            Self::Fencing => ("look-fencing", ".fencing"),
            Self::Ttl => ("look-ttl", "[aria-label='Time to live']"),
            Self::Storage(RunNo::One) => ("look-one", ".tl-run"),
            Self::Storage(RunNo::Two) => ("look-two", ".tl-run + .tl-run"),
        }
    }
}

/// What the reader does in a step.
#[derive(Debug)]
pub enum Task {
    /// Reads and watches.
    Watch,
    /// Says what will happen, before it is shown.
    Predict(Question),
    /// Changes something.
    Try {
        /// What to do.
        what: &'static str,
        /// Done if any of these holds.
        done: &'static [Truth],
        /// What is said then.
        says: &'static str,
    },
}

/// A question about what happens next.
#[derive(Debug)]
pub struct Question {
    /// What is asked.
    pub ask: &'static str,
    /// What can be answered, and what would make it right.
    pub options: &'static [(&'static str, Truth)],
    /// When it is seen, in milliseconds; [`AT_THE_END`]: when the run is over.
    pub seen_at: u64,
    /// Why it is so.
    pub because: &'static str,
}

/// When a question is seen that only the end answers: later than any run's end, in milliseconds.
pub const AT_THE_END: u64 = 86_400_000;

/// Something that is so in runs, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// A run comes to this verdict.
    Verdict(RunNo, VerdictKind),
    /// The lock is granted so often.
    Grants(RunNo, usize),
    /// It is granted at this time, in milliseconds.
    GrantAt(RunNo, u64),
    /// A write is accepted at this time, in milliseconds; or none is.
    Accepted(RunNo, u64, bool),
}

/// An instant of a step.
pub fn instant(millis: u64) -> SimTime {
    SimTime::ZERO + SimDuration::from_millis(millis)
}

impl Truth {
    /// Whether it is so. Nothing is so of a run that is not shown.
    pub fn holds(&self, runs: &Runs) -> bool {
        match *self {
            Self::Verdict(run, kind) => runs.run(run).is_some_and(|run| run.verdict().kind == kind),
            Self::Grants(run, n) => runs.run(run).is_some_and(|run| run.grants().len() == n),
            Self::GrantAt(run, millis) => {
                let is_then = |run: &crate::sim::Recording| {
                    run.grants().iter().any(|grant| grant.at == instant(millis))
                };
                runs.run(run).is_some_and(is_then)
            }
            Self::Accepted(run, millis, expected) => {
                let accepts = |run: &crate::sim::Recording| {
                    let accepted = run.writes().iter().filter(|write| write.accepted);
                    let mut entries = accepted.filter_map(|write| run.log().get(write.entry));
                    entries.any(|entry| entry.at == instant(millis))
                };
                runs.run(run).is_some_and(|run| accepts(run) == expected)
            }
        }
    }
}

impl Question {
    /// The option that is right, by the runs; a test holds that there is one.
    pub fn answer(&self, runs: &Runs) -> Option<usize> {
        self.options.iter().position(|(_, truth)| truth.holds(runs))
    }
}

impl Step {
    /// The scenario that it shows.
    pub fn file(&self) -> ScenarioFile {
        let entry = GalleryEntry::find(self.scenario).expect("a test looks every scenario up");
        let mut file = entry.file();
        match self.cast {
            Cast::Both => {}
            Cast::First => file.compare.clear(),
            Cast::Second => {
                file = only_run_2(&file);
                file.compare.clear();
            }
        }
        file
    }

    /// Its question, if it asks one.
    pub fn question(&self) -> Option<&Question> {
        match &self.task {
            Task::Predict(question) => Some(question),
            Task::Watch | Task::Try { .. } => None,
        }
    }
}

/// Where a tour stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TourPlace {
    /// Which tour, by its place in [`TOURS`].
    pub tour: usize,
    /// Which of its steps, from 0.
    pub step: usize,
}

/// What stands before a tour's place in a link.
const PREFIX: &str = "tour=";

impl TourPlace {
    /// The start of a tour.
    pub fn start(tour: usize) -> Self {
        Self { tour, step: 0 }
    }

    /// The tour.
    pub fn tour(self) -> &'static Tour {
        &TOURS[self.tour.min(TOURS.len() - 1)]
    }

    /// The step.
    pub fn step(self) -> &'static Step {
        let steps = self.tour().steps;
        &steps[self.step.min(steps.len() - 1)]
    }

    /// Whether the reader is asked later on what comes of the runs that this step shows, and has
    /// not been asked yet: then nobody is to see it here.
    pub fn leads_to_a_question(self) -> bool {
        let (steps, here) = (self.tour().steps, self.step());
        let asks = |other: &&Step| {
            let is_seen = other.cast == here.cast || [other.cast, here.cast].contains(&Cast::Both);
            other.question().is_some() && other.scenario == here.scenario && is_seen
        };
        let is_try = |step: &&Step| matches!(step.task, Task::Try { .. });
        let before = &steps[..self.step.min(steps.len())];
        // What the reader is to try changes what is asked about.
        let ahead = steps.iter().skip(self.step + 1).take_while(|step| !is_try(step));
        !is_try(&here)
            && !before.iter().any(|step| asks(&step))
            && ahead.into_iter().any(|step| asks(&step))
    }

    /// The step after this one, of the next tour after the last; `None`: the tours are over.
    pub fn next(self) -> Option<Self> {
        if self.step + 1 < self.tour().steps.len() {
            return Some(Self { step: self.step + 1, ..self });
        }
        (self.tour + 1 < TOURS.len()).then(|| Self::start(self.tour + 1))
    }

    /// The step before this one.
    pub fn previous(self) -> Option<Self> {
        match (self.tour, self.step) {
            (0, 0) => None,
            (tour, 0) => {
                let last = Self { tour: tour - 1, step: usize::MAX };
                Some(Self { step: last.tour().steps.len() - 1, ..last })
            }
            (tour, step) => Some(Self { tour, step: step - 1 }),
        }
    }

    /// As an address's fragment, without the `#`.
    pub fn fragment(self) -> String {
        format!("{PREFIX}{}.{}", self.tour().id, self.step + 1)
    }

    /// Reads a fragment; `None`: it is no tour's.
    ///
    /// # Errors
    /// A sentence for the page, where there is no such tour or step.
    pub fn parse(fragment: &str) -> Option<Result<Self, String>> {
        let place = fragment.trim().strip_prefix(PREFIX)?;
        Some(Self::read(place))
    }

    fn read(place: &str) -> Result<Self, String> {
        let (id, number) = place.split_once('.').unwrap_or((place, "1"));
        let Some(tour) = TOURS.iter().position(|tour| tour.id == id) else {
            let ids: Vec<_> = TOURS.iter().map(|tour| tour.id).collect();
            let ids = ids.join(", ");
            return Err(format!("This link names the tour “{}”; the tours are {ids}", quoted(id)));
        };
        let n_steps = TOURS[tour].steps.len();
        match number.parse::<usize>() {
            Ok(number) if (1..=n_steps).contains(&number) => Ok(Self { tour, step: number - 1 }),
            Ok(_) | Err(_) => Err(format!(
                "This link asks for step “{}” of the tour “{id}”, which has steps 1 to {n_steps}",
                quoted(number)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_link() {
        let mut place = TourPlace::start(0);
        let mut n_steps = 1;
        loop {
            assert_eq!(TourPlace::parse(&place.fragment()), Some(Ok(place)));
            let Some(next) = place.next() else { break };
            assert_eq!(next.previous(), Some(place));
            (place, n_steps) = (next, n_steps + 1);
        }
        assert_eq!(n_steps, TOURS.iter().map(|tour| tour.steps.len()).sum::<usize>());
        assert_eq!(TourPlace::start(0).previous(), None);
    }

    #[test]
    fn a_link_to_no_step_says_what_there_is() {
        let wrong = |text: &str| TourPlace::parse(text).expect("a tour's").expect_err(text);
        let begins = |text: &str, start: &str| assert!(wrong(text).starts_with(start), "{text}");
        begins("tour=x", "This link names the tour “x”; the tours are deadlock,");
        begins("tour=fence.0", "This link asks for step “0” of the tour “fence”");
        assert!(wrong("tour=fence.99").contains("which has steps 1 to 5"));
        assert!(wrong("tour=fence.-").starts_with("This link asks for step “-”"));
        assert!(wrong("tour=").starts_with("This link names the tour “”"));
        assert_eq!(TourPlace::parse("1.abc"), None);
        assert_eq!(TourPlace::parse("tour=fence"), Some(Ok(TourPlace { tour: 4, step: 0 })));
    }
}
