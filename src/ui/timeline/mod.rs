//! The timeline: lanes, ruler, arrows, the faults that can be held, the playhead. It writes down
//! what the view model laid out, and turns what pointers and keys do into actions.

mod aloft;
mod axis;
mod draw;
mod faults;
mod flow;
mod gesture;
mod hand;
mod labels;
mod lane;
mod legend;
mod no_fence;
mod observed;
mod overlay;
mod overview;
mod picture;
mod playhead;
mod ruler;
mod view;

use std::cell::Cell;
use std::rc::Rc;

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::sim::{NodeId, SimTime};
use crate::ui::font;
use crate::ui::hooks::{Room, use_printing, use_room};
use crate::ui::playhead::{PlayheadBus, Seen};
use crate::ui::store::{AppAction, Ghost, Selection, Window};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::system_words::NoFence;
use crate::view_model::sentences::verdict::{self, Tone};
use crate::view_model::timeline::held::{MOST_BENT_ENTRIES, n_entries};
use crate::view_model::timeline::lane::{LaneData, LaneId};
use crate::view_model::timeline::layout::{
    Look, Section, TimelineLayout, VerdictPlace, beside_labels, layout_with, scale,
};
use crate::view_model::timeline::ruler::NOT_TO_SCALE;
use crate::view_model::tracks::shown::Shown;

use aloft::InTheAir;
use flow::use_flow;
use gesture::use_gestures;
use hand::{Hand, use_hand};
use labels::Labels;
use lane::Lane;
use observed::ObservedLane;
use overlay::{Cover, Overlay};
use playhead::Playhead;
use ruler::Ruler;
use view::use_view;

pub use axis::AxisChoice;
pub use legend::{Legend, printed_legend};
pub use overview::Overview;
pub use picture::picture;
pub use view::fitted;

/// Narrower drawings have their labels above the lanes.
const NARROW: u16 = 560;

/// Width on paper in CSS px, with room for margins on any usual sheet; `base.css` has it, too.
const PAPER: u16 = 680;

/// What the timeline needs.
#[derive(Properties, PartialEq)]
pub struct TimelineProps {
    /// The runs that are shown.
    pub runs: Rc<Runs>,
    /// The playhead.
    pub bus: PlayheadBus,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// What the timeline shows.
    pub window: Window,
    /// How it draws time.
    #[prop_or_default]
    pub axis: TimeAxis,
    /// What is picked out.
    pub selection: Selection,
    /// What is drawn faintly behind the runs.
    #[prop_or_default]
    pub ghost: Option<Rc<Ghost>>,
    /// Whether something is being dragged: the scale stays.
    #[prop_or_default]
    pub dragging: bool,
    /// Whether nothing beyond the playhead is shown.
    #[prop_or_default]
    pub hide_future: bool,
    /// Whether verdicts keep quiet: while dragging and playing.
    #[prop_or_default]
    pub quiet: bool,
    /// Whether the regions of the runs, with their verdicts, are the dock's.
    #[prop_or_default]
    pub docked: bool,
    /// How high it is to be, in px, if its text allows it.
    #[prop_or_default]
    pub high: Option<u16>,
    /// What stands in place of a storage that cannot fence.
    #[prop_or_default]
    pub no_fence: Option<NoFence>,
    /// What the user does.
    pub on_action: Callback<AppAction>,
}

/// The timeline.
#[component]
pub fn Timeline(props: &TimelineProps) -> Html {
    let root = use_node_ref();
    let (room, is_measured) = use_drawn_room(&root);
    let shown = use_memo(props.runs.clone(), Shown::of);
    let view = use_view(&props.runs, props.window, props.dragging, &props.bus);
    let metrics = beside_labels(&shown, metrics(room));
    let until = props.hide_future.then(|| props.bus.now());
    let (folds, fold) = use_folds(&shown, props.dragging);
    let in_hand = use_memo((), |()| Cell::new(false));
    let (scale, is_flowing) = use_scale(props, &shown, (view, metrics), &in_hand);
    let metrics = use_lowered(props, metrics, (&shown, &scale, folds));
    let layout = use_layout((&shown, &scale, metrics), folds, until, props.moment);
    use_told(props, &layout);
    let ghost = use_ghost(props, scale, metrics, folds);
    use_text_size(&root, (metrics.text, metrics.unit), metrics.column);
    let hand = use_hand(&root, props, &shown);
    let gestures = use_gestures(&root, props, &shown, &layout, (&hand, &in_hand));
    if !is_measured {
        // As high as it will be, so that nothing below moves when it is there.
        let height = attr(layout.height);
        return html! { <><div class="tl" ref={root}><svg {height} /></div>{ hand.bar }</> };
    }
    let frame = Frame { metrics, fold: &fold, hand: &hand, ghost: ghost.as_deref() };
    let lanes = html! {
        <div
            ref={root}
            class={classes!("tl", metrics.narrow.then_some("is-narrow"),
                is_flowing.then_some("is-flowing"))}
            onpointerdown={gestures.down}
            onpointermove={gestures.over}
            onpointerup={gestures.up}
            onpointercancel={gestures.cancel}
            onpointerleave={gestures.leave}
            ondblclick={gestures.fit}
        >
            <Ruler layout={layout.clone()} bus={props.bus.clone()} />
            <ObservedLane layout={layout.clone()} on_action={props.on_action.clone()} />
            if !layout.scale.is_to_scale() && !metrics.narrow {
                <span class="tl-not-to-scale">{ NOT_TO_SCALE }</span>
            }
            { for layout.sections.iter().map(|section| {
                section_view(section, props, &frame)
            }) }
            { no_fence::view(props) }
            { crowd_note(&layout) }
            if props.hide_future {
                <Cover layout={layout.clone()} bus={props.bus.clone()} />
            }
            <Overlay
                layout={layout.clone()}
                runs={props.runs.clone()}
                bus={props.bus.clone()}
                selection={props.selection}
                {until} axis={props.axis} snaps={hand.snaps}
                in_hand={in_hand.clone()}
                ghost={ghost.clone().filter(|ghost| ghost.height == layout.height)}
                on_action={props.on_action.clone()}
            />
            <svg class="tl-words is-whole" height={attr(layout.height)} aria-hidden="true">
                <Labels layout={layout.clone()} />
            </svg>
            <InTheAir layout={layout.clone()} {shown} bus={props.bus.clone()}
                hide_future={props.hide_future} />
            <Playhead layout={layout.clone()} runs={props.runs.clone()} bus={props.bus.clone()}
                hide_future={props.hide_future} />
            { gestures.tip }
        </div>
    };
    html! { <>{ lanes }{ hand.bar }</> }
}

/// The drawing; where the future is hidden, of what is known by `until`.
#[hook]
fn use_layout(
    drawn: (&Rc<Shown>, &TimeScale, Metrics),
    folds: Look,
    until: Option<SimTime>,
    moment: u32,
) -> Laid {
    let (shown, scale, metrics) = drawn;
    let deps = (shown.clone(), scale.clone(), metrics, folds, until.map(|_| moment));
    use_memo(deps, move |(shown, scale, metrics, folds, _)| {
        let look = Look { until, ..*folds };
        match until {
            Some(now) => layout_with(&shown.known_at(now), scale.clone(), *metrics, look),
            None => layout_with(shown, scale.clone(), *metrics, look),
        }
    })
}

/// What is said where not all messages are drawn.
fn crowd_note(layout: &TimelineLayout) -> Html {
    if !layout.crowded {
        return Html::default();
    }
    html! {
        <p class="tl-crowd">
            { "Too many messages to draw: only delayed and lost ones are shown. \
               Zoom in to see the others" }
        </p>
    }
}

/// What all lanes of the timeline share.
struct Frame<'a> {
    metrics: Metrics,
    fold: &'a Callback<NodeId>,
    hand: &'a Hand,
    ghost: Option<&'a TimelineLayout>,
}

impl Frame<'_> {
    /// The lane as it was before, if it was there.
    fn ghost_of(&self, id: LaneId) -> Option<Rc<LaneData>> {
        let sections = self.ghost?.sections.iter();
        let mut lanes = sections.flat_map(|section| &section.lanes).map(|lane| &lane.data);
        let alike = |other: LaneId| {
            let either = id.run.is_none() || other.run.is_none() || id.run == other.run;
            either && other.node == id.node && other.is_one_of_many == id.is_one_of_many
        };
        lanes.find(|data| alike(data.id)).cloned()
    }
}

/// Which lanes are open, and what opens or closes one: those of the service's nodes, or a client's.
#[hook]
fn use_folds(shown: &Shown, dragging: bool) -> (Look, Callback<NodeId>) {
    let folds = use_state(Look::default);
    let last = use_mut_ref(|| shown.matter);
    if !dragging {
        *last.borrow_mut() = shown.matter;
    }
    let now = Look { matter: Some(*last.borrow()), ..*folds };
    let fold = use_callback(folds, |node, folds: &UseStateHandle<Look>| {
        let (unfolded, toggled) = (folds.unfolded, folds.toggled);
        folds.set(match node {
            NodeId::Client(client) => Look { toggled: toggled.toggled(client), ..**folds },
            NodeId::Lock(_) | NodeId::Store(_) => Look { unfolded: !unfolded, ..**folds },
        });
    });
    (now, fold)
}

/// Where instants lie: anew for each edit, also while something is dragged; of long runs, whose map
/// would take longer than a frame, only when the drag is over. Where the map becomes quite another
/// at once it goes there in a moment, so that the eye can follow.
#[hook]
fn use_scale(
    props: &TimelineProps,
    shown: &Rc<Shown>,
    drawn: (TimeView, Metrics),
    in_hand: &Cell<bool>,
) -> (TimeScale, bool) {
    let (view, metrics) = drawn;
    let deps = (shown.clone(), view, metrics, props.axis);
    let made = use_memo(deps, |(shown, view, metrics, axis)| scale(shown, *view, metrics, *axis));
    let last = use_mut_ref(|| None::<TimeScale>);
    let is_long = n_entries(&props.runs) > MOST_BENT_ENTRIES;
    let scale = {
        let mut last = last.borrow_mut();
        let kept = last.take().filter(|_| props.dragging && is_long);
        let scale = kept.unwrap_or_else(|| TimeScale::clone(&made));
        *last = Some(scale.clone());
        scale
    };
    // What is in hand would slip from under the pointer.
    let drags = props.dragging && !in_hand.get();
    let flowing = use_flow(&scale, &shown.pace, props.axis, drags);
    let is_flowing = flowing != scale;
    (flowing, is_flowing)
}

/// Tells the overview what is drawn, and where it is drawn widest.
#[hook]
fn use_told(props: &TimelineProps, layout: &Laid) {
    let race = layout.ruler.race.as_ref();
    let race = race.map(|race| [(race.from, race.x), (race.to, race.end)]);
    let seen = Seen { scale: layout.scale.clone(), race, column: layout.metrics.column };
    use_effect_with((props.bus.clone(), seen), |(bus, seen)| bus.set_seen(seen));
}

/// The layout of the runs that are drawn faintly. They would tell of the future.
#[hook]
fn use_ghost(
    props: &TimelineProps,
    scale: TimeScale,
    metrics: Metrics,
    folds: Look,
) -> Option<Laid> {
    let ghost = props.ghost.clone().filter(|_| !props.hide_future);
    // On the scale of what is shown, so that what is the same stands at the same places.
    let laid = use_memo((ghost, scale, metrics, folds), |(ghost, scale, metrics, folds)| {
        let shown = Shown::of(&ghost.as_ref()?.runs);
        Some(Rc::new(layout_with(&shown, scale.clone(), *metrics, *folds)))
    });
    (*laid).clone()
}

/// The room that is laid out for, and whether it is known already.
#[hook]
fn use_drawn_room(root: &NodeRef) -> (Room, bool) {
    let mut room = use_room(root);
    // Paper is laid out for before anybody could measure it.
    if use_printing() {
        room.width = PAPER;
    }
    let is_measured = room.width != 0;
    if !is_measured {
        room = Room::likely();
    }
    (room, is_measured)
}

/// The sizes for a room, its labels included.
fn metrics(room: Room) -> Metrics {
    let text = (room.text * 3 / 4).max(12);
    let narrow = room.width < NARROW * text / 12;
    let all = Px::whole(i32::from(room.width));
    Metrics::new(all, text, narrow).in_font(font::advances())
}

/// The sizes with which it is as high as it is to be. Lanes are as high whatever happens in them,
/// so that this is known from the whole of the runs.
#[hook]
fn use_lowered(
    props: &TimelineProps,
    metrics: Metrics,
    drawn: (&Rc<Shown>, &TimeScale, Look),
) -> Metrics {
    let (shown, scale, folds) = drawn;
    let high = props.high.filter(|high| *high > 0);
    let more = props.no_fence.as_ref().map_or(Px::ZERO, |_| no_fence::height(&metrics));
    let deps = high.map(|high| (high, shown.clone(), scale.clone(), metrics, folds, more));
    let lowered = use_memo(deps, |deps| {
        let (high, shown, scale, metrics, folds, more) = deps.as_ref()?;
        let whole = layout_with(shown, scale.clone(), *metrics, *folds).height + *more;
        Some(metrics.lower(whole, Px::whole(i32::from(*high))))
    });
    lowered.unwrap_or(metrics)
}

/// Tells the style sheet how large the drawing's text is, what its heights are made for, and how
/// wide its labels.
#[hook]
fn use_text_size(root: &NodeRef, sizes: (u16, u16), column: u16) {
    use_effect_with((root.clone(), sizes, column), |(root, (text, unit), column)| {
        if let Some(element) = root.cast::<HtmlElement>() {
            // Properties of the element, because the page's policy forbids style attributes. They
            // cannot fail for custom properties.
            let _ = element.style().set_property("--tl-text", &format!("{text}px"));
            let _ = element.style().set_property("--tl-unit", &format!("{unit}px"));
            let _ = element.style().set_property("--tl-column", &column.to_string());
        }
    });
}

fn section_view(section: &Section, props: &TimelineProps, frame: &Frame<'_>) -> Html {
    let lanes = section.lanes.iter().map(|lane| {
        let verdict = section.region.zip(lane.verdict);
        let tone = section.region.map_or("", |run| tone_class(props, run));
        let is_store = matches!(lane.data.id.node, NodeId::Store(_));
        html! {
            <Lane
                key={format!("{:?}", lane.data.id)}
                data={lane.data.clone()}
                narrow={frame.metrics.narrow}
                fold={frame.fold.clone()}
                on_add={adds(lane.data.id).then(|| frame.hand.on_add.clone())}
                adding={frame.hand.tool.is_some_and(|tool| tool.node == lane.data.id.node)}
                ghost={frame.ghost_of(lane.data.id)}
                covered={props.hide_future}
                class={if is_store { classes!("is-store", tone) } else { Classes::new() }}
            >
                if let Some((run, place)) = verdict {
                    { verdict_view(props, run, place) }
                }
            </Lane>
        }
    });
    let lanes: Vec<Html> = lanes.collect();
    match section.region {
        None => html! { <div key="shared" class="tl-shared">{ lanes }</div> },
        Some(run) => html! {
            <section
                key={format!("{run:?}")}
                class="tl-run"
                aria-label={(!props.docked).then(|| region_name(&props.runs, run))}
            >
                if section.gap > Px::ZERO {
                    <svg height={attr(section.gap)} aria-hidden="true" />
                }
                { lanes }
            </section>
        },
    }
}

/// Whether a lane asks for faults: one lane for each node, since both runs have them.
fn adds(id: LaneId) -> bool {
    id.run != Some(RunNo::Two)
}

/// The name of a run's region: `Run 1`, `Run 2`; `Run` where there is one.
pub fn region_name(runs: &Runs, run: RunNo) -> &'static str {
    if runs.run_2.is_none() { "Run" } else { run.name() }
}

fn tone_class(props: &TimelineProps, run: RunNo) -> &'static str {
    if props.hide_future {
        return "is-open";
    }
    let text = verdict::of_run(&props.runs, run);
    match text.map(|text| text.tone) {
        Some(Tone::Damage) => "is-bad",
        Some(Tone::Warning) => "is-warned",
        Some(Tone::Plain) => "is-safe",
        None => "is-open",
    }
}

fn verdict_view(props: &TimelineProps, run: RunNo, place: VerdictPlace) -> Html {
    let Some(text) = verdict::of_run(&props.runs, run).filter(|_| !props.hide_future) else {
        return Html::default();
    };
    let above = (place == VerdictPlace::Above).then_some("is-above");
    let tone = match text.tone {
        Tone::Damage => "is-bad",
        Tone::Warning => "is-warned",
        Tone::Plain => "is-plain",
    };
    let live = if props.quiet { "off" } else { "polite" };
    html! {
        <p class={classes!("tl-verdict", above, tone)} aria-live={live}
            data-at={text.at.unwrap_or(props.runs.ends_at()).micros().to_string()}
            role={(!props.docked).then_some("status")}
            aria-hidden={props.docked.then_some("true")}>
            { text.text }
        </p>
    }
}

/// A coordinate of the browser's.
fn px(value: f64) -> Px {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a place on a screen; what is farther away is clamped by the cast"
    )]
    Px((value * 64.0) as i32)
}

/// A layout's text attribute.
fn attr(value: Px) -> AttrValue {
    AttrValue::from(value.to_string())
}

/// Lets components take layouts as properties.
type Laid = Rc<TimelineLayout>;

#[cfg(test)]
mod palette_tests;
