//! What was observed beside what is simulated: every line with the kind of event that it is
//! compared with, how far that lies from it, and the end of a fault that it sets.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::scenario::{FaultEnd, Observed, ObservedKind, ScenarioFile};
use crate::sim::time::SimTime;
use crate::ui::controls::choice::Choice;
use crate::ui::icon::{Icon, IconView};
use crate::ui::store::AppAction;
use crate::view_model::incident::observed::{difference, ends, kind_name, line_words};
use crate::view_model::runs::Runs;
use crate::view_model::words::names::Words;

/// Properties of [`ObservedPanel`].
#[derive(Properties, PartialEq)]
pub struct ObservedProps {
    /// The file.
    pub file: Rc<ScenarioFile>,
    /// Its runs.
    pub runs: Rc<Runs>,
    /// What the user does.
    pub on_action: Callback<AppAction>,
    /// Sends the user to an instant.
    pub on_seek: Callback<SimTime>,
}

/// The region “Observed”.
#[component]
pub fn ObservedPanel(props: &ObservedProps) -> Html {
    let lines = &props.file.incident.observed;
    if lines.is_empty() {
        return Html::default();
    }
    let words = Words::of(&props.file.incident, &props.file.scenario);
    let ends = ends(&words, &props.file.scenario);
    let rows = lines.iter().enumerate();
    let rows = rows.map(|(index, line)| row(props, &words, index, line, &ends));
    let remove_all = props.put(Vec::clear);
    html! {
        <section class="card observed" aria-label="Observed">
            <h2>{ "Observed" }</h2>
            <p class="hint">
                { "What a real log says, and how far the simulation is from it" }
            </p>
            <ul class="rows">
                { for rows }
            </ul>
            <button type="button" class="button" onclick={remove_all}>
                { "Remove all lines" }
            </button>
        </section>
    }
}

impl ObservedProps {
    /// An edit of the lines.
    fn put(&self, edit: impl Fn(&mut Vec<Observed>) + 'static) -> Callback<MouseEvent> {
        let (file, on_action) = (self.file.clone(), self.on_action.clone());
        Callback::from(move |_| {
            let mut file = ScenarioFile::clone(&file);
            edit(&mut file.incident.observed);
            on_action.emit(AppAction::Put(Rc::new(file)));
        })
    }
}

fn row(
    props: &ObservedProps,
    words: &Words,
    index: usize,
    line: &Observed,
    ends: &[(FaultEnd, String)],
) -> Html {
    let words = line_words(words, line);
    let at = line.at;
    let seek = props.on_seek.reform(move |_: MouseEvent| at);
    let none = std::iter::once(AttrValue::from("compared with nothing"));
    let kinds: Vec<_> = none.chain(ObservedKind::ALL.map(|kind| kind_name(kind).into())).collect();
    let chosen = line.is.and_then(|is| ObservedKind::ALL.iter().position(|kind| *kind == is));
    let on_kind = {
        let (file, on_action) = (props.file.clone(), props.on_action.clone());
        Callback::from(move |chosen: usize| {
            let mut file = ScenarioFile::clone(&file);
            if let Some(line) = file.incident.observed.get_mut(index) {
                line.is = chosen.checked_sub(1).and_then(|n| ObservedKind::ALL.get(n)).copied();
            }
            on_action.emit(AppAction::Put(Rc::new(file)));
        })
    };
    let none = std::iter::once(AttrValue::from("sets nothing"));
    let names: Vec<_> =
        none.chain(ends.iter().map(|(_, name)| format!("sets: {name}").into())).collect();
    let set = line.sets.and_then(|sets| ends.iter().position(|(end, _)| *end == sets));
    let on_end = {
        let all: Vec<FaultEnd> = ends.iter().map(|(end, _)| *end).collect();
        props.on_action.reform(move |chosen: usize| {
            AppAction::SetEnd(index, chosen.checked_sub(1).and_then(|n| all.get(n)).copied())
        })
    };
    let remove = props.put(move |lines| {
        if index < lines.len() {
            lines.remove(index);
        }
    });
    let place = |found: Option<usize>| found.map_or(0, |n| n + 1);
    html! {
        <li key={index} id={format!("observed-{index}")}>
            <button type="button" class="link row-name" onclick={seek}>
                <bdi>{ words.clone() }</bdi>
            </button>
            <Choice label={format!("Compared with, line {}", index + 1)} named={false}
                options={kinds} chosen={place(chosen)} on_choose={on_kind} />
            <Choice label={format!("Sets, line {}", index + 1)} named={false} options={names}
                chosen={place(set)} on_choose={on_end} />
            <span class="hint">{ difference(&props.runs, line) }</span>
            <button type="button" class="button is-quiet is-icon" onclick={remove}
                aria-label={format!("Remove line {}", index + 1)} title="Remove">
                <IconView icon={Icon::Cross} />
            </button>
        </li>
    }
}
