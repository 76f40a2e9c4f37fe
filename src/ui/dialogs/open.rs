//! The dialog “Open”: a scenario file, and the work that the device has kept.

use std::rc::Rc;

use js_sys::Date;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::DialogFrame;
use crate::ui::download;
use crate::ui::incoming::read_file;
use crate::ui::session;
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::outside::import::Source;
use crate::view_model::outside::recent::{Recent, Work};
use crate::view_model::words::wording;

/// What is done to the work that is kept.
type Doing = Box<dyn FnOnce(&mut Recent)>;

/// Properties of [`Open`].
#[derive(Properties, PartialEq)]
pub struct OpenProps {
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Open”.
#[component]
pub fn Open(props: &OpenProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let recent = use_state(session::recent);
    let told = use_state_eq(|| "");
    let on_file = {
        let (dispatch, on_close) = (dispatch.clone(), props.on_close.clone());
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                read_file(file, None, dispatch.clone());
                on_close.emit(());
            }
        })
    };
    let pasted = use_state_eq(String::new);
    let oninput = {
        let pasted = pasted.setter();
        Callback::from(move |event: InputEvent| {
            pasted.set(event.target_unchecked_into::<HtmlTextAreaElement>().value());
        })
    };
    let open_pasted = {
        let (dispatch, on_close) = (dispatch.clone(), props.on_close.clone());
        let text = pasted.clone();
        Callback::from(move |_: MouseEvent| {
            dispatch.dispatch(AppAction::Read(text.as_str().into(), Source::Pasted));
            on_close.emit(());
        })
    };
    let change = {
        let recent = recent.setter();
        Callback::from(move |change: Doing| {
            // What cannot be changed is still shown.
            session::change_recent(change);
            recent.set(session::recent());
        })
    };
    let forget_all = change.reform(|_: MouseEvent| -> Doing { Box::new(Recent::forget_works) });
    html! {
        <DialogFrame title="Open" on_close={props.on_close.clone()}>
            <p>
                { "Choose a scenario file, drop one on the page, or paste its text, or a link. It \
                   is read in this page: nothing leaves the browser." }
            </p>
            <label class="file-field">
                <span>{ "Scenario file" }</span>
                <input type="file" accept=".json,application/json" onchange={on_file} />
            </label>
            <div class="incident-form">
                <label>
                    <span>{ "Or its text, or a link" }</span>
                    <textarea rows="3" spellcheck="false" value={(*pasted).clone()} {oninput} />
                </label>
            </div>
            <div class="dialog-buttons">
                <button type="button" class="button" onclick={open_pasted}
                    disabled={pasted.trim().is_empty()}>{ "Open what was pasted" }</button>
            </div>
            <h3>{ "Recent work" }</h3>
            if recent.works().next().is_none() {
                <p class="hint">{ "Scenarios that you edit are kept here, on this device" }</p>
            } else {
                <ul class="rows" aria-label="Recent work">
                    { for recent.works().map(|work| {
                        row(work, &dispatch, &props.on_close, &change)
                    }) }
                </ul>
                <div class="dialog-buttons">
                    <button type="button" class="button" onclick={forget_all}>
                        { "Forget all" }
                    </button>
                </div>
            }
            { unread(&recent, &change, &told) }
        </DialogFrame>
    }
}

const NOT_SAVED: &str = "The browser saves no files here";

/// What is said of kept work that cannot be read, and what can be done with it.
fn unread(
    recent: &UseStateHandle<Recent>,
    change: &Callback<Doing>,
    told: &UseStateHandle<&'static str>,
) -> Html {
    let Some(note) = recent.note() else {
        return html! {};
    };
    let save = {
        let (recent, told) = (recent.clone(), told.setter());
        Callback::from(move |_: MouseEvent| {
            let done = download::save("fenceline-unread.txt", "text/plain", &recent.unread());
            told.set(done.map_or(NOT_SAVED, |()| "Saved as fenceline-unread.txt"));
        })
    };
    let forget = change.reform(|_: MouseEvent| -> Doing { Box::new(Recent::forget_unread) });
    html! {
        <>
            <p class="hint">{ note }</p>
            <div class="dialog-buttons">
                <button type="button" class="button" onclick={save}>
                    { "Save what cannot be read" }
                </button>
                <button type="button" class="button" onclick={forget}>
                    { "Forget what cannot be read" }
                </button>
            </div>
            <p class="hint" role="status">{ **told }</p>
        </>
    }
}

fn row(
    work: &Work,
    dispatch: &Dispatch,
    on_close: &Callback<()>,
    change: &Callback<Doing>,
) -> Html {
    let open = {
        let (work, dispatch, on_close) =
            (Rc::new(work.clone()), dispatch.clone(), on_close.clone());
        Callback::from(move |_: MouseEvent| {
            dispatch.dispatch(AppAction::OpenWork(work.clone()));
            on_close.emit(());
        })
    };
    let key = work.key.clone();
    let delete = change.reform(move |_: MouseEvent| -> Doing {
        let key = key.clone();
        Box::new(move |recent| recent.forget(&key))
    });
    let title = wording::title(&work.title);
    html! {
        <li key={work.key.clone()}>
            <button type="button" class="link row-name" onclick={open}>
                <bdi>{ title.clone() }</bdi>
            </button>
            <span class="hint">{ edited(work) }</span>
            <button type="button" class="button" onclick={delete}
                aria-label={format!("Delete {title}")}>{ "Delete" }</button>
        </li>
    }
}

/// When it was last edited, as the reader writes times.
fn edited(work: &Work) -> String {
    #[expect(clippy::cast_precision_loss, reason = "exact for the next 285,000 years")]
    let date = Date::new(&(work.edited as f64).into());
    if date.get_time().is_nan() {
        return format!("at {} ms, which no calendar has", work.edited);
    }
    String::from(date.to_locale_string("default", &js_sys::Object::new()))
}
