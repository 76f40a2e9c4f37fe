//! The state while a tour is taken: what the reader was at is put aside, whole, and comes back when
//! the tour is left. A question hides the future until it is answered, from the first step on
//! that shows its runs.

use std::rc::Rc;

use super::{AppState, Opens, Then};
use crate::scenarios::GalleryEntry;
use crate::sim::time::SimTime;
use crate::view_model::outside::link::Place;
use crate::view_model::stories::tour::{Step, Task, TourPlace, instant};

/// A tour that is being taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Touring {
    /// Where it stands.
    pub place: TourPlace,
    /// What was answered to the step's question; the outer `None`: nothing yet.
    pub answer: Option<Reply>,
    /// What is played now: counted, so that a replay is another one.
    pub ride: Ride,
    /// The page as the reader left it, and where its playhead stood.
    own: Rc<(AppState, SimTime)>,
}

/// How a question was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// By this option.
    Given(usize),
    /// Not at all: the reader went on.
    Shown,
}

/// What a step plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ride {
    /// Counts the rides of this page.
    pub number: u32,
    /// Where it stops; `None`: nothing is played.
    pub until: Option<SimTime>,
}

/// What is done to a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TourAction {
    /// Goes to a step and plays it.
    Go(TourPlace),
    /// Answers the question, or goes to the next step; behind the last one, leaves.
    Next,
    /// Goes to the step before.
    Previous,
    /// Plays the step again.
    Replay,
    /// Answers by an option.
    Answer(usize),
    /// Gives the reader's own work back.
    Leave,
}

impl Touring {
    /// The step.
    pub fn step(&self) -> &'static Step {
        self.place.step()
    }

    /// Whether its question is still open.
    pub fn asks(&self) -> bool {
        self.answer.is_none() && matches!(self.step().task, Task::Predict(_))
    }
}

impl AppState {
    pub(super) fn tour(&mut self, action: TourAction) {
        if let TourAction::Go(place) = action {
            return self.show_step(place, true);
        }
        let Some(touring) = self.tour.clone() else {
            return;
        };
        let place = touring.place;
        match action {
            TourAction::Go(place) => self.show_step(place, true),
            TourAction::Next if touring.asks() => self.answer(Reply::Shown),
            TourAction::Next => match place.next() {
                Some(next) => self.show_step(next, true),
                None => self.leave_tour(),
            },
            TourAction::Previous => {
                if let Some(previous) = place.previous() {
                    self.show_step(previous, false);
                }
            }
            TourAction::Replay => self.show_step(place, true),
            TourAction::Answer(option) if touring.asks() => self.answer(Reply::Given(option)),
            TourAction::Answer(_) => {}
            TourAction::Leave => self.leave_tour(),
        }
    }

    /// Shows a step: at its beginning if it is to be played, otherwise at the moment that it is
    /// about.
    pub(super) fn show_step(&mut self, place: TourPlace, plays: bool) {
        self.end_drag();
        let old = self.tour.take();
        let number = old.as_ref().map_or(0, |touring| touring.ride.number) + 1;
        let own = match old {
            Some(touring) => touring.own.clone(),
            None => Rc::new((self.clone(), self.clock.now())),
        };
        let step = place.step();
        let (from, to) = (instant(step.plays.0), instant(step.plays.1));
        let ride = Ride { number, until: plays.then_some(to) };
        let touring = Touring { place, answer: None, ride, own };
        // Whoever is to predict something has not seen it in the steps before.
        self.hide_future = touring.asks() || place.leads_to_a_question();
        self.tour = Some(Rc::new(touring));
        self.undo.clear();
        self.redo.clear();
        (self.notice, self.run_2_only, self.pending) = (None, false, None);
        self.window.fitted = true;
        let entry = GalleryEntry::find(step.scenario);
        let origin = self.begin(entry.map_or("", |entry| entry.id), None);
        let at = Some(if plays { from } else { to });
        let opens = Opens::At(Rc::new(Place { at, ..Place::default() }));
        self.go(step.file(), origin, Then::Nothing, opens);
    }

    /// Takes an answer: the future may be known, and what was asked about is played.
    fn answer(&mut self, answer: Reply) {
        let Some(touring) = &mut self.tour else {
            return;
        };
        let touring = Rc::make_mut(touring);
        touring.answer = Some(answer);
        if let Some(question) = touring.step().question() {
            let until = instant(question.seen_at).min(self.runs.ends_at());
            touring.ride = Ride { number: touring.ride.number + 1, until: Some(until) };
        }
        self.hide_future = false;
    }

    /// Gives the reader's own work back, where it stood.
    pub(super) fn leave_tour(&mut self) {
        let Some(touring) = self.tour.take() else {
            return;
        };
        let (own, at) = &*touring.own;
        let (theme, single_keys) = (self.theme, self.single_keys);
        let (present, n_works) = (self.present, self.n_works);
        *self = Self { theme, single_keys, present, n_works, ..own.clone() };
        self.stand_at((*at).min(self.runs.ends_at()));
    }
}
