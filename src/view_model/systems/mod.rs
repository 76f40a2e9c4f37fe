//! “In your system”: what a lock system and a protected resource would really be told, with the
//! numbers of this run at the playhead, and what they would answer. The commands are plain data,
//! one file per system, each with the server that ran its lines or the document that they are from.
//! It reads runs and decides nothing.

mod chubby;
mod consul;
mod dhcp;
mod etcd;
mod kafka_leader;
mod kafka_producer;
mod kubernetes;
mod lease_server;
mod live;
mod origin;
mod plain;
mod raft_leader;
mod raft_lease;
mod redis;
mod redlock;
mod reply;
mod resource;
mod row;
mod sql;
mod transaction;
mod zookeeper;

use crate::sim::lock::{Fixed, SqlSettings, info};
use crate::sim::scenario::{Change, LockSystem, ScenarioSpec};
use crate::sim::{Recording, SimDuration, SimTime};

use crate::view_model::controls::Control;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::duration;
use live::Live;
use row::{Practice, SystemRow};

pub use origin::{Document, Origin, Program, Server};
pub use reply::Reply;
pub use row::{Command, Offer};

/// The row of a system: one that nobody has written this down of does not compile.
fn row(system: LockSystem) -> &'static SystemRow {
    match system {
        LockSystem::Plain => &plain::ROW,
        LockSystem::LeaseServer => &lease_server::ROW,
        LockSystem::Etcd => &etcd::ROW,
        LockSystem::Redis => &redis::ROW,
        LockSystem::ZooKeeper => &zookeeper::ROW,
        LockSystem::Chubby => &chubby::ROW,
        LockSystem::Consul => &consul::ROW,
        LockSystem::Redlock => &redlock::ROW,
        LockSystem::Sql => &sql::ROW,
        LockSystem::Dhcp => &dhcp::ROW,
        LockSystem::RaftLeader => &raft_leader::ROW,
        LockSystem::RaftLease => &raft_lease::ROW,
        LockSystem::Kubernetes => &kubernetes::ROW,
        LockSystem::KafkaLeader => &kafka_leader::ROW,
        LockSystem::KafkaProducer => &kafka_producer::ROW,
    }
}

/// What using a system is like.
fn practice(system: LockSystem) -> &'static Practice {
    &row(system).practice
}

/// The controls that the scenario's own system alone has.
pub fn own_controls(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    (row(spec.lock).controls)(words, spec)
}

/// What a set-up has where one of its system's own settings is off its neutral value.
pub fn set_off_neutral(spec: &ScenarioSpec, name: &str) -> String {
    let mut put_back = spec.clone();
    let own = info(spec.lock).own.iter().find(|own| own.name == name);
    own.inspect(|own| (own.put_back)(&mut put_back.systems));
    let setting = row(spec.lock).setting;
    let left = setting(&put_back);
    setting(spec).into_iter().filter(|part| !left.contains(part)).collect()
}

/// What differs from the defaults of the scenario's own system, in a few words.
pub fn setting(spec: &ScenarioSpec) -> String {
    let parts = (row(spec.lock).setting)(spec);
    match parts.is_empty() {
        true => format!("{} as usual", info(spec.lock).name),
        false => parts.join(", "),
    }
}

/// What the token of the scenario's system is, and where its user finds it.
pub fn token_line(spec: &ScenarioSpec) -> String {
    format!("{}. {}", token(spec), practice(spec.lock).seen)
}

/// What the token of the scenario's system is in this set-up, and whether a storage can fence by
/// it.
pub fn token(spec: &ScenarioSpec) -> &'static str {
    (practice(spec.lock).token)(spec).unwrap_or(info(spec.lock).token)
}

/// Its real defaults, as one edit.
pub fn real_defaults(spec: &ScenarioSpec) -> Vec<Change> {
    (practice(spec.lock).defaults)(spec)
}

/// What its button says, and below that which lease they are: `Use Redisson's defaults`, `30 s,
/// renewed every 10 s`.
pub fn defaults_words(spec: &ScenarioSpec) -> (String, String) {
    let mut usual = spec.clone();
    // They fit every set-up of their system; a test applies them all.
    let _ = real_defaults(spec).iter().try_for_each(|change| change.apply(&mut usual));
    let ttl = usual.lease.ttl;
    let has_ttl = crate::sim::lock::rules(&usual).has_ttl && spec.lock != LockSystem::Plain;
    let own_renewal = info(spec.lock).fixes.contains(&Fixed::Renew);
    let every = usual.defaults.renew.interval(Some(ttl)).filter(|_| !own_renewal);
    let numbers = match (has_ttl, every) {
        (false, _) => String::new(),
        (true, None) => ttl.to_string(),
        (true, Some(every)) => format!("{ttl}, renewed every {}", duration_short(every)),
    };
    (format!("Use {} defaults", practice(spec.lock).whose), numbers)
}

/// A length in a few characters.
fn duration_short(length: SimDuration) -> String {
    let text = duration(length);
    text.replace(".0 s", " s")
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
    let sql = ("Count in the database", sql);
    let etcd = ("Use etcd instead", vec![Change::Lock(LockSystem::Etcd)]);
    let offer = |(name, changes)| Offer { name, changes, compared: false };
    own.into_iter().chain([sql, etcd]).map(offer).collect()
}

/// The commands of a run, with its numbers at an instant.
pub fn commands(run: &Recording, at: SimTime) -> Vec<Command> {
    let live = Live::at(run, at);
    let spec = run.scenario().spec();
    let practice = practice(spec.lock);
    let asked = live.asked.map(|(_, client, _)| client);
    let renewed = live.renewed.map(|(_, client, ..)| client);
    let released = live.released.map(|(_, client, ..)| client);
    let names = [("Acquire", asked), ("Renew", renewed), ("Release", released)];
    let told = names.into_iter().zip((practice.commands)(&live)).zip((practice.origin)(spec));
    let mut all: Vec<_> = told
        .map(|(((what, by), (text, answer)), origin)| Command { what, text, answer, by, origin })
        .collect();
    all.extend(resource::commands(&live));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::Scenario;
    use crate::sim::fact::{Fact, StoreFact};
    use crate::sim::lock::{EtcdToken, KubernetesToken, RedisToken, SYSTEMS, TokenWorth};
    use crate::sim::scenario::{FenceRule, RESOURCES, Repeat, Resource, TokenSource};

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
                            assert!(!command.text.is_empty() && !command.answer.means.is_empty());
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
        assert!(write(0).text.contains("fence < :token"), "{}", write(0).text);
        let new = write(13_000);
        assert!(new.text.ends_with("fence = 34 WHERE id = 7 AND fence < 34;"), "{}", new.text);
        assert_eq!(new.answer.to_string(), "UPDATE 1: applied, for B · 12.4 s");
        let stale = write(17_100);
        assert!(stale.text.ends_with("fence = 33 WHERE id = 7 AND fence < 33;"), "{}", stale.text);
        assert_eq!(stale.answer.to_string(), "UPDATE 0: 33 < 34, for A · 17.1 s");
        let read_back = at(&run, 17_100)[4].clone();
        assert_eq!(read_back.what, "Read back after the write");
        assert_eq!(read_back.answer.to_string(), "34 | B1.1: 33 is stale, for A · 17.1 s");
        assert_eq!(at(&run, 13_000).len(), 4, "a row that was changed is not read back");
    }

    #[test]
    fn a_claim_that_is_repeated_changes_no_row_and_is_read_back_as_ones_own() {
        let run = run(&[
            Change::Fencing(true),
            Change::Resource(Resource::SqlRow),
            Change::Seal(true),
            Change::Repeat(Repeat::After(SimDuration::from_secs(1))),
        ]);
        let claims: Vec<_> = run
            .log()
            .entries()
            .iter()
            .filter(|entry| matches!(entry.fact, Fact::Store(_, StoreFact::SealAccepted { .. })))
            .map(|entry| commands(&run, entry.at)[3..5].to_vec())
            .collect();
        let again: Vec<_> =
            claims.iter().filter(|told| told[0].answer.said == "UPDATE 0").collect();
        assert!(claims.len() > again.len(), "the first claim of a grant raises the fence");
        for told in &again {
            assert_eq!(told[1].what, "Read back after the claim");
            assert!(told[1].answer.means.contains("is its own, claimed before: it goes on"));
        }
        assert!(!again.is_empty(), "{claims:?}");
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
            (write.text, write.answer.to_string())
        };
        let unknown = gallery("kafka-unknown-epoch");
        let (text, answer) = write(&unknown, 18_000);
        assert!(text.contains("currentLeaderEpoch: 34"), "{text}");
        assert!(answer.starts_with("UNKNOWN_LEADER_EPOCH: 34 > 33"), "{answer}");
        assert!(write(&unknown, 25_000).1.starts_with("NONE: "));
        let deposed = write(&gallery("kafka-deposed-leader"), 17_100).1;
        assert!(deposed.starts_with("FENCED_LEADER_EPOCH: 33 < 34"), "{deposed}");
        let zombie = gallery("kafka-zombie-producer");
        let owner = at(&zombie, 5_400)[0].answer.to_string();
        assert!(owner.starts_with("producerId 0, epoch 35: granted to B"), "{owner}");
        let (text, answer) = write(&zombie, 11_100);
        assert!(text.ends_with("producerId 0, epoch 33"), "{text}");
        assert!(answer.starts_with("INVALID_PRODUCER_EPOCH: 33 < 36"), "{answer}");
    }

    #[test]
    fn etcds_commands_follow_the_playhead() {
        let run = run(&[Change::Lock(LockSystem::Etcd)]);
        let asked = at(&run, 1_000)[0].clone();
        // One lease, and the key is under it.
        assert_eq!(asked.text.matches("lease grant 10").count(), 1, "{}", asked.text);
        assert!(asked.text.contains("put --lease=$lease job-7/$lease A"), "{}", asked.text);
        assert_eq!(asked.answer.to_string(), "\"CreateRevision\" : 33: granted to A · 0.2 s");
        let waits = at(&run, 1_200)[0].answer.clone();
        assert_eq!(waits.said, "\"CreateRevision\" : 33", "another's: {waits}");
        let later = at(&run, 13_000)[0].clone();
        assert!(later.text.starts_with("etcdctl get"), "it has joined: {}", later.text);
        assert!(later.answer.means.contains("to B"), "{}", later.answer);
        assert_eq!(at(&run, 1_000)[1].answer.to_string(), "Not yet");
        let refused = &at(&run, 17_200)[1];
        assert!(refused.answer.said.starts_with("etcdserver"), "{}", refused.answer);
        let of_the_token = token_line(run.scenario().spec());
        assert!(of_the_token.contains("IsOwner()"), "{of_the_token}");
    }

    #[test]
    fn one_transaction_is_each_systems_own() {
        let of = |system, changes: &[Change]| {
            let all = [
                changes,
                &[
                    Change::Lock(system),
                    Change::Rule(FenceRule::SameTransaction),
                    Change::Fencing(true),
                ],
            ];
            commands(&run(&all.concat()), SimTime::from_millis(18_000))[3].clone()
        };
        assert!(of(LockSystem::Etcd, &[]).text.starts_with("etcdctl txn"));
        let consul = of(LockSystem::Consul, &[]).text;
        assert!(consul.contains("/v1/txn") && consul.contains("check-session"), "{consul}");
        let mut systems = GALLERY[0].file().scenario.systems;
        systems.redis.token = RedisToken::Counter;
        let redis = of(LockSystem::Redis, &[Change::Systems(systems)]).text;
        assert!(redis.contains("2 lock:{job-7} jobs:{job-7}"), "one slot: {redis}");
        assert!(of(LockSystem::ZooKeeper, &[]).text.contains("t.check('/locks/job-7/lock-"));
        for system in [LockSystem::Sql, LockSystem::Plain] {
            let sql = of(system, &[]).text;
            assert!(sql.contains("AND EXISTS (SELECT FROM locks"), "{sql}");
        }
        assert!(of(LockSystem::RaftLeader, &[]).text.starts_with("node.Propose"));
        assert!(of(LockSystem::LeaseServer, &[]).text.starts_with("POST /transactions"));
    }

    #[test]
    fn whoever_answers_by_a_status_is_asked_for_it() {
        let is_status = |said: &str| said.len() == 3 && said.parse::<u16>().is_ok();
        let mut n_told = 0;
        for info in &SYSTEMS {
            for rule in [FenceRule::RejectLower, FenceRule::SameTransaction] {
                let changes =
                    [Change::Lock(info.system), Change::Rule(rule), Change::Fencing(true)];
                let run = run(&changes);
                for second in 0..=run.ends_at().since_start().micros() / 1_000_000 {
                    let all = at(&run, second * 1_000);
                    let by_curl = all.iter().filter(|command| command.text.contains("curl"));
                    for command in by_curl.filter(|command| is_status(&command.answer.said)) {
                        n_told += 1;
                        assert!(command.text.contains("-w '%{http_code}"), "{}", command.text);
                    }
                }
            }
        }
        assert!(n_told > 0);
    }

    #[test]
    fn what_is_said_of_a_token_is_what_it_is_worth() {
        let base = GALLERY[0].file().base().expect("valid");
        let mut n_without = 0;
        for info in &SYSTEMS {
            for source in [TokenSource::Counter, TokenSource::LeaseId, TokenSource::Constant] {
                let mut systems = base.spec().systems.clone();
                if source == TokenSource::LeaseId {
                    systems.etcd.token = EtcdToken::LeaseId;
                    systems.redis.token = RedisToken::Counter;
                    systems.kubernetes.token = KubernetesToken::Transitions;
                }
                let changes = [
                    Change::Lock(info.system),
                    Change::TokenSource(source),
                    Change::Systems(systems),
                ];
                let changed = base.with(&changes).expect("fits");
                let said = token(changed.spec());
                let can = changed.rules().worth == TokenWorth::Ordered;
                n_without += u32::from(!can);
                assert_eq!(!can, said.contains("cannot fence"), "{}: {said}", info.name);
            }
        }
        assert!(n_without > 0);
    }

    #[test]
    fn what_client_go_refuses_is_said_beside_the_call() {
        let of = |deadline, retry| {
            let mut systems = GALLERY[0].file().scenario.systems;
            systems.kubernetes.renew_deadline = SimDuration::from_secs(deadline);
            systems.kubernetes.retry_period = SimDuration::from_secs(retry);
            let lease = Change::Ttl(SimDuration::from_secs(15));
            let changes = [Change::Lock(LockSystem::Kubernetes), lease, Change::Systems(systems)];
            commands(&run(&changes), SimTime::ZERO)[0].text.clone()
        };
        assert!(!of(10, 2).contains("panics"));
        assert!(of(15, 2).ends_with("panics: leaseDuration must be greater than renewDeadline"));
        assert!(of(6, 5).contains("must be greater than retryPeriod"));
    }

    #[test]
    fn a_tool_of_a_shell_is_not_said_to_be_from_a_protocol() {
        for command in commands(&run(&[Change::Lock(LockSystem::KafkaLeader)]), SimTime::ZERO) {
            let is_typed = [".sh ", "kill "].iter().any(|tool| command.text.contains(tool));
            let document = command.origin.document().map(|document| document.url);
            let is_protocol = document.is_some_and(|url| url.ends_with("/protocol"));
            assert!(!(is_typed && is_protocol), "{}: {document:?}", command.text);
        }
    }

    #[test]
    fn what_has_no_default_is_not_set_as_one() {
        let mut spec = GALLERY[0].file().scenario;
        spec.lock = LockSystem::Chubby;
        let sets_delay = |change: &Change| matches!(change, Change::LockDelay(_));
        assert!(!real_defaults(&spec).iter().any(sets_delay), "a minute is its bound");
    }

    #[test]
    fn a_document_is_named_with_its_place_where_nothing_was_run() {
        for info in &SYSTEMS {
            let run = run(&[Change::Lock(info.system)]);
            for command in commands(&run, SimTime::ZERO) {
                let (before, after) = command.origin.words();
                match command.origin {
                    Origin::Documented(document) => {
                        assert!(document.url.starts_with("https://"), "{}", document.url);
                        assert!(after.ends_with("not run here"));
                    }
                    Origin::Ran(server) => assert!(before.contains(server.version), "{before}"),
                    Origin::Ours => assert!(before.ends_with("not run"), "{before}"),
                }
            }
        }
    }
}
