//! Real cases, each told by a scenario file in `tests/cases`: what happened, and beside it the same
//! with what would have been right. Every file comes to what it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use fenceline::sim::fact::{ClientFact, Fact, ServiceFact, StoreFact};
use fenceline::sim::form::Form;
use fenceline::sim::property::PropertyState;
use fenceline::sim::scenario::ExpectedRun;
use fenceline::sim::{LogEntry, Recording, ScenarioFile, SimTime};
use fenceline::view_model::stories::gallery::{Drawn, Incident, incidents};

/// All that were collected.
const CASES: [&str; 94] = [
    "E1", "E2", "E3", "E4", "E5", "E7", "E8", "E9", "E10", "Z1", "Z2", "Z4", "Z5", "Z11", "Z12",
    "K1", "K4", "K5", "K7", "V1", "V2", "V4", "V6", "V7", "V9", "T3", "R1", "R3", "R5", "R6", "R7",
    "R8", "R9", "R10", "R16", "R17", "R18", "R19", "R24", "R26", "R28", "L1", "L2", "L3", "L4",
    "L7", "L10", "S1", "S2", "S5", "S6", "S7", "S8", "S10", "S11", "S12", "S14", "S15", "S16",
    "S17", "S19", "S20", "S22", "S23", "S24", "D2", "Q1", "Q4", "Q5", "Q6", "Q7", "H2", "O1", "Y1",
    "B1", "B2", "X1", "W1", "W2", "N1", "T4", "Z13", "Z14", "A1", "M1", "M2", "M4", "M5", "M6",
    "M7", "M8", "M9", "M10", "M11",
];

/// The mended form comes to the same verdict and breaks as much; how it differs is asserted below.
const DIFFERS_OTHERWISE: [&str; 3] = ["L2", "Q1", "Q6"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The names of the files, without their ending.
fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("the cases are there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let files = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into());
    files.filter_map(stem).collect()
}

fn file(name: &str) -> ScenarioFile {
    let path = folder().join(format!("{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    ScenarioFile::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn run(name: &str) -> Recording {
    Recording::of(&file(name).base().expect("it was checked when it was read"))
}

fn is_broken(state: PropertyState) -> bool {
    matches!(state, PropertyState::Broken { .. })
}

#[test]
fn every_case_comes_to_what_its_file_says() {
    let mut wrong = Vec::new();
    for name in names() {
        let file = file(&name);
        let expect = file.expect.as_ref().expect(&name);
        let base = file.base().expect(&name);
        wrong.extend(differences(&name, "Run 1", &Recording::of(&base), &expect.run_1));
        let run_2 = expect.run_2.as_ref();
        assert_eq!(run_2.is_some(), !file.compare.is_empty(), "{name}: Run 2 and `compare`");
        if let Some(expected) = run_2 {
            let changed = base.with(&file.compare).expect(&name);
            wrong.extend(differences(&name, "Run 2", &Recording::of(&changed), expected));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn differences(name: &str, run: &str, got: &Recording, expected: &ExpectedRun) -> Vec<String> {
    let verdict = got.verdict();
    let mut wrong = Vec::new();
    let place = format!("tests/cases/{name}.json, {run}");
    if verdict.kind != expected.verdict {
        wrong.push(format!("{place}: {:?} expected, {verdict:?}", expected.verdict));
    }
    if expected.at.is_some() && verdict.at != expected.at {
        wrong.push(format!("{place}: at {:?} expected, {:?}", expected.at, verdict.at));
    }
    if expected.by_luck.is_some_and(|by_luck| by_luck != verdict.by_luck) {
        wrong.push(format!("{place}: by luck {}", verdict.by_luck));
    }
    for report in got.properties().iter().filter(|report| expected.broken.contains(&report.id)) {
        if !is_broken(report.state) {
            wrong.push(format!("{place}: {} is {:?}", report.id.name(), report.state));
        }
    }
    wrong
}

/// How bad a run is, worst first: its verdict, whether luck saved it, how much is broken.
fn badness(name: &str) -> impl Ord {
    let recording = run(name);
    let broken = recording.properties().iter().filter(|report| is_broken(report.state));
    (recording.verdict().kind, recording.verdict().by_luck, broken.count())
}

#[test]
fn what_would_have_been_right_is_better_than_what_happened() {
    let names = names();
    let mended = names.iter().filter_map(|name| Some((name, name.strip_suffix("-mended")?)));
    for (mended, case) in mended.filter(|(_, case)| !DIFFERS_OTHERWISE.contains(case)) {
        assert!(names.contains(case), "{mended} mends no case");
        assert!(badness(mended) < badness(case), "{mended} is no better than {case}");
    }
}

#[test]
fn the_index_names_every_case_and_what_there_is_of_it() {
    let names = names();
    let index = fs::read_to_string(folder().join("README.md")).expect("there is an index");
    for id in CASES {
        let start = format!("| {id} | ");
        let row = index.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("tests/cases/README.md has no row for {id}"));
        for name in [id.to_owned(), format!("{id}-mended")] {
            let linked = row.contains(&format!("({name}.json)"));
            assert_eq!(linked, names.contains(&name), "README.md and {name}.json: {row}");
        }
        assert!(names.contains(id) || row.contains("none. Needs "), "why is {id} missing?");
    }
    let told = CASES.iter().filter(|id| names.contains(**id)).count();
    assert!(told >= 65, "{told} of {} cases have a file", CASES.len());
    for name in &names {
        let id = name.strip_suffix("-mended").unwrap_or(name);
        assert!(CASES.contains(&id), "{name}.json tells no case of the list");
    }
}

/// The page fetches all of them as one file, `static/incidents.json`: one line for each, so that a
/// difference can be read.
#[test]
fn the_bundle_of_the_page_holds_every_case() {
    let names = names();
    let told = CASES.iter().filter(|id| names.contains(**id));
    let lines = told.map(|id| {
        let mended = format!("{id}-mended");
        let mended = names.contains(&mended).then(|| file(&mended));
        let incident = Incident { id: (*id).to_owned(), happened: file(id), mended };
        incident.write().to_string()
    });
    let lines: Vec<String> = lines.collect();
    let bundle = format!("[\n{}\n]\n", lines.join(",\n"));
    expect_file!["../../static/incidents.json"].assert_eq(&bundle);
    let cards = incidents(&bundle).expect("the page reads it");
    assert_eq!(cards.len(), lines.len());
    for card in cards {
        let source = card.source.as_ref().expect("it names its source");
        assert!(source.starts_with("https://"), "{}: {source}", card.id);
        assert!(!card.line.is_empty() && !card.line.contains("Source:"), "{}", card.id);
        // What the card says is computed: the runs of every file are checked above.
        let drawn = Drawn::of(&card).expect("it runs");
        let expect = card.file.expect.as_ref().expect("every case says what it comes to");
        assert_eq!(drawn.outcomes[0].verdict.kind, expect.run_1.verdict, "{}", card.id);
        let mended = card.mended.as_ref().map(|file| file.expect.as_ref().expect("as well"));
        let last = drawn.outcomes.last().expect("there is a run");
        let mended = mended.map_or(last.verdict.kind, |expect| expect.run_1.verdict);
        assert_eq!(last.verdict.kind, mended, "{}, mended", card.id);
    }
}

#[test]
fn every_case_names_its_source_and_its_system() {
    for name in names() {
        let file = file(&name);
        assert!(file.notes.contains("Source: https://"), "{name}: where is it from?");
        assert!(file.title.contains(": "), "{name}: the title names the system first");
    }
}

fn first(recording: &Recording, test: impl Fn(&LogEntry) -> bool) -> SimTime {
    let entry = recording.entries().iter().find(|entry| test(entry));
    entry.expect("it happens").at
}

fn grants(recording: &Recording) -> Vec<SimTime> {
    recording.grants().iter().map(|grant| grant.at).collect()
}

/// Numbers that the sources give and that no expectation of a file can say.
#[test]
fn the_runs_have_the_numbers_of_the_reports() {
    let seconds = |time: SimTime| time.since_start().micros() / 1_000_000;
    // 22:29:38: another pod is holder; time 0 is 22:29:00.
    assert_eq!(seconds(grants(&run("K1"))[1]), 38);
    // Failover takes about 40 s, from the crash at 11 s.
    assert_eq!(seconds(grants(&run("V9"))[1]) - 11, 39);
    // The session is silent for 62 s.
    let slept = run("Z11");
    let renews =
        |entry: &LogEntry| matches!(entry.fact, Fact::Service(_, ServiceFact::Renewed { .. }));
    let wakes =
        |entry: &LogEntry| matches!(entry.fact, Fact::Client(_, ClientFact::Resumed { .. }));
    let silent = first(&slept, wakes).since(first(&slept, renews));
    assert_eq!(silent.micros() / 1_000_000, 61, "62 s from the sending of the last one");
    // Two programs are active for about 90 s, until the isolated one is killed.
    let isolated = run("V2");
    let killed =
        |entry: &LogEntry| matches!(entry.fact, Fact::Client(_, ClientFact::WorkAbandoned { .. }));
    assert_eq!(first(&isolated, killed).since(grants(&isolated)[1]).micros() / 1_000_000, 89);
}

/// node-redlock: a release that is refused for ever keeps the program from its next job.
#[test]
fn a_release_that_is_sent_again_for_ever_holds_the_program_up_and_no_more_when_mended() {
    let count = |name, test: fn(&Fact) -> bool| {
        run(name).entries().iter().filter(|entry| test(&entry.fact)).count()
    };
    let jobs = |event: &Fact| matches!(event, Fact::Client(_, ClientFact::WorkStarted { .. }));
    let refused =
        |event: &Fact| matches!(event, Fact::Service(_, ServiceFact::ReleaseRefused { .. }));
    assert_eq!(count("L2", jobs), 1);
    // Three nodes, every 202 ms from 2.1 s to the end at 12 s.
    assert_eq!(count("L2", refused), 3 * 49);
    assert_eq!(count("L2-mended", jobs), 4);
    assert_eq!(count("L2-mended", refused), 3 * 4);
}

/// Kafka's epochs: the producer in use is fenced by one that is gone. Mended, it initialises again.
#[test]
fn a_producer_that_an_abandoned_one_fenced_writes_once_it_has_initialised_again() {
    let recording = |name: &str| {
        let run = run(name);
        let written = |entry: &LogEntry| match entry.fact {
            Fact::Store(_, StoreFact::WriteAccepted { token, .. }) => Some((token.0, true)),
            Fact::Store(_, StoreFact::WriteRefused { token, highest, .. }) => {
                assert_eq!((token.0, highest.0), (31, 32), "{name}");
                Some((token.0, false))
            }
            _ => None,
        };
        run.entries().iter().filter_map(written).collect::<Vec<_>>()
    };
    assert_eq!(recording("Q1"), [(31, false)]);
    assert_eq!(recording("Q1-mended"), [(31, false), (33, true)]);
}

/// Kafka's markers: a strict test calls a retry stale that was applied; mended, it is a success.
#[test]
fn a_retry_of_what_is_done_is_refused_by_the_strict_test_and_no_more_when_mended() {
    let has = |name, test: fn(&Fact) -> bool| run(name).entries().iter().any(|e| test(&e.fact));
    let refused = |event: &Fact| matches!(event, Fact::Store(_, StoreFact::WriteRefused { .. }));
    let ignored =
        |event: &Fact| matches!(event, Fact::Store(_, StoreFact::DuplicateIgnored { .. }));
    assert!(has("Q6", refused) && !has("Q6", ignored));
    assert!(!has("Q6-mended", refused) && has("Q6-mended", ignored));
}
