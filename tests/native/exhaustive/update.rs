//! Damage of forms 1 and 2, and “no older write once the next holder has begun”, in any
//! interleaving: with the seal and all of its conditions there is none; without any one of them
//! there is. With compare-and-set alone no update is lost at any one store.

use fenceline::sim::SimDuration;
use fenceline::sim::scenario::{
    ClientSettings, FenceRule, Identity, LeaseSpec, Operation, RenewFailure, Repeat,
    StorageSettings, TokenSource,
};

use super::race::{Bounds, LOST_UPDATE, NO_DAMAGE, OLDER_OVER_NEWER, OLDER_WRITE, Race, Set};
use super::{Explored, broken_in, explore, holds_in};

/// Two clients that read and write twice under a grant, behind a sealed fence.
fn sealed() -> Set {
    Set {
        n_clients: 2,
        clients: ClientSettings {
            operation: Operation::ReadModifyWrite,
            writes_per_grant: 2,
            ..ClientSettings::default()
        },
        lease: LeaseSpec::default(),
        storage: StorageSettings { seal: true, ..StorageSettings::default() },
        bounds: Bounds { grants: 2, expiries: 2, ..Bounds::default() },
        follows_units: true,
    }
}

/// The same with one write each.
fn sealed_once() -> Set {
    let mut set = sealed();
    set.clients.writes_per_grant = 1;
    set
}

fn check(set: Set, property: &'static str) -> Explored {
    explore(Race::new(set), property)
}

#[test]
fn with_the_seal_there_is_no_damage() {
    assert_eq!(check(sealed(), NO_DAMAGE), holds_in(4_828));
    let mut two_stores = sealed_once();
    two_stores.storage.stores = 2;
    two_stores.bounds.expiries = 1;
    assert_eq!(check(two_stores, NO_DAMAGE), holds_in(4_528));
}

#[test]
fn nor_is_there_with_tokens_that_leave_numbers_out() {
    let mut set = sealed_once();
    set.lease.token_source = TokenSource::Revision;
    assert_eq!(check(set, NO_DAMAGE), holds_in(1_780));
}

/// A client gives the lock back after its write and asks again.
fn asking_again() -> Set {
    let mut set = sealed_once();
    set.clients.release = true;
    set.clients.repeat = Repeat::After(SimDuration::ZERO);
    set.bounds = Bounds { grants: 3, expiries: 1, ..Bounds::default() };
    set
}

#[test]
fn nor_is_there_when_a_client_reads_anew_under_its_next_grant() {
    assert_eq!(check(asking_again(), NO_DAMAGE), holds_in(16_774));
}

/// The renewer acquires anew behind its worker's back.
fn renewing(renew_failure: RenewFailure) -> Set {
    let mut set = sealed_once();
    set.clients.release = true;
    set.clients.renew_failure = renew_failure;
    set.bounds = Bounds { grants: 3, expiries: 1, renewals: 1, ..Bounds::default() };
    set
}

#[test]
fn without_a_new_read_after_acquiring_anew_there_is() {
    assert_eq!(check(renewing(RenewFailure::TriesAgain), NO_DAMAGE), holds_in(42_942));
    assert_eq!(check(renewing(RenewFailure::Reacquires), NO_DAMAGE), broken_in(71_206, 34));
}

#[test]
fn without_the_seal_there_is() {
    let mut set = sealed();
    set.storage.seal = false;
    assert_eq!(check(set, NO_DAMAGE), broken_in(5_392, 31));
}

#[test]
fn without_the_fence_there_is() {
    let mut set = sealed_once();
    set.storage.fencing = false;
    assert_eq!(check(set, NO_DAMAGE), broken_in(2_488, 25));
}

#[test]
fn with_a_check_apart_from_the_write_there_is() {
    let mut set = sealed_once();
    set.storage.check_gap = SimDuration::from_millis(1);
    assert_eq!(check(set, NO_DAMAGE), broken_in(2_428, 27));
}

#[test]
fn with_a_token_that_does_not_grow_there_is() {
    let mut set = sealed_once();
    set.lease.token_source = TokenSource::Constant;
    assert_eq!(check(set, NO_DAMAGE), broken_in(1_612, 25));
}

#[test]
fn with_a_token_that_is_read_again_before_the_write_there_is() {
    let mut set = sealed_once();
    set.clients.rereads_token = true;
    assert_eq!(check(set, NO_DAMAGE), broken_in(4_198, 31));
}

#[test]
fn with_a_store_that_forgets_its_highest_there_is() {
    let mut set = sealed_once();
    set.storage.durable = false;
    set.bounds.store_restarts = 1;
    assert_eq!(check(set, NO_DAMAGE), broken_in(7_124, 26));
}

#[test]
fn with_a_shared_name_there_is() {
    let mut set = sealed_once();
    set.clients.identity = Identity::Shared;
    assert_eq!(check(set, NO_DAMAGE), broken_in(1_008, 23));
}

#[test]
fn with_a_late_duplicate_of_an_older_write_there_is() {
    let mut set = sealed();
    set.bounds.duplicates = 1;
    assert_eq!(check(set, NO_DAMAGE), broken_in(42_424, 37));
}

#[test]
fn with_a_write_of_before_a_restart_there_is() {
    let mut set = sealed_once();
    set.bounds.crashes = 1;
    assert_eq!(check(set, NO_DAMAGE), broken_in(66_808, 37));
}

#[test]
fn with_a_write_that_timed_out_and_was_sent_again_there_is() {
    assert_eq!(check(timing_out(sealed()), NO_DAMAGE), broken_in(105_158, 37));
}

fn timing_out(mut set: Set) -> Set {
    set.clients.timeout = Some(SimDuration::from_secs(1));
    set.clients.retries = 1;
    set.bounds.timeouts = 1;
    set.bounds.expiries = 1;
    set
}

/// No lock's token is looked at: a write is accepted if nothing has changed since it was read.
fn compared() -> Set {
    let mut set = sealed_once();
    set.storage.seal = false;
    set.storage.rule = FenceRule::DataVersion;
    set
}

#[test]
fn with_compare_and_set_alone_no_update_is_lost_at_any_one_store() {
    assert_eq!(check(compared(), LOST_UPDATE), holds_in(1_156));
    let mut duplicate = compared();
    duplicate.bounds.duplicates = 1;
    assert_eq!(check(duplicate, LOST_UPDATE), holds_in(4_000));
    let mut crash = compared();
    crash.bounds.crashes = 1;
    assert_eq!(check(crash, LOST_UPDATE), holds_in(39_032));
    assert_eq!(check(timing_out(compared()), LOST_UPDATE), holds_in(13_924));
}

#[test]
fn over_two_stores_one_may_be_read_before_and_the_other_after() {
    let mut set = compared();
    set.storage.stores = 2;
    set.bounds.expiries = 1;
    assert_eq!(check(set, LOST_UPDATE), holds_in(1_888));
    let mut set = compared();
    set.storage.stores = 2;
    set.bounds.expiries = 1;
    assert_eq!(check(set, NO_DAMAGE), broken_in(1_888, 28));
}

#[test]
fn with_a_comparison_apart_from_the_write_an_update_is_lost() {
    let mut set = compared();
    set.storage.check_gap = SimDuration::from_millis(1);
    assert_eq!(check(set, LOST_UPDATE), broken_in(1_516, 23));
}

/// Overwrites of two stores.
fn two_stores(seal: bool) -> Set {
    let mut set = sealed_once();
    set.clients.operation = Operation::Overwrite;
    (set.storage.stores, set.storage.seal) = (2, seal);
    set.bounds.expiries = 1;
    set.follows_units = false;
    set
}

#[test]
fn over_two_stores_only_the_seal_keeps_older_writes_out() {
    assert_eq!(check(two_stores(true), OLDER_WRITE), holds_in(2_896));
    assert_eq!(check(two_stores(false), OLDER_WRITE), broken_in(604, 20));
}

/// Overwrites of one store.
fn overwrites(fencing: bool) -> Set {
    let mut set = sealed();
    set.clients.operation = Operation::Overwrite;
    (set.storage.seal, set.storage.fencing) = (false, fencing);
    set
}

#[test]
fn without_a_fence_an_older_holder_replaces_a_newer_ones_value_unseen() {
    assert_eq!(check(overwrites(true), OLDER_OVER_NEWER), holds_in(1_324));
    assert_eq!(check(overwrites(false), OLDER_OVER_NEWER), broken_in(1_720, 23));
}
