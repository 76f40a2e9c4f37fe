//! A transactional producer of Kafka: who owns its id, how the epoch grows and where it ends, when
//! a transaction is aborted, and what brokers make of epochs, numbers and markers.

use fenceline::sim::id::{LockNodeId, NodeId, StoreId};
use fenceline::sim::lock::{KafkaProducerSettings, TransactionVersion, TransactionalId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{FaultKind, LockSystem, Loses, MessageAddress, Repeat, TokenSource};
use fenceline::sim::{Change, FencingToken, Recording, SimDuration};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems, verdict};

const KAFKA: [Change; 4] = [
    Change::Lock(LockSystem::KafkaProducer),
    Change::Ttl(SimDuration::from_secs(60)),
    Change::Release(true),
    Change::Fencing(true),
];

fn run_with(changes: &[Change]) -> Recording {
    run(&[&KAFKA[..], changes].concat())
}

fn set(change: impl FnOnce(&mut KafkaProducerSettings)) -> Change {
    systems(|all| change(&mut all.kafka_producer))
}

fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

fn asks(client: fenceline::sim::ClientId, millis: u64) -> Change {
    Change::AsksAt { client, at: at(millis) }
}

#[test]
fn whoever_initialises_last_owns_the_id_and_an_open_transaction_is_aborted_first() {
    // B asks at 1 s, while A's transaction is open.
    let recording = run_with(&[no_fault()]);
    let service = lines(&recording, " service ");
    let at_service = |part: &str| service.iter().find(|line| line.contains(part)).cloned();
    let is = |part, line: &str| assert_eq!(at_service(part).as_deref(), Some(line));
    is("ends A's lease", "1.1 s service ends A's lease 33: taken over");
    is("raises", "1.1 s service aborts A's transaction and raises the epoch to 34");
    is("that the lock is taken", "1.1 s service tells B that the lock is taken");
    // The marker is confirmed at 1.3 s; B asks again 100 ms after it was told so, at 1.2 s.
    is("grants B", "1.4 s service grants B token 35 for 60 s");
    assert_eq!(
        lines(&recording, "abort marker"),
        ["1.2 s storage writes the abort marker with 34"]
    );
    // A's write, at 2.4 s, is refused before B has written anything.
    let refused = lines(&recording, "refuses write");
    assert_eq!(refused, ["2.4 s storage refuses write A1.1 with 33: highest 34"]);
    assert!(is_broken(&recording, PropertyId::OneLeaseAtATime), "there is no lock");
    assert_eq!(verdict(&recording), VerdictKind::Safe);
}

#[test]
fn a_committed_transaction_leaves_the_next_producer_nothing_to_wait_for() {
    let second = [no_fault(), asks(B, 5_000)];
    // Version 2 ends each transaction under an epoch of its own.
    let recording = run_with(&second);
    assert_eq!(tokens(&recording), [33, 35]);
    assert!(lines(&recording, "grants B")[0].starts_with("5.1 s"));
    assert!(lines(&recording, "commit marker with 34")[0].starts_with("2.7 s"));
    let one =
        run_with(&[&second[..], &[set(|all| all.version = TransactionVersion::One)]].concat());
    assert_eq!(tokens(&one), [33, 34]);
    assert!(lines(&one, "commit marker with 33")[0].starts_with("2.7 s"));
}

#[test]
fn a_transaction_that_takes_too_long_is_aborted_when_the_coordinator_next_looks() {
    // Its time is over at 60.2 s; the coordinator looks every 10 s.
    let pause = super::super::pause_for(75_000);
    let alone = [pause.clone(), Change::RemoveLastClient];
    let recording = run_with(&alone);
    assert_eq!(lines(&recording, "ends A's lease"), ["70 s service ends A's lease 33: expired"]);
    let refused = "77.1 s storage refuses write A1.1 with 33: highest 34";
    assert_eq!(lines(&recording, "refuses write"), [refused]);
    let longer = run_with(&[&alone[..], &[Change::Ttl(SimDuration::from_secs(120))]].concat());
    assert_eq!(lines(&longer, "accepts write A1.1").len(), 1);
    let often = run_with(&[&alone[..], &[set(|all| all.looks_every = ms(1_000))]].concat());
    assert!(lines(&often, "ends A's lease")[0].starts_with("61 s"));
    // More than 15 min no broker takes.
    let longest = run_with(&[no_fault(), Change::Ttl(SimDuration::from_secs(3_600))]);
    assert!(lines(&longest, "grants A")[0].ends_with("for 900 s"));
}

#[test]
fn a_random_id_has_a_producer_of_its_own_and_fences_nobody() {
    let random = set(|all| all.transactional_id = TransactionalId::Random);
    let recording = run_with(std::slice::from_ref(&random));
    assert_eq!(tokens(&recording), [0, 65_536]);
    assert!(lines(&recording, "refuses write").is_empty());
    // Both hold a producer of their own: nobody is the older holder, and it is luck.
    assert_eq!(verdict(&recording), VerdictKind::Safe);
    assert!(recording.verdict().by_luck);
    assert_eq!(verdict(&run_with(&[])), VerdictKind::Safe);
}

#[test]
fn the_last_epoch_only_fences_and_then_comes_another_producer_id() {
    let last = [no_fault(), Change::FirstToken(FencingToken(32_766))];
    // A's transaction is aborted under 32767, which nobody is given.
    let recording = run_with(&last);
    assert_eq!(lines(&recording, "abort marker with 32767").len(), 1);
    assert_eq!(tokens(&recording), [32_766, 65_536]);
    assert_eq!(lines(&recording, "refuses write A1.1 with 32766: highest 32767").len(), 1);
    assert_eq!(lines(&recording, "accepts write B1.1 with 65536").len(), 1);
    // An epoch that is none becomes the last one.
    let beyond = run_with(&[no_fault(), Change::FirstToken(FencingToken(40_000))]);
    assert_eq!(tokens(&beyond)[0], 32_766);
}

/// A message between A and the storage, or the coordinator and the storage.
fn lost(id: u16, from: NodeId, to: NodeId, kind: MessageKind) -> Change {
    let message = MessageAddress { from, to, kind, nth: 1 };
    Change::AddFault(fault(id, FaultKind::Lose { message }))
}

const STORAGE: NodeId = NodeId::Store(StoreId(0));
const COORDINATOR: NodeId = NodeId::Lock(LockNodeId(0));

#[test]
fn a_write_that_was_applied_is_known_again_by_its_number() {
    let answer = lost(2, STORAGE, NodeId::Client(A), MessageKind::WriteAccepted);
    let retries =
        [no_fault(), asks(B, 9_000), answer, Change::Timeout(Some(ms(1_000))), Change::Retries(2)];
    let recording = run_with(&retries);
    let known = ["3.4 s storage ignores write A1.1 with 33: applied before"];
    assert_eq!(lines(&recording, "ignores write"), known);
    let off = run_with(&[&retries[..], &[Change::Fencing(false)]].concat());
    assert_eq!(lines(&off, "accepts write A1.1").len(), 2);
}

#[test]
fn a_write_whose_predecessor_is_missing_is_out_of_order() {
    // The first write is lost and given up; the next piece of work goes on under the same epoch.
    let gap = [
        no_fault(),
        asks(B, 30_000),
        lost(2, NodeId::Client(A), STORAGE, MessageKind::Write),
        Change::Timeout(Some(ms(1_000))),
        Change::Repeat(Repeat::After(ms(500))),
        Change::Release(false),
    ];
    let recording = run_with(&gap);
    let refused = lines(&recording, "refuses write A2.1");
    assert!(refused[0].ends_with("with 33: a write before it is missing"), "{refused:?}");
    // Then it initialises anew, and its numbers begin at 0.
    assert_eq!(tokens(&recording)[..2], [33, 35]);
    assert_eq!(lines(&recording, "accepts write A3.1 with 35").len(), 1);
}

#[test]
fn a_marker_is_told_until_every_broker_has_written_it_and_meanwhile_nobody_initialises() {
    let marker = lost(2, COORDINATOR, STORAGE, MessageKind::Marker);
    let recording = run_with(&[no_fault(), marker]);
    // Sent at 1.1 s and lost; again 1.2 s later.
    assert!(lines(&recording, "abort marker")[0].starts_with("2.4 s"));
    let asked = lines(&recording, "tells B that the lock is taken");
    assert_eq!(asked.len(), 5, "every 0.3 s until 2.5 s: {asked:?}");
    assert!(lines(&recording, "grants B token 35")[0].starts_with("2.6 s"));
    // A confirmation that is lost makes the same marker come again, which is no stale one.
    let confirmation = lost(2, STORAGE, COORDINATOR, MessageKind::Noted);
    let again = run_with(&[no_fault(), confirmation]);
    assert_eq!(lines(&again, "abort marker with 34").len(), 2);
    assert!(lines(&again, "refuses the marker").is_empty());
}

#[test]
fn a_late_initialisation_fences_the_producer_in_use() {
    let message = MessageAddress {
        from: NodeId::Client(A),
        to: COORDINATOR,
        kind: MessageKind::Acquire,
        nth: 1,
    };
    let late = Change::AddFault(fault(2, FaultKind::Delay { message, by: ms(1_500) }));
    // `request.timeout.ms`: it does not ask again before the late one has arrived.
    let patient = Change::Timeout(Some(ms(30_000)));
    let recording = run_with(&[no_fault(), patient, late, crash(3, A, 1_000, None)]);
    assert_eq!(tokens(&recording), [33], "the late one is told to ask again, and is gone");
    let refused = "3.3 s storage refuses write B1.1 with 33: highest 34";
    assert_eq!(lines(&recording, "refuses write"), [refused]);
}

#[test]
fn epochs_are_durable_unless_the_coordinators_log_is_lost() {
    let away = |loses| {
        let (at, length) = (at(3_000), ms(500));
        let kind = FaultKind::ServiceRestart { node: None, at, length, loses };
        run_with(&[no_fault(), asks(B, 5_000), Change::AddFault(fault(2, kind))])
    };
    assert_eq!(tokens(&away(Loses::Nothing)), [33, 35]);
    assert_eq!(tokens(&away(Loses::Leases)), [33, 35]);
    assert_eq!(tokens(&away(Loses::Everything)), [33, 33]);
}

#[test]
fn its_tokens_are_its_own_whatever_the_lease_says() {
    let other = run_with(&[no_fault(), Change::TokenSource(TokenSource::LeaseId)]);
    assert_eq!(tokens(&other), [33, 35]);
}
