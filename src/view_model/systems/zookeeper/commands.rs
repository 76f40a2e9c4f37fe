//! `ZooKeeper`, by its command line. Sources: ZooKeeper, “Recipes and Solutions: Locks” (ephemeral
//! sequential nodes, each watches the one before it), “Programmer's Guide” (sessions of 2 to 20
//! ticks; ten digits in a name), `ClientCnxn.java` (the client pings by itself).

use crate::sim::id::FencingToken;
use crate::sim::lock::{ZooKeeperSettings, ZooKeeperToken};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "The ten digits of the node's name, or cZxid of stat",
    defaults,
    takes: "ZooKeeper",
    counter: None,
    commands,
};

/// Curator asks for a minute, of which a server grants at most 20 ticks, which are 40 s.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.zookeeper = ZooKeeperSettings::default();
    vec![Change::Ttl(SimDuration::from_secs(40)), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let zxid = live.scenario.spec().systems.zookeeper.token == ZooKeeperToken::Zxid;
    let name = |token: FencingToken| match zxid {
        true => "/locks/job-7/lock-$n".to_owned(),
        false => format!("/locks/job-7/lock-{:010}", token.0),
    };
    let named = |token| match zxid {
        true => format!("{}, cZxid = {:#x}", name(token), token.0),
        false => name(token),
    };
    let leaving = live.released.map_or("/locks/job-7/lock-$n".to_owned(), |it| name(it.2));
    [
        (
            "create -e -s /locks/job-7/lock-\nls /locks/job-7".to_owned(),
            live.of_asking(
                |token, client| format!("Created {}; {client} is first", named(token)),
                "another name comes first, it watches that one",
                "another name comes first",
            ),
        ),
        (
            "# the client pings by itself, at a third of its session".to_owned(),
            live.of_keeping(live.renewed, "the session lives", "Session expired"),
        ),
        (
            format!("delete {leaving}"),
            live.of_keeping(live.released, "deleted", "Node does not exist"),
        ),
    ]
}
