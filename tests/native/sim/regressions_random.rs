//! What random and exhaustive search have found wrong once.

use fenceline::sim::Change;
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::scenario::{Deadline, FaultKind, MessageAddress, Repeat};

use super::{A, B, at, fault, lines, ms, no_fault, run};

/// A second copy of the first renewal's answer lands long after; the later renewals are lost. The
/// deadline counts from the only renewal that was answered.
#[test]
fn an_answer_that_lands_twice_moves_no_deadline() {
    let [client, service] = [NodeId::Client(A), NodeId::Lock(LockNodeId(0))];
    let message = |from, to, kind, nth| MessageAddress { from, to, kind, nth };
    let lost = |nth| FaultKind::Lose { message: message(client, service, MessageKind::Renew, nth) };
    let twice = FaultKind::Duplicate {
        message: message(service, client, MessageKind::Renewed, 1),
        after: ms(9_000),
    };
    let recording = run(&[
        no_fault(),
        Change::Deadline(Deadline::FromSend),
        Change::AddFault(fault(2, twice)),
        Change::AddFault(fault(3, lost(2))),
        Change::AddFault(fault(4, lost(3))),
        Change::AddFault(fault(5, lost(4))),
    ]);
    let stops = lines(&recording, "A stops believing in token 33");
    let expected = "13.633333 s A stops believing in token 33: its own deadline has passed";
    assert_eq!(stops, [expected]);
}

/// B gives its request up, is granted out of the queue while it rests, and asks again with its
/// first renewal under way. It works and gives the lock back, and only then the answer to its
/// second request tells it of the same grant.
#[test]
fn a_grant_that_was_given_back_is_not_believed_in_again() {
    let recording = run(&[
        no_fault(),
        Change::AsksAt { client: B, at: at(800) },
        Change::Latency(ms(300)),
        Change::Timeout(Some(ms(550))),
        Change::Repeat(Repeat::After(ms(400))),
        Change::Deadline(Deadline::FromSend),
        Change::Work(ms(0)),
        Change::ReleaseEarly(Some(ms(0))),
    ]);
    let told = lines(&recording, "tells B that it holds token 34");
    let believes = lines(&recording, "B believes that it holds token 34");
    let gives_back = lines(&recording, "B stops believing in token 34: released");
    assert_eq!((told.len(), believes.len(), gives_back.len()), (1, 1, 1), "{believes:?}");
}
