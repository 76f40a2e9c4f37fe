//! What *Share* does at once: it copies the link, or saves a file, and tells in a few words what
//! came of it. Where the browser does not copy, the dialog opens that holds the text.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::address;
use super::keys::Dialog;
use super::store::AppState;
use super::{clipboard, download};
use crate::view_model::outside::export::{Export, Subject};

/// So long a few words stay.
const SHOWN_MILLIS: u32 = 6_000;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// The link, copied.
    CopyLink,
    /// A file, saved.
    Save(Export),
}

/// Does it; `subject`: what files are made of.
pub fn share(
    what: Share,
    state: &AppState,
    subject: impl FnOnce() -> Subject,
    on_dialog: &Callback<Dialog>,
    on_toast: &Callback<AttrValue>,
) {
    match what {
        Share::CopyLink => {
            let Some(link) = address::link(state) else {
                return on_dialog.emit(Dialog::CopyLink);
            };
            let (on_dialog, on_toast) = (on_dialog.clone(), on_toast.clone());
            let told = move |done: bool| match done {
                true => on_toast.emit("Link copied".into()),
                false => on_dialog.emit(Dialog::CopyLink),
            };
            clipboard::copy(&link, Callback::from(told));
        }
        Share::Save(export) => {
            let subject = subject();
            let name = export.file_name(&subject);
            let saved = download::save(&name, export.info().media, &export.text(&subject));
            on_toast.emit(match saved {
                Some(()) => format!("Saved as {name}").into(),
                None => "The browser saves no files here".into(),
            });
        }
    }
}

/// A few words that go away by themselves; whoever hears the page is told them by its live region.
#[hook]
pub fn use_toast(on_tell: &Callback<AttrValue>) -> (Html, Callback<AttrValue>) {
    let shown = use_state_eq(AttrValue::default);
    let timer = use_mut_ref(|| None::<Timeout>);
    let on_toast = {
        let (shown, on_tell) = (shown.setter(), on_tell.clone());
        Callback::from(move |text: AttrValue| {
            let over = shown.clone();
            let gone = Timeout::new(SHOWN_MILLIS, move || over.set(AttrValue::default()));
            timer.replace(Some(gone));
            on_tell.emit(text.clone());
            shown.set(text);
        })
    };
    let toast = html! {
        if !shown.is_empty() {
            <p class="toast" aria-hidden="true">{ &*shown }</p>
        }
    };
    (toast, on_toast)
}
