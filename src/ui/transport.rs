//! The transport: buttons for time, its speed, and where it stands as an editable field. The field
//! follows the playhead by writing to its own element.

use std::rc::Rc;

use web_sys::{FocusEvent, HtmlInputElement, HtmlSelectElement, KeyboardEvent};
use yew::prelude::*;

use crate::sim::time::{SimDuration, SimTime};
use crate::ui::controls::use_chosen;
use crate::ui::hooks::{use_on_time, use_reduced_motion};
use crate::ui::playhead::{PlayState, PlayheadBus};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::drawing::tick::seconds;
use crate::view_model::panels::row::n_polls;
use crate::view_model::runs::Runs;
use crate::view_model::transport::playback::{Speed, Stops, TimeControlCommand};
use crate::view_model::words::wording::plural;

/// What the transport needs.
#[derive(Properties, PartialEq)]
pub struct TransportProps {
    /// The runs that are shown.
    pub runs: Rc<Runs>,
    /// The playhead.
    pub bus: PlayheadBus,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// Whether what is to come can be hidden.
    #[prop_or(true)]
    pub eye: bool,
    /// What stands at its end, in place of what is used less.
    #[prop_or_default]
    pub end: Option<Html>,
}

/// The transport.
#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let bus = &props.bus;
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let state = use_play_state(bus);
    let reduced = use_reduced_motion();
    use_effect_with((bus.clone(), reduced), |(bus, reduced)| {
        bus.command(TimeControlCommand::SetStepwise(*reduced));
    });
    let moments = &props.runs.moments;
    let (n_told, n_all) = (moments.n_telling_of(props.moment), moments.n_telling());
    let place = match state.hidden {
        true => format!("event {n_told}"),
        false => format!("event {n_told} of {n_all}"),
    };
    let n_polls = *use_memo(props.runs.clone(), |runs| n_polls(runs));
    let more = match (state.slow, n_polls) {
        (true, _) => " · slow motion".to_owned(),
        // It would tell how often somebody is still to ask.
        (false, 0) => String::new(),
        (false, _) if state.hidden => String::new(),
        (false, n) => format!(" · {} grouped", plural(u64::from(n), "poll", "polls")),
    };
    html! {
        <div class="tp-frame"><div class="tp" role="group" aria-label="Transport">
            if props.end.is_none() {
                { button(bus, START) }
            }
            { button(bus, PREVIOUS_EVENT) }
            { button(bus, if state.playing { PAUSE } else { PLAY }) }
            { button(bus, NEXT_EVENT) }
            if props.eye {
                { eye(&dispatch, state) }
            }
            <TimeField bus={bus.clone()} runs={props.runs.clone()} />
            if let Some(end) = &props.end {
                { end.clone() }
            } else {
                // One place for both, so that nothing beside it moves while time passes.
                <span class="tp-event">{ place }{ more }</span>
                <span class="tp-space" />
                <LessUsed runs={props.runs.clone()} bus={bus.clone()} />
            }
        </div></div>
    }
}

/// Properties of [`LessUsed`].
#[derive(Properties, PartialEq)]
pub struct LessUsedProps {
    /// The runs that are shown.
    pub runs: Rc<Runs>,
    /// The playhead.
    pub bus: PlayheadBus,
}

/// What of the transport is used less: violations, the loop, the speed.
#[component]
pub fn LessUsed(props: &LessUsedProps) -> Html {
    let bus = &props.bus;
    let state = use_play_state(bus);
    let stops = use_memo(props.runs.clone(), |runs| Stops::of(runs));
    let has_violations = !stops.violations.is_empty() && !state.hidden;
    html! {
        <>
            <span class={classes!("tp-violations", (!has_violations).then_some("is-none"))}>
                { button(bus, PREVIOUS_VIOLATION) }
                { button(bus, NEXT_VIOLATION) }
            </span>
            { loop_button(bus, state) }
            <SpeedSelect bus={bus.clone()} speed={state.speed} />
        </>
    }
}

/// The same in a row of its own, with the way back to the start.
#[component]
pub fn LessUsedRow(props: &LessUsedProps) -> Html {
    html! {
        <div class="tp" role="group" aria-label="Playing">
            { button(&props.bus, START) }
            <LessUsed runs={props.runs.clone()} bus={props.bus.clone()} />
        </div>
    }
}

/// How time passes, as the bus says.
#[hook]
pub fn use_play_state(bus: &PlayheadBus) -> PlayState {
    let state = use_state_eq(|| bus.state());
    let setter = state.setter();
    use_effect_with(bus.clone(), move |bus| {
        setter.set(bus.state());
        let subscription = bus.subscribe_state(move |state| setter.set(state));
        move || drop(subscription)
    });
    *state
}

/// A button of the transport.
#[derive(Clone, Copy)]
struct Button {
    /// Its accessible name.
    name: &'static str,
    /// What stands on it.
    text: &'static str,
    /// Its icon's path.
    icon: &'static str,
    command: TimeControlCommand,
    class: &'static str,
}

const START: Button = Button {
    name: "Start",
    text: "Start",
    icon: "M4 3v10M13 3l-6 5l6 5z",
    command: TimeControlCommand::Start,
    class: "is-icon",
};
const PREVIOUS_EVENT: Button = Button {
    name: "Previous event",
    text: "Previous",
    icon: "M11 3l-6 5l6 5z",
    command: TimeControlCommand::PreviousEvent,
    class: "is-icon",
};
const PLAY: Button = Button {
    name: "Play",
    text: "Play",
    icon: "M5 3l8 5l-8 5z",
    command: TimeControlCommand::Toggle,
    class: "is-main",
};
const PAUSE: Button = Button {
    name: "Pause",
    text: "Pause",
    icon: "M5 3v10M11 3v10",
    command: TimeControlCommand::Toggle,
    class: "is-main",
};
const NEXT_EVENT: Button = Button {
    name: "Next event",
    text: "Next",
    icon: "M5 3l6 5l-6 5z",
    command: TimeControlCommand::NextEvent,
    class: "is-icon",
};
const PREVIOUS_VIOLATION: Button = Button {
    name: "Previous violation",
    text: "Previous violation",
    icon: "M5 3v10M13 3l-5 5l5 5z",
    command: TimeControlCommand::PreviousViolation,
    class: "is-quiet is-icon",
};
const NEXT_VIOLATION: Button = Button {
    name: "Next violation",
    text: "Next violation",
    icon: "M3 3l5 5l-5 5zM11 3v10",
    command: TimeControlCommand::NextViolation,
    class: "is-quiet",
};
const LOOP_ICON: &str =
    "M4 6.5V6a2 2 0 0 1 2-2h7M11 2l2 2l-2 2M12 9.5v.5a2 2 0 0 1-2 2H3M5 14l-2-2l2-2";

const EYE_ICON: &str =
    "M1 8c2-3.4 4.4-5 7-5s5 1.6 7 5c-2 3.4-4.4 5-7 5s-5-1.6-7-5zM8 6.4a1.6 1.6 0 1 0 .01 0z";

fn button(bus: &PlayheadBus, button: Button) -> Html {
    let bus = bus.clone();
    let onclick = Callback::from(move |_: MouseEvent| bus.command(button.command));
    html! {
        <button
            type="button"
            class={classes!("tp-button", button.class)}
            aria-label={button.name}
            title={button.name}
            {onclick}
        >
            { icon_view("tp-icon", button.icon) }
            <span>{ button.text }</span>
        </button>
    }
}

fn icon_view(class: &'static str, d: &'static str) -> Html {
    html! {
        <svg {class} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path {d} />
        </svg>
    }
}

/// Hides what is to come, or shows it.
fn eye(dispatch: &Dispatch, state: PlayState) -> Html {
    let (dispatch, hide) = (dispatch.clone(), !state.hidden);
    let onclick = move |_: MouseEvent| dispatch.dispatch(AppAction::SetHideFuture(hide));
    toggle(("Hide the future", "Hide the future"), state.hidden, EYE_ICON, onclick.into())
}

fn loop_button(bus: &PlayheadBus, state: PlayState) -> Html {
    let (bus, on) = (bus.clone(), !state.looping);
    let onclick = move |_: MouseEvent| bus.command(TimeControlCommand::SetLoop(on));
    toggle(("Loop", "Loop: start again at the end"), state.looping, LOOP_ICON, onclick.into())
}

/// A button that stays pressed; its name, and its hint.
fn toggle(
    (name, title): (&'static str, &'static str),
    is_on: bool,
    icon: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button type="button" class="tp-button is-quiet is-icon" aria-label={name} {title}
            aria-pressed={is_on.to_string()} {onclick}>
            { icon_view("tp-icon is-line", icon) }
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct SpeedProps {
    bus: PlayheadBus,
    speed: Speed,
}

/// How fast time passes.
#[component]
fn SpeedSelect(props: &SpeedProps) -> Html {
    let bus = props.bus.clone();
    let node = use_chosen(Some(usize::from(props.speed.index())));
    let onchange = Callback::from(move |event: Event| {
        let select = event.target_unchecked_into::<HtmlSelectElement>();
        let index = select.value().parse::<u8>().unwrap_or_default();
        if let Some(speed) = Speed::of_digit(index + 1) {
            bus.command(TimeControlCommand::SetSpeed(speed));
        }
    });
    html! {
        <select ref={node} class="tp-speed" aria-label="Speed" {onchange}>
            { for Speed::all().map(|speed| html! {
                <option value={speed.index().to_string()} selected={speed == props.speed}>
                    { speed.name() }
                </option>
            }) }
        </select>
    }
}

#[derive(Properties, PartialEq)]
struct TimeFieldProps {
    bus: PlayheadBus,
    runs: Rc<Runs>,
}

/// Where time stands, to be read and to be written.
#[component]
fn TimeField(props: &TimeFieldProps) -> Html {
    let node = use_node_ref();
    let problem = use_state_eq(|| None::<String>);
    use_on_time(&props.bus, (node.clone(), props.runs.clone()), {
        let node = node.clone();
        move |now| {
            // What is being typed stays.
            if let Some(field) = node.cast::<HtmlInputElement>()
                && !is_focused(&field)
            {
                field.set_value(&written(now));
            }
        }
    });
    let take = {
        let (bus, problem) = (props.bus.clone(), problem.setter());
        move |field: &HtmlInputElement| match SimDuration::parse(&field.value(), Some("s")) {
            Ok(time) => {
                bus.command(TimeControlCommand::Seek(SimTime::ZERO + time));
                problem.set(None);
            }
            Err(error) => problem.set(Some(error.to_string())),
        }
    };
    let onkeydown = {
        let (take, bus, problem) = (take.clone(), props.bus.clone(), problem.setter());
        Callback::from(move |event: KeyboardEvent| {
            let field = event.target_unchecked_into::<HtmlInputElement>();
            match event.key().as_str() {
                "Enter" => {
                    take(&field);
                    field.set_value(&written(bus.now()));
                    field.select();
                }
                "Escape" => {
                    field.set_value(&written(bus.now()));
                    problem.set(None);
                }
                _ => {}
            }
        })
    };
    let onblur = on_blur(take, props.bus.clone());
    let onfocus = Callback::from(|event: FocusEvent| {
        event.target_unchecked_into::<HtmlInputElement>().select();
    });
    let is_long = props.runs.ends_at() >= SimTime::from_millis(1_000_000);
    html! {
        <span class={classes!("tp-time", is_long.then_some("is-long"))}>
            <input
                ref={node}
                type="text"
                inputmode="decimal"
                autocomplete="off"
                spellcheck="false"
                aria-label="Time"
                aria-invalid={problem.is_some().then_some("true")}
                aria-describedby={problem.is_some().then_some("tp-problem")}
                {onkeydown}
                {onblur}
                {onfocus}
            />
            if let Some(problem) = problem.as_ref() {
                <span id="tp-problem" class="tp-problem" role="alert">{ problem.clone() }</span>
            }
        </span>
    }
}

/// Leaving the field takes what was typed, and shows the time as it is written.
fn on_blur(take: impl Fn(&HtmlInputElement) + 'static, bus: PlayheadBus) -> Callback<FocusEvent> {
    Callback::from(move |event: FocusEvent| {
        let field = event.target_unchecked_into::<HtmlInputElement>();
        if field.value() != written(bus.now()) {
            take(&field);
        }
        field.set_value(&written(bus.now()));
    })
}

fn is_focused(field: &HtmlInputElement) -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let active = document.and_then(|document| document.active_element());
    active.is_some_and(|active| active.is_same_node(Some(field)))
}

/// The playhead's time in hundredths.
fn written(now: SimTime) -> String {
    seconds(now.micros(), 2)
}
