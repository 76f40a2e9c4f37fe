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
/// `full`: its name that no other bears.
pub fn term(label: &str, about: Option<&str>, full: &str) -> Html {
    match explained(about.unwrap_or(label)) {
        Some((term, meaning)) => {
            let texts = [Some(meaning), None, None];
            opener(("what", full), label, term, texts)
        }
        None => html! { { label } },
    }
}

/// The same with what else there is to say, in the sheet of all numbers: its names stand on the
/// page a second time.
pub fn explained_term(label: &str, about: Option<&str>, notes: [Option<&str>; 2]) -> Html {
    let [one, two] = notes;
    match (explained(about.unwrap_or(label)), one.or(two)) {
        (None, None) => html! { { label } },
        (Some((term, meaning)), _) => {
            opener(("more", label), label, term, [Some(meaning), one, two])
        }
        (None, Some(_)) => opener(("more", label), label, label, [one, two, None]),
    }
}

fn opener((place, full): (&str, &str), label: &str, term: &str, texts: [Option<&str>; 3]) -> Html {
    let slug: String = full.chars().filter(char::is_ascii_alphanumeric).collect();
    let id = format!("{place}-{slug}");
    html! {
        <>
            <button type="button" class="term" popovertarget={id.clone()}
                aria-label={format!("{full}: what it means")}>{ label.to_owned() }</button>
            <div {id} class="what-text" popover="auto">
                <b>{ term.to_owned() }</b>
                { for texts.into_iter().flatten().map(|text| html! {
                    <p>{ text.to_owned() }</p>
                }) }
            </div>
        </>
    }
}
