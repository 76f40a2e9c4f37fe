//! The controls of the lease and of the storage that few need.

use crate::sim::clock::ClockKind;
use crate::sim::id::{FencingToken, NodeId, StoreId};
use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::scenario::{
    Change, Ends, ExpiryJudge, FenceRule, LeaseCap, Length, LockSystem, Quantity, RESOURCES,
    ScenarioSpec, TokenSource, resource_info,
};
use crate::sim::time::SimDuration;
use crate::view_model::controls::amount::idle;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::choice;

use crate::view_model::controls::{Control, ToChange, to};

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
pub(super) fn lease(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let ttl = Control::quantity(words, Quantity::Ttl, spec);
    let mut all: Vec<_> =
        ttl.into_iter().map(|it| it.also("TTL, lease duration, timeout, expiry")).collect();
    all.extend([first_token(spec), token_source(spec), owner_check(spec)]);
    all.extend(how_it_ends(spec));
    all.extend(cap(spec));
    all
}

fn first_token(spec: &ScenarioSpec) -> Control {
    let to = ToChange::new(Change::FirstToken(spec.lease.first_token), |change, value| {
        *change = Change::FirstToken(FencingToken(value));
    });
    let now = spec.lease.first_token.0;
    Control::count("First token", None, now, (i64::MIN, i64::MAX), to)
}

/// Where tokens come from.
fn token_source(spec: &ScenarioSpec) -> Control {
    let lease = &spec.lease;
    let source = Control::choice(
        "Tokens come from",
        idle::fixed(spec, Fixed::TokenSource),
        lease.token_source,
        &TOKEN_SOURCES,
        choice::token_source,
        Change::TokenSource,
    )
    .also("fencing token, counter, revision");
    match lease.token_source {
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
    }
}

/// How long a lease may be renewed, and what comes of a renewal that would pass that.
fn cap(spec: &ScenarioSpec) -> Vec<Control> {
    let chosen = spec.lease.cap;
    let idle = idle::cap(spec);
    let longest = match chosen {
        LeaseCap::Off => None,
        LeaseCap::RefusedAfter(cap) | LeaseCap::CutAfter(cap) => Some(cap),
    };
    let some = longest.unwrap_or(spec.lease.ttl.times(10).min(limits::MAX_DURATION));
    let caps = [LeaseCap::Off, LeaseCap::RefusedAfter(some), LeaseCap::CutAfter(some)];
    let mut all = vec![
        Control::choice("It is renewed", idle, chosen, &caps, choice::lease_cap, Change::Cap)
            .hinted("Counted from the grant, by the service's clock")
            .also("maximum visibility timeout, cap"),
    ];
    all.extend(longest.map(|longest| {
        let to = ToChange::new(Change::Cap(chosen), |change, length| {
            if let Change::Cap(LeaseCap::RefusedAfter(it) | LeaseCap::CutAfter(it)) = change {
                *it = length;
            }
        });
        Control::length("It lasts at most", idle, longest, limits::MIN_TTL, to)
    }));
    all
}

/// When a lease is over, and what comes then.
fn how_it_ends(spec: &ScenarioSpec) -> [Control; 7] {
    let lease = &spec.lease;
    let zero = SimDuration::ZERO;
    let mut judges = vec![ExpiryJudge::Service, ExpiryJudge::HoldersTimestamp];
    // Who takes a lock that it has watched ends the lease itself: not where somebody acts later.
    if lease.ends == Ends::OnTime {
        judges.push(ExpiryJudge::Observers);
    }
    let clocks = [ClockKind::Monotonic, ClockKind::Wall];
    [
        Control::choice(
            "Expiry is judged by",
            idle::without_ttl(spec).or(idle::fixed(spec, Fixed::Expiry)),
            lease.expiry,
            &judges,
            choice::judge,
            Change::Expiry,
        )
        .also("judged by, who decides"),
        Control::choice(
            "The service's clock",
            idle::service_clock(spec),
            lease.clock,
            &clocks,
            choice::clock,
            Change::ServiceClock,
        )
        .also("monotonic, wall clock, NTP"),
        Control::length(
            "Lock-delay",
            idle::lock_delay(spec),
            lease.lock_delay,
            zero,
            to!(LockDelay, zero),
        )
        .hinted("After a holder failed nobody is granted for so long")
        .also("free again after, lock delay"),
        Control::length("Grace", idle::grace(spec), lease.grace, zero, to!(Grace, zero))
            .hinted("The service ends a lease so much later than it promised"),
        Control::length(
            "Held at least",
            idle::min_hold(spec),
            lease.min_hold,
            zero,
            to!(MinHold, zero),
        )
        .hinted("Given back sooner it stays taken until so long after its grant")
        .also("lockAtLeastFor, minimum hold"),
        Control::switch(
            "Ends with the connection",
            idle::connection_bound(spec),
            lease.connection_bound,
            Change::ConnectionBound(!lease.connection_bound),
        )
        .hinted("The lease lives with its client's connection")
        .also("session, socket"),
        Control::switch(
            "Taken in two steps",
            idle::without_ttl(spec).or(idle::fixed(spec, Fixed::TwoSteps)),
            lease.two_steps,
            Change::TwoSteps(!lease.two_steps),
        )
        .hinted("The lock first, its time to live in a second request")
        .also("SETNX, EXPIRE"),
    ]
}

/// Whether release and renew are refused to all but the holder.
fn owner_check(spec: &ScenarioSpec) -> Control {
    let releases = spec.defaults.release || spec.defaults.release_early.is_some();
    let nobody = idle::when(
        spec.lock == LockSystem::Plain && !releases,
        "no release",
        "Nobody renews or releases in this set-up",
    );
    let on = spec.lease.owner_check;
    let idle = nobody.or(idle::fixed(spec, Fixed::OwnerCheck));
    let check = Control::switch("Owner check", idle, on, Change::OwnerCheck(!on));
    check.also("only the holder may renew").hinted(match on {
        true => "The service refuses a release or renewal of another's lease",
        false => "Anybody can release or renew the lease",
    })
}

/// How long the run lasts.
pub(super) fn run(spec: &ScenarioSpec) -> Vec<Control> {
    let fixed = match spec.length {
        Length::Auto => None,
        Length::Fixed(length) => Some(length),
    };
    let turned = match fixed {
        Some(_) => Length::Auto,
        None => Length::Fixed(limits::MIN_AUTOMATIC_RUN),
    };
    let label = "Run ends by itself";
    let mut by_itself = Control::switch(label, None, fixed.is_none(), Change::Length(turned));
    by_itself.also = "length, duration";
    if fixed.is_none() {
        by_itself = by_itself.hinted("When the outcome is settled, after 20 s at the earliest");
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
pub(super) fn storage(words: &Words, spec: &ScenarioSpec, fencing_off: bool) -> Vec<Control> {
    let storage = &spec.storage;
    let mut all = vec![
        Control::choice(
            "Protected resource",
            None,
            storage.resource,
            &RESOURCES.map(|info| info.resource),
            |resource| resource_info(resource).name,
            Change::Resource,
        )
        .also("kind of storage, database, SQL, S3"),
    ];
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
        .hinted("0 s: both are one atomic step")
        .also("race, TOCTOU"),
        Control::switch(
            "Highest seen survives a restart",
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
    )
    .also("fence, refuses, lower");
    rule.hint = idle::rule_lacks(spec);
    let mut seal = Control::switch(
        "New holder seals first",
        idle::fixed(spec, Fixed::Seal),
        storage.seal,
        Change::Seal(!storage.seal),
    );
    if storage.seal {
        seal = seal.hinted("One more round trip per grant");
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
