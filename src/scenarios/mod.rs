//! The gallery: scenarios that come with the program, each a file as users write them, with what
//! both of its runs must come to. Adding one: write its file, add a line to [`GALLERY`]. And the
//! products by whose names people know their lock.

pub mod products;

use crate::sim::scenario::ScenarioFile;

/// A scenario of the gallery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GalleryEntry {
    /// Its name in links; never changes.
    pub id: &'static str,
    /// What to do with it, in a sentence.
    pub call: &'static str,
    /// The scenario file.
    pub json: &'static str,
}

/// One line of the gallery: the id is the name of the file.
macro_rules! entry {
    ($id:literal, $call:literal) => {
        GalleryEntry { id: $id, call: $call, json: include_str!(concat!($id, ".json")) }
    };
}

/// All scenarios, in the order in which they are offered. The page opens with the first.
pub const GALLERY: [GalleryEntry; 72] = [
    entry!(
        "paused-holder",
        "Client A freezes past its lease, then writes late. Drag the pause, or press Play."
    ),
    entry!("lease-frees-itself", "The holder crashes; see how long the others wait."),
    entry!(
        "no-expiry",
        "Without an expiry nobody else ever gets the lock, and a fence does not help."
    ),
    entry!("renew-or-lose-it", "The work takes three leases: see what renewal is worth."),
    entry!("job-outlives-lease", "Nobody pauses: the job takes longer than its lease."),
    entry!("queue-item-twice", "A queue's message outlives its timeout, and its ack is void."),
    entry!("short-pause", "Two seconds more than the lease are enough."),
    entry!("longer-lease", "Six times the lease, and a pause that outlasts it all the same."),
    entry!("harmless-pause", "A late write that does no harm, this time."),
    entry!(
        "checked-still-late",
        "Client A asks right before its write, and is too late all the same."
    ),
    entry!("window-before-first-write", "A fence alone leaves a window; the seal closes it."),
    entry!("late-packet", "Nobody pauses: one packet takes its time."),
    entry!("three-workers", "A late release frees somebody else's lock."),
    entry!(
        "eight-workers",
        "Eight clients queue, and the first to freeze writes after three others."
    ),
    entry!("slow-or-dead", "A pause and a cut link: the lock service sees the same."),
    entry!("nobody-checks", "The token is sent, and the storage cannot compare it."),
    entry!("second-write", "Two writes under one grant, and a storage that takes each token once."),
    entry!("lost-reply", "A write is applied, its answer is lost, and client A tries again."),
    entry!(
        "efficiency",
        "Without a growing token the same work is done twice: see when that does harm."
    ),
    entry!("outside-the-fence", "A payment is made twice, and no fence can take it back."),
    entry!(
        "forgetful-service",
        "The lock service restarts, forgets its leases, and grants the lock again."
    ),
    entry!("clock-jump", "Whoever asks judges by a clock of its own, and one clock is set ahead."),
    entry!("token-without-order", "Compare lease ids, and the rightful holder is refused."),
    entry!("lock-taken-twice", "A holder takes its own lock again, and a new token shuts it out."),
    entry!("etcd-not-told", "etcd: a holder that is cut off hears nothing of its lease's end."),
    entry!("etcd-waiter-session", "etcd: a waiter's own session dies in the queue."),
    entry!("etcd-lease-revision", "etcd: compare the lease's age, and the wrong one is refused."),
    entry!("etcd-snapshot", "etcd: restored from a snapshot, it hands out old tokens again."),
    entry!("etcd-one-transaction", "etcd: the value lies beside the lock, and nothing is late."),
    entry!("etcd-leader-change", "etcd: its leader fails, and neither lock nor revision is lost."),
    entry!(
        "queue-renewal-cap",
        "A queue's client renews for five minutes, then stops and tells nobody."
    ),
    entry!("kafka-slow-batch", "Kafka: a batch outlasts the poll interval, and is done twice."),
    // One system each.
    entry!("redis-failover", "Redis promotes a replica that was not told of the lock."),
    entry!("redis-release-without-check", "Redis: a plain DEL frees somebody else's lock."),
    entry!("redis-efficiency", "Redis: the fence is on and has nothing to compare."),
    entry!("zookeeper-ticks", "ZooKeeper: a session ends at the tick after its time."),
    entry!("zookeeper-not-told", "ZooKeeper: a client without a connection hears of no expiry."),
    entry!("zookeeper-orphan", "ZooKeeper: a client queues behind its own node."),
    entry!("zookeeper-wrap", "ZooKeeper: the sequence number wraps, and the newest looks oldest."),
    entry!("zookeeper-container", "ZooKeeper: the parent was removed, and numbers begin at 0."),
    entry!("chubby-failover", "Chubby: in jeopardy a client waits, and nothing is lost."),
    entry!("chubby-lock-delay", "Chubby: a delay after a failure helps as far as it reaches."),
    entry!("storage-asks", "A storage that asks is told what was true a message ago."),
    entry!("chubby-instance", "Chubby: a generation means nothing without its instance."),
    entry!("consul-twice", "Consul: a dead holder's lock comes free after twice the time."),
    entry!("consul-deleted", "Consul: the key is deleted, and its lock index with it."),
    entry!("redlock-clock-jump", "Three of five nodes, and the clock of one of them is set ahead."),
    entry!("redlock-restart", "One of the three nodes that granted restarts without its key."),
    entry!("redlock-paused-holder", "A majority, a look at the clock, and then a pause."),
    entry!("redlock-split-vote", "Two clients get two nodes each, and nobody gets the lock."),
    entry!("sql-select-then-update", "SQL: SELECT, then UPDATE, and both have the row."),
    entry!("sql-node-clocks", "SQL: a row whose end each node judges by its own clock."),
    entry!("sql-open-transaction", "SQL: a cut transaction takes its token back."),
    entry!("sql-idle-connection", "SQL: a connection that lives on keeps the lock."),
    entry!("sql-zero-rows", "SQL: 0 rows were changed, for three different reasons."),
    entry!("dhcp-old-holder", "DHCP: the old holder goes on using the address."),
    entry!("raft-deposed-leader", "A leader is cut off, and another is elected behind its back."),
    entry!("raft-stale-read", "A deposed leader is asked whether it leads."),
    entry!("dhcp-deaf-client", "DHCP: nobody but the client itself ends what it does."),
    entry!("kubernetes-paused-leader", "client-go: a leader wakes, and its name says nothing."),
    entry!("kubernetes-clock-rate", "client-go: a follower's clock runs twice as fast."),
    entry!("kubernetes-no-margin", "client-go: a leader tries for longer than its lease lasts."),
    entry!("raft-lease-leader-lost", "Raft leases: the leader is lost, and no lease with it."),
    entry!("raft-lease-minority", "Raft leases: a parted service, and its minority refuses."),
    entry!("raft-lease-majority-lost", "Raft leases: without a majority nobody gets the lock."),
    entry!("kafka-deposed-leader", "Kafka: a leader wakes, and its epoch is over."),
    entry!("kafka-unknown-epoch", "Kafka: a broker that has not heard of the new leader."),
    entry!("kafka-stale-checker", "Kafka: the old leader's epoch is all that the checker knows."),
    entry!("kafka-zombie-producer", "Kafka: whoever initialises last fences the others."),
    entry!("kafka-random-id", "Kafka: with an id of its own, nobody is fenced."),
    entry!("kafka-transaction-timeout", "Kafka: nobody else wants to write, and it is fenced."),
    entry!("kafka-sequence-number", "Kafka: an old copy of a write comes last, and is dropped."),
];

impl GalleryEntry {
    /// The entry with this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        GALLERY.iter().find(|entry| entry.id == id)
    }

    /// The scenario.
    pub fn file(&self) -> ScenarioFile {
        ScenarioFile::parse(self.json).expect("the gallery's test reads every file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_reads_and_reads_back() {
        for entry in GALLERY {
            let file = ScenarioFile::parse(entry.json).expect(entry.id);
            assert_eq!(ScenarioFile::parse(&file.to_json()), Ok(file), "{}", entry.id);
            assert_eq!(GalleryEntry::find(entry.id), Some(&entry));
        }
    }
}
