//! Compare-and-set that is tried again: where no write arrives twice, no update is lost at one
//! store, and nobody tries more often than it may.

use fenceline::sim::fact::{ClientFact, Fact};
use fenceline::sim::property::PropertyId::NoLostUpdate;
use fenceline::sim::scenario::{
    FenceRule, OnConflict, Operation, Piece, Resource, Unchecked, Whole,
};
use fenceline::sim::{Change, Recording, ScenarioFile};
use proptest::prelude::*;

use super::conditions::{Conditions, duplicates};
use super::strategy::scenario;
use super::waiting::is_found;
use super::{LEASES, but, holds, is_broken, ms};

const MOST: u32 = 3;

fn compared() -> Conditions {
    Conditions::of(&[
        LEASES,
        Change::Resource(Resource::Generic),
        Change::Fencing(true),
        Change::Rule(FenceRule::DataVersion),
        Change::UncheckedStores(Unchecked::NONE),
        Change::CheckGap(ms(0)),
        Change::Stores(1),
        Change::Operation(Operation::ReadModifyWrite),
        // Steps of one unit, with others' between them, are another thing.
        Change::Whole(Whole::Step),
        Change::Piece(Piece::Own),
        Change::Item(false),
        Change::OnConflict(OnConflict::Retries),
        Change::Retries(MOST),
        // A write that is refused may have been applied before, and is then built on once more.
        Change::Timeout(None),
    ])
    .without(duplicates)
}

/// Who tries again, and which attempt it is.
fn attempts(recording: &Recording) -> impl Iterator<Item = u32> {
    recording.entries().iter().filter_map(|entry| match entry.fact {
        Fact::Client(_, ClientFact::TriesAgain { attempt, .. }) => Some(attempt),
        _ => None,
    })
}

proptest! {
    #[test]
    fn a_retried_compare_and_set_loses_no_update(scenario in scenario()) {
        holds(&scenario, &compared(), NoLostUpdate)?;
    }

    #[test]
    fn nobody_tries_again_more_often_than_it_may(scenario in scenario()) {
        let recording = compared().run(&scenario);
        prop_assert!(attempts(&recording).all(|attempt| attempt <= MOST), "{}", recording.log());
        let gives_up = but(compared(), Change::OnConflict(OnConflict::GivesUp)).run(&scenario);
        prop_assert_eq!(attempts(&gives_up).count(), 0);
    }
}

#[test]
fn without_the_compare_an_update_is_lost_and_with_it_somebody_does_try_again() {
    let unchecked = but(compared(), Change::Fencing(false));
    assert!(is_found(&unchecked, |_, run| is_broken(run, NoLostUpdate)));
    assert!(is_found(&compared(), |_, run| attempts(run).any(|attempt| attempt == MOST)));
}

/// A's write is applied and the answer is late; A sends it again after its timeout, B has written
/// meanwhile, and the refusal of the copy makes A update once more.
#[test]
fn after_a_timeout_an_update_that_was_applied_is_tried_again() {
    let text = r#"{ "version": 1, "title": "", "scenario": {
        "lock": "lease_server", "lease": { "ttl": "500 ms" }, "latency": "1 ms",
        "storage": { "fencing": true, "rule": "data_version" },
        "defaults": { "operation": "read_modify_write", "renew": "off", "work": "0 s",
            "on_conflict": "retries", "retries": 3, "timeout": "1 s" },
        "clients": [{ "asks_at": "0 s" }, { "asks_at": "0.1 s" }],
        "faults": [{ "id": 1, "kind": { "delay": { "by": "1.1 s", "message": {
            "from": "storage", "to": "A", "kind": "write_accepted", "nth": 1 } } } }] } }"#;
    let scenario = ScenarioFile::parse(text).expect("it is right").base().expect("it is valid");
    let recording = Recording::of(&scenario);
    assert_eq!(attempts(&recording).count(), 1, "{}", recording.log());
    assert!(is_broken(&recording, NoLostUpdate), "{}", recording.log());
    let patient = scenario.with(&[Change::Timeout(None)]).expect("it fits");
    assert!(!is_broken(&Recording::of(&patient), NoLostUpdate));
}
