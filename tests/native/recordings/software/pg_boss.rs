//! pg-boss: a sweep by the database's clock frees what is active for too long, and a completion
//! looks at the job's state, not at who has it.

use super::super::Recording;
use super::{is_before, of};

#[test]
fn only_a_sweep_frees_a_job_whose_time_is_over() {
    let recording = Recording::of("pg-boss");
    let part = recording.part("sweep");
    assert_eq!(part.column("job", "when"), ["swept-early", "over", "swept"]);
    assert_eq!(part.column("job", "state"), ["active", "active", "retry"]);
    assert_eq!(part.column("fetch", "who"), ["A", "B", "B"]);
    assert_eq!(part.column("fetch", "job"), ["yes", "no", "yes"]);
    // Until then its completion is taken.
    let part = recording.part("late-before-sweep");
    assert_eq!(of(part, "complete", "A")[0].number("rows"), 1);
    assert_eq!(of(part, "fetch", "B")[0].get("job"), "no");
}

#[test]
fn a_completion_is_taken_while_the_job_is_active_whoever_has_it() {
    let recording = Recording::of("pg-boss");
    let part = recording.part("late");
    for line in part.all("complete") {
        let is_taken = line.get("state") == "active";
        assert_eq!(line.number("rows"), i64::from(is_taken), "{}", line.text);
    }
    assert_eq!(part.column("complete", "who"), ["A", "A", "B"]);
    // A's completes B's attempt. B is not refused: it is told that no row has changed.
    assert_eq!(part.numbers("complete", "rows"), [0, 1, 0]);
    assert_eq!(part.column("job", "output"), ["A", "A"]);
    assert_eq!(of(part, "fetch", "C")[0].get("job"), "no");
}

#[test]
fn a_handler_that_is_given_up_runs_on_beside_the_next() {
    let recording = Recording::of("pg-boss");
    let part = recording.part("work");
    let (late, next) = (of(part, "write", "A")[0], of(part, "start", "B")[0]);
    assert!(is_before(part, next, late));
    assert_eq!(next.number("retries"), 1);
    let job = part.all("job")[0];
    assert_eq!((job.get("state"), job.get("output")), ("completed", "B"));
}
