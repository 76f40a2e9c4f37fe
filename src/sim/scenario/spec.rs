//! How long a run lasts, and the lock systems that there are.

use crate::sim::form::choices;
use crate::sim::limits;
use crate::sim::time::SimDuration;

choices! {
    /// How long a run lasts.
    #[derive(Copy)]
    pub enum Length = Auto {
        /// Last fault's end + 2 × TTL + work, at least 20 s, and until the outcome is settled.
        Auto,
        /// This long, whatever is pending then.
        Fixed(SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION),
    }
}

choices! {
    /// The lock systems. What each one is, and what its token is worth, stands in `sim::lock`.
    #[derive(Copy)]
    pub enum LockSystem {
        /// A lock without a time to live.
        Plain,
        /// A generic lease server with a counter as token.
        LeaseServer,
        /// etcd.
        Etcd,
        /// Redis, `SET key value NX PX ttl`.
        Redis,
        /// `ZooKeeper`, with the lock of its recipes.
        ZooKeeper ["zookeeper"],
        /// Chubby.
        Chubby,
        /// Consul.
        Consul,
        /// Redlock: a majority of Redis nodes that know nothing of one another.
        Redlock,
        /// A row of a SQL database, or a lock in one of its connections.
        Sql,
        /// DHCP: an address on lease.
        Dhcp,
        /// Leadership in a Raft group.
        RaftLeader,
        /// Leader election by Kubernetes' client-go.
        Kubernetes,
        /// A lease service whose nodes agree on every lease by Raft.
        RaftLease,
        /// Leadership of a partition in Kafka.
        KafkaLeader,
        /// A transactional producer of Kafka.
        KafkaProducer,
    }
}
