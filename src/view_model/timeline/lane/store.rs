//! A store's lane: its answers to writes, its values, the highest token that it has seen. What an
//! answer was (late, stale, refused although rightful) the report has judged.

use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::tracks::{Mark, MarkKind, Raise, StoreTracks, ValueSpan};
use crate::view_model::words::names::Words;

use super::canvas::{Anchor, Canvas, LaneData, LaneId, Paint, Part, TextStyle};

/// Where things stand in the lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoreRows {
    /// The middle of the answers.
    pub marks: Px,
    /// Upper edge of the values.
    pub value: Px,
    /// Lower edge of the values.
    pub value_end: Px,
    /// Highest and lowest line of the highest token seen.
    pub highest: Option<(Px, Px)>,
    /// Height of the lane.
    pub height: Px,
}

impl StoreRows {
    /// The rows; `verdict`: with a row above them for a verdict that has no room beside the marks.
    pub fn of(metrics: &Metrics, fenced: bool, verdict: bool) -> Self {
        let lift = if verdict { 22 } else { 0 };
        let at = |pixels: i32| metrics.px(pixels + lift);
        Self {
            marks: at(22),
            value: at(38),
            value_end: at(58),
            highest: fenced.then(|| (at(75), at(83))),
            height: at(if fenced { 90 } else { 66 }).rounded(),
        }
    }
}

/// Accepted writes of a lane that bear the number of their unit alone, at most.
const MOST_BARE_NUMBERS: usize = 8;

/// Draws the lane of a store in one run.
pub fn store_lane(
    id: LaneId,
    titles: (String, String),
    part: &Part<'_, StoreTracks>,
    rows: &StoreRows,
    words: &Words,
    scale: &TimeScale,
    metrics: &Metrics,
) -> LaneData {
    let mut canvas = Canvas::new(words, scale, metrics);
    values(&mut canvas, part, rows);
    if let Some(lines) = rows.highest {
        highest(&mut canvas, part.tracks, lines);
    }
    let mut labels = Vec::new();
    for (&kind, marks) in &part.tracks.marks {
        for drawn in merge::instants(marks, scale, metrics.px(4)) {
            let (mark, n_more) = match drawn {
                Drawn::One(mark) => (mark, false),
                Drawn::Many(mark, _) => (mark, true),
            };
            draw_mark(&mut canvas, kind, mark, rows.marks);
            let x = scale.x(mark.at);
            let is_labelled = !n_more && scale.view.holds(mark.at);
            let reach = match kind {
                MarkKind::RefusedRightful => metrics.px(10),
                MarkKind::Ignored
                | MarkKind::Effect
                | MarkKind::EffectTwice
                | MarkKind::Accepted
                | MarkKind::Sealed
                | MarkKind::Late
                | MarkKind::Refused
                | MarkKind::Damage => Px::ZERO,
            };
            let label = label(kind, mark).filter(|_| is_labelled);
            labels.push(Labelled { x, reach, label });
        }
    }
    drop_bare_numbers(&mut labels);
    place_labels(&mut canvas, labels, rows.marks);
    let band = (rows.marks - metrics.px(18), rows.value);
    super::incident::incidents(&mut canvas, part, &part.tracks.incidents, band);
    canvas.finish(id, titles.0, titles.1, rows.height)
}

/// Where the first answer of a store is seen, if it is: a verdict left of it has that much room.
pub fn first_mark(tracks: &StoreTracks, scale: &TimeScale) -> Option<Px> {
    let first = |marks: &Vec<Mark>| {
        let index = marks.partition_point(|mark| mark.at < scale.view.from);
        marks.get(index).map(|mark| mark.at)
    };
    let at = tracks.marks.values().filter_map(first).min()?;
    scale.view.holds(at).then(|| scale.x(at))
}

fn values(canvas: &mut Canvas<'_>, part: &Part<'_, StoreTracks>, rows: &StoreRows) {
    for drawn in merge::spans(&part.tracks.values, canvas.scale) {
        let (value, to, paint) = match drawn {
            Drawn::One(value) => (value, value.to, Paint::Value(value.color)),
            Drawn::Many(first, to) => (first, to, Paint::Dense),
        };
        let Some((from, to)) = part.cut(value.from, to) else {
            continue;
        };
        let (x, end) = canvas.edges(from, to);
        let rect = Rect { x, y: rows.value, w: end - x, h: rows.value_end - rows.value };
        canvas.path(paint).rect(rect, Px::whole(2));
        if paint != Paint::Dense {
            value_label(canvas, value, (x, end), rows);
        }
    }
}

fn value_label(canvas: &mut Canvas<'_>, value: &ValueSpan, edges: (Px, Px), rows: &StoreRows) {
    let (x, end) = canvas.seen(edges.0, edges.1);
    let name = format!("{}'s value", canvas.words.short(value.client));
    let texts = [
        value.kept.map(|_| format!("{name} kept")),
        Some(name),
        Some(canvas.words.short(value.client)),
    ];
    let style = TextStyle::Plain;
    let room = end - x - canvas.metrics.px(8);
    let fitting = texts.into_iter().flatten().find(|text| canvas.width(text, style) <= room);
    if let Some(text) = fitting {
        let baseline = rows.value + canvas.metrics.px(14);
        let x = x + canvas.metrics.px(6);
        canvas.text(x, baseline, Anchor::Start, style, text);
    }
}

fn highest(canvas: &mut Canvas<'_>, tracks: &StoreTracks, (top, bottom): (Px, Px)) {
    let raises = &tracks.highest[..];
    // Of numbers without order none is the highest, although the storage compares them.
    let what = if tracks.ordered { "highest seen" } else { "compares with" };
    let scale = canvas.scale;
    let n_seen = raises.partition_point(|raise| raise.at <= scale.view.from);
    let seen = merge::instants(raises, scale, Px::whole(3));
    // As high as its place among the tokens seen, so that it stays in its row.
    let most = raises.iter().map(|raise| raise.level).max().unwrap_or(0).max(1);
    let whole = |level: u32| i32::try_from(level).unwrap_or(i32::MAX);
    let level = |of: u32| bottom - (bottom - top).share(whole(of), whole(most));
    let token = |raise: &Raise| raise.token.map_or("none".to_owned(), |token| token.to_string());
    let first = n_seen.checked_sub(1).and_then(|index| raises.get(index));
    let mut y = level(first.map_or(0, |raise| raise.level));
    let from = scale.left;
    canvas.path(Paint::Highest).move_to(from, y);
    let mut texts: Vec<(Px, Px, String)> = Vec::new();
    texts.push((from, y, first.map_or("none".to_owned(), token)));
    for drawn in seen {
        let raise = match drawn {
            Drawn::One(raise) | Drawn::Many(raise, _) => raise,
        };
        if !(scale.view.from < raise.at && raise.at <= scale.view.to) {
            continue;
        }
        let n = raises.partition_point(|other| other.at <= raise.at);
        y = level(raises.get(n.saturating_sub(1)).map_or(0, |last| last.level));
        let x = scale.x(raise.at);
        canvas.path(Paint::Highest).across_to(x).down_to(y);
        texts.push((x, y, token(raise)));
    }
    canvas.path(Paint::Highest).across_to(scale.right());
    for index in 0..texts.len() {
        let end = texts.get(index + 1).map_or(scale.right(), |next| next.0);
        let (x, y, token) = &texts[index];
        let room = end - *x - canvas.metrics.px(8);
        let long = format!("{what}: {token}");
        let fitting = [long, token.clone()]
            .into_iter()
            .find(|text| canvas.width(text, TextStyle::Plain) <= room);
        if let Some(text) = fitting {
            let (x, y) = (*x + canvas.metrics.px(5), *y - canvas.metrics.px(4));
            canvas.text(x, y, Anchor::Start, TextStyle::Plain, text);
        }
    }
}

fn draw_mark(canvas: &mut Canvas<'_>, kind: MarkKind, mark: &Mark, y: Px) {
    let x = canvas.scale.x(mark.at);
    match kind {
        MarkKind::Ignored => {
            let r = canvas.metrics.px(7);
            let rect = Rect { x: x - r, y: y - r, w: r + r, h: r + r };
            canvas.path(Paint::Ignored).rect(rect, Px::whole(3));
        }
        MarkKind::Effect => {
            let r = canvas.metrics.px(7);
            canvas.path(Paint::Effect(mark.color)).circle(x, y, r);
        }
        MarkKind::Accepted => square(canvas, mark, x, y),
        MarkKind::Late => {
            square(canvas, mark, x, y);
            let (r, corner) = (canvas.metrics.px(8), canvas.metrics.px(8));
            canvas
                .path(Paint::LateCorner)
                .move_to(x + r - corner, y - r)
                .across_to(x + r)
                .down_to(y - r + corner)
                .close();
        }
        MarkKind::Sealed => {
            let r = canvas.metrics.px(8);
            canvas
                .path(Paint::Seal(mark.color))
                .move_to(x, y - r)
                .line_to(x + r, y)
                .line_to(x, y + r)
                .line_to(x - r, y)
                .close();
        }
        MarkKind::Refused => double_bar(canvas, x, y),
        MarkKind::RefusedRightful => {
            double_bar(canvas, x, y);
            let (r, x) = (canvas.metrics.px(7), x + canvas.metrics.px(15));
            canvas.path(Paint::Warning).circle(x, y, r);
            let (up, down) = (canvas.metrics.px(4), canvas.metrics.px(1));
            canvas
                .path(Paint::WarningSign)
                .move_to(x, y - up)
                .down_to(y + down)
                .move_to(x, y + up - Px::whole(1))
                .down_to(y + up);
        }
        MarkKind::Damage | MarkKind::EffectTwice => {
            let (half, up, down) =
                (canvas.metrics.px(11), canvas.metrics.px(12), canvas.metrics.px(8));
            canvas
                .path(Paint::Damage)
                .move_to(x, y - up)
                .line_to(x + half, y + down)
                .across_to(x - half)
                .close();
        }
    }
}

fn square(canvas: &mut Canvas<'_>, mark: &Mark, x: Px, y: Px) {
    let r = canvas.metrics.px(8);
    let rect = Rect { x: x - r, y: y - r, w: r + r, h: r + r };
    canvas.path(Paint::Accepted(mark.color)).rect(rect, Px::whole(3));
}

/// The fence.
fn double_bar(canvas: &mut Canvas<'_>, x: Px, y: Px) {
    let (half, width, gap) = (canvas.metrics.px(11), canvas.metrics.px(3), canvas.metrics.px(2));
    for left in [x - gap - width, x + gap] {
        let rect = Rect { x: left, y: y - half, w: width, h: half + half };
        canvas.path(Paint::Fence).rect(rect, Px::whole(1));
    }
}

/// What stands beside a mark: the long text, and shorter ones where there is less room.
struct Label {
    texts: [Option<String>; 3],
    style: TextStyle,
}

impl Label {
    /// Whether it says no more than the number of a unit.
    fn is_bare(&self) -> bool {
        self.texts[1].is_none()
    }
}

/// With the number of the unit of work, as the history has it, where there is room for it.
fn label(kind: MarkKind, mark: &Mark) -> Option<Label> {
    let unit = mark.unit.map(|unit| format!("unit {}", unit.number()));
    let Some(words) = words(kind, mark) else {
        return Some(Label { texts: [Some(unit?), None, None], style: TextStyle::Plain });
    };
    let with_unit = unit.map(|unit| format!("{} · {unit}", words.long));
    Some(Label { texts: [with_unit, Some(words.long), words.short], style: words.style })
}

/// Where a lane has many marks, those that only bear a number of a unit go without it: each is a
/// node of the drawing, and all of them together are read in the history.
fn drop_bare_numbers(labels: &mut [Labelled]) {
    let is_bare = |label: &&mut Labelled| label.label.as_ref().is_some_and(Label::is_bare);
    if labels.iter_mut().filter(is_bare).count() > MOST_BARE_NUMBERS {
        labels.iter_mut().filter(is_bare).for_each(|labelled| labelled.label = None);
    }
}

/// What a mark is.
struct MarkWords {
    long: String,
    short: Option<String>,
    style: TextStyle,
}

fn words(kind: MarkKind, mark: &Mark) -> Option<MarkWords> {
    let token = mark.token;
    let label = |long: String, style| MarkWords { long, short: None, style };
    match kind {
        MarkKind::Accepted => None,
        MarkKind::Ignored => Some(label("ignored".to_owned(), TextStyle::Plain)),
        MarkKind::Effect => Some(label("acts outside".to_owned(), TextStyle::Plain)),
        MarkKind::EffectTwice => Some(label("acts outside twice".to_owned(), TextStyle::Bad)),
        MarkKind::Sealed => Some(label(format!("sealed {token}"), TextStyle::Plain)),
        MarkKind::Late => Some(label(format!("late {token}"), TextStyle::Warning)),
        MarkKind::Refused => {
            let compared = compared(mark);
            Some(MarkWords {
                long: format!("refused {compared}"),
                short: Some(compared),
                style: TextStyle::Strong,
            })
        }
        MarkKind::RefusedRightful => {
            let compared = compared(mark);
            Some(MarkWords {
                long: format!("refused {compared}, rightful"),
                short: Some(compared),
                style: TextStyle::Warning,
            })
        }
        MarkKind::Damage if mark.lost_update => Some(MarkWords {
            long: format!("lost update {token}"),
            short: Some("lost update".to_owned()),
            style: TextStyle::Bad,
        }),
        MarkKind::Damage => Some(label(format!("accepted {token}"), TextStyle::Bad)),
    }
}

/// `33 < 34`: the token presented, and the fence.
fn compared(mark: &Mark) -> String {
    let token = mark.token;
    match mark.highest {
        Some(highest) if token < highest => format!("{token} < {highest}"),
        Some(highest) if token == highest => format!("{token} = {highest}"),
        Some(highest) => format!("{token} ≠ {highest}"),
        None => token.to_string(),
    }
}

/// A mark with its label: where it is, and how far it reaches to the right.
struct Labelled {
    x: Px,
    reach: Px,
    label: Option<Label>,
}

/// Puts each label right of its mark, or left of it, where it meets no other mark and no label.
/// What was refused or did damage goes first.
fn place_labels(canvas: &mut Canvas<'_>, mut labels: Vec<Labelled>, y: Px) {
    labels.sort_by_key(|labelled| labelled.x);
    let half = canvas.metrics.px(10);
    let mut taken: Vec<(Px, Px)> =
        labels.iter().map(|labelled| (labelled.x - half, labelled.x + half)).collect();
    for plain in [false, true] {
        for (index, labelled) in labels.iter().enumerate() {
            let Some(label) = &labelled.label else {
                continue;
            };
            if (label.style == TextStyle::Plain) == plain {
                place_label(canvas, labelled, label, (index, &mut taken), y);
            }
        }
    }
}

fn place_label(
    canvas: &mut Canvas<'_>,
    labelled: &Labelled,
    label: &Label,
    (own, taken): (usize, &mut Vec<(Px, Px)>),
    y: Px,
) {
    let near = canvas.metrics.px(15);
    let edges =
        (canvas.scale.left - canvas.metrics.left(), canvas.scale.right() + canvas.metrics.right());
    let baseline = y + canvas.metrics.px(4);
    for text in label.texts.iter().flatten() {
        let width = canvas.width(text, label.style);
        let right = labelled.x + near + labelled.reach;
        let left = labelled.x - near;
        let places =
            [(right, right + width, right, Anchor::Start), (left - width, left, left, Anchor::End)];
        for (from, to, x, anchor) in places {
            let mut others = taken.iter().enumerate().filter(|(index, _)| *index != own);
            let meets = others.any(|(_, &(start, end))| from < end && start < to);
            if !meets && edges.0 <= from && to <= edges.1 {
                taken.push((from, to));
                canvas.text(x, baseline, anchor, label.style, text.clone());
                return;
            }
        }
    }
}
