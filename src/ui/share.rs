//! What *Share* does at once: it copies the link, or saves a file, and tells in a few words what
//! came of it. Where the browser does not copy, the dialog opens that holds the text.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::address;
use super::causes::FoundCauses;
use super::keys::Dialog;
use super::ranges::KnownRanges;
use super::store::AppState;
use super::{clipboard, download};
use crate::explore::RemedyTable;
use crate::sim::Scenario;
use crate::view_model::outside::export::{Export, Found, Subject};
use crate::view_model::runs::Runs;
use crate::view_model::sentences::race_words::Search;

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

/// Makes what was found out about the runs that are shown.
pub type Finds = Rc<dyn Fn() -> Found>;

/// What was found out, as far as that is there, and what is told of remedies.
#[hook]
pub fn use_found(
    runs: &Rc<Runs>,
    known: &KnownRanges,
    causes: &Rc<FoundCauses>,
) -> (Finds, Callback<(Scenario, RemedyTable)>) {
    let kept = use_mut_ref(|| None::<(Scenario, RemedyTable)>);
    let on_found = {
        let kept = kept.clone();
        use_callback((), move |found, ()| {
            kept.replace(Some(found));
        })
    };
    let (runs, known, causes) = (runs.clone(), known.clone(), causes.clone());
    let finds = move || {
        let of_run = |(run, _)| Some((run, causes.of(&runs, run)?.clone()));
        let kept = kept.borrow();
        let is_of_it = |(of, _): &&(Scenario, RemedyTable)| of == runs.run_1.scenario();
        Found {
            ranges: match known.search {
                Search::Over => known.ranges.clone(),
                Search::UnderWay | Search::TooLong => Rc::default(),
            },
            causes: runs.shown().filter_map(of_run).collect(),
            remedies: kept.as_ref().filter(is_of_it).map(|(_, it)| it.clone()).unwrap_or_default(),
        }
    };
    (Rc::new(finds), on_found)
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
