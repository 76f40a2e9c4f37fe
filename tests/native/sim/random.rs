//! Random scenarios: what must hold holds in all of them, and what may fail is found failing.
//! `PROPTEST_CASES=100000 cargo test random` looks harder than the 256 cases of a usual run.

use fenceline::sim::id::{ClientId, FaultId, LockNodeId, NodeId, StoreId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::PropertyId;
use fenceline::sim::scenario::{
    Check, ClientSettings, ClientSpec, CrashScope, Fault, FaultKind, FenceRule, LeaseSpec, Length,
    LockSystem, MessageAddress, NamedStep, Operation, PauseKind, PauseScope, Ratio, Renew, Repeat,
    Start, StorageSettings, WorkKind,
};
use fenceline::sim::{Change, Recording, Scenario, ScenarioSpec, SimDuration, SimTime, World};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::is_broken;

fn duration(most_ms: u64) -> impl Strategy<Value = SimDuration> {
    // Coarse values meet at the same instants often; fine ones part them by microseconds.
    let coarse = (0..=most_ms / 100).prop_map(|tenths| SimDuration::from_millis(tenths * 100));
    prop_oneof![3 => coarse, 1 => (0..=most_ms * 1_000).prop_map(SimDuration::from_micros)]
}

fn settings() -> impl Strategy<Value = ClientSettings> {
    let renew = prop_oneof![
        Just(Renew::Off),
        Just(Renew::Share(Ratio::THIRD)),
        (100_u64..4_000).prop_map(|ms| Renew::Every(SimDuration::from_millis(ms))),
    ];
    let operation = prop_oneof![Just(Operation::Overwrite), Just(Operation::ReadModifyWrite)];
    let kind = prop_oneof![Just(WorkKind::Waiting), Just(WorkKind::Computing)];
    let check = prop_oneof![Just(Check::Off), Just(Check::AsksService)];
    let repeat = prop_oneof![Just(Repeat::Off), duration(2_000).prop_map(Repeat::After)];
    let all = (
        renew,
        operation,
        duration(4_000),
        kind,
        1_u32..4,
        check,
        any::<bool>(),
        repeat,
    );
    all.prop_map(
        |(renew, operation, work, work_kind, writes_per_grant, check, release, repeat)| {
            ClientSettings {
                renew,
                operation,
                work,
                work_kind,
                writes_per_grant,
                check,
                release,
                repeat,
                ..ClientSettings::default()
            }
        },
    )
}

fn start() -> impl Strategy<Value = Start> {
    let step = (prop::sample::select(&NamedStep::ALL[..]), 1_u32..4);
    prop_oneof![
        2 => duration(12_000).prop_map(|after| Start::At(SimTime::ZERO + after)),
        1 => step.prop_map(|(step, nth)| Start::Step { step, nth }),
    ]
}

fn pause() -> impl Strategy<Value = FaultKind> {
    let scope =
        prop::sample::select(&[PauseScope::Client, PauseScope::Worker, PauseScope::Renewer]);
    let kind = prop::sample::select(&[PauseKind::Process, PauseKind::Suspend]);
    (0_u8..3, scope, kind, start(), duration(9_000)).prop_map(
        |(client, scope, kind, start, length)| FaultKind::Pause {
            client: ClientId(client),
            scope,
            kind,
            start,
            length,
        },
    )
}

fn crash() -> impl Strategy<Value = FaultKind> {
    (0_u8..3, duration(12_000), prop::option::of(duration(5_000))).prop_map(
        |(client, at, restart_after)| {
            let at = SimTime::ZERO + at;
            FaultKind::Crash {
                client: ClientId(client),
                scope: CrashScope::Client,
                at,
                restart_after,
            }
        },
    )
}

fn delay() -> impl Strategy<Value = FaultKind> {
    let service = NodeId::Lock(LockNodeId(0));
    let store = NodeId::Store(StoreId(0));
    let kinds = vec![
        (true, service, MessageKind::Acquire),
        (true, service, MessageKind::Renew),
        (true, service, MessageKind::Release),
        (false, service, MessageKind::Granted),
        (true, store, MessageKind::Write),
        (false, store, MessageKind::WriteAccepted),
    ];
    (
        0_u8..3,
        prop::sample::select(kinds),
        1_u32..3,
        duration(9_000),
    )
        .prop_map(|(client, (outward, other, kind), nth, by)| {
            let client = NodeId::Client(ClientId(client));
            let (from, to) = if outward {
                (client, other)
            } else {
                (other, client)
            };
            FaultKind::Delay {
                message: MessageAddress {
                    from,
                    to,
                    kind,
                    nth,
                },
                by,
            }
        })
}

/// A scenario of three clients with up to four faults, long enough for several grants.
fn scenario() -> impl Strategy<Value = Scenario> {
    scenario_of(prop_oneof![4 => pause(), 2 => crash(), 1 => delay()])
}

fn scenario_of(fault: impl Strategy<Value = FaultKind>) -> impl Strategy<Value = Scenario> {
    let rules = [
        FenceRule::RejectLower,
        FenceRule::RejectLowerOrEqual,
        FenceRule::MustMatch,
    ];
    let storage = (
        any::<bool>(),
        prop::sample::select(rules.to_vec()),
        any::<bool>(),
        1_u8..3,
    );
    let clients = prop::collection::vec(duration(3_000), 3);
    let faults = prop::collection::vec(fault, 0..4);
    let system = prop_oneof![4 => Just(LockSystem::LeaseServer), 1 => Just(LockSystem::Plain)];
    let lock = (system, 500_u64..5_000, any::<bool>());
    let all = (lock, duration(300), storage, settings(), clients, faults);
    all.prop_map(
        |((lock, ttl, owner_check), latency, storage, defaults, clients, faults)| {
            let (fencing, rule, seal, stores) = storage;
            let clients = clients
                .into_iter()
                .map(|after| ClientSpec::asking_at(SimTime::ZERO + after));
            let faults = faults.into_iter().zip(1..).map(|(kind, id)| Fault {
                id: FaultId(id),
                label: String::new(),
                enabled: true,
                kind,
            });
            let ttl = SimDuration::from_millis(ttl);
            let spec = ScenarioSpec {
                seed: 1,
                length: Length::Fixed(SimDuration::from_secs(40)),
                lock,
                lease: LeaseSpec {
                    ttl,
                    owner_check,
                    ..LeaseSpec::default()
                },
                // Without any travel time a repeating worker without work would spin at one instant.
                latency: SimDuration::from_micros(latency.micros().max(1_000)),
                storage: StorageSettings {
                    fencing,
                    rule,
                    seal,
                    stores,
                    ..StorageSettings::default()
                },
                defaults,
                clients: clients.collect(),
                faults: faults.collect(),
            };
            Scenario::new(spec).expect("the strategy stays within the limits")
        },
    )
}

fn run(scenario: &Scenario, changes: &[Change]) -> Recording {
    Recording::of(
        &scenario
            .with(changes)
            .expect("the changes fit any scenario"),
    )
}

const LEASES: Change = Change::Lock(LockSystem::LeaseServer);
const FENCE: [Change; 3] = [
    LEASES,
    Change::Fencing(true),
    Change::Rule(FenceRule::RejectLower),
];

proptest! {
    #[test]
    fn with_reject_lower_accepted_writes_never_go_back(scenario in scenario()) {
        let recording = run(&scenario, &FENCE);
        prop_assert!(!is_broken(&recording, PropertyId::TokensNeverGoBack));
    }

    #[test]
    fn with_the_owner_check_no_two_promises_run(scenario in scenario()) {
        let recording = run(&scenario, &[Change::OwnerCheck(true)]);
        prop_assert!(!is_broken(&recording, PropertyId::OneLeaseAtATime));
    }

    /// Without crashes and delays no write of an older life of the same grant is under way.
    #[test]
    fn with_the_seal_pauses_lose_no_update(scenario in scenario_of(pause())) {
        let recording = run(&scenario, &[&FENCE[..], &[Change::Seal(true)]].concat());
        prop_assert!(!is_broken(&recording, PropertyId::NoLostUpdate));
        prop_assert!(!is_broken(&recording, PropertyId::NoOlderWriteOnceTheNextHolderHasBegun));
    }

    #[test]
    fn a_lease_always_frees_itself(scenario in scenario()) {
        let recording = run(&scenario, &[LEASES, Change::OwnerCheck(true)]);
        let broken = is_broken(&recording, PropertyId::SomebodyCanAlwaysGetTheLock);
        prop_assert!(!broken, "{:?}\n{}", recording.properties()[7], recording.log());
    }

    #[test]
    fn without_a_fence_nobody_is_refused(scenario in scenario()) {
        let recording = run(&scenario, &[Change::Fencing(false)]);
        prop_assert!(!is_broken(&recording, PropertyId::RightfulHolderNeverRefused));
        prop_assert_eq!(recording.costs().refused_stale, 0);
    }

    #[test]
    fn snapshots_equal_replay_and_causes_come_first(scenario in scenario()) {
        let recording = run(&scenario, &[]);
        let mut world = World::new(&scenario);
        for entry in recording.entries() {
            world.apply(entry);
            prop_assert!(entry.cause.is_none_or(|cause| cause.seq() < entry.seq));
            if entry.seq.0 % 37 == 0 || entry.seq.0 + 1 == recording.log().n_entries() {
                prop_assert_eq!(&recording.world_after(entry.seq.0 + 1), &world);
            }
        }
        prop_assert!(recording.entries().is_sorted_by_key(|entry| entry.at));
        prop_assert_eq!(Recording::of(&scenario), recording);
    }
}

/// Whether random scenarios with these changes ever break the property: the twin of each “never”.
fn is_found_broken(changes: &[Change], id: PropertyId) -> bool {
    let mut runner = TestRunner::deterministic();
    let strategy = scenario();
    (0..4_000).any(|_| {
        let tree = strategy
            .new_tree(&mut runner)
            .expect("the strategy rejects nothing");
        is_broken(&run(&tree.current(), changes), id)
    })
}

#[test]
fn what_may_fail_is_found_failing() {
    use PropertyId::*;
    let read_modify_write = Change::Operation(Operation::ReadModifyWrite);
    let unsealed = [
        &FENCE[..],
        &[Change::Seal(false), read_modify_write.clone()],
    ]
    .concat();
    let sealed = [&FENCE[..], &[Change::Seal(true), read_modify_write]].concat();
    let cases: [(&str, &[Change], PropertyId); 10] = [
        ("no fence", &[Change::Fencing(false)], TokensNeverGoBack),
        (
            "no owner check",
            &[LEASES, Change::OwnerCheck(false)],
            OneLeaseAtATime,
        ),
        ("pauses", &[LEASES], OneBelieverAtATime),
        ("the window", &FENCE, NoWriteAfterItsLeaseEnded),
        ("no seal", &unsealed, NoLostUpdate),
        (
            "no seal, older write",
            &unsealed,
            NoOlderWriteOnceTheNextHolderHasBegun,
        ),
        (
            "sealed, a write from before a restart",
            &sealed,
            NoLostUpdate,
        ),
        (
            "strict rule",
            &[Change::Rule(FenceRule::RejectLowerOrEqual)],
            RightfulHolderNeverRefused,
        ),
        (
            "a zombie renews a dead holder's lease",
            &[LEASES, Change::OwnerCheck(false)],
            SomebodyCanAlwaysGetTheLock,
        ),
        (
            "no expiry",
            &[Change::Lock(LockSystem::Plain)],
            SomebodyCanAlwaysGetTheLock,
        ),
    ];
    for (name, changes, id) in cases {
        assert!(
            is_found_broken(changes, id),
            "{name}: {id:?} was never found broken"
        );
    }
}
