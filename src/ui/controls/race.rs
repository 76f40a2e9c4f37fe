//! The race, above the timeline: the scenario's main quantity on the large slider, and fencing.

use std::rc::Rc;

use yew::prelude::*;

use super::fencing::FencingChoice;
use super::quantity::QuantityControl;
use crate::sim::scenario::ScenarioFile;
use crate::ui::nothing::nothing;
use crate::ui::panels::tone_class;
use crate::view_model::controls::amount;
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::sentences::edge_words;
use crate::view_model::sentences::edge_words::RunEdges;
use crate::view_model::words::names::Words;

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
    html! {
        <section class="card race" aria-label="The race">
            <div>
                <MainQuantity file={props.file.clone()} edges={props.edges.clone()}
                    hide_future={props.hide_future} />
                <EdgeSentence file={props.file.clone()} runs={props.runs.clone()}
                    edges={props.edges.clone()} hide_future={props.hide_future} />
            </div>
            <FencingChoice mode={props.fencing} />
        </section>
    }
}

/// Properties of [`MainQuantity`].
#[derive(Properties, PartialEq)]
pub struct MainProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// The edges of the main quantity.
    pub edges: Rc<Vec<RunEdges>>,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// The scenario's main quantity on the large slider, with its edges as ticks.
#[component]
pub fn MainQuantity(props: &MainProps) -> Html {
    let quantity = props.file.main_quantity();
    let words = Words::of(&props.file.incident);
    let edges: &[RunEdges] = if props.hide_future { &[] } else { &props.edges };
    let marks = edge_words::marks(edges).into_iter();
    let marks = marks.map(|(value, tone)| (value, tone_class(tone).unwrap_or_default()));
    html! {
        <QuantityControl file={props.file.clone()} {quantity} is_main={true}
            name={amount::name(&words, quantity, &props.file.scenario)}
            marks={marks.collect::<Vec<_>>()} />
    }
}

/// Properties of [`EdgeSentence`].
#[derive(Properties, PartialEq)]
pub struct EdgeProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// The runs.
    pub runs: Rc<Runs>,
    /// The edges of the main quantity.
    pub edges: Rc<Vec<RunEdges>>,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// Where it breaks, in words.
#[component]
pub fn EdgeSentence(props: &EdgeProps) -> Html {
    if props.hide_future {
        return nothing();
    }
    let quantity = props.file.main_quantity();
    let what = amount::noun(quantity, &props.file.scenario);
    let clauses = edge_words::sentences(&props.runs, &props.edges, what);
    html! {
        <p class="hint edges">
            { for clauses.iter().map(|clause| html! {
                <span class={classes!(tone_class(clause.tone))}>{ &clause.text }{ " " }</span>
            }) }
        </p>
    }
}
