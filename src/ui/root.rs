//! What stands at the page's root: the whole page, or, inside another page, the timeline alone.

use yew::prelude::*;

use super::app::App;
use super::embed::{Embed, options};

/// The root.
#[component]
pub fn Root() -> Html {
    match options() {
        Some(options) => html! { <Embed {options} /> },
        None => html! { <App /> },
    }
}
