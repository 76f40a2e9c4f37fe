//! Tests of reading pasted lines: the forms that logs write, what is refused, and that no bytes
//! make it fall over.

use proptest::prelude::*;

use super::*;
use crate::sim::scenario::ActorName;

fn incident() -> Incident {
    Incident {
        start: Some("2024-05-01T10:00:00+02:00".parse().expect("valid")),
        names: vec![
            ActorName { actor: NodeId::Client(ClientId(0)), name: "billing-7".to_owned() },
            ActorName { actor: NodeId::Store(StoreId(0)), name: "Orders DB".to_owned() },
        ],
        ..Incident::default()
    }
}

fn one(line: &str) -> Observed {
    let mut pasted = read(line, &incident());
    assert_eq!(pasted.bad, [], "{line}");
    pasted.lines.pop().expect(line)
}

fn why(line: &str, incident: &Incident) -> String {
    let pasted = read(line, incident);
    assert_eq!(pasted.lines, [], "{line}");
    pasted.bad.first().expect(line).sentence()
}

#[test]
fn times_are_read_as_logs_write_them() {
    for (line, millis) in [
        ("2024-05-01T10:00:12.5+02:00 A lease lost", 12_500),
        ("2024-05-01 08:00:12,500Z, A, lease lost", 12_500),
        ("[2024-05-01T08:00:12.500 UTC] A: lease lost", 12_500),
        ("2024-05-01 10:00:12.500 A lease lost", 12_500),
        ("<34>1 2024-05-01T08:00:12.5Z A lease lost", 12_500),
        ("May  1 10:00:12 A lease lost", 12_000),
        ("10:00:12.500 A lease lost", 12_500),
        ("1714550412 A lease lost", 12_000),
        ("1714550412.500 A lease lost", 12_500),
        ("1714550412500 A lease lost", 12_500),
        ("1714550412500000\tA\tlease lost", 12_500),
        ("1714550412500000000 | A | lease lost", 12_500),
        ("12.5 A lease lost", 12_500),
        ("+12.5s A lease lost", 12_500),
        ("12.5 s - A lease lost", 12_500),
        ("12500ms;A;lease lost", 12_500),
    ] {
        let observed = one(line);
        assert_eq!(observed.at, SimTime::from_millis(millis), "{line}");
        assert_eq!(observed.actor, Some(NodeId::Client(ClientId(0))), "{line}");
        assert_eq!(observed.text, "lease lost", "{line}");
    }
}

#[test]
fn a_time_of_day_after_midnight_is_of_the_next_day() {
    let start = "2024-12-31T23:59:50+01:00".parse().ok();
    let incident = Incident { start, ..Incident::default() };
    let at = |line: &str| read(line, &incident).lines.first().map(|line| line.at);
    assert_eq!(at("00:00:05 x"), Some(SimTime::from_millis(15_000)));
    assert_eq!(at("Jan  1 00:00:05 x"), Some(SimTime::from_millis(15_000)));
    assert_eq!(at("23:59:49 x"), None, "a second too early");
}

#[test]
fn actors_are_known_by_letter_kind_and_name() {
    let actor = |line: &str| (one(line).actor, one(line).text);
    let (a, b) = (NodeId::Client(ClientId(0)), NodeId::Client(ClientId(1)));
    let store = NodeId::Store(StoreId(0));
    assert_eq!(actor("1 s billing-7[812]: gone"), (Some(a), "gone".to_owned()));
    assert_eq!(actor("1 s client b gone"), (Some(b), "gone".to_owned()));
    assert_eq!(actor("1 s orders db: 1 row"), (Some(store), "1 row".to_owned()));
    assert_eq!(actor("1 s storage 1 row"), (Some(store), "1 row".to_owned()));
    // Nothing is lost where nobody is named.
    assert_eq!(actor("1 s billing-77 gone"), (None, "billing-77 gone".to_owned()));
    assert_eq!(actor("1 s a lease ended"), (None, "a lease ended".to_owned()));
    assert_eq!(actor("1 s B"), (Some(b), String::new()));
}

#[test]
fn a_line_that_is_not_taken_is_quoted_with_the_reason() {
    let known = incident();
    let unknown = Incident::default();
    assert_eq!(
        why("lease lost", &known),
        "Line 1, “lease lost”: it begins with no time; write 2024-05-01T10:00:00+02:00, \
         10:00:00, 1714550400 or 12.3 s"
    );
    assert!(why("2024-05-01T09:59:57+02:00 x", &known).contains("3.0 s before the incident's"));
    assert!(why("2024-05-03T09:59:57+02:00 x", &known).contains("more than 24 h after"));
    assert!(why("May 1 10:00:00 x", &unknown).contains("no year: give the incident a start"));
    assert!(why("10:00:00 x", &unknown).contains("no date"));
    assert!(why("2024-05-01 10:00:00 x", &unknown).contains("no zone"));
    assert!(why("25:00:00 x", &known).contains("begins with no time"));
    assert!(why("2024-02-30T10:00:00Z x", &known).contains("“2024-02-30T10:00:00Z x”"));
    assert!(why(&"x".repeat(9_000), &known).len() < 250);
    let flood = why(&"x".repeat(limits::MAX_PASTED_CHARS + 1), &known);
    assert!(flood.starts_with("200001 characters were pasted; at most 200000"), "{flood}");
}

#[test]
fn dates_beyond_the_calendar_are_quoted() {
    let known = incident();
    for line in ["10000-01-01T00:00:00Z x", "0000-01-01T00:00:00Z x", "9999-12-31T23:59:59-18:00 x"]
    {
        assert!(why(line, &known).contains(&format!("“{line}”: it begins with no time")));
    }
    assert!(why("9999999999999999999 x", &known).contains("begins with no time"));
    assert!(why("9999999999 x", &known).contains("more than 24 h after"));
    assert!(why("9999999999999999 x", &known).contains("more than 24 h after"));
    // The run goes on where the calendar ends.
    let start = "9999-12-31T23:59:50Z".parse().ok();
    let last = Incident { start, ..Incident::default() };
    assert!(why("00:00:05 x", &last).contains("before the incident's start"));
    assert!(why("Jan  1 00:00:05 x", &last).contains("there is no such day"));
    assert_eq!(read("15 s x", &last).lines[0].at, SimTime::from_millis(15_000));
}

#[test]
fn the_first_time_is_the_start_where_none_is_given() {
    let text = "2024-05-01T10:00:03Z B two\n\n2024-05-01T10:00:01Z A one\nno time";
    let pasted = read(text, &Incident::default());
    assert_eq!(pasted.start, "2024-05-01T10:00:01Z".parse().ok());
    let lines: Vec<_> = pasted.lines.iter().map(|line| (line.at, line.text.as_str())).collect();
    assert_eq!(lines, [(SimTime::ZERO, "one"), (SimTime::from_millis(2_000), "two")]);
    assert_eq!(pasted.bad.len(), 1);
    assert_eq!(pasted.bad[0].line, 4);
}

#[test]
fn many_and_long_lines_are_cut() {
    let many: String = (0..300).map(|n| format!("{n} s A x\n")).collect();
    let pasted = read(&many, &incident());
    assert_eq!(pasted.lines.len(), limits::MAX_OBSERVED);
    assert_eq!(pasted.bad.len(), 100);
    let long = one(&format!("1 s {}", "é".repeat(1_000)));
    assert_eq!(long.text.chars().count(), limits::MAX_LINE_CHARS);
    assert!(long.text.ends_with('…'));
}

proptest! {
    #[test]
    fn no_bytes_make_it_fall_over(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn nor_does_what_looks_like_a_log(text in "[0-9TZ:.,+ \\-\\[\\]<>A-Fa-fst\nµ]{0,200}") {
        check(&text);
    }
}

/// Every line is taken or told of, and what is taken is a valid part of a file.
fn check(text: &str) {
    for incident in [incident(), Incident::default()] {
        let pasted = read(text, &incident);
        let given = text.lines().filter(|line| !line.trim().is_empty()).count();
        assert_eq!(pasted.lines.len() + pasted.bad.len(), given);
        for line in &pasted.lines {
            assert!(line.at <= SimTime::ZERO + limits::MAX_DURATION);
            assert!(line.text.chars().count() <= limits::MAX_LINE_CHARS);
        }
        assert!(pasted.lines.is_sorted_by_key(|line| line.at));
    }
}
