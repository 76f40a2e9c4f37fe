//! Text that stands beside the page and is no part of its first load: asked for once it is wanted,
//! and again whenever somebody tries again.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::futures::spawn_local;
use yew::prelude::*;

use crate::ui::fetch;

/// After this long the reader is told that it is late: a slow phone has it in half of it.
const LATE_MILLIS: u32 = 10_000;

/// The text, as far as it is there.
#[derive(Clone, PartialEq, Debug)]
pub enum Fetched {
    /// It is on its way, or nobody wanted it so far.
    Waiting,
    /// It is still expected, but whoever waits may ask again.
    Late,
    /// It is here.
    Here(Rc<str>),
    /// It cannot be had.
    Failed,
}

/// The text at an address, and what asks for it again.
#[hook]
pub fn use_fetched(address: &'static str, wanted: bool) -> (Fetched, Callback<()>) {
    let fetched = use_state_eq(|| Fetched::Waiting);
    let asked = use_mut_ref(|| (0_u32, None::<Timeout>));
    let ask = {
        let setter = fetched.setter();
        use_callback((), move |(), ()| {
            let (setter, asked) = (setter.clone(), asked.clone());
            setter.set(Fetched::Waiting);
            let number = asked.borrow().0 + 1;
            let late = {
                let setter = setter.clone();
                Timeout::new(LATE_MILLIS, move || setter.set(Fetched::Late))
            };
            asked.replace((number, Some(late)));
            spawn_local(async move {
                let text = fetch::text(address).await;
                // One that was given up may still bring it, and says nothing else.
                let mut asked = asked.borrow_mut();
                if text.is_some() || asked.0 == number {
                    *asked = (asked.0 + 1, None);
                    setter.set(text.map_or(Fetched::Failed, |text| Fetched::Here(text.into())));
                }
            });
        })
    };
    {
        let ask = ask.clone();
        // Once is enough: what was asked for comes, or somebody tries again.
        let once = use_mut_ref(|| false);
        use_effect_with(wanted, move |wanted| {
            if *wanted && !once.replace(true) {
                ask.emit(());
            }
        });
    }
    ((*fetched).clone(), ask)
}
