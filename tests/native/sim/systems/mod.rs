//! The named lock systems: what each makes of the settings, how late it is, what its tokens are
//! worth. What is the same for all stands in the other files.

mod chubby;
mod consul;
mod dhcp;
mod etcd;
mod kafka_leader;
mod kafka_producer;
mod kubernetes;
mod observers;
mod raft_leader;
mod raft_lease;
mod redis;
mod redlock;
mod sql;
mod zookeeper;

use fenceline::sim::clock::ClockKind;
use fenceline::sim::lock::{Fixed, SYSTEMS, SystemSettings};
use fenceline::sim::scenario::{
    Deadline, Ends, ExpiryJudge, FenceRule, HandOff, Identity, Late, LeaseCap, Operation, Renew,
    TokenSource, Unchecked, Wait,
};
use fenceline::sim::{Change, Recording};

use super::{A, B, at, crash, is_broken, lines, ms, no_fault, run, verdict, with};

/// Sets what only one system has.
fn systems(set: impl FnOnce(&mut SystemSettings)) -> Change {
    let mut all = SystemSettings::default();
    set(&mut all);
    Change::Systems(all)
}

/// A change of each setting that a system may fix, away from the default.
pub(super) fn change_of(fixed: Fixed) -> Change {
    match fixed {
        Fixed::TokenSource => Change::TokenSource(TokenSource::Constant),
        Fixed::Expiry => Change::Expiry(ExpiryJudge::HoldersTimestamp),
        Fixed::Clock => Change::ServiceClock(ClockKind::Wall),
        Fixed::OwnerCheck => Change::OwnerCheck(false),
        Fixed::LockDelay => Change::LockDelay(ms(3_000)),
        Fixed::Grace => Change::Grace(ms(2_000)),
        Fixed::Cap => Change::Cap(LeaseCap::RefusedAfter(ms(11_000))),
        Fixed::MinHold => Change::MinHold(ms(9_000)),
        Fixed::Item => Change::Item(true),
        Fixed::Ends => Change::Ends(Ends::AtSweep { every: ms(4_000), phase: ms(500) }),
        Fixed::Late => Change::Late(Late::Refused),
        Fixed::ConnectionBound => Change::ConnectionBound(true),
        Fixed::TwoSteps => Change::TwoSteps(true),
        Fixed::Wait => Change::Wait(Wait::Poll { every: ms(700), jitter: ms(0) }),
        Fixed::Session => Change::Session(true),
        Fixed::WaiterCheck => Change::WaiterCheck(false),
        Fixed::HandOff => Change::HandOff(HandOff::Random),
        Fixed::Identity => Change::Identity(Identity::Shared),
        Fixed::Renew => Change::Renew(Renew::Every(ms(900))),
        Fixed::Fencing => Change::Fencing(true),
        Fixed::Rule => Change::Rule(FenceRule::MustMatch),
        Fixed::Seal => Change::Seal(true),
        Fixed::CheckGap => Change::CheckGap(ms(400)),
        Fixed::UncheckedStores => Change::UncheckedStores(Unchecked::Last(1)),
        Fixed::Durable => Change::Durable(false),
        Fixed::Deadline => Change::Deadline(Deadline::FromReceipt),
        Fixed::Operation => Change::Operation(Operation::ReadModifyWrite),
    }
}

#[test]
fn a_setting_that_a_system_fixes_changes_nothing() {
    for info in &SYSTEMS {
        let base = with(&[Change::Lock(info.system)]);
        for fixed in info.fixes {
            let changed = base.with(&[change_of(*fixed)]).expect("fits");
            let (base, changed) = (Recording::of(&base), Recording::of(&changed));
            assert_eq!(base.digest(), changed.digest(), "{}: {fixed:?}", info.name);
            assert!(!info.fixed.is_empty(), "{} says why", info.name);
        }
    }
}
