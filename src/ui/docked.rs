//! Both verdicts where what is pinned at the window's end covers the lanes that they stand beside:
//! whether it does, and the line that says them then.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, ResizeObserver};
use yew::prelude::*;

use super::dock::PageProps;
use super::hooks::after_frame;
use super::panels::{swatch, tone_class};
use super::timeline::region_name;
use crate::view_model::runs::labels;
use crate::view_model::sentences::verdict;

/// Both verdicts. They are read out while those beside their lanes are out of sight, so that each
/// is read once and where it is seen.
pub fn docked_verdicts(page: &PageProps) -> Html {
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

/// Tells whether a verdict beside its lane is out of sight, when something is scrolled and when the
/// window or the stage becomes another size; anew for each of what was `made`.
#[hook]
pub fn use_sight<T: PartialEq + 'static>(made: T, on_docked: &Callback<bool>) {
    let on_docked = on_docked.clone();
    use_effect_with(made, move |_| {
        let check = move || on_docked.emit(is_verdict_covered().unwrap_or(false));
        let listen = |name: &'static str| {
            let (window, check) = (web_sys::window()?, check.clone());
            // What scrolls within the page tells only on the way to it.
            let options = EventListenerOptions::run_in_capture_phase();
            Some(EventListener::new_with_options(&window, name, options, move |_| check()))
        };
        let listeners = [listen("scroll"), listen("resize")];
        // What was just made has its place once the next frame is laid out.
        let frame = after_frame(check.clone());
        let closure = Closure::<dyn FnMut()>::new(check);
        let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok();
        let document = web_sys::window().and_then(|window| window.document());
        for part in [".stage", ".tl"] {
            let part = document.as_ref().and_then(|page| page.query_selector(part).ok()?);
            if let (Some(observer), Some(part)) = (&observer, &part) {
                observer.observe(part);
            }
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop((listeners, frame, closure));
        }
    });
}

/// Whether a verdict beside its lane is behind what is pinned, or above where lanes are seen.
fn is_verdict_covered() -> Option<bool> {
    let document = web_sys::window()?.document()?;
    // As if the dock's own verdicts were not there: they would hide the others for good.
    let own = height_of(&document, ".dock .dock-verdicts");
    let (covered_from, begins) = (covered_from(&document)? + own, begins(&document));
    let verdicts = document.query_selector_all(".tl-verdict").ok()?;
    let is_covered = |index| {
        let verdict = verdicts.get(index)?.dyn_into::<Element>().ok()?;
        let place = verdict.get_bounding_client_rect();
        Some(begins.is_some_and(|begins| place.top() < begins) || place.bottom() > covered_from)
    };
    Some((0..verdicts.length()).filter_map(is_covered).any(|covered| covered))
}

/// Where lanes begin to be seen. Above the foot of the stage they are scrolled away with it, and
/// its verdicts would be nowhere.
fn begins(document: &Document) -> Option<f64> {
    let find = |what| document.query_selector(what).ok().flatten();
    find(".is-presenting .tl-room")
        .map(|room| room.get_bounding_client_rect().top())
        .or_else(|| find(".dock").map(|_| 0.0))
}

fn height_of(document: &Document, what: &str) -> f64 {
    let element = document.query_selector(what).ok().flatten();
    element.map_or(0.0, |element| element.get_bounding_client_rect().height())
}

/// From where on what is pinned covers the page. What of the dock rises above the sheet hides
/// lanes, too.
pub fn covered_from(document: &Document) -> Option<f64> {
    let top = |what| {
        let element = document.query_selector(what).ok()??;
        Some(element.get_bounding_client_rect().top())
    };
    let dock = [".sheet", ".dock"].into_iter().filter_map(top).reduce(f64::min);
    dock.or_else(|| top(".stage-foot"))
}
