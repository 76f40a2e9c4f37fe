//! What is typed for `cargo xtask record commands`: each script is one run with other settings, so
//! that every form of a line is typed once, and what has to be there before the first one.

use fenceline::sim::lock::{EtcdToken, RedisToken, SqlAcquire, SqlClock, SqlHold, SystemSettings};
use fenceline::sim::scenario::{
    Change, FenceRule, Length, LockSystem, Repeat, Resource, ScenarioSpec,
};
use fenceline::sim::time::SimDuration;

/// One run.
pub struct Script {
    /// The name of its file.
    pub id: &'static str,
    pub server: &'static str,
    pub about: &'static str,
    pub changes: fn(&ScenarioSpec) -> Vec<Change>,
    /// Lines that are typed first, each list into a program of its own.
    pub setup: &'static [(&'static str, &'static [&'static str])],
    /// Whether the program itself has to stand still while its client does: it keeps a session.
    pub client_pauses: bool,
}

/// A system with its own settings changed.
fn of(spec: &ScenarioSpec, lock: LockSystem, set: impl Fn(&mut SystemSettings)) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    set(&mut systems);
    vec![Change::Lock(lock), Change::Systems(systems)]
}

fn redis(spec: &ScenarioSpec, token: RedisToken, more: &[Change]) -> Vec<Change> {
    let own = of(spec, LockSystem::Redis, |systems| systems.redis.token = token);
    [own, more.to_vec()].concat()
}

/// A row in the same database is protected.
fn sql(
    spec: &ScenarioSpec,
    set: impl Fn(&mut fenceline::sim::lock::SqlSettings),
    more: &[Change],
) -> Vec<Change> {
    let own = of(spec, LockSystem::Sql, |systems| set(&mut systems.sql));
    let row = [Change::Fencing(true), Change::Resource(Resource::SqlRow)];
    [own, row.to_vec(), more.to_vec()].concat()
}

/// A value beside the lock, written in one transaction with a look at it.
fn one_transaction() -> Vec<Change> {
    vec![Change::Fencing(true), Change::Rule(FenceRule::SameTransaction)]
}

fn etcd(spec: &ScenarioSpec, token: EtcdToken, more: &[Change]) -> Vec<Change> {
    let own = of(spec, LockSystem::Etcd, |systems| {
        systems.etcd.token = token;
        systems.etcd.shared_store = false;
    });
    [own, more.to_vec()].concat()
}

const COUNTER: &[(&str, &[&str])] = &[(
    "bash",
    &["redis-cli SET fence:{job-7} 32", "redis-cli EVAL \"return 1\" 2 lock:job-7 fence:job-7"],
)];

const TABLES: &[(&str, &[&str])] = &[(
    "psql",
    &[
        "CREATE TABLE locks (name text PRIMARY KEY, owner text, fence bigint, expires_at \
         timestamptz);",
        "CREATE TABLE jobs (id int PRIMARY KEY, value text, fence bigint NOT NULL);",
        "CREATE SEQUENCE job_7_fence START 33;",
        "INSERT INTO locks VALUES ('job-7', NULL, 32, now());",
        "INSERT INTO jobs VALUES (7, NULL, 0);",
    ],
)];

const NO_LOCK: &[(&str, &[&str])] = &[(
    "psql",
    &[
        "CREATE TABLE locks (name text PRIMARY KEY, owner text, fence bigint);",
        "CREATE TABLE jobs (id int PRIMARY KEY, value text, fence bigint NOT NULL);",
        "CREATE SEQUENCE job_7_fence START 33;",
        "INSERT INTO jobs VALUES (7, NULL, 0);",
    ],
)];

/// The first key that is made after these has the create revision 33.
const REVISIONS: &[(&str, &[&str])] =
    &[("bash", &["for n in $(seq 31); do etcdctl put other $n > other.txt; done"])];

/// A client that waits, and what it could take for its token.
const WAITER: &[(&str, &[&str])] = &[(
    "bash",
    &[
        "etcdctl lock job-8 sleep 2 &",
        "sleep 1; etcdctl put other 1 > other.txt",
        "etcdctl lock job-8 -- sh -c 'echo header $ETCD_LOCK_REV; etcdctl get $ETCD_LOCK_KEY -w \
         fields | grep CreateRevision'",
    ],
)];

/// The first node that is made after these has the number 33.
const NODES: &[(&str, &[&str])] = &[(
    "bash",
    &[
        "python3 -c \"",
        "from kazoo.client import KazooClient",
        "zk = KazooClient('$zookeeper')",
        "zk.start()",
        "zk.create('/jobs/7', makepath=True)",
        "zk.ensure_path('/locks/job-7')",
        "for n in range(33): zk.delete(zk.create('/locks/job-7/lock-', sequence=True))\"",
    ],
)];

macro_rules! scripts {
    ($($id:literal on $server:literal $setup:ident, $about:literal: $changes:expr;)*) => {
        pub const SCRIPTS: &[Script] = &[$(Script {
            id: $id,
            server: $server,
            about: $about,
            changes: $changes,
            setup: $setup,
            client_pauses: matches!($server.as_bytes(), b"ZooKeeper"),
        },)*];
    };
}

const NOTHING: &[(&str, &[&str])] = &[];

scripts! {
    "redis-value" on "Redis" NOTHING, "SET with a random value":
        |spec| redis(spec, RedisToken::Value, &[]);
    "redis-value-unchecked" on "Redis" NOTHING, "SET, no look at the value":
        |spec| redis(spec, RedisToken::Value, &[Change::OwnerCheck(false)]);
    "redis-value-two-steps" on "Redis" NOTHING, "SETNX, then PEXPIRE":
        |spec| redis(spec, RedisToken::Value, &[Change::TwoSteps(true)]);
    "redis-counter" on "Redis" COUNTER, "SET and INCR in a script, on a cluster":
        |spec| redis(spec, RedisToken::Counter, &[]);
    "redis-counter-unchecked" on "Redis" COUNTER, "the same, no look at the value":
        |spec| redis(spec, RedisToken::Counter, &[Change::OwnerCheck(false)]);
    "redis-counter-two-steps" on "Redis" COUNTER, "SETNX, then PEXPIRE, then INCR":
        |spec| redis(spec, RedisToken::Counter, &[Change::TwoSteps(true)]);
    "redis-one-transaction" on "Redis" COUNTER, "a value beside the lock, in one script":
        |spec| redis(spec, RedisToken::Counter, &one_transaction());
    "redlock" on "Redis" NOTHING, "five nodes that know nothing of one another":
        |spec| of(spec, LockSystem::Redlock, |_| ());
    "sql-row" on "PostgreSQL" TABLES, "a row with a lease, an update where fence < token":
        |spec| sql(spec, |_| (), &[]);
    "sql-row-claim" on "PostgreSQL" TABLES, "a claim where fence < token, updates where it is":
        |spec| sql(spec, |_| (), &[
            Change::Seal(true),
            Change::Release(false),
            Change::Repeat(Repeat::After(SimDuration::from_secs(1))),
            Change::Length(Length::Fixed(SimDuration::from_secs(36))),
        ]);
    "sql-row-gap" on "PostgreSQL" TABLES, "a look at the fence, then an update, which is no fence":
        |spec| sql(spec, |_| (), &[Change::CheckGap(SimDuration::from_millis(100))]);
    "sql-row-open" on "PostgreSQL" TABLES, "a row without a fence, a lock without an owner":
        |spec| sql(spec, |_| (), &[
            Change::Fencing(false),
            Change::Seal(true),
            Change::OwnerCheck(false),
        ]);
    "sql-look-first" on "PostgreSQL" TABLES, "a look at the lock, then an update, which is no lock":
        |spec| sql(spec, |sql| sql.acquire = SqlAcquire::SelectThenUpdate, &[]);
    "sql-clocks" on "PostgreSQL" TABLES, "the end by the clocks of the clients":
        |spec| sql(spec, |sql| sql.clock = SqlClock::Nodes, &[]);
    "sql-clocks-look-first" on "PostgreSQL" TABLES, "the same, a look at the lock first, no owner":
        |spec| sql(spec, |sql| {
            sql.clock = SqlClock::Nodes;
            sql.acquire = SqlAcquire::SelectThenUpdate;
        }, &[Change::OwnerCheck(false)]);
    "sql-transaction" on "PostgreSQL" TABLES, "a row that is locked by an open transaction":
        |spec| sql(spec, |sql| sql.hold = SqlHold::Transaction, &[]);
    "sql-advisory" on "PostgreSQL" TABLES, "an advisory lock and a sequence":
        |spec| sql(spec, |sql| sql.hold = SqlHold::Advisory, &[]);
    "sql-one-transaction" on "PostgreSQL" TABLES, "lock and value in one statement":
        |spec| [of(spec, LockSystem::Sql, |_| ()), one_transaction()].concat();
    "sql-one-transaction-clocks" on "PostgreSQL" TABLES, "the same, by the clocks of the clients":
        |spec| {
            let own = of(spec, LockSystem::Sql, |it| it.sql.clock = SqlClock::Nodes);
            [own, one_transaction()].concat()
        };
    "sql-one-transaction-open" on "PostgreSQL" TABLES, "the same inside the open transaction":
        |spec| {
            let own = of(spec, LockSystem::Sql, |it| it.sql.hold = SqlHold::Transaction);
            [own, one_transaction()].concat()
        };
    "sql-one-transaction-advisory" on "PostgreSQL" TABLES, "the same under an advisory lock":
        |spec| {
            let own = of(spec, LockSystem::Sql, |it| it.sql.hold = SqlHold::Advisory);
            [own, one_transaction()].concat()
        };
    "plain" on "PostgreSQL" NO_LOCK, "a row that stays until it is deleted":
        |_| vec![Change::Lock(LockSystem::Plain)];
    "plain-one-transaction" on "PostgreSQL" NO_LOCK, "the same, lock and value in one statement":
        |_| [vec![Change::Lock(LockSystem::Plain)], one_transaction()].concat();
    "etcd" on "etcd" REVISIONS, "keys in the order of their create revisions":
        |spec| etcd(spec, EtcdToken::CreateRevision, &[]);
    "etcd-lease-id" on "etcd" WAITER, "the lease's id, which is no token":
        |spec| etcd(spec, EtcdToken::LeaseId, &[]);
    "etcd-lease-revision" on "etcd" REVISIONS, "the lease's revision, which is no token":
        |spec| etcd(spec, EtcdToken::LeaseRevision, &[]);
    "etcd-one-transaction" on "etcd" REVISIONS, "a value beside the lock, in one transaction":
        |spec| etcd(spec, EtcdToken::CreateRevision, &one_transaction());
    "zookeeper" on "ZooKeeper" NODES, "ephemeral sequential nodes":
        |_| vec![Change::Lock(LockSystem::ZooKeeper)];
    "zookeeper-one-transaction" on "ZooKeeper" NODES, "a node beside the lock, in one transaction":
        |_| [vec![Change::Lock(LockSystem::ZooKeeper)], one_transaction()].concat();
}
