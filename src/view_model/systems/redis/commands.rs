//! Redis, by its commands. Sources: redis.io, “Distributed Locks with Redis” (`SET NX PX`, the
//! script that compares the value before it deletes); Redisson, `lockWatchdogTimeout` (30 s,
//! renewed at a third).

use crate::sim::lock::{RedisSettings, RedisToken};
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "A counter comes back from the script that sets the key",
    defaults,
    takes: "Redis SET",
    counter: Some(("A counter in the same script", counter)),
    commands,
};

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
fn if_own(command: &str, arguments: &str) -> String {
    format!(
        "EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call({command}) else \
         return 0 end\" 1 lock:job-7 $value{arguments}"
    )
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let ttl = live.ttl_millis();
    let checks = live.scenario.rules().owner_check;
    let counts = live.scenario.spec().systems.redis.token == RedisToken::Counter;
    let acquire = match counts {
        false => format!("SET lock:job-7 $value NX PX {ttl}"),
        true => format!(
            "EVAL \"if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return \
             redis.call('INCR', KEYS[2]) end\" 2 lock:job-7 fence:job-7 $value {ttl}"
        ),
    };
    let renew = match checks {
        true => if_own("'PEXPIRE', KEYS[1], ARGV[2]", &format!(" {ttl}")),
        false => format!("PEXPIRE lock:job-7 {ttl}"),
    };
    let release = match checks {
        true => if_own("'DEL', KEYS[1]", ""),
        false => "DEL lock:job-7".to_owned(),
    };
    let granted = |token, client| match counts {
        true => format!("(integer) {token}, to {client}"),
        false => format!("OK, to {client}"),
    };
    let (one, zero) = ("(integer) 1", "(integer) 0");
    [
        (acquire, live.of_asking(granted, "(nil), taken", "(nil), taken")),
        (renew, live.of_keeping(live.renewed, one, zero)),
        (release, live.of_keeping(live.released, one, zero)),
    ]
}
