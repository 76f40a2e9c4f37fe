//! The leader of a Kafka partition. Brokers keep sessions with the controller by heartbeats; the
//! controller names a live replica as leader, each under a higher leader epoch, and the brokers
//! learn of it from the metadata log. Whoever checks an epoch knows only what it has learnt.
//!
//! Sources, of Apache Kafka: `BrokerHeartbeatManager` and `QuorumController` (sessions of
//! `broker.session.timeout.ms`, looked at eight times in that time, so that a broker is fenced
//! within 112.5 % of it; a new controller counts every session anew), `BrokerLifecycleManager`
//! (heartbeats every `broker.heartbeat.interval.ms`), `PartitionChangeBuilder` (leader epoch +1),
//! `Partition.checkCurrentLeaderEpoch` (lower: `FENCED_LEADER_EPOCH`, higher:
//! `UNKNOWN_LEADER_EPOCH`, which is tried again), KIP-101, KIP-320.

use super::telling::Telling;
use crate::sim::clock::ClockKind;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::id::FencingToken;
use crate::sim::limits;
use crate::sim::lock::lease_table::LeaseTable;
use crate::sim::lock::rules::{Lateness, Reentry, StoreCheck, TtlRule};
use crate::sim::lock::settings::own_settings;
use crate::sim::lock::{Halves, LockNode, NodeInput, Rules, SystemInfo, TokenWorth, by_library};
use crate::sim::message::{ServiceToStore, StoreToService};
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, HandOff, LockSystem, Renew, Scenario, ScenarioSpec,
    TokenSource, Wait,
};
use crate::sim::time::{LocalTime, SimDuration};

pub(in crate::sim::lock) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::KafkaLeader,
    name: "Kafka partition leader",
    service: "Kafka",
    token: "The leader epoch: one more with every leader. Brokers check it, by what they know",
    fixes: super::SETTLED,
    fixed: "Kafka settles this itself",
    own: KafkaLeaderSettings::OWN,
    rules,
    shape,
    halves: Halves {
        node: |scenario, _| LockNode::KafkaLeader(Box::new(Node::new(scenario))),
        ..Halves::TABLE
    },
};

own_settings! {
    /// What of Kafka's leadership its user can set.
    pub struct KafkaLeaderSettings in kafka_leader {
        /// How often a broker sends a heartbeat. Default 2 s (`broker.heartbeat.interval.ms`).
        pub heartbeat: SimDuration = SimDuration::from_secs(2),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How often the controller looks for sessions that are over. Default 1.125 s, an eighth of
        /// the default session.
        pub looks_every: SimDuration = SimDuration::from_millis(1_125),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How long after a change the checking broker is told; the message's own time comes on
        /// top. Default 0.
        pub metadata_lag: SimDuration = SimDuration::ZERO, none "a quantity";
        /// How long after an unknown epoch a leader tries again. Default 100 ms
        /// (`retry.backoff.ms`).
        pub retry_backoff: SimDuration = SimDuration::from_millis(100),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.kafka_leader;
    let millisecond = SimDuration::from_millis(1);
    Rules {
        ttl: TtlRule { least: millisecond, most: None, unit: millisecond },
        // A heartbeat counts until the controller has looked.
        lateness: Lateness::Buckets(settings.looks_every),
        refreshes_by: Some(SimDuration::ZERO),
        worth: TokenWorth::Ordered,
        token_source: TokenSource::Counter,
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Monotonic,
        connection_bound: false,
        two_steps: false,
        // A broker that is fenced is not elected.
        waiter_check: true,
        hand_off: HandOff::InOrder,
        holds_values: false,
        answers_stores: false,
        reentry: Reentry::Never,
        store_check: StoreCheck::LeaderEpoch,
        write_again_after: settings.retry_backoff,
        ..Rules::of_lease_server(spec)
    }
}

/// A leader goes by the metadata log alone: it has no deadline of its own.
fn shape(spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, true, Wait::Queue);
    settings.renew = Renew::Every(spec.systems.kafka_leader.heartbeat);
    settings.deadline = Deadline::Off;
}

/// The controller.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    table: LeaseTable,
    lag: SimDuration,
    telling: Telling,
    /// The epoch that the brokers were told of last, or will be.
    told: Option<FencingToken>,
}

impl Node {
    pub(in crate::sim::lock) fn new(scenario: &Scenario) -> Self {
        Self {
            table: LeaseTable::new(scenario),
            lag: scenario.spec().systems.kafka_leader.metadata_lag,
            telling: Telling::new(scenario),
            told: None,
        }
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: LocalTime,
        input: NodeInput,
        effects: &mut Effects,
    ) {
        match input {
            NodeInput::Store(store, StoreToService::Noted { token }) => {
                self.telling.noted(store, token);
            }
            NodeInput::Store(_, StoreToService::Check { .. }) => {}
            NodeInput::Request(..)
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(..)
            | NodeInput::Start
            | NodeInput::Timer
            | NodeInput::TakesOver { .. } => {
                self.table.handle(now, input, effects);
            }
            NodeInput::Restart(_) => {
                // What it knows is told again: a broker fetches from whoever is controller.
                self.told = None;
                self.table.handle(now, input, effects);
            }
        }
        let epoch = self.table.copied().held.map(|held| held.token);
        if let Some(token) = epoch.filter(|_| epoch != self.told) {
            self.told = epoch;
            self.telling.tell(now + self.lag, token, ServiceToStore::LeaderEpoch { token });
        }
        self.telling.send(now, effects);
        // The one timer is for what comes first; the table sets its own again when it fires.
        if let Some(due) = self.telling.next() {
            let first = self.table.timer_is().map_or(due, |at| at.min(due));
            effects.timer(TimerKind::Main, first);
        }
    }
}
