//! Causes: what is found against every subset of up to three, each run by itself, over random
//! scenarios; and what a guess from times would have said instead.

mod off_neutral;

use std::collections::BTreeSet;

use fenceline::explore::causes::{AbsentFence, draws_numbers};
use fenceline::explore::{Budget, Cause, CauseSearch};
use fenceline::scenarios::GALLERY;
use fenceline::sim::fact::{Fact, FaultFact};
use fenceline::sim::id::FaultId;
use fenceline::sim::lock::{SYSTEMS, info};
use fenceline::sim::property::VerdictKind;
use fenceline::sim::recording::RunEnd;
use fenceline::sim::scenario::{
    Fault, FaultKind, LockSystem, Renew, ScenarioFile, Setting, Start, Wait,
};
use fenceline::sim::{Change, Progress, Recording, Scenario, SimDuration, SimTime, Simulation};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::sim::random::strategy::scenario;
use off_neutral::{OFF, Turn};

/// The largest number of faults and settings whose subsets are all run.
const MOST_CANDIDATES: usize = 9;
/// The same where it is done for each system.
const MOST_OF_A_SYSTEM: usize = 6;

fn run_until(scenario: &Scenario, end: SimTime) -> Recording {
    let mut simulation = Simulation::new(scenario).lasting_until(end);
    while simulation.run(u32::MAX) == Progress::Running {}
    simulation.finish()
}

/// What tells an event: the verdict's form of damage, store and clients, in words.
fn events(recording: &Recording) -> Vec<String> {
    let history = recording.history();
    let client = |unit| history.unit(unit).write.client;
    let all = history.damages().all.iter().map(|damage| {
        let form = format!("{:?}", damage.form);
        let form = form.split('(').next().unwrap_or_default();
        let to = damage.other.map(client);
        format!("{form} {:?} {:?} {to:?}", damage.store, client(damage.unit))
    });
    all.collect()
}

fn is_struck_by_message(fault: &Fault) -> bool {
    use FaultKind::{Delay, Duplicate, Lose};
    matches!(fault.kind, Delay { .. } | Duplicate { .. } | Lose { .. })
}

/// Without faults of single messages, which are aimed, and without pauses that never begin.
fn plain(scenario: &Scenario) -> Option<Scenario> {
    let faults = &scenario.spec().faults;
    let of_messages = faults.iter().filter(|fault| is_struck_by_message(fault));
    let without: Vec<_> = of_messages.map(|fault| Change::RemoveFault(fault.id)).collect();
    let scenario = scenario.with(&without).ok()?;
    let recording = Recording::of(&scenario);
    let has_begun = |id: FaultId| {
        recording.entries().iter().any(|entry| {
            matches!(entry.fact, Fact::Fault(fault, FaultFact::Paused { .. }) if fault == id)
        })
    };
    let at_step =
        |fault: &&Fault| matches!(fault.kind, FaultKind::Pause { start: Start::Step { .. }, .. });
    let idle = scenario.spec().faults.iter().filter(at_step).filter(|fault| !has_begun(fault.id));
    let without: Vec<_> = idle.map(|fault| Change::RemoveFault(fault.id)).collect();
    scenario.with(&without).ok()
}

type Set = BTreeSet<String>;

/// What takes something out, or puts it back. Of the lock system's own settings each is a part of
/// one change.
enum Edit {
    Of(Box<Change>),
    Own(Turn),
}

/// A scenario with all of these.
fn with<'a>(scenario: &Scenario, edits: impl Iterator<Item = &'a Edit>) -> Option<Scenario> {
    let (mut changes, mut systems) = (Vec::new(), scenario.spec().systems.clone());
    for edit in edits {
        match edit {
            Edit::Of(change) => changes.push((**change).clone()),
            Edit::Own(put_back) => put_back(&mut systems),
        }
    }
    changes.push(Change::Systems(systems));
    scenario.with(&changes).ok()
}

/// Everything that can be taken out, by name, found by itself.
fn candidates(scenario: &Scenario) -> Vec<(String, Edit)> {
    let faults = scenario.spec().faults.iter().filter(|fault| fault.enabled);
    let faults = faults.map(|fault| (Cause::Fault(fault.id), Change::RemoveFault(fault.id)));
    let settings = Setting::ALL.iter().filter_map(|setting| {
        let neutral = setting.neutral()?;
        Some((Cause::Setting(*setting), neutral))
    });
    let all = faults.chain(settings);
    let all = all.map(|(cause, change)| (format!("{cause:?}"), Edit::Of(Box::new(change))));
    let own = info(scenario.spec().lock).own.iter();
    let own = own.map(|own| (format!("{:?}", Cause::OfSystem(own.name)), Edit::Own(own.put_back)));
    all.chain(own).collect()
}

/// The smallest subsets without which the verdict's damage does not happen.
fn smallest(recording: &Recording) -> BTreeSet<Set> {
    let scenario = recording.scenario();
    let damage = recording.damage().expect("it has some");
    let place = recording.history().damages().all.iter().position(|other| other == damage);
    let event = events(recording).swap_remove(place.expect("it is one of all"));
    let mut all = candidates(scenario);
    // To set what is so, or what the system settles, changes no run.
    let parts = |of: &Scenario| {
        let faults = of.spec().faults.clone();
        let systems = of.spec().systems.clone();
        (of.clients().to_vec(), of.rules().clone(), of.storage().clone(), faults, systems)
    };
    all.retain(|(_, edit)| {
        let changed = with(scenario, std::iter::once(edit));
        changed.is_none_or(|changed| parts(&changed) != parts(scenario))
    });
    let mut found: BTreeSet<Set> = BTreeSet::new();
    for bits in 1_u32..1 << all.len() {
        if bits.count_ones() > 3 {
            continue;
        }
        let chosen = all.iter().enumerate().filter(|(place, _)| bits & (1 << place) != 0);
        let (names, edits): (Set, Vec<_>) =
            chosen.map(|(_, (name, edit))| (name.clone(), edit)).unzip();
        let Some(without) = with(scenario, edits.into_iter()) else {
            continue;
        };
        let run = run_until(&without, recording.ends_at());
        if run.run_end() == RunEnd::Complete && !events(&run).contains(&event) {
            found.insert(names);
        }
    }
    let least = found.iter().map(Set::len).min();
    found.into_iter().filter(|set| Some(set.len()) == least).collect()
}

fn told(search: &CauseSearch) -> BTreeSet<Set> {
    let sets = search.found().sets.iter();
    sets.map(|set| set.causes.iter().map(|cause| format!("{cause:?}")).collect()).collect()
}

/// What a guess from times blames: the last fault that began before the event.
fn guessed(recording: &Recording) -> Option<Set> {
    let until = recording.damage()?.at.entry.index();
    let before = recording.entries()[..until].iter().rev();
    let last = before.filter_map(|entry| match entry.fact {
        Fact::Fault(id, _) => Some(id),
        _ => None,
    });
    last.map(|id| Set::from([format!("{:?}", Cause::Fault(id))])).next()
}

#[test]
fn causes_are_those_of_all_subsets_up_to_three() {
    let strategy = scenario();
    let mut runner = TestRunner::deterministic();
    let (mut n_single, mut n_several, mut n_none, mut n_wrong_guesses) = (0, 0, 0, 0);
    for _ in 0..600 {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let Some(scenario) = plain(&tree.current()) else {
            continue;
        };
        let recording = Recording::of(&scenario);
        let Some((found, all)) = found_and_all(&scenario, MOST_CANDIDATES) else {
            continue;
        };
        assert_eq!(found, all, "{:#?}\n{}", scenario.spec(), recording.log());
        match all.first().map(Set::len) {
            None => n_none += 1,
            Some(1) => n_single += 1,
            Some(_) => n_several += 1,
        }
        // The twin: what a guess says is found to be wrong.
        n_wrong_guesses += u32::from(guessed(&recording).is_some_and(|it| !all.contains(&it)));
    }
    let counts = (n_single, n_several, n_none, n_wrong_guesses);
    assert!(n_single > 40 && n_several > 3 && n_none > 1, "{counts:?}");
    assert!(n_wrong_guesses > 10, "{counts:?}");
}

/// What is found in a random scenario with damage, and in every subset; `None`: it has none, or
/// more than this could be taken out.
fn found_and_all(scenario: &Scenario, most: usize) -> Option<(BTreeSet<Set>, BTreeSet<Set>)> {
    let recording = Recording::of(scenario);
    if recording.run_end() == RunEnd::Limit || recording.damage().is_none() {
        return None;
    }
    let search = CauseSearch::new(&recording).within(Budget::UNBOUNDED);
    let is_small = search.found().n_candidates <= most;
    is_small.then(|| (told(&search.finish()), smallest(&recording)))
}

/// A scenario of this system, with those of its own settings off their neutral value that `bits`
/// says.
fn of_system(scenario: &Scenario, system: LockSystem, bits: u16) -> Option<Scenario> {
    let mut systems = scenario.spec().systems.clone();
    let turns = OFF.iter().filter(|(of, ..)| *of == system).enumerate();
    let off = turns.filter(|(place, _)| bits & (1 << place) != 0);
    off.for_each(|(_, (_, _, turn))| turn(&mut systems));
    let changes = [Change::Lock(system), Change::Systems(systems)];
    scenario.with(&changes).ok().and_then(|scenario| plain(&scenario))
}

#[test]
fn causes_of_every_system_are_those_of_all_subsets_up_to_three() {
    let strategy = (scenario(), proptest::prelude::any::<u16>());
    let mut runner = TestRunner::deterministic();
    let (mut n_tried, mut n_own) = (0, 0);
    for system in SYSTEMS.iter().filter(|system| !system.own.is_empty()) {
        for _ in 0..80 {
            let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
            let (scenario, bits) = tree.current();
            let scenario = of_system(&scenario, system.system, bits);
            let sets = scenario.as_ref().and_then(|it| found_and_all(it, MOST_OF_A_SYSTEM));
            let Some((found, all)) = sets else {
                continue;
            };
            assert_eq!(found, all, "{:#?}", scenario.as_ref().map(Scenario::spec));
            n_tried += 1;
            n_own += u32::from(all.iter().flatten().any(|it| it.starts_with("OfSystem")));
        }
    }
    assert!(n_tried > 40 && n_own > 1, "{n_tried} {n_own}");
}

fn recording(text: &str) -> Recording {
    Recording::of(&ScenarioFile::parse(text).expect("it is right").base().expect("it is valid"))
}

fn causes_of(recording: &Recording) -> CauseSearch {
    CauseSearch::new(recording).finish()
}

fn sets(search: &CauseSearch) -> Vec<&[Cause]> {
    search.found().sets.iter().map(|set| &set.causes[..]).collect()
}

const FAULT_1: Cause = Cause::Fault(FaultId(1));
const FAULT_2: Cause = Cause::Fault(FaultId(2));

#[test]
fn a_pause_that_only_spans_the_end_of_the_lease_is_no_cause() {
    let recording = recording(include_str!("causes/short-pause.json"));
    assert_eq!(recording.verdict().kind, VerdictKind::Corrupted);
    assert_eq!(sets(&causes_of(&recording)), [[FAULT_1]], "the cut: without it the lease goes on");
}

#[test]
fn where_two_are_each_needed_both_are_named() {
    let recording = recording(include_str!("causes/late-packet.json"));
    assert_eq!(recording.verdict().kind, VerdictKind::Corrupted);
    let search = causes_of(&recording);
    assert_eq!(sets(&search), [[FAULT_1], [FAULT_2]], "without either it is safe");
    assert_eq!(search.found().n_runs, 3, "each taken out, and the fence turned on");
}

#[test]
fn two_that_would_each_do_are_a_cause_together() {
    // Two pauses of the first scenario, one inside of the other.
    let paused = paused_holder();
    let again = paused.spec().faults[0].clone();
    let twice = paused.with(&[Change::AddFault(Fault { id: FaultId(2), ..again })]);
    let recording = Recording::of(&twice.expect("it fits"));
    assert_eq!(sets(&causes_of(&recording)), [[FAULT_1, FAULT_2]]);
}

fn paused_holder() -> Scenario {
    GALLERY[0].file().base().expect("the gallery is valid")
}

#[test]
fn the_absent_fence_is_named_apart() {
    let without = causes_of(&Recording::of(&paused_holder()));
    assert_eq!(sets(&without), [[FAULT_1]]);
    let Some(AbsentFence::WouldStop(outcome)) = without.found().fence else {
        panic!("{:?}", without.found().fence);
    };
    assert_eq!(outcome.kind, VerdictKind::Safe);
    let fenced = paused_holder().with(&[Change::Fencing(true)]).expect("it fits");
    let safe = causes_of(&Recording::of(&fenced));
    assert!(safe.event().is_none() && safe.is_over() && safe.found().n_runs == 0);
}

#[test]
fn a_setting_off_its_documented_value_is_a_cause() {
    let mut spec = paused_holder().spec().clone();
    spec.faults.clear();
    spec.defaults.renew = Renew::Off;
    spec.clients[0].work = Some(SimDuration::from_secs(15));
    let recording = Recording::of(&Scenario::new(spec).expect("it is valid"));
    assert_eq!(recording.verdict().kind, VerdictKind::Corrupted);
    assert_eq!(sets(&causes_of(&recording)), [[Cause::Setting(Setting::Renew)]]);
}

#[test]
fn a_search_in_slices_finds_the_same_and_a_spent_budget_says_so() {
    let recording = recording(include_str!("causes/late-packet.json"));
    let whole = causes_of(&recording);
    let mut sliced = CauseSearch::new(&recording);
    while !sliced.step(1) {}
    assert_eq!(sliced.found(), whole.found());
    let cut = CauseSearch::new(&recording).within(Budget::of_steps(10)).finish();
    assert_eq!((cut.found().stopped_after, sets(&cut).len()), (Some(10), 0));
}

#[test]
fn with_jitter_a_cause_is_tried_with_sixteen_seeds() {
    // B polls with a jitter as long as the pause's margin, so that in some seeds it comes late
    // enough even with a second, shorter pause.
    let every = SimDuration::from_secs(1);
    let polls = |jitter| Change::Wait(Wait::Poll { every, jitter });
    let runs = |jitter| {
        let scenario = paused_holder().with(&[polls(jitter)]).expect("it fits");
        let search = causes_of(&Recording::of(&scenario));
        let set = search.found().sets.first().expect("the pause").clone();
        (search.found().n_runs, set.in_each_seed)
    };
    let (fixed, _) = runs(SimDuration::ZERO);
    let (jittered, in_each) = runs(SimDuration::from_secs(1));
    assert_eq!((jittered, in_each), (fixed + 15, true), "the pause, whatever the seed");
}

#[test]
fn what_draws_no_numbers_is_the_same_with_every_seed() {
    let strategy = scenario();
    let mut runner = TestRunner::deterministic();
    let (mut n_fixed, mut n_different) = (0, 0);
    for _ in 0..400 {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let scenario = tree.current();
        let seed = scenario.spec().seed;
        let other = scenario.with(&[Change::Seed(seed.wrapping_add(1))]).expect("it fits");
        let [one, other] = [&scenario, &other].map(|it| Recording::of(it).digest());
        let draws = draws_numbers(&scenario);
        assert!(draws || one == other, "{:#?}", scenario.spec());
        n_fixed += u32::from(!draws);
        n_different += u32::from(one != other);
    }
    assert!(n_fixed > 50 && n_different > 50, "{n_fixed} {n_different}");
}
