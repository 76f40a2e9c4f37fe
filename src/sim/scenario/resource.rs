//! What the lock protects. Each kind of resource settles some of the settings of the storage by
//! itself, as a lock system settles some of those of the lease; what the stores and their clients
//! go by is what is left. It knows no words but those of its own table.

use super::choice::{FenceRule, Operation};
use super::settings::{ClientSettings, StorageSettings};
use super::unchecked::Unchecked;
use crate::sim::form::choices;
use crate::sim::lock::{Fixed, Rules, StoreCheck, TokenWorth};
use crate::sim::time::SimDuration;

choices! {
    /// The kinds of protected resource.
    #[derive(Copy)]
    pub enum Resource = Generic {
        /// A store that is whatever its settings say.
        Generic,
        /// A row of a database: `UPDATE … WHERE id = … AND fence < …`, and exactly one row changed.
        SqlRow,
        /// An object store that writes only over the version that was read: `If-Match`.
        ObjectStore,
        /// A store that compares nothing.
        CannotCheck,
        /// A call to somebody else's service: a payment, a mail, a machine.
        ExternalCall,
    }
}

/// What a resource is, for pickers and for validation.
#[derive(Clone, Copy, Debug)]
pub struct ResourceInfo {
    /// Which one.
    pub resource: Resource,
    /// Its name.
    pub name: &'static str,
    /// What it compares, in one line.
    pub line: &'static str,
    /// The settings that it does not leave open.
    pub fixes: &'static [Fixed],
    /// Why a control for one of them has no effect, without a full stop.
    pub fixed: &'static str,
}

/// All of them, in the order in which they are offered.
pub const RESOURCES: [ResourceInfo; 5] = [
    ResourceInfo {
        resource: Resource::Generic,
        name: "Generic storage",
        line: "A store that checks as its settings say",
        fixes: &[],
        fixed: "",
    },
    ResourceInfo {
        resource: Resource::SqlRow,
        name: "SQL row",
        line: "A conditional UPDATE; exactly one row must change",
        fixes: &[Fixed::Rule, Fixed::UncheckedStores, Fixed::Durable],
        fixed: "The conditional UPDATE settles this",
    },
    ResourceInfo {
        resource: Resource::ObjectStore,
        name: "Object store",
        line: "A conditional PUT compares the object's version, no token",
        fixes: &[Fixed::Rule, Fixed::Seal, Fixed::CheckGap, Fixed::UncheckedStores, Fixed::Durable],
        fixed: "The conditional PUT settles this: it compares the version, in one step",
    },
    ResourceInfo {
        resource: Resource::CannotCheck,
        name: "Store that cannot check",
        line: "It compares nothing: only an idempotent operation helps",
        fixes: &[
            Fixed::Fencing,
            Fixed::Rule,
            Fixed::Seal,
            Fixed::CheckGap,
            Fixed::UncheckedStores,
            Fixed::Durable,
        ],
        fixed: "This store compares nothing",
    },
    ResourceInfo {
        resource: Resource::ExternalCall,
        name: "External call",
        line: "No fence reaches it: only an idempotent operation helps",
        fixes: &[
            Fixed::Operation,
            Fixed::Fencing,
            Fixed::Rule,
            Fixed::Seal,
            Fixed::CheckGap,
            Fixed::UncheckedStores,
            Fixed::Durable,
        ],
        fixed: "Whoever is called compares nothing",
    },
];

/// What `resource` is.
pub fn resource_info(resource: Resource) -> &'static ResourceInfo {
    match resource {
        Resource::Generic => &RESOURCES[0],
        Resource::SqlRow => &RESOURCES[1],
        Resource::ObjectStore => &RESOURCES[2],
        Resource::CannotCheck => &RESOURCES[3],
        Resource::ExternalCall => &RESOURCES[4],
    }
}

/// Why a fence that is turned on compares nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CannotFence {
    /// The lock system hands out nothing that a store could compare.
    NoToken,
    /// The resource compares nothing.
    Resource(Resource),
}

/// Why fencing would compare nothing; `None`: it compares.
pub(super) fn cannot_fence(asked: &StorageSettings, rules: &Rules) -> Option<CannotFence> {
    let settled = settled(asked);
    match asked.resource {
        Resource::CannotCheck | Resource::ExternalCall => {
            Some(CannotFence::Resource(asked.resource))
        }
        Resource::Generic | Resource::SqlRow | Resource::ObjectStore => {
            let needs_token = match settled.rule {
                FenceRule::RejectLower
                | FenceRule::RejectLowerOrEqual
                | FenceRule::MustMatch
                | FenceRule::SameTransaction => true,
                // The service knows its own value again, whatever that is worth to others.
                FenceRule::DataVersion | FenceRule::TimeFence | FenceRule::AsksService => false,
            };
            let has_none = rules.worth == TokenWorth::Nothing;
            (needs_token && has_none).then_some(CannotFence::NoToken)
        }
    }
}

/// The settings that the stores go by: what the resource and the tokens leave of those asked for.
pub(super) fn stores(asked: &StorageSettings, rules: &Rules) -> StorageSettings {
    let mut settings = settled(asked);
    if settings.rule == FenceRule::SameTransaction {
        match rules.holds_values {
            // A transaction is one step.
            true => settings.check_gap = SimDuration::ZERO,
            false => settings.rule = FenceRule::RejectLower,
        }
    }
    if rules.store_check != StoreCheck::AsSet {
        // A broker checks in one step, by what its log and its metadata keep, and knows no seal.
        settings.seal = false;
        settings.durable = true;
        settings.check_gap = SimDuration::ZERO;
        if asked.resource == Resource::Generic {
            settings.rule = FenceRule::RejectLower;
        }
    }
    if settings.rule == FenceRule::AsksService && !rules.answers_stores {
        settings.rule = FenceRule::RejectLower;
    }
    if cannot_fence(asked, rules).is_some() {
        (settings.fencing, settings.seal) = (false, false);
    }
    settings
}

/// By what the stores check: a broker as its system says, another resource in its own way.
pub(super) fn store_check(asked: &StorageSettings, rules: &Rules) -> StoreCheck {
    match asked.resource {
        Resource::Generic => rules.store_check,
        Resource::SqlRow
        | Resource::ObjectStore
        | Resource::CannotCheck
        | Resource::ExternalCall => StoreCheck::AsSet,
    }
}

fn settled(asked: &StorageSettings) -> StorageSettings {
    let mut settings = asked.clone();
    let whole = |settings: &mut StorageSettings| {
        settings.unchecked_stores = Unchecked::NONE;
        settings.durable = true;
    };
    match asked.resource {
        Resource::Generic => {}
        Resource::SqlRow => {
            settings.rule = FenceRule::RejectLowerOrEqual;
            whole(&mut settings);
        }
        Resource::ObjectStore => {
            settings.rule = FenceRule::DataVersion;
            settings.seal = false;
            settings.check_gap = SimDuration::ZERO;
            whole(&mut settings);
        }
        Resource::CannotCheck | Resource::ExternalCall => {
            settings.check_gap = SimDuration::ZERO;
            whole(&mut settings);
        }
    }
    // Only a database says “0 rows” where there is none.
    settings.missing_row &= asked.resource == Resource::SqlRow;
    settings
}

/// What a resource leaves of a client's settings.
pub(super) fn shape(asked: &StorageSettings, settings: &mut ClientSettings) {
    if asked.resource == Resource::ExternalCall {
        settings.operation = Operation::ExternalEffect;
    }
}
