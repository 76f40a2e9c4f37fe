//! etcd, as its Go client's `concurrency` package uses it: a session is a lease that is kept alive,
//! the lock is a queue of keys under one prefix, ordered by create revision, each waiter watching
//! the one before it.
//!
//! Sources: `server/lease/lessor.go` (whole seconds, `revokeExpiredLeases` every 500 ms, `Promote`
//! refreshes, `Renew` of an expired lease is refused), `client/v3/concurrency/session.go` (60 s)
//! and `mutex.go`, `client/v3/lease.go` (keep-alive at TTL/3).

use super::rules::{Lateness, TtlRule};
use super::{Fixed, Halves, Reentry, Rules, SystemInfo, TokenWorth, by_library};
use crate::sim::form::choices;
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, HandOff, LockSystem, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Etcd,
    name: "etcd",
    service: "etcd",
    token: "The lock key's create revision: it grows, with gaps. It can fence",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
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
        Fixed::Identity,
        Fixed::HandOff,
    ],
    fixed: "etcd settles this itself",
    own: EtcdSettings::OWN,
    rules,
    shape,
    halves: Halves::TABLE,
};

own_settings! {
    /// What an etcd server or its user can set.
    pub struct EtcdSettings in etcd {
        /// Which number is sent as token. Default: the lock key's create revision.
        pub token: EtcdToken = EtcdToken::CreateRevision, neutral EtcdToken::CreateRevision;
        /// Whether others write to the same store, so that revisions have gaps. Default yes.
        pub shared_store: bool = true, none "who else uses the store";
        /// How often the leader looks for leases that are over. Default 500 ms, which no flag
        /// changes.
        pub scan: SimDuration = SimDuration::from_millis(500), none "a quantity";
        /// How long a revoke takes until a majority has it. Default 10 ms.
        pub commit: SimDuration = SimDuration::from_millis(10), none "a quantity";
        /// How much more than its TTL a new leader gives a lease. Default 1 s, as its flag.
        pub election_timeout: SimDuration = SimDuration::from_secs(1), none "a quantity";
        /// How often somebody saves a snapshot that the store can be restored from. Default: never,
        /// so that a restore begins with an empty store.
        pub snapshot_every: Option<SimDuration> => None,
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// Whether a restore skips revisions (`etcdutl snapshot restore --bump-revision`), by as
        /// many as its documentation advises. Default no, as its flag.
        pub bump_revision: bool = false, neutral false;
    }
}

/// What etcd's documentation on disaster recovery advises for `--bump-revision`.
const BUMP: i64 = 1_000_000_000;

choices! {
    /// Which of etcd's numbers a client sends as its token.
    #[derive(Copy)]
    pub enum EtcdToken = CreateRevision {
        /// The create revision of the lock's key: the right one.
        CreateRevision,
        /// The lease's id: a number without order. What etcd's own demo compares for equality.
        LeaseId,
        /// The store's revision when the lease was granted, from the header of that answer: it can
        /// repeat, and be older than that of an earlier holder.
        LeaseRevision,
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.etcd;
    let (token_source, worth) = match settings.token {
        EtcdToken::CreateRevision => (TokenSource::RevisionAtEnqueue, TokenWorth::Ordered),
        EtcdToken::LeaseId => (TokenSource::LeaseId, TokenWorth::Unordered),
        EtcdToken::LeaseRevision => (TokenSource::RevisionOfSession, TokenWorth::Unordered),
    };
    Rules {
        // A lease lasts whole seconds, and at least half as much again as the election timeout
        // (`minTTL` in `server/etcdserver/server.go`): 2 s by default.
        ttl: TtlRule {
            least: least_ttl(settings.election_timeout),
            most: None,
            unit: SimDuration::from_secs(1),
        },
        lateness: Lateness::Scans { every: settings.scan, commit: settings.commit },
        refreshes_by: Some(settings.election_timeout),
        worth,
        token_source,
        // The key stands under the client's own lease: nobody else deletes it by mistake.
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        connection_bound: false,
        two_steps: false,
        hand_off: HandOff::InOrder,
        snapshot_every: settings.snapshot_every,
        others_revise: settings.shared_store,
        ends_take_numbers: true,
        restore_skips: if settings.bump_revision { BUMP } else { 0 },
        reentry: Reentry::KeepsToken,
        ..Rules::of_lease_server(spec)
    }
}

/// The server's own minimum, in whole seconds as all its leases.
fn least_ttl(election_timeout: SimDuration) -> SimDuration {
    let micros = election_timeout.times(3).micros() / 2;
    SimDuration::from_secs(micros.div_ceil(1_000_000).max(1))
}

/// Its client always has a session, and always waits in the queue of keys.
fn shape(_spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, true, Wait::Queue);
}
