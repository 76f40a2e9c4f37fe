//! Faults that can be held: blocks and handles, moved by pointer, by touch and by keyboard. What is
//! held emits edits of one drag; what they lead to comes back as another layout.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, PointerEvent, SvgElement};
use yew::prelude::*;

use crate::sim::id::FaultId;
use crate::sim::scenario::{Change, Fault};
use crate::sim::time::{SimDuration, SimTime};
use crate::ui::store::{AppAction, Selection, Window};
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::timeline::held::{Ground, under_hand};
use crate::view_model::timeline::marker::{FaultMark, FaultShape, Grip};
use crate::view_model::timeline::snap;
use crate::view_model::words::wording;

use super::{Laid, attr, px};

#[derive(Properties, PartialEq)]
pub(super) struct FaultHandlesProps {
    pub layout: Laid,
    pub runs: Rc<Runs>,
    pub selection: Selection,
    /// Whether what is dragged snaps to events.
    pub snaps: bool,
    /// Whether something is in hand: time does not bend anew under the pointer.
    pub in_hand: Rc<Cell<bool>>,
    /// Nothing behind it is shown.
    pub until: Option<SimTime>,
    pub axis: TimeAxis,
    pub on_action: Callback<AppAction>,
}

/// Which mark: in whose lanes, and of which fault.
type MarkId = (RunNo, FaultId);

/// What is held, and by how much the pointer is off its place.
#[derive(Clone, Copy)]
struct InHand {
    mark: MarkId,
    grip: Grip,
    offset: Px,
}

/// Everything that a handle's callbacks need, as it is now.
#[derive(Clone)]
struct Hands {
    layout: Laid,
    runs: Rc<Runs>,
    held: Rc<RefCell<Option<InHand>>>,
    /// Where what is held snaps.
    points: Rc<RefCell<Vec<SimTime>>>,
    snaps: bool,
    in_hand: Rc<Cell<bool>>,
    axis: TimeAxis,
    on_action: Callback<AppAction>,
}

#[component]
pub(super) fn FaultHandles(props: &FaultHandlesProps) -> Html {
    let held = use_mut_ref(|| None::<InHand>);
    let points = use_mut_ref(Vec::new);
    let hands = Hands {
        layout: props.layout.clone(),
        runs: props.runs.clone(),
        held,
        points,
        snaps: props.snaps,
        in_hand: props.in_hand.clone(),
        axis: props.axis,
        on_action: props.on_action.clone(),
    };
    let known = |at: SimTime| props.until.is_none_or(|until| at <= until);
    let marks = props.layout.faults.iter().filter(|mark| known(mark.from));
    html! {
        <g>
            { for marks.map(|mark| {
                let ends_known = mark.to.is_some_and(known);
                let selected = props.selection == Selection::Fault(mark.fault);
                html! {
                    <g
                        key={format!("{} {:?}", mark.fault.0, mark.run)}
                        class={classes!("tl-fault", selected.then_some("is-selected"),
                            (!mark.enabled).then_some("is-off"))}
                        data-fault={mark.fault.0.to_string()}
                    >
                        { body_view(mark, &hands, ends_known) }
                        { for mark.grips(ends_known)
                            .into_iter()
                            .map(|grip| grip_view(mark, grip, &hands)) }
                    </g>
                }
            }) }
        </g>
    }
}

fn grip_name(mark: &FaultMark, grip: Grip) -> String {
    match (mark.shape, grip) {
        (_, Grip::Body) => mark.name.clone(),
        (FaultShape::Pause | FaultShape::Crash, Grip::Start) => format!("{}, start", mark.name),
        (FaultShape::Pause, Grip::End) => format!("{}, end", mark.name),
        (FaultShape::Crash, Grip::End) => format!("{}, restart", mark.name),
        (FaultShape::Delay, _) => mark.name.clone(),
    }
}

/// What a handle is for, to whoever hovers over it.
fn grip_hint(mark: &FaultMark, grip: Grip) -> &'static str {
    match (mark.shape, grip) {
        (FaultShape::Pause, Grip::Start) => "Drag to change when the pause begins",
        (FaultShape::Pause, Grip::End) => "Drag to change how long the pause lasts",
        (FaultShape::Pause, Grip::Body) => "Drag to move the pause",
        (FaultShape::Crash, Grip::End) => "Drag to change when it starts again",
        (FaultShape::Crash, Grip::Start | Grip::Body) => "Drag to move the crash",
        (FaultShape::Delay, _) => "Drag to change how long the message is under way",
    }
}

/// The block or mark itself.
fn body_view(mark: &FaultMark, hands: &Hands, ends_known: bool) -> Html {
    let half = Px::whole(12);
    let (x, end) = match (mark.shape, mark.end) {
        (FaultShape::Delay, _) => return Html::default(),
        (FaultShape::Pause, Some(end)) if ends_known => (mark.x, end),
        (FaultShape::Pause, _) => (mark.x, hands.layout.metrics.width),
        (FaultShape::Crash, _) => (mark.x - half, mark.x + half),
    };
    let (left, right) = (Px::whole(-20), hands.layout.metrics.width + Px::whole(20));
    let (x, end) = (x.clamp(left, right), end.clamp(left, right));
    html! {
        <rect
            class="tl-block"
            role="button"
            tabindex="0"
            aria-label={grip_name(mark, Grip::Body)}
            data-grip="body"
            x={attr(x)}
            y={attr(mark.y)}
            width={attr((end - x).max(Px::whole(1)))}
            height={attr(mark.bottom - mark.y)}
            rx="5"
            onpointerdown={hands.down(mark, Grip::Body)}
            onpointermove={hands.over()}
            onpointerup={hands.up()}
            onpointercancel={hands.up()}
            onkeydown={hands.key(mark, Grip::Body)}
            onkeyup={hands.key_up()}
            onclick={hands.select(mark)}
        />
    }
}

fn grip_view(mark: &FaultMark, grip: Grip, hands: &Hands) -> Html {
    let at = mark.place(grip);
    let plate = mark.handle(grip, hands.layout.metrics.width);
    let (x, y, height) = (plate.x + Px::whole(5), plate.y, plate.h);
    let end = hands.runs.ends_at().max(at);
    let millis = |time: SimTime| (time.micros() / 1_000).to_string();
    html! {
        <g
            class="tl-grip"
            role="slider"
            tabindex="0"
            aria-label={grip_name(mark, grip)}
            aria-orientation="horizontal"
            aria-valuemin="0"
            aria-valuemax={millis(end)}
            aria-valuenow={millis(at)}
            aria-valuetext={wording::time(at)}
            data-grip="handle"
            transform={format!("translate({x} {y})")}
            onpointerdown={hands.down(mark, grip)}
            onpointermove={hands.over()}
            onpointerup={hands.up()}
            onpointercancel={hands.up()}
            onkeydown={hands.key(mark, grip)}
            onkeyup={hands.key_up()}
            onclick={hands.select(mark)}
            onfocus={hands.reveal(at)}
        >
            <title>{ grip_hint(mark, grip) }</title>
            <rect
                class="tl-grip-hit"
                x="-12"
                y="-2"
                width="24"
                height={attr(height + Px::whole(4))}
            />
            <rect class="tl-grip-plate" x="-5" y="0" width="10" height={attr(height)} rx="4" />
            <path class="tl-grip-lines" d="M-1.5 8v12M1.5 8v12" />
        </g>
    }
}

impl Hands {
    fn fault(&self, (run, id): MarkId) -> Option<(&FaultMark, &Fault)> {
        let mut marks = self.layout.faults.iter();
        let mark = marks.find(|mark| mark.fault == id && mark.run == run)?;
        let faults = &self.runs.run_1.scenario().spec().faults;
        Some((mark, faults.iter().find(|fault| fault.id == id)?))
    }

    /// The events to which what is held snaps.
    fn points_of(&self, id: MarkId, grip: Grip) -> Vec<SimTime> {
        let run = self.runs.run(id.0);
        let points =
            self.fault(id).zip(run).map(|((_, fault), run)| snap::points(run, fault, grip));
        points.unwrap_or_default()
    }

    /// What a key does to a fault besides moving it; tells whether it did something.
    fn act(&self, id: FaultId, enabled: bool, key: &str) -> bool {
        let change = match key {
            "Delete" | "Backspace" => Change::RemoveFault(id),
            "d" | "D" => Change::EnableFault { id, enabled: !enabled },
            _ => return false,
        };
        let removes = matches!(change, Change::RemoveFault(_));
        self.on_action.emit(AppAction::Edit(change));
        if removes {
            focus_playhead();
        }
        true
    }

    /// The handle of the same lane that is nearest to a place: a finger covers several of them.
    fn nearest(&self, (run, id): MarkId, x: Px) -> Option<(MarkId, Grip, SimTime)> {
        let marks = &self.layout.faults;
        let own = marks.iter().find(|mark| mark.fault == id && mark.run == run)?;
        let of_lane = marks.iter().filter(|mark| mark.run == run && mark.y == own.y);
        let all = of_lane.flat_map(|mark| {
            let handle = |grip| ((mark.run, mark.fault), grip, mark.place(grip));
            mark.grips(true).into_iter().map(handle)
        });
        all.min_by_key(|(.., at)| (self.layout.scale.x(*at) - x).0.abs())
    }

    fn drag_to(&self, id: MarkId, grip: Grip, at: SimTime) {
        if let Some((mark, fault)) = self.fault(id) {
            let moved = mark.moved(fault, grip, at);
            if moved != *fault {
                let change = Change::ReplaceFault(moved);
                self.on_action.emit(AppAction::DragEdit(change));
            }
        }
    }

    /// The instant that puts what is held under a place, and the map of what comes of it.
    fn under(&self, held: &InHand, x: Px) -> (SimTime, TimeScale) {
        let (scale, metrics) = (&self.layout.scale, &self.layout.metrics);
        let ground = Ground { runs: &self.runs, scale, metrics, axis: self.axis };
        let put = |at| {
            let (mark, fault) = self.fault(held.mark)?;
            Some(Change::ReplaceFault(mark.moved(fault, held.grip, at)))
        };
        under_hand(&ground, &put, x)
    }

    fn down(&self, mark: &FaultMark, grip: Grip) -> Callback<PointerEvent> {
        let (hands, mark, place) = (self.clone(), (mark.run, mark.fault), mark.place(grip));
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 {
                return;
            }
            event.stop_propagation();
            let Some(x) = place_of(&event) else {
                return;
            };
            capture(&event);
            let (mark, grip, place) = match grip {
                Grip::Body => (mark, grip, place),
                Grip::Start | Grip::End => hands.nearest(mark, x).unwrap_or((mark, grip, place)),
            };
            *hands.points.borrow_mut() = hands.points_of(mark, grip);
            let offset = x - hands.layout.scale.x(place);
            *hands.held.borrow_mut() = Some(InHand { mark, grip, offset });
            hands.in_hand.set(true);
        })
    }

    fn over(&self) -> Callback<PointerEvent> {
        let hands = self.clone();
        Callback::from(move |event: PointerEvent| {
            let held = *hands.held.borrow();
            let Some(held) = held else { return };
            event.stop_propagation();
            let Some(x) = place_of(&event) else {
                return;
            };
            let (at, scale) = hands.under(&held, x - held.offset);
            let snaps = hands.snaps && !event.alt_key();
            let near = snap::nearest(&hands.points.borrow(), &scale, at).filter(|_| snaps);
            hands.drag_to(held.mark, held.grip, near.unwrap_or_else(|| scale.snapped(at)));
        })
    }

    fn up(&self) -> Callback<PointerEvent> {
        let hands = self.clone();
        Callback::from(move |event: PointerEvent| {
            if hands.held.borrow_mut().take().is_some() {
                event.stop_propagation();
                hands.in_hand.set(false);
                hands.on_action.emit(AppAction::DragEnd);
            }
        })
    }

    fn key(&self, mark: &FaultMark, grip: Grip) -> Callback<KeyboardEvent> {
        let enabled = mark.enabled;
        let (hands, mark, place) = (self.clone(), (mark.run, mark.fault), mark.place(grip));
        Callback::from(move |event: KeyboardEvent| {
            let jumps = event.ctrl_key() || event.meta_key();
            if event.alt_key() || (jumps && !event.key().starts_with("Arrow")) {
                return;
            }
            if hands.act(mark.1, enabled, &event.key()) {
                event.prevent_default();
                return;
            }
            let beyond = |forward: bool| {
                let points = hands.points_of(mark, grip);
                snap::next(&points, place, forward).unwrap_or(place)
            };
            let small = SimDuration::from_millis(100);
            let step = small.times(if event.shift_key() { 10 } else { 1 });
            let at = match event.key().as_str() {
                "ArrowLeft" if jumps => beyond(false),
                "ArrowRight" if jumps => beyond(true),
                "ArrowLeft" | "ArrowDown" => place - step,
                "ArrowRight" | "ArrowUp" => place + step,
                "PageDown" => place - small.times(10),
                "PageUp" => place + small.times(10),
                "Enter" | " " if grip == Grip::Body => {
                    event.prevent_default();
                    hands.on_action.emit(AppAction::Select(Selection::Fault(mark.1)));
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            hands.drag_to(mark, grip, at);
        })
    }

    /// A key that is held moves the handle as one drag.
    fn key_up(&self) -> Callback<KeyboardEvent> {
        let on_action = self.on_action.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key().starts_with("Arrow") || event.key().starts_with("Page") {
                on_action.emit(AppAction::DragEnd);
            }
        })
    }

    fn select(&self, mark: &FaultMark) -> Callback<MouseEvent> {
        let (on_action, fault) = (self.on_action.clone(), mark.fault);
        Callback::from(move |_| on_action.emit(AppAction::Select(Selection::Fault(fault))))
    }

    /// Brings a place into sight.
    fn reveal(&self, at: SimTime) -> Callback<FocusEvent> {
        let hands = self.clone();
        Callback::from(move |_| {
            let view = hands.layout.scale.view;
            if !view.holds(at) {
                let view = view.following(at, hands.runs.ends_at());
                hands.on_action.emit(AppAction::SetWindow(Window {
                    start: view.from,
                    end: view.to,
                    fitted: false,
                }));
            }
        })
    }
}

/// Where a pointer is in the drawing.
fn place_of(event: &PointerEvent) -> Option<Px> {
    let target = event.target()?.dyn_into::<SvgElement>().ok()?;
    let left = target.owner_svg_element()?.get_bounding_client_rect().left();
    Some(px(f64::from(event.client_x()) - left))
}

/// The focus of what was removed goes to the playhead.
fn focus_playhead() {
    let document = web_sys::window().and_then(|window| window.document());
    let playhead = document.and_then(|page| page.query_selector(".tl-playhead").ok().flatten());
    if let Some(playhead) = playhead.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        // Fails only for what is not in the page.
        let _ = playhead.focus();
    }
}

/// Keeps a pointer's moves coming wherever it goes. The target, because Yew listens at the root of
/// the page and the current target is that.
pub(super) fn capture(event: &PointerEvent) {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if let Some(element) = element {
        // Fails only for a pointer that is gone already; then no moves come either.
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}
