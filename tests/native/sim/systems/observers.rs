//! Expiry judged by whoever asks, from when it saw the lock's record change: a whole time to live
//! by its own monotonic clock, and then only if nobody else was faster.

use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::property::PropertyId;
use fenceline::sim::scenario::{ClientSpec, ExpiryJudge, FaultKind, Wait};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{Change, Recording, SimDuration};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run};

/// The holder of 10 s crashes at 2.0 s; others ask every 1.2 s.
fn observed(changes: &[Change]) -> Recording {
    let every = SimDuration::from_secs(1);
    let base = [
        no_fault(),
        Change::Expiry(ExpiryJudge::Observers),
        Change::Wait(Wait::Poll { every, jitter: SimDuration::ZERO }),
        crash(2, A, 2_000, None),
    ];
    run(&[&base[..], changes].concat())
}

#[test]
fn a_record_is_taken_over_a_whole_lease_after_it_was_first_seen() {
    // B asks at 1.0 s and sees the record at 1.2 s. Its try of 11.8 s is the first that begins
    // 10 s later; it looks, and replaces the record at 12.1 s.
    let recording = observed(&[]);
    assert!(lines(&recording, "grants B")[0].starts_with("12.1 s"));
    assert!(lines(&recording, "ends A's lease")[0].starts_with("12.1 s"));
    assert_eq!(lines(&recording, "taken over").len(), 1);
    assert!(!is_broken(&recording, PropertyId::SomebodyCanAlwaysGetTheLock));
}

#[test]
fn a_newcomer_watches_a_dead_holders_record_for_a_whole_lease() {
    let late = Change::AsksAt { client: B, at: at(30_000) };
    let recording = observed(&[late]);
    assert!(lines(&recording, "grants B")[0].starts_with("41.1 s"));
    assert!(!is_broken(&recording, PropertyId::SomebodyCanAlwaysGetTheLock));
}

#[test]
fn of_two_that_replace_the_same_version_one_succeeds() {
    let recording = observed(&[Change::AddClient(ClientSpec::asking_at(at(1_000)))]);
    let grants = lines(&recording, "grants ");
    assert_eq!(grants.len(), 2, "{grants:?}");
    assert!(grants[1].starts_with("12.1 s"));
    assert_eq!(lines(&recording, "12.1 s service tells").len(), 1, "the other one is refused");
}

#[test]
fn no_wall_clock_is_looked_at() {
    for node in [NodeId::Client(B), NodeId::Lock(LockNodeId(0))] {
        let by = ClockShift::default().with_length(ms(60_000));
        let jump = Change::AddFault(fault(7, FaultKind::ClockJump { node, at: at(3_000), by }));
        let recording = observed(&[jump]);
        assert!(lines(&recording, "grants B")[0].starts_with("12.1 s"));
    }
}

#[test]
fn a_fast_clock_takes_a_silent_holders_lease_early_and_a_renewing_ones_never() {
    let node = NodeId::Client(B);
    let fast = Change::AddFault(fault(7, FaultKind::ClockRate { node, ppm: 1_000_000 }));
    let silent = observed(std::slice::from_ref(&fast));
    assert!(is_broken(&silent, PropertyId::OneLeaseAtATime));
    let alive = observed(&[fast, Change::RemoveFault(fenceline::sim::id::FaultId(2))]);
    assert!(lines(&alive, "grants B").is_empty());
}

#[test]
fn a_holder_that_asks_again_writes_its_record_anew() {
    let again =
        [Change::RemoveFault(fenceline::sim::id::FaultId(2)), crash(3, A, 2_000, Some(1_000))];
    let recording = observed(&again);
    assert!(lines(&recording, "renews token 33 for 10 s")[0].starts_with("3.1 s"));
    assert!(lines(&recording, "grants B").is_empty());
}
