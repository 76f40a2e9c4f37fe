//! etcd, by its command line. Sources: etcd, `etcdctl/README.md` (`lease grant`, `lease
//! keep-alive`, `lock`) and `client/v3/concurrency` (a session of 60 s, the key under the lock's
//! prefix).

use crate::sim::lock::{EtcdSettings, EtcdToken};
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::row::Practice;

pub(super) const PRACTICE: Practice = Practice {
    seen: "In Go, mutex.Header().Revision; create_revision of the lock's key",
    defaults,
    takes: "etcd",
    counter: None,
    commands,
};

fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.etcd = EtcdSettings::default();
    vec![
        Change::Ttl(SimDuration::from_secs(60)),
        Change::Renew(Renew::Share(Ratio::THIRD)),
        Change::Wait(Wait::Queue),
        Change::Systems(systems),
    ]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let ttl = live.ttl_secs();
    let name = match live.scenario.spec().systems.etcd.token {
        EtcdToken::CreateRevision => "create_revision",
        EtcdToken::LeaseId => "lease",
        EtcdToken::LeaseRevision => "the lease's revision",
    };
    [
        (
            format!("etcdctl lease grant {ttl}\netcdctl lock --ttl={ttl} job-7"),
            live.of_asking(
                |token, client| format!("job-7/$lease, {name} {token}, to {client}"),
                "its key is behind another, it watches that one",
                "taken",
            ),
        ),
        (
            "etcdctl lease keep-alive --once $lease".to_owned(),
            live.of_keeping(
                live.renewed,
                &format!("lease $lease keepalived with TTL({ttl})"),
                "etcdserver: requested lease not found",
            ),
        ),
        (
            "etcdctl lease revoke $lease".to_owned(),
            live.of_keeping(
                live.released,
                "lease $lease revoked",
                "etcdserver: requested lease not found",
            ),
        ),
    ]
}
