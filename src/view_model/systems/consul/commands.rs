//! Consul, by its HTTP interface. Sources: Consul, “Sessions” (`TTL`, `LockDelay` of 15 s),
//! `/v1/session/*` and `/v1/kv/*?acquire=`, `LockIndex` in the key's answer.

use crate::sim::lock::{Behavior, ConsulSettings, ConsulToken};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::origin;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::transaction::{Transaction, token_and_value};

pub(super) const PRACTICE: Practice = Practice {
    seen: "LockIndex of GET /v1/kv/job-7",
    token,
    defaults,
    whose: "Consul's",
    takes: "Consul",
    counter: None,
    commands,
    transaction,
    origin: |_| [origin::CONSUL_KV, origin::CONSUL_SESSIONS, origin::CONSUL_KV],
};

/// What says whether a request was taken is its status alone.
const STATUS: &str = "curl -s -o /dev/null -w '%{http_code}\\n' -X PUT";

fn token(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.systems.consul.token {
        ConsulToken::LockIndex => None,
        ConsulToken::ModifyIndex => Some(
            "The key's modify index: it grows with the changes of the whole store. It can fence",
        ),
    }
}

/// `api.Lock` of its Go client makes sessions of 15 s.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.consul = ConsulSettings::default();
    vec![Change::Ttl(SimDuration::from_secs(15)), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let settings = &live.scenario.spec().systems.consul;
    let name = match settings.token {
        ConsulToken::LockIndex => "LockIndex",
        ConsulToken::ModifyIndex => "ModifyIndex",
    };
    let behavior = match settings.behavior {
        Behavior::Release => "release",
        Behavior::Delete => "delete",
    };
    let (ttl, delay) = (live.ttl_secs(), settings.lock_delay.micros().div_ceil(1_000_000));
    [
        (
            format!(
                "session=$(curl -sX PUT -d '{{\"TTL\": \"{ttl}s\", \"LockDelay\": \"{delay}s\", \
                 \"Behavior\": \"{behavior}\"}}' $consul/v1/session/create | jq -r .ID)\n\
                 curl -sX PUT $consul/v1/kv/job-7?acquire=$session\n\
                 curl -s $consul/v1/kv/job-7 | jq '.[].{name}'"
            ),
            live.of_asking(
                |token, _| format!("true, {token}"),
                ("false", "it watches the key"),
                ("false", "taken"),
            ),
        ),
        (
            format!("{STATUS} $consul/v1/session/renew/$session"),
            live.of_keeping(live.renewed, ("200", "kept"), ("404", "the session is gone")),
        ),
        (
            "curl -sX PUT $consul/v1/kv/job-7?release=$session".to_owned(),
            live.of_keeping(live.released, ("true", "free"), ("false", "not its lock")),
        ),
    ]
}

/// `check-session` fails the transaction unless the session holds the lock's key.
fn transaction(live: &Live<'_>) -> Transaction {
    let (_, value) = token_and_value(live);
    let look =
        "{\"KV\": {\"Verb\": \"check-session\", \"Key\": \"job-7\", \"Session\": \"$session\"}}";
    let put = format!(
        "{{\"KV\": {{\"Verb\": \"set\", \"Key\": \"jobs/7\", \"Value\": \"$(printf {value} | \
         base64)\"}}}}"
    );
    let text = format!("{STATUS} $consul/v1/txn -d @- <<END\n[{look},\n {put}]\nEND");
    Transaction { text, yes: "200", no: "409", origin: origin::CONSUL_TXN }
}
