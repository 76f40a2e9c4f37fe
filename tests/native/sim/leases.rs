//! Leases, waiters, renewal and release, as `docs/model.md` describes them.

use fenceline::sim::Change;
use fenceline::sim::fact::{Fact, ServiceFact};
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
use fenceline::sim::scenario::{
    ClientSpec, ExpiryJudge, FaultKind, HandOff, LockSystem, Loses, Ratio, Renew, Repeat,
    TokenSource,
};

use super::{
    A, B, at, crash, fault, first, is_broken, lines, ms, no_fault, pause_for, run, state, verdict,
};

#[test]
fn a_plain_lock_is_kept_by_its_dead_holder_for_ever() {
    let recording = run(&[no_fault(), Change::Lock(LockSystem::Plain), crash(2, A, 2_000, None)]);
    assert_eq!(lines(&recording, "grants"), ["0.2 s service grants A token 33 without end"]);
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
    assert_eq!(recording.verdict().because, Some(PropertyId::SomebodyCanAlwaysGetTheLock));
    assert_eq!(recording.verdict().at, Some(at(2_000)));
    assert_eq!(recording.costs().unheld_though_wanted, ms(18_000));
    // With a restart the same client gets the same lock again, and nobody waits for ever.
    let again =
        run(&[no_fault(), Change::Lock(LockSystem::Plain), crash(2, A, 2_000, Some(3_000))]);
    assert_eq!(lines(&again, "tells A"), ["5.1 s service tells A that it holds token 33"]);
    assert_eq!(verdict(&again), VerdictKind::Safe);
}

#[test]
fn a_lease_frees_itself_within_its_time_to_live() {
    let recording = run(&[no_fault(), crash(2, A, 2_000, None)]);
    let grants = lines(&recording, "grants");
    assert_eq!(grants[1], "10.2 s service grants B token 34 for 10 s");
    assert_eq!(verdict(&recording), VerdictKind::Safe);
    let somebody = state(&recording, PropertyId::SomebodyCanAlwaysGetTheLock);
    assert_eq!(somebody, PropertyState::Holds);
}

#[test]
fn work_longer_than_the_lease_loses_it_unless_it_is_renewed() {
    let long = [no_fault(), Change::Work(ms(30_000))];
    let lost = run(&[long.clone().as_slice(), &[Change::Renew(Renew::Off)]].concat());
    assert!(lines(&lost, "ends A's lease 33: expired").len() == 1);
    assert_eq!(verdict(&lost), VerdictKind::Safe, "B's write comes after A's");
    assert!(is_broken(&lost, PropertyId::OneBelieverAtATime));
    let kept = run(&[long.as_slice(), &[Change::Renew(Renew::Share(Ratio::THIRD))]].concat());
    assert!(lines(&kept, "expired").is_empty());
    assert!(lines(&kept, "A sends").iter().filter(|line| line.contains("renew 33")).count() >= 9);
}

#[test]
fn an_expired_lease_is_not_revived_by_a_renewal() {
    // A wakes at 10.15 s: its renewal, overdue since 3.6 s, lands after the expiry at 10.2 s.
    let recording = run(&[pause_for(8_150)]);
    assert_eq!(lines(&recording, "refuses to renew").len(), 1);
    assert_eq!(lines(&recording, "asked by A").len(), 0);
}

#[test]
fn renewal_at_the_expiry_instant_is_too_late() {
    // Renewals every 9.9 s: the first is sent at 10.2 s … and lands at 10.3 s; at 9.8 s it lands at
    // 10.2 s, the very instant of the expiry, which comes first.
    let every = |millis| [no_fault(), Change::Renew(Renew::Every(ms(millis)))];
    assert_eq!(lines(&run(&every(9_800)), "refuses to renew token 33").len(), 1);
    assert_eq!(lines(&run(&every(9_799)), "refuses to renew token 33").len(), 0);
}

#[test]
fn a_dead_waiter_can_be_granted() {
    let recording = run(&[crash(2, B, 3_000, None)]);
    let grants = lines(&recording, "grants");
    assert_eq!(grants[1], "10.2 s service grants B token 34 for 10 s");
    assert_eq!(lines(&recording, "loses").len(), 1, "the grant finds nobody");
    // And A, still alive, was not told: it writes late, and nobody ever took the lock over.
    assert!(recording.verdict().by_luck);
}

#[test]
fn asking_again_under_a_running_lease_gives_the_same_token() {
    let recording = run(&[no_fault(), crash(2, A, 2_000, Some(1_000))]);
    assert_eq!(lines(&recording, "grants A").len(), 1);
    assert_eq!(lines(&recording, "tells A that it holds token 33").len(), 1);
    let believes = lines(&recording, "A believes that it holds token 33");
    assert_eq!(believes.len(), 2, "before the crash and after");
}

#[test]
fn a_release_passes_the_lock_on_at_the_same_instant() {
    let recording = run(&[no_fault(), Change::Release(true)]);
    let end = first(&recording, |event| {
        matches!(event, Fact::Service(_, ServiceFact::LeaseEnded { .. }))
    })
    .expect("ends");
    let next = &recording.entries()[end.seq.index() + 1..];
    let grant = next
        .iter()
        .find(|entry| matches!(entry.fact, Fact::Service(_, ServiceFact::Granted { .. })));
    assert_eq!(grant.expect("B is next").at, end.at);
    assert_eq!(end.at, at(2_600), "write sent 2.3, answered 2.5, release lands 2.6");
}

#[test]
fn a_late_release_frees_somebody_elses_lock_without_the_owner_check() {
    let third = Change::AddClient(ClientSpec::asking_at(at(1_500)));
    let setup = |owner_check| {
        run(&[
            third.clone(),
            Change::Release(true),
            Change::Work(ms(4_000)),
            // B begins at 10.3 s and works until 14.3 s; A wakes at 11 s, writes, is done at 11.2 s
            // and gives back what is no longer its own.
            pause_for(9_000),
            Change::Renew(Renew::Off),
            Change::OwnerCheck(owner_check),
        ])
    };
    let without = setup(false);
    assert_eq!(lines(&without, "ends B's lease 34: released by A").len(), 1);
    assert!(is_broken(&without, PropertyId::OneLeaseAtATime));
    let with = setup(true);
    assert_eq!(lines(&with, "refuses A's release of token 33").len(), 1);
    assert!(!is_broken(&with, PropertyId::OneLeaseAtATime));
}

#[test]
fn without_the_owner_check_a_zombie_keeps_the_next_holders_lease_alive() {
    let recording = run(&[Change::OwnerCheck(false)]);
    assert!(!lines(&recording, "renews token 34 for 10 s, asked by A").is_empty());
    assert!(lines(&recording, "A stops believing").is_empty(), "nobody tells it");
}

#[test]
fn a_repeating_worker_goes_round() {
    let repeat = Change::Repeat(Repeat::After(ms(500)));
    let released = run(&[no_fault(), Change::Release(true), repeat.clone()]);
    assert!(lines(&released, "grants A").len() >= 2, "they take turns");
    assert!(lines(&released, "grants B").len() >= 2);
    let kept = run(&[no_fault(), repeat]);
    assert_eq!(lines(&kept, "grants").len(), 1, "it goes on under the grant that it has");
    assert!(lines(&kept, "accepts write A").len() >= 3);
}

#[test]
fn a_freed_lock_goes_to_the_first_in_the_queue_or_to_anybody() {
    let more = (1..=3).map(|nth| Change::AddClient(ClientSpec::asking_at(at(1_000 + nth * 100))));
    let order = |hand_off, seed| {
        let set_up = [no_fault(), Change::Release(true), Change::Seed(seed)];
        let changes = set_up.into_iter().chain(more.clone()).chain([Change::HandOff(hand_off)]);
        let recording = run(&changes.collect::<Vec<_>>());
        let who = recording.grants().iter().map(|grant| grant.client.letter());
        who.collect::<String>()
    };
    assert_eq!(order(HandOff::InOrder, 1), "ABCDE");
    let shuffled: Vec<_> = (1..=6).map(|seed| order(HandOff::Random, seed)).collect();
    assert!(shuffled.iter().all(|order| order.starts_with('A') && order.len() == 5));
    assert!(shuffled.iter().any(|order| order != "ABCDE"), "{shuffled:?}");
    assert_eq!(order(HandOff::Random, 3), shuffled[2], "one seed, one order");
}

/// A service that forgets its leases and not its epoch grants with a token that is higher than any
/// before, whatever its counter was.
#[test]
fn a_restart_begins_a_new_epoch() {
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(4_000),
        length: ms(500),
        loses: Loses::Leases,
    };
    let recording = run(&[
        Change::TokenSource(TokenSource::EpochAndCounter),
        Change::Repeat(Repeat::After(ms(1_000))),
        Change::AddFault(fault(2, away)),
    ]);
    let tokens: Vec<_> = recording.grants().iter().map(|grant| grant.token.0).collect();
    assert_eq!(tokens[0], 33);
    assert_eq!(tokens[1] >> 32, 1, "{tokens:?}");
}

/// By its own clock the time is past that it wrote: what it held is over, and it is granted anew.
#[test]
fn a_holder_that_asks_after_the_time_it_wrote_gets_a_new_grant() {
    let restarted = |millis| {
        run(&[
            no_fault(),
            Change::RemoveLastClient,
            Change::Expiry(ExpiryJudge::HoldersTimestamp),
            Change::Renew(Renew::Off),
            crash(2, A, 3_000, Some(millis)),
        ])
    };
    // It wrote 10.1 s; it asks at 15 s, and before at 8 s.
    let after = restarted(12_000);
    assert_eq!(lines(&after, "grants A token 34").len(), 1);
    assert!(lines(&after, "tells A that it holds").is_empty());
    let before = restarted(5_000);
    assert_eq!(lines(&before, "tells A that it holds token 33").len(), 1);
    assert!(lines(&before, "grants A token 34").is_empty());
}
