//! Bad input: the files of the gallery and of the cases with bytes or values changed, and valid
//! scenarios at their limits. Whatever comes in is refused with a message or is run: without a
//! panic, in a bounded number of steps, within the limits of what a run may hold.
//!
//! `FENCELINE_FUZZ=20000 cargo test fuzz` tries that many inputs a test, each run to its end; the
//! usual number is small, and a run is cut short after some steps.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use fenceline::scenarios::GALLERY;
use fenceline::sim::form::Json;
use fenceline::sim::scenario::{ClientSpec, Length, Renew, Repeat, Wait};
use fenceline::sim::{
    Change, Progress, Recording, Scenario, ScenarioFile, SimDuration, SimTime, Simulation, limits,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

/// Inputs a test in a usual run, and steps after which such a run is cut short.
const USUAL_CASES: u32 = 64;
const USUAL_STEPS: u32 = 20_000;
/// What a last step may still log once the limit is reached.
const LAST_STEP: u32 = 1_000;

fn asked_for() -> Option<u32> {
    let number = std::env::var("FENCELINE_FUZZ").ok()?;
    Some(number.parse().expect("FENCELINE_FUZZ is a number of inputs"))
}

fn config() -> ProptestConfig {
    let cases = asked_for().unwrap_or(USUAL_CASES);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Every scenario file of the repository.
static FILES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let paths = fs::read_dir(folder).expect("the cases are there");
    let paths = paths.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    paths.sort();
    let cases = paths.iter().map(|path| fs::read_to_string(path).expect("it can be read"));
    GALLERY.iter().map(|entry| entry.json.to_owned()).chain(cases).collect()
});

/// The same, as values.
static VALUES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    FILES.iter().map(|text| serde_json::from_str(text).expect("it is JSON")).collect()
});

/// One change of an input; what the numbers mean is up to the kind, modulo what there is.
type Edit = (u8, u32, u32);

fn edits() -> impl Strategy<Value = (usize, Vec<Edit>)> {
    (0..FILES.len(), vec(any::<Edit>(), 1..6))
}

fn place(number: u32, length: usize) -> usize {
    number as usize % length.max(1)
}

/// Bytes replaced, inserted, cut out, copied, or taken from another file.
fn with_bytes_changed(file: usize, edits: &[Edit]) -> String {
    let mut bytes = FILES[file].clone().into_bytes();
    for (kind, one, other) in edits {
        let at = place(*one, bytes.len());
        let to = (at + 1 + place(*other, 40)).min(bytes.len());
        match kind % 5 {
            0 => bytes[at] = other.to_le_bytes()[0],
            1 => bytes.insert(at, other.to_le_bytes()[0]),
            2 => drop(bytes.drain(at..to)),
            3 => bytes.splice(at..at, bytes[at..to].to_vec()).for_each(drop),
            _ => {
                let others = FILES[place(*other, FILES.len())].as_bytes();
                let from = place(*one, others.len());
                let part = &others[from..(from + 60).min(others.len())];
                bytes.splice(at..to, part.iter().copied()).for_each(drop);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Texts and numbers at the edges of what a file may say.
const EDGES: [&str; 18] = [
    "\"0 s\"",
    "\"1 us\"",
    "\"1 ms\"",
    "\"24 h\"",
    "\"23.9 h\"",
    "\"-24 h\"",
    "0",
    "1",
    "4",
    "8",
    "1000",
    "65535",
    "4294967295",
    "-500000",
    "true",
    "false",
    "null",
    "\"-9223372036854775808\"",
];

/// The places of a value, each with the key that it stands under.
fn places(value: &Value, key: &str, path: &str, found: &mut Vec<(String, String)>) {
    found.push((path.to_owned(), key.to_owned()));
    match value {
        Value::Object(fields) => {
            for (name, below) in fields {
                places(below, name, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(list) => {
            for (nth, below) in list.iter().enumerate() {
                places(below, key, &format!("{path}/{nth}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Values replaced by edges or by what another file has under the same key, and fields left out:
/// most such files are still read.
fn with_values_changed(file: usize, edits: &[Edit]) -> String {
    let mut value = VALUES[file].clone();
    for (kind, one, other) in edits {
        let mut found = Vec::new();
        places(&value, "", "", &mut found);
        let (path, key) = found.swap_remove(place(*one, found.len()));
        let new = match kind % 4 {
            0 => serde_json::from_str(EDGES[place(*other, EDGES.len())]).expect("it is JSON"),
            1 => {
                let (parent, name) = path.rsplit_once('/').unwrap_or_default();
                if let Some(fields) = value.pointer_mut(parent).and_then(Value::as_object_mut) {
                    fields.remove(name);
                }
                continue;
            }
            _ => {
                let source = &VALUES[place(*other, VALUES.len())];
                let mut found = Vec::new();
                places(source, "", "", &mut found);
                found.retain(|(_, of)| *of == key);
                let Some((path, _)) = found.get(place(other.rotate_left(16), found.len())) else {
                    continue;
                };
                source.pointer(path).expect("it was just found").clone()
            }
        };
        if let Some(target) = value.pointer_mut(&path) {
            *target = new;
        }
    }
    value.to_string()
}

/// Runs a scenario, to its end or for the usual number of steps, and looks at what it holds.
fn run(scenario: &Scenario) {
    let mut simulation = Simulation::new(scenario);
    let steps = asked_for().map_or(USUAL_STEPS, |_| limits::MAX_STEPS + 1);
    let progress = simulation.run(steps);
    assert!(steps == USUAL_STEPS || progress == Progress::Finished, "it ends within its limit");
    let recording = simulation.finish();
    let n_entries = recording.log().n_entries();
    assert!(n_entries <= limits::MAX_EVENTS + LAST_STEP, "{n_entries} entries");
    let n_snapshots = n_entries / limits::SNAPSHOT_EVERY + 1;
    assert_eq!(recording.n_snapshots(), n_snapshots, "of {n_entries} entries");
    assert!(recording.ends_at().since_start() <= limits::MAX_DURATION);
    let at_the_end = recording.world_after(n_entries);
    assert_eq!(at_the_end.n_entries, n_entries);
}

/// Whether a text is JSON, and what it says, is as another reader has it. That one takes no number
/// beyond its own sizes.
fn is_the_same_json(text: &str) {
    match (Json::parse(text), serde_json::from_str::<Value>(text)) {
        (Ok(here), Ok(there)) => {
            let again: Value = serde_json::from_str(&here.to_string()).expect("it is JSON");
            assert_eq!(again, there, "{text}");
        }
        (Err(_), Err(_)) => {}
        (Ok(_), Err(error)) => assert!(error.to_string().contains("out of range"), "{text}"),
        (Err(refusal), Ok(_)) => panic!("{refusal}: {text}"),
    }
}

/// Reads a text, and runs both of its runs if it is a scenario file. Tells whether it is.
fn read_and_run(text: &str) -> bool {
    match ScenarioFile::parse(text) {
        Ok(file) => {
            let base = file.base().expect("it was checked when it was read");
            run(&base);
            run(&base.with(&file.compare).expect("it was checked, too"));
            let again = ScenarioFile::parse(&file.to_json()).expect("what is written can be read");
            assert_eq!(again, file);
            true
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("This file"), "{message}");
            assert!(message.chars().count() < 1_500, "{message}");
            false
        }
    }
}

/// A length at an edge, or any.
fn length(least: SimDuration) -> impl Strategy<Value = SimDuration> {
    let most = limits::MAX_DURATION.micros();
    prop_oneof![
        select(vec![least, least + SimDuration::from_micros(1), limits::MAX_DURATION]),
        (least.micros()..=most).prop_map(SimDuration::from_micros),
        (least.micros()..=least.micros() + 20_000).prop_map(SimDuration::from_micros),
    ]
}

/// Changes that bring a scenario to its limits.
fn extremes() -> impl Strategy<Value = Vec<Change>> {
    let interval = || length(limits::MIN_INTERVAL);
    let any_length = || length(SimDuration::ZERO);
    let one = prop_oneof![
        length(limits::MIN_TTL).prop_map(Change::Ttl),
        any_length().prop_map(Change::Latency),
        any_length().prop_map(Change::Work),
        any_length().prop_map(Change::CheckGap),
        any_length().prop_map(Change::LockDelay),
        any_length().prop_map(Change::Grace),
        any_length().prop_map(|rest| Change::Repeat(Repeat::After(rest))),
        interval().prop_map(|every| Change::Renew(Renew::Every(every))),
        interval().prop_map(|timeout| Change::Timeout(Some(timeout))),
        interval().prop_map(|length| Change::Length(Length::Fixed(length))),
        (interval(), any_length())
            .prop_map(|(every, jitter)| Change::Wait(Wait::Poll { every, jitter })),
        (0..=limits::MAX_RETRIES).prop_map(Change::Retries),
        (1..=limits::MAX_WRITES_PER_GRANT).prop_map(Change::WritesPerGrant),
        (1..=4_u8).prop_map(Change::Stores),
        (0..=limits::MAX_RATE_ERROR_PPM).prop_map(Change::DeadlineRateError),
        any_length().prop_map(|at| Change::AddClient(ClientSpec::asking_at(SimTime::ZERO + at))),
        any::<bool>().prop_map(Change::Session),
        any::<bool>().prop_map(Change::Release),
    ];
    vec(one, 1..12)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_file_with_bytes_changed_is_refused_or_run((file, edits) in edits()) {
        read_and_run(&with_bytes_changed(file, &edits));
    }

    #[test]
    fn a_text_is_read_as_every_reader_of_json_reads_it((file, edits) in edits()) {
        is_the_same_json(&with_bytes_changed(file, &edits));
    }

    #[test]
    fn a_file_with_values_changed_is_refused_or_run((file, edits) in edits()) {
        read_and_run(&with_values_changed(file, &edits));
    }

    #[test]
    fn a_scenario_at_its_limits_ends(file in 0..FILES.len(), changes in extremes()) {
        let file = ScenarioFile::parse(&FILES[file]).expect("it is right");
        let mut scenario = file.base().expect("it was checked when it was read");
        for change in changes {
            // One client too many, or a store that is still named, is refused.
            if let Ok(changed) = scenario.with(&[change]) {
                scenario = changed;
            }
        }
        run(&scenario);
    }
}

/// The tests above would find nothing if nothing they make were ever read, or all of it.
#[test]
fn changed_files_are_both_read_and_refused() {
    let edit = |seed: u32| {
        let mixed = |by: u32| seed.wrapping_mul(2_654_435_761).rotate_left(by);
        let [kind, ..] = mixed(7).to_le_bytes();
        (place(mixed(3), FILES.len()), [(kind, mixed(11), mixed(19))])
    };
    let read = |make: fn(usize, &[Edit]) -> String| {
        let texts = (1..200).map(edit).map(|(file, edits)| make(file, &edits));
        texts.filter(|text| ScenarioFile::parse(text).is_ok()).count()
    };
    let (bytes, values) = (read(with_bytes_changed), read(with_values_changed));
    assert!((5..190).contains(&bytes), "{bytes} of 199 with a byte changed are read");
    assert!((60..190).contains(&values), "{values} of 199 with a value changed are read");
    assert!(Recording::of(&GALLERY[0].file().base().expect("it is right")).n_snapshots() > 0);
}
