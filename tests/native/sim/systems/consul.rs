//! Consul: twice the time to live, the lock-delay, renewal at half, indexes that go with the key.

use fenceline::sim::lock::{Behavior, ConsulSettings, ConsulToken};
use fenceline::sim::scenario::{FaultKind, LockSystem, Loses};
use fenceline::sim::{Change, Recording};

use super::super::{fault, paused_holder};
use super::{A, at, crash, lines, ms, no_fault, run, systems};

const CONSUL: Change = Change::Lock(LockSystem::Consul);

fn with(set: impl FnOnce(&mut ConsulSettings)) -> Change {
    systems(|all| set(&mut all.consul))
}

fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

#[test]
fn a_session_lasts_at_least_ten_seconds_and_is_renewed_at_half() {
    let recording = run(&[CONSUL, no_fault(), Change::Ttl(ms(3_000))]);
    assert!(lines(&recording, "grants A")[0].ends_with("for 10 s"));
    assert!(lines(&recording, "renew 33 to service")[0].starts_with("5.3 s A"));
}

#[test]
fn the_time_to_live_is_a_lower_bound_the_server_waits_for_twice_of_it() {
    let recording = run(&[CONSUL, no_fault(), crash(2, A, 2_000, None)]);
    assert_eq!(lines(&recording, "ends A's lease"), ["20.2 s service ends A's lease 33: expired"]);
    // And then for the lock-delay of 15 s.
    assert!(lines(&recording, "grants B")[0].starts_with("35.2 s"));
    let soon = run(&[
        CONSUL,
        no_fault(),
        crash(2, A, 2_000, None),
        with(|all| {
            all.lock_delay = ms(0);
        }),
    ]);
    assert!(lines(&soon, "grants B")[0].starts_with("20.2 s"));
    let released = run(&[CONSUL, no_fault(), Change::Release(true)]);
    assert!(lines(&released, "grants B")[0].starts_with("2.6 s"), "never after a release");
}

#[test]
fn until_then_a_renewal_is_taken() {
    // The time is over at 10.2 s, A wakes at 17 s.
    let recording = run(&[CONSUL]);
    assert!(lines(&recording, "expired").is_empty());
    assert!(lines(&recording, "renews token 33")[0].starts_with("17.1 s"));
}

#[test]
fn with_a_deleted_key_the_lock_index_begins_anew_and_the_modify_index_does_not() {
    let failed = |behavior, token| {
        let set = with(|all| (all.behavior, all.token) = (behavior, token));
        tokens(&run(&[CONSUL, no_fault(), crash(2, A, 2_000, None), set]))
    };
    assert_eq!(failed(Behavior::Release, ConsulToken::LockIndex), [33, 34]);
    assert_eq!(failed(Behavior::Delete, ConsulToken::LockIndex), [33, 33]);
    let modified = failed(Behavior::Delete, ConsulToken::ModifyIndex);
    assert!(modified[1] > modified[0]);
}

#[test]
fn a_new_leader_counts_sessions_anew() {
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(3_000),
        length: ms(1_000),
        loses: Loses::Nothing,
    };
    let changes = [CONSUL, no_fault(), crash(2, A, 2_000, None), Change::AddFault(fault(3, away))];
    let recording = run(&changes);
    assert_eq!(lines(&recording, "refreshes"), ["4 s service refreshes A's lease 33 for 10 s"]);
    assert!(lines(&recording, "ends A's lease")[0].starts_with("24 s"));
}

#[test]
fn a_lock_delay_of_more_than_a_minute_is_refused() {
    let long = paused_holder().with(&[CONSUL, with(|all| all.lock_delay = ms(61_000))]);
    let error = long.expect_err("out of range").to_string();
    assert!(error.contains("systems.consul.lock_delay: 61 s"), "{error}");
}
