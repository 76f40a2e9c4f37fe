//! A SQL lock: one statement or two, whose clock, and a lock that lives with its connection.

use fenceline::sim::id::{FaultId, LockNodeId, NodeId};
use fenceline::sim::lock::{SqlAcquire, SqlClock, SqlHold, SqlSettings};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, VerdictKind};
use fenceline::sim::scenario::{FaultKind, LockSystem, MessageAddress, PauseScope, Start};
use fenceline::sim::time::ClockShift;
use fenceline::sim::{Change, FencingToken, Recording, SimDuration};

use super::super::{fault, pause};
use super::{A, B, at, is_broken, lines, ms, no_fault, run, systems, verdict};

const SQL: Change = Change::Lock(LockSystem::Sql);

fn sql(set: impl FnOnce(&mut SqlSettings)) -> Change {
    systems(|all| set(&mut all.sql))
}

fn hold(hold: SqlHold, idle_timeout: Option<SimDuration>) -> Change {
    sql(|all| (all.hold, all.idle_timeout) = (hold, idle_timeout))
}

fn tokens(recording: &Recording) -> Vec<FencingToken> {
    recording.grants().iter().map(|grant| grant.token).collect()
}

#[test]
fn a_row_is_asked_for_again_and_its_fence_grows_with_the_statement_that_takes_it() {
    let recording = run(&[SQL, Change::Fencing(true)]);
    assert!(lines(&recording, "queues").is_empty());
    assert_eq!(tokens(&recording), [FencingToken(33), FencingToken(34)]);
    assert_eq!(lines(&recording, "ends A's lease")[0].split(' ').next(), Some("10.2"));
    assert_eq!(lines(&recording, "17.1 s storage refuses write A1.1").len(), 1);
    assert_eq!(verdict(&recording), VerdictKind::Safe);
}

#[test]
fn by_their_own_clocks_two_nodes_have_it_at_once() {
    // B's clock is 15 s ahead when it asks at 1 s: by it A's row, until 10.1 s, is long over.
    let ahead = ClockShift::default().with_length(ms(15_000));
    let node = NodeId::Client(B);
    let jump = Change::AddFault(fault(5, FaultKind::ClockJump { node, at: at(500), by: ahead }));
    let nodes = run(&[SQL, no_fault(), jump.clone(), sql(|all| all.clock = SqlClock::Nodes)]);
    assert_eq!(lines(&nodes, "taken over"), ["1.1 s service ends A's lease 33: taken over"]);
    assert!(is_broken(&nodes, PropertyId::OneLeaseAtATime));
    let database = run(&[SQL, no_fault(), jump]);
    assert!(!is_broken(&database, PropertyId::OneLeaseAtATime));
}

#[test]
fn between_a_select_and_its_update_somebody_else_takes_it() {
    // Both look at 0.2 s, both see it free, both write at 0.4 s: two rows changed, two holders.
    let together = Change::AsksAt { client: B, at: at(100) };
    let base = [SQL, no_fault(), together, Change::Fencing(true)];
    let apart = sql(|all| all.acquire = SqlAcquire::SelectThenUpdate);
    let two = run(&[&base[..], std::slice::from_ref(&apart)].concat());
    assert_eq!(lines(&two, "grants").len(), 2);
    assert!(lines(&two, "grants").iter().all(|line| line.starts_with("0.4 s")));
    assert_eq!(lines(&two, "taken over"), ["0.4 s service ends A's lease 33: taken over"]);
    assert!(is_broken(&two, PropertyId::OneLeaseAtATime));
    assert!(is_broken(&two, PropertyId::OneBelieverAtATime));
    // The statement that writes adds one all the same, so a fence tells them apart.
    assert_eq!(tokens(&two), [FencingToken(33), FencingToken(34)]);
    let one = run(&base);
    assert_eq!(lines(&one, "grants").len(), 1);
    assert!(!is_broken(&one, PropertyId::OneLeaseAtATime));
    // Who looks later sees that it is taken.
    let later = run(&[SQL, no_fault(), apart]);
    assert!(lines(&later, "B that the lock is taken")[0].starts_with("1.1 s"));
}

#[test]
fn no_row_changed_has_more_than_one_meaning() {
    // A gives back; the answer is lost and it asks again: no row, although it was its own.
    let address = MessageAddress {
        from: NodeId::Lock(LockNodeId(0)),
        to: NodeId::Client(A),
        kind: MessageKind::Released,
        nth: 1,
    };
    let lost = Change::AddFault(fault(5, FaultKind::Lose { message: address }));
    let waits = [Change::Timeout(Some(ms(500))), Change::Retries(3), Change::Release(true)];
    let retried = run(&[&[SQL, no_fault(), lost][..], &waits].concat());
    assert_eq!(lines(&retried, "A's lease 33: released").len(), 1);
    assert_eq!(lines(&retried, "refuses A's release").len(), 1);
    // The same answer to a holder whose row is over and taken.
    let over = run(&[SQL, Change::Release(true)]);
    assert_eq!(lines(&over, "refuses A's release").len(), 1);
}

#[test]
fn a_pause_in_an_open_transaction_keeps_everybody_out_until_the_connection_is_cut() {
    let long = Change::FaultLength { id: FaultId(1), length: ms(60_000) };
    let open = [SQL, long, Change::Release(true)];
    let kept = run(&[&open[..], &[hold(SqlHold::Transaction, None)]].concat());
    assert_eq!(lines(&kept, "queues B, 0 ahead").len(), 1);
    assert!(lines(&kept, "grants B")[0].starts_with("62.3 s"), "A gave back after its pause");
    // Idle since its statement of 0.2 s.
    let cut = run(&[&open[..], &[hold(SqlHold::Transaction, Some(ms(5_000)))]].concat());
    let ends = lines(&cut, "connection lost");
    assert_eq!(ends, ["5.2 s service ends A's lease 33: connection lost"]);
    assert!(lines(&cut, "grants B")[0].starts_with("5.2 s"));
    // A pause of A's worker alone changes nothing: there is no renewal to keep it alive.
    let worker = pause(2, A, PauseScope::Worker, Start::At(at(1_000)), 60_000);
    let cut = run(&[SQL, no_fault(), worker, hold(SqlHold::Advisory, Some(ms(5_000)))]);
    assert!(lines(&cut, "connection lost")[0].starts_with("5.2 s"));
}

#[test]
fn a_cut_transaction_takes_the_counters_step_back_and_a_sequence_does_not() {
    let lost =
        || Change::AddFault(fault(5, FaultKind::ConnectionLost { client: A, at: at(1_500) }));
    let base = |held| [SQL, Change::Fencing(true), lost(), hold(held, None)];
    let undone = run(&base(SqlHold::Transaction));
    assert_eq!(tokens(&undone), [FencingToken(33), FencingToken(33)]);
    assert!(lines(&undone, "refuses write").is_empty(), "the storage cannot tell them apart");
    assert_eq!(verdict(&undone), VerdictKind::Corrupted);
    let kept = run(&base(SqlHold::Advisory));
    assert_eq!(tokens(&kept), [FencingToken(33), FencingToken(34)]);
    assert_eq!(lines(&kept, "refuses write A1.1").len(), 1);
    assert_eq!(verdict(&kept), VerdictKind::Safe);
}
