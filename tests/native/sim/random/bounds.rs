//! What bounds a lease besides its time to live, over random scenarios: a lock that stays taken for
//! a least time, and a lease that runs before its work begins; each with the set-up in which it is
//! not so.

use fenceline::sim::fact::{ClientFact, Fact, LeaseEnd, MessageFact};
use fenceline::sim::id::{ClientId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::PropertyId::SomebodyCanAlwaysGetTheLock;
use fenceline::sim::scenario::ExpiryJudge;
use fenceline::sim::{Change, Recording, Scenario, SimDuration, SimTime};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::conditions::{Conditions, freed_by_time, loses_data, owned, strikes_a_clock};
use super::strategy::scenario;
use super::{LEASES, but, is_broken, ms, with_faults};

const LEAST: SimDuration = SimDuration::from_secs(6);

/// A lease server that holds a lock for a least time.
fn held_at_least() -> Conditions {
    let changes = [LEASES, Change::MinHold(LEAST), Change::Release(true)];
    owned().and(&changes).without(strikes_a_clock)
}

/// Whether somebody was granted within the least time of a grant that was given back.
fn is_granted_too_soon(recording: &Recording) -> bool {
    let released = |how| matches!(how, LeaseEnd::Released | LeaseEnd::ReleasedBy(_));
    recording.grants().windows(2).any(|pair| {
        pair[0].ended.is_some_and(|(_, how, _)| released(how)) && pair[1].at < pair[0].at + LEAST
    })
}

/// A client's work begins so much later than it has the lock.
fn begins_later(renews: bool) -> Conditions {
    let changes = [LEASES, Change::StartsAfter(ms(3_000)), Change::RenewsWaiting(renews)];
    Conditions::of(&changes).without(strikes_a_clock)
}

/// For each client, when it began to wait for its work.
struct Waiting([Option<SimTime>; 3]);

impl Waiting {
    /// Whether a client that waits for its work does what `does` says.
    fn any(recording: &Recording, does: impl Fn(&Fact, SimTime, SimTime) -> bool) -> bool {
        let mut waiting = Self([None; 3]);
        recording.entries().iter().any(|entry| {
            let Some(client) = client_of(&entry.fact) else {
                return false;
            };
            let since = &mut waiting.0[client];
            match entry.fact {
                Fact::Client(_, ClientFact::WaitsToBegin { .. }) => *since = Some(entry.at),
                Fact::Fault(..)
                | Fact::Client(
                    _,
                    ClientFact::WorkAbandoned { .. } | ClientFact::WorkerDone { .. },
                ) => *since = None,
                _ => {
                    let found = since.is_some_and(|since| does(&entry.fact, since, entry.at));
                    if begins(&entry.fact) {
                        *since = None;
                    }
                    return found;
                }
            }
            false
        })
    }
}

fn client_of(fact: &Fact) -> Option<usize> {
    match fact {
        Fact::Client(client, _) | Fact::Message(NodeId::Client(client), _) => Some(client.index()),
        Fact::Fault(_, fact) => fact.crashed().map(ClientId::index),
        _ => None,
    }
}

/// Its worker's first step towards its work.
fn begins(fact: &Fact) -> bool {
    let kinds = [MessageKind::Seal, MessageKind::Read, MessageKind::Reenter];
    match fact {
        Fact::Client(_, fact) => fact.starts_work().is_some(),
        Fact::Message(_, MessageFact::Sent { kind, .. }) => kinds.contains(kind),
        _ => false,
    }
}

fn is_renewal(fact: &Fact) -> bool {
    matches!(fact, Fact::Message(_, MessageFact::Sent { kind: MessageKind::Renew, .. }))
}

proptest! {
    #[test]
    fn nobody_is_granted_before_the_least_time_is_over(scenario in scenario()) {
        let recording = held_at_least().run(&scenario);
        prop_assert!(!is_granted_too_soon(&recording), "{}", recording.log());
    }

    #[test]
    fn a_least_time_ends(scenario in scenario()) {
        let recording = freed_by_time().and(&[Change::MinHold(LEAST)]).run(&scenario);
        prop_assert!(!is_broken(&recording, SomebodyCanAlwaysGetTheLock), "{}", recording.log());
    }

    #[test]
    fn no_work_begins_before_its_time(scenario in scenario()) {
        let recording = begins_later(true).run(&scenario);
        let early = |fact: &Fact, since, at| begins(fact) && at < since + ms(3_000);
        prop_assert!(!Waiting::any(&recording, early), "{}", recording.log());
    }

    #[test]
    fn nothing_is_renewed_before_its_work_begins(scenario in scenario()) {
        let recording = begins_later(false).run(&scenario);
        let renews = |fact: &Fact, _, _| is_renewal(fact);
        prop_assert!(!Waiting::any(&recording, renews), "{}", recording.log());
    }
}

fn is_found(conditions: &Conditions, test: impl Fn(&Recording) -> bool) -> bool {
    let mut runner = TestRunner::deterministic();
    let strategy = scenario();
    (0..4_000).any(|_| {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let scenario: Scenario = tree.current();
        test(&conditions.run(&scenario))
    })
}

#[test]
fn without_its_conditions_each_is_found_otherwise() {
    let forgets = with_faults(held_at_least(), loses_data);
    assert!(is_found(&forgets, is_granted_too_soon), "a restart forgets it");
    let askers = Conditions::of(&held_at_least().changes)
        .and(&[Change::Expiry(ExpiryJudge::HoldersTimestamp)]);
    assert!(is_found(&askers, is_granted_too_soon), "clocks differ");
    let none = but(held_at_least(), Change::MinHold(ms(0)));
    assert!(is_found(&none, is_granted_too_soon), "no least time");
    let renews = |run: &Recording| Waiting::any(run, |fact, _, _| is_renewal(fact));
    assert!(is_found(&begins_later(true), renews), "renewed meanwhile");
    let soon = begins_later(true).and(&[Change::StartsAfter(ms(2_999))]);
    let early = |run: &Recording| {
        Waiting::any(run, |fact, since, at| begins(fact) && at < since + ms(3_000))
    };
    assert!(is_found(&soon, early), "a millisecond less");
}
