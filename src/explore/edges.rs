//! The edges of a quantity: every value at which a run's verdict changes. Found by running the
//! scenario at values spread over the range, then by bisection between neighbours that differ, down
//! to a microsecond, so that both sides of every edge are runs that were made.

use super::budget::Budget;
use super::outcome::Outcome;
use crate::sim::scenario::Quantity;
use crate::sim::{Scenario, SimDuration};

/// The range in which edges are looked for, unless the quantity allows less: ten minutes. Longer
/// pauses change nothing that a pause of ten minutes does not.
pub const SEARCHED_TO: SimDuration = SimDuration::from_secs(600);

/// Neighbouring values of the first pass differ by this share, at least: an interval of verdicts
/// narrower than that, between two values with one and the same verdict, can be missed.
const GROWTH_PERCENT: u64 = 5;

/// The first value above zero that is tried.
const FIRST_STEP: SimDuration = SimDuration::from_millis(1);

/// Edges after which a search stops: more than a slider can show.
const MAX_EDGES: usize = 16;

/// An edge: two neighbouring microseconds with different outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The last value with the outcome below.
    pub last_below: SimDuration,
    /// The outcome up to there.
    pub below: Outcome,
    /// The outcome from the next microsecond on.
    pub above: Outcome,
}

impl Edge {
    /// The first value with the outcome above.
    pub fn first_above(&self) -> SimDuration {
        self.last_below + SimDuration::from_micros(1)
    }
}

/// A search under way: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct EdgeSearch {
    scenario: Scenario,
    quantity: Quantity,
    /// Values of the first pass that are still to be tried, the next one last.
    to_try: Vec<SimDuration>,
    last: Option<(SimDuration, Outcome)>,
    /// Intervals whose ends differ, still to be narrowed.
    intervals: Vec<Interval>,
    edges: Vec<Edge>,
    /// The outcome at the least value, for a sentence about a quantity without edges.
    at_least: Option<Outcome>,
    n_runs: u32,
    /// Whether it was given up before it was over.
    is_cut: bool,
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    low: (SimDuration, Outcome),
    high: (SimDuration, Outcome),
}

impl EdgeSearch {
    /// A search over `quantity` in `scenario`. A quantity that the scenario lacks has no edges.
    pub fn new(scenario: &Scenario, quantity: Quantity) -> Self {
        let mut to_try = match quantity.value(scenario.spec()) {
            Some(_) => values(quantity),
            None => Vec::new(),
        };
        to_try.reverse();
        Self {
            scenario: scenario.clone(),
            quantity,
            to_try,
            last: None,
            intervals: Vec::new(),
            edges: Vec::new(),
            at_least: None,
            n_runs: 0,
            is_cut: false,
        }
    }

    /// Makes up to `n_runs` runs. Tells whether the search is over.
    pub fn step(&mut self, n_runs: u32) -> bool {
        self.step_within(n_runs, &mut { Budget::UNBOUNDED })
    }

    /// The same, within a budget. What is found when that is spent is not all.
    pub fn step_within(&mut self, n_runs: u32, budget: &mut Budget) -> bool {
        let stop_at = self.n_runs.saturating_add(n_runs);
        while self.n_runs < stop_at && !self.is_over() {
            if budget.is_spent() {
                self.give_up();
            } else if let Some(value) = self.to_try.pop() {
                self.try_next(value, budget);
            } else if let Some(interval) = self.intervals.pop() {
                self.narrow(interval, budget);
            }
        }
        self.is_over()
    }

    fn give_up(&mut self) {
        self.is_cut = true;
        self.to_try.clear();
        self.intervals.clear();
    }

    /// Whether it was given up because its budget was spent.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Makes all runs that are needed.
    pub fn finish(mut self) -> Self {
        while !self.step(u32::MAX) {}
        self
    }

    /// Whether all edges are found.
    pub fn is_over(&self) -> bool {
        self.to_try.is_empty() && self.intervals.is_empty()
    }

    /// The edges found so far, from low to high.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The outcome at the least value of the range, once tried.
    pub fn at_least(&self) -> Option<Outcome> {
        self.at_least
    }

    /// Runs made so far.
    pub fn n_runs(&self) -> u32 {
        self.n_runs
    }

    fn outcome_at(&mut self, value: SimDuration, budget: &mut Budget) -> Option<Outcome> {
        self.n_runs += 1;
        let changed = self.scenario.with(&[self.quantity.set(value)]).ok()?;
        let recording = budget.run(&changed);
        if recording.is_none() {
            self.give_up();
        }
        recording.map(|recording| Outcome::of(&recording))
    }

    fn try_next(&mut self, value: SimDuration, budget: &mut Budget) {
        let Some(outcome) = self.outcome_at(value, budget) else {
            return;
        };
        self.at_least.get_or_insert(outcome);
        let high = (value, outcome);
        if let Some(low) = self.last.filter(|(_, below)| *below != outcome) {
            self.add(Interval { low, high });
        }
        self.last = Some(high);
    }

    fn narrow(&mut self, Interval { low, high }: Interval, budget: &mut Budget) {
        let middle = SimDuration::from_micros(low.0.micros().midpoint(high.0.micros()));
        let Some(outcome) = self.outcome_at(middle, budget) else {
            return;
        };
        let middle = (middle, outcome);
        for (low, high) in [(low, middle), (middle, high)] {
            if low.1 != high.1 {
                self.add(Interval { low, high });
            }
        }
    }

    fn add(&mut self, interval: Interval) {
        let Interval { low, high } = interval;
        if high.0.micros() - low.0.micros() > 1 {
            self.intervals.push(interval);
            return;
        }
        let edge = Edge { last_below: low.0, below: low.1, above: high.1 };
        let place = self.edges.partition_point(|other| other.last_below < edge.last_below);
        self.edges.insert(place, edge);
        if self.edges.len() >= MAX_EDGES {
            self.to_try.clear();
            self.intervals.clear();
        }
    }
}

/// The values of the first pass: the least, then growing by a share up to the end of the range.
fn values(quantity: Quantity) -> Vec<SimDuration> {
    let (least, most) = quantity.range();
    let most = most.min(SEARCHED_TO);
    let mut values = vec![least];
    let mut next = least.max(FIRST_STEP);
    if next > least {
        values.push(next);
    }
    while next < most {
        let grown = next.micros() + (next.micros() * GROWTH_PERCENT / 100).max(1_000);
        next = SimDuration::from_micros(grown).min(most);
        values.push(next);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::id::FaultId;
    use crate::sim::property::VerdictKind;
    use crate::sim::scenario::{FenceRule, Operation};
    use crate::sim::{Change, Recording};

    fn search(changes: &[Change], quantity: Quantity) -> EdgeSearch {
        let base = GALLERY[0].file().base().expect("valid");
        let scenario = base.with(changes).expect("the changes fit");
        EdgeSearch::new(&scenario, quantity).finish()
    }

    const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

    fn found(search: &EdgeSearch) -> Vec<(u64, VerdictKind, bool)> {
        let edges = search.edges().iter();
        edges.map(|e| (e.last_below.micros(), e.above.kind, e.above.by_luck)).collect()
    }

    #[test]
    fn the_first_scenario_has_the_edges_of_the_model() {
        use VerdictKind::{Corrupted, Safe};
        let without = search(&[Change::Fencing(false)], PAUSE);
        let edges = [(8_099_999, Safe, true), (10_300_000, Corrupted, false)];
        assert_eq!(found(&without), edges);
        let with = search(&[Change::Fencing(true)], PAUSE);
        let edges = [(8_099_999, Safe, true), (10_300_000, Safe, false)];
        assert_eq!(found(&with), edges, "from there on the late write is refused");
    }

    #[test]
    fn both_sides_of_every_edge_are_plain_runs() {
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
            let search = search(changes, quantity);
            let base = GALLERY[0].file().base().expect("valid").with(changes).expect("fits");
            let outcome = |value| {
                let changed = base.with(&[quantity.set(value)]).expect("within the range");
                Outcome::of(&Recording::of(&changed))
            };
            assert!(!search.edges().is_empty(), "{quantity:?} has edges");
            for edge in search.edges() {
                assert_eq!(outcome(edge.last_below), edge.below, "{quantity:?} {edge:?}");
                assert_eq!(outcome(edge.first_above()), edge.above, "{quantity:?} {edge:?}");
                assert_ne!(edge.below, edge.above);
            }
        }
    }

    #[test]
    fn a_search_in_slices_finds_the_same() {
        let base = GALLERY[0].file().base().expect("valid");
        let mut sliced = EdgeSearch::new(&base, PAUSE);
        while !sliced.step(3) {}
        assert_eq!(sliced.edges(), search(&[], PAUSE).edges());
        let missing = EdgeSearch::new(&base, Quantity::FaultLength(FaultId(9)));
        assert!(missing.is_over() && missing.edges().is_empty());
    }
}
