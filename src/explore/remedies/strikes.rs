//! Which faults of a schedule strike in a run: a remedy may be safe only because what it was to
//! help against then never happens.

use crate::sim::Recording;
use crate::sim::fact::Sending;
use crate::sim::id::FaultId;
use crate::sim::scenario::{FaultKind, MessageAddress};

/// The faults of its scenario that never strike in a run.
pub(super) fn never_strike(run: &Recording) -> Vec<FaultId> {
    let faults = run.scenario().spec().faults.iter().filter(|fault| fault.enabled);
    let strikes = |id: FaultId, kind: &FaultKind| match kind {
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => is_sent(run, message),
        // A node that lives on is told of nothing: a copy takes its place, where there is one.
        FaultKind::Failover { at, length, lives_on: true } => {
            run.scenario().rules().has_standby && *at + *length <= run.ends_at()
        }
        FaultKind::ClockRate { .. } => true,
        FaultKind::Pause { .. }
        | FaultKind::Crash { .. }
        | FaultKind::Cut { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ServiceRestart { .. }
        | FaultKind::Failover { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => run.log().first_of(id).is_some(),
    };
    let never = faults.filter(|fault| !strikes(fault.id, &fault.kind));
    never.map(|fault| fault.id).collect()
}

/// Whether the message that a fault names is sent.
fn is_sent(run: &Recording, address: &MessageAddress) -> bool {
    let is_one = |sent: &Sending| {
        (sent.from, sent.to, sent.kind) == (address.from, address.to, address.kind)
    };
    let sent = run.entries().iter().filter_map(|entry| entry.fact.sending()).filter(is_one);
    sent.count() >= address.nth as usize
}
