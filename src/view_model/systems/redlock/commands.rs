//! Redlock, by the commands that its library sends to each node. Sources: redis.io, “Distributed
//! Locks with Redis”; redsync `mutex.go` (the scripts that compare the value).

use crate::sim::lock::RedlockSettings;
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};

pub(super) const PRACTICE: Practice = Practice {
    seen: "The value only tells its owner's key from another's",
    token: |_| None,
    defaults,
    whose: "these",
    takes: "Redlock",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::REDIS; 3],
};

/// The time to live of the text of the algorithm.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.redlock = RedlockSettings::default();
    vec![
        Change::Ttl(SimDuration::from_secs(10)),
        Change::Renew(Renew::Share(Ratio::THIRD)),
        Change::Systems(systems),
    ]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let ttl = live.ttl_millis();
    let at_each = |command: String| {
        format!("for node in $nodes; do redis-cli -u redis://$node {command}; done")
    };
    let if_own = |command: &str, arguments: &str| {
        format!(
            "EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call({command}) \
             else return 0 end\" 1 lock:job-7 $value{arguments}"
        )
    };
    let few = ("(nil)", "at too many nodes, it takes its keys back");
    let (one, zero) = ("(integer) 1", "(integer) 0");
    let set = at_each(format!("SET lock:job-7 $value NX PX {ttl}"));
    [
        (
            format!("value=$(openssl rand -hex 20)\n{set}"),
            live.of_asking(|_, _| "OK".to_owned(), few, few),
        ),
        (
            at_each(if_own("'PEXPIRE', KEYS[1], ARGV[2]", &format!(" {ttl}"))),
            live.of_keeping(live.renewed, (one, "at a majority"), (zero, "at too many nodes")),
        ),
        (
            at_each(if_own("'DEL', KEYS[1]", "")),
            live.of_keeping(live.released, (one, "at a majority"), (zero, "not its value")),
        ),
    ]
}
