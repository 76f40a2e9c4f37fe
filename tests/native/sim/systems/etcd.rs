//! etcd: whole seconds, late ends, a new leader's gift of time, the key's create revision.

use fenceline::sim::lock::{EtcdSettings, EtcdToken};
use fenceline::sim::property::PropertyId;
use fenceline::sim::scenario::{FaultKind, LockSystem, Loses, Renew};
use fenceline::sim::{Change, FencingToken};

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
