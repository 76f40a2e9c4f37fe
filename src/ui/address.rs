//! The page's address: its fragment holds the link to what is shown, so that the address itself can
//! be sent, kept, or loaded again. It is written after edits and whenever the playhead rests, and
//! read when somebody puts another link there. Browsers send no fragment to any host.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use super::playhead::PlayheadBus;
use super::store::{AppAction, AppState, Dispatch};
use crate::sim::limits;
use crate::view_model::outside::embed;
use crate::view_model::outside::import::Source;

/// An address is written so long after the first change that it does not have: browsers take about
/// three writes a second.
const AFTER_MILLIS: u32 = 400;
/// While time passes, the place is only kept for a reload.
const PLAYING_MILLIS: u32 = 2_000;

/// The address's fragment, without the `#`; empty where there is none.
pub fn fragment() -> String {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok());
    hash.map(|hash| hash.trim_start_matches('#').to_owned()).unwrap_or_default()
}

/// The address without its fragment.
fn bare() -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok());
    let href = href.unwrap_or_default();
    href.split_once('#').map_or(href.as_str(), |(bare, _)| bare).to_owned()
}

/// The whole link to what is shown; `None` where it is longer than any that is read.
pub fn link(state: &AppState) -> Option<String> {
    let fragment = state.fragment();
    (fragment.len() <= limits::MAX_LINK_CHARS).then(|| format!("{}#{fragment}", bare()))
}

/// The address without query and fragment.
fn page() -> String {
    let bare = bare();
    bare.split_once('?').map_or(bare.as_str(), |(page, _)| page).to_owned()
}

/// The text that puts what is shown into another page; `None` as for [`link`].
pub fn frame(state: &AppState) -> Option<String> {
    let fragment = state.fragment();
    (fragment.len() <= limits::MAX_LINK_CHARS)
        .then(|| embed::frame(&page(), &fragment, &state.file.title))
}

/// The link to the whole page with what is shown inside another page; `None` as for [`link`].
pub fn whole_page(state: &AppState) -> Option<String> {
    let fragment = state.fragment();
    (fragment.len() <= limits::MAX_LINK_CHARS).then(|| format!("{}#{fragment}", page()))
}

/// What is written at the next opportunity.
#[derive(Default)]
struct Writer {
    latest: RefCell<Option<UseReducerHandle<AppState>>>,
    /// The next time, and how long it was put off.
    timer: RefCell<Option<(u32, Timeout)>>,
}

thread_local! {
    /// The page's, for when it stops.
    static WRITER: RefCell<Option<Rc<Writer>>> = const { RefCell::new(None) };
}

/// Writes at once what is still to be written.
pub fn write_now() {
    let writer = WRITER.with_borrow(Option::clone);
    if let Some(writer) = writer.filter(|writer| writer.timer.borrow().is_some()) {
        writer.write();
    }
}

impl Writer {
    /// Writes in a while, unless that is so already.
    fn schedule(self: &Rc<Self>, millis: u32) {
        let mut timer = self.timer.borrow_mut();
        if timer.as_ref().is_none_or(|(pending, _)| *pending > millis) {
            let writer = self.clone();
            *timer = Some((millis, Timeout::new(millis, move || writer.write())));
        }
    }

    fn write(&self) {
        self.timer.borrow_mut().take();
        let latest = self.latest.borrow();
        let Some(link) = latest.as_ref().and_then(|state| link(state)) else {
            return;
        };
        let window = web_sys::window();
        if let Some(history) = window.and_then(|window| window.history().ok()) {
            // A browser that refuses loses nothing but this address.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&link));
        }
    }
}

/// Keeps the address's fragment at what is shown, and opens the link that somebody puts there.
#[hook]
pub fn use_address(state: &UseReducerHandle<AppState>, dispatch: &Dispatch, bus: &PlayheadBus) {
    let writer = use_memo((), |()| {
        let writer = Rc::new(Writer::default());
        WRITER.set(Some(writer.clone()));
        writer
    });
    let is_first = use_mut_ref(|| true);
    {
        let writer = Rc::clone(&writer);
        let dragging = state.is_dragging();
        // The notice: of a link that could not be opened, which is not to stay in the address.
        let deps =
            (state.file.clone(), state.window, state.selection, state.notice.clone(), dragging);
        let tour = state.tour.as_ref().map(|touring| touring.place);
        let deps = (deps, tour, state.axis);
        let shown = state.clone();
        use_effect_with(deps, move |_| {
            writer.latest.replace(Some(shown));
            // As it opened, the page has its address already.
            if !is_first.replace(false) && !dragging {
                writer.schedule(AFTER_MILLIS);
            }
        });
    }
    {
        let writer = Rc::clone(&writer);
        let subscriber = bus.clone();
        use_effect_with((), move |()| {
            let bus = subscriber.clone();
            let subscription = subscriber.subscribe(move |_| {
                let playing = bus.is_playing();
                writer.schedule(if playing { PLAYING_MILLIS } else { AFTER_MILLIS });
            });
            move || drop(subscription)
        });
    }
    use_links(dispatch);
}

/// Opens the link that somebody puts into the address.
#[hook]
pub fn use_links(dispatch: &Dispatch) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "hashchange", move |_| {
                let fragment = fragment();
                // Whoever empties the fragment means no scenario.
                if !fragment.is_empty() {
                    dispatch.dispatch(AppAction::Read(fragment.into(), Source::Link));
                }
            })
        });
        move || drop(listener)
    });
}
