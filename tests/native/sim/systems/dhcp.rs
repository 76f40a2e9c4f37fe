//! DHCP: when a client asks again, who counts, and that nothing on the way asks.

use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::DhcpSettings;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{Deadline, FaultKind, LockSystem, PauseScope, Start};
use fenceline::sim::{Change, Recording};

use super::super::{fault, pause};
use super::{A, at, is_broken, lines, ms, no_fault, run, systems, verdict};

const DHCP: Change = Change::Lock(LockSystem::Dhcp);

/// When A sent its renewals.
fn renewals(recording: &Recording) -> Vec<String> {
    let all = lines(recording, "renew 33 to");
    let own = all.iter().filter(|line| line.contains(" A sends"));
    own.map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
}

fn hour() -> Change {
    Change::Ttl(ms(3_600_000))
}

fn cut(from: u64, length: u64) -> Change {
    let (a, b) = (NodeId::Client(A), NodeId::Lock(LockNodeId(0)));
    let kind = FaultKind::Cut { a, b, at: at(from), length: ms(length), held: false };
    Change::AddFault(fault(5, kind))
}

#[test]
fn a_client_renews_at_half_of_its_lease_counted_from_when_it_asked() {
    // A asks at 0.1 s, so T1 is at 1800.1 s and, once renewed there, at 3600.1 s.
    let recording = run(&[DHCP, no_fault(), hour()]);
    assert_eq!(renewals(&recording)[..2], ["1800.1", "3600.1"]);
    let early = DhcpSettings { t1_permille: 250, ..DhcpSettings::default() };
    let recording = run(&[DHCP, no_fault(), hour(), systems(|all| all.dhcp = early)]);
    assert_eq!(renewals(&recording)[..2], ["900.1", "1800.1"]);
}

#[test]
fn unanswered_it_asks_again_when_half_of_what_is_left_has_passed_and_no_sooner_than_a_minute() {
    // T1 1800.1 s, T2 3150.1 s, end 3600.1 s. Half of what is left until T2: 2475.1, 2812.6,
    // 2981.35, 3065.725, then T2 within the minute of 3125.725; then half until the end.
    let recording = run(&[DHCP, no_fault(), hour(), cut(1_000_000, 3_000_000)]);
    assert_eq!(
        renewals(&recording),
        [
            "1800.1", "2475.1", "2812.6", "2981.35", "3065.725", "3125.725", "3150.1", "3375.1",
            "3487.6", "3547.6"
        ]
    );
}

#[test]
fn nothing_asks_whether_the_old_holder_still_has_its_lease() {
    // A stands still past its hour with the fence on, B has the address, A goes on using it.
    let still = pause(2, A, PauseScope::Client, Start::At(at(1_500)), 3_700_000);
    let holder = [DHCP, no_fault(), hour(), still, Change::Fencing(true)];
    let recording = run(&holder);
    assert!(lines(&recording, "refuses write").is_empty());
    assert_eq!(verdict(&recording), VerdictKind::Corrupted);
    // Its own deadline ends what it believes, and not the write that it is about to send.
    let counted = run(&[&holder[..], &[Change::Deadline(Deadline::FromSend)]].concat());
    assert_eq!(verdict(&counted), VerdictKind::Corrupted);
    assert_eq!(lines(&counted, "its own deadline has passed").len(), 1);
}

#[test]
fn how_soon_it_asks_again_is_a_setting() {
    // Half of what is left until T2, as before, but no minute: 3107.912 s comes before T2.
    let patient = DhcpSettings { least_retry: ms(10_000), ..DhcpSettings::default() };
    let set = systems(|all| all.dhcp = patient);
    let recording = run(&[DHCP, no_fault(), hour(), cut(1_000_000, 3_000_000), set]);
    assert_eq!(renewals(&recording)[4..7], ["3065.725", "3107.9125", "3129.00625"]);
}

#[test]
fn a_client_without_a_link_stops_by_its_own_clock_before_the_server_gives_the_address_away() {
    // From the request of 0.1 s an hour: a moment before the server's own 3600.2 s.
    let deaf = [DHCP, no_fault(), hour(), cut(1_000, 8_000_000)];
    let counted = run(&[&deaf[..], &[Change::Deadline(Deadline::FromSend)]].concat());
    let stops = lines(&counted, "its own deadline has passed");
    assert!(stops[0].starts_with("3600.1 s A"), "{stops:?}");
    assert!(lines(&counted, "ends A's lease")[0].starts_with("3600.2 s"));
    assert!(lines(&counted, "queues B").is_empty(), "a server keeps no queue");
    assert!(!is_broken(&counted, PropertyId::OneBelieverAtATime));
    // One that does not count goes on, and there are two.
    assert!(is_broken(&run(&deaf), PropertyId::OneBelieverAtATime));
}
