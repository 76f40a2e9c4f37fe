//! What is said of a file that is refused: the files of the gallery and of the cases, each with one
//! value, key or field changed. Every refusal quotes what was given, names its place, shows what
//! would be right, is short, and has no word of a parser or of this program's language.
//!
//! `FENCELINE_REFUSALS=all cargo test refusals -- --nocapture` tries every place of every file and
//! prints the counts; the usual run tries each kind of place once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use fenceline::scenarios::GALLERY;
use fenceline::sim::scenario::ScenarioFile;
use serde_json::{Value, json};

/// Words of parsers, of their libraries and of Rust.
const FOREIGN: [&str; 20] = [
    "expected ",
    "struct",
    "variant",
    "tuple",
    "newtype",
    "invalid type",
    "invalid value",
    "invalid length",
    "sequence",
    "a map",
    "boolean",
    "integer",
    "floating",
    "a string",
    "null,",
    "::",
    "`",
    "u8",
    "u16",
    "u32",
];

/// Of the refusals of a usual run, how many may still fall short in what. This only sinks.
const STILL: [(&str, u32); 5] = [
    ("does not name the place", 7),
    ("does not quote what was given", 2_779),
    ("has a word of a parser", 6_575),
    ("is long", 257),
    ("shows nothing that would be right", 6_616),
];

/// A message is for reading at a glance.
const MOST_CHARS: usize = 400;

/// A step on the way to a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Nth(usize),
}

type Place = Vec<Step>;

/// A file with one thing wrong in it, perhaps.
struct Mutant {
    text: String,
    /// Where it is.
    path: String,
    /// What a refusal of it quotes: the value that was given, or the key.
    given: String,
}

fn files() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let paths = fs::read_dir(folder).expect("the cases are there");
    let paths = paths.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    paths.sort();
    let cases = paths.iter().map(|path| fs::read_to_string(path).expect("it can be read"));
    let texts = GALLERY.iter().map(|entry| entry.json.to_owned()).chain(cases);
    texts.map(|text| serde_json::from_str(&text).expect("it is JSON")).collect()
}

fn places(value: &Value, here: &mut Place, found: &mut Vec<Place>) {
    found.push(here.clone());
    let mut below = |step: Step, value: &Value| {
        here.push(step);
        places(value, here, found);
        here.pop();
    };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| below(Step::Key(name.clone()), value));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(nth, value)| below(Step::Nth(nth), value));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn at<'a>(value: &'a mut Value, place: &[Step]) -> &'a mut Value {
    place.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Nth(nth) => &mut value[*nth],
    })
}

fn path(place: &[Step]) -> String {
    let mut path = String::new();
    for step in place {
        match step {
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => path.extend([".", key]),
            Step::Nth(nth) => path.push_str(&format!("[{nth}]")),
        }
    }
    path
}

/// Two places of one kind: the same keys on the way, and the same sort of value.
fn kind_of(place: &[Step], value: &Value) -> String {
    let keys = place.iter().map(|step| match step {
        Step::Key(key) => key.as_str(),
        Step::Nth(_) => "[]",
    });
    let sort = match value {
        Value::Null => "nothing",
        Value::Bool(_) => "switch",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "fields",
    };
    keys.chain([sort]).collect::<Vec<_>>().join(".")
}

fn replacements(now: &Value) -> Vec<Value> {
    let mut all = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(30),
        json!(-1),
        json!(1.5),
        json!(70_000),
        json!(99_999_999_999_u64),
        json!(""),
        json!("nonsense"),
        json!("30"),
        json!("999 h"),
        json!("-3 s"),
        json!("1 parsec"),
        json!("I"),
        json!("service 77"),
        json!("long ".repeat(5_000)),
        json!([]),
        json!([7]),
        json!(["nonsense"]),
        json!({}),
        json!({ "nonsense": 7 }),
        json!([now]),
        json!({ "nonsense": now }),
    ];
    match now {
        Value::Object(fields) => all.push(fields.values().cloned().collect()),
        Value::Array(list) => {
            all.push(list.iter().enumerate().map(|(n, it)| (n.to_string(), it.clone())).collect());
            all.push(list.iter().cycle().take(list.len() * 400).cloned().collect());
        }
        Value::String(text) => all.push(json!(format!("{text}s"))),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    all.retain(|one| one != now);
    all
}

/// What a place can be changed to.
fn mutants(file: &Value, place: &[Step]) -> Vec<Mutant> {
    let mut all = Vec::new();
    let mut file = file.clone();
    let now = at(&mut file, place).clone();
    let mut add = |new: Value, path: String, given: String| {
        *at(&mut file, place) = new;
        all.push(Mutant { text: file.to_string(), path, given });
    };
    for new in replacements(&now) {
        let given = new.to_string();
        add(new, path(place), given);
    }
    let Value::Object(fields) = &now else { return all };
    let mut more = fields.clone();
    more.insert("nonsense".to_owned(), json!("rubbish"));
    add(Value::Object(more), path(place), "nonsense".to_owned());
    for key in fields.keys() {
        let mut fewer = fields.clone();
        let value = fewer.remove(key).expect("it was there");
        add(Value::Object(fewer.clone()), path(place), key.clone());
        let other = format!("{key}_");
        fewer.insert(other.clone(), value);
        add(Value::Object(fewer), path(place), other);
    }
    all
}

/// What is wrong with what is said of a mutant.
fn faults_of(message: &str, mutant: &Mutant) -> BTreeSet<&'static str> {
    let mut wrong = BTreeSet::new();
    let begins = |text: &str| text.chars().take(20).collect::<String>();
    let quoted = begins(mutant.given.trim_matches('"'));
    if !message.contains(&quoted) {
        wrong.insert("does not quote what was given");
    }
    // A place inside may be named, where what was given is a list or has fields.
    let named = mutant.path.rsplit('.').next().unwrap_or_default();
    if !message.contains(named) {
        wrong.insert("does not name the place");
    }
    let shows = ["such as", "use ", "write ", "lies between", "at most", "1 to", "reads version"];
    if !shows.iter().any(|words| message.contains(words)) {
        wrong.insert("shows nothing that would be right");
    }
    // What was quoted is not the program's word.
    let own = message.replace(&mutant.given, "").replace(&quoted, "");
    if FOREIGN.iter().any(|word| own.contains(word)) {
        wrong.insert("has a word of a parser");
    }
    if message.chars().count() > MOST_CHARS {
        wrong.insert("is long");
    }
    wrong
}

#[test]
fn a_refusal_quotes_names_the_place_and_shows_what_is_right() {
    let asked_for_all = std::env::var("FENCELINE_REFUSALS").is_ok_and(|which| which == "all");
    let mut seen = BTreeSet::new();
    let (mut n_refused, mut counts, mut examples) = (0, BTreeMap::new(), BTreeMap::new());
    for file in files() {
        let mut found = Vec::new();
        places(&file, &mut Vec::new(), &mut found);
        for place in found {
            let value = at(&mut file.clone(), &place).clone();
            if !seen.insert(kind_of(&place, &value)) && !asked_for_all {
                continue;
            }
            for mutant in mutants(&file, &place) {
                let Err(error) = ScenarioFile::parse(&mutant.text) else { continue };
                n_refused += 1;
                let message = error.to_string();
                for wrong in faults_of(&message, &mutant) {
                    *counts.entry(wrong).or_insert(0) += 1;
                    let told = || format!("{} = {:.60}: {message:.600}", mutant.path, mutant.given);
                    let of_kind: &mut Vec<String> = examples.entry(wrong).or_default();
                    if of_kind.len() < 12 {
                        of_kind.push(told());
                    }
                }
            }
        }
    }
    println!("{n_refused} refusals; {counts:#?}");
    println!("{examples:#?}");
    assert!(n_refused > 5_000, "{n_refused} files were refused");
    for (wrong, count) in counts {
        let most = STILL.iter().find(|(of, _)| *of == wrong).map_or(0, |(_, most)| *most);
        let some = &examples[wrong];
        assert!(asked_for_all || count <= most, "{count} refusals {wrong}, not {most}: {some:#?}");
    }
}
