//! The dialog “Copy link”: the link to what is shown, alone or with the remedies as text. The text
//! stands in a field, selected, so that it can be copied where the page may not.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use super::DialogFrame;
use crate::explore::RemedySearch;
use crate::sim::scenario::ScenarioFile;
use crate::ui::clipboard;
use crate::ui::hooks::{RUNS_AT_ONCE, Slices};
use crate::ui::ranges::MAX_ENTRIES;
use crate::view_model::runs::Runs;
use crate::view_model::sentences::{range_words, remedy_words};

const TOO_LONG: &str = "This scenario is too long for a link: export it as a file";

/// Properties of [`CopyLink`].
#[derive(Properties, PartialEq)]
pub struct CopyLinkProps {
    /// The scenario with its comparison.
    pub file: Rc<ScenarioFile>,
    /// Its runs.
    pub runs: Rc<Runs>,
    /// The link as it was when the dialog was opened; `None`: too long.
    pub link: Option<AttrValue>,
    /// The text that puts it into another page.
    pub frame: Option<AttrValue>,
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Copy link”.
#[component]
pub fn CopyLink(props: &CopyLinkProps) -> Html {
    let field = use_node_ref();
    let link = props.link.clone().unwrap_or_default();
    let text = use_state_eq(|| link.clone());
    let told = use_state_eq(AttrValue::default);
    use_selected(&field, &text);
    let searching = use_mut_ref(|| None::<Slices>);
    {
        let (told, link) = (told.setter(), link.clone());
        let searching = searching.clone();
        use_effect_with((), move |()| {
            copy(&link, told);
            // A search ends with the dialog.
            move || drop(searching.take())
        });
    }
    let is_small = props.runs.run_1.log().n_entries() <= MAX_ENTRIES;
    let copied = |what: AttrValue| {
        let (text, told) = (text.setter(), told.setter());
        Callback::from(move |_: MouseEvent| {
            text.set(what.clone());
            copy(&what, told.clone());
        })
    };
    let (alone, as_frame) = (copied(link.clone()), copied(props.frame.clone().unwrap_or_default()));
    let with_remedies = {
        let (file, runs) = (props.file.clone(), props.runs.clone());
        let (text, told) = (text.setter(), told.setter());
        Callback::from(move |_: MouseEvent| {
            let base = runs.run_1.scenario();
            let main = file.main_quantity();
            told.set("Trying every remedy on this schedule …".into());
            let (file, runs) = (file.clone(), runs.clone());
            let (text, told, link) = (text.clone(), told.clone(), link.clone());
            let done = move |search: &RemedySearch| {
                let base = runs.run_1.scenario();
                let about = range_words::about(&file);
                let table = remedy_words::as_text(&file.title, search.table(), base, about);
                let both = AttrValue::from(format!("{table}{link}\n"));
                text.set(both.clone());
                copy(&both, told.clone());
            };
            searching.replace(Some(search(RemedySearch::new(base, Some(main)), done)));
        })
    };
    if props.link.is_none() {
        return too_long(&props.on_close);
    }
    html! {
        <DialogFrame title="Copy link" on_close={props.on_close.clone()}>
            <p>
                { "The link holds the whole scenario and this very moment. Nothing leaves the \
                   browser until you send it." }
            </p>
            <textarea class="link-text" ref={field} readonly=true rows="6"
                value={(*text).clone()} aria-label="Text to copy" />
            <div class="dialog-buttons">
                <button type="button" class="button is-main" onclick={alone}>
                    { "Copy the link alone" }
                </button>
                <button type="button" class="button" disabled={!is_small}
                    onclick={with_remedies}>{ "Copy it with the remedies" }</button>
                <button type="button" class="button" onclick={as_frame}>
                    { "Copy as a frame for a web page" }
                </button>
            </div>
            <p class="hint" role="status">{ &*told }</p>
        </DialogFrame>
    }
}

fn too_long(on_close: &Callback<()>) -> Html {
    html! {
        <DialogFrame title="Copy link" on_close={on_close.clone()}><p>{ TOO_LONG }</p></DialogFrame>
    }
}

/// Selects what a field holds whenever that changes.
#[hook]
fn use_selected(field: &NodeRef, text: &AttrValue) {
    let field = field.clone();
    use_effect_with(text.clone(), move |_| {
        if let Some(field) = field.cast::<HtmlTextAreaElement>() {
            // It can always have the focus.
            let _ = field.focus();
            field.select();
        }
    });
}

fn copy(text: &str, told: UseStateSetter<AttrValue>) {
    let tell = move |done| told.set(clipboard::told(done).into());
    clipboard::copy(text, Callback::from(tell));
}

/// Searches between frames, until it is over or the dialog is closed.
fn search(remedies: RemedySearch, done: impl Fn(&RemedySearch) + 'static) -> Slices {
    let remedies = Rc::new(RefCell::new(remedies));
    let searched = remedies.clone();
    Slices::start(
        move || remedies.borrow_mut().step(RUNS_AT_ONCE),
        move |is_over| {
            if is_over {
                done(&searched.borrow());
            }
        },
    )
}
