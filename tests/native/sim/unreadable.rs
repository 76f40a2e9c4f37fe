//! Files that cannot be read: in another encoding, too large, with a list for an object, with keys
//! and values of any length. The message says what is wrong and what would be right, and is short.

use fenceline::scenarios::GALLERY;
use fenceline::sim::limits::MAX_FILE_BYTES;
use fenceline::sim::plain_text::is_treacherous;
use fenceline::sim::scenario::{FileError, ScenarioFile, text_of};
use serde_json::Value;

const JSON: &str = "{ \"version\": 1,\n  \"title\": \"Größe\" }";

fn wide(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn said(bytes: &[u8]) -> String {
    text_of(bytes).expect_err("it is no UTF-8").to_string()
}

#[test]
fn a_mark_is_skipped_and_other_encodings_are_named() {
    let file = GALLERY[0].file();
    let marked = format!("\u{feff}{}", GALLERY[0].json);
    assert_eq!(ScenarioFile::parse_bytes(marked.as_bytes()).as_ref(), Ok(&file));
    assert_eq!(ScenarioFile::parse(&marked).as_ref(), Ok(&file), "text that was pasted");

    let little = "This file is written in UTF-16, little-endian: save it as UTF-8";
    let big = "This file is written in UTF-16, big-endian: save it as UTF-8";
    for text in [JSON.to_owned(), format!("\u{feff}{JSON}")] {
        assert_eq!(said(&wide(&text, u16::to_le_bytes)), little);
        assert_eq!(said(&wide(&text, u16::to_be_bytes)), big);
        let wider: Vec<u8> = text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect();
        assert!(said(&wider).contains("UTF-32, little-endian"));
    }

    let latin: Vec<u8> = JSON.chars().map(|char| u8::try_from(char).expect("Latin-1")).collect();
    assert_eq!(
        said(&latin),
        "This file is not UTF-8 at line 2, column 15: there stands the byte F6 (“ö” in Latin-1); \
         save it as UTF-8"
    );
    let cut_off = "ö".as_bytes()[..1].to_vec();
    assert!(said(&cut_off).contains("line 1, column 1: there stands the byte C3"));
    assert!(said(b"{}\x80").contains("the byte 80; save"), "no letter in Latin-1 either");
}

#[test]
fn an_over_large_file_is_told_with_its_size() {
    let large = vec![b' '; MAX_FILE_BYTES + 23];
    let error = ScenarioFile::parse_bytes(&large).expect_err("too large").to_string();
    assert_eq!(error, "This file has 1000023 bytes; at most 1000000 are read");
}

/// The places of all objects in a value.
fn objects(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(place.to_owned());
            fields.iter().for_each(|(name, of)| objects(of, &format!("{place}/{name}"), found));
        }
        Value::Array(list) => {
            let places = list.iter().enumerate();
            places.for_each(|(nth, of)| objects(of, &format!("{place}/{nth}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The parser would take a list for an object's fields in their order.
#[test]
fn a_list_for_an_object_is_refused_wherever_it_stands() {
    let mut n_objects = 0;
    for entry in GALLERY {
        let value: Value = serde_json::from_str(entry.json).expect("it is JSON");
        let mut found = Vec::new();
        objects(&value, "", &mut found);
        n_objects += found.len();
        for place in found {
            let mut changed = value.clone();
            let target = changed.pointer_mut(&place).expect("it was just found");
            let fields = target.as_object().expect("an object").values().cloned().collect();
            for list in [fields, Vec::new()] {
                *changed.pointer_mut(&place).expect("it is there") = Value::Array(list);
                let error = ScenarioFile::parse(&changed.to_string()).expect_err(&place);
                let FileError::Syntax { path, problem } = &error else {
                    panic!("{}{place}: {error}", entry.id);
                };
                let is_named = place.rsplit('/').next().is_some_and(|last| path.contains(last));
                assert!(is_named, "{}{place}: {error}", entry.id);
                assert!(problem.contains("is a list: write an object, such as { \""), "{error}");
            }
        }
    }
    assert!(n_objects > 400, "{n_objects} objects were tried");
}

#[test]
fn a_list_for_an_object_is_told_with_what_would_be_right() {
    let json = GALLERY[0].json;
    let pause = json.find("\"pause\": {").expect("it has one") + "\"pause\": ".len();
    let end = pause + json[pause..].find("\"length\"").expect("it has a length");
    let end = end + json[end..].find('}').expect("it is closed") + 1;
    let list = format!("{}[\"A\", \"15 s\"]{}", &json[..pause], &json[end..]);
    let error = ScenarioFile::parse(&list).expect_err("a list").to_string();
    let said = "This file cannot be read at scenario.faults[0].kind.pause: “[\"A\", \"15 s\"]” is \
                a list: write an object, such as { \"client\": … }, with one of `client`, `scope`, \
                `kind`, `start`, `length`";
    assert_eq!(error, said);
    // Where no object can stand either, the parser knows better.
    let title = json.replacen("\"title\": \"The paused holder\"", "\"title\": [\"a\"]", 1);
    let error = ScenarioFile::parse(&title).expect_err("a list").to_string();
    assert!(error.contains("title: invalid type: sequence, expected a string"), "{error}");
}

#[test]
fn a_message_is_short_and_on_one_line_whatever_it_quotes() {
    let json = GALLERY[0].json;
    let hostile = "\u{1b}]0;x\u{7}\u{202e}\n".repeat(40_000);
    let long = [
        "k".repeat(900_000),
        "`".repeat(900_000),
        "“\\\"".repeat(150_000),
        serde_json::to_string(&hostile).expect("text").trim_matches('"').to_owned(),
    ];
    for long in &long {
        let texts = [
            format!("{{ \"{long}\": 1 }}"),
            format!("{{ \"scenario\": {{ \"{long}\": 1 }} }}"),
            format!("{{ \"{long}\": [{{ \"{long}\": ["),
            json.replacen("\"15 s\"", &format!("\"{long}\""), 1),
            json.replacen("\"lease_server\"", &format!("\"{long}\""), 1),
            json.replacen("\"client\": \"A\"", &format!("\"client\": \"{long}\""), 1),
            json.replacen("\"scenario\": {", &format!("\"scenario\": [\"{long}\"], \"x\": {{"), 1),
            json.replacen("\"1/3\"", &format!("\"{long}\""), 1),
            format!("\"{long}\""),
        ];
        for text in texts.iter().filter(|text| text.len() <= MAX_FILE_BYTES) {
            let error = ScenarioFile::parse(text).expect_err("it is wrong").to_string();
            assert!(error.chars().count() < 3_500, "{} characters", error.chars().count());
            assert!(!error.contains(is_treacherous), "{error:?}");
        }
    }
    let error = ScenarioFile::parse(&format!("{{ \"{}\": 1 }}", long[0])).expect_err("unknown");
    let error = error.to_string();
    assert!(error.contains("k…`, expected one of `$schema`, `version`"), "{error}");
    assert!(error.chars().count() < 500, "{error}");
}
