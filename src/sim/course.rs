//! The course of a run: every condition on times that it went by, in the order in which they were
//! asked. A run asks which of two things is due first, whether a deadline is past, whether one
//! written time is after another; all of these are comparisons of two lengths or instants, and all
//! go through the types in `super::time` and the queue. What a run does follows from the answers
//! alone. So two runs with the same answers do the same things in the same order, at other times.
//!
//! **Why runs between two such runs are the same.** Let one quantity of a scenario vary. Follow the
//! conditions in their order. Up to the first one nothing has depended on an answer, so both sides
//! of it are sums of what the scenario says: linear in the quantity, with a slope that is the same
//! for every value. A linear difference that is at least zero at both ends of an interval is so
//! inside it, and one that is below zero at both ends is so inside it. So every value inside gives
//! that answer, and comes to the second condition with the same sums as the ends. By induction all
//! answers are the same. This needs three things of each condition:
//!
//! - *It splits the values in two.* “Equal” and “which comes first” are each asked as two
//!   conditions: above and below are two sides of “unequal”, and a value between may be equal.
//! - *None is left out.* A length that is cut off at zero asks too, and so does the queue, for each
//!   event against the one before it, for one that is cancelled against the present, and for all
//!   that is still due against the end of the run. An event that is out of date asks nothing.
//! - *Both sides are linear.* Rounding is not. It is noted with what it divides by: values that are
//!   as far apart as that divides evenly are linear again. Where times are put on a grid (the ticks
//!   of a service), the place on it is an answer too.
//!
//! Nothing here steers a run, and a run that is not followed pays for a look at one flag.

use std::cell::{Cell, RefCell};

/// A condition of a run's course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What it is about: a difference in microseconds, a place on a grid, what is divided.
    pub value: i64,
    /// What is asked of that.
    pub asks: Asks,
}

/// What a condition asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Asks {
    /// Whether one event is due no earlier than another: whether the difference is at least zero.
    Order,
    /// The same of any two times that were compared.
    Comparison,
    /// Which place on a grid it is.
    Place,
    /// Nothing, but that it is divided by this and rounded.
    Rounding(u32),
}

impl Condition {
    /// The answer; runs with the same answers do the same.
    pub fn answer(&self) -> i64 {
        match self.asks {
            Asks::Order | Asks::Comparison => i64::from(self.value >= 0),
            Asks::Place => self.value,
            Asks::Rounding(_) => 0,
        }
    }
}

thread_local! {
    // Not a parameter, because a comparison that forgets it would be left out without a word.
    static IS_FOLLOWED: Cell<bool> = const { Cell::new(false) };
    static CONDITIONS: RefCell<Vec<Condition>> = const { RefCell::new(Vec::new()) };
}

/// Does something, with all conditions that it goes by. They are put into `room`, whose own content
/// is dropped.
pub fn followed<T>(room: &mut Vec<Condition>, does: impl FnOnce() -> T) -> T {
    room.clear();
    CONDITIONS.with_borrow_mut(|conditions| std::mem::swap(conditions, room));
    let before = IS_FOLLOWED.replace(true);
    let done = does();
    IS_FOLLOWED.set(before);
    CONDITIONS.with_borrow_mut(|conditions| std::mem::swap(conditions, room));
    done
}

/// Does something that the outcome of a run does not rest on: costs, and what only shows.
pub(in crate::sim) fn aside<T>(does: impl FnOnce() -> T) -> T {
    let before = IS_FOLLOWED.replace(false);
    let done = does();
    IS_FOLLOWED.set(before);
    done
}

/// Whether a run's course is followed.
pub(in crate::sim) fn is_followed() -> bool {
    IS_FOLLOWED.get()
}

/// Two events are due in this order, one `by` microseconds after the other at least.
pub(in crate::sim) fn order(by: i128) {
    note(by, Asks::Order);
}

/// It is asked whether `this` is at least `that`.
#[inline]
pub(in crate::sim) fn compares(this: impl Into<i128>, that: impl Into<i128>) {
    if is_followed() {
        note(this.into() - that.into(), Asks::Comparison);
    }
}

/// It is asked which of the two is greater, or whether they are equal.
#[inline]
pub(in crate::sim) fn compares_both_ways(this: impl Into<i128>, that: impl Into<i128>) {
    if is_followed() {
        let by = this.into() - that.into();
        note(by, Asks::Comparison);
        note(by - 1, Asks::Comparison);
    }
}

/// This is divided and rounded.
pub(in crate::sim) fn rounds(value: impl Into<i128>, divisor: u32) {
    if is_followed() && divisor > 1 {
        note(value.into(), Asks::Rounding(divisor));
    }
}

/// A time lies between two marks of a grid: the one whose number is told, and the one before.
pub(in crate::sim) fn is_placed(value: impl Into<i128>, unit: impl Into<i128>, place: i128) {
    if is_followed() {
        let (value, unit) = (value.into(), unit.into());
        // On the finest grid every time lies on a mark.
        if unit <= 1 {
            return;
        }
        note(place, Asks::Place);
        note(place * unit - value, Asks::Comparison);
        note(value - (place - 1) * unit - 1, Asks::Comparison);
    }
}

fn note(value: i128, asks: Asks) {
    if is_followed() {
        let value = value.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        let value = i64::try_from(value).unwrap_or_default();
        CONDITIONS.with_borrow_mut(|conditions| conditions.push(Condition { value, asks }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{SimDuration, SimTime};

    fn noted(asks: impl FnOnce()) -> Vec<(i64, Asks)> {
        let mut conditions = Vec::new();
        followed(&mut conditions, asks);
        conditions.iter().map(|condition| (condition.value, condition.asks)).collect()
    }

    #[test]
    fn every_comparison_of_times_is_noted_while_somebody_follows() {
        use Asks::{Comparison, Place, Rounding};
        let at = SimTime::from_micros;
        let long = SimDuration::from_micros;
        assert_eq!(noted(|| assert!(at(5) >= at(3))), [(2, Comparison)]);
        assert_eq!(noted(|| assert!(at(5) > at(3))), [(-2, Comparison)]);
        assert_eq!(noted(|| assert_eq!(at(5).max(at(3)), at(5))).len(), 1 + 2);
        let equal = noted(|| assert!(at(5) == at(5)));
        assert_eq!(equal, [(0, Comparison), (-1, Comparison)], "it has two sides");
        assert_eq!(noted(|| assert!(at(5).since(at(7)).is_zero())).len(), 2);
        let place = noted(|| drop(long(7).rounded_up_to(long(5))));
        assert_eq!(place, [(2, Place), (3, Comparison), (1, Comparison)]);
        assert_eq!(noted(|| drop(long(7).part(2))), [(7, Rounding(2))]);
        assert!(noted(|| aside(|| assert!(at(5) > at(3)))).is_empty());
        assert!(at(5) > at(3), "and nobody follows now");
        assert!(noted(|| ()).is_empty());
    }
}
