//! The root component: the page's layout, its state, and the one playhead. It hands each part what
//! that part shows and nothing more.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use super::controls::{Race, TopBar, WhatGoesWrong, YourNumbers};
use super::panels::{Events, Properties, State, WhyCaption};
use super::playhead::PlayheadBus;
use super::store::{AppAction, AppState, Dispatch, Theme};
use crate::scenarios::GalleryEntry;
use crate::sim::SimTime;
use crate::view_model::playback::TimeControlCommand;

/// The whole page.
#[component]
pub fn App() -> Html {
    let state = use_reducer(AppState::initial);
    let dispatch = state.dispatcher();
    let bus = use_bus(&state, &dispatch);
    use_theme(state.theme);
    let on_seek = {
        let bus = bus.clone();
        Callback::from(move |time: SimTime| bus.command(TimeControlCommand::Seek(time)))
    };
    let call = GalleryEntry::find(state.scenario).map_or("", |entry| entry.call);
    html! {
        <ContextProvider<Dispatch> context={dispatch}>
            <TopBar file={state.file.clone()} scenario={state.scenario} theme={state.theme} />
            <main class="page">
                <h1>
                    { "A lock that expires can have two holders. " }
                    <span>{ call }</span>
                </h1>
                <div class="column controls">
                    <YourNumbers file={state.file.clone()} />
                    <WhatGoesWrong file={state.file.clone()} />
                </div>
                <div class="column stage">
                    <Race file={state.file.clone()} fencing={state.fencing} />
                    if let Some(problem) = &state.problem {
                        <p class="problem" role="alert">
                            { "Not taken, the last good run stays: " }{ &**problem }
                        </p>
                    }
                    <div class="card stage-card">
                        <WhyCaption runs={state.runs.clone()} moment={state.moment}
                            selection={state.selection} />
                    </div>
                    <Properties runs={state.runs.clone()} on_seek={on_seek.clone()} />
                </div>
                <div class="column watch">
                    <State runs={state.runs.clone()} moment={state.moment} bus={bus.clone()} />
                    <Events runs={state.runs.clone()} moment={state.moment}
                        selection={state.selection} hide_future={state.hide_future} {on_seek} />
                </div>
            </main>
        </ContextProvider<Dispatch>>
    }
}

/// The page's playhead: made once, told of new runs before they are drawn, and waiting while
/// something is dragged.
#[hook]
fn use_bus(state: &AppState, dispatch: &Dispatch) -> PlayheadBus {
    let bus = {
        let dispatch = dispatch.clone();
        let (clock, runs) = (state.clock.clone(), state.runs.clone());
        use_memo((), move |()| {
            let told = move |moment| dispatch.dispatch(AppAction::MomentChanged(moment));
            PlayheadBus::new(clock, runs, Callback::from(told))
        })
    };
    {
        let bus = PlayheadBus::clone(&bus);
        use_effect_with(state.is_dragging(), move |dragging| bus.hold(*dragging));
    }
    {
        let bus = PlayheadBus::clone(&bus);
        use_effect_with(Rc::clone(&state.runs), move |runs| {
            bus.set_runs(runs.clone())
        });
    }
    PlayheadBus::clone(&bus)
}

/// Light, dark, or as the system says: an attribute that the style sheet reads.
#[hook]
fn use_theme(theme: Theme) {
    use_effect_with(theme, |theme| {
        let document = web_sys::window().and_then(|window| window.document());
        let Some(root) = document.and_then(|document| document.document_element()) else {
            return;
        };
        set_theme(&root, *theme);
    });
}

fn set_theme(root: &Element, theme: Theme) {
    // Both fail only for a bad attribute name.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        Theme::Light => root.set_attribute("data-theme", "light"),
        Theme::Dark => root.set_attribute("data-theme", "dark"),
    };
}
