//! What each run's units of work read, wrote and were told, and the order that explains them or the
//! circle that forbids one, drawn and in sentences. Each unit leads to its moment. It writes down
//! what the view model says.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::{Recording, SimTime};
use crate::ui::hooks::{use_in_sight, use_waiting};
use crate::ui::icon::{Icon, IconView};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::panels::graph::{self, Arrow, Aside, Graph, Node};
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::sentences::history::{self, Part, Sentence, UnitKind, UnitWords};
use crate::view_model::words::names::Words;

/// Units that are shown of one run; a long run has thousands, and `fenceline run --history` has
/// them all.
const MOST_UNITS: usize = 50;
/// Units that are named in one sentence.
const MOST_NAMED: usize = 12;

/// Properties of [`HistoryPanel`].
#[derive(Properties, PartialEq)]
pub struct HistoryProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// Whether something is being dragged: out of sight it is made again at the end of that.
    pub dragging: bool,
    /// Sends the user to an instant.
    pub on_seek: Callback<SimTime>,
}

/// The region “History”.
#[component]
pub fn HistoryPanel(props: &HistoryProps) -> Html {
    let region = use_node_ref();
    let in_sight = use_in_sight(&region);
    let runs = use_waiting(props.dragging && !in_sight, || shown(&props.runs, &props.on_seek));
    html! {
        <section class="card history" aria-label="History" ref={region}>
            <h2>{ "History" }</h2>
            <p class="hint">
                { "Could these have run one after the other and left these values?" }
            </p>
            { runs }
            <p class="hint">
                { "ww: one replaced what the other wrote. wr: one read what the other wrote. \
                   rw: one read a version that the other then replaced." }
            </p>
        </section>
    }
}

fn shown(runs: &Runs, on_seek: &Callback<SimTime>) -> Html {
    let words = &runs.words;
    let labelled: Vec<_> =
        runs.shown().map(|(no, run)| (labels::run_label_capital(runs, no), run)).collect();
    html! {
        <>
            <div class="table-scroll">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ "Unit of work" }</th>
                            <th scope="col">{ "Read" }</th>
                            <th scope="col">{ "Wrote" }</th>
                            <th scope="col">{ "Was told" }</th>
                        </tr>
                    </thead>
                    { for labelled.iter().map(|(label, run)| rows(words, label, run, on_seek)) }
                </table>
            </div>
            <div class="history-runs">
                { for labelled.iter().map(|(label, run)| came_to(words, label, run, on_seek)) }
            </div>
        </>
    }
}

/// The units of a run.
fn rows(words: &Words, label: &str, run: &Recording, on_seek: &Callback<SimTime>) -> Html {
    let units = history::first_units(words, run, MOST_UNITS);
    let more = run.history().units().len() - units.len();
    let (_, is_harmed) = history::heading(run);
    let tone = if is_harmed { "is-harmed" } else { "is-explained" };
    html! {
        <tbody>
            <tr class={classes!("history-run-row", tone)}>
                <th scope="rowgroup" colspan="4">{ label }</th>
            </tr>
            { for units.iter().map(|unit| row(unit, on_seek)) }
            if units.is_empty() {
                <tr><td colspan="4">{ "No client has begun any work in this run." }</td></tr>
            }
            if more > 0 {
                <tr><td colspan="4" class="hint">
                    { format!("{more} more, which “fenceline run --history” lists") }
                </td></tr>
            }
        </tbody>
    }
}

fn row(unit: &UnitWords, on_seek: &Callback<SimTime>) -> Html {
    let (icon, tone) = match unit.kind {
        UnitKind::Damage => (Icon::Damage, Some("is-damage")),
        UnitKind::Refused => (Icon::Refused, None),
        UnitKind::Effect => (Icon::Square, None),
        UnitKind::Nothing => (Icon::Dot, None),
    };
    let color = color_class(unit.grant.map(TokenColor::of));
    let under = match unit.under.is_empty() {
        true => String::new(),
        false => format!("under {} · ", unit.under.join(", ")),
    };
    html! {
        <tr>
            <th scope="row">
                <span class={classes!("history-mark", color, tone)}>
                    <IconView {icon} />
                </span>
                { unit.no }{ " " }
                { link(&unit.name, unit.at, on_seek) }
                <span class="hint">{ under }{ &unit.end }</span>
            </th>
            { cell(&unit.read, None) }
            { cell(&unit.wrote, tone) }
            { cell(&unit.told, None) }
        </tr>
    }
}

fn cell(parts: &[String], tone: Option<&'static str>) -> Html {
    let text = if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") };
    html! { <td class={classes!(tone)}>{ text }</td> }
}

fn link(name: &str, at: SimTime, on_seek: &Callback<SimTime>) -> Html {
    let onclick = on_seek.reform(move |_: MouseEvent| at);
    html! { <button type="button" class="link" {onclick}>{ name }</button> }
}

/// What a run's history comes to: in a few words, drawn, and in sentences.
fn came_to(words: &Words, label: &str, run: &Recording, on_seek: &Callback<SimTime>) -> Html {
    let (heading, is_harmed) = history::heading(run);
    let drawing = graph::graph(words, run);
    let lines =
        history::order(words, run, MOST_NAMED).into_iter().chain(history::damages(words, run));
    html! {
        <div class="history-run">
            <p class="hint">{ label }</p>
            <p class={classes!("history-heading", is_harmed.then_some("is-damage"))}>{ heading }</p>
            { for drawing.iter().map(|drawing| graph_view(drawing, heading, on_seek)) }
            { for lines.map(|line| sentence(&line, on_seek)) }
        </div>
    }
}

fn sentence(parts: &Sentence, on_seek: &Callback<SimTime>) -> Html {
    let part = |part: &Part| match part {
        Part::Text(text) => html! { { text } },
        Part::Unit { name, at } => link(name, *at, on_seek),
    };
    html! { <p>{ for parts.iter().map(part) }</p> }
}

fn color_class(color: Option<TokenColor>) -> Option<String> {
    color.map(|color| format!("tok-{}", color.index()))
}

fn graph_view(drawing: &Graph, heading: &'static str, on_seek: &Callback<SimTime>) -> Html {
    let (width, height) = (drawing.width.to_string(), drawing.height.to_string());
    let view = format!("0 0 {width} {height}");
    let tone = drawing.is_circle.then_some("is-circle");
    html! {
        <div class="history-scroll">
            <svg class={classes!("history-graph", tone)} {width} {height} viewBox={view}
                role="group" aria-label={heading}>
                { for drawing.arrows.iter().map(arrow) }
                { for drawing.asides.iter().map(aside) }
                { for drawing.nodes.iter().map(|node| node_view(node, on_seek)) }
            </svg>
        </div>
    }
}

fn arrow(arrow: &Arrow) -> Html {
    html! {
        <g aria-hidden="true">
            <path d={arrow.path.clone()} />
            <text x={arrow.x.to_string()} y={arrow.y.to_string()}>{ &arrow.why }</text>
        </g>
    }
}

fn aside(aside: &Aside) -> Html {
    let x = aside.x.to_string();
    html! {
        <g aria-hidden="true">
            <text class="x-plain" x={x.clone()} y="42">{ &aside.above }</text>
            <text class="x-strong" {x} y="58">{ &aside.below }</text>
        </g>
    }
}

fn node_view(node: &Node, on_seek: &Callback<SimTime>) -> Html {
    let at = node.at;
    let onclick = on_seek.reform(move |_: MouseEvent| at);
    let on_seek = on_seek.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if matches!(&*event.key(), "Enter" | " ") {
            event.prevent_default();
            on_seek.emit(at);
        }
    });
    let (x, y) = (node.x.to_string(), node.y.to_string());
    let (upper, lower) = ((node.y - 1).to_string(), (node.y + 14).to_string());
    html! {
        <g class={classes!("history-unit", color_class(node.color))} role="button" tabindex="0"
            aria-label={format!("{} {}: its moment", node.number, node.name)} {onclick} {onkeydown}>
            <title>{ &node.name }</title>
            <circle cx={x.clone()} cy={y} r="22" />
            <text class="x-strong" x={x.clone()} y={upper}>{ &node.letter }</text>
            <text class="x-plain" {x} y={lower}>{ node.number }</text>
        </g>
    }
}
