//! Leader election by client-go: a Lease object at the Kubernetes API server, which keeps it and
//! judges nothing. A candidate that has seen the object unchanged for a whole lease by its own
//! clock replaces it, if nobody was faster (`resourceVersion`). The leader renews every retry
//! period, and steps down when a round of tries has failed until its renew deadline.
//!
//! Source: `k8s.io/client-go/tools/leaderelection/leaderelection.go` (defaults of 15, 10 and 2 s;
//! `isLeaseValid` by the time of the last observed change; `acquire` waits the retry period and up
//! to 1.2 of it more; `renew` begins a round at once, then one retry period after the last answer,
//! and a round ends at the renew deadline, whatever it was told meanwhile), `resourcelock`
//! (`leaseTransitions`; a request times out after half of the renew deadline).

use super::rules::{Lateness, Schedule};
use super::{Fixed, Halves, Reentry, Rules, SystemInfo, TokenWorth, TtlRule};
use crate::sim::form::choices;
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, Identity, LockSystem, Renew, ScenarioSpec, TokenSource,
    Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Kubernetes,
    name: "Kubernetes (client-go)",
    service: "Kubernetes",
    token: "None that anybody checks: it cannot fence. Its count of transitions grows and could",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::Item,
        Fixed::Ends,
        Fixed::Late,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Wait,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::Renew,
        Fixed::Deadline,
    ],
    fixed: "client-go settles this itself",
    own: KubernetesSettings::OWN,
    rules,
    shape,
    halves: Halves::TABLE,
};

own_settings! {
    /// What of client-go its user can set.
    pub struct KubernetesSettings in kubernetes {
        /// What is sent as token. Default: nothing but the holder's name.
        pub token: KubernetesToken = KubernetesToken::Holder, neutral KubernetesToken::Holder;
        /// How long a leader tries to renew before it steps down. Default 10 s.
        pub renew_deadline: SimDuration = SimDuration::from_secs(10),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How long after an answer it renews, and how long a candidate waits at least. Default 2
        /// s.
        pub retry_period: SimDuration = SimDuration::from_secs(2),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How long it waits for an answer to a renewal. Default 5 s, half of the renew deadline.
        pub request_timeout: SimDuration = SimDuration::from_secs(5),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
    }
}

choices! {
    /// What a leader sends as its token.
    #[derive(Copy)]
    pub enum KubernetesToken = Holder {
        /// `holderIdentity`, a name: nothing that a storage could compare.
        Holder,
        /// `leaseTransitions`: one more with every new leader, as long as the object stands.
        Transitions,
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.kubernetes;
    let (token_source, worth) = match settings.token {
        KubernetesToken::Holder => (TokenSource::LeaseId, TokenWorth::Nothing),
        KubernetesToken::Transitions => (TokenSource::Counter, TokenWorth::Ordered),
    };
    Rules {
        // `leaseDurationSeconds`.
        ttl: TtlRule {
            least: SimDuration::from_secs(1),
            most: None,
            unit: SimDuration::from_secs(1),
        },
        lateness: Lateness::OnTime,
        worth,
        token_source,
        // Every update names the version that it replaces.
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Observers,
        connection_bound: false,
        two_steps: false,
        waiter_check: false,
        has_queue: false,
        // A process that starts again has another name, unless its user gave it a fixed one.
        knows_its_holder: spec.defaults.identity == Identity::Shared,
        holds_values: false,
        answers_stores: false,
        schedule: Schedule::Retries {
            every: settings.retry_period,
            timeout: settings.request_timeout,
            deadline: settings.renew_deadline,
        },
        reentry: Reentry::Never,
        ..Rules::of_lease_server(spec)
    }
}

fn shape(spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    let every = spec.systems.kubernetes.retry_period;
    settings.session = false;
    settings.renew = Renew::Every(every);
    let jitter = every.times(6).part(5);
    settings.wait = Wait::Poll { every, jitter };
    // From the answer on: the schedule says how long.
    settings.deadline = Deadline::FromReceipt;
    settings.deadline_margin = SimDuration::ZERO;
    settings.deadline_rate_error_ppm = 0;
}
