//! What a term means, where the term stands: the term itself is a button that opens its entry of
//! the glossary. The browser's own popover, so that it works by mouse, key and finger, closes by
//! itself, and needs no state.

use yew::prelude::*;

use crate::view_model::words::glossary::explained;

/// Whether the glossary explains a control's name, or what it is about.
pub fn is_term(label: &str, about: Option<&str>) -> bool {
    explained(about.unwrap_or(label)).is_some()
}

/// A control's name; a button where the glossary explains the term in it, or what it is about.
pub fn term(label: &str, about: Option<&str>) -> Html {
    let Some((term, meaning)) = explained(about.unwrap_or(label)) else {
        return html! { { label } };
    };
    let slug: String = label.chars().filter(char::is_ascii_alphanumeric).collect();
    let id = format!("what-{slug}");
    html! {
        <>
            <button type="button" class="term" popovertarget={id.clone()}
                aria-label={format!("{label}: what it means")}>{ label }</button>
            <div {id} class="what-text" popover="auto">
                <b>{ term }</b>
                <p>{ meaning }</p>
            </div>
        </>
    }
}
