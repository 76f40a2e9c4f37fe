//! Simulated time: whole microseconds, never floats. [`SimTime`] is the engine's own order;
//! [`LocalTime`] is what one node's clock shows. They are different types, so that "whose clock?"
//! is a question that the compiler asks.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use thiserror::Error;

use super::course;
use super::limits::MAX_DURATION;
use super::plain_text::{cut, one_line, quoted};

/// An instant of a run, in microseconds since its start. Protocols never see it.
#[derive(Clone, Copy, Default)]
pub struct SimTime(u64);

/// A length of time in microseconds.
#[derive(Clone, Copy, Default)]
pub struct SimDuration(u64);

/// What a node's own clock shows, in microseconds. Negative after a jump back past its start.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalTime(i64);

/// Times are ordered as their numbers are, and each comparison is a condition of a run's course
/// (`super::course`).
macro_rules! ordered {
    ($($T:ident)*) => { $(
        impl PartialEq for $T {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                course::compares_both_ways(self.0, other.0);
                self.0 == other.0
            }
        }

        impl Eq for $T {}

        impl std::hash::Hash for $T {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }

        impl Ord for $T {
            #[inline]
            fn cmp(&self, other: &Self) -> Ordering {
                course::compares_both_ways(self.0, other.0);
                self.0.cmp(&other.0)
            }

            #[inline]
            fn max(self, other: Self) -> Self {
                if other >= self { other } else { self }
            }

            #[inline]
            fn min(self, other: Self) -> Self {
                if other >= self { self } else { other }
            }
        }

        impl PartialOrd for $T {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }

            #[inline]
            fn lt(&self, other: &Self) -> bool {
                !(self >= other)
            }

            #[inline]
            fn le(&self, other: &Self) -> bool {
                other >= self
            }

            #[inline]
            fn gt(&self, other: &Self) -> bool {
                !(other >= self)
            }

            #[inline]
            fn ge(&self, other: &Self) -> bool {
                course::compares(self.0, other.0);
                self.0 >= other.0
            }
        }
    )* };
}

ordered!(SimTime SimDuration LocalTime);

/// How far a clock is set ahead (or back, if negative), in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClockShift(i64);

impl ClockShift {
    /// A shift by a number of microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The shift in microseconds.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Both shifts.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// This far in the same direction; ahead, if it was no shift at all.
    pub const fn with_length(self, length: SimDuration) -> Self {
        let micros = length.0.cast_signed();
        Self(if self.0 < 0 { -micros } else { micros })
    }

    /// How far, in either direction.
    pub const fn length(self) -> SimDuration {
        SimDuration(self.0.unsigned_abs())
    }
}

/// `3 min` as `180 s`, `-1 s`.
impl fmt::Display for ClockShift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", self.length())
    }
}

impl FromStr for ClockShift {
    type Err = DurationError;
    fn from_str(text: &str) -> Result<Self, DurationError> {
        let (sign, rest) = match text.trim().strip_prefix(['-', '−']) {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let length: Result<SimDuration, _> = rest.parse();
        let length = length.map_err(|error: DurationError| error.quoting(text))?;
        Ok(Self(sign * i64::try_from(length.0).unwrap_or(i64::MAX)))
    }
}

impl SimTime {
    /// The start of every run.
    pub const ZERO: Self = Self(0);
    /// Later than any instant of any run.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `micros` microseconds after the start.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// The instant `millis` milliseconds after the start.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }

    /// Microseconds since the start.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to here; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> SimDuration {
        course::compares(self.0, earlier.0);
        SimDuration(self.0.saturating_sub(earlier.0))
    }

    /// The time from the start to here.
    pub const fn since_start(self) -> SimDuration {
        SimDuration(self.0)
    }
}

impl SimDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A number of microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// A number of milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }

    /// A number of seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000)
    }

    /// The length in microseconds.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Whether this is no time at all.
    pub fn is_zero(self) -> bool {
        course::compares(self.0, 1);
        self.0 == 0
    }

    /// `times` of this, at most `u64::MAX` microseconds.
    pub const fn times(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// This less `other`, at least zero.
    pub fn minus(self, other: Self) -> Self {
        course::compares(self.0, other.0);
        Self(self.0.saturating_sub(other.0))
    }

    /// This divided by a number, rounded down to a microsecond.
    pub fn part(self, of: u32) -> Self {
        course::rounds(self.0, of);
        Self(self.0 / u64::from(of.max(1)))
    }

    /// The least whole number of `unit` that is no less.
    pub fn rounded_up_to(self, unit: Self) -> Self {
        let unit = unit.0.max(1);
        let place = self.0.div_ceil(unit);
        course::is_placed(self.0, unit, i128::from(place));
        Self(place.saturating_mul(unit))
    }
}

impl LocalTime {
    /// A reading of a node's clock.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The reading in microseconds.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The next multiple of `unit` on this clock, or this reading if it is one.
    pub fn rounded_up_to(self, unit: SimDuration) -> Self {
        if unit.0 == 0 || unit.0 > i64::MAX.unsigned_abs() {
            return self;
        }
        let unit = unit.0.cast_signed();
        let past = self.0.rem_euclid(unit);
        let place = if past == 0 { self.0 } else { self.0.saturating_add(unit - past) };
        course::is_placed(self.0, unit, i128::from(place.div_euclid(unit)));
        Self(place)
    }

    /// The time on this clock from `earlier` to here; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> SimDuration {
        course::compares(self.0, earlier.0);
        let micros = self.0.saturating_sub(earlier.0);
        SimDuration(if micros > 0 { micros.unsigned_abs() } else { 0 })
    }
}

impl Add<SimDuration> for SimTime {
    type Output = Self;
    fn add(self, length: SimDuration) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}

impl Add<SimDuration> for LocalTime {
    type Output = Self;
    fn add(self, length: SimDuration) -> Self {
        Self(self.0.saturating_add_unsigned(length.0))
    }
}

impl Sub<SimDuration> for SimTime {
    type Output = Self;
    fn sub(self, length: SimDuration) -> Self {
        course::compares(self.0, length.0);
        Self(self.0.saturating_sub(length.0))
    }
}

impl Add for SimDuration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for SimDuration {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Writes the exact value in the shortest unit that keeps it whole: `250 ms`, `10.2 s`, `7 us`.
impl fmt::Display for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0;
        if micros >= 1_000_000 || micros == 0 {
            write_decimal(f, micros, 6, " s")
        } else if micros >= 1_000 {
            write_decimal(f, micros, 3, " ms")
        } else {
            write!(f, "{micros} us")
        }
    }
}

/// Seconds since the start: `17.1 s`.
impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0, 6, " s")
    }
}

impl fmt::Debug for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Debug for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Writes `value / 10^decimals` without trailing zeros, then the unit.
fn write_decimal(f: &mut fmt::Formatter<'_>, value: u64, decimals: u32, unit: &str) -> fmt::Result {
    let scale = 10_u64.pow(decimals);
    write!(f, "{}", value / scale)?;
    let rest = format!("{:0width$}", value % scale, width = decimals as usize);
    let rest = rest.trim_end_matches('0');
    if !rest.is_empty() {
        write!(f, ".{rest}")?;
    }
    f.write_str(unit)
}

/// Why a text is not a length of time. Each message quotes the text and says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DurationError {
    /// Nothing but blanks.
    #[error("empty: write a time such as 250 ms, 10 s or 2 min")]
    Empty,
    /// A minus sign.
    #[error("“{0}” is negative: a time cannot be less than 0")]
    Negative(String),
    /// No number in front.
    #[error("“{0}” is not a time: write a number and a unit, such as 250 ms, 10 s or 2 min")]
    NotANumber(String),
    /// A unit that is not known.
    #[error("“{0}” has an unknown unit “{1}”: use us, ms, s, min or h")]
    UnknownUnit(String, String),
    /// A number without a unit where one is needed.
    #[error("“{0}” has no unit: write {0} s, {0} ms or {0} min")]
    NoUnit(String),
    /// More than a day.
    #[error("“{0}” is too long: at most 24 h")]
    TooLong(String),
    /// More digits than a microsecond has.
    #[error("“{0}” is too fine: at most a whole number of microseconds")]
    TooFine(String),
}

impl DurationError {
    /// The same of a text of which only a part was read.
    fn quoting(self, text: &str) -> Self {
        let text = text.trim().chars().take(40).collect();
        match self {
            Self::Empty => Self::NotANumber(text),
            Self::Negative(_) => Self::Negative(text),
            Self::NotANumber(_) => Self::NotANumber(text),
            Self::UnknownUnit(_, unit) => Self::UnknownUnit(text, unit),
            Self::NoUnit(_) => Self::NoUnit(text),
            Self::TooLong(_) => Self::TooLong(text),
            Self::TooFine(_) => Self::TooFine(text),
        }
    }
}

impl SimDuration {
    /// Reads `10 s`, `250ms`, `1.5 min`, `2h`. A bare number takes `default_unit`, if there is one.
    ///
    /// # Errors
    /// Says what is wrong with the text; the text is quoted.
    pub fn parse(text: &str, default_unit: Option<&str>) -> Result<Self, DurationError> {
        let trimmed = text.trim();
        let quote = || quoted(trimmed);
        if trimmed.is_empty() {
            return Err(DurationError::Empty);
        }
        if trimmed.starts_with(['-', '−']) {
            return Err(DurationError::Negative(quote()));
        }
        let digits_end = trimmed
            .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
            .unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(digits_end);
        let unit = match (unit.trim(), default_unit) {
            ("", Some(unit)) => unit,
            ("", None) => {
                let is_number = !matches!(parse_decimal(number, 1), Err(DecimalProblem::Malformed));
                let problem =
                    if is_number { DurationError::NoUnit } else { DurationError::NotANumber };
                return Err(problem(quote()));
            }
            (unit, _) => unit,
        };
        if number.is_empty() {
            return Err(DurationError::NotANumber(quote()));
        }
        let micros = micros_of_unit(unit)
            .ok_or_else(|| DurationError::UnknownUnit(quote(), cut(&one_line(unit), 12)))?;
        let value = parse_decimal(number, micros).map_err(|problem| match problem {
            DecimalProblem::Malformed => DurationError::NotANumber(quote()),
            DecimalProblem::TooFine => DurationError::TooFine(quote()),
            DecimalProblem::TooLarge => DurationError::TooLong(quote()),
        })?;
        if value > MAX_DURATION.0 {
            return Err(DurationError::TooLong(quote()));
        }
        Ok(Self(value))
    }
}

enum DecimalProblem {
    Malformed,
    TooFine,
    TooLarge,
}

fn micros_of_unit(unit: &str) -> Option<u64> {
    match unit {
        "us" | "µs" | "μs" => Some(1),
        "ms" => Some(1_000),
        "s" | "sec" | "second" | "seconds" => Some(1_000_000),
        "m" | "min" | "minute" | "minutes" => Some(60_000_000),
        "h" | "hour" | "hours" => Some(3_600_000_000),
        _ => None,
    }
}

/// `number × scale` as a whole number. The number may have a fraction, with a point or a comma.
fn parse_decimal(number: &str, scale: u64) -> Result<u64, DecimalProblem> {
    let mut parts = number.splitn(2, ['.', ',']);
    let whole = parts.next().unwrap_or_default();
    let fraction = parts.next();
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let bare_point = whole.is_empty() && fraction.is_none_or(str::is_empty);
    if bare_point || !digits(whole) || !fraction.is_none_or(digits) {
        return Err(DecimalProblem::Malformed);
    }
    let whole: u64 = match whole.trim_start_matches('0') {
        "" => 0,
        text => text.parse().map_err(|_| DecimalProblem::TooLarge)?,
    };
    let mut value = whole.checked_mul(scale).ok_or(DecimalProblem::TooLarge)?;
    let mut unit = scale;
    for digit in fraction.unwrap_or_default().trim_end_matches('0').bytes() {
        if !unit.is_multiple_of(10) {
            // The unit no longer divides: 1.0000005 s, or 0.123 min that is no whole microsecond.
            return Err(DecimalProblem::TooFine);
        }
        unit /= 10;
        value =
            value.checked_add(u64::from(digit - b'0') * unit).ok_or(DecimalProblem::TooLarge)?;
    }
    Ok(value)
}

impl FromStr for SimDuration {
    type Err = DurationError;
    fn from_str(text: &str) -> Result<Self, DurationError> {
        Self::parse(text, None)
    }
}

impl FromStr for SimTime {
    type Err = DurationError;
    fn from_str(text: &str) -> Result<Self, DurationError> {
        SimDuration::parse(text, None).map(|length| Self::ZERO + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_reads_back_as_it_was_written() {
        for micros in [0, 1, 999, 1_000, 1_500, 999_999, 1_000_000, 10_200_000, 86_400_000_000] {
            let length = SimDuration::from_micros(micros);
            assert_eq!(length.to_string().parse(), Ok(length));
        }
    }

    #[test]
    fn a_shift_that_is_wrong_is_quoted_with_its_sign() {
        let told = |text: &str| text.parse::<ClockShift>().expect_err(text).to_string();
        assert!(told("-1 hs").starts_with("“-1 hs” has an unknown unit “hs”"), "{}", told("-1 hs"));
        assert!(told("-5").starts_with("“-5” has no unit: write -5 s"), "{}", told("-5"));
        assert!(told("-").starts_with("“-” is not a time"), "{}", told("-"));
    }

    #[test]
    fn units_and_fractions_are_exact() {
        let parse = |text| SimDuration::parse(text, Some("s")).map(SimDuration::micros);
        assert_eq!(parse("250ms"), Ok(250_000));
        assert_eq!(parse("90 s"), Ok(90_000_000));
        assert_eq!(parse("2m"), Ok(120_000_000));
        assert_eq!(parse("1.5 h"), Ok(5_400_000_000));
        assert_eq!(parse("0,1"), Ok(100_000));
        assert_eq!(parse(".5 s"), Ok(500_000));
        assert_eq!(parse("24 h"), Ok(86_400_000_000));
    }

    #[test]
    fn bad_text_is_quoted_with_what_would_be_right() {
        let message = |text| SimDuration::parse(text, None).expect_err(text).to_string();
        assert!(message("  ").contains("such as 250 ms"));
        assert_eq!(message("-3 s"), "“-3 s” is negative: a time cannot be less than 0");
        assert!(message("ten").contains("“ten”"));
        assert!(message("3 years").contains("use us, ms, s, min or h"));
        assert!(message("5").contains("5 s"));
        assert!(message("25 h").contains("at most 24 h"));
        assert!(message("99999999999999999999 s").contains("at most 24 h"));
        assert!(message("0.0000001 s").contains("whole number of microseconds"));
        assert!(message("1.2.3 s").contains("not a time"));
        assert!(message(".").contains("not a time"));
    }
}
