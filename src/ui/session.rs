//! What the browser keeps: how the reader likes the page (for good), and where the page stood
//! (until the tab is closed, brought back only by a reload). Nothing of it leaves the browser, and
//! the page works without it.

use std::str::FromStr;

use gloo_timers::callback::Timeout;
use js_sys::Reflect;
use serde::{Deserialize, Serialize};
use web_sys::Storage;
use yew::prelude::*;

use super::store::{AppState, Theme};
use crate::sim::scenario::ScenarioFile;
use crate::sim::time::SimTime;

const THEME: &str = "fenceline.theme";
const SINGLE_KEYS: &str = "fenceline.single-keys";
const PLACE: &str = "fenceline.place";
/// The place is kept this long after the last change of it.
const KEEP_AFTER_MILLIS: u32 = 300;

/// Where the page stood.
#[derive(Serialize, Deserialize)]
struct Place {
    scenario: String,
    at: SimTime,
    file: ScenarioFile,
}

fn local() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn session() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// The state that the page opens with: after a reload what was there, otherwise the first scenario;
/// both as the reader likes the page.
pub fn opening_state() -> AppState {
    let mut state = reloaded_place().unwrap_or_else(AppState::initial);
    let read = |key| local().and_then(|storage| storage.get_item(key).ok()?);
    if let Some(theme) = read(THEME).and_then(|name| name.parse().ok()) {
        state.theme = theme;
    }
    if let Some(on) = read(SINGLE_KEYS).and_then(|text| bool::from_str(&text).ok()) {
        state.single_keys = on;
    }
    state
}

fn reloaded_place() -> Option<AppState> {
    if !is_reload() {
        return None;
    }
    let storage = session()?;
    let text = storage.get_item(PLACE).ok()??;
    // Taken out first: a place that the program cannot bear must not come back with every reload.
    storage.remove_item(PLACE).ok()?;
    let place: Place = serde_json::from_str(&text).ok()?;
    AppState::restored(place.file, &place.scenario, place.at)
}

/// Whether the page was reloaded, not opened anew.
fn is_reload() -> bool {
    let performance = web_sys::window().and_then(|window| window.performance());
    let entries = performance.map(|it| it.get_entries_by_type("navigation"));
    let kind = entries.map(|entries| Reflect::get(&entries.get(0), &"type".into()));
    let kind = kind.and_then(Result::ok).and_then(|kind| kind.as_string());
    kind.as_deref() == Some("reload")
}

/// Keeps what the reader chose and where the page stands.
#[hook]
pub fn use_kept(state: &UseReducerHandle<AppState>) {
    use_effect_with((state.theme, state.single_keys), |(theme, single_keys)| {
        if let Some(storage) = local() {
            // Refused where the reader forbids it: then it is not kept.
            let _ = storage.set_item(THEME, theme.name());
            let _ = storage.set_item(SINGLE_KEYS, &single_keys.to_string());
        }
    });
    let deps = (state.file.clone(), state.moment);
    let (clock, scenario) = (state.clock.clone(), state.scenario);
    use_effect_with(deps, move |(file, _)| {
        let file = file.clone();
        let timer = Timeout::new(KEEP_AFTER_MILLIS, move || {
            let place = Place {
                scenario: scenario.to_owned(),
                at: clock.now(),
                file: ScenarioFile::clone(&file),
            };
            if let (Some(storage), Ok(text)) = (session(), serde_json::to_string(&place)) {
                let _ = storage.set_item(PLACE, &text);
            }
        });
        move || drop(timer)
    });
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
