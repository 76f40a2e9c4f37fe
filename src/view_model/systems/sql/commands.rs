//! A lock in a SQL database, as it is typed into PostgreSQL's psql (`:token` is a variable there).
//! Sources: PostgreSQL, "UPDATE" (`RETURNING`, the number of rows), "Explicit Locking", "Advisory
//! Lock Functions", "psql" (`\\set`, variables).

use crate::sim::id::{ClientId, FencingToken};
use crate::sim::lock::{SqlAcquire, SqlClock, SqlHold, SqlSettings};
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::{Asked, Live, psql_token, psql_token_of};
use crate::view_model::systems::origin;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::transaction::{Transaction, in_psql, row_of};

pub(super) const PRACTICE: Practice = Practice {
    seen: "RETURNING fence, in the statement that takes the row",
    token,
    defaults,
    whose: "these",
    takes: "The UPDATE of the row",
    counter: None,
    commands,
    transaction,
    origin: |_| [origin::POSTGRES; 3],
};

fn token(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.systems.sql.hold {
        SqlHold::Row => None,
        SqlHold::Transaction => Some(
            "A counter that the lock's own transaction adds one to: it can fence, until a cut \
             connection undoes its step",
        ),
        SqlHold::Advisory => Some("A sequence, from which each holder draws: it can fence"),
    }
}

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

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    match live.scenario.spec().systems.sql.hold {
        SqlHold::Row => row(live),
        SqlHold::Transaction => with_connection(
            live,
            "BEGIN;\nUPDATE locks SET fence = fence + 1 WHERE name = 'job-7' RETURNING fence;",
            |token| token.to_string(),
            ("COMMIT;", "COMMIT"),
        ),
        SqlHold::Advisory => with_connection(
            live,
            "SELECT pg_advisory_lock(7);\nSELECT nextval('job_7_fence');",
            |token| token.to_string(),
            ("SELECT pg_advisory_unlock(7);", "t"),
        ),
    }
}

fn row(live: &Live<'_>) -> [(String, Reply); 3] {
    let spec = live.scenario.spec();
    let ttl = live.ttl_millis();
    let who = live.asker();
    let (clock, now) = match spec.systems.sql.clock {
        SqlClock::Database => ("", "now()"),
        // By the clock of the machine that asks.
        SqlClock::Nodes => ("\\set my_time `date --utc +%FT%T.%NZ`\n", ":'my_time'::timestamptz"),
    };
    let until = format!("{now} + interval '{ttl} ms'");
    let free = format!("expires_at <= {now}");
    let take = |condition: &str| {
        format!(
            "UPDATE locks SET owner = '{who}', fence = fence + 1, expires_at = {until} WHERE name \
             = 'job-7'{condition} RETURNING fence;"
        )
    };
    let was_taken = live.asked.is_some_and(|(_, _, asked)| asked == Asked::Taken);
    let look = format!("SELECT {free} AS free FROM locks WHERE name = 'job-7';");
    let acquire = match spec.systems.sql.acquire {
        SqlAcquire::ConditionalUpdate => take(&format!(" AND {free}")),
        // Who does not see it free does not take it.
        SqlAcquire::SelectThenUpdate if was_taken => look,
        SqlAcquire::SelectThenUpdate => format!("{look}\n{}", take("")),
    };
    let taken = match spec.systems.sql.acquire {
        SqlAcquire::ConditionalUpdate => ("UPDATE 0", "taken"),
        SqlAcquire::SelectThenUpdate => ("f", "not free"),
    };
    let owner = |client: ClientId| match spec.lease.owner_check {
        true => format!(" AND owner = '{client}'"),
        false => String::new(),
    };
    let keeps = owner(live.renewed.map_or(ClientId(0), |(_, client, ..)| client));
    let leaves = owner(live.released.map_or(ClientId(0), |(_, client, ..)| client));
    let held = |token: String, owner: &str| {
        format!("WHERE name = 'job-7' AND fence = {token}{owner} AND expires_at > {now};")
    };
    let kept = held(psql_token_of(live.renewed), &keeps);
    let left = held(psql_token_of(live.released), &leaves);
    let zero = ("UPDATE 0", "over, another's, or no such row");
    [
        (format!("{clock}{acquire}"), live.of_asking(|token, _| token.to_string(), taken, taken)),
        (
            format!("{clock}UPDATE locks SET expires_at = {until} {kept}"),
            live.of_keeping(live.renewed, ("UPDATE 1", "kept"), zero),
        ),
        (
            format!("{clock}UPDATE locks SET expires_at = {now} {left}"),
            live.of_keeping(live.released, ("UPDATE 1", "free"), zero),
        ),
    ]
}

fn with_connection(
    live: &Live<'_>,
    take: &str,
    granted: impl Fn(FencingToken) -> String,
    (leave, left): (&str, &str),
) -> [(String, Reply); 3] {
    let waits = ("", "the statement waits");
    let cut = ("server closed the connection unexpectedly", "the lock went with its connection");
    [
        (take.to_owned(), live.of_asking(|token, _| granted(token), waits, waits)),
        (
            "-- nothing: the lock lasts as long as its connection".to_owned(),
            Reply::always("Nothing to renew"),
        ),
        (leave.to_owned(), live.of_keeping(live.released, (left, "free"), cut)),
    ]
}

fn transaction(live: &Live<'_>) -> Transaction {
    let sql = &live.scenario.spec().systems.sql;
    let token = psql_token(live.written.map(|written| written.token));
    let lock = match (sql.hold, sql.clock) {
        (SqlHold::Transaction, _) => row_of(&token, ""),
        (SqlHold::Advisory, _) => "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 \
                                   AND pid = pg_backend_pid() AND granted"
            .to_owned(),
        (SqlHold::Row, SqlClock::Database) => row_of(&token, " AND expires_at > now()"),
        (SqlHold::Row, SqlClock::Nodes) => {
            row_of(&token, " AND expires_at > :'my_time'::timestamptz")
        }
    };
    in_psql(live, &lock)
}
