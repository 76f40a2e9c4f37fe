//! The race, above the timeline: the scenario's main quantity on the large slider, what each run
//! comes to at which of its values, fencing, what Run 2 has besides, and what the scenario is.

use std::rc::Rc;

use yew::prelude::*;

use super::fencing::{Compare, FencingChoice};
use super::quantity::QuantityControl;
use super::strips::{RANGES_ID, RaceView};
use crate::sim::plain_text::one_line;
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
    /// Whether controls change Run 2 alone.
    pub run_2_only: bool,
    /// The race in words and zones.
    pub text: Rc<RaceText>,
    /// The ranges of the main quantity.
    pub known: KnownRanges,
    /// Nothing is told of how runs end.
    pub hide_future: bool,
}

/// So many characters of the sentence fit into its line; more stand in two small ones.
const ONE_LINE: usize = 104;

/// The race card.
#[component]
pub fn Race(props: &RaceProps) -> Html {
    let hidden = props.hide_future;
    let is_long = props.text.sentence.chars().count() > ONE_LINE;
    let beside = html! {
        <>
            { all_ranges(&props.text, hidden) }
            if props.run_2_only {
                <span class="of-run-2">{ "of Run 2 alone" }</span>
            }
            <FencingChoice mode={props.fencing} />
            <Compare file={props.file.clone()} run_2_only={props.run_2_only} />
        </>
    };
    html! {
        <section class="card race" aria-label="The race" id="race" tabindex="-1">
            <MainQuantity file={props.file.clone()} text={props.text.clone()}
                known={props.known.clone()} hide_future={hidden} {beside} />
            <div class="race-foot">
                <p class={classes!("race-sentence", is_long.then_some("is-long"))}
                    title={(!hidden).then(|| props.text.sentence.clone())}>
                    { if hidden { "" } else { &*props.text.sentence } }
                </p>
                // The notes tell how it ends.
                if !hidden {
                    { about_scenario(&props.file.notes) }
                }
            </div>
        </section>
    }
}

/// A button that opens what a scenario is about. Its source is a link.
pub fn about_scenario(notes: &str) -> Html {
    if notes.is_empty() {
        return Html::default();
    }
    let (text, source) = match notes.split_once("Source: ") {
        Some((text, source)) if source.starts_with("https://") => (text, source.trim()),
        Some(_) | None => (notes, ""),
    };
    let (url, rest) = source.split_once(char::is_whitespace).unwrap_or((source, ""));
    html! {
        <>
            <button type="button" class="link" popovertarget="about-scenario">
                { "About" }<span class="link-more">{ " this scenario" }</span>
            </button>
            <div id="about-scenario" class="what-text is-long" popover="auto">
                <p>
                    { one_line(text) }
                    if !url.is_empty() {
                        { "Source: " }
                        <a href={url.to_owned()} target="_blank" rel="noopener noreferrer">
                            { one_line(url) }
                        </a>
                        { " " }{ one_line(rest) }
                    }
                </p>
            </div>
        </>
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
    let words = Words::of(&props.file.incident, &props.file.scenario);
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
