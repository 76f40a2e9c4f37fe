//! The controls that few need, folded away and grouped: clients, work, lease, storage, run. Each
//! that has no effect in a set-up says why.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use super::choice::{Choice, Switch};
use super::field::Field;
use super::table;
use crate::sim::id::ClientId;
use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::scenario::{
    Change, ClientSpec, FenceRule, Length, LockSystem, Operation, Repeat, ScenarioFile,
    ScenarioSpec, WorkKind,
};
use crate::sim::time::{SimDuration, SimTime};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::amount::{self, idle};
use crate::view_model::control;
use crate::view_model::runs::FencingMode;
use crate::view_model::wording;

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
    html! {
        <details class="more" {ontoggle}>
            <summary>{ "More: clients, work, storage, run" }</summary>
            if *open {
                <Clients file={file.clone()} />
                <Work file={file.clone()} />
                <fieldset>
                    <legend>{ "Waiters" }</legend>
                    { table::controls(&dispatch, control::waiters(&file.scenario)) }
                </fieldset>
                <Lease file={file.clone()} />
                <Storage file={file.clone()} />
                <Run file={file.clone()} />
            }
        </details>
    }
}

/// Sends the changes that a control makes of what was chosen.
fn edit<T: 'static>(dispatch: &Dispatch, change: impl Fn(T) -> Change + 'static) -> Callback<T> {
    let dispatch = dispatch.clone();
    Callback::from(move |value| dispatch.dispatch(AppAction::Edit(change(value))))
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
    let read_count = {
        let file = props.file.clone();
        Callback::from(move |text: AttrValue| {
            let most = u32::try_from(limits::MAX_CLIENTS).unwrap_or(u32::MAX);
            let count = amount::parse_count(&text, most)?;
            Ok(changes_to_clients(&file.scenario, count))
        })
    };
    let asks = |index: usize, client: &ClientSpec| {
        let id = ClientId(u8::try_from(index).unwrap_or_default());
        let shown = AttrValue::from(wording::field(client.asks_at.since_start()));
        let unit = shown.clone();
        let read = Callback::from(move |text: AttrValue| {
            let at = SimTime::ZERO + amount::parse_duration(&text, &unit)?;
            Ok(vec![Change::AsksAt { client: id, at }])
        });
        html! { <TextControl name={format!("Client {id} asks at")} {shown} {read} /> }
    };
    html! {
        <fieldset>
            <legend>{ "Clients" }</legend>
            <TextControl name="Number of clients" read={read_count}
                shown={spec.clients.len().to_string()} />
            { for spec.clients.iter().enumerate().map(|(index, client)| asks(index, client)) }
            { table::controls(&dispatch, control::clients(spec)) }
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

#[component]
fn Work(props: &MoreProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let defaults = &props.file.scenario.defaults;
    let kinds = [WorkKind::Waiting, WorkKind::Computing];
    let operations = [Operation::Overwrite, Operation::ReadModifyWrite, Operation::ExternalEffect];
    let operation = operations.iter().position(|of| *of == defaults.operation);
    let no_operation = idle::fixed(&props.file.scenario, Fixed::Operation);
    let place = |is: bool| usize::from(!is);
    let read_writes = Callback::from(|text: AttrValue| {
        let count = amount::parse_count(&text, limits::MAX_WRITES_PER_GRANT)?;
        Ok(vec![Change::WritesPerGrant(count)])
    });
    let rest = match defaults.repeat {
        Repeat::Off => None,
        Repeat::After(rest) => Some(rest),
    };
    let repeat = |on: bool| match on {
        true => Change::Repeat(Repeat::After(SimDuration::from_secs(1))),
        false => Change::Repeat(Repeat::Off),
    };
    html! {
        <fieldset>
            <legend>{ "Work" }</legend>
            <Choice label="Work is" options={kinds.map(|k| wording::work_kind(k).into()).to_vec()}
                chosen={place(defaults.work_kind == WorkKind::Waiting)}
                hint={match defaults.work_kind {
                    WorkKind::Waiting => "It elapses during a pause",
                    WorkKind::Computing => "A pause adds its own length",
                }}
                on_choose={edit(&dispatch, move |index: usize| Change::WorkKind(kinds[index]))} />
            <Choice label="Operation" disabled={no_operation.is_some()} hint={no_operation}
                options={operations.map(|o| wording::operation(o).into()).to_vec()}
                chosen={operation.unwrap_or_default()}
                on_choose={edit(&dispatch, move |i: usize| Change::Operation(operations[i]))} />
            <TextControl name="Writes per grant" read={read_writes}
                shown={defaults.writes_per_grant.to_string()} />
            <Switch label="Release when done" on={defaults.release}
                on_turn={edit(&dispatch, Change::Release)} />
            <Switch label="Repeat" on={rest.is_some()} on_turn={edit(&dispatch, repeat)} />
            if let Some(rest) = rest {
                <RestControl {rest} />
            }
            { table::controls(&dispatch, control::work(&props.file.scenario)) }
        </fieldset>
    }
}

#[derive(Properties, PartialEq)]
struct RestProps {
    rest: SimDuration,
}

/// How long a worker rests between two pieces of work.
#[component]
fn RestControl(props: &RestProps) -> Html {
    let shown = AttrValue::from(wording::field(props.rest));
    let unit = shown.clone();
    let read = Callback::from(move |text: AttrValue| {
        let rest = amount::parse_duration(&text, &unit)?;
        Ok(vec![Change::Repeat(Repeat::After(rest))])
    });
    html! { <TextControl name="Rest between" {shown} {read} /> }
}

#[component]
fn Lease(props: &MoreProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let spec = &props.file.scenario;
    let releases = spec.defaults.release || spec.defaults.release_early.is_some();
    let nobody = spec.lock == LockSystem::Plain && !releases;
    let fixed = idle::fixed(spec, Fixed::OwnerCheck);
    let idle = nobody || fixed.is_some();
    let hint = match (nobody, spec.lease.owner_check) {
        (true, _) => "Nobody renews or releases in this set-up",
        (false, _) if fixed.is_some() => fixed.unwrap_or_default(),
        (false, true) => "The service refuses a release or renewal of another's lease",
        (false, false) => "Anybody can release or renew the lease",
    };
    html! {
        <fieldset>
            <legend>{ "Lease" }</legend>
            <Switch label="Owner check" on={spec.lease.owner_check} disabled={idle} {hint}
                on_turn={edit(&dispatch, Change::OwnerCheck)} />
            { table::controls(&dispatch, control::system(spec)) }
            { table::controls(&dispatch, control::lease(spec)) }
        </fieldset>
    }
}

#[component]
fn Storage(props: &MoreProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let storage = &props.file.scenario.storage;
    let rules = [
        FenceRule::RejectLower,
        FenceRule::RejectLowerOrEqual,
        FenceRule::MustMatch,
        FenceRule::DataVersion,
        FenceRule::TimeFence,
        FenceRule::SameTransaction,
        FenceRule::AsksService,
    ];
    let off = FencingMode::of(&props.file) == FencingMode::Off;
    let read_stores = Callback::from(|text: AttrValue| {
        let most = u32::try_from(limits::MAX_STORES).unwrap_or(u32::MAX);
        let count = amount::parse_count(&text, most)?;
        Ok(vec![Change::Stores(u8::try_from(count).unwrap_or(u8::MAX))])
    });
    let chosen = rules.iter().position(|rule| *rule == storage.rule);
    let spec = &props.file.scenario;
    let (no_rule, no_seal) = (idle::rule(spec, off), idle::fixed(spec, Fixed::Seal));
    let is_settled = off || idle::fixed(spec, Fixed::Rule).is_some();
    html! {
        <fieldset>
            <legend>{ "Storage" }</legend>
            <Choice label="Refuses a token that is" disabled={is_settled}
                options={rules.map(|rule| wording::rule(rule).into()).to_vec()}
                chosen={chosen.unwrap_or_default()}
                hint={no_rule}
                on_choose={edit(&dispatch, move |index: usize| Change::Rule(rules[index]))} />
            <Switch label="New holder raises the fence first" on={storage.seal}
                disabled={no_seal.is_some()}
                hint={no_seal
                    .or(storage.seal.then_some("The seal: one more round trip per grant"))}
                on_turn={edit(&dispatch, Change::Seal)} />
            <TextControl name="Stores" shown={storage.stores.to_string()} read={read_stores} />
            { table::controls(&dispatch, control::storage(&props.file.scenario, off)) }
        </fieldset>
    }
}

#[component]
fn Run(props: &MoreProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let length = props.file.scenario.length;
    let fixed = match length {
        Length::Auto => None,
        Length::Fixed(length) => Some(length),
    };
    let turn = |on: bool| match on {
        true => Change::Length(Length::Auto),
        false => Change::Length(Length::Fixed(limits::MIN_AUTOMATIC_RUN)),
    };
    let shown = AttrValue::from(wording::field(fixed.unwrap_or(limits::MIN_AUTOMATIC_RUN)));
    let unit = shown.clone();
    let read = Callback::from(move |text: AttrValue| {
        let length = amount::parse_duration(&text, &unit)?;
        if length < limits::MIN_INTERVAL {
            return Err(format!("“{}” is too short: at least 1 ms", text.trim()));
        }
        Ok(vec![Change::Length(Length::Fixed(length))])
    });
    html! {
        <fieldset>
            <legend>{ "Run" }</legend>
            <Switch label="Length found by itself" on={fixed.is_none()}
                hint={fixed.is_none().then_some("Until the outcome is settled, at least 20 s")}
                on_turn={edit(&dispatch, turn)} />
            if fixed.is_some() {
                <TextControl name="Run lasts" {shown} {read} />
            }
        </fieldset>
    }
}
