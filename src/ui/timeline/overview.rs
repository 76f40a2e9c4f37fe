//! The head of the timeline: the whole run as a strip, where its events and violations are, the
//! stretch on screen and what of it is drawn widest; zooming, and how time is drawn.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::{Element, HtmlElement, PointerEvent};
use yew::prelude::*;

use crate::ui::hooks::{Mover, use_on_time, use_room};
use crate::ui::icon::{Icon, IconView};
use crate::ui::keys::{ZOOM_IN, ZOOM_OUT, zoomed};
use crate::ui::playhead::PlayheadBus;
use crate::ui::store::{AppAction, Window};
use crate::view_model::drawing::metrics::COLUMN;
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::timeline::overview::{HEIGHT, OverviewData, all_violations, overview};
use crate::view_model::timeline::ruler::NOT_TO_SCALE;
use crate::view_model::words::wording;

use super::axis::AxisChoice;
use super::faults::capture;
use super::view::use_seen;
use super::{attr, px, use_text_size};

/// What the overview needs.
#[derive(Properties, PartialEq)]
pub struct OverviewProps {
    /// The runs that are shown.
    pub runs: Rc<Runs>,
    /// The playhead.
    pub bus: PlayheadBus,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// What the timeline shows.
    pub window: Window,
    /// How it draws time.
    pub axis: TimeAxis,
    /// Whether nothing beyond the playhead is shown.
    #[prop_or_default]
    pub hide_future: bool,
    /// What the user does.
    pub on_action: Callback<AppAction>,
}

/// The head of the timeline.
#[component]
pub fn Overview(props: &OverviewProps) -> Html {
    let strip = use_node_ref();
    let line = use_node_ref();
    let room = use_room(&strip);
    let width = Px::whole(i32::from(room.width));
    let text = (room.text * 3 / 4).max(12);
    let head = use_node_ref();
    let violations = use_memo(props.runs.clone(), |runs| all_violations(runs));
    let seen = use_seen(&props.bus);
    let view =
        seen.as_ref().map_or_else(|| TimeView::whole(props.runs.ends_at()), |it| it.scale.view);
    let column = seen.as_ref().map_or(COLUMN, |seen| seen.column);
    use_text_size(&head, (text, text), column);
    let race = seen.and_then(|seen| seen.race);
    let until = props.hide_future.then(|| props.bus.now());
    let deps = (props.runs.clone(), view, race, width, until.map(|_| props.moment));
    let data = use_memo(deps, |(runs, view, race, width, _)| {
        let race = race.map(|[(from, _), (to, _)]| (from, to));
        overview(runs, &violations, (*view, race), until, *width)
    });
    use_line(&line, &data.scale, &props.bus);
    let held = use_mut_ref(|| Cell::new(false));
    let go = goer(props, strip.clone(), data.clone(), view);
    let down = {
        let (go, held) = (go.clone(), held.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                capture(&event);
                held.borrow().set(true);
                go(&event);
            }
        })
    };
    let over = {
        let held = held.clone();
        Callback::from(move |event: PointerEvent| {
            if held.borrow().get() {
                go(&event);
            }
        })
    };
    let up = Callback::from(move |_: PointerEvent| held.borrow().set(false));
    html! {
        <div ref={head} class="ov">
            <span class="ov-label">{ "Whole run" }</span>
            // The list of events and the playhead say in words and by keyboard what stands here.
            <div
                ref={strip}
                class="ov-strip"
                aria-hidden="true"
                onpointerdown={down}
                onpointermove={over}
                onpointerup={up.clone()}
                onpointercancel={up}
            >
                { drawing(&data) }
                <div ref={line} class="ov-playhead" />
                { wedge(&data, race.map(|[(_, x), (_, end)]| (x, end)), text) }
            </div>
            <span class="ov-length">{ wording::time(props.runs.ends_at()) }</span>
            { zoom_buttons(props, view) }
            { axis_switch(props, race.is_some()) }
        </div>
    }
}

/// Lets the line follow the playhead.
#[hook]
fn use_line(line: &NodeRef, scale: &TimeScale, bus: &PlayheadBus) {
    let mover = use_memo((), |()| Mover::default());
    use_on_time(bus, (scale.clone(), line.clone()), {
        let (line, bus, scale) = (line.clone(), bus.clone(), scale.clone());
        move |_| {
            if let Some(line) = line.cast::<HtmlElement>() {
                mover.follow(&line.style(), &scale, &bus);
            }
        }
    });
}

fn axis_switch(props: &OverviewProps, is_bent: bool) -> Html {
    html! {
        <>
            <span class="ov-space"></span>
            if is_bent {
                <span class="ov-not-to-scale" aria-hidden="true">{ NOT_TO_SCALE }</span>
            }
            <AxisChoice axis={props.axis} on_action={props.on_action.clone()} />
        </>
    }
}

/// From the sliver to its bracket in the ruler below. The strip begins where the ruler does.
fn wedge(data: &OverviewData, bracket: Option<(Px, Px)>, text: u16) -> Html {
    let Some(((x, end), (left, right))) = data.sliver.zip(bracket) else {
        return Html::default();
    };
    // The strip's own margin, what is below it in the head, and what the ruler leaves free.
    let bottom = Px::whole(10) + Px::whole(9).share(i32::from(text), 12);
    let edges = format!("M{x} 0L{left} {bottom}M{end} 0L{right} {bottom}");
    html! {
        <svg class="ov-wedge" height={attr(bottom)}>
            <path class="ov-wedge-ground" d={format!("M{x} 0H{end}L{right} {bottom}H{left}z")} />
            <path class="ov-wedge-edges" d={edges} />
        </svg>
    }
}

fn zoom_buttons(props: &OverviewProps, view: TimeView) -> Html {
    let zoom = |percent: u64| {
        let (bus, window) = (props.bus.clone(), props.window);
        props
            .on_action
            .reform(move |_: MouseEvent| AppAction::SetWindow(zoomed(&bus, window, percent)))
    };
    let runs = props.runs.clone();
    let fit = props.on_action.reform(move |_| AppAction::SetWindow(Window::whole(&runs)));
    let whole = view.is_whole(props.runs.ends_at());
    let button = |name: &'static str, icon, disabled, onclick: Callback<MouseEvent>| {
        html! {
            <button type="button" class="ov-zoom" aria-label={name} title={name} {disabled}
                {onclick}>
                <IconView {icon} />
            </button>
        }
    };
    html! {
        <span class="ov-zooms" role="group" aria-label="Zoom">
            { button("Zoom out", Icon::Dash, whole, zoom(ZOOM_OUT)) }
            { button("Fit", Icon::Fit, props.window.fitted, fit) }
            { button("Zoom in", Icon::Plus, false, zoom(ZOOM_IN)) }
        </span>
    }
}

/// The strip's drawing.
fn drawing(data: &OverviewData) -> Html {
    html! {
        <svg height={attr(HEIGHT)}>
            <rect
                class="ov-ground"
                x={attr(data.scale.left)}
                y="5"
                width={attr(data.scale.width)}
                height="14"
                rx="4"
            />
            <path class="ov-events" d={data.events.clone()} />
            <path class="ov-warnings" d={data.warnings.clone()} />
            <path class="p-damage" d={data.damage.clone()} />
            if let Some((x, end)) = data.sliver {
                <rect class="ov-sliver" x={attr(x)} y="2" width={attr(end - x)} height="20" />
            }
            if let Some(at) = data.differs {
                <path class="ov-differs" d={format!("M{at} 19V24")} />
            }
            if let Some((from, to)) = data.window {
                <rect
                    class="ov-window"
                    x={attr(from)}
                    y="1"
                    width={attr((to - from).max(Px::whole(3)))}
                    height="22"
                    rx="4"
                />
            }
        </svg>
    }
}

/// Goes where the pointer is: seeks, or moves the stretch on screen where it is not all of the run.
fn goer(
    props: &OverviewProps,
    strip: NodeRef,
    data: Rc<OverviewData>,
    view: TimeView,
) -> impl Fn(&PointerEvent) + Clone + 'static {
    let (runs, bus, on_action) = (props.runs.clone(), props.bus.clone(), props.on_action.clone());
    let fits = props.window.fitted;
    move |event: &PointerEvent| {
        let Some(strip) = strip.cast::<Element>() else {
            return;
        };
        let left = strip.get_bounding_client_rect().left();
        let time = data.scale.time(px(f64::from(event.client_x()) - left));
        if fits {
            bus.scrub(time);
            return;
        }
        let half = view.length().micros() / 2;
        let from = time - crate::sim::SimDuration::from_micros(half);
        let end = runs.ends_at();
        let to = from + view.length();
        let view = TimeView::within(from, to, end);
        on_action.emit(AppAction::SetWindow(Window {
            start: view.from,
            end: view.to,
            fitted: false,
        }));
    }
}
