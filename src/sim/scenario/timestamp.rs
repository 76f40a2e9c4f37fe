//! A point of the calendar with its distance from UTC, as an incident's file writes it. It is data
//! like any other: nothing here asks what time it is now.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::sim::plain_text::{cut, one_line};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// Zones lie no farther from UTC; the farthest so far was 15:56.
const MAX_OFFSET_MINUTES: i16 = 18 * 60;

/// A point of the calendar: `2024-05-01T10:00:00.250+02:00`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp {
    micros: i64,
    offset_minutes: i16,
}

/// A date and a time of day on a calendar, without a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Civil {
    /// Years of our era, 1 to 9999.
    pub year: i64,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// Since midnight; below a day.
    pub micros: i64,
}

/// Why a text is no timestamp.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "“{0}” is not a timestamp with a zone: write a day of the years 1 to 9999 like \
     2024-05-01T10:00:00.250+02:00, or with Z"
)]
pub struct TimestampError(String);

impl Timestamp {
    /// So many microseconds after the beginning of 1970 in UTC, shown at a distance from it. `None`
    /// if the year has not four digits or there is no such zone.
    pub fn from_unix_micros(micros: i64, offset_minutes: i16) -> Option<Self> {
        let made = Self { micros, offset_minutes };
        let near = offset_minutes.abs() <= MAX_OFFSET_MINUTES;
        let within = (-62_135_596_800 * SECOND..253_402_300_800 * SECOND).contains(&micros);
        (near && within && (1..=9_999).contains(&made.civil().year)).then_some(made)
    }

    /// What a calendar and a clock at this distance from UTC show.
    pub fn from_civil(civil: Civil, offset_minutes: i16) -> Option<Self> {
        let Civil { year, month, day, micros } = civil;
        let is_date = (1..=9_999).contains(&year) && (1..=12).contains(&month);
        if !is_date || day < 1 || day > days_in(year, month) || !(0..DAY).contains(&micros) {
            return None;
        }
        let days = days_from_civil(year, i64::from(month), i64::from(day));
        let offset = i64::from(offset_minutes) * 60 * SECOND;
        Self::from_unix_micros(days * DAY + micros - offset, offset_minutes)
    }

    /// Microseconds since the beginning of 1970 in UTC.
    pub fn unix_micros(self) -> i64 {
        self.micros
    }

    /// How far its zone is ahead of UTC, in minutes.
    pub fn offset_minutes(self) -> i16 {
        self.offset_minutes
    }

    /// What calendar and clock show there.
    pub fn civil(self) -> Civil {
        let local = self.micros + i64::from(self.offset_minutes) * 60 * SECOND;
        let (year, month, day) = civil_from_days(local.div_euclid(DAY));
        Civil { year, month, day, micros: local.rem_euclid(DAY) }
    }
}

/// Days since 1970-01-01, by Howard Hinnant's `days_from_civil`: eras of 400 years, years that
/// begin in March, so that the leap day is the last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The way back, `civil_from_days`.
fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let small = |value: i64| u32::try_from(value).unwrap_or_default();
    (year, small(month), small(day))
}

fn days_in(year: i64, month: u32) -> u32 {
    let leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leaps => 29,
        2 => 28,
        _ => 31,
    }
}

/// With as many decimals as it has: none, three or six.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, micros } = self.civil();
        let (seconds, rest) = (micros / SECOND, micros % SECOND);
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        match rest {
            0 => {}
            _ if rest % 1_000 == 0 => write!(f, ".{:03}", rest / 1_000)?,
            _ => write!(f, ".{rest:06}")?,
        }
        let (sign, size) = (self.offset_minutes < 0, self.offset_minutes.unsigned_abs());
        match size {
            0 => f.write_str("Z"),
            _ => {
                let sign = if sign { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", size / 60, size % 60)
            }
        }
    }
}

/// ISO 8601 as logs write it: `T` or a space between date and time, seconds optional, decimals
/// after a point or a comma, and a zone: `Z`, `+02:00`, `+0200` or `+02`.
impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let bad = || TimestampError(cut(&one_line(text), 60));
        match parse(text.trim()) {
            Some((civil, Some(offset))) => Self::from_civil(civil, offset).ok_or_else(bad),
            Some((_, None)) | None => Err(bad()),
        }
    }
}

/// A date with a time of day, and the distance from UTC if it stands there.
pub fn parse(text: &str) -> Option<(Civil, Option<i16>)> {
    let (date, rest) = (text.get(..10)?, text.get(10..)?);
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let civil_day = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let end = rest.find(|char: char| !(char.is_ascii_digit() || ":.,".contains(char)));
    let (clock, zone) = rest.split_at(end.unwrap_or(rest.len()));
    let micros = time_of_day(clock)?;
    let civil = Civil {
        year: civil_day.0,
        month: u32::try_from(civil_day.1).ok()?,
        day: u32::try_from(civil_day.2).ok()?,
        micros,
    };
    // Whether there is such a day.
    Timestamp::from_civil(civil, 0)?;
    match zone.trim() {
        "" => Some((civil, None)),
        zone => Some((civil, Some(offset(zone)?))),
    }
}

/// Microseconds since midnight: `10:00`, `10:00:00`, `10:00:00.25`, `10:00:00,250`.
pub fn time_of_day(text: &str) -> Option<i64> {
    let (clock, decimals) = match text.split_once(['.', ',']) {
        Some((clock, decimals)) => (clock, Some(decimals)),
        None => (text, None),
    };
    let mut parts = clock.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let second = match parts.next() {
        Some(second) => digits(second, 2)?,
        None if decimals.is_some() => return None,
        None => 0,
    };
    // A leap second is counted as the last one before it.
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let micros = match decimals {
        Some(decimals) => micros_of(decimals)?,
        None => 0,
    };
    Some(((hour * 60 + minute) * 60 + second.min(59)) * SECOND + micros)
}

/// The decimals of a second in microseconds; what is finer is cut off.
pub fn micros_of(decimals: &str) -> Option<i64> {
    if decimals.is_empty() || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut padded: String = decimals.chars().take(6).collect();
    padded.extend(std::iter::repeat_n('0', 6 - padded.len()));
    padded.parse().ok()
}

/// A distance from UTC in minutes: `Z`, `UTC`, `+02:00`, `-0330`, `+02`.
pub fn offset(text: &str) -> Option<i16> {
    if ["Z", "z", "UTC", "GMT"].contains(&text) {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let plain = text.get(1..)?.replace(':', "");
    let (hours, minutes) = match plain.len() {
        2 => (digits(&plain, 2)?, 0),
        4 => (digits(plain.get(..2)?, 2)?, digits(plain.get(2..)?, 2)?),
        _ => return None,
    };
    let size = i16::try_from(hours * 60 + minutes).ok()?;
    (minutes < 60 && size <= MAX_OFFSET_MINUTES).then_some(sign * size)
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let all = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "2024-05-01T10:00:00+02:00",
            "2024-02-29T23:59:59.999999-03:30",
            "1970-01-01T00:00:00Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.250Z",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read("2024-05-01T10:00:00+02:00").unix_micros(), 1_714_550_400_000_000);
        assert_eq!(read("1969-12-31T23:59:59Z").unix_micros(), -1_000_000);
    }

    #[test]
    fn forms_that_logs_write_are_read() {
        let same = read("2024-05-01T10:00:00.250+02:00");
        for text in [
            " 2024-05-01 10:00:00.25 +0200 ",
            "2024-05-01T10:00:00,250+02",
            "2024-05-01t10:00:00.2500004+02:00",
        ] {
            assert_eq!(read(text), same, "{text}");
        }
        assert_eq!(read("2024-05-01T10:00Z"), read("2024-05-01 10:00:00 UTC"));
    }

    #[test]
    fn what_is_none_is_quoted() {
        for text in [
            "",
            "10:00",
            "2024-05-01T10:00:00",
            "2024-13-01T10:00:00Z",
            "2023-02-29T10:00:00Z",
            "2024-05-01T24:00:00Z",
            "2024-05-01T10:00:00+19:00",
            "2024-05-01T10:00:00.Z",
            "2024-05-0ÄT10:00:00Z",
            "+024-05-01T10:00:00Z",
            "0000-12-31T23:59:59Z",
            "10000-01-01T00:00:00Z",
            // There it is the year 1 or 9999 no longer.
            "0001-01-01T00:00:00+02:00",
            "9999-12-31T23:59:59-00:01",
        ] {
            let error = text.parse::<Timestamp>().expect_err(text).to_string();
            assert!(error.contains(&format!("“{text}”")), "{error}");
        }
        let end = "10000-01-01T00:00:00Z".parse::<Timestamp>().expect_err("too late").to_string();
        assert!(end.contains("years 1 to 9999"), "{end}");
        let long = "x".repeat(9_000).parse::<Timestamp>().expect_err("long").to_string();
        assert!(long.len() < 250);
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut before = None;
        for days in 0..146_097 {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, i64::from(month), i64::from(day)), days);
            assert!(day <= days_in(year, month));
            assert!(before < Some((year, month, day)));
            before = Some((year, month, day));
        }
    }
}
