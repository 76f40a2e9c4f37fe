//! What is pinned at the thumb on a narrow screen: both verdicts, the race, fencing, the transport,
//! and a sheet with the other controls.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use super::controls::{Compare, FencingChoice, MainQuantity, WhatGoesWrong, your_numbers};
use super::docked::{covered_from, docked_verdicts, use_sight};
use super::playhead::PlayheadBus;
use super::ranges::KnownRanges;
use super::store::{AppAction, AppState};
use super::transport::{LessUsedRow, Transport};
use crate::view_model::sentences::race_words::RaceText;

/// What the stage and the dock show.
#[derive(Properties, PartialEq)]
pub struct PageProps {
    /// The state.
    pub state: UseReducerHandle<AppState>,
    /// The playhead.
    pub bus: PlayheadBus,
    /// The ranges of the main quantity.
    pub known: KnownRanges,
    /// The race in words and zones.
    pub race: Rc<RaceText>,
    /// Whether the screen is narrow.
    pub narrow: bool,
    /// Whether time passes.
    pub playing: bool,
    /// Whether the lanes with the verdicts are out of sight, so that the dock's are read out.
    pub docked: bool,
    /// Is told when they come into sight or leave it.
    pub on_docked: Callback<bool>,
    /// What the user does.
    pub on_action: Callback<AppAction>,
    /// The tours are asked for.
    pub on_tours: Callback<MouseEvent>,
    /// The product whose numbers the scenario has.
    #[prop_or_default]
    pub product: Option<AttrValue>,
    /// What else is to be told above the timeline.
    #[prop_or_default]
    pub told: Html,
}

/// The dock.
#[component]
pub fn Dock(props: &PageProps) -> Html {
    let PageProps { state, bus, on_docked, .. } = props;
    let open = use_state_eq(|| false);
    use_sight((*open, state.hide_future), on_docked);
    use_effect_with(*open, |open| {
        if *open {
            show_lanes_above_sheet();
        }
    });
    let set = |is: bool| {
        let open = open.setter();
        Callback::from(move |_: MouseEvent| open.set(is))
    };
    let onkeydown = {
        let open = open.setter();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                open.set(false);
            }
        })
    };
    let runs = &state.runs;
    html! {
        <div class="dock">
            if *open {
                <section class="sheet" aria-label="Numbers" {onkeydown}>
                    // In sight however far its content is scrolled: it covers what opened it.
                    <div class="sheet-head">
                        <button type="button" class="button" onclick={set(false)}>
                            { "Close" }
                        </button>
                    </div>
                    <LessUsedRow runs={runs.clone()} bus={bus.clone()} />
                    <Compare file={state.edited().clone()} run_2_only={state.run_2_only} />
                    { your_numbers(state, &props.race, props.product.clone()) }
                    <WhatGoesWrong file={state.controlled()}
                        selected={state.selected_fault()} run_2_only={state.run_2_only} />
                </section>
            }
            if !state.hide_future {
                { docked_verdicts(props) }
            }
            <MainQuantity file={state.controlled()} text={props.race.clone()}
                known={props.known.clone()} hide_future={state.hide_future}
                beside={html! {
                    <button type="button" class="button" onclick={set(!*open)}
                        aria-expanded={if *open { "true" } else { "false" }}>
                        { "Numbers" }
                    </button>
                }} />
            <Transport runs={runs.clone()} bus={bus.clone()} moment={state.moment}
                end={html! { <FencingChoice mode={state.fencing} /> }} />
        </div>
    }
}

/// Moves the page so far that the storage lanes end where the sheet begins: what a control changes
/// must be in sight.
fn show_lanes_above_sheet() {
    let Some(window) = web_sys::window() else {
        return;
    };
    let Some(document) = window.document() else {
        return;
    };
    let Some(covered_from) = covered_from(&document) else {
        return;
    };
    let Ok(lanes) = document.query_selector_all(".tl-run") else {
        return;
    };
    let last = lanes.length().checked_sub(1).and_then(|last| lanes.get(last));
    let Some(last) = last.and_then(|node| node.dyn_into::<Element>().ok()) else {
        return;
    };
    let hidden = last.get_bounding_client_rect().bottom() - covered_from;
    if hidden > 0.0 {
        window.scroll_by_with_x_and_y(0.0, hidden);
    }
}
