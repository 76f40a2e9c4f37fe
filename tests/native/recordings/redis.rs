//! Redis: an exact expiry by its own clock, an owner check that must be asked for, a counter that
//! is lost with the memory or with the primary.

use super::{Recording, grows};

/// Redis compares the key's time with its clock whenever it is asked; it counts whole milliseconds.
const LATEST: u64 = 1;

#[test]
fn a_lock_is_refused_while_it_is_held_also_to_its_holder() {
    let recording = Recording::of("redis");
    assert_eq!(recording.part("acquire").column("set-nx", "who"), ["A", "B", "A"]);
    assert_eq!(recording.part("acquire").column("set-nx", "reply"), ["OK", "nil", "nil"]);
}

#[test]
fn a_lock_ends_at_its_time_for_whoever_asks() {
    let recording = Recording::of("redis");
    let part = recording.part("expiry");
    let granted: Vec<_> = part.all("set-nx");
    assert_eq!(granted.len(), 4, "two locks, each granted twice");
    for line in granted.iter().filter(|line| line.get("who") == "B") {
        assert_eq!(line.get("reply"), "OK");
        assert!(line.number("refused-before") > 0);
        line.assert_ends("after", line.length("ttl"), LATEST);
    }
    let deadline = recording.part("deadline").all("deadline")[0];
    deadline.assert_ends("ahead", deadline.length("ttl"), LATEST);
}

#[test]
fn nobody_is_told_before_the_time() {
    let recording = Recording::of("redis");
    for line in recording.part("notice").all("told") {
        assert!(line.measured("after").high >= line.length("ttl"));
    }
}

#[test]
fn a_renewal_that_looks_at_the_owner_extends_only_the_holders_lock() {
    let recording = Recording::of("redis");
    let part = recording.part("renewal");
    for line in part.all("renew") {
        let (who, held_by) = (line.get("who"), line.get("held-by"));
        let extends = if line.is("owner-check") { who == held_by } else { held_by != "nobody" };
        assert_eq!(line.number("reply"), i64::from(extends), "{who} renews {held_by}'s");
    }
    let expired = part.all("expired")[0];
    expired.assert_ends("after", expired.length("ttl"), LATEST);
    assert!(part.all("extended")[0].is("longer"), "A has extended B's lock");
}

#[test]
fn a_late_release_frees_the_next_holders_lock_unless_it_looks() {
    let recording = Recording::of("redis");
    let part = recording.part("release");
    let late: Vec<_> =
        part.all("release").into_iter().filter(|line| line.get("who") == "A").collect();
    assert_eq!(late.iter().map(|line| line.is("owner-check")).collect::<Vec<_>>(), [true, false]);
    assert_eq!(late.iter().map(|line| line.number("reply")).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(part.column("holder", "value"), ["B", "nil"]);
    assert_eq!(part.column("set-nx", "reply"), ["nil", "OK"], "C beside B, who still believes");
}

#[test]
fn the_counter_grows_by_one_with_each_grant() {
    let recording = Recording::of("redis");
    let tokens = recording.part("tokens").numbers("acquire", "token");
    let granted: Vec<i64> = tokens.iter().copied().filter(|token| *token != 0).collect();
    assert_eq!(granted, [33, 34, 35, 36]);
    assert_eq!(tokens.len() - granted.len(), 4, "a refused attempt takes no token");
}

#[test]
fn a_crash_loses_lock_and_counter_unless_each_write_is_on_disk() {
    let recording = Recording::of("redis");
    let memory = recording.part("crash-in-memory");
    assert_eq!(memory.column("holder", "value"), ["nil"]);
    assert_eq!(memory.column("acquire", "who"), ["A", "B"]);
    let tokens = memory.numbers("acquire", "token");
    assert!(tokens[0] == tokens[1] && tokens[0] > 0, "two holders with one token: {tokens:?}");
    let disk = recording.part("crash-on-disk");
    assert_eq!(disk.column("holder", "value"), ["A"]);
    assert_eq!(disk.numbers("acquire", "token")[1], 0, "B is refused");
}

#[test]
fn a_promoted_replica_grants_what_it_has_not_heard_of() {
    let recording = Recording::of("redis");
    let part = recording.part("failover");
    assert_eq!(part.column("acquire", "who"), ["A", "A", "B"]);
    assert_eq!(part.column("acquire", "at"), ["primary", "primary", "replica"]);
    let tokens = part.numbers("acquire", "token");
    assert!(grows(&tokens[..2]));
    assert_eq!(tokens[1], tokens[2], "two holders with one token");
    let copies = part.all("acquire");
    assert_eq!((copies[0].number("copies"), copies[1].number("copies")), (1, 0));
    assert_eq!(part.column("holder", "value"), ["A", "A", "B"], "the last two at once");
}
