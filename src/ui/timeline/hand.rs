//! The bar under the lanes for what is done by hand: adding a fault to the lane whose “+” was
//! pressed, switching off or removing the one that is picked out, and what is drawn faintly.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, SvgElement};
use yew::prelude::*;

use crate::sim::id::{FaultId, NodeId};
use crate::sim::limits;
use crate::sim::plain_text::one_line;
use crate::sim::scenario::Change;
use crate::ui::controls::choice::{Choice, Switch};
use crate::ui::store::{AppAction, Selection};
use crate::view_model::timeline::by_hand::{find, kinds};
use crate::view_model::tracks::shown::Shown;

use super::TimelineProps;
use super::draw::{Tool, put_down};

/// What the timeline needs for work by hand.
pub(super) struct Hand {
    /// What the next drag draws.
    pub tool: Option<Tool>,
    /// Sets it.
    pub on_tool: Callback<Option<Tool>>,
    /// Whether what is dragged snaps to events.
    pub snaps: bool,
    /// A lane's “+” was pressed.
    pub on_add: Callback<NodeId>,
    /// What stands under the lanes.
    pub bar: Html,
}

/// The tool, and the bar that belongs to it.
#[hook]
pub(super) fn use_hand(root: &NodeRef, props: &TimelineProps, shown: &Rc<Shown>) -> Hand {
    let tool = use_state_eq(|| None::<Tool>);
    let snaps = use_state_eq(|| true);
    let focus = use_memo((), |()| Cell::new(None::<FaultId>));
    use_focus_on_new(root, &focus);
    let on_tool = {
        let setter = tool.setter();
        use_callback((), move |next: Option<Tool>, ()| setter.set(next))
    };
    use_escape(props, tool.is_some(), &on_tool);
    let on_add = {
        let deps = (props.runs.clone(), *tool, on_tool.clone());
        use_callback(deps, |node: NodeId, (runs, tool, on_tool)| {
            let kinds = kinds(node, runs.run_1.scenario().spec());
            let first = kinds.first().map(|(what, _)| Tool { node, what: *what });
            on_tool.emit(first.filter(|_| tool.is_none_or(|tool| tool.node != node)));
        })
    };
    let snap = {
        let setter = snaps.setter();
        html! {
            <Switch label="Snap to events" on={*snaps}
                on_turn={Callback::from(move |on: bool| setter.set(on))} />
        }
    };
    let bar = html! {
        <>
            { ghost_note(props) }
            { clock_switch(props) }
            { match *tool {
                Some(tool) => add_bar(tool, props, shown, &on_tool, &focus, snap),
                None => fault_bar(props, snap),
            } }
        </>
    };
    Hand { tool: *tool, on_tool, snaps: *snaps, on_add, bar }
}

/// Escape puts the tool away and lets the ghost go.
#[hook]
fn use_escape(props: &TimelineProps, has_tool: bool, on_tool: &Callback<Option<Tool>>) {
    let on_action = (props.ghost.is_some()).then(|| props.on_action.clone());
    let deps = (on_action, has_tool, on_tool.clone());
    use_effect_with(deps, |(on_action, has_tool, on_tool)| {
        let window = web_sys::window().filter(|_| *has_tool || on_action.is_some());
        let (on_action, on_tool) = (on_action.clone(), on_tool.clone());
        let listener = window.map(|window| {
            EventListener::new(&window, "keydown", move |event| {
                let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
                if key.as_deref() == Some("Escape") && !event.default_prevented() {
                    on_tool.emit(None);
                    if let Some(on_action) = &on_action {
                        on_action.emit(AppAction::DropGhost);
                    }
                }
            })
        });
        move || drop(listener)
    });
}

/// A fault that was added by keyboard is in hand at once.
#[hook]
fn use_focus_on_new(root: &NodeRef, focus: &Rc<Cell<Option<FaultId>>>) {
    let (root, focus) = (root.clone(), focus.clone());
    use_effect(move || {
        let (Some(id), Some(root)) = (focus.get(), root.cast::<HtmlElement>()) else {
            return;
        };
        let selector = format!("[data-fault='{}'] [tabindex]", id.0);
        if let Ok(Some(mark)) = root.query_selector(&selector)
            && let Ok(mark) = mark.dyn_into::<SvgElement>()
        {
            focus.set(None);
            // Fails only for what is not in the page.
            let _ = mark.focus();
        }
    });
}

fn add_bar(
    tool: Tool,
    props: &TimelineProps,
    shown: &Rc<Shown>,
    on_tool: &Callback<Option<Tool>>,
    focus: &Rc<Cell<Option<FaultId>>>,
    snap: Html,
) -> Html {
    let spec = props.runs.run_1.scenario().spec();
    let kinds = kinds(tool.node, spec);
    let chosen = kinds.iter().position(|(what, _)| *what == tool.what).unwrap_or_default();
    let options: Vec<AttrValue> = kinds.iter().map(|(_, name)| (*name).into()).collect();
    let on_choose = on_tool.reform(move |index: usize| {
        kinds.get(index).map(|(what, _)| Tool { node: tool.node, what: *what })
    });
    let full = spec.faults.len() >= limits::MAX_FAULTS;
    let add = {
        let (shown, bus, focus) = (shown.clone(), props.bus.clone(), focus.clone());
        let (on_action, on_tool) = (props.on_action.clone(), on_tool.clone());
        Callback::from(move |_: MouseEvent| {
            for action in put_down(&shown, tool, bus.now()) {
                if let AppAction::Select(Selection::Fault(id)) = action {
                    focus.set(Some(id));
                }
                on_action.emit(action);
            }
            on_tool.emit(None);
        })
    };
    let cancel = on_tool.reform(|_: MouseEvent| None);
    let name = props.runs.words.actor(tool.node);
    html! {
        <div class="tl-hand" role="group" aria-label={format!("New fault on the lane of {name}")}>
            <b>{ name }</b>
            <Choice label="What happens on this lane" named={false} {options} {chosen}
                {on_choose} />
            <button type="button" class="button is-main" onclick={add} disabled={full}>
                { "Add at the playhead" }
            </button>
            <span class="hint">
                { match full {
                    true => format!("{} faults are the most", limits::MAX_FAULTS),
                    false => "or drag on the lane".to_owned(),
                } }
            </span>
            { snap }
            <button type="button" class="button is-quiet" onclick={cancel}>{ "Cancel" }</button>
        </div>
    }
}

/// What can be done to the fault that is picked out.
fn fault_bar(props: &TimelineProps, snap: Html) -> Html {
    let Selection::Fault(id) = props.selection else {
        return Html::default();
    };
    let Some(fault) = find(&props.runs, id) else {
        return Html::default();
    };
    let enabled = fault.enabled;
    let act = |change: Change| {
        let on_action = props.on_action.clone();
        Callback::from(move |_: MouseEvent| on_action.emit(AppAction::Edit(change.clone())))
    };
    html! {
        <div class="tl-hand" role="group" aria-label="The fault that is picked out">
            <b>{ props.runs.words.fault(&fault.kind) }{ if enabled { "" } else { ", off" } }</b>
            <button type="button" class="button"
                onclick={act(Change::EnableFault { id, enabled: !enabled })}>
                { if enabled { "Switch off" } else { "Switch on" } }
            </button>
            <button type="button" class="button" onclick={act(Change::RemoveFault(id))}>
                { "Remove" }
            </button>
            { snap }
        </div>
    }
}

/// Times of day on the ruler, where the incident has a start.
fn clock_switch(props: &TimelineProps) -> Html {
    let incident = &props.runs.incident;
    let Some(start) = incident.start else {
        return Html::default();
    };
    html! {
        <div class="tl-hand">
            <Switch label="Times of day" on={incident.clock}
                on_turn={props.on_action.reform(AppAction::ShowClock)} />
            <span class="hint">
                { format!("0 s is {start}") }
                if !incident.zone.is_empty() {
                    <bdi>{ format!(" · {}", one_line(&incident.zone)) }</bdi>
                }
            </span>
        </div>
    }
}

/// What is drawn faintly, in words.
fn ghost_note(props: &TimelineProps) -> Html {
    let Some(ghost) = props.ghost.as_ref().filter(|_| !props.hide_future) else {
        return Html::default();
    };
    let hide = props.on_action.reform(|_: MouseEvent| AppAction::DropGhost);
    html! {
        <div class="tl-hand is-ghost">
            <span class="tl-ghost-words">{ &*ghost.words }</span>
            <button type="button" class="button is-quiet" onclick={hide}>{ "Hide it" }</button>
        </div>
    }
}
