//! What stands in a store's lane: what its answers were, whose values it has and how long, the
//! highest token that it has seen.

use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::Px;
use crate::view_model::timeline::label::{
    Anchor, Area, Place, Rank, TextGround, TextStyle, Thing, Wish, Wording,
};
use crate::view_model::tracks::{Mark, MarkKind, StoreTracks, ValueSpan};

use super::canvas::{Canvas, Lasts, Part, along};
use super::store::StoreRows;

/// An answer that is drawn: what it covers, and whether it is the first of its kind that is seen.
pub(super) struct Answer<'a> {
    pub(super) kind: MarkKind,
    pub(super) mark: &'a Mark,
    pub(super) rect: Rect,
    pub(super) is_first: bool,
}

/// Says what an answer was, beside it.
pub(super) fn answer(
    canvas: &mut Canvas<'_>,
    answer: &Answer<'_>,
    rows: &StoreRows,
    ordered: bool,
) {
    let Answer { kind, mark, rect, is_first } = answer;
    let (words, style) = words(*kind, mark, ordered);
    let (decides, rank) = match kind {
        MarkKind::Refused
        | MarkKind::RefusedRightful
        | MarkKind::Damage
        | MarkKind::EffectTwice => (*is_first, Rank::Answer),
        MarkKind::Late => (false, Rank::Answer),
        MarkKind::Ignored | MarkKind::Effect | MarkKind::Sealed | MarkKind::Accepted => {
            (false, Rank::Value)
        }
    };
    let metrics = canvas.metrics;
    let half = metrics.px(17).share(1, 2);
    let (right, left) = (rect.x + rect.w + metrics.px(2), rect.x - metrics.px(2));
    let at = [(right, Anchor::Start), (left, Anchor::End)];
    let heights = [rows.marks - half, rows.top];
    let places = at.into_iter().flat_map(|(x, anchor)| heights.map(|y| Place { x, anchor, y }));
    let is_told = *kind != MarkKind::Accepted;
    let wish = Wish {
        words,
        places: places.filter(|_| is_told).collect(),
        style,
        ground: canvas.ground,
        anywhere: decides.then_some(*rect),
        ..canvas.about(rank, *rect)
    };
    canvas.wish(wish);
}

/// The letter of who is thrown back, in its disc.
pub(super) fn letter(canvas: &mut Canvas<'_>, mark: &Mark, disc: Rect) {
    let x = disc.x + disc.w.share(1, 2);
    let wish = Wish {
        words: vec![canvas.words.letter(mark.client).into()],
        places: vec![Place { x, anchor: Anchor::Middle, y: disc.y }],
        over: &[Thing::Mark, Thing::Value],
        style: TextStyle::Strong,
        height: Some(disc.h),
        ..canvas.about(Rank::Answer, disc)
    };
    canvas.wish(wish);
}

fn words(kind: MarkKind, mark: &Mark, ordered: bool) -> (Vec<Wording>, TextStyle) {
    let token = mark.token;
    let with = |what: &str| if ordered { format!("{what} {token}") } else { what.to_owned() };
    let (words, style) = match kind {
        // Told to who points at it, as the history has it.
        MarkKind::Accepted => {
            let unit = mark.unit.map(|unit| format!("unit {}", unit.number()));
            (unit.into_iter().collect(), TextStyle::Plain)
        }
        MarkKind::Ignored => (vec!["ignored".to_owned()], TextStyle::Plain),
        MarkKind::Effect => (vec!["acts outside".to_owned()], TextStyle::Plain),
        MarkKind::EffectTwice => {
            (vec!["acts outside twice".to_owned(), "twice".to_owned()], TextStyle::Bad)
        }
        MarkKind::Sealed => (vec![with("sealed"), "sealed".to_owned()], TextStyle::Plain),
        MarkKind::Late => (vec![with("late"), "late".to_owned()], TextStyle::Warning),
        MarkKind::Refused => (refused(mark, ordered), TextStyle::Strong),
        MarkKind::RefusedRightful => {
            let compared = compared(mark);
            let words = [
                format!("refused {compared}, rightful"),
                "refused, rightful".to_owned(),
                "rightful".to_owned(),
            ];
            (words.into(), TextStyle::Warning)
        }
        MarkKind::Damage if mark.lost_update => {
            (vec![with("lost update"), "lost update".to_owned()], TextStyle::Bad)
        }
        MarkKind::Damage => {
            let accepted = with("accepted");
            (vec![format!("{accepted}, stale"), accepted, "stale".to_owned()], TextStyle::Bad)
        }
    };
    (words.into_iter().map(Wording::from).collect(), style)
}

fn refused(mark: &Mark, ordered: bool) -> Vec<String> {
    let token = mark.token;
    let mut words = Vec::new();
    if let Some(highest) = mark.highest.filter(|_| ordered) {
        words.push(format!("fence refuses {token}: it has seen {highest}"));
        words.push(format!("fence refuses {token}:\nit has seen {highest}"));
    }
    words.push(format!("refused {}", compared(mark)));
    words.push(format!("refused {token}"));
    words.push("refused".to_owned());
    words
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

/// Says whose a value is and how long, in its bar, beside fences.
pub(super) fn value(
    canvas: &mut Canvas<'_>,
    part: &Part<'_, StoreTracks>,
    value: &ValueSpan,
    rect: Rect,
) {
    let client = canvas.words.tag(value.client);
    let kept = if value.kept.is_some() { " kept" } else { "" };
    let name = format!("{client}'s value{kept}");
    let mut words = match part.lasts(value.from, value.to, part.is_over(value.to)) {
        Lasts::For(length) => vec![format!("{name} · {length}")],
        Lasts::ToTheEnd(_) => {
            vec![format!("{name}, to the end of the run"), format!("{name}, to the end")]
        }
        Lasts::Untold => Vec::new(),
    };
    words.extend([name, format!("{client}'s value"), client]);
    let metrics = canvas.metrics;
    let (x, end) = canvas.seen(rect.x, rect.x + rect.w);
    let (inset, height) = (metrics.px(3), rect.h - metrics.px(3));
    let (from, to) = (x + inset, end - Px::whole(1));
    let y = rect.y + (rect.h - height).share(1, 2);
    let kinds = [MarkKind::Refused, MarkKind::RefusedRightful];
    let fences = kinds.into_iter().flat_map(|kind| part.tracks.marks.get(&kind)).flatten();
    let behind = fences.map(|mark| canvas.scale.x(mark.at) + metrics.px(27));
    let behind = behind.map(|x| Place { x, anchor: Anchor::Start, y }).take(8);
    let wish = Wish {
        words: words.into_iter().map(Wording::from).collect(),
        places: along((from, to), 1, y).chain(behind).chain(along((from, to), 8, y)).collect(),
        bounds: (from, to),
        over: &[Thing::Value],
        style: TextStyle::Ink,
        ground: TextGround::Value(value.color),
        height: Some(height),
        ..canvas.about(Rank::Value, rect)
    };
    canvas.wish(wish);
}

/// Says that a value is lost, where it goes on as such.
pub(super) fn lost_value(canvas: &mut Canvas<'_>, value: &ValueSpan, rect: Rect) {
    let client = canvas.words.tag(value.client);
    let words = [format!("{client}'s value lost"), "lost".to_owned()];
    let metrics = canvas.metrics;
    let (from, to) = canvas.seen(rect.x + metrics.px(4), rect.x + rect.w);
    let height = rect.h - Px::whole(2);
    let wish = Wish {
        words: words.map(Wording::from).into(),
        places: along((from, to), 6, rect.y + Px::whole(1)).collect(),
        bounds: (from, to),
        style: TextStyle::BadPlain,
        ground: canvas.ground,
        height: Some(height),
        ..canvas.about(Rank::Value, rect)
    };
    canvas.wish(wish);
}

/// Says which token is the highest seen, from `x` to `end`, where its line is `y` high.
pub(super) fn highest(
    canvas: &mut Canvas<'_>,
    (what, token): (&str, &str),
    (x, end): (Px, Px),
    (y, bottom): (Px, Px),
) {
    let metrics = canvas.metrics;
    let height = metrics.px(17);
    // Above its line, or on it.
    let heights = [y - height - Px::whole(1), bottom + metrics.px(4) - height];
    let near = metrics.px(2);
    let places = heights.map(|y| Place { x: x + near, anchor: Anchor::Start, y });
    let rect = Rect { x, y: y - metrics.px(10), w: end - x, h: metrics.px(14) };
    let wish = Wish {
        words: [format!("{what}: {token}"), token.to_owned()].map(Wording::from).into(),
        places: places.into(),
        bounds: (x, end),
        ground: canvas.ground,
        about: Area::Rect(rect),
        ..canvas.about(Rank::Highest, rect)
    };
    canvas.wish(wish);
}
