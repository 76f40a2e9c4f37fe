//! The page's one live region: the event after a step or a pause, both verdicts after a drag. While
//! time plays or something is dragged it keeps quiet.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::panels::current;
use super::playhead::PlayheadBus;
use super::store::Selection;
use crate::sim::SimTime;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::sentences::{describe, verdict};
use crate::view_model::words::wording;

/// A step is told after this long, so that of many in a row only the last is.
const AFTER_STEP_MILLIS: u32 = 250;
/// Verdicts are told this long after a drag.
const AFTER_DRAG_MILLIS: u32 = 500;

/// Whether time passes: renders again only when that changes.
#[hook]
pub fn use_playing(bus: &PlayheadBus) -> bool {
    let playing = use_state_eq(|| bus.state().playing);
    let setter = playing.setter();
    use_effect_with(bus.clone(), move |bus| {
        let subscription = bus.subscribe_state(move |state| setter.set(state.playing));
        move || drop(subscription)
    });
    *playing
}

/// Properties of [`Announcer`].
#[derive(Properties, PartialEq)]
pub struct AnnouncerProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// What is picked out.
    pub selection: Selection,
    /// Whether something is being dragged.
    pub dragging: bool,
    /// Whether time passes.
    pub playing: bool,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
    /// What came of something else that the user did, as soon as it is known.
    pub told: AttrValue,
}

/// The live region.
#[component]
pub fn Announcer(props: &AnnouncerProps) -> Html {
    let said = use_state_eq(AttrValue::default);
    let was_dragging = use_mut_ref(|| false);
    // What the page opens with is read by whoever comes to it; it need not be told.
    let is_first = use_mut_ref(|| true);
    let quiet = props.dragging || props.playing;
    {
        let setter = said.setter();
        let (runs, moment, selection) = (props.runs.clone(), props.moment, props.selection);
        let hide_future = props.hide_future;
        let dragging = props.dragging;
        use_effect_with((quiet, dragging, moment, selection), move |_| {
            let after_drag = was_dragging.replace(dragging) && !dragging;
            let timer = (!quiet && !is_first.replace(false)).then(|| {
                let wait = if after_drag { AFTER_DRAG_MILLIS } else { AFTER_STEP_MILLIS };
                Timeout::new(wait, move || {
                    let text = event(&runs, moment, selection);
                    setter.set(match after_drag && !hide_future {
                        true => verdicts(&runs).into(),
                        false => text.into(),
                    });
                })
            });
            move || drop(timer)
        });
    }
    {
        let setter = said.setter();
        use_effect_with(props.told.clone(), move |told| setter.set(told.clone()));
    }
    html! {
        <div class="visually-hidden" aria-live="polite" aria-atomic="true">{ &*said }</div>
    }
}

fn event(runs: &Runs, moment: u32, selection: Selection) -> String {
    let index = current(runs, moment, selection);
    if index.is_none() {
        return format!("{}, the run begins", wording::time_with(SimTime::ZERO, 2));
    }
    let moment = index.and_then(|index| runs.moments.get(index));
    moment.map_or(String::new(), |moment| {
        let lines = describe::moment(runs, &moment).join(". ");
        format!("{}: {lines}", wording::time(moment.at))
    })
}

fn verdicts(runs: &Runs) -> String {
    let told = runs.shown().filter_map(|(run, _)| {
        let label = labels::run_label_capital(runs, run);
        Some(format!("{label}: {}", verdict::of_run(runs, run)?.text))
    });
    told.collect::<Vec<_>>().join(". ")
}
