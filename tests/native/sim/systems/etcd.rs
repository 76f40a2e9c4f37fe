//! etcd: whole seconds, late ends, a new leader's gift of time, the key's create revision.

use fenceline::sim::lock::{EtcdSettings, EtcdToken};
use fenceline::sim::property::PropertyId;
use fenceline::sim::scenario::{FaultKind, FenceRule, LockSystem, Loses, Renew};
use fenceline::sim::{Change, FencingToken, Recording};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems, verdict};

const ETCD: Change = Change::Lock(LockSystem::Etcd);

fn settings(etcd: EtcdSettings) -> Change {
    systems(|all| all.etcd = etcd)
}

#[test]
fn a_lease_lasts_whole_seconds() {
    let recording = run(&[ETCD, no_fault(), Change::Ttl(ms(2_400))]);
    assert!(lines(&recording, "grants A")[0].ends_with("for 3 s"));
    let recording = run(&[ETCD, no_fault(), Change::Ttl(ms(10))]);
    assert!(lines(&recording, "grants A")[0].ends_with("for 2 s"), "half an election more than it");
    let quick = EtcdSettings { election_timeout: ms(100), ..EtcdSettings::default() };
    let recording = run(&[ETCD, settings(quick), no_fault(), Change::Ttl(ms(10))]);
    assert!(lines(&recording, "grants A")[0].ends_with("for 1 s"));
}

#[test]
fn a_lease_ends_at_the_leaders_next_look_and_when_a_majority_has_it() {
    // A's session begins with its request, which lands at 0.2 s; its last keep-alive before the
    // crash at 2 s is none, so it is over at 10.2 s. The leader looks at 10.5 s.
    let recording = run(&[ETCD, no_fault(), crash(2, A, 2_000, None)]);
    assert_eq!(lines(&recording, "ends A's lease"), ["10.51 s service ends A's lease 33: expired"]);
    let looks = EtcdSettings { scan: ms(3_000), commit: ms(0), ..EtcdSettings::default() };
    let recording = run(&[ETCD, settings(looks), no_fault(), crash(2, A, 2_000, None)]);
    assert_eq!(lines(&recording, "ends A's lease"), ["12 s service ends A's lease 33: expired"]);
}

#[test]
fn between_its_end_and_the_revoke_a_lease_is_not_renewed() {
    let late = EtcdSettings { scan: ms(5_000), ..EtcdSettings::default() };
    // The one renewal is sent at 10.3 s: after the end at 10.2 s, before the look at 15 s.
    let renews = Change::Renew(Renew::Every(ms(10_000)));
    let recording = run(&[ETCD, settings(late), no_fault(), renews]);
    assert_eq!(lines(&recording, "refuses to renew token 33 for A").len(), 1);
    assert!(lines(&recording, "renews token 33").is_empty());
    assert_eq!(
        lines(&recording, "ends A's lease")[0],
        "15.01 s service ends A's lease 33: expired"
    );
}

#[test]
fn a_new_leader_gives_every_lease_its_whole_time_again() {
    let restart = FaultKind::ServiceRestart {
        node: None,
        at: at(6_000),
        length: ms(1_000),
        loses: Loses::Nothing,
    };
    let changes = [ETCD, no_fault(), crash(2, A, 2_000, None), Change::AddFault(fault(3, restart))];
    let recording = run(&changes);
    assert_eq!(lines(&recording, "refreshes"), ["7 s service refreshes A's lease 33 for 11 s"]);
    assert_eq!(lines(&recording, "ends A's lease"), ["18.01 s service ends A's lease 33: expired"]);
}

#[test]
fn the_keys_create_revision_fences_a_paused_holder_and_the_leases_id_does_not() {
    let fenced = run(&[ETCD, Change::Fencing(true)]);
    assert_eq!(lines(&fenced, "refuses write").len(), 1);
    assert!(!is_broken(&fenced, PropertyId::TokensNeverGoBack));
    let id = EtcdSettings { token: EtcdToken::LeaseId, ..EtcdSettings::default() };
    let wrong = run(&[ETCD, Change::Fencing(true), settings(id)]);
    let refused = lines(&wrong, "refuses write");
    assert!(refused.iter().all(|line| line.contains(" B")), "the rightful holder: {refused:?}");
    assert_ne!(verdict(&wrong), verdict(&fenced));
    let tokens: Vec<_> = fenced.grants().iter().map(|grant| (grant.client, grant.token)).collect();
    assert_eq!(tokens[0], (A, FencingToken(33)));
    assert!(tokens[1].0 == B && tokens[1].1 > FencingToken(33));
}

fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

#[test]
fn a_leases_revision_is_the_stores_when_the_session_was_made() {
    let by_lease = EtcdSettings { token: EtcdToken::LeaseRevision, ..EtcdSettings::default() };
    let early = Change::SessionAt { client: B, at: Some(at(0)) };
    // B's session is made at 0.1 s and A's at 0.2 s; A is granted first.
    let recording = run(&[ETCD, settings(by_lease.clone()), early, Change::Seed(3)]);
    assert!(lines(&recording, "handles m0 open session from B")[0].starts_with("0.1 s service"));
    let inverted = tokens(&recording);
    assert_eq!(inverted[1], 33, "B's is the first revision");
    assert!(inverted[0] > 33, "others have written before A's session was made");
    // Nothing forces others to write in between: two sessions can have one revision.
    let seeds = (1..20).map(|seed| {
        tokens(&run(&[ETCD, settings(by_lease.clone()), early_b(), Change::Seed(seed)]))
    });
    assert!(seeds.into_iter().any(|tokens| tokens[0] == tokens[1]));
}

fn early_b() -> Change {
    Change::SessionAt { client: B, at: Some(at(0)) }
}

#[test]
fn a_session_that_was_made_early_is_kept_alive_and_counts_from_its_last_sign_of_life() {
    let asks = Change::AsksAt { client: B, at: at(8_000) };
    let recording = run(&[ETCD, no_fault(), early_b(), asks.clone(), crash(2, A, 2_000, None)]);
    let alive = lines(&recording, "handles m").into_iter().filter(|line| line.contains("alive"));
    assert!(alive.count() >= 4, "both ways, twice before it asks");
    // B's last sign of life before its grant at 10.51 s lands at 10.099999 s.
    assert_eq!(lines(&recording, "grants B"), ["10.51 s service grants B token 39 for 9.589999 s"]);
    // Nothing is heard of B for longer than its session lasts: it asks with a new one.
    let paused = super::super::pause(
        3,
        B,
        fenceline::sim::scenario::PauseScope::Renewer,
        fenceline::sim::scenario::Start::At(at(1_000)),
        29_000,
    );
    let asks = Change::AsksAt { client: B, at: at(15_000) };
    let recording = run(&[ETCD, no_fault(), early_b(), asks, crash(2, A, 2_000, None), paused]);
    assert!(lines(&recording, "grants B")[0].ends_with("for 10 s"));
}

fn restored(settings_: EtcdSettings) -> Recording {
    let restart = FaultKind::ServiceRestart {
        node: None,
        at: at(9_000),
        length: ms(1_000),
        loses: Loses::SinceSnapshot,
    };
    let c = fenceline::sim::scenario::ClientSpec::asking_at(at(11_000));
    run(&[
        ETCD,
        settings(settings_),
        no_fault(),
        Change::Release(true),
        Change::Timeout(Some(ms(3_000))),
        Change::AddFault(fault(3, restart)),
        Change::AddClient(c),
    ])
}

#[test]
fn a_restore_goes_back_to_the_last_snapshot() {
    // A is granted at 0.2 s and B, which has waited since 1.1 s, at 2.6 s; B is done at 5 s.
    let saved = |millis| EtcdSettings { snapshot_every: Some(ms(millis)), ..Default::default() };
    // The snapshot of 8.9 s is saved although nothing happens from then until the service stops.
    let never = tokens(&restored(EtcdSettings::default()));
    assert_eq!(never.len(), 3);
    assert_eq!(never[2], 33, "an empty store begins anew");
    // At 1 s A's key was there and B's not.
    let before_b = tokens(&restored(saved(8_900)));
    assert_eq!(before_b[2], before_b[1] + 6, "the snapshot of 8.9 s knows both");
    let between = tokens(&restored(EtcdSettings { snapshot_every: Some(ms(1_050)), ..saved(1) }));
    assert!(between[2] > between[1], "so does that of 8.4 s");
    let bumped = EtcdSettings { bump_revision: true, ..EtcdSettings::default() };
    assert_eq!(tokens(&restored(bumped))[2], 1_000_000_033);
}

#[test]
fn a_grant_that_the_snapshot_knows_stays_and_a_younger_one_is_forgotten() {
    let restart = |at_ms| FaultKind::ServiceRestart {
        node: None,
        at: at(at_ms),
        length: ms(500),
        loses: Loses::SinceSnapshot,
    };
    let saved = EtcdSettings { snapshot_every: Some(ms(4_000)), ..EtcdSettings::default() };
    let base = [ETCD, settings(saved), no_fault()];
    let known = run(&[&base[..], &[Change::AddFault(fault(3, restart(5_000)))]].concat());
    assert!(lines(&known, "forgotten").is_empty());
    assert_eq!(lines(&known, "refreshes A's lease 33 for 11 s").len(), 1);
    assert_eq!(known.grants().len(), 1, "A holds on, B waits on");
    let younger = run(&[&base[..], &[Change::AddFault(fault(3, restart(3_000)))]].concat());
    assert_eq!(lines(&younger, "forgotten"), ["3.5 s service ends A's lease 33: forgotten"]);
}

#[test]
fn in_one_transaction_a_write_is_refused_from_the_instant_at_which_the_lease_ends() {
    let inside = Change::Rule(FenceRule::SameTransaction);
    // A wakes at 10.6 s: its lease ended at 10.51 s, and B, who begins at 10.61 s, has not written.
    let paused = super::super::pause_for(8_600);
    let fenced = Change::Fencing(true);
    let outside = run(&[ETCD, fenced.clone(), paused.clone()]);
    assert!(is_broken(&outside, PropertyId::NoWriteAfterItsLeaseEnded));
    let recording = run(&[ETCD, fenced.clone(), paused, inside.clone()]);
    assert_eq!(
        lines(&recording, "refuses write"),
        ["10.7 s storage refuses write A1.1 with 33: highest 36"]
    );
    assert!(!is_broken(&recording, PropertyId::NoWriteAfterItsLeaseEnded));
    // Nobody holds the lock any more: nothing is accepted, either.
    let pause = super::super::pause_for(15_000);
    let alone = [Change::RemoveLastClient, ETCD, fenced.clone(), inside.clone(), pause];
    assert_eq!(lines(&run(&alone), "refuses write").len(), 1);
    // Who is cut off from etcd is cut off from the value.
    let cut = FaultKind::Cut {
        a: fenceline::sim::NodeId::Client(A),
        b: fenceline::sim::NodeId::Lock(fenceline::sim::id::LockNodeId(0)),
        at: at(1_000),
        length: ms(60_000),
        held: false,
    };
    let cut = run(&[ETCD, no_fault(), fenced, inside, Change::AddFault(fault(3, cut))]);
    assert_eq!(lines(&cut, "loses m").iter().filter(|line| line.contains("write")).count(), 1);
}

#[test]
fn a_session_is_kept_alive_in_the_second_wait_as_well() {
    // After its first grant is over, a client waits again: its renewer must not sleep.
    let changes = [
        ETCD,
        no_fault(),
        Change::Release(true),
        Change::Repeat(fenceline::sim::scenario::Repeat::After(ms(500))),
        Change::Work(ms(8_000)),
    ];
    let recording = run(&changes);
    let kept: Vec<_> = lines(&recording, "keep alive to service");
    assert!(kept.iter().any(|line| line.contains(" A ")), "A waits for B after 8.5 s: {kept:?}");
}

#[test]
fn a_restore_brings_the_keys_of_the_dead_back() {
    let saved = EtcdSettings { snapshot_every: Some(ms(2_000)), ..EtcdSettings::default() };
    let restart = FaultKind::ServiceRestart {
        node: None,
        at: at(3_500),
        length: ms(500),
        loses: Loses::SinceSnapshot,
    };
    // A holds when the store is saved, and gives the lock to B at 2.5 s. Both have died when the
    // store of 2 s is restored.
    let changes = [
        ETCD,
        settings(saved),
        no_fault(),
        Change::Release(true),
        crash(4, A, 3_000, None),
        crash(5, B, 3_000, None),
        Change::AddFault(fault(3, restart)),
        Change::AddClient(fenceline::sim::scenario::ClientSpec::asking_at(at(5_000))),
    ];
    let recording = run(&changes);
    assert_eq!(lines(&recording, "forgotten"), ["4 s service ends B's lease 36: forgotten"]);
    assert_eq!(lines(&recording, "takes over with A's lease 33").len(), 1);
    assert_eq!(lines(&recording, "queues C"), ["5.1 s service queues C, 1 ahead"]);
    // A's time begins anew, with a second more; B's place goes with it, and C's turn comes.
    assert_eq!(
        lines(&recording, "ends A's lease").last().unwrap(),
        "15.01 s service ends A's lease 33: expired"
    );
    assert_eq!(lines(&recording, "grants C").len(), 1);
    assert!(!is_broken(&recording, PropertyId::SomebodyCanAlwaysGetTheLock));
}
