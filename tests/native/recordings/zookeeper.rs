//! ZooKeeper: session timeouts that are kept within bounds and judged by the tick, the sequence
//! number and the zxid as tokens, and what goes on after a restart.

use super::{Line, Part, Recording, assert_only_the_watched_wake, grows};

/// What the server grants: what was asked for, within 2 and 20 ticks.
fn granted(requested: u64, tick: u64) -> u64 {
    requested.clamp(2 * tick, 20 * tick)
}

#[test]
fn a_session_is_granted_within_bounds_and_ends_by_the_next_tick() {
    let recording = Recording::of("zookeeper");
    for tick in [500, 2000] {
        let part = recording.part(&format!("sessions-tick-{tick}"));
        let (sessions, expired) = (part.all("session"), part.all("expired"));
        assert_eq!((sessions.len(), expired.len()), (4, 4));
        for line in sessions.into_iter().chain(expired.iter().copied()) {
            assert_eq!(line.length("tick"), tick);
            let timeout = line.length("granted");
            assert_eq!(timeout, granted(line.length("requested"), tick), "{}", line.text);
        }
        for line in expired {
            line.assert_ends("after", line.length("granted"), tick);
        }
    }
}

#[test]
fn a_session_that_has_expired_is_closed_and_cannot_be_resumed() {
    let recording = Recording::of("zookeeper");
    for tick in [500, 2000] {
        for line in recording.part(&format!("sessions-tick-{tick}")).all("reconnect") {
            assert!(line.is("connection-closed-by-server"));
            assert_eq!(line.get("session"), "expired");
        }
    }
    let part = recording.part("connection");
    let [in_time, after_close] = part.all("reconnect")[..] else {
        panic!("A comes back twice");
    };
    assert!(in_time.get("session") == "same" && in_time.is("node-alive"));
    assert_eq!(after_close.get("session"), "expired");
    let closed = part.all("closed")[0].measured("after");
    assert!(closed.high < 500, "a clean end does not wait for the tick");
}

#[test]
fn pings_keep_a_session() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("kept-alive");
    let pinged = part.all("pinged")[0];
    assert!(pinged.is("alive"));
    assert!(pinged.number("pings") > 3, "for longer than one timeout");
    let expired = part.all("expired")[0];
    expired.assert_ends("after", expired.length("granted"), expired.length("tick"));
}

#[test]
fn the_queue_is_in_the_order_of_the_sequence_numbers() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("queue");
    assert_eq!(part.numbers("joined", "sequence"), [0, 1, 2, 3]);
    assert!(grows(&part.numbers("joined", "zxid")));
    let holders: Vec<&str> = part
        .all("look")
        .into_iter()
        .filter(|line| line.is("holder"))
        .map(|line| line.get("who"))
        .collect();
    assert_eq!(holders, ["A", "C", "D"], "B has died in the queue");
    let number = |who: &str| part.one("joined", "who", who).get("sequence").to_owned();
    let ends = ["expired", "released", "closed"];
    assert_only_the_watched_wake(part, "who", |line: &Line| {
        ends.contains(&line.word.as_str()).then(|| number(line.get("who")))
    });
}

#[test]
fn a_lost_reply_leaves_an_orphan_that_its_own_client_waits_for() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("orphan");
    assert_eq!(part.column("node", "owner"), ["A", "A"]);
    let look = part.all("look")[0];
    assert!(!look.is("holder") && look.is("there"));
    assert_eq!(look.number("watches"), part.numbers("node", "sequence")[0], "the orphan");
    assert_eq!(part.all("closed")[0].number("nodes-left"), 0, "it ends with the session");
}

#[test]
fn anybody_may_delete_the_holders_node() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("release");
    assert_eq!(part.column("released", "reply"), ["ok"]);
    let [before, after] = part.all("look")[..] else { panic!("B looks twice") };
    assert!(!before.is("holder") && after.is("holder"));
}

/// What was created, and how much the sequence must grow between: one, and one for each child
/// without a number.
fn assert_sequence(part: &Part, parent: &str) {
    let mut next = 0;
    for line in &part.lines {
        if line.find("what") == Some("plain-child") {
            next += 1;
        } else if line.word == "created" && line.get("parent") == parent {
            assert_eq!(line.number("sequence"), next, "{}", line.text);
            next += 1;
        }
    }
}

#[test]
fn the_sequence_counts_the_children_ever_created() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("sequence");
    assert_sequence(part, "/tokens");
    assert_eq!(part.column("between", "what").len(), 4);
    assert_eq!(part.one("created", "parent", "/elsewhere").number("sequence"), 0);
    let zxids = part.numbers("created", "zxid");
    assert!(grows(&zxids), "the zxid is the whole store's: {zxids:?}");
}

#[test]
fn the_sequence_begins_again_when_the_parent_was_removed_and_the_zxid_does_not() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("parent-removed");
    assert_eq!(part.numbers("created", "sequence"), [0, 1, 2, 0]);
    assert!(grows(&part.numbers("created", "zxid")));
}

#[test]
fn at_its_end_the_sequence_stands_still() {
    let recording = Recording::of("zookeeper");
    let part = recording.part("wrap");
    let created = part.all("created");
    let end = i64::from(i32::MAX);
    assert_eq!([0, 1].map(|index| created[index].number("sequence")), [end - 1, end]);
    // A queue that keeps its nodes: the same name again and again, which is taken.
    for line in &created[2..5] {
        assert_eq!(line.get("reply"), "node-exists", "nobody can join");
    }
    // One after the other: the same number again and again.
    for line in &created[5..] {
        assert_eq!((line.get("reply"), line.number("sequence")), ("ok", end), "a token repeats");
    }
    assert_eq!(created.len(), 8);
    let zxids: Vec<i64> = created
        .iter()
        .filter(|line| line.find("zxid").is_some())
        .map(|line| line.number("zxid"))
        .collect();
    assert!(grows(&zxids), "the zxid goes on");
}

#[test]
fn a_restart_keeps_both_tokens_growing_and_begins_sessions_anew() {
    let recording = Recording::of("zookeeper");
    for (name, elections) in [("restart-alone", 0), ("restart-elected", 1)] {
        let part = recording.part(name);
        assert_eq!(part.numbers("created", "sequence"), [0, 1, 2, 3]);
        assert!(grows(&part.numbers("created", "zxid")));
        let epochs = part.numbers("created", "epoch");
        assert_eq!(epochs[3] - epochs[2], elections, "an election begins an epoch");
        for line in part.all("created") {
            let zxid = (line.number("epoch") << 32) | line.number("counter");
            assert_eq!(zxid, line.number("zxid"));
        }
        let counters = part.numbers("created", "counter");
        assert_eq!(counters[3] < counters[2], elections > 0, "its counter begins again");
        let expired = part.all("expired")[0];
        let (timeout, tick) = (expired.length("granted"), expired.length("tick"));
        assert!(expired.measured("after-restart").high >= timeout, "a full timeout");
        assert!(expired.measured("after-hello").low <= timeout + tick);
    }
}
