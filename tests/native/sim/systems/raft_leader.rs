//! A Raft leader: terms that grow with gaps, a leader that was deposed and has not heard so, what a
//! majority leaves to a leader, and a client and a node that stand and fall together.

use fenceline::sim::fact::{Fact, RaftFact, ServiceFact};
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::{RaftLeaderSettings, Reads};
use fenceline::sim::property::PropertyId;
use fenceline::sim::property::VerdictKind;
use fenceline::sim::scenario::{
    Check, ClientSpec, FaultKind, LockSystem, Operation, PauseKind, PauseScope, Start,
};
use fenceline::sim::{Change, FencingToken, Recording, SimTime};

use super::super::fault;
use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, systems, verdict};

const RAFT: Change = Change::Lock(LockSystem::RaftLeader);

/// A's node is elected by 4.3 s, whatever the chance; B's wants the lock after that.
const LATER: Change = Change::AsksAt { client: B, at: SimTime::from_millis(4_500) };

fn settings(raft_leader: RaftLeaderSettings) -> Change {
    systems(|all| all.raft_leader = raft_leader)
}

fn usual() -> RaftLeaderSettings {
    RaftLeaderSettings::default()
}

/// A's node is cut off from all others; its client is one process with it.
fn cut_off_from_the_others(from_ms: u64, length: u64) -> Vec<Change> {
    let others = 1..5_u8;
    let cut = |other: u8| FaultKind::Cut {
        a: NodeId::Lock(LockNodeId(0)),
        b: NodeId::Lock(LockNodeId(other)),
        at: at(from_ms),
        length: ms(length),
        held: false,
    };
    others.map(|other| Change::AddFault(fault(20 + u16::from(other), cut(other)))).collect()
}

fn terms(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

fn elected(recording: &Recording) -> Vec<FencingToken> {
    let elected = recording.entries().iter().filter_map(|entry| match entry.fact {
        Fact::Service(_, ServiceFact::Raft(RaftFact::Elected { token, .. })) => Some(token),
        _ => None,
    });
    elected.collect()
}

#[test]
fn a_node_whose_client_wants_the_lock_is_elected_after_its_random_timeout() {
    let recording = run(&[RAFT, LATER, no_fault()]);
    let first = &recording.grants()[0];
    // A asks at 0.1 s; its node waits 2 to 4 s without a leader, and the votes take a round trip.
    assert_eq!(first.client, A);
    assert!(first.at >= at(2_300) && first.at <= at(4_300), "{:?}", first.at);
    assert!(recording.grants().len() == 1, "nobody else campaigns while A is heard");
    let believes = lines(&recording, "A believes");
    assert!(
        believes[0].starts_with(&first.at.to_string()),
        "no message between the two: {believes:?}"
    );
}

#[test]
fn a_crash_of_the_client_takes_its_node_along_and_another_is_elected() {
    let recording = run(&[RAFT, LATER, no_fault(), crash(2, A, 6_000, None)]);
    let terms = terms(&recording);
    assert_eq!(terms.len(), 2);
    assert!(terms[1] > terms[0]);
    assert_eq!(recording.grants()[1].client, B);
    let (ended, ..) = recording.grants()[0].ended.expect("it ended");
    assert_eq!(ended, recording.grants()[1].at, "at the election of the next");
    let after = lines(&recording, "service sends");
    assert!(after.iter().all(|line| line.split(' ').next().expect("a time") <= "6"), "it is dead");
}

#[test]
fn at_most_one_leader_is_elected_in_a_term_and_terms_only_grow() {
    for seed in 1..60 {
        let restless = RaftLeaderSettings { election_timeout: ms(300), ..usual() };
        let changes = [RAFT, no_fault(), Change::Seed(seed), settings(restless)];
        let cuts = cut_off_from_the_others(3_000, 6_000);
        let recording = run(&[&changes[..], &cuts].concat());
        let elected = elected(&recording);
        assert!(elected.windows(2).all(|two| two[0] < two[1]), "seed {seed}: {elected:?}");
    }
}

/// Three candidates of three nodes have a vote each.
#[test]
fn where_votes_split_terms_are_skipped() {
    let gaps = (1..200).any(|seed| {
        let own = RaftLeaderSettings { election_timeout: ms(300), nodes: 3, ..usual() };
        let asks = Change::AsksAt { client: B, at: at(100) };
        let third = Change::AddClient(ClientSpec::asking_at(at(100)));
        let recording =
            run(&[RAFT, LATER, no_fault(), Change::Seed(seed), settings(own), asks, third]);
        terms(&recording).first().is_some_and(|first| *first > 1)
    });
    assert!(gaps, "no first leader came after a split vote");
}

#[test]
fn a_leader_that_is_cut_off_believes_on_and_its_writes_are_refused_by_their_term() {
    let run_with = |fencing| {
        let changes = [
            RAFT,
            no_fault(),
            Change::Fencing(fencing),
            Change::Work(ms(12_000)),
            Change::Operation(Operation::ReadModifyWrite),
        ];
        let quick = ClientSpec { work: Some(ms(1_000)), ..ClientSpec::asking_at(at(4_500)) };
        let quick = [Change::RemoveLastClient, Change::AddClient(quick)];
        run(&[&changes[..], &quick, &cut_off_from_the_others(5_000, 60_000)].concat())
    };
    let open = run_with(false);
    assert_eq!(open.grants().len(), 2);
    assert_eq!(verdict(&open), VerdictKind::Corrupted);
    assert!(is_broken(&open, PropertyId::OneBelieverAtATime));
    assert!(!is_broken(&open, PropertyId::OneLeaseAtATime), "nobody promised A more");
    let fenced = run_with(true);
    assert!(!is_broken(&fenced, PropertyId::TokensNeverGoBack));
    assert_eq!(lines(&fenced, "refuses write").len(), 1);
}

#[test]
fn a_plain_read_of_a_deposed_leader_says_yes_and_a_majority_says_nothing() {
    let answers = |reads, margin| {
        let own = RaftLeaderSettings { reads, lease_margin: margin, ..usual() };
        let changes = [
            RAFT,
            LATER,
            no_fault(),
            settings(own),
            Change::Check(Check::AsksService),
            Change::Work(ms(12_000)),
        ];
        let recording = run(&[&changes[..], &cut_off_from_the_others(5_000, 60_000)].concat());
        let mut answers = lines(&recording, "service answers that A");
        answers.retain(|line| line.contains("hold"));
        answers
    };
    let plain = answers(Reads::Plain, ms(0));
    assert!(plain[0].contains("A holds"), "{plain:?}");
    // Without a majority nobody says anything until the link is back, and then it is over.
    for reads in [Reads::Index, Reads::Lease] {
        let late = answers(reads, ms(0));
        assert!(late.iter().all(|line| line.contains("does not hold")), "{late:?}");
        assert!(late.iter().all(|line| line.starts_with("65")), "{late:?}");
    }
}

#[test]
fn a_lease_read_needs_no_message_while_a_majority_is_bound() {
    let own = RaftLeaderSettings { reads: Reads::Lease, ..usual() };
    let check = Change::Check(Check::AsksService);
    let recording = run(&[RAFT, LATER, no_fault(), settings(own), check]);
    let asked = lines(&recording, "A sends");
    let asked = asked.iter().find(|line| line.contains(" check ")).expect("A asks");
    let answered = lines(&recording, "answers that A holds");
    let time = |line: &str| line.split(' ').next().expect("a time").to_owned();
    assert_eq!(time(asked), time(&answered[0]), "at the same instant");
}

#[test]
fn a_pause_of_the_client_stops_its_node() {
    let pause = FaultKind::Pause {
        client: A,
        scope: PauseScope::Client,
        kind: PauseKind::Process,
        start: Start::At(at(6_000)),
        length: ms(10_000),
    };
    let recording = run(&[RAFT, LATER, no_fault(), Change::AddFault(fault(2, pause))]);
    let quiet = recording.entries().iter().filter(|entry| {
        entry.node() == NodeId::Lock(LockNodeId(0)) && entry.at > at(6_000) && entry.at < at(16_000)
    });
    assert_eq!(quiet.count(), 0, "not a heartbeat, not an answer");
    assert_eq!(recording.grants()[1].client, B);
    // It wakes, hears of the newer term, and its client is told.
    let told = lines(&recording, "A stops believing");
    assert!(told[0].starts_with("16"), "{told:?}");
}

#[test]
fn a_leader_that_gives_its_office_back_is_followed_by_another() {
    let recording = run(&[RAFT, LATER, no_fault(), Change::Release(true)]);
    assert!(recording.grants().len() >= 2);
    assert!(lines(&recording, "ends A's lease")[0].contains("released"));
    assert_eq!(recording.grants()[1].client, B);
}
