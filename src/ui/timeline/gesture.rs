//! Pointers and wheels on the timeline: scrub, pan, zoom, pick out, explain. Vertical swipes and a
//! plain wheel are the page's own.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, PointerEvent, WheelEvent};
use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::playhead::PlayheadBus;
use crate::ui::store::{AppAction, Selection, Window};
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::sentences::describe;
use crate::view_model::timeline::held::anchored;
use crate::view_model::timeline::hit::{lines_at, moment_at, unsaid_at};
use crate::view_model::tracks::shown::Shown;
use crate::view_model::transport::playback::TimeControlCommand;
use crate::view_model::words::wording;

use super::draw::{Drawing, Tool};
use super::faults::capture;
use super::hand::Hand;
use super::{Laid, TimelineProps, px};

/// What a pointer is doing.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Gesture {
    /// Down, and not yet clear what for.
    Undecided { x: Px, y: Px, touch: bool },
    /// Moves the playhead.
    Scrub,
    /// Moves the view: what was under the pointer stays under it.
    Pan { at: SimTime },
    /// Draws a fault on its lane.
    Draw,
    /// Two fingers: their distance, the view and what was between them when they came down.
    Pinch { apart: Px, view: TimeView, at: SimTime },
}

/// A finger or a mouse that is down.
#[derive(Clone, Copy)]
struct Finger {
    id: i32,
    x: Px,
}

/// What the callbacks need, as it is now. One cell, so that they never change.
struct Latest {
    layout: Laid,
    shown: Rc<Shown>,
    runs: Rc<Runs>,
    bus: PlayheadBus,
    window: Window,
    axis: TimeAxis,
    hide_future: bool,
    on_action: Callback<AppAction>,
    gesture: Option<Gesture>,
    fingers: Vec<Finger>,
    tool: Option<Tool>,
    snaps: bool,
    on_tool: Callback<Option<Tool>>,
    /// What a drag draws, from when the pointer came down.
    drawing: Option<Drawing>,
    /// Told when a drag draws.
    in_hand: Rc<Cell<bool>>,
    /// Whether the pointer has just let go of something, and not moved since.
    dragged: bool,
}

/// The explanation beside the pointer.
#[derive(Clone, PartialEq)]
struct Tip {
    x: Px,
    y: Px,
    lines: Vec<String>,
}

/// What the timeline's element listens with.
pub(super) struct Gestures {
    pub down: Callback<PointerEvent>,
    pub over: Callback<PointerEvent>,
    pub up: Callback<PointerEvent>,
    pub cancel: Callback<PointerEvent>,
    pub leave: Callback<PointerEvent>,
    pub fit: Callback<MouseEvent>,
    pub tip: Html,
}

/// A mouse that moved less has clicked.
const CLICK: Px = Px::whole(3);
/// A finger that moved less has tapped.
const TAP: Px = Px::whole(8);

#[hook]
pub(super) fn use_gestures(
    root: &NodeRef,
    props: &TimelineProps,
    shown: &Rc<Shown>,
    layout: &Laid,
    hands: (&Hand, &Rc<Cell<bool>>),
) -> Gestures {
    let (hand, in_hand) = hands;
    let first = || Latest {
        layout: layout.clone(),
        shown: shown.clone(),
        runs: props.runs.clone(),
        bus: props.bus.clone(),
        window: props.window,
        axis: props.axis,
        hide_future: props.hide_future,
        on_action: props.on_action.clone(),
        gesture: None,
        fingers: Vec::new(),
        tool: hand.tool,
        snaps: hand.snaps,
        on_tool: hand.on_tool.clone(),
        drawing: None,
        in_hand: in_hand.clone(),
        dragged: false,
    };
    let latest = use_mut_ref(first);
    latest.borrow_mut().follow(props, shown, layout, hand);
    let tip = use_state_eq(|| None::<Tip>);
    {
        // Whoever dragged looks at what came of it; a tip from before speaks of what was there.
        let tip = tip.setter();
        use_effect_with(props.dragging, move |_| tip.set(None));
    }
    use_wheel(root, &latest);
    let on = |handle: fn(&mut Latest, &Element, &PointerEvent)| {
        let (latest, root, tip) = (latest.clone(), root.clone(), tip.setter());
        Callback::from(move |event: PointerEvent| {
            if let Some(root) = root.cast::<Element>() {
                handle(&mut latest.borrow_mut(), &root, &event);
                tip.set(explain(&latest.borrow(), &root, &event));
            }
        })
    };
    let leave = {
        let tip = tip.setter();
        Callback::from(move |_| tip.set(None))
    };
    let fit = {
        let (latest, runs) = (latest.clone(), props.runs.clone());
        Callback::from(move |_: MouseEvent| {
            let latest = latest.borrow();
            if !latest.window.fitted {
                let window = Window::whole(&runs);
                latest.on_action.emit(AppAction::SetWindow(window));
            }
        })
    };
    Gestures {
        fit,
        down: on(Latest::down),
        over: on(Latest::over),
        up: on(Latest::up),
        cancel: on(Latest::cancel),
        leave,
        tip: tip_view(tip.as_ref(), props.dragging),
    }
}

/// Whoever drags looks at what changes.
fn tip_view(tip: Option<&Tip>, dragging: bool) -> Html {
    let tip = tip.filter(|_| !dragging).cloned();
    tip.map(|tip| html! { <TipView {tip} /> }).unwrap_or_default()
}

/// Ctrl or ⌘ with the wheel zooms at the pointer; the listener is not Yew's, whose own cannot
/// keep the browser from zooming the page.
#[hook]
fn use_wheel(root: &NodeRef, latest: &Rc<RefCell<Latest>>) {
    let latest = latest.clone();
    use_effect_with(root.clone(), move |root| {
        let element = root.cast::<Element>();
        let listener = element.map(|element| {
            let options = EventListenerOptions::enable_prevent_default();
            let root = element.clone();
            EventListener::new_with_options(&element, "wheel", options, move |event| {
                let Some(event) = event.dyn_ref::<WheelEvent>() else {
                    return;
                };
                let latest = latest.borrow();
                let layout = &latest.layout;
                if event.ctrl_key() || event.meta_key() {
                    event.prevent_default();
                    let (x, _) = place(layout, &root, event.client_x(), event.client_y());
                    let percent = if event.delta_y() < 0.0 { 80 } else { 125 };
                    latest.zoom(layout.scale.view, layout.scale.time(x), percent, x);
                } else if event.delta_x().abs() > event.delta_y().abs() && !latest.shows_all() {
                    event.prevent_default();
                    let (x, _) = place(layout, &root, event.client_x(), event.client_y());
                    latest.pan(layout.scale.time(x), x - px(event.delta_x()));
                }
            })
        });
        move || drop(listener)
    });
}

/// A place on the drawing under a place in the window.
fn place(layout: &Laid, root: &Element, x: i32, y: i32) -> (Px, Px) {
    let bounds = root.get_bounding_client_rect();
    // The drawing is flush with the right edge, whatever stands left of it.
    let left = px(bounds.right()) - layout.metrics.width;
    (Px::whole(x) - left, Px::whole(y) - px(bounds.top()))
}

fn is_held_elsewhere(event: &PointerEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| matches!(target.closest("[data-grip]"), Ok(Some(_))))
}

impl Latest {
    /// Takes in what is so now.
    fn follow(&mut self, props: &TimelineProps, shown: &Rc<Shown>, layout: &Laid, hand: &Hand) {
        self.layout = layout.clone();
        self.shown = shown.clone();
        self.runs = props.runs.clone();
        self.window = props.window;
        self.axis = props.axis;
        self.hide_future = props.hide_future;
        self.on_action = props.on_action.clone();
        (self.tool, self.snaps) = (hand.tool, hand.snaps);
    }

    fn shows_all(&self) -> bool {
        self.layout.scale.view.is_whole(self.runs.ends_at())
    }

    fn down(&mut self, root: &Element, event: &PointerEvent) {
        if event.button() != 0 || is_held_elsewhere(event) {
            return;
        }
        let (x, y) = place(&self.layout, root, event.client_x(), event.client_y());
        let id = event.pointer_id();
        self.fingers.retain(|finger| finger.id != id);
        self.fingers.push(Finger { id, x });
        let touch = event.pointer_type() == "touch";
        if let [one, two] = self.fingers.as_slice() {
            let (apart, view) = (distance(one.x, two.x), self.layout.scale.view);
            let at = self.layout.scale.time(middle(one.x, two.x));
            self.gesture = Some(Gesture::Pinch { apart, view, at });
            self.end_drawing(false);
            return;
        }
        let on_ruler = y < self.layout.metrics.ruler();
        if on_ruler {
            capture(event);
            self.gesture = Some(Gesture::Scrub);
            self.bus.scrub(self.layout.scale.time(x));
        } else if x > Px::ZERO {
            if !touch {
                event.prevent_default();
            }
            self.gesture = Some(Gesture::Undecided { x, y, touch });
            let tool = self.tool.filter(|tool| tool.reaches(&self.layout, y));
            self.drawing = tool.map(|tool| {
                let (scale, snaps) = (&self.layout.scale, self.snaps && !event.alt_key());
                Drawing::at(tool, &self.shown, scale, scale.time(x), snaps)
            });
        }
    }

    fn over(&mut self, root: &Element, event: &PointerEvent) {
        self.dragged = false;
        let (x, _) = place(&self.layout, root, event.client_x(), event.client_y());
        let id = event.pointer_id();
        if let Some(finger) = self.fingers.iter_mut().find(|finger| finger.id == id) {
            finger.x = x;
        }
        match self.gesture {
            None => {}
            Some(Gesture::Undecided { x: from, touch, .. }) => {
                let least = if touch { TAP } else { CLICK };
                if distance(x, from) < least {
                    return;
                }
                capture(event);
                if self.drawing.is_some() {
                    self.gesture = Some(Gesture::Draw);
                    self.in_hand.set(true);
                    self.draw(x, event);
                } else if self.window.fitted || self.shows_all() {
                    self.gesture = Some(Gesture::Scrub);
                    self.bus.scrub(self.layout.scale.time(x));
                } else {
                    let at = self.layout.scale.time(from);
                    self.gesture = Some(Gesture::Pan { at });
                    self.pan(at, x);
                }
            }
            Some(Gesture::Draw) => self.draw(x, event),
            Some(Gesture::Scrub) => self.bus.scrub(self.layout.scale.time(x)),
            Some(Gesture::Pan { at }) => self.pan(at, x),
            Some(Gesture::Pinch { apart, view, at }) => self.pinch(apart, view, at),
        }
    }

    fn up(&mut self, root: &Element, event: &PointerEvent) {
        self.dragged = !matches!(self.gesture, None | Some(Gesture::Undecided { .. }));
        if let Some(Gesture::Undecided { y, .. }) = self.gesture {
            let (x, _) = place(&self.layout, root, event.client_x(), event.client_y());
            match self.drawing.is_some() {
                true => self.end_drawing(true),
                false => self.click(x, y),
            }
        }
        self.cancel(root, event);
    }

    fn cancel(&mut self, _: &Element, event: &PointerEvent) {
        self.fingers.retain(|finger| finger.id != event.pointer_id());
        self.gesture = None;
        self.end_drawing(false);
    }

    fn draw(&mut self, x: Px, event: &PointerEvent) {
        let snaps = self.snaps && !event.alt_key();
        if let Some(drawing) = &mut self.drawing {
            self.on_action.emit(drawing.to(&self.layout, self.axis, x, snaps));
        }
    }

    fn end_drawing(&mut self, tapped: bool) {
        self.in_hand.set(false);
        let actions = self.drawing.take().map(|drawing| drawing.done(tapped));
        let actions = actions.unwrap_or_default();
        if !actions.is_empty() {
            self.on_tool.emit(None);
        }
        actions.into_iter().for_each(|action| self.on_action.emit(action));
    }

    /// Goes to what was clicked and picks it out; where nothing is, to the instant.
    fn click(&self, x: Px, y: Px) {
        match moment_at(&self.runs, &self.layout, x, y) {
            Some(hit) if self.is_known(hit.moment.at) => {
                self.bus.command(TimeControlCommand::Seek(hit.moment.at));
                let selection = Selection::Moment(hit.index);
                self.on_action.emit(AppAction::Select(selection));
            }
            Some(_) | None => {
                let time = self.layout.scale.time(x);
                self.bus.command(TimeControlCommand::Seek(time));
            }
        }
    }

    fn is_known(&self, at: SimTime) -> bool {
        !self.hide_future || at <= self.bus.now()
    }

    fn pinch(&self, apart: Px, view: TimeView, at: SimTime) {
        let [one, two] = self.fingers.as_slice() else {
            return;
        };
        let now = distance(one.x, two.x).0.max(64);
        let percent = i64::from(apart.0.max(64)) * 100 / i64::from(now);
        let percent = u64::try_from(percent.clamp(5, 2_000)).unwrap_or(100);
        self.zoom(view, at, percent, middle(one.x, two.x));
    }

    /// Zooms a view; the instant ends up at a place.
    fn zoom(&self, view: TimeView, fixed: SimTime, percent: u64, x: Px) {
        let length = view.zoomed(fixed, percent, self.runs.ends_at()).length();
        self.show(anchored(&self.shown, &self.layout.metrics, self.axis, length, (fixed, x)));
    }

    fn pan(&self, at: SimTime, x: Px) {
        let length = self.layout.scale.view.length();
        self.show(anchored(&self.shown, &self.layout.metrics, self.axis, length, (at, x)));
    }

    fn show(&self, view: TimeView) {
        self.on_action.emit(AppAction::SetWindow(Window {
            start: view.from,
            end: view.to,
            fitted: false,
        }));
    }
}

fn middle(a: Px, b: Px) -> Px {
    Px((a.0 + b.0) / 2)
}

fn distance(a: Px, b: Px) -> Px {
    Px((a.0 - b.0).abs())
}

/// What to say about the place under a mouse that hovers.
fn explain(latest: &Latest, root: &Element, event: &PointerEvent) -> Option<Tip> {
    if event.pointer_type() != "mouse" || event.buttons() != 0 || latest.dragged {
        return None;
    }
    let (x, y) = place(&latest.layout, root, event.client_x(), event.client_y());
    let left = px(root.get_bounding_client_rect().width()) - latest.layout.metrics.width;
    if x >= Px::ZERO && y < latest.layout.metrics.ruler() {
        let line = latest.layout.ruler.tip(x, &latest.layout.scale)?;
        return Some(Tip { x: left + x, y, lines: vec![line] });
    }
    if x < Px::ZERO || y < latest.layout.top_of_lanes() {
        return None;
    }
    let hit = moment_at(&latest.runs, &latest.layout, x, y);
    if let Some(hit) = hit.filter(|hit| latest.is_known(hit.moment.at)) {
        let mut lines = vec![wording::time(hit.moment.at)];
        lines.extend(describe::moment(&latest.runs, &hit.moment));
        lines.extend(unsaid_at(&latest.layout, x, y));
        let x = left + hit.x;
        return Some(Tip { x, y, lines });
    }
    let at = latest.layout.scale.time(x);
    if !latest.is_known(at) {
        return None;
    }
    let mut so = lines_at(&latest.shown, &latest.layout, x, y);
    so.extend(unsaid_at(&latest.layout, x, y));
    if so.is_empty() {
        return None;
    }
    let mut lines = vec![latest.layout.time_label(at)];
    lines.extend(so);
    let x = left + x;
    Some(Tip { x, y, lines })
}

#[derive(Properties, PartialEq)]
struct TipProps {
    tip: Tip,
}

/// The explanation. Assistive technology has the list of events instead.
#[component]
fn TipView(props: &TipProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.tip.clone()), |(node, tip)| {
        let Some(element) = node.cast::<HtmlElement>() else {
            return;
        };
        let room = element.offset_parent().map_or(0, |parent| parent.client_width());
        let most = Px::whole(room - element.offset_width() - 4);
        let x = (tip.x + Px::whole(14)).min(most).max(Px::ZERO);
        let y = tip.y + Px::whole(18);
        // Two lengths in a property that exists: setting it cannot fail.
        let _ = element.style().set_property("transform", &format!("translate({x}px, {y}px)"));
    });
    let (time, lines) = props.tip.lines.split_first().map_or(("", &[][..]), |(a, b)| (a, b));
    html! {
        <div ref={node} class="tl-tip" aria-hidden="true">
            <b>{ time.to_owned() }</b>
            { for lines.iter().map(|line| html! { <span>{ line.clone() }</span> }) }
        </div>
    }
}
