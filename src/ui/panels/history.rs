//! What each run's units of work read, wrote and were told, and the order that explains them or the
//! circle that forbids one. It writes down what the view model says.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::{Recording, SimTime};
use crate::ui::hooks::{use_in_sight, use_waiting};
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::sentences::history::{self, UnitWords};
use crate::view_model::words::names::Words;

/// Units that are shown of one run; a long run has thousands, and `fenceline run --history` has
/// them all.
const MOST_UNITS: usize = 50;

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
    let runs = use_waiting(props.dragging && !in_sight, || {
        let shown = props.runs.shown().map(|(no, run)| {
            let label = labels::run_label_capital(&props.runs, no);
            of_run(&props.runs.words, &label, run, &props.on_seek)
        });
        html! { { for shown } }
    });
    html! {
        <section class="card properties" aria-label="History" ref={region}>
            <h2>{ "History" }</h2>
            <p class="hint">
                { "Could these have run one after the other and left these values?" }
            </p>
            { runs }
        </section>
    }
}

fn of_run(words: &Words, label: &str, run: &Recording, on_seek: &Callback<SimTime>) -> Html {
    let units = history::units(words, run);
    let more = units.len().saturating_sub(MOST_UNITS);
    let lines = history::order(words, run).into_iter().chain(history::damages(words, run));
    html! {
        <>
            <div class="table-scroll">
                <table>
                    <caption>{ label }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ "Unit of work" }</th>
                            <th scope="col">{ "Read" }</th>
                            <th scope="col">{ "Wrote" }</th>
                            <th scope="col">{ "Was told" }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for units.iter().take(MOST_UNITS).map(|unit| row(unit, on_seek)) }
                    </tbody>
                </table>
            </div>
            if more > 0 {
                <p class="hint">{ format!("{more} more") }</p>
            }
            { for lines.map(|line| html! { <p>{ line }</p> }) }
        </>
    }
}

fn row(unit: &UnitWords, on_seek: &Callback<SimTime>) -> Html {
    let at = unit.at;
    let onclick = on_seek.reform(move |_: MouseEvent| at);
    html! {
        <tr>
            <th scope="row">
                <button type="button" class="link" {onclick}>{ &unit.name }</button>
                <span class="hint">{ &unit.end }</span>
            </th>
            { cell(&unit.read) }
            { cell(&unit.wrote) }
            { cell(&unit.told) }
        </tr>
    }
}

fn cell(parts: &[String]) -> Html {
    let text = if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") };
    html! { <td>{ text }</td> }
}
