//! The page inside another page: timeline, transport and the fencing switch alone. It keeps nothing
//! on the device and writes no address. What the page around may tell it is in `messages.rs`.

mod messages;

use std::rc::Rc;

use yew::prelude::*;

use super::address::{self, use_links};
use super::announce::{Announcer, use_playing};
use super::app::{use_bus, use_theme, use_told};
use super::computing::ComputingBar;
use super::controls::FencingChoice;
use super::keys::use_page_keys;
use super::store::{AppAction, AppState, Dispatch, Theme};
use super::timeline::{AxisChoice, Timeline};
use super::transport::Transport;
use crate::view_model::outside::embed::EmbedOptions;
use crate::view_model::runs::labels;
use crate::view_model::words::wording;

use messages::use_messages;

/// What the address asks for; `None`: the whole page.
pub fn options() -> Option<Rc<EmbedOptions>> {
    let query = web_sys::window()?.location().search().ok()?;
    EmbedOptions::parse(&query).map(Rc::new)
}

/// Properties of [`Embed`].
#[derive(Properties, PartialEq)]
pub struct EmbedProps {
    /// What the address asks for.
    pub options: Rc<EmbedOptions>,
}

/// The state that it opens with: the link in its address, otherwise the first scenario.
fn opening_state(options: &EmbedOptions) -> AppState {
    let fragment = address::fragment();
    let mut state = match fragment.is_empty() {
        true => AppState::initial(),
        false => AppState::linked(&fragment, None),
    };
    state.theme = match options.dark {
        None => Theme::System,
        Some(false) => Theme::Light,
        Some(true) => Theme::Dark,
    };
    state
}

/// The page inside another page.
#[component]
pub fn Embed(props: &EmbedProps) -> Html {
    let state = {
        let options = props.options.clone();
        use_reducer(move || opening_state(&options))
    };
    let dispatch = state.dispatcher();
    let bus = use_bus(&state, &dispatch);
    use_theme(state.theme);
    use_links(&dispatch);
    // No dialog is part of this.
    use_page_keys(&state, &dispatch, &bus, Callback::noop());
    use_messages(&props.options, &state, &dispatch, &bus);
    let playing = use_playing(&bus);
    let (told, _) = use_told();
    let on_action = {
        let dispatch = dispatch.clone();
        use_callback((), move |action: AppAction, ()| dispatch.dispatch(action))
    };
    let whole = use_memo(state.file.clone(), |_| address::whole_page(&state));
    let runs = &state.runs;
    html! {
        <ContextProvider<Dispatch> context={dispatch}>
            <main class="app embed">
                <div class="embed-head">
                    <h1>{ wording::title(&state.file.title) }</h1>
                    <AxisChoice axis={state.axis} on_action={on_action.clone()} />
                    <FencingChoice mode={state.fencing} />
                </div>
                { for problems(&props.options, &state).into_iter().map(|problem| html! {
                    <p class="problem" role="alert">{ problem }</p>
                }) }
                if let Some(note) = labels::limit_note(runs) {
                    <p class="limit-note">{ note }</p>
                }
                if let Some(pending) = &state.pending {
                    <ComputingBar pending={pending.clone()} />
                }
                <Timeline runs={runs.clone()} bus={bus.clone()} moment={state.moment}
                    window={state.window} axis={state.axis} selection={state.selection}
                    dragging={state.is_dragging()} hide_future={state.hide_future}
                    quiet={state.is_dragging() || playing} {on_action} />
                <Transport runs={runs.clone()} bus={bus.clone()} moment={state.moment}
                    eye={false} />
                <p class="embed-foot">
                    { "A simulation, made with Fenceline" }
                    if let Some(href) = (*whole).clone() {
                        <a {href} target="_blank" rel="noopener">{ "Open the whole page" }</a>
                    }
                </p>
                <Announcer runs={runs.clone()} moment={state.moment}
                    selection={state.selection} dragging={state.is_dragging()} {playing}
                    hide_future={state.hide_future} {told} />
            </main>
        </ContextProvider<Dispatch>>
    }
}

/// What has to be said: of the address, of the link in it, of an edit.
fn problems(options: &EmbedOptions, state: &AppState) -> Vec<AttrValue> {
    let told = [&state.problem, &state.notice].into_iter().flatten();
    let told = told.map(|text| wording::told(text).into());
    let address = options.problems.iter().map(|text| wording::told(text).into());
    told.chain(address).collect()
}
