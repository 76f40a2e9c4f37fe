//! The page's keys: listens at the window, asks the key map what a key does there, and passes it
//! on.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use crate::view_model::transport::keymap::{Focus, KeyCommand, Stroke, command};

/// Calls `on_command` for every key that does something; `single_keys`: those without Ctrl, too.
#[hook]
pub fn use_keys(single_keys: bool, on_command: Callback<KeyCommand>) {
    use_effect_with((single_keys, on_command), |(single_keys, on_command)| {
        let (single_keys, on_command) = (*single_keys, on_command.clone());
        let listener = web_sys::window().map(|window| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
                    return;
                };
                if event.default_prevented() || event.is_composing() {
                    return;
                }
                let key = event.key();
                let stroke = Stroke {
                    key: &key,
                    shift: event.shift_key(),
                    control: event.ctrl_key() || event.meta_key(),
                    alt: event.alt_key(),
                };
                if let Some(command) = command(stroke, focus(), single_keys) {
                    event.prevent_default();
                    on_command.emit(command);
                }
            })
        });
        move || drop(listener)
    });
}

/// What has the focus.
fn focus() -> Focus {
    let document = web_sys::window().and_then(|window| window.document());
    let Some(document) = document else {
        return Focus::Page;
    };
    if let Ok(Some(_)) = document.query_selector("dialog[open]:modal") {
        return Focus::Dialog;
    }
    document.active_element().map_or(Focus::Page, |element| focus_of(&element))
}

fn focus_of(element: &Element) -> Focus {
    let role = element.get_attribute("role").unwrap_or_default();
    match role.as_str() {
        "slider" | "radio" | "radiogroup" | "tab" | "listbox" | "option" | "grid" => {
            return Focus::Moving;
        }
        "button" | "switch" | "link" | "checkbox" => return Focus::Pressing,
        "textbox" | "combobox" | "searchbox" | "spinbutton" => return Focus::Typing,
        _ => {}
    }
    match element.tag_name().to_ascii_lowercase().as_str() {
        "input" => match element.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::type_) {
            Some(kind) if kind == "range" || kind == "radio" => Focus::Moving,
            Some(kind) if kind == "checkbox" || kind == "button" => Focus::Pressing,
            Some(_) | None => Focus::Typing,
        },
        "textarea" => Focus::Typing,
        "select" => Focus::Choosing,
        "button" | "a" | "summary" => Focus::Pressing,
        _ if element.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable) => {
            Focus::Typing
        }
        _ => Focus::Page,
    }
}
