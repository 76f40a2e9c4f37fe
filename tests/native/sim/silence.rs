//! Silence: a pause of the whole client, a crash and a cut link are one thing to the lock service,
//! until the client speaks again. Two exceptions: a worker that pauses alone, whose renewer speaks
//! on, and a lock that lives with its connection, which a crash takes along.

use fenceline::sim::fact::{Fact, MessageFact};
use fenceline::sim::id::{LockNodeId, NodeId};
use fenceline::sim::scenario::{CrashScope, FaultKind, PauseKind, PauseScope, Renew, Start};
use fenceline::sim::{Change, LogEntry, Recording, SimTime};

use super::{A, at, fault, ms, no_fault, run};

const SERVICE: NodeId = NodeId::Lock(LockNodeId(0));
const LATENCY_MS: u64 = 100;

/// A pause of client A, or of a part of it.
fn paused(scope: PauseScope, kind: PauseKind, from: u64, length: u64) -> FaultKind {
    FaultKind::Pause { client: A, scope, kind, start: Start::At(at(from)), length: ms(length) }
}

fn crashed(from: u64, length: u64) -> FaultKind {
    FaultKind::Crash {
        client: A,
        scope: CrashScope::Client,
        at: at(from),
        restart_after: Some(ms(length)),
    }
}

fn cut(from: u64, length: u64) -> FaultKind {
    FaultKind::Cut {
        a: NodeId::Client(A),
        b: SERVICE,
        at: at(from),
        length: ms(length),
        held: false,
    }
}

/// The paused holder with this fault instead of its own.
fn with_fault(kind: FaultKind, changes: &[Change]) -> Recording {
    let fault = Change::AddFault(fault(2, kind));
    run(&[&[no_fault(), fault], changes].concat())
}

/// What the service itself has seen and done before `until`, in words, without numbers. A message
/// that never arrived is nothing that it saw.
fn own_log(recording: &Recording, until: SimTime) -> Vec<String> {
    let seen = |entry: &&LogEntry| {
        let unseen = matches!(entry.fact, Fact::Message(_, MessageFact::Lost { .. }));
        entry.node() == SERVICE && entry.at < until && !unseen
    };
    let entries = recording.entries().iter().filter(seen);
    entries.map(|entry| without_numbers(&format!("{} {}", entry.at, entry.fact))).collect()
}

/// Messages are numbered over the whole run, so that the numbers tell of what others did.
fn without_numbers(text: &str) -> String {
    let is_number = |word: &&str| {
        let digits = word.strip_prefix('m').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words: Vec<_> = text.split(' ').filter(|word| !is_number(word)).collect();
    words.join(" ")
}

/// When the service hears client A again, at or after `from`.
fn speaks_again(recording: &Recording, from: SimTime) -> SimTime {
    let heard = |entry: &&LogEntry| {
        let Fact::Message(SERVICE, MessageFact::Received { from: who, .. }) = entry.fact else {
            return false;
        };
        entry.at >= from && who == NodeId::Client(A)
    };
    let first = recording.entries().iter().find(heard);
    first.map_or(SimTime::MAX, |entry| entry.at)
}

/// The logs of two runs up to when A speaks again in one of them; A was silenced at `from`.
fn until_it_speaks(one: &Recording, other: &Recording, from: SimTime) -> [Vec<String>; 2] {
    let landed = from + ms(LATENCY_MS);
    let until = speaks_again(one, landed).min(speaks_again(other, landed));
    [own_log(one, until), own_log(other, until)]
}

/// Instants, in milliseconds, at which nothing of A's is on its way to the service: before it asks,
/// while its grant travels, early and late in its work, between renewals, with B in the queue.
const PLACES: [u64; 8] = [0, 250, 500, 1_500, 2_000, 3_000, 5_000, 9_900];
const LENGTHS: [u64; 5] = [300, 4_000, 9_000, 15_000, 40_000];

#[test]
fn a_pause_a_crash_and_a_cut_link_are_the_same_silence() {
    let mut longest = 0;
    for renew in [Renew::Off, Renew::Every(ms(3_000))] {
        let renew = [Change::Renew(renew)];
        for (from, length) in PLACES.iter().flat_map(|from| LENGTHS.map(|length| (*from, length))) {
            let whole = |kind| with_fault(paused(PauseScope::Client, kind, from, length), &renew);
            let pause = whole(PauseKind::Process);
            for other in [
                whole(PauseKind::Suspend),
                with_fault(crashed(from, length), &renew),
                with_fault(cut(from, length), &renew),
            ] {
                let [one, other] = until_it_speaks(&pause, &other, at(from));
                assert_eq!(one, other, "from {from} ms for {length} ms");
                longest = longest.max(one.len());
            }
        }
    }
    assert!(longest > 10, "the service does something in that silence");
}

#[test]
fn the_paused_holders_silence_ends_its_lease_in_all_three() {
    let silences = [
        paused(PauseScope::Client, PauseKind::Process, 2_000, 15_000),
        crashed(2_000, 15_000),
        cut(2_000, 15_000),
    ];
    for kind in silences {
        let log = own_log(&with_fault(kind, &[]), at(17_000));
        let ended = "10.2 s ends A's lease 33: expired";
        assert!(log.iter().any(|line| line == ended), "{log:#?}");
    }
}

#[test]
fn a_pause_of_the_worker_alone_is_no_silence() {
    let whole = with_fault(paused(PauseScope::Client, PauseKind::Process, 2_000, 15_000), &[]);
    let worker = with_fault(paused(PauseScope::Worker, PauseKind::Process, 2_000, 15_000), &[]);
    let until = at(17_000);
    assert_ne!(own_log(&whole, until), own_log(&worker, until));
    assert!(speaks_again(&worker, at(2_000)) < at(4_000), "it renews");
    assert!(speaks_again(&whole, at(2_000)) > at(17_000));
}

#[test]
fn a_lock_that_lives_with_its_connection_tells_a_crash_from_a_pause() {
    let bound = [Change::ConnectionBound(true)];
    let pause = paused(PauseScope::Client, PauseKind::Process, 2_000, 15_000);
    let pause = own_log(&with_fault(pause, &bound), at(17_000));
    let crash = own_log(&with_fault(crashed(2_000, 15_000), &bound), at(17_000));
    let cut = own_log(&with_fault(cut(2_000, 15_000), &bound), at(17_000));
    assert_ne!(pause, crash);
    assert_eq!(pause, cut);
}
