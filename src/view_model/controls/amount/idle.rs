//! Why a setting has no effect in a set-up, for the settings that few need. `None`: it has one.

use crate::sim::Scenario;
use crate::sim::lock::{Fixed, Reentry, info};
use crate::sim::scenario::{
    Deadline, Ends, ExpiryJudge, FaultKind, FenceRule, LockSystem, OnConflict, Piece, Quantity,
    Renew, RenewedBy, Resource, ScenarioSpec, Wait, resource_info,
};

/// Why a setting has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Why {
    /// Two or three words, in place of the value that does nothing.
    pub short: &'static str,
    /// A sentence without a full stop.
    pub full: &'static str,
}

/// A reason, or nothing.
pub type Idle = Option<Why>;

/// The reason, where it holds.
pub(in crate::view_model) fn when(is_idle: bool, short: &'static str, full: &'static str) -> Idle {
    is_idle.then_some(Why { short, full })
}

/// What the lock system, or the protected resource, settles itself.
pub fn fixed(spec: &ScenarioSpec, setting: Fixed) -> Idle {
    let (lock, resource) = (info(spec.lock), resource_info(spec.storage.resource));
    when(lock.fixes.contains(&setting), "the system's", lock.fixed).or(when(
        resource.fixes.contains(&setting),
        "the resource's",
        resource.fixed,
    ))
}

/// What only a lease with a time to live has.
pub fn without_ttl(spec: &ScenarioSpec) -> Idle {
    let has_ttl = crate::sim::lock::rules(spec).has_ttl;
    when(spec.lock == LockSystem::Plain, "no time to live", "A plain lock has no time to live").or(
        when(
            !has_ttl,
            "no time to live",
            "A lock that lives with a connection has no time to live",
        ),
    )
}

/// Whether whoever asks judges, and not the service.
fn by_askers(spec: &ScenarioSpec) -> bool {
    crate::sim::lock::rules(spec).expiry != ExpiryJudge::Service
}

fn strikes(spec: &ScenarioSpec, is: fn(&FaultKind) -> bool) -> bool {
    spec.faults.iter().any(|fault| is(&fault.kind))
}

/// The delay after a holder failed.
pub fn lock_delay(spec: &ScenarioSpec) -> Idle {
    let fixed = fixed(spec, Fixed::LockDelay);
    if spec.lease.connection_bound || fixed.is_some() {
        return fixed;
    }
    without_ttl(spec).or(when(
        by_askers(spec),
        "nobody watches",
        "Whoever asks takes over at once: nobody watches the lease",
    ))
}

/// The service's own lateness.
pub fn grace(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec).or(fixed(spec, Fixed::Grace)).or(when(
        by_askers(spec),
        "not its to judge",
        "The service judges no expiry in this set-up",
    ))
}

/// How long a lease may be renewed.
pub fn cap(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec).or(fixed(spec, Fixed::Cap)).or(when(
        by_askers(spec),
        "not its to judge",
        "The service judges no expiry in this set-up",
    ))
}

/// Whether a renewer waits for its worker.
pub fn progress(spec: &ScenarioSpec) -> Idle {
    renewal(spec).or(when(
        spec.defaults.renewed_by == RenewedBy::Worker,
        "no renewer",
        "The worker renews, as each step begins",
    ))
}

/// How long a lock is held at least.
pub fn min_hold(spec: &ScenarioSpec) -> Idle {
    let releases = spec.defaults.release || spec.defaults.release_early.is_some();
    let own = spec.clients.iter().any(|client| client.release == Some(true));
    let lives_with_connection = spec.lock == LockSystem::Sql && !has(spec, |rules| rules.has_ttl);
    fixed(spec, Fixed::MinHold)
        .or(when(
            lives_with_connection,
            "no row",
            "A lock that lives with a connection has no time to live",
        ))
        .or(when(!releases && !own, "no release", "Nobody gives the lock back in this set-up"))
}

/// Whether a lease is renewed before its work begins.
pub fn renews_waiting(spec: &ScenarioSpec) -> Idle {
    let waits = Quantity::StartsAfter.value(spec).is_some_and(|waits| !waits.is_zero());
    renewal(spec).or(when(!waits, "no wait", "The work begins as soon as the lock is had"))
}

/// What a renewer does when a renewal fails.
pub fn renewal(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec).or(when(
        spec.defaults.renew == Renew::Off,
        "no renewal",
        "Nothing is renewed in this set-up",
    ))
}

/// Margin and rate error of a client's own deadline.
pub fn deadline_part(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec).or(fixed(spec, Fixed::Deadline)).or(when(
        spec.defaults.deadline == Deadline::Off,
        "no deadline",
        "Clients count no deadline of their own",
    ))
}

/// When somebody acts on the end of a lease.
pub fn ends(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec).or(fixed(spec, Fixed::Ends))
}

/// How an item is settled.
pub fn settling(spec: &ScenarioSpec) -> Idle {
    fixed(spec, Fixed::Item).or(when(
        !spec.lease.item,
        "no item",
        "The lock stands for no item of a queue",
    ))
}

/// What a holder is told whose lease is over and has not ended.
pub fn late(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec).or(fixed(spec, Fixed::Late)).or(when(
        spec.lease.ends == Ends::OnTime,
        "on time",
        "A lease ends when its time is over: nobody is late",
    ))
}

/// The clock that the service judges by.
pub fn service_clock(spec: &ScenarioSpec) -> Idle {
    let jumps = |fault: &FaultKind| match fault {
        FaultKind::ClockJump { node, .. } => fault.client().is_none() && is_service(*node),
        _ => false,
    };
    without_ttl(spec).or(fixed(spec, Fixed::Clock)).or(when(
        !strikes(spec, jumps),
        "no jump",
        "The two differ only if the service's clock jumps",
    ))
}

fn is_service(node: crate::sim::NodeId) -> bool {
    matches!(node, crate::sim::NodeId::Lock(_))
}

/// How often, and how evenly, a waiter asks again.
pub fn polls(spec: &ScenarioSpec) -> Idle {
    let queues = spec.defaults.wait == Wait::Queue;
    // Where there is no queue everybody asks again, whatever the set-up says.
    let stands = queues && wait(spec).is_none();
    waiting(spec).or(fixed(spec, Fixed::Wait)).or(when(
        stands,
        "no polls",
        "Waiters stand in a queue",
    ))
}

/// Whether the lease lives with a connection.
pub fn connection_bound(spec: &ScenarioSpec) -> Idle {
    let loses = |fault: &FaultKind| {
        matches!(
            fault,
            FaultKind::ConnectionLost { .. }
                | FaultKind::Crash { .. }
                | FaultKind::ServiceRestart { .. }
                | FaultKind::Failover { .. }
        )
    };
    fixed(spec, Fixed::ConnectionBound).or(when(
        !strikes(spec, loses),
        "none is lost",
        "Nobody crashes or loses a connection in this set-up",
    ))
}

/// Everything about waiting.
pub fn waiting(spec: &ScenarioSpec) -> Idle {
    when(spec.clients.len() < 2, "nobody waits", "One client alone never waits")
}

/// How clients wait.
pub fn wait(spec: &ScenarioSpec) -> Idle {
    waiting(spec).or(fixed(spec, Fixed::Wait)).or(when(
        by_askers(spec) || !crate::sim::lock::rules(spec).has_queue,
        "no queue",
        "Nobody watches the lease, so there is no queue: everybody asks again",
    ))
}

/// A waiter's own session.
pub fn session(spec: &ScenarioSpec) -> Idle {
    let polls = matches!(spec.defaults.wait, Wait::Poll { .. }) || by_askers(spec);
    without_ttl(spec).or(waiting(spec)).or(fixed(spec, Fixed::Session)).or(when(
        polls,
        "no queue",
        "There is no place in a queue to keep",
    ))
}

/// Whether a waiter's session is looked at.
pub fn waiter_check(spec: &ScenarioSpec) -> Idle {
    let has_session = spec.defaults.session || fixed(spec, Fixed::Session).is_some();
    waiting(spec).or(fixed(spec, Fixed::WaiterCheck)).or(when(
        !has_session,
        "no session",
        "Waiters have no session of their own",
    ))
}

/// Who of those that wait is granted next.
pub fn hand_off(spec: &ScenarioSpec) -> Idle {
    let polls = matches!(spec.defaults.wait, Wait::Poll { .. }) || by_askers(spec);
    waiting(spec)
        .or(fixed(spec, Fixed::HandOff))
        .or(when(polls, "no queue", "There is no queue: whoever asks first is granted"))
        .or(when(spec.clients.len() < 3, "one waits", "Never more than one client waits"))
}

/// What code is told that takes the lock again inside.
pub fn reenters(spec: &ScenarioSpec) -> Idle {
    let never = crate::sim::lock::rules(spec).reentry == Reentry::Never;
    when(never, "never twice", "The clients of this lock system never take it twice").or(when(
        spec.defaults.writes_per_grant < 2,
        "one write",
        "With one write per grant nothing is left to write outside",
    ))
}

/// What a worker does whose release is refused.
pub fn refused_release(spec: &ScenarioSpec) -> Idle {
    when(
        !spec.defaults.release,
        "no release",
        "Nobody awaits the answer to a release in this set-up",
    )
}

/// How often a request is repeated.
pub fn retries(spec: &ScenarioSpec) -> Idle {
    let tries_again = spec.defaults.on_conflict == OnConflict::Retries
        && on_conflict(spec).is_none_or(|why| why.full == NO_RETRIES);
    when(
        spec.defaults.timeout.is_none() && !tries_again,
        "no time-out",
        "Clients wait for an answer without end, and give up when they are refused",
    )
}

const NO_RETRIES: &str = "It may retry no times: set Retries";

/// What a worker does that a compare-and-set refused.
pub fn on_conflict(spec: &ScenarioSpec) -> Idle {
    let compares = Scenario::new(spec.clone()).is_ok_and(|scenario| {
        scenario.storage().fencing && scenario.storage().rule == FenceRule::DataVersion
    });
    when(!compares, "no version", "No store compares the version that a write was built on")
        .or(when(spec.defaults.retries == 0, "no retries", NO_RETRIES))
}

/// What is one unit.
pub fn whole(spec: &ScenarioSpec) -> Idle {
    when(spec.defaults.piece == Piece::Shared, "shared work", "A shared piece is one unit anyway")
        .or(when(
            spec.defaults.writes_per_grant < 2,
            "one step",
            "A piece of work is one step here",
        ))
}

/// Which stores check.
pub fn unchecked(spec: &ScenarioSpec, fencing_off: bool) -> Idle {
    fixed(spec, Fixed::UncheckedStores).or(when(
        fencing_off,
        "fencing off",
        "Fencing is off: no store checks",
    ))
}

/// Whether the row is there.
pub fn missing_row(spec: &ScenarioSpec) -> Idle {
    when(
        spec.storage.resource != Resource::SqlRow,
        "no SQL row",
        "The protected resource is no SQL row",
    )
}

/// Which writes a store refuses.
pub fn rule(spec: &ScenarioSpec, fencing_off: bool) -> Idle {
    fixed(spec, Fixed::Rule).or(when(
        fencing_off,
        "fencing off",
        "Fencing is off: no token is refused",
    ))
}

/// Whether the highest token survives a restart.
pub fn durable(spec: &ScenarioSpec, fencing_off: bool) -> Idle {
    let restarts = |fault: &FaultKind| matches!(fault, FaultKind::StoreRestart { .. });
    fixed(spec, Fixed::Durable)
        .or(when(fencing_off, "fencing off", "Fencing is off: no token is compared"))
        .or(when(!strikes(spec, restarts), "no restart", "No storage restarts in this set-up"))
}

/// What a rule of the fence needs that this set-up has not.
pub fn rule_lacks(spec: &ScenarioSpec) -> Option<&'static str> {
    let rule = spec.storage.rule;
    let generic = spec.storage.resource == Resource::Generic;
    let timeless = rule == FenceRule::TimeFence && !crate::sim::lock::rules(spec).has_ttl;
    let outside = rule == FenceRule::SameTransaction && !holds_values(spec);
    let lacks = |does: bool, what: &'static str| does.then_some(what);
    let silent = rule == FenceRule::AsksService && !has(spec, |rules| rules.answers_stores);
    lacks(generic && timeless, "Without a time to live a write is given no time")
        .or(lacks(
            generic && outside,
            "No value lies in this lock service: lower tokens are refused",
        ))
        .or(lacks(
            generic && silent,
            "No one service knows the holder here: lower tokens are refused",
        ))
}

fn holds_values(spec: &ScenarioSpec) -> bool {
    has(spec, |rules| rules.holds_values)
}

fn has(spec: &ScenarioSpec, what: impl Fn(&crate::sim::lock::Rules) -> bool) -> bool {
    Scenario::new(spec.clone()).is_ok_and(|scenario| what(scenario.rules()))
}

/// The gap between check and write.
pub fn check_gap(spec: &ScenarioSpec) -> Idle {
    let inside = spec.storage.rule == FenceRule::SameTransaction && holds_values(spec);
    let generic = spec.storage.resource == Resource::Generic;
    fixed(spec, Fixed::CheckGap).or(when(
        generic && inside,
        "one step",
        "A transaction is one step",
    ))
}
