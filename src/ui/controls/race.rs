//! The race, above the timeline: the scenario's main quantity on the large slider, and fencing.

use std::rc::Rc;

use yew::prelude::*;

use super::fencing::FencingChoice;
use super::quantity::QuantityControl;
use crate::sim::scenario::ScenarioFile;
use crate::view_model::amount;
use crate::view_model::runs::FencingMode;

/// Properties of [`Race`].
#[derive(Properties, PartialEq)]
pub struct RaceProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// Fencing off, on, or both.
    pub fencing: FencingMode,
}

/// The race card.
#[component]
pub fn Race(props: &RaceProps) -> Html {
    let spec = &props.file.scenario;
    let quantity = amount::main_quantity(&props.file);
    html! {
        <section class="card race" aria-label="The race">
            <QuantityControl file={props.file.clone()} {quantity} is_main={true}
                name={amount::name(quantity, spec)} />
            <FencingChoice mode={props.fencing} />
        </section>
    }
}
