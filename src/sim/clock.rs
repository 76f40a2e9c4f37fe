//! A node's clocks as functions of simulated time. Both run at the node's rate; a suspended
//! machine's monotonic clock stands still (Linux: `clock_gettime(2)`, `CLOCK_MONOTONIC`), its wall
//! clock does not; a jump moves the wall clock alone.

use super::course;
use super::time::{ClockShift, LocalTime, SimDuration, SimTime};
use crate::sim::form::choices;

choices! {
    /// Which clock of a node.
    #[derive(Copy)]
    pub enum ClockKind = Monotonic {
        /// Never jumps; stands still while the machine is suspended.
        Monotonic,
        /// Jumps when it is set.
        Wall,
    }
}

/// What a node's two clocks show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Now {
    /// The monotonic clock.
    pub monotonic: LocalTime,
    /// The wall clock.
    pub wall: LocalTime,
}

impl Now {
    /// One of the two.
    pub fn of(self, kind: ClockKind) -> LocalTime {
        match kind {
            ClockKind::Monotonic => self.monotonic,
            ClockKind::Wall => self.wall,
        }
    }
}

/// Parts in a million, and microseconds in a second.
const MILLION: u32 = 1_000_000;

/// A node's clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClockModel {
    /// How much faster than true time, in parts per million.
    rate_ppm: i32,
    /// How far the wall clock is ahead, jumps included.
    shift: ClockShift,
    /// How long the monotonic clock has stood still in all, up to `stopped_since`.
    stood_still: SimDuration,
    /// Since when it stands still now.
    stopped_since: Option<SimTime>,
}

impl ClockModel {
    /// Clocks that run this much faster than true time.
    pub fn with_rate(rate_ppm: i32) -> Self {
        Self { rate_ppm, ..Self::default() }
    }

    /// What both show at `time`.
    pub fn now(&self, time: SimTime) -> Now {
        Now {
            monotonic: self.reading(ClockKind::Monotonic, time),
            wall: self.reading(ClockKind::Wall, time),
        }
    }

    /// What one of them shows at `time`.
    pub fn reading(&self, kind: ClockKind, time: SimTime) -> LocalTime {
        match kind {
            ClockKind::Monotonic => {
                let until = self.stopped_since.map_or(time, |stopped| stopped.min(time));
                LocalTime::from_micros(self.run(until.since_start().minus(self.stood_still)))
            }
            ClockKind::Wall => {
                let shown = self.run(time.since_start()).saturating_add(self.shift.micros());
                LocalTime::from_micros(shown)
            }
        }
    }

    /// When one of them will show `reading`, if it goes on as now; `None` while it stands still.
    pub fn time_of(&self, kind: ClockKind, reading: LocalTime, now: SimTime) -> Option<SimTime> {
        let ahead = reading.since(self.reading(kind, now));
        if ahead.is_zero() {
            return Some(now);
        }
        if kind == ClockKind::Monotonic && self.stopped_since.is_some() {
            return None;
        }
        if self.rate_ppm == 0 {
            return Some(now + ahead);
        }
        let shown = i128::from(reading.micros()) * i128::from(MILLION);
        course::rounds(shown, self.pace());
        Some(course::aside(|| self.first_time_of(kind, reading, now, ahead)))
    }

    /// The first instant at which a clock shows no less than `reading`, which is `ahead`.
    fn first_time_of(
        &self,
        kind: ClockKind,
        reading: LocalTime,
        now: SimTime,
        ahead: SimDuration,
    ) -> SimTime {
        let mut time = now + self.true_length(ahead);
        // Both directions round, so that the first guess is off by a few microseconds at most.
        let micro = SimDuration::from_micros(1);
        while self.reading(kind, time) < reading {
            time = time + micro;
        }
        while time > now && self.reading(kind, time - micro) >= reading {
            time = time - micro;
        }
        time
    }

    /// How many microseconds a clock moves on by in a second.
    fn pace(&self) -> u32 {
        MILLION.saturating_add_signed(self.rate_ppm).max(1)
    }

    /// How long it truly takes until a running clock has moved on by `shown`.
    pub fn true_length(&self, shown: SimDuration) -> SimDuration {
        if self.rate_ppm == 0 {
            return shown;
        }
        let product = i128::from(shown.micros()) * i128::from(MILLION);
        course::rounds(product, self.pace());
        SimDuration::from_micros(
            u64::try_from(product / i128::from(self.pace())).unwrap_or(u64::MAX),
        )
    }

    fn run(&self, length: SimDuration) -> i64 {
        let micros = i128::from(length.micros());
        if self.rate_ppm == 0 {
            return i64::try_from(micros).unwrap_or(i64::MAX);
        }
        let product = micros * i128::from(self.pace());
        course::rounds(product, MILLION);
        i64::try_from(product.div_euclid(i128::from(MILLION))).unwrap_or(i64::MAX)
    }

    /// The wall clock is set ahead, or back.
    pub fn jump(&mut self, by: ClockShift) {
        self.shift = self.shift.plus(by);
    }

    /// The monotonic clock stops.
    pub fn stop(&mut self, now: SimTime) {
        self.stopped_since.get_or_insert(now);
    }

    /// It runs on from where it stopped.
    pub fn go_on(&mut self, now: SimTime) {
        if let Some(stopped) = self.stopped_since.take() {
            self.stood_still += now.since(stopped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClockKind::{Monotonic, Wall};

    fn at(millis: u64) -> SimTime {
        SimTime::from_millis(millis)
    }

    fn shows(millis: i64) -> LocalTime {
        LocalTime::from_micros(millis * 1_000)
    }

    #[test]
    fn a_stopped_monotonic_clock_shows_less_by_what_it_missed() {
        let mut clock = ClockModel::default();
        clock.stop(at(1_000));
        assert_eq!(clock.reading(Monotonic, at(4_000)), shows(1_000));
        assert_eq!(clock.reading(Wall, at(4_000)), shows(4_000));
        assert_eq!(clock.time_of(Monotonic, shows(1_500), at(4_000)), None);
        clock.go_on(at(4_000));
        assert_eq!(clock.reading(Monotonic, at(5_000)), shows(2_000));
        assert_eq!(clock.time_of(Monotonic, shows(1_500), at(4_000)), Some(at(4_500)));
        assert_eq!(clock.time_of(Monotonic, shows(500), at(4_000)), Some(at(4_000)), "overdue");
    }

    #[test]
    fn a_jump_moves_the_wall_clock_alone() {
        let mut clock = ClockModel::default();
        clock.jump(ClockShift::from_micros(-3_600_000_000));
        assert_eq!(clock.reading(Wall, at(1_000)), shows(-3_599_000));
        assert_eq!(clock.reading(Monotonic, at(1_000)), shows(1_000));
        assert_eq!(clock.time_of(Wall, shows(0), at(1_000)), Some(at(3_600_000)));
    }

    #[test]
    fn a_rate_is_exact_and_its_inverse_never_early() {
        let fast = ClockModel::with_rate(100_000);
        assert_eq!(fast.reading(Wall, at(10_000)), shows(11_000));
        assert_eq!(fast.time_of(Monotonic, shows(11_000), at(0)), Some(at(10_000)));
        for rate in [-123_457, -1, 1, 77, 999_983] {
            let clock = ClockModel::with_rate(rate);
            for micros in [1, 999, 10_000_019, 86_399_999_999] {
                let reading = LocalTime::from_micros(micros);
                let time = clock.time_of(Monotonic, reading, at(0)).expect("it runs");
                assert!(clock.reading(Monotonic, time) >= reading);
                let before = SimTime::from_micros(time.micros() - 1);
                assert!(clock.reading(Monotonic, before) < reading, "rate {rate}, {micros}");
            }
        }
    }
}
