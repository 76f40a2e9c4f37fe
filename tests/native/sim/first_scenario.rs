//! *The paused holder*, exactly: every row of the table in `docs/model.md` at its time, the log as
//! a golden, and both sides of the edges of its pause.

use expect_test::expect_file;
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind, WriteStatus};
use fenceline::sim::{Change, Comparison, Recording};

use super::{at, lines, ms, pause_for, paused_holder, run, state, verdict};

/// The table, row by row: a text that one line of the log must hold.
const TABLE: [&str; 15] = [
    "0.2 s service grants A token 33 for 10 s",
    "0.3 s A believes that it holds token 33",
    "0.3 s A works towards write A1.1 for 2 s",
    "1.1 s service queues B, 0 ahead",
    "2 s A pauses (all of it) until 17 s",
    "10.2 s service ends A's lease 33: expired",
    "10.2 s service grants B token 34 for 10 s",
    "10.3 s B believes that it holds token 34",
    "10.3 s B works towards write B1.1 for 2 s",
    "12.4 s storage accepts write B1.1 with 34: version 1",
    "13.633333 s B sends m7 renew 34 to service, lands 13.733333 s",
    "16.966666 s B sends m9 renew 34 to service, lands 17.066666 s",
    "17 s A sends m10 write 33 to storage, lands 17.1 s",
    "17 s A sends m11 renew 33 to service, lands 17.1 s",
    "17.1 s service refuses to renew token 33 for A",
];

#[test]
fn the_log_holds_every_row_of_the_table_in_order() {
    for fencing in [false, true] {
        let recording = run(&[Change::Fencing(fencing)]);
        let all = lines(&recording, "");
        let places = TABLE.map(|row| all.iter().position(|line| line == row).expect(row));
        assert!(places.is_sorted(), "fencing {fencing}: {places:?}");
        let end =
            if fencing { "refuses write A1.1 with 33: highest 34" } else { "accepts write A1.1" };
        assert_eq!(lines(&recording, end).len(), 1);
        let lost = lines(&recording, "A stops believing");
        let why = if fencing { "a store refused it" } else { "renewal refused" };
        assert_eq!(lost, [format!("17.2 s A stops believing in token 33: {why}")]);
        assert_eq!(recording.costs().false_belief, ms(7_000), "zombie from 10.2 to 17.2");
        assert_eq!(recording.ends_at(), at(39_000));
    }
}

#[test]
fn the_logs_are_as_recorded() {
    let without = run(&[]).log().to_string();
    expect_file!["../../snapshots/paused-holder.log"].assert_eq(&without);
    let with = run(&[Change::Fencing(true)]).log().to_string();
    expect_file!["../../snapshots/paused-holder.fenced.log"].assert_eq(&with);
}

#[test]
fn both_runs_part_at_the_stale_write() {
    let compared = Comparison::fencing_off_on(&paused_holder()).and_then(|both| both.run());
    let compared = compared.expect("fencing can always be switched");
    assert_eq!(verdict(&compared.run_1), VerdictKind::Corrupted);
    assert_eq!(compared.run_1.verdict().at, Some(at(17_100)));
    assert_eq!(compared.run_1.verdict().because, Some(PropertyId::NoOlderOverNewer));
    assert_eq!(verdict(&compared.run_2), VerdictKind::Safe);
    assert!(!compared.run_2.verdict().by_luck);
    assert_eq!(compared.run_2.costs().refused_stale, 1);
    let difference = compared.first_difference.expect("the runs differ");
    assert_eq!(difference.at, at(17_100));
    assert!(difference.in_run_1.is_some() && difference.in_run_2.is_some());
}

/// What the run comes to with a pause of this length, and what A's write was on arrival.
fn outcome(fencing: bool, millis: u64) -> (VerdictKind, bool, WriteStatus) {
    let recording = run(&[Change::Fencing(fencing), pause_for(millis)]);
    let write = |recording: &Recording| {
        let mut writes = recording.writes().iter();
        let of_a = writes.find(|write| {
            let entry = recording.log().get(write.entry).expect("judged entries exist");
            entry.fact.to_string().contains("write A1.1")
        });
        of_a.expect("A writes in the end").status
    };
    (verdict(&recording), recording.verdict().by_luck, write(&recording))
}

#[test]
fn the_edges_lie_where_the_model_says() {
    use VerdictKind::{Corrupted, Safe};
    use WriteStatus::{Late, Rightful, Stale};
    assert_eq!(outcome(false, 8_000), (Safe, false, Rightful));
    assert_eq!(outcome(false, 8_100), (Safe, true, Late), "it lands at the instant of expiry");
    assert_eq!(outcome(false, 10_300), (Safe, true, Late), "A's write lands first, at 12.4 s");
    assert_eq!(outcome(false, 10_400), (Corrupted, false, Stale));
    assert_eq!(outcome(true, 8_100), (Safe, true, Late), "the fence has seen nothing yet");
    assert_eq!(outcome(true, 10_300), (Safe, true, Late));
    assert_eq!(outcome(true, 10_400), (Safe, false, Stale));
    // To the microsecond.
    let micros = |micros| {
        let length = fenceline::sim::SimDuration::from_micros(micros);
        let id = fenceline::sim::id::FaultId(1);
        run(&[Change::FaultLength { id, length }])
    };
    assert!(!micros(8_099_999).verdict().by_luck);
    assert!(micros(8_100_000).verdict().by_luck);
    assert_eq!(verdict(&micros(10_300_000)), Safe);
    assert_eq!(verdict(&micros(10_300_001)), Corrupted);
}

#[test]
fn fencing_does_not_mend_belief() {
    for fencing in [false, true] {
        let recording = run(&[Change::Fencing(fencing)]);
        let believers = state(&recording, PropertyId::OneBelieverAtATime);
        let PropertyState::Broken { at: when, lasted, times, .. } = believers else {
            panic!("two believe: {believers:?}");
        };
        assert_eq!((when, lasted, times), (at(10_300), Some(ms(6_900)), 1));
        assert_eq!(state(&recording, PropertyId::OneLeaseAtATime), PropertyState::Holds);
        assert_eq!(state(&recording, PropertyId::NoLostUpdate), PropertyState::DoesNotApply);
    }
}
