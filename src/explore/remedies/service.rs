//! What puts a mistake in the lock service right: its settings, its clocks, what a restart of it
//! loses, and what only one system has.

use super::NotTried;
use super::clients::{asks_before_it_writes, stops_at_once};
use super::setup::{Offer, Setup, on, unless};
use super::storage::{EVERY_STORE, tokens_compared};
use crate::sim::id::{ClientId, FaultId, LockNodeId, NodeId};
use crate::sim::lock::{
    Behavior, DhcpSettings, EtcdToken, KubernetesToken, NameOrder, OnDisconnect, Persistence,
    Reads, RedisToken, RedlockSettings, Sequencer, SqlAcquire, SqlClock, SqlHold, TokenWorth,
    TransactionVersion, TransactionalId, Validity,
};
use crate::sim::scenario::{
    CannotFence, ExpiryJudge, Fault, FaultKind, FenceRule, Fixed, LockSystem, Loses, Resource,
    Setting, TokenSource,
};
use crate::sim::{Change, SimDuration, limits};

/// Consul's default, which its documentation took from Chubby's idea.
const LOCK_DELAY: SimDuration = SimDuration::from_secs(15);

/// Deliveries after which an item is dead: what queues are often set to.
const DELIVERIES: u32 = 5;

/// The system that a remedy is of is not this one.
fn of(setup: &Setup<'_>, system: LockSystem) -> Result<(), NotTried> {
    if setup.spec().lock == system { Ok(()) } else { Err(NotTried::NothingCallsForIt) }
}

pub(super) fn owner_check(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::OwnerCheck)
}

pub(super) fn settles_at_the_end(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::SettleAt)
}

pub(super) fn settles_by_handle(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::SettleCheck)
}

/// An item that was delivered again may be so without end.
pub(super) fn dead_letter(setup: &Setup<'_>) -> Offer {
    let is_endless = setup.scenario.rules().item.is_some_and(|item| item.max_deliveries.is_none());
    on(is_endless && setup.run.costs().redeliveries > 0, [Change::MaxDeliveries(DELIVERIES)])
}

pub(super) fn one_step(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::TwoSteps)
}

pub(super) fn waiter_check(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::WaiterCheck)
}

pub(super) fn hand_off_in_order(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::HandOff)
}

/// A lock without an end becomes a lease.
pub(super) fn lease_instead(setup: &Setup<'_>) -> Offer {
    let rules = setup.scenario.rules();
    let is_endless = !rules.has_ttl && !rules.connection_bound;
    on(is_endless, [Change::Lock(LockSystem::LeaseServer)])
}

/// Whoever is cut from the copy is cut from every other node of the majority.
pub(super) fn majority_lock(setup: &Setup<'_>) -> Offer {
    let fails_over = setup.has_fault(|kind| matches!(kind, FaultKind::Failover { .. }));
    on(setup.scenario.rules().has_standby && fails_over, [])?;
    let (copy, others) = (LockNodeId(1), 2..setup.spec().systems.raft_lease.nodes);
    let moved = |node: NodeId, to| if node == NodeId::Lock(copy) { to } else { node };
    let last = setup.spec().faults.iter().map(|fault| fault.id.0).max().unwrap_or_default();
    let mut changes = vec![Change::Lock(LockSystem::RaftLease)];
    for fault in setup.faults() {
        for to in others.clone().map(LockNodeId).map(NodeId::Lock) {
            let mut kind = fault.kind.clone();
            if let FaultKind::Cut { a, b, .. } = &mut kind {
                (*a, *b) = (moved(*a, to), moved(*b, to));
            }
            if kind != fault.kind {
                let n_added = u16::try_from(changes.len()).unwrap_or(u16::MAX);
                let id = FaultId(last.saturating_add(n_added));
                changes.push(Change::AddFault(Fault { id, kind, ..fault.clone() }));
            }
        }
    }
    Ok(changes)
}

/// A lock that a connection holds, as an advisory lock of a database session.
pub(super) fn lives_with_connection(setup: &Setup<'_>) -> Offer {
    if setup.scenario.rules().connection_bound {
        return Err(NotTried::AlreadyOn);
    }
    let advisory = setup.systems(|all| all.sql.hold = SqlHold::Advisory);
    Ok(vec![Change::Lock(LockSystem::Sql), advisory])
}

/// The same with a row of that database, which outlives its holder's connection.
pub(super) fn without_connection(patch: &[Change]) -> Vec<Change> {
    let mut changes = patch.to_vec();
    for change in &mut changes {
        if let Change::Systems(all) = change {
            all.sql.hold = SqlHold::Row;
        }
    }
    changes
}

pub(super) fn connection_kept(setup: &Setup<'_>) -> Offer {
    on(setup.scenario.rules().connection_bound, [])?;
    setup.without_faults(|kind| matches!(kind, FaultKind::ConnectionLost { .. }))
}

pub(super) fn no_idle_timeout(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.sql.idle_timeout = None)
}

pub(super) fn database_clock(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.sql.clock = SqlClock::Database)
}

pub(super) fn service_judges(setup: &Setup<'_>) -> Offer {
    let asks_others = setup.scenario.rules().expiry == ExpiryJudge::HoldersTimestamp;
    on(asks_others, [])?;
    setup.neutral(Setting::Expiry)
}

pub(super) fn observers_judge(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Expiry)?;
    let asks_others = setup.scenario.rules().expiry == ExpiryJudge::HoldersTimestamp;
    on(asks_others, [Change::Expiry(ExpiryJudge::Observers)])
}

pub(super) fn monotonic_clock(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::ServiceClock)
}

pub(super) fn clocks_agree(setup: &Setup<'_>) -> Offer {
    setup.without_faults(|kind| {
        matches!(kind, FaultKind::ClockJump { .. } | FaultKind::ClockRate { .. })
    })
}

fn loses(kind: &FaultKind) -> Option<Loses> {
    match kind {
        FaultKind::ServiceRestart { loses, .. } => Some(*loses).filter(|it| *it != Loses::Nothing),
        _ => None,
    }
}

fn losing(kind: &FaultKind, less: Loses) -> FaultKind {
    let mut kind = kind.clone();
    if let FaultKind::ServiceRestart { loses, .. } = &mut kind {
        *loses = less;
    }
    kind
}

/// Nothing is lost in a restart. Redlock says that by a setting.
pub(super) fn keeps_its_state(setup: &Setup<'_>) -> Offer {
    if of(setup, LockSystem::Redlock).is_ok() {
        on(setup.has_fault(|kind| loses(kind).is_some()), [])?;
        return setup.documented(|all| all.redlock.persistence = Persistence::Always);
    }
    setup.with_faults(|kind| loses(kind).map(|_| losing(kind, Loses::Nothing)))
}

/// The leases may be lost, the counter of tokens is not, and a fence looks at them.
pub(super) fn keeps_its_counter(setup: &Setup<'_>) -> Offer {
    let mut changes = setup.with_faults(|kind| match loses(kind)? {
        Loses::Everything | Loses::SinceSnapshot => Some(losing(kind, Loses::Leases)),
        Loses::Nothing | Loses::Leases => None,
    })?;
    if setup.scenario.rules().worth != TokenWorth::Ordered {
        return Err(NotTried::NoOrderedToken);
    }
    if setup.scenario.cannot_fence().is_none() {
        changes.extend(tokens_compared(setup));
    }
    Ok(changes)
}

pub(super) fn bumps_revision(setup: &Setup<'_>) -> Offer {
    let restores = setup
        .has_fault(|kind| matches!(loses(kind), Some(Loses::SinceSnapshot | Loses::Everything)));
    on(restores, [])?;
    setup.documented(|all| all.etcd.bump_revision = true)
}

pub(super) fn delayed_restart(setup: &Setup<'_>) -> Offer {
    of(setup, LockSystem::Redlock)?;
    let restarts = setup.has_fault(|kind| matches!(kind, FaultKind::ServiceRestart { .. }));
    on(restarts, [])?;
    setup.documented(|all| all.redlock.delayed_restart = true)
}

pub(super) fn lock_delay(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    // Consul has one of its own.
    let consuls = setup.documented(|all| all.consul.lock_delay = LOCK_DELAY);
    let changes = match setup.open(Fixed::LockDelay) {
        Ok(()) => vec![Change::LockDelay(LOCK_DELAY)],
        Err(settled) => consuls.map_err(|_| settled)?,
    };
    unless(setup.scenario.rules().lock_delay >= LOCK_DELAY, changes)
}

/// Twice the time to live, of each client that asks for one of its own, too.
pub(super) fn longer_lease(setup: &Setup<'_>) -> Offer {
    let twice = |ttl: SimDuration| ttl.times(2).min(limits::MAX_DURATION);
    let clients = (0..).map(ClientId).zip(&setup.spec().clients);
    let own = clients.filter_map(|(client, asks)| {
        Some(Change::ClientTtl { client, ttl: Some(twice(asks.ttl?)) })
    });
    Ok(std::iter::once(Change::Ttl(twice(setup.ttl()?))).chain(own).collect())
}

/// A token that a fence can compare, and the fence.
pub(super) fn token_that_grows(setup: &Setup<'_>) -> Offer {
    if let Some(CannotFence::Resource(_)) = setup.scenario.cannot_fence() {
        return Err(NotTried::CannotCheck);
    }
    let rules = setup.scenario.rules();
    // Of its systems a scenario has one: the others' settings alter nothing.
    let mut grows = setup.systems(|all| {
        all.etcd.token = EtcdToken::CreateRevision;
        all.redis.token = RedisToken::Counter;
        all.chubby.sequencer = Sequencer::InstanceAndGeneration;
        all.kubernetes.token = KubernetesToken::Transitions;
    });
    let is_ordered = rules.worth == TokenWorth::Ordered;
    let wraps = rules.token_source == TokenSource::Sequence32;
    if setup.open(Fixed::TokenSource).is_ok() {
        on(!is_ordered || wraps, [])?;
        grows = Change::TokenSource(TokenSource::Counter);
    }
    on(setup.alters(std::slice::from_ref(&grows)), []).map_err(|nothing| match is_ordered {
        true => nothing,
        false => NotTried::NoOrderedToken,
    })?;
    Ok(vec![grows, Change::Fencing(true), Change::Rule(FenceRule::RejectLower), EVERY_STORE])
}

pub(super) fn names_by_number(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.zookeeper.order = NameOrder::Number)
}

pub(super) fn finds_its_node(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.zookeeper.guid = true)
}

pub(super) fn lets_go_on_disconnect(setup: &Setup<'_>) -> Offer {
    let mut changes = setup.documented(|all| all.zookeeper.on_disconnect = OnDisconnect::LetsGo)?;
    changes.extend(stops_at_once(setup));
    Ok(changes)
}

pub(super) fn keeps_the_key(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.consul.behavior = Behavior::Release)
}

pub(super) fn validity_from_the_try(setup: &Setup<'_>) -> Offer {
    of(setup, LockSystem::Redlock)?;
    setup.documented(|all| all.redlock.validity = Validity::FromTheTry)
}

pub(super) fn five_nodes(setup: &Setup<'_>) -> Offer {
    of(setup, LockSystem::Redlock)?;
    let nodes = RedlockSettings::default().nodes;
    let is_on = setup.scenario.rules().n_nodes >= nodes;
    unless(is_on, [setup.systems(|all| all.redlock.nodes = nodes)])
}

pub(super) fn conditional_update(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.sql.acquire = SqlAcquire::ConditionalUpdate)
}

pub(super) fn usual_marks(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.dhcp = DhcpSettings::default())
}

pub(super) fn sticky_votes(setup: &Setup<'_>) -> Offer {
    of(setup, LockSystem::RaftLeader)?;
    setup.documented(|all| all.raft_leader.sticky = true)
}

pub(super) fn reads_by_index(setup: &Setup<'_>) -> Offer {
    of(setup, LockSystem::RaftLeader)?;
    on(setup.any(asks_before_it_writes), [])?;
    setup.documented(|all| all.raft_leader.reads = Reads::Index)
}

/// client-go's own proportion: it tries to renew for two thirds of the lease.
pub(super) fn renew_deadline(setup: &Setup<'_>) -> Offer {
    let two_thirds = SimDuration::from_micros(setup.ttl()?.times(2).micros() / 3);
    setup.documented(|all| all.kubernetes.renew_deadline = two_thirds)
}

pub(super) fn one_transactional_id(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.kafka_producer.transactional_id = TransactionalId::Stable)
}

pub(super) fn second_protocol(setup: &Setup<'_>) -> Offer {
    setup.documented(|all| all.kafka_producer.version = TransactionVersion::Two)
}

/// etcd instead of this lock, fenced by the create revision of the lock's key.
pub(super) fn etcd(setup: &Setup<'_>) -> Offer {
    if let Some(CannotFence::Resource(_)) = setup.scenario.cannot_fence() {
        return Err(NotTried::CannotCheck);
    }
    let mut changes = vec![
        Change::Lock(LockSystem::Etcd),
        setup.systems(|all| all.etcd.token = EtcdToken::CreateRevision),
        Change::Fencing(true),
        EVERY_STORE,
    ];
    if setup.open(Fixed::Rule).is_ok() {
        changes.push(Change::Rule(FenceRule::RejectLower));
    }
    unless(setup.spec().lock == LockSystem::Etcd, changes)
}

/// The value is a key of etcd, written in a transaction that compares the lock's key.
pub(super) fn etcd_transaction(setup: &Setup<'_>) -> Offer {
    let etcd = setup.systems(|all| all.etcd.token = EtcdToken::CreateRevision);
    in_one_transaction(setup, LockSystem::Etcd, etcd)
}

/// The value lies beside the lock's row: the transaction that writes it looks at the lock, by the
/// database's clock.
pub(super) fn sql_transaction(setup: &Setup<'_>) -> Offer {
    let row = setup.systems(|all| {
        all.sql.hold = SqlHold::Row;
        all.sql.clock = SqlClock::Database;
        all.sql.acquire = SqlAcquire::ConditionalUpdate;
    });
    in_one_transaction(setup, LockSystem::Sql, row)
}

fn in_one_transaction(setup: &Setup<'_>, system: LockSystem, its_own: Change) -> Offer {
    // What is outside cannot be put into a database.
    if setup.spec().storage.resource == Resource::ExternalCall {
        return Err(NotTried::CannotCheck);
    }
    Ok(vec![
        Change::Lock(system),
        its_own,
        Change::Resource(Resource::Generic),
        Change::Fencing(true),
        Change::Rule(FenceRule::SameTransaction),
        Change::Seal(false),
        // The value lies in the lock's own database, which looks at every write.
        EVERY_STORE,
    ])
}
