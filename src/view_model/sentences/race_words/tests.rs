//! What the race says: zones that meet, outcomes that the runs have, how far that is known, and a
//! sentence of facts, for every kind of main quantity.

use std::collections::BTreeSet;

use super::*;
use crate::explore::RangeSearch;
use crate::scenarios::GALLERY;
use crate::sim::scenario::{LockSystem, Wait};

fn found(file: &ScenarioFile, runs: &Runs) -> Vec<RunRanges> {
    let search = |(run, recording): (RunNo, &Recording)| {
        let search = RangeSearch::new(recording.scenario(), file.main_quantity()).finish();
        RunRanges::of(run, &search)
    };
    runs.shown().map(search).collect()
}

fn race_of(file: &ScenarioFile) -> RaceText {
    let runs = Runs::of(file).expect("the file is valid");
    race(file, &runs, &found(file, &runs), Search::Over)
}

fn word(strip: &Strip) -> &str {
    strip.outcome.as_ref().map_or("", |(_, _, word)| word)
}

#[test]
fn the_paused_holder_has_two_strips_and_a_sentence() {
    let file = GALLERY[0].file();
    let race = race_of(&file);
    let [one, two] = &race.strips;
    assert_eq!((&*one.name, word(one)), ("no fence", "corrupted"));
    assert_eq!((&*two.name, word(two)), ("with a fence", "safe"));
    let patterns = |strip: &Strip| strip.zones.iter().map(|it| it.pattern).collect::<Vec<_>>();
    assert_eq!(patterns(one), [Pattern::Safe, Pattern::ByLuck, Pattern::Corrupted]);
    assert_eq!(patterns(two), [Pattern::Safe, Pattern::ByLuck, Pattern::Safe]);
    // As far as the search is complete, and no farther.
    let runs = Runs::of(&file).expect("valid");
    for (strip, found) in race.strips.iter().zip(found(&file, &runs)) {
        let (_, to) = found.ranges.complete.expect("some of it is");
        match found.ranges.are_complete() {
            true => assert_eq!(strip.place, "above 10.3 s"),
            false => {
                let to = duration(round_below(to));
                assert_eq!(strip.place, between("10.3 s", &to));
            }
        }
    }
    assert_eq!(race.spoken, " No fence: corrupted. With a fence: safe.");
    assert_eq!(
        race.sentence,
        "Paused for 15.0 s, A writes late and replaces B's value. With a fence the storage refuses \
         that write."
    );
    assert!(race.ranges.starts_with("Corrupts without a fence above 10.3 s"), "{}", race.ranges);
    let micro = SimDuration::from_micros(1);
    let edges = [8_099_999, 8_100_000, 10_300_000].map(SimDuration::from_micros);
    assert_eq!(race.edges, [edges[0], edges[1], edges[2], edges[2] + micro]);
}

#[test]
fn a_system_without_a_number_has_no_second_strip() {
    let mut file = GALLERY[0].file();
    file.scenario.lock = LockSystem::Redis;
    let race = race_of(&file);
    let [_, two] = &race.strips;
    assert_eq!(two.place, "no fence possible");
    assert!(two.zones.is_empty() && two.outcome.is_none());
    assert_eq!(race.spoken, " No fence: corrupted.");
    assert!(race.sentence.ends_with(" Redis SET gives a fence nothing to compare."));
    file.compare.clear();
    let mut alone = GALLERY[0].file();
    FencingMode::On.write_to(&mut alone);
    let [one, two] = race_of(&alone).strips;
    assert_eq!((&*one.name, &*two.name, &*two.place), ("with a fence", "no fence", "not compared"));
}

#[test]
fn while_it_is_searched_and_where_it_is_too_long_nothing_is_claimed() {
    let file = GALLERY[0].file();
    let runs = Runs::of(&file).expect("valid");
    let found = found(&file, &runs);
    let stale = race(&file, &runs, &found, Search::UnderWay);
    assert!(stale.strips.iter().all(|strip| strip.place == "here; searching …"));
    assert!(stale.edges.is_empty() && !stale.ranges.contains("10.3"));
    assert_eq!(word(&stale.strips[0]), "corrupted", "which is what the run came to");
    let long = race(&file, &runs, &found, Search::TooLong);
    assert!(long.strips.iter().all(|strip| strip.zones.is_empty()));
    assert!(long.ranges.contains("too long"));
}

#[test]
fn a_unit_that_both_ends_have_is_said_once() {
    assert_eq!(between("8.1 s", "10.3 s"), "8.1 to 10.3 s");
    assert_eq!(between("100 ms", "10.3 s"), "100 ms to 10.3 s");
    assert_eq!(between("1 min 5 s", "2 min 5 s"), "1 min 5 s to 2 min 5 s");
}

/// Those whose ranges are found quickly, with main quantities of every kind.
fn is_quick(file: &ScenarioFile) -> bool {
    let polls = |wait: &Wait| matches!(wait, Wait::Poll { .. });
    let scenario = file.base().expect("valid");
    !scenario.clients().iter().any(|client| polls(&client.settings.wait))
        && scenario.clients().len() <= 3
}

#[test]
fn each_strip_says_what_its_run_came_to_for_every_kind_of_quantity() {
    let mut kinds = BTreeSet::new();
    for entry in &GALLERY {
        let file = entry.file();
        let noun = range_words::about(&file).what;
        // One scenario for each kind of quantity.
        if !is_quick(&file) || !kinds.insert(noun) {
            continue;
        }
        let runs = Runs::of(&file).expect("valid");
        let race = race(&file, &runs, &found(&file, &runs), Search::Over);
        for ((run, recording), strip) in runs.shown().zip(&race.strips) {
            let verdict = recording.verdict();
            let name = short(verdict.kind, verdict.by_luck);
            let pattern = words(verdict.kind, verdict.by_luck).pattern;
            assert_eq!(word(strip), name, "{}", entry.id);
            let value =
                file.main_quantity().value(recording.scenario().spec()).expect("it has one");
            let here = strip.zones.iter().find(|zone| (zone.from..=zone.to).contains(&value));
            assert_eq!(here.map(|zone| zone.pattern), Some(pattern), "{} {run:?}", entry.id);
            let meet = |pair: &[Zone]| pair[0].to < pair[1].from;
            assert!(strip.zones.windows(2).all(meet), "{}", entry.id);
        }
        assert!(race.sentence.ends_with('.') && !race.sentence.contains(" ."), "{}", race.sentence);
        assert!(race.sentence.chars().count() < 160, "{}", race.sentence);
    }
    assert!(kinds.len() >= 6, "{kinds:?}");
}

/// Goldens are recorded on the developer's machine.
#[cfg(not(target_family = "wasm"))]
#[test]
fn every_scenario_of_the_gallery_has_a_sentence_of_its_runs() {
    let sentences: Vec<_> = GALLERY
        .iter()
        .map(|entry| {
            let file = entry.file();
            let runs = Runs::of(&file).expect("valid");
            format!("{}: {}", entry.id, sentence(&file, &runs))
        })
        .collect();
    expect_test::expect_file!["../../../../tests/snapshots/race.txt"]
        .assert_eq(&(sentences.join("\n") + "\n"));
}
