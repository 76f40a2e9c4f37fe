//! client-go's leader election, by its configuration and `kubectl`. Sources:
//! `k8s.io/client-go/tools/leaderelection` (`LeaderElectionConfig`, defaults of 15, 10 and 2 s),
//! `coordination.k8s.io/v1` (`LeaseSpec`).

use crate::sim::lock::{KubernetesSettings, KubernetesToken};
use crate::sim::scenario::{Change, OnLoss, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::{Live, token, token_of};
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};
use crate::view_model::words::wording::duration;

pub(super) const PRACTICE: Practice = Practice {
    seen: "kubectl get lease -o yaml shows holderIdentity and leaseTransitions; nothing takes them",
    defaults,
    takes: "client-go",
    counter: Some(("Send leaseTransitions", counter)),
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::CLIENT_GO; 3],
};

/// A leader that has lost its lease ends its process, as its callback usually does.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.kubernetes = KubernetesSettings::default();
    vec![
        Change::Ttl(SimDuration::from_secs(15)),
        Change::OnLoss(OnLoss::Dies),
        Change::Systems(systems),
    ]
}

fn counter(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.kubernetes.token = KubernetesToken::Transitions;
    vec![Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let settings = &live.scenario.spec().systems.kubernetes;
    let (ttl, who) = (live.ttl_secs(), live.asker());
    let counts = settings.token == KubernetesToken::Transitions;
    let of =
        |token: String| if counts { format!(", leaseTransitions {token}") } else { String::new() };
    let (deadline, retry) = (duration(settings.renew_deadline), duration(settings.retry_period));
    [
        (
            format!(
                "leaderelection.RunOrDie(ctx, LeaderElectionConfig{{LeaseDuration: {ttl} s, \
                 RenewDeadline: {deadline}, RetryPeriod: {retry}}})  // as {who}"
            ),
            live.of_asking(
                |granted, client| {
                    let count = of(token(Some(granted)));
                    format!("successfully acquired lease, holderIdentity {client}{count}")
                },
                ("lock is held by … and has not yet expired", "it watches"),
                ("lock is held by … and has not yet expired", "it watches"),
            ),
        ),
        (
            "kubectl get lease job-7 -o yaml  # client-go puts a new renewTime".to_owned(),
            live.of_keeping(
                live.renewed,
                (&format!("renewTime set{}", of(token_of(live.renewed))), "kept"),
                ("409 Conflict", "the object has been modified; it tries on until its deadline"),
            ),
        ),
        (
            "cancel()  // with ReleaseOnCancel: true".to_owned(),
            live.of_keeping(
                live.released,
                ("holderIdentity \"\", leaseDurationSeconds 1", "free"),
                ("409 Conflict", "the object has been modified"),
            ),
        ),
    ]
}
