//! What can be done where the lock's work is stored: fences of every kind, and what a store must
//! not lack.

use super::NotTried;
use super::clients::{can_be_done_twice, writes_several};
use super::setup::{Offer, Setup, on};
use crate::sim::lock::{StoreCheck, TokenWorth};
use crate::sim::scenario::{
    CannotFence, FaultKind, FenceRule, Fixed, Resource, Setting, Unchecked,
};
use crate::sim::{Change, SimDuration};

/// No store is left out of what a fence is said to do.
pub(super) const EVERY_STORE: Change = Change::UncheckedStores(Unchecked::NONE);

/// Whether the protected resource leaves a way to check open.
fn leaves_open(setup: &Setup<'_>, rule: FenceRule, seal: bool) -> Result<(), NotTried> {
    if let Some(CannotFence::Resource(_)) = setup.scenario.cannot_fence() {
        return Err(NotTried::CannotCheck);
    }
    let is_settled = |setting| setup.open(setting).is_err();
    let other_rule = is_settled(Fixed::Rule) && setup.storage().rule != rule;
    let no_seal = seal && is_settled(Fixed::Seal);
    let broker = setup.scenario.store_check() != StoreCheck::AsSet;
    let not_the_brokers = broker && (seal || rule != FenceRule::RejectLower);
    let settled = other_rule || no_seal || not_the_brokers;
    if settled { Err(NotTried::SettledByResource) } else { Ok(()) }
}

/// What stores check, at every one. Where the set-up has it and leaves out a store, that is the
/// mistake of a row of its own.
fn at_every_store(setup: &Setup<'_>, mut changes: Vec<Change>) -> Offer {
    if !setup.alters(&changes) {
        return Err(NotTried::AlreadyOn);
    }
    changes.push(EVERY_STORE);
    Ok(changes)
}

fn fence(setup: &Setup<'_>, rule: FenceRule, seal: bool) -> Offer {
    leaves_open(setup, rule, seal)?;
    if setup.scenario.rules().worth != TokenWorth::Ordered {
        return Err(NotTried::NoOrderedToken);
    }
    at_every_store(setup, vec![Change::Fencing(true), Change::Rule(rule), Change::Seal(seal)])
}

/// Whether stores refuse a token that is newer than the one they know of.
fn refuses_newer(setup: &Setup<'_>) -> bool {
    setup.storage().fencing && setup.storage().rule == FenceRule::MustMatch
}

pub(super) fn refuses_lower_only(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Rule)?;
    on(refuses_newer(setup), [Change::Rule(FenceRule::RejectLower)])
}

pub(super) fn reject_lower(setup: &Setup<'_>) -> Offer {
    // There is a fence, whose mistake has a row of its own.
    if refuses_newer(setup) && setup.alters(&[Change::Rule(FenceRule::RejectLower)]) {
        return Err(NotTried::AlreadyOn);
    }
    fence(setup, FenceRule::RejectLower, false)
}

pub(super) fn reject_lower_or_equal(setup: &Setup<'_>) -> Offer {
    if setup.any(writes_several) {
        return Err(NotTried::SeveralWritesPerGrant);
    }
    fence(setup, FenceRule::RejectLowerOrEqual, false)
}

pub(super) fn sealed(setup: &Setup<'_>) -> Offer {
    // Before a SQL row the seal is the claim with `<`.
    let is_row = setup.spec().storage.resource == Resource::SqlRow;
    let rule = if is_row { FenceRule::RejectLowerOrEqual } else { FenceRule::RejectLower };
    fence(setup, rule, true)
}

pub(super) fn compare_and_set(setup: &Setup<'_>) -> Offer {
    leaves_open(setup, FenceRule::DataVersion, false)?;
    at_every_store(setup, vec![Change::Fencing(true), Change::Rule(FenceRule::DataVersion)])
}

/// What makes a set-up's stores compare tokens, each of them.
pub(super) fn tokens_compared(setup: &Setup<'_>) -> Vec<Change> {
    let mut changes = vec![Change::Fencing(true), EVERY_STORE];
    if setup.storage().rule == FenceRule::DataVersion && setup.open(Fixed::Rule).is_ok() {
        changes.push(Change::Rule(FenceRule::RejectLower));
    }
    changes
}

pub(super) fn idempotent(setup: &Setup<'_>) -> Offer {
    let twice = setup.has_fault(|kind| matches!(kind, FaultKind::Duplicate { .. }));
    let is_delivered = setup.scenario.rules().item.is_some();
    if !twice && !is_delivered && !setup.any(can_be_done_twice) {
        return Err(NotTried::NothingDoneTwice);
    }
    Ok(vec![Change::Idempotent(true)])
}

pub(super) fn every_store_checks(setup: &Setup<'_>) -> Offer {
    let leaves_out = setup.storage().fencing && setup.alters(&[EVERY_STORE]);
    on(leaves_out, [EVERY_STORE])
}

pub(super) fn check_and_write_in_one_step(setup: &Setup<'_>) -> Offer {
    let at_once = Change::CheckGap(SimDuration::ZERO);
    on(setup.alters(std::slice::from_ref(&at_once)), [at_once])
}

pub(super) fn durable_fence(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::Durable)
}

pub(super) fn the_row_is_there(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::MissingRow)
}
