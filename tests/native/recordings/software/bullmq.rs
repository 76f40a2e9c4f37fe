//! BullMQ: a job is given away by the second look that finds it unrenewed, and a completion needs
//! the lock, whether or not anybody else has it.

use super::super::Recording;
use super::{is_before, is_refused, of};

#[test]
fn a_job_is_given_away_by_the_second_look_if_its_lock_is_over_and_nobody_renewed() {
    let recording = Recording::of("bullmq");
    for (name, states) in [
        ("looks", &["active", "active", "waiting"][..]),
        ("first-look-late", &["active", "waiting"]),
    ] {
        let part = recording.part(name);
        let mut is_marked = false;
        for line in &part.lines {
            match line.word.as_str() {
                "renew" => {
                    assert_eq!(line.number("reply"), 1);
                    is_marked = false;
                }
                "look" => {
                    let ends = is_marked && !line.is("lock");
                    let state = if ends { "waiting" } else { "active" };
                    assert_eq!(line.get("state"), state, "{}", line.text);
                    is_marked = true;
                }
                _ => assert_eq!(line.word, "take"),
            }
        }
        assert_eq!(part.column("look", "state"), states, "{name}");
        assert_eq!(of(part, "take", "B")[0].number("started"), 2, "{name}");
    }
}

#[test]
fn whose_lock_is_over_can_neither_renew_nor_finish_whoever_has_the_job() {
    let recording = Recording::of("bullmq");
    let part = recording.part("finish");
    assert_eq!(part.column("renew", "held-by"), ["nobody", "B"]);
    assert_eq!(part.numbers("renew", "reply"), [0, 0]);
    let late = of(part, "finish", "A");
    assert_eq!(late.len(), 3, "while nobody has it, while B has it, and when it is done");
    for line in late {
        let why = if line.get("held-by") == "B" { "Lock_mismatch" } else { "Missing_lock" };
        assert!(line.get("reply").starts_with(&format!("error:{why}")), "{}", line.text);
    }
    // The refusal left the job where it was: the looks give it away as if nothing had been said.
    assert_eq!(part.column("job", "state"), ["active", "completed"]);
    assert!(!is_refused(of(part, "finish", "B")[0]));
}

#[test]
fn a_job_that_stalls_too_often_is_dead() {
    let recording = Recording::of("bullmq");
    let part = recording.part("too-often");
    assert_eq!(part.numbers("take", "stalled"), [0, 1]);
    let reason = part.all("failed")[0].get("error");
    assert_eq!(reason, "job_stalled_more_than_allowable_limit");
    assert!(part.lines.iter().all(|line| line.word != "start"), "C's handler was not called");
    assert_eq!(part.all("job")[0].get("state"), "failed");
}

#[test]
fn a_handler_that_keeps_its_event_loop_runs_beside_the_next_and_is_told_afterwards() {
    let recording = Recording::of("bullmq");
    let part = recording.part("blocked");
    let (a, b) = (of(part, "write", "A")[0], of(part, "write", "B")[0]);
    let taken = of(part, "start", "B")[0];
    assert!(is_before(part, taken, a) && is_before(part, a, b), "A writes while B works");
    // Not before the lock was over, which A never renewed.
    assert!(taken.t - of(part, "start", "A")[0].t >= 1000);
    let told = of(part, "told", "A");
    assert!(is_before(part, a, told[0]), "told when the event loop is free again");
    assert!(told.iter().all(|line| line.get("error").starts_with("Lock_mismatch")));
    assert_eq!(part.all("job")[0].get("result"), "B");
}
