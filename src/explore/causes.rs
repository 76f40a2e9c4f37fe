//! Causes: what the bad event of a run does not happen without. Each fault is taken out, each
//! setting that differs from its neutral value is put back, and the run is made: singly, then two
//! together, then three. Nothing is concluded from times or from an order of events.

mod without;

use std::mem::discriminant;

use super::budget::Budget;
use super::outcome::Outcome;
use crate::sim::history::DamageForm;
use crate::sim::id::{ClientId, FaultId, StoreId};
use crate::sim::lock::info;
use crate::sim::property::VerdictKind;
use crate::sim::recording::RunEnd;
use crate::sim::scenario::{HandOff, Setting, TokenSource, Unchecked, Wait};
use crate::sim::{Change, Recording, Scenario, limits};
use without::{Base, Tried};

/// What can be taken out, or put back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// A fault.
    Fault(FaultId),
    /// A setting that is not at its neutral value.
    Setting(Setting),
    /// The same of the lock system's own, by its name in files.
    OfSystem(&'static str),
}

/// The bad event of a run, as it is known again in another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BadEvent {
    /// Damage: its form, where, who did it and to whom.
    Damage {
        /// The form; of a circle, whatever its name.
        form: DamageForm,
        /// The store.
        store: Option<StoreId>,
        /// Whose unit did it.
        by: ClientId,
        /// Whose unit it was done to.
        to: Option<ClientId>,
    },
    /// A verdict without damage, or for an item that was lost. In another run it is there unless
    /// that one's verdict is better.
    Verdict(VerdictKind),
}

impl BadEvent {
    /// The bad event that a run's verdict is about; `None` for a safe one.
    pub fn of(recording: &Recording) -> Option<Self> {
        match recording.verdict().kind {
            VerdictKind::Safe | VerdictKind::SafeSoFar => None,
            kind @ (VerdictKind::WastedWork
            | VerdictKind::NoWorkFinished
            | VerdictKind::Unavailable) => Some(Self::Verdict(kind)),
            VerdictKind::HalfWritten | VerdictKind::Corrupted => {
                // An item that is lost is no damage of a unit's.
                let Some(damage) = recording.damage() else {
                    return Some(Self::Verdict(recording.verdict().kind));
                };
                let client = |unit| recording.history().unit(unit).write.client;
                Some(Self::Damage {
                    form: damage.form,
                    store: damage.store,
                    by: client(damage.unit),
                    to: damage.other.map(client),
                })
            }
        }
    }

    /// Whether it happens in a run. Of a run that was stopped at a limit that is not known, and
    /// counts as yes: nothing is called a cause by it.
    pub fn is_in(self, recording: &Recording) -> bool {
        if recording.run_end() == RunEnd::Limit {
            return true;
        }
        match self {
            Self::Verdict(kind) => recording.verdict().kind >= kind,
            Self::Damage { form, store, by, to } => {
                let client = |unit| recording.history().unit(unit).write.client;
                recording.history().damages().all.iter().any(|other| {
                    discriminant(&other.form) == discriminant(&form)
                        && other.store == store
                        && client(other.unit) == by
                        && other.other.map(client) == to
                })
            }
        }
    }
}

/// Causes that remove the event together, and no fewer of them do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseSet {
    /// One, two or three.
    pub causes: Vec<Cause>,
    /// What the run without them comes to.
    pub without: Outcome,
    /// Whether the event is gone with each of the seeds that were tried: all, where random numbers
    /// are drawn.
    pub in_each_seed: bool,
}

/// What the fence that is absent would have done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AbsentFence {
    /// With it the event does not happen, and the run comes to this.
    WouldStop(Outcome),
    /// With it the event happens all the same.
    WouldNotStop,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Causes {
    /// The smallest sets, each of which removes the event.
    pub sets: Vec<CauseSet>,
    /// Faults and settings that could be taken out or put back.
    pub n_candidates: usize,
    /// Sets that could not be tried.
    pub n_untried: u32,
    /// How many were taken out together, at most.
    pub tried_together: usize,
    /// The fence, where one could be and is not.
    pub fence: Option<AbsentFence>,
    /// Runs made.
    pub n_runs: u32,
    /// The steps after which the search was stopped, if it was: then not all was tried.
    pub stopped_after: Option<u64>,
}

/// What is done next.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Stage {
    /// This set of candidates is tried.
    Set(Vec<usize>),
    /// A set that was found is tried with another seed.
    Seed {
        set: usize,
        nth: u32,
    },
    /// The fence is turned on.
    Fence,
    Over,
}

/// A search under way: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct CauseSearch {
    base: Base,
    event: Option<BadEvent>,
    candidates: Vec<Cause>,
    stage: Stage,
    budget: Budget,
    found: Causes,
}

impl CauseSearch {
    /// A search for the causes of what a run came to. A safe run has none to search for.
    pub fn new(recording: &Recording) -> Self {
        let base = Base::of(recording);
        let event = BadEvent::of(recording);
        let candidates = candidates(base.scenario());
        let found = Causes { n_candidates: candidates.len(), ..Causes::default() };
        let stage = match (event, candidates.is_empty()) {
            (None, _) => Stage::Over,
            (Some(_), true) => Stage::Fence,
            (Some(_), false) => Stage::Set(vec![0]),
        };
        let budget = Budget::of_steps(limits::MAX_CAUSE_STEPS);
        Self { base, event, candidates, stage, budget, found }
    }

    /// The same with another budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Makes about `n_runs` runs. Tells whether the search is over.
    pub fn step(&mut self, n_runs: u32) -> bool {
        let stop_at = self.found.n_runs.saturating_add(n_runs);
        while self.found.n_runs < stop_at
            && let Some(event) = self.event.filter(|_| !self.is_over())
        {
            self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Set(set) => self.try_set(event, &set),
                Stage::Seed { set, nth } => self.try_seed(event, set, nth),
                Stage::Fence => self.try_fence(event),
                Stage::Over => Stage::Over,
            };
            if self.budget.is_spent() {
                self.found.stopped_after = Some(self.budget.whole());
                self.stage = Stage::Over;
            }
        }
        self.is_over()
    }

    /// Makes all runs that are needed.
    pub fn finish(mut self) -> Self {
        while !self.step(u32::MAX) {}
        self
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// The event whose causes are searched.
    pub fn event(&self) -> Option<BadEvent> {
        self.event
    }

    /// What is found so far.
    pub fn found(&self) -> &Causes {
        &self.found
    }

    fn changes(&self, set: &[usize]) -> Vec<Change> {
        taken_out(self.base.scenario(), set.iter().map(|&candidate| self.candidates[candidate]))
    }

    fn run(&mut self, changes: &[Change]) -> Tried {
        self.base.with(changes, &mut self.budget, &mut self.found.n_runs)
    }

    fn try_set(&mut self, event: BadEvent, set: &[usize]) -> Stage {
        self.found.tried_together = set.len();
        match self.run(&self.changes(set)) {
            Tried::Run(run) if !event.is_in(&run) => self.found.sets.push(CauseSet {
                causes: set.iter().map(|&candidate| self.candidates[candidate]).collect(),
                without: Outcome::of(&run),
                in_each_seed: true,
            }),
            Tried::Run(_) => {}
            Tried::Cannot => self.found.n_untried += 1,
            Tried::BudgetSpent => return Stage::Over,
        }
        let n = self.candidates.len();
        if let Some(next) = next_set(set, n) {
            return Stage::Set(next);
        }
        let larger = set.len() + 1;
        if !self.found.sets.is_empty() {
            Stage::Seed { set: 0, nth: 1 }
        } else if larger <= limits::MAX_CAUSES_TOGETHER.min(n) {
            Stage::Set((0..larger).collect())
        } else {
            Stage::Fence
        }
    }

    /// Whether the set removes the event with another seed, too.
    fn try_seed(&mut self, event: BadEvent, set: usize, nth: u32) -> Stage {
        let Some(found) = self.found.sets.get(set) else {
            return Stage::Fence;
        };
        let mut changes = taken_out(self.base.scenario(), found.causes.iter().copied());
        let next_of_sets = Stage::Seed { set: set + 1, nth: 1 };
        let draws =
            self.base.scenario().with(&changes).is_ok_and(|without| draws_numbers(&without));
        if !draws || nth >= limits::CAUSE_SEEDS {
            return next_of_sets;
        }
        let seed = self.base.scenario().spec().seed.wrapping_add(nth);
        changes.push(Change::Seed(seed));
        match self.run(&changes) {
            Tried::Run(run) if !event.is_in(&run) => Stage::Seed { set, nth: nth + 1 },
            Tried::Run(_) | Tried::Cannot => {
                self.found.sets[set].in_each_seed = false;
                next_of_sets
            }
            Tried::BudgetSpent => {
                self.found.sets[set].in_each_seed = false;
                Stage::Over
            }
        }
    }

    fn try_fence(&mut self, event: BadEvent) -> Stage {
        // A fence is about damage: it gives nobody the lock.
        let is_damage = matches!(event, BadEvent::Damage { .. });
        let Some(changes) = fence(self.base.scenario()).filter(|_| is_damage) else {
            return Stage::Over;
        };
        match self.run(&changes) {
            Tried::Run(run) if event.is_in(&run) => {
                self.found.fence = Some(AbsentFence::WouldNotStop);
            }
            Tried::Run(run) => {
                self.found.fence = Some(AbsentFence::WouldStop(Outcome::of(&run)));
            }
            Tried::Cannot | Tried::BudgetSpent => {}
        }
        Stage::Over
    }
}

/// Everything that can be taken out or put back. A setting that the system or the resource settles
/// differs in nothing when it is put back, and is none.
fn candidates(scenario: &Scenario) -> Vec<Cause> {
    let enabled = scenario.spec().faults.iter().filter(|fault| fault.enabled);
    let faults = enabled.map(|fault| Cause::Fault(fault.id));
    let settings = Setting::ALL.iter().filter(|setting| setting.neutral().is_some());
    let settings = settings.map(|&setting| Cause::Setting(setting));
    let own = info(scenario.spec().lock).own.iter().map(|own| Cause::OfSystem(own.name));
    // What cannot be valid by itself may be together with another.
    let differs = |cause: &Cause| {
        scenario.with(&taken_out(scenario, [*cause])).map_or(true, |put_back| {
            put_back.rules() != scenario.rules()
                || put_back.storage() != scenario.storage()
                || put_back.clients() != scenario.clients()
                || put_back.spec().systems != scenario.spec().systems
        })
    };
    faults.chain(settings.chain(own).filter(differs)).collect()
}

/// The changes that take causes out of a scenario, or put them back.
fn taken_out(scenario: &Scenario, causes: impl IntoIterator<Item = Cause>) -> Vec<Change> {
    let spec = scenario.spec();
    let mut systems = spec.systems.clone();
    let change = |cause| match cause {
        Cause::Fault(id) => Some(Change::EnableFault { id, enabled: false }),
        Cause::Setting(setting) => setting.neutral(),
        Cause::OfSystem(name) => {
            let own = info(spec.lock).own.iter().find(|own| own.name == name);
            own.inspect(|own| (own.put_back)(&mut systems));
            None
        }
    };
    let mut changes: Vec<_> = causes.into_iter().filter_map(change).collect();
    if systems != spec.systems {
        changes.push(Change::Systems(systems));
    }
    changes
}

/// What turns the fence on at every store; `None` where it is, or where none can be.
fn fence(scenario: &Scenario) -> Option<[Change; 2]> {
    let storage = scenario.storage();
    let changes = [Change::Fencing(true), Change::UncheckedStores(Unchecked::NONE)];
    let is_whole = storage.fencing && storage.unchecked_stores.of(storage.stores).next().is_none();
    let fenced = scenario.with(&changes).ok()?;
    (!is_whole && scenario.cannot_fence().is_none() && fenced.storage().fencing).then_some(changes)
}

/// The next set of so many candidates, in order; `None` after the last.
fn next_set(set: &[usize], n_candidates: usize) -> Option<Vec<usize>> {
    let last = |place: usize| n_candidates - (set.len() - place);
    let place = (0..set.len()).rev().find(|&place| set[place] < last(place))?;
    let grown = set[place] + 1;
    let rest = (0..set.len() - place).map(|offset| grown + offset);
    Some(set[..place].iter().copied().chain(rest).collect())
}

/// Whether what a run comes to may depend on its seed: of what is drawn, how far a number that
/// grows is ahead of the last one decides nothing, as long as it grows.
pub fn depends_on_its_seed(scenario: &Scenario) -> bool {
    let rules = scenario.rules();
    let decides = match rules.token_source {
        TokenSource::Revision
        | TokenSource::RevisionAtEnqueue
        | TokenSource::RevisionOfSession
        | TokenSource::Counter
        | TokenSource::Constant
        | TokenSource::EpochAndCounter => false,
        // It may come to its end.
        TokenSource::Sequence32 => rules.others_write,
        TokenSource::LeaseId => scenario.storage().fencing,
    };
    decides || jitters(scenario) || rules.hand_off == HandOff::Random || rules.n_nodes > 1
}

fn jitters(scenario: &Scenario) -> bool {
    scenario.clients().iter().any(|client| match client.settings.wait {
        Wait::Poll { jitter, .. } => !jitter.is_zero(),
        Wait::Queue => false,
    })
}

/// Whether a run of this scenario may depend on its seed. It says yes rather than no.
pub fn draws_numbers(scenario: &Scenario) -> bool {
    let rules = scenario.rules();
    let counts = match rules.token_source {
        TokenSource::Counter | TokenSource::Constant | TokenSource::EpochAndCounter => true,
        TokenSource::Sequence32 => !rules.others_write,
        TokenSource::Revision
        | TokenSource::RevisionAtEnqueue
        | TokenSource::RevisionOfSession
        | TokenSource::LeaseId => false,
    };
    // Several nodes elect with random patience, or are asked with random values.
    jitters(scenario) || rules.hand_off == HandOff::Random || !counts || rules.n_nodes > 1
}
