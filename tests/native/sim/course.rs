//! The course of a run: two runs that go by the same conditions enclose only such runs, and what a
//! search for ranges calls complete is what every run comes to. Over random scenarios, against runs
//! on a grid and at random microseconds.
//! `PROPTEST_CASES=5000 cargo test course` looks harder.

use std::sync::LazyLock;

use fenceline::explore::{Budget, Outcome, RangeSearch, Ranges};
use fenceline::scenarios::GALLERY;
use fenceline::sim::course::{Asks, Condition, followed};
use fenceline::sim::id::FaultId;
use fenceline::sim::recording::RunEnd;
use fenceline::sim::scenario::Quantity;
use fenceline::sim::{Progress, Recording, Scenario, SimDuration, Simulation};
use proptest::prelude::*;
use proptest::sample::select;

use super::random::strategy::scenario;

/// What can be varied in a random scenario.
fn quantity() -> impl Strategy<Value = Quantity> {
    let faults = (1_u16..4).prop_flat_map(|id| {
        let id = FaultId(id);
        select(vec![Quantity::FaultLength(id), Quantity::FaultStart(id)])
    });
    let settings = select(vec![
        Quantity::Ttl,
        Quantity::Work,
        Quantity::Latency,
        Quantity::Renew,
        Quantity::LockDelay,
        Quantity::Grace,
        Quantity::DeadlineMargin,
        Quantity::CheckGap,
        Quantity::StartsAfter,
        Quantity::MinHold,
        Quantity::RenewCap,
    ]);
    prop_oneof![2 => faults, 1 => settings]
}

/// The run at a value, with its conditions; `None`: the scenario has no such value, or the run
/// meets a limit.
fn run(scenario: &Scenario, quantity: Quantity, value: u64) -> Option<(Vec<Condition>, Outcome)> {
    let mut conditions = Vec::new();
    let recording = followed(&mut conditions, || {
        let changed = scenario.with(&[quantity.set(SimDuration::from_micros(value))]).ok()?;
        Some(Recording::of(&changed))
    })?;
    let is_whole = recording.run_end() == RunEnd::Complete;
    is_whole.then(|| (conditions, Outcome::of(&recording)))
}

fn answers(conditions: &[Condition]) -> Vec<i64> {
    conditions.iter().map(Condition::answer).collect()
}

/// Whether what was rounded comes out even at an eighth of the way from one run to the other.
fn is_even(one: &[Condition], other: &[Condition]) -> bool {
    one.iter().zip(other).all(|(one, other)| match one.asks {
        Asks::Rounding(by) => (other.value - one.value) % (8 * i64::from(by)) == 0,
        Asks::Order | Asks::Comparison | Asks::Place => true,
    })
}

proptest! {
    #[test]
    fn two_runs_of_one_course_enclose_only_such_runs(
        scenario in scenario(),
        quantity in quantity(),
        from in 0_u64..20_000_000,
        width in 0_u32..16,
        step in select(vec![1_u64, 360]),
    ) {
        let eighth = step << width;
        let Some((low, outcome)) = run(&scenario, quantity, from) else { return Ok(()) };
        let Some((high, _)) = run(&scenario, quantity, from + 8 * eighth) else { return Ok(()) };
        if answers(&low) != answers(&high) || !is_even(&low, &high) {
            return Ok(());
        }
        for part in 1..8 {
            let inner = run(&scenario, quantity, from + part * eighth);
            let (inner, came_to) = inner.expect("its ends are runs");
            prop_assert!(answers(&inner) == answers(&low), "{quantity:?} {from} {eighth} {part}");
            prop_assert_eq!(came_to, outcome);
        }
    }

    #[test]
    fn what_is_called_complete_is_what_every_run_comes_to(
        scenario in scenario(),
        quantity in quantity(),
        at in prop::collection::vec(any::<u64>(), 12),
    ) {
        let search = RangeSearch::new(&scenario, quantity).walking(Budget::of_steps(8_000));
        // What is beyond the walk is a sample and claims nothing.
        let found = search.only_walking().finish();
        let found = found.ranges();
        all_come_to_it(&scenario, quantity, found, &at)?;
    }
}

/// On a grid, at these values and at the ends of ranges. Where roundings step, the claim is of each
/// such step from the value that the scenario has, and of none between: which of two events comes
/// first can hang on nothing but what a division by three leaves.
fn all_come_to_it(
    scenario: &Scenario,
    quantity: Quantity,
    found: &Ranges,
    at: &[u64],
) -> Result<(), TestCaseError> {
    let Some((from, to)) = found.complete else { return Ok(()) };
    let (from, to) = (from.micros(), to.micros());
    let grid = (0..=12).map(|part| from + (to - from) / 12 * part);
    let random = at.iter().map(|at| from + at % (to - from + 1));
    let edges = found.all.iter().flat_map(|range| [range.from, range.to]);
    let edges = edges.map(SimDuration::micros).filter(|value| (from..=to).contains(value));
    let Some(begun_at) = quantity.value(scenario.spec()) else { return Ok(()) };
    let step = found.fineness.micros();
    let on_step = |value: u64| value - (value + step - begun_at.micros() % step) % step;
    let values = grid.chain(random).chain(edges).map(on_step);
    for value in values.filter(|value| (from..=to).contains(value)) {
        let Some((_, outcome)) = run(scenario, quantity, value) else { continue };
        let told = found.outcome_at(SimDuration::from_micros(value));
        prop_assert_eq!(told, Some(outcome), "{:?} at {} of {:?}", quantity, value, found);
    }
    Ok(())
}

/// Longer walks, and so fewer of them.
const LONG: u32 = 200;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(LONG))]

    #[test]
    fn a_longer_walk_is_what_every_run_comes_to(
        scenario in scenario(),
        quantity in quantity(),
        at in prop::collection::vec(any::<u64>(), 40),
    ) {
        let search = RangeSearch::new(&scenario, quantity).walking(Budget::of_steps(60_000));
        let found = search.only_walking().finish();
        all_come_to_it(&scenario, quantity, found.ranges(), &at)?;
    }

    #[test]
    fn a_thorough_search_is_what_every_run_comes_to(
        at in prop::collection::vec(any::<u64>(), 8),
    ) {
        let base = GALLERY[0].file().base().expect("valid");
        let quantity = Quantity::FaultLength(FaultId(1));
        let found = &*THOROUGH;
        prop_assert!(found.are_complete() && found.searched_to == SimDuration::from_secs(600));
        all_come_to_it(&base, quantity, found, &at)?;
    }
}

/// The ranges of the first scenario, whose holder renews for ever.
static THOROUGH: LazyLock<Ranges> = LazyLock::new(|| {
    let base = GALLERY[0].file().base().expect("valid");
    let search = RangeSearch::new(&base, Quantity::FaultLength(FaultId(1)));
    search.thorough().finish().ranges().clone()
});

proptest! {
    #[test]
    fn a_run_from_where_it_differs_is_the_run(
        scenario in scenario(),
        id in (1_u16..4).prop_map(FaultId),
        lengths in (0_u64..20_000_000, 0_u64..20_000_000),
    ) {
        let quantity = Quantity::FaultLength(id);
        let with = |length| scenario.with(&[quantity.set(SimDuration::from_micros(length))]).ok();
        let (Some(one), Some(other)) = (with(lengths.0), with(lengths.1)) else { return Ok(()) };
        if quantity.value(scenario.spec()).is_none() {
            return Ok(());
        }
        let Some(stands) = Simulation::before_strike(&one, id) else { return Ok(()) };
        let mut fork = stands.forked(&other);
        while fork.run(u32::MAX) == Progress::Running {}
        let (fork, whole) = (fork.finish(), Recording::of(&other));
        prop_assert_eq!(fork.log().to_string(), whole.log().to_string());
        prop_assert_eq!(Outcome::of(&fork), Outcome::of(&whole));
    }
}
