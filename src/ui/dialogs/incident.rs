//! The dialog “Incident”: what the scenario stands for in the real world. What is typed is taken as
//! a whole, as one step to undo, or refused with what is wrong; pasted lines are read at once.

use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::DialogFrame;
use crate::sim::limits;
use crate::sim::scenario::ScenarioFile;
use crate::ui::store::{AppAction, Dispatch};
use crate::ui::zone::offset_of;
use crate::view_model::incident::form::{Entry, Field, applied, entries};
use crate::view_model::incident::paste::{self, Bad};
use crate::view_model::words::wording::{plural, told};

/// Properties of [`IncidentDialog`].
#[derive(Properties, PartialEq)]
pub struct IncidentProps {
    /// The scenario with its incident.
    pub file: Rc<ScenarioFile>,
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Incident”.
#[component]
pub fn IncidentDialog(props: &IncidentProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let typed = use_state(Vec::<(Field, String)>::new);
    let problem = use_state_eq(AttrValue::default);
    let fields = entries(&props.file);
    let on_type = {
        let typed = typed.clone();
        Callback::from(move |(field, text): (Field, String)| {
            let mut now: Vec<_> = typed.iter().filter(|(of, _)| *of != field).cloned().collect();
            now.push((field, text));
            typed.set(now);
        })
    };
    let take = {
        let (file, typed, problem) = (props.file.clone(), typed.clone(), problem.setter());
        let fields = fields.clone();
        move || {
            let value = |entry: &Entry| (entry.field, value_of(entry, &typed));
            let values: Vec<_> = fields.iter().map(value).collect();
            let taken = applied(&file, &values, &offset_of);
            problem.set(taken.as_ref().err().cloned().unwrap_or_default().into());
            taken.ok()
        }
    };
    let apply = {
        let (take, dispatch, on_close) = (take.clone(), dispatch.clone(), props.on_close.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(file) = take() {
                dispatch.dispatch(AppAction::Put(Rc::new(file)));
                on_close.emit(());
            }
        })
    };
    html! {
        <DialogFrame title="Incident" on_close={props.on_close.clone()}>
            <p>
                { "Put your incident's own times and names on the simulation. Only the first token \
                   changes a run. Nothing leaves the browser." }
            </p>
            <form class="incident-form" onsubmit={apply}>
                { for fields.iter().map(|entry| {
                    field_view(entry, value_of(entry, &typed), &on_type)
                }) }
                if !problem.is_empty() {
                    <p class="problem" role="alert">{ told(&problem) }</p>
                }
                <div class="dialog-buttons">
                    <button type="submit" class="button is-main">{ "Apply" }</button>
                </div>
            </form>
            <ObservedLines take={Callback::from(move |()| take())} />
        </DialogFrame>
    }
}

/// What a field shows: what was typed, otherwise what the file says.
fn value_of(entry: &Entry, typed: &[(Field, String)]) -> String {
    let typed = typed.iter().find(|(field, _)| *field == entry.field);
    typed.map_or(&entry.value, |(_, text)| text).clone()
}

fn field_view(entry: &Entry, value: String, on_type: &Callback<(Field, String)>) -> Html {
    let field = entry.field;
    let control = match field {
        Field::Notes => {
            let oninput = on_type.reform(move |event: InputEvent| {
                (field, event.target_unchecked_into::<HtmlTextAreaElement>().value())
            });
            html! { <textarea rows="3" {value} {oninput} /> }
        }
        Field::Title
        | Field::Start
        | Field::Zone
        | Field::FirstToken
        | Field::Name(_)
        | Field::Cause(_) => {
            let oninput = on_type.reform(move |event: InputEvent| {
                (field, event.target_unchecked_into::<HtmlInputElement>().value())
            });
            let placeholder = entry.hint.clone();
            html! { <input type="text" {value} {placeholder} {oninput} autocomplete="off" /> }
        }
    };
    html! { <label key={entry.label.clone()}><span>{ &entry.label }</span>{ control }</label> }
}

#[derive(Properties, PartialEq)]
struct ObservedProps {
    /// The file with what was typed, if it can be taken.
    take: Callback<(), Option<ScenarioFile>>,
}

/// Where lines of real logs are pasted.
#[component]
fn ObservedLines(props: &ObservedProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let text = use_state(String::new);
    let told = use_state_eq(AttrValue::default);
    let bad = use_state(Vec::<Bad>::new);
    let oninput = {
        let text = text.setter();
        Callback::from(move |event: InputEvent| {
            text.set(event.target_unchecked_into::<HtmlTextAreaElement>().value());
        })
    };
    let read = {
        let (take, text, told, bad) =
            (props.take.clone(), text.clone(), told.setter(), bad.setter());
        Callback::from(move |_: MouseEvent| {
            let Some(mut file) = take.emit(()) else { return };
            let pasted = paste::read(&text, &file.incident);
            let room = limits::MAX_OBSERVED.saturating_sub(file.incident.observed.len());
            let n_taken = pasted.lines.len().min(room);
            let left_out = pasted.lines.len() - n_taken;
            if n_taken > 0 {
                file.incident.start = file.incident.start.or(pasted.start);
                file.incident.observed.extend(pasted.lines.into_iter().take(room));
                file.incident.observed.sort_by_key(|line| line.at);
                dispatch.dispatch(AppAction::Put(Rc::new(file)));
                text.set(String::new());
            }
            let mut words = plural(n_taken as u64, "line was taken", "lines were taken");
            if left_out > 0 {
                words += &format!("; {left_out} more: {} are the most", limits::MAX_OBSERVED);
            }
            told.set(words.into());
            bad.set(pasted.bad);
        })
    };
    html! {
        <div class="incident-form">
            <h3>{ "Observed lines" }</h3>
            <p class="hint">
                { "One event a line: a time, who, and what. Times may be ISO 8601, epoch, syslog, \
                   times of day, or seconds since the start. They lie above the lanes; drop one on \
                   a fault, or choose under Observed what it sets." }
            </p>
            <label>
                <span>{ "Lines" }</span>
                <textarea rows="5" value={(*text).clone()} {oninput}
                    placeholder="2024-05-01T10:00:12.5+02:00 billing-7 lease lost" />
            </label>
            <div class="dialog-buttons">
                <button type="button" class="button" onclick={read}
                    disabled={text.trim().is_empty()}>
                    { "Read the lines" }
                </button>
            </div>
            <p class="hint" role="status">{ &*told }</p>
            if !bad.is_empty() {
                <ul class="incident-bad" aria-label="Lines that were not taken">
                    { for bad.iter().map(|bad| html! {
                        <li key={bad.line}><bdi>{ bad.sentence() }</bdi></li>
                    }) }
                </ul>
            }
        </div>
    }
}
