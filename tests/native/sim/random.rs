//! Random scenarios: every row of the table of properties in `docs/model.md`, in both directions.
//! What must hold holds in all of them on the conditions that the row gives, which are applied as
//! changes; with one condition taken away, what may fail is found failing.
//! `PROPTEST_CASES=50000 cargo test random` looks harder than the 256 cases of a usual run.

mod bounds;
mod conditions;
mod conflict;
pub mod strategy;
mod waiting;

use fenceline::sim::clock::ClockKind;
use fenceline::sim::fact::{Fact, ServiceFact};
use fenceline::sim::id::{ClientId, NodeId, StoreId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::PropertyId::{self, *};
use fenceline::sim::scenario::{
    Check, ClientSpec, CrashScope, Deadline, ExpiryJudge, FaultKind, FenceRule, HandOff, Identity,
    LockSystem, MessageAddress, Operation, Reenters, RenewFailure, SettleAt, SettleCheck,
    TokenSource, Unchecked,
};
use fenceline::sim::{Change, Recording, Scenario, SimDuration, SimTime, World};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{fault, is_broken, ms};
use conditions::*;
use strategy::{LENGTH, scenario};

fn holds(
    scenario: &Scenario,
    conditions: &Conditions,
    id: PropertyId,
) -> Result<(), TestCaseError> {
    let recording = conditions.run(scenario);
    let broken = is_broken(&recording, id);
    prop_assert!(!broken, "{:?}\n{}", recording.properties(), recording.log());
    Ok(())
}

proptest! {
    #[test]
    fn one_lease_at_a_time(scenario in scenario()) {
        holds(&scenario, &owned(), OneLeaseAtATime)?;
    }

    #[test]
    fn one_believer_where_the_deadline_is_local_and_nothing_pauses(scenario in scenario()) {
        holds(&scenario, &timely(), OneBelieverAtATime)?;
    }

    #[test]
    fn with_a_fence_accepted_writes_never_go_back(scenario in scenario()) {
        holds(&scenario, &fenced(), TokensNeverGoBack)?;
        for source in [TokenSource::Revision, TokenSource::EpochAndCounter] {
            let gaps = fenced().and(&[Change::TokenSource(source)]);
            holds(&scenario, &gaps, TokensNeverGoBack)?;
        }
        for told in [Reenters::SameToken, Reenters::NewToken] {
            holds(&scenario, &taken_again(fenced(), told), TokensNeverGoBack)?;
            holds(&scenario, &taken_again(sealed(), told), NoOlderWriteOnceTheNextHolderHasBegun)?;
        }
    }

    #[test]
    fn no_older_write_over_one_store_or_behind_the_seal(scenario in scenario()) {
        let id = NoOlderWriteOnceTheNextHolderHasBegun;
        holds(&scenario, &overwrites_of_one_store(), id)?;
        holds(&scenario, &sealed(), id)?;
    }

    #[test]
    fn nothing_is_written_after_its_lease_ended_where_one_transaction_looks(
        scenario in scenario()
    ) {
        holds(&scenario, &in_one_transaction(), NoWriteAfterItsLeaseEnded)?;
        let anew = taken_again(in_one_transaction(), Reenters::NewToken);
        holds(&scenario, &anew, NoWriteAfterItsLeaseEnded)?;
        holds(&scenario, &in_one_transaction(), NoOlderWriteOnceTheNextHolderHasBegun)?;
        let again = taken_again(in_one_transaction(), Reenters::SameToken);
        holds(&scenario, &again, RightfulHolderNeverRefused)?;
    }

    #[test]
    fn no_lost_update_behind_the_seal(scenario in scenario()) {
        holds(&scenario, &with_one_write_at_a_time(sealed()), NoLostUpdate)?;
    }

    #[test]
    fn with_a_fence_nothing_older_replaces_what_is_newer(scenario in scenario()) {
        holds(&scenario, &fenced(), NoOlderOverNewer)?;
    }

    #[test]
    fn one_write_at_a_time_is_never_ones_own_older_one(scenario in scenario()) {
        let unfenced = with_one_write_at_a_time(Conditions::of(&[Change::Fencing(false)]));
        holds(&scenario, &unfenced, NoOwnOlderStep)?;
    }

    #[test]
    fn what_nobody_stops_and_nothing_loses_is_whole(scenario in scenario()) {
        holds(&scenario, &nothing_stops_it(), NoHalfUnit)?;
    }

    #[test]
    fn a_rightful_holder_is_never_refused(scenario in scenario()) {
        let unfenced = Conditions::of(&[Change::Fencing(false), Change::MissingRow(false)]);
        holds(&scenario, &unfenced, RightfulHolderNeverRefused)?;
        prop_assert_eq!(unfenced.run(&scenario).costs().refused_stale, 0);
        let fenced = fenced().needing(compares_tokens_alone);
        holds(&scenario, &fenced, RightfulHolderNeverRefused)?;
        let again = taken_again(fenced, Reenters::SameToken);
        holds(&scenario, &again, RightfulHolderNeverRefused)?;
    }

    #[test]
    fn a_lease_always_frees_itself(scenario in scenario()) {
        holds(&scenario, &freed_by_time(), SomebodyCanAlwaysGetTheLock)?;
    }

    #[test]
    fn an_outside_that_knows_the_piece_acts_once(scenario in scenario()) {
        holds(&scenario, &known_outside(), NoExternalEffectTwice)?;
    }

    #[test]
    fn an_item_that_is_settled_at_the_end_is_not_lost(scenario in scenario()) {
        holds(&scenario, &settled_at_the_end(), NoItemLost)?;
    }

    #[test]
    fn a_closed_item_stays_closed_and_with_the_handle_the_newest_delivery_closes_it(
        scenario in scenario()
    ) {
        for check in [SettleCheck::Handle, SettleCheck::State, SettleCheck::Item] {
            let conditions = settled_at_the_end()
                .and(&[Change::SettleCheck(check), Change::TokenSource(TokenSource::Counter)]);
            let recording = conditions.run(&scenario);
            let (mut newest, mut is_closed) = (None, false);
            for entry in recording.entries() {
                let Fact::Service(_, fact) = entry.fact else {
                    continue;
                };
                if let Some((grant, _)) = fact.made() {
                    prop_assert!(!is_closed, "{}", recording.log());
                    newest = Some(grant.token);
                }
                if fact.closes_item().is_some() {
                    prop_assert!(!is_closed, "{}", recording.log());
                    is_closed = true;
                }
                if let ServiceFact::ItemDone { token, .. } = fact {
                    let is_newest = Some(token) == newest;
                    prop_assert!(check != SettleCheck::Handle || is_newest, "{}", recording.log());
                }
            }
        }
    }

    #[test]
    fn a_client_that_never_acts_changes_nothing(scenario in scenario()) {
        let after_the_end = SimTime::ZERO + LENGTH + ms(1);
        let client = ClientSpec::asking_at(after_the_end);
        let alone = Recording::of(&scenario);
        let beside = Conditions::of(&[Change::AddClient(client)]).run(&scenario);
        prop_assert_eq!(alone.log(), beside.log());
        prop_assert_eq!(alone.costs(), beside.costs());
    }

    #[test]
    fn snapshots_equal_replay_and_causes_come_first(scenario in scenario()) {
        let recording = Recording::of(&scenario);
        let mut world = World::new(&scenario);
        for entry in recording.entries() {
            world.apply(entry);
            prop_assert!(entry.cause.is_none_or(|cause| cause.seq() < entry.seq));
            if entry.seq.0 % 37 == 0 || entry.seq.0 + 1 == recording.log().n_entries() {
                prop_assert_eq!(&recording.world_after(entry.seq.0 + 1), &world);
            }
        }
        prop_assert!(recording.entries().is_sorted_by_key(|entry| entry.at));
        prop_assert_eq!(Recording::of(&scenario), recording);
    }
}

/// Whether random scenarios on these conditions ever break the property: the twin of a “never”.
fn is_found_broken(conditions: &Conditions, id: PropertyId) -> bool {
    let mut runner = TestRunner::deterministic();
    let strategy = scenario();
    (0..40_000).any(|_| {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        is_broken(&conditions.run(&tree.current()), id)
    })
}

fn assert_found_broken(id: PropertyId, cases: &[(&str, Conditions)]) {
    let missed = cases.iter().filter(|(_, conditions)| !is_found_broken(conditions, id));
    let missed: Vec<_> = missed.map(|(name, _)| *name).collect();
    assert!(missed.is_empty(), "{id:?} was never found broken: {missed:?}");
}

/// These conditions but for one, whose opposite is applied last.
fn but(conditions: Conditions, opposite: Change) -> Conditions {
    conditions.and(&[opposite])
}

/// These conditions, with these faults again.
fn with_faults(mut conditions: Conditions, faults: fn(&FaultKind) -> bool) -> Conditions {
    conditions.without.retain(|test| !std::ptr::fn_addr_eq(*test, faults));
    conditions
}

/// A's first write is late, and A starts anew in between.
fn late_write_of_a_restarted_client() -> [Change; 2] {
    let message = MessageAddress {
        from: NodeId::Client(ClientId(0)),
        to: NodeId::Store(StoreId(0)),
        kind: MessageKind::Write,
        nth: 1,
    };
    let late = FaultKind::Delay { message, by: ms(4_000) };
    let anew = FaultKind::Crash {
        client: ClientId(0),
        scope: CrashScope::Client,
        at: SimTime::ZERO + ms(3_000),
        restart_after: Some(SimDuration::ZERO),
    };
    [(90, late), (91, anew)].map(|(id, kind)| Change::AddFault(fault(id, kind)))
}

/// Tokens in the order of asking, and grants in any.
fn fixed_then_shuffled() -> Conditions {
    let source = Change::TokenSource(TokenSource::RevisionAtEnqueue);
    but(fenced().and(&[Change::HandOff(HandOff::Random)]), source)
}

#[test]
fn what_may_fail_at_the_service_is_found_failing() {
    let one_lease = [
        ("no owner check", but(owned(), Change::OwnerCheck(false))),
        ("several clocks", but(owned(), Change::Expiry(ExpiryJudge::HoldersTimestamp))),
        ("a wall clock", but(owned(), Change::ServiceClock(ClockKind::Wall)).with_jumps()),
        ("data loss", with_faults(owned(), loses_data)),
        ("fenced all the same", fenced().and(&[Change::OwnerCheck(false)])),
    ];
    assert_found_broken(OneLeaseAtATime, &one_lease);
    let believers = [
        ("pauses", with_faults(timely(), pauses)),
        ("drift", with_faults(timely(), strikes_a_clock)),
        ("from the receipt", but(timely(), Change::Deadline(Deadline::FromReceipt))),
        ("late news", but(timely(), Change::Deadline(Deadline::Off))),
        ("fenced all the same", sealed()),
    ];
    assert_found_broken(OneBelieverAtATime, &believers);
    let somebody = [
        ("no time to live", but(freed_by_time(), Change::Lock(LockSystem::Plain))),
        ("a renewer outlives its worker", with_faults(freed_by_time(), kills_the_worker_alone)),
        ("the service is away", with_faults(freed_by_time(), stops_the_service)),
        ("fenced all the same", but(sealed(), Change::Lock(LockSystem::Plain))),
    ];
    assert_found_broken(SomebodyCanAlwaysGetTheLock, &somebody);
}

#[test]
fn what_may_fail_at_the_storage_is_found_failing() {
    let order = [
        ("no fence", but(fenced(), Change::Fencing(false))),
        ("a store that cannot check", but(fenced(), Change::UncheckedStores(Unchecked::Last(1)))),
        ("a check in two steps", but(fenced(), Change::CheckGap(ms(300)))),
        ("a token read again", but(fenced(), Change::RereadsToken(true))),
        (
            "taken again under a shared name",
            taken_again(fenced(), Reenters::SameToken).and(&[Change::Identity(Identity::Shared)]),
        ),
        ("one token for all", but(fenced(), Change::TokenSource(TokenSource::Constant))),
        ("no order", but(fenced(), Change::TokenSource(TokenSource::LeaseId))),
        ("a store that forgets", but(fenced(), Change::Durable(false))),
        ("a reset counter", with_faults(fenced(), resets_the_counter)),
    ];
    assert_found_broken(TokensNeverGoBack, &order);
    let ended = [("no fence", Conditions::of(&[Change::Fencing(false)])), ("sealed", sealed())];
    assert_found_broken(NoWriteAfterItsLeaseEnded, &ended);
    let older = [
        ("no fence", but(overwrites_of_one_store(), Change::Fencing(false))),
        ("two stores", but(overwrites_of_one_store(), Change::Stores(2))),
        ("reads", but(overwrites_of_one_store(), Change::Operation(Operation::ReadModifyWrite))),
        ("no seal", but(sealed(), Change::Seal(false))),
    ];
    assert_found_broken(NoOlderWriteOnceTheNextHolderHasBegun, &older);
}

#[test]
fn what_may_fail_in_the_work_is_found_failing() {
    let careful = || {
        let read = Change::Operation(Operation::ReadModifyWrite);
        with_one_write_at_a_time(sealed()).and(&[read])
    };
    let lost = [
        ("no fence", but(careful(), Change::Fencing(false))),
        ("no seal", but(careful(), Change::Seal(false))),
        (
            "a write from before a restart",
            with_faults(careful(), crashes).and(&late_write_of_a_restarted_client()),
        ),
        ("a shared name", but(careful(), Change::Identity(Identity::Shared))),
        ("a duplicate", with_faults(careful(), duplicates)),
        ("a write that timed out", but(careful(), Change::Timeout(Some(ms(400))))),
        ("a token read again", but(careful(), Change::RereadsToken(true))),
        ("acquires anew", but(careful(), Change::RenewFailure(RenewFailure::Reacquires))),
        ("a check in two steps", but(careful(), Change::CheckGap(ms(300)))),
        ("a store that forgets", but(careful(), Change::Durable(false))),
    ];
    assert_found_broken(NoLostUpdate, &lost);
    let refused = [
        ("lower or equal", but(fenced(), Change::Rule(FenceRule::RejectLowerOrEqual))),
        ("must match", but(fenced(), Change::Rule(FenceRule::MustMatch))),
        ("no order", but(fenced(), Change::TokenSource(TokenSource::LeaseId))),
        ("a new token inside", taken_again(fenced(), Reenters::NewToken)),
        ("fixed in one order, granted in another", fixed_then_shuffled()),
        ("a reset counter", with_faults(fenced(), resets_the_counter)),
    ];
    assert_found_broken(RightfulHolderNeverRefused, &refused);
    let newer = [
        ("no fence", but(fenced(), Change::Fencing(false))),
        ("a store that cannot check", but(fenced(), Change::UncheckedStores(Unchecked::Last(1)))),
        ("a token read again", but(fenced(), Change::RereadsToken(true))),
        ("one token for all", but(fenced(), Change::TokenSource(TokenSource::Constant))),
    ];
    assert_found_broken(NoOlderOverNewer, &newer);
    let unfenced = || with_one_write_at_a_time(Conditions::of(&[Change::Fencing(false)]));
    let own = [
        ("a write that timed out", but(unfenced(), Change::Timeout(Some(ms(400))))),
        (
            "a write from before a restart",
            with_faults(unfenced(), crashes).and(&late_write_of_a_restarted_client()),
        ),
    ];
    assert_found_broken(NoOwnOlderStep, &own);
    let unfenced = settled_at_the_end().and(&[Change::Fencing(false)]);
    let lost = [("settled first", but(unfenced, Change::SettleAt(SettleAt::Begin)))];
    assert_found_broken(NoItemLost, &lost);
    let half = [
        ("a crash", with_faults(nothing_stops_it(), crashes)),
        ("a fence", but(nothing_stops_it(), Change::Fencing(true))),
        ("a lost message", with_faults(nothing_stops_it(), strikes_a_message)),
    ];
    assert_found_broken(NoHalfUnit, &half);
    let acts = Change::Operation(Operation::ExternalEffect);
    let twice = [
        ("no fence", Conditions::of(&[acts.clone(), Change::Fencing(false)])),
        ("sealed", sealed().and(&[acts])),
    ];
    let twice = twice.map(|(name, set)| (name, but(set, Change::Idempotent(false))));
    assert_found_broken(NoExternalEffectTwice, &twice);
    let late = [
        ("pauses", with_faults(known_outside(), pauses)),
        ("no look before it acts", but(known_outside(), Change::Check(Check::Off))),
    ];
    assert_found_broken(NoExternalEffectTwice, &late);
}
