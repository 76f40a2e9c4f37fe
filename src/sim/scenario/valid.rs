//! A scenario that is valid by construction: whoever holds one need not ask again.

use super::change::Change;
use super::error::ScenarioError;
use super::fault::{Fault, FaultKind, Start};
use super::resource::{self, CannotFence};
use super::settings::{
    ClientSettings, OnLoss, RefusedRelease, Renew, Repeat, StorageSettings, Wait,
};
use super::spec::{Length, ScenarioSpec};
use super::unchecked::Unchecked;
use crate::sim::id::{ClientId, NodeId};
use crate::sim::limits;
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
        check_counts(&spec)?;
        check_durations(&spec)?;
        let rules = lock::rules(&spec);
        check_faults(&spec, &rules)?;
        let mut clients = Vec::with_capacity(spec.clients.len());
        for (index, client) in spec.clients.iter().enumerate() {
            let mut settings = client.settings(&spec.defaults);
            check_settings(&format!("clients[{index}]"), &settings)?;
            let asked = client.ttl.unwrap_or(spec.lease.ttl);
            let ttl = rules.has_ttl.then(|| rules.ttl.grants(asked));
            lock::shape(&spec, ttl, &mut settings);
            settings.reenters = rules.reentry.answers(settings.reenters);
            resource::shape(&spec.storage, &mut settings);
            let session_at = client.session_at.filter(|_| settings.session && ttl.is_some());
            clients.push(Client { asks_at: client.asks_at, ttl, session_at, settings });
        }
        let storage = resource::stores(&spec.storage, &rules);
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

    /// The longest time to live of any client.
    pub fn longest_ttl(&self) -> Option<SimDuration> {
        self.clients.iter().filter_map(|client| client.ttl).max()
    }
}

fn check_counts(spec: &ScenarioSpec) -> Result<(), ScenarioError> {
    if spec.clients.is_empty() || spec.clients.len() > limits::MAX_CLIENTS {
        return Err(ScenarioError::ClientCount(spec.clients.len()));
    }
    if spec.storage.stores == 0 || usize::from(spec.storage.stores) > limits::MAX_STORES {
        return Err(ScenarioError::StoreCount(spec.storage.stores));
    }
    check_unchecked(&spec.storage)?;
    if spec.faults.len() > limits::MAX_FAULTS {
        return Err(ScenarioError::FaultCount(spec.faults.len()));
    }
    Ok(())
}

fn check_unchecked(storage: &StorageSettings) -> Result<(), ScenarioError> {
    let path = "storage.unchecked_stores";
    match &storage.unchecked_stores {
        Unchecked::Last(count) => at_most(path, u32::from(*count), u32::from(storage.stores)),
        Unchecked::These(these) => match these.iter().find(|store| store.0 >= storage.stores) {
            Some(store) => {
                let node = NodeId::Store(*store);
                Err(ScenarioError::NoSuchNode { path: path.to_owned(), node })
            }
            None => Ok(()),
        },
    }
}

fn check_durations(spec: &ScenarioSpec) -> Result<(), ScenarioError> {
    between("lease.ttl", spec.lease.ttl, limits::MIN_TTL)?;
    between("lease.lock_delay", spec.lease.lock_delay, SimDuration::ZERO)?;
    between("lease.grace", spec.lease.grace, SimDuration::ZERO)?;
    between("latency", spec.latency, SimDuration::ZERO)?;
    between("storage.check_gap", spec.storage.check_gap, SimDuration::ZERO)?;
    if let Length::Fixed(length) = spec.length {
        between("length.fixed", length, limits::MIN_INTERVAL)?;
    }
    spec.systems.check()?;
    check_settings("defaults", &spec.defaults)?;
    for (index, client) in spec.clients.iter().enumerate() {
        let path = format!("clients[{index}].asks_at");
        between(&path, client.asks_at.since_start(), SimDuration::ZERO)?;
        if let Some(at) = client.session_at {
            let path = format!("clients[{index}].session_at");
            between(&path, at.since_start(), SimDuration::ZERO)?;
        }
        if let Some(ttl) = client.ttl {
            between(&format!("clients[{index}].ttl"), ttl, limits::MIN_TTL)?;
        }
    }
    Ok(())
}

fn check_settings(path: &str, settings: &ClientSettings) -> Result<(), ScenarioError> {
    between(&format!("{path}.work"), settings.work, SimDuration::ZERO)?;
    if let Renew::Every(interval) = settings.renew {
        between(&format!("{path}.renew.every"), interval, limits::MIN_INTERVAL)?;
    }
    if let Repeat::After(rest) = settings.repeat {
        between(&format!("{path}.repeat.after"), rest, SimDuration::ZERO)?;
    }
    let margin = settings.deadline_margin;
    between(&format!("{path}.deadline_margin"), margin, SimDuration::ZERO)?;
    if let Some(timeout) = settings.timeout {
        between(&format!("{path}.timeout"), timeout, limits::MIN_INTERVAL)?;
    }
    if let Some(after) = settings.release_early {
        between(&format!("{path}.release_early"), after, SimDuration::ZERO)?;
    }
    if let OnLoss::StopsAfter(delay) = settings.on_loss {
        between(&format!("{path}.on_loss.stops_after"), delay, SimDuration::ZERO)?;
    }
    if let Wait::Poll { every, jitter } = settings.wait {
        between(&format!("{path}.wait.poll.every"), every, limits::MIN_INTERVAL)?;
        between(&format!("{path}.wait.poll.jitter"), jitter, SimDuration::ZERO)?;
    }
    if let RefusedRelease::SentAgain(after) = settings.refused_release {
        between(&format!("{path}.refused_release.sent_again"), after, limits::MIN_INTERVAL)?;
    }
    at_most(
        &format!("{path}.deadline_rate_error_ppm"),
        settings.deadline_rate_error_ppm,
        limits::MAX_RATE_ERROR_PPM,
    )?;
    at_most(&format!("{path}.retries"), settings.retries, limits::MAX_RETRIES)?;
    let given = settings.writes_per_grant;
    if !(1..=limits::MAX_WRITES_PER_GRANT).contains(&given) {
        return Err(ScenarioError::CountOutOfRange {
            path: format!("{path}.writes_per_grant"),
            given,
            most: limits::MAX_WRITES_PER_GRANT,
        });
    }
    Ok(())
}

fn check_faults(spec: &ScenarioSpec, rules: &Rules) -> Result<(), ScenarioError> {
    for (index, fault) in spec.faults.iter().enumerate() {
        let path = format!("faults[{index}]");
        if spec.faults[..index].iter().any(|other| other.id == fault.id) {
            return Err(ScenarioError::DuplicateFault(fault.id));
        }
        let given = fault.label.chars().count();
        if given > limits::MAX_TITLE_CHARS {
            let most = limits::MAX_TITLE_CHARS;
            return Err(ScenarioError::TextTooLong { path: "faults.label", given, most });
        }
        check_fault(spec, rules, &path, fault)?;
    }
    Ok(())
}

fn check_fault(
    spec: &ScenarioSpec,
    rules: &Rules,
    path: &str,
    fault: &Fault,
) -> Result<(), ScenarioError> {
    let nth_at_least_1 = |nth: u32, field: &str| match nth {
        0 => Err(ScenarioError::CountOutOfRange {
            path: format!("{path}.{field}"),
            given: 0,
            most: limits::MAX_EVENTS,
        }),
        _ => Ok(()),
    };
    let zero = SimDuration::ZERO;
    if let Some(at) = fault.kind.starts_at() {
        between(&format!("{path}.at"), at.since_start(), zero)?;
    }
    if let Some(length) = fault.kind.length() {
        between(&format!("{path}.length"), length, zero)?;
    }
    if let Some(client) = fault.kind.client() {
        exists(spec, rules, path, NodeId::Client(client))?;
    }
    match &fault.kind {
        FaultKind::Pause { start: Start::Step { nth, .. }, .. } => {
            nth_at_least_1(*nth, "start.step.nth")
        }
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => {
            exists(spec, rules, path, message.from)?;
            exists(spec, rules, path, message.to)?;
            nth_at_least_1(message.nth, "message.nth")
        }
        FaultKind::Cut { a, b, .. } => {
            exists(spec, rules, path, *a)?;
            exists(spec, rules, path, *b)
        }
        FaultKind::ClockJump { node, .. } => exists(spec, rules, path, *node),
        FaultKind::ClockRate { node, ppm } => {
            exists(spec, rules, path, *node)?;
            let (least, most) = (-limits::MAX_SLOWNESS_PPM, limits::MAX_FASTNESS_PPM);
            if (least..=most).contains(ppm) {
                return Ok(());
            }
            Err(ScenarioError::RateOutOfRange { path: format!("{path}.ppm"), given: *ppm })
        }
        FaultKind::ServiceRestart { node: Some(node), .. } => {
            exists(spec, rules, path, NodeId::Lock(*node))
        }
        FaultKind::StoreRestart { store, .. } => exists(spec, rules, path, NodeId::Store(*store)),
        FaultKind::Pause { start: Start::At(_), .. }
        | FaultKind::Crash { .. }
        | FaultKind::ServiceRestart { node: None, .. }
        | FaultKind::Failover { .. }
        | FaultKind::ConnectionLost { .. } => Ok(()),
    }
}

fn at_most(path: &str, given: u32, most: u32) -> Result<(), ScenarioError> {
    if given > most {
        return Err(ScenarioError::TooMany { path: path.to_owned(), given, most });
    }
    Ok(())
}

/// Whether a scenario has a node.
pub(super) fn exists(
    spec: &ScenarioSpec,
    rules: &Rules,
    path: &str,
    node: NodeId,
) -> Result<(), ScenarioError> {
    let n_clients = spec.clients.len();
    match node {
        NodeId::Client(client) if client.index() >= n_clients => {
            let last = ClientId(u8::try_from(n_clients - 1).unwrap_or(u8::MAX));
            Err(ScenarioError::NoSuchClient { path: path.to_owned(), client, last })
        }
        NodeId::Lock(id) if id.0 >= rules.n_nodes => {
            Err(ScenarioError::NoSuchNode { path: path.to_owned(), node })
        }
        NodeId::Store(id) if id.0 >= spec.storage.stores => {
            Err(ScenarioError::NoSuchNode { path: path.to_owned(), node })
        }
        NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_) => Ok(()),
    }
}

fn between(path: &str, given: SimDuration, least: SimDuration) -> Result<(), ScenarioError> {
    let most = limits::MAX_DURATION;
    if given < least || given > most {
        return Err(ScenarioError::OutOfRange { path: path.to_owned(), given, least, most });
    }
    Ok(())
}
