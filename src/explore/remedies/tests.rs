//! The table of the first scenario, held against plain runs; what a bound does to it.

use super::*;
use crate::scenarios::GALLERY;
use crate::sim::SimDuration;
use crate::sim::id::FaultId;
use crate::sim::property::VerdictKind;

const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

fn base() -> Scenario {
    GALLERY[0].file().base().expect("valid")
}

fn table() -> RemedyTable {
    RemedySearch::new(&base(), Some(PAUSE)).finish()
}

fn row(table: &RemedyTable, id: RemedyId) -> &Row {
    table.rows.iter().find(|row| row.id == id).expect("tried")
}

#[test]
fn the_first_scenarios_table_is_the_mock_ups() {
    use RemedyId::*;
    let table = table();
    let secs = |tenths: u64| SimDuration::from_millis(tenths * 100);
    let kind = |id| row(&table, id).outcome.kind;
    let corrupts = |ranges: &Ranges| {
        let mut all = ranges.all.iter();
        all.find(|range| range.outcome.kind == VerdictKind::Corrupted).map(|range| range.from)
    };
    let micro = SimDuration::from_micros(1);
    let breaks = |id| row(&table, id).breaks.ranges().and_then(corrupts);
    let after = |id| row(&table, id).breaks_after_check.as_ref().and_then(corrupts);
    let above = |tenths| Some(secs(tenths) + micro);
    assert_eq!(kind(AsItIs), VerdictKind::Corrupted);
    assert_eq!(breaks(AsItIs), above(103));
    assert_eq!(breaks(LongerLease), above(203));
    assert_eq!(kind(CheckBeforeWrite), VerdictKind::Safe);
    assert_eq!(after(CheckBeforeWrite), above(100));
    // B, granted from the queue, renews once before it trusts the grant: 0.2 s later.
    assert_eq!(after(LocalDeadlineChecked), above(102));
    assert_eq!(kind(LocalDeadline), VerdictKind::Corrupted, "on waking the write comes first");
    for id in [RejectLower, RejectLowerOrEqual, Sealed] {
        assert_eq!(breaks(id), None, "{id:?}");
    }
    // A version orders no holders: the old one's write may pass and the rightful one be refused,
    // which is a cost; nothing is lost.
    assert_eq!(breaks(CompareAndSet), None);
    for not_tried in
        [(OwnerCheck, NotTried::NothingCallsForIt), (Idempotent, NotTried::NothingDoneTwice)]
    {
        assert!(table.not_tried.contains(&not_tried), "{not_tried:?}");
    }
    let of_this_set_up = table.not_tried.iter().filter(|(_, why)| why.is_of_this_set_up());
    assert_eq!(of_this_set_up.count(), 0, "the rest is said on demand");
}

#[test]
fn every_cell_is_a_plain_run() {
    for row in table().rows {
        let changed = base().with(&row.patch).expect("fits");
        let recording = Recording::of(&changed);
        assert_eq!(Outcome::of(&recording), row.outcome);
        let same = recording.entries() == Recording::of(&base()).entries();
        assert_eq!(row.does_nothing, same && !row.patch.is_empty(), "{:?}", row.id);
        assert_eq!(*recording.costs(), row.costs);
        for range in row.breaks.ranges().iter().flat_map(|ranges| &ranges.all) {
            for value in [range.from, range.to] {
                let changed = changed.with(&[PAUSE.set(value)]).expect("in range");
                assert_eq!(Outcome::of(&Recording::of(&changed)), range.outcome, "{:?}", row.id);
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_says_what_it_has_not_tried() {
    let search = |steps| RemedySearch::new(&base(), Some(PAUSE)).within(Budget::of_steps(steps));
    let all = table();
    let mut whole = search(u64::MAX);
    while !whole.step(7) {
        assert!(whole.progress().0 <= whole.progress().1);
        let is_searched = |row: &Row| row.breaks.ranges().is_some();
        let is_one_searched = whole.table().rows.iter().any(is_searched);
        assert!(!is_one_searched || whole.has_verdicts(), "every verdict comes first");
    }
    assert_eq!(*whole.table(), all, "in slices as at once");
    let used = whole.budget().used();
    assert_eq!(search(used).finish(), all, "a budget that is enough changes nothing");

    let half = search(used / 2).finish();
    assert_eq!(half.stopped_after, Some(used / 2));
    assert_eq!(half.rows.len(), all.rows.len(), "every verdict is there");
    let not_searched = |row: &&Row| row.breaks.ranges().is_some_and(|ranges| ranges.is_cut);
    let n_searched = half.rows.iter().filter(|row| !not_searched(row)).count();
    assert!((1..half.rows.len()).contains(&n_searched), "{n_searched} rows are searched");
    for (row, of_whole) in half.rows.iter().zip(&all.rows) {
        assert!(not_searched(&row) || row == of_whole, "what was searched is right");
    }

    let least = search(300).finish();
    let n_not_tried = least.not_tried.iter().filter(|it| it.1 == NotTried::BudgetSpent).count();
    assert_eq!(least.rows.len() + n_not_tried, all.rows.len());
    assert!(!least.rows.is_empty() && n_not_tried > 0, "{n_not_tried} are not tried");
    let searched = |row: &Row| !not_searched(&row) && row.breaks != Breaks::AsItIs;
    assert!(!least.rows.iter().any(searched));
}

#[test]
fn a_plain_lock_is_not_offered_what_needs_a_lease() {
    use crate::sim::scenario::LockSystem;
    let plain = base().with(&[Change::Lock(LockSystem::Plain)]).expect("fits");
    let table = RemedySearch::new(&plain, None).finish();
    assert!(table.not_tried.contains(&(RemedyId::LongerLease, NotTried::NoTimeToLive)));
    assert!(table.rows.iter().all(|row| row.breaks == Breaks::NoQuantity));
}

/// A page has no threads.
#[cfg(not(target_family = "wasm"))]
#[test]
fn several_threads_find_what_one_finds() {
    let all = table();
    let used = {
        let mut search = RemedySearch::new(&base(), Some(PAUSE));
        while !search.step(u32::MAX) {}
        search.budget().used()
    };
    // Enough, as much as is needed, and not enough.
    for steps in [u64::MAX, used, used / 2, used / 5] {
        let search = || RemedySearch::new(&base(), Some(PAUSE)).within(Budget::of_steps(steps));
        let one = search().finish();
        let mut several = search();
        while !several.has_verdicts() {
            several.step(1);
        }
        let told = std::sync::atomic::AtomicUsize::new(0);
        several.search_in_parallel(3, &|_, _| {
            told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        assert!(several.is_complete());
        assert_eq!(told.into_inner(), one.rows.iter().filter(|row| is_searched(row)).count());
        assert_eq!(*several.table(), one, "{steps} steps");
        assert_eq!(steps >= used, one == all);
    }
}

#[cfg(not(target_family = "wasm"))]
fn is_searched(row: &Row) -> bool {
    row.breaks.ranges().is_some()
}
