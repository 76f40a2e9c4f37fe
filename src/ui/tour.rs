//! A tour on the page: its words above everything else, what it points at, and the ride of the
//! playhead to the moment that a step is about.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::futures::spawn_local;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

use super::hooks::{use_on_time, use_reduced_motion};
use super::playhead::PlayheadBus;
use super::store::{AppAction, Reply, Ride, TourAction, Touring};
use crate::view_model::runs::Runs;
use crate::view_model::stories::tour::{Look, Question, Task, Truth};
use crate::view_model::transport::playback::TimeControlCommand;

/// Properties of [`TourCard`].
#[derive(Properties, PartialEq)]
pub struct TourProps {
    /// Where the tour stands.
    pub touring: Rc<Touring>,
    /// The runs that are shown.
    pub runs: Rc<Runs>,
    /// What the reader does.
    pub on_action: Callback<AppAction>,
    /// Tells what a step says.
    pub on_tell: Callback<AttrValue>,
}

/// The step that is shown, with its buttons.
#[component]
pub fn TourCard(props: &TourProps) -> Html {
    let TourProps { touring, runs, on_action, on_tell } = props;
    let (place, step) = (touring.place, touring.step());
    let tour = place.tour();
    let heading = use_node_ref();
    use_in_view(step.look, touring.ride.number);
    use_told((place, touring.answer), step_text(touring, runs), on_tell);
    {
        let heading = heading.clone();
        // Keys of the page work from here, and who listens starts with the step.
        use_effect_with(place.tour, move |_| {
            if let Some(heading) = heading.cast::<HtmlElement>() {
                let _ = heading.focus();
            }
        });
    }
    let button = |name: &'static str, action: TourAction, class: &'static str, off: bool| {
        let onclick = on_action.reform(move |_: MouseEvent| AppAction::Tour(action));
        html! {
            <button type="button" class={classes!("button", class)} {onclick} disabled={off}>
                { name }
            </button>
        }
    };
    let is_last = place.next().is_none();
    html! {
        <section class="tour" aria-label="Tour">
            <div class="tour-head">
                <h2 ref={heading} tabindex="-1">{ tour.title }{ ": " }{ step.title }</h2>
                <span class="hint">
                    { format!("Step {} of {}", place.step + 1, tour.steps.len()) }
                </span>
            </div>
            <p>{ step.text }</p>
            { task(touring, runs, on_action) }
            <div class="tour-buttons">
                { button("Previous step", TourAction::Previous, "", place.previous().is_none()) }
                { button("Replay this step", TourAction::Replay, "", false) }
                // Where something is asked the answers are what to press.
                { button(if is_last { "Finish" } else { "Next step" }, TourAction::Next,
                    if touring.asks() { "" } else { "is-main" }, false) }
                <a class="link" href={format!("#{}", place.fragment())}>{ "Link to this step" }</a>
                { button("Leave the tour", TourAction::Leave, "is-quiet", false) }
            </div>
        </section>
    }
}

/// What the reader does in this step.
fn task(touring: &Touring, runs: &Runs, on_action: &Callback<AppAction>) -> Html {
    match &touring.step().task {
        Task::Watch => html! {},
        Task::Predict(question) => predict(question, touring.answer, runs, on_action),
        Task::Try { what, done, says } => {
            let is_done = done.iter().any(|truth: &Truth| truth.holds(runs));
            html! {
                <p class="tour-task" role="status">
                    <b>{ if is_done { "Done: " } else { "Your turn: " } }</b>
                    { if is_done { says } else { what } }
                </p>
            }
        }
    }
}

/// A question with its options; once it is answered, what was right and why.
fn predict(
    question: &'static Question,
    answer: Option<Reply>,
    runs: &Runs,
    on_action: &Callback<AppAction>,
) -> Html {
    let right = question.answer(runs);
    let option = |(index, (name, _)): (usize, &(&'static str, Truth))| {
        let onclick =
            on_action.reform(move |_: MouseEvent| AppAction::Tour(TourAction::Answer(index)));
        let is_chosen = answer == Some(Reply::Given(index));
        html! {
            // Not `disabled`: whoever answered keeps the focus.
            <button type="button" class="button is-toggle"
                aria-disabled={answer.is_some().then_some("true")}
                aria-pressed={is_chosen.to_string()} {onclick}>{ *name }</button>
        }
    };
    html! {
        <div class="tour-task" role="group" aria-label={question.ask}>
            <b>{ question.ask }</b>
            <div class="tour-options">
                { for question.options.iter().enumerate().map(option) }
            </div>
            <p role="status">
                if let Some(answer) = answer {
                    <b>{ judged(question, answer, right) }</b>{ " " }{ question.because }
                }
            </p>
        </div>
    }
}

/// Whether the answer was right, and what would have been.
fn judged(question: &Question, answer: Reply, right: Option<usize>) -> String {
    let name = right.map_or("", |index| question.options[index].0);
    match answer {
        Reply::Given(index) if Some(index) == right => format!("Right: {name}."),
        Reply::Given(_) => format!("No. The answer is: {name}."),
        Reply::Shown => format!("The answer is: {name}."),
    }
}

/// What is read out of a step.
fn step_text(touring: &Touring, runs: &Runs) -> String {
    let step = touring.step();
    match (&step.task, touring.answer) {
        (Task::Predict(question), Some(answer)) => {
            format!("{} {}", judged(question, answer, question.answer(runs)), question.because)
        }
        (Task::Predict(question), None) => {
            format!("{}. {} {}", step.title, step.text, question.ask)
        }
        (Task::Watch | Task::Try { .. }, _) => format!("{}. {}", step.title, step.text),
    }
}

/// Tells a step once, and its answer once.
#[hook]
fn use_told<T: PartialEq + 'static>(of: T, text: String, on_tell: &Callback<AttrValue>) {
    let on_tell = on_tell.clone();
    use_effect_with(of, move |_| on_tell.emit(text.into()));
}

/// Lets time pass up to where a ride stops. Who takes hold of the playhead ends the ride. To be
/// called where the playhead has been told of the runs already.
#[hook]
pub fn use_ride(bus: &PlayheadBus, ride: Option<Ride>) {
    let reduced = use_reduced_motion();
    let rides = use_memo((), |()| Cell::new(false));
    let until = ride.and_then(|ride| ride.until);
    {
        let (bus, rides) = (bus.clone(), rides.clone());
        use_effect_with(ride, move |_| {
            if rides.replace(false) {
                bus.command(TimeControlCommand::Pause);
            }
            match until {
                Some(until) if reduced || bus.now() >= until => {
                    bus.command(TimeControlCommand::Seek(until));
                }
                Some(_) => {
                    rides.set(true);
                    bus.command(TimeControlCommand::Play);
                }
                None => {}
            }
        });
    }
    use_on_time(bus, ride, {
        let bus = bus.clone();
        move |now| {
            let Some(until) = until.filter(|_| rides.get()) else {
                return;
            };
            if !bus.is_playing() {
                rides.set(false);
            } else if now >= until {
                rides.set(false);
                let bus = bus.clone();
                // Not while the playhead tells where it is.
                spawn_local(async move {
                    bus.command(TimeControlCommand::Pause);
                    bus.command(TimeControlCommand::Seek(until));
                });
            }
        }
    });
}

/// Moves what a step points at into sight; the style sheet frames it.
#[hook]
fn use_in_view(look: Look, ride: u32) {
    use_effect_with((look, ride), |(look, _)| {
        if let Some(target) = find(look.on_page().1) {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            target.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

fn find(selector: &str) -> Option<Element> {
    web_sys::window()?.document()?.query_selector(selector).ok()?
}
