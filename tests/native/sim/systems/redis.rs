//! Redis: the wall clock judges, the value says whose key it is, a replica lags, a counter is lost
//! with its key.

use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::{RedisSettings, RedisToken};
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{FaultKind, LockSystem, Loses, Renew, Wait};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{Change, FencingToken, Recording, SimDuration};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems, verdict};

const REDIS: Change = Change::Lock(LockSystem::Redis);
const POLLS: Change =
    Change::Wait(Wait::Poll { every: SimDuration::from_millis(200), jitter: SimDuration::ZERO });

/// Polls, and asks again when no answer comes: what is sent to a node that is down is lost.
const PATIENT: [Change; 3] =
    [POLLS, Change::Timeout(Some(SimDuration::from_millis(300))), Change::Retries(50)];

fn settings(token: RedisToken, replica: bool, lag: u64) -> RedisSettings {
    RedisSettings { token, replica, lag: ms(lag) }
}

fn redis(settings: RedisSettings) -> Change {
    systems(|all| all.redis = settings)
}

fn failover(at_ms: u64, length: u64) -> Change {
    Change::AddFault(fault(
        9,
        FaultKind::Failover { at: at(at_ms), length: ms(length), lives_on: false },
    ))
}

fn tokens(recording: &Recording) -> Vec<FencingToken> {
    recording.grants().iter().map(|grant| grant.token).collect()
}

#[test]
fn nobody_waits_in_a_queue_and_a_value_is_no_token() {
    // A pauses at 2 s with its key until 10.2 s; B asks again every 1.4 s and finds it free at
    // 11.3 s. The fence is on and has nothing to compare: A's write of 17 s passes.
    let recording = run(&[REDIS, Change::Fencing(true)]);
    assert!(lines(&recording, "queues B").is_empty());
    assert_eq!(lines(&recording, "tells B that the lock is taken").len(), 8);
    assert_eq!(lines(&recording, "ends A's lease")[0].split(' ').next(), Some("10.2"));
    assert!(lines(&recording, "grants B")[0].starts_with("10.7 s"));
    assert!(lines(&recording, "refuses write").is_empty());
    assert_eq!(verdict(&recording), VerdictKind::Corrupted);
    let off = run(&[REDIS, Change::Fencing(false)]);
    assert_eq!(off.digest(), recording.digest(), "on or off is the same");
}

#[test]
fn a_counter_fences_as_long_as_it_lives() {
    let counter = redis(settings(RedisToken::Counter, false, 0));
    let recording = run(&[REDIS, Change::Fencing(true), counter]);
    assert_eq!(tokens(&recording), [FencingToken(33), FencingToken(34)]);
    assert_eq!(lines(&recording, "17.1 s storage refuses write A1.1").len(), 1);
    assert_eq!(verdict(&recording), VerdictKind::Safe);
}

#[test]
fn the_servers_wall_clock_judges() {
    let ahead = ClockShift::default().with_length(ms(6_000));
    let node = NodeId::Lock(LockNodeId(0));
    let jump = Change::AddFault(fault(7, FaultKind::ClockJump { node, at: at(3_000), by: ahead }));
    // Until 10.2 s by its clock, which is 4.2 s in truth; no renewal came before.
    let recording = run(&[REDIS, jump]);
    assert_eq!(lines(&recording, "ends A's lease")[0].split(' ').next(), Some("4.2"));
    assert!(is_broken(&recording, PropertyId::OneLeaseAtATime));
}

#[test]
fn a_plain_del_frees_somebody_elses_key_and_the_scripts_check_does_not() {
    // A works 12 s under 10 s without renewal and gives back at 12.5 s what is B's by then.
    let late = [
        REDIS,
        no_fault(),
        POLLS,
        Change::Renew(Renew::Off),
        Change::Work(ms(12_000)),
        Change::Release(true),
    ];
    let plain = run(&[&late[..], &[Change::OwnerCheck(false)]].concat());
    assert_eq!(lines(&plain, "released by A").len(), 1);
    let checked = run(&late);
    assert!(lines(&checked, "released by A").is_empty());
    assert_eq!(lines(&checked, "refuses A's release").len(), 1);
}

#[test]
fn a_holder_that_has_forgotten_is_refused_its_own_key() {
    // It starts again at 3 s and finds the key that it set before, until 10.2 s.
    let recording = run(&[REDIS, no_fault(), crash(2, A, 2_000, Some(1_000)), POLLS]);
    assert!(lines(&recording, "tells A that the lock is taken")[0].starts_with("3.1 s"));
    assert!(lines(&recording, "tells A that it holds").is_empty());
    assert!(lines(&recording, "grants")[1].starts_with("10."));
}

#[test]
fn a_replica_is_told_late_and_takes_over_with_what_it_was_told() {
    // A's key is set at 0.2 s and told at once: the replica has it at 0.3 s.
    let prompt = [REDIS, no_fault(), POLLS, redis(settings(RedisToken::Value, true, 0))];
    let kept = run(&[&prompt[..], &[failover(1_500, 1_000)]].concat());
    assert!(lines(&kept, "now has a copy of A's lease")[0].starts_with("0.3 s service 2"));
    let took = lines(&kept, "takes over");
    assert!(took[0].starts_with("2.5 s service 2 takes over with A's lease"), "{took:?}");
    assert!(took[0].ends_with("for 7.7 s more"), "the instant was copied: {took:?}");
    assert!(!is_broken(&kept, PropertyId::OneLeaseAtATime));
    // With 2 s of lag the primary takes it along.
    let lagging = redis(settings(RedisToken::Value, true, 2_000));
    let lost =
        run(&[&[REDIS, no_fault(), lagging], &PATIENT[..], &[failover(1_500, 100)]].concat());
    assert_eq!(lines(&lost, "takes over"), ["1.6 s service 2 takes over with a free lock"]);
    assert_eq!(lines(&lost, "A's lease")[0].split(' ').next(), Some("1.6"), "forgotten");
    assert!(lines(&lost, "service 2 grants B")[0].starts_with("1."));
    assert!(is_broken(&lost, PropertyId::OneLeaseAtATime));
    assert!(is_broken(&lost, PropertyId::OneBelieverAtATime));
}

#[test]
fn a_counter_that_was_not_copied_hands_a_token_out_again() {
    let counter = redis(settings(RedisToken::Counter, true, 2_000));
    let changes = [REDIS, no_fault(), Change::Fencing(true), counter];
    let recording = run(&[&changes[..], &PATIENT, &[failover(1_500, 100)]].concat());
    assert_eq!(tokens(&recording), [FencingToken(33), FencingToken(33)]);
    // The storage takes both for one: A's write of 2.3 s lands before B's and after B's grant.
    assert!(lines(&recording, "refuses write").is_empty());
}

#[test]
fn a_lock_that_was_given_back_stands_again_after_a_failover() {
    // A gives back at 2.5 s, B is granted at 2.6 s; the replica has A's key of 0.2 s since 2.3 s.
    let lagging = redis(settings(RedisToken::Value, true, 2_000));
    let changes = [REDIS, no_fault(), lagging, Change::Release(true)];
    let recording = run(&[&changes[..], &PATIENT, &[failover(3_000, 500)]].concat());
    let took = lines(&recording, "takes over");
    assert!(took[0].starts_with("3.5 s service 2 takes over with A's lease"), "{took:?}");
    assert_eq!(lines(&recording, "B's lease")[0].split(' ').next(), Some("3.5"), "forgotten");
    assert_eq!(lines(&recording, "expired").len(), 1, "A's, once more");
}

#[test]
fn without_a_replica_whoever_takes_over_knows_everything() {
    let recording = run(&[REDIS, no_fault(), failover(1_500, 1_000)]);
    let other = FaultKind::ServiceRestart {
        node: None,
        at: at(1_500),
        length: ms(1_000),
        loses: Loses::Nothing,
    };
    let restarted = run(&[REDIS, no_fault(), Change::AddFault(fault(9, other))]);
    assert_eq!(recording.digest(), restarted.digest());
    assert_eq!(recording.grants()[0].client, A);
    assert!(recording.grants().iter().all(|grant| grant.client != B || grant.at > at(2_500)));
}

/// The replica is promoted while the primary lives: A, on the primary's side, goes on renewing
/// there, and B is granted by the replica when A's key has run out on that side.
#[test]
fn a_split_lets_both_sides_grant_and_nobody_takes_over_without_a_copy() {
    let link = |id, a, b| {
        let (at, length) = (at(2_000), ms(60_000));
        Change::AddFault(fault(id, FaultKind::Cut { a, b, at, length, held: false }))
    };
    let [old, new] = [NodeId::Lock(LockNodeId(0)), NodeId::Lock(LockNodeId(1))];
    let promoted = FaultKind::Failover { at: at(2_000), length: ms(3_000), lives_on: true };
    let set_up = [
        no_fault(),
        REDIS,
        redis(settings(RedisToken::Value, true, 0)),
        Change::Work(ms(15_000)),
        Change::AddFault(fault(9, promoted.clone())),
        link(10, old, new),
        link(11, NodeId::Client(A), new),
        link(12, NodeId::Client(B), old),
    ];
    let recording = run(&[&set_up[..], &PATIENT].concat());
    assert_eq!(lines(&recording, "5 s service 2 takes over with A's lease").len(), 1);
    assert_eq!(lines(&recording, "10.2 s service 2 ends A's lease").len(), 1);
    let granted = lines(&recording, "service 2 grants B");
    assert!(granted[0].starts_with("10.") && granted.len() == 1, "{granted:?}");
    let renewed = lines(&recording, "service renews");
    // Until the links are back at 62 s and it finds the new primary, which has no key of its own.
    assert!(renewed.last().is_some_and(|last| last.starts_with("60.39")), "{renewed:?}");
    assert!(lines(&recording, "A stops believing")[0].starts_with("63.8"));
    assert!(is_broken(&recording, PropertyId::OneLeaseAtATime));
    assert!(is_broken(&recording, PropertyId::OneBelieverAtATime));
    // One node that knows everything is taken for dead by nobody.
    let alone = run(&[no_fault(), Change::AddFault(fault(9, promoted))]);
    // It differs by nothing but the run's length.
    assert!(alone.entries().starts_with(run(&[no_fault()]).entries()));
}
