//! The settings that only one lock system has, side by side, so that choosing another system and
//! coming back loses none of them. Each is defined with its system.

use serde::{Deserialize, Serialize};

use super::chubby::ChubbySettings;
use super::consul::{self, ConsulSettings};
use super::dhcp::DhcpSettings;
use super::etcd::EtcdSettings;
use super::kafka::{KafkaLeaderSettings, KafkaProducerSettings};
use super::kubernetes::KubernetesSettings;
use super::raft::RaftLeaderSettings;
use super::raft::lease::RaftLeaseSettings;
use super::redis::RedisSettings;
use super::redlock::RedlockSettings;
use super::sql::SqlSettings;
use super::zookeeper::ZooKeeperSettings;
use crate::sim::limits::{MAX_DURATION, MAX_LOCK_NODES, MIN_INTERVAL};
use crate::sim::scenario::ScenarioError;
use crate::sim::time::SimDuration;

/// What only one lock system has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SystemSettings {
    /// etcd's.
    #[serde(skip_serializing_if = "is_default")]
    pub etcd: EtcdSettings,
    /// Redis'.
    #[serde(skip_serializing_if = "is_default")]
    pub redis: RedisSettings,
    /// `ZooKeeper`'s.
    #[serde(skip_serializing_if = "is_default")]
    pub zookeeper: ZooKeeperSettings,
    /// Chubby's.
    #[serde(skip_serializing_if = "is_default")]
    pub chubby: ChubbySettings,
    /// Consul's.
    #[serde(skip_serializing_if = "is_default")]
    pub consul: ConsulSettings,
    /// Redlock's.
    #[serde(skip_serializing_if = "is_default")]
    pub redlock: RedlockSettings,
    /// A SQL database's.
    #[serde(skip_serializing_if = "is_default")]
    pub sql: SqlSettings,
    /// DHCP's.
    #[serde(skip_serializing_if = "is_default")]
    pub dhcp: DhcpSettings,
    /// A Raft leader's.
    #[serde(skip_serializing_if = "is_default")]
    pub raft_leader: RaftLeaderSettings,
    /// client-go's.
    #[serde(skip_serializing_if = "is_default")]
    pub kubernetes: KubernetesSettings,
    /// A Raft-backed lease service's.
    #[serde(skip_serializing_if = "is_default")]
    pub raft_lease: RaftLeaseSettings,
    /// A Kafka partition leader's.
    #[serde(skip_serializing_if = "is_default")]
    pub kafka_leader: KafkaLeaderSettings,
    /// A Kafka producer's.
    #[serde(skip_serializing_if = "is_default")]
    pub kafka_producer: KafkaProducerSettings,
}

/// A setting that stands at its default is not written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl SystemSettings {
    /// Whether all systems' settings are as everywhere.
    pub fn is_default(&self) -> bool {
        is_default(self)
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// The first field that is out of its range, with its path and value.
    pub fn check(&self) -> Result<(), ScenarioError> {
        let Self {
            etcd,
            redis,
            zookeeper,
            chubby,
            consul,
            redlock,
            sql,
            dhcp,
            raft_leader,
            kubernetes,
            raft_lease,
            kafka_leader,
            kafka_producer,
        } = self;
        check_nodes("systems.raft_lease.nodes", raft_lease.nodes)?;
        check_nodes("systems.raft_leader.nodes", raft_leader.nodes)?;
        check_nodes("systems.redlock.nodes", redlock.nodes)?;
        let any = (SimDuration::ZERO, MAX_DURATION);
        let some = (MIN_INTERVAL, MAX_DURATION);
        let delay = (SimDuration::ZERO, consul::LONGEST_LOCK_DELAY);
        // Twenty ticks are the longest session.
        let tick = (MIN_INTERVAL, SimDuration::from_micros(MAX_DURATION.micros() / 20));
        let lengths = [
            ("systems.etcd.scan", etcd.scan, any),
            ("systems.etcd.commit", etcd.commit, any),
            ("systems.etcd.election_timeout", etcd.election_timeout, any),
            ("systems.etcd.snapshot_every", etcd.snapshot_every.unwrap_or(MAX_DURATION), some),
            ("systems.redis.lag", redis.lag, any),
            ("systems.zookeeper.tick", zookeeper.tick, tick),
            ("systems.zookeeper.container_check", zookeeper.container_check, some),
            ("systems.zookeeper.election", zookeeper.election, any),
            ("systems.chubby.grace", chubby.grace, any),
            ("systems.consul.lock_delay", consul.lock_delay, delay),
            ("systems.raft_leader.heartbeat", raft_leader.heartbeat, some),
            ("systems.raft_leader.election_timeout", raft_leader.election_timeout, some),
            ("systems.raft_leader.lease_margin", raft_leader.lease_margin, any),
            ("systems.raft_lease.heartbeat", raft_lease.heartbeat, some),
            ("systems.raft_lease.election_timeout", raft_lease.election_timeout, some),
            ("systems.raft_lease.request_timeout", raft_lease.request_timeout, some),
            ("systems.redlock.node_timeout", redlock.node_timeout, some),
            ("systems.redlock.retry", redlock.retry, some),
            ("systems.redlock.retry_jitter", redlock.retry_jitter, any),
            ("systems.sql.idle_timeout", sql.idle_timeout.unwrap_or_default(), any),
            ("systems.dhcp.least_retry", dhcp.least_retry, some),
            ("systems.kubernetes.renew_deadline", kubernetes.renew_deadline, some),
            ("systems.kubernetes.retry_period", kubernetes.retry_period, some),
            ("systems.kubernetes.request_timeout", kubernetes.request_timeout, some),
            ("systems.kafka_leader.heartbeat", kafka_leader.heartbeat, some),
            ("systems.kafka_leader.looks_every", kafka_leader.looks_every, some),
            ("systems.kafka_leader.metadata_lag", kafka_leader.metadata_lag, any),
            ("systems.kafka_leader.retry_backoff", kafka_leader.retry_backoff, some),
            ("systems.kafka_producer.looks_every", kafka_producer.looks_every, some),
            ("systems.kafka_producer.retry_backoff", kafka_producer.retry_backoff, some),
        ];
        check_shares(dhcp)?;
        for (path, given, (least, most)) in lengths {
            if given < least || given > most {
                let path = path.to_owned();
                return Err(ScenarioError::OutOfRange { path, given, least, most });
            }
        }
        Ok(())
    }
}

fn check_shares(dhcp: &DhcpSettings) -> Result<(), ScenarioError> {
    let shares = [
        ("systems.dhcp.t1_permille", dhcp.t1_permille),
        ("systems.dhcp.t2_permille", dhcp.t2_permille),
    ];
    for (path, given) in shares {
        if !(1..=1000).contains(&given) {
            let (path, given) = (path.to_owned(), u32::from(given));
            return Err(ScenarioError::CountOutOfRange { path, given, most: 1000 });
        }
    }
    Ok(())
}

fn check_nodes(path: &'static str, given: u8) -> Result<(), ScenarioError> {
    let most = u8::try_from(MAX_LOCK_NODES).unwrap_or(u8::MAX);
    if (1..=most).contains(&given) {
        return Ok(());
    }
    let (path, given, most) = (path.to_owned(), u32::from(given), u32::from(most));
    Err(ScenarioError::CountOutOfRange { path, given, most })
}
