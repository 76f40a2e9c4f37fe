//! What is pinned at the thumb on a narrow screen: both verdicts, the race, fencing, the transport,
//! and a sheet with the other controls.

use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, ResizeObserver};
use yew::prelude::*;

use super::controls::{FencingChoice, MainQuantity, WhatGoesWrong, all_ranges, your_numbers};
use super::panels::{swatch, tone_class};
use super::playhead::PlayheadBus;
use super::ranges::KnownRanges;
use super::store::{AppAction, AppState};
use super::timeline::region_name;
use super::transport::Transport;
use crate::view_model::runs::labels;
use crate::view_model::sentences::race_words::RaceText;
use crate::view_model::sentences::verdict;

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
                    { your_numbers(state, &props.race) }
                    <WhatGoesWrong file={state.controlled()}
                        selected={state.selected_fault()} />
                </section>
            }
            if !state.hide_future {
                { verdicts(props) }
            }
            <MainQuantity file={state.controlled()} text={props.race.clone()}
                known={props.known.clone()} hide_future={state.hide_future}
                beside={html! {
                    <button type="button" class="button" onclick={set(!*open)}
                        aria-expanded={if *open { "true" } else { "false" }}>
                        { "Numbers" }
                    </button>
                }} />
            <div class="dock-row">
                <FencingChoice mode={state.fencing} />
                { all_ranges(&props.race, state.hide_future) }
            </div>
            <Transport runs={runs.clone()} bus={bus.clone()} moment={state.moment} />
        </div>
    }
}

/// Both verdicts. They are read out while those beside their lanes are out of sight, so that each
/// is read once and where it is seen.
fn verdicts(page: &PageProps) -> Html {
    let (runs, docked) = (&page.state.runs, page.docked);
    let live = if page.playing || page.state.is_dragging() { "off" } else { "polite" };
    let verdict = |run| {
        let text = verdict::of_run(runs, run)?;
        Some(html! {
            <section aria-label={docked.then(|| region_name(runs, run))}>
                { labels::run_label_capital(runs, run) }{ ": " }
                { swatch(text.pattern) }
                <b class={classes!(tone_class(text.tone))} role={docked.then_some("status")}
                    aria-live={docked.then_some(live)}>{ text.text }</b>
            </section>
        })
    };
    html! {
        <div class="dock-verdicts" aria-hidden={(!docked).then_some("true")}>
            { for runs.shown().filter_map(|(run, _)| verdict(run)) }
        </div>
    }
}

/// Tells whether a verdict beside its lane is out of sight, when the page is scrolled and when the
/// stage becomes another size; anew for each `(sheet is open, future is hidden)`.
#[hook]
fn use_sight(made: (bool, bool), on_docked: &Callback<bool>) {
    let on_docked = on_docked.clone();
    use_effect_with(made, move |_| {
        let check = move || on_docked.emit(is_verdict_covered().unwrap_or(false));
        let on_scroll = web_sys::window().map(|window| {
            let check = check.clone();
            EventListener::new(&window, "scroll", move |_| check())
        });
        let closure = Closure::<dyn FnMut()>::new(check);
        let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok();
        let document = web_sys::window().and_then(|window| window.document());
        let stage = document.and_then(|page| page.query_selector(".stage-card").ok()?);
        if let (Some(observer), Some(stage)) = (&observer, &stage) {
            observer.observe(stage);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop((on_scroll, closure));
        }
    });
}

/// Whether a verdict beside its lane is above the window or behind the dock.
fn is_verdict_covered() -> Option<bool> {
    let document = web_sys::window()?.document()?;
    // As if the dock's own verdicts were not there: they would hide the others for good.
    let own = document.query_selector(".dock-verdicts").ok().flatten();
    let own = own.map_or(0.0, |own| own.get_bounding_client_rect().height());
    let covered_from = covered_from(&document)? + own;
    let verdicts = document.query_selector_all(".tl-verdict").ok()?;
    let is_covered = |index| {
        let verdict = verdicts.get(index)?.dyn_into::<Element>().ok()?;
        let place = verdict.get_bounding_client_rect();
        Some(place.top() < 0.0 || place.bottom() > covered_from)
    };
    Some((0..verdicts.length()).filter_map(is_covered).any(|covered| covered))
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

/// From where on the dock and its sheet cover the page. What of the dock rises above the sheet
/// hides lanes, too.
fn covered_from(document: &Document) -> Option<f64> {
    let covers = [".sheet", ".dock"].into_iter().filter_map(|what| {
        let element = document.query_selector(what).ok()??;
        Some(element.get_bounding_client_rect().top())
    });
    covers.reduce(f64::min)
}
