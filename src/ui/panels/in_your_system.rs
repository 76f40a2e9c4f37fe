//! In your system: the real commands, with this run's numbers at the playhead, and what ran them.
//! It draws what the view model says, and copies.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::SimTime;
use crate::ui::copy::CopyButton;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::systems::{self, Command, Origin};
use crate::view_model::words::wording;

/// Properties of [`InYourSystem`].
#[derive(Properties, PartialEq)]
pub struct InYourSystemProps {
    /// The runs; the commands are those of the last one shown.
    pub runs: Rc<Runs>,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// Tells what came of copying.
    pub on_tell: Callback<AttrValue>,
}

/// The region “In your system”.
#[component]
pub fn InYourSystem(props: &InYourSystemProps) -> Html {
    let runs = &props.runs;
    let last = props.moment.checked_sub(1).and_then(|index| runs.moments.get(index));
    let at = last.map_or(SimTime::ZERO, |moment| moment.at);
    let (run, label) = match &runs.run_2 {
        Some(run_2) => (run_2, labels::run_label(runs, RunNo::Two)),
        None => (&runs.run_1, labels::run_label(runs, RunNo::One)),
    };
    html! {
        <section class="card in-your-system" aria-label="In your system">
            <h2>{ "In your system" }</h2>
            <p class="hint">{ format!("The last of each at {}, {label}", wording::time(at)) }</p>
            <dl>
                { for systems::commands(run, at).into_iter().map(|command| {
                    row(command, &props.on_tell)
                }) }
            </dl>
        </section>
    }
}

fn row(command: Command, on_tell: &Callback<AttrValue>) -> Html {
    let Command { what, text, answer, origin, .. } = command;
    let copied = {
        let text = text.clone();
        Callback::from(move |()| text.to_string())
    };
    html! {
        <div key={what} class="command">
            <dt>
                { what }
                <CopyButton name="Copy" class="is-quiet" text={copied} on_tell={on_tell.clone()}
                    label={format!("Copy: {}", what.to_ascii_lowercase())} />
            </dt>
            <dd>
                <pre>{ text }</pre>
                <p>{ "→ " }{ answer.to_string() }</p>
                <p class="hint">{ from(origin) }</p>
            </dd>
        </div>
    }
}

/// What ran the line, or the document that it is from.
fn from(origin: Origin) -> Html {
    let (before, after) = origin.words();
    let document = origin.document().map(|document| {
        html! {
            <a href={document.url} target="_blank" rel="noopener noreferrer"
                aria-label={format!("{}, on another site", document.name)}>
                { document.name }
            </a>
        }
    });
    html! { <>{ before }{ for document }{ after }</> }
}
