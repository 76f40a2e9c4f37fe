//! The race, above the timeline: the scenario's main quantity on the large slider, what each run
//! comes to at which of its values, and fencing.

use std::rc::Rc;

use yew::prelude::*;

use super::fencing::FencingChoice;
use super::quantity::QuantityControl;
use super::strips::{RANGES_ID, RaceView};
use crate::sim::scenario::ScenarioFile;
use crate::ui::ranges::KnownRanges;
use crate::view_model::controls::amount;
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::sentences::race_words::{self, RaceText};
use crate::view_model::words::names::Words;

/// Properties of [`Race`].
#[derive(Properties, PartialEq)]
pub struct RaceProps {
    /// What controls show and change.
    pub file: Rc<ScenarioFile>,
    /// Fencing off, on, or both.
    pub fencing: FencingMode,
    /// The race in words and zones.
    pub text: Rc<RaceText>,
    /// The ranges of the main quantity.
    pub known: KnownRanges,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// The race card.
#[component]
pub fn Race(props: &RaceProps) -> Html {
    let hidden = props.hide_future;
    html! {
        <section class="card race" aria-label="The race" id="race" tabindex="-1">
            <MainQuantity file={props.file.clone()} text={props.text.clone()}
                known={props.known.clone()} hide_future={hidden}
                beside={html! { <FencingChoice mode={props.fencing} /> }} />
            <div class="race-foot">
                <p class="race-sentence" title={(!hidden).then(|| props.text.sentence.clone())}>
                    { if hidden { "" } else { &*props.text.sentence } }
                </p>
                { all_ranges(&props.text, hidden) }
            </div>
        </section>
    }
}

/// A button that opens all ranges, which also describe the slider.
pub fn all_ranges(text: &RaceText, hidden: bool) -> Html {
    html! {
        <>
            <button type="button" class="link" popovertarget={RANGES_ID} disabled={hidden}>
                { "All ranges" }
            </button>
            <div id={RANGES_ID} class="what-text" popover="auto">
                <p class="edges">{ if hidden { "" } else { &*text.ranges } }</p>
            </div>
        </>
    }
}

/// The race in words, made anew when what it is of changes.
#[hook]
pub fn use_race(file: &Rc<ScenarioFile>, runs: &Rc<Runs>, known: &KnownRanges) -> Rc<RaceText> {
    let deps = (file.clone(), runs.clone(), known.clone());
    use_memo(deps, |(file, runs, known)| race_words::race(file, runs, &known.ranges, known.search))
}

/// Properties of [`MainQuantity`].
#[derive(Properties, PartialEq)]
pub struct MainProps {
    /// What controls show and change.
    pub file: Rc<ScenarioFile>,
    /// The race in words and zones.
    pub text: Rc<RaceText>,
    /// The ranges of the main quantity.
    pub known: KnownRanges,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
    /// What stands beside its value.
    pub beside: Html,
}

/// The scenario's main quantity on the large slider, between what its runs come to.
#[component]
pub fn MainQuantity(props: &MainProps) -> Html {
    let quantity = props.file.main_quantity();
    let words = Words::of(&props.file.incident);
    let race = RaceView {
        text: props.text.clone(),
        search: props.known.search,
        hidden: props.hide_future,
        beside: props.beside.clone(),
    };
    html! {
        <QuantityControl file={props.file.clone()} {quantity} {race}
            name={amount::name(&words, quantity, &props.file.scenario)} />
    }
}
