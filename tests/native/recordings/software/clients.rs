//! redis-py's Lock and node-redlock: both look at the owner, renew nothing by themselves, and say
//! only to who asks that a lock is lost.

use super::super::Recording;
use super::{is_before, is_refused, of};

#[test]
fn whose_lock_is_over_can_neither_extend_nor_release_whoever_has_it() {
    for (system, words) in [
        ("redis-py", &["extend", "reacquire", "release"][..]),
        ("node-redlock", &["extend", "unlock"]),
    ] {
        let recording = Recording::of(system);
        let part = recording.part("late");
        for word in words {
            for line in of(part, word, "A") {
                assert!(is_refused(line), "{system}: {}", line.text);
                let is_held = i64::from(line.get("held-by") == "B");
                assert_eq!(line.number("left"), is_held, "{system}: B keeps it, {}", line.text);
            }
        }
        let release = of(part, words.last().expect("there are some"), "B")[0];
        assert!(!is_refused(release) && release.number("left") == 0, "{system}");
    }
    let recording = Recording::of("redis-py");
    let part = recording.part("late");
    assert_eq!(part.column("owned", "owned"), ["no", "no"]);
    for word in ["extend", "release"] {
        let mut replies = of(part, word, "A").into_iter().map(|line| line.get("reply"));
        assert!(replies.all(|reply| reply == "error:LockNotOwnedError"), "{word}");
    }
}

#[test]
fn redis_py_extends_by_adding_and_node_redlock_by_setting_anew() {
    let recording = Recording::of("redis-py");
    let part = recording.part("extend");
    assert_eq!(part.column("left", "after"), ["extend", "replace"]);
    assert_eq!(part.column("left", "more-than-1000ms"), ["yes", "no"]);
    let recording = Recording::of("node-redlock");
    assert_eq!(recording.part("extend").column("left", "more-than-300ms"), ["no"]);
}

#[test]
fn a_lock_of_redis_py_without_a_timeout_never_ends() {
    let recording = Recording::of("redis-py");
    let part = recording.part("no-timeout");
    let granted = part.all("acquire");
    assert!(granted[0].is("granted") && !granted[1].is("granted"));
    assert_eq!(granted[0].number("pttl"), -1);
}

#[test]
fn who_works_longer_than_the_lock_is_told_at_its_release() {
    let recording = Recording::of("redis-py");
    let part = recording.part("with");
    let (written, left) = (of(part, "write", "B")[0], part.all("left-block")[0]);
    assert!(is_before(part, written, left));
    assert_eq!(left.get("raised"), "LockNotOwnedError");
    let recording = Recording::of("node-redlock");
    let part = recording.part("no-renewal");
    let (written, next) = (of(part, "write", "A")[0], of(part, "lock", "B")[0]);
    assert!(next.is("granted") && is_before(part, next, written), "B has it, and A writes");
    assert!(is_refused(of(part, "unlock", "A")[0]));
}

/// What its user is told of the lock's length is shorter than what Redis keeps, by the drift.
#[test]
fn node_redlock_takes_the_drift_off() {
    let recording = Recording::of("node-redlock");
    for part in ["late", "extend", "no-renewal"] {
        let locks = recording.part(part).all("lock");
        assert!(
            locks
                .iter()
                .filter(|line| line.is("granted"))
                .all(|line| { line.is("valid-less-than-ttl") })
        );
    }
}
