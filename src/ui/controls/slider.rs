//! A slider: a native range input, with its filled part and its ticks drawn behind it. It knows
//! places on a track, not what they mean.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::ui::slide::track::PLACES;

/// What the user did with a slider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SliderMove {
    /// Dragged it to a place.
    To(u32),
    /// Pressed a key: so many steps up, or down.
    Steps(i32),
    /// Went to an end.
    End(bool),
    /// Went to the next edge, upwards or not.
    Edge(bool),
    /// Let go.
    Done,
}

/// Properties of [`Slider`].
#[derive(Properties, PartialEq)]
pub struct SliderProps {
    /// Its accessible name.
    pub label: AttrValue,
    /// Where it stands, 0 to [`PLACES`].
    pub place: u32,
    /// Its value in words.
    pub text: AttrValue,
    /// Whether it has an effect; otherwise `described_by` says why not.
    #[prop_or_default]
    pub disabled: bool,
    /// The element that says more.
    #[prop_or_default]
    pub described_by: Option<AttrValue>,
    /// What is drawn in place of the plain track.
    #[prop_or_default]
    pub track: Option<Html>,
    /// Whether there are edges that a key goes to.
    #[prop_or_default]
    pub has_edges: bool,
    /// What the user did.
    pub on_move: Callback<SliderMove>,
}

/// A slider.
#[component]
pub fn Slider(props: &SliderProps) -> Html {
    // Assistive technology moves a native range by single places, which may all round to the value
    // that is there: without a pointer down, a moved place counts as one step.
    let pointer_down = use_mut_ref(|| false);
    let press = |down: bool| {
        let pointer_down = pointer_down.clone();
        Callback::from(move |_: PointerEvent| *pointer_down.borrow_mut() = down)
    };
    let under_pointer = use_mut_ref(UnderPointer::default);
    let oninput = {
        let (on_move, pointer_down) = (props.on_move.clone(), pointer_down.clone());
        let under_pointer = under_pointer.clone();
        let place = props.place;
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let Ok(to) = input.value().parse::<u32>() else {
                return;
            };
            let steps = if to > place { 1 } else { -1 };
            match *pointer_down.borrow() {
                true => under_pointer.borrow().put(to, on_move.clone()),
                false => on_move.emit(SliderMove::Steps(steps)),
            }
        })
    };
    let done = props.on_move.reform(|()| SliderMove::Done);
    let onchange = {
        let (on_move, place) = (props.on_move.clone(), props.place.to_string());
        Callback::from(move |event: Event| {
            // Let go between two round values: the thumb goes to the one that is set.
            let input: HtmlInputElement = event.target_unchecked_into();
            input.set_value(&place);
            if let Some(to) = under_pointer.borrow().take() {
                on_move.emit(SliderMove::To(to));
            }
            on_move.emit(SliderMove::Done);
        })
    };
    let onkeydown = {
        let (on_move, has_edges) = (props.on_move.clone(), props.has_edges);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(moved) = key_move(&event, has_edges) {
                event.prevent_default();
                event.stop_propagation();
                on_move.emit(moved);
            }
        })
    };
    html! {
        <div class={classes!("slider", props.disabled.then_some("is-idle"))}>
            { props.track.clone().unwrap_or_else(|| plain_track(props.place)) }
            <input type="range" min="0" max={PLACES.to_string()} step="1"
                value={props.place.to_string()} disabled={props.disabled}
                aria-label={props.label.clone()} aria-valuetext={props.text.clone()}
                aria-describedby={props.described_by.clone()}
                onpointerdown={press(true)} onpointercancel={press(false)}
                onpointerup={press(false)}
                {oninput} {onkeydown}
                onkeyup={done.reform(|_: KeyboardEvent| ())}
                onblur={done.reform(|_: FocusEvent| ())}
                {onchange} />
        </div>
    }
}

/// A pointer's place, which waits for the frame: taken in the event, the page would be laid out for
/// what the browser asks about the pointer, and again for what the frame writes.
#[derive(Clone, Default)]
struct UnderPointer(Rc<RefCell<Option<(u32, AnimationFrame)>>>);

impl UnderPointer {
    fn put(&self, to: u32, on_move: Callback<SliderMove>) {
        let own = self.clone();
        let frame = request_animation_frame(move |_| {
            if let Some(to) = own.take() {
                on_move.emit(SliderMove::To(to));
            }
        });
        self.0.replace(Some((to, frame)));
    }

    /// The place that still waits.
    fn take(&self) -> Option<u32> {
        self.0.take().map(|(to, _)| to)
    }
}

fn plain_track(place: u32) -> Html {
    html! {
        <svg class="slider-track" viewBox={format!("0 0 {PLACES} 20")}
            preserveAspectRatio="none" aria-hidden="true">
            <path class="slider-whole" d={format!("M0 8.5h{PLACES}v3h-{PLACES}z")} />
            <path class="slider-part" d={format!("M0 8.5h{place}v3h-{place}z")} />
        </svg>
    }
}

fn key_move(event: &KeyboardEvent, has_edges: bool) -> Option<SliderMove> {
    if has_edges && event.ctrl_key() && !event.shift_key() {
        return match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => Some(SliderMove::Edge(true)),
            "ArrowLeft" | "ArrowDown" => Some(SliderMove::Edge(false)),
            _ => None,
        };
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let times = if event.shift_key() { 10 } else { 1 };
    let moved = match event.key().as_str() {
        "ArrowRight" | "ArrowUp" => SliderMove::Steps(times),
        "ArrowLeft" | "ArrowDown" => SliderMove::Steps(-times),
        "PageUp" => SliderMove::Steps(10),
        "PageDown" => SliderMove::Steps(-10),
        "Home" => SliderMove::End(false),
        "End" => SliderMove::End(true),
        _ => return None,
    };
    Some(moved)
}
