//! The race, above the timeline: the scenario's main quantity on the large slider, and fencing.

use std::rc::Rc;

use yew::prelude::*;

use super::fencing::FencingChoice;
use super::quantity::QuantityControl;
use crate::sim::scenario::ScenarioFile;
use crate::ui::panels::tone_class;
use crate::view_model::edge_words::RunEdges;
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::{amount, edge_words};

/// Properties of [`Race`].
#[derive(Properties, PartialEq)]
pub struct RaceProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// Fencing off, on, or both.
    pub fencing: FencingMode,
    /// The runs, for the words of their edges.
    pub runs: Rc<Runs>,
    /// The edges of the main quantity.
    pub edges: Rc<Vec<RunEdges>>,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// The race card.
#[component]
pub fn Race(props: &RaceProps) -> Html {
    let spec = &props.file.scenario;
    let quantity = amount::main_quantity(&props.file);
    let edges: &[RunEdges] = match props.hide_future {
        true => &[],
        false => &props.edges,
    };
    let marks = edge_words::marks(edges).into_iter();
    let marks = marks.map(|(value, tone)| (value, tone_class(tone).unwrap_or_default()));
    let clauses = edge_words::sentences(&props.runs, edges, amount::is_pause(quantity, spec));
    html! {
        <section class="card race" aria-label="The race">
            <div>
                <QuantityControl file={props.file.clone()} {quantity} is_main={true}
                    name={amount::name(quantity, spec)} marks={marks.collect::<Vec<_>>()} />
                <p class="hint edges">
                    { for clauses.iter().map(|clause| html! {
                        <span class={classes!(tone_class(clause.tone))}>
                            { &clause.text }{ " " }
                        </span>
                    }) }
                </p>
            </div>
            <FencingChoice mode={props.fencing} />
        </section>
    }
}
