//! A scenario that is valid by construction: whoever holds one need not ask again.

use super::choice::{Check, Piece, Ratio, Reenters, Whole};
use super::error::ScenarioError;
use super::fault::FaultKind;
use super::resource::{self, CannotFence};
use super::settings::{Change, ClientSettings, ScenarioSpec, StorageSettings};
use super::settling::{self, SettleAt};
use super::unchecked::Unchecked;
use crate::sim::form::{At, End, Form, Ranged};
use crate::sim::id::{ClientId, FaultId, LockNodeId, NodeId, StoreId};
use crate::sim::lock::{self, Rules, StoreCheck};
use crate::sim::time::{SimDuration, SimTime};

/// A client with the settings that hold for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Client {
    /// When its worker first asks.
    pub asks_at: SimTime,
    /// The time to live of its leases; `None` for a lock without one.
    pub ttl: Option<SimDuration>,
    /// When its session is made, if before it asks.
    pub session_at: Option<SimTime>,
    /// How it behaves.
    pub settings: ClientSettings,
    /// Whether its work is the item that the lock stands for.
    pub is_for_item: bool,
}

impl Client {
    /// Whether the piece that it works on is that of others, too.
    pub fn is_piece_shared(&self) -> bool {
        self.is_for_item || self.settings.piece == Piece::Shared
    }

    /// Whether a whole piece of work is one unit: it is shared, or the scenario says so.
    pub fn is_piece_whole(&self) -> bool {
        self.is_piece_shared() || self.settings.whole == Whole::Piece
    }

    /// Whether it renews later than a third of its time to live, by which libraries go.
    pub fn renews_late(&self) -> bool {
        let interval = self.settings.renew.interval(self.ttl);
        interval.zip(self.ttl).is_some_and(|(interval, ttl)| interval > Ratio::THIRD.of(ttl))
    }
}

/// A valid scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    spec: ScenarioSpec,
    rules: Rules,
    storage: StorageSettings,
    clients: Vec<Client>,
}

impl Scenario {
    /// Checks a scenario.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn new(spec: ScenarioSpec) -> Result<Self, ScenarioError> {
        spec.check(&At::ROOT)?;
        check_unchecked(&spec.storage)?;
        let rules = lock::rules(&spec);
        let storage = resource::stores(&spec.storage, &rules);
        settling::check(&spec, &rules, &storage)?;
        check_faults(&spec, &rules)?;
        let mut clients = Vec::with_capacity(spec.clients.len());
        for client in &spec.clients {
            let mut settings = client.settings(&spec.defaults);
            let asked = client.ttl.unwrap_or(spec.lease.ttl);
            let ttl = rules.has_ttl.then(|| rules.ttl.grants(asked));
            lock::shape(&spec, ttl, &mut settings);
            settings.reenters = rules.reentry.answers(settings.reenters);
            // Who settles gives back, and who has settled holds nothing that it could look at.
            settings.release |= rules.item.is_some();
            if rules.item.is_some_and(|item| item.settle_at == SettleAt::Begin) {
                (settings.check, settings.reenters) = (Check::Off, Reenters::Off);
                settings.release_early = None;
            }
            resource::shape(&spec.storage, &mut settings);
            let session_at = client.session_at.filter(|_| settings.session && ttl.is_some());
            let (asks_at, is_for_item) = (client.asks_at, rules.item.is_some());
            clients.push(Client { asks_at, ttl, session_at, settings, is_for_item });
        }
        Ok(Self { spec, rules, storage, clients })
    }

    /// This scenario with changes; this one stays as it is.
    ///
    /// # Errors
    /// If a change does not apply, or the result is not valid.
    pub fn with(&self, changes: &[Change]) -> Result<Self, ScenarioError> {
        let mut spec = self.spec.clone();
        for change in changes {
            change.apply(&mut spec)?;
        }
        Self::new(spec)
    }

    /// The scenario as a file writes it.
    pub fn spec(&self) -> &ScenarioSpec {
        &self.spec
    }

    /// The rules that its lock system follows.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The settings that the stores go by: those of the file, but for what the protected resource
    /// settles by itself.
    pub fn storage(&self) -> &StorageSettings {
        &self.storage
    }

    /// By what the stores check a write.
    pub fn store_check(&self) -> StoreCheck {
        resource::store_check(&self.spec.storage, &self.rules)
    }

    /// Why turning fencing on would compare nothing; `None`: it compares something.
    pub fn cannot_fence(&self) -> Option<CannotFence> {
        resource::cannot_fence(&self.spec.storage, &self.rules)
    }

    /// The clients with their settings, A first.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// Number of clients.
    pub fn n_clients(&self) -> u8 {
        u8::try_from(self.clients.len()).expect("a valid scenario has at most 8 clients")
    }

    /// The time to live that the lock system applies; `None` for a lock without one.
    pub fn ttl(&self) -> Option<SimDuration> {
        self.rules.has_ttl.then(|| self.rules.ttl.grants(self.spec.lease.ttl))
    }

    /// The changes with which every client's leases last at least so long.
    pub fn leases_of_at_least(&self, least: SimDuration) -> Vec<Change> {
        let clients = (0..).map(ClientId).zip(&self.spec.clients);
        let short = clients.filter(|(_, asks)| asks.ttl.is_some_and(|ttl| ttl < least));
        let own = short.map(|(client, _)| Change::ClientTtl { client, ttl: Some(least) });
        let for_all = (self.spec.lease.ttl < least).then_some(Change::Ttl(least));
        for_all.into_iter().chain(own).collect()
    }

    /// The longest time to live of any client.
    pub fn longest_ttl(&self) -> Option<SimDuration> {
        self.clients.iter().filter_map(|client| client.ttl).max()
    }
}

fn check_unchecked(storage: &StorageSettings) -> Result<(), ScenarioError> {
    let last = NodeId::Store(StoreId(storage.stores - 1));
    match &storage.unchecked_stores {
        Unchecked::Last(count) => {
            let at = At::ROOT.key("storage");
            Ok(count.check_within(&at.key("unchecked_stores"), 0, storage.stores.end())?)
        }
        Unchecked::These(these) => match these.iter().position(|store| store.0 >= storage.stores) {
            Some(nth) => Err(ScenarioError::NoSuchNode {
                path: format!("storage.unchecked_stores[{nth}]"),
                node: NodeId::Store(these[nth]),
                right: last,
            }),
            None => Ok(()),
        },
    }
}

fn check_faults(spec: &ScenarioSpec, rules: &Rules) -> Result<(), ScenarioError> {
    for (index, fault) in spec.faults.iter().enumerate() {
        if spec.faults[..index].iter().any(|other| other.id == fault.id) {
            let highest = spec.faults.iter().map(|fault| fault.id.0).max().unwrap_or_default();
            let is_free = |id: &u16| spec.faults.iter().all(|fault| fault.id.0 != *id);
            let free = highest.checked_add(1).or_else(|| (0..=highest).find(is_free));
            return Err(ScenarioError::DuplicateFault {
                path: format!("faults[{index}].id"),
                id: fault.id,
                free: FaultId(free.unwrap_or_default()),
            });
        }
        let exists = |field: &str, node| exists(spec, rules, (index, &fault.kind, field), node);
        match &fault.kind {
            FaultKind::Pause { client, .. }
            | FaultKind::Crash { client, .. }
            | FaultKind::ConnectionLost { client, .. } => exists("client", NodeId::Client(*client)),
            FaultKind::Delay { message, .. }
            | FaultKind::Lose { message }
            | FaultKind::Duplicate { message, .. } => {
                exists("message.from", message.from).and(exists("message.to", message.to))
            }
            FaultKind::Cut { a, b, .. } => exists("a", *a).and(exists("b", *b)),
            FaultKind::ClockJump { node, .. } | FaultKind::ClockRate { node, .. } => {
                exists("node", *node)
            }
            FaultKind::ServiceRestart { node: Some(node), .. } => {
                exists("node", NodeId::Lock(*node))
            }
            FaultKind::StoreRestart { store, .. } => exists("store", NodeId::Store(*store)),
            FaultKind::ServiceRestart { node: None, .. } | FaultKind::Failover { .. } => Ok(()),
        }?;
    }
    Ok(())
}

/// Whether a scenario has a node.
pub(super) fn is_there(spec: &ScenarioSpec, rules: &Rules, node: NodeId) -> bool {
    match node {
        NodeId::Client(client) => client.index() < spec.clients.len(),
        NodeId::Lock(id) => id.0 < rules.n_nodes,
        NodeId::Store(id) => id.0 < spec.storage.stores,
    }
}

/// Whether a node is there that a field of a fault names.
fn exists(
    spec: &ScenarioSpec,
    rules: &Rules,
    (index, kind, field): (usize, &FaultKind, &str),
    node: NodeId,
) -> Result<(), ScenarioError> {
    if is_there(spec, rules, node) {
        return Ok(());
    }
    let path = || format!("faults[{index}].kind.{}.{field}", kind.name_in_files());
    match node {
        NodeId::Client(client) => {
            let last = ClientId(u8::try_from(spec.clients.len() - 1).unwrap_or(u8::MAX));
            Err(ScenarioError::NoSuchClient { path: path(), client, last })
        }
        NodeId::Lock(_) => {
            let right = NodeId::Lock(LockNodeId(rules.n_nodes.max(1) - 1));
            Err(ScenarioError::NoSuchNode { path: path(), node, right })
        }
        NodeId::Store(_) => {
            let right = NodeId::Store(StoreId(spec.storage.stores - 1));
            Err(ScenarioError::NoSuchNode { path: path(), node, right })
        }
    }
}
