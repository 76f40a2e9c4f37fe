//! What the reader asked their system for.

use gloo_events::EventListener;
use yew::prelude::*;

/// Whether the reader asked for less motion.
#[hook]
pub fn use_reduced_motion() -> bool {
    let reduced = use_state_eq(|| query().is_some_and(|query| query.matches()));
    let setter = reduced.setter();
    use_effect_with((), move |()| {
        let listener = query().map(|query| {
            let watched = query.clone();
            EventListener::new(&query, "change", move |_| setter.set(watched.matches()))
        });
        move || drop(listener)
    });
    *reduced
}

fn query() -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media("(prefers-reduced-motion: reduce)").ok()?
}
