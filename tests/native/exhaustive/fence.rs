//! “Tokens never go back”, in any interleaving: with a token that grows with every grant, an atomic
//! check that rejects lower tokens and a durable highest; and each of these conditions is needed.

use fenceline::sim::scenario::{ClientSettings, LeaseSpec, StorageSettings, TokenSource};
use fenceline::sim::{FencingToken, SimDuration};

use super::race::{Bounds, Race, Set, WENT_BACK};
use super::{Explored, broken_in, explore, holds_in};

/// Clients that write twice under a grant and then stay; leases end whenever the checker likes.
fn set(n_clients: u8) -> Set {
    Set {
        n_clients: usize::from(n_clients),
        clients: ClientSettings { writes_per_grant: 2, ..ClientSettings::default() },
        lease: LeaseSpec::default(),
        storage: StorageSettings::default(),
        bounds: Bounds { grants: u32::from(n_clients), expiries: n_clients, ..Bounds::default() },
        follows_units: false,
    }
}

fn check(set: Set) -> Explored {
    explore(Race::new(set), WENT_BACK)
}

#[test]
fn with_a_growing_token_and_an_atomic_check_writes_never_go_back() {
    assert_eq!(check(set(2)), holds_in(1_324));
    let mut three = set(3);
    three.clients.writes_per_grant = 1;
    assert_eq!(check(three), holds_in(36_296));
}

#[test]
fn nor_do_they_over_two_stores_or_with_gaps_between_tokens() {
    let mut set = set(2);
    set.clients.writes_per_grant = 1;
    set.storage.stores = 2;
    set.lease.token_source = TokenSource::Revision;
    assert_eq!(check(set), holds_in(1_108));
}

/// One write per grant, after which the lock is given back.
fn released() -> Set {
    let mut set = set(2);
    set.clients.writes_per_grant = 1;
    set.clients.release = true;
    set.bounds.expiries = 1;
    set
}

#[test]
fn nor_do_they_when_a_write_lands_twice() {
    let mut set = released();
    set.bounds.duplicates = 1;
    assert_eq!(check(set), holds_in(3_206));
}

#[test]
fn nor_do_they_when_a_client_starts_anew() {
    let mut set = released();
    set.bounds.crashes = 1;
    assert_eq!(check(set), holds_in(21_838));
}

#[test]
fn nor_do_they_when_requests_are_sent_again() {
    let mut set = released();
    set.clients.timeout = Some(SimDuration::from_secs(1));
    set.clients.retries = 1;
    set.bounds.timeouts = 1;
    assert_eq!(check(set), holds_in(13_754));
}

#[test]
fn without_a_fence_they_do() {
    let mut set = set(2);
    set.storage.fencing = false;
    assert_eq!(check(set), broken_in(1_504, 23));
}

#[test]
fn with_a_check_apart_from_the_write_they_do() {
    let mut set = set(2);
    set.storage.check_gap = SimDuration::from_millis(1);
    assert_eq!(check(set), broken_in(2_692, 27));
}

#[test]
fn with_a_token_that_does_not_grow_they_do() {
    let mut same = set(2);
    same.lease.token_source = TokenSource::Constant;
    assert_eq!(check(same), broken_in(1_384, 23));
    let mut wraps = set(2);
    wraps.lease.token_source = TokenSource::Sequence32;
    wraps.lease.first_token = FencingToken(i64::from(i32::MAX));
    assert_eq!(check(wraps), broken_in(1_324, 23));
}

#[test]
fn with_a_token_that_is_read_again_before_the_write_they_do() {
    let mut set = set(2);
    set.clients.writes_per_grant = 1;
    set.clients.rereads_token = true;
    assert_eq!(check(set), broken_in(1_886, 23));
}

#[test]
fn with_a_store_that_forgets_its_highest_they_do() {
    let mut set = set(2);
    set.clients.writes_per_grant = 1;
    set.storage.durable = false;
    set.bounds.store_restarts = 1;
    assert_eq!(check(set), broken_in(1_520, 18));
}
