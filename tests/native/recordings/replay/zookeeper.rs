//! ZooKeeper: sessions as long, ends at the same ticks, the same order and the same numbers.

use fenceline::sim::lock::{AtTheEnd, ZooKeeperSettings, ZooKeeperToken};
use fenceline::sim::message::{Answer, Request, SpecialRequest};
use fenceline::sim::scenario::{LockSystem, Loses};
use fenceline::sim::{Change, FencingToken};

use super::{A, B, C, Service, client, granted, ms, range, scenario};
use crate::recordings::{Line, Recording};

/// How much longer an end may take than in the model, in milliseconds: the server's disk and the
/// machine's other work are in a recording.
const DISK: u64 = 60;

fn zookeeper(set: impl Fn(&mut ZooKeeperSettings), changes: &[Change]) -> Service {
    Service::of(&scenario(LockSystem::ZooKeeper, |all| set(&mut all.zookeeper), changes), 1)
}

/// With ticks and sessions of these lengths, and numbers from 0.
fn with(tick: u64, session: u64) -> Service {
    let first = Change::FirstToken(FencingToken(0));
    zookeeper(|all| all.tick = ms(tick), &[Change::Ttl(ms(session)), first])
}

/// How long after its last word a session ends, for words at every hundredth of a tick.
fn ends_after(tick: u64, session: u64) -> Vec<u64> {
    let ends = (0..100).map(|hundredth| {
        let mut service = with(tick, session);
        service.until(tick + tick * hundredth / 100);
        service.acquire(A).expect("the lock is free");
        service.after(session);
        session + service.acquire_in_the_end(B).1
    });
    ends.collect()
}

/// Whether the real server's end lies where the model's can lie.
fn assert_late_as_measured(line: &Line, tick: u64) {
    let model = ends_after(tick, line.length("granted"));
    let (least, most) = range(&model);
    assert!(least > line.length("granted"), "never early, and not at the tick itself: {model:?}");
    assert!(most - least >= tick * 9 / 10, "it depends on the tick: {model:?}");
    let real = line.measured("after");
    assert!(real.high >= least && real.low <= most + DISK, "{model:?}: {}", line.text);
}

#[test]
fn a_session_lasts_as_long_and_ends_at_a_tick() {
    let recording = Recording::of("zookeeper");
    for part in ["sessions-tick-500", "sessions-tick-2000"] {
        let part = recording.part(part);
        for line in part.all("session") {
            let mut service = with(line.length("tick"), line.length("requested"));
            let stamp = service.now;
            let ask = |request| Request::Acquire { request, stamp, unchanged: None };
            let Some(Answer::Granted { ttl, .. }) = service.ask(0, A, ask) else {
                panic!("the lock is free");
            };
            assert_eq!(ttl, Some(ms(line.length("granted"))), "{}", line.text);
        }
        for line in part.all("expired") {
            assert_late_as_measured(line, line.length("tick"));
        }
        // Who comes back after the end is told so.
        for line in part.all("reconnect") {
            assert_eq!(line.get("session"), "expired");
            let mut service = with(500, 1_000);
            let token = service.acquire(A).expect("the lock is free");
            service.after(1_501);
            assert!(!service.renews(A, token));
        }
    }
}

#[test]
fn pings_keep_a_session_and_the_last_one_counts() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("kept-alive");
    let pinged = part.all("pinged")[0];
    let mut service = with(500, pinged.length("granted"));
    let token = service.acquire(A).expect("the lock is free");
    for _ in 0..pinged.number("pings") {
        service.after(333);
        assert!(service.renews(A, token), "{}", pinged.text);
    }
    assert_late_as_measured(part.all("expired")[0], 500);
}

#[test]
fn the_queue_moves_on_in_the_same_order() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("queue");
    let began = part.lines[0].t;
    let mut service = with(500, 1_000);
    let mut holders: Vec<(String, i64)> = Vec::new();
    let (mut alive, mut pinged) = (Vec::new(), 0);
    for line in &part.lines {
        // Who has not gone silent pings until then.
        while pinged + 300 < line.t - began {
            pinged += 300;
            service.until(pinged);
            for &(who, token) in &alive {
                service.ask(0, who, |request| match token {
                    Some(token) => Request::Renew {
                        request,
                        token,
                        stamp: fenceline::sim::LocalTime::default(),
                    },
                    None => SpecialRequest::KeepAlive { request }.into(),
                });
            }
        }
        service.until(line.t - began);
        let who = || client(line.get("who"));
        match line.word.as_str() {
            "joined" => {
                let token = service.acquire(who());
                if let Some(token) = token {
                    holders.push((line.get("who").to_owned(), token.0));
                }
                if line.get("who") != "B" {
                    alive.push((who(), token));
                }
            }
            "released" | "closed" => {
                let (_, token) = *holders.last().expect("A holds first");
                assert!(service.releases(who(), FencingToken(token)), "{}", line.text);
                alive.retain(|(of, _)| *of != who());
                let next = alive.iter_mut().find_map(|(of, token)| {
                    *token = granted(service.said_to(*of));
                    Some((*of, (*token)?))
                });
                if let Some((of, token)) = next {
                    holders.push((["A", "B", "C", "D"][usize::from(of.0)].to_owned(), token.0));
                }
            }
            _ => {}
        }
    }
    let number = |who: &str| part.one("joined", "who", who).number("sequence");
    let real: Vec<_> = part.all("look").into_iter().filter(|line| line.is("holder")).collect();
    let real: Vec<_> = real.iter().map(|line| line.get("who")).collect();
    let real: Vec<_> = real.into_iter().map(|who| (who.to_owned(), number(who))).collect();
    assert_eq!(holders, real);
    assert_eq!(holders.len(), 3, "B's session has ended in the queue");
}

#[test]
fn who_cannot_find_its_own_node_queues_behind_it() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("orphan");
    let first = Change::FirstToken(FencingToken(0));
    let mut service = zookeeper(|all| all.guid = false, std::slice::from_ref(&first));
    // The answer is lost.
    let orphan = service.acquire(A).expect("the lock is free");
    let mine = part.all("look")[0];
    assert_eq!(service.acquire(A).is_some(), mine.is("holder"), "{}", mine.text);
    assert!(service.releases(A, orphan));
    let again = granted(service.said_to(A)).expect("the node before it is gone");
    let real: Vec<i64> = part.numbers("node", "sequence");
    assert_eq!([orphan.0, again.0], real[..]);
    // With a name that says whose it is the node is found.
    let mut service = zookeeper(|all| all.guid = true, &[first]);
    assert_eq!(service.acquire(A), service.acquire(A));
}

#[test]
fn the_numbers_begin_anew_with_the_parent_and_the_zxid_does_not() {
    let recording = Recording::of("zookeeper");
    let created = recording.part("parent-removed").all("created");
    for (token, field) in [(ZooKeeperToken::Sequence, "sequence"), (ZooKeeperToken::Zxid, "zxid")] {
        let set = |all: &mut ZooKeeperSettings| {
            (all.token, all.container, all.container_check) = (token, true, ms(60_000));
        };
        let mut service = zookeeper(set, &[Change::FirstToken(FencingToken(0))]);
        service.after(1_000);
        let mut tokens = Vec::new();
        for line in &created {
            // Before the last one the empty parent was removed.
            if line.number("sequence") == 0 && !tokens.is_empty() {
                service.after(130_000);
            }
            let token = service.acquire(B).expect("it was released");
            assert!(service.releases(B, token));
            tokens.push(token.0);
        }
        let real: Vec<i64> = created.iter().map(|line| line.number(field)).collect();
        match token {
            ZooKeeperToken::Sequence => assert_eq!(tokens, real),
            ZooKeeperToken::Zxid => {
                assert!(crate::recordings::grows(&tokens) && crate::recordings::grows(&real));
            }
        }
    }
}

#[test]
fn after_the_last_number_the_same_happens() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("wrap");
    let first = part.all("sequence-set")[0].number("to");
    let set = |all: &mut ZooKeeperSettings| all.at_the_end = AtTheEnd::StandsStill;
    let mut service = zookeeper(set, &[Change::FirstToken(FencingToken(first))]);
    let real = part.all("created");
    let (queued, alone) = real.split_at(5);
    // A queue that keeps its nodes: A holds, B waits, and for C no node can be made.
    let is_made = |line: &Line| line.get("reply") == "ok";
    assert_eq!(
        queued.iter().map(|line| is_made(line)).collect::<Vec<_>>(),
        [true, true, false, false, false]
    );
    let held = service.acquire(A).expect("the lock is free");
    assert_eq!(held.0, queued[0].number("sequence"));
    assert_eq!(service.acquire(B), None);
    assert!(matches!(service.said_to(B), Some(Answer::Queued { .. })));
    for line in &queued[2..] {
        assert_eq!(service.acquire(C), None);
        assert!(matches!(service.said_to(C), Some(Answer::Taken { .. })), "{}", line.text);
    }
    assert!(service.releases(A, held));
    let next = granted(service.said_to(B)).expect("it is the next");
    assert_eq!(next.0, queued[1].number("sequence"));
    assert!(service.releases(B, next));
    for line in alone {
        let token = service.acquire(C).expect("nobody has a node");
        assert_eq!(token.0, line.number("sequence"), "{}", line.text);
        assert!(service.releases(C, token));
    }
}

#[test]
fn an_election_begins_an_epoch_and_every_session_anew() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("restart-elected");
    let epochs = part.numbers("created", "epoch");
    let expired = part.all("expired")[0];
    let session = expired.length("granted");
    let ends = (0..100).map(|hundredth| {
        let set = |all: &mut ZooKeeperSettings| {
            (all.tick, all.token) = (ms(500), ZooKeeperToken::Zxid);
        };
        let mut service = zookeeper(set, &[Change::Ttl(ms(session))]);
        let old = service.acquire(A).expect("the lock is free");
        service.until(2_500 + 5 * hundredth);
        service.restart(Loses::Nothing);
        service.after(session);
        let (new, more) = service.acquire_in_the_end(B);
        assert_eq!((new.0 >> 32) - (old.0 >> 32), epochs[3] - epochs[0]);
        session + more
    });
    let ends: Vec<u64> = ends.collect();
    let (least, most) = range(&ends);
    let real = expired.measured("after-hello");
    assert!(least > session && real.high >= least, "{ends:?}: {}", expired.text);
    assert!(real.low <= most + DISK, "{ends:?}: {}", expired.text);
}
