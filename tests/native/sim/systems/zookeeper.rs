//! ZooKeeper: ticks, pings, names and zxids, orphans, containers, elections.

use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::lock::{AtTheEnd, NameOrder, OnDisconnect, ZooKeeperSettings, ZooKeeperToken};
use fenceline::sim::message::MessageKind;
use fenceline::sim::scenario::{
    ClientSpec, FaultKind, LockSystem, Loses, MessageAddress, PauseScope, Start,
};
use fenceline::sim::{Change, FencingToken, Recording};

use super::super::{fault, pause, pause_for};
use super::{A, B, at, crash, lines, ms, no_fault, run, systems};

const ZOOKEEPER: Change = Change::Lock(LockSystem::ZooKeeper);

fn with(set: impl FnOnce(&mut ZooKeeperSettings)) -> Change {
    systems(|all| set(&mut all.zookeeper))
}

fn tokens(recording: &Recording) -> Vec<i64> {
    recording.grants().iter().map(|grant| grant.token.0).collect()
}

fn joins(millis: u64) -> Change {
    Change::AddClient(ClientSpec::asking_at(at(millis)))
}

#[test]
fn a_session_lasts_two_to_twenty_ticks() {
    let granted = |millis, tick| {
        let tick = with(|all| all.tick = ms(tick));
        let recording = run(&[ZOOKEEPER, no_fault(), tick, Change::Ttl(ms(millis))]);
        lines(&recording, "grants A")[0].rsplit(" for ").next().expect("a length").to_owned()
    };
    assert_eq!(granted(3_000, 2_000), "4 s");
    assert_eq!(granted(100_000, 2_000), "40 s");
    // As the recording of a real server with ticks of 500 ms has it.
    assert_eq!(granted(1_000, 500), "1 s");
    assert_eq!(granted(2_500, 500), "2.5 s");
    assert_eq!(granted(100_000, 500), "10 s");
}

#[test]
fn a_session_ends_at_the_tick_after_its_time() {
    let recording = run(&[ZOOKEEPER, no_fault(), crash(2, A, 2_000, None)]);
    assert_eq!(lines(&recording, "ends A's lease"), ["12 s service ends A's lease 33: expired"]);
    // At a tick, it is the next one: one tick of grace.
    let asks = Change::AsksAt { client: A, at: at(1_900) };
    let recording = run(&[ZOOKEEPER, no_fault(), asks, crash(2, A, 2_500, None)]);
    assert_eq!(lines(&recording, "ends B's lease").len(), 0);
    let alone = [Change::RemoveLastClient, ZOOKEEPER, no_fault()];
    let asks = Change::AsksAt { client: A, at: at(1_900) };
    let recording = run(&[&alone[..], &[asks, crash(2, A, 2_500, None)]].concat());
    assert_eq!(lines(&recording, "ends A's lease"), ["14 s service ends A's lease 33: expired"]);
}

#[test]
fn until_that_tick_a_ping_saves_it() {
    // The session's time is over at 10.2 s; A wakes at 11.2 s, and the tick is at 12 s.
    let recording = run(&[ZOOKEEPER, pause_for(9_200)]);
    assert!(lines(&recording, "expired").is_empty());
    let renewed = lines(&recording, "renews token 33");
    assert_eq!(renewed[0], "11.3 s service renews token 33 for 10 s, asked by A");
    assert_eq!(lines(&run(&[ZOOKEEPER, pause_for(10_000)]), "expired").len(), 1, "at 12.1 s not");
}

#[test]
fn a_client_pings_at_a_third_and_at_least_every_ten_seconds() {
    let first = |millis| {
        let recording = run(&[ZOOKEEPER, no_fault(), Change::Ttl(ms(millis))]);
        lines(&recording, "renew 33 to service")[0].split(" A ").next().expect("a time").to_owned()
    };
    assert_eq!(first(9_000), "3.3 s");
    assert_eq!(first(40_000), "10.3 s");
}

#[test]
fn names_are_numbered_by_children_made_and_wrap() {
    let changes = [ZOOKEEPER, no_fault(), Change::Release(true), joins(2_000)];
    assert_eq!(tokens(&run(&changes)), [33, 34, 35]);
    let last = Change::FirstToken(FencingToken(i64::from(i32::MAX)));
    let wraps = with(|all| all.at_the_end = AtTheEnd::Wraps);
    let wrapped = run(&[&changes[..], &[last, wraps]].concat());
    assert_eq!(tokens(&wrapped)[..2], [i64::from(i32::MAX), i64::from(i32::MIN)]);
    let shared = run(&[&changes[..], &[with(|all| all.shared_parent = true)]].concat());
    let shared = tokens(&shared);
    assert!(shared.is_sorted() && shared[2] > 35, "others make nodes, too: {shared:?}");
}

#[test]
fn a_count_that_stands_still_lets_nobody_join_and_then_repeats_its_token() {
    let last = Change::FirstToken(FencingToken(i64::from(i32::MAX)));
    let recording = run(&[ZOOKEEPER, no_fault(), last, Change::Release(true)]);
    // A's node is there from 0.2 s to 2.6 s; B asks at 1.1 s and again a second after the answer.
    let refused = lines(&recording, "tells B that the lock is taken");
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert_eq!(tokens(&recording), [i64::from(i32::MAX), i64::from(i32::MAX)]);
    let granted = lines(&recording, "grants B");
    assert!(granted[0].starts_with("3.5 s"), "{granted:?}");
}

#[test]
fn after_the_wrap_text_makes_every_newcomer_the_holder_and_numbers_do_not() {
    let wrapped = Change::FirstToken(FencingToken(i64::from(i32::MIN)));
    let base = [ZOOKEEPER, no_fault(), wrapped, joins(2_000)];
    let by_text = run(&[&base[..], &[with(|all| all.order = NameOrder::Text)]].concat());
    assert_eq!(lines(&by_text, "overtaken").len(), 2, "B and C, each as it comes");
    // Nobody is told: A's session lives, and it goes on believing.
    assert!(lines(&by_text, "refuses to renew").is_empty());
    assert!(lines(&by_text, "stops believing").is_empty());
    let by_number = run(&base);
    assert!(lines(&by_number, "overtaken").is_empty());
    assert_eq!(by_number.grants().len(), 1, "A stays on");
    // Before the wrap both are the same.
    let before = [ZOOKEEPER, no_fault(), joins(2_000), with(|all| all.order = NameOrder::Text)];
    assert!(lines(&run(&before), "overtaken").is_empty());
}

#[test]
fn below_a_container_that_went_numbers_begin_at_0() {
    let container = |every| with(|all| (all.container, all.container_check) = (true, ms(every)));
    let base = [ZOOKEEPER, no_fault(), Change::Release(true), joins(20_000)];
    assert_eq!(tokens(&run(&base)), [33, 34, 35]);
    // B is done at 5.0 s; containers are looked for at 15 s, and C comes at 20.1 s.
    let removed = run(&[&base[..], &[container(15_000)]].concat());
    assert_eq!(tokens(&removed), [33, 34, 0]);
    assert_eq!(lines(&removed, "makes it anew").len(), 1);
    let not_yet = run(&[&base[..], &[container(60_000)]].concat());
    assert_eq!(tokens(&not_yet), [33, 34, 35]);
}

#[test]
fn without_a_guid_a_client_queues_behind_its_own_node() {
    let message = MessageAddress {
        from: NodeId::Lock(LockNodeId(0)),
        to: NodeId::Client(A),
        kind: MessageKind::Granted,
        nth: 1,
    };
    let base = [
        ZOOKEEPER,
        no_fault(),
        Change::Timeout(Some(ms(2_000))),
        Change::Retries(5),
        Change::AddFault(fault(3, FaultKind::Lose { message })),
    ];
    let found = run(&base);
    assert!(lines(&found, "believes")[0].starts_with("2.3 s A"), "told of the node that it has");
    let orphan = run(&[&base[..], &[with(|all| all.guid = false)]].concat());
    assert_eq!(lines(&orphan, "queues A, 1 ahead").len(), 1, "behind B");
    assert_eq!(orphan.grants().len(), 1);
    assert!(lines(&orphan, "believes").is_empty(), "nobody ever");
    let kept = lines(&orphan, "renews token 33");
    assert!(kept.len() > 2, "its own session keeps its orphan alive: {kept:?}");
}

#[test]
fn who_lets_go_counts_two_thirds_of_the_session_from_the_last_word() {
    let cut = FaultKind::Cut {
        a: NodeId::Client(A),
        b: NodeId::Lock(LockNodeId(0)),
        at: at(2_000),
        length: ms(60_000),
        held: false,
    };
    let base = [ZOOKEEPER, no_fault(), Change::AddFault(fault(3, cut))];
    let holds = run(&base);
    // It hears of the expiry at its first ping after the link is back.
    let stops = lines(&holds, "stops believing in token 33");
    assert!(stops[0].ends_with("renewal refused") && stops[0].as_str() > "62", "{stops:?}");
    let lets_go = with(|all| all.on_disconnect = OnDisconnect::LetsGo);
    let lets_go = run(&[&base[..], &[lets_go]].concat());
    assert_eq!(
        lines(&lets_go, "stops believing in token 33"),
        ["6.966667 s A stops believing in token 33: its own deadline has passed"]
    );
    assert_eq!(lines(&lets_go, "ends A's lease"), ["12 s service ends A's lease 33: expired"]);
}

#[test]
fn a_new_leader_raises_the_epoch_and_tracks_sessions_anew() {
    let restart = FaultKind::ServiceRestart {
        node: None,
        at: at(2_600),
        length: ms(200),
        loses: Loses::Nothing,
    };
    let zxid = with(|all| all.token = ZooKeeperToken::Zxid);
    let asks = Change::AsksAt { client: B, at: at(3_000) };
    let changes = [ZOOKEEPER, no_fault(), zxid, asks, Change::AddFault(fault(3, restart))];
    let recording = run(&[&changes[..], &[crash(4, A, 2_500, None)]].concat());
    assert_eq!(tokens(&recording), [33, (1 << 32) + 1]);
    assert_eq!(lines(&recording, "refreshes A's lease 33 for 10 s").len(), 1);
    // 2.8 s and 10 s, at the next tick.
    assert!(lines(&recording, "ends A's lease")[0].starts_with("14 s"));
}

#[test]
fn a_counter_that_is_used_up_forces_an_election_and_the_token_still_grows() {
    let zxid = |what| {
        with(move |all| {
            (all.token, all.election) = (ZooKeeperToken::Zxid, ms(500));
            all.on_disconnect = what;
        })
    };
    let last = Change::FirstToken(FencingToken(u32::MAX.into()));
    let base = [ZOOKEEPER, no_fault(), last, Change::Release(true)];
    let recording = run(&[&base[..], &[zxid(OnDisconnect::HoldsOn)]].concat());
    assert_eq!(lines(&recording, "elects"), ["0.2 s service elects a leader for 500 ms"]);
    assert_eq!(tokens(&recording), [i64::from(u32::MAX), (1 << 32) + 1]);
    assert_eq!(lines(&recording, "connection lost").len(), 0);
    // Who asks meanwhile is not answered.
    let early = Change::AsksAt { client: B, at: at(400) };
    let early = run(&[&base[..], &[zxid(OnDisconnect::HoldsOn), early]].concat());
    assert_eq!(lines(&early, "no leader"), ["0.5 s service has no leader to serve B"]);
    // Who lets go is told at once.
    let lets_go = run(&[&base[..], &[zxid(OnDisconnect::LetsGo)]].concat());
    assert_eq!(
        lines(&lets_go, "connection lost"),
        ["0.3 s A stops believing in token 4294967295: connection lost"]
    );
}

#[test]
fn a_waiters_session_ends_at_a_tick_as_well() {
    let asleep = pause(3, B, PauseScope::Renewer, Start::At(at(1_500)), 30_000);
    let recording = run(&[ZOOKEEPER, no_fault(), asleep]);
    assert_eq!(lines(&recording, "drops B"), ["12 s service drops B from the queue"]);
}
