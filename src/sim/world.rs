//! What is so at one moment: a fold over the log, and nothing else. The engine's own state (queue,
//! timers, protocols) is separate, so that any moment can be rebuilt from the log alone.

mod answers;
mod node;
mod store;

use super::fact::{
    BeliefEnd, ClientFact, Fact, FaultFact, KeyFact, LeaseEnd, RenewalStop, ServiceFact,
};
use super::id::{
    ClientId, EntrySeq, FaultId, FencingToken, GrantNo, LockNodeId, NodeId, StoreId, WriteId,
};
use super::log::LogEntry;
use super::message::{MessageKind, Step};
use super::scenario::{PauseScope, Scenario};
use super::time::{ClockShift, SimDuration, SimTime};
pub use answers::Answers;
pub use node::{LockNodeState, NodeWork};
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
    /// The last answer of each kind.
    pub answers: Answers,
}

/// The parts of the world that an entry may have changed; no other part did it change. What is so
/// there now, the world says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// What the lock service says, and what is so at this node of it.
    pub service: Option<LockNodeId>,
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
    /// How the item is closed that the lock stands for.
    pub closed: Option<ItemEnd>,
}

/// How an item of a queue is closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ItemEnd {
    /// It is done, as this client said.
    Done(ClientId),
    /// It was delivered as often as it may be, and is dead.
    Dead,
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
    /// Since when it is over and has not ended: nobody has acted on its end yet.
    pub over: Option<SimTime>,
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
    /// Its renewer gives the lock back behind its worker's back.
    leaves: bool,
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
    /// It holds the lock and has not begun: without a pause it begins at `until`.
    Buffered {
        /// When it begins if no pause holds it.
        until: SimTime,
    },
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
            leaves: false,
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
            answers: Answers::default(),
        }
    }

    /// Folds one entry in, and tells which parts it may have changed. Entries must come in order.
    pub fn apply(&mut self, entry: &LogEntry) -> Changed {
        debug_assert_eq!(entry.seq.0, self.n_entries, "entries come in order");
        self.at = entry.at;
        self.n_entries = entry.seq.0 + 1;
        let (at, seq) = (entry.at, entry.seq);
        match entry.fact {
            Fact::Message(NodeId::Client(client), fact) => match fact.sent() {
                Some(kind) => self.at_client(client, |state| state.sent(kind, at)),
                None => Changed::default(),
            },
            Fact::Message(..) => Changed::default(),
            Fact::Service(node, fact) => {
                self.answers.of_service(&fact, seq);
                self.service.closes(fact);
                let client = self.apply_at_service(node, fact, at, seq);
                Changed { service: Some(node), client, store: None }
            }
            Fact::Client(client, fact) => {
                self.at_client(client, |state| state.apply(fact, at, seq))
            }
            Fact::Store(store, fact) => {
                self.answers.of_store(&fact, seq);
                self.at_store(store, |state| state.apply(fact, seq))
            }
            Fact::Fault(id, fact) => self.struck(id, fact, at, seq),
        }
    }

    fn at_client(&mut self, client: ClientId, apply: impl FnOnce(&mut ClientState)) -> Changed {
        self.clients.get_mut(client.index()).map(apply);
        Changed { client: Some(client), ..Changed::default() }
    }

    fn at_store(&mut self, store: StoreId, apply: impl FnOnce(&mut StoreState)) -> Changed {
        self.stores.get_mut(usize::from(store.0)).map(apply);
        Changed { store: Some(store), ..Changed::default() }
    }

    fn at_node(&mut self, node: LockNodeId, apply: impl FnOnce(&mut LockNodeState)) -> Changed {
        self.service.nodes.get_mut(usize::from(node.0)).map(apply);
        Changed { service: Some(node), ..Changed::default() }
    }

    fn struck(&mut self, id: FaultId, fact: FaultFact, at: SimTime, seq: EntrySeq) -> Changed {
        match fact {
            FaultFact::Paused { client, scope, until, .. } => self.at_client(client, |state| {
                let pause = &mut state.paused[scope as usize];
                let first = PauseState { fault: id, since: at, until, entry: seq };
                let joined =
                    pause.map_or(first, |old| PauseState { until: old.until.max(until), ..old });
                *pause = Some(joined);
            }),
            FaultFact::Crashed { client } => self.at_client(client, |state| {
                state.crashed = Some(at);
                state.paused = [None; 3];
                state.enter(Phase::Idle, at);
            }),
            FaultFact::Restarted { client } => self.at_client(client, |state| state.crashed = None),
            FaultFact::WorkerCrashed { client } => self.at_client(client, |state| {
                state.worker_crashed = Some(at);
                state.enter(Phase::Done { holding: state.belief.is_some() }, at);
            }),
            FaultFact::ClockJumped { node: NodeId::Client(client), by } => {
                self.at_client(client, |state| state.shift = state.shift.plus(by))
            }
            FaultFact::ClockJumped { node: NodeId::Store(store), by } => {
                self.at_store(store, |state| state.shift = state.shift.plus(by))
            }
            FaultFact::ClockJumped { node: NodeId::Lock(node), by } => {
                self.at_node(node, |state| state.shift = state.shift.plus(by))
            }
            FaultFact::ServiceStopped { node, until } => {
                self.at_node(node, |state| state.stopped_until = Some(until))
            }
            FaultFact::ServiceBack { node, .. } => {
                self.at_node(node, |state| state.stopped_until = None)
            }
            FaultFact::StoreRestarted { store, forgot } => self.at_store(store, |state| {
                if forgot {
                    state.highest = None;
                }
            }),
            FaultFact::ConnectionLost { .. }
            | FaultFact::LinkCut { .. }
            | FaultFact::LinkRestored { .. } => Changed::default(),
        }
    }

    /// Tells which client it changed, too.
    fn apply_at_service(
        &mut self,
        node: LockNodeId,
        fact: ServiceFact,
        at: SimTime,
        seq: EntrySeq,
    ) -> Option<ClientId> {
        if let Some(state) = self.service.nodes.get_mut(usize::from(node.0)) {
            state.apply(fact, at);
        }
        match fact {
            ServiceFact::Granted { grant, client, token, ttl } => {
                let until = ttl.map(|ttl| at + ttl);
                self.service.leaves_queue(client);
                self.service.n_grants = grant.0;
                self.service.names((grant, client, token), (at, at), until);
                self.clients[client.index()].lease =
                    Some(LeaseState { grant, token, runs_from: at, until, ended: None });
                Some(client)
            }
            ServiceFact::Renewed { grant, ttl, .. }
            | ServiceFact::Refreshed { grant, ttl, .. }
            | ServiceFact::Key(KeyFact::Lasts { grant, ttl, .. }) => self.lasts(grant, at, ttl),
            ServiceFact::TookOver { grant, client, token, ttl } => {
                let (until, service) = (ttl.map(|ttl| at + ttl), &mut self.service);
                service.are_up();
                let granted_at = service.named(grant).map_or(at, |holder| holder.granted_at);
                service.names((grant, client, token), (granted_at, at), until);
                Some(client)
            }
            ServiceFact::Reentered { grant, token, .. } => {
                let holder = self.service.named(grant)?;
                holder.token = token;
                Some(holder.client)
            }
            ServiceFact::TookOverFree => {
                self.service.are_up();
                None
            }
            ServiceFact::Overdue { grant, client, .. } => {
                self.service.named(grant)?.over = Some(at);
                Some(client)
            }
            ServiceFact::LeaseEnded { grant, client, how, .. } => {
                self.service.holders.retain(|holder| holder.grant != grant);
                let lease = self.clients[client.index()].lease.as_mut();
                if let Some(lease) = lease.filter(|lease| lease.grant == grant) {
                    lease.ended = Some((at, how, seq));
                }
                Some(client)
            }
            ServiceFact::Refused { client } | ServiceFact::Unserved { client } => {
                self.clients[client.index()].enter_queue(at);
                Some(client)
            }
            ServiceFact::WaiterLeft { client } | ServiceFact::NothingLeft { client } => {
                self.service.leaves_queue(client);
                None
            }
            ServiceFact::Queued { client, .. } => {
                if !self.service.queue.contains(&client) {
                    self.service.queue.push(client);
                }
                self.clients[client.index()].enter_queue(at);
                Some(client)
            }
            ServiceFact::Key(_)
            | ServiceFact::Raft(_)
            | ServiceFact::GrantedAgain { .. }
            | ServiceFact::RenewRefused { .. }
            | ServiceFact::KeptOn { .. }
            | ServiceFact::CapReached { .. }
            | ServiceFact::ReleaseRefused { .. }
            | ServiceFact::ItemDone { .. }
            | ServiceFact::ItemDead { .. }
            | ServiceFact::SettleRefused { .. }
            | ServiceFact::Checked { .. }
            | ServiceFact::Copied { .. }
            | ServiceFact::MadeAnew
            | ServiceFact::Election { .. }
            | ServiceFact::ReentryRefused { .. }
            | ServiceFact::EpochRaised { .. }
            | ServiceFact::StoreAsked { .. } => None,
        }
    }

    /// The lease runs anew from `at`; whose it is.
    fn lasts(&mut self, grant: GrantNo, at: SimTime, ttl: SimDuration) -> Option<ClientId> {
        let until = Some(at + ttl);
        let holder = self.service.named(grant)?;
        (holder.runs_from, holder.until, holder.over) = (at, until, None);
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

    fn leaves_queue(&mut self, client: ClientId) {
        self.queue.retain(|&waiter| waiter != client);
    }

    /// The item is done or dead, if that is what happened.
    fn closes(&mut self, fact: ServiceFact) {
        if let Some(by) = fact.closes_item() {
            self.closed = Some(by.map_or(ItemEnd::Dead, ItemEnd::Done));
        }
    }

    /// It names this grant, made at the first of these times and running from the second.
    fn names(
        &mut self,
        (grant, client, token): (GrantNo, ClientId, FencingToken),
        (granted_at, runs_from): (SimTime, SimTime),
        until: Option<SimTime>,
    ) {
        self.holders.retain(|other| other.grant != grant);
        let over = None;
        self.holders.push(Holder { grant, client, token, granted_at, runs_from, until, over });
    }

    /// One of its nodes took another's place: the lock is served again.
    fn are_up(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.stopped_until = None);
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
        matches!(
            self.phase,
            Phase::Buffered { .. } | Phase::Working { .. } | Phase::Checking | Phase::Done { .. }
        )
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

    fn apply(&mut self, fact: ClientFact, at: SimTime, seq: EntrySeq) {
        match fact {
            ClientFact::BeliefStarted { grant, token } => {
                self.belief = Some(Belief { grant, token, since: at });
                if matches!(self.phase, Phase::Asking | Phase::Waiting) {
                    self.enter(Phase::Idle, at);
                }
            }
            ClientFact::BeliefEnded { why, .. } => {
                self.belief = None;
                if why == BeliefEnd::Crashed {
                    self.enter(Phase::Idle, at);
                }
            }
            ClientFact::WorkStarted { write, takes, .. } => {
                self.enter(Phase::Working { write, until: at + takes }, at);
            }
            ClientFact::WaitsToBegin { takes, .. } => {
                self.enter(Phase::Buffered { until: at + takes }, at);
            }
            ClientFact::WorkAbandoned { .. } | ClientFact::GrantTooLate { .. } => {
                self.enter(Phase::Idle, at);
            }
            ClientFact::WorkerDone { holding } => self.enter(Phase::Done { holding }, at),
            ClientFact::Resumed { scope } => {
                self.paused[scope as usize] = None;
                if scope != PauseScope::Renewer {
                    self.woke_at = Some(at);
                }
            }
            // A place in the queue may be left behind, but nobody waits there any more.
            ClientFact::TimedOut { gives_up: true, .. }
                if matches!(self.phase, Phase::Asking | Phase::Waiting | Phase::Releasing) =>
            {
                self.enter(Phase::Idle, at);
            }
            ClientFact::Miscounted { grant, token } => {
                let ended = Some((at, LeaseEnd::Expired, seq));
                self.lease =
                    Some(LeaseState { grant, token, runs_from: at, until: Some(at), ended });
            }
            ClientFact::RenewalStopped { why, .. } => {
                self.leaves = matches!(why, RenewalStop::Leaves(_));
            }
            ClientFact::TimedOut { .. }
            | ClientFact::TriesAgain { .. }
            | ClientFact::RenewerGaveUp { .. }
            | ClientFact::Jeopardy { .. }
            | ClientFact::Safe { .. } => {}
        }
    }

    fn sent(&mut self, kind: MessageKind, at: SimTime) {
        let phase = match kind.step() {
            // A renewer can ask behind its worker's back, which goes on with what it is at.
            Some(Step::Asks) if kind.is_a_try() && self.is_at_work() => return,
            Some(Step::Asks) => Phase::Asking,
            Some(Step::Seals) => Phase::Sealing,
            Some(Step::Reads) => Phase::Reading,
            Some(Step::Checks) => Phase::Checking,
            Some(Step::Acts) => Phase::Acting,
            Some(Step::Writes) => Phase::Writing,
            // So can a renewer that gives the lock back.
            Some(Step::Releases) if std::mem::take(&mut self.leaves) => return,
            Some(Step::Releases) => Phase::Releasing,
            None => return,
        };
        self.enter(phase, at);
    }
}
