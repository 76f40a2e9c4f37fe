//! The controls of the lease and of the storage that few need.

use crate::sim::clock::ClockKind;
use crate::sim::id::{NodeId, StoreId};
use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::scenario::{
    Change, ExpiryJudge, FenceRule, Length, LockSystem, RESOURCES, ScenarioSpec, TokenSource,
    resource_info,
};
use crate::sim::time::SimDuration;
use crate::view_model::controls::amount::idle;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::choice;

use crate::view_model::controls::{Control, ToChange, to};
use crate::view_model::systems::own_controls;

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
pub fn lease(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
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
    let mut all = vec![owner_check(spec)];
    all.extend(own_controls(words, spec));
    all.extend([
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
    ]);
    all
}

/// Whether release and renew are refused to all but the holder.
fn owner_check(spec: &ScenarioSpec) -> Control {
    let releases = spec.defaults.release || spec.defaults.release_early.is_some();
    let nobody = (spec.lock == LockSystem::Plain && !releases)
        .then_some("Nobody renews or releases in this set-up");
    let on = spec.lease.owner_check;
    let idle = nobody.or(idle::fixed(spec, Fixed::OwnerCheck));
    Control::switch("Owner check", idle, on, Change::OwnerCheck(!on)).hinted(match on {
        true => "The service refuses a release or renewal of another's lease",
        false => "Anybody can release or renew the lease",
    })
}

/// The run itself.
pub fn run(spec: &ScenarioSpec) -> Vec<Control> {
    let fixed = match spec.length {
        Length::Auto => None,
        Length::Fixed(length) => Some(length),
    };
    let turned = match fixed {
        Some(_) => Length::Auto,
        None => Length::Fixed(limits::MIN_AUTOMATIC_RUN),
    };
    let label = "Length found by itself";
    let mut by_itself = Control::switch(label, None, fixed.is_none(), Change::Length(turned));
    if fixed.is_none() {
        by_itself = by_itself.hinted("Until the outcome is settled, at least 20 s");
    }
    let mut all = vec![by_itself];
    all.extend(fixed.map(|length| {
        let to = ToChange::new(Change::Length(Length::Fixed(length)), |change, length| {
            *change = Change::Length(Length::Fixed(length));
        });
        Control::length("Run lasts", None, length, limits::MIN_INTERVAL, to)
    }));
    all
}

/// The storage.
pub fn storage(words: &Words, spec: &ScenarioSpec, fencing_off: bool) -> Vec<Control> {
    let storage = &spec.storage;
    let mut all = vec![Control::choice(
        "Protected resource",
        None,
        storage.resource,
        &RESOURCES.map(|info| info.resource),
        |resource| resource_info(resource).name,
        Change::Resource,
    )];
    all.extend(fence(spec, fencing_off));
    all.extend((0..storage.stores).map(|nth| checks(words, spec, StoreId(nth), fencing_off)));
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

/// Which tokens are refused, by how many stores, and whether a new holder raises the fence.
fn fence(spec: &ScenarioSpec, fencing_off: bool) -> Vec<Control> {
    let storage = &spec.storage;
    let rules = [
        FenceRule::RejectLower,
        FenceRule::RejectLowerOrEqual,
        FenceRule::MustMatch,
        FenceRule::DataVersion,
        FenceRule::TimeFence,
        FenceRule::SameTransaction,
        FenceRule::AsksService,
    ];
    let stores = ToChange::new(Change::Stores(1), |change, count: i64| {
        *change = Change::Stores(u8::try_from(count).unwrap_or(1));
    });
    let most_stores = i64::try_from(limits::MAX_STORES).unwrap_or(i64::MAX);
    let mut rule = Control::choice(
        "Refuses a token that is",
        idle::rule(spec, fencing_off),
        storage.rule,
        &rules,
        choice::rule,
        Change::Rule,
    );
    rule.hint = idle::rule_lacks(spec);
    let mut seal = Control::switch(
        "New holder raises the fence first",
        idle::fixed(spec, Fixed::Seal),
        storage.seal,
        Change::Seal(!storage.seal),
    );
    if storage.seal {
        seal = seal.hinted("The seal: one more round trip per grant");
    }
    let stores =
        Control::count("Stores", None, i64::from(storage.stores), (1, most_stores), stores);
    vec![rule, seal, stores]
}

/// Whether one store checks.
fn checks(words: &Words, spec: &ScenarioSpec, store: StoreId, fencing_off: bool) -> Control {
    let storage = &spec.storage;
    Control::switch(
        &format!("{} checks what arrives", words.node(NodeId::Store(store))),
        idle::unchecked(spec, fencing_off),
        !storage.unchecked_stores.has(store, storage.stores),
        Change::UncheckedStores(storage.unchecked_stores.turned(store, storage.stores)),
    )
}
