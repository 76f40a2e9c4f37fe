//! What each run came to: verdict, properties and costs, side by side.

use std::rc::Rc;

use yew::prelude::*;

use crate::explore::BadEvent;
use crate::sim::SimTime;
use crate::ui::causes::FoundCauses;
use crate::ui::hooks::{use_in_sight, use_waiting};
use crate::ui::icon::{Icon, IconView};
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::cause_words::CauseText;
use crate::view_model::sentences::range_words::{self, About, RunRanges};
use crate::view_model::sentences::verdict::{
    self, Pattern, PropertyCell, PropertyRow, Tone, VerdictText,
};

/// Properties of [`Properties`].
#[derive(Properties, PartialEq)]
pub struct PropertiesProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// The ranges of the main quantity: what would break a safe run.
    pub ranges: Rc<Vec<RunRanges>>,
    /// What a bad event does not happen without.
    pub causes: Rc<FoundCauses>,
    /// What the ranges are about.
    pub about: About<'static>,
    /// Whether something is being dragged: out of sight it is made again at the end of that.
    pub dragging: bool,
    /// Sends the user to an instant.
    pub on_seek: Callback<SimTime>,
}

/// The class of a tone.
pub fn tone_class(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Warning => Some("is-warning"),
        Tone::Damage => Some("is-damage"),
    }
}

/// The region “Properties”.
#[component]
pub fn Properties(props: &PropertiesProps) -> Html {
    let region = use_node_ref();
    let in_sight = use_in_sight(&region);
    let table = use_waiting(props.dragging && !in_sight, || table(props));
    html! {
        <section class="card properties" aria-label="Properties" ref={region}>
            <h2>{ "Properties" }</h2>
            { table }
        </section>
    }
}

fn table(props: &PropertiesProps) -> Html {
    let runs = &props.runs;
    let heads: Vec<String> =
        runs.shown().map(|(run, _)| labels::run_label_capital(runs, run)).collect();
    let near = |run: RunNo| {
        let ranges = props.ranges.iter().find(|ranges| ranges.run == run)?;
        range_words::nearest_harm(ranges, props.about)
    };
    let verdicts = runs.shown().filter_map(|(run, recording)| {
        let causes = BadEvent::of(recording).map(|_| props.causes.of(runs, run));
        let text = verdict::of_run(runs, run)?;
        let not_judged = verdict::beside_safe(recording);
        Some(VerdictCell { text, near: near(run), causes, not_judged })
    });
    let verdicts: Vec<_> = verdicts.collect();
    html! {
        <div class="table-scroll">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{ "Property" }</th>
                        { for heads.iter().map(|head| html! { <th scope="col">{ head }</th> }) }
                    </tr>
                </thead>
                <tbody>
                    <tr class="verdict-row">
                        <th scope="row">{ "Verdict" }</th>
                        { for verdicts.iter().map(|cell| verdict_cell(cell, &props.on_seek)) }
                    </tr>
                    { for verdict::properties(runs).into_iter().map(|row| html! {
                        <PropertyLine {row} on_seek={props.on_seek.clone()} />
                    }) }
                </tbody>
                <tbody>
                    { for verdict::costs(runs).iter().map(|row| html! {
                        <tr class="cost-row">
                            <th scope="row">{ row.name }</th>
                            { for row.values.iter().map(|value| html! { <td>{ value }</td> }) }
                        </tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct LineProps {
    row: PropertyRow,
    on_seek: Callback<SimTime>,
}

/// One property.
#[component]
fn PropertyLine(props: &LineProps) -> Html {
    let row = &props.row;
    html! {
        <tr>
            <th scope="row">
                { row.id.name() }
                <span class="hint">{ row.meaning }</span>
            </th>
            { for row.cells.iter().map(|cell| property_cell(cell, &props.on_seek)) }
        </tr>
    }
}

/// A swatch with a verdict's pattern; its words stand beside it.
pub fn swatch(pattern: Pattern) -> Html {
    html! { <i class={classes!("swatch", "zone", pattern.class())} aria-hidden="true"></i> }
}

/// A run's verdict and what stands beside it.
struct VerdictCell<'a> {
    text: VerdictText,
    /// Of a safe run, what would break it.
    near: Option<String>,
    /// Of a bad verdict what it does not happen without, once that is found. Its place is kept
    /// meanwhile.
    causes: Option<Option<&'a CauseText>>,
    /// What a safe verdict does not speak of.
    not_judged: Vec<&'static str>,
}

fn verdict_cell(cell: &VerdictCell<'_>, on_seek: &Callback<SimTime>) -> Html {
    let VerdictCell { text, near, causes, not_judged } = cell;
    let lines = |text: &CauseText| -> Html {
        text.lines().map(|line| html! { <span class="hint">{ line.to_owned() }</span> }).collect()
    };
    html! {
        <td>
            { swatch(text.pattern) }
            <span class={classes!("verdict-word", tone_class(text.tone))}>
                { going_to(&text.text, text.at, on_seek) }
            </span>
            if let Some(causes) = causes {
                <div class="causes">{ causes.map(lines) }</div>
            }
            if !text.costs.is_empty() {
                <span class="hint">{ &text.costs }</span>
            }
            if let Some(near) = near {
                <span class="hint">{ near }</span>
            }
            if !not_judged.is_empty() {
                <details class="not-judged">
                    <summary>{ verdict::NOT_JUDGED }</summary>
                    <ul>{ for not_judged.iter().map(|item| html! { <li>{ *item }</li> }) }</ul>
                </details>
            }
        </td>
    }
}

fn property_cell(cell: &PropertyCell, on_seek: &Callback<SimTime>) -> Html {
    let icon = match (cell.text.as_str(), cell.tone) {
        (_, Tone::Damage) => Icon::Damage,
        (_, Tone::Warning) => Icon::Warning,
        ("holds", Tone::Plain) => Icon::Tick,
        (_, Tone::Plain) => Icon::Dash,
    };
    html! {
        <td class={classes!("property-cell", tone_class(cell.tone))}>
            <IconView {icon} />
            { going_to(&cell.text, cell.at, on_seek) }
        </td>
    }
}

/// A text; a button to the instant that it speaks of, if there is one.
fn going_to(text: &str, at: Option<SimTime>, on_seek: &Callback<SimTime>) -> Html {
    let Some(at) = at else {
        return html! { <span>{ text }</span> };
    };
    let onclick = on_seek.reform(move |_: MouseEvent| at);
    html! { <button type="button" class="link" {onclick}>{ text }</button> }
}
