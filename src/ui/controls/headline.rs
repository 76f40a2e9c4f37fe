//! The headline: what this is and what to do with it, or the incident that is shown; beside it the
//! ways to one's own lock system and incident.

use yew::prelude::*;

use super::menu::Menu;
use crate::scenarios::GalleryEntry;
use crate::ui::keys::Dialog;
use crate::ui::store::{AppAction, AppState};
use crate::view_model::stories::yours::YOURS;
use crate::view_model::words::wording;

/// Whether the reader has done something: edited, or let time pass.
#[hook]
pub fn use_acted(acts: bool) -> bool {
    let acted = use_mut_ref(|| false);
    let mut acted = acted.borrow_mut();
    *acted |= acts;
    *acted
}

/// The headline.
pub fn headline(
    state: &AppState,
    acted: bool,
    on_action: &Callback<AppAction>,
    on_dialog: &Callback<Dialog>,
) -> Html {
    let file = state.edited();
    // The call tells how it ends: where the future is hidden it is not told.
    let (what, does) = match GalleryEntry::find(state.scenario) {
        Some(entry) => {
            let call = if state.hide_future { "" } else { entry.call };
            ("A lock that expires can have two holders.".to_owned(), call.to_owned())
        }
        None => (wording::title(&file.title), of_incident(state)),
    };
    html! {
        <div class="title">
            <h1>
                <b title={what.clone()}>{ what }</b>{ " " }
                <span>
                    // What to do first has been done.
                    { for sentences(if acted { first_sentence(&does) } else { &does }) }
                    if acted {
                        <span class="yours-next">
                            { " Now with your own numbers, on the left." }
                        </span>
                    }
                </span>
            </h1>
            <nav class="yours" aria-label="Yours">
                <span>{ "Yours: " }</span>
                { ways(on_action, on_dialog) }
            </nav>
            <div class="yours-menu">
                <Menu id="yours" name="Yours …">{ ways(on_action, on_dialog) }</Menu>
            </div>
        </div>
    }
}

/// Each sentence apart: one that finds no room is left out whole.
fn sentences(text: &str) -> impl Iterator<Item = Html> {
    text.split_inclusive(". ").map(|sentence| html! { <span>{ sentence }</span> })
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

/// When an incident was, if its file says so.
fn of_incident(state: &AppState) -> String {
    let Some(start) = state.edited().incident.start else {
        return String::new();
    };
    let date = start.to_string();
    let date = date.split('T').next().unwrap_or_default();
    format!("An incident of {date}, and a simulation of it.")
}

/// A button for each lock system that many have, for all others, and for an incident.
fn ways(on_action: &Callback<AppAction>, on_dialog: &Callback<Dialog>) -> Html {
    let link = |name: &'static str, onclick: Callback<MouseEvent>| {
        html! { <button type="button" class="link" {onclick}>{ name }</button> }
    };
    let dialog = |dialog: Dialog| on_dialog.reform(move |_: MouseEvent| dialog);
    html! {
        <>
            { for YOURS.map(|yours| {
                let on_action = on_action.clone();
                link(yours.name, Callback::from(move |_: MouseEvent| {
                    on_action.emit(AppAction::LoadScenario(yours.id));
                    let changes = yours.changes();
                    if !changes.is_empty() {
                        on_action.emit(AppAction::EditAll(changes));
                    }
                }))
            }) }
            { link("another …", dialog(Dialog::Products)) }
            { link("An incident", dialog(Dialog::Incident)) }
        </>
    }
}
