//! Runs that are made from where a fault strikes: each is the run that is made from the beginning,
//! whatever was known when it was forked. `PROPTEST_CASES=5000 cargo test fork` looks harder.

use fenceline::scenarios::GALLERY;
use fenceline::sim::id::FaultId;
use fenceline::sim::scenario::Quantity;
use fenceline::sim::{Progress, Recording, Scenario, SimDuration, Simulation};
use proptest::prelude::*;

use super::random::strategy::scenario;

fn finished(mut simulation: Simulation) -> Recording {
    while simulation.run(u32::MAX) == Progress::Running {}
    simulation.finish()
}

/// Forks where a fault strikes that lasts `from`, and lets it last `to`. Tells how many steps both
/// have in common; `None`: it never strikes, or lasts for no such time.
fn forks(scenario: &Scenario, fault: FaultId, from: u64, to: u64) -> Option<u32> {
    let lasting = |micros| {
        let length = Quantity::FaultLength(fault).set(SimDuration::from_micros(micros));
        scenario.with(&[length]).ok()
    };
    let (from, to) = (lasting(from)?, lasting(to)?);
    let stands = Simulation::before_strike(&from, fault)?;
    let forked = finished(stands.forked(&to));
    assert!(forked == Recording::of(&to), "{fault:?}:\n{}", to.spec().faults.len());
    assert!(finished(stands.clone()) == Recording::of(&from), "it is a run that stands");
    Some(stands.n_steps())
}

#[test]
fn every_fault_of_the_gallery_is_forked_to_the_run_itself() {
    let (mut n_forks, mut n_steps) = (0, 0);
    for entry in GALLERY {
        let base = entry.file().base().expect("valid");
        for fault in &base.spec().faults {
            for (from, to) in [(0, 1), (1, 7_000_000), (30_000_000, 0), (400_000_000, 3_000_000)] {
                if let Some(common) = forks(&base, fault.id, from, to) {
                    n_forks += 1;
                    n_steps += common;
                }
            }
        }
    }
    assert!(n_forks > 100 && n_steps > 30 * n_forks, "{n_forks} forks, {n_steps} steps");
}

proptest! {
    #[test]
    fn a_fork_is_the_run_from_the_beginning(
        scenario in scenario(),
        fault in 1_u16..5,
        from in 0_u64..60_000_000,
        to in 0_u64..60_000_000,
    ) {
        forks(&scenario, FaultId(fault), from, to);
    }
}
