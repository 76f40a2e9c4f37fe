//! What is drawn is bounded by pixels: stretches off the screen are culled by binary search, those
//! narrower than a few pixels become one. A pixel costs a search, whatever a run's length.

use crate::sim::time::SimTime;

use super::scale::{Px, TimeScale};

/// Something that lasts.
pub trait Span {
    /// Its first instant.
    fn from(&self) -> SimTime;
    /// Its end; that of the view where it is open.
    fn to(&self) -> SimTime;
}

/// Something at an instant.
pub trait Instant {
    /// When.
    fn at(&self) -> SimTime;
}

/// What to draw in place of a stretch of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn<'a, T> {
    /// One item.
    One(&'a T),
    /// Several that are too narrow to tell apart, the first of them, and where they end.
    Many(&'a T, SimTime),
}

/// Narrower stretches are merged.
pub const NARROW: Px = Px::whole(3);

/// The drawn items of a list of spans that are in order and do not overlap.
pub fn spans<'a, T: Span>(list: &'a [T], scale: &TimeScale) -> Vec<Drawn<'a, T>> {
    let view = scale.view;
    let first = list.partition_point(|span| span.to() <= view.from);
    let last = list.partition_point(|span| span.from() < view.to).max(first);
    let list = &list[first..last];
    let mut drawn = Vec::new();
    let mut index = 0;
    while let Some(span) = list.get(index) {
        let x = scale.x(span.from());
        let is_narrow = scale.x(span.to()) - x < NARROW;
        if is_narrow {
            let until = until(scale, x + NARROW);
            let after = index + list[index..].partition_point(|next| next.to() < until);
            let end = after.max(index + 1);
            let item = if end > index + 1 {
                Drawn::Many(span, list[end - 1].to())
            } else {
                Drawn::One(span)
            };
            drawn.push(item);
            index = end;
        } else {
            drawn.push(Drawn::One(span));
            index += 1;
        }
    }
    drawn
}

/// The instant at a place; behind the view's end none is too far.
pub fn until(scale: &TimeScale, x: Px) -> SimTime {
    if x < scale.right() { scale.time(x) } else { SimTime::MAX }
}

/// The drawn items of a list of instants in order: at most one every `apart`.
pub fn instants<'a, T: Instant>(list: &'a [T], scale: &TimeScale, apart: Px) -> Vec<Drawn<'a, T>> {
    // Marks are drawn around their instant: those just outside are still seen.
    let margin = scale.duration(Px::whole(16));
    let (from, to) = (scale.view.from - margin, scale.view.to + margin);
    let first = list.partition_point(|item| item.at() < from);
    let last = list.partition_point(|item| item.at() <= to).max(first);
    let list = &list[first..last];
    let mut drawn = Vec::new();
    let mut index = 0;
    while let Some(item) = list.get(index) {
        let until = until(scale, scale.x(item.at()) + apart);
        let end = index + list[index..].partition_point(|next| next.at() < until);
        let end = end.max(index + 1);
        drawn.push(if end > index + 1 {
            Drawn::Many(item, list[end - 1].at())
        } else {
            Drawn::One(item)
        });
        index = end;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::drawing::scale::TimeView;

    struct Stretch(u64, u64);

    impl Span for Stretch {
        fn from(&self) -> SimTime {
            SimTime::from_micros(self.0)
        }
        fn to(&self) -> SimTime {
            SimTime::from_micros(self.1)
        }
    }

    impl Instant for Stretch {
        fn at(&self) -> SimTime {
            SimTime::from_micros(self.0)
        }
    }

    fn scale(from: u64, to: u64) -> TimeScale {
        let end = SimTime::from_micros(1_000_000_000);
        let (from, to) = (SimTime::from_micros(from), SimTime::from_micros(to));
        TimeScale::new(TimeView::within(from, to, end), Px::ZERO, Px::whole(300))
    }

    fn list(n: u64, every: u64, length: u64) -> Vec<Stretch> {
        (0..n).map(|i| Stretch(i * every, i * every + length)).collect()
    }

    #[test]
    fn a_million_stretches_become_as_many_as_the_screen_shows() {
        let all = list(1_000_000, 1_000, 900);
        let whole = scale(0, 1_000_000_000);
        let drawn = spans(&all, &whole);
        assert!(drawn.len() <= 101, "{}", drawn.len());
        assert!(matches!(drawn[0], Drawn::Many(first, _) if first.0 == 0));
        assert!(instants(&all, &whole, Px::whole(4)).len() <= 76);
    }

    #[test]
    fn wide_ones_stay_themselves_and_off_screen_ones_are_gone() {
        let all = list(100, 1_000_000, 900_000);
        let drawn = spans(&all, &scale(10_000_000, 13_000_000));
        assert_eq!(drawn.len(), 3);
        assert!(drawn.iter().all(|item| matches!(item, Drawn::One(_))));
    }

    #[test]
    fn a_wide_one_after_narrow_ones_is_not_swallowed() {
        let all = [Stretch(0, 10), Stretch(10, 20), Stretch(20, 900_000)];
        let drawn = spans(&all, &scale(0, 1_000_000));
        assert_eq!(drawn.len(), 2);
        assert!(matches!(drawn[0], Drawn::Many(_, end) if end == SimTime::from_micros(20)));
        assert!(matches!(drawn[1], Drawn::One(span) if span.1 == 900_000));
    }
}
