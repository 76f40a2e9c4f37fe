//! What would every other lock system have done? Each tried on this very schedule, without and with
//! a fence. Every cell is a run, and cells compare like with like: a schedule that a system cannot
//! have is not applicable, one that its usual numbers make senseless is changed as far as it needs,
//! and what was changed is said.

use std::sync::Arc;

use crate::sim::fact::{Fact, LeaseEnd};
use crate::sim::id::ClientId;
use crate::sim::lock::{Rules, SYSTEMS, Schedule, SystemInfo, TokenWorth, rules};
use crate::sim::property::{Decides, PropertyReport, PropertyState, VerdictKind};
use crate::sim::scenario::{Fault, FaultKind, Length, LockSystem, NamedStep, Ratio, Start};
use crate::sim::world::Phase;
use crate::sim::{Change, LogEntry, Recording, Scenario, SimDuration, SimTime, limits};

use super::budget::Budget;
use super::outcome::Outcome;

/// A run is made twice as long so many times, at most, until its verdict is decided.
const LONGER: usize = 3;

/// What `resourcelock` gives a request at least.
const LEAST_REQUEST_TIMEOUT: SimDuration = SimDuration::from_secs(1);

/// One run of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// What it changes; Run 2 if the cell is chosen.
    pub patch: Vec<Change>,
    /// What the schedule comes to.
    pub outcome: Outcome,
    /// When the verdict's first event is.
    pub at: Option<SimTime>,
}

/// What must be said beside a row, so that its cells compare like with like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Note {
    /// Not applicable: a fault strikes a lock node that this system has not.
    NoSuchNode,
    /// Its leases last so long, other than was asked for.
    Lease(SimDuration),
    /// Its renew deadline is so long here, two thirds of the lease: the usual one is as long as the
    /// lease or longer, and with that client-go does not start.
    RenewDeadline(SimDuration),
    /// The client does not hold the lock at this time, as it does in the schedule itself; its pause
    /// begins at the step at which it stood there instead.
    Moved(ClientId, SimTime, NamedStep),
    /// Not comparable: the client, which holds the lock in the schedule itself when it is paused,
    /// never gets there.
    NeverThere(ClientId),
    /// The client does not hold the lock when a fault strikes it, as it does in the schedule
    /// itself, and the fault cannot be moved.
    NotHolder(ClientId, SimTime),
    /// Something that could make its verdict worse is not decided at the end of the run, which has
    /// this length.
    Undecided(SimDuration),
}

/// One system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemRow {
    /// Which.
    pub system: LockSystem,
    /// Without a fence; `None`: the schedule is not applicable.
    pub without: Option<Tried>,
    /// With one; `None` as well where there is nothing to compare.
    pub with: Option<Tried>,
    /// How much later than its time to live a lease ended in this run, at most; `None`: none
    /// expired.
    pub late: Option<SimDuration>,
    /// What its token is worth on this schedule.
    pub worth: TokenWorth,
    /// What is to be said beside it.
    pub notes: Vec<Note>,
}

/// The table being filled: a stepper, so that it never stands in the way of a frame.
#[derive(Clone, Debug)]
pub struct SystemSearch {
    scenario: Scenario,
    /// The run of the schedule itself, once made.
    as_it_is: Option<Arc<Recording>>,
    rows: Vec<SystemRow>,
    budget: Budget,
}

impl SystemSearch {
    /// A table for `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        let budget = Budget::of_steps(limits::MAX_SEARCH_STEPS);
        Self { scenario: scenario.clone(), as_it_is: None, rows: Vec::new(), budget }
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

    /// The systems that were not tried because the budget was spent.
    pub fn not_tried(&self) -> &'static [SystemInfo] {
        if self.budget.is_spent() { &SYSTEMS[self.rows.len()..] } else { &[] }
    }

    /// Makes the runs of one row. Tells whether the table is complete.
    pub fn step(&mut self) -> bool {
        if let Some(info) = SYSTEMS.get(self.rows.len())
            && let Some(row) = self.tried(info.system)
        {
            self.rows.push(row);
        }
        self.is_complete()
    }

    /// Fills the whole table.
    #[must_use]
    pub fn finish(mut self) -> Self {
        while !self.step() {}
        self
    }

    /// Whether every row is there that the budget is enough for.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == SYSTEMS.len() || self.budget.is_spent()
    }

    /// The schedule.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The rows so far.
    pub fn rows(&self) -> &[SystemRow] {
        &self.rows
    }

    /// A row; `None`: the budget is not enough for it.
    fn tried(&mut self, system: LockSystem) -> Option<SystemRow> {
        let as_it_is = match self.as_it_is.clone() {
            Some(run) => run,
            None => Arc::new(self.budget.run(&self.scenario)?),
        };
        self.as_it_is = Some(as_it_is.clone());
        let mut row = SystemRow {
            system,
            without: None,
            with: None,
            late: None,
            worth: self.of_system(system).worth,
            notes: Vec::new(),
        };
        if self.scenario.with(&[Change::Lock(system)]).is_err() {
            row.notes.push(Note::NoSuchNode);
            return Some(row);
        }
        let mut changes = self.usual_numbers(system, &mut row.notes);
        let mut without = self.run(system, false, &changes)?;
        let (moved, notes) = like_with_like(&as_it_is, &without.1);
        if !moved.is_empty() {
            changes.extend(moved.iter().map(|fault| Change::ReplaceFault(fault.clone())));
            without = self.run(system, false, &changes)?;
        }
        let missed = moved.iter().find(|fault| without.1.log().first_of(fault.id).is_none());
        if let Some(client) = missed.and_then(|fault| fault.kind.client()) {
            row.notes.push(Note::NeverThere(client));
            return Some(row);
        }
        row.notes.extend(notes);
        let without = self.decided(system, false, &changes, without)?;
        let with = match self.run(system, true, &changes) {
            Some(with) => Some(self.decided(system, true, &changes, with)?),
            None => None,
        };
        let both = std::iter::once(&without).chain(&with);
        let open = both.filter(|(_, run)| !is_decided(run));
        let open = open.map(|(_, run)| run.ends_at().since_start()).max();
        row.notes.extend(open.map(Note::Undecided));
        row.with = with.map(|(tried, _)| tried);
        row.late = lateness(&without.1);
        row.without = Some(without.0);
        (!self.budget.is_spent()).then_some(row)
    }

    /// The same run, made longer where its end came before its verdict was decided. A length that
    /// the schedule itself sets stays.
    fn decided(
        &mut self,
        system: LockSystem,
        fencing: bool,
        changes: &[Change],
        run: (Tried, Recording),
    ) -> Option<(Tried, Recording)> {
        let mut run = run;
        for _ in 0..LONGER {
            if is_decided(&run.1) || self.scenario.spec().length != Length::Auto {
                break;
            }
            let longer = run.1.ends_at().since_start().times(2).min(limits::MAX_DURATION);
            let longer = [changes, &[Change::Length(Length::Fixed(longer))]].concat();
            run = self.run(system, fencing, &longer)?;
        }
        Some(run)
    }

    fn of_system(&self, system: LockSystem) -> Rules {
        let mut spec = self.scenario.spec().clone();
        spec.lock = system;
        rules(&spec)
    }

    fn run(
        &mut self,
        system: LockSystem,
        fencing: bool,
        more: &[Change],
    ) -> Option<(Tried, Recording)> {
        let mut patch = vec![Change::Lock(system), Change::Fencing(fencing)];
        let storage = &self.scenario.spec().storage;
        patch.retain(|change| match change {
            Change::Lock(to) => *to != self.scenario.spec().lock,
            Change::Fencing(on) => *on != storage.fencing,
            _ => true,
        });
        patch.extend_from_slice(more);
        let changed = self.scenario.with(&patch).ok()?;
        if fencing && changed.cannot_fence().is_some() {
            return None;
        }
        let recording = self.budget.run(&changed)?;
        let outcome = Outcome::of(&recording);
        let tried = Tried { patch, outcome, at: recording.verdict().at };
        Some((tried, recording))
    }

    /// What must be set for a system to be the usual one on this schedule. The schedule's own
    /// system stays as it is.
    fn usual_numbers(&self, system: LockSystem, notes: &mut Vec<Note>) -> Vec<Change> {
        let other = self.scenario.with(&[Change::Lock(system)]);
        let Some((other, lease)) = other.ok().and_then(|other| Some((other.clone(), other.ttl()?)))
        else {
            return Vec::new();
        };
        if self.scenario.spec().lock == system {
            return Vec::new();
        }
        if self.scenario.ttl().is_some_and(|asked| asked != lease) {
            notes.push(Note::Lease(lease));
        }
        let Schedule::Retries { deadline, .. } = other.rules().schedule else {
            return Vec::new();
        };
        if deadline < lease {
            return Vec::new();
        }
        let share = |numerator, denominator| Ratio { numerator, denominator }.of(lease);
        let mut systems = other.spec().systems.clone();
        let its_own = &mut systems.kubernetes;
        // 15 s, 10 s and 2 s, and half the deadline for a request: the same proportions. The
        // library's own client for the lock takes half, and a second at least.
        its_own.renew_deadline = share(2, 3);
        its_own.retry_period = share(2, 15);
        its_own.request_timeout = share(1, 3).max(LEAST_REQUEST_TIMEOUT);
        notes.push(Note::RenewDeadline(share(2, 3)));
        vec![Change::Systems(systems)]
    }
}

/// Whether no property is open that could make the verdict of a run worse.
fn is_decided(run: &Recording) -> bool {
    let worst = run.verdict().kind == VerdictKind::Corrupted;
    let is_open = |report: &PropertyReport| {
        report.id.decides() != Decides::Nothing && report.state == PropertyState::Undecided
    };
    worst || !run.properties().iter().any(is_open)
}

/// Moves the pauses that strike a holder in the schedule itself, and in the other run nobody yet:
/// to the step at which the client stood. What cannot be moved is noted.
fn like_with_like(base: &Recording, other: &Recording) -> (Vec<Fault>, Vec<Note>) {
    let (mut moved, mut notes) = (Vec::new(), Vec::new());
    let holds = |run: &Recording, client, at| {
        let holders = run.world_at(at).service.holders;
        holders.iter().any(|held| held.client == client)
    };
    for fault in base.scenario().spec().faults.iter().filter(|fault| fault.enabled) {
        let (Some(client), Some(at)) = (fault.kind.client(), fault.kind.starts_at()) else {
            continue;
        };
        if !holds(base, client, at) || holds(other, client, at) {
            continue;
        }
        let mut kind = fault.kind.clone();
        match (&mut kind, step_of(base, client, at)) {
            (FaultKind::Pause { start, .. }, Some((step, nth))) => {
                *start = Start::Step { step, nth };
                moved.push(Fault { kind, ..fault.clone() });
                notes.push(Note::Moved(client, at, step));
            }
            _ => notes.push(Note::NotHolder(client, at)),
        }
    }
    (moved, notes)
}

/// The named step that a holder takes next, and how often it has taken that by then, this one
/// counted; `None`: none that has a name.
fn step_of(run: &Recording, client: ClientId, at: SimTime) -> Option<(NamedStep, u32)> {
    let count = |n: usize| u32::try_from(n).ok();
    match run.world_at(at).clients[client.index()].phase {
        Phase::Asking | Phase::Waiting => {
            let grants = run.grants().iter();
            let its_own = grants.filter(|grant| grant.client == client && grant.at <= at);
            Some((NamedStep::BeforeReply, count(its_own.count())?))
        }
        Phase::Working { .. } => {
            let before = run.entries().iter().take_while(|entry| entry.at <= at);
            let started = before.filter(|entry| match entry.fact {
                Fact::Client(who, fact) => who == client && fact.starts_work().is_some(),
                _ => false,
            });
            Some((NamedStep::BeforeWrite, count(started.count())?))
        }
        Phase::Idle
        | Phase::Buffered { .. }
        | Phase::Sealing
        | Phase::Reading
        | Phase::Checking
        | Phase::Acting
        | Phase::Writing
        | Phase::Releasing
        | Phase::Done { .. } => None,
    }
}

/// How much later than its time a lease ended, at most; `None`: none expired.
pub fn lateness(recording: &Recording) -> Option<SimDuration> {
    let late = |entry: &LogEntry| match entry.fact {
        Fact::Service(_, fact) => {
            let (ended, LeaseEnd::Expired | LeaseEnd::TakenOver) = fact.ended()? else {
                return None;
            };
            let before = recording.world_after(entry.seq.0);
            let holder = before.service.holder().filter(|holder| holder.grant == ended.no)?;
            let until = holder.until?;
            Some(entry.at.max(until).since(until))
        }
        _ => None,
    };
    recording.entries().iter().filter_map(late).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::Resource;

    fn table(changes: &[Change]) -> Vec<SystemRow> {
        let base = GALLERY[0].file().base().expect("valid").with(changes).expect("fits");
        SystemSearch::new(&base).finish().rows().to_vec()
    }

    fn row(table: &[SystemRow], system: LockSystem) -> &SystemRow {
        table.iter().find(|row| row.system == system).expect("all are tried")
    }

    #[test]
    fn every_system_is_tried_and_every_cell_is_a_plain_run() {
        let base = GALLERY[0].file().base().expect("valid");
        let table = table(&[]);
        assert_eq!(table.len(), SYSTEMS.len());
        for row in &table {
            for tried in [&row.without, &row.with].into_iter().flatten() {
                let changed = base.with(&tried.patch).expect("fits");
                assert_eq!(changed.spec().lock, row.system);
                let recording = Recording::of(&changed);
                assert_eq!(Outcome::of(&recording), tried.outcome, "{:?}", row.system);
            }
        }
        let server = row(&table, LockSystem::LeaseServer);
        let without = server.without.as_ref().expect("fits");
        assert!(without.patch.is_empty(), "it is the schedule itself");
        assert_eq!(without.outcome.kind, VerdictKind::Corrupted);
        let with = server.with.as_ref().expect("it has a token");
        assert_eq!(with.outcome.kind, VerdictKind::Safe);
    }

    #[test]
    fn a_table_that_is_stopped_says_which_systems_it_has_not_tried() {
        let base = GALLERY[0].file().base().expect("valid");
        let whole = SystemSearch::new(&base).finish();
        assert!(whole.not_tried().is_empty());
        let half = Budget::of_steps(whole.budget().used() / 2);
        let half = SystemSearch::new(&base).within(half).finish();
        let n_rows = half.rows().len();
        assert!((1..SYSTEMS.len()).contains(&n_rows), "{n_rows} rows are there");
        assert_eq!(half.rows(), &whole.rows()[..n_rows]);
        assert_eq!(half.not_tried().len(), SYSTEMS.len() - n_rows);
    }

    #[test]
    fn lateness_is_what_was_seen_in_the_run() {
        let table = table(&[]);
        let late = |system| row(&table, system).late;
        assert_eq!(late(LockSystem::LeaseServer), Some(SimDuration::ZERO));
        assert_eq!(late(LockSystem::Plain), None, "its lease never ends");
        // A's lease is over at 10.2 s; the leader looks at 10.5 s, and the revoke takes 10 ms.
        assert_eq!(late(LockSystem::Etcd), Some(SimDuration::from_millis(310)));
    }

    #[test]
    fn a_run_that_ends_before_its_verdict_is_decided_is_made_longer() {
        let idle = GALLERY.iter().find(|entry| entry.id == "sql-idle-connection").expect("it is");
        let base = idle.file().base().expect("valid");
        let search = SystemSearch::new(&base).finish();
        let mut n_longer = 0;
        for row in search.rows() {
            for tried in [&row.without, &row.with].into_iter().flatten() {
                let run = Recording::of(&base.with(&tried.patch).expect("fits"));
                let is_noted = row.notes.iter().any(|note| matches!(note, Note::Undecided(_)));
                assert!(is_decided(&run) || is_noted, "{:?}", row.system);
                let is_longer = |change: &Change| matches!(change, Change::Length(_));
                n_longer += u32::from(tried.patch.iter().any(is_longer));
            }
        }
        let consul = row(search.rows(), LockSystem::Consul).without.as_ref().expect("fits");
        assert_eq!(consul.outcome.kind, VerdictKind::Unavailable, "A's session lives on");
        assert!(n_longer > 0);
    }

    #[test]
    fn a_request_of_client_go_has_a_second_at_least() {
        for row in table(&[Change::Ttl(SimDuration::from_secs(2))]) {
            let patches = [&row.without, &row.with].into_iter().flatten();
            for change in patches.flat_map(|tried| &tried.patch) {
                if let Change::Systems(systems) = change {
                    let timeout = systems.kubernetes.request_timeout;
                    assert!(timeout >= LEAST_REQUEST_TIMEOUT, "{timeout}");
                }
            }
        }
    }

    #[test]
    fn a_length_that_the_schedule_sets_stays_and_what_is_open_is_said() {
        let idle = GALLERY.iter().find(|entry| entry.id == "sql-idle-connection").expect("it is");
        let short = Change::Length(Length::Fixed(SimDuration::from_secs(6)));
        let base = idle.file().base().expect("valid").with(&[short]).expect("fits");
        let search = SystemSearch::new(&base).finish();
        let consul = row(search.rows(), LockSystem::Consul);
        assert!(consul.notes.contains(&Note::Undecided(SimDuration::from_secs(6))));
    }

    #[test]
    fn where_nothing_compares_there_is_no_fenced_run() {
        let table = table(&[Change::Resource(Resource::CannotCheck)]);
        assert!(table.iter().all(|row| row.with.is_none()));
        let is_compared = |row: &&SystemRow| row.without.is_some();
        let never_there = |note: &Note| matches!(note, Note::NeverThere(_));
        let others = table.iter().filter(|row| !is_compared(row));
        let mut others = others.map(|row| row.notes.iter().any(never_there));
        assert!(others.all(|it| it), "in all but a Raft group A holds the lock when it is paused");
    }
}
