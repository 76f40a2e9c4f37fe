//! Redlock, by the commands that its library sends to each node. Sources: redis.io, “Distributed
//! Locks with Redis”; redsync `mutex.go` (the scripts that compare the value).

use crate::sim::lock::RedlockSettings;
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "The value only tells its owner's key from another's",
    defaults,
    takes: "Redlock",
    counter: None,
    commands,
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

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let ttl = live.ttl_millis();
    let n_nodes = live.scenario.rules().n_nodes;
    let at_each = |command: String| format!("{command}  (at each of {n_nodes} nodes)");
    let if_own = |command: &str, arguments: &str| {
        format!(
            "EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call({command}) \
             else return 0 end\" 1 lock:job-7 $value{arguments}"
        )
    };
    let granted = |_, client| format!("OK at a majority, to {client}");
    let (few, majority) = ("no majority", "(integer) 1 at a majority");
    [
        (at_each(format!("SET lock:job-7 $value NX PX {ttl}")), live.of_asking(granted, few, few)),
        (
            at_each(if_own("'PEXPIRE', KEYS[1], ARGV[2]", &format!(" {ttl}"))),
            live.of_keeping(live.renewed, majority, "(integer) 0"),
        ),
        (
            at_each(if_own("'DEL', KEYS[1]", "")),
            live.of_keeping(live.released, majority, "(integer) 0"),
        ),
    ]
}
