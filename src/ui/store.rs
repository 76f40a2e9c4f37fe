//! The page's state and the actions that change it. One reducer: what the user does becomes an
//! action, an edit becomes a new file, and that new runs. The frame's time is not in here (it would
//! re-render the page sixty times a second): the playhead keeps it in [`Clock`].

use std::rc::Rc;

use yew::prelude::*;

use crate::scenarios::GalleryEntry;
use crate::sim::id::FaultId;
use crate::sim::scenario::{Change, FaultEnd, Quantity, ScenarioError, ScenarioFile};
use crate::ui::slide::{Slide, moved};
use crate::view_model::drawing::scale::TimeAxis;
use crate::view_model::incident::observed::set_end;
use crate::view_model::outside::import::Source;
use crate::view_model::outside::link::Place;
use crate::view_model::outside::recent::Work;
use crate::view_model::runs::computing::Computing;
use crate::view_model::runs::{FencingMode, Runs, only_run_2, put};
use crate::view_model::sentences::system_words::no_longer_apply;

pub use clock::Clock;
pub use tour::{Reply, Ride, TourAction, Touring};

/// Steps that a run may take inside an edit; one that takes more is made in slices. A drag of a
/// typical scenario takes about five hundred.
const AT_ONCE: u32 = 20_000;

/// Steps that can be undone. A file takes about a kilobyte.
const MAX_UNDO: usize = 200;

/// What a scenario began as.
#[derive(Clone, PartialEq, Debug)]
struct Origin {
    scenario: &'static str,
    work: WorkId,
}

/// A piece of work: one scenario from when it was opened, with all edits of it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct WorkId {
    /// Counted in this page's life.
    pub number: u32,
    /// What the device keeps it under already.
    pub key: Option<Rc<str>>,
}

/// What undo brings back.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    file: Rc<ScenarioFile>,
    origin: Origin,
}

/// What happens to undo and redo once other runs are shown.
#[derive(Clone, PartialEq, Debug)]
enum Then {
    /// Nothing: the drag goes on.
    Nothing,
    /// This was before, and can be brought back.
    Remember(Step),
    /// Undo led here from this.
    Undone(Step),
    /// Redo led here from this.
    Redone(Step),
}

/// Where the page stands once other runs are shown.
#[derive(Clone, PartialEq, Debug)]
enum Opens {
    /// Where it stood.
    Not,
    /// At the point of a scenario that is looked at for the first time.
    Still,
    /// Where a link says.
    At(Rc<Place>),
}

/// An edit whose runs take longer than a frame: they are made in slices, and the last picture stays
/// until they are over.
#[derive(Clone, PartialEq, Debug)]
pub struct Pending {
    /// The edited file.
    pub file: Rc<ScenarioFile>,
    origin: Origin,
    then: Then,
    opens: Opens,
}

/// Everything that the page shows, but for the frame's time.
#[derive(Clone, PartialEq, Debug)]
pub struct AppState {
    /// The scenario with its comparison: what is edited, and the only source of the runs.
    pub file: Rc<ScenarioFile>,
    /// The same as it came: as the gallery has it, or as it was opened.
    pub came: Rc<ScenarioFile>,
    /// The gallery entry that it began as; empty: none.
    pub scenario: &'static str,
    /// The piece of work that it is.
    pub work: WorkId,
    /// Whether it was edited since it was opened.
    pub edited_here: bool,
    n_works: u32,
    /// Fencing off, on, or both; read from the file.
    pub fencing: FencingMode,
    /// The runs of `file`.
    pub runs: Rc<Runs>,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// Where the playhead stands.
    pub clock: Clock,
    /// What is picked out.
    pub selection: Selection,
    /// What the timeline shows.
    pub window: Window,
    /// How it draws time.
    pub axis: TimeAxis,
    /// The file before a drag that is under way.
    drag_from: Option<Step>,
    /// An edit whose runs are still being made.
    pub pending: Option<Rc<Pending>>,
    /// What is drawn faintly behind the runs.
    pub ghost: Option<Rc<Ghost>>,
    /// What the edit under way will leave behind.
    next_ghost: Option<Rc<Ghost>>,
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// Why the last edit was not taken; the last good run stays.
    pub problem: Option<Rc<str>>,
    /// What has to be told, until it is dismissed: of another lock system, a link, a file.
    pub notice: Option<Rc<str>>,
    /// A text to be opened that names a product where its lock system would stand: it waits for
    /// the list of products.
    pub unread: Option<Rc<str>>,
    /// Whether controls change Run 2 alone.
    pub run_2_only: bool,
    /// Light or dark.
    pub theme: Theme,
    /// For teaching: nothing beyond the playhead is shown or told.
    pub hide_future: bool,
    /// Whether single keys (Space, arrows, letters) do something.
    pub single_keys: bool,
    /// Whether the page is large, for a room.
    pub present: bool,
    /// The tour that is being taken, with the work that waits for its end.
    pub tour: Option<Rc<Touring>>,
}

/// What can happen to the state.
#[derive(Clone, PartialEq, Debug)]
pub enum AppAction {
    /// A finished edit: one step to undo.
    Edit(Change),
    /// Several changes that are one edit.
    EditAll(Vec<Change>),
    /// An edit of what the file says besides its scenario, perhaps with it: one step to undo.
    Put(Rc<ScenarioFile>),
    /// An edit inside a drag: all until `DragEnd` are one step to undo.
    DragEdit(Change),
    /// A move of a quantity's slider, inside a drag.
    Slide(Quantity, Slide),
    /// An observed line sets the end of a fault, or none any more.
    SetEnd(usize, Option<FaultEnd>),
    /// Whether the ruler shows times of day.
    ShowClock(bool),
    /// The drag is over.
    DragEnd,
    /// The runs of an edit are made.
    Computed(Rc<Pending>, Rc<Runs>),
    /// They are no longer wanted: what is shown stays.
    CancelComputing,
    /// Fencing off, on, or both.
    SetFencing(FencingMode),
    /// Run 2 is Run 1 with these changes; with none, Run 1 is shown alone.
    Compare(Vec<Change>),
    /// A scenario of the gallery takes the place of the current one.
    LoadScenario(&'static str),
    /// A link or a file takes the place of what is shown; a bad one only says so.
    Read(Rc<str>, Source),
    /// Work that the device has kept is opened again.
    OpenWork(Rc<Work>),
    /// Something has to be told.
    Tell(Rc<str>),
    /// Something has to be told besides what is told already.
    TellToo(Rc<str>),
    /// The playhead passed a moment: so many lie at it or before.
    MomentChanged(u32),
    /// Something is picked out.
    Select(Selection),
    /// What is drawn faintly is no longer wanted.
    DropGhost,
    /// The timeline shows another stretch.
    SetWindow(Window),
    /// The timeline draws time in another way.
    SetAxis(TimeAxis),
    /// Back one edit.
    Undo,
    /// Forward again.
    Redo,
    /// Light or dark.
    SetTheme(Theme),
    /// The notice has been read.
    DismissNotice,
    /// Controls change Run 2 alone, or all that is shown.
    SetRun2Only(bool),
    /// Hide or show what lies beyond the playhead.
    SetHideFuture(bool),
    /// Turn single keys on or off.
    SetSingleKeys(bool),
    /// Make the page large for a room, or as it was.
    SetPresent(bool),
    /// Takes a tour, goes on in it, or leaves it.
    Tour(TourAction),
}

/// How components send actions. It holds no state, so that closures that live long may keep it.
pub type Dispatch = UseReducerDispatcher<AppState>;

impl AppState {
    /// Whether a slider or a block is being dragged.
    pub fn is_dragging(&self) -> bool {
        self.drag_from.is_some()
    }

    /// Whether there is an edit to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether there is an edit to do again.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// The scenario with the edit that is still being computed: what controls show and change.
    pub fn edited(&self) -> &Rc<ScenarioFile> {
        self.pending.as_ref().map_or(&self.file, |pending| &pending.file)
    }

    /// What controls show: the edited scenario, or Run 2's while they change that alone.
    pub fn controlled(&self) -> Rc<ScenarioFile> {
        match self.run_2_only {
            true => Rc::new(only_run_2(self.edited())),
            false => self.edited().clone(),
        }
    }

    /// The fault that is picked out.
    pub fn selected_fault(&self) -> Option<FaultId> {
        match self.selection {
            Selection::Fault(id) => Some(id),
            Selection::Moment(_) | Selection::Nothing => None,
        }
    }

    fn step(&self) -> Step {
        Step { file: self.file.clone(), origin: self.origin() }
    }

    fn origin(&self) -> Origin {
        Origin { scenario: self.scenario, work: self.work.clone() }
    }

    /// Runs `file` and shows it; the playhead stays where it is. A bad file changes nothing but
    /// `problem`; a long run is left to be made in slices.
    fn go(&mut self, file: ScenarioFile, origin: Origin, then: Then, opens: Opens) {
        self.problem = None;
        let file = Rc::new(file);
        match Computing::new(&file) {
            Err(error) => {
                self.next_ghost = None;
                self.problem = Some(error.to_string().into());
            }
            Ok(mut computing) => {
                let pending = Pending { file, origin, then, opens };
                // One step for each run.
                if computing.step(AT_ONCE) || computing.step(AT_ONCE) {
                    self.accept(&pending, Rc::new(computing.finish()));
                } else {
                    self.pending = Some(Rc::new(pending));
                }
            }
        }
    }

    /// Shows what an edit has come to.
    fn accept(&mut self, pending: &Pending, runs: Rc<Runs>) {
        self.pending = None;
        let Origin { scenario, work } = pending.origin.clone();
        (self.scenario, self.work) = (scenario, work);
        // An edit, undone or not, and not what was just opened.
        self.edited_here = pending.opens == Opens::Not;
        if !self.edited_here {
            let entry = GalleryEntry::find(scenario).map(|entry| Rc::new(entry.file()));
            self.came = entry.unwrap_or_else(|| pending.file.clone());
        }
        self.set_runs(pending.file.clone(), runs);
        match &pending.opens {
            Opens::Not => {}
            Opens::Still => self.open_still(),
            Opens::At(place) => self.open_at(place),
        }
        match pending.then.clone() {
            Then::Nothing => {}
            Then::Remember(step) => self.remember(step),
            Then::Undone(step) => self.redo.push(step),
            Then::Redone(step) => self.undo.push(step),
        }
    }

    fn set_runs(&mut self, file: Rc<ScenarioFile>, runs: Rc<Runs>) {
        let now = self.clock.now().min(runs.ends_at());
        self.clock.set(now);
        self.moment = runs.moments.n_until(now);
        self.fencing = FencingMode::of(&file);
        self.selection = match self.selection {
            Selection::Fault(id) if file.scenario.faults.iter().any(|f| f.id == id) => {
                Selection::Fault(id)
            }
            Selection::Fault(_) | Selection::Moment(_) | Selection::Nothing => Selection::Nothing,
        };
        // The scale stays fixed during a drag and fits again on release.
        if self.window.fitted && !self.is_dragging() {
            self.window = Window::whole(&runs);
        }
        self.ghost = self.next_ghost.take();
        self.file = file;
        self.runs = runs;
    }

    fn remember(&mut self, step: Step) {
        if step.file == self.file {
            return;
        }
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(step);
        self.redo.clear();
    }

    fn edit(&mut self, change: impl FnOnce(&mut ScenarioFile) -> Result<(), ScenarioError>) {
        self.end_drag();
        let before = Then::Remember(self.step());
        self.change(change, before);
    }

    fn drag(&mut self, change: &Change) {
        let from = self.drag_from.take().unwrap_or_else(|| self.step());
        self.drag_from = Some(from);
        let run_2_only = self.run_2_only;
        self.change(|file| put(file, change, run_2_only), Then::Nothing);
    }

    /// Several changes that are one edit.
    fn edit_all(&mut self, changes: &[Change]) {
        let run_2_only = self.run_2_only;
        let before = self.controlled();
        let ghost = Ghost::left_by(changes, &self.runs, &before.scenario);
        self.next_ghost = ghost.map(Rc::new);
        self.edit(|file| changes.iter().try_for_each(|change| put(file, change, run_2_only)));
        self.tell_what_no_longer_applies(&before);
    }

    /// After another lock system or resource: what of what was set has no effect any more.
    fn tell_what_no_longer_applies(&mut self, before: &ScenarioFile) {
        let (before, after) = (&before.scenario, &self.controlled().scenario);
        if before.lock != after.lock || before.storage.resource != after.storage.resource {
            self.notice = no_longer_apply(before, after).map(Rc::from);
        }
    }

    fn change(
        &mut self,
        change: impl FnOnce(&mut ScenarioFile) -> Result<(), ScenarioError>,
        then: Then,
    ) {
        let mut file = ScenarioFile::clone(self.edited());
        match change(&mut file) {
            Ok(()) => self.go(file, self.origin(), then, Opens::Not),
            Err(error) => self.problem = Some(error.to_string().into()),
        }
    }

    fn end_drag(&mut self) {
        let Some(from) = self.drag_from.take() else {
            return;
        };
        match self.pending.take() {
            Some(pending) => {
                self.pending = Some(Rc::new(Pending {
                    then: Then::Remember(from),
                    ..Pending::clone(&pending)
                }));
            }
            None => self.remember(from),
        }
        if self.window.fitted {
            self.window = Window::whole(&self.runs);
        }
    }

    fn travel(&mut self, back: bool) {
        self.end_drag();
        self.notice = None;
        // What is not there yet is undone by not making it.
        if self.pending.take().is_some() && back {
            return;
        }
        let stack = if back { &mut self.undo } else { &mut self.redo };
        let Some(step) = stack.pop() else { return };
        let here = self.step();
        let then = match back {
            true => Then::Undone(here),
            false => Then::Redone(here),
        };
        let opens = match step.origin.work == self.work {
            true => Opens::Not,
            false => Opens::Still,
        };
        self.go(ScenarioFile::clone(&step.file), step.origin, then, opens);
    }

    fn apply(&mut self, action: AppAction) {
        match action {
            AppAction::Edit(change) => self.edit_all(&[change]),
            AppAction::EditAll(changes) => self.edit_all(&changes),
            AppAction::Put(file) => {
                let before = self.controlled();
                self.edit(|old| {
                    *old = ScenarioFile::clone(&file);
                    Ok(())
                });
                self.tell_what_no_longer_applies(&before);
            }
            AppAction::SetEnd(line, end) => match set_end(self.edited(), line, end) {
                Ok(file) => self.apply(AppAction::Put(Rc::new(file))),
                Err(why) => self.notice = Some(why.into()),
            },
            AppAction::ShowClock(on) => self.edit(|file| {
                file.incident.clock = on;
                Ok(())
            }),
            AppAction::DismissNotice => (self.notice, self.unread) = (None, None),
            AppAction::SetRun2Only(on) => self.run_2_only = on,
            AppAction::DragEdit(change) => self.drag(&change),
            AppAction::Slide(quantity, slide) => {
                if let Some(change) = moved(quantity, &self.controlled().scenario, &slide) {
                    self.drag(&change);
                }
            }
            AppAction::DragEnd => self.end_drag(),
            AppAction::Computed(pending, runs) => {
                // Only what is still wanted: an edit since then has its own runs under way.
                if self.pending.as_ref().is_some_and(|p| Rc::ptr_eq(p, &pending)) {
                    self.accept(&pending, runs);
                }
            }
            AppAction::CancelComputing => {
                self.drag_from = None;
                self.pending = None;
            }
            AppAction::SetFencing(mode) => self.edit(|file| {
                mode.write_to(file);
                Ok(())
            }),
            AppAction::Compare(changes) => self.edit(|file| {
                file.compare = changes;
                Ok(())
            }),
            AppAction::LoadScenario(id) => self.load(id),
            AppAction::Read(text, source) => self.read(&text, source, None),
            AppAction::OpenWork(work) => {
                self.read(&work.link, Source::Link, Some(work.key.as_str().into()));
            }
            AppAction::Tell(text) => (self.notice, self.unread) = (Some(text), None),
            AppAction::TellToo(text) => self.tell_too(&text),
            AppAction::MomentChanged(moment) => {
                self.moment = moment.min(self.runs.moments.n_moments());
            }
            AppAction::Select(selection) => self.selection = selection,
            AppAction::DropGhost => self.ghost = None,
            AppAction::SetWindow(window) => self.window = window,
            AppAction::SetAxis(axis) => self.axis = axis,
            AppAction::Undo => self.travel(true),
            AppAction::Redo => self.travel(false),
            AppAction::SetTheme(theme) => self.theme = theme,
            AppAction::SetHideFuture(hide) => self.hide_future = hide,
            AppAction::SetSingleKeys(on) => self.single_keys = on,
            AppAction::SetPresent(on) => self.present = on,
            AppAction::Tour(action) => self.tour(action),
        }
    }
}

impl Reducible for AppState {
    type Action = AppAction;

    fn reduce(mut self: Rc<Self>, action: AppAction) -> Rc<Self> {
        Rc::make_mut(&mut self).apply(action);
        self
    }
}

mod clock;
mod open;
mod picked;
#[cfg(test)]
mod tests;
mod tour;
#[cfg(test)]
mod tour_tests;

pub use picked::{Ghost, Selection, Theme, Window};
