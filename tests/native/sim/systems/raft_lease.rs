//! A Raft-backed lease service: when its leases begin and end, what the loss of its leader costs,
//! that a minority refuses, that an answer that was lost is given again, and what is lost only with
//! a majority of the disks.

use fenceline::sim::fact::{Fact, LeaseEnd, RaftFact, ServiceFact};
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::RaftLeaseSettings;
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{
    Check, Deadline, FaultKind, Length, LockSystem, Loses, MessageAddress,
};
use fenceline::sim::{Change, FencingToken, Recording, SimTime};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems, verdict};

const SERVICE: Change = Change::Lock(LockSystem::RaftLease);
const LEADER: NodeId = NodeId::Lock(LockNodeId(0));

fn settings(raft_lease: RaftLeaseSettings) -> Change {
    systems(|all| all.raft_lease = raft_lease)
}

fn with_nodes(nodes: u8) -> Change {
    settings(RaftLeaseSettings { nodes, ..RaftLeaseSettings::default() })
}

fn stops(id: u16, node: u8, from: u64, length: u64, loses: Loses) -> Change {
    let node = Some(LockNodeId(node));
    let kind = FaultKind::ServiceRestart { node, at: at(from), length: ms(length), loses };
    Change::AddFault(fault(id, kind))
}

fn cut(id: u16, a: NodeId, b: NodeId, from: u64, length: u64) -> Change {
    let kind = FaultKind::Cut { a, b, at: at(from), length: ms(length), held: false };
    Change::AddFault(fault(id, kind))
}

fn lose(id: u16, from: NodeId, to: NodeId, kind: MessageKind, nth: u32) -> Change {
    let message = MessageAddress { from, to, kind, nth };
    Change::AddFault(fault(id, FaultKind::Lose { message }))
}

/// The grants: whose, under which token.
fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

fn node_events(recording: &Recording) -> Vec<(SimTime, NodeId, RaftFact)> {
    let event = |entry: &fenceline::sim::LogEntry| match entry.fact {
        Fact::Service(_, ServiceFact::Raft(fact)) => Some((entry.at, entry.node(), fact)),
        _ => None,
    };
    recording.entries().iter().filter_map(event).collect()
}

#[test]
fn a_grant_stands_when_a_majority_has_it() {
    let recording = run(&[SERVICE, no_fault()]);
    // Asked at 0.1 s; a message to the leader, one to the others and one back, one to A.
    let grant = &recording.grants()[0];
    assert_eq!((grant.at, grant.client, grant.token), (at(400), A, FencingToken(33)));
    assert!(lines(&recording, "A believes")[0].starts_with("0.5 s"));
    assert_eq!(lines(&recording, "queues B")[0], "1.3 s service queues B, 0 ahead");
    // The first renewal is a third of 10 s after the grant was heard.
    assert!(lines(&recording, "renews token 33")[0].starts_with("4.133333 s"));
}

#[test]
fn one_slow_node_of_three_delays_nothing_and_two_delay_all() {
    let cuts = |nodes: &[u8]| -> Vec<Change> {
        let cuts = nodes.iter().map(|node| {
            let other = NodeId::Lock(LockNodeId(*node));
            cut(20 + u16::from(*node), LEADER, other, 0, 1_500)
        });
        cuts.collect()
    };
    let with_cuts = |nodes| run(&[&[SERVICE, no_fault()][..], &cuts(nodes)].concat());
    assert_eq!(with_cuts(&[1]).grants()[0].at, at(400));
    let slow = with_cuts(&[1, 2]);
    // Cut until 1.5 s, the next heartbeat is sent at 1.6 s or with the next request.
    assert!(slow.grants()[0].at > at(1_500), "{:?}", slow.grants()[0].at);
}

#[test]
fn a_lease_ends_at_its_time_and_the_commit_later() {
    let recording = run(&[SERVICE, no_fault(), crash(2, A, 2_000, None)]);
    // Granted at 0.4 s for 10 s; the leader proposes the end at 10.4 s, and a majority has it 0.2 s
    // later.
    let (ended, how, _) = recording.grants()[0].ended.expect("it ended");
    assert_eq!((ended, how), (at(10_600), LeaseEnd::Expired));
    let next = &recording.grants()[1];
    assert_eq!((next.at, next.client, next.token), (at(10_600), B, FencingToken(34)));
}

#[test]
fn a_new_leader_has_the_lease_the_queue_and_the_counter_and_gives_the_time_again() {
    let changes = [SERVICE, no_fault(), crash(3, A, 2_000, None)];
    let lost = stops(2, 0, 1_500, 60_000, Loses::Nothing);
    let recording = run(&[&changes[..], &[lost]].concat());
    let led = node_events(&recording).into_iter().find_map(|(at, node, event)| {
        matches!(event, RaftFact::Leads { .. }).then_some((at, node))
    });
    let (elected, node) = led.expect("another one is elected");
    assert_ne!(node, LEADER);
    // The last heartbeat landed at 1.5 s; two to four seconds without one, and a round of votes.
    assert!(elected >= at(3_500) && elected <= at(6_000), "{elected:?}");
    // Its own first entry has a majority a round trip later: from there A has the whole time.
    let refreshed = lines(&recording, "refreshes A's lease 33 for 10 s");
    assert!(refreshed[0].starts_with(&(elected + ms(200)).to_string()), "{refreshed:?}");
    assert_eq!(refreshed.len(), 1, "the record has it once, although each node counts anew");
    let next = &recording.grants()[1];
    assert_eq!((next.client, next.token), (B, FencingToken(34)));
    assert_eq!(next.at, elected + ms(200) + ms(10_000) + ms(200));
    assert!(!lines(&recording, "B believes").is_empty(), "B found the new leader by itself");
}

#[test]
fn a_holder_keeps_its_lease_through_the_loss_of_the_leader() {
    let lost = stops(2, 0, 1_500, 60_000, Loses::Nothing);
    let recording = run(&[SERVICE, no_fault(), Change::Work(ms(20_000)), lost]);
    assert_eq!(recording.grants()[0].ended, None, "A renews at the new leader");
    assert!(lines(&recording, "renews token 33").len() > 2);
    assert_eq!(verdict(&recording), VerdictKind::Safe);
}

#[test]
fn a_request_whose_answer_was_lost_is_answered_as_before() {
    let client = NodeId::Client(A);
    let lost = lose(2, LEADER, client, MessageKind::Granted, 1);
    let recording = run(&[SERVICE, no_fault(), lost]);
    // A waits a second, asks the next node, is sent back to the leader, and the log has its request
    // twice: the second one changes nothing.
    assert_eq!(recording.grants().iter().filter(|grant| grant.client == A).count(), 1);
    let again = lines(&recording, "tells A that it holds token 33");
    assert_eq!(again, ["1.6 s service tells A that it holds token 33"]);
    assert!(lines(&recording, "A believes")[0].starts_with("1.7 s"));

    let lost = lose(2, LEADER, client, MessageKind::Released, 1);
    let recording = run(&[SERVICE, no_fault(), Change::Release(true), lost]);
    assert_eq!(lines(&recording, "refuses the release").len(), 0);
    assert!(lines(&recording, "ends A's lease 33: released").len() == 1);
    let answers = lines(&recording, "sends").into_iter();
    let answers: Vec<_> = answers.filter(|line| line.contains(" released to A")).collect();
    assert_eq!(answers.len(), 2, "the same answer: {answers:?}");
}

#[test]
fn a_renewal_that_was_agreed_on_before_the_end_is_not_undone_by_it() {
    // The renewal is proposed at 10.35 s, the end of the lease at 10.4 s: the end comes second in
    // the log, and is of the time before that renewal.
    let renew = fenceline::sim::scenario::Renew::Every(ms(9_750));
    let recording = run(&[SERVICE, no_fault(), Change::Renew(renew), Change::Work(ms(30_000))]);
    assert_eq!(lines(&recording, "renews token 33")[0].split(' ').next(), Some("10.55"));
    let (ended, ..) = recording.grants()[0]
        .ended
        .unwrap_or((SimTime::MAX, LeaseEnd::Expired, { recording.entries()[0].seq }));
    assert!(ended > at(20_000), "{ended:?}");
}

/// The service is parted: the leader and A on one side, two nodes and B on the other.
fn parted(from: u64, length: u64) -> Vec<Change> {
    let node = |index| NodeId::Lock(LockNodeId(index));
    let (a, b) = (NodeId::Client(A), NodeId::Client(B));
    let ends = [(LEADER, node(1)), (LEADER, node(2)), (a, node(1)), (a, node(2)), (b, LEADER)];
    let cuts = (20..).zip(ends).map(|(id, (one, other))| cut(id, one, other, from, length));
    cuts.collect()
}

#[test]
fn the_minority_side_refuses_and_the_other_goes_on() {
    let changes = [SERVICE, no_fault(), Change::Work(ms(3_000)), Change::Check(Check::AsksService)];
    let recording = run(&[&changes[..], &parted(3_000, 40_000)].concat());
    // The last heartbeat that a majority answered was sent at 2.6 s: two seconds later the leader
    // gives up, with its next heartbeat, which A's renewal at 3.933333 s has moved.
    let events = node_events(&recording);
    let gave_up = events
        .iter()
        .find(|(_, node, event)| *node == LEADER && matches!(event, RaftFact::LeadsNoMore { .. }));
    assert_eq!(gave_up.expect("it gives up").0.to_string(), "4.733333 s");
    // A asks before it writes, and nobody can tell it anything before the cut is over.
    let parted = |line: &&String| {
        let time: f64 = line.split(' ').next().expect("a time").parse().expect("a number");
        (3.0..43.0).contains(&time)
    };
    let answers = lines(&recording, "answers that A");
    assert_eq!(answers.iter().filter(parted).count(), 0, "{answers:?}");
    assert!(!lines(&recording, "service has no leader to serve A").is_empty());
    assert_eq!(recording.grants()[1].client, B);
    assert!(!is_broken(&recording, PropertyId::OneLeaseAtATime));
}

#[test]
fn a_leader_that_stays_without_a_majority_agrees_on_nothing() {
    let stays = RaftLeaseSettings { check_quorum: false, ..RaftLeaseSettings::default() };
    let changes = [SERVICE, no_fault(), settings(stays)];
    let recording = run(&[&changes[..], &parted(3_000, 40_000)].concat());
    let at_the_old = |entry: &&fenceline::sim::LogEntry| {
        let decided = matches!(
            entry.fact,
            Fact::Service(
                _,
                ServiceFact::Granted { .. }
                    | ServiceFact::Renewed { .. }
                    | ServiceFact::LeaseEnded { .. }
            )
        );
        entry.node() == LEADER && decided && entry.at > at(3_200) && entry.at < at(43_000)
    };
    assert_eq!(recording.entries().iter().filter(at_the_old).count(), 0);
    assert_eq!(tokens(&recording), [33, 34]);
}

#[test]
fn without_a_majority_nobody_gets_the_lock_and_with_five_nodes_two_may_be_lost() {
    let lost = [1, 2].map(|node| stops(20 + u16::from(node), node, 1_500, 60_000, Loses::Nothing));
    let with_lost = |nodes| {
        let changes = [SERVICE, no_fault(), crash(2, A, 2_000, None), with_nodes(nodes)];
        run(&[&changes[..], &lost].concat())
    };
    let of_three = with_lost(3);
    assert!(of_three.grants()[1].at > at(61_500), "{:?}", of_three.grants());
    assert_eq!(verdict(&of_three), VerdictKind::Unavailable);
    let of_five = with_lost(5);
    assert_eq!(of_five.grants()[1].at, at(10_600));
    assert_eq!(verdict(&of_five), VerdictKind::Safe);
}

#[test]
fn a_waiter_whose_grant_was_lost_asks_for_its_place_and_is_told() {
    let lost = lose(3, LEADER, NodeId::Client(B), MessageKind::Granted, 1);
    let recording = run(&[SERVICE, no_fault(), crash(2, A, 2_000, None), lost]);
    // B was queued at 1.4 s and asks for its place each 4.2 s, at 13.8 s after the grant.
    assert_eq!(recording.grants()[1].at, at(10_600));
    assert!(lines(&recording, "B believes")[0].starts_with("14.4 s"), "token 34 was kept for it");
    assert_eq!(tokens(&recording), [33, 34]);
}

/// Nodes that stop and come back, whichever and whenever: tokens grow, and no two have the lock.
#[test]
fn no_loss_of_nodes_loses_a_token_or_a_lease() {
    for seed in 1..80_u32 {
        let at_random = |n: u32| u64::from(seed.wrapping_mul(2_654_435_761).rotate_left(n * 7));
        let stopped = (0..4_u32).map(|n| {
            let (node, from) = (at_random(n) % 3, 500 + at_random(n + 1) % 20_000);
            let length = 200 + at_random(n + 2) % 8_000;
            let node = u8::try_from(node).expect("one of three");
            stops(20 + u16::try_from(n).expect("few"), node, from, length, Loses::Leases)
        });
        let changes = [SERVICE, no_fault(), Change::Seed(seed), Change::Release(true)];
        let again = [Change::Repeat(fenceline::sim::scenario::Repeat::After(ms(500)))];
        let length = [Change::Length(Length::Fixed(ms(60_000)))];
        let stopped: Vec<_> = stopped.collect();
        let recording = run(&[&changes[..], &again, &length, &stopped].concat());
        let tokens = tokens(&recording);
        assert!(tokens.windows(2).all(|two| two[0] < two[1]), "seed {seed}: {tokens:?}");
        assert!(tokens.len() > 4, "seed {seed}: it goes on: {tokens:?}");
        assert!(!is_broken(&recording, PropertyId::OneLeaseAtATime), "seed {seed}");
    }
}

#[test]
fn the_loss_of_all_disks_is_the_loss_of_the_lease_and_the_counter() {
    let all = (0..3).map(|node| stops(20 + u16::from(node), node, 3_000, 500, Loses::Everything));
    let all: Vec<_> = all.collect();
    let recording = run(&[&[SERVICE, no_fault(), crash(2, A, 2_000, None)][..], &all].concat());
    let (_, how, _) = recording.grants()[0].ended.expect("it ended");
    assert_eq!(how, LeaseEnd::Forgotten);
    assert_eq!(tokens(&recording), [33, 33], "the counter begins anew");
    assert!(is_broken(&recording, PropertyId::OneLeaseAtATime));
}

#[test]
fn one_lost_disk_of_three_is_filled_again_and_loses_nothing() {
    let one = stops(20, 2, 3_000, 500, Loses::Everything);
    let then = stops(21, 1, 20_000, 60_000, Loses::Nothing);
    let recording = run(&[SERVICE, no_fault(), crash(2, A, 2_000, None), one, then]);
    assert_eq!(tokens(&recording), [33, 34]);
    assert_eq!(recording.grants()[1].at, at(10_600));
    // With another node gone the one that lost its disk is needed, and B's lease is renewed on.
    let late = lines(&recording, "renews token 34");
    assert!(late.iter().any(|line| line.starts_with("24")), "{late:?}");
}

#[test]
fn a_deadline_of_its_own_counts_from_when_the_client_asked_first() {
    let lost = lose(2, LEADER, NodeId::Client(A), MessageKind::Granted, 1);
    let dead = stops(3, 0, 5_000, 60_000, Loses::Nothing);
    let others =
        [1, 2].map(|node| stops(20 + u16::from(node), node, 5_000, 60_000, Loses::Nothing));
    let deadline = Change::Deadline(Deadline::FromSend);
    let changes = [SERVICE, no_fault(), lost, dead, deadline];
    let recording = run(&[&changes[..], &others].concat());
    // Told at 1.6 s of what was left then: 8.8 s of the ten, counted from its first request.
    let stops = lines(&recording, "A stops believing");
    assert!(stops[0].starts_with("8.9 s"), "{stops:?}");
}
