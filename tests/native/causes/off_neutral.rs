//! The settings of one lock system that have a neutral value, each off it: what causes are tried
//! with, and whether each has words.

use fenceline::scenarios::GALLERY;
use fenceline::sim::SimDuration;
use fenceline::sim::lock::*;
use fenceline::sim::scenario::LockSystem;
use fenceline::view_model::systems::set_off_neutral;

/// Turns a setting off its neutral value.
pub type Turn = fn(&mut SystemSettings);

/// All of them: of which system, by what name.
pub const OFF: &[(LockSystem, &str, Turn)] = &[
    (LockSystem::Etcd, "token", |all| all.etcd.token = EtcdToken::LeaseId),
    (LockSystem::Etcd, "bump_revision", |all| all.etcd.bump_revision = true),
    (LockSystem::Redis, "token", |all| all.redis.token = RedisToken::Counter),
    (LockSystem::ZooKeeper, "token", |all| all.zookeeper.token = ZooKeeperToken::Zxid),
    (LockSystem::ZooKeeper, "order", |all| all.zookeeper.order = NameOrder::Text),
    (LockSystem::ZooKeeper, "guid", |all| all.zookeeper.guid = false),
    (LockSystem::ZooKeeper, "shared_parent", |all| all.zookeeper.shared_parent = true),
    (LockSystem::ZooKeeper, "at_the_end", |all| all.zookeeper.at_the_end = AtTheEnd::Wraps),
    (LockSystem::ZooKeeper, "container", |all| all.zookeeper.container = true),
    (LockSystem::ZooKeeper, "on_disconnect", |all| {
        all.zookeeper.on_disconnect = OnDisconnect::LetsGo;
    }),
    (LockSystem::Chubby, "sequencer", |all| all.chubby.sequencer = Sequencer::Generation),
    (LockSystem::Chubby, "ephemeral", |all| all.chubby.ephemeral = true),
    (LockSystem::Consul, "token", |all| all.consul.token = ConsulToken::ModifyIndex),
    (LockSystem::Consul, "behavior", |all| all.consul.behavior = Behavior::Delete),
    (LockSystem::Redlock, "persistence", |all| all.redlock.persistence = Persistence::Always),
    (LockSystem::Redlock, "delayed_restart", |all| all.redlock.delayed_restart = true),
    (LockSystem::Redlock, "order", |all| all.redlock.order = AskOrder::InTurn),
    (LockSystem::Redlock, "waits_for", |all| all.redlock.waits_for = WaitsFor::All),
    (LockSystem::Redlock, "validity", |all| all.redlock.validity = Validity::FromTheFirstTry),
    (LockSystem::Sql, "clock", |all| all.sql.clock = SqlClock::Nodes),
    (LockSystem::Sql, "acquire", |all| all.sql.acquire = SqlAcquire::SelectThenUpdate),
    (LockSystem::Sql, "idle_timeout", |all| {
        all.sql.idle_timeout = Some(SimDuration::from_secs(5));
    }),
    (LockSystem::Dhcp, "t1_permille", |all| all.dhcp.t1_permille = 400),
    (LockSystem::Dhcp, "t2_permille", |all| all.dhcp.t2_permille = 900),
    (LockSystem::RaftLeader, "sticky", |all| all.raft_leader.sticky = false),
    (LockSystem::RaftLeader, "reads", |all| all.raft_leader.reads = Reads::Plain),
    (LockSystem::RaftLease, "sticky", |all| all.raft_lease.sticky = false),
    (LockSystem::RaftLease, "check_quorum", |all| all.raft_lease.check_quorum = false),
    (LockSystem::Kubernetes, "token", |all| {
        all.kubernetes.token = KubernetesToken::Transitions;
    }),
    (LockSystem::KafkaProducer, "transactional_id", |all| {
        all.kafka_producer.transactional_id = TransactionalId::Random;
    }),
    (LockSystem::KafkaProducer, "version", |all| {
        all.kafka_producer.version = TransactionVersion::One;
    }),
];

#[test]
fn each_is_at_its_neutral_value_by_default_and_has_words_off_it() {
    for system in SYSTEMS {
        let listed = OFF.iter().filter(|(of, ..)| *of == system.system);
        let listed: Vec<_> = listed.map(|(_, name, _)| *name).collect();
        let own: Vec<_> = system.own.iter().map(|own| own.name).collect();
        assert_eq!(own, listed, "{}", system.name);
        let mut usual = SystemSettings::default();
        system.own.iter().for_each(|own| (own.put_back)(&mut usual));
        assert_eq!(usual, SystemSettings::default(), "{}", system.name);
    }
    for (system, name, turn) in OFF {
        let mut spec = GALLERY[0].file().scenario;
        spec.lock = *system;
        assert_eq!(set_off_neutral(&spec, name), "", "{name} is at its neutral value");
        turn(&mut spec.systems);
        assert!(!set_off_neutral(&spec, name).is_empty(), "{name} has no words");
    }
}
