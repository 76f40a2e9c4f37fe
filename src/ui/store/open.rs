//! The state as it opens: the first scenario, another of the gallery, a link, a file. A link or a
//! file that cannot be read changes nothing but the notice.

use std::rc::Rc;

use super::{AppState, Clock, FencingMode, Opens, Origin, Selection, Theme, Then, Window, WorkId};
use crate::scenarios::products::Products;
use crate::scenarios::{GALLERY, GalleryEntry};
use crate::sim::scenario::ScenarioFile;
use crate::sim::time::SimTime;
use crate::view_model::drawing::scale::TimeAxis;
use crate::view_model::outside::import::{self, Source};
use crate::view_model::outside::link::{self, Link, Place, Selected};
use crate::view_model::runs::Runs;
use crate::view_model::stories::tour::TourPlace;

impl AppState {
    /// The state that the page opens with: the gallery's first scenario at its first bad event.
    pub fn initial() -> Self {
        Self::open(&GALLERY[0])
    }

    /// A scenario of the gallery, nothing else set.
    pub fn open(entry: &'static GalleryEntry) -> Self {
        let file = entry.file();
        let runs = Runs::of(&file).expect("the gallery's test runs every file");
        let at = file.view.at.unwrap_or_else(|| runs.opens_at());
        Self::with(file, entry.id, runs, at)
    }

    fn with(file: ScenarioFile, scenario: &'static str, runs: Runs, at: SimTime) -> Self {
        let clock = Clock::default();
        clock.place(at);
        Self {
            fencing: FencingMode::of(&file),
            moment: runs.moments.n_until(clock.now()),
            window: Window::whole(&runs),
            axis: TimeAxis::Slow,
            came: Rc::new(file.clone()),
            file: Rc::new(file),
            scenario,
            work: WorkId::default(),
            edited_here: false,
            n_works: 0,
            runs: Rc::new(runs),
            clock,
            selection: Selection::Nothing,
            drag_from: None,
            pending: None,
            ghost: None,
            next_ghost: None,
            undo: Vec::new(),
            redo: Vec::new(),
            problem: None,
            notice: None,
            unread: None,
            run_2_only: false,
            theme: Theme::System,
            hide_future: false,
            single_keys: true,
            present: false,
            tour: None,
        }
    }

    /// The page's first state, with the link that its address holds; `key`: what the
    /// device keeps it under already.
    pub fn linked(fragment: &str, key: Option<Rc<str>>) -> Self {
        let mut state = Self::initial();
        match TourPlace::parse(fragment) {
            Some(Ok(place)) => {
                state.show_step(place, false);
                return state;
            }
            Some(Err(problem)) => {
                state.notice = Some(problem.into());
                return state;
            }
            None => {}
        }
        match import::read(fragment, Source::Link) {
            // What is behind it nobody has seen: nothing to undo.
            Ok(link) => state.show(link, Then::Nothing, key),
            Err(problem) => state.notice = Some(problem.into()),
        }
        state
    }

    /// Shows a link or a file in place of what is there, as one step.
    pub(super) fn read(&mut self, text: &str, source: Source, key: Option<Rc<str>>) {
        self.end_drag();
        if source != Source::File {
            let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
            match TourPlace::parse(fragment) {
                Some(Ok(place)) => return self.show_step(place, false),
                Some(Err(problem)) => return self.notice = Some(problem.into()),
                None => {}
            }
        }
        self.unread = None;
        match import::read(text, source) {
            Ok(link) => {
                self.leave_tour();
                let before = Then::Remember(self.step());
                self.show(link, before, key);
            }
            Err(_) if source != Source::Link && Products::are_needed_by(text) => {
                (self.notice, self.unread) = (None, Some(text.into()));
            }
            Err(problem) => self.notice = Some(problem.into()),
        }
    }

    fn show(&mut self, link: Link, then: Then, key: Option<Rc<str>>) {
        (self.run_2_only, self.pending) = (false, None);
        let Link { mut file, place } = link;
        self.notice = import::leave_out_loose_ends(&mut file).map(Rc::from);
        let entry = place.scenario.as_deref().and_then(GalleryEntry::find);
        let scenario = entry.map_or("", |entry| entry.id);
        self.window.fitted = true;
        let origin = self.begin(scenario, key);
        self.go(file, origin, then, Opens::At(Rc::new(place)));
    }

    /// Another piece of work than any before.
    pub(super) fn begin(&mut self, scenario: &'static str, key: Option<Rc<str>>) -> Origin {
        self.n_works += 1;
        Origin { scenario, work: WorkId { number: self.n_works, key } }
    }

    pub(super) fn load(&mut self, id: &'static str) {
        self.end_drag();
        (self.notice, self.unread) = (None, None);
        (self.run_2_only, self.pending) = (false, None);
        if let Some(entry) = GalleryEntry::find(id) {
            self.leave_tour();
            self.window.fitted = true;
            let before = self.step();
            let origin = self.begin(entry.id, None);
            self.go(entry.file(), origin, Then::Remember(before), Opens::Still);
        }
    }

    /// Puts the playhead where the scenario is first looked at.
    pub(super) fn open_still(&mut self) {
        self.stand_at(self.file.view.at.unwrap_or_else(|| self.runs.opens_at()));
        self.clock.place(self.clock.now());
    }

    /// Puts the page where a link says, as far as its runs have it, and tells where they come to
    /// something else than its sender saw.
    pub(super) fn open_at(&mut self, place: &Place) {
        match place.at {
            Some(at) => self.stand_at(at.min(self.runs.ends_at())),
            None => self.open_still(),
        }
        self.axis = if place.to_scale { TimeAxis::ToScale } else { TimeAxis::Slow };
        if let Some((start, end)) = place.window.filter(|(start, end)| start < end) {
            self.window = Window { start, end, fitted: false };
        }
        self.selection = match place.selected {
            Some(Selected::Moment(index)) if index < self.runs.moments.n_moments() => {
                Selection::Moment(index)
            }
            Some(Selected::Fault(id)) if self.file.scenario.faults.iter().any(|f| f.id == id) => {
                Selection::Fault(id)
            }
            Some(Selected::Moment(_) | Selected::Fault(_)) | None => Selection::Nothing,
        };
        if let Some(others) = link::other_verdicts(place, &self.runs) {
            self.tell_too(&others);
        }
    }

    /// Tells something besides what is told already.
    pub(super) fn tell_too(&mut self, text: &str) {
        self.notice = Some(match &self.notice {
            Some(told) => format!("{told}. {text}").into(),
            None => text.into(),
        });
    }

    pub(super) fn stand_at(&mut self, at: SimTime) {
        self.clock.set(at);
        self.clock.take_hold();
        self.moment = self.runs.moments.n_until(at);
    }

    /// The place on the page, as a link carries it.
    pub fn place(&self) -> Place {
        Place {
            scenario: (!self.scenario.is_empty()).then(|| self.scenario.to_owned()),
            at: Some(self.clock.now()),
            window: (!self.window.fitted).then_some((self.window.start, self.window.end)),
            to_scale: self.axis == TimeAxis::ToScale,
            selected: match self.selection {
                Selection::Nothing => None,
                Selection::Moment(index) => Some(Selected::Moment(index)),
                Selection::Fault(id) => Some(Selected::Fault(id)),
            },
            verdicts: link::verdicts(&self.runs),
        }
    }

    /// The fragment of a scenario of the gallery that is as it came: its id, with the playhead's
    /// time where that was moved; `None`: there is more to say.
    pub fn short_fragment(&self) -> Option<String> {
        let entry = GalleryEntry::find(self.scenario)?;
        let is_plain = self.window.fitted
            && self.selection == Selection::Nothing
            && self.axis == TimeAxis::Slow;
        if !is_plain || entry.file() != *self.file {
            return None;
        }
        let still = self.file.view.at.unwrap_or_else(|| self.runs.opens_at());
        let now = self.clock.now();
        Some(link::to_entry(entry.id, (now != still).then_some(now)))
    }

    /// The page as a link's fragment.
    pub fn fragment(&self) -> String {
        if let Some(touring) = &self.tour {
            return touring.place.fragment();
        }
        if let Some(short) = self.short_fragment() {
            return short;
        }
        Link { file: ScenarioFile::clone(&self.file), place: self.place() }.to_fragment()
    }
}
