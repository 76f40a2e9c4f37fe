//! The middle of the page: the race, the timeline with all that belongs to it. Its foot, with the
//! caption and the transport, stays at the window's end while the lanes go on below. On a narrow
//! screen the race and the transport stand in the dock instead.

use yew::prelude::*;

use super::computing::ComputingBar;
use super::controls::Race;
use super::dock::PageProps;
use super::docked::{docked_verdicts, use_sight};
use super::hooks::{use_height, use_printing};
use super::panels::WhyCaption;
use super::present::present_end;
use super::store::AppAction;
use super::timeline::{Overview, Timeline, printed_legend};
use super::transport::Transport;
use crate::view_model::runs::labels;
use crate::view_model::sentences::system_words::compares_nothing;
use crate::view_model::words::wording;

/// The stage.
#[component]
pub fn Stage(props: &PageProps) -> Html {
    let PageProps { state, bus, .. } = props;
    let (runs, moment) = (&state.runs, state.moment);
    let printing = use_printing();
    let room = use_node_ref();
    let high = use_height(&room);
    // The dock looks for itself, whenever its sheet is opened or closed.
    use_sight((props.narrow, state.hide_future, state.present, high), &props.on_docked);
    let docked = props.docked && !props.narrow;
    html! {
        <div class="column stage">
            if !props.narrow {
                <Race file={state.controlled()} fencing={state.fencing} text={props.race.clone()}
                    known={props.known.clone()} hide_future={state.hide_future}
                    run_2_only={state.run_2_only} />
            }
            { notices(props) }
            <div class="card stage-card">
                if let Some(note) = labels::limit_note(runs) {
                    <p class="limit-note">{ note }</p>
                }
                if let Some(pending) = &state.pending {
                    <ComputingBar pending={pending.clone()} />
                }
                <Overview runs={runs.clone()} bus={bus.clone()} {moment}
                    window={state.window} axis={state.axis} hide_future={state.hide_future}
                    on_action={props.on_action.clone()} />
                <div class="tl-room" ref={room}>
                    <Timeline runs={runs.clone()} bus={bus.clone()} {moment}
                        window={state.window} axis={state.axis} selection={state.selection}
                        ghost={state.ghost.clone()}
                        dragging={state.is_dragging()} hide_future={state.hide_future}
                        quiet={state.is_dragging() || props.playing} docked={props.docked}
                        high={state.present.then_some(high)}
                        no_fence={compares_nothing(&state.file, runs)}
                        on_action={props.on_action.clone()} />
                </div>
                <div class={classes!("stage-foot", docked.then_some("is-docked"))}>
                    <WhyCaption runs={runs.clone()} {moment} selection={state.selection} />
                    if docked && !state.hide_future {
                        { docked_verdicts(props) }
                    }
                    if !props.narrow {
                        <Transport runs={runs.clone()} bus={bus.clone()} {moment}
                            end={state.present.then(|| {
                                present_end(state.axis, &props.on_action, &props.on_tours)
                            })} />
                    }
                </div>
            </div>
            if printing {
                { printed_legend() }
            }
        </div>
    }
}

/// What is to be said above the timeline: what was not taken, and what was read.
fn notices(props: &PageProps) -> Html {
    let state = &props.state;
    html! {
        <>
            if let Some(problem) = &state.problem {
                <p class="problem" role="alert">
                    { "Not taken, the last good run stays: " }{ wording::told(problem) }
                </p>
            }
            { props.told.clone() }
            if let Some(notice) = &state.notice {
                <p class="notice" role="status">
                    <span>{ wording::told(notice) }</span>
                    { action("Dismiss", AppAction::DismissNotice, &props.on_action) }
                </p>
            }
        </>
    }
}

/// A button that does one thing.
fn action(name: &'static str, what: AppAction, on_action: &Callback<AppAction>) -> Html {
    let onclick = on_action.reform(move |_: MouseEvent| what.clone());
    html! { <button type="button" class="button" {onclick}>{ name }</button> }
}
