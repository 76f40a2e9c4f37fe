//! Consul, by its HTTP interface. Sources: Consul, “Sessions” (`TTL`, `LockDelay` of 15 s),
//! `/v1/session/*` and `/v1/kv/*?acquire=`, `LockIndex` in the key's answer.

use crate::sim::lock::{ConsulSettings, ConsulToken};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "LockIndex of GET /v1/kv/job-7",
    defaults,
    takes: "Consul",
    counter: None,
    commands,
};

/// `api.Lock` of its Go client makes sessions of 15 s.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.consul = ConsulSettings::default();
    vec![Change::Ttl(SimDuration::from_secs(15)), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let settings = &live.scenario.spec().systems.consul;
    let name = match settings.token {
        ConsulToken::LockIndex => "LockIndex",
        ConsulToken::ModifyIndex => "ModifyIndex",
    };
    let (ttl, delay) = (live.ttl_secs(), settings.lock_delay.micros().div_ceil(1_000_000));
    [
        (
            format!(
                "curl -X PUT -d '{{\"TTL\": \"{ttl}s\", \"LockDelay\": \"{delay}s\"}}' \
                 $consul/v1/session/create\ncurl -X PUT $consul/v1/kv/job-7?acquire=$session"
            ),
            live.of_asking(
                |token, client| format!("true, {name} {token}, to {client}"),
                "false, it watches the key",
                "false",
            ),
        ),
        (
            "curl -X PUT $consul/v1/session/renew/$session".to_owned(),
            live.of_keeping(live.renewed, "200", "404, the session is gone"),
        ),
        (
            "curl -X PUT $consul/v1/kv/job-7?release=$session".to_owned(),
            live.of_keeping(live.released, "true", "false"),
        ),
    ]
}
