//! Judgements that were once wrong, each with the case that showed it (`tests/cases`).

use fenceline::sim::Change;
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
use fenceline::sim::scenario::{
    FaultKind, MessageAddress, Operation, PauseScope, Piece, Renew, Start,
};

use super::{A, B, at, fault, is_broken, lines, ms, no_fault, pause, run, state, verdict};

const OLDER_WRITE: PropertyId = PropertyId::NoOlderWriteOnceTheNextHolderHasBegun;
const SOMEBODY: PropertyId = PropertyId::SomebodyCanAlwaysGetTheLock;

/// S6: a job that outlives its lease is done twice, and with an idempotent store the state is
/// right. B's look at which piece is next counted as a read that A's write came too late for.
#[test]
fn a_look_at_the_list_of_work_is_no_beginning() {
    let twice = |operation| {
        run(&[
            no_fault(),
            Change::Renew(Renew::Off),
            Change::Piece(Piece::Shared),
            Change::Work(ms(12_000)),
            Change::Idempotent(true),
            Change::Operation(operation),
        ])
    };
    let overwrite = twice(Operation::Overwrite);
    assert_eq!(verdict(&overwrite), VerdictKind::WastedWork);
    assert_eq!(state(&overwrite, OLDER_WRITE), PropertyState::Holds);
    let built_on = twice(Operation::ReadModifyWrite);
    assert!(is_broken(&built_on, OLDER_WRITE), "here the read matters");
}

/// R17: the news of B's grant is lost. Its lease is over, the lock is free, and B waits for ever:
/// a grant that its client never heard of counted as one that it had.
#[test]
fn a_waiter_that_never_hears_of_its_grant_still_waits() {
    let (from, to) = (NodeId::Lock(LockNodeId(0)), NodeId::Client(B));
    let (kind, nth) = (MessageKind::Granted, 1);
    let message = MessageAddress { from, to, kind, nth };
    let lost = Change::AddFault(fault(2, FaultKind::Lose { message }));
    let recording = run(&[no_fault(), Change::Release(true), lost]);
    assert_eq!(lines(&recording, "expired"), ["12.6 s service ends B's lease 34: expired"]);
    assert!(is_broken(&recording, SOMEBODY));
    assert_eq!(verdict(&recording), VerdictKind::Unavailable);
}

/// E2: while the part of a waiter stands still that keeps its session alive, nothing is owed to it;
/// it was counted as awake because its worker was.
#[test]
fn a_waiter_whose_keepalive_stands_still_is_not_awake() {
    let stands_still = |millis| {
        let start = Start::At(at(1_500));
        run(&[
            no_fault(),
            Change::Release(true),
            Change::Work(ms(15_000)),
            Change::Session(true),
            pause(2, B, PauseScope::Renewer, start, millis),
        ])
    };
    // A's release lands at 15.6 s; B, out of the queue since 11.1 s, wakes at 19.5 s and asks anew.
    let recording = stands_still(18_000);
    assert_eq!(lines(&recording, "drops B").len(), 1);
    assert_eq!(lines(&recording, "grants B").len(), 1);
    assert_eq!(state(&recording, SOMEBODY), PropertyState::Holds);
    assert_eq!(lines(&stands_still(1_000), "drops B").len(), 0);
    assert_eq!(lines(&recording, "grants A").len(), 1, "{A} was first");
}
