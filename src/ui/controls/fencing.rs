//! The switch that the page is about: fencing off, on, or both side by side; and what else Run 2
//! may have.

use std::rc::Rc;

use yew::prelude::*;

use super::choice::Radios;
use crate::sim::lock::info;
use crate::sim::scenario::{Change, ScenarioFile};
use crate::ui::store::{AppAction, Dispatch};
use crate::ui::what::term;
use crate::view_model::runs::FencingMode;
use crate::view_model::runs::labels;

/// Properties of [`FencingChoice`].
#[derive(Properties, PartialEq)]
pub struct FencingProps {
    /// What is chosen.
    pub mode: FencingMode,
}

/// Fencing off, on, or both.
#[component]
pub fn FencingChoice(props: &FencingProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let options = FencingMode::ALL.map(|mode| labels::fencing(mode).into());
    let chosen = FencingMode::ALL.iter().position(|mode| *mode == props.mode);
    let on_choose = Callback::from(move |index: usize| {
        dispatch.dispatch(AppAction::SetFencing(FencingMode::ALL[index]));
    });
    html! {
        <div class="fencing">
            <span class="fencing-name">{ term("Fencing", None, "Fencing") }</span>
            <Radios label="Fencing" name="fencing" options={options.to_vec()}
                chosen={chosen.unwrap_or_default()} {on_choose} />
        </div>
    }
}

/// Properties of [`Compare`].
#[derive(Properties, PartialEq)]
pub struct CompareProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// Whether controls change Run 2 alone.
    pub run_2_only: bool,
}

/// Turns every control to Run 2 alone, and back; names the other lock system once there is one.
#[component]
pub fn Compare(props: &CompareProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let run_2_only = props.run_2_only;
    let other = props.file.compare.iter().find_map(|change| {
        if let Change::Lock(system) = change { Some(info(*system).name) } else { None }
    });
    let name = other.map_or("Compare …".to_owned(), |name| format!("Compare: {name}"));
    let onclick = Callback::from(move |_: MouseEvent| {
        dispatch.dispatch(AppAction::SetRun2Only(!run_2_only));
    });
    html! {
        <button type="button" class="button is-quiet is-toggle compare" {onclick}
            title="Every control changes Run 2 alone" aria-pressed={run_2_only.to_string()}>
            { name }
        </button>
    }
}
