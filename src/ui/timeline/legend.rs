//! The legend: every mark of the timeline with its meaning, drawn with the timeline's own classes,
//! so that it cannot show another colour.

use yew::prelude::*;

/// A line of the legend: what it looks like, and what it means.
struct Line {
    drawing: Html,
    meaning: &'static str,
}

/// The legend of all marks.
#[component]
pub fn Legend() -> Html {
    html! {
        <ul class="tl-legend">
            { for lines().into_iter().map(|line| html! {
                <li>
                    <svg width="44" height="26" aria-hidden="true">{ line.drawing }</svg>
                    <span>{ line.meaning }</span>
                </li>
            }) }
        </ul>
    }
}

/// The legend on paper, where nobody can press K. Not to be made for a screen: it is as many
/// elements as a timeline.
pub fn printed_legend() -> Html {
    html! {
        <section class="card printed" aria-label="Legend">
            <h2>{ "Legend" }</h2>
            <Legend />
            <p class="hint">{ "A simulation, made with Fenceline" }</p>
        </section>
    }
}

fn path(class: &'static str, d: &'static str) -> Html {
    html! { <path {class} {d} /> }
}

fn filled(class: &'static str, fill: &'static str, d: &'static str) -> Html {
    html! { <path {class} {fill} {d} /> }
}

const BAR: &str = "M2 5h40v16h-40z";
const THIN: &str = "M2 8h40v11h-40z";
const SQUARE: &str = "M14 5h16v16h-16z";
const FENCE: &str = "M17 2h3v22h-3zM24 2h3v22h-3z";

fn lines() -> Vec<Line> {
    let line = |meaning, drawing| Line { drawing, meaning };
    let mut all = lease_lines(&line);
    all.extend(fault_lines(&line));
    all.extend(store_lines(&line));
    all
}

type MakeLine<'a> = &'a dyn Fn(&'static str, Html) -> Line;

fn lease_lines(line: MakeLine<'_>) -> Vec<Line> {
    vec![
        line(
            "a lease, in the lock service's own lane: its token, and who holds it",
            path("p-lease tok-0", BAR),
        ),
        line(
            "the time that is left of a lease; each renewal lifts it",
            path("p-tooth tok-0", "M2 22V4L22 14V4L42 14V22z"),
        ),
        line("a client believes that it holds the lock, and does", path("p-belief tok-0", THIN)),
        line(
            "a client still believes, without a lease",
            filled("p-false tok-0", "url(#hatch-0)", THIN),
        ),
        line("a client waits for the lock", path("p-waiting", THIN)),
    ]
}

fn fault_lines(line: MakeLine<'_>) -> Vec<Line> {
    let arrow = |class: &'static str| {
        html! {
            <>
                <path class={classes!("p-flight", class)} d="M8 4L31 18" />
                <path class={classes!("p-head", class)} d="M36 21L28.4 20L31.6 14.9z" />
            </>
        }
    };
    vec![
        line(
            "a client is paused: it stands still and cannot know",
            filled("p-pause", "url(#hatch-pause)", BAR),
        ),
        line(
            "a client crashed, and knows nothing when it starts again",
            html! {
                <>
                    <path class="p-dead" d="M12 13h30" />
                    <path class="p-crash" d="M6 7l12 12M18 7l-12 12" />
                </>
            },
        ),
        line(
            "a link is cut: nothing passes, and neither end is told",
            html! {
                <>
                    <path class="p-cut" d="M10 13h32" />
                    <path class="p-cut-mark" d="M4 19L8 7M9 19L13 7" />
                </>
            },
        ),
        line(
            "a clock was set",
            html! {
                <>
                    <path class="p-clock" d="M15 13a7 7 0 1 1 14 0a7 7 0 1 1 -14 0z" />
                    <path class="p-clock-hands" d="M22 9V13H26" />
                </>
            },
        ),
        line("the lock service is down", path("p-down", BAR)),
        line("a message, from sent to received", arrow("is-arrived")),
        line("a message that was delayed", arrow("is-delayed")),
        line(
            "a message that was lost: nobody there, the link cut, or dropped",
            html! {
                <>
                    <path class="p-flight is-lost" d="M8 4L32 18" />
                    <path class="p-head is-lost" d="M28 14l8 8M36 14l-8 8" />
                </>
            },
        ),
    ]
}

fn store_lines(line: MakeLine<'_>) -> Vec<Line> {
    vec![
        line("a write, accepted", path("p-write tok-0", SQUARE)),
        line(
            "a write after its lease had ended, accepted, and no harm done",
            html! {
                <>
                    <path class="p-write tok-0" d={SQUARE} />
                    <path class="p-late" d="M21 5h9v9z" />
                </>
            },
        ),
        line("a write, refused by the fence", path("p-fence", FENCE)),
        line(
            "a write, refused although rightful",
            html! {
                <>
                    <path class="p-fence" d="M9 2h3v22h-3zM16 2h3v22h-3z" />
                    <path class="p-warning" d="M24 13a7 7 0 1 1 14 0a7 7 0 1 1 -14 0z" />
                    <path class="p-warning-sign" d="M31 9v5M31 16.5v1" />
                </>
            },
        ),
        line("a write that was applied before, and is ignored", path("p-ignored", SQUARE)),
        line(
            "the outside acts, where no fence stands",
            path("p-effect tok-0", "M15 13a7 7 0 1 1 14 0a7 7 0 1 1 -14 0z"),
        ),
        line(
            "damage: a stale write accepted, an update lost, an act outside done twice",
            path("p-damage", "M22 3l11 20h-22z"),
        ),
        line(
            "a new holder raised the fence (the seal)",
            path("p-seal tok-0", "M22 5l8 8l-8 8l-8 -8z"),
        ),
        line("the value in the store, named after who wrote it", path("p-value tok-0", BAR)),
        line("the highest token that the store has seen", path("p-highest", "M2 20H20V8H42")),
    ]
}
