//! Messages from and to the page around. Only that page is heard, only if its origin stands in the
//! address, and only it is answered. A message can move time and set the fence, and nothing else;
//! what it says is read and checked by `view_model/embed.rs`.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::JSON;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Window};
use yew::prelude::*;

use crate::ui::playhead::PlayheadBus;
use crate::ui::store::{AppAction, AppState, Dispatch};
use crate::view_model::outside::embed::{self, EmbedCommand, EmbedOptions};
use crate::view_model::runs::FencingMode;
use crate::view_model::transport::playback::TimeControlCommand;

/// The page around, if this one stands in another and may speak with it.
struct Around {
    options: Rc<EmbedOptions>,
    parent: Window,
    bus: PlayheadBus,
    dispatch: Dispatch,
    /// What is told of the state, without the playhead.
    shown: RefCell<(String, FencingMode)>,
    /// What was last told, so that nothing is told twice.
    told: RefCell<String>,
}

impl Around {
    fn of(
        options: &Rc<EmbedOptions>,
        bus: &PlayheadBus,
        dispatch: &Dispatch,
        state: &AppState,
    ) -> Option<Rc<Self>> {
        let window = web_sys::window()?;
        let parent = window.parent().ok()??;
        // A page that stands alone is its own parent.
        let stands_alone = parent == window;
        (!stands_alone && !options.origins.is_empty()).then(|| {
            Rc::new(Self {
                options: options.clone(),
                parent,
                bus: bus.clone(),
                dispatch: dispatch.clone(),
                shown: RefCell::new((state.file.title.clone(), state.fencing)),
                told: RefCell::default(),
            })
        })
    }

    /// Sends to the origins that stand in the address: the browser gives it to the page around if
    /// it is of one of them.
    fn send(&self, json: &str) {
        let Ok(message) = JSON::parse(json) else {
            return;
        };
        for origin in &self.options.origins {
            // Fails only for what is no origin.
            let _ = self.parent.post_message(&message, origin);
        }
    }

    /// Tells how things stand; `again`: even if that was told.
    fn tell(&self, again: bool) {
        let (now, playing) = (self.bus.now(), self.bus.is_playing());
        let runs = self.bus.runs();
        let state = {
            let shown = self.shown.borrow();
            embed::state(&shown.0, &runs, shown.1, now, playing)
        };
        if self.told.replace(state.clone()) != state || again {
            self.send(&state);
        }
    }

    fn on_message(&self, event: &Event) {
        let Some(event) = event.dyn_ref::<MessageEvent>() else {
            return;
        };
        let from_parent = event
            .source()
            .is_some_and(|source| JsValue::from(source) == JsValue::from(self.parent.clone()));
        if !from_parent || !self.options.takes(&event.origin()) {
            return;
        }
        // What cannot be written as JSON is no message for this page.
        let Ok(json) = JSON::stringify(&event.data()) else {
            return;
        };
        let Some(json) = json.as_string() else {
            return;
        };
        match embed::read(&json) {
            None => {}
            Some(Err(problem)) => self.send(&embed::error(&problem)),
            Some(Ok(command)) => self.act(command),
        }
    }

    fn act(&self, command: EmbedCommand) {
        match command {
            EmbedCommand::Play => self.bus.command(TimeControlCommand::Play),
            EmbedCommand::Pause => self.bus.command(TimeControlCommand::Pause),
            EmbedCommand::Seek(time) => self.bus.command(TimeControlCommand::Seek(time)),
            EmbedCommand::Fencing(mode) => self.dispatch.dispatch(AppAction::SetFencing(mode)),
            EmbedCommand::State => self.tell(true),
        }
    }
}

/// Listens to the page around, and tells it what changes.
#[hook]
pub(super) fn use_messages(
    options: &Rc<EmbedOptions>,
    state: &AppState,
    dispatch: &Dispatch,
    bus: &PlayheadBus,
) {
    let around = use_memo((), |()| Around::of(options, bus, dispatch, state));
    {
        let around = (*around).clone();
        use_effect_with((), move |()| {
            let kept = around.zip(web_sys::window()).map(|(around, window)| {
                let heard = around.clone();
                let listener =
                    EventListener::new(&window, "message", move |event| heard.on_message(event));
                let moved = around.clone();
                let times = around.bus.subscribe(move |_| moved.tell(false));
                let changed = around.clone();
                let states = around.bus.subscribe_state(move |_| changed.tell(false));
                (listener, times, states)
            });
            move || drop(kept)
        });
    }
    let around = (*around).clone();
    let title = state.file.title.clone();
    use_effect_with((state.runs.clone(), title, state.fencing), move |(_, title, fencing)| {
        if let Some(around) = around {
            around.shown.replace((title.clone(), *fencing));
            // The first of these says that it is ready.
            around.tell(false);
        }
    });
}
