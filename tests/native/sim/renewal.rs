//! What a lease does besides running: the lock that stays taken for a least time after it was given
//! back, and the lease that runs before its work begins.

use expect_test::{Expect, expect};
use fenceline::sim::id::NodeId;
use fenceline::sim::lock::{SqlClock, SystemSettings};
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{Deadline, FaultKind, LockSystem, Loses, OnLoss, Renew, Wait};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{Change, Recording};

use super::{B, at, fault, is_broken, lines, ms, no_fault, run, verdict};

const SOMEBODY: PropertyId = PropertyId::SomebodyCanAlwaysGetTheLock;

/// The lines of the log that hold one of these.
fn told(recording: &Recording, parts: &[&str], expected: &Expect) {
    let all = lines(recording, "");
    let shown: Vec<_> =
        all.iter().filter(|line| parts.iter().any(|part| line.contains(part))).collect();
    let mut text = String::new();
    for line in shown {
        text.push_str(line);
        text.push('\n');
    }
    expected.assert_eq(&text);
}

/// No pause; A gives the lock back at 2.6 s, and B has waited since 1.1 s.
fn held_at_least(least: u64, more: &[Change]) -> Recording {
    let changes = [no_fault(), Change::Release(true), Change::MinHold(ms(least))];
    run(&[&changes[..], more].concat())
}

#[test]
fn a_lock_given_back_early_is_free_when_its_least_time_is_over() {
    let kept = held_at_least(5_000, &[]);
    told(
        &kept,
        &["service grants", "service ends", "service keeps"],
        &expect![[r#"
        0.2 s service grants A token 33 for 10 s
        2.6 s service ends A's lease 33: released
        2.6 s service keeps A's lock 33 taken for 2.6 s more
        5.2 s service grants B token 34 for 10 s
        7.6 s service ends B's lease 34: released
        7.6 s service keeps B's lock 34 taken for 2.6 s more
    "#]],
    );
    assert!(!is_broken(&kept, SOMEBODY), "{:?}", kept.properties());
    let over_before = held_at_least(2_000, &[]);
    assert_eq!(lines(&over_before, "keeps"), Vec::<String>::new());
    assert_eq!(lines(&over_before, "grants B"), ["2.6 s service grants B token 34 for 10 s"]);
}

/// At one instant the service's timer comes first: who asks when the time is over is granted.
#[test]
fn who_asks_at_the_end_of_the_least_time_is_granted_then() {
    let poll = Change::Wait(Wait::Poll { every: ms(1_000), jitter: ms(0) });
    let asks = |millis| Change::AsksAt { client: B, at: at(millis) };
    let in_time = held_at_least(5_000, &[poll.clone(), asks(5_100)]);
    assert_eq!(lines(&in_time, "grants B").len(), 1);
    assert_eq!(lines(&in_time, "lock is taken"), Vec::<String>::new());
    let early = held_at_least(5_000, &[poll, asks(5_099)]);
    assert_eq!(lines(&early, "lock is taken").len(), 1, "{}", early.log());
}

#[test]
fn a_least_time_is_forgotten_with_the_leases_and_does_not_outlast_an_expiry() {
    let stop = |loses| {
        let kind = FaultKind::ServiceRestart { node: None, at: at(3_000), length: ms(500), loses };
        Change::AddFault(fault(9, kind))
    };
    let asks = Change::AsksAt { client: B, at: at(4_000) };
    let lost = held_at_least(9_000, &[asks.clone(), stop(Loses::Leases)]);
    assert_eq!(lines(&lost, "grants B"), ["4.1 s service grants B token 34 for 10 s"]);
    let kept = held_at_least(9_000, &[asks, stop(Loses::Nothing)]);
    assert_eq!(lines(&kept, "grants B"), ["9.2 s service grants B token 34 for 10 s"]);
    // Nobody gave it back: the time to live alone counts.
    let expired = run(&[Change::MinHold(ms(40_000)), Change::Release(true)]);
    assert_eq!(lines(&expired, "grants B"), ["10.2 s service grants B token 34 for 10 s"]);
}

/// `ShedLock`'s `lockAtLeastFor` by the application's clocks: it covers clocks that differ by less.
fn by_the_nodes_clocks(ahead: i64) -> Recording {
    let mut systems = SystemSettings::default();
    systems.sql.clock = SqlClock::Nodes;
    let kind = FaultKind::ClockJump {
        node: NodeId::Client(B),
        at: at(0),
        by: ClockShift::from_micros(ahead * 1_000),
    };
    held_at_least(
        5_000,
        &[
            Change::Lock(LockSystem::Sql),
            Change::Systems(systems),
            Change::Wait(Wait::Poll { every: ms(500), jitter: ms(0) }),
            Change::AddFault(fault(9, kind)),
        ],
    )
}

#[test]
fn a_time_in_the_record_is_judged_by_whoever_asks() {
    told(
        &by_the_nodes_clocks(0),
        &["service grants", "service ends", "service keeps"],
        &expect![[r#"
            0.2 s service grants A token 33 for 10 s
            2.6 s service ends A's lease 33: released
            2.6 s service keeps A's lock 33 taken for 2.5 s more
            5.3 s service grants B token 34 for 10 s
            7.7 s service ends B's lease 34: released
            7.7 s service keeps B's lock 34 taken for 2.5 s more
        "#]],
    );
    told(
        &by_the_nodes_clocks(3_000),
        &["service grants", "service ends", "service keeps"],
        &expect![[r#"
            0.2 s service grants A token 33 for 10 s
            2.6 s service ends A's lease 33: released
            2.6 s service keeps A's lock 33 taken for 2.5 s more
            3.2 s service grants B token 34 for 10 s
            5.6 s service ends B's lease 34: released
            5.6 s service keeps B's lock 34 taken for 5.5 s more
        "#]],
    );
}

/// No pause, no fence; A's lease runs for 12 s before its work of 2 s begins, B's too.
fn fetched_ahead(renews_waiting: bool, more: &[Change]) -> Recording {
    let changes = [
        no_fault(),
        Change::Release(true),
        Change::StartsAfter(ms(12_000)),
        Change::RenewsWaiting(renews_waiting),
    ];
    run(&[&changes[..], more].concat())
}

#[test]
fn a_lease_that_is_not_renewed_before_its_work_begins_is_over_by_then() {
    let ahead = fetched_ahead(false, &[]);
    told(
        &ahead,
        &["waits", "renew", "service grants", "service ends", "works"],
        &expect![[r#"
        0.2 s service grants A token 33 for 10 s
        0.3 s A waits unrenewed for 12 s before it begins
        10.2 s service ends A's lease 33: expired
        10.2 s service grants B token 34 for 10 s
        10.3 s B waits unrenewed for 12 s before it begins
        12.3 s A works towards write A1.1 for 2 s
        20.2 s service ends B's lease 34: expired
        22.3 s B works towards write B1.1 for 2 s
    "#]],
    );
    assert!(is_broken(&ahead, PropertyId::NoWriteAfterItsLeaseEnded), "{}", ahead.log());
    let renewed = fetched_ahead(true, &[]);
    assert_eq!(verdict(&renewed), VerdictKind::Safe);
    assert_eq!(lines(&renewed, "expired"), Vec::<String>::new());
    let at_once = fetched_ahead(false, &[Change::StartsAfter(ms(0))]);
    assert_eq!(verdict(&at_once), VerdictKind::Safe);
    assert_eq!(lines(&at_once, "waits"), Vec::<String>::new());
}

/// The wait may just not outlast the lease: the renewer's first tick is a third of it later.
#[test]
fn renewal_begins_with_the_work() {
    let ahead = fetched_ahead(false, &[Change::StartsAfter(ms(5_000)), Change::Work(ms(9_000))]);
    told(
        &ahead,
        &["A sends renew", "A works", "A waits"],
        &expect![[r#"
        0.3 s A waits unrenewed for 5 s before it begins
        5.3 s A works towards write A1.1 for 9 s
    "#]],
    );
}

#[test]
fn who_learns_of_the_loss_before_its_work_began_gives_it_up() {
    let stops = [Change::Deadline(Deadline::FromSend), Change::OnLoss(OnLoss::Dies)];
    let ahead = fetched_ahead(false, &stops);
    assert_eq!(lines(&ahead, "A works"), Vec::<String>::new(), "{}", ahead.log());
    let off = fetched_ahead(true, &[Change::Renew(Renew::Off)]);
    assert_eq!(lines(&off, "sends renew"), Vec::<String>::new());
}
