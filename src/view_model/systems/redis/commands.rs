//! Redis, by its commands. Sources: redis.io, “Distributed Locks with Redis” (`SET NX PX`, the
//! script that compares the value before it deletes), “Redis cluster specification” (hash tags);
//! Redisson, `lockWatchdogTimeout` (30 s, renewed at a third).

use crate::sim::lock::{RedisSettings, RedisToken};
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::origin;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::transaction::{Transaction, token_and_value};

pub(super) const PRACTICE: Practice = Practice {
    seen: "A counter comes back from the script that sets the key",
    token,
    defaults,
    whose: "Redisson's",
    takes: "Redis SET",
    counter: Some(("Add a counter in the same script", counter)),
    commands,
    transaction,
    origin: |_| [origin::REDIS; 3],
};

fn token(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.systems.redis.token {
        RedisToken::Value => None,
        RedisToken::Counter => Some(
            "A counter by INCR, in the script that sets the key: it can fence, until a failover \
             loses it",
        ),
    }
}

fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.redis = RedisSettings::default();
    let (every, jitter) = (SimDuration::from_millis(200), SimDuration::from_millis(200));
    vec![
        Change::Ttl(SimDuration::from_secs(30)),
        Change::Renew(Renew::Share(Ratio::THIRD)),
        Change::Wait(Wait::Poll { every, jitter }),
        Change::Systems(systems),
    ]
}

fn counter(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.redis.token = RedisToken::Counter;
    vec![Change::Systems(systems)]
}

/// A script that does something to the key if its value is the holder's own.
fn if_own(key: &str, command: &str, arguments: &str) -> String {
    format!(
        "redis-cli EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then return \
         redis.call({command}) else return 0 end\" 1 {key} $value{arguments}"
    )
}

/// The lock's key. Where a script has a second key, a cluster must find both in one slot: it hashes
/// what stands in braces.
fn key(live: &Live<'_>) -> &'static str {
    match live.scenario.spec().systems.redis.token {
        RedisToken::Value => "lock:job-7",
        RedisToken::Counter => "lock:{job-7}",
    }
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let (ttl, key) = (live.ttl_millis(), key(live));
    let lease = &live.scenario.spec().lease;
    let checks = live.scenario.rules().owner_check;
    let counts = live.scenario.spec().systems.redis.token == RedisToken::Counter;
    let take = match (lease.two_steps, counts) {
        (false, false) => format!("redis-cli SET {key} $value NX PX {ttl}"),
        (false, true) => format!(
            "redis-cli EVAL \"if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then \
             return redis.call('INCR', KEYS[2]) end\" 2 {key} fence:{{job-7}} $value {ttl}"
        ),
        (true, false) => {
            format!("redis-cli SETNX {key} $value | grep 1 && redis-cli PEXPIRE {key} {ttl}")
        }
        (true, true) => format!(
            "redis-cli SETNX {key} $value | grep 1 && redis-cli PEXPIRE {key} {ttl} && \
             redis-cli INCR fence:{{job-7}}"
        ),
    };
    let acquire = format!("value=$(openssl rand -hex 20)\n{take}");
    let renew = match checks {
        true => if_own(key, "'PEXPIRE', KEYS[1], ARGV[2]", &format!(" {ttl}")),
        false => format!("redis-cli PEXPIRE {key} {ttl}"),
    };
    let release = match checks {
        true => if_own(key, "'DEL', KEYS[1]", ""),
        false => format!("redis-cli DEL {key}"),
    };
    let granted = |token, _| match (counts, lease.two_steps) {
        (true, _) => format!("(integer) {token}"),
        (false, false) => "OK".to_owned(),
        (false, true) => "(integer) 1".to_owned(),
    };
    let taken = if lease.two_steps { ("", "taken") } else { ("(nil)", "taken") };
    let (one, zero) = ("(integer) 1", "(integer) 0");
    let lost = if checks { "not its value, or no key" } else { "no such key" };
    [
        (acquire, live.of_asking(granted, taken, taken)),
        (renew, live.of_keeping(live.renewed, (one, "kept"), (zero, lost))),
        (release, live.of_keeping(live.released, (one, "free"), (zero, lost))),
    ]
}

/// A script is one step: who has the key writes.
fn transaction(live: &Live<'_>) -> Transaction {
    let (_, value) = token_and_value(live);
    let text = format!(
        "redis-cli EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('SET', \
         KEYS[2], ARGV[2]) end\" 2 {} jobs:{{job-7}} $value {value}",
        key(live)
    );
    Transaction { text, yes: "OK", no: "(nil)", origin: origin::REDIS }
}
