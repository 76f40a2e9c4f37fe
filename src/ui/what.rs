//! What a term means, where the term stands: a small button that opens its entry of the glossary.
//! The browser's own popover, so that it works by mouse, key and finger, closes by itself, and
//! needs no state.

use yew::prelude::*;

use crate::view_model::words::glossary::explained;

/// The explanation of the term in a control's name, or in what it is about; nothing where there is
/// none.
pub fn what(label: &str, about: Option<&str>) -> Html {
    let Some((term, meaning)) = explained(about.unwrap_or(label)) else {
        return html! {};
    };
    let slug: String = label.chars().filter(char::is_ascii_alphanumeric).collect();
    let id = format!("what-{slug}");
    html! {
        <>
            <button type="button" class="what" popovertarget={id.clone()}
                aria-label={format!("What is “{term}”?")}>
                <svg viewBox="0 0 14 14" aria-hidden="true">
                    <path d="M4.6 5a2.4 2.4 0 1 1 3.6 2.1c-.8.4-1.2.8-1.2 1.7M7 11v.6" />
                </svg>
            </button>
            <div {id} class="what-text" popover="auto">
                <b>{ term }</b>
                <p>{ meaning }</p>
            </div>
        </>
    }
}
