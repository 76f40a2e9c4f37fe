//! The changes that turn one scenario into another. An edit on the page, Run 2 of a comparison and
//! a remedy are all lists of these; nothing else ever alters a scenario.

use super::error::ScenarioError;
use super::fault::Fault;
use super::settings::{Change, ClientSpec, ScenarioSpec, any_setting};
use crate::sim::id::{ClientId, FaultId};

/// Whose value a change sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Scenario,
    Client(ClientId),
    Fault(FaultId),
}

impl Change {
    /// Whether the other one sets the same thing, so that of two the later one holds. What adds or
    /// takes away does not.
    pub fn sets_what(&self, other: &Self) -> bool {
        let kind = std::mem::discriminant;
        match (self.whose(), other.whose()) {
            (Some(one), Some(two)) => one == two && kind(self) == kind(other),
            (None, _) | (_, None) => false,
        }
    }

    /// Whose value it sets; `None` if it adds or takes away.
    fn whose(&self) -> Option<Whose> {
        match self {
            Self::ClientTtl { client, .. }
            | Self::SessionAt { client, .. }
            | Self::AsksAt { client, .. } => Some(Whose::Client(*client)),
            Self::ReplaceFault(Fault { id, .. })
            | Self::EnableFault { id, .. }
            | Self::FaultStart { id, .. }
            | Self::FaultLength { id, .. } => Some(Whose::Fault(*id)),
            Self::AddClient(_)
            | Self::RemoveLastClient
            | Self::AddFault(_)
            | Self::RemoveFault(_) => None,
            any_setting!() | Self::Lock(_) | Self::Product(_) | Self::Systems(_) => {
                Some(Whose::Scenario)
            }
        }
    }

    /// Applies the change to `spec`. The result may still be invalid: [`super::Scenario::new`]
    /// judges it.
    ///
    /// # Errors
    /// If it names a fault or a client that is not there.
    pub fn apply(&self, spec: &mut ScenarioSpec) -> Result<(), ScenarioError> {
        match self {
            Self::Lock(lock) => {
                spec.product.take_if(|_| spec.lock != *lock);
                spec.lock = *lock;
            }
            Self::Product(name) => spec.product.clone_from(name),
            Self::Systems(settings) => spec.systems = settings.clone(),
            any_setting!() => self.set(spec),
            Self::ClientTtl { client, ttl } => find_client(spec, *client)?.ttl = *ttl,
            Self::SessionAt { client, at } => find_client(spec, *client)?.session_at = *at,
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
            Self::FaultStart { id, at } => {
                let moved = find_fault(spec, *id)?.kind.start_at(*at);
                return moved.then_some(()).ok_or(ScenarioError::FaultHasNoSuchValue(*id));
            }
            Self::FaultLength { id, length } => {
                let set = find_fault(spec, *id)?.kind.set_length(*length);
                return set.then_some(()).ok_or(ScenarioError::FaultHasNoSuchValue(*id));
            }
        }
        Ok(())
    }
}

fn find_fault(spec: &mut ScenarioSpec, id: FaultId) -> Result<&mut Fault, ScenarioError> {
    let ids: Vec<String> = spec.faults.iter().take(4).map(|fault| fault.id.0.to_string()).collect();
    let right = if ids.is_empty() { "an add_fault".to_owned() } else { ids.join(" or ") };
    let fault = spec.faults.iter_mut().find(|fault| fault.id == id);
    fault.ok_or(ScenarioError::NoSuchFault { id, right })
}

fn find_client(
    spec: &mut ScenarioSpec,
    client: ClientId,
) -> Result<&mut ClientSpec, ScenarioError> {
    let last = ClientId(u8::try_from(spec.clients.len().max(1) - 1).unwrap_or(u8::MAX));
    let missing = ScenarioError::NoSuchClient { path: "client".to_owned(), client, last };
    spec.clients.get_mut(client.index()).ok_or(missing)
}

fn remove_last_client(spec: &mut ScenarioSpec) {
    spec.clients.pop();
    let n_clients = spec.clients.len();
    let stays = |fault: &Fault| fault.kind.client().is_none_or(|who| who.index() < n_clients);
    spec.faults.retain(stays);
}
