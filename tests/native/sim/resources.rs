//! The protected resources: what each settles by itself, and what each says to the same writes.

use fenceline::sim::id::{NodeId, StoreId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{
    CannotFence, FaultKind, FenceRule, MessageAddress, Operation, RESOURCES, Resource, ScenarioFile,
};
use fenceline::sim::{Change, Recording};
use fenceline::view_model::runs::Runs;
use fenceline::view_model::sentences::describe;

use super::systems::change_of;
use super::{A, fault, is_broken, lines, ms, no_fault, pause_for, run, verdict, with};

fn fenced(resource: Resource) -> [Change; 2] {
    [Change::Fencing(true), Change::Resource(resource)]
}

#[test]
fn a_setting_that_a_resource_fixes_changes_nothing() {
    for info in &RESOURCES {
        let base = with(&fenced(info.resource));
        for fixed in info.fixes {
            let changed = base.with(&[change_of(*fixed)]).expect("fits");
            let (base, changed) = (Recording::of(&base), Recording::of(&changed));
            assert_eq!(base.digest(), changed.digest(), "{}: {fixed:?}", info.name);
            assert!(!info.fixed.is_empty(), "{} says why", info.name);
        }
    }
}

#[test]
fn a_row_of_a_database_is_fenced_by_its_conditional_update() {
    let as_row = run(&fenced(Resource::SqlRow));
    let rule = Change::Rule(FenceRule::RejectLowerOrEqual);
    let as_rule = run(&[Change::Fencing(true), rule]);
    assert_eq!(as_row.digest(), as_rule.digest());
    assert_eq!(lines(&as_row, "refuses write A1.1 with 33: highest 34").len(), 1);
    assert_eq!(verdict(&as_row), VerdictKind::Safe);
}

/// The lines of the event list that tell of a refusal.
fn refusals(changes: &[Change]) -> Vec<String> {
    let mut file: ScenarioFile = fenceline::scenarios::GALLERY[0].file();
    file.compare.clear();
    for change in fenced(Resource::SqlRow).iter().chain(changes) {
        change.apply(&mut file.scenario).expect("fits");
    }
    let runs = Runs::of(&file).expect("valid");
    let all = (0..runs.moments.n_moments()).filter_map(|index| runs.moments.get(index));
    let told = all.flat_map(|moment| describe::moment(&runs, &moment));
    told.filter(|line| line.contains("0 rows")).collect()
}

#[test]
fn no_row_changed_has_three_meanings_that_are_told_apart() {
    let stale = refusals(&[]);
    assert_eq!(stale, ["Storage refuses A's stale write, 0 rows: 33 < 34"]);
    let storage = NodeId::Store(StoreId(0));
    let message = MessageAddress {
        from: storage,
        to: NodeId::Client(A),
        kind: MessageKind::WriteAccepted,
        nth: 1,
    };
    let lost_reply = [
        no_fault(),
        Change::AddFault(fault(2, FaultKind::Lose { message })),
        Change::Timeout(Some(ms(500))),
        Change::Retries(1),
    ];
    let applied = refusals(&lost_reply);
    assert_eq!(applied, ["Storage refuses A's write, 0 rows: applied already"]);
    let missing = refusals(&[no_fault(), Change::MissingRow(true)]);
    let turned_away = "Storage refuses A's write, 0 rows: no such row, although rightful";
    assert_eq!(missing[0], turned_away);
    let claimed = refusals(&[no_fault(), Change::MissingRow(true), Change::Seal(true)]);
    assert_eq!(claimed[0], "Storage refuses A's seal, 0 rows: no such row");
}

#[test]
fn a_missing_row_turns_the_rightful_holder_away_with_and_without_a_fence() {
    for fencing in [false, true] {
        let gone = run(&[
            no_fault(),
            Change::Resource(Resource::SqlRow),
            Change::MissingRow(true),
            Change::Fencing(fencing),
        ]);
        assert!(is_broken(&gone, PropertyId::RightfulHolderNeverRefused));
        assert_eq!(verdict(&gone), VerdictKind::Unavailable);
    }
    let generic = [no_fault(), Change::Fencing(true), Change::MissingRow(true)];
    assert_eq!(verdict(&run(&generic)), VerdictKind::Safe, "only a database says 0 rows");
}

#[test]
fn an_object_store_compares_the_version_and_no_token() {
    let object = run(&fenced(Resource::ObjectStore));
    let by_version = run(&[Change::Fencing(true), Change::Rule(FenceRule::DataVersion)]);
    assert_eq!(object.digest(), by_version.digest());
    assert_eq!(lines(&object, "refuses write A1.1").len(), 1, "it was read before B wrote");
}

#[test]
fn where_nothing_compares_a_fence_changes_nothing_and_idempotence_helps() {
    let without = run(&[]);
    for resource in [Resource::CannotCheck, Resource::ExternalCall] {
        let fenced = with(&fenced(resource));
        assert_eq!(fenced.cannot_fence(), Some(CannotFence::Resource(resource)));
        assert_eq!(verdict(&Recording::of(&fenced)), VerdictKind::Corrupted, "{resource:?}");
    }
    let store = run(&fenced(Resource::CannotCheck));
    assert_eq!(store.digest(), without.digest());
    let call = with(&fenced(Resource::ExternalCall));
    let acts = call.clients().iter().all(|it| it.settings.operation == Operation::ExternalEffect);
    assert!(acts);
    // One piece of work for both, so that it can be done twice.
    let piece = Change::Piece(fenceline::sim::scenario::Piece::Shared);
    let twice = Recording::of(&call.with(&[piece.clone(), pause_for(15_000)]).expect("fits"));
    assert!(is_broken(&twice, PropertyId::NoExternalEffectTwice));
    let once = call.with(&[piece, Change::Idempotent(true)]).expect("fits");
    assert!(!is_broken(&Recording::of(&once), PropertyId::NoExternalEffectTwice));
}

#[test]
fn a_fence_that_compares_nothing_makes_no_second_run() {
    let mut file = fenceline::scenarios::GALLERY[0].file();
    assert!(Runs::of(&file).expect("valid").run_2.is_some());
    file.scenario.storage.resource = Resource::CannotCheck;
    let alone = Runs::of(&file).expect("valid");
    assert!(alone.run_2.is_none() && alone.compare.is_empty());
    // Another comparison stays.
    file.compare.push(Change::Idempotent(true));
    assert!(Runs::of(&file).expect("valid").run_2.is_some());
}
