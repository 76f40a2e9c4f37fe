//! Who waits goes on asking: over random scenarios, what must be so of polls, and of connections
//! that their server's process ends; each with the set-up in which it is not so.

use fenceline::sim::fact::{ClientFact, Fact, MessageFact};
use fenceline::sim::id::{ClientId, NodeId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::PropertyId::SomebodyCanAlwaysGetTheLock;
use fenceline::sim::property::PropertyState;
use fenceline::sim::scenario::{
    Deadline, Ends, ExpiryJudge, FaultKind, Identity, Reenters, Renew, Wait,
};
use fenceline::sim::world::Phase;
use fenceline::sim::{Change, LogEntry, Recording, Scenario, SimDuration, SimTime};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::conditions::{Conditions, crashes, pauses};
use super::strategy::scenario;
use super::{LEASES, is_broken, ms};

fn poll() -> Change {
    Change::Wait(Wait::Poll { every: ms(700), jitter: ms(200) })
}

/// Nobody stands still or dies, and all clocks run alike.
fn nobody_is_away(changes: &[Change]) -> Conditions {
    let once = Change::Reenters(Reenters::Off);
    Conditions::of(changes).and(&[once]).without(pauses).without(crashes).without(strikes_a_clock)
}

fn strikes_a_clock(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::ClockJump { .. } | FaultKind::ClockRate { .. })
}

/// When this client last asked for the lock.
fn last_asked(recording: &Recording, client: ClientId) -> Option<SimTime> {
    let asks = |fact: &Fact| {
        matches!(
            fact,
            Fact::Message(
                NodeId::Client(who),
                MessageFact::Sent { kind: MessageKind::Acquire | MessageKind::Look, .. },
            ) if *who == client
        )
    };
    let asked = recording.entries().iter().rev().find(|entry| asks(&entry.fact));
    asked.map(|entry| entry.at)
}

/// A client that waits for the lock at the end and has not asked for longer than `patience`.
fn sleeper(recording: &Recording, patience: SimDuration) -> Option<ClientId> {
    let end = recording.ends_at();
    let world = recording.world_at(end);
    let mut clients = (0_u8..).map(ClientId).zip(&world.clients);
    let sleeps = |client: ClientId| {
        last_asked(recording, client).is_some_and(|asked| asked + patience < end)
    };
    let waits = |phase| matches!(phase, Phase::Asking | Phase::Waiting);
    clients.find(|(client, state)| waits(state.phase) && sleeps(*client)).map(|(client, _)| client)
}

/// The longest time between two polls: one is answered just in time, and the next comes after the
/// interval and its jitter.
fn patience(scenario: &Scenario) -> SimDuration {
    ms(2 * (700 + 200)) + scenario.spec().latency.times(2)
}

proptest! {
    #[test]
    fn a_poller_polls_whatever_is_lost(scenario in scenario()) {
        let conditions = nobody_is_away(&[LEASES, poll(), Change::Timeout(None)]);
        let recording = conditions.run(&scenario);
        let sleeper = sleeper(&recording, patience(&scenario));
        prop_assert_eq!(sleeper, None, "{}", recording.log());
    }

    #[test]
    fn a_grant_counts_from_the_poll_that_it_answers(scenario in scenario()) {
        let recording = counts(Deadline::FromSend).run(&scenario);
        prop_assert_eq!(believes_for_too_long(&recording), None, "{}", recording.log());
    }

    #[test]
    fn who_loses_its_connection_to_a_restart_asks_again(scenario in scenario()) {
        let bound = only_restarts(&[Change::ConnectionBound(true)]);
        let recording = bound.run(&scenario);
        prop_assert!(!waits_for_nobody(&recording, ms(0)), "{}", recording.log());
    }

    #[test]
    fn who_waits_for_nobody_has_not_got_the_lock(scenario in scenario()) {
        let recording = queues_and_waits().run(&scenario);
        let in_vain = waits_for_nobody(&recording, A_POLL);
        let broken = is_broken(&recording, SomebodyCanAlwaysGetTheLock);
        prop_assert!(!in_vain || broken, "{}", recording.log());
    }

    #[test]
    fn an_accident_is_named_where_somebody_waits_in_vain_alone(scenario in scenario()) {
        let alone = Change::Reenters(Reenters::Off);
        let recording = Conditions::of(&[LEASES, alone]).run(&scenario);
        let served = served_after_its_accident(&recording);
        prop_assert_eq!(served, None, "{}", recording.log());
    }
}

/// What somebody who asks is given to be served, beside messages and delays.
const A_POLL: SimDuration = SimDuration::from_secs(1);

/// Everybody queues and waits without end; messages are lost, and the service starts again.
fn queues_and_waits() -> Conditions {
    let changes = [LEASES, Change::Wait(Wait::Queue), Change::Expiry(ExpiryJudge::Service)];
    let alone = [Change::Reenters(Reenters::Off), Change::Session(false), Change::Timeout(None)];
    let others = |kind: &FaultKind| {
        !matches!(kind, FaultKind::Lose { .. } | FaultKind::ServiceRestart { .. })
    };
    let unbound = [Change::ConnectionBound(false), Change::Grace(ms(0)), Change::MinHold(ms(0))];
    // Who waits for an item that is done goes, and a sweep comes when it comes.
    let lock = [Change::Item(false), Change::Ends(Ends::OnTime)];
    Conditions::of(&changes).and(&alone).and(&unbound).and(&lock).without(others)
}

/// The accident for which somebody could not get the lock, if its client asked or was told
/// something of the lock before the time at which it is said to wait in vain still.
fn served_after_its_accident(recording: &Recording) -> Option<SimTime> {
    let mut reports = recording.properties().iter();
    let report = reports.find(|report| report.id == SomebodyCanAlwaysGetTheLock)?;
    let PropertyState::Broken { at, first: Some(first), .. } = report.state else {
        return None;
    };
    let entries = &recording.entries()[first.index()..];
    let lost_at = Some(entries[0].at);
    let Some(client) = entries[0].fact.strands() else {
        return lost_at;
    };
    let is_served = |entry: &&LogEntry| match entry.fact {
        Fact::Message(NodeId::Client(who), MessageFact::Sent { kind, .. }) => {
            who == client && kind == MessageKind::Acquire
        }
        Fact::Client(who, ClientFact::BeliefStarted { .. }) => who == client,
        _ => false,
    };
    let mut until = entries.iter().take_while(|entry| entry.at < at);
    lost_at.filter(|_| until.any(|entry| is_served(&entry)))
}

const UNIQUE: Change = Change::Identity(Identity::Unique);

/// Nothing happens but that the service's process is started again, whatever it loses.
fn only_restarts(changes: &[Change]) -> Conditions {
    // Who keeps no session alive leaves the queue by its own setting.
    let alone = [
        Change::Reenters(Reenters::Off),
        Change::Session(false),
        Change::Timeout(None),
        Change::MinHold(ms(0)),
        Change::Item(false),
        Change::Ends(Ends::OnTime),
    ];
    let queue = [LEASES, Change::Wait(Wait::Queue), Change::Expiry(ExpiryJudge::Service)];
    let others = |kind: &FaultKind| !matches!(kind, FaultKind::ServiceRestart { .. });
    Conditions::of(&queue).and(&alone).and(changes).without(others)
}

/// Somebody has waited for the lock for long, and `more`, and it was free.
fn waits_for_nobody(recording: &Recording, more: SimDuration) -> bool {
    let end = recording.ends_at();
    let world = recording.world_at(end);
    let is_away = world.service.nodes.iter().any(|node| node.stopped_until.is_some());
    // An answer or a delay of its own may be under way.
    let spec = recording.scenario().spec();
    let long = spec.latency.times(4) + spec.lease.lock_delay + more;
    let waits = |phase| matches!(phase, Phase::Asking | Phase::Waiting);
    let before = SimTime::ZERO + end.since_start().minus(long);
    let earlier = recording.world_at(before).service;
    let was_away = earlier.nodes.iter().any(|node| node.stopped_until.is_some());
    let mut clients = world.clients.iter();
    !is_away
        && !was_away
        && world.service.holder().is_none()
        && earlier.holder().is_none()
        && earlier.n_grants == world.service.n_grants
        && clients.any(|client| waits(client.phase) && client.phase_since + long < end)
}

/// Polls without renewals, and a deadline of the client's own.
fn counts(deadline: Deadline) -> Conditions {
    let changes = [LEASES, poll(), Change::Renew(Renew::Off), Change::Deadline(deadline)];
    let margin =
        [Change::DeadlineMargin(ms(0)), Change::DeadlineRateError(0), Change::Grace(ms(0))];
    nobody_is_away(&changes).and(&margin).and(&[Change::Session(false), UNIQUE])
}

/// A belief that lasts longer than a whole lease from when the poll was sent that it answers.
fn believes_for_too_long(recording: &Recording) -> Option<(ClientId, SimTime)> {
    let entries = recording.entries();
    let cause = |entry: &LogEntry| entry.cause.map(|cause| &entries[cause.seq().index()]);
    let is_poll = |entry: &LogEntry| {
        let sent = |kind: MessageKind| kind == MessageKind::Acquire;
        matches!(entry.fact, Fact::Message(_, MessageFact::Sent { kind, .. }) if sent(kind))
    };
    entries.iter().find_map(|began| {
        let Fact::Client(client, ClientFact::BeliefStarted { grant, .. }) = began.fact else {
            return None;
        };
        let asked =
            std::iter::successors(Some(began), |entry| cause(entry)).find(|e| is_poll(e))?;
        let ends = |entry: &&LogEntry| {
            matches!(entry.fact, Fact::Client(who, ClientFact::BeliefEnded { grant: of, .. })
                if (who, of) == (client, grant))
        };
        let ended = entries[began.seq.index()..].iter().find(ends);
        let until = ended.map_or(recording.ends_at(), |entry| entry.at);
        let ttl = recording.scenario().clients()[client.index()].ttl?;
        (until > asked.at + ttl).then_some((client, began.at))
    })
}

/// Whether random scenarios on these conditions ever are like this.
pub(super) fn is_found(
    conditions: &Conditions,
    like: impl Fn(&Scenario, &Recording) -> bool,
) -> bool {
    let mut runner = TestRunner::deterministic();
    let strategy = scenario();
    (0..4_000).any(|_| {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let scenario = tree.current();
        like(&scenario, &conditions.run(&scenario))
    })
}

#[test]
fn who_queues_does_not_ask_again() {
    let queue = [LEASES, Change::Wait(Wait::Queue), Change::Timeout(None)];
    let sleeps = |scenario: &Scenario, run: &Recording| sleeper(run, patience(scenario)).is_some();
    assert!(is_found(&nobody_is_away(&queue), sleeps));
}

#[test]
fn from_the_receipt_a_belief_lasts_too_long() {
    let late = counts(Deadline::FromReceipt);
    assert!(is_found(&late, |_, run| believes_for_too_long(run).is_some()));
}

#[test]
fn who_has_no_connection_to_lose_is_told_of_no_restart() {
    let unbound = only_restarts(&[Change::ConnectionBound(false)]);
    assert!(is_found(&unbound, |_, run| waits_for_nobody(run, ms(0))));
}

#[test]
fn who_queues_and_waits_without_end_is_found_waiting_for_nobody() {
    let is_lost = |run: &Recording| {
        let first = run.verdict().first.map(|first| run.entries()[first.index()].fact);
        let acquire = MessageKind::Acquire;
        matches!(first, Some(Fact::Message(_, MessageFact::Lost { kind, .. })) if kind == acquire)
    };
    let in_vain = |run: &Recording| waits_for_nobody(run, A_POLL) && is_lost(run);
    assert!(is_found(&queues_and_waits(), |_, run| in_vain(run)));
    // With a timeout nobody waits for the answer to a request that was lost: it asks again, or
    // gives up.
    let patient = queues_and_waits().and(&[Change::Timeout(Some(ms(2_000)))]);
    assert!(!is_found(&patient, |_, run| in_vain(run)));
}
