//! The conditions of the rows of the table of properties: changes of a scenario, and faults that
//! are left out of it.

use fenceline::sim::clock::ClockKind;
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::{Rules, StoreCheck, TokenWorth};
use fenceline::sim::scenario::{
    Check, CrashScope, Deadline, ExpiryJudge, FaultKind, FenceRule, Identity, LockSystem, Loses,
    OnLoss, Operation, Piece, Reenters, RenewFailure, Resource, SettleAt, SettleCheck, TokenSource,
    Unchecked,
};
use fenceline::sim::{Change, FencingToken, Recording, Scenario, SimDuration};

/// Conditions: these changes, and none of these faults.
#[derive(Clone)]
pub(super) struct Conditions {
    pub(super) changes: Vec<Change>,
    pub(super) without: Vec<fn(&FaultKind) -> bool>,
    /// What the lock system's rules must be; with another system it is a lease server's run.
    pub(super) needs: Vec<fn(&Rules) -> bool>,
    /// No clock jumps that the service judges by, whichever that is.
    steady: bool,
}

impl Conditions {
    pub(super) fn of(changes: &[Change]) -> Self {
        let (changes, without) = (changes.to_vec(), Vec::new());
        Self { changes, without, needs: Vec::new(), steady: false }
    }

    pub(super) fn and(mut self, changes: &[Change]) -> Self {
        self.changes.extend_from_slice(changes);
        self
    }

    pub(super) fn without(mut self, faults: fn(&FaultKind) -> bool) -> Self {
        self.without.push(faults);
        self
    }

    pub(super) fn needing(mut self, rules: fn(&Rules) -> bool) -> Self {
        self.needs.push(rules);
        self
    }

    /// The clocks that the service judges by may jump, too.
    pub(super) fn with_jumps(self) -> Self {
        Self { steady: false, ..self }
    }

    /// The run of `scenario` on these conditions.
    pub(super) fn run(&self, scenario: &Scenario) -> Recording {
        let faults = scenario.spec().faults.iter();
        let unwanted = faults.filter(|fault| self.without.iter().any(|test| test(&fault.kind)));
        let off = unwanted.map(|fault| Change::EnableFault { id: fault.id, enabled: false });
        let mut changes: Vec<_> = self.changes.iter().cloned().chain(off).collect();
        if changes.iter().any(|change| matches!(change, Change::Lock(_))) {
            changes.extend(without_other_nodes(scenario));
        }
        let mut changed = scenario.with(&changes).expect("the conditions fit any scenario");
        if !self.needs.iter().all(|needs| needs(changed.rules())) {
            let mut exchange: Vec<_> = without_other_nodes(&changed).collect();
            exchange.push(LEASES);
            changed = changed.with(&exchange).expect("a lease server does, too");
        }
        if self.steady && judges_by_its_clocks(changed.rules()) {
            let jumps = changed.spec().faults.iter().filter(|fault| sets_the_service(&fault.kind));
            let off = jumps.map(|fault| Change::EnableFault { id: fault.id, enabled: false });
            changed = changed.with(&off.collect::<Vec<_>>()).expect("the faults are there");
        }
        Recording::of(&changed)
    }
}

pub(super) const LEASES: Change = Change::Lock(LockSystem::LeaseServer);

/// The service forgets leases, or hands tokens out anew.
pub(super) fn loses_data(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::ServiceRestart { loses, .. } if *loses != Loses::Nothing)
}

/// What strikes a node that another system may not have goes with it.
fn without_other_nodes(scenario: &Scenario) -> impl Iterator<Item = Change> + use<'_> {
    let faults = scenario.spec().faults.iter();
    let struck = faults.filter(|fault| strikes_another_node(&fault.kind));
    struck.map(|fault| Change::RemoveFault(fault.id))
}

fn is_another_node(node: NodeId) -> bool {
    matches!(node, NodeId::Lock(LockNodeId(1..)))
}

fn strikes_another_node(kind: &FaultKind) -> bool {
    match kind {
        FaultKind::Cut { a, b, .. } => is_another_node(*a) || is_another_node(*b),
        FaultKind::ClockJump { node, .. } | FaultKind::ClockRate { node, .. } => {
            is_another_node(*node)
        }
        FaultKind::ServiceRestart { node, .. } => {
            node.is_some_and(|node| is_another_node(NodeId::Lock(node)))
        }
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => {
            is_another_node(message.from) || is_another_node(message.to)
        }
        FaultKind::Pause { .. }
        | FaultKind::Crash { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. }
        | FaultKind::Failover { .. } => false,
    }
}

/// By clocks that are set, or by several of which one may run ahead of another.
fn judges_by_its_clocks(rules: &Rules) -> bool {
    rules.clock == ClockKind::Wall || rules.n_nodes > 1
}

fn sets_the_service(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::ClockJump { node: NodeId::Lock(_), .. }
            | FaultKind::ClockRate { node: NodeId::Lock(_), .. }
    )
}

pub(super) fn resets_the_counter(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::ServiceRestart { loses: Loses::Everything, .. })
}

pub(super) fn crashes(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Crash { .. })
}

pub(super) fn kills_the_worker_alone(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Crash { scope: CrashScope::Worker, .. })
}

pub(super) fn pauses(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Pause { .. })
}

pub(super) fn stops_the_service(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::ServiceRestart { .. } | FaultKind::Failover { .. })
}

pub(super) fn strikes_a_clock(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::ClockJump { .. } | FaultKind::ClockRate { .. })
}

/// A message lands later than those sent after it, or twice.
pub(super) fn disorders_messages(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Delay { .. } | FaultKind::Duplicate { .. } | FaultKind::Cut { held: true, .. }
    )
}

pub(super) fn strikes_a_message(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Lose { .. } | FaultKind::Cut { .. }) || disorders_messages(kind)
}

pub(super) fn duplicates(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Duplicate { .. })
}

/// One owner at a time, as the service sees it.
pub(super) fn owned() -> Conditions {
    let changes = [
        Change::OwnerCheck(true),
        Change::Expiry(ExpiryJudge::Service),
        Change::ServiceClock(ClockKind::Monotonic),
        Change::TwoSteps(false),
        Change::Identity(Identity::Unique),
        // Who settles for another gives back what is another's.
        Change::SettleCheck(SettleCheck::Handle),
        // Nodes are ordered by numbers that wrap: a newcomer's can come before the holder's.
        Change::FirstToken(FencingToken(33)),
    ];
    let conditions = Conditions::of(&changes).without(loses_data).needing(|rules| {
        // One node that judges by its wall clock is a lease server that does.
        (rules.clock == ClockKind::Monotonic || rules.n_nodes > 1) && !rules.has_standby
    });
    let conditions = conditions.needing(|rules| rules.expiry == ExpiryJudge::Service);
    Conditions { steady: true, ..conditions }
}

/// A fence that stands: the conditions of the row on token order.
pub(super) fn fenced() -> Conditions {
    let changes = [
        Change::Resource(Resource::Generic),
        Change::Fencing(true),
        Change::Rule(FenceRule::RejectLower),
        Change::UncheckedStores(Unchecked::NONE),
        Change::CheckGap(SimDuration::ZERO),
        Change::Durable(true),
        Change::TokenSource(TokenSource::Counter),
        Change::FirstToken(FencingToken(33)),
        Change::RereadsToken(false),
        Change::Reenters(Reenters::Off),
        // A renewer that acquires anew puts a new token under old work.
        Change::RenewFailure(RenewFailure::TriesAgain),
    ];
    Conditions::of(&changes)
        .without(resets_the_counter)
        .needing(|rules| rules.worth == TokenWorth::Ordered && !rules.has_standby)
}

/// A value in the lock service, written in one transaction with a look at the lock.
pub(super) fn in_one_transaction() -> Conditions {
    let changes = [
        // Not every system holds values.
        LEASES,
        Change::Rule(FenceRule::SameTransaction),
        Change::SettleAt(SettleAt::End),
        // Another's newer grant may have this very token.
        Change::TokenSource(TokenSource::Counter),
        // A holder's old work would pass under its new token.
        Change::Expiry(ExpiryJudge::Service),
    ];
    fenced().and(&changes)
}

/// Code takes the lock again, and what it is told is of its own client's grant.
pub(super) fn taken_again(conditions: Conditions, told: Reenters) -> Conditions {
    conditions.and(&[Change::Reenters(told), Change::Identity(Identity::Unique)])
}

pub(super) fn sealed() -> Conditions {
    fenced().needing(compares_tokens_alone).and(&[Change::Seal(true)])
}

/// A broker knows no seal, and refuses a write that does not follow the last one.
pub(super) fn compares_tokens_alone(rules: &Rules) -> bool {
    rules.store_check == StoreCheck::AsSet
}

/// Nobody writes under a grant while an older write of the same grant is on its way.
pub(super) fn with_one_write_at_a_time(conditions: Conditions) -> Conditions {
    let changes =
        [Change::Timeout(None), Change::OnLoss(OnLoss::GoesOn), Change::Identity(Identity::Unique)];
    conditions.and(&changes).without(crashes).without(duplicates)
}

/// The outside knows each piece, and nobody acts late: one believer at a time, who looks at its
/// deadline right before it acts, once.
pub(super) fn known_outside() -> Conditions {
    timely().and(&[
        Change::Idempotent(true),
        Change::Operation(Operation::ExternalEffect),
        Change::Check(Check::OwnBelief),
        Change::RereadsToken(false),
        Change::Timeout(None),
    ])
}

/// What was begun is written to the end: nothing refuses it, no worker stops or dies, nothing is
/// lost.
pub(super) fn nothing_stops_it() -> Conditions {
    let changes = [
        Change::Fencing(false),
        Change::MissingRow(false),
        Change::Stores(2),
        Change::Timeout(None),
        Change::OnLoss(OnLoss::GoesOn),
        Change::Check(Check::Off),
        Change::RereadsToken(false),
        Change::Reenters(Reenters::Off),
        LEASES,
    ];
    let resource = Change::Resource(Resource::Generic);
    let conditions = Conditions::of(&changes).and(&[resource]);
    conditions.without(crashes).without(strikes_a_message).without(stops_the_service)
}

pub(super) fn overwrites_of_one_store() -> Conditions {
    fenced().and(&[
        Change::Stores(1),
        Change::Operation(Operation::Overwrite),
        Change::Piece(Piece::Own),
        Change::Item(false),
    ])
}

/// A client's own deadline, with clocks that keep the time and links that keep the order.
pub(super) fn timely() -> Conditions {
    owned()
        .and(&[
            LEASES,
            Change::Deadline(Deadline::FromSend),
            Change::ConnectionBound(false),
            Change::WaiterCheck(true),
        ])
        .without(strikes_a_clock)
        .without(pauses)
        .without(disorders_messages)
}

/// A lease that is freed by nothing but time, judged by a service that is there.
pub(super) fn freed_by_time() -> Conditions {
    owned()
        // A waiter's session or connection can take its place along, and the waiter not know.
        .and(&[LEASES, Change::Session(false), Change::ConnectionBound(false)])
        .without(stops_the_service)
        .without(strikes_a_message)
        .without(kills_the_worker_alone)
        .without(strikes_a_clock)
}

/// The lock stands for an item, which is settled when its work is done. Who looks at the first of
/// several stores whether it is done sees half of it.
pub(super) fn settled_at_the_end() -> Conditions {
    let first = [LEASES, Change::Item(true), Change::SettleAt(SettleAt::End)];
    Conditions::of(&first).and(&[Change::Piece(Piece::Own)])
}
