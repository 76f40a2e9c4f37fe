//! A lock without a time to live: a row that stays until somebody deletes it, as it is typed into
//! PostgreSQL's psql.

use super::live::{Live, psql_token, psql_token_of};
use super::origin;
use super::reply::Reply;
use super::row::{Practice, SystemRow, by_source};
use super::transaction::{Transaction, in_psql, row_of};
use crate::sim::id::ClientId;
use crate::sim::scenario::{Change, Renew, ScenarioSpec, Wait};

pub(super) const ROW: SystemRow =
    SystemRow { practice: PRACTICE, controls: |_, _| Vec::new(), setting: |_| Vec::new() };

const PRACTICE: Practice = Practice {
    seen: "The statement that takes the lock returns it",
    token: by_source,
    defaults,
    whose: "these",
    takes: "The plain lock",
    counter: None,
    commands,
    transaction,
    origin: |_| [origin::POSTGRES; 3],
};

fn defaults(_: &ScenarioSpec) -> Vec<Change> {
    vec![Change::Renew(Renew::Off), Change::Wait(Wait::Queue)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let who = live.asker();
    let leaver = live.released.map_or(ClientId(0), |(_, client, ..)| client);
    let released = psql_token_of(live.released);
    let taken = ("INSERT 0 0", "taken");
    [
        (
            // The number is only drawn where the row is not there: a try that fails takes none.
            format!(
                "INSERT INTO locks (name, owner, fence)\nSELECT 'job-7', '{who}', \
                 nextval('job_7_fence')\nWHERE NOT EXISTS (SELECT FROM locks WHERE name = \
                 'job-7')\nON CONFLICT (name) DO NOTHING RETURNING fence;"
            ),
            live.of_asking(|token, _| token.to_string(), taken, taken),
        ),
        ("-- nothing: the lock has no time to live".to_owned(), Reply::always("It never ends")),
        (
            format!(
                "DELETE FROM locks WHERE name = 'job-7' AND owner = '{leaver}' AND fence = \
                 {released};"
            ),
            live.of_keeping(live.released, ("DELETE 1", "free"), ("DELETE 0", "not its lock")),
        ),
    ]
}

fn transaction(live: &Live<'_>) -> Transaction {
    in_psql(live, &row_of(&psql_token(live.written.map(|written| written.token)), ""))
}
