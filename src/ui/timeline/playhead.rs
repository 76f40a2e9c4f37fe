//! The playhead on the timeline: a line with its time, and a slider for keyboards and assistive
//! technology. It follows the bus by writing to its own elements.

use std::rc::Rc;

use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::sim::time::{SimDuration, SimTime};
use crate::ui::hooks::use_on_time;
use crate::ui::playhead::PlayheadBus;
use crate::view_model::describe;
use crate::view_model::playback::TimeControlCommand;
use crate::view_model::runs::Runs;
use crate::view_model::scale::Px;
use crate::view_model::tick::playhead_label;
use crate::view_model::why::spoken_of;

use super::{Laid, attr};

#[derive(Properties, PartialEq)]
pub(super) struct PlayheadProps {
    pub layout: Laid,
    pub runs: Rc<Runs>,
    pub bus: PlayheadBus,
}

#[component]
pub(super) fn Playhead(props: &PlayheadProps) -> Html {
    let (slider, plate, label) = (use_node_ref(), use_node_ref(), use_node_ref());
    let layout = &props.layout;
    let metrics = layout.metrics;
    let half = Px(metrics.text_width("000.00 s", true).0 / 2) + metrics.px(6);
    let deps = (layout.clone(), props.runs.clone(), slider.clone());
    use_on_time(&props.bus, deps, {
        let nodes = (slider.clone(), plate.clone(), label.clone());
        let (layout, runs) = (layout.clone(), props.runs.clone());
        move |now| follow(&nodes, &layout, &runs, half, now)
    });
    let onkeydown = {
        let bus = props.bus.clone();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(command) = command(&event) {
                event.prevent_default();
                bus.command(command);
            }
        })
    };
    let ruler = metrics.ruler();
    let pill = metrics.px(18);
    html! {
        <g
            ref={slider}
            class="tl-playhead"
            role="slider"
            tabindex="0"
            aria-label="Playhead"
            aria-valuemin="0"
            aria-valuemax={(props.runs.ends_at().micros() / 1_000).to_string()}
            {onkeydown}
        >
            <rect class="tl-playhead-grab" x="-12" y="0" width="24" height={attr(ruler)} />
            <path class="tl-playhead-line" d={format!("M0 {}V{}", pill, layout.height)} />
            <g ref={plate}>
                <rect
                    class="tl-playhead-plate"
                    x={attr(Px::ZERO - half)}
                    y="1"
                    width={attr(half + half)}
                    height={attr(pill)}
                    rx={attr(Px(pill.0 / 2))}
                />
                <text
                    ref={label}
                    class="tl-playhead-time"
                    y={attr(metrics.px(14))}
                    text-anchor="middle"
                />
            </g>
        </g>
    }
}

/// The keys of the slider.
fn command(event: &KeyboardEvent) -> Option<TimeControlCommand> {
    use TimeControlCommand as Time;
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let second = SimDuration::from_secs(1);
    match (event.key().as_str(), event.shift_key()) {
        ("ArrowLeft" | "ArrowDown", false) => Some(Time::PreviousEvent),
        ("ArrowRight" | "ArrowUp", false) => Some(Time::NextEvent),
        ("ArrowLeft" | "ArrowDown", true) => Some(Time::Back(second)),
        ("ArrowRight" | "ArrowUp", true) => Some(Time::Forward(second)),
        ("PageUp", _) => Some(Time::Back(SimDuration::from_secs(5))),
        ("PageDown", _) => Some(Time::Forward(SimDuration::from_secs(5))),
        ("Home", _) => Some(Time::Start),
        ("End", _) => Some(Time::End),
        _ => None,
    }
}

fn follow(
    (slider, plate, label): &(NodeRef, NodeRef, NodeRef),
    layout: &Laid,
    runs: &Runs,
    half: Px,
    now: SimTime,
) {
    let (Some(slider), Some(plate), Some(label)) = (
        slider.cast::<Element>(),
        plate.cast::<Element>(),
        label.cast::<Element>(),
    ) else {
        return;
    };
    let scale = &layout.scale;
    let x = scale.x(now);
    let right = layout.metrics.width;
    // The time stays on screen where the line is at its edge.
    let inside = x.clamp(half, (right - half).max(half));
    let time = playhead_label(now, scale);
    let moment = runs.moments.n_until(now);
    let seen = if scale.view.holds(now) {
        "is-seen"
    } else {
        "is-off"
    };
    let set = |element: &Element, name: &str, value: &str| {
        // Names and values are well-formed: setting them cannot fail.
        let _ = element.set_attribute(name, value);
    };
    set(&slider, "transform", &format!("translate({x} 0)"));
    set(&plate, "transform", &format!("translate({} 0)", inside - x));
    set(&slider, "data-seen", seen);
    label.set_text_content(Some(&time));
    set(
        &slider,
        "aria-valuenow",
        &(now.micros() / 1_000).to_string(),
    );
    set(&slider, "data-sim-time", &now.micros().to_string());
    set(&slider, "data-event-index", &moment.to_string());
    set(&slider, "aria-valuetext", &value_text(runs, moment, &time));
}

/// `17.10 s, event 21 of 25: storage refuses A's write`.
fn value_text(runs: &Runs, moment: u32, time: &str) -> String {
    let all = runs.moments.n_moments();
    let last = spoken_of(runs, moment).and_then(|index| runs.moments.get(index));
    let Some(last) = last else {
        return format!("{time}, before the first of {all} events");
    };
    let lines = describe::moment(runs, &last).join("; ");
    format!("{time}, event {moment} of {all}: {lines}")
}
