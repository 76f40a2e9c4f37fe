//! What a queue's lock chooses among, as a scenario file writes it: when its service acts on the
//! end of a lease, and how an item is settled. What a choice does is decided in `sim::lock`; here
//! is what cannot go together.

use super::choice::{ExpiryJudge, FenceRule};
use super::error::ScenarioError;
use super::settings::{ScenarioSpec, StorageSettings};
use crate::sim::form::choices;
use crate::sim::limits;
use crate::sim::lock::Rules;
use crate::sim::time::SimDuration;

choices! {
    /// When the service acts on the end of a lease whose time is over. Until it does, the lease is
    /// over and has not ended: nobody else is granted.
    #[derive(Copy)]
    pub enum Ends = OnTime {
        /// At the instant at which its time is over.
        OnTime,
        /// At the first look at which its time is over.
        AtSweep {
            /// How often it looks, on the clock that it judges by.
            every: SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION;
            /// When that clock shows this, it looks for the first time. Default 0.
            phase: SimDuration = SimDuration::ZERO, in SimDuration::ZERO, limits::MAX_DURATION;
        },
        /// At the second look at which the lease is there, if its time is over by then and no
        /// renewal came since the first: that look marks it, whether it is over or not.
        SecondLook {
            /// How often it looks, on the clock that it judges by.
            every: SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION;
        },
        /// When the next client that asks takes it. There is no queue.
        WhenTaken,
    }
}

choices! {
    /// What a holder is told whose time is over and whose lease has not ended yet.
    #[derive(Copy)]
    pub enum Late = Accepted {
        /// Its renewal, its check and its release are taken; a renewal begins a new promise.
        Accepted,
        /// They are refused.
        Refused,
    }
}

choices! {
    /// When a worker settles its delivery of an item.
    #[derive(Copy)]
    pub enum SettleAt = End {
        /// When its last write was accepted.
        End,
        /// Before it begins: the work is done at most once.
        Begin,
    }
}

choices! {
    /// Whose settling of an item is taken.
    #[derive(Copy)]
    pub enum SettleCheck = Handle {
        /// That of the newest delivery, by its handle, as long as it has not ended.
        Handle,
        /// Anybody's, while somebody holds the item.
        State,
        /// Anybody's: it names the item and nothing else.
        Item,
    }
}

choices! {
    /// What a worker is told whose settling is not taken.
    #[derive(Copy)]
    pub enum SettleRefusal = Told {
        /// That it was refused.
        Told,
        /// The same as if it had been taken.
        Silent,
    }
}

/// Whether what is set goes together.
pub(super) fn check(
    spec: &ScenarioSpec,
    rules: &Rules,
    storage: &StorageSettings,
) -> Result<(), ScenarioError> {
    if let Some(item) = rules.item
        && item.settle_at == SettleAt::Begin
        && storage.fencing
        && matches!(storage.rule, FenceRule::SameTransaction | FenceRule::AsksService)
    {
        return Err(ScenarioError::DoNotGoTogether {
            path: "lease.settle_at",
            given: item.settle_at.name_in_files(),
            with: "a fence that asks who holds the lock",
            why: "nobody holds it while the work runs",
            right: "\"end\"",
        });
    }
    let Some(ends) = rules.acts() else {
        return Ok(());
    };
    let refused = |with, why| {
        let given = ends.name_in_files();
        let path = "lease.ends";
        Err(ScenarioError::DoNotGoTogether { path, given, with, why, right: "\"on_time\"" })
    };
    if rules.expiry == ExpiryJudge::Observers {
        return refused("\"expiry\": \"observers\"", "who takes the lock ends the lease before it");
    }
    if ends == Ends::WhenTaken && !spec.lease.lock_delay.is_zero() {
        return refused("a lock_delay", "it would begin when somebody takes the lock");
    }
    Ok(())
}
