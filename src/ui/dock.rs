//! What is pinned at the thumb on a narrow screen: both verdicts, the race, fencing, the transport,
//! and a sheet with the other controls.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::controls::{FencingChoice, MainQuantity, WhatGoesWrong, YourNumbers};
use super::panels::tone_class;
use super::playhead::PlayheadBus;
use super::store::{AppAction, AppState};
use super::transport::Transport;
use crate::view_model::edge_words::RunEdges;
use crate::view_model::{verdict, wording};

/// What the stage and the dock show.
#[derive(Properties, PartialEq)]
pub struct PageProps {
    /// The state.
    pub state: UseReducerHandle<AppState>,
    /// The playhead.
    pub bus: PlayheadBus,
    /// The edges of the main quantity.
    pub edges: Rc<Vec<RunEdges>>,
    /// Whether the screen is narrow.
    pub narrow: bool,
    /// Whether time passes.
    pub playing: bool,
    /// What the user does.
    pub on_action: Callback<AppAction>,
}

/// The dock.
#[component]
pub fn Dock(props: &PageProps) -> Html {
    let PageProps { state, bus, .. } = props;
    let open = use_state_eq(|| false);
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
                <section class="sheet" aria-label="Controls" {onkeydown}>
                    // In sight however far its content is scrolled: it covers what opened it.
                    <div class="sheet-head">
                        <button type="button" class="button" onclick={set(false)}>
                            { "Close" }
                        </button>
                    </div>
                    <YourNumbers file={state.edited().clone()} />
                    <WhatGoesWrong file={state.edited().clone()}
                        selected={state.selected_fault()} />
                </section>
            }
            if !state.hide_future {
                // The verdicts that are read out are those beside their lanes.
                <p class="dock-verdicts" aria-hidden="true">
                    { for runs.shown().filter_map(|(run, _)| {
                        let text = verdict::of_run(runs, run)?;
                        Some(html! {
                            <span>
                                { wording::run_label_capital(runs, run) }{ ": " }
                                <b class={classes!(tone_class(text.tone))}>{ text.text }</b>
                            </span>
                        })
                    }) }
                </p>
            }
            <MainQuantity file={state.edited().clone()} edges={props.edges.clone()}
                hide_future={state.hide_future} />
            <div class="dock-row">
                <FencingChoice mode={state.fencing} />
                <button type="button" class="button" onclick={set(!*open)}
                    aria-expanded={if *open { "true" } else { "false" }}>
                    { "Controls" }
                </button>
            </div>
            <Transport runs={runs.clone()} bus={bus.clone()} moment={state.moment} />
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
    // What of the dock rises above the sheet hides lanes, too.
    let covers = [".sheet", ".dock"].into_iter().filter_map(|what| {
        let element = document.query_selector(what).ok()??;
        Some(element.get_bounding_client_rect().top())
    });
    let Some(covered_from) = covers.reduce(f64::min) else {
        return;
    };
    let Ok(lanes) = document.query_selector_all(".tl-run") else {
        return;
    };
    let last = lanes.length().checked_sub(1).and_then(|last| lanes.get(last));
    let Some(last) = last.and_then(|node| node.dyn_into::<web_sys::Element>().ok()) else {
        return;
    };
    let hidden = last.get_bounding_client_rect().bottom() - covered_from;
    if hidden > 0.0 {
        window.scroll_by_with_x_and_y(0.0, hidden);
    }
}
