//! What the browser keeps: how the reader likes the page, and the work that was done on it. Nothing
//! of it leaves the browser, and the page works without it: where the browser keeps nothing, that
//! is said once. The place on the page stands in the address (`address.rs`).

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::str::FromStr;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::{Date, Reflect};
use web_sys::Storage;
use yew::prelude::*;

use super::address;
use super::store::{AppAction, AppState, Dispatch, Theme, WorkId};
use crate::scenarios::GalleryEntry;
use crate::view_model::drawing::scale::TimeAxis;
use crate::view_model::outside::recent::{Recent, Work};

const THEME: &str = "fenceline.theme";
const SINGLE_KEYS: &str = "fenceline.single-keys";
const RECENT: &str = "fenceline.recent";
/// Under what the work of this tab is kept, so that it is the same after a reload.
const WORK: &str = "fenceline.work";
/// Work is kept this long after the last change of it.
const KEEP_AFTER_MILLIS: u32 = 300;

const NOT_KEPT: &str = "This browser keeps no work for you: its storage is full or forbidden. \
                        Nothing on screen is lost; save the scenario as a file, or copy its link";
const TOO_LARGE: &str =
    "This scenario is too large to be kept on the device: save it as a file (Export)";

fn local() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn session() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// The state that the page opens with: the link in its address, otherwise the first scenario; both
/// as the reader likes the page.
pub fn opening_state() -> AppState {
    let fragment = address::fragment();
    let mut state = match fragment.is_empty() {
        true => AppState::initial(),
        false => AppState::linked(&fragment, reloaded_key()),
    };
    let read = |key| local().and_then(|storage| storage.get_item(key).ok()?);
    if let Some(theme) = read(THEME).and_then(|name| name.parse().ok()) {
        state.theme = theme;
    }
    if let Some(on) = read(SINGLE_KEYS).and_then(|text| bool::from_str(&text).ok()) {
        state.single_keys = on;
    }
    state
}

/// Under what this tab's work is kept, if the page was reloaded.
fn reloaded_key() -> Option<Rc<str>> {
    let key = is_reload().then(|| session()?.get_item(WORK).ok()?).flatten()?;
    Some(key.into())
}

/// Whether the page was reloaded, not opened anew.
fn is_reload() -> bool {
    let performance = web_sys::window().and_then(|window| window.performance());
    let entries = performance.map(|it| it.get_entries_by_type("navigation"));
    let kind = entries.map(|entries| Reflect::get(&entries.get(0), &"type".into()));
    let kind = kind.and_then(Result::ok).and_then(|kind| kind.as_string());
    kind.as_deref() == Some("reload")
}

/// The work that is kept, with what was edited a moment ago.
pub fn recent() -> Recent {
    flush(None);
    let text = local().and_then(|storage| storage.get_item(RECENT).ok()?);
    text.map(|text| Recent::parse(&text)).unwrap_or_default()
}

/// Keeps what `change` makes of the work that is kept, as other tabs left it. Tells whether the
/// browser took it.
pub fn change_recent(change: impl FnOnce(&mut Recent)) -> bool {
    let mut recent = recent();
    change(&mut recent);
    let set = |storage: Storage| match recent.is_empty() {
        true => storage.remove_item(RECENT),
        false => storage.set_item(RECENT, &recent.to_text()),
    };
    local().is_some_and(|storage| set(storage).is_ok())
}

/// Keeps what the reader chose, and the work that was edited.
#[hook]
pub fn use_kept(state: &UseReducerHandle<AppState>, dispatch: &Dispatch) {
    use_effect_with((state.theme, state.single_keys), |(theme, single_keys)| {
        if let Some(storage) = local() {
            // Refused where the reader forbids it: then it is not kept.
            let _ = storage.set_item(THEME, theme.name());
            let _ = storage.set_item(SINGLE_KEYS, &single_keys.to_string());
        }
    });
    use_kept_work(state, dispatch);
}

/// What is still to be kept, and of which work.
type Unkept = Option<(WorkId, Box<dyn FnOnce()>)>;

thread_local! {
    /// One for the page: whoever reads the list of recent work finds what waits to be kept in it.
    static UNKEPT: RefCell<Unkept> = const { RefCell::new(None) };
}

/// Keeps the work that was edited: a while after its last change, or before something else takes
/// its place.
#[hook]
fn use_kept_work(state: &UseReducerHandle<AppState>, dispatch: &Dispatch) {
    let opened_at = use_memo((), |()| now());
    let told = use_memo((), |()| Cell::new(false));
    use_effect_with((), |()| {
        let listener = web_sys::window()
            .map(|window| EventListener::new(&window, "pagehide", |_| flush(None)));
        move || drop(listener)
    });
    // What is tried out in a tour is nobody's work.
    let edited = state.edited_here && !state.is_dragging() && state.tour.is_none();
    let deps = (state.file.clone(), state.work.clone(), edited);
    let (scenario, dispatch) = (state.scenario, dispatch.clone());
    let to_scale = state.axis == TimeAxis::ToScale;
    use_effect_with(deps, move |(file, work, edited)| {
        flush(Some(work));
        let key = work.key.as_deref().map(str::to_owned);
        let key = key.unwrap_or_else(|| format!("{opened_at}-{}", work.number));
        let (work, file) = (work.clone(), file.clone());
        let timer = edited.then(|| {
            let keep_it = move || {
                // What the gallery has need not be kept.
                if GalleryEntry::find(scenario).is_some_and(|entry| entry.file() == *file) {
                    return;
                }
                if let Err(problem) = keep(Work::of(&key, now(), &file, (scenario, to_scale)))
                    && !told.replace(true)
                {
                    dispatch.dispatch(AppAction::Tell(problem.into()));
                }
            };
            UNKEPT.replace(Some((work, Box::new(keep_it))));
            Timeout::new(KEEP_AFTER_MILLIS, || flush(None))
        });
        move || drop(timer)
    });
}

/// Keeps at once what is still to be kept.
pub fn keep_now() {
    flush(None);
}

/// Keeps what is still to be kept, unless it is an older state of `newer`.
fn flush(newer: Option<&WorkId>) {
    let taken = UNKEPT.take();
    if let Some((work, keep_it)) = taken
        && newer != Some(&work)
    {
        keep_it();
    }
}

fn keep(work: Work) -> Result<(), &'static str> {
    if !work.fits() {
        return Err(TOO_LARGE);
    }
    if let Some(storage) = session() {
        // Without it the work is another one after a reload, and nothing is lost.
        let _ = storage.set_item(WORK, &work.key);
    }
    if change_recent(|recent| recent.keep(work)) { Ok(()) } else { Err(NOT_KEPT) }
}

/// The time of day, in the milliseconds of browsers.
fn now() -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole milliseconds since 1970; a clock that stands before is no clock"
    )]
    let now = Date::now() as u64;
    now
}

impl Theme {
    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl FromStr for Theme {
    type Err = ();
    fn from_str(name: &str) -> Result<Self, ()> {
        let all = [Self::System, Self::Light, Self::Dark];
        all.into_iter().find(|theme| theme.name() == name).ok_or(())
    }
}
