//! In your system: the real commands, with this run's numbers at the playhead. It draws what the
//! view model says, and copies.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::SimTime;
use crate::ui::clipboard;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::systems::{self, Command};
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
    let Command { what, text, answer } = command;
    let onclick = {
        let (text, on_tell) = (text.clone(), on_tell.clone());
        Callback::from(move |_: MouseEvent| {
            // Said again, even if it is the same.
            on_tell.emit(AttrValue::default());
            let told = on_tell.reform(|done: bool| clipboard::told(done).into());
            clipboard::copy(&text, told);
        })
    };
    html! {
        <div key={what} class="command">
            <dt>
                { what }
                <button type="button" class="button is-quiet" {onclick}
                    aria-label={format!("Copy: {}", what.to_ascii_lowercase())}>{ "Copy" }</button>
            </dt>
            <dd><pre>{ text }</pre><p>{ "→ " }{ answer }</p></dd>
        </div>
    }
}
