//! Redlock: keys counted, clocks that jump, restarts with and without keys, time that is used up
//! before it is counted, votes that split, and what a majority of answers is worth.

use fenceline::sim::fact::{ClientFact, Fact, LeaseEnd};
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::{AskOrder, Persistence, RedlockSettings, Validity, WaitsFor};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::PropertyId::OneLeaseAtATime;
use fenceline::sim::scenario::{
    Check, FaultKind, LockSystem, Loses, MessageAddress, PauseKind, PauseScope, Renew, Start,
};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{Change, GrantNo, Recording, SimDuration};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems};

const REDLOCK: Change = Change::Lock(LockSystem::Redlock);

fn settings(redlock: RedlockSettings) -> Change {
    systems(|all| all.redlock = redlock)
}

fn usual() -> RedlockSettings {
    RedlockSettings::default()
}

fn node(number: u8) -> NodeId {
    NodeId::Lock(LockNodeId(number - 1))
}

fn jump(id: u16, number: u8, millis: u64, by_ms: i64) -> Change {
    let by = ClockShift::from_micros(by_ms * 1_000);
    Change::AddFault(fault(id, FaultKind::ClockJump { node: node(number), at: at(millis), by }))
}

fn restart(id: u16, number: u8, millis: u64, length: SimDuration) -> Change {
    let node = Some(LockNodeId(number - 1));
    let loses = Loses::Leases;
    let kind = FaultKind::ServiceRestart { node, at: at(millis), length, loses };
    Change::AddFault(fault(id, kind))
}

fn cut(id: u16, client: fenceline::sim::ClientId, number: u8, millis: u64, length: u64) -> Change {
    let (a, b) = (NodeId::Client(client), node(number));
    let kind = FaultKind::Cut { a, b, at: at(millis), length: ms(length), held: false };
    Change::AddFault(fault(id, kind))
}

fn grants(recording: &Recording) -> Vec<(fenceline::sim::ClientId, u64)> {
    let time = |at: fenceline::sim::SimTime| at.since_start().micros() / 1_000;
    recording.grants().iter().map(|grant| (grant.client, time(grant.at))).collect()
}

#[test]
fn a_grant_is_made_by_the_third_key_and_ends_when_three_are_no_longer_there() {
    let recording = run(&[REDLOCK, no_fault(), crash(2, A, 2_000, None)]);
    assert_eq!(lines(&recording, "sets its key to A's").len(), 5);
    let granted = lines(&recording, "grants A");
    assert!(granted[0].starts_with("0.2 s service 3 grants A"), "{granted:?}");
    let ended = lines(&recording, "ends A's lease");
    assert!(ended[0].starts_with("10.2 s service 3 ends A's lease"), "{ended:?}");
    // B asks every 200 to 300 ms and at all nodes.
    let (client, time) = grants(&recording)[1];
    assert!(client == B && (10_200..10_700).contains(&time), "{time}");
}

#[test]
fn the_client_takes_the_drift_and_the_time_that_asking_took_off() {
    // 10 s less 1 % less 2 ms; the answers take 200 ms. With a node timeout that allows it, answers
    // after 9.898 s are too late, and the keys are taken back.
    let slow = |by: u64| {
        let delayed = (1..=3).map(|number| {
            let (from, to) = (NodeId::Client(A), node(number));
            let message = MessageAddress { from, to, kind: MessageKind::Acquire, nth: 1 };
            Change::AddFault(fault(
                10 + u16::from(number),
                FaultKind::Delay { message, by: ms(by) },
            ))
        });
        let patient = RedlockSettings { node_timeout: ms(60_000), ..usual() };
        let changes = [REDLOCK, no_fault(), settings(patient), Change::RemoveLastClient];
        run(&changes.into_iter().chain(delayed).collect::<Vec<_>>())
    };
    assert!(lines(&slow(9_697), "A believes").len() == 1);
    let late = slow(9_698);
    assert_eq!(lines(&late, "unlock").len() % 5, 0);
    assert!(lines(&late, "sends").iter().any(|line| line.contains("unlock")));
    assert_ne!(lines(&late, "A believes").first().map(|line| &line[..6]), Some("9.898 "));
}

#[test]
fn without_a_majority_the_keys_are_given_back_and_the_client_tries_again() {
    // A reaches two nodes of five.
    let cuts = (3..=5).map(|number| cut(10 + u16::from(number), A, number, 0, 3_000));
    let changes = [REDLOCK, no_fault(), Change::RemoveLastClient];
    let recording = run(&changes.into_iter().chain(cuts).collect::<Vec<_>>());
    assert!(lines(&recording, "no longer has its key").len() >= 2);
    assert!(grants(&recording)[0].1 > 3_000);
    let before = lines(&recording, "A believes");
    assert_eq!(before.len(), 1);
}

#[test]
fn a_renewal_needs_a_majority_again() {
    // Two of five are away: three extend. Three away: the renewal is refused.
    let away = |numbers: std::ops::RangeInclusive<u8>| {
        let changes = [REDLOCK, no_fault()];
        let cuts = numbers.map(|number| cut(10 + u16::from(number), A, number, 1_000, 100_000));
        run(&changes.into_iter().chain(cuts).collect::<Vec<_>>())
    };
    let some = away(4..=5);
    assert!(!lines(&some, "renews token").is_empty());
    assert!(lines(&some, "stops believing").is_empty());
    let most = away(3..=5);
    assert!(lines(&most, "renews token").iter().all(|line| line.ends_with("asked by B")));
    assert!(lines(&most, "A stops believing").iter().any(|line| line.contains("renewal refused")));
}

#[test]
fn a_clock_that_jumps_on_one_node_makes_two_holders() {
    // A holds three keys; the clock of one of these three nodes is set ahead.
    let three = [cut(11, A, 4, 0, 100_000), cut(12, A, 5, 0, 100_000)];
    let base = [REDLOCK, no_fault(), Change::Renew(Renew::Off)];
    let quiet = run(&[&base[..], &three].concat());
    assert!(!is_broken(&quiet, OneLeaseAtATime));
    let jumps = run(&[&base[..], &three, &[jump(13, 3, 2_000, 60_000)]].concat());
    assert!(is_broken(&jumps, OneLeaseAtATime));
    assert!(grants(&jumps)[1].1 < 3_000);
    let ended = lines(&jumps, "ends A's lease");
    assert!(ended[0].starts_with("2 s service 3 ends A's lease"), "{ended:?}");
}

#[test]
fn a_restart_without_keys_makes_two_holders_and_a_delayed_one_or_a_disk_does_not() {
    let three = [cut(11, A, 4, 0, 100_000), cut(12, A, 5, 0, 100_000)];
    let base = [REDLOCK, no_fault(), Change::Renew(Renew::Off)];
    let with = |own: RedlockSettings| {
        let faults = [restart(13, 3, 2_000, ms(100)), settings(own)];
        run(&[&base[..], &three, &faults].concat())
    };
    assert!(is_broken(&with(usual()), OneLeaseAtATime));
    let delayed = with(RedlockSettings { delayed_restart: true, ..usual() });
    assert!(!is_broken(&delayed, OneLeaseAtATime));
    // The truth: two keys are left, and nobody can make three of the other two.
    assert!(lines(&delayed, "ends A's lease")[0].contains("forgotten"));
    assert_eq!(lines(&delayed, "keeps out for 10 s").len(), 1);
    let disk = with(RedlockSettings { persistence: Persistence::Always, ..usual() });
    assert!(!is_broken(&disk, OneLeaseAtATime));
    assert!(lines(&disk, "ends A's lease")[0].contains("expired"));
}

#[test]
fn votes_split_and_nobody_gets_the_lock_for_a_while() {
    // A reaches nodes 1, 2 and 5 late, B 3, 4 and 5 late: each gets two keys in time, and the one
    // that gets the fifth node's key first has three.
    let late = |client, number: u8, id| {
        let (from, to) = (NodeId::Client(client), node(number));
        let message = MessageAddress { from, to, kind: MessageKind::Acquire, nth: 1 };
        Change::AddFault(fault(id, FaultKind::Delay { message, by: ms(400) }))
    };
    let delays = [late(A, 3, 11), late(A, 4, 12), late(B, 1, 13), late(B, 2, 14)];
    let four = settings(RedlockSettings { nodes: 4, ..usual() });
    let asks = Change::AsksAt { client: B, at: at(100) };
    let changes = [&[REDLOCK, no_fault(), four, asks][..], &delays].concat();
    let recording = run(&changes);
    assert_eq!(lines(&recording, "sets its key to A's")[0], lines(&recording, "sets its key")[0]);
    let first = grants(&recording)[0].1;
    assert!(first > 500, "nobody has three of four keys at first: {first}");
    assert!(!is_broken(&recording, OneLeaseAtATime));
}

#[test]
fn asked_in_turn_each_node_costs_its_own_round() {
    let own = RedlockSettings { order: AskOrder::InTurn, ..usual() };
    let recording = run(&[REDLOCK, no_fault(), settings(own)]);
    let granted = lines(&recording, "grants A");
    // 100 ms out, and 200 ms for each of the first two nodes.
    assert!(granted[0].starts_with("0.6 s service 3 grants A"), "{granted:?}");
    // The first node is away: it costs its timeout.
    let own = RedlockSettings { order: AskOrder::InTurn, ..usual() };
    let cut = cut(11, A, 1, 0, 100_000);
    let recording = run(&[REDLOCK, no_fault(), settings(own), cut]);
    let granted = lines(&recording, "grants A");
    assert!(granted[0].starts_with("1.1 s service 4 grants A"), "{granted:?}");
}

#[test]
fn a_check_that_waits_for_the_slowest_node_can_say_yes_after_the_end() {
    let slow = |waits_for| {
        let (from, to) = (NodeId::Client(A), node(5));
        let message = MessageAddress { from, to, kind: MessageKind::Check, nth: 1 };
        let delay = FaultKind::Delay { message, by: ms(9_000) };
        let own = RedlockSettings { waits_for, node_timeout: ms(60_000), ..usual() };
        let check = Change::Check(Check::AsksService);
        let off = Change::Renew(Renew::Off);
        let changes = [REDLOCK, no_fault(), settings(own), off, check];
        let recording = run(&[&changes[..], &[Change::AddFault(fault(11, delay))]].concat());
        let write = lines(&recording, "sends").into_iter().find(|line| line.contains(" write "));
        write.expect("A writes")
    };
    assert!(slow(WaitsFor::Majority).starts_with("2.5 s A"), "at once");
    assert!(slow(WaitsFor::All).starts_with("11.5 s A"), "after 10.2 s");
}

#[test]
fn validity_from_the_first_try_is_over_before_it_begins() {
    // A holds the lock until 10.2 s; B has tried since 1 s. Its first renewal is refused by its own
    // library, without a message.
    let own = RedlockSettings { validity: Validity::FromTheFirstTry, ..usual() };
    let faults = [no_fault(), crash(2, A, 5_000, None)];
    let wrong = run(&[&[REDLOCK, settings(own)][..], &faults].concat());
    let refused = lines(&wrong, "B stops believing");
    assert!(refused[0].contains("renewal refused"), "{refused:?}");
    assert!(lines(&wrong, "B sends").iter().all(|line| !line.contains("renew ")));
    let right = run(&[&[REDLOCK][..], &faults].concat());
    assert!(lines(&right, "B stops believing").is_empty());
    assert!(lines(&right, "B sends").iter().any(|line| line.contains("renew ")));
}

/// A counts yes from three nodes although its first two keys were gone before the third was set: it
/// was suspended meanwhile, and its monotonic clock stood still.
#[test]
fn a_majority_of_answers_that_never_stood_at_one_time_is_no_grant() {
    let (from, to) = (NodeId::Client(A), node(3));
    let message = MessageAddress { from, to, kind: MessageKind::Acquire, nth: 1 };
    let delay = FaultKind::Delay { message, by: ms(12_000) };
    let suspend = FaultKind::Pause {
        client: A,
        scope: PauseScope::Client,
        kind: PauseKind::Suspend,
        start: Start::At(at(150)),
        length: ms(12_500),
    };
    let cuts = [cut(11, A, 4, 0, 100_000), cut(12, A, 5, 0, 100_000)];
    let patient = settings(RedlockSettings { node_timeout: ms(60_000), ..usual() });
    let faults = [Change::AddFault(fault(13, delay)), Change::AddFault(fault(14, suspend))];
    let base = [REDLOCK, no_fault(), patient, Change::RemoveLastClient];
    let recording = run(&[&base[..], &cuts, &faults].concat());
    let miscounts = recording.entries().iter().filter_map(|entry| match entry.fact {
        Fact::Client(_, ClientFact::Miscounted { grant, .. }) => Some((entry.at, grant)),
        _ => None,
    });
    assert_eq!(miscounts.collect::<Vec<_>>(), [(at(12_650), GrantNo(1))]);
    let (ended, how, _) = recording.grants()[0].ended.expect("it was over when it was made");
    assert_eq!((ended, how), (at(12_650), LeaseEnd::Expired));
    assert!(recording.writes()[0].status != fenceline::sim::property::WriteStatus::Rightful);
}
