//! What would have saved us? Every argument that colleagues make, tried on this very schedule: its
//! verdict, from which length of the main fault on it breaks, and what it costs. Every cell is a
//! run.

use crate::sim::fact::{Fact, MessageFact};
use crate::sim::lock::{Fixed, TokenWorth, info};
use crate::sim::property::{Costs, VerdictKind};
use crate::sim::scenario::{
    CannotFence, Check, ClientSettings, Deadline, Fault, FaultKind, FenceRule, LockSystem,
    NamedStep, OnLoss, Operation, Piece, Quantity, Ratio, Renew, Resource, ScenarioSpec, Start,
    resource_info,
};
use crate::sim::{Change, Recording, Scenario, SimDuration};

use super::edges::{EdgeSearch, Outcome, SEARCHED_TO};

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
}

/// The table being filled: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct RemedySearch {
    scenario: Scenario,
    main: Option<Quantity>,
    /// Arguments still to be tried, the next one last.
    to_try: Vec<(RemedyId, Vec<Change>)>,
    row: Option<UnfinishedRow>,
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
        Self { scenario: scenario.clone(), main, to_try, row: None, table }
    }

    /// Makes about `n_runs` runs. Tells whether the table is complete.
    pub fn step(&mut self, n_runs: u32) -> bool {
        match self.row.take() {
            Some(mut unfinished) => {
                if unfinished.step(n_runs) {
                    self.table.rows.push(unfinished.finish());
                } else {
                    self.row = Some(unfinished);
                }
            }
            None => {
                if let Some((id, patch)) = self.to_try.pop() {
                    self.row = self.begin(id, patch);
                }
            }
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
        self.to_try.is_empty() && self.row.is_none()
    }

    /// The rows so far.
    pub fn table(&self) -> &RemedyTable {
        &self.table
    }

    fn begin(&self, id: RemedyId, patch: Vec<Change>) -> Option<UnfinishedRow> {
        let changed = self.scenario.with(&patch).ok()?;
        let recording = Recording::of(&changed);
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
        Some(UnfinishedRow { row, search, after_check })
    }
}

impl UnfinishedRow {
    fn step(&mut self, n_runs: u32) -> bool {
        let searches = [&mut self.search, &mut self.after_check];
        searches.into_iter().flatten().all(|search| search.is_over() || search.step(n_runs))
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
            Renew::Every(half.max(crate::sim::limits::MIN_INTERVAL))
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
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::id::FaultId;

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
        let breaks = |id| row(&table, id).breaks;
        let after = |id| row(&table, id).breaks_after_check;
        assert_eq!(kind(AsItIs), VerdictKind::Corrupted);
        assert_eq!(breaks(AsItIs), BreaksFrom::Above(secs(103)));
        assert_eq!(breaks(LongerLease), BreaksFrom::Above(secs(203)));
        assert_eq!(kind(CheckBeforeWrite), VerdictKind::Safe);
        assert_eq!(after(CheckBeforeWrite), Some(BreaksFrom::Above(secs(100))));
        // B, granted from the queue, renews once before it trusts the grant: 0.2 s later.
        assert_eq!(after(LocalDeadlineChecked), Some(BreaksFrom::Above(secs(102))));
        assert_eq!(kind(LocalDeadline), VerdictKind::Corrupted, "on waking the write comes first");
        for id in [RejectLower, RejectLowerOrEqual, Sealed] {
            assert_eq!(breaks(id), BreaksFrom::Never(SEARCHED_TO), "{id:?}");
        }
        // A version orders no holders: after the next one has read, the old one's write still
        // passes, and the rightful one is refused.
        assert_eq!(breaks(CompareAndSet), BreaksFrom::Above(secs(83)));
        let not_tried =
            [(OwnerCheck, NotTried::AlreadyOn), (Idempotent, NotTried::NothingDoneTwice)];
        assert_eq!(table.not_tried, not_tried);
    }

    #[test]
    fn every_cell_is_a_plain_run() {
        for row in table().rows {
            let changed = base().with(&row.patch).expect("fits");
            let recording = Recording::of(&changed);
            assert_eq!(Outcome::of(&recording), row.outcome);
            assert_eq!(*recording.costs(), row.costs);
            let outcome = |length| {
                let changed = changed.with(&[PAUSE.set(length)]).expect("in range");
                Recording::of(&changed).verdict().kind
            };
            if let BreaksFrom::Above(edge) = row.breaks {
                let above = edge + SimDuration::from_micros(1);
                assert_eq!(outcome(above), VerdictKind::Corrupted, "{:?}", row.id);
                assert_ne!(outcome(edge), VerdictKind::Corrupted, "{:?}", row.id);
            }
        }
    }

    #[test]
    fn a_plain_lock_is_not_offered_what_needs_a_lease() {
        use crate::sim::scenario::LockSystem;
        let plain = base().with(&[Change::Lock(LockSystem::Plain)]).expect("fits");
        let table = RemedySearch::new(&plain, None).finish();
        assert!(table.not_tried.contains(&(RemedyId::LongerLease, NotTried::NoTimeToLive)));
        assert!(table.rows.iter().all(|row| row.breaks == BreaksFrom::NoFault));
    }
}
