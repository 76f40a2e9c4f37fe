//! What lies over all lanes: messages, the faults that can be held; and the cover of the future,
//! which lies under them.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::hooks::{Mover, use_on_time};
use crate::ui::playhead::PlayheadBus;
use crate::ui::store::{AppAction, Selection};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::scale::{Px, TimeAxis};
use crate::view_model::runs::Runs;
use crate::view_model::timeline::layout::PlacedLane;
use crate::view_model::timeline::paint;

use super::faults::FaultHandles;
use super::{Laid, attr};

#[derive(Properties, PartialEq)]
pub(super) struct OverlayProps {
    pub layout: Laid,
    pub runs: Rc<Runs>,
    pub bus: PlayheadBus,
    pub selection: Selection,
    /// Nothing behind it is shown.
    pub until: Option<SimTime>,
    pub axis: TimeAxis,
    pub snaps: bool,
    pub in_hand: Rc<Cell<bool>>,
    /// What is drawn faintly, where its lanes stand at the same places.
    pub ghost: Option<Laid>,
    pub on_action: Callback<AppAction>,
}

#[component]
pub(super) fn Overlay(props: &OverlayProps) -> Html {
    let layout = &props.layout;
    html! {
        <svg class="tl-overlay" height={attr(layout.height)}>
            <Patterns />
            if let Some(ghost) = &props.ghost {
                <g class="tl-ghost" aria-hidden="true">{ arrows_view(ghost) }</g>
            }
            <g aria-hidden="true">{ arrows_view(layout) }</g>
            <FaultHandles
                layout={layout.clone()}
                runs={props.runs.clone()}
                selection={props.selection}
                snaps={props.snaps}
                in_hand={props.in_hand.clone()}
                until={props.until}
                axis={props.axis}
                on_action={props.on_action.clone()}
            />
        </svg>
    }
}

fn arrows_view(layout: &Laid) -> Html {
    html! {
        { for layout.arrows.iter().map(|arrows| html! {
            <>
                <path
                    class={classes!("p-flight", paint::arrow_class(arrows))}
                    d={arrows.lines.clone()}
                />
                <path
                    class={classes!("p-head", paint::arrow_class(arrows))}
                    d={arrows.heads.clone()}
                />
            </>
        }) }
    }
}

/// The hatches: one in each token's colour, one for pauses.
#[component]
fn Patterns() -> Html {
    let hatch = |id: String, class: String| {
        html! {
            <pattern
                {id}
                {class}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
            >
                <rect class="hatch-ground" width="6" height="6" />
                <rect class="hatch-stripe" width="2" height="6" />
            </pattern>
        }
    };
    let tokens = TokenColor::all().map(|color| {
        let index = color.index();
        hatch(format!("hatch-{index}"), format!("tok-{index}"))
    });
    html! {
        <defs>
            { for tokens }
            { hatch("hatch-pause".to_owned(), "is-pause".to_owned()) }
        </defs>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct CoverProps {
    pub layout: Laid,
    pub bus: PlayheadBus,
}

/// Covers what lies beyond the playhead, and says so in every lane that says nothing there.
#[component]
pub(super) fn Cover(props: &CoverProps) -> Html {
    let node = use_node_ref();
    let layout = props.layout.clone();
    let mover = use_memo((), |()| Mover::default());
    use_on_time(&props.bus, (layout.clone(), node.clone()), {
        let (node, bus, mover) = (node.clone(), props.bus.clone(), mover.clone());
        let scale = layout.scale.clone();
        move |_| {
            if let Some(cover) = node.cast::<HtmlElement>() {
                mover.follow(&cover.style(), &scale, &bus);
            }
        }
    });
    let now = layout.scale.x_near(props.bus.now());
    let lanes = layout.sections.iter().flat_map(|section| &section.lanes);
    let empty = lanes.filter(|lane| !layout.says_beyond(lane, now));
    let middle = |lane: &PlacedLane| lane.top + lane.data.height.share(1, 2);
    let places: Vec<Px> = empty.map(middle).collect();
    let top = layout.top_of_lanes();
    // The page's policy forbids style attributes; properties that exist with well-formed values
    // cannot fail.
    use_effect_with((node.clone(), top, places.clone()), |(node, top, places)| {
        let Some(cover) = node.cast::<HtmlElement>() else { return };
        let _ = cover.style().set_property("top", &format!("{top}px"));
        let words = cover.children();
        for (index, place) in (0..).zip(places) {
            let word = words.item(index).and_then(|word| word.dyn_into::<HtmlElement>().ok());
            if let Some(word) = word {
                let _ = word.style().set_property("top", &format!("{}px", *place - *top));
            }
        }
    });
    html! {
        <div ref={node} class="tl-cover" aria-hidden="true">
            { for places.iter().enumerate().map(|(index, _)| html! {
                <span>{ if index == 0 { "What comes is hidden" } else { "hidden" } }</span>
            }) }
        </div>
    }
}
