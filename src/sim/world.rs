//! What is so at one moment: a fold over the log, and nothing else. The engine's own state (queue,
//! timers, protocols) is separate, so that any moment can be rebuilt from the log alone.

mod store;

use super::event::{BeliefEnd, Event, LeaseEnd, NodeEvent};
use super::id::{ClientId, EntrySeq, FaultId, FencingToken, GrantNo, NodeId, StoreId, WriteId};
use super::log::LogEntry;
use super::message::MessageKind;
use super::scenario::{PauseScope, Scenario};
use super::time::{ClockShift, SimDuration, SimTime};
pub use store::{StoreState, ValueState};

/// Everything that is so after some entries of a log.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// The time of the last entry folded in.
    pub at: SimTime,
    /// How many entries are folded in.
    pub n_entries: u32,
    /// What the lock service says.
    pub service: ServiceState,
    /// The clients, A first.
    pub clients: Vec<ClientState>,
    /// The stores.
    pub stores: Vec<StoreState>,
}

/// The parts of the world that an entry may have changed; no other part did it change. What is so
/// there now, the world says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// What the lock service says.
    pub service: bool,
    /// What is so at this client.
    pub client: Option<ClientId>,
    /// What is so at this store.
    pub store: Option<StoreId>,
}

/// What the lock service says.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ServiceState {
    /// The grants that it names, the one made last at the end: mostly one, or none. There are
    /// several where nothing keeps the second asker out, or where two of its nodes grant.
    pub holders: Vec<Holder>,
    /// Who waits, the next one first.
    pub queue: Vec<ClientId>,
    /// How many grants it has made.
    pub n_grants: u32,
    /// Its nodes.
    pub nodes: Vec<LockNodeState>,
}

/// What is so at a node of the lock service.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LockNodeState {
    /// It is stopped until then.
    pub stopped_until: Option<SimTime>,
    /// How far its wall clock was set.
    pub shift: ClockShift,
    /// Whose its key is, where each node has one.
    pub key: Option<ClientId>,
}

/// The grant that the lock service names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Holder {
    /// Its number.
    pub grant: GrantNo,
    /// Whose it is.
    pub client: ClientId,
    /// Its token.
    pub token: FencingToken,
    /// When it was made.
    pub granted_at: SimTime,
    /// When it last began to run: the grant or the last renewal.
    pub runs_from: SimTime,
    /// When it ends unless renewed; `None` without a time to live.
    pub until: Option<SimTime>,
}

/// What is so at a client.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClientState {
    /// What its worker is at.
    pub phase: Phase,
    /// When that began.
    pub phase_since: SimTime,
    /// What it believes to hold.
    pub belief: Option<Belief>,
    /// Its last lease, in truth: at the service.
    pub lease: Option<LeaseState>,
    /// The pauses that hold it now, by scope; `None`: that part runs.
    pub paused: [Option<PauseState>; 3],
    /// Whether it is dead, and since when.
    pub crashed: Option<SimTime>,
    /// Whether its worker is dead and its renewer is not, and since when.
    pub worker_crashed: Option<SimTime>,
    /// How far its wall clock was set.
    pub shift: ClockShift,
    /// When the last pause of the whole client or of its worker ended.
    pub woke_at: Option<SimTime>,
}

/// What a worker is at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// It has not asked yet, or rests between two pieces of work.
    Idle,
    /// It asked and has no answer yet.
    Asking,
    /// It waits in the queue.
    Waiting,
    /// It raises the fence at the stores.
    Sealing,
    /// It reads.
    Reading,
    /// It works towards this write; without a pause until `until`.
    Working {
        /// The write that it ends in.
        write: WriteId,
        /// When the work is over if no pause lengthens it.
        until: SimTime,
    },
    /// It asked the service whether it still holds the lock.
    Checking,
    /// It acts on the outside and has no answer yet.
    Acting,
    /// It wrote and has no answer yet.
    Writing,
    /// It gives the lock back.
    Releasing,
    /// Its work is done; `holding`: it stays on as idle holder.
    Done {
        /// Whether it stays on as idle holder.
        holding: bool,
    },
}

/// What a client believes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Belief {
    /// The grant.
    pub grant: GrantNo,
    /// Its token.
    pub token: FencingToken,
    /// Since when.
    pub since: SimTime,
}

/// A client's last lease, in truth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LeaseState {
    /// The grant.
    pub grant: GrantNo,
    /// Its token.
    pub token: FencingToken,
    /// When it began to run: the grant or the last renewal.
    pub runs_from: SimTime,
    /// When it ends unless renewed.
    pub until: Option<SimTime>,
    /// When and how it ended.
    pub ended: Option<(SimTime, LeaseEnd, EntrySeq)>,
}

/// A pause that holds a client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PauseState {
    /// The fault that began it.
    pub fault: FaultId,
    /// When it began.
    pub since: SimTime,
    /// When it ends; later, if another one joins it.
    pub until: SimTime,
    /// The entry that began it.
    pub entry: EntrySeq,
}

impl World {
    /// The world before the first entry.
    pub fn new(scenario: &Scenario) -> Self {
        let client = ClientState {
            phase: Phase::Idle,
            phase_since: SimTime::ZERO,
            belief: None,
            lease: None,
            paused: [None; 3],
            crashed: None,
            worker_crashed: None,
            shift: ClockShift::default(),
            woke_at: None,
        };
        let overwrites = scenario.storage().overwrites_fence();
        let store = StoreState { overwrites, ..StoreState::default() };
        Self {
            at: SimTime::ZERO,
            n_entries: 0,
            service: ServiceState {
                nodes: vec![LockNodeState::default(); usize::from(scenario.rules().n_nodes)],
                ..ServiceState::default()
            },
            clients: vec![client; scenario.clients().len()],
            stores: vec![store; usize::from(scenario.storage().stores)],
        }
    }

    /// Folds one entry in, and tells which parts it may have changed. Entries must come in order.
    pub fn apply(&mut self, entry: &LogEntry) -> Changed {
        debug_assert_eq!(entry.seq.0, self.n_entries, "entries come in order");
        self.at = entry.at;
        self.n_entries = entry.seq.0 + 1;
        match entry.node {
            NodeId::Client(client) => {
                self.apply_at_client(client, entry);
                Changed { client: Some(client), ..Changed::default() }
            }
            NodeId::Lock(id) => {
                if let Some(node) = self.service.nodes.get_mut(usize::from(id.0)) {
                    node.apply(&entry.event);
                }
                Changed { service: true, client: self.apply_at_service(entry), store: None }
            }
            NodeId::Store(store) => {
                if let Some(store) = self.stores.get_mut(usize::from(store.0)) {
                    store.apply(entry);
                }
                Changed { store: Some(store), ..Changed::default() }
            }
        }
    }

    fn apply_at_client(&mut self, client: ClientId, entry: &LogEntry) {
        if let Some(state) = self.clients.get_mut(client.index()) {
            state.apply(entry);
        }
    }

    /// Tells which client it changed, too.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other events leave the service as it is")]
    fn apply_at_service(&mut self, entry: &LogEntry) -> Option<ClientId> {
        let at = entry.at;
        match entry.event {
            Event::Granted { grant, client, token, ttl } => {
                let until = ttl.map(|ttl| at + ttl);
                self.service.queue.retain(|&waiter| waiter != client);
                self.service.n_grants = grant.0;
                self.service.names(Holder {
                    grant,
                    client,
                    token,
                    granted_at: at,
                    runs_from: at,
                    until,
                });
                self.clients[client.index()].lease =
                    Some(LeaseState { grant, token, runs_from: at, until, ended: None });
                Some(client)
            }
            Event::Renewed { grant, ttl, .. } => self.lasts(grant, at, ttl),
            Event::AtNode(
                NodeEvent::Refreshed { grant, ttl, .. } | NodeEvent::Lasts { grant, ttl, .. },
            ) => self.lasts(grant, at, ttl),
            Event::AtNode(NodeEvent::TookOver { grant, client, token, ttl }) => {
                let (until, service) = (ttl.map(|ttl| at + ttl), &mut self.service);
                service.are_up();
                let granted_at = service.named(grant).map_or(at, |holder| holder.granted_at);
                service.names(Holder { grant, client, token, granted_at, runs_from: at, until });
                Some(client)
            }
            Event::AtNode(NodeEvent::Reentered { grant, token, .. }) => {
                let holder = self.service.named(grant)?;
                holder.token = token;
                Some(holder.client)
            }
            Event::AtNode(NodeEvent::TookOverFree) => {
                self.service.are_up();
                None
            }
            Event::LeaseEnded { grant, client, how, .. } => {
                self.service.holders.retain(|holder| holder.grant != grant);
                let lease = self.clients[client.index()].lease.as_mut();
                if let Some(lease) = lease.filter(|lease| lease.grant == grant) {
                    lease.ended = Some((at, how, entry.seq));
                }
                Some(client)
            }
            Event::Refused { client } | Event::AtNode(NodeEvent::Unserved { client }) => {
                self.clients[client.index()].enter_queue(at);
                Some(client)
            }
            Event::WaiterLeft { client } => {
                self.service.queue.retain(|&waiter| waiter != client);
                Some(client)
            }
            Event::Queued { client, .. } => {
                if !self.service.queue.contains(&client) {
                    self.service.queue.push(client);
                }
                self.clients[client.index()].enter_queue(at);
                Some(client)
            }
            _ => None,
        }
    }

    /// The lease runs anew from `at`; whose it is.
    fn lasts(&mut self, grant: GrantNo, at: SimTime, ttl: SimDuration) -> Option<ClientId> {
        let until = Some(at + ttl);
        let holder = self.service.named(grant)?;
        (holder.runs_from, holder.until) = (at, until);
        let lease = self.clients[holder.client.index()].lease.as_mut();
        if let Some(lease) = lease.filter(|lease| lease.grant == grant) {
            (lease.runs_from, lease.until) = (at, until);
        }
        Some(holder.client)
    }
}

impl ServiceState {
    /// The grant that it names, the last one of several.
    pub fn holder(&self) -> Option<Holder> {
        self.holders.last().copied()
    }

    fn named(&mut self, grant: GrantNo) -> Option<&mut Holder> {
        self.holders.iter_mut().find(|holder| holder.grant == grant)
    }

    fn names(&mut self, holder: Holder) {
        self.holders.retain(|other| other.grant != holder.grant);
        self.holders.push(holder);
    }

    /// One of its nodes took another's place: the lock is served again.
    fn are_up(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.stopped_until = None);
    }
}

impl LockNodeState {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other events leave a node as it is")]
    fn apply(&mut self, event: &Event) {
        match *event {
            Event::ServiceStopped { until, .. } => self.stopped_until = Some(until),
            Event::ServiceBack { .. } => self.stopped_until = None,
            Event::ClockJumped { by, .. } => self.shift = self.shift.plus(by),
            Event::AtNode(NodeEvent::KeySet { client, .. }) => self.key = Some(client),
            Event::AtNode(NodeEvent::KeyGone { .. }) => self.key = None,
            _ => {}
        }
    }
}

impl ClientState {
    /// Whether a part of this client stands still: `Client` stops its worker and its renewer, too.
    pub fn pause_of(&self, scope: PauseScope) -> Option<PauseState> {
        let whole = self.paused[PauseScope::Client as usize];
        self.paused[scope as usize].or(whole)
    }

    /// How long it has believed without holding a lease, at `now`; `None` if it does not.
    pub fn false_belief(&self, now: SimTime) -> Option<SimDuration> {
        let belief = self.belief?;
        let lease = self.lease.filter(|lease| lease.grant == belief.grant)?;
        let (ended, _, _) = lease.ended?;
        Some(now.since(ended))
    }

    fn is_at_work(&self) -> bool {
        matches!(self.phase, Phase::Working { .. } | Phase::Checking | Phase::Done { .. })
    }

    fn enter_queue(&mut self, at: SimTime) {
        if self.phase == Phase::Asking {
            self.enter(Phase::Waiting, at);
        }
    }

    fn enter(&mut self, phase: Phase, at: SimTime) {
        self.phase = phase;
        self.phase_since = at;
    }

    fn apply(&mut self, entry: &LogEntry) {
        let at = entry.at;
        match entry.event {
            Event::Sent { kind, .. } => self.apply_sent(kind, at),
            Event::BeliefStarted { grant, token } => {
                self.belief = Some(Belief { grant, token, since: at });
                if matches!(self.phase, Phase::Asking | Phase::Waiting) {
                    self.enter(Phase::Idle, at);
                }
            }
            Event::BeliefEnded { why, .. } => {
                self.belief = None;
                if why == BeliefEnd::Crashed {
                    self.enter(Phase::Idle, at);
                }
            }
            Event::WorkStarted { write, takes, .. } => {
                self.enter(Phase::Working { write, until: at + takes }, at);
            }
            Event::WorkAbandoned { .. } => self.enter(Phase::Idle, at),
            Event::WorkerDone { holding } => self.enter(Phase::Done { holding }, at),
            Event::Paused { fault, scope, until, .. } => {
                let pause = &mut self.paused[scope as usize];
                let first = PauseState { fault, since: at, until, entry: entry.seq };
                let joined =
                    pause.map_or(first, |old| PauseState { until: old.until.max(until), ..old });
                *pause = Some(joined);
            }
            Event::Resumed { scope } => {
                self.paused[scope as usize] = None;
                if scope != PauseScope::Renewer {
                    self.woke_at = Some(at);
                }
            }
            Event::Crashed { .. } => {
                self.crashed = Some(at);
                self.paused = [None; 3];
                self.enter(Phase::Idle, at);
            }
            Event::Restarted { .. } => self.crashed = None,
            Event::WorkerCrashed { .. } => {
                self.worker_crashed = Some(at);
                self.enter(Phase::Done { holding: self.belief.is_some() }, at);
            }
            Event::ClockJumped { by, .. } => self.shift = self.shift.plus(by),
            Event::GrantTooLate { .. } => self.enter(Phase::Idle, at),
            // A place in the queue may be left behind, but nobody waits there any more.
            Event::TimedOut { gives_up: true, .. }
                if matches!(self.phase, Phase::Asking | Phase::Waiting | Phase::Releasing) =>
            {
                self.enter(Phase::Idle, at);
            }
            Event::TimedOut { .. }
            | Event::RenewerGaveUp { .. }
            | Event::LinkCut { .. }
            | Event::LinkRestored { .. }
            | Event::ConnectionLost { .. } => {}
            Event::AtNode(NodeEvent::Miscounted { grant, token, .. }) => {
                let ended = Some((at, LeaseEnd::Expired, entry.seq));
                self.lease =
                    Some(LeaseState { grant, token, runs_from: at, until: Some(at), ended });
            }
            Event::AtNode(_)
            | Event::Received { .. }
            | Event::Lost { .. }
            | Event::Granted { .. }
            | Event::GrantedAgain { .. }
            | Event::Queued { .. }
            | Event::Renewed { .. }
            | Event::RenewRefused { .. }
            | Event::LeaseEnded { .. }
            | Event::ReleaseRefused { .. }
            | Event::Checked { .. }
            | Event::ReadServed { .. }
            | Event::SealAccepted { .. }
            | Event::SealRefused { .. }
            | Event::WriteAccepted { .. }
            | Event::WriteRefused { .. }
            | Event::DuplicateIgnored { .. }
            | Event::Effect { .. }
            | Event::Refused { .. }
            | Event::WaiterLeft { .. }
            | Event::ServiceStopped { .. }
            | Event::ServiceBack { .. }
            | Event::StoreRestarted { .. } => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "a worker's phase follows its requests")]
    fn apply_sent(&mut self, kind: MessageKind, at: SimTime) {
        match kind {
            // A renewer can ask behind its worker's back, which goes on with what it is at.
            MessageKind::Acquire if self.is_at_work() => {}
            MessageKind::Acquire | MessageKind::Look | MessageKind::Reenter => {
                self.enter(Phase::Asking, at);
            }
            MessageKind::Seal => self.enter(Phase::Sealing, at),
            MessageKind::Read => self.enter(Phase::Reading, at),
            MessageKind::Check => self.enter(Phase::Checking, at),
            MessageKind::Effect => self.enter(Phase::Acting, at),
            MessageKind::Write => self.enter(Phase::Writing, at),
            MessageKind::Release => self.enter(Phase::Releasing, at),
            _ => {}
        }
    }
}
