//! What would have saved us? Every argument that colleagues make, tried on this very schedule: its
//! verdict, from which length of the main fault on it breaks, and what it costs. Every cell is a
//! run.

use std::collections::VecDeque;

use crate::sim::fact::{Fact, MessageFact};
use crate::sim::lock::{Fixed, TokenWorth, info};
use crate::sim::property::{Costs, VerdictKind};
use crate::sim::scenario::{
    CannotFence, Check, ClientSettings, Deadline, Fault, FaultKind, FenceRule, LockSystem,
    NamedStep, OnLoss, Operation, Piece, Quantity, Ratio, Renew, Resource, ScenarioSpec, Start,
    resource_info,
};
use crate::sim::{Change, Recording, Scenario, SimDuration, limits};

use super::budget::Budget;
use super::edges::{EdgeSearch, SEARCHED_TO};
use super::outcome::Outcome;

/// The arguments, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RemedyId {
    /// No change.
    AsItIs,
    /// Twice the time to live.
    LongerLease,
    /// Renewal on, or twice as often.
    MoreRenewal,
    /// The worker asks the service before each write.
    CheckBeforeWrite,
    /// The client stops by its own deadline.
    LocalDeadline,
    /// The worker looks at that deadline before each write.
    LocalDeadlineChecked,
    /// Release and renewal are refused to all but the holder.
    OwnerCheck,
    /// A second write or act of the same piece of work is ignored.
    Idempotent,
    /// Fencing that refuses lower tokens.
    RejectLower,
    /// Fencing that refuses lower and equal tokens.
    RejectLowerOrEqual,
    /// Fencing, and a new holder raises the fence first.
    Sealed,
    /// Compare-and-set on the value's version.
    CompareAndSet,
    /// etcd instead of this lock, fenced.
    Etcd,
    /// A row of a database as the lock and as what it protects.
    Sql,
}

impl RemedyId {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::AsItIs,
        Self::LongerLease,
        Self::MoreRenewal,
        Self::CheckBeforeWrite,
        Self::LocalDeadline,
        Self::LocalDeadlineChecked,
        Self::OwnerCheck,
        Self::Idempotent,
        Self::RejectLower,
        Self::RejectLowerOrEqual,
        Self::Sealed,
        Self::CompareAndSet,
        Self::Etcd,
        Self::Sql,
    ];
}

/// Why an argument makes no sense in a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotTried {
    /// The lock has no time to live.
    NoTimeToLive,
    /// The set-up has it already.
    AlreadyOn,
    /// The token has no order: the storage has nothing to compare.
    NoOrderedToken,
    /// The protected resource compares nothing.
    CannotCheck,
    /// The protected resource settles how it checks.
    SettledByResource,
    /// Each client does its own work, once: nothing can be done twice.
    NothingDoneTwice,
    /// It would refuse the rightful holder's second write under one grant.
    SeveralWritesPerGrant,
    /// The budget was spent before its turn.
    BudgetSpent,
}

/// From which length of the main fault on a set-up corrupts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BreaksFrom {
    /// At no length up to this one.
    Never(SimDuration),
    /// Above this length.
    Above(SimDuration),
    /// Whatever the length.
    Always,
    /// There is no fault whose length could be varied.
    NoFault,
    /// The budget was spent before that was known.
    NotSearched,
}

/// One row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The argument.
    pub id: RemedyId,
    /// What it changes; Run 2 if the row is chosen.
    pub patch: Vec<Change>,
    /// What the schedule comes to.
    pub outcome: Outcome,
    /// When the verdict's first event is.
    pub at: Option<crate::sim::SimTime>,
    /// What the run cost.
    pub costs: Costs,
    /// Messages sent in the run.
    pub n_messages: u32,
    /// From which length of the main fault on it corrupts.
    pub breaks: BreaksFrom,
    /// For a row that checks before it writes: the same with the fault between check and write.
    pub breaks_after_check: Option<BreaksFrom>,
}

/// The table: its rows, and the arguments that were not tried.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RemedyTable {
    /// In the order of [`RemedyId::ALL`].
    pub rows: Vec<Row>,
    /// Each with its reason.
    pub not_tried: Vec<(RemedyId, NotTried)>,
    /// The steps after which it was stopped, if it was: then something was not tried or searched.
    pub stopped_after: Option<u64>,
}

/// The table being filled: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct RemedySearch {
    scenario: Scenario,
    main: Option<Quantity>,
    /// Arguments still to be tried, the next one last.
    to_try: Vec<(RemedyId, Vec<Change>)>,
    /// Rows whose range is still to be searched: every verdict comes first, because it is one run,
    /// and the budget may not be enough for all ranges.
    rows: VecDeque<UnfinishedRow>,
    budget: Budget,
    table: RemedyTable,
}

#[derive(Clone, Debug)]
struct UnfinishedRow {
    row: Row,
    search: Option<EdgeSearch>,
    after_check: Option<EdgeSearch>,
}

impl RemedySearch {
    /// A table for `scenario`, whose main fault is `main`.
    pub fn new(scenario: &Scenario, main: Option<Quantity>) -> Self {
        let mut table = RemedyTable::default();
        let mut to_try = Vec::new();
        for id in RemedyId::ALL {
            match patch(id, scenario) {
                Ok(changes) => to_try.push((id, changes)),
                Err(reason) => table.not_tried.push((id, reason)),
            }
        }
        to_try.reverse();
        let main = main.filter(|main| main.value(scenario.spec()).is_some());
        let budget = Budget::of_steps(limits::MAX_SEARCH_STEPS);
        Self { scenario: scenario.clone(), main, to_try, rows: VecDeque::new(), budget, table }
    }

    /// The same with another budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// What it has cost so far.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Rows that are there, and rows that there will be at most.
    pub fn progress(&self) -> (usize, usize) {
        let n_rows = self.table.rows.len();
        (n_rows, n_rows + self.rows.len() + self.to_try.len())
    }

    /// Makes about `n_runs` runs. Tells whether the table is complete.
    pub fn step(&mut self, n_runs: u32) -> bool {
        if let Some((id, patch)) = self.to_try.pop() {
            self.begin(id, patch);
        } else if let Some(row) = self.rows.front_mut()
            && row.step(n_runs, &mut self.budget)
        {
            let row = self.rows.pop_front().map(UnfinishedRow::finish);
            self.table.rows.extend(row);
        }
        if self.budget.is_spent() {
            self.table.stopped_after = Some(self.budget.whole());
        }
        self.is_complete()
    }

    /// Fills the whole table.
    pub fn finish(mut self) -> RemedyTable {
        while !self.step(u32::MAX) {}
        self.table
    }

    /// Whether every row is there.
    pub fn is_complete(&self) -> bool {
        self.to_try.is_empty() && self.rows.is_empty()
    }

    /// The rows so far.
    pub fn table(&self) -> &RemedyTable {
        &self.table
    }

    fn begin(&mut self, id: RemedyId, patch: Vec<Change>) {
        let Ok(changed) = self.scenario.with(&patch) else {
            return;
        };
        let Some(recording) = self.budget.run(&changed) else {
            return self.table.not_tried.push((id, NotTried::BudgetSpent));
        };
        let row = Row {
            id,
            patch,
            outcome: Outcome::of(&recording),
            at: recording.verdict().at,
            costs: *recording.costs(),
            n_messages: n_messages(&recording),
            breaks: BreaksFrom::NoFault,
            breaks_after_check: None,
        };
        let search = self.main.map(|main| EdgeSearch::new(&changed, main));
        let checks = changed.clients().iter().any(|client| client.settings.check != Check::Off);
        let moved = self.main.filter(|_| checks).and_then(|main| after_check(&changed, main));
        let after_check = moved.map(|(moved, main)| EdgeSearch::new(&moved, main));
        self.rows.push_back(UnfinishedRow { row, search, after_check });
    }
}

impl UnfinishedRow {
    fn step(&mut self, n_runs: u32, budget: &mut Budget) -> bool {
        let mut searches = [&mut self.search, &mut self.after_check].into_iter().flatten();
        searches.all(|search| search.is_over() || search.step_within(n_runs, budget))
    }

    fn finish(mut self) -> Row {
        self.row.breaks = self.search.map_or(BreaksFrom::NoFault, |search| breaks_from(&search));
        self.row.breaks_after_check = self.after_check.map(|search| breaks_from(&search));
        self.row
    }
}

fn n_messages(recording: &Recording) -> u32 {
    let sent = recording.entries().iter();
    let sent = sent
        .filter(|entry| matches!(entry.fact, Fact::Message(_, MessageFact::Sent { .. })))
        .count();
    u32::try_from(sent).expect("limits::MAX_EVENTS fits 32 bits")
}

/// Where a search found the first corruption.
fn breaks_from(search: &EdgeSearch) -> BreaksFrom {
    if search.is_cut() {
        return BreaksFrom::NotSearched;
    }
    let corrupts = |outcome: Outcome| outcome.kind == VerdictKind::Corrupted;
    let first = search.edges().iter().find(|edge| corrupts(edge.above));
    match first {
        Some(edge) => BreaksFrom::Above(edge.last_below),
        None if search.at_least().is_some_and(corrupts) => BreaksFrom::Always,
        None => BreaksFrom::Never(SEARCHED_TO),
    }
}

/// The scenario with its main fault, a pause, between a client's check and its write.
fn after_check(scenario: &Scenario, main: Quantity) -> Option<(Scenario, Quantity)> {
    let Quantity::FaultLength(id) = main else {
        return None;
    };
    let fault = scenario.spec().faults.iter().find(|fault| fault.id == id)?;
    let FaultKind::Pause { client, scope, kind, length, .. } = fault.kind else {
        return None;
    };
    let start = Start::Step { step: NamedStep::AfterCheck, nth: 1 };
    let kind = FaultKind::Pause { client, scope, kind, start, length };
    let moved = Fault { kind, ..fault.clone() };
    Some((scenario.with(&[Change::ReplaceFault(moved)]).ok()?, main))
}

/// What an argument changes, or why it makes no sense here.
fn patch(id: RemedyId, scenario: &Scenario) -> Result<Vec<Change>, NotTried> {
    let spec = scenario.spec();
    let defaults = &spec.defaults;
    let ttl = scenario.ttl().ok_or(NotTried::NoTimeToLive);
    match id {
        RemedyId::AsItIs => Ok(Vec::new()),
        RemedyId::LongerLease => Ok(vec![Change::Ttl(ttl?.times(2))]),
        RemedyId::MoreRenewal => ttl.map(|_| vec![Change::Renew(more_renewal(defaults.renew))]),
        RemedyId::CheckBeforeWrite => {
            let on = vec![Change::Check(Check::AsksService)];
            unless(on, defaults.check == Check::AsksService)
        }
        RemedyId::LocalDeadline => {
            ttl?;
            unless(local_deadline(), defaults.deadline == Deadline::FromSend)
        }
        RemedyId::LocalDeadlineChecked => {
            ttl?;
            let mut changes = local_deadline();
            changes.push(Change::Check(Check::OwnBelief));
            let on = defaults.deadline == Deadline::FromSend && defaults.check == Check::OwnBelief;
            unless(changes, on)
        }
        RemedyId::OwnerCheck => unless(vec![Change::OwnerCheck(true)], spec.lease.owner_check),
        RemedyId::Idempotent => {
            let on = vec![Change::Idempotent(true)];
            if can_be_done_twice(defaults, spec) {
                unless(on, spec.storage.idempotent)
            } else {
                Err(NotTried::NothingDoneTwice)
            }
        }
        RemedyId::RejectLower => fence(scenario, FenceRule::RejectLower, false),
        RemedyId::RejectLowerOrEqual if defaults.writes_per_grant > 1 => {
            Err(NotTried::SeveralWritesPerGrant)
        }
        RemedyId::RejectLowerOrEqual => fence(scenario, FenceRule::RejectLowerOrEqual, false),
        // Before a SQL row the seal is the claim with `<`.
        RemedyId::Sealed if spec.storage.resource == Resource::SqlRow => {
            fence(scenario, FenceRule::RejectLowerOrEqual, true)
        }
        RemedyId::Sealed => fence(scenario, FenceRule::RejectLower, true),
        RemedyId::CompareAndSet => {
            settled(scenario, FenceRule::DataVersion, false)?;
            let changes = vec![Change::Fencing(true), Change::Rule(FenceRule::DataVersion)];
            let storage = scenario.storage();
            let on = storage.fencing && storage.rule == FenceRule::DataVersion;
            unless(changes, on)
        }
        // What is outside cannot be put into a database.
        RemedyId::Sql if spec.storage.resource == Resource::ExternalCall => {
            Err(NotTried::CannotCheck)
        }
        RemedyId::Sql => {
            let row = [Change::Lock(LockSystem::Sql), Change::Resource(Resource::SqlRow)];
            let is_on = spec.lock == LockSystem::Sql && spec.storage.resource == Resource::SqlRow;
            unless(row.into_iter().chain([Change::Fencing(true)]).collect(), is_on)
        }
        RemedyId::Etcd if spec.lock == LockSystem::Etcd => Err(NotTried::AlreadyOn),
        RemedyId::Etcd if matches!(scenario.cannot_fence(), Some(CannotFence::Resource(_))) => {
            Err(NotTried::CannotCheck)
        }
        RemedyId::Etcd => Ok(vec![Change::Lock(LockSystem::Etcd), Change::Fencing(true)]),
    }
}

fn unless(changes: Vec<Change>, is_on: bool) -> Result<Vec<Change>, NotTried> {
    if is_on { Err(NotTried::AlreadyOn) } else { Ok(changes) }
}

/// A deadline of the client's own, counted from the send, at which its worker stops.
fn local_deadline() -> Vec<Change> {
    let stops = Change::OnLoss(OnLoss::StopsAfter(SimDuration::ZERO));
    vec![Change::Deadline(Deadline::FromSend), stops]
}

fn more_renewal(renew: Renew) -> Renew {
    match renew {
        Renew::Off => Renew::Share(Ratio::THIRD),
        Renew::Share(Ratio { numerator, denominator }) => {
            Renew::Share(Ratio { numerator, denominator: denominator.saturating_mul(2).min(1_000) })
        }
        Renew::Every(interval) => {
            let half = SimDuration::from_micros(interval.micros() / 2);
            Renew::Every(half.max(limits::MIN_INTERVAL))
        }
    }
}

fn can_be_done_twice(defaults: &ClientSettings, spec: &ScenarioSpec) -> bool {
    let duplicates = |fault: &Fault| matches!(fault.kind, FaultKind::Duplicate { .. });
    defaults.operation == Operation::ExternalEffect
        || spec.storage.resource == Resource::ExternalCall
        || defaults.piece == Piece::Shared
        || defaults.timeout.is_some()
        || spec.faults.iter().any(duplicates)
}

/// Whether the protected resource leaves a way to check open.
fn settled(scenario: &Scenario, rule: FenceRule, seal: bool) -> Result<(), NotTried> {
    let spec = scenario.spec();
    let fixes = [resource_info(spec.storage.resource).fixes, info(spec.lock).fixes].concat();
    if matches!(scenario.cannot_fence(), Some(CannotFence::Resource(_))) {
        return Err(NotTried::CannotCheck);
    }
    let other_rule = fixes.contains(&Fixed::Rule) && scenario.storage().rule != rule;
    let no_seal = seal && fixes.contains(&Fixed::Seal);
    if other_rule || no_seal { Err(NotTried::SettledByResource) } else { Ok(()) }
}

fn fence(scenario: &Scenario, rule: FenceRule, seal: bool) -> Result<Vec<Change>, NotTried> {
    settled(scenario, rule, seal)?;
    if scenario.rules().worth != TokenWorth::Ordered {
        return Err(NotTried::NoOrderedToken);
    }
    let storage = scenario.storage();
    let is_on = storage.fencing && storage.rule == rule && storage.seal == seal;
    let changes = vec![Change::Fencing(true), Change::Rule(rule), Change::Seal(seal)];
    unless(changes, is_on)
}

#[cfg(test)]
mod tests;
