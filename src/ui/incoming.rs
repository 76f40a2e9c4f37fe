//! What comes to the page from outside: a file that is dropped on it, text that is pasted anywhere
//! outside a field, a newer version of the page. All become an action; what files and texts hold is
//! the view model's to read.

use gloo_events::{EventListener, EventListenerOptions};
use js_sys::futures::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event, File};
use yew::prelude::*;

use super::store::{AppAction, Dispatch};
use crate::sim::limits;
use crate::view_model::import::{self, Source};

/// static/start.js sends it when the device keeps a newer version of the page.
const UPDATED: &str = "fenceline-updated";
const NEWER: &str = "A newer version of Fenceline is here: the next time that you load this page, \
                     you get it. Your scenario stays";

/// Takes files, pasted text, and the news of a newer version.
#[hook]
pub fn use_incoming(dispatch: &Dispatch) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let listeners = web_sys::window().map(|window| {
            let listen = |name: &'static str, follow: fn(&Event, &Dispatch)| {
                let dispatch = dispatch.clone();
                let options = EventListenerOptions::enable_prevent_default();
                EventListener::new_with_options(&window, name, options, move |event| {
                    follow(event, &dispatch);
                })
            };
            [
                listen("dragover", on_drag_over),
                listen("drop", on_drop),
                listen("paste", on_paste),
                listen(UPDATED, on_updated),
            ]
        });
        move || drop(listeners)
    });
}

/// What a drag carries, if that is files.
fn files_of(event: &Event) -> Option<DataTransfer> {
    let data = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    data.types().includes(&JsValue::from("Files"), 0).then_some(data)
}

/// Without this the browser would leave the page for the file.
fn on_drag_over(event: &Event, _: &Dispatch) {
    if files_of(event).is_some() {
        event.prevent_default();
    }
}

fn on_drop(event: &Event, dispatch: &Dispatch) {
    if let Some(data) = files_of(event) {
        event.prevent_default();
        let files = data.files();
        let files = files.iter().flat_map(|files| (0..files.length()).filter_map(|n| files.get(n)));
        let files: Vec<_> = files.collect();
        let names: Vec<_> = files.iter().map(File::name).collect();
        if let Some(file) = files.into_iter().next() {
            read_file(file, import::one_of(&names), dispatch.clone());
        }
    }
}

fn on_paste(event: &Event, dispatch: &Dispatch) {
    let Some(event) = event.dyn_ref::<ClipboardEvent>() else {
        return;
    };
    let is_field = |target: &Element| {
        let fields = "input, textarea, select, [contenteditable], [role=textbox]";
        target.closest(fields).is_ok_and(|field| field.is_some())
    };
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if event.default_prevented() || target.is_some_and(|target| is_field(&target)) {
        return;
    }
    let text = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok());
    if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
        event.prevent_default();
        dispatch.dispatch(AppAction::Read(text.into(), Source::Pasted));
    }
}

fn on_updated(_: &Event, dispatch: &Dispatch) {
    dispatch.dispatch(AppAction::Tell(NEWER.into()));
}

/// Reads a file and opens it. One that is too large is not even read. `beside`: what is to be told
/// of it besides.
pub fn read_file(file: File, beside: Option<String>, dispatch: Dispatch) {
    let tell = |text: String| AppAction::Tell(text.into());
    #[expect(clippy::cast_precision_loss, reason = "a million is exact")]
    let most = limits::MAX_FILE_BYTES as f64;
    let size = file.size();
    spawn_local(async move {
        if size > most {
            dispatch.dispatch(tell(format!("This file has {size} bytes; at most {most} are read")));
        } else {
            match file.text().await.map(|text| text.as_string()) {
                Ok(Some(text)) => dispatch.dispatch(AppAction::Read(text.into(), Source::File)),
                Ok(None) | Err(_) => {
                    dispatch
                        .dispatch(tell("This file could not be read by the browser".to_owned()));
                }
            }
        }
        if let Some(beside) = beside {
            dispatch.dispatch(AppAction::TellToo(beside.into()));
        }
    });
}
