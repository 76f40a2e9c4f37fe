//! A set-up that is to be mended: its settings as they hold for each client, what it leaves open,
//! what its faults strike, and what its run came to.

use super::NotTried;
use crate::sim::lock::{SystemSettings, info};
use crate::sim::scenario::{
    ClientSettings, Fault, FaultKind, Fixed, ScenarioSpec, Setting, StorageSettings, resource_info,
};
use crate::sim::{Change, Recording, Scenario, SimDuration};

/// What a remedy changes, or why it is not tried.
pub(super) type Offer = Result<Vec<Change>, NotTried>;

/// The set-up and its run.
pub(super) struct Setup<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) run: &'a Recording,
    /// The longest time that a client without renewal needs the lock, without faults; `None`: all
    /// renew, or it is never done.
    pub(super) needed: Option<SimDuration>,
}

impl Setup<'_> {
    pub(super) fn spec(&self) -> &ScenarioSpec {
        self.scenario.spec()
    }

    pub(super) fn storage(&self) -> &StorageSettings {
        self.scenario.storage()
    }

    /// Whether a client's settings are so.
    pub(super) fn any(&self, test: impl Fn(&ClientSettings) -> bool) -> bool {
        self.scenario.clients().iter().any(|client| test(&client.settings))
    }

    /// Whether every client's settings are so.
    pub(super) fn all(&self, test: impl Fn(&ClientSettings) -> bool) -> bool {
        !self.any(|settings| !test(settings))
    }

    /// Whether neither lock system nor resource settles a setting.
    pub(super) fn open(&self, setting: Fixed) -> Result<(), NotTried> {
        if info(self.spec().lock).fixes.contains(&setting) {
            Err(NotTried::SettledBySystem)
        } else if resource_info(self.spec().storage.resource).fixes.contains(&setting) {
            Err(NotTried::SettledByResource)
        } else {
            Ok(())
        }
    }

    /// The time to live, of a lock that has one.
    pub(super) fn ttl(&self) -> Result<SimDuration, NotTried> {
        self.scenario.ttl().ok_or(NotTried::NoTimeToLive)
    }

    /// Whether something that happens in a run is so.
    pub(super) fn has_fault(&self, test: impl Fn(&FaultKind) -> bool) -> bool {
        self.faults().any(|fault| test(&fault.kind))
    }

    /// Every fault that becomes another one.
    pub(super) fn with_faults(&self, other: impl Fn(&FaultKind) -> Option<FaultKind>) -> Offer {
        let replaced = |fault: &Fault| {
            let kind = other(&fault.kind)?;
            Some(Change::ReplaceFault(Fault { kind, ..fault.clone() }))
        };
        called_for(self.faults().filter_map(replaced).collect())
    }

    /// Every fault of a kind switched off.
    pub(super) fn without_faults(&self, test: impl Fn(&FaultKind) -> bool) -> Offer {
        let struck = self.faults().filter(|fault| test(&fault.kind));
        called_for(
            struck.map(|fault| Change::EnableFault { id: fault.id, enabled: false }).collect(),
        )
    }

    /// The faults that happen in a run.
    pub(super) fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.spec().faults.iter().filter(|fault| fault.enabled)
    }

    /// The settings of the lock systems, changed.
    pub(super) fn systems(&self, change: impl FnOnce(&mut SystemSettings)) -> Change {
        let mut systems = self.spec().systems.clone();
        change(&mut systems);
        Change::Systems(systems)
    }

    /// The changes that alter something, in their order; where nothing that holds would be
    /// otherwise, the set-up has it already.
    pub(super) fn effective(&self, changes: Vec<Change>) -> Offer {
        let mut spec = self.spec().clone();
        let mut kept = Vec::new();
        for change in changes {
            let before = spec.clone();
            if change.apply(&mut spec).is_err() || spec != before {
                kept.push(change);
            }
        }
        if self.alters(&kept) { Ok(kept) } else { Err(NotTried::AlreadyOn) }
    }

    /// Whether changes alter anything that holds: what neither lock system nor resource settles,
    /// for any client, node or store. What cannot be run is no matter of this.
    pub(super) fn alters(&self, changes: &[Change]) -> bool {
        let Ok(changed) = self.scenario.with(changes) else {
            return true;
        };
        let (before, after) = (self.spec(), changed.spec());
        let own = |all: &SystemSettings| {
            (all.redlock.clone(), all.raft_leader.clone(), all.raft_lease.clone())
        };
        changed.clients() != self.scenario.clients()
            || changed.rules() != self.scenario.rules()
            || changed.storage() != self.scenario.storage()
            || (before.lock, &before.faults) != (after.lock, &after.faults)
            || own(&before.systems) != own(&after.systems)
    }

    /// A setting at the value with which it causes nothing, where that alters what holds.
    pub(super) fn neutral(&self, setting: Setting) -> Offer {
        let change = setting.neutral().ok_or(NotTried::NothingCallsForIt)?;
        on(self.alters(std::slice::from_ref(&change)), [change])
    }

    /// What a lock system's documentation has, where that alters what holds.
    pub(super) fn documented(&self, change: impl FnOnce(&mut SystemSettings)) -> Offer {
        let change = self.systems(change);
        on(self.alters(std::slice::from_ref(&change)), [change])
    }
}

/// The changes, if there are any.
fn called_for(changes: Vec<Change>) -> Offer {
    if changes.is_empty() { Err(NotTried::NothingCallsForIt) } else { Ok(changes) }
}

/// The changes, if something calls for them.
pub(super) fn on(is_called_for: bool, changes: impl IntoIterator<Item = Change>) -> Offer {
    if is_called_for { Ok(changes.into_iter().collect()) } else { Err(NotTried::NothingCallsForIt) }
}

/// The changes, unless the set-up has them.
pub(super) fn unless(is_on: bool, changes: impl IntoIterator<Item = Change>) -> Offer {
    if is_on { Err(NotTried::AlreadyOn) } else { Ok(changes.into_iter().collect()) }
}
