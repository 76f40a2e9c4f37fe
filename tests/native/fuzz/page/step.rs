//! One step of a walk: what somebody does on the page, as the actions that its parts send.

use std::rc::Rc;

use yew::Reducible;

use fenceline::scenarios::GALLERY;
use fenceline::sim::id::FaultId;
use fenceline::sim::lock::SYSTEMS;
use fenceline::sim::scenario::{
    ActorName, ClientSpec, NamedStep, Quantity, RESOURCES, ScenarioFile, ScenarioSpec,
};
use fenceline::sim::{Change, SimTime};
use fenceline::ui::store::{AppAction, AppState, Selection, TourAction, Window};
use fenceline::view_model::controls::amount;
use fenceline::view_model::controls::{Control, Shape};
use fenceline::view_model::incident::{form, observed, paste};
use fenceline::view_model::outside::import::Source;
use fenceline::view_model::panels::row;
use fenceline::view_model::runs::FencingMode;
use fenceline::view_model::sentences::system_words::compares_nothing;
use fenceline::view_model::setup;
use fenceline::view_model::setup::new_fault::{WHATS, new_fault, whoms};
use fenceline::view_model::stories::tour::{TOURS, TourPlace};
use fenceline::view_model::systems;
use fenceline::view_model::timeline::marker::Grip;
use fenceline::view_model::timeline::snap;
use fenceline::view_model::words::names::Words;

use super::super::dice::Dice;
use super::super::{Trial, files, links};
use super::shown::drawn;

/// What can be done; what is done often stands twice.
pub const WORDS: [&str; 35] = [
    "turn",
    "turn",
    "turn",
    "type",
    "type",
    "drag",
    "drag",
    "system",
    "system",
    "resource",
    "default",
    "offer",
    "add",
    "add",
    "remove",
    "enable",
    "move",
    "client",
    "leave-client",
    "fencing",
    "alone",
    "run-2",
    "undo",
    "undo",
    "redo",
    "load",
    "read",
    "zoom",
    "select",
    "tour",
    "next",
    "form",
    "paste",
    "name",
    "end",
];

/// What is typed into fields.
const TYPED: [&str; 14] = [
    "",
    "0",
    "1",
    "5 s",
    "12.5",
    "1/3",
    "off",
    "24 h",
    "25 h",
    "-1 s",
    "often",
    "9223372036854775807 h",
    "\u{202e}5\0",
    "1e3 s",
];

/// Every control of a scenario.
pub fn controls(words: &Words, spec: &ScenarioSpec, fencing_off: bool) -> Vec<Control> {
    let sheet = setup::sheet(words, spec, fencing_off).into_iter();
    let mut all: Vec<_> = sheet.flat_map(|group| group.controls).collect();
    all.extend(spec.faults.iter().flat_map(|fault| setup::of_fault(fault, spec)));
    all
}

/// Every quantity of a scenario that has a slider.
pub fn quantities(file: &ScenarioFile) -> Vec<Quantity> {
    let spec = &file.scenario;
    let mut all = vec![file.main_quantity()];
    all.extend([Quantity::Ttl, Quantity::Renew, Quantity::Work, Quantity::Latency]);
    all.extend([Quantity::LockDelay, Quantity::Grace, Quantity::DeadlineMargin]);
    all.extend([Quantity::CheckGap, Quantity::StartsAfter, Quantity::MinHold, Quantity::RenewCap]);
    let of_faults = spec.faults.iter().map(|fault| fault.id);
    all.extend(of_faults.flat_map(|id| [Quantity::FaultStart(id), Quantity::FaultLength(id)]));
    all
}

fn pick<T>(all: &[T], number: usize) -> Option<&T> {
    all.get(number % all.len().max(1))
}

/// An instant of the runs.
fn instant(state: &AppState, number: usize) -> SimTime {
    let end = state.runs.ends_at().micros();
    SimTime::from_micros(end / 10_000 * u64::try_from(number % 10_001).expect("small"))
}

fn fault_id(state: &AppState, number: usize) -> Option<FaultId> {
    pick(&state.edited().scenario.faults, number).map(|fault| fault.id)
}

/// Takes a step. A run that would take longer than a frame is given up: what is shown stays.
pub fn take(
    state: Rc<AppState>,
    word: &str,
    one: usize,
    other: usize,
    trial: &mut Trial,
) -> Rc<AppState> {
    let before = state.file.clone();
    let mut state = match word {
        "drag" => drag(state, one, other),
        _ => match action(&state, word, one, other, trial) {
            Some(action) => state.reduce(action),
            None => state,
        },
    };
    if state.pending.is_some() {
        state = state.reduce(AppAction::CancelComputing);
    }
    state.problem.iter().for_each(|problem| trial.refused(problem));
    state.notice.iter().for_each(|notice| trial.told(notice));
    if state.file != before {
        trial.taken();
    }
    state
}

/// A slider that is dragged in three moves and let go.
fn drag(mut state: Rc<AppState>, one: usize, other: usize) -> Rc<AppState> {
    let Some(quantity) = pick(&quantities(&state.controlled()), one).copied() else {
        return state;
    };
    let range = amount::range(quantity);
    let mut value = quantity.value(&state.controlled().scenario).unwrap_or_default();
    for _ in 0..3 {
        let times = u32::try_from(1 + other % 40).expect("small");
        let up = other.is_multiple_of(2);
        value = if up { range.above(value, times) } else { range.below(value, times) };
        state = state.reduce(AppAction::DragEdit(quantity.set(value)));
    }
    state.reduce(AppAction::DragEnd)
}

fn action(
    state: &AppState,
    word: &str,
    one: usize,
    other: usize,
    trial: &mut Trial,
) -> Option<AppAction> {
    let file = state.controlled();
    let spec = &file.scenario;
    let words = &Words::of(&file.incident, &file.scenario);
    let action = match word {
        "turn" => {
            turn(pick(&controls(words, spec, state.fencing == FencingMode::Off), one)?, other)?
        }
        "type" => typed(&file, one, other, trial)?,
        "system" => AppAction::Edit(Change::Lock(pick(&SYSTEMS, one)?.system)),
        "resource" => AppAction::Edit(Change::Resource(pick(&RESOURCES, one)?.resource)),
        "default" => AppAction::EditAll(systems::real_defaults(spec)),
        "offer" => {
            let mut offers = systems::ways_to_a_token(spec);
            offers
                .extend(compares_nothing(&state.file, &state.runs).into_iter().flat_map(|it| it.1));
            let offer = pick(&offers, one)?;
            match offer.compared {
                true => AppAction::Compare(offer.changes.clone()),
                false => AppAction::EditAll(offer.changes.clone()),
            }
        }
        "add" => {
            let what = pick(&WHATS, one)?.0;
            let whom = *pick(&whoms(what, spec), other)?;
            let step = pick(&NamedStep::ALL, other).copied().filter(|_| one.is_multiple_of(2));
            AppAction::Edit(Change::AddFault(new_fault(spec, what, whom, step)))
        }
        "remove" => AppAction::Edit(Change::RemoveFault(fault_id(state, one)?)),
        "enable" => {
            let (id, enabled) = (fault_id(state, one)?, other.is_multiple_of(2));
            AppAction::Edit(Change::EnableFault { id, enabled })
        }
        "move" => moved(state, one, other)?,
        "client" => AppAction::Edit(Change::AddClient(ClientSpec::asking_at(instant(state, one)))),
        "leave-client" => AppAction::Edit(Change::RemoveLastClient),
        _ => return self::other(state, word, one, other, trial),
    };
    Some(action)
}

/// What is done besides edits of the scenario.
fn other(
    state: &AppState,
    word: &str,
    one: usize,
    other: usize,
    trial: &mut Trial,
) -> Option<AppAction> {
    let action = match word {
        "fencing" => AppAction::SetFencing(*pick(&FencingMode::ALL, one)?),
        "alone" => AppAction::Compare(Vec::new()),
        "run-2" => AppAction::SetRun2Only(one.is_multiple_of(2)),
        "undo" => AppAction::Undo,
        "redo" => AppAction::Redo,
        "open" | "load" => AppAction::LoadScenario(pick(&GALLERY, one)?.id),
        "read" => {
            let mut dice = Dice::new(u64::try_from(one).expect("small"), "read", 0);
            let (text, source) = match other % 2 {
                0 => (links::changed_link(&mut dice), Source::Link),
                _ => (files::changed_file(&mut dice), Source::File),
            };
            AppAction::Read(text.into(), source)
        }
        "zoom" => {
            let ends = [instant(state, one), instant(state, other)];
            let (start, end) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            AppAction::SetWindow(Window { start, end, fitted: false })
        }
        "select" => {
            let n_moments = usize::try_from(state.runs.moments.n_moments()).expect("it fits");
            let index = u32::try_from(one % n_moments.max(1)).expect("it was one");
            state.clock.set(instant(state, other));
            match (fault_id(state, one), other % 2) {
                (Some(id), 0) => AppAction::Select(Selection::Fault(id)),
                _ => AppAction::Select(Selection::Moment(index)),
            }
        }
        "tour" => AppAction::Tour(TourAction::Go(TourPlace::start(one % TOURS.len()))),
        "next" => AppAction::Tour(match other % 4 {
            0 => TourAction::Answer(one % 4),
            1 => TourAction::Leave,
            _ => TourAction::Next,
        }),
        _ => return incident(state, word, one, other, trial),
    };
    Some(action)
}

/// What is said of a real incident: its form, pasted lines, names, and lines that set ends.
fn incident(
    state: &AppState,
    word: &str,
    one: usize,
    other: usize,
    trial: &mut Trial,
) -> Option<AppAction> {
    let action = match word {
        "form" => {
            let mut dice = Dice::new(u64::try_from(other).expect("small"), "form", 0);
            let entries = form::entries(state.edited());
            let mut typed: Vec<_> = entries.into_iter().map(|it| (it.field, it.value)).collect();
            let n_fields = typed.len();
            typed[one % n_fields].1 = super::super::mutate::hostile(&mut dice);
            // A time of day without a zone, far away in another.
            let start = ["", "9999-12-31T23:59:59", "0001-01-01 00:00", "2024-05-01T10:00:00Z"];
            typed[2].1 = start[other % start.len()].to_owned();
            let zone = |name: &str, _| (name == "Berlin").then_some(-720);
            match form::applied(state.edited(), &typed, &zone) {
                Ok(file) => AppAction::Put(Rc::new(file)),
                Err(message) => AppAction::Tell(message.into()),
            }
        }
        "paste" => {
            let mut dice = Dice::new(u64::try_from(one).expect("small"), "paste", 0);
            let mut file = ScenarioFile::clone(state.edited());
            let pasted = paste::read(&super::super::pasted::changed(&mut dice), &file.incident);
            pasted.bad.iter().for_each(|bad| trial.refused(&bad.sentence()));
            file.incident.start = file.incident.start.or(pasted.start);
            file.incident.clock = other.is_multiple_of(2);
            file.incident.observed = pasted.lines;
            AppAction::Put(Rc::new(file))
        }
        "name" => {
            let mut dice = Dice::new(u64::try_from(other).expect("small"), "name", 0);
            let mut file = ScenarioFile::clone(state.edited());
            let actor = *pick(&row::actors(&state.runs), one)?;
            let name: String = super::super::mutate::hostile(&mut dice).chars().take(60).collect();
            file.incident.names.retain(|name| name.actor != actor);
            file.incident.names.push(ActorName { actor, name });
            AppAction::Put(Rc::new(file))
        }
        "end" => {
            let line = one % state.edited().incident.observed.len().max(1);
            let ends = observed::ends(&state.runs.words, &state.edited().scenario);
            AppAction::SetEnd(line, pick(&ends, other).map(|(end, _)| *end))
        }
        _ => return None,
    };
    Some(action)
}

/// A switch turned, another choice made, or something typed into a field.
fn turn(control: &Control, number: usize) -> Option<AppAction> {
    let changes = match &control.shape {
        Shape::Switch { turned, .. } => vec![turned.clone()],
        Shape::Choice { options, .. } => vec![pick(options, number)?.1.clone()],
        Shape::Text { shown, reads } => reads.changes(pick(&TYPED, number)?, shown).ok()?,
    };
    Some(AppAction::EditAll(changes))
}

/// Something typed into the field of a quantity, or of a control.
fn typed(file: &ScenarioFile, one: usize, other: usize, trial: &mut Trial) -> Option<AppAction> {
    let text = pick(&TYPED, other)?;
    let read = match one % 2 {
        0 => amount::parse(*pick(&quantities(file), one / 2)?, text, "5 s").map(|it| vec![it]),
        _ => {
            let controls =
                controls(&Words::of(&file.incident, &file.scenario), &file.scenario, false);
            let fields = controls.iter().filter_map(|control| match &control.shape {
                Shape::Text { shown, reads } => Some((shown, reads)),
                Shape::Switch { .. } | Shape::Choice { .. } => None,
            });
            let fields: Vec<_> = fields.collect();
            let (shown, reads) = pick(&fields, one / 2)?;
            reads.changes(text, shown)
        }
    };
    match read {
        Ok(changes) => Some(AppAction::EditAll(changes)),
        Err(message) => {
            trial.refused(&message);
            None
        }
    }
}

/// What goes wrong, dragged on its lane, snapping to what it snaps to.
fn moved(state: &AppState, one: usize, other: usize) -> Option<AppAction> {
    let layout = drawn(state, 900, false);
    let mark = pick(&layout.faults, one)?;
    let run = state.runs.run(mark.run)?;
    let fault = run.scenario().spec().faults.iter().find(|fault| fault.id == mark.fault)?;
    let grip = *pick(&[Grip::Start, Grip::End, Grip::Body], other)?;
    let at = instant(state, other);
    let points = snap::points(run, fault, grip);
    let at = snap::nearest(&points, &layout.scale, at).unwrap_or(at);
    Some(AppAction::Edit(Change::ReplaceFault(mark.moved(fault, grip, at))))
}
