//! *Present*: the timeline for a room full of people. An attribute at the root makes the text
//! large and hides what stands beside; the whole screen is asked for, and may be refused.

use gloo_events::EventListener;
use js_sys::futures::spawn_local;
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsCast;
use web_sys::{Document, KeyboardEvent};
use yew::prelude::*;

use super::store::{AppAction, Dispatch};
use super::timeline::AxisChoice;
use crate::view_model::drawing::scale::TimeAxis;

/// The attribute that the style sheet and the measuring of the screen read.
pub const PRESENTING: &str = "data-present";

/// What ends the transport while the page is presented.
pub fn present_end(
    axis: TimeAxis,
    on_action: &Callback<AppAction>,
    on_tours: &Callback<MouseEvent>,
) -> Html {
    let on_stop = on_action.reform(|_: MouseEvent| AppAction::SetPresent(false));
    html! {
        <>
            <AxisChoice {axis} on_action={on_action.clone()} />
            <span class="tp-space"></span>
            <button type="button" class="button is-quiet" onclick={on_tours}>{ "Tours" }</button>
            <button type="button" class="button" onclick={on_stop}>{ "Stop presenting" }</button>
        </>
    }
}

/// Makes the page large while `presenting`; Escape, and leaving the full screen, end it.
#[hook]
pub fn use_present(presenting: bool, dispatch: &Dispatch) {
    let dispatch = dispatch.clone();
    use_effect_with(presenting, move |presenting| {
        let document = web_sys::window().and_then(|window| window.document());
        let listeners = document.filter(|_| *presenting).map(|document| {
            begin(&document);
            let stop = move || dispatch.dispatch(AppAction::SetPresent(false));
            let on_key = {
                let (document, stop) = (document.clone(), stop.clone());
                EventListener::new(&document.clone(), "keydown", move |event| {
                    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
                    // A dialog closes first.
                    let dialog = document.query_selector("dialog[open]").ok().flatten();
                    if key.as_deref() == Some("Escape") && dialog.is_none() {
                        stop();
                    }
                })
            };
            let on_full = {
                let document = document.clone();
                EventListener::new(&document.clone(), "fullscreenchange", move |_| {
                    if document.fullscreen_element().is_none() {
                        stop();
                    }
                })
            };
            (document, on_key, on_full)
        });
        move || {
            if let Some((document, ..)) = &listeners {
                end(document);
            }
            drop(listeners);
        }
    });
}

fn begin(document: &Document) {
    let Some(root) = document.document_element() else {
        return;
    };
    // Fails only for a bad name.
    let _ = root.set_attribute(PRESENTING, "");
    // Through the browser's own object: its promise is what a refusal comes by, and it must not go
    // unheard.
    let ask = Reflect::get(&root, &"requestFullscreen".into()).ok();
    let asked = ask.and_then(|ask| ask.dyn_into::<Function>().ok()?.call0(&root).ok());
    if let Some(promise) = asked.and_then(|asked| asked.dyn_into::<Promise>().ok()) {
        spawn_local(async move {
            // Where it is refused, the page is presented in its window.
            let _ = promise.await;
        });
    }
}

fn end(document: &Document) {
    if let Some(root) = document.document_element() {
        let _ = root.remove_attribute(PRESENTING);
    }
    if document.fullscreen_element().is_some() {
        document.exit_fullscreen();
    }
}
