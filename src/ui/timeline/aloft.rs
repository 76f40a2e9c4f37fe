//! What moves over the lanes with the playhead: messages in the air, how long a lease still lasts,
//! and, while time passes, a veil over what is to come. Layers of their own, which the browser
//! moves without the page; they are made again only when a message leaves or arrives.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::hooks::{Mover, set_text, use_on_time};
use crate::ui::playhead::PlayheadBus;
use crate::ui::transport::use_play_state;
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::timeline::layout::{Aloft, Countdown, aloft, countdowns};
use crate::view_model::tracks::shown::Shown;

use super::Laid;

#[derive(Properties, PartialEq)]
pub(super) struct InTheAirProps {
    pub layout: Laid,
    pub shown: Rc<Shown>,
    pub bus: PlayheadBus,
    pub hide_future: bool,
}

#[component]
pub(super) fn InTheAir(props: &InTheAirProps) -> Html {
    let InTheAirProps { layout, shown, bus, hide_future } = props;
    let hidden = *hide_future;
    let playing = use_play_state(bus).playing;
    let root = use_node_ref();
    let seen = {
        let (layout, shown) = (layout.clone(), shown.clone());
        move |now: SimTime| {
            let counts = if playing { countdowns(&shown, &layout, now) } else { Vec::new() };
            let mut flights = aloft(&shown, &layout, now, hidden);
            // What goes to and fro is seen where it moves.
            flights.retain(|flight| playing || flight.label.is_some());
            (flights, counts)
        }
    };
    let (flights, counts) = seen(bus.now());
    let drawn = use_mut_ref(Default::default);
    *drawn.borrow_mut() = (flights.clone(), counts.clone());
    let update = use_force_update();
    use_on_time(bus, (layout.clone(), shown.clone(), playing, hidden), move |now| {
        if *drawn.borrow() != seen(now) {
            update.force_update();
        }
    });
    use_dimmed(&root, props, playing);
    let scale = &layout.scale;
    html! {
        <div ref={root} class="tl-air" aria-hidden="true">
            if playing {
                <Veil layout={layout.clone()} bus={bus.clone()} />
            }
            { for flights.iter().enumerate().map(|(index, flight)| {
                let said = (&flight.label, flight.sent);
                let again = flights[..index].iter().any(|it| (&it.label, it.sent) == said);
                html! {
                    <Disc key={format!("{:?} {}", flight.ends, flight.sent.micros())}
                        flight={flight.clone()} named={!again && !layout.says(flight)}
                        scale={scale.clone()}
                        bus={bus.clone()} />
                }
            }) }
            { for counts.into_iter().enumerate().map(|(index, count)| html! {
                <Pill key={index} {count} scale={scale.clone()} bus={bus.clone()} />
            }) }
        </div>
    }
}

/// The class that gives what is drawn a token's colour.
fn token_class(color: Option<TokenColor>) -> Option<String> {
    color.map(|color| format!("tok-{}", color.index()))
}

/// Sets a property that exists to a well-formed value, which cannot fail. The page's policy forbids
/// style attributes.
fn set(node: &NodeRef, name: &str, value: &str) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let _ = element.style().set_property(name, value);
    }
}

/// Texts that are to come, each with where it stands. Those that are over the veil are told by
/// their colour.
type Texts = Rc<RefCell<Vec<(Px, Element)>>>;

/// While time passes, texts right of the playhead are in the third ink, and verdicts that are not
/// reached yet.
#[hook]
fn use_dimmed(root: &NodeRef, props: &InTheAirProps, playing: bool) {
    let texts: Texts = use_mut_ref(Vec::new);
    {
        let (texts, root) = (texts.clone(), root.clone());
        use_effect_with((props.layout.clone(), playing), move |(_, playing)| {
            let all = if *playing { texts_of(&root) } else { Vec::new() };
            let before = texts.replace(all);
            if !playing {
                before.iter().for_each(|(_, text)| dim(text, false));
            }
        });
    }
    use_on_time(&props.bus, (props.layout.clone(), playing), {
        let layout = props.layout.clone();
        move |now| {
            let x = layout.scale.x_near(now);
            texts.borrow().iter().for_each(|(from, text)| match text.get_attribute("data-at") {
                Some(at) => dim(text, at.parse().is_ok_and(|at: u64| at > now.micros())),
                None => dim(text, *from > x),
            });
        }
    });
}

fn texts_of(root: &NodeRef) -> Vec<(Px, Element)> {
    let Some(timeline) = root.cast::<Element>().and_then(|air| air.parent_element()) else {
        return Vec::new();
    };
    let Ok(all) = timeline.query_selector_all(".tl-words text, .tl-verdict") else {
        return Vec::new();
    };
    let texts = (0..all.length()).filter_map(|index| all.get(index)?.dyn_into::<Element>().ok());
    let placed = texts.map(|text| {
        let x = text.get_attribute("x").and_then(|x| x.parse::<f64>().ok());
        (super::px(x.unwrap_or_default()), text)
    });
    placed.collect()
}

fn dim(text: &Element, is_to_come: bool) {
    let classes = text.class_list();
    if classes.contains(TO_COME) != is_to_come {
        // Fails only for a name with spaces.
        let _ = classes.toggle_with_force(TO_COME, is_to_come);
    }
}

/// The class of texts that are to come.
const TO_COME: &str = "is-to-come";

#[derive(Properties, PartialEq)]
struct VeilProps {
    layout: Laid,
    bus: PlayheadBus,
}

/// What is to come is seen through a veil.
#[component]
fn Veil(props: &VeilProps) -> Html {
    let node = use_node_ref();
    let mover = use_memo((), |()| Mover::default());
    use_on_time(&props.bus, props.layout.clone(), {
        let (node, bus, layout) = (node.clone(), props.bus.clone(), props.layout.clone());
        move |_| {
            if let Some(veil) = node.cast::<HtmlElement>() {
                mover.follow(&veil.style(), &layout.scale, &bus);
            }
        }
    });
    use_effect_with((node.clone(), props.layout.top_of_lanes()), |(node, top)| {
        set(node, "top", &format!("{top}px"));
    });
    html! { <div ref={node} class="tl-veil" /> }
}

#[derive(Properties, PartialEq)]
struct DiscProps {
    flight: Aloft,
    /// Whether it is said what it is: not twice of one that goes to both runs' storages.
    named: bool,
    scale: TimeScale,
    bus: PlayheadBus,
}

/// A message on its way, with what lies behind it of that.
#[component]
fn Disc(props: &DiscProps) -> Html {
    let DiscProps { flight, named, scale, bus } = props;
    let (way, trail, head) = (use_node_ref(), use_node_ref(), use_node_ref());
    let movers = use_memo((), |()| [Mover::default(), Mover::default()]);
    use_effect_with((flight.clone(), way.clone()), |(flight, way)| lay(flight, way));
    use_on_time(bus, (flight.clone(), scale.clone()), {
        let (flight, scale, bus) = (flight.clone(), scale.clone(), bus.clone());
        let (trail, head) = (trail.clone(), head.clone());
        move |_| {
            let nodes = trail.cast::<HtmlElement>().zip(head.cast::<HtmlElement>());
            let Some((trail, head)) = nodes else { return };
            movers[0].follow_to(&trail.style(), &scale, &bus, flight.arrives, &|at| {
                let left = 10_000 - flight.covered(&scale, at);
                format!("translateX(-{}.{:02}%)", left / 100, left % 100)
            });
            movers[1].follow_to(&head.style(), &scale, &bus, flight.arrives, &|at| {
                let (x, y) = flight.place(&scale, at);
                format!("translate({x}px, {y}px)")
            });
        }
    });
    let is_routine = flight.label.is_none().then_some("is-routine");
    // Where it ends near the right edge there is no room beside it.
    let is_left = flight.end.0 > scale.right() - Px::whole(110);
    html! {
        <div class={classes!("tl-aloft", is_routine, token_class(flight.color))}>
            <div ref={way} class="tl-way"><div ref={trail} class="tl-trail" /></div>
            <div ref={head} class="tl-head">
                <span class="tl-disc">
                    { if is_routine.is_none() { flight.letter.as_str() } else { "" } }
                </span>
                if let Some(label) = flight.label.as_ref().filter(|_| *named) {
                    <b class={classes!("tl-said", is_left.then_some("is-left"))}>{ label }</b>
                }
            </div>
        </div>
    }
}

/// Lays the way from where the message was sent to where it arrives.
fn lay(flight: &Aloft, way: &NodeRef) {
    let ((x, y), (end, bottom)) = (flight.start, flight.end);
    let (dx, dy) = (f64::from((end - x).0), f64::from((bottom - y).0));
    set(way, "width", &format!("{:.2}px", dx.hypot(dy) / 64.0));
    let angle = dy.atan2(dx);
    set(way, "transform", &format!("translate({x}px, {y}px) rotate({angle:.5}rad)"));
}

#[derive(Properties, PartialEq)]
struct PillProps {
    count: Countdown,
    scale: TimeScale,
    bus: PlayheadBus,
}

/// How long a lease still lasts, and where that is on the saw-tooth.
#[component]
fn Pill(props: &PillProps) -> Html {
    let PillProps { count, scale, bus } = props;
    let (outer, pill, ring) = (use_node_ref(), use_node_ref(), use_node_ref());
    let movers = use_memo((), |()| [Mover::default(), Mover::default()]);
    use_effect_with((pill.clone(), count.foot()), |(pill, foot)| {
        set(pill, "top", &format!("{foot}px"));
    });
    use_on_time(bus, (count.clone(), scale.clone()), {
        let (count, scale, bus) = (count.clone(), scale.clone(), bus.clone());
        let (outer, pill, ring) = (outer.clone(), pill.clone(), ring.clone());
        move |now| {
            let all = (outer.cast::<HtmlElement>(), pill.cast::<Element>(), ring.cast());
            let (Some(outer), Some(pill), Some(ring)) = all else { return };
            let ring: HtmlElement = ring;
            movers[0].follow(&outer.style(), &scale, &bus);
            movers[1].follow_to(&ring.style(), &scale, &bus, count.ends(), &|at| {
                format!("translateY({}px)", count.level(at))
            });
            set_text(&pill, &count.text(now));
            let is_right = scale.x_near(now) < scale.left + Px::whole(100);
            // Fails only for a name with spaces.
            let _ = pill.class_list().toggle_with_force("is-right", is_right);
        }
    });
    html! {
        <div ref={outer} class={classes!("tl-count", token_class(Some(count.color)))}>
            <b ref={pill} class="tl-pill" />
            <i ref={ring} class="tl-ring" />
        </div>
    }
}
