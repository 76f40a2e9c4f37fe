//! A lock that its holder's own code takes once more, and a release that is refused.

use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{
    Check, FaultKind, FenceRule, LockSystem, MessageAddress, Reenters, RefusedRelease, Renew,
    Repeat,
};
use fenceline::sim::{Change, Recording};

use super::{A, B, fault, is_broken, lines, ms, no_fault, pause_for, run, verdict};

const REFUSED: PropertyId = PropertyId::RightfulHolderNeverRefused;

/// A alone, fenced, two writes of 2 s each; its code takes the lock again before the first.
fn twice(reenters: Reenters, more: &[Change]) -> Recording {
    let set_up = [
        no_fault(),
        Change::RemoveLastClient,
        Change::Fencing(true),
        Change::WritesPerGrant(2),
        Change::Reenters(reenters),
    ];
    run(&[&set_up[..], more].concat())
}

#[test]
fn a_new_token_inside_shuts_the_code_outside_out() {
    let recording = twice(Reenters::NewToken, &[]);
    let asked = &lines(&recording, "re-enter")[0];
    assert_eq!(asked, "0.3 s A sends m2 re-enter 33 to service, lands 0.4 s");
    assert_eq!(
        lines(&recording, "lets A in"),
        ["0.4 s service lets A in once more under 34, a new token"]
    );
    let writes = lines(&recording, "write A");
    assert!(writes.iter().any(|line| line.starts_with("2.6 s storage accepts")), "{writes:?}");
    assert!(writes.iter().any(|line| line.starts_with("4.8 s storage refuses")), "{writes:?}");
    assert!(is_broken(&recording, REFUSED));
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
}

#[test]
fn the_same_token_inside_changes_nothing_but_a_round_trip() {
    let recording = twice(Reenters::SameToken, &[]);
    assert_eq!(lines(&recording, "lets A in"), ["0.4 s service lets A in once more under 33"]);
    assert!(!is_broken(&recording, REFUSED));
    assert_eq!(verdict(&recording), VerdictKind::Safe);
    // Without it the first write lands at 2.4 s.
    assert!(lines(&recording, "storage accepts")[0].starts_with("2.6 s"));
    assert!(lines(&twice(Reenters::Off, &[]), "storage accepts")[0].starts_with("2.4 s"));
}

#[test]
fn with_one_write_there_is_nothing_outside_and_the_lock_is_taken_once() {
    let once = twice(Reenters::NewToken, &[Change::WritesPerGrant(1)]);
    assert_eq!(once.log(), twice(Reenters::Off, &[Change::WritesPerGrant(1)]).log());
}

/// Who looks for the current token finds the one that was drawn last; a check knows both; the lease
/// is renewed and released under the one that was granted.
#[test]
fn both_tokens_are_the_holders() {
    let rereads = twice(Reenters::NewToken, &[Change::RereadsToken(true)]);
    assert!(!is_broken(&rereads, REFUSED));
    let careful =
        [Change::Check(Check::AsksService), Change::Release(true), Change::Fencing(false)];
    let recording = twice(Reenters::NewToken, &careful);
    assert!(lines(&recording, "storage accepts").len() == 2);
    assert!(lines(&recording, "refuses").is_empty(), "{:?}", lines(&recording, "refuses"));
    let ends = lines(&recording, "ends A's lease");
    assert_eq!(ends, ["5.4 s service ends A's lease 34: released"]);
}

#[test]
fn the_seal_is_that_of_the_code_inside_and_a_transaction_sees_the_newest_token() {
    let sealed = twice(Reenters::NewToken, &[Change::Seal(true)]);
    assert!(lines(&sealed, "seal")[0].starts_with("0.5 s"), "{:?}", lines(&sealed, "seal"));
    assert!(is_broken(&sealed, REFUSED));
    let inside = [Change::Rule(FenceRule::SameTransaction), Change::Release(true)];
    let recording = twice(Reenters::NewToken, &inside);
    assert_eq!(lines(&recording, "storage accepts").len(), 1);
    assert!(is_broken(&recording, REFUSED));
    assert!(!is_broken(&twice(Reenters::SameToken, &inside), REFUSED));
}

/// The answer is lost, and the counter has moved: the second try moves it again.
#[test]
fn a_retry_draws_again_and_the_last_answer_counts() {
    let message = MessageAddress {
        from: NodeId::Lock(LockNodeId(0)),
        to: NodeId::Client(A),
        kind: MessageKind::Reentered,
        nth: 1,
    };
    let lost = Change::AddFault(fault(2, FaultKind::Lose { message }));
    let patient = [lost, Change::Timeout(Some(ms(500))), Change::Retries(1)];
    let recording = twice(Reenters::NewToken, &patient);
    let let_in = lines(&recording, "lets A in");
    assert_eq!(let_in.len(), 2);
    assert!(let_in[1].ends_with("under 35, a new token"), "{let_in:?}");
}

#[test]
fn who_has_lost_the_lock_learns_it_when_it_takes_it_again() {
    // A sleeps before it can take the lock again, and wakes when B holds it.
    let recording = run(&[
        Change::FaultStart { id: fenceline::sim::id::FaultId(1), at: super::at(300) },
        pause_for(12_000),
        Change::WritesPerGrant(2),
        Change::Reenters(Reenters::NewToken),
    ]);
    let refused = lines(&recording, "does not let A in");
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(lines(&recording, "A gives write").len(), 1);
    assert!(!lines(&recording, "lets B in").is_empty());
    assert_ne!(A, B);
}

#[test]
fn where_the_token_is_the_locks_own_a_second_acquire_keeps_it() {
    let at = |system| twice(Reenters::NewToken, &[Change::Lock(system)]);
    for system in [LockSystem::Etcd, LockSystem::ZooKeeper, LockSystem::Chubby, LockSystem::Consul]
    {
        let recording = at(system);
        assert_eq!(lines(&recording, "lets A in").len(), 1, "{system:?}");
        assert!(lines(&recording, "a new token").is_empty(), "{system:?}");
        assert!(!is_broken(&recording, REFUSED), "{system:?}");
    }
    use LockSystem::{Dhcp, Kubernetes, RaftLeader, RaftLease, Redlock};
    for system in [Redlock, Dhcp, RaftLeader, RaftLease, Kubernetes] {
        assert!(lines(&at(system), "lets A in").is_empty(), "{system:?}");
    }
}

/// The lease of 10 s is over before the work of 12 s is.
fn released_too_late(refused: RefusedRelease) -> Recording {
    run(&[
        no_fault(),
        Change::RemoveLastClient,
        Change::Renew(Renew::Off),
        Change::Work(ms(12_000)),
        Change::Release(true),
        Change::Repeat(Repeat::After(ms(1_000))),
        Change::RefusedRelease(refused),
    ])
}

#[test]
fn a_refused_release_is_the_end_of_it_or_is_sent_again_for_ever() {
    let goes_on = released_too_late(RefusedRelease::GoesOn);
    assert!(lines(&goes_on, " release 33 to service").len() == 1);
    assert_eq!(lines(&goes_on, "works towards").len(), 3);
    let again = released_too_late(RefusedRelease::SentAgain(ms(300)));
    let sent = lines(&again, " release 33 to service");
    // Sent at 12.5 s, refused at 12.6 s, heard at 12.7 s, and sent again 0.3 s later.
    assert!(sent[0].starts_with("12.5 s") && sent[1].starts_with("13 s"), "{sent:?}");
    assert!(sent.len() > 20, "{}", sent.len());
    assert_eq!(lines(&again, "storage accepts").len(), 1);
    // What never ends does not keep the run from ending.
    assert!(again.ends_at() < super::at(60_000), "{}", again.ends_at());
}
