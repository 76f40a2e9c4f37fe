//! Times of day: how instants of the run read once the file says when the incident began. The start
//! is data of the file; nothing here knows what time it is.

use crate::sim::scenario::Incident;
use crate::sim::scenario::timestamp::Timestamp;
use crate::sim::time::SimTime;

const SECOND: u64 = 1_000_000;
const DAY: u64 = 86_400 * SECOND;

/// A clock on the wall where the incident happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    start: Timestamp,
}

impl Clock {
    /// The clock of an incident whose start is known.
    pub fn of(incident: &Incident) -> Option<Self> {
        incident.start.map(|start| Self { start })
    }

    /// The same, if the ruler is to show it.
    pub fn shown(incident: &Incident) -> Option<Self> {
        Self::of(incident).filter(|_| incident.clock)
    }

    /// Microseconds since midnight at the run's time 0.
    pub fn micros_at_start(self) -> u64 {
        u64::try_from(self.start.civil().micros).unwrap_or_default()
    }

    /// What it shows: `10:00:15`, with so many decimals.
    pub fn time_of_day(self, at: SimTime, decimals: u32) -> String {
        let unit = 10_u64.pow(6 - decimals.min(6));
        let micros = self.micros_at_start().saturating_add(at.micros());
        let micros = (micros + unit / 2) / unit * unit % DAY;
        let seconds = micros / SECOND;
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        let clock = format!("{hour:02}:{minute:02}:{second:02}");
        match decimals {
            0 => clock,
            _ => {
                let rest = micros % SECOND / unit;
                format!("{clock}.{rest:0width$}", width = decimals as usize)
            }
        }
    }

    /// The calendar and its zone at an instant.
    pub fn timestamp(self, at: SimTime) -> Option<Timestamp> {
        let micros = i64::try_from(at.micros()).ok()?;
        let start = self.start;
        Timestamp::from_unix_micros(start.unix_micros() + micros, start.offset_minutes())
    }

    /// How far a point of the calendar lies behind the start; negative: before it.
    pub fn micros_of(self, point: Timestamp) -> i64 {
        point.unix_micros().saturating_sub(self.start.unix_micros())
    }

    /// The start.
    pub fn start(self) -> Timestamp {
        self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_count_on_from_the_start_and_over_midnight() {
        let start = "2024-05-01T23:59:50.500+02:00".parse().expect("valid");
        let incident = Incident { start: Some(start), ..Incident::default() };
        assert_eq!(Clock::shown(&incident), None, "times since the start are the default");
        let clock = Clock::of(&incident).expect("it has a start");
        let at = SimTime::from_millis;
        assert_eq!(clock.time_of_day(at(0), 0), "23:59:51");
        assert_eq!(clock.time_of_day(at(0), 1), "23:59:50.5");
        assert_eq!(clock.time_of_day(at(9_499), 3), "23:59:59.999");
        assert_eq!(clock.time_of_day(at(9_500), 0), "00:00:00");
        let after = clock.timestamp(at(9_500)).expect("a day later");
        assert_eq!(after.to_string(), "2024-05-02T00:00:00+02:00");
        assert_eq!(clock.micros_of(after), 9_500_000);
    }
}
