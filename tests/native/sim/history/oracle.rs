//! The graph of ww, wr and rw has no cycle exactly if some order of the units gives every read that
//! was used its version, and every store its recorded sequence of versions.

use std::collections::BTreeMap;

use fenceline::sim::history::{DamageForm, Fate, Unit};
use fenceline::sim::id::StoreId;
use fenceline::sim::lock::StoreCheck;
use fenceline::sim::scenario::{FenceRule, OnConflict, Operation, Unchecked, Whole};
use fenceline::sim::{Change, Recording, Scenario, SimDuration};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::super::random::strategy::scenario;

/// More units than this have too many orders to try them all.
const MOST_UNITS: usize = 7;

/// What a store was written, in order: by which unit and in which step. What arrived twice,
/// directly on itself, is there once.
fn sequences(units: &[Unit]) -> BTreeMap<StoreId, Vec<(usize, u16, u32)>> {
    let mut all = BTreeMap::<StoreId, Vec<(usize, u16, u32)>>::new();
    for (no, unit) in units.iter().enumerate() {
        for write in &unit.writes {
            if let Fate::Installed { version, .. } = write.fate {
                let entry = (no, write.step, version.n_writes());
                all.entry(write.store).or_default().push(entry);
            }
        }
    }
    for sequence in all.values_mut() {
        sequence.sort_by_key(|write| write.2);
        assert!((1..).zip(&*sequence).all(|(version, write)| version == write.2), "no gap");
        sequence.dedup_by_key(|write| (write.0, write.1));
    }
    all
}

/// The value that a version is: how many different writes had been made up to it.
fn value(sequence: &[(usize, u16, u32)], version: u32) -> usize {
    sequence.iter().filter(|write| write.2 <= version).count()
}

/// Whether some order explains the run; `at`: how much of its sequence each store has had.
fn is_explained(
    units: &[Unit],
    sequences: &BTreeMap<StoreId, Vec<(usize, u16, u32)>>,
    left: &[usize],
    at: &BTreeMap<StoreId, usize>,
) -> bool {
    if left.is_empty() {
        return sequences.iter().all(|(store, all)| at.get(store).copied() == Some(all.len()));
    }
    left.iter().any(|&no| {
        let Some(after) = run_alone(no, &units[no], sequences, at.clone()) else {
            return false;
        };
        let rest: Vec<_> = left.iter().copied().filter(|other| *other != no).collect();
        is_explained(units, sequences, &rest, &after)
    })
}

/// The stores after this unit has run with nobody beside it; `None`: it cannot have.
fn run_alone(
    no: usize,
    unit: &Unit,
    sequences: &BTreeMap<StoreId, Vec<(usize, u16, u32)>>,
    mut at: BTreeMap<StoreId, usize>,
) -> Option<BTreeMap<StoreId, usize>> {
    let none = Vec::new();
    let last = unit.writes.iter().map(|write| write.step).max().unwrap_or_default();
    let last = last.max(unit.reads.iter().map(|read| read.step).max().unwrap_or_default());
    for step in 0..=last {
        for read in unit.reads.iter().filter(|read| read.is_used && read.step == step) {
            let (version, _) = read.served.expect("it was used");
            let sequence = sequences.get(&read.store).unwrap_or(&none);
            let is = at.get(&read.store).copied().unwrap_or_default();
            (value(sequence, version.n_writes()) == is).then_some(())?;
        }
        for (store, sequence) in sequences {
            let next = at.entry(*store).or_default();
            let writes = sequence.iter().filter(|write| (write.0, write.1) == (no, step)).count();
            for _ in 0..writes {
                let is_own = sequence.get(*next).is_some_and(|it| (it.0, it.1) == (no, step));
                is_own.then_some(())?;
                *next += 1;
            }
        }
    }
    Some(at)
}

/// How many runs had an order, and how many had none.
fn compare(changes: &[Change], fits: impl Fn(&Scenario) -> bool, n_runs: usize) -> (usize, usize) {
    let mut runner = TestRunner::deterministic();
    let strategy = scenario();
    let (mut explained, mut unexplained) = (0, 0);
    for _ in 0..n_runs {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let Ok(scenario) = tree.current().with(changes) else {
            continue;
        };
        if !fits(&scenario) {
            continue;
        }
        let recording = Recording::of(&scenario);
        let units = recording.history().units();
        let with_effect: Vec<usize> =
            (0..units.len()).filter(|no| units[*no].has_effect()).collect();
        if with_effect.len() > MOST_UNITS {
            continue;
        }
        let damages = &recording.history().damages().all;
        let has_cycle = damages.iter().any(|it| matches!(it.form, DamageForm::NoOrder(_)));
        let sequences = sequences(units);
        let start = sequences.keys().map(|store| (*store, 0)).collect();
        let is_explained = is_explained(units, &sequences, &with_effect, &start);
        let log = recording.log();
        assert_eq!(is_explained, !has_cycle, "{damages:?}\n{units:#?}\n{log}");
        if is_explained { explained += 1 } else { unexplained += 1 }
    }
    (explained, unexplained)
}

#[test]
fn the_graph_has_no_cycle_exactly_if_some_order_explains_the_run() {
    let (explained, unexplained) = compare(&[], |_| true, 600);
    assert!(explained > 200 && unexplained > 5, "{explained} and {unexplained}");
    let updates = [
        Change::Operation(Operation::ReadModifyWrite),
        Change::Fencing(false),
        Change::Stores(2),
        Change::WritesPerGrant(2),
    ];
    let (explained, unexplained) = compare(&updates, |_| true, 600);
    assert!(explained > 50 && unexplained > 50, "{explained} and {unexplained}");
}

/// Whether its one store compares versions. A broker compares epochs and numbers of its own.
fn by_version_alone(scenario: &Scenario) -> bool {
    let storage = scenario.storage();
    let is_plain = scenario.store_check() == StoreCheck::AsSet;
    storage.rule == FenceRule::DataVersion && storage.checks(StoreId(0)) && is_plain
}

#[test]
fn compare_and_set_makes_no_cycle_at_one_store() {
    let by_version = [
        Change::Fencing(true),
        Change::Rule(FenceRule::DataVersion),
        Change::Stores(1),
        Change::UncheckedStores(Unchecked::NONE),
        Change::CheckGap(SimDuration::ZERO),
        Change::Operation(Operation::ReadModifyWrite),
        // A piece of several steps as one unit can be interleaved with another.
        Change::Whole(Whole::Step),
        Change::OnConflict(OnConflict::GivesUp),
    ];
    let (explained, unexplained) = compare(&by_version, by_version_alone, 600);
    assert!(explained > 50 && unexplained == 0, "{explained} and {unexplained}");
}
