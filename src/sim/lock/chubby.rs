//! Chubby: a session with its cell's master, a lock in it, and a sequencer that proves it.
//!
//! Source: M. Burrows, “The Chubby lock service for loosely-coupled distributed systems”, OSDI
//! 2006: 2.2 (instance and lock generation number), 2.4 (sequencers; lock-delay, at most one
//! minute, only after a failure), 2.8 (leases of 12 s, jeopardy, grace period of 45 s, the client's
//! conservative count), 2.9 (fail-overs: a session's clock stands still without a master).

use super::rules::{Anew, Lateness, TtlRule};
use super::{Fixed, Halves, Reentry, Rules, SystemInfo, TokenWorth, by_library};
use crate::sim::clock::ClockKind;
use crate::sim::form::choices;
use crate::sim::lock::settings::own_settings;
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, LockSystem, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Chubby,
    name: "Chubby",
    service: "Chubby",
    token: "The sequencer's lock generation, with the file's instance added here. It can fence",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
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
        Fixed::Deadline,
    ],
    fixed: "Chubby settles this itself",
    own: ChubbySettings::OWN,
    rules,
    shape,
    halves: Halves::TABLE,
};

own_settings! {
    /// What a Chubby cell or its user can set.
    pub struct ChubbySettings in chubby {
        /// What of the sequencer a storage compares. Default: instance and generation.
        pub sequencer: Sequencer = Sequencer::InstanceAndGeneration,
            neutral Sequencer::InstanceAndGeneration;
        /// How long a client in jeopardy waits for a master. Default 45 s.
        pub grace: SimDuration = SimDuration::from_secs(45), none "a quantity";
        /// Whether the lock's file goes when nobody has it open. Default no.
        pub ephemeral: bool = false, neutral false;
    }
}

choices! {
    /// What of the sequencer a storage compares.
    #[derive(Copy)]
    pub enum Sequencer = InstanceAndGeneration {
        /// The instance of the file above, the generation of the lock below.
        InstanceAndGeneration,
        /// The generation alone: it begins anew with another instance.
        Generation,
    }
}

/// “currently one minute” (2.4).
const LONGEST_LOCK_DELAY: SimDuration = SimDuration::from_secs(60);

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.chubby;
    let (token_source, anew) = match settings.sequencer {
        Sequencer::InstanceAndGeneration => (TokenSource::EpochAndCounter, Anew::NextInstance),
        Sequencer::Generation => (TokenSource::Counter, Anew::TokensRestart),
    };
    Rules {
        ttl: TtlRule::AS_ASKED,
        lateness: Lateness::OnTime,
        // The clock of a session stands still without a master; a new one cannot know how much was
        // left and gives the whole again.
        refreshes_by: Some(SimDuration::ZERO),
        worth: TokenWorth::Ordered,
        token_source,
        leader_raises_epoch: false,
        owner_check: true,
        lock_delay: spec.lease.lock_delay.min(LONGEST_LOCK_DELAY),
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Monotonic,
        connection_bound: false,
        two_steps: false,
        waiter_check: true,
        removed_when_empty: settings.ephemeral.then_some(SimDuration::ZERO),
        anew,
        client_grace: Some(settings.grace),
        // Files are small and whole: there is no transaction over a lock and a file.
        holds_values: false,
        reentry: Reentry::KeepsToken,
        ..Rules::of_lease_server(spec)
    }
}

/// Its client keeps a conservative count of its lease, from when it sent the request.
fn shape(_spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, true, Wait::Queue);
    settings.deadline = Deadline::FromSend;
}
