//! The dialog “Export”: what can be taken along, as a file or through the clipboard.

use js_sys::futures::spawn_local;
use yew::prelude::*;

use super::DialogFrame;
use crate::ui::controls::choice::Radios;
use crate::ui::{clipboard, download, picture};
use crate::view_model::drawing::colors::Theme;
use crate::view_model::drawing::scale::{TimeAxis, TimeView};
use crate::view_model::outside::export::{Export, Subject};
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;

/// Properties of [`ExportDialog`].
#[derive(Properties, PartialEq)]
pub struct ExportProps {
    /// What the page shows, with the stretch that is in view.
    pub subject: Subject,
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Export”.
#[component]
pub fn ExportDialog(props: &ExportProps) -> Html {
    let run = use_state_eq(|| RunNo::One);
    let whole = use_state_eq(|| false);
    let dark = use_state_eq(|| false);
    let to_scale = use_state_eq(|| props.subject.axis == TimeAxis::ToScale);
    let told = use_state_eq(AttrValue::default);
    let on_tell = {
        let told = told.setter();
        Callback::from(move |text: AttrValue| told.set(text))
    };
    let runs = &props.subject.runs;
    let all = TimeView::whole(runs.ends_at());
    let chosen = Subject {
        run: *run,
        view: if *whole { all } else { props.subject.view },
        axis: if *to_scale { TimeAxis::ToScale } else { TimeAxis::Slow },
        theme: if *dark { Theme::Dark } else { Theme::Light },
        ..props.subject.clone()
    };
    let label = |run: RunNo| format!("{}: {}", run.name(), labels::run_label(runs, run));
    html! {
        <DialogFrame title="Export" on_close={props.on_close.clone()}>
            <p>
                { "Files are made in this page: nothing leaves the browser. What they hold is a \
                   simulation." }
            </p>
            <div class="export-choices">
                if props.subject.view != all {
                    { either("Pictures show", "export-stretch", ["The stretch in view",
                        "The whole run"], &whole) }
                }
                { either("Time in pictures", "export-axis", ["Slow motion", "To scale"],
                    &to_scale) }
                { either("Pictures are", "export-theme", ["Light", "Dark"], &dark) }
                if runs.run_2.is_some() {
                    <span aria-hidden="true">{ "Logs and diagrams of" }</span>
                    <Radios label="Logs and diagrams of" name="export-run"
                        options={RunNo::ALL.map(|run| AttrValue::from(label(run))).to_vec()}
                        chosen={usize::from(*run == RunNo::Two)} on_choose={
                            let run = run.setter();
                            Callback::from(move |index: usize| run.set(RunNo::ALL[index]))
                        } />
                }
            </div>
            <ul class="rows" aria-label="What can be exported">
                { for Export::ALL.map(|export| row(export, &chosen, &on_tell)) }
            </ul>
            <p class="hint" role="status">{ &*told }</p>
        </DialogFrame>
    }
}

/// Two radio buttons; whether the second is chosen.
fn either(
    label: &'static str,
    name: &'static str,
    options: [&'static str; 2],
    second: &UseStateHandle<bool>,
) -> Html {
    let set = second.setter();
    html! {
        <>
            <span aria-hidden="true">{ label }</span>
            <Radios {label} {name} options={options.map(AttrValue::from).to_vec()}
                chosen={usize::from(**second)}
                on_choose={Callback::from(move |index: usize| set.set(index == 1))} />
        </>
    }
}

const NOT_SAVED: &str = "The browser saves no files here: use Copy";
const NOT_COPIED: &str = "The browser did not copy: use Save";

fn row(export: Export, subject: &Subject, on_tell: &Callback<AttrValue>) -> Html {
    let info = export.info();
    // Made when asked for: a long log is a large text.
    let save = {
        let (subject, on_tell) = (subject.clone(), on_tell.clone());
        Callback::from(move |_: MouseEvent| {
            let (name, text) = (export.file_name(&subject), export.text(&subject));
            let on_tell = on_tell.clone();
            let tell = move |name: String, done: bool| match done {
                true => on_tell.emit(format!("Saved as {name}").into()),
                false => on_tell.emit(NOT_SAVED.into()),
            };
            if export != Export::Png {
                let done = download::save(&name, info.media, &text).is_some();
                return tell(name, done);
            }
            spawn_local(async move {
                let blob = picture::png(&text).await;
                let done = blob.and_then(|blob| download::save_blob(&name, &blob)).is_some();
                tell(name, done);
            });
        })
    };
    let copy = {
        let (subject, on_tell) = (subject.clone(), on_tell.clone());
        Callback::from(move |_: MouseEvent| {
            on_tell.emit(AttrValue::default());
            let told = |done: bool| AttrValue::from(if done { "Copied" } else { NOT_COPIED });
            let text = export.text(&subject);
            if export != Export::Png {
                return clipboard::copy(&text, on_tell.reform(told));
            }
            let on_tell = on_tell.clone();
            spawn_local(async move { on_tell.emit(told(picture::copy(text).await)) });
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
