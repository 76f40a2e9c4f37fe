//! Consul: a session with a time to live, a key that is acquired under it, and a queue of blocking
//! queries.
//!
//! Sources: its documentation on sessions (time to live of 10 s to 86,400 s, a lower bound;
//! lock-delay of 15 s, at most 60 s, after an invalidation only; release or delete) and on the
//! key-value store (`LockIndex`, `ModifyIndex`; the sequencer is key, `LockIndex` and session),
//! `session_ttl.go` (the server waits for twice the time; a new leader counts anew),
//! `api/session.go` (`RenewPeriodic`: at half of the time), `api/lock.go`.

use super::rules::{Lateness, TtlRule};
use super::{Fixed, Halves, Reentry, Rules, SystemInfo, TokenWorth, by_library};
use crate::sim::clock::ClockKind;
use crate::sim::form::choices;
use crate::sim::lock::settings::own_settings;
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, LockSystem, Ratio, Renew, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Consul,
    name: "Consul",
    service: "Consul",
    token: "The key's lock index: it grows with every holder while the key stands. It can fence",
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
        Fixed::Identity,
        Fixed::Renew,
    ],
    fixed: "Consul settles this itself",
    own: ConsulSettings::OWN,
    rules,
    shape,
    halves: Halves::TABLE,
};

own_settings! {
    /// What a Consul session or its user can set.
    pub struct ConsulSettings in consul {
        /// Which number is sent as token. Default: the lock index.
        pub token: ConsulToken = ConsulToken::LockIndex, neutral ConsulToken::LockIndex;
        /// After a session was invalidated, how long nobody acquires its key. Default 15 s; at most
        /// 60 s.
        pub lock_delay: SimDuration = SimDuration::from_secs(15),
            in SimDuration::ZERO, LONGEST_LOCK_DELAY, none "a quantity";
        /// What becomes of the key then. Default: it is released.
        pub behavior: Behavior = Behavior::Release, neutral Behavior::Release;
    }
}

/// The longest lock-delay that Consul takes.
pub(super) const LONGEST_LOCK_DELAY: SimDuration = SimDuration::from_secs(60);

choices! {
    /// Which of Consul's numbers a client sends as its token.
    #[derive(Copy)]
    pub enum ConsulToken = LockIndex {
        /// How often the key was acquired; it goes with the key.
        LockIndex,
        /// The index of the key's last change, which the whole store shares.
        ModifyIndex,
    }
}

choices! {
    /// What becomes of the key when its session is invalidated.
    #[derive(Copy)]
    pub enum Behavior = Release {
        /// It stands, and nobody holds it.
        Release,
        /// It is deleted, its lock index with it.
        Delete,
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.consul;
    let token_source = match settings.token {
        ConsulToken::LockIndex => TokenSource::Counter,
        ConsulToken::ModifyIndex => TokenSource::Revision,
    };
    Rules {
        ttl: TtlRule {
            least: SimDuration::from_secs(10),
            most: Some(SimDuration::from_secs(86_400)),
            unit: SimDuration::from_micros(1),
        },
        lateness: Lateness::Twice,
        refreshes_by: Some(SimDuration::ZERO),
        worth: TokenWorth::Ordered,
        token_source,
        owner_check: true,
        lock_delay: settings.lock_delay,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Monotonic,
        connection_bound: false,
        two_steps: false,
        waiter_check: true,
        failure_removes: settings.behavior == Behavior::Delete
            && settings.token == ConsulToken::LockIndex,
        reentry: Reentry::KeepsToken,
        ..Rules::of_lease_server(spec)
    }
}

/// Its client renews at half of the time to live.
fn shape(_spec: &ScenarioSpec, ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, true, Wait::Queue);
    let half = Ratio { numerator: 1, denominator: 2 };
    settings.renew = Renew::Every(half.of(ttl.unwrap_or_default()));
}
