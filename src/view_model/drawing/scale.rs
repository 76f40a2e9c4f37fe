//! Time to pixels and back, in whole numbers: a coordinate is a count of 1/64 px, so that what is
//! drawn is `Eq` and the same on every machine. Between the view's ends time may bend (`pace.rs`
//! says where), outside it goes on at the view's own rate. It knows no run and no screen but its
//! width.

use std::fmt;
use std::ops::{Add, Sub};
use std::rc::Rc;

use super::pace::{Pace, Sizes};
use crate::sim::time::{SimDuration, SimTime};

/// A coordinate in 1/64 CSS px.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Px(pub i32);

/// Steps of a pixel.
const STEPS: i32 = 64;

/// Farther away nothing is drawn: half a million pixels, and sums of a few still fit 32 bits.
const FAR: i64 = 1 << 25;

impl Px {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// A number of whole pixels.
    pub const fn whole(pixels: i32) -> Self {
        Self(pixels * STEPS)
    }

    /// The pixel that this lies in.
    pub const fn floor(self) -> i32 {
        self.0.div_euclid(STEPS)
    }

    /// The nearest whole pixel.
    pub const fn rounded(self) -> Self {
        Self((self.0 + STEPS / 2).div_euclid(STEPS) * STEPS)
    }

    /// This share of it.
    pub const fn share(self, numerator: i32, denominator: i32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a share of what fits, fits")]
        Self((self.0 as i64 * numerator as i64 / denominator as i64) as i32)
    }

    /// A coordinate of a wide computation, held inside what can be drawn.
    pub fn held(value: i64) -> Self {
        let held = value.clamp(-FAR, FAR);
        Self(i32::try_from(held).expect("FAR fits 32 bits"))
    }
}

impl Add for Px {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Px {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// As SVG writes it, with at most two decimals: `12`, `12.5`, `-0.25`.
impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let size = self.0.unsigned_abs();
        write!(f, "{}", size / 64)?;
        let hundredths = size % 64 * 100 / 64;
        match (hundredths / 10, hundredths % 10) {
            (0, 0) => Ok(()),
            (tens, 0) => write!(f, ".{tens}"),
            (tens, ones) => write!(f, ".{tens}{ones}"),
        }
    }
}

/// The stretch of time that is on screen, half-open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeView {
    /// Its first instant.
    pub from: SimTime,
    /// Its end; later than `from`.
    pub to: SimTime,
}

/// The shortest stretch: a hundredth of a message's usual flight.
const SHORTEST: SimDuration = SimDuration::from_millis(1);

impl TimeView {
    /// A stretch of at least [`SHORTEST`], inside a run of length `end`.
    pub fn within(from: SimTime, to: SimTime, end: SimTime) -> Self {
        let end = end.max(SimTime::ZERO + SHORTEST);
        let wanted = SHORTEST.max(to.since(from));
        let length = wanted.min(end.since_start());
        let from = from.min(end - length);
        Self { from, to: from + length }
    }

    /// All of a run.
    pub fn whole(end: SimTime) -> Self {
        Self::within(SimTime::ZERO, end, end)
    }

    /// Its length.
    pub fn length(self) -> SimDuration {
        self.to.since(self.from)
    }

    /// Whether it shows all of a run.
    pub fn is_whole(self, end: SimTime) -> bool {
        self.from == SimTime::ZERO && self.to >= end
    }

    /// Whether an instant is inside; the end counts, because a playhead can stand there.
    pub fn holds(self, time: SimTime) -> bool {
        self.from <= time && time <= self.to
    }

    /// The view after zooming to `percent` of the length, with `fixed` staying where it is.
    pub fn zoomed(self, fixed: SimTime, percent: u64, end: SimTime) -> Self {
        let length = self.length().micros();
        let wanted = u128::from(length) * u128::from(percent) / 100;
        let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
        let wanted = wanted.clamp(SHORTEST.micros(), end.micros().max(SHORTEST.micros()));
        let fixed = fixed.clamp(self.from, self.to);
        let before = u128::from(fixed.since(self.from).micros()) * u128::from(wanted);
        let before = u64::try_from(before / u128::from(length.max(1))).unwrap_or(u64::MAX);
        let from = fixed - SimDuration::from_micros(before);
        Self::within(from, from + SimDuration::from_micros(wanted), end)
    }

    /// The view moved as little as needed to show `time`, with a tenth of it to spare.
    pub fn following(self, time: SimTime, end: SimTime) -> Self {
        if self.holds(time) {
            return self;
        }
        let spare = SimDuration::from_micros(self.length().micros() / 10);
        let from = if time < self.from { time - spare } else { (time + spare) - self.length() };
        Self::within(from, from + self.length(), end)
    }
}

/// How time is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeAxis {
    /// Stretched where it matters.
    #[default]
    Slow,
    /// To scale.
    ToScale,
}

/// Where instants of a view lie on the screen: to scale, or piece by piece at its own rate. It is
/// cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimeScale {
    /// What is on screen.
    pub view: TimeView,
    /// Where the view begins.
    pub left: Px,
    /// How wide it is; more than nothing.
    pub width: Px,
    /// Where the rate changes, the view's two ends included; `None`: it never does.
    bends: Option<Rc<[Bend]>>,
}

/// A place where the rate of time changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bend {
    /// When.
    pub at: SimTime,
    /// How far right of the view's begin.
    pub x: Px,
    /// Whether a message that is worth an arrow flies in what follows.
    pub loud: bool,
}

/// What neighbours of one rate are on the ruler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rate {
    /// As on a scale.
    Plain,
    /// Wider.
    Slow,
    /// Narrower.
    Squeezed,
}

/// A stretch of one kind of rate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stretch {
    /// Which.
    pub rate: Rate,
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub to: SimTime,
    /// Where it begins.
    pub x: Px,
    /// Where it ends.
    pub end: Px,
}

impl Stretch {
    /// How many hundredths of its width to scale it has.
    pub fn percent(&self, scale: &TimeScale) -> u64 {
        let wide = u128::try_from((self.end - self.x).0).unwrap_or(0);
        let of = u128::try_from(scale.width.0).unwrap_or(1).max(1);
        let length = u128::from(self.to.since(self.from).micros().max(1));
        let view = u128::from(scale.view.length().micros());
        u64::try_from(wide * view * 100 / (length * of)).unwrap_or(u64::MAX)
    }
}

impl TimeScale {
    /// A scale; a width of nothing counts as one pixel.
    pub fn new(view: TimeView, left: Px, width: Px) -> Self {
        Self { view, left, width: width.max(Px::whole(1)), bends: None }
    }

    /// Time stretched where it matters and squeezed where nothing happens.
    pub fn paced(view: TimeView, left: Px, width: Px, pace: &Pace, sizes: Sizes) -> Self {
        let plain = Self::new(view, left, width);
        let bends = pace.bends(view, plain.width, sizes);
        Self { bends: bends.map(Rc::from), ..plain }
    }

    /// A scale on the way to another of the same stretch, so many thousandths of it: every instant
    /// goes there evenly. Of another stretch it is the other at once.
    pub fn toward(&self, other: &Self, permille: i32) -> Self {
        let is_same = (self.view, self.left, self.width) == (other.view, other.left, other.width);
        if !is_same || permille >= 1_000 || self == other {
            return other.clone();
        }
        let mut all: Vec<(SimTime, bool)> = [self, other]
            .into_iter()
            .flat_map(|scale| scale.bends.as_deref().unwrap_or_default())
            .map(|bend| (bend.at, other.is_loud_after(bend.at)))
            .collect();
        all.sort_unstable();
        all.dedup_by_key(|(at, _)| *at);
        let x = |at| self.x(at) + (other.x(at) - self.x(at)).share(permille, 1_000) - self.left;
        let bends = all.into_iter().map(|(at, loud)| Bend { at, x: x(at), loud });
        Self { bends: Some(bends.collect()), ..self.clone() }
    }

    fn is_loud_after(&self, at: SimTime) -> bool {
        let bends = self.bends.as_deref().unwrap_or_default();
        let after = bends.partition_point(|bend| bend.at <= at);
        after.checked_sub(1).is_some_and(|before| bends[before].loud)
    }

    /// How far any instant lies from where it lies on another scale.
    pub fn farthest(&self, other: &Self) -> Px {
        let bends = |scale: &Self| scale.bends.clone().unwrap_or_default();
        let apart = |bend: &Bend| Px((self.x(bend.at).0 - other.x(bend.at).0).abs());
        let (one, two) = (bends(self), bends(other));
        one.iter().chain(two.iter()).map(apart).max().unwrap_or_default()
    }

    /// Where the view ends.
    pub fn right(&self) -> Px {
        self.left + self.width
    }

    /// The same places for another stretch of time, to scale.
    pub fn plain(&self) -> Self {
        Self { bends: None, ..self.clone() }
    }

    /// Where an instant lies. Off the screen it is held at [`FAR`].
    pub fn x(&self, time: SimTime) -> Px {
        Px::held(self.x_wide(time))
    }

    /// Where an instant lies, held inside the view: for bars that begin or end off the screen.
    pub fn x_near(&self, time: SimTime) -> Px {
        self.x(time).clamp(self.left, self.right())
    }

    /// The two bends around an index.
    fn piece(bends: &[Bend], after: usize) -> (Bend, Bend) {
        let after = after.clamp(1, bends.len() - 1);
        (bends[after - 1], bends[after])
    }

    fn x_wide(&self, time: SimTime) -> i64 {
        let inside = self.view.from <= time && time <= self.view.to;
        if let Some(bends) = self.bends.as_deref().filter(|_| inside) {
            let after = bends.partition_point(|bend| bend.at <= time);
            let (one, two) = Self::piece(bends, after);
            let length = u128::from(two.at.since(one.at).micros().max(1));
            let wide = u128::try_from((two.x - one.x).0).unwrap_or(0);
            let offset = u128::from(time.since(one.at).micros());
            let x = (offset * wide * 2 + length) / (length * 2);
            let x = i64::try_from(x).expect("inside the piece");
            return i64::from(self.left.0) + i64::from(one.x.0) + x;
        }
        let offset = i128::from(time.micros()) - i128::from(self.view.from.micros());
        let length = i128::from(self.view.length().micros().max(1));
        let x = (offset * i128::from(self.width.0) * 2 + length).div_euclid(length * 2);
        let x = x.clamp(i128::from(-FAR), i128::from(FAR));
        i64::from(self.left.0) + i64::try_from(x).expect("held inside FAR")
    }

    /// The instant at a place, at most the view's ends.
    pub fn time(&self, x: Px) -> SimTime {
        let offset = i64::from(x.0) - i64::from(self.left.0);
        let offset = offset.clamp(0, i64::from(self.width.0));
        let whole = Bend { at: self.view.from, x: Px::ZERO, loud: false };
        let (one, two) = match self.bends.as_deref() {
            Some(bends) => {
                let after = bends.partition_point(|bend| i64::from(bend.x.0) <= offset);
                Self::piece(bends, after)
            }
            None => (whole, Bend { at: self.view.to, x: self.width, ..whole }),
        };
        let offset = u128::try_from(offset - i64::from(one.x.0)).unwrap_or(0);
        let width = u128::try_from((two.x - one.x).0).unwrap_or(0).max(1);
        let length = u128::from(two.at.since(one.at).micros());
        let micros = (offset * length * 2 + width) / (width * 2);
        let micros = u64::try_from(micros).unwrap_or(u64::MAX);
        (one.at + SimDuration::from_micros(micros)).min(two.at)
    }

    /// How long a number of pixels lasts on a scale that has this view; at least a microsecond.
    pub fn duration(&self, width: Px) -> SimDuration {
        let wide = u128::try_from(width.0).unwrap_or(0);
        let micros = wide * u128::from(self.view.length().micros())
            / u128::try_from(self.width.0).unwrap_or(1).max(1);
        SimDuration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX).max(1))
    }

    /// How long a pixel lasts around an instant; at least a microsecond.
    pub fn pixel_at(&self, time: SimTime) -> SimDuration {
        let x = self.x_near(time).min(self.right() - Px::whole(1));
        let length = self.time(x + Px::whole(1)).since(self.time(x));
        SimDuration::from_micros(length.micros().max(1))
    }

    /// An instant near `time` that is as round as the screen is fine: what a dragged handle sets.
    pub fn snapped(&self, time: SimTime) -> SimTime {
        let step = self.pixel_at(time).micros();
        let round = [1, 10, 100, 1_000, 10_000, 50_000, 100_000, 500_000, 1_000_000];
        let up_to = |&&unit: &&u64| unit <= step.saturating_mul(4);
        let unit = round.iter().rev().find(up_to).copied().unwrap_or(1);
        SimTime::from_micros(time.micros().saturating_add(unit / 2) / unit * unit)
    }

    /// Where the rate changes between two instants.
    pub fn bends(&self, from: SimTime, to: SimTime) -> impl Iterator<Item = SimTime> + '_ {
        let all = self.bends.as_deref().unwrap_or_default();
        let first = all.partition_point(|bend| bend.at <= from);
        all[first..].iter().map(|bend| bend.at).take_while(move |at| *at < to)
    }

    /// The stretches of the ruler, from left to right: neighbours of one kind are one.
    pub fn stretches(&self) -> Vec<Stretch> {
        let mut all: Vec<Stretch> = Vec::new();
        for pair in self.bends.as_deref().unwrap_or_default().windows(2) {
            let &[one, two] = pair else { continue };
            let mut stretch = Stretch {
                rate: Rate::Plain,
                from: one.at,
                to: two.at,
                x: self.left + one.x,
                end: self.left + two.x,
            };
            stretch.rate = self.rate(&stretch, one.loud);
            match all.last_mut().filter(|last| last.rate == stretch.rate) {
                Some(last) => (last.to, last.end) = (stretch.to, stretch.end),
                None => all.push(stretch),
            }
        }
        all
    }

    fn rate(&self, stretch: &Stretch, loud: bool) -> Rate {
        let short = stretch.to.since(stretch.from) < SimDuration::from_millis(300);
        match stretch.percent(self) {
            106.. if loud => Rate::Slow,
            161.. if short => Rate::Slow,
            0..95 => Rate::Squeezed,
            _ => Rate::Plain,
        }
    }

    /// How an instant is drawn; a stretch's end belongs to it.
    pub fn rate_at(&self, time: SimTime) -> Rate {
        let stretches = self.stretches();
        let holds = |stretch: &&Stretch| stretch.from <= time && time <= stretch.to;
        stretches.iter().find(holds).map_or(Rate::Plain, |stretch| stretch.rate)
    }

    /// Whether every stretch is as wide as on a scale.
    pub fn is_to_scale(&self) -> bool {
        self.stretches().iter().all(|stretch| stretch.rate == Rate::Plain)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::view_model::drawing::pace::{Beat, Loud, Worth};
    use proptest::collection::vec;
    use proptest::prelude::*;

    const END: SimTime = SimTime::from_millis(39_000);

    fn seconds(from: u64, to: u64) -> TimeView {
        TimeView::within(SimTime::from_millis(from * 1_000), SimTime::from_millis(to * 1_000), END)
    }

    #[test]
    fn pixels_are_written_short() {
        let written: Vec<_> =
            [0, 64, 96, -16, 65, 6_400, -6_432].map(|steps| Px(steps).to_string()).to_vec();
        assert_eq!(written, ["0", "1", "1.5", "-0.25", "1.01", "100", "-100.5"]);
    }

    #[test]
    fn an_instant_lies_where_its_share_of_the_view_is() {
        let scale = TimeScale::new(seconds(0, 20), Px::whole(112), Px::whole(772));
        assert_eq!(scale.x(SimTime::ZERO), Px::whole(112));
        assert_eq!(scale.x(SimTime::from_millis(10_000)), Px::whole(498));
        assert_eq!(scale.x(SimTime::from_millis(20_000)), scale.right());
    }

    #[test]
    fn time_to_pixel_and_back_loses_less_than_a_step() {
        for (from, to, width) in [(0, 20, 772), (3, 4, 300), (0, 39, 1_400), (17, 18, 90)] {
            let scale = TimeScale::new(seconds(from, to), Px::whole(40), Px::whole(width));
            let step = scale.duration(Px(1)).micros() + 1;
            for part in 0..=97 {
                let micros = scale.view.length().micros() * part / 97;
                let time = scale.view.from + SimDuration::from_micros(micros);
                let back = scale.time(scale.x(time)).micros();
                assert!(back.abs_diff(time.micros()) <= step, "{time} at width {width}");
            }
        }
    }

    #[test]
    fn the_farthest_instant_at_the_finest_zoom_is_held() {
        let day = SimTime::from_millis(86_400_000);
        let view = TimeView::within(SimTime::ZERO, SimTime::from_micros(1), day);
        assert_eq!(view.length(), SHORTEST);
        let scale = TimeScale::new(view, Px::ZERO, Px::whole(2_000));
        assert!(scale.x(day) > Px::whole(100_000));
        assert_eq!(scale.x_near(day), Px::whole(2_000));
    }

    #[test]
    fn a_view_stays_inside_the_run() {
        assert_eq!(seconds(0, 90), TimeView::whole(END));
        assert_eq!(seconds(30, 50), seconds(19, 39));
        let view = seconds(10, 20);
        assert_eq!(view.following(SimTime::from_millis(25_000), END), seconds(16, 26));
        assert_eq!(view.following(SimTime::from_millis(12_000), END), view);
    }

    #[test]
    fn zooming_keeps_the_instant_under_the_pointer() {
        let view = seconds(0, 20);
        let fixed = SimTime::from_millis(5_000);
        let zoomed = view.zoomed(fixed, 50, END);
        let place = |view| TimeScale::new(view, Px::ZERO, Px::whole(800)).x(fixed);
        assert_eq!(place(view), place(zoomed));
        assert_eq!(zoomed.length(), SimDuration::from_secs(10));
        assert!(zoomed.zoomed(fixed, 10_000, END).is_whole(END));
    }

    #[test]
    fn a_dragged_instant_is_as_round_as_the_screen_is_fine() {
        let scale = TimeScale::new(seconds(0, 20), Px::ZERO, Px::whole(772));
        let odd = SimTime::from_micros(2_034_567);
        assert_eq!(scale.snapped(odd), SimTime::from_millis(2_000));
        assert_eq!(scale.snapped(SimTime::from_micros(2_060_001)), SimTime::from_millis(2_100));
    }

    /// The flights and beats of some picture, wanted in one of its parts or not.
    fn paces() -> impl Strategy<Value = Pace> {
        let instant = (0_u64..39_000_000).prop_map(SimTime::from_micros);
        let length = prop_oneof![1_u64..3_000, 1_u64..300_000, 1_u64..9_000_000];
        let loud = (instant.clone(), length, 20_u16..100, any::<bool>());
        let loud = loud.prop_map(|(from, micros, wants, decides)| Loud {
            from,
            to: from + SimDuration::from_micros(micros),
            wants,
            decides,
        });
        let beat = instant.prop_map(|at| Beat { at, worth: Worth::Unsaid });
        let (louds, beats) = (vec(loud, 0..40), vec(beat, 0..40));
        (louds, beats).prop_map(|(louds, beats)| Pace::of(louds, beats))
    }

    fn scales() -> impl Strategy<Value = TimeScale> {
        let ends = (0_u64..39_000_000, 1_u64..39_000_000);
        let sizes = Sizes { percent: 100, quiet: Px::whole(14), tail: Px::whole(104) };
        (paces(), ends, 80_i32..1_600).prop_map(move |(pace, (from, length), width)| {
            let from = SimTime::from_micros(from);
            let view = TimeView::within(from, from + SimDuration::from_micros(length), END);
            TimeScale::paced(view, Px::whole(10), Px::whole(width), &pace, sizes)
        })
    }

    proptest! {
        #[test]
        fn time_is_monotonic_and_fills_the_view(scale in scales(), part in 0_u64..1_000) {
            prop_assert_eq!(scale.x(scale.view.from), scale.left);
            prop_assert_eq!(scale.x(scale.view.to), scale.right());
            let micros = scale.view.length().micros();
            let at = |part: u64| {
                let micros = u128::from(micros) * u128::from(part) / 1_000;
                let micros = u64::try_from(micros).expect("a part of the length");
                scale.view.from + SimDuration::from_micros(micros)
            };
            let one = SimDuration::from_micros(1);
            let (a, b) = (at(part), at(part + 1));
            prop_assert!(scale.x(a) <= scale.x(b) && scale.x(a) <= scale.x(a + one));
            // Outside it goes on at the view's own rate.
            let later = scale.view.to + scale.view.length();
            prop_assert_eq!(scale.x(later), scale.right() + scale.width);
        }

        #[test]
        fn places_come_back_exactly_and_instants_within_a_step(
            scale in scales(), step in 0_i32..102_400, part in 0_u64..=1_000,
        ) {
            let x = scale.left + Px(step % (scale.width.0 + 1));
            let at = scale.time(x);
            // A microsecond may be wider than a step: then all of it is one place.
            let one = SimDuration::from_micros(1);
            let (here, after) = (scale.x(at), scale.x(at + one));
            let wide = (after - here).max(here - scale.x(at - one)).0;
            let tolerance = if wide <= 1 { 0 } else { (wide + 1) / 2 };
            prop_assert!((scale.x(at) - x).0.abs() <= tolerance);
            let micros = scale.view.length().micros() * part / 1_000;
            let at = scale.view.from + SimDuration::from_micros(micros);
            let back = scale.time(scale.x(at));
            let x = scale.x(at);
            let (low, high) = (scale.time(x - Px(1)), scale.time(x + Px(1)));
            prop_assert!(low <= back && back <= high);
            prop_assert!(low <= at + one && at <= high + one, "{low} {at} {high}");
        }

        #[test]
        fn flights_get_what_they_want_where_there_is_room(scale in scales()) {
            for stretch in scale.stretches() {
                prop_assert!(stretch.x <= stretch.end);
                prop_assert!(stretch.from < stretch.to);
            }
        }
    }
}
