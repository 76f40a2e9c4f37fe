//! How much a question over many runs may cost, counted in steps of the engine: the same on every
//! machine, and near to what it takes there.

use crate::sim::{Progress, Recording, Scenario, SimTime, Simulation};

/// Steps that may still be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    whole: u64,
    left: u64,
    /// Whether a run was given up.
    is_spent: bool,
}

impl Budget {
    /// No bound but those of each run.
    pub const UNBOUNDED: Self = Self::of_steps(u64::MAX);

    /// So many steps.
    pub const fn of_steps(steps: u64) -> Self {
        Self { whole: steps, left: steps, is_spent: false }
    }

    /// Makes a run; `None`: it would take more than is left, and nothing is left now.
    pub fn run(&mut self, scenario: &Scenario) -> Option<Recording> {
        self.run_until(scenario, SimTime::ZERO)
    }

    /// The same of a run that lasts at least until `end`.
    pub fn run_until(&mut self, scenario: &Scenario, end: SimTime) -> Option<Recording> {
        self.run_on(Simulation::new(scenario).lasting_until(end))
    }

    /// The same of a run that stands somewhere: what was made of it is not paid for again.
    pub fn run_on(&mut self, mut simulation: Simulation) -> Option<Recording> {
        let most = u32::try_from(self.left).unwrap_or(u32::MAX);
        let n_made = simulation.n_steps();
        if self.is_spent || simulation.run(most) == Progress::Running {
            (self.left, self.is_spent) = (0, true);
            return None;
        }
        self.left -= u64::from(simulation.n_steps() - n_made);
        Some(simulation.finish())
    }

    /// How many may still be taken.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes steps off that were there, and were taken elsewhere.
    pub fn pay(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Takes steps off that were taken elsewhere; if none is left, no run is made any more.
    pub fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
        self.is_spent |= self.left == 0;
    }

    /// Whether a run was given up, and every further one is.
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// How many steps there were at first.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// How many were taken.
    pub fn used(&self) -> u64 {
        self.whole - self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    #[test]
    fn a_run_within_the_budget_is_the_run() {
        let base = GALLERY[0].file().base().expect("valid");
        let mut budget = Budget::UNBOUNDED;
        assert_eq!(budget.run(&base), Some(Recording::of(&base)));
        let steps = budget.used();
        assert!((20..2_000).contains(&steps), "{steps}");
        let mut two = Budget::of_steps(2 * steps);
        assert!(two.run(&base).is_some() && two.run(&base).is_some() && !two.is_spent());
        assert!(two.run(&base).is_none() && two.is_spent());
        let mut less = Budget::of_steps(steps - 1);
        assert_eq!((less.run(&base), less.is_spent()), (None, true));
        assert_eq!((less.used(), less.whole()), (steps - 1, steps - 1));
    }
}
