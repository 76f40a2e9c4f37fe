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
use fenceline::sim::form::Refusal;
use fenceline::sim::scenario::{FileError, ScenarioFile};
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
    "a sequence",
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
fn faults_of(error: &FileError, mutant: &Mutant) -> BTreeSet<&'static str> {
    let mut wrong = BTreeSet::new();
    let message = error.to_string();
    match error {
        FileError::Refused(refusal) => wrong.extend(faults_of_refusal(refusal, mutant)),
        FileError::Scenario(_) | FileError::Change { .. } | FileError::Changed(_) => {
            // Who is named somewhere is not there; what was changed may be that it is not there.
            if !message.contains('[') && !message.contains('.') {
                wrong.insert("does not name the place");
            }
            if !["right would be ", "lies between"].iter().any(|words| message.contains(words)) {
                wrong.insert("shows nothing that would be right");
            }
        }
        FileError::Version(given) => {
            if *given != mutant.given {
                wrong.insert("does not quote what was given");
            }
        }
        FileError::TooLarge(_) => {}
    }
    // What is quoted is not the program's word.
    let own: String =
        message.split('“').map(|part| part.rsplit('”').next().unwrap_or(part)).collect();
    let own = own.replace(&mutant.given, "");
    let own = own.split("right would be").next().unwrap_or_default();
    if FOREIGN.iter().any(|word| own.contains(word)) {
        wrong.insert("has a word of a parser");
    }
    if message.chars().count() > MOST_CHARS {
        wrong.insert("is long");
    }
    wrong
}

/// The same, where a value was not taken: its place is one of the file's, at what was changed, in
/// it or around it; what stands there is quoted; and with what would be right in its place, that is
/// no longer what is wrong.
fn faults_of_refusal(refusal: &Refusal, mutant: &Mutant) -> BTreeSet<&'static str> {
    let mut wrong = BTreeSet::new();
    let mut file: Value = serde_json::from_str(&mutant.text).expect("it is JSON");
    let mut found = Vec::new();
    places(&file, &mut Vec::new(), &mut found);
    let is_named = |place: &&Place| named(place) == refusal.path;
    let Some(place) = found.iter().find(is_named) else {
        return BTreeSet::from(["does not name the place"]);
    };
    let place = place.clone();
    let here = path(&place);
    if !here.starts_with(&mutant.path) && !mutant.path.starts_with(&here) {
        wrong.insert("names another place");
    }
    let value = at(&mut file, &place);
    let quoted: String = value.to_string().trim_matches('"').chars().take(20).collect();
    let keys: Vec<String> =
        value.as_object().into_iter().flatten().map(|it| it.0.clone()).collect();
    let first = refusal.problem.split_once('“').and_then(|(_, rest)| rest.split_once('”'));
    let key = keys.iter().find(|key| first.is_some_and(|(first, _)| first == key.as_str()));
    if !refusal.problem.contains(&quoted) && key.is_none() {
        wrong.insert("does not quote what was given");
    }
    match refusal.right.strip_prefix('"').and_then(|rest| rest.split_once("\": ")) {
        Some((name, example)) => {
            let unknown = key.filter(|_| refusal.problem.starts_with("there is no"));
            let fields = value.as_object_mut().expect("a field is missing there");
            unknown.map(|key| fields.remove(key));
            let example = serde_json::from_str(example).expect("the example is JSON");
            fields.entry(name.to_owned()).or_insert(example);
        }
        None => match serde_json::from_str(&refusal.right) {
            Ok(example) => *value = example,
            Err(_) => drop(wrong.insert("shows nothing that would be right")),
        },
    }
    if let Err(FileError::Refused(again)) = ScenarioFile::parse(&file.to_string())
        && again == *refusal
    {
        wrong.insert("shows what is refused as well");
    }
    wrong
}

fn named(place: &Place) -> String {
    if place.is_empty() { "the beginning".to_owned() } else { path(place) }
}

#[test]
fn a_refusal_quotes_names_the_place_and_shows_what_is_right() {
    let asked_for_all = std::env::var("FENCELINE_REFUSALS").is_ok_and(|which| which == "all");
    let mut seen = BTreeSet::new();
    let (mut n_refused, mut n_wrong, mut examples) = (0, 0, BTreeMap::new());
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
                for wrong in faults_of(&error, &mutant) {
                    n_wrong += 1;
                    let told = format!("{} = {:.60}: {error:.600}", mutant.path, mutant.given);
                    let of_kind: &mut Vec<String> = examples.entry(wrong).or_default();
                    if of_kind.len() < 12 {
                        of_kind.push(told);
                    }
                }
            }
        }
    }
    println!("{n_refused} refusals, {n_wrong} that fall short");
    assert!(n_refused > 5_000, "{n_refused} files were refused");
    assert_eq!(n_wrong, 0, "of {n_refused} refusals: {examples:#?}");
}
