//! The ranges of a quantity: which values come to what. From the present value on the search walks
//! both ways, from one course of a run to the next (`sim::course`): two runs at neighbouring values
//! that go by the same conditions tell how each condition moves with the quantity, and so up to
//! which value all of them are answered alike; every run up to there is the same, and comes to the
//! same. What is walked through is complete. Where the walk would take too long, the rest of the
//! range is sampled, and said to be.

use super::budget::Budget;
use super::causes::depends_on_its_seed;
use super::outcome::Outcome;
use crate::sim::course::{Asks, Condition, followed};
use crate::sim::recording::RunEnd;
use crate::sim::scenario::Quantity;
use crate::sim::{Scenario, SimDuration, Simulation, limits};

/// A search goes at least this far, unless the quantity allows less.
pub const SEARCHED_AT_LEAST: SimDuration = SimDuration::from_secs(600);

/// Neighbouring samples differ by this share.
const GROWTH_PERCENT: u64 = 10;

/// The least distance of two samples.
const LEAST_GROWTH: SimDuration = SimDuration::from_millis(1);

/// Where roundings step, the walk takes values so far apart that all of them come out even; farther
/// than this, and it would no longer hold what it says to a millisecond.
const COARSEST: SimDuration = SimDuration::from_millis(1);

/// A course that goes on beyond this goes on for good: what ends it is the bound of a day on a run,
/// of which an automatic one may have to keep seven eighths in reserve.
const FOR_GOOD: SimDuration = SimDuration::from_secs(2 * 3600);

/// Ranges after which a search stops: more than can be told.
const MAX_RANGES: usize = 64;

/// Values that come to one outcome, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The least of them.
    pub from: SimDuration,
    /// The greatest of them.
    pub to: SimDuration,
    /// What their runs come to.
    pub outcome: Outcome,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges {
    /// From low to high, without a gap once the search is over.
    pub all: Vec<Range>,
    /// Every value from the one to the other comes to what is said; `None`: all are samples.
    pub complete: Option<(SimDuration, SimDuration)>,
    /// The last value that was searched.
    pub searched_to: SimDuration,
    /// The last range has no end: no moving instant meets another any more.
    pub goes_on: bool,
    /// Runs made beyond what is complete.
    pub n_samples: u32,
    /// Neighbouring values of what is complete are so far apart: a microsecond, unless roundings
    /// step.
    pub fineness: SimDuration,
    /// Something is random in the runs; what is said holds for their seed.
    pub is_of_seed: bool,
    /// The search was given up before it was over.
    pub is_cut: bool,
}

impl Ranges {
    /// What a value comes to, if it was searched.
    pub fn outcome_at(&self, value: SimDuration) -> Option<Outcome> {
        self.range_of(value).map(|range| range.outcome)
    }

    /// The range that a value lies in.
    pub fn range_of(&self, value: SimDuration) -> Option<&Range> {
        self.all.iter().find(|range| (range.from..=range.to).contains(&value))
    }

    /// Whether what is said of all that was searched is complete.
    pub fn are_complete(&self) -> bool {
        let least = self.all.first().map(|range| range.from);
        least.is_some_and(|least| self.complete == Some((least, self.searched_to)))
    }

    /// Whether what is said of a value is no sample.
    pub fn is_complete_at(&self, value: SimDuration) -> bool {
        self.complete.is_some_and(|(from, to)| (from..=to).contains(&value))
    }

    /// Takes in one more run, whose value the samples may have missed.
    #[must_use]
    pub fn knowing(mut self, value: SimDuration, outcome: Outcome) -> Self {
        let micro = SimDuration::from_micros(1);
        let place = self.all.iter().position(|it| (it.from..=it.to).contains(&value));
        let Some(place) = place.filter(|place| self.all[*place].outcome != outcome) else {
            return self;
        };
        let Range { from, to, outcome: others } = self.all[place];
        let parts = [
            (value > from).then(|| Range { from, to: value.minus(micro), outcome: others }),
            Some(Range { from: value, to: value, outcome }),
            (value < to).then(|| Range { from: value + micro, to, outcome: others }),
        ];
        self.all.splice(place..=place, parts.into_iter().flatten());
        self
    }
}

/// A search under way: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct RangeSearch {
    scenario: Scenario,
    quantity: Quantity,
    /// Values whose outcome is known, from low to high; between two there may be a gap.
    known: Vec<Range>,
    stage: Stage,
    found: Ranges,
    n_runs: u32,
    /// What the walk may still cost.
    walk: Budget,
    /// Whether it samples what it does not walk through.
    samples_too: bool,
    /// For a test of what would be missed: comparisons are left out.
    #[cfg(test)]
    is_blind: bool,
    /// Room for the conditions of the next run.
    room: Vec<Condition>,
    /// What all runs that are not followed have in common.
    trunk: Trunk,
}

/// Runs that differ in how long a fault lasts are the same until it strikes.
#[derive(Clone, Debug)]
enum Trunk {
    /// Nobody has looked yet.
    Unknown,
    /// They have nothing in common that is known.
    None,
    /// They are this one up to here.
    Upto(Box<Simulation>),
}

/// The run at a value, with its conditions.
#[derive(Clone, Debug)]
struct Made {
    outcome: Outcome,
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug)]
enum Stage {
    /// From one course to the next, at this value, whose run may have been made.
    Walk {
        to: Way,
        at: SimDuration,
        made: Option<Made>,
    },
    /// Samples still to be made.
    Sample(Vec<SimDuration>),
    /// Gaps between different outcomes are narrowed, from the one before this place on.
    Narrow(usize),
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Down,
    Up,
}

/// How far what two runs have in common goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// Their courses differ.
    No,
    /// They round, and are comparable only where values are so many times as far apart.
    Rounds(u64),
    /// So many times as far as from one to the other.
    Times(u64),
}

impl RangeSearch {
    /// A search over `quantity` in `scenario`. A quantity that the scenario lacks has no ranges.
    pub fn new(scenario: &Scenario, quantity: Quantity) -> Self {
        let least = quantity.range().0;
        let searched_to = searched_to(scenario, quantity);
        let home = home(scenario, quantity);
        let stage = match home.filter(|_| least <= searched_to) {
            Some(at) => Stage::Walk { to: Way::Down, at, made: None },
            None => Stage::Over,
        };
        let is_of_seed = depends_on_its_seed(scenario);
        let fineness = SimDuration::from_micros(1);
        Self {
            scenario: scenario.clone(),
            quantity,
            known: Vec::new(),
            stage,
            found: Ranges { searched_to, fineness, is_of_seed, ..Ranges::default() },
            n_runs: 0,
            walk: Budget::of_steps(limits::MAX_WALK_STEPS),
            samples_too: true,
            #[cfg(test)]
            is_blind: false,
            room: Vec::new(),
            trunk: Trunk::Unknown,
        }
    }

    /// The same, with a walk that may cost this.
    #[must_use]
    pub fn walking(self, walk: Budget) -> Self {
        Self { walk, ..self }
    }

    /// The same with the longest walk that is made: complete where the first one was a sample, and
    /// not for somebody who waits.
    #[must_use]
    pub fn thorough(self) -> Self {
        self.walking(Budget::of_steps(limits::MAX_LONG_WALK_STEPS))
    }

    /// The same without the samples beyond it: what is found is complete.
    #[must_use]
    pub fn only_walking(self) -> Self {
        Self { samples_too: false, ..self }
    }

    /// Makes up to `n_runs` runs. Tells whether the search is over.
    pub fn step(&mut self, n_runs: u32) -> bool {
        self.step_within(n_runs, &mut { Budget::UNBOUNDED })
    }

    /// The same, within a budget. What is found when that is spent is not all.
    pub fn step_within(&mut self, n_runs: u32, budget: &mut Budget) -> bool {
        let stop_at = self.n_runs.saturating_add(n_runs);
        while self.n_runs < stop_at && !self.is_over() {
            // Samples that were not narrowed yet are no ranges.
            let n_ranges = match self.stage {
                Stage::Walk { .. } => self.known.len(),
                Stage::Narrow(place) => place,
                Stage::Sample(_) | Stage::Over => 0,
            };
            if budget.is_spent() || n_ranges >= MAX_RANGES {
                self.give_up();
                break;
            }
            match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Walk { to, at, made: None } => self.walk_on(to, at, budget),
                Stage::Walk { to, at, made: Some(made) } => self.look(to, at, made, budget),
                Stage::Sample(values) => self.sample(values, budget),
                Stage::Narrow(place) => self.narrow(place, budget),
                Stage::Over => {}
            }
        }
        self.is_over()
    }

    /// Makes all runs that are needed.
    #[must_use]
    pub fn finish(mut self) -> Self {
        while !self.step(u32::MAX) {}
        self
    }

    /// Whether the search is over.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// Whether it was given up before it was over.
    pub fn is_cut(&self) -> bool {
        self.found.is_cut
    }

    /// What was found; nothing before it is over.
    pub fn ranges(&self) -> &Ranges {
        &self.found
    }

    /// Runs made so far.
    pub fn n_runs(&self) -> u32 {
        self.n_runs
    }

    fn give_up(&mut self) {
        self.found.is_cut = true;
        self.end();
    }

    fn end(&mut self) {
        self.stage = Stage::Over;
        self.trunk = Trunk::None;
        self.found.all = std::mem::take(&mut self.known);
    }

    /// The changed scenario's run; `None`: it would take more than is left.
    fn run(&mut self, value: SimDuration, budget: &mut Budget) -> Option<(Outcome, RunEnd)> {
        let changed = self.with(value)?;
        self.n_runs += 1;
        budget.run(&changed).map(|recording| (Outcome::of(&recording), recording.run_end()))
    }

    /// The same, from where it differs from the others: nobody asks for its conditions.
    fn outcome(&mut self, value: SimDuration, budget: &mut Budget) -> Option<Outcome> {
        let changed = self.with(value)?;
        self.n_runs += 1;
        if matches!(self.trunk, Trunk::Unknown) {
            self.trunk = trunk(&changed, self.quantity, budget);
        }
        let recording = match &self.trunk {
            Trunk::Upto(trunk) => budget.run_on(trunk.forked(&changed)),
            Trunk::None | Trunk::Unknown => budget.run(&changed),
        };
        recording.map(|recording| Outcome::of(&recording))
    }

    fn with(&self, value: SimDuration) -> Option<Scenario> {
        self.scenario.with(&[self.quantity.set(value)]).ok()
    }

    /// The same with its conditions, paid for by the walk; an error: the walk is over.
    fn follow(&mut self, value: SimDuration, budget: &mut Budget) -> Option<Made> {
        let before = budget.used();
        let mut conditions = std::mem::take(&mut self.room);
        let run = followed(&mut conditions, || self.run(value, budget));
        self.walk.spend(budget.used() - before);
        #[cfg(test)]
        if self.is_blind {
            conditions.retain(|condition| condition.asks != Asks::Comparison);
        }
        match run {
            Some((outcome, RunEnd::Complete)) => Some(Made { outcome, conditions }),
            // What happens beyond the limit of a run is not known.
            Some((_, RunEnd::Limit)) | None => {
                self.walk.spend(u64::MAX);
                None
            }
        }
    }

    /// Makes the run at the value that the walk has come to.
    fn walk_on(&mut self, to: Way, at: SimDuration, budget: &mut Budget) {
        match self.follow(at, budget) {
            Some(made) => self.stage = Stage::Walk { to, at, made: Some(made) },
            None => self.turn(to),
        }
    }

    /// Makes the run beside the value that the walk has come to, and goes as far as both reach.
    fn look(&mut self, to: Way, at: SimDuration, made: Made, budget: &mut Budget) {
        let step = self.found.fineness;
        let Some(next) = self.beyond(to, at) else {
            self.room = made.conditions;
            return self.walked(to, at, at, made.outcome, None);
        };
        let Some(other) = self.follow(next, budget) else {
            self.add(Range { from: at, to: at, outcome: made.outcome });
            return self.turn(to);
        };
        match reach(&made.conditions, &other.conditions) {
            Reach::Rounds(times) if step.times(times) > COARSEST => {
                self.add(Range { from: at, to: at, outcome: made.outcome });
                self.turn(to);
            }
            Reach::Rounds(times) => {
                self.found.fineness = step.times(times);
                self.room = other.conditions;
                self.stage = Stage::Walk { to, at, made: Some(made) };
            }
            Reach::No => {
                self.room = made.conditions;
                self.walked(to, at, at, made.outcome, Some(other));
            }
            Reach::Times(times) => {
                self.room = other.conditions;
                let far = step.times(times);
                let end = if to == Way::Up { at + far } else { at.minus(far) };
                if to == Way::Up && end >= FOR_GOOD.max(self.found.searched_to) {
                    self.found.goes_on = true;
                }
                let (least, most) = (self.quantity.range().0, self.found.searched_to);
                self.walked(to, at, end.max(least).min(most), made.outcome, None);
            }
        }
    }

    /// The value next to one, if it is in the range.
    fn beyond(&self, to: Way, at: SimDuration) -> Option<SimDuration> {
        let (least, most) = (self.quantity.range().0, self.found.searched_to);
        let step = self.found.fineness;
        match to {
            Way::Up => Some(at + step).filter(|next| *next <= most),
            Way::Down => (at >= least + step).then(|| at.minus(step)),
        }
    }

    /// Everything from one value to another is one course; the run next to it may have been made.
    fn walked(
        &mut self,
        to: Way,
        at: SimDuration,
        end: SimDuration,
        outcome: Outcome,
        made: Option<Made>,
    ) {
        let next = self.beyond(to, end);
        let (from, upto) = match (to, next) {
            (Way::Up, Some(_)) => (at, end),
            (Way::Up, None) => (at, self.found.searched_to),
            (Way::Down, Some(_)) => (end, at),
            (Way::Down, None) => (self.quantity.range().0, at),
        };
        self.add(Range { from, to: upto, outcome });
        let complete = self.found.complete.get_or_insert((from, upto));
        (complete.0, complete.1) = (complete.0.min(from), complete.1.max(upto));
        match next.filter(|_| self.may_walk(to)) {
            Some(at) => self.stage = Stage::Walk { to, at, made },
            None => self.turn(to),
        }
    }

    /// Half of what the walk may cost is for each way; what one has left is for the other.
    fn may_walk(&self, to: Way) -> bool {
        let keeps = if to == Way::Down { self.walk.whole() / 2 } else { 0 };
        !self.walk.is_spent() && self.walk.whole() - self.walk.used() > keeps
    }

    /// One way is walked: up from where it went down; then the rest is sampled.
    fn turn(&mut self, walked: Way) {
        let complete = self.found.complete;
        let next = match (walked, complete) {
            (Way::Down, Some((_, to))) if self.may_walk(Way::Up) => self.beyond(Way::Up, to),
            _ => None,
        };
        match next {
            Some(at) => self.stage = Stage::Walk { to: Way::Up, at, made: None },
            None if self.samples_too => self.stage = Stage::Sample(self.samples()),
            None => self.stage = Stage::Narrow(1),
        }
    }

    /// The values outside of what is complete that are tried.
    fn samples(&self) -> Vec<SimDuration> {
        let (least, most) = (self.quantity.range().0, self.found.searched_to);
        let mut values = vec![least, most];
        let mut next = least;
        while next < most {
            values.push(next);
            let grown = SimDuration::from_micros(next.micros() / 100 * GROWTH_PERCENT);
            next += grown.max(LEAST_GROWTH);
        }
        let is_known = |value: &SimDuration| {
            let mut known = self.known.iter();
            known.any(|range| (range.from..=range.to).contains(value))
        };
        values.retain(|value| !is_known(value));
        values.sort_unstable();
        values.dedup();
        values
    }

    fn sample(&mut self, mut values: Vec<SimDuration>, budget: &mut Budget) {
        let Some(value) = values.pop() else {
            self.stage = Stage::Narrow(1);
            return;
        };
        match self.outcome(value, budget) {
            Some(outcome) => {
                self.found.n_samples += 1;
                self.add(Range { from: value, to: value, outcome });
                self.stage = Stage::Sample(values);
            }
            None => self.give_up(),
        }
    }

    /// Halves the gap before a place.
    fn narrow(&mut self, place: usize, budget: &mut Budget) {
        let Some(after) = self.known.get(place).copied() else {
            return self.end();
        };
        let before = self.known[place - 1];
        let gap = after.from.micros() - before.to.micros();
        if before.outcome == after.outcome {
            self.known[place - 1].to = after.to;
            self.known.remove(place);
            self.stage = Stage::Narrow(place);
            return;
        }
        if gap <= 1 {
            self.stage = Stage::Narrow(place + 1);
            return;
        }
        let value = SimDuration::from_micros(before.to.micros() + gap / 2);
        let Some(outcome) = self.outcome(value, budget) else {
            return self.give_up();
        };
        if !self.found.is_complete_at(value) {
            self.found.n_samples += 1;
        }
        if outcome == before.outcome {
            self.known[place - 1].to = value;
        } else if outcome == after.outcome {
            self.known[place].from = value;
        } else {
            self.known.insert(place, Range { from: value, to: value, outcome });
        }
        self.stage = Stage::Narrow(place);
    }

    /// Adds values of which none is known. Beside values that come to the same they are one range.
    fn add(&mut self, range: Range) {
        let place = self.known.partition_point(|known| known.to < range.from);
        let step = self.found.fineness;
        let joins = |one: &Range, other: &Range| {
            one.outcome == other.outcome && one.to + step >= other.from
        };
        self.known.insert(place, range);
        for place in [place + 1, place] {
            if place > 0
                && let (Some(before), Some(after)) =
                    (self.known.get(place - 1).copied(), self.known.get(place).copied())
                && joins(&before, &after)
            {
                self.known[place - 1].to = after.to;
                self.known.remove(place);
            }
        }
    }
}

/// What the runs of a fault's lengths have in common, and what it takes to know.
fn trunk(scenario: &Scenario, quantity: Quantity, budget: &mut Budget) -> Trunk {
    let Quantity::FaultLength(fault) = quantity else {
        return Trunk::None;
    };
    match Simulation::before_strike(scenario, fault) {
        Some(stands) => {
            // Twice: once to see where it strikes.
            budget.spend(2 * u64::from(stands.n_steps()));
            Trunk::Upto(Box::new(stands))
        }
        None => Trunk::None,
    }
}

/// Where a search begins: at the present value, rounded down to a power of two, so that a search
/// is the same wherever near it a slider stands. `None`: the scenario has no such quantity.
pub fn home(scenario: &Scenario, quantity: Quantity) -> Option<SimDuration> {
    let (least, most) = quantity.range();
    let present = quantity.value(scenario.spec())?;
    let power = present.micros().checked_ilog2().map_or(0, |power| 1 << power);
    Some(SimDuration::from_micros(power).max(least).min(most))
}

/// How far the ranges of a quantity are searched: twice the longest time to live, the longest work
/// and twice its present value, and ten minutes at least.
pub fn searched_to(scenario: &Scenario, quantity: Quantity) -> SimDuration {
    let (_, most) = quantity.range();
    let ttl = scenario.longest_ttl().unwrap_or_default();
    let work = scenario.clients().iter().map(|client| client.settings.work).max();
    // Below twice where the search begins.
    let present = home(scenario, quantity).unwrap_or_default().times(2);
    let far = ttl.times(2) + work.unwrap_or_default() + present.times(2);
    far.max(SEARCHED_AT_LEAST).min(most)
}

/// How far beyond the second run all conditions are answered as in both.
fn reach(one: &[Condition], two: &[Condition]) -> Reach {
    let (mut times, mut coarser) = (u64::MAX, 1_u64);
    for (one, two) in one.iter().zip(two) {
        if one.asks != two.asks || one.answer() != two.answer() {
            return if coarser > 1 { Reach::Rounds(coarser) } else { Reach::No };
        }
        let moves = two.value.saturating_sub(one.value);
        match one.asks {
            Asks::Rounding(by) => coarser = lcm(coarser, even(moves, by)),
            Asks::Place => {}
            Asks::Order | Asks::Comparison => {
                let (room, speed) = (one.value, moves);
                let left = match (room >= 0, speed) {
                    (true, ..0) => room.unsigned_abs() / speed.unsigned_abs(),
                    (false, 1..) => (room.unsigned_abs() - 1) / speed.unsigned_abs(),
                    (true, 0..) | (false, ..=0) => u64::MAX,
                };
                times = times.min(left);
            }
        }
    }
    match (coarser, one.len() == two.len()) {
        (2.., _) => Reach::Rounds(coarser),
        (_, true) => Reach::Times(times),
        (_, false) => Reach::No,
    }
}

/// How many times as far apart two values must be for what moves by `moves` to be divided evenly.
fn even(moves: i64, by: u32) -> u64 {
    let by = u64::from(by);
    by / gcd(moves.unsigned_abs(), by)
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one.max(1) } else { gcd(other, one % other) }
}

fn lcm(one: u64, other: u64) -> u64 {
    (one / gcd(one, other)).saturating_mul(other)
}

#[cfg(test)]
mod tests;
