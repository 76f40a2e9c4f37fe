//! The settings that only one lock system has, side by side, so that choosing another system and
//! coming back loses none of them. Each is defined with its system.

use super::chubby::ChubbySettings;
use super::consul::ConsulSettings;
use super::dhcp::DhcpSettings;
use super::etcd::EtcdSettings;
use super::kafka::{KafkaLeaderSettings, KafkaProducerSettings};
use super::kubernetes::KubernetesSettings;
use super::raft::leader::RaftLeaderSettings;
use super::raft::lease::RaftLeaseSettings;
use super::redis::RedisSettings;
use super::redlock::RedlockSettings;
use super::sql::SqlSettings;
use super::zookeeper::ZooKeeperSettings;
use crate::sim::form::fields;

fields! {
    /// What only one lock system has.
    pub struct SystemSettings: Default {
        /// etcd's.
        pub etcd: EtcdSettings => EtcdSettings::default();
        /// Redis'.
        pub redis: RedisSettings => RedisSettings::default();
        /// `ZooKeeper`'s.
        pub zookeeper: ZooKeeperSettings => ZooKeeperSettings::default();
        /// Chubby's.
        pub chubby: ChubbySettings => ChubbySettings::default();
        /// Consul's.
        pub consul: ConsulSettings => ConsulSettings::default();
        /// Redlock's.
        pub redlock: RedlockSettings => RedlockSettings::default();
        /// A SQL database's.
        pub sql: SqlSettings => SqlSettings::default();
        /// DHCP's.
        pub dhcp: DhcpSettings => DhcpSettings::default();
        /// A Raft leader's.
        pub raft_leader: RaftLeaderSettings => RaftLeaderSettings::default();
        /// client-go's.
        pub kubernetes: KubernetesSettings => KubernetesSettings::default();
        /// A Raft-backed lease service's.
        pub raft_lease: RaftLeaseSettings => RaftLeaseSettings::default();
        /// A Kafka partition leader's.
        pub kafka_leader: KafkaLeaderSettings => KafkaLeaderSettings::default();
        /// A Kafka producer's.
        pub kafka_producer: KafkaProducerSettings => KafkaProducerSettings::default();
    }
}
