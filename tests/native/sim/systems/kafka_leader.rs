//! A Kafka partition's leader: when its broker is fenced, how the epoch grows, and what a broker
//! that checks makes of an epoch that is lower, equal, or not known to it yet.

use fenceline::sim::id::{LockNodeId, NodeId, StoreId};
use fenceline::sim::lock::KafkaLeaderSettings;
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::VerdictKind;
use fenceline::sim::scenario::{FaultKind, LockSystem, Loses, MessageAddress, Resource};
use fenceline::sim::{Change, Recording, SimDuration};

use super::super::{fault, paused_holder};
use super::{A, B, at, crash, lines, ms, no_fault, run, systems, verdict};

const KAFKA: [Change; 2] =
    [Change::Lock(LockSystem::KafkaLeader), Change::Ttl(SimDuration::from_secs(9))];

fn run_with(changes: &[Change]) -> Recording {
    run(&[&KAFKA[..], changes].concat())
}

fn set(settings: KafkaLeaderSettings) -> Change {
    systems(|all| all.kafka_leader = settings)
}

fn lag(millis: u64) -> Change {
    set(KafkaLeaderSettings { metadata_lag: ms(millis), ..KafkaLeaderSettings::default() })
}

fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

#[test]
fn a_broker_is_fenced_when_the_controller_next_looks_and_the_epoch_is_one_higher() {
    // A's last heartbeat lands at 2.4 s, so its session lasts until 11.4 s. The controller looks
    // at multiples of 1.125 s.
    let recording = run_with(&[no_fault(), crash(2, A, 3_000, None)]);
    let ended = ["12.375 s service ends A's lease 33: expired"];
    assert_eq!(lines(&recording, "ends A's lease"), ended);
    assert!(lines(&recording, "grants B")[0].starts_with("12.375 s"));
    assert_eq!(tokens(&recording), [33, 34]);
    assert!(lines(&recording, "renew 33 to service")[0].starts_with("2.3 s A"));
}

#[test]
fn until_it_has_looked_a_heartbeat_counts() {
    // The session is over at 9.2 s. A wakes at 9.9 s, and its heartbeat is taken at 10 s.
    let recording = run_with(&[super::super::pause_for(7_900)]);
    assert!(lines(&recording, "expired").is_empty());
    assert!(lines(&recording, "renews token 33")[0].starts_with("10 s"));
    // Half a second later it has been fenced.
    let fenced = run_with(&[super::super::pause_for(8_400)]);
    assert!(lines(&fenced, "ends A's lease 33")[0].starts_with("10.125 s"));
}

#[test]
fn a_broker_that_was_fenced_while_it_waited_does_not_lead() {
    let recording = run_with(&[no_fault(), crash(2, A, 3_000, None), crash(3, B, 2_000, None)]);
    assert_eq!(tokens(&recording), [33]);
}

#[test]
fn a_new_controller_counts_every_session_anew() {
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(3_000),
        length: ms(1_000),
        loses: Loses::Nothing,
    };
    let changes = [no_fault(), crash(2, A, 2_500, None), Change::AddFault(fault(3, away))];
    let recording = run_with(&changes);
    assert_eq!(lines(&recording, "refreshes"), ["4 s service refreshes A's lease 33 for 9 s"]);
    // Until 13 s, and it looks at 13.5 s.
    assert!(lines(&recording, "ends A's lease")[0].starts_with("13.5 s"));
    // The brokers fetch from the new one, and hear nothing that is new.
    assert_eq!(lines(&recording, "learns that the epoch is 33").len(), 1);
}

#[test]
fn a_lower_epoch_is_fenced_once_the_broker_has_heard() {
    let recording = run_with(&[Change::Fencing(true)]);
    let refused = ["17.1 s storage refuses write A1.1 with 33: highest 34"];
    assert_eq!(lines(&recording, "refuses write"), refused);
    assert_eq!(verdict(&recording), VerdictKind::Safe);
    assert_eq!(verdict(&run_with(&[Change::Fencing(false)])), VerdictKind::Corrupted);
}

#[test]
fn a_higher_epoch_is_not_known_yet_and_is_tried_again_until_it_is() {
    // B leads from 10.125 s and writes at 12.225 s; the broker hears at 13.225 s.
    let recording = run_with(&[Change::Fencing(true), lag(3_000)]);
    let put_off = lines(&recording, "puts B's write");
    assert_eq!(put_off.len(), 3);
    assert_eq!(put_off[0], "12.325 s storage puts B's write with 34 off: it knows 33");
    assert!(put_off[1].starts_with("12.625 s"), "to and fro, and the backoff of 100 ms");
    assert_eq!(lines(&recording, "learns that the epoch is 34").len(), 1);
    assert!(lines(&recording, "learns that the epoch is 34")[0].starts_with("13.225 s"));
    let accepted = "13.225 s storage accepts write B1.1 with 34: version 1";
    assert_eq!(lines(&recording, "accepts write B1.1"), [accepted]);
    let slower = KafkaLeaderSettings {
        metadata_lag: ms(3_000),
        retry_backoff: ms(1_000),
        ..KafkaLeaderSettings::default()
    };
    let slower = run_with(&[Change::Fencing(true), set(slower)]);
    assert!(lines(&slower, "accepts write B1.1")[0].starts_with("13.525 s"));
}

#[test]
fn a_checker_that_has_not_heard_takes_the_deposed_leaders_write() {
    // A wakes at 17 s; the broker hears of B at 18.225 s.
    let recording = run_with(&[Change::Fencing(true), lag(8_000)]);
    let accepted = lines(&recording, "accepts write");
    assert_eq!(accepted[0], "17.1 s storage accepts write A1.1 with 33: version 1");
    assert!(accepted[1].contains("B1.1 with 34"), "{accepted:?}");
    let off = run_with(&[Change::Fencing(false), lag(8_000)]);
    assert!(lines(&off, "puts B's write").is_empty(), "it compares nothing");
}

#[test]
fn word_that_is_lost_is_told_again_until_it_is_confirmed() {
    let service = NodeId::Lock(LockNodeId(0));
    let storage = NodeId::Store(StoreId(0));
    let message =
        MessageAddress { from: service, to: storage, kind: MessageKind::LeaderEpoch, nth: 2 };
    let lost = Change::AddFault(fault(2, FaultKind::Lose { message }));
    let recording = run_with(&[Change::Fencing(true), lost]);
    // Lost at 10.225 s, told again 1.2 s after it was sent.
    assert!(lines(&recording, "learns that the epoch is 34")[0].starts_with("11.425 s"));
}

#[test]
fn a_resource_that_is_no_broker_compares_in_its_own_way_and_is_told_nothing() {
    let changes = [Change::Fencing(true), Change::Resource(Resource::SqlRow)];
    let recording = run_with(&changes);
    assert!(lines(&recording, "leader epoch").is_empty());
    assert_eq!(lines(&recording, "refuses write A1.1 with 33: highest 34").len(), 1);
}

#[test]
fn an_interval_of_nothing_is_refused() {
    let none = KafkaLeaderSettings { retry_backoff: ms(0), ..KafkaLeaderSettings::default() };
    let error = paused_holder().with(&[set(none)]).expect_err("out of range").to_string();
    assert!(error.contains("systems.kafka_leader.retry_backoff: 0 s"), "{error}");
}
