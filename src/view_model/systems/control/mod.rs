//! The controls that only one lock system has, and what a set-up has of them in words. One file per
//! system and a line in each table here.

mod chubby;
mod consul;
mod dhcp;
mod etcd;
mod kafka_leader;
mod kafka_producer;
mod kubernetes;
mod raft_leader;
mod raft_lease;
mod redis;
mod redlock;
mod sql;
mod zookeeper;

use crate::sim::scenario::{LockSystem, ScenarioSpec};
use crate::view_model::controls::Control;
use crate::view_model::words::names::Words;

/// The controls of the scenario's own system.
pub(in crate::view_model) fn system(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    match spec.lock {
        LockSystem::Plain | LockSystem::LeaseServer => Vec::new(),
        LockSystem::Etcd => etcd::controls(words, spec),
        LockSystem::Redis => redis::controls(spec),
        LockSystem::ZooKeeper => zookeeper::controls(spec),
        LockSystem::Chubby => chubby::controls(spec),
        LockSystem::Consul => consul::controls(spec),
        LockSystem::Redlock => redlock::controls(spec),
        LockSystem::Sql => sql::controls(spec),
        LockSystem::Dhcp => dhcp::controls(spec),
        LockSystem::RaftLeader => raft_leader::controls(spec),
        LockSystem::RaftLease => raft_lease::controls(spec),
        LockSystem::Kubernetes => kubernetes::controls(spec),
        LockSystem::KafkaLeader => kafka_leader::controls(spec),
        LockSystem::KafkaProducer => kafka_producer::controls(spec),
    }
}

/// What differs from the defaults of the scenario's own system, in a few words.
pub fn setting(spec: &ScenarioSpec) -> String {
    let parts = match spec.lock {
        LockSystem::Plain | LockSystem::LeaseServer => Vec::new(),
        LockSystem::Etcd => etcd::setting(&spec.systems.etcd),
        LockSystem::Redis => redis::setting(&spec.systems.redis),
        LockSystem::ZooKeeper => zookeeper::setting(&spec.systems.zookeeper),
        LockSystem::Chubby => chubby::setting(&spec.systems.chubby),
        LockSystem::Consul => consul::setting(&spec.systems.consul),
        LockSystem::Redlock => redlock::setting(&spec.systems.redlock),
        LockSystem::Sql => sql::setting(&spec.systems.sql),
        LockSystem::Dhcp => dhcp::setting(&spec.systems.dhcp),
        LockSystem::RaftLeader => raft_leader::setting(&spec.systems.raft_leader),
        LockSystem::RaftLease => raft_lease::setting(&spec.systems.raft_lease),
        LockSystem::Kubernetes => kubernetes::setting(&spec.systems.kubernetes),
        LockSystem::KafkaLeader => kafka_leader::setting(&spec.systems.kafka_leader),
        LockSystem::KafkaProducer => kafka_producer::setting(&spec.systems.kafka_producer),
    };
    match parts.is_empty() {
        true => format!("{} as usual", crate::sim::lock::info(spec.lock).name),
        false => parts.join(", "),
    }
}

/// Sets a field of one system's settings in a change of them all.
macro_rules! field {
    ($spec:expr, $system:ident . $field:ident) => {
        $crate::view_model::controls::ToChange::new(
            $crate::sim::scenario::Change::Systems($spec.systems.clone()),
            |change, value| {
                if let $crate::sim::scenario::Change::Systems(all) = change {
                    all.$system.$field = value;
                }
            },
        )
    };
}
use field;

/// Sets a share, in thousandths, of one system's settings.
macro_rules! thousandths {
    ($spec:expr, $system:ident . $field:ident) => {
        $crate::view_model::controls::ToChange::new(
            $crate::sim::scenario::Change::Systems($spec.systems.clone()),
            |change, value: i64| {
                if let $crate::sim::scenario::Change::Systems(all) = change {
                    all.$system.$field = u16::try_from(value).unwrap_or(1000);
                }
            },
        )
    };
}
use thousandths;
