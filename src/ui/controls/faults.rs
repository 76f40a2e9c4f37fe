//! “What goes wrong”: every fault with its start and its length, a switch and a button that removes
//! it, and the form that adds one.

use std::rc::Rc;

use yew::prelude::*;

use super::add_fault::AddFault;
use super::choice::{Choice, Switch};
use super::quantity::QuantityControl;
use super::table;
use crate::sim::id::FaultId;
use crate::sim::plain_text::one_line;
use crate::sim::scenario::{Change, Fault, FaultKind, NamedStep, Quantity, ScenarioFile, Start};
use crate::sim::time::SimTime;
use crate::ui::icon::{Icon, IconView};
use crate::ui::nothing::nothing;
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::controls::amount;
use crate::view_model::setup;
use crate::view_model::words::names::Words;
use crate::view_model::words::struck;
use crate::view_model::words::wording;

/// Properties of [`WhatGoesWrong`] and of one of its faults.
#[derive(Properties, PartialEq)]
pub struct FaultsProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// The fault that is picked out in the timeline.
    pub selected: Option<FaultId>,
    /// Whether what is set here is set in Run 2 alone.
    pub run_2_only: bool,
}

/// The card “What goes wrong”.
#[component]
pub fn WhatGoesWrong(props: &FaultsProps) -> Html {
    let faults = &props.file.scenario.faults;
    html! {
        <section class="card faults" aria-labelledby="faults-title">
            <h2 id="faults-title">
                { if props.run_2_only { "What goes wrong in Run 2" } else { "What goes wrong" } }
            </h2>
            if faults.is_empty() {
                <p class="hint">{ "Nothing: every message arrives, nobody stops" }</p>
            }
            { for faults.iter().enumerate().map(|(place, fault)| html! {
                <FaultControl key={fault.id.0} file={props.file.clone()} {place}
                    is_selected={props.selected == Some(fault.id)} />
            }) }
            <AddFault file={props.file.clone()} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct FaultProps {
    file: Rc<ScenarioFile>,
    /// Its place in the list.
    place: usize,
    is_selected: bool,
}

/// One fault.
#[component]
fn FaultControl(props: &FaultProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let spec = &props.file.scenario;
    let Some(fault) = spec.faults.get(props.place) else {
        return nothing();
    };
    let id = fault.id;
    let words = &Words::of(&props.file.incident, &props.file.scenario);
    let name = amount::fault_name(words, id, spec);
    let main = props.file.main_quantity();
    let quantities = [Quantity::FaultStart(id), Quantity::FaultLength(id)];
    let about = struck::about(&fault.kind);
    let on_turn = {
        let dispatch = dispatch.clone();
        Callback::from(move |enabled: bool| {
            dispatch.dispatch(AppAction::Edit(Change::EnableFault { id, enabled }));
        })
    };
    let table_dispatch = dispatch.clone();
    let remove = Callback::from(move |_: MouseEvent| {
        dispatch.dispatch(AppAction::Edit(Change::RemoveFault(id)));
    });
    html! {
        <div class={classes!("fault", (!fault.enabled).then_some("is-off"),
            props.is_selected.then_some("is-selected"))} role="group"
            aria-label={name.clone()}>
            <div class="fault-head">
                <Switch label={name.clone()} {about} on={fault.enabled} {on_turn}
                    full_label={format!("{name} happens")} />
                <button type="button" class="button is-quiet is-icon" onclick={remove}
                    aria-label={format!("Remove {name}")} title="Remove">
                    <IconView icon={Icon::Cross} />
                </button>
            </div>
            if !fault.label.is_empty() {
                <p class="hint">{ one_line(&fault.label) }</p>
            }
            <StepChoice fault={fault.clone()} name={name.clone()} />
            { for quantities.into_iter().filter(|quantity| *quantity != main).map(|quantity| html! {
                <QuantityControl key={amount::name(words, quantity, spec)} file={props.file.clone()}
                    {quantity} name={amount::name(words, quantity, spec)}
                    shown_name={amount::own_name(quantity, fault)} />
            }) }
            { table::controls(&table_dispatch, setup::of_fault(fault, spec), &name) }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct StepProps {
    fault: Fault,
    name: AttrValue,
}

/// Where a pause begins that begins at a step; a choice of its own, because a time can be dragged.
#[component]
fn StepChoice(props: &StepProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let FaultKind::Pause { start: Start::Step { step, nth }, .. } = props.fault.kind else {
        return nothing();
    };
    let about = struck::about(&props.fault.kind);
    let mut options: Vec<AttrValue> = Vec::new();
    options.extend(NamedStep::ALL.map(|step| wording::step(step).into()));
    options.push("at a time".into());
    let chosen = NamedStep::ALL.iter().position(|of| *of == step);
    let fault = props.fault.clone();
    let on_choose = Callback::from(move |index: usize| {
        let mut fault = fault.clone();
        if let FaultKind::Pause { start, .. } = &mut fault.kind {
            *start = match NamedStep::ALL.get(index) {
                Some(&step) => Start::Step { step, nth },
                None => Start::At(SimTime::from_millis(2_000)),
            };
        }
        dispatch.dispatch(AppAction::Edit(Change::ReplaceFault(fault)));
    });
    html! {
        <Choice label="It begins" full_label={format!("{}: it begins", props.name)} {about}
            {options} chosen={chosen.unwrap_or_default()} {on_choose} />
    }
}
