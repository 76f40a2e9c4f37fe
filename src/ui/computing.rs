//! Makes the runs of a long edit in slices between frames, and says so: the last picture stays,
//! with how far it has come and a way to give it up.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::store::{AppAction, Dispatch, Pending};
use crate::view_model::runs::computing::Computing;

/// Steps between two looks at the clock: well under a millisecond.
const STEPS_AT_ONCE: u32 = 2_000;
/// How long a slice lasts: most of a frame, because nothing else is to be drawn.
const SLICE_MILLIS: f64 = 12.0;

/// Properties of [`ComputingBar`].
#[derive(Properties, PartialEq)]
pub struct ComputingProps {
    /// What is being made.
    pub pending: Rc<Pending>,
}

/// The note over the timeline while runs are made.
#[component]
pub fn ComputingBar(props: &ComputingProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let permille = use_state_eq(|| 0_u32);
    {
        let (dispatch, permille) = (dispatch.clone(), permille.setter());
        use_effect_with(props.pending.clone(), move |pending| {
            let computing = Computing::new(&pending.file).ok();
            let job =
                Rc::new(Job { computing: RefCell::new(computing), timer: RefCell::default() });
            let tell = Tell { pending: pending.clone(), dispatch, permille };
            schedule(&job, tell);
            // Another edit takes the place of this one: its timer dies with it.
            move || drop(job.timer.take())
        });
    }
    let cancel = Callback::from(move |_: MouseEvent| {
        dispatch.dispatch(AppAction::CancelComputing);
    });
    let percent = *permille / 10;
    html! {
        <div class="computing">
            <label>
                { "Computing " }
                <progress max="1000" value={permille.to_string()}>
                    { format!("{percent} %") }
                </progress>
            </label>
            <span>{ format!("{percent} %; what you see is the run before") }</span>
            <button type="button" class="button" onclick={cancel}>{ "Cancel" }</button>
        </div>
    }
}

struct Job {
    computing: RefCell<Option<Computing>>,
    timer: RefCell<Option<Timeout>>,
}

/// Whom a job tells how far it is.
struct Tell {
    pending: Rc<Pending>,
    dispatch: Dispatch,
    permille: UseStateSetter<u32>,
}

fn schedule(job: &Rc<Job>, tell: Tell) {
    let next = job.clone();
    let timer = Timeout::new(0, move || {
        if !slice(&next, &tell.permille) {
            schedule(&next, tell);
        } else if let Some(computing) = next.computing.take() {
            let runs = Rc::new(computing.finish());
            let action = AppAction::Computed(tell.pending, runs);
            tell.dispatch.dispatch(action);
        }
    });
    job.timer.replace(Some(timer));
}

/// Computes for a slice of time. Tells whether all is over.
fn slice(job: &Job, permille: &UseStateSetter<u32>) -> bool {
    let clock = web_sys::window().and_then(|window| window.performance());
    let mut computing = job.computing.borrow_mut();
    let (Some(clock), Some(computing)) = (clock, computing.as_mut()) else {
        return true;
    };
    let until = clock.now() + SLICE_MILLIS;
    while clock.now() < until {
        if computing.step(STEPS_AT_ONCE) {
            return true;
        }
    }
    permille.set(computing.permille());
    false
}
