//! What a node's monotonic clock shows, as a function of simulated time. A suspended machine's
//! monotonic clock stands still (Linux: `clock_gettime(2)`, `CLOCK_MONOTONIC`), a paused process's
//! does not.

use super::time::{LocalTime, SimDuration, SimTime};

/// A node's monotonic clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClockModel {
    /// How long it has stood still in all, up to `stopped_since`.
    stood_still: SimDuration,
    /// Since when it stands still now.
    stopped_since: Option<SimTime>,
}

impl ClockModel {
    /// What it shows at `time`.
    pub fn reading(&self, time: SimTime) -> LocalTime {
        let runs_until = self.stopped_since.map_or(time, |stopped| stopped.min(time));
        let shown = runs_until.since_start().minus(self.stood_still).micros();
        LocalTime::from_micros(i64::try_from(shown).unwrap_or(i64::MAX))
    }

    /// When it will show `reading`, if it goes on as now; `None` while it stands still before that.
    pub fn time_of(&self, reading: LocalTime, now: SimTime) -> Option<SimTime> {
        let ahead = reading.since(self.reading(now));
        match self.stopped_since {
            Some(_) if !ahead.is_zero() => None,
            _ => Some(now + ahead),
        }
    }

    /// The clock stops.
    pub fn stop(&mut self, now: SimTime) {
        self.stopped_since.get_or_insert(now);
    }

    /// The clock runs on from where it stopped.
    pub fn go_on(&mut self, now: SimTime) {
        if let Some(stopped) = self.stopped_since.take() {
            self.stood_still += now.since(stopped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_clock_shows_less_by_what_it_missed() {
        let at = SimTime::from_millis;
        let shows = |ms: i64| LocalTime::from_micros(ms * 1_000);
        let mut clock = ClockModel::default();
        assert_eq!(clock.reading(at(500)), shows(500));
        clock.stop(at(1_000));
        assert_eq!(clock.reading(at(4_000)), shows(1_000));
        assert_eq!(clock.time_of(shows(1_500), at(4_000)), None);
        clock.go_on(at(4_000));
        assert_eq!(clock.reading(at(5_000)), shows(2_000));
        assert_eq!(clock.time_of(shows(1_500), at(4_000)), Some(at(4_500)));
        assert_eq!(
            clock.time_of(shows(500), at(4_000)),
            Some(at(4_000)),
            "overdue is now"
        );
    }
}
