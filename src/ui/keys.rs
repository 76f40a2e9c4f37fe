//! What keys do to the page: commands to the playhead, actions to the state, dialogs that open.

use yew::prelude::*;

use super::hooks::use_keys;
use super::playhead::PlayheadBus;
use super::store::{AppAction, AppState, Dispatch, TourAction, Window};
use super::timeline::fitted;
use crate::view_model::runs::FencingMode;
use crate::view_model::transport::keymap::KeyCommand;
use crate::view_model::transport::playback::TimeControlCommand;

/// How much of the stretch a zoom by key leaves, in percent, and how much it takes in.
pub(super) const ZOOM_IN: u64 = 70;
pub(super) const ZOOM_OUT: u64 = 143;

/// The dialogs of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialog {
    /// The legend.
    Legend,
    /// Help.
    Help,
    /// All scenarios.
    Gallery,
    /// All tours.
    Tours,
    /// A file, or recent work.
    Open,
    /// The link.
    CopyLink,
    /// Files to take along.
    Export,
    /// Products by name.
    Products,
    /// The real incident that the scenario stands for.
    Incident,
}

/// Listens to the keys of the page.
#[hook]
pub fn use_page_keys(
    state: &AppState,
    dispatch: &Dispatch,
    bus: &PlayheadBus,
    on_dialog: Callback<Dialog>,
) {
    use_effect_with((bus.clone(), state.hide_future), |(bus, hidden)| bus.set_hidden(*hidden));
    let on_command = {
        let (dispatch, bus) = (dispatch.clone(), bus.clone());
        let (window, fencing, hidden) = (state.window, state.fencing, state.hide_future);
        let touring = state.tour.is_some();
        Callback::from(move |command: KeyCommand| {
            let action = match command {
                KeyCommand::Time(command) => return bus.command(command),
                KeyCommand::Legend => return on_dialog.emit(Dialog::Legend),
                KeyCommand::Help => return on_dialog.emit(Dialog::Help),
                KeyCommand::Products => return on_dialog.emit(Dialog::Products),
                KeyCommand::PreviousStep if touring => AppAction::Tour(TourAction::Previous),
                KeyCommand::NextStep if touring => AppAction::Tour(TourAction::Next),
                KeyCommand::PreviousStep => return go_to_notable(&bus, false),
                KeyCommand::NextStep => return go_to_notable(&bus, true),
                KeyCommand::Fencing => AppAction::SetFencing(next_mode(fencing)),
                KeyCommand::HideFuture => AppAction::SetHideFuture(!hidden),
                KeyCommand::ZoomIn => AppAction::SetWindow(zoomed(&bus, window, ZOOM_IN)),
                KeyCommand::ZoomOut => AppAction::SetWindow(zoomed(&bus, window, ZOOM_OUT)),
                KeyCommand::Undo => AppAction::Undo,
                KeyCommand::Redo => AppAction::Redo,
            };
            dispatch.dispatch(action);
        })
    };
    use_keys(state.single_keys, on_command);
}

fn next_mode(mode: FencingMode) -> FencingMode {
    match mode {
        FencingMode::Off => FencingMode::On,
        FencingMode::On => FencingMode::Both,
        FencingMode::Both => FencingMode::Off,
    }
}

/// The stretch on screen, zoomed at the playhead; zoomed out all the way it fits again.
pub(super) fn zoomed(bus: &PlayheadBus, window: Window, percent: u64) -> Window {
    let runs = bus.runs();
    let end = runs.ends_at();
    let seen = bus.seen().map(|seen| seen.scale.view);
    let view = seen.unwrap_or_else(|| fitted(&runs, window, bus.now()));
    let view = view.zoomed(bus.now(), percent, end);
    Window { start: view.from, end: view.to, fitted: false }
}

/// The next or the previous event that is not routine.
fn go_to_notable(bus: &PlayheadBus, forward: bool) {
    let (runs, now) = (bus.runs(), bus.now());
    let time = match forward {
        true => runs.moments.next_telling_after(now),
        false => runs.moments.last_telling_before(now),
    };
    if let Some(time) = time {
        bus.command(TimeControlCommand::Seek(time));
    }
}
