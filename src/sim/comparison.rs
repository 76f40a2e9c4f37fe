//! Two runs of one schedule: a scenario, and the same with a few changes.

use super::id::EntrySeq;
use super::log::LogEntry;
use super::recording::Recording;
use super::scenario::{Change, Scenario, ScenarioError};
use super::time::SimTime;

/// What is compared: Run 1 is `base`, Run 2 the same with `patch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Run 1.
    pub base: Scenario,
    /// What differs in Run 2.
    pub patch: Vec<Change>,
}

/// Both runs and where they part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The run of the base.
    pub run_1: Recording,
    /// The run of the base with the patch.
    pub run_2: Recording,
    /// The first difference in outcome; `None` if there is none.
    pub first_difference: Option<Difference>,
}

/// Where two runs part: the first outcome of either that the other has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// When.
    pub at: SimTime,
    /// The entry in Run 1, if it has one more there.
    pub in_run_1: Option<EntrySeq>,
    /// The entry in Run 2.
    pub in_run_2: Option<EntrySeq>,
}

impl Comparison {
    /// Fencing off against on, the comparison that the page opens with.
    ///
    /// # Errors
    /// None for a valid scenario; the type says so because every change is checked.
    pub fn fencing_off_on(scenario: &Scenario) -> Result<Self, ScenarioError> {
        let base = scenario.with(&[Change::Fencing(false)])?;
        Ok(Self { base, patch: vec![Change::Fencing(true)] })
    }

    /// Runs both.
    ///
    /// # Errors
    /// If the patch does not fit the base.
    pub fn run(&self) -> Result<Compared, ScenarioError> {
        let patched = self.base.with(&self.patch)?;
        Ok(Compared::of(Recording::of(&self.base), Recording::of(&patched)))
    }
}

impl Compared {
    /// Two runs that were made apart.
    pub fn of(run_1: Recording, run_2: Recording) -> Self {
        let first_difference = first_difference(run_1.entries(), run_2.entries());
        Self { run_1, run_2, first_difference }
    }
}

/// The first outcome (grant, refusal, result of a write, belief) in which two logs differ. Raw
/// entries do not count: a renumbered message is no difference to anybody.
fn first_difference(log_1: &[LogEntry], log_2: &[LogEntry]) -> Option<Difference> {
    let mut outcomes_1 = log_1.iter().filter(|entry| entry.fact.about().outcome);
    let mut outcomes_2 = log_2.iter().filter(|entry| entry.fact.about().outcome);
    loop {
        let (one, two) = (outcomes_1.next(), outcomes_2.next());
        let same = |a: &LogEntry, b: &LogEntry| a.at == b.at && a.fact == b.fact;
        match (one, two) {
            (None, None) => return None,
            (Some(one), Some(two)) if same(one, two) => {}
            (one, two) => {
                let at = one.iter().chain(two.iter()).map(|entry| entry.at).min()?;
                let here = |entry: Option<&LogEntry>| {
                    entry.filter(|entry| entry.at == at).map(|entry| entry.seq)
                };
                return Some(Difference { at, in_run_1: here(one), in_run_2: here(two) });
            }
        }
    }
}
