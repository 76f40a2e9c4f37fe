//! The overview strip: the whole run, where its events and violations are, the stretch on screen.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::{Element, HtmlElement, PointerEvent};
use yew::prelude::*;

use crate::ui::hooks::{Mover, use_on_time, use_room};
use crate::ui::playhead::PlayheadBus;
use crate::ui::store::{AppAction, Window};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::timeline::overview::{OverviewData, all_violations, overview};

use super::faults::capture;
use super::view::use_seen;
use super::{attr, px};

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
    /// Whether nothing beyond the playhead is shown.
    #[prop_or_default]
    pub hide_future: bool,
    /// What the user does.
    pub on_action: Callback<AppAction>,
}

/// The strip under the timeline.
#[component]
pub fn Overview(props: &OverviewProps) -> Html {
    let strip = use_node_ref();
    let line = use_node_ref();
    let room = use_room(&strip);
    let width = Px::whole(i32::from(room.width));
    let text = (room.text * 3 / 4).max(12);
    let violations = use_memo(props.runs.clone(), |runs| all_violations(runs));
    let view = use_seen(&props.bus, &props.runs);
    let until = props.hide_future.then(|| props.bus.now());
    let deps = (props.runs.clone(), view, width, until.map(|_| props.moment));
    let data = use_memo(deps, |(runs, view, width, _)| {
        let metrics = Metrics::new(*width, text, false);
        let measure = |text: &str| metrics.text_width(text, false);
        let measures = (measure, metrics.px(15));
        overview(runs, &violations, *view, until, *width, measures)
    });
    let mover = use_memo((), |()| Mover::default());
    use_on_time(&props.bus, (data.clone(), line.clone()), {
        let (line, bus, mover) = (line.clone(), props.bus.clone(), mover.clone());
        let scale = data.scale;
        move |_| {
            if let Some(line) = line.cast::<HtmlElement>() {
                mover.follow(&line.style(), &scale, &bus);
            }
        }
    });
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
        <div class="ov">
            <span class="ov-label">{ "Overview" }</span>
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
            </div>
        </div>
    }
}

/// The strip's drawing.
fn drawing(data: &OverviewData) -> Html {
    html! {
        <svg height={attr(data.height)}>
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
            if let Some(differs) = &data.differs {
                <path class="ov-differs" d={format!("M{} 19V{}", differs.at, data.height)} />
                <text x={attr(differs.x)} y={attr(data.height - Px::whole(3))}>
                    { differs.text.clone() }
                </text>
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
