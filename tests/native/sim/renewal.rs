//! What bounds a lease besides its time to live: the lock that stays taken for a least time after
//! it was given back, the lease that runs before its work begins, the caps of renewal at the client
//! and at the service, the worker that renews by itself, the renewer that looks at its worker.

use expect_test::{Expect, expect};
use fenceline::sim::id::NodeId;
use fenceline::sim::lock::{SqlClock, SystemSettings};
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{
    CrashScope, Deadline, FaultKind, LeaseCap, LockSystem, Loses, OnLoss, PauseScope, Progress,
    Renew, RenewCap, RenewedBy, Start, Wait,
};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{Change, Recording, SimDuration};

use super::{A, B, at, fault, is_broken, lines, ms, no_fault, pause, run, verdict};

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

/// No pause, no fence, one write after 30 s of work; A's renewer ticks every 3.333333 s from 0.3 s.
fn long_work(more: &[Change]) -> Recording {
    let changes = [no_fault(), Change::Release(true), Change::Work(ms(30_000))];
    run(&[&changes[..], more].concat())
}

#[test]
fn a_client_that_renews_no_more_says_nothing_and_believes_on() {
    let capped = long_work(&[Change::RenewCap(RenewCap::After(ms(7_000)))]);
    told(
        &capped,
        &["A sends", "A renews", "A stops", "service ends", "service grants"],
        &expect![[r#"
            0.1 s A sends m0 acquire to service, lands 0.2 s
            0.2 s service grants A token 33 for 10 s
            3.633333 s A sends m4 renew 33 to service, lands 3.733333 s
            6.966666 s A sends m6 renew 33 to service, lands 7.066666 s
            10.299999 s A renews token 33 no more: 7 s after its grant
            17.066666 s service ends A's lease 33: expired
            17.066666 s service grants B token 34 for 10 s
            30.3 s A sends m13 write 33 to storage, lands 30.4 s
            30.5 s A sends m15 release 33 to service, lands 30.6 s
            30.5 s A stops believing in token 33: released
            33.933332 s service ends B's lease 34: expired
        "#]],
    );
    assert!(is_broken(&capped, PropertyId::OneBelieverAtATime), "{}", capped.log());
    assert_eq!(verdict(&long_work(&[])), VerdictKind::Safe);
}

/// A tick at the very end of the cap still renews; one microsecond less, and none does.
#[test]
fn a_cap_lets_the_renewal_through_that_falls_on_it() {
    let renewals = |cap| {
        let cap = Change::RenewCap(RenewCap::After(SimDuration::from_micros(cap)));
        lines(&long_work(&[cap]), "A sends m").iter().filter(|it| it.contains("renew")).count()
    };
    assert_eq!((renewals(6_666_666), renewals(6_666_665)), (2, 1));
    assert_eq!(renewals(1_000), 0, "a cap shorter than the first interval: none is sent");
}

#[test]
fn a_deadline_of_its_own_follows_the_last_renewal_of_a_capped_client() {
    let changes = [
        Change::RenewCap(RenewCap::After(ms(7_000))),
        Change::Deadline(Deadline::FromSend),
        Change::OnLoss(OnLoss::Dies),
    ];
    let capped = long_work(&changes);
    told(
        &capped,
        &["A renews", "A stops", "service ends"],
        &expect![[r#"
            10.299999 s A renews token 33 no more: 7 s after its grant
            16.966666 s A stops believing in token 33: its own deadline has passed
            17.066666 s service ends A's lease 33: expired
            34.133332 s service ends B's lease 34: expired
        "#]],
    );
    assert!(!is_broken(&capped, PropertyId::OneBelieverAtATime));
}

#[test]
fn a_service_refuses_or_cuts_what_would_pass_its_cap() {
    let refused = long_work(&[Change::Cap(LeaseCap::RefusedAfter(ms(15_000)))]);
    told(
        &refused,
        &["service renews", "service refuses", "service ends", "A stops"],
        &expect![[r#"
            3.733333 s service renews token 33 for 10 s, asked by A
            7.066666 s service renews A's lease 33 no more: it may last 15 s
            7.066666 s service refuses to renew token 33 for A
            7.166666 s A stops believing in token 33: renewal refused
            13.733333 s service ends A's lease 33: expired
            17.266666 s service renews token 34 for 10 s, asked by B
            20.599999 s service renews B's lease 34 no more: it may last 15 s
            20.599999 s service refuses to renew token 34 for B
            27.266666 s service ends B's lease 34: expired
        "#]],
    );
    let cut = long_work(&[Change::Cap(LeaseCap::CutAfter(ms(15_000)))]);
    told(
        &cut,
        &["service renews", "service lets", "service refuses", "service ends", "A stops"],
        &expect![[r#"
            3.733333 s service renews token 33 for 10 s, asked by A
            7.066666 s service lets A's lease 33 last no longer than 15 s
            7.066666 s service renews token 33 for 8.133334 s, asked by A
            10.399999 s service lets A's lease 33 last no longer than 15 s
            10.399999 s service renews token 33 for 4.800001 s, asked by A
            13.733332 s service lets A's lease 33 last no longer than 15 s
            13.733332 s service renews token 33 for 1.466668 s, asked by A
            15.2 s service ends A's lease 33: expired
            17.066665 s service refuses to renew token 33 for A
            17.166665 s A stops believing in token 33: renewal refused
            18.733333 s service renews token 34 for 10 s, asked by B
            22.066666 s service lets B's lease 34 last no longer than 15 s
            22.066666 s service renews token 34 for 8.133334 s, asked by B
            25.399999 s service lets B's lease 34 last no longer than 15 s
            25.399999 s service renews token 34 for 4.800001 s, asked by B
            28.733332 s service lets B's lease 34 last no longer than 15 s
            28.733332 s service renews token 34 for 1.466668 s, asked by B
            30.2 s service ends B's lease 34: expired
            32.066665 s service refuses to renew token 34 for B
        "#]],
    );
    let short = long_work(&[Change::Cap(LeaseCap::RefusedAfter(ms(5_000)))]);
    assert_eq!(lines(&short, "grants A"), ["0.2 s service grants A token 33 for 5 s"]);
    assert_eq!(lines(&short, "service renews token"), Vec::<String>::new());
}

#[test]
fn a_worker_that_renews_does_so_as_each_step_begins() {
    let steps =
        [Change::RenewedBy(RenewedBy::Worker), Change::WritesPerGrant(3), Change::Work(ms(6_000))];
    let renewed = long_work(&steps);
    told(
        &renewed,
        &["A works", "A sends", "service ends"],
        &expect![[r#"
        0.1 s A sends m0 acquire to service, lands 0.2 s
        0.3 s A works towards write A1.1 for 6 s
        0.3 s A sends m2 renew 33 to service, lands 0.4 s
        6.3 s A sends m6 write 33 to storage, lands 6.4 s
        6.5 s A works towards write A1.2 for 6 s
        6.5 s A sends m8 renew 33 to service, lands 6.6 s
        12.5 s A sends m10 write 33 to storage, lands 12.6 s
        12.7 s A works towards write A1.3 for 6 s
        12.7 s A sends m12 renew 33 to service, lands 12.8 s
        18.7 s A sends m14 write 33 to storage, lands 18.8 s
        18.9 s A sends m16 release 33 to service, lands 19 s
        19 s service ends A's lease 33: released
        37.8 s service ends B's lease 34: released
    "#]],
    );
    assert_eq!(lines(&renewed, "expired"), Vec::<String>::new());
    let longer = long_work(&[&steps[..], &[Change::Work(ms(11_000))]].concat());
    assert_eq!(lines(&longer, "expired").len(), 2, "a step outlasts the lease: {}", longer.log());
}

#[test]
fn a_renewer_waits_for_its_workers_next_step() {
    let stops = long_work(&[
        Change::Progress(Progress::StopsAfter(ms(8_000))),
        Change::WritesPerGrant(2),
        Change::Work(ms(14_000)),
    ]);
    told(
        &stops,
        &["A works", "A sends", "A does not", "service ends"],
        &expect![[r#"
        0.1 s A sends m0 acquire to service, lands 0.2 s
        0.3 s A works towards write A1.1 for 14 s
        3.633333 s A sends m4 renew 33 to service, lands 3.733333 s
        6.966666 s A sends m6 renew 33 to service, lands 7.066666 s
        10.299999 s A does not renew token 33: no step for 8 s
        14.3 s A sends m8 write 33 to storage, lands 14.4 s
        14.5 s A works towards write A1.2 for 14 s
        16.966665 s A sends m10 renew 33 to service, lands 17.066665 s
        20.299998 s A sends m12 renew 33 to service, lands 20.399998 s
        23.633331 s A does not renew token 33: no step for 8 s
        28.5 s A sends m14 write 33 to storage, lands 28.6 s
        28.7 s A sends m16 release 33 to service, lands 28.8 s
        28.8 s service ends A's lease 33: released
        57.4 s service ends B's lease 34: released
    "#]],
    );
}

/// The library leaves behind the back of a paused worker, which then writes late.
#[test]
fn who_leaves_while_its_worker_stands_still_writes_late() {
    let start = Start::At(at(1_000));
    let changes = [
        no_fault(),
        pause(2, A, PauseScope::Worker, start, 20_000),
        Change::Progress(Progress::LeavesAfter(ms(5_000))),
        Change::Release(true),
    ];
    let left = run(&changes);
    told(
        &left,
        &["A ", "service ends", "service grants"],
        &expect![[r#"
        0.1 s A sends m0 acquire to service, lands 0.2 s
        0.2 s service grants A token 33 for 10 s
        0.3 s A handles m1 granted from service
        0.3 s A believes that it holds token 33
        0.3 s A works towards write A1.1 for 2 s
        1 s A pauses (worker) until 21 s
        3.633333 s A sends m4 renew 33 to service, lands 3.733333 s
        3.833333 s A handles m5 renewed from service
        6.966666 s A gives token 33 back: no step for 5 s
        6.966666 s A sends m6 release 33 to service, lands 7.066666 s
        6.966666 s A stops believing in token 33: released
        7.066666 s service ends A's lease 33: released
        7.066666 s service grants B token 34 for 10 s
        9.466666 s service ends B's lease 34: released
        21 s A wakes (worker)
        21 s A sends m13 write 33 to storage, lands 21.1 s
        21 s A handles m7 released from service
        21.2 s A handles m14 write accepted from storage
        21.2 s A is done
    "#]],
    );
    assert_eq!(verdict(&left), VerdictKind::Corrupted);
}

#[test]
fn a_worker_that_dies_alone_does_not_hold_for_ever_where_its_renewer_looks_at_it() {
    let dies = FaultKind::Crash {
        client: A,
        scope: CrashScope::Worker,
        at: at(1_000),
        restart_after: None,
    };
    let died = |more: &[Change]| {
        let changes = [no_fault(), Change::AddFault(fault(2, dies.clone()))];
        run(&[&changes[..], more].concat())
    };
    assert!(is_broken(&died(&[]), SOMEBODY), "its renewer holds for ever");
    for progress in [Progress::StopsAfter(ms(5_000)), Progress::LeavesAfter(ms(5_000))] {
        let freed = died(&[Change::Progress(progress)]);
        assert!(!is_broken(&freed, SOMEBODY), "{}", freed.log());
        assert_eq!(lines(&freed, "grants B").len(), 1, "{}", freed.log());
    }
}

#[test]
fn a_worker_that_renews_does_so_alone_whatever_the_schedule() {
    for lock in [LockSystem::LeaseServer, LockSystem::Dhcp, LockSystem::Kubernetes] {
        let by_worker = Change::RenewedBy(RenewedBy::Worker);
        let steps = [Change::WritesPerGrant(3), Change::Work(ms(2_000)), no_fault()];
        let changes = [&steps[..], &[Change::Lock(lock), by_worker]].concat();
        let recording = run(&changes);
        let sent = lines(&recording, "A sends").into_iter().filter(|line| line.contains("renew"));
        // One as each step begins, and none besides.
        assert!(sent.count() <= 3, "{lock:?}: {}", recording.log());
    }
}
