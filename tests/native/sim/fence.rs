//! What the fence does and does not do: the three rules, the seal, the window before the first new
//! write.

use fenceline::sim::id::StoreId;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{
    FaultKind, FenceRule, LockSystem, Loses, NamedStep, Operation, PauseScope, Renew, Start,
    Unchecked,
};
use fenceline::sim::{Change, Recording};

use super::{B, at, fault, is_broken, lines, ms, no_fault, pause, pause_for, run, verdict};

fn two_writes(rule: FenceRule) -> Recording {
    run(&[no_fault(), Change::Fencing(true), Change::Rule(rule), Change::WritesPerGrant(2)])
}

#[test]
fn the_second_write_of_a_grant_passes_one_rule_and_not_the_other() {
    let lower = two_writes(FenceRule::RejectLower);
    assert_eq!(lines(&lower, "accepts write A1").len(), 2);
    assert_eq!(verdict(&lower), VerdictKind::Safe);
    let or_equal = two_writes(FenceRule::RejectLowerOrEqual);
    assert_eq!(lines(&or_equal, "refuses write A1.2 with 33: highest 33").len(), 1);
    assert!(is_broken(&or_equal, PropertyId::RightfulHolderNeverRefused));
    assert_eq!(verdict(&or_equal), VerdictKind::Unavailable, "refused and never served");
}

#[test]
fn a_store_that_takes_the_first_writers_token_refuses_every_later_holder() {
    let recording = run(&[
        no_fault(),
        Change::Fencing(true),
        Change::Rule(FenceRule::MustMatch),
        Change::Release(true),
    ]);
    assert_eq!(lines(&recording, "accepts write A1.1").len(), 1);
    assert_eq!(lines(&recording, "refuses write B1.1 with 34: highest 33").len(), 1);
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
}

fn asking(changes: &[Change]) -> Recording {
    let asks = [Change::Fencing(true), Change::Rule(FenceRule::AsksService)];
    run(&[&asks, changes].concat())
}

#[test]
fn a_store_that_asks_is_told_what_was_true_a_message_ago() {
    // A wakes at 17 s; its write is at the storage at 17.1 s, which asks and is told by 17.3 s.
    let stale = asking(&[]);
    let refusal = "refuses write A1.1 with 33: the service says that it is not the holder's";
    assert_eq!(lines(&stale, refusal), [format!("17.3 s storage {refusal}")]);
    assert_eq!(lines(&stale, "tells a store that 33 is not the lock's token").len(), 1);
    assert_eq!(verdict(&stale), VerdictKind::Safe);
    // It asks at 10.15 s, when the lease still stands; it is over when the answer arrives.
    let late = asking(&[Change::Renew(Renew::Off), pause_for(7_950)]);
    assert_eq!(
        lines(&late, "accepts write A1.1"),
        ["10.25 s storage accepts write A1.1 with 33: version 1"]
    );
    assert!(is_broken(&late, PropertyId::NoWriteAfterItsLeaseEnded));
    let compares = Change::Fencing(true);
    let fenced = run(&[compares, Change::Renew(Renew::Off), pause_for(7_950)]);
    assert!(!is_broken(&fenced, PropertyId::NoWriteAfterItsLeaseEnded));
}

#[test]
fn a_store_that_asks_needs_no_seal_and_one_that_cannot_ask_compares() {
    let step = Start::Step { step: NamedStep::BeforeFirstWrite, nth: 1 };
    let window = [
        Change::Operation(Operation::ReadModifyWrite),
        pause_for(10_000),
        pause(2, B, PauseScope::Client, step, 3_000),
    ];
    let asked = asking(&window);
    assert_eq!(verdict(&asked), VerdictKind::Safe);
    assert_eq!(lines(&asked, "refuses write A1.1").len(), 1);
    let compared = run(&[&[Change::Fencing(true)], &window[..]].concat());
    assert_eq!(verdict(&compared), VerdictKind::Corrupted);
    // Five nodes that know nothing of one another: nobody there knows whose the lock is.
    let redlock = asking(&[Change::Lock(LockSystem::Redlock)]);
    assert!(lines(&redlock, "tells a store").is_empty());
    // A value without order is enough for who asks: the service knows its own.
    let redis = asking(&[Change::Lock(LockSystem::Redis)]);
    assert_eq!(lines(&redis, "refuses write A1.1").len(), 1);
}

#[test]
fn while_the_service_is_away_a_store_that_asks_applies_nothing() {
    let away = FaultKind::ServiceRestart {
        node: None,
        at: at(2_000),
        length: ms(1_000),
        loses: Loses::Nothing,
    };
    let changes = [no_fault(), Change::AddFault(fault(3, away))];
    let recording = asking(&changes);
    assert!(lines(&recording, "accepts write A1.1").is_empty(), "nobody answers, and it is lost");
    let timeout = Change::Timeout(Some(ms(2_000)));
    let tries = asking(&[&changes[..], &[timeout, Change::Retries(3)]].concat());
    assert_eq!(lines(&tries, "accepts write A1.1").len(), 1, "the retry is answered");
}

/// B pauses before its first write, so that A's late write meets a store that has not heard of 34.
fn window(seal: bool, operation: Operation) -> Recording {
    let step = Start::Step { step: NamedStep::BeforeFirstWrite, nth: 1 };
    run(&[
        Change::Fencing(true),
        Change::Seal(seal),
        Change::Operation(operation),
        pause_for(10_000),
        pause(2, B, PauseScope::Client, step, 3_000),
    ])
}

#[test]
fn before_the_first_new_write_the_old_token_passes() {
    let overwrite = window(false, Operation::Overwrite);
    assert_eq!(verdict(&overwrite), VerdictKind::Safe);
    assert!(overwrite.verdict().by_luck);
    let read_modify_write = window(false, Operation::ReadModifyWrite);
    assert_eq!(verdict(&read_modify_write), VerdictKind::Corrupted);
    assert!(is_broken(&read_modify_write, PropertyId::NoLostUpdate));
    assert!(!is_broken(&read_modify_write, PropertyId::TokensNeverGoBack));
}

#[test]
fn the_seal_closes_the_window() {
    for operation in [Operation::Overwrite, Operation::ReadModifyWrite] {
        let sealed = window(true, operation);
        assert_eq!(verdict(&sealed), VerdictKind::Safe, "{operation:?}");
        assert!(!sealed.verdict().by_luck);
        assert_eq!(lines(&sealed, "refuses write A1.1 with 33: highest 34").len(), 1);
    }
}

#[test]
fn every_store_is_sealed_and_written_in_turn() {
    let recording = run(&[no_fault(), Change::Stores(3), Change::Seal(true)]);
    assert_eq!(lines(&recording, "accepts A's seal with 33").len(), 3);
    let writes = lines(&recording, "accepts write A1.1");
    assert_eq!(writes.len(), 3);
    assert!(writes[0].contains("storage accepts") && writes[2].contains("storage 3 accepts"));
    assert_eq!(recording.world_at(recording.ends_at()).stores.len(), 3);
}

#[test]
fn with_fencing_off_tokens_are_recorded_and_not_checked() {
    let recording = run(&[]);
    let world = recording.world_at(recording.ends_at());
    let highest = world.stores[0].highest.expect("recorded").0;
    assert_eq!(highest.0, 34);
    assert_eq!(world.stores[0].value.expect("written").token.0, 33, "A's value");
}

/// The storages are asked in turn: one that cannot check takes the stale write, and the next one
/// refuses it.
#[test]
fn each_store_checks_or_does_not_by_itself() {
    let run_with = |unchecked| {
        run(&[Change::Fencing(true), Change::Stores(3), Change::UncheckedStores(unchecked)])
    };
    let at = |recording: &Recording, part: &str| -> Vec<String> {
        let lines = lines(recording, part);
        lines.iter().map(|line| line.split(" s ").next().unwrap_or_default().to_owned()).collect()
    };
    let first = run_with(Unchecked::These(vec![StoreId(0)]));
    assert_eq!(at(&first, "storage accepts write A"), ["17.1"]);
    assert_eq!(at(&first, "storage 2 refuses write A"), ["17.3"]);
    assert!(lines(&first, "storage 3 refuses").is_empty(), "the first refusal ends the work");
    assert_eq!(verdict(&first), VerdictKind::Corrupted);
    let second = run_with(Unchecked::These(vec![StoreId(1), StoreId(2)]));
    assert_eq!(at(&second, "storage refuses write A"), ["17.1"]);
    assert_eq!(verdict(&second), VerdictKind::Safe);
    // So many of the last ones, and these, are the same.
    assert_eq!(second.log(), run_with(Unchecked::Last(2)).log());
}

#[test]
fn a_store_that_is_turned_is_listed_or_not() {
    let last = Unchecked::Last(1);
    assert_eq!(last.turned(StoreId(0), 3), Unchecked::These(vec![StoreId(0), StoreId(2)]));
    assert_eq!(last.turned(StoreId(2), 3), Unchecked::NONE);
}
