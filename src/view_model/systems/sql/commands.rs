//! A lock in a SQL database, in PostgreSQL's words. Sources: PostgreSQL, "UPDATE" (`RETURNING`, the
//! number of rows), "Explicit Locking", "Advisory Lock Functions".

use crate::sim::id::ClientId;
use crate::sim::lock::{SqlAcquire, SqlClock, SqlHold, SqlSettings};
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::{Live, token_of};
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "RETURNING fence, in the statement that takes the row",
    defaults,
    takes: "The UPDATE of the row",
    counter: None,
    commands,
};

/// No product's: a minute, renewed three times in it, asked for every second.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.sql = SqlSettings::default();
    let poll =
        Wait::Poll { every: SimDuration::from_secs(1), jitter: SimDuration::from_millis(200) };
    vec![
        Change::Ttl(SimDuration::from_secs(60)),
        Change::Renew(Renew::Share(Ratio::THIRD)),
        Change::Wait(poll),
        Change::Systems(systems),
    ]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    match live.scenario.spec().systems.sql.hold {
        SqlHold::Row => row(live),
        SqlHold::Transaction => with_connection(
            live,
            "BEGIN;\nUPDATE locks SET fence = fence + 1 WHERE name = 'job-7' RETURNING fence",
            "COMMIT",
        ),
        SqlHold::Advisory => with_connection(
            live,
            "SELECT pg_advisory_lock(7);\nSELECT nextval('job_7_fence')",
            "SELECT pg_advisory_unlock(7)",
        ),
    }
}

fn row(live: &Live<'_>) -> [(String, String); 3] {
    let spec = live.scenario.spec();
    let ttl = live.ttl_millis();
    let who = live.asker();
    let now = match spec.systems.sql.clock {
        SqlClock::Database => "now()",
        SqlClock::Nodes => "$my_time",
    };
    let until = format!("{now} + interval '{ttl} ms'");
    let free = format!("expires_at <= {now}");
    let (look, condition) = match spec.systems.sql.acquire {
        SqlAcquire::ConditionalUpdate => (String::new(), format!(" AND {free}")),
        SqlAcquire::SelectThenUpdate => {
            (format!("SELECT {free} AS free FROM locks WHERE name = 'job-7';\n"), String::new())
        }
    };
    let owner = |client: ClientId| match spec.lease.owner_check {
        true => format!(" AND owner = '{client}'"),
        false => String::new(),
    };
    let keeps = owner(live.renewed.map_or(ClientId(0), |(_, client, ..)| client));
    let leaves = owner(live.released.map_or(ClientId(0), |(_, client, ..)| client));
    [
        (
            format!(
                "{look}UPDATE locks SET owner = '{who}', fence = fence + 1, expires_at = {until} \
                 WHERE name = 'job-7'{condition} RETURNING fence"
            ),
            live.of_asking(
                |token, client| format!("1 row: {token}, to {client}"),
                "0 rows",
                "0 rows: taken",
            ),
        ),
        (
            format!(
                "UPDATE locks SET expires_at = {until} WHERE name = 'job-7' AND fence = {}{keeps}",
                token_of(live.renewed)
            ),
            live.of_keeping(live.renewed, "1 row", "0 rows: over, taken, or no such row"),
        ),
        (
            format!(
                "UPDATE locks SET expires_at = {now} WHERE name = 'job-7' AND fence = {}{leaves}",
                token_of(live.released)
            ),
            live.of_keeping(live.released, "1 row", "0 rows: over, taken, or given back before"),
        ),
    ]
}

fn with_connection(live: &Live<'_>, take: &str, leave: &str) -> [(String, String); 3] {
    [
        (
            take.to_owned(),
            live.of_asking(
                |token, client| format!("{token}, to {client}"),
                "the statement waits",
                "taken",
            ),
        ),
        ("The lock lasts as long as its connection".to_owned(), "Nothing to renew".to_owned()),
        (
            leave.to_owned(),
            live.of_keeping(live.released, "done", "FATAL: the connection was terminated"),
        ),
    ]
}
