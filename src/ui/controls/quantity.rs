//! A quantity of the scenario as a control: its name, a number field and a slider that say and set
//! the same value.

use std::rc::Rc;

use yew::prelude::*;

use super::field::{Field, id_of};
use super::slider::{Slider, SliderMove};
use super::strips::{RANGES_ID, RaceView, Strips};
use super::track::{PLACES, Track};
use crate::sim::scenario::{Change, Quantity, Renew, ScenarioFile, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::ui::nothing::nothing;
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
    let Some((shown, place)) = shown(quantity, spec) else {
        return nothing();
    };
    let now = Now { value: quantity.value(spec), renew: spec.defaults.renew, ttl: spec.lease.ttl };
    html! {
        <QuantityView {quantity} {now} {shown} {place} name={props.name.clone()}
            shown_name={props.shown_name.clone().unwrap_or_else(|| props.name.clone())}
            race={props.race.clone()} idle={amount::idle(quantity, spec).map(|why| why.full)}
            about={amount::about(quantity, spec)} />
    }
}

/// What a move of the slider starts from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Now {
    value: Option<SimDuration>,
    renew: Renew,
    ttl: SimDuration,
}

impl Now {
    /// The place of another value.
    pub(super) fn place(&self, quantity: Quantity, value: SimDuration) -> u32 {
        if quantity != Quantity::Renew {
            return Track::of(quantity, self.ttl).place(value);
        }
        // As shares lie: what is longer than the time to live is at its place, before “off”.
        let share = u64::from(RENEW_PLACES) * value.micros() / self.ttl.micros().max(1);
        u32::try_from(share).unwrap_or(RENEW_PLACES).min(RENEW_PLACES)
    }
}

/// Of the scenario only what this control shows: it is not drawn again when another one moves.
#[derive(Properties, PartialEq)]
struct ViewProps {
    quantity: Quantity,
    now: Now,
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
    let (quantity, now, idle) = (props.quantity, props.now, props.idle);
    let on_move = {
        let dispatch = dispatch.clone();
        let edges = props.race.as_ref().map(|race| race.text.edges.clone()).unwrap_or_default();
        Callback::from(move |moved: SliderMove| {
            let action = match moved {
                SliderMove::Done => Some(AppAction::DragEnd),
                SliderMove::Edge(up) => {
                    next_edge(&edges, quantity, now, up).map(AppAction::DragEdit)
                }
                SliderMove::To(_) | SliderMove::Steps(_) | SliderMove::End(_) => {
                    moved_to(quantity, now, moved).map(AppAction::DragEdit)
                }
            };
            if let Some(action) = action {
                dispatch.dispatch(action);
            }
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
            <Strips race={race.clone()} {quantity} {now} place={props.place} />
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

/// The value as a field shows it, and its place on the slider.
fn shown(quantity: Quantity, spec: &ScenarioSpec) -> Option<(AttrValue, u32)> {
    let text = amount::shown(quantity, spec)?.into();
    if quantity == Quantity::Renew {
        let stop = amount::renew_stop(spec.defaults.renew, spec.lease.ttl);
        return Some((text, renew_place(stop)));
    }
    let value = quantity.value(spec)?;
    Some((text, Track::of(quantity, spec.lease.ttl).place(value)))
}

/// The change that goes to the nearest value beyond which, or from which on, the outcome is
/// another one.
fn next_edge(edges: &[SimDuration], quantity: Quantity, now: Now, up: bool) -> Option<Change> {
    let value = now.value?;
    let range = amount::range_beside(quantity, now.ttl);
    let mut edges = edges.iter().copied().filter(|edge| (range.least..=range.most).contains(edge));
    let to = match up {
        true => edges.find(|edge| *edge > value),
        false => edges.rfind(|edge| *edge < value),
    };
    to.map(|to| quantity.set(to))
}

/// How far the shares of the time to live go on the track of renewal.
const RENEW_PLACES: u32 = PLACES * 9 / 10;

/// Shares of the time to live lie where they are, up to nine tenths of the track; “off” at its end.
fn renew_place(stop: usize) -> u32 {
    match amount::RENEW_STOPS.get(stop) {
        Some((numerator, denominator)) => {
            RENEW_PLACES * u32::from(*numerator) / u32::from(*denominator)
        }
        None => PLACES,
    }
}

/// The change that a move of the slider asks for; `None`: the value is there already.
fn moved_to(quantity: Quantity, now: Now, moved: SliderMove) -> Option<Change> {
    if quantity == Quantity::Renew {
        return renew_moved(now, moved).map(Change::Renew);
    }
    let value = now.value?;
    let track = Track::of(quantity, now.ttl);
    let to = match moved {
        SliderMove::To(place) => track.value(place),
        SliderMove::Steps(steps) if steps > 0 => track.range.above(value, steps.unsigned_abs()),
        SliderMove::Steps(steps) => track.range.below(value, steps.unsigned_abs()),
        SliderMove::End(true) => track.range.most,
        SliderMove::End(false) => track.range.least,
        SliderMove::Edge(_) | SliderMove::Done => return None,
    };
    (to != value).then(|| quantity.set(to))
}

fn renew_moved(now: Now, moved: SliderMove) -> Option<Renew> {
    let here = amount::renew_stop(now.renew, now.ttl);
    let off = amount::RENEW_STOPS.len();
    let to = match moved {
        SliderMove::To(place) => (0..=off).min_by_key(|stop| renew_place(*stop).abs_diff(place))?,
        SliderMove::Steps(steps) => {
            let far = usize::try_from(steps.unsigned_abs()).unwrap_or(off);
            if steps > 0 { (here + far).min(off) } else { here.saturating_sub(far) }
        }
        SliderMove::End(true) => off,
        SliderMove::End(false) => 0,
        SliderMove::Edge(_) | SliderMove::Done => return None,
    };
    let renew = amount::renew_at(to);
    (renew != now.renew).then_some(renew)
}
