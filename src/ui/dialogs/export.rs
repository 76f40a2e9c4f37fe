//! The dialog “Export”: what can be taken along, as a file or through the clipboard.

use std::rc::Rc;

use yew::prelude::*;

use super::DialogFrame;
use crate::sim::scenario::ScenarioFile;
use crate::ui::controls::choice::Radios;
use crate::ui::{clipboard, download};
use crate::view_model::export::Export;
use crate::view_model::moment::RunNo;
use crate::view_model::runs::Runs;
use crate::view_model::wording;

/// Properties of [`ExportDialog`].
#[derive(Properties, PartialEq)]
pub struct ExportProps {
    /// The scenario with its comparison.
    pub file: Rc<ScenarioFile>,
    /// Its runs.
    pub runs: Rc<Runs>,
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Export”.
#[component]
pub fn ExportDialog(props: &ExportProps) -> Html {
    let run = use_state_eq(|| RunNo::One);
    let told = use_state_eq(AttrValue::default);
    let on_tell = {
        let told = told.setter();
        Callback::from(move |text: AttrValue| told.set(text))
    };
    let runs = &props.runs;
    let choose = {
        let run = run.setter();
        Callback::from(move |index: usize| run.set(RunNo::ALL[index]))
    };
    let label = |run: RunNo| format!("{}: {}", run.name(), wording::run_label(runs, run));
    html! {
        <DialogFrame title="Export" on_close={props.on_close.clone()}>
            <p>
                { "Files are made in this page: nothing leaves the browser. What they hold is a \
                   simulation." }
            </p>
            if runs.run_2.is_some() {
                <Radios label="Run to export" name="export-run"
                    options={RunNo::ALL.map(|run| AttrValue::from(label(run))).to_vec()}
                    chosen={usize::from(*run == RunNo::Two)} on_choose={choose} />
            }
            <ul class="rows" aria-label="What can be exported">
                { for Export::ALL.map(|export| row(export, props, *run, &on_tell)) }
            </ul>
            <p class="hint" role="status">{ &*told }</p>
        </DialogFrame>
    }
}

fn row(export: Export, props: &ExportProps, run: RunNo, on_tell: &Callback<AttrValue>) -> Html {
    let info = export.info();
    // Made when asked for: a long log is a large text.
    let make = {
        let (file, runs) = (props.file.clone(), props.runs.clone());
        move || (export.file_name(&file.title, &runs, run), export.text(&file, &runs, run))
    };
    let save = {
        let (make, on_tell) = (make.clone(), on_tell.clone());
        Callback::from(move |_: MouseEvent| {
            let (name, text) = make();
            let done = download::save(&name, info.media, &text).is_some();
            on_tell.emit(match done {
                true => format!("Saved as {name}").into(),
                false => "The browser saves no files here: use Copy".into(),
            });
        })
    };
    let copy = {
        let on_tell = on_tell.clone();
        Callback::from(move |_: MouseEvent| {
            on_tell.emit(AttrValue::default());
            let told = |done: bool| match done {
                true => "Copied".into(),
                false => "The browser did not copy: use Save".into(),
            };
            clipboard::copy(&make().1, on_tell.reform(told));
        })
    };
    let button = |what: &str, onclick: Callback<MouseEvent>| {
        html! {
            <button type="button" class="button" {onclick}
                aria-label={format!("{what}: {}", info.name)}>{ what }</button>
        }
    };
    html! {
        <li key={info.name}>
            <span class="row-name">{ info.name }</span>
            <span class="hint">{ info.hint }</span>
            { button("Save", save) }
            { button("Copy", copy) }
        </li>
    }
}
