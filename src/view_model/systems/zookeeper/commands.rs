//! `ZooKeeper`, by its command line. Sources: ZooKeeper, “Recipes and Solutions: Locks” (ephemeral
//! sequential nodes, each watches the one before it), “Programmer's Guide” (sessions of 2 to 20
//! ticks; ten digits in a name), `ClientCnxn.java` (the client pings by itself).

use crate::sim::id::FencingToken;
use crate::sim::lock::{ZooKeeperSettings, ZooKeeperToken};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::origin;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::transaction::{Transaction, token_and_value};

pub(super) const PRACTICE: Practice = Practice {
    seen: "The ten digits of the node's name, or cZxid of stat",
    token: |_| None,
    defaults,
    whose: "ZooKeeper's",
    takes: "ZooKeeper",
    counter: None,
    commands,
    transaction,
    // The page does not know the names of nodes where their zxid is the token.
    origin: |spec| match spec.systems.zookeeper.token {
        ZooKeeperToken::Sequence => [origin::ZOOKEEPER; 3],
        ZooKeeperToken::Zxid => [origin::ZOOKEEPER_CLI; 3],
    },
};

/// Curator asks for a minute, of which a server grants at most 20 ticks, which are 40 s.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.zookeeper = ZooKeeperSettings::default();
    vec![Change::Ttl(SimDuration::from_secs(40)), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let zxid = live.scenario.spec().systems.zookeeper.token == ZooKeeperToken::Zxid;
    let name = |token: FencingToken| match zxid {
        true => "lock-$n".to_owned(),
        false => format!("lock-{:010}", token.0),
    };
    let named = |token: FencingToken| match zxid {
        true => format!("cZxid = {:#x}", token.0),
        // The first of those that `ls` lists.
        false => format!("[{}", name(token)),
    };
    let leaving = live.released.map_or("lock-$n".to_owned(), |it| name(it.2));
    let make = if live.had_waited { "" } else { "create -e -s /locks/job-7/lock-\n" };
    let look = if zxid { "ls /locks/job-7\nstat /locks/job-7/lock-$n" } else { "ls /locks/job-7" };
    let first = live.holders.map_or_else(|| "[lock-".to_owned(), named);
    let behind = (first.as_str(), "another name comes first, it watches the one before its own");
    [
        (format!("{make}{look}"), live.of_asking(|token, _| named(token), behind, behind)),
        (
            "# nothing to type: the client pings by itself, at a third of its session".to_owned(),
            live.of_keeping(
                live.renewed,
                ("", "the session lives"),
                ("WatchedEvent state:Expired", "the session is over, and its node is gone"),
            ),
        ),
        (
            format!("delete /locks/job-7/{leaving}"),
            live.of_keeping(
                live.released,
                ("", "nothing is printed: deleted"),
                ("Not connected", "its session is over, and its node is gone"),
            ),
        ),
    ]
}

/// The command line has no transactions; kazoo has. Whose node is gone has lost the lock.
fn transaction(live: &Live<'_>) -> Transaction {
    let zxid = live.scenario.spec().systems.zookeeper.token == ZooKeeperToken::Zxid;
    let (_, value) = token_and_value(live);
    let (name, origin) = match live.written.filter(|_| !zxid) {
        Some(written) => (format!("{:010}", written.token.0), origin::ZOOKEEPER_BY_KAZOO),
        None => ("$n".to_owned(), origin::KAZOO),
    };
    let text = format!(
        "python3 -c \"\nfrom kazoo.client import KazooClient\nzk = KazooClient('$zookeeper')\n\
         zk.start()\nt = zk.transaction()\nt.check('/locks/job-7/lock-{name}', -1)\n\
         t.set_data('/jobs/7', b'{value}')\nprint(t.commit())\""
    );
    Transaction { text, yes: "[True, ZnodeStat(", no: "[NoNodeError(", origin }
}
