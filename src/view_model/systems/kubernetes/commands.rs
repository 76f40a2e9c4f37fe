//! client-go's leader election, by its configuration and `kubectl`. Sources:
//! `k8s.io/client-go/tools/leaderelection` (`LeaderElectionConfig`, defaults of 15, 10 and 2 s),
//! `coordination.k8s.io/v1` (`LeaseSpec`).

use crate::sim::lock::{KubernetesSettings, KubernetesToken};
use crate::sim::scenario::{Change, OnLoss, Ratio, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::{Live, token, token_of};
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};
use crate::view_model::words::wording::duration;

pub(super) const PRACTICE: Practice = Practice {
    seen: "kubectl get lease -o yaml shows holderIdentity and leaseTransitions; nothing takes them",
    token: sent,
    defaults,
    whose: "client-go's",
    takes: "client-go",
    counter: Some(("Send leaseTransitions", counter)),
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::CLIENT_GO; 3],
};

fn sent(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.systems.kubernetes.token {
        KubernetesToken::Holder => None,
        KubernetesToken::Transitions => Some(
            "leaseTransitions, the count of leaders: it can fence where a storage is made to check \
             it, while the object stands",
        ),
    }
}

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

/// What `NewLeaderElector` says to numbers that it does not take; the simulation runs them.
fn refused(live: &Live<'_>) -> &'static str {
    let settings = &live.scenario.spec().systems.kubernetes;
    let (deadline, retry) = (settings.renew_deadline, settings.retry_period);
    // A try can come 1.2 retry periods later.
    let late = Ratio { numerator: 6, denominator: 5 }.of(retry);
    if live.scenario.ttl().is_some_and(|lease| lease <= deadline) {
        "; it panics: leaseDuration must be greater than renewDeadline"
    } else if deadline <= late {
        "; it panics: renewDeadline must be greater than retryPeriod*JitterFactor"
    } else {
        ""
    }
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
                 RenewDeadline: {deadline}, RetryPeriod: {retry}}})  // as {who}{}",
                refused(live)
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
