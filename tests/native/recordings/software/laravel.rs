//! Laravel's queue in a database: whoever asks next ends a reservation, whole seconds are counted,
//! and a late worker deletes or releases the row whoever has it.

use super::super::Recording;
use super::of;

#[test]
fn a_reservation_ends_for_whoever_asks_next() {
    let recording = Recording::of("laravel");
    let part = recording.part("late");
    assert_eq!(part.column("pop", "who"), ["A", "B", "B", "C"]);
    assert_eq!(part.column("pop", "job"), ["yes", "no", "yes", "no"]);
    // The row says the second in which it began, so that it ends by up to a second early.
    let again = part.all("again")[0];
    let (after, length) = (again.measured("after"), again.length("retry-after"));
    assert!(after.low < length && after.high + 1000 >= length, "{}", again.text);
    // Until somebody asks, its worker's deletion is as good as in time.
    let part = recording.part("late-before-pop");
    assert_eq!(part.numbers("table", "rows"), [0]);
    assert_eq!(of(part, "pop", "B")[0].get("job"), "no");
}

#[test]
fn a_late_deletion_takes_the_next_workers_job_away_and_nobody_is_told() {
    let recording = Recording::of("laravel");
    let part = recording.part("late");
    assert_eq!(part.column("delete", "who"), ["A", "B"]);
    assert_eq!(part.column("delete", "held-by"), ["B", "nobody"]);
    assert!(part.all("delete").iter().all(|line| line.find("reply").is_none()), "neither throws");
    assert_eq!(part.column("table", "when"), ["both-have-it", "A-has-deleted", "B-has-deleted"]);
    assert_eq!(part.numbers("table", "rows"), [1, 0, 0]);
}

#[test]
fn a_late_release_gives_the_next_workers_job_to_a_third_and_takes_the_count_back() {
    let recording = Recording::of("laravel");
    let part = recording.part("late-release");
    assert_eq!(part.column("pop", "who"), ["A", "B", "C"]);
    assert_eq!(part.column("pop", "job"), ["yes", "yes", "yes"], "C beside B");
    // The row that A puts in has A's count: the third delivery is the second once more.
    assert_eq!(part.column("pop", "attempts"), ["1", "2", "2"]);
    assert_eq!(part.column("delete", "held-by"), ["C"]);
    assert_eq!(part.numbers("table", "rows"), [1, 1], "B deletes a row that is gone");
}
