//! The changes that turn one scenario into another. An edit on the page, Run 2 of a comparison and a
//! remedy are all lists of these; nothing else ever alters a scenario.

use serde::{Deserialize, Serialize};

use super::error::ScenarioError;
use super::fault::{Fault, FaultKind, Start};
use super::settings::{Check, FenceRule, Operation, Renew, Repeat, WorkKind};
use super::spec::{ClientSpec, Length, LockSystem, ScenarioSpec};
use crate::sim::id::{ClientId, FaultId, FencingToken};
use crate::sim::time::{SimDuration, SimTime};

/// One change of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Another lock system; the lease's settings and the faults stay.
    Lock(LockSystem),
    /// Time to live.
    Ttl(SimDuration),
    /// The first token.
    FirstToken(FencingToken),
    /// The owner check on release and renew.
    OwnerCheck(bool),
    /// Renewal, for all clients.
    Renew(Renew),
    /// How long the work takes, for all clients.
    Work(SimDuration),
    /// How the work passes its time, for all clients.
    WorkKind(WorkKind),
    /// What writes do, for all clients.
    Operation(Operation),
    /// Writes per grant, for all clients.
    WritesPerGrant(u32),
    /// The check before the write, for all clients.
    Check(Check),
    /// Release after the work, for all clients.
    Release(bool),
    /// Repetition, for all clients.
    Repeat(Repeat),
    /// One-way travel time.
    Latency(SimDuration),
    /// Whether the storage checks tokens.
    Fencing(bool),
    /// Which tokens it refuses.
    Rule(FenceRule),
    /// Whether new holders raise the fence first.
    Seal(bool),
    /// Number of stores.
    Stores(u8),
    /// How long the run lasts.
    Length(Length),
    /// When a client first asks.
    AsksAt {
        /// Who.
        client: ClientId,
        /// When.
        at: SimTime,
    },
    /// One client more, after the last.
    AddClient(ClientSpec),
    /// The last client leaves, and its faults with it.
    RemoveLastClient,
    /// One fault more. Its id must be new.
    AddFault(Fault),
    /// A fault with the same id takes its place.
    ReplaceFault(Fault),
    /// A fault leaves.
    RemoveFault(FaultId),
    /// A fault is switched on or off.
    EnableFault {
        /// Which.
        id: FaultId,
        /// On or off.
        enabled: bool,
    },
    /// A fault begins at another time; a pause at a named step becomes one at a time.
    FaultStart {
        /// Which.
        id: FaultId,
        /// When.
        at: SimTime,
    },
    /// A fault lasts another time.
    FaultLength {
        /// Which.
        id: FaultId,
        /// How long.
        length: SimDuration,
    },
}

impl Change {
    /// Applies the change to `spec`. The result may still be invalid: [`super::Scenario::new`]
    /// judges it.
    ///
    /// # Errors
    /// If it names a fault or a client that is not there.
    pub fn apply(&self, spec: &mut ScenarioSpec) -> Result<(), ScenarioError> {
        // “For all clients” means all: the default changes and every client's own value goes, so
        // that the control that was moved is the one that holds.
        macro_rules! for_all {
            ($field:ident, $value:expr) => {{
                spec.defaults.$field = $value;
                spec.clients
                    .iter_mut()
                    .for_each(|client| client.$field = None);
            }};
        }
        match self {
            Self::Lock(lock) => spec.lock = *lock,
            Self::Ttl(ttl) => spec.lease.ttl = *ttl,
            Self::FirstToken(token) => spec.lease.first_token = *token,
            Self::OwnerCheck(on) => spec.lease.owner_check = *on,
            Self::Renew(renew) => for_all!(renew, *renew),
            Self::Work(work) => for_all!(work, *work),
            Self::WorkKind(kind) => for_all!(work_kind, *kind),
            Self::Operation(operation) => for_all!(operation, *operation),
            Self::WritesPerGrant(count) => for_all!(writes_per_grant, *count),
            Self::Check(check) => for_all!(check, *check),
            Self::Release(release) => for_all!(release, *release),
            Self::Repeat(repeat) => for_all!(repeat, *repeat),
            Self::Latency(latency) => spec.latency = *latency,
            Self::Fencing(on) => spec.storage.fencing = *on,
            Self::Rule(rule) => spec.storage.rule = *rule,
            Self::Seal(on) => spec.storage.seal = *on,
            Self::Stores(stores) => spec.storage.stores = *stores,
            Self::Length(length) => spec.length = *length,
            Self::AsksAt { client, at } => find_client(spec, *client)?.asks_at = *at,
            Self::AddClient(client) => spec.clients.push(client.clone()),
            Self::RemoveLastClient => remove_last_client(spec),
            Self::AddFault(fault) => spec.faults.push(fault.clone()),
            Self::ReplaceFault(fault) => *find_fault(spec, fault.id)? = fault.clone(),
            Self::RemoveFault(id) => {
                find_fault(spec, *id)?;
                spec.faults.retain(|fault| fault.id != *id);
            }
            Self::EnableFault { id, enabled } => find_fault(spec, *id)?.enabled = *enabled,
            Self::FaultStart { id, at } => match &mut find_fault(spec, *id)?.kind {
                FaultKind::Pause { start, .. } => *start = Start::At(*at),
                FaultKind::Crash { at: crash, .. } => *crash = *at,
                FaultKind::Delay { .. } => return Err(ScenarioError::FaultHasNoSuchValue(*id)),
            },
            Self::FaultLength { id, length } => match &mut find_fault(spec, *id)?.kind {
                FaultKind::Pause { length: pause, .. } => *pause = *length,
                FaultKind::Crash { restart_after, .. } => *restart_after = Some(*length),
                FaultKind::Delay { by, .. } => *by = *length,
            },
        }
        Ok(())
    }
}

fn find_fault(spec: &mut ScenarioSpec, id: FaultId) -> Result<&mut Fault, ScenarioError> {
    let fault = spec.faults.iter_mut().find(|fault| fault.id == id);
    fault.ok_or(ScenarioError::NoSuchFault(id))
}

fn find_client(
    spec: &mut ScenarioSpec,
    client: ClientId,
) -> Result<&mut ClientSpec, ScenarioError> {
    let last = ClientId(u8::try_from(spec.clients.len().max(1) - 1).unwrap_or(u8::MAX));
    let missing = ScenarioError::NoSuchClient {
        path: "asks_at".to_owned(),
        client,
        last,
    };
    spec.clients.get_mut(client.index()).ok_or(missing)
}

fn remove_last_client(spec: &mut ScenarioSpec) {
    spec.clients.pop();
    let n_clients = spec.clients.len();
    let stays = |fault: &Fault| {
        fault
            .kind
            .client()
            .is_none_or(|who| who.index() < n_clients)
    };
    spec.faults.retain(stays);
}
