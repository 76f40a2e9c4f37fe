//! The changes that turn one scenario into another. An edit on the page, Run 2 of a comparison and
//! a remedy are all lists of these; nothing else ever alters a scenario.

use serde::{Deserialize, Serialize};

use super::error::ScenarioError;
use super::fault::Fault;
use super::resource::Resource;
use super::settings::{
    Check, Deadline, ExpiryJudge, FenceRule, HandOff, Identity, OnLoss, Operation, Piece, Reenters,
    RefusedRelease, Renew, RenewFailure, Repeat, TokenSource, Wait, WorkKind,
};
use super::spec::{ClientSpec, Length, LockSystem, ScenarioSpec};
use super::unchecked::Unchecked;
use crate::sim::clock::ClockKind;
use crate::sim::id::{ClientId, FaultId, FencingToken};
use crate::sim::lock::SystemSettings;
use crate::sim::time::{SimDuration, SimTime};

/// One change of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Another lock system; the lease's settings and the faults stay.
    Lock(LockSystem),
    /// The settings that only one lock system has.
    Systems(SystemSettings),
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
    /// Which of them cannot check.
    UncheckedStores(Unchecked),
    /// Whether a second write of the same piece and step is ignored.
    Idempotent(bool),
    /// How long after the check a write is applied.
    CheckGap(SimDuration),
    /// Whether the highest token survives a store's restart.
    Durable(bool),
    /// What is protected.
    Resource(Resource),
    /// Whether the SQL row is not there.
    MissingRow(bool),
    /// Where tokens come from.
    TokenSource(TokenSource),
    /// How long nobody is granted after a holder failed.
    LockDelay(SimDuration),
    /// How much later than the time to live the service ends a lease.
    Grace(SimDuration),
    /// Who judges that a lease is over.
    Expiry(ExpiryJudge),
    /// Which of its clocks the service judges by.
    ServiceClock(ClockKind),
    /// Whether the lease lives with the connection.
    ConnectionBound(bool),
    /// Whether the time to live is set in a second request.
    TwoSteps(bool),
    /// Whether a waiter's session is looked at before it is granted.
    WaiterCheck(bool),
    /// Who of those that wait is granted next.
    HandOff(HandOff),
    /// What a renewer does when a renewal fails, for all clients; so are all down to
    /// `RefusedRelease`.
    RenewFailure(RenewFailure),
    /// The client's own deadline.
    Deadline(Deadline),
    /// How much earlier than computed it lies.
    DeadlineMargin(SimDuration),
    /// The clock rate error that it allows for, in parts per million.
    DeadlineRateError(u32),
    /// What a worker does once its client knows that the lock is lost.
    OnLoss(OnLoss),
    /// Whose work it does.
    Piece(Piece),
    /// Whether it sends the current token instead of its own.
    RereadsToken(bool),
    /// Releases this long after a piece of work began.
    ReleaseEarly(Option<SimDuration>),
    /// How it waits for the lock.
    Wait(Wait),
    /// Whether it has a session of its own while it waits.
    Session(bool),
    /// By what name the service knows it.
    Identity(Identity),
    /// How long its worker waits for an answer.
    Timeout(Option<SimDuration>),
    /// How often it tries again.
    Retries(u32),
    /// Whether its code takes the lock a second time inside.
    Reenters(Reenters),
    /// What it does when its release is refused.
    RefusedRelease(RefusedRelease),
    /// Key of all random numbers.
    Seed(u32),
    /// One client's own time to live; none: the scenario's.
    ClientTtl {
        /// Who.
        client: ClientId,
        /// How long.
        ttl: Option<SimDuration>,
    },
    /// When one client's session is made; none: when it asks.
    SessionAt {
        /// Who.
        client: ClientId,
        /// When.
        at: Option<SimTime>,
    },
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
            Self::Lock(_)
            | Self::Systems(_)
            | Self::Latency(_)
            | Self::Seed(_)
            | Self::Length(_)
            | Self::Ttl(_)
            | Self::FirstToken(_)
            | Self::OwnerCheck(_)
            | Self::Fencing(_)
            | Self::Rule(_)
            | Self::Seal(_)
            | Self::Stores(_)
            | Self::UncheckedStores(_)
            | Self::Idempotent(_)
            | Self::CheckGap(_)
            | Self::Durable(_)
            | Self::Resource(_)
            | Self::MissingRow(_)
            | Self::TokenSource(_)
            | Self::LockDelay(_)
            | Self::Grace(_)
            | Self::Expiry(_)
            | Self::ServiceClock(_)
            | Self::ConnectionBound(_)
            | Self::TwoSteps(_)
            | Self::WaiterCheck(_)
            | Self::HandOff(_)
            | Self::Renew(_)
            | Self::Work(_)
            | Self::WorkKind(_)
            | Self::Operation(_)
            | Self::WritesPerGrant(_)
            | Self::Check(_)
            | Self::Release(_)
            | Self::Repeat(_)
            | Self::RenewFailure(_)
            | Self::Deadline(_)
            | Self::DeadlineMargin(_)
            | Self::DeadlineRateError(_)
            | Self::OnLoss(_)
            | Self::Piece(_)
            | Self::RereadsToken(_)
            | Self::ReleaseEarly(_)
            | Self::Wait(_)
            | Self::Session(_)
            | Self::Identity(_)
            | Self::Timeout(_)
            | Self::Retries(_)
            | Self::Reenters(_)
            | Self::RefusedRelease(_) => Some(Whose::Scenario),
        }
    }

    /// Applies the change to `spec`. The result may still be invalid: [`super::Scenario::new`]
    /// judges it.
    ///
    /// # Errors
    /// If it names a fault or a client that is not there.
    pub fn apply(&self, spec: &mut ScenarioSpec) -> Result<(), ScenarioError> {
        match self {
            Self::Lock(lock) => spec.lock = *lock,
            Self::Systems(settings) => spec.systems = settings.clone(),
            Self::Ttl(_)
            | Self::FirstToken(_)
            | Self::OwnerCheck(_)
            | Self::Fencing(_)
            | Self::Rule(_)
            | Self::Seal(_)
            | Self::Stores(_)
            | Self::UncheckedStores(_)
            | Self::Idempotent(_)
            | Self::CheckGap(_)
            | Self::Durable(_)
            | Self::Resource(_)
            | Self::MissingRow(_)
            | Self::TokenSource(_)
            | Self::LockDelay(_)
            | Self::Grace(_)
            | Self::Expiry(_)
            | Self::ServiceClock(_)
            | Self::ConnectionBound(_)
            | Self::TwoSteps(_)
            | Self::WaiterCheck(_)
            | Self::HandOff(_) => self.apply_to_services(spec),
            Self::Renew(_)
            | Self::Work(_)
            | Self::WorkKind(_)
            | Self::Operation(_)
            | Self::WritesPerGrant(_)
            | Self::Check(_)
            | Self::Release(_)
            | Self::Repeat(_)
            | Self::RenewFailure(_)
            | Self::Deadline(_)
            | Self::DeadlineMargin(_)
            | Self::DeadlineRateError(_)
            | Self::OnLoss(_)
            | Self::Piece(_)
            | Self::RereadsToken(_)
            | Self::ReleaseEarly(_)
            | Self::Wait(_)
            | Self::Session(_)
            | Self::Identity(_)
            | Self::Timeout(_)
            | Self::Retries(_)
            | Self::Reenters(_)
            | Self::RefusedRelease(_) => self.apply_to_clients(spec),
            Self::Latency(latency) => spec.latency = *latency,
            Self::Seed(seed) => spec.seed = *seed,
            Self::Length(length) => spec.length = *length,
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

    #[expect(clippy::wildcard_enum_match_arm, reason = "`apply` lists what is sent here")]
    fn apply_to_services(&self, spec: &mut ScenarioSpec) {
        match self {
            Self::Ttl(ttl) => spec.lease.ttl = *ttl,
            Self::FirstToken(token) => spec.lease.first_token = *token,
            Self::OwnerCheck(on) => spec.lease.owner_check = *on,
            Self::Fencing(on) => spec.storage.fencing = *on,
            Self::Rule(rule) => spec.storage.rule = *rule,
            Self::Seal(on) => spec.storage.seal = *on,
            Self::Stores(stores) => spec.storage.stores = *stores,
            Self::UncheckedStores(stores) => spec.storage.unchecked_stores = stores.clone(),
            Self::Idempotent(on) => spec.storage.idempotent = *on,
            Self::CheckGap(gap) => spec.storage.check_gap = *gap,
            Self::Durable(on) => spec.storage.durable = *on,
            Self::Resource(resource) => spec.storage.resource = *resource,
            Self::MissingRow(is_missing) => spec.storage.missing_row = *is_missing,
            Self::TokenSource(source) => spec.lease.token_source = *source,
            Self::LockDelay(delay) => spec.lease.lock_delay = *delay,
            Self::Grace(grace) => spec.lease.grace = *grace,
            Self::Expiry(judge) => spec.lease.expiry = *judge,
            Self::ServiceClock(clock) => spec.lease.clock = *clock,
            Self::ConnectionBound(on) => spec.lease.connection_bound = *on,
            Self::TwoSteps(on) => spec.lease.two_steps = *on,
            Self::WaiterCheck(on) => spec.lease.waiter_check = *on,
            Self::HandOff(hand_off) => spec.lease.hand_off = *hand_off,
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "`apply` lists what is sent here")]
    fn apply_to_clients(&self, spec: &mut ScenarioSpec) {
        // “For all clients” means all: the default changes and every client's own value goes, so
        // that the control that was moved is the one that holds.
        macro_rules! for_all {
            ($field:ident, $value:expr) => {{
                spec.defaults.$field = $value;
                spec.clients.iter_mut().for_each(|client| client.$field = None);
            }};
        }
        match self {
            Self::Renew(renew) => for_all!(renew, *renew),
            Self::Work(work) => for_all!(work, *work),
            Self::WorkKind(kind) => for_all!(work_kind, *kind),
            Self::Operation(operation) => for_all!(operation, *operation),
            Self::WritesPerGrant(count) => for_all!(writes_per_grant, *count),
            Self::Check(check) => for_all!(check, *check),
            Self::Release(release) => for_all!(release, *release),
            Self::Repeat(repeat) => for_all!(repeat, *repeat),
            Self::RenewFailure(failure) => for_all!(renew_failure, *failure),
            Self::Deadline(deadline) => for_all!(deadline, *deadline),
            Self::DeadlineMargin(margin) => for_all!(deadline_margin, *margin),
            Self::DeadlineRateError(ppm) => for_all!(deadline_rate_error_ppm, *ppm),
            Self::OnLoss(on_loss) => for_all!(on_loss, *on_loss),
            Self::Piece(piece) => for_all!(piece, *piece),
            Self::RereadsToken(on) => for_all!(rereads_token, *on),
            Self::ReleaseEarly(after) => spec.defaults.release_early = *after,
            Self::Wait(wait) => for_all!(wait, *wait),
            Self::Session(on) => for_all!(session, *on),
            Self::Identity(identity) => for_all!(identity, *identity),
            Self::Timeout(timeout) => spec.defaults.timeout = *timeout,
            Self::Retries(retries) => for_all!(retries, *retries),
            Self::Reenters(reenters) => for_all!(reenters, *reenters),
            Self::RefusedRelease(refused) => for_all!(refused_release, *refused),
            _ => {}
        }
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
    let missing = ScenarioError::NoSuchClient { path: "asks_at".to_owned(), client, last };
    spec.clients.get_mut(client.index()).ok_or(missing)
}

fn remove_last_client(spec: &mut ScenarioSpec) {
    spec.clients.pop();
    let n_clients = spec.clients.len();
    let stays = |fault: &Fault| fault.kind.client().is_none_or(|who| who.index() < n_clients);
    spec.faults.retain(stays);
}
