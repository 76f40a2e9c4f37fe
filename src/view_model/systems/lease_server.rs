//! A lease server of one's own, spoken to over HTTP: no product's interface, and the words that any
//! product's has.

use super::live::{Live, token_of};
use super::reply::Reply;
use super::row::{Practice, SystemRow, by_source};
use super::{Origin, transaction};
use crate::sim::id::ClientId;
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;

pub(super) const ROW: SystemRow =
    SystemRow { practice: PRACTICE, controls: |_, _| Vec::new(), setting: |_| Vec::new() };

const PRACTICE: Practice = Practice {
    seen: "The storage can tell old from new by it",
    token: by_source,
    defaults,
    whose: "these",
    takes: "The lease server",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    origin: |_| [Origin::Ours; 3],
};

/// What most libraries start with: ten seconds, renewed three times in them.
fn defaults(_: &ScenarioSpec) -> Vec<Change> {
    vec![
        Change::Ttl(SimDuration::from_secs(10)),
        Change::Renew(Renew::Share(Ratio::THIRD)),
        Change::Wait(Wait::Queue),
    ]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let ttl = live.ttl_millis();
    let who = live.asker();
    let renewer = live.renewed.map_or(ClientId(0), |(_, client, ..)| client);
    let leaver = live.released.map_or(ClientId(0), |(_, client, ..)| client);
    let (renewed, released) = (token_of(live.renewed), token_of(live.released));
    [
        (
            format!("POST /locks/job-7 {{\"owner\": \"{who}\", \"ttl_ms\": {ttl}}}"),
            live.of_asking(
                |token, _| format!("201 {{\"token\": {token}}}"),
                ("202", "queued"),
                ("409", "taken"),
            ),
        ),
        (
            format!("PUT /locks/job-7 {{\"owner\": \"{renewer}\", \"token\": {renewed}}}"),
            live.of_keeping(live.renewed, ("200", "kept"), ("410", "the lease is gone")),
        ),
        (
            format!("DELETE /locks/job-7 {{\"owner\": \"{leaver}\", \"token\": {released}}}"),
            live.of_keeping(live.released, ("204", "free"), ("410", "the lease is gone")),
        ),
    ]
}
