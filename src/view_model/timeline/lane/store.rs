//! A store's lane: its answers to writes, its values, the highest token that it has seen, the fence
//! that throws writes back. What an answer was (late, stale, refused although rightful) the report
//! has judged; red is for damage alone.

use crate::sim::time::SimTime;
use crate::view_model::drawing::merge::{self, Drawn};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::timeline::label::{Board, TextGround, Thing};
use crate::view_model::tracks::{Mark, MarkKind, Raise, StoreTracks, ValueSpan};
use crate::view_model::words::names::Words;

use super::canvas::{Canvas, LaneData, LaneId, Paint, Part};
use super::store_label::{self, Answer};

/// Where things stand in the lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoreRows {
    /// Upper edge of all of them.
    pub top: Px,
    /// The middle of the answers.
    pub marks: Px,
    /// Where a write that is refused meets the fence.
    pub hit: Px,
    /// Upper edge of the values.
    pub value: Px,
    /// Lower edge of the values.
    pub value_end: Px,
    /// Upper and lower edge of values that are lost.
    pub lost: Option<(Px, Px)>,
    /// Highest and lowest line of the highest token seen.
    pub highest: Option<(Px, Px)>,
    /// Height of the lane.
    pub height: Px,
}

impl StoreRows {
    /// The rows; `verdict`: with a row above them for a verdict that has no room beside the marks.
    /// `low`: beside many clients and in two stacks, with answers and values alone.
    pub fn of(metrics: &Metrics, fenced: bool, verdict: bool, low: bool) -> Self {
        let lift = match (verdict, low) {
            (false, _) => 0,
            (true, false) => 22,
            (true, true) => 19,
        };
        if low {
            let at = |pixels: i32| metrics.px(pixels + lift);
            return Self {
                top: at(2),
                marks: at(13),
                hit: at(13),
                value: at(29),
                value_end: at(47),
                lost: None,
                highest: None,
                height: at(52).rounded(),
            };
        }
        // Where names stand above the lanes, they leave less room in them.
        let less = if metrics.narrow { 6 } else { 0 };
        let at = |pixels: i32| metrics.px(pixels + lift - less);
        Self {
            top: at(2 + less),
            marks: at(16 + less / 2),
            hit: at(18),
            value: at(35),
            value_end: at(54),
            lost: Some((at(58), at(73))),
            highest: fenced.then(|| (at(69), at(79))),
            height: at(if fenced { 86 + less / 3 } else { 80 }).rounded(),
        }
    }

    /// Just above the answers.
    pub fn above_marks(&self, metrics: &Metrics) -> Px {
        self.marks - metrics.px(9)
    }
}

/// Draws the lane of a store in one run.
pub fn store_lane(
    id: LaneId,
    (titles, ground): ((String, String), TextGround),
    part: &Part<'_, StoreTracks>,
    rows: &StoreRows,
    words: &Words,
    scale: &TimeScale,
    metrics: &Metrics,
) -> (LaneData, Board) {
    let mut canvas = Canvas::new(words, scale, metrics);
    canvas.ground = ground;
    values(&mut canvas, part, rows);
    if let Some(lines) = rows.highest {
        highest(&mut canvas, part.tracks, lines);
    }
    for (&kind, marks) in &part.tracks.marks {
        let (left, right) = reach(kind);
        let mut is_first = true;
        // A fence is as wide as its posts: what is thrown back nearer by meets the same one.
        let apart = if is_fence(kind) { right } else { 4 };
        for drawn in merge::instants(marks, scale, metrics.px(apart)) {
            let (mark, n_more) = match drawn {
                Drawn::One(mark) => (mark, false),
                Drawn::Many(mark, _) => (mark, !is_fence(kind)),
            };
            draw_mark(&mut canvas, kind, mark, rows);
            let (x, half) = (scale.x(mark.at), metrics.px(10));
            canvas.block(blocked(kind, x, rows, metrics));
            let (x, w) = (x - metrics.px(left), metrics.px(left + right));
            let rect = Rect { x, y: rows.marks - half, w, h: half + half };
            if !is_fence(kind) {
                canvas.take(Thing::Mark, rect);
            }
            if !n_more && scale.view.holds(mark.at) {
                let answer = Answer { kind, mark, rect, is_first };
                store_label::answer(&mut canvas, &answer, rows, part.tracks.ordered);
                is_first = false;
            }
        }
    }
    let band = (rows.top, rows.value);
    super::incident::incidents(&mut canvas, part, &part.tracks.incidents, band);
    canvas.finish(id, titles.0, titles.1, rows.height)
}

/// Whether a fence is drawn for an answer.
fn is_fence(kind: MarkKind) -> bool {
    matches!(kind, MarkKind::Refused | MarkKind::RefusedRightful)
}

/// Where the playhead is left out at an answer: above it, and nowhere below a fence.
fn blocked(kind: MarkKind, x: Px, rows: &StoreRows, metrics: &Metrics) -> Rect {
    let half = metrics.px(9);
    if is_fence(kind) {
        let (left, wide) = (metrics.px(6), metrics.px(30));
        return Rect { x: x - left, y: Px::ZERO, w: wide, h: rows.height };
    }
    // Damage goes through to the value.
    let bottom = match kind {
        MarkKind::Damage => rows.value_end,
        MarkKind::Ignored
        | MarkKind::Effect
        | MarkKind::EffectTwice
        | MarkKind::Accepted
        | MarkKind::Sealed
        | MarkKind::Late
        | MarkKind::Refused
        | MarkKind::RefusedRightful => rows.marks + half,
    };
    let y = rows.marks - half;
    Rect { x: x - half, y, w: half + half, h: bottom - y }
}

/// How far what is drawn of an answer reaches to the left and to the right.
fn reach(kind: MarkKind) -> (i32, i32) {
    match kind {
        MarkKind::Refused => (47, 24),
        MarkKind::RefusedRightful => (47, 42),
        MarkKind::Ignored
        | MarkKind::Effect
        | MarkKind::EffectTwice
        | MarkKind::Accepted
        | MarkKind::Sealed
        | MarkKind::Late
        | MarkKind::Damage => (10, 10),
    }
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
        let is_torn = value.torn && paint != Paint::Dense && end - x > TORN_OFF + TORN_OFF;
        if is_torn {
            torn(canvas, paint, rect);
        } else {
            canvas.path(paint).rect(rect, Px::whole(2));
        }
        if paint != Paint::Dense {
            let off = if is_torn { TORN_OFF } else { Px::ZERO };
            let rect = Rect { w: rect.w - off, ..rect };
            canvas.take(Thing::Value, rect);
            store_label::value(canvas, part, value, rect);
        }
    }
    lost_values(canvas, part, rows);
}

/// What was torn off goes on as lost, as long as the value stands that took its place.
fn lost_values(canvas: &mut Canvas<'_>, part: &Part<'_, StoreTracks>, rows: &StoreRows) {
    let (scale, list) = (canvas.scale, &part.tracks.values);
    let first = list.partition_point(|value| value.to <= scale.view.from).saturating_sub(1);
    let last = list.partition_point(|value| value.to <= scale.view.to);
    let mut free = SimTime::ZERO;
    for index in first..last.max(first) {
        let value = &list[index];
        if value.torn && value.to >= free {
            let until = list.get(index + 1).map_or(value.to, |next| next.to);
            lost(canvas, value, part.cut(value.to, until), rows);
            free = merge::until(scale, scale.x(value.to) + Px::whole(4));
        }
    }
}

/// How much a torn end is shorter than the value was.
const TORN_OFF: Px = Px::whole(10);

/// A value whose end is torn off: four teeth.
fn torn(canvas: &mut Canvas<'_>, paint: Paint, Rect { x, y, w, h }: Rect) {
    let (inner, outer) = (x + w - TORN_OFF, x + w - Px::whole(4));
    let path = canvas.path(paint);
    path.move_to(x, y).across_to(inner);
    for tooth in 1..=4 {
        path.line_to(if tooth % 2 == 1 { outer } else { inner }, y + h.share(tooth, 4));
    }
    path.across_to(x).close();
}

/// Where damage cut a value off, and the value that is lost from there on.
fn lost(
    canvas: &mut Canvas<'_>,
    value: &ValueSpan,
    span: Option<(SimTime, SimTime)>,
    rows: &StoreRows,
) {
    let Some((from, to)) = span else {
        return;
    };
    let view = canvas.scale.view;
    if view.holds(from) {
        let (x, over) = (canvas.scale.x(from), Px::whole(1));
        let (y, bottom) = (rows.value - over, rows.value_end + over);
        canvas.path(Paint::Torn).move_to(x, y).down_to(bottom);
    }
    let (from, to) = (from.max(view.from), to.min(view.to));
    if from >= to {
        return;
    }
    let Some((top, bottom)) = rows.lost else {
        return;
    };
    let (x, end) = canvas.edges(from, to);
    let x = x + Px(96);
    canvas
        .path(Paint::Lost(value.color))
        .move_to(end, top)
        .across_to(x)
        .down_to(bottom)
        .across_to(end);
    // The highest token seen stands as high.
    if rows.highest.is_none() {
        let rect = Rect { x, y: top, w: end - x, h: bottom - top };
        store_label::lost_value(canvas, value, rect);
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
        store_label::highest(canvas, (what, token), (*x, end), (*y, bottom));
    }
}

fn draw_mark(canvas: &mut Canvas<'_>, kind: MarkKind, mark: &Mark, rows: &StoreRows) {
    let (x, y) = (canvas.scale.x(mark.at), rows.marks);
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
            let (r, corner) = (canvas.metrics.px(7), canvas.metrics.px(8));
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
        MarkKind::Refused => fence(canvas, mark, x, rows),
        MarkKind::RefusedRightful => {
            fence(canvas, mark, x, rows);
            let (r, x) = (canvas.metrics.px(7), x + canvas.metrics.px(34));
            let sign = Rect { x: x - r, y: y - r, w: r + r, h: r + r };
            canvas.take(Thing::Mark, sign);
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
                (canvas.metrics.px(10), canvas.metrics.px(8), canvas.metrics.px(9));
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
    let r = canvas.metrics.px(7);
    let rect = Rect { x: x - r, y: y - r, w: r + r, h: r + r };
    canvas.path(Paint::Accepted(mark.color)).rect(rect, Px::whole(3));
}

/// The fence: three posts as in the logo, two rails, and who is thrown back.
fn fence(canvas: &mut Canvas<'_>, mark: &Mark, x: Px, rows: &StoreRows) {
    let metrics = canvas.metrics;
    let tenth = |tenths: i32| metrics.px(tenths).share(1, 10);
    let (top, bottom) = (rows.top + metrics.px(1), rows.height - metrics.px(2));
    let (half, point) = (tenth(23), tenth(55));
    for post in 0..3 {
        let middle = x + metrics.px(9 * post);
        canvas
            .path(Paint::Fence)
            .move_to(middle - half, bottom)
            .down_to(top + point)
            .line_to(middle, top)
            .line_to(middle + half, top + point)
            .down_to(bottom)
            .close();
    }
    let over = metrics.px(5);
    // Where the lane is low there is no room for a rail below the value.
    let n_rails = if rows.lost.is_some() { 2 } else { 1 };
    for y in [rows.hit + metrics.px(2), rows.value_end + over].into_iter().take(n_rails) {
        let rect = Rect { x: x - over, y, w: metrics.px(28), h: tenth(34) };
        canvas.path(Paint::Fence).rect(rect, Px::ZERO);
    }
    let (from, to) = ((x - over, rows.hit), (x - metrics.px(35), rows.hit + metrics.px(10)));
    let back = (from.0 - metrics.px(25), from.1 + metrics.px(8));
    canvas.path(Paint::Bounce).move_to(from.0, from.1).line_to(back.0, back.1);
    canvas.path(Paint::Bounced(mark.color)).circle(to.0, to.1, tenth(85));
    let r = tenth(85) + Px::whole(1);
    let disc = Rect { x: to.0 - r, y: to.1 - r, w: r + r, h: r + r };
    store_label::letter(canvas, mark, disc);
    // The value runs over it: a text stands above, on the value, or below.
    let (x, w) = (x - metrics.px(6), metrics.px(30));
    let (y, end) = (rows.value - Px::whole(1), rows.value_end + Px::whole(1));
    canvas.take(Thing::Mark, disc);
    canvas.take(Thing::Mark, Rect { x, y: top, w, h: y - top });
    canvas.take(Thing::Mark, Rect { x, y: end, w, h: bottom - end });
}
