//! Makes the runs of a long edit in slices between frames, and says so: the last picture stays,
//! with how far it has come and a way to give it up.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::hooks::Slices;
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
            let slices = slices(pending.clone(), computing, dispatch, permille);
            // Another edit takes the place of this one: its work ends with it.
            move || drop(slices)
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

/// Steps until all is computed, and tells how far it is, and what came of it.
fn slices(
    pending: Rc<Pending>,
    computing: Option<Computing>,
    dispatch: Dispatch,
    permille: UseStateSetter<u32>,
) -> Slices {
    let computing = Rc::new(RefCell::new(computing));
    let under_way = computing.clone();
    Slices::of_length(
        SLICE_MILLIS,
        move || under_way.borrow_mut().as_mut().is_none_or(|it| it.step(STEPS_AT_ONCE)),
        move |is_over| {
            if !is_over {
                permille.set(computing.borrow().as_ref().map_or(0, Computing::permille));
            } else if let Some(computing) = computing.take() {
                let runs = Rc::new(computing.finish());
                dispatch.dispatch(AppAction::Computed(pending.clone(), runs));
            }
        },
    )
}
