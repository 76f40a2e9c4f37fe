//! The controls of the lease and of the storage that few need.

use crate::sim::clock::ClockKind;
use crate::sim::id::{NodeId, StoreId};
use crate::sim::lock::Fixed;
use crate::sim::scenario::{Change, ExpiryJudge, ScenarioSpec, TokenSource};
use crate::sim::time::SimDuration;
use crate::view_model::amount::idle;
use crate::view_model::wording::{self, choice};

use super::{Control, to};

const TOKEN_SOURCES: [TokenSource; 8] = [
    TokenSource::Counter,
    TokenSource::Revision,
    TokenSource::RevisionAtEnqueue,
    TokenSource::Sequence32,
    TokenSource::LeaseId,
    TokenSource::Constant,
    TokenSource::RevisionOfSession,
    TokenSource::EpochAndCounter,
];

/// The lease.
pub fn lease(spec: &ScenarioSpec) -> Vec<Control> {
    let lease = &spec.lease;
    let zero = SimDuration::ZERO;
    let judges = [ExpiryJudge::Service, ExpiryJudge::HoldersTimestamp, ExpiryJudge::Observers];
    let clocks = [ClockKind::Monotonic, ClockKind::Wall];
    let source = Control::choice(
        "Tokens come from",
        idle::fixed(spec, Fixed::TokenSource),
        lease.token_source,
        &TOKEN_SOURCES,
        choice::token_source,
        Change::TokenSource,
    );
    let source = match lease.token_source {
        TokenSource::LeaseId | TokenSource::Constant => {
            source.hinted("Such a token does not grow: the storage has nothing to compare")
        }
        TokenSource::RevisionOfSession => {
            source.hinted("It can repeat, and be older than that of an earlier grant")
        }
        TokenSource::Counter
        | TokenSource::Revision
        | TokenSource::RevisionAtEnqueue
        | TokenSource::Sequence32
        | TokenSource::EpochAndCounter => source,
    };
    vec![
        source,
        Control::choice(
            "Expiry is judged by",
            idle::without_ttl(spec).or(idle::fixed(spec, Fixed::Expiry)),
            lease.expiry,
            &judges,
            choice::judge,
            Change::Expiry,
        ),
        Control::choice(
            "The service's clock",
            idle::service_clock(spec),
            lease.clock,
            &clocks,
            choice::clock,
            Change::ServiceClock,
        ),
        Control::length(
            "Lock-delay",
            idle::lock_delay(spec),
            lease.lock_delay,
            zero,
            to!(LockDelay, zero),
        )
        .hinted("After a holder failed nobody is granted for so long"),
        Control::length("Grace", idle::grace(spec), lease.grace, zero, to!(Grace, zero))
            .hinted("The service ends a lease so much later than it promised"),
        Control::switch(
            "The lease lives with the connection",
            idle::connection_bound(spec),
            lease.connection_bound,
            Change::ConnectionBound(!lease.connection_bound),
        ),
        Control::switch(
            "The time to live is set in a second request",
            idle::without_ttl(spec).or(idle::fixed(spec, Fixed::TwoSteps)),
            lease.two_steps,
            Change::TwoSteps(!lease.two_steps),
        ),
    ]
}

/// The storage.
pub fn storage(spec: &ScenarioSpec, fencing_off: bool) -> Vec<Control> {
    let storage = &spec.storage;
    let stores = (0..storage.stores).map(StoreId);
    let mut all: Vec<Control> = stores.map(|store| checks(spec, store, fencing_off)).collect();
    all.extend([
        Control::length(
            "Gap between check and write",
            idle::check_gap(spec),
            storage.check_gap,
            SimDuration::ZERO,
            to!(CheckGap, SimDuration::ZERO),
        )
        .hinted("0 s: both are one atomic step"),
        Control::switch(
            "The highest token survives a restart",
            idle::durable(spec, fencing_off),
            storage.durable,
            Change::Durable(!storage.durable),
        ),
        Control::switch(
            "The row is missing",
            idle::missing_row(spec),
            storage.missing_row,
            Change::MissingRow(!storage.missing_row),
        )
        .hinted("Every statement changes 0 rows, as if it were stale"),
    ]);
    all
}

/// Whether one store checks.
fn checks(spec: &ScenarioSpec, store: StoreId, fencing_off: bool) -> Control {
    let storage = &spec.storage;
    Control::switch(
        &format!("{} checks what arrives", wording::node(NodeId::Store(store))),
        idle::unchecked(spec, fencing_off),
        !storage.unchecked_stores.has(store, storage.stores),
        Change::UncheckedStores(storage.unchecked_stores.turned(store, storage.stores)),
    )
}
