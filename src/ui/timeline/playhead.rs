//! The playhead on the timeline: a line with its time, and a slider for keyboards and assistive
//! technology. It follows the bus by writing to its own elements; it is HTML and a layer of its
//! own, so that the browser moves it without painting the drawing again.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::sim::time::{SimDuration, SimTime};
use crate::ui::hooks::{Mover, set_text, use_on_time};
use crate::ui::playhead::PlayheadBus;
use crate::view_model::drawing::scale::Px;
use crate::view_model::runs::Runs;
use crate::view_model::sentences::describe;
use crate::view_model::sentences::why::spoken_of;
use crate::view_model::transport::playback::TimeControlCommand;

use super::Laid;

/// While time passes, what the slider says is written at one of so many ticks: nobody can listen
/// faster, and it costs more than the move itself.
const TICKS_PER_WORD: u32 = 5;

#[derive(Properties, PartialEq)]
pub(super) struct PlayheadProps {
    pub layout: Laid,
    pub runs: Rc<Runs>,
    pub bus: PlayheadBus,
    pub hide_future: bool,
}

#[component]
pub(super) fn Playhead(props: &PlayheadProps) -> Html {
    let nodes = use_memo((), |()| Nodes::default());
    let layout = &props.layout;
    let hidden = props.hide_future;
    let deps = (layout.clone(), props.runs.clone(), hidden);
    use_on_time(&props.bus, deps, {
        let (nodes, layout, runs) = (nodes.clone(), layout.clone(), props.runs.clone());
        let bus = props.bus.clone();
        move |now| nodes.follow(&layout, &runs, &bus, (now, hidden))
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
    html! {
        <div
            ref={nodes.slider.clone()}
            class="tl-playhead"
            role="slider"
            tabindex="0"
            aria-label="Playhead"
            aria-orientation="horizontal"
            aria-valuemin="0"
            aria-valuemax={(props.runs.ends_at().micros() / 1_000).to_string()}
            {onkeydown}
        >
            <div ref={nodes.plate.clone()} class="tl-playhead-plate" />
        </div>
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
        ("PageUp", _) => Some(Time::Back(second.times(5))),
        ("PageDown", _) => Some(Time::Forward(second.times(5))),
        ("Home", _) => Some(Time::Start),
        ("End", _) => Some(Time::End),
        _ => None,
    }
}

/// The elements that follow, and what was last said.
#[derive(Default)]
struct Nodes {
    slider: NodeRef,
    plate: NodeRef,
    said: Cell<Option<u32>>,
    ticks: Cell<u32>,
    line: RefCell<String>,
    mover: Mover,
}

impl PartialEq for Nodes {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Nodes {
    fn draw_line(&self, slider: &HtmlElement, layout: &Laid, x: Px) {
        let line = gradient(&layout.line_at(x));
        if *self.line.borrow() != line {
            // A custom property takes any value.
            let _ = slider.style().set_property("--tl-line", &line);
            *self.line.borrow_mut() = line;
        }
    }

    fn follow(
        &self,
        layout: &Laid,
        runs: &Runs,
        bus: &PlayheadBus,
        (now, hidden): (SimTime, bool),
    ) {
        let (Some(slider), Some(plate)) =
            (self.slider.cast::<HtmlElement>(), self.plate.cast::<HtmlElement>())
        else {
            return;
        };
        let is_still = !bus.is_playing();
        let scale = &layout.scale;
        let time = layout.time_label(now);
        self.mover.follow(&slider.style(), scale, bus);
        let x = scale.x_near(now);
        self.draw_line(&slider, layout, x);
        // The time stays on screen where the line is at its edge.
        let half = half_plate(layout, &time);
        let inside = x.clamp(half, (layout.metrics.width - half).max(half)) - x;
        center_at(&plate, inside);
        set(&slider, "data-seen", if scale.view.holds(now) { "is-seen" } else { "is-off" });
        set_text(&plate, &time);
        let moment = runs.moments.n_until(now);
        set(&slider, "data-sim-time", &now.micros().to_string());
        set(&slider, "data-event-index", &moment.to_string());
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        let is_due = ticks.is_multiple_of(TICKS_PER_WORD);
        if is_still || is_due || self.said.get() != Some(moment) {
            self.said.set(Some(moment));
            set(&slider, "aria-valuenow", &(now.micros() / 1_000).to_string());
            set(&slider, "aria-valuetext", &value_text(runs, moment, &time, hidden));
        }
    }
}

/// The line as a gradient with hard stops: one property, and nothing to lay out.
fn gradient(pieces: &[(Px, Px)]) -> String {
    let mut stops = String::from("linear-gradient(transparent 0");
    for (from, to) in pieces {
        stops += &format!(",transparent {from}px,var(--ink) {from}px {to}px,transparent {to}px");
    }
    stops + ")"
}

/// Where the plate of an instant begins and ends, with a little air.
pub(super) fn plate_edges(layout: &Laid, now: SimTime) -> (Px, Px) {
    let half = half_plate(layout, &layout.time_label(now));
    let middle = layout.scale.x_near(now);
    let middle = middle.clamp(half, (layout.metrics.width - half).max(half));
    let air = layout.metrics.px(2);
    (middle - half - air, middle + half + air)
}

/// Half the width of the plate, about: `timeline.css` gives it padding of 0.6 of the text's size.
fn half_plate(layout: &Laid, time: &str) -> Px {
    let metrics = &layout.metrics;
    Px(metrics.text_width(time, true).0 / 2) + metrics.px(7)
}

/// Puts the middle of an element at a place, however wide it is.
fn center_at(element: &HtmlElement, x: Px) {
    // A transform of one length: setting it cannot fail.
    let _ = element.style().set_property("transform", &format!("translateX(calc({x}px - 50%))"));
}

fn set(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        // Names and values are well-formed: setting them cannot fail.
        let _ = element.set_attribute(name, value);
    }
}

/// `17.10 s, event 21 of 25: storage refuses A's write`; of how many only where that is known.
fn value_text(runs: &Runs, moment: u32, time: &str, hidden: bool) -> String {
    let (all, n_told) = (runs.moments.n_telling(), runs.moments.n_telling_of(moment));
    let last = spoken_of(runs, moment).and_then(|index| runs.moments.get(index));
    let Some(last) = last else {
        return match hidden {
            true => format!("{time}, before the first event"),
            false => format!("{time}, before the first of {all} events"),
        };
    };
    let lines = describe::moment(runs, &last).join("; ");
    match hidden {
        true => format!("{time}, event {n_told}: {lines}"),
        false => format!("{time}, event {n_told} of {all}: {lines}"),
    }
}
