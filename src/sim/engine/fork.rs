//! Runs that differ in how long a fault lasts are one run until it strikes: they are made from
//! there on only.

use super::super::id::FaultId;
use super::super::scenario::Scenario;
use super::{Progress, Simulation, length};

impl Simulation {
    /// A run that stands before the step in which a fault strikes; `None`: it never does, or at
    /// once.
    pub fn before_strike(scenario: &Scenario, fault: FaultId) -> Option<Self> {
        let mut probe = Self::new(scenario);
        while !probe.has_struck(fault) {
            if probe.run(1) == Progress::Finished {
                return None;
            }
        }
        let mut stands = Self::new(scenario);
        stands.run(probe.n_steps.checked_sub(1)?);
        (!stands.has_struck(fault)).then_some(stands)
    }

    /// The same run of a scenario that differs in nothing but how long something lasts that has not
    /// begun.
    #[must_use]
    pub fn forked(&self, scenario: &Scenario) -> Self {
        let begun_with = length::at_the_start(&self.scenario);
        let begins_with = length::at_the_start(scenario);
        let mut fork = self.clone();
        // Where it begins at an instant, the run lasts at least until then, and was not extended.
        if begun_with != begins_with {
            let (ends_at, latest) = begins_with;
            fork.ends_at = ends_at.max(self.faults_last_until).min(latest);
            fork.ends_at_latest = latest;
        }
        fork.message_faults.last_as_in(scenario);
        fork.scenario = scenario.clone();
        fork
    }

    /// Whether a fault of the scenario has begun, or the message was sent that it strikes.
    fn has_struck(&self, fault: FaultId) -> bool {
        self.begun.contains(&fault) || self.message_faults.has_struck(fault)
    }
}
