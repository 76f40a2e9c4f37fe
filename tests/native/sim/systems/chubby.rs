//! Chubby: sequencers, lock-delay, jeopardy, a clock that stands still without a master.

use fenceline::sim::lock::{ChubbySettings, Sequencer};
use fenceline::sim::scenario::{ClientSpec, FaultKind, LockSystem, Loses, OnLoss};
use fenceline::sim::{Change, FencingToken, Recording};

use super::super::fault;
use super::{A, at, crash, lines, ms, no_fault, run, systems};

const CHUBBY: Change = Change::Lock(LockSystem::Chubby);

fn with(set: impl FnOnce(&mut ChubbySettings)) -> Change {
    systems(|all| set(&mut all.chubby))
}

fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

/// No master from 5 s on, for so long; a lease of 12 s, and work until 20.3 s.
fn failover(millis: u64) -> Vec<Change> {
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(5_000),
        length: ms(millis),
        loses: Loses::Nothing,
    };
    let work = [Change::Ttl(ms(12_000)), Change::Work(ms(20_000))];
    let mut changes = vec![CHUBBY, no_fault(), Change::AddFault(fault(3, away))];
    changes.extend(work);
    changes
}

#[test]
fn the_generation_grows_with_every_holder_and_no_fail_over_changes_the_instance() {
    let first = Change::FirstToken(FencingToken(1));
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(1_500),
        length: ms(300),
        loses: Loses::Nothing,
    };
    let changes =
        [CHUBBY, no_fault(), first, Change::Release(true), Change::AddFault(fault(3, away))];
    assert_eq!(tokens(&run(&changes)), [1, 2]);
}

#[test]
fn a_file_that_was_made_anew_has_a_higher_instance() {
    let c = Change::AddClient(ClientSpec::asking_at(at(8_000)));
    let first = Change::FirstToken(FencingToken(1));
    let base = [CHUBBY, no_fault(), first, Change::Release(true), c];
    assert_eq!(tokens(&run(&base)), [1, 2, 3], "the file stays");
    let whole = run(&[&base[..], &[with(|all| all.ephemeral = true)]].concat());
    assert_eq!(tokens(&whole), [1, 2, (1 << 32) + 1]);
    let alone = with(|all| {
        (all.ephemeral, all.sequencer) = (true, Sequencer::Generation);
    });
    assert_eq!(tokens(&run(&[&base[..], &[alone]].concat())), [1, 2, 1]);
}

#[test]
fn a_lock_delay_follows_a_failure_never_a_release_and_lasts_a_minute_at_most() {
    let delay = |secs: u64| Change::LockDelay(ms(secs * 1_000));
    let granted = |changes: &[Change]| {
        let recording = run(&[&[CHUBBY, no_fault()][..], changes].concat());
        lines(&recording, "grants B")[0].split(" service").next().expect("a time").to_owned()
    };
    // A's session ends at 10.2 s.
    assert_eq!(granted(&[delay(5), crash(3, A, 2_000, None)]), "15.2 s");
    assert_eq!(granted(&[delay(300), crash(3, A, 2_000, None)]), "70.2 s");
    assert_eq!(granted(&[delay(5), Change::Release(true)]), "2.6 s");
}

#[test]
fn in_jeopardy_a_client_does_nothing_and_goes_on_when_it_hears_of_the_new_master() {
    let recording = run(&failover(30_000));
    // Its last answered sign of life was sent at 4.3 s.
    assert_eq!(lines(&recording, "jeopardy"), ["16.3 s A is in jeopardy with token 33"]);
    assert_eq!(lines(&recording, "refreshes"), ["35 s service refreshes A's lease 33 for 12 s"]);
    assert_eq!(lines(&recording, "safe again"), ["36.5 s A is safe again with token 33"]);
    // Its work was done at 20.3 s.
    assert_eq!(lines(&recording, "sends m").iter().filter(|l| l.contains("write 33")).count(), 1);
    assert!(lines(&recording, "accepts write A1.1")[0].starts_with("36.6 s"));
    assert!(lines(&recording, "expired").is_empty());
}

#[test]
fn after_the_grace_period_the_session_is_given_up_and_its_work_with_it() {
    let mut changes = failover(30_000);
    changes.push(with(|all| all.grace = ms(10_000)));
    changes.push(Change::OnLoss(OnLoss::GoesOn));
    let recording = run(&changes);
    assert_eq!(
        lines(&recording, "A stops believing"),
        ["26.3 s A stops believing in token 33: its own deadline has passed"]
    );
    // What was held back fails.
    assert_eq!(lines(&recording, "gives write A1.1 up").len(), 1);
    assert!(lines(&recording, "write A1.1 with").is_empty());
    // A master that comes back sooner finds everybody alive.
    let soon = run(&failover(4_000));
    assert!(lines(&soon, "jeopardy").is_empty());
    assert!(lines(&soon, "expired").is_empty());
}

#[test]
fn a_client_counts_its_lease_from_when_it_asked_the_master_from_when_it_heard() {
    // A is cut off from 2 s: it stops at 0.1 s + 10 s, and the master ends its lease at 10.2 s.
    let cut = FaultKind::Cut {
        a: fenceline::sim::NodeId::Client(A),
        b: fenceline::sim::NodeId::Lock(fenceline::sim::id::LockNodeId(0)),
        at: at(2_000),
        length: ms(90_000),
        held: false,
    };
    let recording = run(&[CHUBBY, no_fault(), Change::AddFault(fault(3, cut))]);
    assert_eq!(lines(&recording, "jeopardy"), ["10.1 s A is in jeopardy with token 33"]);
    assert!(lines(&recording, "ends A's lease")[0].starts_with("10.2 s"));
    assert!(lines(&recording, "A stops believing")[0].starts_with("55.1 s"));
}
