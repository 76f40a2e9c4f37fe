//! How a client waits: a poll that is not answered is made again, and what an earlier one is
//! answered still counts; who learns when that a connection is gone.

use fenceline::sim::id::{ClientId, LockNodeId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
use fenceline::sim::scenario::{
    Check, Deadline, FaultKind, LockSystem, Loses, MessageAddress, PauseScope, Renew, Start, Wait,
};
use fenceline::sim::{Change, Recording, SimDuration};
use fenceline::view_model::sentences::verdict::property;
use fenceline::view_model::words::names::Words;

use super::{A, B, at, fault, is_broken, lines, ms, no_fault, pause, run, state, verdict};

const SOMEBODY: PropertyId = PropertyId::SomebodyCanAlwaysGetTheLock;

const SERVICE: NodeId = NodeId::Lock(LockNodeId(0));

fn poll(every: u64) -> Change {
    Change::Wait(Wait::Poll { every: ms(every), jitter: ms(0) })
}

fn between(from: NodeId, to: NodeId, kind: MessageKind, nth: u32) -> MessageAddress {
    MessageAddress { from, to, kind, nth }
}

fn poll_of(client: ClientId, nth: u32) -> MessageAddress {
    between(NodeId::Client(client), SERVICE, MessageKind::Acquire, nth)
}

fn grant_to(client: ClientId) -> MessageAddress {
    between(SERVICE, NodeId::Client(client), MessageKind::Granted, 1)
}

fn lose(id: u16, message: MessageAddress) -> Change {
    Change::AddFault(fault(id, FaultKind::Lose { message }))
}

fn delay(id: u16, message: MessageAddress, by: SimDuration) -> Change {
    Change::AddFault(fault(id, FaultKind::Delay { message, by }))
}

/// B's second poll is lost at 2.2 s; an answer would have come by 2.4 s, and the next poll is due
/// a second later, when it would have been due after the answer.
fn with_a_lost_poll(more: &[Change]) -> Recording {
    let mut changes = vec![no_fault(), poll(1_000), Change::Release(true), lose(2, poll_of(B, 2))];
    changes.extend_from_slice(more);
    run(&changes)
}

#[test]
fn a_lost_poll_is_made_again_when_the_next_was_due() {
    let recording = with_a_lost_poll(&[]);
    let polls = lines(&recording, "B sends");
    let asked: Vec<_> =
        polls.iter().filter_map(|line| line.split_once(" B sends").map(|(at, _)| at)).collect();
    assert_eq!(asked[..3], ["1 s", "2.2 s", "3.4 s"], "{polls:?}");
    assert_eq!(lines(&recording, "B believes").len(), 1);
}

#[test]
fn a_lost_poll_is_made_again_after_the_request_timeout() {
    let recording = with_a_lost_poll(&[Change::Timeout(Some(ms(500))), Change::Retries(1)]);
    assert_eq!(lines(&recording, "hears nothing"), ["2.7 s B hears nothing in time, attempt 1"]);
    assert_eq!(lines(&recording, "2.7 s B sends").len(), 1);
}

/// The service grants B at the first poll, and the news takes 3 s. B's later polls find its own
/// grant; what the first one is answered arrives before any of their answers that it would await.
#[test]
fn a_grant_in_answer_to_an_earlier_poll_counts_from_when_that_was_sent() {
    let late = |deadline| {
        run(&[
            no_fault(),
            Change::AsksAt { client: A, at: at(60_000) },
            poll(1_000),
            Change::Deadline(deadline),
            Change::Renew(Renew::Off),
            delay(2, grant_to(B), ms(1_100)),
            lose(3, poll_of(B, 2)),
        ])
    };
    let recording = late(Deadline::FromSend);
    let believes = lines(&recording, "B believes");
    assert_eq!(believes, ["2.3 s B believes that it holds token 33"]);
    let stops = lines(&recording, "B stops believing");
    let ten_seconds_after_the_first_poll = "11 s B stops believing in token 33: \
                                            its own deadline has passed";
    assert_eq!(stops, [ten_seconds_after_the_first_poll]);
}

/// It came while B slept, and B looks at what has come before it asks once more.
#[test]
fn an_answer_that_came_during_a_pause_is_read_before_another_poll() {
    let start = Start::At(at(1_100));
    let asleep = pause(2, B, PauseScope::Client, start, 8_000);
    let recording =
        run(&[no_fault(), Change::AsksAt { client: A, at: at(60_000) }, poll(1_000), asleep]);
    let polls = lines(&recording, "B sends");
    assert_eq!(polls.iter().filter(|line| line.contains("acquire")).count(), 1, "{polls:?}");
    assert_eq!(lines(&recording, "B believes"), ["9.1 s B believes that it holds token 33"]);
}

/// An advisory lock, or a lease that lives with its connection; A works for 8 s, B waits.
fn with_a_connection(stop: FaultKind, more: &[Change]) -> Recording {
    let mut changes = vec![
        no_fault(),
        Change::Lock(LockSystem::Plain),
        Change::ConnectionBound(true),
        Change::Work(ms(8_000)),
        Change::AddFault(fault(2, stop)),
    ];
    changes.extend_from_slice(more);
    run(&changes)
}

fn restart() -> FaultKind {
    let (at, length, loses) = (at(5_000), ms(2_000), Loses::Nothing);
    FaultKind::ServiceRestart { node: None, at, length, loses }
}

fn failover() -> FaultKind {
    FaultKind::Failover { at: at(5_000), length: ms(2_000), lives_on: false }
}

#[test]
fn a_lock_of_a_connection_ends_with_the_process_at_its_other_end() {
    let recording = with_a_connection(restart(), &[]);
    assert_eq!(
        lines(&recording, "connection lost"),
        [
            "5 s service ends A's lease 33: connection lost",
            "5.1 s A stops believing in token 33: connection lost",
        ]
    );
    // It asks at once, and finds out that nobody was there when the host answers again.
    let sends = lines(&recording, "B sends");
    let asks: Vec<_> = sends.iter().filter(|line| line.contains("acquire")).collect();
    assert_eq!(asks.len(), 3, "{asks:?}");
    assert!(asks[1].starts_with("5.1 s") && asks[2].starts_with("7.1 s"), "{asks:?}");
    assert_eq!(lines(&recording, "B believes"), ["7.3 s B believes that it holds token 34"]);
}

#[test]
fn who_sleeps_learns_it_on_waking() {
    let asleep = pause(3, A, PauseScope::Client, Start::At(at(4_000)), 5_000);
    let recording = with_a_connection(restart(), &[asleep]);
    let stops = lines(&recording, "A stops believing");
    assert_eq!(stops, ["9 s A stops believing in token 33: connection lost"]);
}

/// Nobody closes the connections of a host that is gone.
#[test]
fn a_host_that_is_gone_is_missed_after_the_timeout_alone() {
    let recording = with_a_connection(failover(), &[]);
    assert_eq!(lines(&recording, "connection lost").len(), 1, "the service's own");
    assert!(lines(&recording, "B believes").is_empty(), "B waits without end");
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);

    let patient = [Change::Timeout(Some(ms(3_000)))];
    let recording = with_a_connection(failover(), &patient);
    let stops = lines(&recording, "A stops believing");
    assert_eq!(stops, ["8 s A stops believing in token 33: connection lost"]);
    assert_eq!(lines(&recording, "B believes"), ["8.2 s B believes that it holds token 34"]);
    let asleep = pause(3, B, PauseScope::Client, Start::At(at(6_000)), 4_000);
    let recording = with_a_connection(failover(), &[patient[0].clone(), asleep]);
    assert_eq!(lines(&recording, "B believes"), ["10.2 s B believes that it holds token 34"]);
}

#[test]
fn what_was_asked_over_a_connection_that_broke_is_not_waited_for() {
    let asks = [Change::Check(Check::AsksService), Change::Work(ms(4_750))];
    let recording = with_a_connection(restart(), &asks);
    let gives_up = lines(&recording, "A gives write");
    assert_eq!(gives_up, ["5.1 s A gives write A1.1 up: the check failed"]);
}

/// B queues, and its only request for the lock is lost at 1.1 s. A gives the lock back.
fn with_a_lost_request(more: &[Change]) -> Recording {
    let mut changes = vec![no_fault(), Change::Release(true), lose(2, poll_of(B, 1))];
    changes.extend_from_slice(more);
    run(&changes)
}

/// What is said of the lock's not being had.
fn told(recording: &Recording) -> String {
    let mut reports = recording.properties().iter();
    let report = reports.find(|report| report.id == SOMEBODY).expect("it is reported");
    property(&Words::default(), recording, report).text
}

#[test]
fn who_waits_for_an_answer_that_never_comes_has_not_got_a_free_lock() {
    let recording = with_a_lost_request(&[]);
    assert_eq!(lines(&recording, "ends A's lease"), ["2.6 s service ends A's lease 33: released"]);
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
    assert_eq!(recording.verdict().at, Some(at(3_800)));
    assert_eq!(
        told(&recording),
        "broken at 3.8 s: B's request for the lock is lost on its way at 1.1 s, and since then B \
         waits in vain"
    );
}

/// Its lease runs out, and it is as before.
#[test]
fn who_misses_the_news_of_its_grant_waits_in_vain_once_that_is_over() {
    let late = Change::AsksAt { client: A, at: at(60_000) };
    let recording = run(&[no_fault(), late, lose(2, grant_to(B))]);
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
    assert_eq!(recording.verdict().at, Some(at(12_300)));
    assert_eq!(
        told(&recording),
        "broken at 12.3 s: Lock service's grant is lost on its way at 1.2 s, and since then B \
         waits in vain"
    );
}

#[test]
fn who_is_forgotten_in_the_queue_waits_in_vain() {
    let (stops, length, loses) = (at(5_000), ms(1_000), Loses::Leases);
    let forgets = FaultKind::ServiceRestart { node: None, at: stops, length, loses };
    let long = [no_fault(), Change::Work(ms(8_000)), Change::AddFault(fault(2, forgets))];
    let recording = run(&long);
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
    assert_eq!(recording.verdict().at, Some(at(7_200)));
    assert_eq!(
        told(&recording),
        "broken at 7.2 s: B loses its place in the queue at 6.0 s, and since then B waits in vain"
    );
    let asks_again = [long.as_slice(), &[Change::ConnectionBound(true)]].concat();
    assert!(!is_broken(&run(&asks_again), SOMEBODY));
}

#[test]
fn who_waits_no_more_by_its_setting_or_for_a_lock_that_is_held_is_no_accident() {
    let gives_up = [Change::Timeout(Some(ms(500))), Change::Retries(0)];
    let tries_again = [Change::Timeout(Some(ms(3_000))), Change::Retries(1)];
    let copy = FaultKind::Duplicate { message: poll_of(B, 1), after: ms(9_000) };
    for more in [
        gives_up.as_slice(),
        &tries_again,
        &[poll(1_000)],
        &[Change::Session(true)],
        &[Change::Release(false)],
        &[Change::AddFault(fault(3, copy))],
    ] {
        let recording = with_a_lost_request(more);
        assert_eq!(state(&recording, SOMEBODY), PropertyState::Holds, "{more:?}");
        let lost = lines(&recording, "loses").len() + lines(&recording, "lost").len();
        assert_eq!(lost, 1, "{more:?}\n{}", recording.log());
    }
}

#[test]
fn what_is_under_way_at_the_end_is_not_lost() {
    for message in [poll_of(B, 1), grant_to(B)] {
        let late = delay(2, message, ms(3_600_000));
        let recording = run(&[no_fault(), Change::Release(true), late]);
        assert!(lines(&recording, "B believes").is_empty(), "it is under way");
        assert!(!is_broken(&recording, SOMEBODY), "{}", recording.log());
    }
}
