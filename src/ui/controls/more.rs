//! The controls that few need, folded away and grouped: clients, work, lease, storage, run. Each
//! that has no effect in a set-up says why.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use super::field::Field;
use super::table;
use crate::sim::limits;
use crate::sim::scenario::{Change, ClientSpec, ScenarioFile, ScenarioSpec};
use crate::sim::time::{SimDuration, SimTime};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::controls::Control;
use crate::view_model::controls::amount;
use crate::view_model::runs::FencingMode;
use crate::view_model::setup;
use crate::view_model::words::names::Words;

/// Properties of [`More`].
#[derive(Properties, PartialEq)]
pub struct MoreProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
}

/// The folded part of “Your numbers”.
#[component]
pub fn More(props: &MoreProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let file = &props.file;
    // What is folded away is not made: it would be made again on every step of a drag.
    let open = use_state_eq(|| false);
    let ontoggle = {
        let open = open.setter();
        Callback::from(move |event: Event| {
            let details: Element = event.target_unchecked_into();
            open.set(details.has_attribute("open"));
        })
    };
    let spec = &file.scenario;
    let words = &Words::of(&file.incident);
    let fencing_off = FencingMode::of(file) == FencingMode::Off;
    let group = |name: &'static str, list: Vec<Control>| {
        html! {
            <fieldset>
                <legend>{ name }</legend>
                { table::controls(&dispatch, list) }
            </fieldset>
        }
    };
    html! {
        <details class="more" {ontoggle}>
            <summary>{ "More: clients, work, storage, run" }</summary>
            if *open {
                <Clients file={file.clone()} />
                { group("Work", setup::work(spec)) }
                { group("Waiters", setup::waiters(spec)) }
                { group("Lease", setup::lease(words, spec)) }
                { group("Storage", setup::storage(words, spec, fencing_off)) }
                { group("Run", setup::run(spec)) }
            }
        </details>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct TextProps {
    pub(super) name: AttrValue,
    pub(super) shown: AttrValue,
    /// Reads a text; the changes are one edit.
    pub(super) read: Callback<AttrValue, Result<Vec<Change>, String>>,
    /// Why it has no effect, or what it does.
    #[prop_or_default]
    pub(super) idle: Option<AttrValue>,
    /// Whether it has none.
    #[prop_or_default]
    pub(super) disabled: bool,
}

/// A named field.
#[component]
pub(super) fn TextControl(props: &TextProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let check = {
        let read = props.read.clone();
        Callback::from(move |text| read.emit(text).map(|_| ()))
    };
    let commit = {
        let read = props.read.clone();
        Callback::from(move |text| {
            let changes = read.emit(text)?;
            dispatch.dispatch(AppAction::EditAll(changes));
            Ok(())
        })
    };
    html! {
        <div class={classes!("control", props.disabled.then_some("is-idle"))}>
            <div class="control-head">
                <span class="control-name" aria-hidden="true">{ &props.name }</span>
                <Field label={props.name.clone()} shown={props.shown.clone()}
                    {check} {commit} disabled={props.disabled} />
            </div>
            if let Some(idle) = &props.idle {
                <p class="hint">{ idle }</p>
            }
        </div>
    }
}

#[component]
fn Clients(props: &MoreProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let spec = &props.file.scenario;
    let words = &Words::of(&props.file.incident);
    let read_count = {
        let file = props.file.clone();
        Callback::from(move |text: AttrValue| {
            let most = u32::try_from(limits::MAX_CLIENTS).unwrap_or(u32::MAX);
            let count = amount::parse_count(&text, most)?;
            Ok(changes_to_clients(&file.scenario, count))
        })
    };
    html! {
        <fieldset>
            <legend>{ "Clients" }</legend>
            <TextControl name="Number of clients" read={read_count}
                shown={spec.clients.len().to_string()} />
            { table::controls(&dispatch, setup::clients(words, spec)) }
        </fieldset>
    }
}

/// The changes that make a number of clients; a new one asks a second after the last.
fn changes_to_clients(spec: &ScenarioSpec, count: u32) -> Vec<Change> {
    let has = u32::try_from(spec.clients.len()).unwrap_or(u32::MAX);
    let last = spec.clients.last().map_or(SimTime::ZERO, |client| client.asks_at);
    let more = (1..=count.saturating_sub(has)).map(|nth| {
        let at = last + SimDuration::from_secs(1).times(u64::from(nth));
        Change::AddClient(ClientSpec::asking_at(at))
    });
    let fewer = (count..has).map(|_| Change::RemoveLastClient);
    more.chain(fewer).collect()
}
