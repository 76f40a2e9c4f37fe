//! What is said of a run's state: each form of damage with its twin that has none, what is late and
//! did no harm, and the order of the units against a search through all orders.

mod oracle;

use fenceline::sim::history::{CycleName, DamageForm, Fate, UnitEnd};
use fenceline::sim::id::Version;
use fenceline::sim::scenario::Operation;
use fenceline::sim::{Change, Recording, ScenarioFile};

use super::{ms, run};

/// Each file says what both of its runs come to. In most of them Run 1 shows what Run 2 must not.
const FILES: [(&str, &str); 20] = [
    ("lost-update", include_str!("history/lost-update.json")),
    ("older-over-newer", include_str!("history/older-over-newer.json")),
    ("own-older-step", include_str!("history/own-older-step.json")),
    ("half-read", include_str!("history/half-read.json")),
    ("half-stands", include_str!("history/half-stands.json")),
    ("half-waits", include_str!("history/half-waits.json")),
    ("acted-twice", include_str!("history/acted-twice.json")),
    ("updated-twice", include_str!("history/updated-twice.json")),
    ("outside-out-of-order", include_str!("history/outside-out-of-order.json")),
    ("late-but-serial", include_str!("history/late-but-serial.json")),
    ("late-with-cas", include_str!("history/late-with-cas.json")),
    ("reader-dies", include_str!("history/reader-dies.json")),
    ("granted-anew", include_str!("history/granted-anew.json")),
    ("reacquired", include_str!("history/reacquired.json")),
    ("nothing-done", include_str!("history/nothing-done.json")),
    ("nothing-done-deadline", include_str!("history/nothing-done-deadline.json")),
    ("lost-release", include_str!("history/lost-release.json")),
    ("conflict-retried", include_str!("history/conflict-retried.json")),
    ("whole-piece", include_str!("history/whole-piece.json")),
    ("held-without-work", include_str!("history/held-without-work.json")),
];

fn runs(name: &str) -> (Recording, Option<Recording>) {
    let (_, text) = FILES.iter().find(|file| file.0 == name).expect(name);
    let file = ScenarioFile::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let base = file.base().expect("it was checked");
    let second = (!file.compare.is_empty()).then(|| base.with(&file.compare).expect("it fits"));
    (Recording::of(&base), second.map(|scenario| Recording::of(&scenario)))
}

#[test]
fn every_file_comes_to_what_it_says() {
    let mut wrong = Vec::new();
    for (name, text) in FILES {
        let file = ScenarioFile::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expect = file.expect.as_ref().expect(name);
        let (first, second) = runs(name);
        let mut problems = expect.run_1.problems(&first);
        if let (Some(expected), Some(second)) = (&expect.run_2, &second) {
            problems.extend(expected.problems(second).into_iter().map(|it| format!("Run 2: {it}")));
            // The twin: what Run 1 breaks, Run 2 does not, where it is what decides.
            let because = first.verdict().because;
            assert!(because.is_none() || second.verdict().because != because, "{name}");
        }
        assert_eq!(expect.run_2.is_some(), second.is_some(), "{name}");
        wrong.extend(problems.into_iter().map(|problem| format!("{name}: {problem}")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn forms(recording: &Recording) -> Vec<DamageForm> {
    recording.history().damages().all.iter().map(|damage| damage.form).collect()
}

#[test]
fn each_form_is_named() {
    let expected = [
        ("lost-update", DamageForm::NoOrder(CycleName::LostUpdate)),
        ("older-over-newer", DamageForm::OlderOverNewer),
        ("own-older-step", DamageForm::OwnOlderStep),
        ("half-read", DamageForm::HalfRead),
        ("half-stands", DamageForm::HalfStands),
        ("half-waits", DamageForm::HalfStands),
        ("acted-twice", DamageForm::ActedTwice),
        ("updated-twice", DamageForm::UpdatedTwice),
        ("outside-out-of-order", DamageForm::ActedOutOfOrder),
    ];
    for (name, form) in expected {
        let (first, second) = runs(name);
        assert!(forms(&first).contains(&form), "{name}: {:?}", forms(&first));
        let second = forms(&second.expect("it has a twin"));
        assert!(!second.contains(&form), "{name}, Run 2: {second:?}");
    }
}

#[test]
fn a_late_write_counts_once_where_the_rest_was_sent_under_the_new_grant() {
    let (run, _) = runs("reacquired");
    assert_eq!(run.costs().harmless_late, 1);
}

#[test]
fn a_refusal_by_version_is_a_cost() {
    let (with, without) = runs("late-with-cas");
    assert_eq!(with.costs().refused_rightful, 1);
    assert_eq!(without.expect("it has two runs").costs().refused_rightful, 0);
}

#[test]
fn time_held_without_work_is_a_cost() {
    let (held, released) = runs("held-without-work");
    // A is done at 2.5 s and renews; B asks at 1 s and waits to the end.
    assert!(held.costs().held_without_work > ms(110_000), "{:?}", held.costs());
    assert_eq!((held.costs().units_done, held.costs().units_begun), (1, 1));
    assert_eq!(held.costs().longest_wait, ms(119_000));
    let released = released.expect("it has two runs");
    assert!(released.costs().held_without_work < ms(1_000), "{:?}", released.costs());
    assert_eq!((released.costs().units_done, released.costs().units_begun), (2, 2));
}

#[test]
fn a_unit_tells_what_it_read_and_wrote_and_what_it_was_told() {
    let recording = run(&[Change::Operation(Operation::ReadModifyWrite)]);
    let units = recording.history().units();
    let [a, b] = units else { panic!("{units:?}") };
    assert_eq!((a.grants.len(), b.grants.len()), (1, 1));
    assert!(a.grants[0] < b.grants[0]);
    assert_eq!((a.end, b.end), (UnitEnd::Done, UnitEnd::Done));
    for (unit, made) in [(a, 2), (b, 1)] {
        let [read] = unit.reads[..] else { panic!("{:?}", unit.reads) };
        assert!(read.is_used && read.served.is_some_and(|(version, _)| version.n_writes() == 0));
        let [write] = unit.writes[..] else { panic!("{:?}", unit.writes) };
        let Fate::Installed { version, base } = write.fate else { panic!("{write:?}") };
        assert_eq!((version.n_writes(), base.map(Version::n_writes)), (made, Some(0)));
        assert!(write.told.is_some_and(|(accepted, _)| accepted));
    }
    let damage = &recording.history().damages().all[0];
    let cycle = damage.cycle.as_ref().expect("it is one");
    assert_eq!(cycle.name(), CycleName::LostUpdate);
    assert_eq!(cycle.0.len(), 2);
}

/// A refused write's work is done again in the same unit, and what was read first is not used.
#[test]
fn a_unit_that_tries_again_is_one_unit() {
    let (retried, given_up) = runs("conflict-retried");
    let given_up = given_up.expect("it has two");
    assert_eq!((retried.costs().units_begun, retried.costs().units_done), (2, 2));
    assert_eq!((given_up.costs().units_begun, given_up.costs().units_done), (2, 1));
    let unit = &retried.history().units()[0];
    assert_eq!(unit.end, UnitEnd::Done);
    let used: Vec<_> = unit.reads.iter().map(|read| read.is_used).collect();
    assert_eq!((used, unit.writes.len()), (vec![false, true], 2));
    assert_eq!(retried.costs().refused_stale, 1);
    assert_eq!(retried.costs().wasted_work, given_up.costs().wasted_work);
}

#[test]
fn a_piece_that_must_be_whole_is_one_unit_of_all_its_steps() {
    let (whole, steps) = runs("whole-piece");
    assert_eq!(whole.costs().units_begun, 2);
    assert_eq!(steps.expect("it has two").costs().units_begun, 3);
    assert!(whole.history().units()[0].is_whole);
    assert_eq!(whole.history().units()[0].end, UnitEnd::Crashed);
}
