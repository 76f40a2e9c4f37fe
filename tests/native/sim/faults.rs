//! Pauses, crashes and delays: what stands still, what goes on, and in which order a client wakes.

use fenceline::sim::id::{FaultId, LockNodeId, NodeId, StoreId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, VerdictKind, WriteStatus};
use fenceline::sim::scenario::{
    Check, FaultKind, Loses, MessageAddress, NamedStep, PauseKind, PauseScope, Piece, Start,
    WorkKind,
};
use fenceline::sim::{Change, Recording};

use super::{
    A, B, at, crash, fault, is_broken, lines, ms, no_fault, pause, pause_for, run, verdict,
};

#[test]
fn on_waking_the_workers_step_comes_before_what_came_due() {
    let recording = run(&[]);
    let sends = lines(&recording, "17 s A sends");
    assert!(sends[0].contains("write 33"), "{sends:?}");
    assert!(sends[1].contains("renew 33"), "missed ticks count once: {sends:?}");
    assert_eq!(sends.len(), 2);
    // The order is the worker's first even where the renewal came due before the work was over.
    let early =
        run(&[Change::Ttl(ms(3_000)), Change::FaultStart { id: FaultId(1), at: at(1_000) }]);
    let sends = lines(&early, "16 s A sends");
    assert!(sends[0].contains("write 33") && sends[1].contains("renew 33"), "{sends:?}");
}

#[test]
fn messages_that_were_sent_travel_on_while_their_sender_stands_still() {
    // A's write is sent at 2.3 s; A pauses at 2.35 s; it lands at 2.4 s all the same.
    let recording = run(&[Change::FaultStart { id: FaultId(1), at: at(2_350) }]);
    assert_eq!(lines(&recording, "accepts write A1.1")[0].split(' ').next(), Some("2.4"));
    let crashed = run(&[no_fault(), crash(2, A, 2_350, None)]);
    assert_eq!(lines(&crashed, "accepts write A1.1").len(), 1);
}

#[test]
fn a_paused_worker_keeps_its_lease_because_its_renewer_goes_on() {
    let at_2 = Start::At(at(2_000));
    let worker = run(&[no_fault(), pause(2, A, PauseScope::Worker, at_2, 15_000)]);
    assert!(lines(&worker, "expired").is_empty());
    assert_eq!(lines(&worker, "17.1 s storage accepts write A1.1").len(), 1);
    assert_eq!(worker.writes()[0].status, WriteStatus::Rightful);
    assert_eq!(verdict(&worker), VerdictKind::Safe);
}

#[test]
fn a_paused_renewer_loses_the_lease_of_a_worker_that_goes_on() {
    let at_2 = Start::At(at(2_000));
    let renewer = pause(2, A, PauseScope::Renewer, at_2, 15_000);
    let recording = run(&[no_fault(), Change::Work(ms(12_500)), renewer]);
    assert_eq!(lines(&recording, "ends A's lease 33: expired").len(), 1);
    assert!(lines(&recording, "12.8 s A sends")[0].contains("write"));
    assert!(recording.verdict().by_luck, "late, and B overwrites it");
}

#[test]
fn overlapping_pauses_join() {
    let second = pause(2, A, PauseScope::Client, Start::At(at(16_000)), 3_000);
    let recording = run(&[second]);
    assert_eq!(lines(&recording, "wakes"), ["19 s A wakes (all of it)"]);
    // One that begins at the instant at which the other ends joins it, too.
    let adjoining = pause(2, A, PauseScope::Client, Start::At(at(17_000)), 3_000);
    assert_eq!(lines(&run(&[adjoining]), "wakes"), ["20 s A wakes (all of it)"]);
}

#[test]
fn a_pause_lengthens_computing_and_not_waiting() {
    let writes = |kind| {
        let recording = run(&[Change::WorkKind(kind), pause_for(3_000)]);
        lines(&recording, "A sends").iter().find(|line| line.contains("write")).cloned()
    };
    // Work from 0.3 s for 2 s, paused from 2 s to 5 s.
    assert!(writes(WorkKind::Waiting).is_some_and(|line| line.starts_with("5 s ")));
    assert!(writes(WorkKind::Computing).is_some_and(|line| line.starts_with("5.3 s ")));
}

#[test]
fn a_suspended_machine_renews_later_because_its_clock_stood_still() {
    let suspend = |kind| {
        let length = ms(3_000);
        let (client, scope, start) = (A, PauseScope::Client, Start::At(at(2_000)));
        let kind = FaultKind::Pause { client, scope, kind, start, length };
        let recording = run(&[Change::ReplaceFault(fault(1, kind))]);
        lines(&recording, "renew 33 to service")[0].clone()
    };
    // The tick is due at 3.633333 s on A's clock.
    assert!(suspend(PauseKind::Process).starts_with("5 s "), "overdue on waking");
    assert!(suspend(PauseKind::Suspend).starts_with("6.633333 s "), "three seconds later");
}

fn at_step(step: NamedStep, nth: u32, millis: u64, changes: &[Change]) -> Recording {
    let start = Start::Step { step, nth };
    let pause = pause(1, A, PauseScope::Client, start, millis);
    let Change::AddFault(fault) = pause else { unreachable!("pause() adds a fault") };
    run(&[&[Change::ReplaceFault(fault)], changes].concat())
}

#[test]
fn a_pause_begins_at_each_named_step() {
    let begins = |step, nth, changes: &[Change]| {
        let recording = at_step(step, nth, 15_000, changes);
        let line = lines(&recording, "A pauses").into_iter().next()?;
        line.split(" A ").next().map(str::to_owned)
    };
    let check = [Change::Check(Check::AsksService)];
    let expected = |text: &str| Some(text.to_owned());
    assert_eq!(begins(NamedStep::BeforeAcquire, 1, &[]), expected("0.1 s"));
    assert_eq!(begins(NamedStep::BeforeReply, 1, &[]), expected("0.3 s"));
    assert_eq!(begins(NamedStep::BeforeRead, 1, &[]), expected("0.3 s"));
    assert_eq!(begins(NamedStep::BeforeWrite, 1, &[]), expected("2.3 s"));
    assert_eq!(begins(NamedStep::BeforeFirstWrite, 1, &[]), expected("2.3 s"));
    assert_eq!(begins(NamedStep::AfterCheck, 1, &check), expected("2.5 s"));
    assert_eq!(begins(NamedStep::BeforeFirstWrite, 1, &check), expected("2.5 s"));
    assert_eq!(begins(NamedStep::InRenewer, 1, &[]), expected("3.633333 s"));
    assert_eq!(begins(NamedStep::InRenewer, 2, &[]), expected("6.966666 s"));
    assert_eq!(begins(NamedStep::AfterCheck, 1, &[]), None, "there is no check");
}

#[test]
fn a_step_that_met_its_pause_is_counted_once() {
    let twice = [Change::WritesPerGrant(2), Change::Work(ms(500))];
    let recording = at_step(NamedStep::BeforeWrite, 1, 1_000, &twice);
    assert_eq!(lines(&recording, "A pauses").len(), 1);
    let second = at_step(NamedStep::BeforeWrite, 2, 1_000, &twice);
    assert_eq!(lines(&second, "A pauses").len(), 1);
    assert!(lines(&second, "A pauses")[0].starts_with("1.5 s"), "{:?}", lines(&second, "A pauses"));
}

#[test]
fn a_check_before_the_write_helps_unless_the_pause_comes_after_it() {
    let check = [Change::Check(Check::AsksService)];
    let before = run(&check);
    assert_eq!(verdict(&before), VerdictKind::Safe);
    assert_eq!(lines(&before, "A gives write A1.1 up: the check failed").len(), 1);
    let after = at_step(NamedStep::AfterCheck, 1, 15_000, &check);
    assert_eq!(verdict(&after), VerdictKind::Corrupted);
    assert!(is_broken(&after, PropertyId::TokensNeverGoBack));
}

#[test]
fn a_crash_forgets_and_a_restart_asks_anew() {
    let recording = run(&[no_fault(), crash(2, A, 1_000, Some(12_000))]);
    assert_eq!(lines(&recording, "A stops believing in token 33: crashed").len(), 1);
    assert_eq!(lines(&recording, "13 s A sends").len(), 1, "it asks");
    assert_eq!(lines(&recording, "queues A").len(), 1);
    let never = run(&[crash(2, A, 5_000, None)]);
    assert!(lines(&never, "A wakes").is_empty(), "a crash ends its pauses");
    assert!(lines(&never, "storage accepts write A").is_empty());
}

fn delay(from: NodeId, to: NodeId, kind: MessageKind, nth: u32, millis: u64) -> Change {
    let message = MessageAddress { from, to, kind, nth };
    Change::AddFault(fault(9, FaultKind::Delay { message, by: ms(millis) }))
}

#[test]
fn a_delayed_write_lands_late_without_any_pause() {
    let (client, store) = (NodeId::Client(A), NodeId::Store(StoreId(0)));
    let slow = |fencing| {
        let crash = crash(2, A, 3_000, None);
        let late = delay(client, store, MessageKind::Write, 1, 12_000);
        run(&[no_fault(), crash, late, Change::Fencing(fencing)])
    };
    assert_eq!(lines(&slow(false), "14.4 s storage accepts write A1.1").len(), 1);
    assert_eq!(verdict(&slow(false)), VerdictKind::Corrupted);
    assert_eq!(lines(&slow(true), "14.4 s storage refuses write A1.1").len(), 1);
    assert_eq!(verdict(&slow(true)), VerdictKind::Safe);
}

#[test]
fn only_the_named_message_is_delayed() {
    let (client, service) = (NodeId::Client(A), NodeId::Lock(LockNodeId(0)));
    let recording = run(&[no_fault(), delay(client, service, MessageKind::Renew, 2, 500)]);
    let renewals = lines(&recording, "A sends");
    let renewals: Vec<_> = renewals.iter().filter(|line| line.contains("renew 33")).collect();
    assert!(renewals[0].ends_with("lands 3.733333 s"), "{renewals:?}");
    assert!(renewals[1].ends_with("lands 7.566666 s"), "{renewals:?}");
    assert!(renewals[2].ends_with("lands 10.399999 s"), "{renewals:?}");
}

#[test]
fn a_disabled_fault_does_not_happen() {
    let recording = run(&[Change::EnableFault { id: FaultId(1), enabled: false }]);
    assert!(lines(&recording, "pauses").is_empty());
    assert_eq!(verdict(&recording), VerdictKind::Safe);
}

#[test]
fn a_service_that_is_away_has_lost_its_connections_when_it_stopped() {
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(3_000),
        length: ms(4_000),
        loses: Loses::Nothing,
    };
    let ends = |lost: Change| {
        let away = Change::AddFault(fault(2, away.clone()));
        let recording = run(&[no_fault(), Change::ConnectionBound(true), away, lost]);
        lines(&recording, "ends A's lease 33: connection lost")
    };
    let lost = FaultKind::ConnectionLost { client: A, at: at(5_000) };
    let expected = ["3 s service ends A's lease 33: connection lost"];
    assert_eq!(ends(Change::AddFault(fault(3, lost))), expected);
    assert_eq!(ends(crash(3, A, 5_000, None)), expected);
}

/// A restart inside a longer one brings nothing back, and forgets what the longer one does not.
#[test]
fn overlapping_restarts_join() {
    let restart = |id, millis, length, loses| {
        let kind =
            FaultKind::ServiceRestart { node: None, at: at(millis), length: ms(length), loses };
        Change::AddFault(fault(id, kind))
    };
    let backs = |recording: &Recording| lines(recording, "service is back");
    let inner = restart(3, 4_000, 1_000, Loses::Leases);
    let joined = run(&[no_fault(), restart(2, 3_000, 4_000, Loses::Nothing), inner]);
    assert_eq!(backs(&joined), ["7 s service is back without its leases"]);
    // Two that end together are one return; two that do not meet are two.
    let together = restart(3, 5_000, 2_000, Loses::Nothing);
    let joined = run(&[no_fault(), restart(2, 3_000, 4_000, Loses::Nothing), together]);
    assert_eq!(backs(&joined), ["7 s service is back"]);
    let later = restart(3, 8_000, 1_000, Loses::Leases);
    let apart = run(&[no_fault(), restart(2, 3_000, 4_000, Loses::Nothing), later]);
    assert_eq!(backs(&apart), ["7 s service is back", "9 s service is back without its leases"]);
}

/// A copy of A's first write lands while A, which has crashed in between, does the same piece of
/// work anew. It was sent before that work began, so it is no attempt of it: it wipes out what B
/// has written.
#[test]
fn a_copy_from_before_a_crash_is_not_the_new_attempt() {
    let storage = NodeId::Store(StoreId(0));
    let (from, kind) = (NodeId::Client(A), MessageKind::Write);
    let message = MessageAddress { from, to: storage, kind, nth: 1 };
    let copied = |millis| FaultKind::Duplicate { message, after: ms(millis) };
    let anew = |millis| {
        run(&[
            no_fault(),
            Change::Piece(Piece::Shared),
            Change::WritesPerGrant(3),
            Change::Work(ms(1_000)),
            crash(2, A, 2_000, Some(12_000)),
            crash(3, B, 13_000, None),
            Change::AddFault(fault(4, copied(millis))),
        ])
    };
    // A works on it from 20.5 s to 21.5 s.
    let late = anew(19_400);
    assert_eq!(lines(&late, "accepts write A1.1").len(), 3, "{:?}", lines(&late, "accepts"));
    assert_eq!(lines(&late, "21 s storage accepts write A1.1").len(), 1);
    assert!(is_broken(&late, PropertyId::NoLostUpdate));
    // Without a copy the second attempt replaces the half that was left, and loses nothing.
    let at_once = anew(0);
    assert!(!is_broken(&at_once, PropertyId::NoLostUpdate));
}
