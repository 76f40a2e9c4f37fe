//! A quantity of the scenario as a control: its name, a number field and a slider that say and set
//! the same value.

use std::rc::Rc;

use yew::prelude::*;

use super::field::{Field, id_of};
use super::slider::{Slider, SliderMove};
use super::strips::{RANGES_ID, RaceView, Strips};
use crate::sim::scenario::{Quantity, ScenarioFile};
use crate::sim::time::SimDuration;
use crate::ui::nothing::nothing;
use crate::ui::slide::{self, Slide};
use crate::ui::store::{AppAction, Dispatch};
use crate::ui::what::term;
use crate::view_model::controls::amount;

/// Properties of [`QuantityControl`].
#[derive(Properties, PartialEq)]
pub struct QuantityProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// Which quantity.
    pub quantity: Quantity,
    /// Its name, to be seen and accessible.
    pub name: AttrValue,
    /// What is to be seen in place of it, below a name that says whose it is.
    #[prop_or_default]
    pub shown_name: Option<AttrValue>,
    /// What the large one shows besides.
    #[prop_or_default]
    pub race: Option<RaceView>,
}

/// A quantity as a control. Nothing is drawn where the scenario has no such value.
#[component]
pub fn QuantityControl(props: &QuantityProps) -> Html {
    let spec = &props.file.scenario;
    let quantity = props.quantity;
    let (shown, place) = (amount::shown(quantity, spec), slide::place(quantity, spec));
    let (Some(shown), Some(place)) = (shown, place) else {
        return nothing();
    };
    html! {
        <QuantityView {quantity} ttl={spec.lease.ttl} {shown} {place} name={props.name.clone()}
            shown_name={props.shown_name.clone().unwrap_or_else(|| props.name.clone())}
            race={props.race.clone()} idle={amount::idle(quantity, spec).map(|why| why.full)}
            about={amount::about(quantity, spec)} />
    }
}

/// Of the scenario only what this control shows: it is not drawn again when another one moves.
#[derive(Properties, PartialEq)]
struct ViewProps {
    quantity: Quantity,
    ttl: SimDuration,
    shown: AttrValue,
    place: u32,
    name: AttrValue,
    shown_name: AttrValue,
    race: Option<RaceView>,
    idle: Option<&'static str>,
    about: Option<&'static str>,
}

#[component]
fn QuantityView(props: &ViewProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let (quantity, ttl, idle) = (props.quantity, props.ttl, props.idle);
    let on_move = {
        let dispatch = dispatch.clone();
        let edges = props.race.as_ref().map(|race| race.text.edges.clone()).unwrap_or_default();
        Callback::from(move |moved: SliderMove| {
            let slide = match moved {
                SliderMove::Done => return dispatch.dispatch(AppAction::DragEnd),
                SliderMove::Edge(up) => Slide::Edge(edges.clone(), up),
                SliderMove::To(place) => Slide::To(place),
                SliderMove::Steps(steps) => Slide::Steps(steps),
                SliderMove::End(up) => Slide::End(up),
            };
            dispatch.dispatch(AppAction::Slide(quantity, slide));
        })
    };
    let read = {
        let shown = props.shown.clone();
        move |text: &str| amount::parse(quantity, text, &shown)
    };
    let check = {
        let read = read.clone();
        Callback::from(move |text: AttrValue| read(&text).map(|_| ()))
    };
    let commit = Callback::from(move |text: AttrValue| {
        read(&text).map(|change| dispatch.dispatch(AppAction::Edit(change)))
    });
    let race = props.race.as_ref();
    let hint_id = id_of(&props.name, "hint");
    let described_by = match idle {
        Some(_) => Some(hint_id.clone()),
        None => race.map(|_| AttrValue::from(RANGES_ID)),
    };
    let spoken = race.map_or(String::new(), RaceView::spoken);
    let track = race.map(|race| {
        html! {
            <Strips race={race.clone()} {quantity} {ttl} place={props.place} />
        }
    });
    html! {
        <div class={classes!("control", race.map(|_| "is-main"),
            idle.is_some().then_some("is-idle"))}>
            <div class="control-head">
                <span class="control-name">
                    { term(&props.shown_name, props.about, &props.name) }
                </span>
                <Field label={format!("{} value", props.name)} shown={props.shown.clone()}
                    {check} {commit} disabled={idle.is_some()} />
                { race.map(|race| race.beside.clone()).unwrap_or_default() }
            </div>
            { body(race, html! {
                <Slider label={props.name.clone()} place={props.place}
                    text={format!("{}{spoken}", props.shown)} {track}
                    has_edges={race.is_some_and(|race| !race.text.edges.is_empty())}
                    {on_move} disabled={idle.is_some()} {described_by} />
            }) }
            if let Some(idle) = idle {
                <p class="hint" id={hint_id}>{ idle }</p>
            }
        </div>
    }
}

/// The slider; of the race between the names of the runs and what they come to.
fn body(race: Option<&RaceView>, slider: Html) -> Html {
    let Some(race) = race else {
        return slider;
    };
    html! {
        <div class="race-body">
            { race.names() }
            { slider }
            { race.readings() }
        </div>
    }
}
