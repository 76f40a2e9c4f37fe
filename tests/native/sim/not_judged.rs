//! What no verdict speaks of: each item where the scenario has it, and where it has not.

use fenceline::sim::id::FaultId;
use fenceline::sim::property::{NotJudged, not_judged};
use fenceline::sim::scenario::{CrashScope, FaultKind, Operation, Piece, Resource, Whole};
use fenceline::sim::{Change, SimDuration};

use super::{A, B, at, crash, fault, ms, with};

fn has(item: NotJudged, changes: &[Change]) -> bool {
    not_judged(&with(changes)).contains(&item)
}

#[test]
fn what_others_do_is_never_judged() {
    assert!(has(NotJudged::Others, &[]));
    let nothing = [Change::Work(SimDuration::ZERO), Change::WritesPerGrant(1)];
    assert_eq!(not_judged(&with(&nothing)), [NotJudged::Others], "and nothing else is left out");
}

#[test]
fn what_work_does_elsewhere_is_left_out_where_it_takes_time() {
    assert!(has(NotJudged::WorkElsewhere, &[Change::Work(ms(1))]));
    assert!(!has(NotJudged::WorkElsewhere, &[Change::Work(SimDuration::ZERO)]));
}

#[test]
fn what_follows_from_an_act_is_left_out_where_somebody_acts() {
    let item = NotJudged::AfterActs;
    assert!(has(item, &[Change::Operation(Operation::ExternalEffect)]));
    assert!(has(item, &[Change::Resource(Resource::ExternalCall)]), "which settles the operation");
    assert!(!has(item, &[Change::Operation(Operation::Overwrite)]));
    assert!(!has(item, &[Change::Operation(Operation::ReadModifyWrite)]));
}

#[test]
fn half_a_piece_is_left_out_where_its_writes_are_units_by_themselves() {
    let item = NotJudged::HalfPieces;
    let two = Change::WritesPerGrant(2);
    assert!(has(item, std::slice::from_ref(&two)));
    assert!(!has(item, &[two.clone(), Change::Whole(Whole::Piece)]));
    assert!(!has(item, &[two, Change::Piece(Piece::Shared)]), "a shared piece is one unit");
    let stores = [Change::WritesPerGrant(1), Change::Stores(2)];
    assert!(!has(item, &stores), "one write to every storage is one unit");
}

#[test]
fn the_same_job_again_is_left_out_where_a_client_starts_again() {
    let item = NotJudged::SameJob;
    let restarts = || crash(2, B, 5_000, Some(3_000));
    assert!(has(item, &[restarts()]));
    assert!(!has(item, &[]));
    assert!(!has(item, &[crash(2, B, 5_000, None)]), "it stays dead");
    let off = Change::EnableFault { id: FaultId(2), enabled: false };
    assert!(!has(item, &[restarts(), off]), "it does not happen");
    assert!(!has(item, &[restarts(), Change::Piece(Piece::Shared)]), "the list says what is done");
    let (scope, restart_after) = (CrashScope::Worker, Some(ms(3_000)));
    let worker = FaultKind::Crash { client: A, scope, at: at(5_000), restart_after };
    assert!(!has(item, &[Change::AddFault(fault(2, worker))]), "a worker does not start again");
}
