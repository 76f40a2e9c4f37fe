//! The legend: every mark of the timeline with its meaning, drawn with the timeline's own classes,
//! so that it cannot show another colour. The page and the pictures show the same lines.

/// A line of the legend: what it looks like, and what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegendLine {
    /// What it means.
    pub meaning: &'static str,
    /// What it looks like, in a box of [`WIDTH`] by [`HEIGHT`].
    pub shapes: &'static [Shape],
}

/// A path of a drawing in the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Its classes, as `paint.rs` names them.
    pub class: &'static str,
    /// The pattern that fills it; empty: none.
    pub fill: &'static str,
    /// Its data.
    pub d: &'static str,
}

/// Width of a drawing in px.
pub const WIDTH: u16 = 44;
/// Height of a drawing in px.
pub const HEIGHT: u16 = 26;

const BAR: &str = "M2 5h40v16h-40z";
const THIN: &str = "M2 8h40v11h-40z";
const SQUARE: &str = "M14 5h16v16h-16z";
const RING: &str = "M15 13a7 7 0 1 1 14 0a7 7 0 1 1 -14 0z";
const ARROW: &str = "M8 4L31 18";
const HEAD: &str = "M36 21L28.4 20L31.6 14.9z";

const fn line(meaning: &'static str, shapes: &'static [Shape]) -> LegendLine {
    LegendLine { meaning, shapes }
}

const fn path(class: &'static str, d: &'static str) -> Shape {
    Shape { class, fill: "", d }
}

const fn filled(class: &'static str, fill: &'static str, d: &'static str) -> Shape {
    Shape { class, fill, d }
}

/// All marks.
pub const LEGEND: [LegendLine; 26] = [
    line(
        "a lease, in the lock service's own lane: its token, and who holds it",
        &[path("p-lease tok-0", BAR)],
    ),
    line(
        "the time that is left of a lease; each renewal lifts it",
        &[path("p-tooth tok-0", "M2 22V4L22 14V4L42 14V22z")],
    ),
    line("a client believes that it holds the lock, and does", &[path("p-belief tok-0", THIN)]),
    line(
        "a client still believes, without a lease",
        &[filled("p-false tok-0", "url(#hatch-0)", THIN)],
    ),
    line("a client waits for the lock", &[path("p-waiting", THIN)]),
    line(
        "a client is paused: it stands still and cannot know",
        &[filled("p-pause", "url(#hatch-pause)", BAR)],
    ),
    line(
        "a client crashed, and knows nothing when it starts again",
        &[path("p-dead", "M12 13h30"), path("p-crash", "M6 7l12 12M18 7l-12 12")],
    ),
    line(
        "a link is cut: nothing passes, and neither end is told",
        &[path("p-cut", "M10 13h32"), path("p-cut-mark", "M4 19L8 7M9 19L13 7")],
    ),
    line("a clock was set", &[path("p-clock", RING), path("p-clock-hands", "M22 9V13H26")]),
    line("the lock service is down", &[path("p-down", BAR)]),
    line(
        "a message, from sent to received",
        &[path("p-flight is-arrived", ARROW), path("p-head is-arrived", HEAD)],
    ),
    line(
        "a message that was delayed",
        &[path("p-flight is-delayed", ARROW), path("p-head is-delayed", HEAD)],
    ),
    line(
        "a message that was lost: nobody there, the link cut, or dropped",
        &[path("p-flight is-lost", "M8 4L32 18"), path("p-head is-lost", "M28 14l8 8M36 14l-8 8")],
    ),
    line("a write, accepted", &[path("p-write tok-0", SQUARE)]),
    line(
        "a write after its lease had ended, accepted, and no harm done",
        &[path("p-write tok-0", SQUARE), path("p-late", "M21 5h9v9z")],
    ),
    line(
        "a write, refused by the fence, which throws it back",
        &[
            path(
                "p-fence",
                concat!(
                    "M17.7 25V6.5L20 1L22.3 6.5V25zM26.7 25V6.5L29 1L31.3 6.5V25z",
                    "M35.7 25V6.5L38 1L40.3 6.5V25zM15 9h28v3.4h-28zM15 18h28v3.4h-28z"
                ),
            ),
            path("p-bounce", "M15 7L9 9"),
            path("p-bounced tok-0", "M1 12a5 5 0 1 1 10 0a5 5 0 1 1 -10 0z"),
        ],
    ),
    line(
        "a write, refused although rightful",
        &[
            path(
                "p-fence",
                concat!(
                    "M1.7 25V6.5L4 1L6.3 6.5V25zM10.7 25V6.5L13 1L15.3 6.5V25z",
                    "M19.7 25V6.5L22 1L24.3 6.5V25zM-1 9h28v3.4h-28zM-1 18h28v3.4h-28z"
                ),
            ),
            path("p-warning", "M29 13a7 7 0 1 1 14 0a7 7 0 1 1 -14 0z"),
            path("p-warning-sign", "M36 9v5M36 16.5v1"),
        ],
    ),
    line("a write that was applied before, and is ignored", &[path("p-ignored", SQUARE)]),
    line("the outside acts, where no fence stands", &[path("p-effect tok-0", RING)]),
    line(
        "damage: a stale write accepted, an update lost, an act outside done twice",
        &[path("p-damage", "M22 3l11 20h-22z")],
    ),
    line(
        "a new holder raised the fence (the seal)",
        &[path("p-seal tok-0", "M22 5l8 8l-8 8l-8 -8z")],
    ),
    line("the value in the store, named after who wrote it", &[path("p-value tok-0", BAR)]),
    line(
        "damage cut a value off: what it held is lost from there on",
        &[
            path("p-value tok-0", "M2 2H17l6 2.5l-6 2.5l6 2.5l-6 2.5H2z"),
            path("p-torn", "M27 1V13"),
            path("p-lost tok-0", "M42 16H28V25H42"),
        ],
    ),
    line("the highest token that the store has seen", &[path("p-highest", "M2 20H20V8H42")]),
    line("slow motion: drawn wider than to scale", &[path("p-race", "M3 18V9H41V18")]),
    line("squeezed: drawn narrower than to scale", &[path("p-squeezed", "M2 6h40v14h-40z")]),
];
