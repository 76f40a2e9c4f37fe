//! The root component: the page's layout, its state, and the one playhead. It hands each part what
//! that part shows and nothing more.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use super::address::{self, use_address};
use super::announce::{Announcer, use_playing};
use super::causes::{FoundCauses, use_causes};
use super::controls::{
    TopBar, WhatGoesWrong, about_scenario, all_ranges, headline, use_acted, use_race, your_numbers,
};
use super::dialogs::{
    CopyLink, DialogFrame, ExportDialog, FindProduct, Gallery, Help, IncidentDialog, Open, Tours,
};
use super::dock::Dock;
use super::hooks::{use_in_sight, use_waiting};
use super::incoming::use_incoming;
use super::keys::{Dialog, use_page_keys};
use super::listed::{Listed, use_listed, waits_for_it};
use super::panels::{
    Events, HistoryPanel, InYourSystem, ObservedPanel, Properties, Remedies, State, Systems, Tab,
    Tabs,
};
use super::playhead::PlayheadBus;
use super::present::use_present;
use super::ranges::use_ranges;
use super::screen::{Screen, use_screen};
use super::session::{opening_state, use_kept};
use super::share::{Finds, Share, share, use_found, use_toast};
use super::skip::SkipLinks;
use super::stage::Stage;
use super::store::{AppAction, AppState, Dispatch, Selection, Theme};
use super::timeline::{Legend, fitted};
use super::tour::{TourCard, use_ride};
use crate::explore::RemedyTable;
use crate::scenarios::GalleryEntry;
use crate::sim::id::{LockNodeId, NodeId};
use crate::sim::scenario::ScenarioFile;
use crate::sim::{Scenario, SimTime};
use crate::view_model::drawing::colors;
use crate::view_model::outside::export::{Found, Subject};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::race_words::RaceText;
use crate::view_model::sentences::range_words::{self, RunRanges};
use crate::view_model::transport::playback::TimeControlCommand;
use crate::view_model::words::names::Words;

/// The whole page.
#[component]
pub fn App() -> Html {
    let state = use_reducer(opening_state);
    let dispatch = state.dispatcher();
    let bus = use_bus(&state, &dispatch);
    use_ride(&bus, state.tour.as_ref().map(|touring| touring.ride));
    use_outside(&state, &dispatch, &bus);
    let (dialog, on_dialog, on_close) = use_dialog();
    let (listed, product) = use_listed(&state, dialog == Some(Dialog::Products), &dispatch);
    let on_seek = use_seeker(&bus);
    use_page_keys(&state, &dispatch, &bus, on_dialog.clone());
    let playing = use_playing(&bus);
    let screen = use_screen();
    // What is presented stands in one column, whatever the screen.
    let narrow = screen.is_narrow() && !state.present;
    let quantity = state.file.main_quantity();
    let known = use_ranges(&state.runs, quantity, state.is_dragging());
    let race = use_race(&state.file, &state.runs, &known);
    let causes = use_causes(&state.runs, state.is_dragging());
    let on_action = use_callback((), {
        let dispatch = dispatch.clone();
        move |action: AppAction, ()| dispatch.dispatch(action)
    });
    let (told, on_tell) = use_told();
    let (docked, on_docked) = use_docked();
    let on_tours = on_dialog.reform(|_: MouseEvent| Dialog::Tours);
    let as_it_came = use_as_it_came(&state);
    let tab = use_tab();
    let (toast, on_toast) = use_toast(&on_tell);
    let (finds, on_found) = use_found(&state.runs, &known, &causes);
    let on_share = sharer(&state, &bus, &on_dialog, (on_toast, finds.clone()));
    let acted = use_acted(playing || state.can_undo());
    let watch = use_node_ref();
    let in_sight = use_in_sight(&watch);
    let watched = use_waiting(state.is_dragging() && !in_sight, || watched(&state));
    html! {
        <ContextProvider<Dispatch> context={dispatch}>
            <div class={classes!("app", screen.class(), state.present.then_some("is-presenting"),
                playing.then_some("is-playing"),
                state.tour.as_ref().map(|touring| touring.step().look.on_page().0))}>
            { bar(&state, screen, &on_dialog, (as_it_came, on_share, product.clone())) }
            if let Some(touring) = &state.tour {
                <TourCard touring={touring.clone()} runs={state.runs.clone()}
                    on_action={on_action.clone()} on_tell={on_tell.clone()} />
            }
            <main class="page">
                { headline(&state, acted, &on_action, &on_dialog) }
                <Stage state={state.clone()} bus={bus.clone()} known={known.clone()}
                    race={race.clone()} {narrow}
                    {playing} {docked} on_docked={on_docked.clone()}
                    told={waits_for_it(&listed, state.unread.is_some(), &on_action)}
                    on_action={on_action.clone()} on_tours={on_tours.clone()} />
                { (!narrow).then(|| controls(&state, &race, product.clone())) }
                { watch_column(&watch, watched, &state, &bus, &on_seek) }
                { results(&state, tab, (&known.ranges, &causes), &on_tell, (&on_action, &on_found),
                    &on_seek) }
                if narrow {
                    { notes(&state, &race) }
                    <Dock state={state.clone()} bus={bus.clone()} {known} {race} {narrow} {playing}
                        {docked} {on_docked} {on_action} {on_tours} {product} />
                }
            </main>
            <Announcer runs={state.runs.clone()} moment={state.moment}
                selection={state.selection} dragging={state.is_dragging()} {playing}
                hide_future={state.hide_future} causes={causes.clone()} {told} />
            </div>
            { toast }
            { opened(dialog, &state, &bus, (on_close, &finds, listed)) }
        </ContextProvider<Dispatch>>
    }
}

/// The column of controls.
fn controls(state: &AppState, race: &Rc<RaceText>, product: Option<AttrValue>) -> Html {
    html! {
        <div class="column controls">
            { your_numbers(state, race, product) }
            <WhatGoesWrong file={state.controlled()} selected={state.selected_fault()}
                run_2_only={state.run_2_only} />
        </div>
    }
}

/// What stands below the lists of a narrow page: the ways to all ranges and to the scenario's text.
fn notes(state: &AppState, race: &RaceText) -> Html {
    html! {
        <p class="notes">
            { all_ranges(race, state.hide_future) }
            { about_scenario(&state.edited().notes) }
        </p>
    }
}

/// Ties the page to what is around it: the theme, the whole screen, the device, the address, and
/// what is handed to it.
#[hook]
fn use_outside(state: &UseReducerHandle<AppState>, dispatch: &Dispatch, bus: &PlayheadBus) {
    use_theme(state.theme);
    use_present(state.present, dispatch);
    use_kept(state, dispatch);
    use_address(state, dispatch, bus);
    use_incoming(dispatch);
}

/// Whether the scenario is as the gallery has it; while it is dragged it is not.
#[hook]
fn use_as_it_came(state: &AppState) -> bool {
    let file = (!state.is_dragging()).then(|| state.file.clone());
    *use_memo((file, state.scenario), |(file, id)| {
        let entry = GalleryEntry::find(id);
        entry.zip(file.as_ref()).is_some_and(|(entry, file)| entry.file() == **file)
    })
}

/// What the menu *Share* calls.
fn sharer(
    state: &UseReducerHandle<AppState>,
    bus: &PlayheadBus,
    on_dialog: &Callback<Dialog>,
    (on_toast, finds): (Callback<AttrValue>, Finds),
) -> Callback<Share> {
    let (state, bus, on_dialog) = (state.clone(), bus.clone(), on_dialog.clone());
    Callback::from(move |what: Share| {
        share(what, &state, || subject(&state, &bus, finds()), &on_dialog, &on_toast);
    })
}

/// The top bar, with the links that skip it. Nothing of it is presented.
fn bar(
    state: &AppState,
    screen: Screen,
    on_dialog: &Callback<Dialog>,
    (is_untouched, on_share, product): (bool, Callback<Share>, Option<AttrValue>),
) -> Html {
    if state.present {
        return Html::default();
    }
    let title = state.edited().title.clone();
    let scenario = &state.controlled().scenario;
    html! {
        <>
            <SkipLinks />
            <TopBar lock={scenario.lock}
                called={service_name(state.edited()).or(product)}
                scenario={state.scenario} {title}
                {is_untouched} theme={state.theme}
                can_undo={state.can_undo()} can_redo={state.can_redo()}
                {screen} on_dialog={on_dialog.clone()} {on_share} />
        </>
    }
}

/// What the incident calls its lock service.
fn service_name(file: &ScenarioFile) -> Option<AttrValue> {
    let words = Words::of(&file.incident, &file.scenario);
    words.given(NodeId::Lock(LockNodeId(0))).map(|name| name.to_owned().into())
}

/// Whether what is docked has the runs' regions, because their lanes are out of sight.
#[hook]
fn use_docked() -> (bool, Callback<bool>) {
    let docked = use_state_eq(|| false);
    let on_docked = {
        let docked = docked.setter();
        Callback::from(move |is: bool| docked.set(is))
    };
    (*docked, on_docked)
}

/// What the panels beside the timeline show.
#[derive(Clone)]
struct Watched {
    runs: Rc<Runs>,
    moment: u32,
    selection: Selection,
}

fn watched(state: &AppState) -> Watched {
    Watched { runs: state.runs.clone(), moment: state.moment, selection: state.selection }
}

/// The column beside the timeline: the state and the events.
fn watch_column(
    node: &NodeRef,
    watched: Watched,
    state: &AppState,
    bus: &PlayheadBus,
    on_seek: &Callback<SimTime>,
) -> Html {
    let Watched { runs, moment, selection } = watched;
    html! {
        <div class="column watch" ref={node}>
            <State runs={runs.clone()} {moment} bus={bus.clone()} />
            <Events {runs} {moment} {selection} hide_future={state.hide_future}
                on_seek={on_seek.clone()} />
        </div>
    }
}

/// What is told besides the events, and what tells it.
#[hook]
pub(super) fn use_told() -> (AttrValue, Callback<AttrValue>) {
    let told = use_state_eq(AttrValue::default);
    let setter = told.setter();
    let on_tell = use_callback((), move |text: AttrValue, ()| setter.set(text));
    ((*told).clone(), on_tell)
}

/// Which tab is chosen, and what chooses one.
#[hook]
fn use_tab() -> (Tab, Callback<Tab>) {
    let tab = use_state_eq(|| Tab::Remedies);
    let on_tab = {
        let tab = tab.setter();
        use_callback((), move |which: Tab, ()| tab.set(which))
    };
    (*tab, on_tab)
}

/// The dialog that is open, and what opens and closes one.
#[hook]
fn use_dialog() -> (Option<Dialog>, Callback<Dialog>, Callback<()>) {
    let dialog = use_state_eq(|| None::<Dialog>);
    let open = {
        let dialog = dialog.setter();
        use_callback((), move |which: Dialog, ()| dialog.set(Some(which)))
    };
    let close = {
        let dialog = dialog.setter();
        Callback::from(move |()| dialog.set(None))
    };
    (*dialog, open, close)
}

/// What stands below: what runs came to, which nobody is to know while the future is hidden, and
/// the commands at the playhead. One of it at a time.
fn results(
    state: &AppState,
    (tab, on_tab): (Tab, Callback<Tab>),
    (ranges, causes): (&Rc<Vec<RunRanges>>, &Rc<FoundCauses>),
    on_tell: &Callback<AttrValue>,
    (on_action, on_found): (&Callback<AppAction>, &Callback<(Scenario, RemedyTable)>),
    on_seek: &Callback<SimTime>,
) -> Html {
    let (file, runs, dragging) = (&state.file, &state.runs, state.is_dragging());
    let shown = match tab {
        _ if tab.tells_the_end() && state.hide_future => html! {
            <section class="card"><p class="hint">{ "Hidden, as the future is." }</p></section>
        },
        Tab::Remedies => html! {
            <Remedies file={file.clone()} runs={runs.clone()} {dragging} on_tell={on_tell.clone()}
                on_action={on_action.clone()} on_found={on_found.clone()} />
        },
        Tab::Systems => html! {
            <Systems runs={runs.clone()} {dragging} on_action={on_action.clone()} />
        },
        Tab::Properties => html! {
            <Properties runs={runs.clone()} ranges={ranges.clone()} causes={causes.clone()}
                about={range_words::about(file)} {dragging} on_seek={on_seek.clone()} />
        },
        Tab::History => html! {
            <HistoryPanel runs={runs.clone()} {dragging} on_seek={on_seek.clone()} />
        },
        Tab::InYourSystem => html! {
            <InYourSystem runs={runs.clone()} moment={state.moment} on_tell={on_tell.clone()} />
        },
    };
    html! {
        <div class="column results">
            if !state.hide_future {
                <ObservedPanel file={file.clone()} runs={runs.clone()}
                    on_action={on_action.clone()} on_seek={on_seek.clone()} />
            }
            <Tabs {tab} {on_tab}>{ shown }</Tabs>
            <p class="private">{ "Everything runs in this page: nothing leaves the browser" }</p>
        </div>
    }
}

/// The dialog that is open, if one is.
fn opened(
    dialog: Option<Dialog>,
    state: &AppState,
    bus: &PlayheadBus,
    (on_close, finds, listed): (Callback<()>, &Finds, Listed),
) -> Html {
    let (file, runs) = (state.file.clone(), state.runs.clone());
    match dialog {
        Some(Dialog::Help) => html! { <Help single_keys={state.single_keys} {on_close} /> },
        Some(Dialog::Legend) => html! {
            <DialogFrame title="Legend" {on_close}><Legend /></DialogFrame>
        },
        Some(Dialog::Tours) => html! { <Tours {on_close} /> },
        Some(Dialog::Gallery) => html! { <Gallery {on_close} /> },
        Some(Dialog::Open) => html! { <Open {on_close} /> },
        Some(Dialog::Products) => {
            let file = state.edited().clone();
            html! { <FindProduct {listed} {file} {on_close} /> }
        }
        Some(Dialog::CopyLink) => {
            let link = address::link(state).map(AttrValue::from);
            let frame = address::frame(state).map(AttrValue::from);
            html! { <CopyLink {file} {runs} {link} {frame} {on_close} /> }
        }
        Some(Dialog::Export) => {
            let subject = subject(state, bus, finds());
            html! { <ExportDialog {subject} {on_close} /> }
        }
        Some(Dialog::Incident) => html! { <IncidentDialog {file} {on_close} /> },
        None => html! {},
    }
}

/// What is taken along: what the page shows, with the stretch that is in view.
fn subject(state: &AppState, bus: &PlayheadBus, found: Found) -> Subject {
    let (file, runs) = (state.file.clone(), state.runs.clone());
    let at = bus.now();
    let view = bus.seen().map_or_else(|| fitted(&runs, state.window, at), |seen| seen.scale.view);
    let (run, theme, link) = (RunNo::One, colors::Theme::Light, address::link(state));
    Subject { file, runs, run, view, axis: state.axis, at, theme, link, found }
}

/// Sends the playhead to an instant: one callback for the page's life, so that what takes it is not
/// drawn again.
#[hook]
fn use_seeker(bus: &PlayheadBus) -> Callback<SimTime> {
    let bus = bus.clone();
    use_callback((), move |time: SimTime, ()| {
        bus.command(TimeControlCommand::Seek(time));
    })
}

/// The page's playhead: made once, told of new runs before they are drawn, and waiting while
/// something is dragged.
#[hook]
pub(super) fn use_bus(state: &AppState, dispatch: &Dispatch) -> PlayheadBus {
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
        // The same runs may be shown anew, with the playhead elsewhere.
        let deps = (state.runs.clone(), state.work.clone());
        use_effect_with(deps, move |(runs, _)| bus.set_runs(runs.clone()));
    }
    PlayheadBus::clone(&bus)
}

/// Light, dark, or as the system says: an attribute that the style sheet reads.
#[hook]
pub(super) fn use_theme(theme: Theme) {
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
