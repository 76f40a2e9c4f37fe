//! The dialog “Gallery”: every scenario and incident as a card, with its picture and what it comes
//! to. A card is run and drawn once it comes into sight; incidents are fetched when it opens.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::DialogFrame;
use crate::scenarios::GalleryEntry;
use crate::ui::hooks::{Fetched, use_fetched, use_seen};
use crate::ui::panels::{swatch, tone_class};
use crate::ui::store::{AppAction, Dispatch};
use crate::ui::timeline::picture;
use crate::view_model::outside::import::Source;
use crate::view_model::stories::gallery::{Card, Drawn, Group, cards, incidents};
use crate::view_model::words::wording::told;

/// Where the incidents are, beside the page.
const INCIDENTS: &str = "incidents.json";

/// Properties of [`Gallery`].
#[derive(Properties, PartialEq)]
pub struct GalleryProps {
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Gallery”.
#[component]
pub fn Gallery(props: &GalleryProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let own = use_memo((), |()| cards());
    let (fetched, on_again) = use_fetched(INCIDENTS, true);
    let read = use_memo(fetched.clone(), |fetched| match fetched {
        Fetched::Here(text) => incidents(text).ok(),
        Fetched::Waiting | Fetched::Late | Fetched::Failed => None,
    });
    let fetched = match (fetched, &*read) {
        // What has come is no list of them.
        (Fetched::Here(_), None) => Fetched::Failed,
        (fetched, _) => fetched,
    };
    let query = use_state_eq(String::new);
    let only = use_state_eq(|| None::<Group>);
    let found = |group: Group| -> Vec<Rc<Card>> {
        let incidents = read.as_deref().unwrap_or_default();
        let all = own.iter().chain(incidents).filter(|card| card.group == group);
        all.filter(|card| card.matches(&query)).cloned().collect()
    };
    let shown = Group::ALL.into_iter().filter(|group| only.is_none_or(|only| only == *group));
    let shown: Vec<_> = shown.map(|group| (group, found(group))).collect();
    let n_found: usize = shown.iter().map(|(_, cards)| cards.len()).sum();
    let on_open = {
        let on_close = props.on_close.clone();
        Callback::from(move |action: AppAction| {
            dispatch.dispatch(action);
            on_close.emit(());
        })
    };
    let oninput = {
        let query = query.setter();
        Callback::from(move |event: InputEvent| {
            query.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    html! {
        <DialogFrame title="Gallery" class="is-wide" on_close={props.on_close.clone()}>
            <div class="gallery-head">
                <input type="search" class="gallery-search" aria-label="Search the gallery"
                    placeholder="Search: redis, pause, seal …" {oninput} />
                { groups(&only) }
                <span class="hint" role="status">{ told(&count(n_found, &query)) }</span>
            </div>
            { for shown.into_iter().map(|(group, cards)| {
                let state = (group == Group::Incident).then_some(&fetched);
                section(group, cards, state, &on_open, &on_again)
            }) }
        </DialogFrame>
    }
}

/// How many were found, of a search that says itself where there is none.
fn count(n_found: usize, query: &str) -> String {
    match n_found {
        0 => format!("Nothing here has “{}” in it: try fewer or other words", query.trim()),
        1 => "1 scenario".to_owned(),
        _ => format!("{n_found} scenarios"),
    }
}

/// Buttons that leave one group.
fn groups(only: &UseStateHandle<Option<Group>>) -> Html {
    let button = |group: Option<Group>| {
        let name = group.map_or("All", Group::name);
        let setter = only.setter();
        let onclick = Callback::from(move |_: MouseEvent| setter.set(group));
        let pressed = (**only == group).to_string();
        html! {
            <button type="button" class="button is-quiet is-toggle" aria-pressed={pressed}
                {onclick}>{ name }</button>
        }
    };
    let groups = Group::ALL.map(Some);
    html! {
        <div class="gallery-groups" role="group" aria-label="Show">
            { for [None].into_iter().chain(groups).map(button) }
        </div>
    }
}

/// A heading with its cards; `fetched`: of those that are fetched.
fn section(
    group: Group,
    cards: Vec<Rc<Card>>,
    fetched: Option<&Fetched>,
    on_open: &Callback<AppAction>,
    on_again: &Callback<()>,
) -> Html {
    let on_again = on_again.reform(|_: MouseEvent| ());
    let line = match fetched {
        Some(Fetched::Waiting) => html! { <p class="hint">{ "They are on their way" }</p> },
        Some(Fetched::Late) => html! {
            <p class="problem" role="alert">
                { "The real incidents have not come so far: the host is slow or does not answer. " }
                <button type="button" class="button" onclick={on_again}>{ "Try again" }</button>
            </p>
        },
        Some(Fetched::Failed) => html! {
            <p class="problem" role="alert">
                { "The real incidents could not be loaded; all else in the gallery works. " }
                <button type="button" class="button" onclick={on_again}>{ "Try again" }</button>
            </p>
        },
        Some(Fetched::Here(_)) | None if cards.is_empty() => return html! {},
        Some(Fetched::Here(_)) | None => html! {},
    };
    html! {
        <section key={group.name()}>
            <h3>{ group.name() }</h3>
            { line }
            <ul class="gallery" aria-label={group.name()}>
                { for cards.into_iter().map(|card| {
                    let key = card.id.clone();
                    html! { <CardView {key} {card} on_open={on_open.clone()} /> }
                }) }
            </ul>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct CardProps {
    card: Rc<Card>,
    on_open: Callback<AppAction>,
}

/// A card: all of it opens its scenario.
#[component]
fn CardView(props: &CardProps) -> Html {
    let card = &props.card;
    let node = use_node_ref();
    let seen = use_seen(&node);
    let drawn =
        use_memo((card.clone(), seen), |(card, seen)| seen.then(|| Drawn::of(card)).flatten());
    let onclick = {
        let card = card.clone();
        props.on_open.reform(move |_: MouseEvent| open(&card))
    };
    let mended = card.mended.as_ref().map(|file| {
        let text: Rc<str> = file.to_json().into();
        let onclick =
            props.on_open.reform(move |_: MouseEvent| AppAction::Read(text.clone(), Source::File));
        let name = format!("Mended: {}", card.file.title);
        html! {
            <button type="button" class="button" {onclick} aria-label={name}>
                { "Open mended" }
            </button>
        }
    });
    html! {
        <li class="gallery-card" ref={node}>
            <div class="gallery-picture">
                if let Some(drawn) = &*drawn {
                    { picture(&drawn.picture) }
                }
            </div>
            <button type="button" class="gallery-open" {onclick}>
                <bdi>{ card.file.title.clone() }</bdi>
            </button>
            <p class="gallery-line">{ card.line.clone() }</p>
            <ul class="gallery-verdicts">
                { for drawn.iter().flat_map(|drawn| &drawn.outcomes).map(|outcome| html! {
                    <li>
                        { &outcome.label }{ ": " }
                        { swatch(outcome.verdict.pattern) }
                        <b class={classes!(tone_class(outcome.verdict.tone))}>
                            { &outcome.verdict.text }
                        </b>
                    </li>
                }) }
            </ul>
            if !card.in_gallery {
                <div class="gallery-more">
                    { mended }
                    if let Some(source) = card.source.clone() {
                        <a href={source} target="_blank" rel="noopener noreferrer"
                            aria-label={format!("Source of {}, on another site", card.id)}>
                            { "Source" }
                        </a>
                    }
                </div>
            }
        </li>
    }
}

/// What opens a card: the gallery's own by its id, so that the list of scenarios names it.
fn open(card: &Card) -> AppAction {
    match GalleryEntry::find(&card.id).filter(|_| card.in_gallery) {
        Some(entry) => AppAction::LoadScenario(entry.id),
        None => AppAction::Read(card.file.to_json().into(), Source::File),
    }
}
