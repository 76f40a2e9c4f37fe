//! How wide the screen is, as far as it changes what the page is made of; all else is the style
//! sheet's.

use gloo_events::EventListener;
use yew::prelude::*;

/// Below this the race, fencing and transport are pinned at the thumb. The style sheets say the
/// same.
const NARROW: &str = "(max-width: 799.98px)";

/// Whether the screen is narrow.
#[hook]
pub fn use_narrow() -> bool {
    let narrow = use_state_eq(|| query().is_some_and(|query| query.matches()));
    let setter = narrow.setter();
    use_effect_with((), move |()| {
        let listener = query().map(|query| {
            let watched = query.clone();
            EventListener::new(&query, "change", move |_| setter.set(watched.matches()))
        });
        move || drop(listener)
    });
    *narrow
}

fn query() -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media(NARROW).ok()?
}
