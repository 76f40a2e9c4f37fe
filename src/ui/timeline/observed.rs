//! The lane of what was observed, above all others: a mark for each line. One that is dropped on a
//! fault sets the nearer end of it; Enter goes to the line in the list, where it can be chosen.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use crate::ui::store::AppAction;
use crate::view_model::drawing::scale::Px;
use crate::view_model::timeline::layout::ObservedMark;

use super::faults::capture;
use super::{Laid, attr, px};

#[derive(Properties, PartialEq)]
pub(super) struct ObservedProps {
    pub layout: Laid,
    pub on_action: Callback<AppAction>,
}

/// A line that is held, and where the pointer is.
#[derive(Clone, Copy, PartialEq)]
struct Held {
    index: usize,
    x: Px,
    y: Px,
}

/// What is held: as the pointer's events find it at once, and as it is drawn.
#[derive(Clone)]
struct Hold {
    now: Rc<Cell<Option<Held>>>,
    drawn: UseStateHandle<Option<Held>>,
}

impl Hold {
    fn set(&self, held: Option<Held>) {
        self.now.set(held);
        self.drawn.set(held);
    }
}

#[component]
pub(super) fn ObservedLane(props: &ObservedProps) -> Html {
    let held =
        Hold { now: use_memo((), |()| Cell::new(None)), drawn: use_state_eq(|| None::<Held>) };
    let layout = &props.layout;
    if layout.observed.is_empty() && layout.observed_height == Px::ZERO {
        return Html::default();
    }
    // Where a drop would land.
    let target = held.drawn.filter(|held| held.y > layout.top_of_lanes());
    let target = target.and_then(|held| Some((held, layout.end_at(held.x, held.y)?)));
    let ends = target.map(|(_, end)| layout.place_of(end));
    html! {
        <div class="tl-lane tl-observed">
            <div class="tl-label"><b>{ "Observed" }</b></div>
            <svg class="tl-draw" height={attr(layout.observed_height)}>
                { for layout.observed.iter().map(|mark| mark_view(mark, props, &held)) }
            </svg>
            if let Some(held) = *held.drawn {
                <svg class="tl-drop" aria-hidden="true" height={attr(layout.height)}>
                    <path d={format!("M{} {}V{}", held.x, layout.metrics.ruler(), held.y)} />
                    if let Some(x) = ends.flatten() {
                        <path class="is-target"
                            d={format!("M{x} {}V{}", layout.top_of_lanes(), layout.height)} />
                    }
                </svg>
            }
        </div>
    }
}

fn mark_view(mark: &ObservedMark, props: &ObservedProps, held: &Hold) -> Html {
    let index = mark.index;
    let on = |handle: fn(&Hold, Held)| {
        let (held, layout) = (held.clone(), props.layout.clone());
        Callback::from(move |event: PointerEvent| {
            let Some((x, y)) = place(&event, &layout) else { return };
            event.stop_propagation();
            handle(&held, Held { index, x, y });
        })
    };
    let start = on(|held, now| held.set(Some(now)));
    let down = Callback::from(move |event: PointerEvent| {
        if event.button() == 0 {
            capture(&event);
            start.emit(event);
        }
    });
    let over = on(|held, now| {
        if held.now.get().is_some() {
            held.set(Some(now));
        }
    });
    let up = {
        let (held, layout) = (held.clone(), props.layout.clone());
        let on_action = props.on_action.clone();
        Callback::from(move |event: PointerEvent| {
            if held.now.get().is_none() {
                return;
            }
            event.stop_propagation();
            held.set(None);
            let place = place(&event, &layout).filter(|(_, y)| *y > layout.top_of_lanes());
            if let Some(end) = place.and_then(|(x, y)| layout.end_at(x, y)) {
                on_action.emit(AppAction::SetEnd(index, Some(end)));
            }
        })
    };
    let cancel = {
        let held = held.clone();
        Callback::from(move |_: PointerEvent| held.set(None))
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            focus_line(index);
        }
    });
    html! {
        <g
            key={index}
            class="tl-line"
            role="button"
            tabindex="0"
            aria-label={format!("Observed: {}", mark.words)}
            data-grip="line"
            transform={format!("translate({} 0)", mark.x)}
            onpointerdown={down}
            onpointermove={over}
            onpointerup={up}
            onpointercancel={cancel}
            {onkeydown}
        >
            { shape(mark, &props.layout) }
        </g>
    }
}

fn shape(mark: &ObservedMark, layout: &Laid) -> Html {
    let (height, baseline) = (attr(layout.observed_height), attr(layout.metrics.px(15)));
    html! {
        <>
            <title>{ &mark.words }</title>
            <rect class="tl-line-hit" x="-12" y="0" width="24" {height} />
            <path class="tl-line-mark" d="M-5 6h10l-5 9zM0 15v40" />
            <text class="x-plain" x="9" y={baseline}>{ &mark.label }</text>
        </>
    }
}

/// The place on the timeline under a pointer.
fn place(event: &PointerEvent, layout: &Laid) -> Option<(Px, Px)> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let bounds = target.closest(".tl").ok()??.get_bounding_client_rect();
    let left = px(bounds.right()) - layout.metrics.width;
    Some((Px::whole(event.client_x()) - left, Px::whole(event.client_y()) - px(bounds.top())))
}

/// The choice of what a line sets has the focus.
fn focus_line(index: usize) {
    let document = web_sys::window().and_then(|window| window.document());
    let selector = format!("#observed-{index} select:last-of-type");
    let choice = document.and_then(|page| page.query_selector(&selector).ok().flatten());
    if let Some(choice) = choice.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        // Fails only for what is not in the page.
        let _ = choice.focus();
    }
}
