//! What is out of sight may wait: while something is dragged, panels that nobody sees are not made
//! again on every move. What is in sight is never left behind.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};
use yew::prelude::*;

/// Whether any of the element behind `node` is in the window. Where it cannot be told, it is.
#[hook]
pub fn use_in_sight(node: &NodeRef) -> bool {
    use_sight(node, true)
}

/// Whether any of it has been in the window by now.
#[hook]
pub fn use_seen(node: &NodeRef) -> bool {
    let in_sight = use_sight(node, false);
    let seen = use_mut_ref(|| false);
    let now = *seen.borrow() || in_sight;
    seen.replace(now);
    now
}

/// Whether any of it is in the window; `at_first`: what is taken for so until it is known.
#[hook]
fn use_sight(node: &NodeRef, at_first: bool) -> bool {
    let in_sight = use_state_eq(|| at_first);
    let setter = in_sight.setter();
    use_effect_with((), {
        let node = node.clone();
        move |()| {
            let observing = node.cast::<Element>().and_then(|element| {
                let closure = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
                    // The last is the newest.
                    let entry = entries.pop().dyn_into::<IntersectionObserverEntry>();
                    setter.set(entry.is_ok_and(|entry| entry.is_intersecting()));
                });
                let follow = closure.as_ref().unchecked_ref();
                let observer = IntersectionObserver::new(follow).ok()?;
                observer.observe(&element);
                Some((observer, closure))
            });
            move || {
                if let Some((observer, closure)) = observing {
                    observer.disconnect();
                    drop(closure);
                }
            }
        }
    });
    *in_sight
}

/// What `make` makes; while `waits`, what it made last.
#[hook]
pub fn use_waiting<T: Clone + 'static>(waits: bool, make: impl FnOnce() -> T) -> T {
    let kept = use_mut_ref(|| None::<T>);
    let mut kept = kept.borrow_mut();
    match &*kept {
        Some(made) if waits => made.clone(),
        Some(_) | None => kept.insert(make()).clone(),
    }
}
