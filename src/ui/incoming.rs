//! What comes to the page from outside: a file that is dropped on it, text that is pasted anywhere
//! outside a field, a newer version of the page. All become an action; what files and texts hold is
//! the view model's to read.

use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Uint8Array;
use js_sys::futures::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event, File};
use yew::prelude::*;

use super::store::{AppAction, Dispatch};
use crate::sim::limits;
use crate::sim::scenario::{FileError, text_of};
use crate::view_model::outside::import::{self, Source};

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

/// The text of a file, or why it has none.
async fn text(file: &File) -> Result<String, String> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a file's size")]
    let size = file.size() as usize;
    if size > limits::MAX_FILE_BYTES {
        return Err(FileError::TooLarge(size).to_string());
    }
    let bytes = file.array_buffer().await;
    let bytes = bytes.map_err(|_| "This file could not be read by the browser".to_owned())?;
    let bytes = Uint8Array::new(&bytes).to_vec();
    text_of(&bytes).map(str::to_owned).map_err(|error| error.to_string())
}

/// Reads a file and opens it; `beside`: what is to be told of it besides. One that is too large is
/// not even read. Its bytes are asked for, and not its text: a browser's text hides that it was
/// written in another encoding.
pub fn read_file(file: File, beside: Option<String>, dispatch: Dispatch) {
    spawn_local(async move {
        match text(&file).await {
            Ok(text) => dispatch.dispatch(AppAction::Read(text.into(), Source::File)),
            Err(problem) => tell(&problem, &dispatch),
        }
        if let Some(beside) = beside {
            dispatch.dispatch(AppAction::TellToo(beside.into()));
        }
    });
}

fn tell(text: &str, dispatch: &Dispatch) {
    dispatch.dispatch(AppAction::Tell(text.into()));
}
