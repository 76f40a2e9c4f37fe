//! “In your system”: what a lock system and a protected resource would really be told, with the
//! numbers of this run at the playhead, and what they would answer. The commands are plain data,
//! one file per system. It reads runs and decides nothing.

mod chubby;
mod consul;
pub mod control;
mod dhcp;
mod etcd;
mod kafka_leader;
mod kafka_producer;
mod kubernetes;
mod lease_server;
mod live;
mod plain;
mod raft_leader;
mod raft_lease;
mod redis;
mod redlock;
mod resource;
mod sql;
mod zookeeper;

use crate::sim::lock::{SqlSettings, info};
use crate::sim::scenario::{Change, LockSystem, ScenarioSpec};
use crate::sim::{Recording, SimTime};

use live::Live;

/// A command, and this run's answer to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// What it is for.
    pub what: &'static str,
    /// What is typed or called; without a number of this run where none is known yet.
    pub text: String,
    /// What came of it last, at the playhead or before.
    pub answer: String,
}

/// A way out, as a button: its name, what it changes, and whether that becomes Run 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The button's name.
    pub name: &'static str,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Whether it is compared with what is there, and not put in its place.
    pub compared: bool,
}

/// What a button changes of a set-up.
type Edit = fn(&ScenarioSpec) -> Vec<Change>;

/// What using a lock system is like.
struct Practice {
    /// Where its user finds the token.
    seen: &'static str,
    /// Its real time to live, renewal and waiting.
    defaults: Edit,
    /// What takes the lock, where that hands out no token.
    takes: &'static str,
    /// A counter that it could hand out beside the lock, where it has no token: the button's name,
    /// and what it changes.
    counter: Option<(&'static str, Edit)>,
    /// How its user asks for the lock, keeps it and gives it back, each with the answer.
    commands: fn(&Live<'_>) -> [(String, String); 3],
}

/// What using `system` is like: a system that nobody has written this down of does not compile.
fn practice(system: LockSystem) -> &'static Practice {
    match system {
        LockSystem::Plain => &plain::PRACTICE,
        LockSystem::LeaseServer => &lease_server::PRACTICE,
        LockSystem::Etcd => &etcd::PRACTICE,
        LockSystem::Redis => &redis::PRACTICE,
        LockSystem::ZooKeeper => &zookeeper::PRACTICE,
        LockSystem::Chubby => &chubby::PRACTICE,
        LockSystem::Consul => &consul::PRACTICE,
        LockSystem::Redlock => &redlock::PRACTICE,
        LockSystem::Sql => &sql::PRACTICE,
        LockSystem::Dhcp => &dhcp::PRACTICE,
        LockSystem::RaftLeader => &raft_leader::PRACTICE,
        LockSystem::RaftLease => &raft_lease::PRACTICE,
        LockSystem::Kubernetes => &kubernetes::PRACTICE,
        LockSystem::KafkaLeader => &kafka_leader::PRACTICE,
        LockSystem::KafkaProducer => &kafka_producer::PRACTICE,
    }
}

/// What the token of the scenario's system is, and where its user finds it.
pub fn token_line(spec: &ScenarioSpec) -> String {
    format!("{}. {}", info(spec.lock).token, practice(spec.lock).seen)
}

/// Its real defaults, as one edit.
pub fn real_defaults(spec: &ScenarioSpec) -> Vec<Change> {
    (practice(spec.lock).defaults)(spec)
}

/// What takes the lock of the scenario's system, where that hands out no token.
pub fn takes(spec: &ScenarioSpec) -> &'static str {
    practice(spec.lock).takes
}

/// What would give the scenario's storage a number to compare.
pub fn ways_to_a_token(spec: &ScenarioSpec) -> Vec<Offer> {
    let own = practice(spec.lock).counter.map(|(name, change)| (name, change(spec)));
    let mut systems = spec.systems.clone();
    systems.sql = SqlSettings::default();
    let sql = vec![Change::Lock(LockSystem::Sql), Change::Systems(systems)];
    let sql = ("A fence column counted in SQL", sql);
    let etcd = ("Take etcd", vec![Change::Lock(LockSystem::Etcd)]);
    let offer = |(name, changes)| Offer { name, changes, compared: false };
    own.into_iter().chain([sql, etcd]).map(offer).collect()
}

/// The commands of a run, with its numbers at an instant.
pub fn commands(run: &Recording, at: SimTime) -> Vec<Command> {
    let live = Live::at(run, at);
    let told = (practice(run.scenario().spec().lock).commands)(&live);
    let names = ["Acquire", "Renew", "Release"];
    let mut all: Vec<_> = names
        .into_iter()
        .zip(told)
        .map(|(what, (text, answer))| Command { what, text, answer })
        .collect();
    all.extend(resource::commands(&live));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::Scenario;
    use crate::sim::lock::{SYSTEMS, TokenWorth};
    use crate::sim::scenario::{RESOURCES, Resource};

    fn run(changes: &[Change]) -> Recording {
        let base = GALLERY[0].file().base().expect("valid");
        Recording::of(&base.with(changes).expect("fits"))
    }

    fn at(run: &Recording, millis: u64) -> Vec<Command> {
        commands(run, SimTime::from_millis(millis))
    }

    #[test]
    fn every_system_and_resource_says_something_from_the_first_instant_to_the_last() {
        for info in &SYSTEMS {
            for resource in &RESOURCES {
                for fencing in [false, true] {
                    let run = run(&[
                        Change::Lock(info.system),
                        Change::Resource(resource.resource),
                        Change::Fencing(fencing),
                    ]);
                    for at in [SimTime::ZERO, run.ends_at()] {
                        let all = commands(&run, at);
                        assert!(all.len() > 3, "{}", info.name);
                        for command in all {
                            assert!(!command.text.is_empty() && !command.answer.is_empty());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn real_defaults_make_a_valid_scenario_with_the_systems_own_lease() {
        for info in &SYSTEMS {
            let mut spec = GALLERY[0].file().scenario;
            spec.lock = info.system;
            let base = Scenario::new(spec.clone()).expect("valid");
            let usual = base.with(&real_defaults(&spec)).expect(info.name);
            assert!(token_line(&spec).len() > 30, "{}", info.name);
            // What is asked for is what such a system grants.
            assert_eq!(usual.ttl().unwrap_or(usual.spec().lease.ttl), usual.spec().lease.ttl);
            for offer in ways_to_a_token(&spec) {
                let helped = base.with(&offer.changes).expect("fits");
                assert_eq!(helped.rules().worth, TokenWorth::Ordered, "{}", offer.name);
            }
        }
    }

    #[test]
    fn the_conditional_update_has_this_runs_numbers_and_its_answer() {
        let run = run(&[Change::Fencing(true), Change::Resource(Resource::SqlRow)]);
        let write = |millis| at(&run, millis)[3].clone();
        assert!(write(0).text.contains("fence < $token"), "{}", write(0).text);
        let new = write(13_000);
        assert!(new.text.ends_with("fence = 34 WHERE id = 7 AND fence < 34"), "{}", new.text);
        assert!(new.answer.starts_with("1 row"), "{}", new.answer);
        let stale = write(17_100);
        assert!(stale.text.ends_with("fence = 33 WHERE id = 7 AND fence < 33"), "{}", stale.text);
        assert!(stale.answer.starts_with("0 rows: 33 < 34"), "{}", stale.answer);
    }

    #[test]
    fn kafkas_answers_are_those_of_its_protocol() {
        let gallery = |id| {
            let file = crate::scenarios::GalleryEntry::find(id).expect("it is there").file();
            let base = file.base().expect("valid");
            Recording::of(&base.with(&file.compare).expect("fits"))
        };
        let write = |run: &Recording, millis| {
            let write = at(run, millis)[3].clone();
            (write.text, write.answer)
        };
        let unknown = gallery("kafka-unknown-epoch");
        let (text, answer) = write(&unknown, 18_000);
        assert!(text.contains("currentLeaderEpoch: 34"), "{text}");
        assert!(answer.starts_with("UNKNOWN_LEADER_EPOCH, 34 > 33"), "{answer}");
        assert!(write(&unknown, 25_000).1.starts_with("NONE"));
        let deposed = write(&gallery("kafka-deposed-leader"), 17_100).1;
        assert!(deposed.starts_with("FENCED_LEADER_EPOCH, 33 < 34"), "{deposed}");
        let zombie = gallery("kafka-zombie-producer");
        assert!(at(&zombie, 5_400)[0].answer.starts_with("producerId 0, epoch 35, to B"));
        let (text, answer) = write(&zombie, 11_100);
        assert!(text.ends_with("producerId 0, epoch 33"), "{text}");
        assert!(answer.starts_with("INVALID_PRODUCER_EPOCH, 33 < 36"), "{answer}");
    }

    #[test]
    fn etcds_commands_follow_the_playhead() {
        let run = run(&[Change::Lock(LockSystem::Etcd)]);
        let told = at(&run, 1_000);
        assert!(told[0].text.starts_with("etcdctl lease grant 10"), "{}", told[0].text);
        assert!(told[0].answer.contains("to A"), "{}", told[0].answer);
        assert!(at(&run, 13_000)[0].answer.contains("to B"));
        assert_eq!(told[1].answer, "Not yet");
        let refused = &at(&run, 17_200)[1];
        assert!(refused.answer.starts_with("A: etcdserver"), "{}", refused.answer);
    }
}
