//! What can be added to what goes wrong: each kind with its name, whom it can strike, and the fault
//! that it begins as.

use crate::sim::id::{ClientId, FaultId, LockNodeId, NodeId, StoreId};
use crate::sim::lock;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{
    CrashScope, Fault, FaultKind, Loses, MessageAddress, NamedStep, PauseKind, PauseScope,
    ScenarioSpec, Start,
};
use crate::sim::time::{ClockShift, SimDuration, SimTime};

/// What can be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A pause of a part of a client.
    Pause(PauseScope),
    /// A crash; whether it starts again.
    Crash {
        /// It does.
        restarts: bool,
    },
    /// Its worker dies, its renewer does not.
    WorkerCrash,
    /// A message takes longer.
    Delay(MessageKind),
    /// A message is lost.
    Lose(MessageKind),
    /// A message arrives twice.
    Duplicate(MessageKind),
    /// The link to the lock service, or to the storage, is cut.
    Cut {
        /// To the storage.
        storage: bool,
    },
    /// A clock is set.
    ClockJump,
    /// A clock runs too fast.
    ClockRate,
    /// The lock service stops and comes back.
    ServiceRestart(Loses),
    /// The node that serves fails and another takes its place.
    Failover,
    /// A store restarts.
    StoreRestart,
    /// The connection to the service is lost.
    ConnectionLost,
}

/// All that can be added, with the name in the form.
pub const WHATS: [(What, &str); 25] = [
    (What::Pause(PauseScope::Client), "Pause the whole client"),
    (What::Pause(PauseScope::Worker), "Pause its worker only"),
    (What::Pause(PauseScope::Renewer), "Pause its renewer only"),
    (What::Crash { restarts: false }, "Crash"),
    (What::Crash { restarts: true }, "Crash and restart"),
    (What::WorkerCrash, "Crash of its worker only"),
    (What::Cut { storage: false }, "Cut its link to the lock service"),
    (What::Cut { storage: true }, "Cut its link to the storage"),
    (What::ConnectionLost, "Lose its connection to the lock service"),
    (What::Delay(MessageKind::Write), "Delay its write"),
    (What::Delay(MessageKind::Renew), "Delay its renewal"),
    (What::Delay(MessageKind::Acquire), "Delay its request for the lock"),
    (What::Delay(MessageKind::Granted), "Delay the grant on its way to it"),
    (What::Lose(MessageKind::Write), "Lose its write"),
    (What::Lose(MessageKind::WriteAccepted), "Lose the answer to its write"),
    (What::Lose(MessageKind::Renew), "Lose its renewal"),
    (What::Duplicate(MessageKind::Write), "Duplicate its write"),
    (What::ClockJump, "Set a clock"),
    (What::ClockRate, "Let a clock run too fast"),
    (What::ServiceRestart(Loses::Nothing), "Restart the lock service"),
    (What::ServiceRestart(Loses::Leases), "Restart it: leases lost"),
    (What::ServiceRestart(Loses::Everything), "Restart it: everything lost"),
    (What::ServiceRestart(Loses::SinceSnapshot), "Restart it: back to its last snapshot"),
    (What::Failover, "Fail over to another lock node"),
    (What::StoreRestart, "Restart the storage"),
];

/// When a new fault begins, and how long it lasts: seen at a glance, and moved by the user.
const NEW_START: SimTime = SimTime::from_millis(2_000);
const NEW_LENGTH: SimDuration = SimDuration::from_secs(5);
/// A clock that runs too fast does so by a tenth: seen within one lease.
const NEW_RATE_PPM: i32 = 100_000;

/// Whom it can strike, in the order of the form.
pub fn whoms(what: What, spec: &ScenarioSpec) -> Vec<NodeId> {
    let n_clients = u8::try_from(spec.clients.len()).unwrap_or(u8::MAX);
    let clients = (0..n_clients).map(|index| NodeId::Client(ClientId(index)));
    let n_nodes = lock::info(spec.lock).nodes(spec);
    let service = (0..n_nodes).map(|index| NodeId::Lock(LockNodeId(index)));
    let stores = (0..spec.storage.stores).map(|index| NodeId::Store(StoreId(index)));
    match what {
        What::Failover => service.take(1).collect(),
        What::ServiceRestart(_) => service.collect(),
        What::StoreRestart => stores.collect(),
        What::ClockJump | What::ClockRate => clients.chain(service).chain(stores).collect(),
        What::Pause(_)
        | What::Crash { .. }
        | What::WorkerCrash
        | What::Delay(_)
        | What::Lose(_)
        | What::Duplicate(_)
        | What::Cut { .. }
        | What::ConnectionLost => clients.collect(),
    }
}

/// The fault; `step`: the step at which a pause begins, otherwise at a time.
pub fn new_fault(spec: &ScenarioSpec, what: What, whom: NodeId, step: Option<NamedStep>) -> Fault {
    let highest = spec.faults.iter().map(|fault| fault.id.0).max().unwrap_or(0);
    let taken = |id: u16| spec.faults.iter().any(|fault| fault.id.0 == id);
    // One more than the highest, and the first free one where that is used up.
    let free = (1..=u16::MAX).find(|id| !taken(*id)).unwrap_or_default();
    let id = highest.checked_add(1).unwrap_or(free);
    let mut kind = new_kind(what, whom, step);
    if let (FaultKind::ServiceRestart { node, .. }, NodeId::Lock(one)) = (&mut kind, whom) {
        // Of several nodes one is struck, of one all.
        *node = Some(one).filter(|_| lock::info(spec.lock).nodes(spec) > 1);
    }
    Fault { id: FaultId(id), label: String::new(), enabled: true, kind }
}

fn new_kind(what: What, node: NodeId, step: Option<NamedStep>) -> FaultKind {
    let client = match node {
        NodeId::Client(client) => client,
        NodeId::Lock(_) | NodeId::Store(_) => ClientId(0),
    };
    let (at, length) = (NEW_START, NEW_LENGTH);
    let service = NodeId::Lock(LockNodeId(0));
    match what {
        What::Pause(scope) => FaultKind::Pause {
            client,
            scope,
            kind: PauseKind::Process,
            start: step.map_or(Start::At(at), |step| Start::Step { step, nth: 1 }),
            length,
        },
        What::Crash { restarts } => FaultKind::Crash {
            client,
            scope: CrashScope::Client,
            at,
            restart_after: restarts.then_some(length),
        },
        What::WorkerCrash => {
            FaultKind::Crash { client, scope: CrashScope::Worker, at, restart_after: None }
        }
        What::Delay(kind) => FaultKind::Delay { message: address(kind, client), by: length },
        What::Lose(kind) => FaultKind::Lose { message: address(kind, client) },
        What::Duplicate(kind) => {
            FaultKind::Duplicate { message: address(kind, client), after: length }
        }
        What::Cut { storage } => FaultKind::Cut {
            a: node,
            b: if storage { NodeId::Store(StoreId(0)) } else { service },
            at,
            length,
            held: false,
        },
        What::ClockJump => {
            FaultKind::ClockJump { node, at, by: ClockShift::default().with_length(length) }
        }
        What::ClockRate => FaultKind::ClockRate { node, ppm: NEW_RATE_PPM },
        What::ServiceRestart(loses) => FaultKind::ServiceRestart { node: None, at, length, loses },
        What::Failover => FaultKind::Failover { at, length, lives_on: false },
        What::StoreRestart => FaultKind::StoreRestart {
            store: match node {
                NodeId::Store(store) => store,
                NodeId::Client(_) | NodeId::Lock(_) => StoreId(0),
            },
            at,
        },
        What::ConnectionLost => FaultKind::ConnectionLost { client, at },
    }
}

/// The first message of a kind that a client sends, or is sent.
fn address(kind: MessageKind, client: ClientId) -> MessageAddress {
    let (client, service) = (NodeId::Client(client), NodeId::Lock(LockNodeId(0)));
    let store = NodeId::Store(StoreId(0));
    let (from, to) = match kind {
        MessageKind::Granted => (service, client),
        MessageKind::Write => (client, store),
        MessageKind::WriteAccepted => (store, client),
        _ => (client, service),
    };
    MessageAddress { from, to, kind, nth: 1 }
}

/// Whether dragging over a lane gives a fault its length.
pub fn has_stretch(kind: &FaultKind) -> bool {
    // A clock's jump has a length that is no stretch of time.
    kind.length().is_some() && !matches!(kind, FaultKind::ClockJump { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::{Change, Scenario};

    #[test]
    fn everything_that_can_be_added_is_valid() {
        let spec = GALLERY[0].file().scenario;
        let base = Scenario::new(spec.clone()).expect("it is in the gallery");
        for (what, name) in WHATS {
            for whom in whoms(what, &spec) {
                let fault = new_fault(&spec, what, whom, None);
                assert!(base.with(&[Change::AddFault(fault)]).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn a_stretch_is_what_lasts() {
        let file = GALLERY[0].file();
        assert!(has_stretch(&file.scenario.faults[0].kind));
        let (node, at) = (NodeId::Client(ClientId(0)), SimTime::ZERO);
        let by = ClockShift::default().with_length(SimDuration::from_secs(1));
        assert!(!has_stretch(&FaultKind::ClockJump { node, at, by }));
    }
}
