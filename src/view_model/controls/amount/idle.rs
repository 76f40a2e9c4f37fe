//! Why a setting has no effect in a set-up, for the settings that few need. `None`: it has one.

use crate::sim::Scenario;
use crate::sim::lock::{Fixed, Reentry, info};
use crate::sim::scenario::{
    Deadline, ExpiryJudge, FaultKind, FenceRule, LockSystem, Renew, Resource, ScenarioSpec, Wait,
    resource_info,
};

/// A sentence without a full stop, or nothing.
pub type Idle = Option<&'static str>;

fn when(is_idle: bool, why: &'static str) -> Idle {
    is_idle.then_some(why)
}

/// What the lock system, or the protected resource, settles itself.
pub fn fixed(spec: &ScenarioSpec, setting: Fixed) -> Idle {
    let (lock, resource) = (info(spec.lock), resource_info(spec.storage.resource));
    when(lock.fixes.contains(&setting), lock.fixed)
        .or(when(resource.fixes.contains(&setting), resource.fixed))
}

/// What only a lease with a time to live has.
pub fn without_ttl(spec: &ScenarioSpec) -> Idle {
    let has_ttl = crate::sim::lock::rules(spec).has_ttl;
    when(spec.lock == LockSystem::Plain, "A plain lock has no time to live")
        .or(when(!has_ttl, "A lock that lives with a connection has no time to live"))
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
    without_ttl(spec)
        .or(when(by_askers(spec), "Whoever asks takes over at once: nobody watches the lease"))
}

/// The service's own lateness.
pub fn grace(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec)
        .or(fixed(spec, Fixed::Grace))
        .or(when(by_askers(spec), "The service judges no expiry in this set-up"))
}

/// What a renewer does when a renewal fails.
pub fn renewal(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec)
        .or(when(spec.defaults.renew == Renew::Off, "Nothing is renewed in this set-up"))
}

/// Margin and rate error of a client's own deadline.
pub fn deadline_part(spec: &ScenarioSpec) -> Idle {
    without_ttl(spec)
        .or(fixed(spec, Fixed::Deadline))
        .or(when(spec.defaults.deadline == Deadline::Off, "Clients count no deadline of their own"))
}

/// The clock that the service judges by.
pub fn service_clock(spec: &ScenarioSpec) -> Idle {
    let jumps = |fault: &FaultKind| match fault {
        FaultKind::ClockJump { node, .. } => fault.client().is_none() && is_service(*node),
        _ => false,
    };
    without_ttl(spec)
        .or(fixed(spec, Fixed::Clock))
        .or(when(!strikes(spec, jumps), "The two differ only if the service's clock jumps"))
}

fn is_service(node: crate::sim::NodeId) -> bool {
    matches!(node, crate::sim::NodeId::Lock(_))
}

/// Whether the lease lives with a connection.
pub fn connection_bound(spec: &ScenarioSpec) -> Idle {
    let loses = |fault: &FaultKind| {
        matches!(fault, FaultKind::ConnectionLost { .. } | FaultKind::Crash { .. })
    };
    fixed(spec, Fixed::ConnectionBound)
        .or(when(!strikes(spec, loses), "Nobody crashes or loses a connection in this set-up"))
}

/// Everything about waiting.
pub fn waiting(spec: &ScenarioSpec) -> Idle {
    when(spec.clients.len() < 2, "One client alone never waits")
}

/// How clients wait.
pub fn wait(spec: &ScenarioSpec) -> Idle {
    waiting(spec).or(fixed(spec, Fixed::Wait)).or(when(
        by_askers(spec) || !crate::sim::lock::rules(spec).has_queue,
        "Nobody watches the lease, so there is no queue: everybody asks again",
    ))
}

/// A waiter's own session.
pub fn session(spec: &ScenarioSpec) -> Idle {
    let polls = matches!(spec.defaults.wait, Wait::Poll { .. }) || by_askers(spec);
    without_ttl(spec)
        .or(waiting(spec))
        .or(fixed(spec, Fixed::Session))
        .or(when(polls, "There is no place in a queue to keep"))
}

/// Whether a waiter's session is looked at.
pub fn waiter_check(spec: &ScenarioSpec) -> Idle {
    let has_session = spec.defaults.session || fixed(spec, Fixed::Session).is_some();
    waiting(spec)
        .or(fixed(spec, Fixed::WaiterCheck))
        .or(when(!has_session, "Waiters have no session of their own"))
}

/// Who of those that wait is granted next.
pub fn hand_off(spec: &ScenarioSpec) -> Idle {
    let polls = matches!(spec.defaults.wait, Wait::Poll { .. }) || by_askers(spec);
    waiting(spec)
        .or(fixed(spec, Fixed::HandOff))
        .or(when(polls, "There is no queue: whoever asks first is granted"))
        .or(when(spec.clients.len() < 3, "Never more than one client waits"))
}

/// What code is told that takes the lock again inside.
pub fn reenters(spec: &ScenarioSpec) -> Idle {
    let never = crate::sim::lock::rules(spec).reentry == Reentry::Never;
    when(never, "The clients of this lock system never take it twice").or(when(
        spec.defaults.writes_per_grant < 2,
        "With one write per grant nothing is left to write outside",
    ))
}

/// What a worker does whose release is refused.
pub fn refused_release(spec: &ScenarioSpec) -> Idle {
    when(!spec.defaults.release, "Nobody awaits the answer to a release in this set-up")
}

/// How often a request is repeated.
pub fn retries(spec: &ScenarioSpec) -> Idle {
    when(spec.defaults.timeout.is_none(), "Clients wait for an answer without end")
}

/// Which stores check.
pub fn unchecked(spec: &ScenarioSpec, fencing_off: bool) -> Idle {
    fixed(spec, Fixed::UncheckedStores).or(when(fencing_off, "Fencing is off: no store checks"))
}

/// Whether the row is there.
pub fn missing_row(spec: &ScenarioSpec) -> Idle {
    when(spec.storage.resource != Resource::SqlRow, "The protected resource is no SQL row")
}

/// Which writes a store refuses.
pub fn rule(spec: &ScenarioSpec, fencing_off: bool) -> Idle {
    fixed(spec, Fixed::Rule).or(when(fencing_off, "Fencing is off: no token is refused"))
}

/// Whether the highest token survives a restart.
pub fn durable(spec: &ScenarioSpec, fencing_off: bool) -> Idle {
    let restarts = |fault: &FaultKind| matches!(fault, FaultKind::StoreRestart { .. });
    fixed(spec, Fixed::Durable)
        .or(when(fencing_off, "Fencing is off: no token is compared"))
        .or(when(!strikes(spec, restarts), "No storage restarts in this set-up"))
}

/// What a rule of the fence needs that this set-up has not.
pub fn rule_lacks(spec: &ScenarioSpec) -> Idle {
    let rule = spec.storage.rule;
    let generic = spec.storage.resource == Resource::Generic;
    let timeless = rule == FenceRule::TimeFence && !crate::sim::lock::rules(spec).has_ttl;
    let outside = rule == FenceRule::SameTransaction && !holds_values(spec);
    let silent = rule == FenceRule::AsksService && !has(spec, |rules| rules.answers_stores);
    when(generic && timeless, "Without a time to live a write is given no time")
        .or(when(
            generic && outside,
            "No value lies in this lock service: lower tokens are refused",
        ))
        .or(when(
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
    fixed(spec, Fixed::CheckGap).or(when(generic && inside, "A transaction is one step"))
}
