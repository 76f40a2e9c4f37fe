//! A lock without a time to live: a row that stays until somebody deletes it.

use super::live::{Live, token_of};
use super::row::{Practice, SystemRow};
use crate::sim::id::ClientId;
use crate::sim::scenario::{Change, Renew, ScenarioSpec, Wait};

pub(super) const ROW: SystemRow =
    SystemRow { practice: PRACTICE, controls: |_, _| Vec::new(), setting: |_| Vec::new() };

const PRACTICE: Practice = Practice {
    seen: "The statement that takes the lock returns it",
    defaults,
    takes: "The plain lock",
    counter: None,
    commands,
};

fn defaults(_: &ScenarioSpec) -> Vec<Change> {
    vec![Change::Renew(Renew::Off), Change::Wait(Wait::Queue)]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let who = live.asker();
    let leaver = live.released.map_or(ClientId(0), |(_, client, ..)| client);
    let released = token_of(live.released);
    [
        (
            format!(
                "INSERT INTO locks (name, owner, token)\nVALUES ('job-7', '{who}', \
                 nextval('fence'))\nON CONFLICT (name) DO NOTHING RETURNING token"
            ),
            live.of_asking(
                |token, client| format!("1 row: {token}, to {client}"),
                "0 rows, it waits",
                "0 rows, taken",
            ),
        ),
        ("-- nothing: the lock has no time to live".to_owned(), "It never ends".to_owned()),
        (
            format!(
                "DELETE FROM locks\nWHERE name = 'job-7' AND owner = '{leaver}' AND token = \
                 {released}"
            ),
            live.of_keeping(live.released, "1 row, free", "0 rows, not its lock"),
        ),
    ]
}
