//! Chubby: a session with its cell's master, a lock in it, and a sequencer that proves it.
//!
//! Source: M. Burrows, “The Chubby lock service for loosely-coupled distributed systems”, OSDI
//! 2006: 2.2 (instance and lock generation number), 2.4 (sequencers; lock-delay, at most one
//! minute, only after a failure), 2.8 (leases of 12 s, jeopardy, grace period of 45 s, the client's
//! conservative count), 2.9 (fail-overs: a session's clock stands still without a master).

use super::rules::{Anew, Lateness, TtlRule};
use super::{Fixed, Halves, Reentry, Rules, SystemInfo, TokenWorth};
use crate::sim::clock::ClockKind;
use crate::sim::form::{choices, fields};
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, Identity, LockSystem, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Chubby,
    name: "Chubby",
    token: "The sequencer: instance and lock generation grow with every holder. It can fence",
    fixes: &[
        Fixed::TokenSource,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
        Fixed::Grace,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Wait,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::Identity,
        Fixed::Deadline,
    ],
    fixed: "Chubby settles this itself",
    rules,
    shape,
    halves: Halves::TABLE,
};

fields! {
    /// What a Chubby cell or its user can set.
    pub struct ChubbySettings: Default {
        /// What of the sequencer a storage compares. Default: instance and generation.
        pub sequencer: Sequencer = Sequencer::InstanceAndGeneration;
        /// How long a client in jeopardy waits for a master. Default 45 s.
        pub grace: SimDuration = SimDuration::from_secs(45);
        /// Whether the lock's file goes when nobody has it open. Default no.
        pub ephemeral: bool = false;
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
    settings.session = true;
    settings.wait = Wait::Queue;
    settings.identity = Identity::Unique;
    settings.deadline = Deadline::FromSend;
}
