//! The form that adds a fault: what, to whom, when. What it makes can then be moved like any other.

use std::rc::Rc;

use yew::prelude::*;

use super::choice::Choice;
use crate::sim::limits;
use crate::sim::scenario::{Change, NamedStep, ScenarioFile};
use crate::ui::icon::{Icon, IconView};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::setup::new_fault::{WHATS, What, new_fault, whoms};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording;

/// Properties of [`AddFault`].
#[derive(Properties, PartialEq)]
pub struct AddFaultProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
}

/// The button “Add a fault” and the form that it opens.
#[component]
pub fn AddFault(props: &AddFaultProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let open = use_state(|| false);
    let what = use_state(|| 0_usize);
    let whom = use_state(|| 0_usize);
    let when = use_state(|| 0_usize);
    let spec = &props.file.scenario;
    let words = &Words::of(&props.file.incident, &props.file.scenario);
    let full = spec.faults.len() >= limits::MAX_FAULTS;
    let toggle = {
        let (is_open, open) = (*open, open.setter());
        Callback::from(move |_: MouseEvent| open.set(!is_open))
    };
    let chosen = WHATS[*what].0;
    let nodes = whoms(chosen, spec);
    let whoms: Vec<AttrValue> = nodes.iter().map(|node| words.actor(*node).into()).collect();
    // Another kind of fault may strike fewer.
    let place = (*whom).min(nodes.len().saturating_sub(1));
    let node = nodes.get(place).copied();
    let add = {
        let (file, open) = (props.file.clone(), open.setter());
        let reset = [what.setter(), whom.setter(), when.setter()];
        let step = when.checked_sub(1).and_then(|n| NamedStep::ALL.get(n));
        let step = step.copied();
        Callback::from(move |_: MouseEvent| {
            let Some(node) = node else { return };
            let fault = new_fault(&file.scenario, chosen, node, step);
            dispatch.dispatch(AppAction::Edit(Change::AddFault(fault)));
            open.set(false);
            reset.iter().for_each(|choice| choice.set(0));
        })
    };
    let mut whens: Vec<AttrValue> = vec!["at a time".into()];
    whens.extend(NamedStep::ALL.map(|step| wording::step(step).into()));
    html! {
        <div class="add-fault">
            <button type="button" class="button" onclick={toggle} disabled={full}
                aria-expanded={if *open { "true" } else { "false" }}>
                <IconView icon={Icon::Plus} />{ "Add a fault" }
            </button>
            if full {
                <span class="hint">{ format!("{} faults are the most", limits::MAX_FAULTS) }</span>
            }
            if *open {
                <div class="add-form" role="group" aria-label="New fault">
                    <Choice label="What happens" chosen={*what} on_choose={set(&what)}
                        options={WHATS.map(|(_, name)| name.into()).to_vec()} />
                    <Choice label="To whom" chosen={place} on_choose={set(&whom)}
                        options={whoms} />
                    if matches!(chosen, What::Pause(_)) {
                        <Choice label="When" chosen={*when} on_choose={set(&when)}
                            options={whens} />
                    }
                    <button type="button" class="button is-main" onclick={add}>{ "Add" }</button>
                </div>
            }
        </div>
    }
}

fn set(state: &UseStateHandle<usize>) -> Callback<usize> {
    let setter = state.setter();
    Callback::from(move |index| setter.set(index))
}
