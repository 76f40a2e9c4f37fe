//! What a client does when news is late, lost or bad: deadlines that count from the right request,
//! renewals that are tried again, requests that are given up. Each was once done otherwise.

use fenceline::sim::id::{ClientId, LockNodeId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
use fenceline::sim::scenario::{
    Deadline, FaultKind, FenceRule, MessageAddress, Operation, PauseScope, Piece, Renew,
    RenewFailure, Repeat, Start, Wait,
};
use fenceline::sim::world::Phase;
use fenceline::sim::{Change, Recording};

use super::{A, B, at, crash, fault, is_broken, lines, ms, no_fault, pause, run, state, verdict};

const SERVICE: NodeId = NodeId::Lock(LockNodeId(0));

fn address(from: NodeId, to: NodeId, kind: MessageKind, nth: u32) -> MessageAddress {
    MessageAddress { from, to, kind, nth }
}

/// The n-th such message from a client to the service is lost.
fn lose(id: u16, client: ClientId, kind: MessageKind, nth: u32) -> Change {
    let message = address(NodeId::Client(client), SERVICE, kind, nth);
    Change::AddFault(fault(id, FaultKind::Lose { message }))
}

fn cut(id: u16, client: ClientId, from: u64, millis: u64) -> Change {
    let (a, b) = (NodeId::Client(client), SERVICE);
    let (at, length) = (at(from), ms(millis));
    Change::AddFault(fault(id, FaultKind::Cut { a, b, at, length, held: false }))
}

fn phase_at(recording: &Recording, client: ClientId, millis: u64) -> Phase {
    recording.world_at(at(millis)).clients[client.index()].phase
}

/// A holder loses its lease to a poller while its link is cut; its renewer acquires anew, is told
/// that the lock is taken, and asks again until it is free.
#[test]
fn a_renewer_that_reacquires_asks_again_while_the_lock_is_taken() {
    let poll = |millis| Wait::Poll { every: ms(millis), jitter: ms(0) };
    let recording = run(&[
        no_fault(),
        Change::RenewFailure(RenewFailure::Reacquires),
        Change::Wait(poll(1_000)),
        Change::Release(true),
        Change::Work(ms(40_000)),
        cut(2, A, 3_000, 12_000),
    ]);
    // B is granted once A's lease is over, holds until its work is done, and gives the lock back.
    assert_eq!(lines(&recording, "grants B").len(), 1);
    assert!(lines(&recording, "tells A that the lock is taken").len() > 20);
    let again = lines(&recording, "grants A");
    assert_eq!(again.len(), 2, "{again:?}");
    assert!(!lines(&recording, "A believes that it holds token 35").is_empty());
}

/// It asks behind its worker's back: the client is at work, not waiting.
#[test]
fn a_renewer_that_reacquires_leaves_the_worker_at_its_work() {
    let recording = run(&[
        no_fault(),
        Change::RenewFailure(RenewFailure::Reacquires),
        Change::Work(ms(30_000)),
        cut(2, A, 3_000, 12_000),
    ]);
    assert!(!lines(&recording, "queues A").is_empty());
    assert!(matches!(phase_at(&recording, A, 20_000), Phase::Working { .. }));
    let gives_up = lines(&recording, "gives write");
    assert!(gives_up.is_empty(), "{gives_up:?}");
}

/// A lost request of such a renewer is sent again where the client has a request timeout.
#[test]
fn a_lost_request_to_reacquire_is_sent_again_after_the_timeout() {
    let lost = |more: &[Change]| {
        let set_up = [
            no_fault(),
            Change::RemoveLastClient,
            Change::RenewFailure(RenewFailure::Reacquires),
            cut(2, A, 3_000, 12_000),
            lose(3, A, MessageKind::Acquire, 2),
        ];
        run(&[&set_up[..], more].concat())
    };
    assert_eq!(lines(&lost(&[]), "grants A").len(), 1, "nothing tells it");
    let again = lost(&[Change::Timeout(Some(ms(1_000))), Change::Retries(100)]);
    assert_eq!(lines(&again, "grants A").len(), 2);
}

/// B comes out of the queue with a deadline from the send: its first renewal, which the deadline
/// counts from, is lost.
#[test]
fn a_lost_first_renewal_of_a_queued_grant_is_tried_again() {
    let lost = |more: &[Change]| {
        let set_up = [
            no_fault(),
            Change::Release(true),
            Change::Deadline(Deadline::FromSend),
            lose(2, B, MessageKind::Renew, 1),
        ];
        run(&[&set_up[..], more].concat())
    };
    // Granted at 2.6 s, told at 2.7 s; the next renewal is sent a third of the lease later.
    let again = lost(&[]);
    let believes = lines(&again, "B believes");
    assert_eq!(believes, ["6.233333 s B believes that it holds token 34"]);
    assert_eq!(lines(&again, "accepts write B").len(), 1);
    // Who gives up asks anew, and is told its own grant.
    let gives_up = lost(&[Change::RenewFailure(RenewFailure::GivesUp)]);
    assert_eq!(lines(&gives_up, "B stops renewing token 34").len(), 1);
    assert_eq!(lines(&gives_up, "tells B that it holds token 34").len(), 1);
    assert_eq!(lines(&gives_up, "accepts write B").len(), 1);
    // Without renewal the grant must be over a lease later: it asks anew.
    let off = lost(&[Change::Renew(Renew::Off)]);
    assert_eq!(lines(&off, "B is told of token 34 after its own deadline").len(), 1);
    assert_eq!(lines(&off, "accepts write B").len(), 1);
}

/// A waiter with a session counts from its last answered keep-alive, for a whole lease.
#[test]
fn a_deadline_counts_a_whole_lease_from_the_last_sign_of_life() {
    let recording = run(&[
        no_fault(),
        Change::Release(true),
        Change::Work(ms(6_000)),
        Change::Session(true),
        Change::Deadline(Deadline::FromSend),
        // Nothing renews B's lease once it has the lock.
        pause(2, B, PauseScope::Renewer, Start::At(at(6_700)), 3_200),
    ]);
    // B asks at 1.0 s and keeps alive at 4.333333 s; it is granted at 6.6 s, when A gives back.
    let granted = lines(&recording, "grants B");
    assert_eq!(granted, ["6.6 s service grants B token 34 for 7.833333 s"]);
    // Its keep-alive of 4.333333 s gives it until 14.333333 s, not until 12.166666 s; and a later
    // one is not sent before 9.9 s.
    assert_eq!(lines(&recording, "B stops believing in token 34: its own").len(), 0);
    let alone = run(&[
        no_fault(),
        Change::Release(true),
        Change::Work(ms(6_000)),
        Change::Session(true),
        Change::Deadline(Deadline::FromSend),
        pause(2, B, PauseScope::Worker, Start::At(at(6_750)), 30_000),
        cut(3, B, 6_750, 30_000),
    ]);
    let stops = lines(&alone, "B stops believing in token 34: its own");
    assert_eq!(stops, ["14.333333 s B stops believing in token 34: its own deadline has passed"]);
}

fn time_fenced(more: &[Change]) -> Recording {
    let set_up = [Change::Fencing(true), Change::Rule(FenceRule::TimeFence)];
    run(&[&set_up[..], more].concat())
}

/// A's renewals are refused while its worker goes on: its late write carries the time that it had.
#[test]
fn a_time_fence_refuses_who_has_stopped_believing() {
    let recording = time_fenced(&[no_fault(), Change::Work(ms(15_000)), cut(2, A, 3_000, 8_000)]);
    assert_eq!(lines(&recording, "A stops believing in token 33: renewal refused").len(), 1);
    let refused = lines(&recording, "refuses write A1.1");
    assert_eq!(refused.len(), 1, "{:?}", lines(&recording, "write A1.1"));
    assert!(refused[0].ends_with("too late by its clock"), "{refused:?}");
}

/// B has waited for longer than a lease. Its time counts from a renewal that it sends when it is
/// told, and it is the rightful holder.
#[test]
fn a_time_fence_takes_the_write_of_who_waited_long() {
    let recording = time_fenced(&[no_fault(), Change::Work(ms(14_000)), Change::Release(true)]);
    assert_eq!(lines(&recording, "accepts write B1.1").len(), 1);
    assert!(!is_broken(&recording, PropertyId::RightfulHolderNeverRefused));
    assert_eq!(verdict(&recording), VerdictKind::Safe);
    let believes = lines(&recording, "B believes");
    assert_eq!(believes, ["14.9 s B believes that it holds token 34"], "a round trip later");
}

/// Who gives a request for the lock up is idle until it asks anew, whatever its place in the queue.
#[test]
fn giving_up_to_ask_ends_the_waiting() {
    let recording = run(&[
        no_fault(),
        Change::Timeout(Some(ms(500))),
        Change::Repeat(Repeat::After(ms(5_000))),
        Change::Work(ms(8_000)),
        cut(2, B, 500, 3_000),
    ]);
    let gives_up = lines(&recording, "B hears nothing in time");
    assert_eq!(gives_up, ["1.5 s B hears nothing in time, attempt 1 and last"]);
    assert_eq!(phase_at(&recording, B, 1_400), Phase::Asking);
    assert_eq!(phase_at(&recording, B, 2_000), Phase::Idle);
    assert_eq!(phase_at(&recording, B, 7_000), Phase::Waiting);
    let somebody = state(&recording, PropertyId::SomebodyCanAlwaysGetTheLock);
    assert_eq!(somebody, PropertyState::Holds);
}

/// An unanswered release is given up; the piece of work that was written is not.
#[test]
fn giving_up_to_release_gives_up_no_work() {
    let recording = run(&[
        no_fault(),
        Change::Release(true),
        Change::Timeout(Some(ms(500))),
        lose(2, A, MessageKind::Release, 1),
    ]);
    assert_eq!(lines(&recording, "A hears nothing in time, attempt 1 and last").len(), 1);
    assert_eq!(lines(&recording, "gives write").len(), 0);
    assert_eq!(lines(&recording, "A is done").len(), 1);
}

/// One lost renewal: at the next tick it is too late, and after the timeout it is in time.
#[test]
fn a_renewal_that_is_tried_again_sooner_saves_the_lease() {
    let lost = |failure| {
        run(&[
            no_fault(),
            Change::Renew(Renew::Every(ms(6_000))),
            Change::RenewFailure(failure),
            Change::Timeout(Some(ms(1_000))),
            lose(2, A, MessageKind::Renew, 1),
        ])
    };
    let tick = lost(RenewFailure::TriesAgain);
    assert_eq!(lines(&tick, "ends A's lease 33: expired").len(), 1);
    let sooner = lost(RenewFailure::TriesSooner);
    assert_eq!(lines(&sooner, "ends A's lease 33: expired").len(), 0);
    let sent = lines(&sooner, "A sends");
    let renewals: Vec<_> = sent.iter().filter(|line| line.contains("renew 33")).collect();
    let times: Vec<_> = renewals.iter().filter_map(|line| line.split(' ').next()).collect();
    // The one of 6.3 s is tried again at 7.3 s, and the next one comes an interval after that.
    assert_eq!(times[..3], ["6.3", "7.3", "13.3"]);
}

/// A dies in the middle of a shared piece of three steps; B does it again from the first step. The
/// first step's write then replaces the second's, and nothing is lost by it.
#[test]
fn a_piece_left_half_done_is_done_again_and_nothing_is_lost() {
    let recording = run(&[
        no_fault(),
        Change::Piece(Piece::Shared),
        Change::WritesPerGrant(3),
        crash(2, A, 5_500, None),
    ]);
    assert_eq!(lines(&recording, "accepts write A1.2").len(), 1);
    assert_eq!(lines(&recording, "accepts write B1.1").len(), 1);
    assert_eq!(state(&recording, PropertyId::NoLostUpdate), PropertyState::Holds);
}

/// A second arrival of an older step still replaces a newer one.
#[test]
fn a_late_copy_of_an_older_step_is_a_lost_update() {
    let message = address(
        NodeId::Client(A),
        NodeId::Store(fenceline::sim::StoreId(0)),
        MessageKind::Write,
        1,
    );
    let twice = FaultKind::Duplicate { message, after: ms(2_500) };
    let recording =
        run(&[no_fault(), Change::WritesPerGrant(2), Change::AddFault(fault(2, twice))]);
    assert!(is_broken(&recording, PropertyId::NoLostUpdate));
}

/// The piece that A comes late with was done by B meanwhile: A's write is stale and refused, and
/// the run's costs say so.
#[test]
fn a_refused_stale_write_of_a_piece_that_another_did_counts() {
    let recording = run(&[
        Change::Fencing(true),
        Change::Piece(Piece::Shared),
        Change::Operation(Operation::Overwrite),
    ]);
    assert_eq!(lines(&recording, "refuses write A1.1").len(), 1);
    assert_eq!(recording.costs().refused_stale, 1);
    assert_eq!(verdict(&recording), VerdictKind::Safe);
}
