//! Delayed::Job, whose workers settle by the row's id, and Sidekiq, which has no lease at all.

use super::super::Recording;
use super::{is_before, of};

#[test]
fn delayed_job_gives_up_in_time_what_heeds_its_timeout() {
    let recording = Recording::of("delayed-job");
    let part = recording.part("given-up");
    assert_eq!(part.all("given-up")[0].get("error"), "Delayed::WorkerTimeout");
    let row = part.all("row")[0];
    assert!(row.is("there") && row.is("later"), "it is tried again, and not at once");
    assert_eq!((row.get("locked-by"), row.number("attempts")), ("nobody", 1));
    // A job's own max_run_time above the workers' is cut to theirs, or A would not have been.
    let took = of(part, "finish", "A")[0].t - of(part, "start", "A")[0].t;
    assert!((900..10_000).contains(&took), "{took} ms");
}

#[test]
fn delayed_job_lets_a_late_finisher_delete_the_next_workers_row() {
    let recording = Recording::of("delayed-job");
    let part = recording.part("late");
    let (written, next) = (of(part, "write", "A")[0], of(part, "start", "B")[0]);
    assert!(is_before(part, next, written));
    assert_eq!(part.column("row", "locked-by"), ["A", "B", "nobody", "nobody"]);
    assert_eq!(part.column("row", "there"), ["yes", "yes", "no", "no"]);
    // Both are told that it is done.
    assert_eq!(of(part, "finish", "A")[0].number("done"), 1);
    assert_eq!(of(part, "finish", "B").last().map(|line| line.number("done")), Some(1));
}

#[test]
fn delayed_job_lets_a_late_failure_unlock_the_next_workers_row() {
    let recording = Recording::of("delayed-job");
    let part = recording.part("late-failure");
    assert_eq!(part.column("row", "locked-by"), ["A", "B", "nobody", "nobody"]);
    assert_eq!(part.column("row", "there"), ["yes", "yes", "yes", "no"]);
    let unlocked = part.all("row")[2];
    assert_eq!(unlocked.number("attempts"), 1, "A's failure is written while B works");
    assert!(is_before(part, unlocked, of(part, "write", "B")[0]));
}

#[test]
fn sidekiq_loses_what_a_killed_worker_had_and_keeps_what_it_puts_back() {
    let recording = Recording::of("sidekiq");
    let (kill, term) = (recording.part("kill"), recording.part("term"));
    for part in [kill, term] {
        assert_eq!(part.column("queue", "when"), ["A-works", "A-has-ended", "8-s-later"]);
        assert_eq!(part.all("queue")[0].number("waiting"), 0, "taken is gone");
    }
    assert_eq!(kill.numbers("queue", "waiting"), [0, 0, 0]);
    assert_eq!(kill.column("start", "who"), ["A"]);
    assert!(kill.lines.iter().all(|line| line.word != "write"), "nobody does it");
    assert_eq!(term.numbers("queue", "waiting"), [0, 1, 0]);
    assert_eq!(term.column("start", "who"), ["A", "B"]);
    assert_eq!(term.column("write", "who"), ["B"]);
}
