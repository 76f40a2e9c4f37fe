//! Scenario files: what is wrong is named with its place, quoted, and mended in words.

use fenceline::scenarios::GALLERY;
use fenceline::sim::id::StoreId;
use fenceline::sim::scenario::{FileError, ScenarioFile, Unchecked, Wait};
use fenceline::sim::{SimDuration, limits};
use proptest::prelude::*;

/// The first scenario's file with one text in place of another.
fn edited(from: &str, to: &str) -> Result<ScenarioFile, FileError> {
    let json = GALLERY[0].json;
    assert!(json.contains(from), "the file holds {from}");
    ScenarioFile::parse(&json.replacen(from, to, 1))
}

fn message(from: &str, to: &str) -> String {
    edited(from, to).expect_err("it is wrong").to_string()
}

#[test]
fn an_error_names_the_place_quotes_the_value_and_says_what_is_right() {
    let bad = message("\"15 s\"", "\"15 parsecs\"");
    assert!(bad.starts_with("This file"), "{bad}");
    assert!(bad.contains("scenario.faults[0].kind"), "{bad}");
    assert!(bad.contains("“15 parsecs” has an unknown unit “parsecs”: use us, ms, s"), "{bad}");
    let bad = message("\"client\": \"A\"", "\"client\": \"Z\"");
    assert!(bad.contains("“Z” is not a client: use a letter from A to H"), "{bad}");
    let bad = message("\"client\": \"A\"", "\"client\": \"C\"");
    assert!(bad.contains("there is no client C; the last one is B"), "{bad}");
    let bad = message("\"latency\"", "\"latencies\"");
    let told = "scenario: there is no “latencies” here; there is “latency”, ";
    assert!(bad.contains(told) && bad.ends_with("right would be \"latency\": \"10 s\""), "{bad}");
    let bad = message("\"ttl\": \"10 s\"", "\"ttl\": 30");
    let told = "scenario.lease.ttl: 30 is no length of time; right would be \"10 s\"";
    assert!(bad.ends_with(told), "{bad}");
    let bad = message("\"stores\": 1", "\"stores\": 300");
    let told =
        "scenario.storage.stores: 300 is out of range; it lies between 1 and 4; right would be 1";
    assert!(bad.ends_with(told), "{bad}");
    let bad = message("\"version\": 1", "\"version\": 7");
    assert!(bad.contains("version 7; this program reads version 1"), "{bad}");
    let bad = message("\"ttl\": \"10 s\"", "\"ttl\": \"0 s\"");
    assert!(bad.contains("lease.ttl: “0 s” is out of range; it lies between 1 ms and"), "{bad}");
    let bad = message("\"1/3\"", "\"1/0\"");
    assert!(bad.contains("“1/0” is not a share"), "{bad}");
    let long = format!("\"title\": \"{}\"", "x".repeat(300));
    assert!(
        message("\"title\": \"The paused holder\"", &long)
            .contains("xxx…” has 300 characters; it lies")
    );
}

/// Which stores cannot check is a number, as it always was, or a list, and stays what it was.
#[test]
fn unchecked_stores_are_counted_or_named() {
    let stores = "\"stores\": 1";
    let with = |unchecked: &str| format!("\"stores\": 3, \"unchecked_stores\": {unchecked}");
    let file = |unchecked: &str| edited(stores, &with(unchecked)).expect("it is right");
    assert_eq!(file("2").scenario.storage.unchecked_stores, Unchecked::Last(2));
    let these = Unchecked::These(vec![StoreId(0), StoreId(2)]);
    assert_eq!(file("[\"storage\", \"storage 3\"]").scenario.storage.unchecked_stores, these);
    for unchecked in ["2", "[\"storage 2\"]"] {
        let read = file(unchecked);
        assert_eq!(ScenarioFile::parse(&read.to_json()).as_ref(), Ok(&read), "{unchecked}");
    }
    assert!(file("2").to_json().contains("\"unchecked_stores\": 2"));
    let bad = message(stores, &with("[\"storage 4\"]"));
    assert!(bad.contains("storage.unchecked_stores[0]: there is no “storage 4”"), "{bad}");
    let bad = message(stores, &with("[\"shop\"]"));
    assert!(bad.contains("“shop” is not a store"), "{bad}");
    let bad = message(stores, &with("\"all\""));
    assert!(bad.contains("right would be [\"storage\"]"), "{bad}");
    let bad = message(stores, &with("5"));
    assert!(bad.contains("storage.unchecked_stores: 5"), "{bad}");
}

/// docs/scenario.md shows messages, and each is what is said.
#[test]
fn the_messages_of_the_documentation_are_what_is_said() {
    let docs = include_str!("../../../docs/scenario.md");
    let shown = docs.split_once("## Errors").expect("there is such a part").1;
    let shown = shown.split("```").nth(1).expect("it shows some").trim_start_matches("text");
    let on_one_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = [
        ("\"15 s\"", "\"15 parsecs\""),
        ("\"15 s\"", "\"15\""),
        ("\"ttl\": \"10 s\"", "\"ttl\": 30"),
        ("\"ttl\": \"10 s\"", "\"ttl\": \"0 s\""),
        ("\"latency\"", "\"latencies\""),
        ("\"lease_server\"", "\"lease_servant\""),
        ("\"owner_check\": true },", "\"owner_check\": true "),
        ("\"client\": \"A\"", "\"client\": \"C\""),
        ("\"version\": 1", "\"version\": 7"),
    ];
    let said: Vec<String> = said.iter().map(|(from, to)| message(from, to)).collect();
    assert_eq!(on_one_line, said.join(" "));
}

#[test]
fn a_poll_without_jitter_has_none() {
    let wait = "\"check\": \"off\", \"wait\": { \"poll\": { \"every\": \"1 s\" } }";
    let file = edited("\"check\": \"off\"", wait).expect("it is right");
    let every = SimDuration::from_secs(1);
    assert_eq!(file.scenario.defaults.wait, Wait::Poll { every, jitter: SimDuration::ZERO });
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let error = ScenarioFile::parse(&" ".repeat(limits::MAX_FILE_BYTES + 1));
    assert_eq!(error, Err(FileError::TooLarge(limits::MAX_FILE_BYTES + 1)));
}

proptest! {
    /// No panic and no hang on any text, nor on a good file with bytes changed.
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,400}") {
        drop(ScenarioFile::parse(&text));
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(place in 0_usize..1_500, with in "[ -~]{0,3}") {
        let json = GALLERY[0].json;
        let place = place.min(json.len() - 1);
        if json.is_char_boundary(place) && json.is_char_boundary(place + 1) {
            let damaged = format!("{}{with}{}", &json[..place], &json[place + 1..]);
            drop(ScenarioFile::parse(&damaged));
        }
    }
}
