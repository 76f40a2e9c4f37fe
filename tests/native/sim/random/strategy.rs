//! Strategies: scenarios of three clients with every setting and every fault, long enough for
//! several grants.

use fenceline::sim::clock::ClockKind;
use fenceline::sim::id::{ClientId, FaultId, LockNodeId, NodeId, StoreId};
use fenceline::sim::lock::{
    AskOrder, KafkaLeaderSettings, KafkaProducerSettings, Persistence, RaftLeaseSettings,
    RedlockSettings, SYSTEMS, SystemSettings, TransactionVersion, TransactionalId, WaitsFor,
};
use fenceline::sim::message::MessageKind;
use fenceline::sim::scenario::{
    Check, ClientSettings, ClientSpec, CrashScope, Deadline, Ends, ExpiryJudge, Fault, FaultKind,
    FenceRule, HandOff, Identity, Late, LeaseCap, LeaseSpec, Length, LockSystem, Loses,
    MessageAddress, NamedStep, OnConflict, OnLoss, Operation, PauseKind, PauseScope, Piece,
    Progress, RESOURCES, Ratio, Reenters, RefusedRelease, Renew, RenewCap, RenewFailure, RenewedBy,
    Repeat, Resource, SettleAt, SettleCheck, SettleRefusal, Start, StorageSettings, TokenSource,
    Unchecked, Wait, Whole, WorkKind,
};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{FencingToken, Scenario, ScenarioSpec, SimDuration, SimTime};
use proptest::prelude::*;
use proptest::sample::select;

const SERVICE: NodeId = NodeId::Lock(LockNodeId(0));
const STORE: NodeId = NodeId::Store(StoreId(0));
pub(super) const LENGTH: SimDuration = SimDuration::from_secs(40);

pub(super) fn duration(most_ms: u64) -> impl Strategy<Value = SimDuration> {
    // Coarse values meet at the same instants often; fine ones part them by microseconds.
    let coarse = (0..=most_ms / 100).prop_map(|tenths| SimDuration::from_millis(tenths * 100));
    prop_oneof![3 => coarse, 1 => (0..=most_ms * 1_000).prop_map(SimDuration::from_micros)]
}

fn time(most_ms: u64) -> impl Strategy<Value = SimTime> {
    duration(most_ms).prop_map(|after| SimTime::ZERO + after)
}

/// Mostly the usual value, so that what is unusual is met on its own as well as together.
fn rarely<T: Clone + std::fmt::Debug + 'static>(
    usual: T,
    unusual: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = T> {
    prop_oneof![3 => Just(usual), 1 => unusual]
}

fn renew() -> impl Strategy<Value = Renew> {
    prop_oneof![
        Just(Renew::Off),
        Just(Renew::Share(Ratio::THIRD)),
        (100_u64..4_000).prop_map(|ms| Renew::Every(SimDuration::from_millis(ms))),
    ]
}

fn wait() -> impl Strategy<Value = Wait> {
    let poll = (100_u64..2_000, duration(500))
        .prop_map(|(ms, jitter)| Wait::Poll { every: SimDuration::from_millis(ms), jitter });
    rarely(Wait::Queue, poll)
}

fn work() -> impl Strategy<Value = ClientSettings> {
    use Operation::{ExternalEffect, Overwrite, ReadModifyWrite};
    let operation = select(&[Overwrite, ReadModifyWrite, ReadModifyWrite, ExternalEffect]);
    let piece = rarely(Piece::Own, Just(Piece::Shared));
    let kind = select(&[WorkKind::Waiting, WorkKind::Computing]);
    let check = rarely(Check::Off, select(&[Check::OwnBelief, Check::AsksService]));
    let repeat = prop_oneof![Just(Repeat::Off), duration(2_000).prop_map(Repeat::After)];
    let release_early = rarely(None, duration(4_000).prop_map(Some));
    let rereads = rarely(false, Just(true));
    let all = (
        operation,
        piece,
        duration(4_000),
        kind,
        1_u32..4,
        check,
        rereads,
        any::<bool>(),
        release_early,
        (repeat, rarely(SimDuration::ZERO, duration(6_000)), any::<bool>()),
    );
    all.prop_map(|drawn| ClientSettings {
        operation: drawn.0,
        piece: drawn.1,
        work: drawn.2,
        work_kind: drawn.3,
        writes_per_grant: drawn.4,
        check: drawn.5,
        rereads_token: drawn.6,
        release: drawn.7,
        release_early: drawn.8,
        repeat: drawn.9.0,
        starts_after: drawn.9.1,
        renews_waiting: drawn.9.2,
        ..ClientSettings::default()
    })
}

fn settings() -> impl Strategy<Value = ClientSettings> {
    use RenewFailure::{GivesUp, Reacquires, TriesSooner};
    let failure = select(&[TriesSooner, GivesUp, Reacquires]);
    let deadline = select(&[Deadline::FromSend, Deadline::FromReceipt]);
    let on_loss = prop_oneof![duration(3_000).prop_map(OnLoss::StopsAfter), Just(OnLoss::Dies),];
    let timeout = (300_u64..3_000).prop_map(|ms| Some(SimDuration::from_millis(ms)));
    let cap = (100_u64..9_000).prop_map(|ms| RenewCap::After(SimDuration::from_millis(ms)));
    let progress = (any::<bool>(), 100_u64..6_000).prop_map(|(leaves, ms)| {
        let after = SimDuration::from_millis(ms);
        if leaves { Progress::LeavesAfter(after) } else { Progress::StopsAfter(after) }
    });
    let bounds = (
        rarely(RenewCap::Off, cap),
        prop_oneof![7 => Just(RenewedBy::Renewer), 1 => Just(RenewedBy::Worker)],
        rarely(Progress::Off, progress),
    );
    let belief = (
        rarely(RenewFailure::TriesAgain, failure),
        rarely(Deadline::Off, deadline),
        rarely(SimDuration::ZERO, duration(500)),
        rarely(0, 1_u32..200_000),
        rarely(OnLoss::GoesOn, on_loss),
    );
    let asking = (
        wait(),
        rarely(false, Just(true)),
        rarely(Identity::Unique, Just(Identity::Shared)),
        rarely(None, timeout),
        0_u32..3,
    );
    let again =
        (100_u64..2_000).prop_map(|ms| RefusedRelease::SentAgain(SimDuration::from_millis(ms)));
    let twice = (
        rarely(Reenters::Off, select(&[Reenters::SameToken, Reenters::NewToken])),
        rarely(RefusedRelease::GoesOn, again),
        rarely(OnConflict::GivesUp, Just(OnConflict::Retries)),
        rarely(Whole::Step, Just(Whole::Piece)),
    );
    let all = (work(), renew(), belief, asking, twice, bounds);
    all.prop_map(|(work, renew, belief, asking, twice, bounds)| ClientSettings {
        renew,
        renew_cap: bounds.0,
        renewed_by: bounds.1,
        progress: bounds.2,
        renew_failure: belief.0,
        deadline: belief.1,
        deadline_margin: belief.2,
        deadline_rate_error_ppm: belief.3,
        on_loss: belief.4,
        wait: asking.0,
        session: asking.1,
        identity: asking.2,
        timeout: asking.3,
        retries: asking.4,
        reenters: twice.0,
        refused_release: twice.1,
        on_conflict: twice.2,
        whole: twice.3,
        ..work
    })
}

/// One client, which differs from the others now and then.
fn client() -> impl Strategy<Value = ClientSpec> {
    let ttl = (500_u64..5_000).prop_map(|ms| Some(SimDuration::from_millis(ms)));
    let own = (
        rarely(None, ttl),
        rarely(None, renew().prop_map(Some)),
        rarely(None, duration(4_000).prop_map(Some)),
        rarely(None, wait().prop_map(Some)),
        rarely(None, any::<bool>().prop_map(Some)),
        rarely(None, any::<bool>().prop_map(Some)),
    );
    (time(3_000), own).prop_map(|(asks_at, own)| ClientSpec {
        ttl: own.0,
        renew: own.1,
        work: own.2,
        wait: own.3,
        session: own.4,
        release: own.5,
        ..ClientSpec::asking_at(asks_at)
    })
}

/// When the end of a lease is acted on.
fn ends() -> impl Strategy<Value = (Ends, Late)> {
    let every = || (100_u64..6_000).prop_map(SimDuration::from_millis);
    let ends = prop_oneof![
        (every(), duration(6_000)).prop_map(|(every, phase)| Ends::AtSweep { every, phase }),
        every().prop_map(|every| Ends::SecondLook { every }),
        Just(Ends::WhenTaken),
    ];
    (rarely(Ends::OnTime, ends), rarely(Late::Accepted, Just(Late::Refused)))
}

/// An item of a queue, and how it is settled.
fn item() -> impl Strategy<Value = (bool, SettleAt, SettleCheck, SettleRefusal, u32)> {
    (
        prop_oneof![7 => Just(false), 1 => Just(true)],
        rarely(SettleAt::End, Just(SettleAt::Begin)),
        rarely(SettleCheck::Handle, select(&[SettleCheck::State, SettleCheck::Item])),
        rarely(SettleRefusal::Told, Just(SettleRefusal::Silent)),
        rarely(0, 1_u32..4),
    )
}

fn lease() -> impl Strategy<Value = LeaseSpec> {
    use TokenSource::{
        Constant, EpochAndCounter, LeaseId, Revision, RevisionAtEnqueue, Sequence32,
    };
    let grow = [Revision, RevisionAtEnqueue, Sequence32, EpochAndCounter];
    let source = select([&grow[..], &[LeaseId, Constant]].concat());
    let judges = [ExpiryJudge::HoldersTimestamp, ExpiryJudge::Observers];
    let first = select(vec![FencingToken(i64::from(i32::MAX) - 1), FencingToken(-2)]);
    let cap = (any::<bool>(), 1_000_u64..12_000).prop_map(|(cut, ms)| {
        let longest = SimDuration::from_millis(ms);
        if cut { LeaseCap::CutAfter(longest) } else { LeaseCap::RefusedAfter(longest) }
    });
    let times = (
        (500_u64..5_000, rarely(LeaseCap::Off, cap)),
        rarely(SimDuration::ZERO, duration(1_000)),
        rarely(SimDuration::ZERO, duration(1_000)),
        rarely(SimDuration::ZERO, duration(6_000)),
        ends(),
        item(),
    );
    let rest = (
        rarely(FencingToken(33), first),
        rarely(TokenSource::Counter, source),
        rarely(true, Just(false)),
        rarely(ExpiryJudge::Service, select(judges.to_vec())),
        select(&[ClockKind::Monotonic, ClockKind::Wall]),
        rarely(false, Just(true)),
        rarely(false, Just(true)),
        rarely(true, Just(false)),
        rarely(HandOff::InOrder, Just(HandOff::Random)),
    );
    (times, rest).prop_map(
        |(((ttl, cap), lock_delay, grace, min_hold, (ends, late), item), rest)| LeaseSpec {
            cap,
            ttl: SimDuration::from_millis(ttl),
            // Who judges by watching ends a lease by taking it, and then nobody waits for it.
            ends: if rest.3 == ExpiryJudge::Observers { Ends::OnTime } else { ends },
            late,
            item: item.0,
            settle_at: item.1,
            settle_check: item.2,
            settle_refusal: item.3,
            max_deliveries: item.4,
            first_token: rest.0,
            token_source: rest.1,
            owner_check: rest.2,
            lock_delay: if ends == Ends::WhenTaken { SimDuration::ZERO } else { lock_delay },
            grace,
            min_hold,
            expiry: rest.3,
            clock: rest.4,
            connection_bound: rest.5,
            two_steps: rest.6,
            waiter_check: rest.7,
            hand_off: rest.8,
        },
    )
}

fn unchecked() -> impl Strategy<Value = Unchecked> {
    let last = Unchecked::Last(1);
    // There is at least one store.
    let first = Unchecked::These(vec![StoreId(0)]);
    select(vec![last, first, Unchecked::These(Vec::new())])
}

fn storage() -> impl Strategy<Value = StorageSettings> {
    use FenceRule::{
        DataVersion, MustMatch, RejectLower, RejectLowerOrEqual, SameTransaction, TimeFence,
    };
    let rules = [RejectLowerOrEqual, MustMatch, DataVersion, TimeFence, SameTransaction];
    let all = (
        any::<bool>(),
        rarely(RejectLower, select(rules.to_vec())),
        any::<bool>(),
        1_u8..3,
        rarely(Unchecked::NONE, unchecked()),
        rarely(false, Just(true)),
        rarely(SimDuration::ZERO, duration(500)),
        rarely(true, Just(false)),
        rarely(Resource::Generic, select(RESOURCES.map(|info| info.resource).to_vec())),
        rarely(false, Just(true)),
    );
    all.prop_map(|drawn| StorageSettings {
        fencing: drawn.0,
        rule: drawn.1,
        seal: drawn.2,
        stores: drawn.3,
        unchecked_stores: drawn.4,
        idempotent: drawn.5,
        check_gap: drawn.6,
        durable: drawn.7,
        resource: drawn.8,
        missing_row: drawn.9,
    })
}

/// Whether a fence may ask who holds the lock; what is protected can settle that as well.
fn asks_who_holds(storage: &StorageSettings) -> bool {
    storage.rule == FenceRule::SameTransaction || storage.resource != Resource::Generic
}

fn who() -> impl Strategy<Value = ClientId> {
    (0_u8..3).prop_map(ClientId)
}

fn node() -> impl Strategy<Value = NodeId> {
    prop_oneof![who().prop_map(NodeId::Client), Just(SERVICE), Just(STORE)]
}

pub(super) fn pause() -> impl Strategy<Value = FaultKind> {
    let scope = select(&[PauseScope::Client, PauseScope::Worker, PauseScope::Renewer]);
    let kind = select(&[PauseKind::Process, PauseKind::Suspend]);
    let step = (select(&NamedStep::ALL[..]), 1_u32..4);
    let start = prop_oneof![
        2 => time(12_000).prop_map(Start::At),
        1 => step.prop_map(|(step, nth)| Start::Step { step, nth }),
    ];
    (who(), scope, kind, start, duration(9_000)).prop_map(|(client, scope, kind, start, length)| {
        FaultKind::Pause { client, scope, kind, start, length }
    })
}

fn crash() -> impl Strategy<Value = FaultKind> {
    let scope = rarely(CrashScope::Client, Just(CrashScope::Worker));
    let restart = prop::option::of(duration(5_000));
    (who(), scope, time(12_000), restart).prop_map(|(client, scope, at, restart_after)| {
        FaultKind::Crash { client, scope, at, restart_after }
    })
}

fn message() -> impl Strategy<Value = MessageAddress> {
    use MessageKind::{
        Acquire, Check, Granted, KeepAlive, Queued, Read, Release, Renew, Renewed, Seal, Value,
        Write, WriteAccepted,
    };
    let outward = [
        (SERVICE, Acquire),
        (SERVICE, Renew),
        (SERVICE, KeepAlive),
        (SERVICE, Release),
        (SERVICE, Check),
        (STORE, Seal),
        (STORE, Read),
        (STORE, Write),
    ];
    let inward = [
        (SERVICE, Granted),
        (SERVICE, Queued),
        (SERVICE, Renewed),
        (STORE, Value),
        (STORE, WriteAccepted),
    ];
    let outward = outward.map(|(other, kind)| (true, other, kind));
    let inward = inward.map(|(other, kind)| (false, other, kind));
    let all = [&outward[..], &inward[..]].concat();
    (who(), select(all), 1_u32..3).prop_map(|(client, (outward, other, kind), nth)| {
        let client = NodeId::Client(client);
        let (from, to) = if outward { (client, other) } else { (other, client) };
        MessageAddress { from, to, kind, nth }
    })
}

fn message_fault() -> impl Strategy<Value = FaultKind> {
    let late = (message(), duration(9_000));
    prop_oneof![
        late.prop_map(|(message, by)| FaultKind::Delay { message, by }),
        message().prop_map(|message| FaultKind::Lose { message }),
        (message(), duration(9_000))
            .prop_map(|(message, after)| FaultKind::Duplicate { message, after }),
    ]
}

fn cut() -> impl Strategy<Value = FaultKind> {
    let other = select(&[SERVICE, STORE]);
    (who(), other, time(12_000), duration(9_000), any::<bool>()).prop_map(
        |(client, b, at, length, held)| FaultKind::Cut {
            a: NodeId::Client(client),
            b,
            at,
            length,
            held,
        },
    )
}

fn clock() -> impl Strategy<Value = FaultKind> {
    let jump = (node(), time(12_000), -9_000_000_i64..9_000_000);
    let rate = (node(), prop_oneof![-200_000..200_000, -500_000..=1_000_000]);
    prop_oneof![
        jump.prop_map(|(node, at, by)| FaultKind::ClockJump {
            node,
            at,
            by: ClockShift::from_micros(by),
        }),
        rate.prop_map(|(node, ppm)| FaultKind::ClockRate { node, ppm }),
    ]
}

fn service() -> impl Strategy<Value = FaultKind> {
    let loses = select(&[Loses::Nothing, Loses::Leases, Loses::Everything]);
    let restart = (time(12_000), duration(5_000), loses);
    prop_oneof![
        restart.prop_map(|(at, length, loses)| {
            FaultKind::ServiceRestart { node: None, at, length, loses }
        }),
        (time(12_000), duration(5_000), any::<bool>())
            .prop_map(|(at, length, lives_on)| FaultKind::Failover { at, length, lives_on }),
        time(12_000).prop_map(|at| FaultKind::StoreRestart { store: StoreId(0), at }),
        (who(), time(12_000)).prop_map(|(client, at)| FaultKind::ConnectionLost { client, at }),
    ]
}

/// What only some systems have.
fn system_settings() -> impl Strategy<Value = SystemSettings> {
    let node_timeout = rarely(SimDuration::from_millis(500), duration(3_000));
    let redlock = (1_u8..6, any::<[bool; 4]>(), node_timeout);
    let kafka = (rarely(SimDuration::ZERO, duration(4_000)), any::<[bool; 2]>(), 500_u64..9_000);
    let raft = (1_u8..6, any::<[bool; 2]>(), 200_u64..4_000);
    (redlock, kafka, raft).prop_map(|(redlock, kafka, raft)| {
        let ((nodes, flags, node_timeout), (metadata_lag, ids, looks)) = (redlock, kafka);
        let (members, [sticky, check_quorum], election) = raft;
        let raft_lease = RaftLeaseSettings {
            nodes: members,
            sticky,
            check_quorum,
            election_timeout: SimDuration::from_millis(election),
            ..RaftLeaseSettings::default()
        };
        let [disk, delayed_restart, in_turn, all] = flags;
        let [random, one] = ids;
        let looks_every = SimDuration::from_millis(looks);
        let kafka_leader = KafkaLeaderSettings { metadata_lag, ..KafkaLeaderSettings::default() };
        let kafka_producer = KafkaProducerSettings {
            transactional_id: if random {
                TransactionalId::Random
            } else {
                TransactionalId::Stable
            },
            version: if one { TransactionVersion::One } else { TransactionVersion::Two },
            looks_every,
            ..KafkaProducerSettings::default()
        };
        let redlock = RedlockSettings {
            nodes,
            persistence: if disk { Persistence::Always } else { Persistence::Memory },
            delayed_restart,
            order: if in_turn { AskOrder::InTurn } else { AskOrder::AtOnce },
            waits_for: if all { WaitsFor::All } else { WaitsFor::Majority },
            node_timeout: node_timeout.max(SimDuration::from_millis(1)),
            ..RedlockSettings::default()
        };
        SystemSettings {
            redlock,
            kafka_leader,
            kafka_producer,
            raft_lease,
            ..SystemSettings::default()
        }
    })
}

/// A fault of the service strikes one of its nodes: which one, its number says.
fn at_some_node(mut kind: FaultKind, id: u16, n_nodes: u8) -> FaultKind {
    let some = LockNodeId(u8::try_from(id % u16::from(n_nodes)).unwrap_or_default());
    let place = |node: &mut NodeId| {
        if *node == SERVICE {
            *node = NodeId::Lock(some);
        }
    };
    match &mut kind {
        FaultKind::Cut { a, b, .. } => [a, b].into_iter().for_each(place),
        FaultKind::ClockJump { node, .. } | FaultKind::ClockRate { node, .. } => place(node),
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => {
            [&mut message.from, &mut message.to].into_iter().for_each(place);
        }
        FaultKind::ServiceRestart { node, .. } => *node = Some(some).filter(|_| n_nodes > 1),
        FaultKind::Pause { .. }
        | FaultKind::Crash { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. }
        | FaultKind::Failover { .. } => {}
    }
    kind
}

/// Any scenario of three clients with up to four faults.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    let fault = prop_oneof![
        4 => pause(), 2 => crash(), 2 => message_fault(), 1 => cut(), 1 => clock(), 1 => service(),
    ];
    let clients = prop::collection::vec(client(), 3);
    let faults = prop::collection::vec(fault, 0..5);
    let systems: Vec<_> = SYSTEMS.iter().map(|info| info.system).collect();
    let system = prop_oneof![3 => Just(LockSystem::LeaseServer), 2 => select(systems)];
    let services = (system, lease(), duration(300), storage(), system_settings());
    let all = (any::<u32>(), services, settings(), clients, faults);
    all.prop_map(|(seed, services, defaults, clients, faults)| {
        let (lock, lease, latency, storage, systems) = services;
        let n_nodes = match lock {
            LockSystem::Redlock => systems.redlock.nodes,
            LockSystem::RaftLeader => systems.raft_leader.nodes,
            LockSystem::RaftLease => systems.raft_lease.nodes,
            LockSystem::Plain
            | LockSystem::LeaseServer
            | LockSystem::Etcd
            | LockSystem::Redis
            | LockSystem::ZooKeeper
            | LockSystem::Chubby
            | LockSystem::Consul
            | LockSystem::Sql
            | LockSystem::Dhcp
            | LockSystem::Kubernetes
            | LockSystem::KafkaLeader
            | LockSystem::KafkaProducer => 1,
        };
        let faults = faults.into_iter().zip(1..).map(|(kind, id)| Fault {
            id: FaultId(id),
            label: String::new(),
            enabled: true,
            kind: at_some_node(kind, id, n_nodes),
        });
        let mut lease = lease;
        // Who has settled first holds nothing that a fence could ask for.
        if asks_who_holds(&storage) {
            lease.settle_at = SettleAt::End;
        }
        let spec = ScenarioSpec {
            seed,
            length: Length::Fixed(LENGTH),
            lock,
            product: None,
            lease,
            systems,
            // Without any travel time a repeating worker without work would spin at one instant.
            latency: SimDuration::from_micros(latency.micros().max(1_000)),
            storage,
            defaults,
            clients,
            faults: faults.collect(),
        };
        Scenario::new(spec).expect("the strategy stays within the limits")
    })
}
