//! The switch that the page is about: fencing off, on, or both side by side.

use yew::prelude::*;

use super::choice::Radios;
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
