//! Celery on Redis: the visibility timeout is acted on by a sweep of any worker, an ack removes by
//! a tag that all deliveries of a task share, and by default it comes before the work.

use super::super::Recording;
use super::{is_before, of};

#[test]
fn a_sweep_hands_a_task_out_again_whose_time_is_over() {
    let recording = Recording::of("celery");
    let again = recording.part("late-ack").all("again")[0];
    // Redis says when, and a worker's own clock judges it; then the next worker has to begin.
    let (timeout, sweep) = (again.length("visibility"), again.length("sweep"));
    assert!(again.measured("after").high >= timeout, "{}", again.text);
    assert!(again.measured("after").low <= timeout + 2 * sweep, "{}", again.text);
    let redelivered = recording.part("late-ack").column("start", "redelivered");
    assert_eq!(redelivered, ["no", "yes"]);
}

#[test]
fn a_late_ack_removes_the_next_workers_delivery_and_a_kill_then_loses_it() {
    let recording = Recording::of("celery");
    let part = recording.part("late-ack");
    assert_eq!(part.column("received", "who"), ["A", "B"]);
    assert_eq!(part.column("received", "tag"), ["1", "1"], "both deliveries have one tag");
    let (written, killed) = (of(part, "write", "A")[0], part.all("killed")[0]);
    assert!(is_before(part, of(part, "start", "B")[0], written));
    assert_eq!(part.column("queue", "when").len(), 4);
    assert_eq!(part.numbers("queue", "unacked"), [1, 1, 0, 0], "A's ack takes B's delivery away");
    assert!(is_before(part, written, killed));
    // Nobody has it again although B's delivery was never acknowledged and B is dead.
    assert_eq!(part.numbers("queue", "ready"), [0; 4]);
    assert_eq!(part.all("runs")[0].number("number"), 2);
}

#[test]
fn a_countdown_longer_than_the_timeout_runs_once_for_each_delivery() {
    let recording = Recording::of("celery");
    let part = recording.part("eta");
    let deliveries = part.all("received").len();
    assert!(deliveries > 1, "it goes from worker to worker while it waits");
    assert_eq!(part.all("start").len(), deliveries, "each of them runs it");
    assert_eq!(part.all("runs")[0].number("number"), i64::try_from(deliveries).unwrap());
    // They all wait for one time, so that none is early.
    let first = part.all("received")[0].t;
    assert!(part.all("start").iter().all(|line| line.t + 500 >= first + 8000));
}

#[test]
fn a_killed_worker_loses_the_task_unless_the_ack_comes_after_the_work() {
    let recording = Recording::of("celery");
    let (early, late) = (recording.part("crash-acks-early"), recording.part("crash-acks-late"));
    assert_eq!(early.numbers("queue", "unacked"), [0, 0]);
    assert_eq!(early.numbers("queue", "ready"), [0, 0]);
    assert_eq!(early.column("start", "who"), ["A"]);
    assert!(early.lines.iter().all(|line| line.word != "write"), "nobody does it");
    assert_eq!(late.numbers("queue", "unacked"), [1, 0]);
    assert_eq!(late.column("start", "who"), ["A", "B"]);
    assert_eq!(late.column("write", "who"), ["B"]);
}
