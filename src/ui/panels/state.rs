//! The state at the playhead: cards with rings. What changes with every frame (rings, counters, the
//! title's time) is written into the page directly; the cards are made again only when an event is
//! passed.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use crate::sim::SimTime;
use crate::sim::scenario::Change;
use crate::ui::hooks::{set_text, use_on_time};
use crate::ui::playhead::PlayheadBus;
use crate::ui::transport::use_play_state;
use crate::view_model::panels::inspector::{self, Card, Counter, Figure, Line, Ring};
use crate::view_model::runs::Runs;
use crate::view_model::words::wording;

/// Properties of [`State`].
#[derive(Properties, PartialEq)]
pub struct StateProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// How many moments lie at the playhead or before; a new one makes the cards again.
    pub moment: u32,
    /// The playhead.
    pub bus: PlayheadBus,
}

/// The region “State”.
#[component]
pub fn State(props: &StateProps) -> Html {
    let hidden = use_play_state(&props.bus).hidden;
    let cards = inspector::cards(&props.runs, props.bus.now(), hidden);
    // Runs of two set-ups are told apart in each entry.
    let is_stacked = props.runs.compare.iter().any(|it| !matches!(it, Change::Fencing(_)));
    html! {
        <section class={classes!("card", "state", is_stacked.then_some("is-stacked"))}
            aria-label="State">
            <details open={true}>
                <summary><h2>{ "At " }<Now bus={props.bus.clone()} /></h2></summary>
                { for cards.into_iter().map(|card| html! {
                    <CardView {card} bus={props.bus.clone()} />
                }) }
            </details>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct NowProps {
    bus: PlayheadBus,
}

/// The playhead's time as text.
#[component]
fn Now(props: &NowProps) -> Html {
    let node = use_node_ref();
    let text = |now: SimTime| wording::time_with(now, 2);
    {
        let node = node.clone();
        use_on_time(&props.bus, (), move |now| write(&node, &text(now)));
    }
    html! { <span ref={node}>{ text(props.bus.now()) }</span> }
}

fn write(node: &NodeRef, text: &str) {
    if let Some(element) = node.cast::<Element>() {
        set_text(&element, text);
    }
}

#[derive(Properties, PartialEq)]
struct CardProps {
    card: Card,
    bus: PlayheadBus,
}

/// One card.
#[component]
fn CardView(props: &CardProps) -> Html {
    let Card { title, status, lines, figure } = &props.card;
    html! {
        <div class="who">
            { match figure {
                Figure::Ring(ring) => html! {
                    <RingView ring={ring.clone()} bus={props.bus.clone()} />
                },
                Figure::Service => picture("M6 14h28v12h-28zM10 20h8M30 20h.1M26 20h.1"),
                Figure::Storage => picture("M5 9h30v22h-30zM5 16.3h30M5 23.6h30"),
            } }
            // It can have the focus, so that what is scrolled away is reached by keys.
            <div class="who-text" tabindex="0">
                <b>{ title }</b>
                if !status.is_empty() {
                    { " · " }{ status }
                }
                <div class="who-lines">
                    { for lines.iter().enumerate().map(|(place, line)| html! {
                        <>
                            if place > 0 {
                                if line.run.is_some() { <br /> } else { { " · " } }
                            }
                            <LineView line={line.clone()} bus={props.bus.clone()} />
                        </>
                    }) }
                </div>
            </div>
        </div>
    }
}

fn picture(path: &'static str) -> Html {
    html! {
        <svg class="who-figure" viewBox="0 0 40 40" aria-hidden="true">
            <path class="figure-line" d={path} />
        </svg>
    }
}

#[derive(Properties, PartialEq)]
struct LineProps {
    line: Line,
    bus: PlayheadBus,
}

/// A line of a card, with its counter.
#[component]
fn LineView(props: &LineProps) -> Html {
    let line = &props.line;
    html! {
        <span class="who-line">
            if let Some(run) = &line.run {
                <span class="who-run">{ run }{ ": " }</span>
            }
            { &line.before }
            if let Some(counter) = line.counter {
                <CounterView {counter} bus={props.bus.clone()} />
            }
            { &line.after }
        </span>
    }
}

#[derive(Properties, PartialEq)]
struct CounterProps {
    counter: Counter,
    bus: PlayheadBus,
}

/// A figure that runs with the playhead.
#[component]
fn CounterView(props: &CounterProps) -> Html {
    let node = use_node_ref();
    let counter = props.counter;
    {
        let node = node.clone();
        use_on_time(&props.bus, counter, move |now| {
            write(&node, &counter.text(now));
        });
    }
    html! { <span ref={node}>{ counter.text(props.bus.now()) }</span> }
}

#[derive(Properties, PartialEq)]
struct RingProps {
    ring: Ring,
    bus: PlayheadBus,
}

/// A ring that shrinks with the time left; decoration, the time left stands in a line beside it.
#[component]
fn RingView(props: &RingProps) -> Html {
    let node = use_node_ref();
    let ring = &props.ring;
    let dashes = |left: u32| format!("{left} 1000");
    {
        let (node, ring) = (node.clone(), ring.clone());
        use_on_time(&props.bus, ring.clone(), move |now| {
            if let Some(circle) = node.cast::<Element>() {
                // Fails only for a bad attribute name.
                let _ = circle.set_attribute("stroke-dasharray", &dashes(ring.left(now)));
            }
        });
    }
    let color = ring.color.map(|color| format!("tok-{}", color.index()));
    html! {
        <svg class={classes!("who-figure", color)} viewBox="0 0 40 40" aria-hidden="true">
            <circle class="ring-whole" cx="20" cy="20" r="16" />
            <circle class="ring-left" cx="20" cy="20" r="16" pathLength="1000"
                transform="rotate(-90 20 20)" ref={node}
                stroke-dasharray={dashes(ring.left(props.bus.now()))} />
            <text class="ring-letter" x="20" y="24.5">{ &ring.letter }</text>
        </svg>
    }
}
