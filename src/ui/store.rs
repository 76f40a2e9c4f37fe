//! The page's state and the actions that change it. One reducer: what the user does becomes an
//! action, an edit becomes a new file, and that new runs. The frame's time is not in here (it would
//! re-render the page sixty times a second): the playhead keeps it in [`Clock`].

use std::cell::Cell;
use std::rc::Rc;

use yew::prelude::*;

use crate::scenarios::{GALLERY, GalleryEntry};
use crate::sim::id::FaultId;
use crate::sim::scenario::{Change, ScenarioError, ScenarioFile};
use crate::sim::time::SimTime;
use crate::view_model::runs::{FencingMode, Runs};

/// Steps that can be undone. A file takes about a kilobyte.
const MAX_UNDO: usize = 200;

/// Where the playhead stands: shared by the reducer, which needs it when runs change, and by the
/// playhead, which moves it on every frame. Two clocks are equal if they are the same one.
#[derive(Clone, Default, Debug)]
pub struct Clock(Rc<Cell<SimTime>>);

impl Clock {
    /// The playhead's time.
    pub fn now(&self) -> SimTime {
        self.0.get()
    }

    /// Moves it. Whoever draws the playhead must be told by the one who calls this.
    pub fn set(&self, time: SimTime) {
        self.0.set(time);
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What the user has picked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Nothing.
    Nothing,
    /// A moment, by its index.
    Moment(u32),
    /// A fault.
    Fault(FaultId),
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// As the system says.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The stretch of time that the timeline shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its start.
    pub start: SimTime,
    /// Its end.
    pub end: SimTime,
    /// Nobody has zoomed: it follows the runs.
    pub fitted: bool,
}

impl Window {
    /// The whole of the runs.
    pub fn whole(runs: &Runs) -> Self {
        Self {
            start: SimTime::ZERO,
            end: runs.ends_at(),
            fitted: true,
        }
    }
}

/// What undo brings back.
#[derive(Clone, PartialEq, Debug)]
struct Step {
    file: Rc<ScenarioFile>,
    scenario: &'static str,
}

/// Everything that the page shows, but for the frame's time.
#[derive(Clone, PartialEq, Debug)]
pub struct AppState {
    /// The scenario with its comparison: what is edited, and the only source of the runs.
    pub file: Rc<ScenarioFile>,
    /// The gallery entry that it began as.
    pub scenario: &'static str,
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
    /// The file before a drag that is under way.
    drag_from: Option<Step>,
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// Why the last edit was not taken; the last good run stays.
    pub problem: Option<Rc<str>>,
    /// Light or dark.
    pub theme: Theme,
    /// For teaching: nothing beyond the playhead is shown or told.
    pub hide_future: bool,
    /// Whether single keys (Space, arrows, letters) do something.
    pub single_keys: bool,
}

/// What can happen to the state.
#[derive(Clone, PartialEq, Debug)]
pub enum AppAction {
    /// A finished edit: one step to undo.
    Edit(Change),
    /// Several changes that are one edit.
    EditAll(Vec<Change>),
    /// An edit inside a drag: all until `DragEnd` are one step to undo.
    DragEdit(Change),
    /// The drag is over.
    DragEnd,
    /// Fencing off, on, or both.
    SetFencing(FencingMode),
    /// A scenario of the gallery takes the place of the current one.
    LoadScenario(&'static str),
    /// The playhead passed a moment: so many lie at it or before.
    MomentChanged(u32),
    /// Something is picked out.
    Select(Selection),
    /// The timeline shows another stretch.
    SetWindow(Window),
    /// Back one edit.
    Undo,
    /// Forward again.
    Redo,
    /// Light or dark.
    SetTheme(Theme),
    /// Hide or show what lies beyond the playhead.
    SetHideFuture(bool),
    /// Turn single keys on or off.
    SetSingleKeys(bool),
}

/// How components send actions. It holds no state, so that closures that live long may keep it.
pub type Dispatch = UseReducerDispatcher<AppState>;

impl AppState {
    /// The state that the page opens with: the gallery's first scenario at its first bad event.
    pub fn initial() -> Self {
        Self::open(&GALLERY[0])
    }

    /// A scenario of the gallery, nothing else set.
    pub fn open(entry: &'static GalleryEntry) -> Self {
        let file = entry.file();
        let runs = Runs::of(&file).expect("the gallery's test runs every file");
        let clock = Clock::default();
        clock.set(file.view.at.unwrap_or_else(|| runs.opens_at()));
        Self {
            fencing: FencingMode::of(&file),
            moment: runs.moments.n_until(clock.now()),
            window: Window::whole(&runs),
            file: Rc::new(file),
            scenario: entry.id,
            runs: Rc::new(runs),
            clock,
            selection: Selection::Nothing,
            drag_from: None,
            undo: Vec::new(),
            redo: Vec::new(),
            problem: None,
            theme: Theme::System,
            hide_future: false,
            single_keys: true,
        }
    }

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

    fn step(&self) -> Step {
        Step {
            file: self.file.clone(),
            scenario: self.scenario,
        }
    }

    /// Runs `file` and shows it; the playhead stays where it is. A bad file changes nothing but
    /// `problem`.
    fn show(&mut self, file: ScenarioFile) -> bool {
        match Runs::of(&file) {
            Ok(runs) => {
                self.set_runs(Rc::new(file), runs);
                true
            }
            Err(error) => {
                self.problem = Some(error.to_string().into());
                false
            }
        }
    }

    fn set_runs(&mut self, file: Rc<ScenarioFile>, runs: Runs) {
        let now = self.clock.now().min(runs.ends_at());
        self.clock.set(now);
        self.moment = runs.moments.n_until(now);
        self.fencing = FencingMode::of(&file);
        self.problem = None;
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
        self.file = file;
        self.runs = Rc::new(runs);
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
        let before = self.step();
        if self.try_change(change) {
            self.remember(before);
        }
    }

    fn drag(&mut self, change: &Change) {
        let from = self.drag_from.take().unwrap_or_else(|| self.step());
        self.drag_from = Some(from);
        self.try_change(|file| change.apply(&mut file.scenario));
    }

    fn try_change(
        &mut self,
        change: impl FnOnce(&mut ScenarioFile) -> Result<(), ScenarioError>,
    ) -> bool {
        let mut file = ScenarioFile::clone(&self.file);
        match change(&mut file) {
            Ok(()) => self.show(file),
            Err(error) => {
                self.problem = Some(error.to_string().into());
                false
            }
        }
    }

    fn end_drag(&mut self) {
        if let Some(from) = self.drag_from.take() {
            self.remember(from);
            if self.window.fitted {
                self.window = Window::whole(&self.runs);
            }
        }
    }

    fn load(&mut self, id: &'static str) {
        let Some(entry) = GalleryEntry::find(id) else {
            return;
        };
        self.end_drag();
        let before = self.step();
        self.scenario = entry.id;
        self.window.fitted = true;
        if self.show(entry.file()) {
            self.remember(before);
            self.open_still();
        }
    }

    /// Puts the playhead where the scenario is first looked at.
    fn open_still(&mut self) {
        let at = self.file.view.at.unwrap_or_else(|| self.runs.opens_at());
        self.clock.set(at);
        self.moment = self.runs.moments.n_until(at);
    }

    fn travel(&mut self, back: bool) {
        self.end_drag();
        let stack = if back { &mut self.undo } else { &mut self.redo };
        let Some(step) = stack.pop() else { return };
        let here = self.step();
        let is_other_scenario = step.scenario != self.scenario;
        self.scenario = step.scenario;
        if self.show(ScenarioFile::clone(&step.file)) && is_other_scenario {
            self.open_still();
        }
        let other = if back { &mut self.redo } else { &mut self.undo };
        other.push(here);
    }

    fn apply(&mut self, action: AppAction) {
        match action {
            AppAction::Edit(change) => self.edit(|file| change.apply(&mut file.scenario)),
            AppAction::EditAll(changes) => self.edit(|file| {
                let mut changes = changes.iter();
                changes.try_for_each(|change| change.apply(&mut file.scenario))
            }),
            AppAction::DragEdit(change) => self.drag(&change),
            AppAction::DragEnd => self.end_drag(),
            AppAction::SetFencing(mode) => self.edit(|file| {
                mode.write_to(file);
                Ok(())
            }),
            AppAction::LoadScenario(id) => self.load(id),
            AppAction::MomentChanged(moment) => {
                self.moment = moment.min(self.runs.moments.n_moments());
            }
            AppAction::Select(selection) => self.selection = selection,
            AppAction::SetWindow(window) => self.window = window,
            AppAction::Undo => self.travel(true),
            AppAction::Redo => self.travel(false),
            AppAction::SetTheme(theme) => self.theme = theme,
            AppAction::SetHideFuture(hide) => self.hide_future = hide,
            AppAction::SetSingleKeys(on) => self.single_keys = on,
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
