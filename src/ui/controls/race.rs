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
use crate::view_model::sentences::range_words;
use crate::view_model::sentences::range_words::RunRanges;
use crate::view_model::words::names::Words;

/// Properties of [`Race`].
#[derive(Properties, PartialEq)]
pub struct RaceProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// Fencing off, on, or both.
    pub fencing: FencingMode,
    /// The runs, for the words of their ranges.
    pub runs: Rc<Runs>,
    /// The ranges of the main quantity.
    pub ranges: Rc<Vec<RunRanges>>,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// The race card.
#[component]
pub fn Race(props: &RaceProps) -> Html {
    html! {
        <section class="card race" aria-label="The race">
            <div>
                <MainQuantity file={props.file.clone()} ranges={props.ranges.clone()}
                    hide_future={props.hide_future} />
                <RangeSentence file={props.file.clone()} runs={props.runs.clone()}
                    ranges={props.ranges.clone()} hide_future={props.hide_future} />
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
    /// The ranges of the main quantity.
    pub ranges: Rc<Vec<RunRanges>>,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// The scenario's main quantity on the large slider, with the ends of its ranges as ticks.
#[component]
pub fn MainQuantity(props: &MainProps) -> Html {
    let quantity = props.file.main_quantity();
    let ranges: &[RunRanges] = if props.hide_future { &[] } else { &props.ranges };
    let marks = range_words::marks(ranges).into_iter();
    let words = Words::of(&props.file.incident);
    let marks = marks.map(|(value, tone)| (value, tone_class(tone).unwrap_or_default()));
    html! {
        <QuantityControl file={props.file.clone()} {quantity} is_main={true}
            name={amount::name(&words, quantity, &props.file.scenario)}
            marks={marks.collect::<Vec<_>>()} />
    }
}

/// Properties of [`RangeSentence`].
#[derive(Properties, PartialEq)]
pub struct RangeProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
    /// The runs.
    pub runs: Rc<Runs>,
    /// The ranges of the main quantity.
    pub ranges: Rc<Vec<RunRanges>>,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// Where it breaks, in words.
#[component]
pub fn RangeSentence(props: &RangeProps) -> Html {
    if props.hide_future {
        return nothing();
    }
    let about = range_words::about(&props.file);
    let clauses = range_words::sentences(&props.runs, &props.ranges, about);
    html! {
        <p class="hint edges">
            { for clauses.iter().map(|clause| html! {
                <span class={classes!(tone_class(clause.tone))}>{ &clause.text }{ " " }</span>
            }) }
        </p>
    }
}
