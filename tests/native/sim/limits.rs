//! Past a limit a run stops with what it has; nothing hangs.

use fenceline::sim::limits;
use fenceline::sim::recording::RunEnd;
use fenceline::sim::scenario::{Length, Renew, Repeat};
use fenceline::sim::{Change, SimDuration};

use super::{ms, no_fault, run};

#[test]
fn a_run_with_too_many_events_stops_and_shows_what_it_has() {
    let recording = run(&[
        no_fault(),
        Change::Length(Length::Fixed(limits::MAX_DURATION)),
        Change::Renew(Renew::Every(ms(100))),
    ]);
    assert_eq!(recording.run_end(), RunEnd::Limit);
    let n = recording.log().n_entries();
    assert!((limits::MAX_EVENTS..limits::MAX_EVENTS + 100).contains(&n), "{n}");
    assert_eq!(recording.ends_at(), recording.entries().last().expect("not empty").at);
}

#[test]
fn work_and_travel_without_any_time_do_not_spin_for_ever() {
    let recording = run(&[
        no_fault(),
        Change::Work(SimDuration::ZERO),
        Change::Latency(SimDuration::ZERO),
        Change::Repeat(Repeat::After(SimDuration::ZERO)),
    ]);
    assert_eq!(recording.run_end(), RunEnd::Limit);
}

#[test]
fn an_automatic_run_lasts_until_its_outcome_is_settled() {
    // The second worker begins when the first is done, long after two leases and one work.
    let recording = run(&[no_fault(), Change::Work(ms(60_000)), Change::Release(true)]);
    assert_eq!(recording.run_end(), RunEnd::Complete);
    assert_eq!(super::lines(&recording, "accepts write").len(), 2);
}

#[test]
fn what_is_pending_at_a_fixed_end_is_undecided() {
    use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
    let cut = run(&[Change::Length(Length::Fixed(ms(15_000)))]);
    assert_eq!(super::verdict(&cut), VerdictKind::SafeSoFar);
    let order = super::state(&cut, PropertyId::TokensNeverGoBack);
    assert_eq!(order, PropertyState::Undecided);
}
