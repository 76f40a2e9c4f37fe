//! What the page is shown on, and what the reader asked their system for.

use gloo_events::EventListener;
use yew::prelude::*;

/// Whether the reader asked for less motion.
#[hook]
pub fn use_reduced_motion() -> bool {
    use_media("(prefers-reduced-motion: reduce)")
}

/// Whether the page goes to paper. The query tells of a preview that stays; a browser that prints
/// counts the pages before it does, and right after `beforeprint`.
#[hook]
pub fn use_printing() -> bool {
    let starts = use_state_eq(|| false);
    let setter = starts.setter();
    use_effect_with((), move |()| {
        let on = |name: &'static str, printing: bool| {
            let setter = setter.clone();
            let window = web_sys::window()?;
            Some(EventListener::new(&window, name, move |_| setter.set(printing)))
        };
        let listeners = [on("beforeprint", true), on("afterprint", false)];
        move || drop(listeners)
    });
    use_media("print") || *starts
}

/// Whether a media query matches.
#[hook]
fn use_media(query: &'static str) -> bool {
    let matches = use_state_eq(|| media(query).is_some_and(|query| query.matches()));
    let setter = matches.setter();
    use_effect_with(query, move |query| {
        let listener = media(query).map(|query| {
            let watched = query.clone();
            EventListener::new(&query, "change", move |_| setter.set(watched.matches()))
        });
        move || drop(listener)
    });
    *matches
}

fn media(query: &str) -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media(query).ok()?
}
