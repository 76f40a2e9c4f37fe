//! Ranges of known scenarios, and what a walk that overlooks something would miss. Over random
//! scenarios they are held against plain runs in `tests/native/sim/course.rs`.

use super::*;
use crate::scenarios::{GALLERY, GalleryEntry};
use crate::sim::id::FaultId;
use crate::sim::property::VerdictKind::{self, Corrupted, Safe};
use crate::sim::scenario::{FenceRule, LockSystem, Operation, Piece, Renew, Resource};
use crate::sim::{Change, Recording};

const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

fn first(changes: &[Change]) -> Scenario {
    let base = GALLERY[0].file().base().expect("valid");
    base.with(changes).expect("the changes fit")
}

fn search(changes: &[Change], quantity: Quantity) -> Ranges {
    RangeSearch::new(&first(changes), quantity).finish().ranges().clone()
}

/// From, to, verdict, by luck.
fn told(found: &Ranges) -> Vec<(u64, u64, VerdictKind, bool)> {
    let told = |it: &Range| {
        let Outcome { kind, by_luck } = it.outcome;
        (it.from.micros(), it.to.micros(), kind, by_luck)
    };
    found.all.iter().map(told).collect()
}

const END: u64 = 600_000_000;

#[test]
fn the_first_scenario_has_the_ranges_of_the_model() {
    let without = search(&[Change::Fencing(false)], PAUSE);
    let ranges = [
        (0, 8_099_999, Safe, false),
        (8_100_000, 10_300_000, Safe, true),
        (10_300_001, END, Corrupted, false),
    ];
    assert_eq!(told(&without), ranges);
    let with = search(&[Change::Fencing(true)], PAUSE);
    let ranges = [
        (0, 8_099_999, Safe, false),
        (8_100_000, 10_300_000, Safe, true),
        (10_300_001, END, Safe, false),
    ];
    assert_eq!(told(&with), ranges, "from there on the late write is refused");
    let (from, to) = with.complete.expect("it was walked");
    assert!(from.is_zero() && to >= SimDuration::from_secs(52), "complete up to {to}");
    assert!(!with.are_complete(), "B renews without end: the rest is a sample");
    assert!(with.n_samples > 0 && !with.goes_on && !with.is_of_seed);
}

#[test]
fn a_window_of_a_few_milliseconds_is_found() {
    // The time between B's grant and its first write is all that a late write needs.
    let short = SimDuration::from_millis(1);
    let changes = [
        Change::Fencing(true),
        Change::Operation(Operation::ReadModifyWrite),
        Change::Latency(short),
    ];
    let found = search(&changes, PAUSE);
    let outcome = |value: u64| found.outcome_at(SimDuration::from_micros(value));
    let windows: Vec<_> = found.all.iter().filter(|it| it.outcome.kind == Corrupted).collect();
    assert_eq!(windows.len(), 1, "{:?}", told(&found));
    let Range { from, to, .. } = *windows[0];
    assert!(found.is_complete_at(from) && found.is_complete_at(to));
    for (value, is_in) in [(from.micros() - 1, false), (from.micros(), true), (to.micros(), true)] {
        let plain = first(&changes).with(&[PAUSE.set(SimDuration::from_micros(value))]);
        let plain = Outcome::of(&Recording::of(&plain.expect("in range")));
        assert_eq!(plain.kind == Corrupted, is_in, "{value}");
        assert_eq!(outcome(value), Some(plain));
    }
    assert_eq!(outcome(15_000_000).map(|it| it.kind), Some(Safe), "a longer pause is safe");
}

#[test]
fn a_lease_of_fifteen_minutes_is_searched_beyond_them() {
    let minutes = |minutes: u64| SimDuration::from_secs(60 * minutes);
    let found = search(&[Change::Ttl(minutes(15)), PAUSE.set(minutes(20))], PAUSE);
    assert!(found.searched_to >= minutes(40), "{}", found.searched_to);
    let present = found.range_of(minutes(20)).expect("searched");
    assert_eq!(present.outcome.kind, Corrupted);
    assert!(found.is_complete_at(present.from) && present.from < minutes(16), "{present:?}");
}

#[test]
fn what_breaks_need_not_break_from_some_length_on() {
    let redlock = [
        Change::Lock(LockSystem::Redlock),
        Change::Fencing(false),
        Change::Latency(SimDuration::from_millis(50)),
        Change::Operation(Operation::ReadModifyWrite),
        Change::Work(SimDuration::from_secs(1)),
        Change::Renew(Renew::Off),
        Change::FaultStart { id: FaultId(1), at: crate::sim::SimTime::from_millis(160) },
    ];
    let found = search(&redlock, PAUSE);
    let is_bad = |it: &&Range| it.outcome.kind == Corrupted;
    let first = found.all.iter().find(is_bad).expect("some pause does harm");
    let longer = found.outcome_at(SimDuration::from_secs(12)).expect("searched");
    assert!(first.to < SimDuration::from_secs(12) && longer.kind == Safe, "{:?}", told(&found));
}

#[test]
fn a_lease_that_covers_the_job_is_a_range_of_its_own() {
    let changes = [
        Change::RemoveFault(FaultId(1)),
        Change::Resource(Resource::ExternalCall),
        Change::Piece(Piece::Shared),
        Change::Renew(Renew::Off),
        Change::Release(true),
        Change::Work(SimDuration::from_secs(300)),
        Change::Ttl(SimDuration::from_secs(60)),
    ];
    let found = search(&changes, Quantity::Ttl);
    let last = found.all.last().expect("searched");
    assert_eq!((last.outcome.kind, last.outcome.by_luck), (Safe, false), "{:?}", told(&found));
    let present = found.outcome_at(SimDuration::from_secs(60)).expect("searched");
    assert_eq!(present.kind, Corrupted);
    assert!(found.all.iter().any(|it| it.outcome.by_luck), "the ack may come too late");
}

#[test]
fn both_ends_of_every_range_are_plain_runs() {
    let strict = [Change::Fencing(true), Change::Rule(FenceRule::RejectLowerOrEqual)];
    let read = [Change::Fencing(true), Change::Operation(Operation::ReadModifyWrite)];
    let long = [Change::RemoveFault(FaultId(1)), Change::Work(SimDuration::from_secs(15))];
    for (changes, quantity) in [
        (&strict[..], Quantity::Work),
        (&read[..], PAUSE),
        (&[], Quantity::Ttl),
        (&long, Quantity::Renew),
        (&[], Quantity::Latency),
        (&[], Quantity::FaultStart(FaultId(1))),
    ] {
        let found = search(changes, quantity);
        assert!(found.all.len() > 1, "{quantity:?} has ranges");
        for (one, two) in found.all.iter().zip(&found.all[1..]) {
            assert_eq!(one.to.micros() + 1, two.from.micros(), "{quantity:?}: no gap");
            assert_ne!(one.outcome, two.outcome, "{quantity:?}");
        }
        for (value, outcome) in
            found.all.iter().flat_map(|it| [(it.from, it.outcome), (it.to, it.outcome)])
        {
            let changed = first(changes).with(&[quantity.set(value)]).expect("within the range");
            assert_eq!(Outcome::of(&Recording::of(&changed)), outcome, "{quantity:?} {value}");
        }
    }
}

#[test]
fn a_search_in_slices_finds_the_same() {
    let mut sliced = RangeSearch::new(&first(&[]), PAUSE);
    while !sliced.step(3) {}
    assert_eq!(*sliced.ranges(), search(&[], PAUSE));
    let missing = RangeSearch::new(&first(&[]), Quantity::FaultLength(FaultId(9)));
    assert!(missing.is_over() && missing.ranges().all.is_empty());
    // Wherever in an octave the slider stands, the search is the same.
    let other = search(&[PAUSE.set(SimDuration::from_secs(9))], PAUSE);
    assert_eq!(other, search(&[], PAUSE));
}

#[test]
fn what_nothing_ends_goes_on() {
    // Nobody renews: once both are done, nothing comes any more that a later waking could meet.
    let found = search(&[Change::Renew(Renew::Off)], PAUSE);
    assert!(found.goes_on && found.are_complete() && found.n_samples == 0, "{found:?}");
    assert_eq!(found.all.last().expect("searched").outcome.kind, Corrupted);
}

#[test]
fn a_walk_that_overlooks_comparisons_would_miss_what_they_decide() {
    let file = GalleryEntry::find("sql-node-clocks").expect("it is there").file();
    let base = file.base().expect("valid");
    let main = file.view.main.expect("it names its main quantity");
    let search = RangeSearch::new(&base, main).only_walking();
    let right = search.clone().finish().ranges().clone();
    assert!(right.are_complete() && right.all.len() > 1, "{:?}", told(&right));
    let blind = RangeSearch { is_blind: true, ..search }.finish().ranges().clone();
    let is_wrong = |it: &&Range| {
        blind.is_complete_at(it.from) && { blind.outcome_at(it.from) != Some(it.outcome) }
    };
    assert!(right.all.iter().any(|it| is_wrong(&it)), "{:?}", told(&blind));
}

#[test]
fn roundings_are_held_to_a_millisecond() {
    // A renewal at a third of the lease steps with every third microsecond.
    let found = search(&[], Quantity::Ttl);
    assert_eq!(found.fineness, SimDuration::from_micros(3));
    // No distance makes a millionth come out even.
    let rate = crate::sim::scenario::FaultKind::ClockRate {
        node: crate::sim::NodeId::Client(crate::sim::ClientId(1)),
        ppm: 77,
    };
    let fault = crate::sim::scenario::Fault {
        id: FaultId(2),
        label: String::new(),
        enabled: true,
        kind: rate,
    };
    let found = search(&[Change::AddFault(fault)], PAUSE);
    assert!(!found.are_complete() && found.n_samples > 0, "it says that it is a sample");
    assert_eq!(found.outcome_at(SimDuration::from_secs(15)).map(|it| it.kind), Some(Corrupted));
}

#[test]
fn a_run_that_is_known_is_not_denied() {
    let found = Ranges { searched_to: SimDuration::from_secs(600), ..search(&[], PAUSE) };
    let hit = Outcome { kind: VerdictKind::WastedWork, by_luck: false };
    let value = SimDuration::from_secs(300);
    let knowing = found.clone().knowing(value, hit);
    assert_eq!(knowing.outcome_at(value), Some(hit));
    assert_eq!(knowing.all.len(), found.all.len() + 2);
    assert_eq!(knowing.clone().knowing(value, hit), knowing);
}
