//! What each run came to: verdict, properties and costs, side by side.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::{SimDuration, SimTime};
use crate::ui::hooks::{use_in_sight, use_waiting};
use crate::ui::icon::{Icon, IconView};
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::edge_words;
use crate::view_model::sentences::edge_words::RunEdges;
use crate::view_model::sentences::verdict::{self, PropertyCell, PropertyRow, Tone, VerdictText};

/// Properties of [`Properties`].
#[derive(Properties, PartialEq)]
pub struct PropertiesProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// The edges of the main quantity: what would break a safe run.
    pub edges: Rc<Vec<RunEdges>>,
    /// The main quantity's value.
    pub main: Option<SimDuration>,
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
        let edges = props.edges.iter().find(|edges| edges.run == run)?;
        edge_words::nearest_harm(edges, props.main?)
    };
    let verdicts =
        runs.shown().filter_map(|(run, _)| Some((verdict::of_run(runs, run)?, near(run))));
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
                        { for verdicts.iter().map(|(text, near)| {
                            verdict_cell(text, near.as_deref(), &props.on_seek)
                        }) }
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

fn verdict_cell(text: &VerdictText, near: Option<&str>, on_seek: &Callback<SimTime>) -> Html {
    html! {
        <td>
            <span class={classes!("verdict-word", tone_class(text.tone))}>
                { going_to(&text.text, text.at, on_seek) }
            </span>
            if !text.costs.is_empty() {
                <span class="hint">{ &text.costs }</span>
            }
            if let Some(near) = near {
                <span class="hint">{ near }</span>
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
