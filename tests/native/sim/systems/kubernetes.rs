//! Leader election by client-go: when a leader renews and when it steps down, that a refusal does
//! not stop it, how much faster than its clock another's may run, what its count is worth.

use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::{KubernetesSettings, KubernetesToken};
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{FaultKind, Identity, LockSystem};
use fenceline::sim::{Change, FencingToken, Recording};

use super::super::{fault, pause_for};
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems, verdict};

const CLIENT_GO: [Change; 2] =
    [Change::Lock(LockSystem::Kubernetes), Change::Ttl(fenceline::sim::SimDuration::from_secs(15))];

fn run_with(changes: &[Change]) -> Recording {
    run(&[&CLIENT_GO[..], changes].concat())
}

fn set(settings: KubernetesSettings) -> Change {
    systems(|all| all.kubernetes = settings)
}

/// Client A hears nothing of the API server in this time.
fn cut(from: u64, length: u64) -> Change {
    let (a, b) = (NodeId::Client(A), NodeId::Lock(LockNodeId(0)));
    let kind = FaultKind::Cut { a, b, at: at(from), length: ms(length), held: false };
    Change::AddFault(fault(5, kind))
}

/// Client B's clocks run so much faster.
fn fast(ppm: i32) -> Change {
    Change::AddFault(fault(6, FaultKind::ClockRate { node: NodeId::Client(B), ppm }))
}

/// When A sent its renewals.
fn renewals(recording: &Recording) -> Vec<String> {
    let all = lines(recording, "to service");
    let own = all.iter().filter(|line| line.contains(" A sends") && line.contains(" renew "));
    own.map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_leader_renews_at_once_and_then_a_retry_period_after_each_answer() {
    let recording = run_with(&[no_fault()]);
    assert_eq!(renewals(&recording)[..4], ["0.3", "2.5", "4.7", "6.9"]);
    let slower = KubernetesSettings { retry_period: ms(3_000), ..KubernetesSettings::default() };
    let recording = run_with(&[no_fault(), set(slower)]);
    assert_eq!(renewals(&recording)[..3], ["0.3", "3.5", "6.7"]);
}

#[test]
fn a_deaf_leader_steps_down_when_a_round_of_tries_has_lasted_its_renew_deadline() {
    // The last answer comes at 4.9 s. The next round begins at 6.9 s and ends at 16.9 s; a try
    // waits 5 s for its answer.
    let recording = run_with(&[no_fault(), cut(5_000, 60_000)]);
    assert_eq!(renewals(&recording), ["0.3", "2.5", "4.7", "6.9", "11.9"]);
    assert!(lines(&recording, "its own deadline has passed")[0].starts_with("16.9 s A"));
    // The record was written last at 4.8 s: nobody takes it before 19.8 s.
    assert!(!is_broken(&recording, PropertyId::OneLeaseAtATime));
    assert!(!is_broken(&recording, PropertyId::OneBelieverAtATime));
    assert_eq!(recording.grants()[1].client, B);
    assert!(recording.grants()[1].at >= at(19_800));
}

#[test]
fn a_deadline_as_long_as_the_lease_leaves_no_margin() {
    // 2 s and 28 s after the last answer, of 4.9 s: until 34.9 s, and B needs 15 s.
    let late = KubernetesSettings { renew_deadline: ms(28_000), ..KubernetesSettings::default() };
    let recording = run_with(&[no_fault(), cut(5_000, 60_000), set(late)]);
    assert!(lines(&recording, "its own deadline has passed")[0].starts_with("34.9 s A"));
    assert!(is_broken(&recording, PropertyId::OneBelieverAtATime));
    assert!(!is_broken(&recording, PropertyId::OneLeaseAtATime), "the lease itself was over");
}

#[test]
fn a_leader_whose_renewal_is_refused_leads_on_until_its_deadline() {
    // B's clock runs twice as fast and B takes over within 17.1 s; A's next try to arrive is that
    // of 18.9 s, and its round ends at 20.9 s.
    let settings = KubernetesSettings {
        renew_deadline: ms(14_000),
        request_timeout: ms(2_000),
        ..KubernetesSettings::default()
    };
    let recording = run_with(&[no_fault(), cut(5_000, 13_500), fast(1_000_000), set(settings)]);
    assert!(lines(&recording, "refuses to renew")[0].starts_with("19 s"));
    let stops = lines(&recording, "A stops believing");
    assert!(stops.is_empty() || stops[0].starts_with("20.9 s"), "{stops:?}");
    assert!(lines(&recording, "its own deadline has passed")[0].starts_with("20.9 s A"));
}

#[test]
fn clocks_may_differ_in_rate_by_as_much_as_lease_and_deadline_do() {
    // 60 s against 2 + 40 s. B twice as fast takes over while A leads; a tenth faster does not.
    let lasting = |renew_deadline| {
        let settings = KubernetesSettings { renew_deadline, ..KubernetesSettings::default() };
        [no_fault(), cut(5_000, 120_000), Change::Ttl(ms(60_000)), set(settings)]
    };
    let twice = run_with(&[&lasting(ms(40_000))[..], &[fast(1_000_000)]].concat());
    assert!(is_broken(&twice, PropertyId::OneLeaseAtATime));
    assert!(is_broken(&twice, PropertyId::OneBelieverAtATime));
    let a_tenth = run_with(&[&lasting(ms(40_000))[..], &[fast(100_000)]].concat());
    assert!(!is_broken(&a_tenth, PropertyId::OneBelieverAtATime));
    // A shorter deadline stands more: 60 s against 2 + 20 s.
    let short = run_with(&[&lasting(ms(20_000))[..], &[fast(1_000_000)]].concat());
    assert!(!is_broken(&short, PropertyId::OneBelieverAtATime));
}

#[test]
fn a_process_that_starts_again_has_another_name_unless_it_was_given_one() {
    let restarts = [no_fault(), crash(2, A, 2_000, Some(1_000))];
    let fresh = run_with(&restarts);
    assert!(lines(&fresh, "tells A that it holds").is_empty());
    assert!(recording_second(&fresh) >= at(15_000));
    let named = run_with(&[&restarts[..], &[Change::Identity(Identity::Shared)]].concat());
    assert!(lines(&named, "A that it").first().is_some_and(|line| line.starts_with("3.1 s")));
}

fn recording_second(recording: &Recording) -> fenceline::sim::SimTime {
    recording.grants()[1].at
}

#[test]
fn the_count_of_transitions_fences_where_a_storage_checks_and_a_name_does_not() {
    let paused = [pause_for(40_000), Change::Fencing(true)];
    let name = run_with(&paused);
    assert!(lines(&name, "refuses write").is_empty());
    assert_eq!(verdict(&name), VerdictKind::Corrupted);
    let settings =
        KubernetesSettings { token: KubernetesToken::Transitions, ..KubernetesSettings::default() };
    let counted = run_with(&[&paused[..], &[set(settings)]].concat());
    let tokens: Vec<_> = counted.grants().iter().map(|grant| grant.token).collect();
    assert_eq!(tokens, [FencingToken(33), FencingToken(34)]);
    assert_eq!(lines(&counted, "refuses write A1.1").len(), 1);
    assert_eq!(verdict(&counted), VerdictKind::Safe);
}
