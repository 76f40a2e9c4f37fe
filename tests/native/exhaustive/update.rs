//! “No lost update” and “no older write once the next holder has begun”, in any interleaving:
//! with the seal both hold; without it, or with a write that arrives twice, they do not.

use fenceline::sim::SimDuration;
use fenceline::sim::scenario::{ClientSettings, LeaseSpec, Operation, StorageSettings};

use super::race::{Bounds, LOST_UPDATE, OLDER_WRITE, Race, Set};
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
        follow_updates: true,
    }
}

fn check(set: Set, property: &'static str) -> Explored {
    explore(Race::new(set), property)
}

#[test]
fn with_the_seal_no_update_is_lost() {
    assert_eq!(check(sealed(), LOST_UPDATE), holds_in(4_828));
}

#[test]
fn without_the_seal_one_is() {
    let mut set = sealed();
    set.storage.seal = false;
    assert_eq!(check(set, LOST_UPDATE), broken_in(5_296, 31));
}

#[test]
fn with_the_seal_a_late_duplicate_of_an_older_write_loses_one() {
    let mut set = sealed();
    set.bounds.duplicates = 1;
    assert_eq!(check(set, LOST_UPDATE), broken_in(42_424, 37));
}

#[test]
fn with_the_seal_a_write_of_before_a_restart_loses_one() {
    let mut set = sealed();
    set.clients.writes_per_grant = 1;
    set.bounds.crashes = 1;
    assert_eq!(check(set, LOST_UPDATE), broken_in(64_832, 37));
}

#[test]
fn with_the_seal_a_write_that_timed_out_and_was_sent_again_loses_one() {
    let mut set = sealed();
    set.clients.timeout = Some(SimDuration::from_secs(1));
    set.clients.retries = 1;
    set.bounds.timeouts = 1;
    set.bounds.expiries = 1;
    assert_eq!(check(set, LOST_UPDATE), broken_in(102_248, 37));
}

/// Overwrites of two stores.
fn two_stores(seal: bool) -> Set {
    let mut set = sealed();
    set.clients.operation = Operation::Overwrite;
    set.clients.writes_per_grant = 1;
    (set.storage.stores, set.storage.seal) = (2, seal);
    set.bounds.expiries = 1;
    set.follow_updates = false;
    set
}

#[test]
fn over_two_stores_only_the_seal_keeps_older_writes_out() {
    assert_eq!(check(two_stores(true), OLDER_WRITE), holds_in(2_896));
    assert_eq!(check(two_stores(false), OLDER_WRITE), broken_in(604, 20));
}
