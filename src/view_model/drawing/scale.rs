//! Time to pixels and back, in whole numbers: a coordinate is a count of 1/64 px, so that what is
//! drawn is `Eq` and the same on every machine. It knows no run and no screen but its width.

use std::fmt;
use std::ops::{Add, Sub};

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

    /// The view moved by a signed number of microseconds, held inside the run.
    pub fn moved(self, micros: i64, end: SimTime) -> Self {
        let by = SimDuration::from_micros(micros.unsigned_abs());
        let from = if micros < 0 { self.from - by } else { self.from + by };
        Self::within(from, from + self.length(), end)
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

/// Where instants of a view lie on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeScale {
    /// What is on screen.
    pub view: TimeView,
    /// Where the view begins.
    pub left: Px,
    /// How wide it is; more than nothing.
    pub width: Px,
}

impl TimeScale {
    /// A scale; a width of nothing counts as one pixel.
    pub fn new(view: TimeView, left: Px, width: Px) -> Self {
        Self { view, left, width: width.max(Px::whole(1)) }
    }

    /// Where the view ends.
    pub fn right(&self) -> Px {
        self.left + self.width
    }

    /// Where an instant lies. Off the screen it is held at [`FAR`].
    pub fn x(&self, time: SimTime) -> Px {
        Px::held(self.x_wide(time))
    }

    /// Where an instant lies, held inside the view: for bars that begin or end off the screen.
    pub fn x_near(&self, time: SimTime) -> Px {
        self.x(time).clamp(self.left, self.right())
    }

    fn x_wide(&self, time: SimTime) -> i64 {
        let offset = i128::from(time.micros()) - i128::from(self.view.from.micros());
        let length = i128::from(self.view.length().micros().max(1));
        let x = (offset * i128::from(self.width.0) * 2 + length).div_euclid(length * 2);
        let x = x.clamp(i128::from(-FAR), i128::from(FAR));
        i64::from(self.left.0) + i64::try_from(x).expect("held inside FAR")
    }

    /// The instant at a place, at most the view's ends.
    pub fn time(&self, x: Px) -> SimTime {
        let offset = i64::from(x.0) - i64::from(self.left.0);
        let offset = u128::try_from(offset.clamp(0, i64::from(self.width.0))).unwrap_or(0);
        let width = u128::try_from(self.width.0).unwrap_or(1).max(1);
        let length = u128::from(self.view.length().micros());
        let micros = (offset * length * 2 + width) / (width * 2);
        let micros = u64::try_from(micros).unwrap_or(u64::MAX);
        self.view.from + SimDuration::from_micros(micros)
    }

    /// How long a number of pixels lasts; at least a microsecond.
    pub fn duration(&self, width: Px) -> SimDuration {
        let wide = u128::try_from(width.0).unwrap_or(0);
        let micros = wide * u128::from(self.view.length().micros())
            / u128::try_from(self.width.0).unwrap_or(1).max(1);
        SimDuration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX).max(1))
    }

    /// An instant near `time` that is as round as the screen is fine: what a dragged handle sets.
    pub fn snapped(&self, time: SimTime) -> SimTime {
        let step = self.duration(Px::whole(1)).micros();
        let round = [1, 10, 100, 1_000, 10_000, 50_000, 100_000, 500_000, 1_000_000];
        let up_to = |&&unit: &&u64| unit <= step.saturating_mul(4);
        let unit = round.iter().rev().find(up_to).copied().unwrap_or(1);
        SimTime::from_micros(time.micros().saturating_add(unit / 2) / unit * unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(view.moved(-15_000_000, END), seconds(0, 10));
        assert_eq!(view.moved(99_000_000, END), seconds(29, 39));
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
}
