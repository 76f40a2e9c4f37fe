//! The links that lead past the top bar. Buttons, because the address's fragment is the link to
//! what is shown; in sight once they have the focus.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What each leads to.
const TARGETS: [(&str, &str); 3] = [
    ("To the race", ".is-main input[type=range]"),
    ("To the timeline", ".tl-playhead"),
    ("To the events", ".event-list button"),
];

/// The links.
#[component]
pub fn SkipLinks() -> Html {
    html! {
        <nav class="skip" aria-label="Skip">
            { for TARGETS.map(|(name, target)| html! {
                <button type="button" class="button" onclick={move |_: MouseEvent| go(target)}>
                    { name }
                </button>
            }) }
        </nav>
    }
}

fn go(target: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let found = document.and_then(|document| document.query_selector(target).ok()?);
    if let Some(element) = found.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        // It can always have the focus.
        let _ = element.focus();
    }
}
