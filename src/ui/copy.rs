//! A button that copies a text, with what came of it beside it for a while; whoever hears the page
//! is told by its live region.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::clipboard;

/// So long it stands beside the button.
const SHOWN_MILLIS: u32 = 6_000;

/// Properties of [`CopyButton`].
#[derive(Properties, PartialEq)]
pub struct CopyProps {
    /// What stands on it.
    pub name: AttrValue,
    /// Another accessible name, where that needs its surroundings.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    /// Its class.
    #[prop_or_default]
    pub class: Classes,
    /// Whether there is nothing to copy yet.
    #[prop_or_default]
    pub disabled: bool,
    /// Makes the text.
    pub text: Callback<(), String>,
    /// Tells what came of it.
    pub on_tell: Callback<AttrValue>,
}

/// The button.
#[component]
pub fn CopyButton(props: &CopyProps) -> Html {
    let told = use_state_eq(AttrValue::default);
    let timer = use_mut_ref(|| None::<Timeout>);
    let onclick = {
        let (text, on_tell, told) = (props.text.clone(), props.on_tell.clone(), told.setter());
        Callback::from(move |_: MouseEvent| {
            // Said again, even if it is the same.
            on_tell.emit(AttrValue::default());
            let (on_tell, told, timer) = (on_tell.clone(), told.clone(), timer.clone());
            let done = move |done: bool| {
                let text = AttrValue::from(clipboard::told(done));
                let over = told.clone();
                let gone = Timeout::new(SHOWN_MILLIS, move || over.set(AttrValue::default()));
                timer.replace(Some(gone));
                told.set(text.clone());
                on_tell.emit(text);
            };
            clipboard::copy(&text.emit(()), Callback::from(done));
        })
    };
    html! {
        <>
            <span class="hint copy-told" aria-hidden="true">{ &*told }</span>
            <button type="button" class={classes!("button", props.class.clone())} {onclick}
                disabled={props.disabled} aria-label={props.label.clone()}>{ &props.name }</button>
        </>
    }
}
