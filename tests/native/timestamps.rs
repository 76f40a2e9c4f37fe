//! Points of the calendar: every one from the first to the last is written and read back, whatever
//! its zone; what lies beyond either end, or is no date at all, is quoted and never a panic.

use fenceline::sim::scenario::timestamp::{self, Civil, Timestamp};
use proptest::prelude::*;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const DAY: i64 = 1_440 * MINUTE;
/// The beginning of the year 1 and the end of the year 9999 in UTC, in microseconds of 1970.
const FIRST: i64 = -62_135_596_800 * SECOND;
const END: i64 = 253_402_300_800 * SECOND;
const FARTHEST: i16 = 18 * 60;

/// Any number, more often one near an end of what is allowed.
fn micros() -> impl Strategy<Value = i64> {
    let near = |end: i64| (-2 * DAY..2 * DAY).prop_map(move |by| end + by);
    prop_oneof![near(FIRST), near(END), near(0), near(0), FIRST..END, any::<i64>()]
}

fn offset() -> impl Strategy<Value = i16> {
    prop_oneof![-FARTHEST..=FARTHEST, Just(FARTHEST), Just(-FARTHEST), any::<i16>()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_point_is_written_and_read_back((micros, offset) in (micros(), offset())) {
        let made = Timestamp::from_unix_micros(micros, offset);
        let near = offset.unsigned_abs() <= FARTHEST.unsigned_abs();
        let shown = micros.saturating_add(i64::from(offset) * MINUTE);
        let within = |point: i64| (FIRST..END).contains(&point);
        prop_assert_eq!(made.is_some(), near && within(micros) && within(shown));
        if let Some(made) = made {
            prop_assert_eq!(made.to_string().parse(), Ok(made));
            prop_assert_eq!(Timestamp::from_civil(made.civil(), offset), Some(made));
            prop_assert_eq!((made.unix_micros(), made.offset_minutes()), (micros, offset));
            prop_assert!((1..=9_999).contains(&made.civil().year));
        }
    }

    #[test]
    fn no_date_is_taken_for_another(
        (year, month, day) in (prop_oneof![-3_i64..10_003, any::<i64>()], 0_u32..15, 0_u32..34),
        micros in prop_oneof![0..DAY, Just(DAY), Just(-1), any::<i64>()],
        offset in offset(),
    ) {
        let civil = Civil { year, month, day, micros };
        if let Some(made) = Timestamp::from_civil(civil, offset) {
            prop_assert_eq!(made.civil(), civil);
        }
    }

    #[test]
    fn texts_are_read_or_quoted(
        year in prop_oneof!["[0-9]{4}", "[0-9]{1,6}", "[+-][0-9]{4}"],
        (month, day, hour) in (0_u32..15, 0_u32..34, 0_u32..27),
        rest in prop_oneof!["", ":[0-7][0-9]", ":[0-7][0-9][.,][0-9]{1,12}"],
        zone in prop_oneof!["", "Z", " UTC", "[+-][0-2][0-9]:?[0-9]{2}", "[+-][0-9]{1,3}", "[.]"],
    ) {
        let text = format!("{year}-{month:02}-{day:02}T{hour:02}:00{rest}{zone}");
        match text.parse::<Timestamp>() {
            Ok(read) => {
                prop_assert!((1..=9_999).contains(&read.civil().year));
                prop_assert_eq!(read.to_string().parse(), Ok(read));
            }
            Err(error) => {
                let told = error.to_string();
                prop_assert!(told.contains(&format!("“{text}”")), "{}", told);
                prop_assert!(told.contains("2024-05-01T10:00:00.250+02:00"), "{}", told);
            }
        }
        // A part of it alone is no date and no panic.
        for (at, _) in text.char_indices() {
            timestamp::parse(&text[at..]);
            timestamp::offset(&text[at..]);
            timestamp::time_of_day(&text[at..]);
        }
    }
}

/// The last instant and the first one, in the zones that are farthest from UTC.
#[test]
fn both_ends_are_where_they_are_in_every_zone() {
    for (text, is_one) in [
        ("9999-12-31T23:59:59.999999Z", true),
        ("9999-12-31T23:59:59.999999+18:00", true),
        ("9999-12-31T23:59:59.999999-00:01", false),
        ("9999-12-31T05:59:59.999999-18:00", true),
        ("9999-12-31T06:00:00-18:00", false),
        ("10000-01-01T00:00:00Z", false),
        ("0001-01-01T00:00:00Z", true),
        ("0001-01-01T00:00:00-18:00", true),
        ("0001-01-01T00:00:00+00:01", false),
        ("0001-01-01T18:00:00+18:00", true),
        ("0001-01-01T17:59:59.999999+18:00", false),
        ("0000-12-31T23:59:59Z", false),
        ("2024-05-01T10:00:00+18:01", false),
    ] {
        let read = text.parse::<Timestamp>();
        assert_eq!(read.is_ok(), is_one, "{text}");
        if let Ok(read) = read {
            assert_eq!(read.to_string(), text);
        }
    }
}
