//! Finds each text a place: the most important first, the best place and wording first. What finds
//! none is left out, and is told to who points at it. It is given all wishes at once and knows
//! neither runs nor lanes.

use std::collections::{BTreeMap, BTreeSet};

use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::{PathData, Rect};
use crate::view_model::drawing::scale::Px;

use super::{Anchor, Area, Board, Label, Place, Taken, TextGround, Thing, Wish, Wording};

/// Between any two texts, and between a text and what is taken.
const APART: Px = Px::whole(2);

/// How near a line a pointer means it.
const NEAR: Px = Px::whole(6);

/// How often those that must be said and found no room may go first.
const MOST_ROUNDS: usize = 6;

/// Where all texts stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    /// The texts.
    pub texts: Vec<Label>,
    /// What lies under them, a path for each kind.
    pub grounds: Vec<(TextGround, String)>,
    /// What is not said, or not in full.
    pub unsaid: Vec<Unsaid>,
}

/// A text that found no room, or only a shorter one that did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsaid {
    /// What it is about.
    pub about: Area,
    /// What it would say.
    pub text: String,
    /// Whether it is never left out, and is.
    pub missed: bool,
}

impl Labels {
    /// What is told to who points at a place.
    pub fn unsaid_at(&self, x: Px, y: Px) -> impl Iterator<Item = &str> {
        let meant = move |unsaid: &&Unsaid| unsaid.about.is_near(x, y);
        self.unsaid.iter().filter(meant).map(|unsaid| unsaid.text.as_str())
    }
}

impl Area {
    fn is_near(&self, x: Px, y: Px) -> bool {
        match *self {
            Self::Rect(rect) => {
                rect.x <= x && x < rect.x + rect.w && rect.y <= y && y < rect.y + rect.h
            }
            Self::Line(from, to) => {
                let (dx, dy) = (i64::from((to.0 - from.0).0), i64::from((to.1 - from.1).0));
                let (px, py) = (i64::from((x - from.0).0), i64::from((y - from.1).0));
                let square = dx * dx + dy * dy;
                let inside = (0..=square).contains(&(px * dx + py * dy));
                // The distance times the length.
                let off = (px * dy - py * dx).unsigned_abs();
                inside && off <= u64::from(NEAR.0.unsigned_abs()) * square.unsigned_abs().isqrt()
            }
        }
    }

    /// Where it begins, by which what is worth the same is placed from left to right.
    fn left(&self) -> Px {
        match self {
            Self::Rect(rect) => rect.x,
            Self::Line(from, _) => from.0,
        }
    }
}

/// Whether two rectangles are nearer than texts may be.
fn meet(one: &Rect, other: &Rect) -> bool {
    one.x < other.x + other.w + APART
        && other.x < one.x + one.w + APART
        && one.y < other.y + other.h + APART
        && other.y < one.y + one.h + APART
}

/// Finds a place for each wish.
pub fn place(board: &Board, metrics: &Metrics) -> Labels {
    let mut first: BTreeSet<usize> = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let found = round(board, metrics, &first);
        let missed = board.wishes.iter().zip(&found).enumerate();
        let missed = missed.filter(|(_, (wish, found))| found.is_none() && wish.anywhere.is_some());
        let before = first.len();
        first.extend(missed.map(|(index, _)| index));
        if first.len() == before {
            return labels(board, found, metrics);
        }
    }
    labels(board, round(board, metrics, &first), metrics)
}

/// A wording at a place.
type Found = Option<(usize, Anchor, Rect)>;

/// One pass over all wishes, `first` before all others.
fn round(board: &Board, metrics: &Metrics, first: &BTreeSet<usize>) -> Vec<Found> {
    let mut order: Vec<usize> = (0..board.wishes.len()).collect();
    let key = |index: usize| {
        let wish = &board.wishes[index];
        (!first.contains(&index), wish.rank, wish.about.left(), index)
    };
    order.sort_unstable_by_key(|&index| key(index));
    let mut pass = Pass { board, texts: Vec::new() };
    let mut found = vec![None; board.wishes.len()];
    for index in order {
        let wish = &board.wishes[index];
        let place = pass.own_place(wish, metrics).or_else(|| pass.any_place(wish, metrics));
        pass.texts.extend(place.map(|(_, _, rect)| rect));
        found[index] = place;
    }
    found
}

struct Pass<'a> {
    board: &'a Board,
    texts: Vec<Rect>,
}

impl Pass<'_> {
    fn is_free(&self, rect: &Rect, over: &[Thing]) -> bool {
        let blocks = |taken: &Taken| !over.contains(&taken.by) && meet(rect, &taken.rect);
        !self.texts.iter().any(|text| meet(rect, text)) && !self.board.taken.iter().any(blocks)
    }

    /// The first of its own places that is free, for the longest wording that has one.
    fn own_place(&self, wish: &Wish, metrics: &Metrics) -> Found {
        for (index, wording) in wish.words.iter().enumerate() {
            let (w, h) = size(wish, wording, metrics);
            for place in &wish.places {
                let rect = at(place, w, h);
                let inside = wish.bounds.0 <= rect.x && rect.x + w <= wish.bounds.1;
                if inside && self.is_free(&rect, wish.over) {
                    return Some((index, place.anchor, rect));
                }
            }
        }
        None
    }

    /// The nearest place that is free, for what is never left out.
    fn any_place(&self, wish: &Wish, metrics: &Metrics) -> Found {
        let room = wish.anywhere?;
        let near = wish.places.first()?;
        let step = Px::whole(4);
        for (index, wording) in wish.words.iter().enumerate() {
            let (w, h) = size(wish, wording, metrics);
            let steps = |from: Px, to: Px| {
                let n = (to - from).0.div_euclid(step.0);
                (0..=n.max(-1)).map(move |nth| from + step.share(nth, 1))
            };
            let rects = steps(room.y, room.y + room.h - h)
                .flat_map(|y| steps(room.x, room.x + room.w - w).map(move |x| Rect { x, y, w, h }));
            let ideal = at(near, w, h);
            let far = |rect: &Rect| {
                // A row of its own is farther than a place beside.
                (rect.x - ideal.x)
                    .0
                    .abs()
                    .saturating_add((rect.y - ideal.y).0.abs().saturating_mul(3))
            };
            let free = rects.filter(|rect| self.is_free(rect, wish.over));
            if let Some(rect) = free.min_by_key(|rect| (far(rect), rect.y, rect.x)) {
                return Some((index, Anchor::Middle, rect));
            }
        }
        None
    }
}

fn at(place: &Place, w: Px, h: Px) -> Rect {
    let x = match place.anchor {
        Anchor::Start => place.x,
        Anchor::Middle => place.x - w.share(1, 2),
        Anchor::End => place.x - w,
    };
    Rect { x, y: place.y, w, h }
}

/// From one row of a text to the next.
fn row(metrics: &Metrics) -> Px {
    metrics.px(14)
}

/// Between a text and what follows it.
fn gap(metrics: &Metrics) -> Px {
    metrics.px(8)
}

fn size(wish: &Wish, wording: &Wording, metrics: &Metrics) -> (Px, Px) {
    let strong = wish.style.is_strong();
    let rows = wording.text.split('\n').map(|row| metrics.text_width(row, strong));
    let tail = match wording.tail.as_str() {
        "" => Px::ZERO,
        tail => gap(metrics) + metrics.text_width(tail, false),
    };
    let pad = wish.pad(metrics);
    let n_more = i32::try_from(wording.text.matches('\n').count()).unwrap_or(0);
    let height = wish.height.unwrap_or(metrics.px(17)) + row(metrics).share(n_more, 1);
    (rows.max().unwrap_or_default() + tail + pad + pad, height)
}

/// All texts at their places, in the order wished.
fn labels(board: &Board, found: Vec<Found>, metrics: &Metrics) -> Labels {
    let mut all = Labels::default();
    let mut grounds: BTreeMap<TextGround, PathData> = BTreeMap::new();
    for (wish, found) in board.wishes.iter().zip(found) {
        if found.is_none_or(|(index, ..)| index > 0) {
            all.unsaid.extend(unsaid(wish, found.is_none()));
        }
        let Some((index, anchor, rect)) = found else {
            continue;
        };
        if wish.ground != TextGround::Clear {
            let corner = match wish.ground {
                TextGround::Pill => rect.h.share(1, 2),
                TextGround::Value(_) | TextGround::Clear => Px::ZERO,
                TextGround::Card | TextGround::Bad | TextGround::Warned | TextGround::Safe => {
                    Px::whole(3)
                }
            };
            grounds.entry(wish.ground).or_default().rect(rect, corner);
        }
        texts(&mut all.texts, wish, &wish.words[index], (anchor, rect), metrics);
    }
    all.grounds = grounds.into_iter().map(|(ground, d)| (ground, d.into_string())).collect();
    all
}

fn unsaid(wish: &Wish, missing: bool) -> Option<Unsaid> {
    let Wording { text, tail } = wish.words.first()?;
    let text = [text.as_str(), tail.as_str()].join(" ").replace('\n', " ");
    let text = text.trim_end().to_owned();
    Some(Unsaid { about: wish.about, text, missed: missing && wish.anywhere.is_some() })
}

fn texts(
    list: &mut Vec<Label>,
    wish: &Wish,
    wording: &Wording,
    (anchor, rect): (Anchor, Rect),
    metrics: &Metrics,
) {
    let pad = wish.pad(metrics);
    // In a plate it stands in the middle, whatever font is there.
    let anchor = if wish.ground == TextGround::Pill { Anchor::Middle } else { anchor };
    let x = match anchor {
        Anchor::Start => rect.x + pad,
        Anchor::Middle => rect.x + rect.w.share(1, 2),
        Anchor::End => rect.x + rect.w - pad,
    };
    let rows: Vec<&str> = wording.text.split('\n').collect();
    let n_more = i32::try_from(rows.len() - 1).unwrap_or(0);
    let all = row(metrics).share(n_more, 1);
    let mut y = rect.y + (rect.h - all).share(1, 2) + metrics.px(4);
    for row_text in rows {
        list.push(Label {
            rank: wish.rank,
            x,
            y,
            anchor,
            style: wish.style,
            text: row_text.to_owned(),
            tail: wording.tail.clone(),
            rect,
        });
        y = y + row(metrics);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::timeline::label::{Rank, TextStyle};

    fn metrics() -> Metrics {
        Metrics::new(Px::whole(400), 12, false)
    }

    fn wish(rank: Rank, words: &[&str], places: &[(i32, i32)]) -> Wish {
        let place = |&(x, y): &(i32, i32)| Place {
            x: Px::whole(x),
            anchor: Anchor::Start,
            y: Px::whole(y),
        };
        Wish {
            rank,
            about: Area::Rect(Rect { x: Px::ZERO, y: Px::ZERO, w: Px::whole(9), h: Px::whole(9) }),
            words: words.iter().map(|text| Wording::from((*text).to_owned())).collect(),
            places: places.iter().map(place).collect(),
            bounds: (Px::ZERO, Px::whole(400)),
            over: &[],
            style: TextStyle::Plain,
            ground: TextGround::Card,
            height: None,
            anywhere: None,
        }
    }

    fn said(board: &Board) -> Vec<(String, i32)> {
        let labels = place(board, &metrics());
        labels.texts.iter().map(|text| (text.text.clone(), text.rect.x.floor())).collect()
    }

    #[test]
    fn the_more_important_stands_and_the_other_gives_way() {
        let mut board = Board::default();
        board.wishes.push(wish(Rank::Wait, &["waits"], &[(0, 0), (100, 0)]));
        board.wishes.push(wish(Rank::Pause, &["paused"], &[(0, 0), (100, 0)]));
        assert_eq!(said(&board), [("waits".to_owned(), 100), ("paused".to_owned(), 0)]);
    }

    #[test]
    fn a_shorter_wording_comes_before_none_and_what_is_left_out_is_told() {
        let mut board = Board::default();
        board.wishes.push(wish(Rank::Wait, &["a very long text for it", "short"], &[(0, 0)]));
        let handle = Rect { x: Px::whole(80), y: Px::ZERO, w: Px::whole(10), h: Px::whole(20) };
        board.take(Thing::Handle, handle);
        assert_eq!(said(&board), [("short".to_owned(), 0)]);
        board.wishes[0].words.truncate(1);
        let labels = place(&board, &metrics());
        assert!(labels.texts.is_empty());
        let told: Vec<_> = labels.unsaid_at(Px::whole(5), Px::whole(5)).collect();
        assert_eq!(told, ["a very long text for it"]);
        assert_eq!(labels.unsaid_at(Px::whole(50), Px::whole(5)).count(), 0);
    }

    #[test]
    fn what_is_never_left_out_goes_where_there_is_room_and_before_others_if_there_is_none() {
        let room = Rect { x: Px::ZERO, y: Px::ZERO, w: Px::whole(60), h: Px::whole(20) };
        let mut board = Board::default();
        board.wishes.push(wish(Rank::Belief, &["in the way"], &[(0, 0)]));
        let must = Wish { anywhere: Some(room), ..wish(Rank::Message, &["write 33"], &[(0, 0)]) };
        board.wishes.push(must);
        assert_eq!(said(&board), [("write 33".to_owned(), 0)]);
        // Beside each other there is room for both.
        board.wishes[1].anywhere = Some(Rect { w: Px::whole(300), ..room });
        let both = said(&board);
        assert_eq!(both.len(), 2);
        assert!(both[1].1 > 60, "{both:?}");
    }

    #[test]
    fn a_text_lies_over_what_it_may_and_never_over_a_text() {
        let mut board = Board::default();
        let bar = Rect { x: Px::ZERO, y: Px::ZERO, w: Px::whole(300), h: Px::whole(20) };
        board.take(Thing::Belief, bar);
        board.wishes.push(wish(Rank::Belief, &["believes"], &[(10, 2)]));
        assert!(said(&board).is_empty());
        board.wishes[0].over = &[Thing::Belief];
        board.wishes.push(board.wishes[0].clone());
        assert_eq!(said(&board).len(), 1);
        let Taken { by, rect } = board.taken[0];
        assert_eq!((by, rect), (Thing::Belief, bar));
    }

    #[test]
    fn who_points_at_a_line_is_told_what_it_says() {
        let mut board = Board::default();
        let mut lost = wish(Rank::Message, &["renew"], &[]);
        lost.about = Area::Line((Px::ZERO, Px::ZERO), (Px::whole(100), Px::whole(100)));
        board.wishes.push(lost);
        let labels = place(&board, &metrics());
        let told = |x, y| labels.unsaid_at(Px::whole(x), Px::whole(y)).count();
        assert_eq!([told(50, 52), told(50, 70), told(120, 120)], [1, 0, 0]);
    }
}
