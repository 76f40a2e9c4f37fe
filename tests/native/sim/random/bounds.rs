//! What bounds a lease besides its time to live, over random scenarios: a lock that stays taken
//! for a least time, a lease that runs before its work begins, how long renewal goes on and who
//! does it; each with the set-up in which it is not so.

use fenceline::sim::fact::{ClientFact, Fact, LeaseEnd, MessageFact};
use fenceline::sim::id::{ClientId, GrantNo, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::PropertyId::SomebodyCanAlwaysGetTheLock;
use fenceline::sim::scenario::{
    Deadline, Ends, ExpiryJudge, FaultKind, LeaseCap, PauseKind, Progress, Ratio, Renew, RenewCap,
    RenewedBy,
};
use fenceline::sim::{Change, Recording, Scenario, SimDuration, SimTime};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::conditions::{
    Conditions, freed_by_time, kills_the_worker_alone, loses_data, owned, stops_the_service,
    strikes_a_clock, timely,
};
use super::strategy::scenario;
use super::{LEASES, but, is_broken, ms, with_faults};

const LEAST: SimDuration = SimDuration::from_secs(6);

/// A lock that is no item of a queue, and whose end is acted on at once.
const ON_TIME: [Change; 2] = [Change::Item(false), Change::Ends(Ends::OnTime)];

/// A lease server that holds a lock for a least time.
fn held_at_least() -> Conditions {
    let changes = [LEASES, Change::MinHold(LEAST), Change::Release(true)];
    owned().and(&changes).and(&ON_TIME).without(strikes_a_clock)
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

const CAP: SimDuration = SimDuration::from_secs(5);

fn suspends(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Pause { kind: PauseKind::Suspend, .. })
}

/// Clients whose own clocks keep the time and are never suspended, with this.
fn steadily(change: Change) -> Conditions {
    let changes = [LEASES, Change::Renew(Renew::Share(Ratio::THIRD)), change];
    Conditions::of(&changes).without(strikes_a_clock).without(suspends)
}

/// Whether a client that believes sends a renewal that `is` says, given when its belief began and
/// when a step of its work did.
fn sends_one(
    recording: &Recording,
    is: impl Fn(SimTime, SimTime, Option<SimTime>) -> bool,
) -> bool {
    let mut believes = [None; 3];
    let mut stepped = [None; 3];
    recording.entries().iter().any(|entry| {
        match entry.fact {
            Fact::Client(client, fact) => {
                let client = client.index();
                if fact.believes().is_some() {
                    believes[client] = Some(entry.at);
                } else if fact.stops_believing().is_some() {
                    believes[client] = None;
                } else if fact.starts_work().is_some() {
                    stepped[client] = Some(entry.at);
                }
            }
            Fact::Message(NodeId::Client(client), _) if is_renewal(&entry.fact) => {
                let client = client.index();
                return believes[client].is_some_and(|since| is(entry.at, since, stepped[client]));
            }
            _ => {}
        }
        false
    })
}

fn renews_beyond_the_cap(recording: &Recording) -> bool {
    sends_one(recording, |at, since, _| at > since + CAP)
}

fn renews_between_its_steps(recording: &Recording) -> bool {
    sends_one(recording, |at, _, stepped| stepped != Some(at))
}

/// A service that judges by a steady clock, and caps leases.
fn capped(cap: LeaseCap) -> Conditions {
    let changes = [Change::Cap(cap), Change::Grace(ms(0)), Change::Session(false)];
    timely().and(&changes).and(&ON_TIME).without(stops_the_service)
}

/// Whether a lease was promised beyond the cap, or stood there.
fn lasts_beyond_the_cap(recording: &Recording) -> bool {
    let until = |grant: GrantNo| recording.grant(grant).map(|made| made.at + CAP);
    let promised = recording.entries().iter().any(|entry| {
        let Fact::Service(_, fact) = entry.fact else {
            return false;
        };
        let made = fact.made().and_then(|(grant, ttl)| Some((grant.no, ttl?)));
        made.or(fact.prolonged())
            .is_some_and(|(grant, ttl)| until(grant).is_some_and(|until| entry.at + ttl > until))
    });
    promised || recording.grants().iter().any(|it| it.ended.is_some_and(|end| end.0 > it.at + CAP))
}

/// Whether a client believed in a grant beyond the cap, counted from the grant.
fn believes_beyond_the_cap(recording: &Recording) -> bool {
    let mut believes = [None; 3];
    recording.entries().iter().any(|entry| {
        if let Fact::Client(client, fact) = entry.fact {
            if let Some(grant) = fact.believes() {
                believes[client.index()] = recording.grant(grant);
            } else if fact.stops_believing().is_some() {
                believes[client.index()] = None;
            }
        }
        believes.iter().flatten().any(|grant| entry.at > grant.at + CAP)
    })
}

/// What frees a lock by time alone, where a worker may die and its renewer not.
fn freed_though_a_worker_dies(change: Change) -> Conditions {
    with_faults(freed_by_time(), kills_the_worker_alone).and(&[change])
}

proptest! {
    #[test]
    fn a_capped_client_sends_no_renewal_later(scenario in scenario()) {
        let capped = steadily(Change::RenewCap(RenewCap::After(CAP))).run(&scenario);
        prop_assert!(!renews_beyond_the_cap(&capped), "{}", capped.log());
    }

    #[test]
    fn a_worker_that_renews_sends_nothing_between_its_steps(scenario in scenario()) {
        let run = steadily(Change::RenewedBy(RenewedBy::Worker)).run(&scenario);
        prop_assert!(!renews_between_its_steps(&run), "{}", run.log());
    }

    #[test]
    fn no_lease_lasts_longer_than_the_service_lets_it(scenario in scenario()) {
        for cap in [LeaseCap::RefusedAfter(CAP), LeaseCap::CutAfter(CAP)] {
            let run = capped(cap).run(&scenario);
            prop_assert!(!lasts_beyond_the_cap(&run), "{}", run.log());
            prop_assert!(!believes_beyond_the_cap(&run), "{}", run.log());
        }
    }

    #[test]
    fn a_worker_that_dies_alone_frees_the_lock(scenario in scenario()) {
        for change in [
            Change::Progress(Progress::StopsAfter(ms(2_000))),
            Change::Progress(Progress::LeavesAfter(ms(2_000))),
            Change::RenewedBy(RenewedBy::Worker),
        ] {
            let run = freed_though_a_worker_dies(change).run(&scenario);
            prop_assert!(!is_broken(&run, SomebodyCanAlwaysGetTheLock), "{}", run.log());
        }
    }

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
    assert!(is_found(&steadily(Change::RenewCap(RenewCap::Off)), renews_beyond_the_cap));
    assert!(is_found(&steadily(Change::RenewedBy(RenewedBy::Renewer)), renews_between_its_steps));
    assert!(is_found(&capped(LeaseCap::Off), lasts_beyond_the_cap));
    let cut = capped(LeaseCap::CutAfter(CAP));
    assert!(is_found(&but(cut, Change::Deadline(Deadline::Off)), believes_beyond_the_cap));
    let by_renewer = freed_though_a_worker_dies(Change::Progress(Progress::Off))
        .and(&[Change::RenewedBy(RenewedBy::Renewer)]);
    assert!(is_found(&by_renewer, |run| is_broken(run, SomebodyCanAlwaysGetTheLock)));
}
