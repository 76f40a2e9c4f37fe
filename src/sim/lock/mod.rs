//! The lock systems. Each is a node half (what the service does), a client half (what its library
//! does), its settings, and the rules and the kind of token that it makes of a scenario. All of it
//! stands in the `INFO` of one file, or of one folder, per system; here are a line for each and
//! what they share. The engine knows none of them by name.

mod chubby;
mod consul;
mod dhcp;
mod etcd;
pub mod kafka;
mod kubernetes;
mod lease_server;
mod lease_table;
mod plain;
pub mod raft;
mod redis;
mod redlock;
mod replies;
mod rules;
mod settings;
mod single_node;
mod sql;
mod tokens;
mod zookeeper;

use super::clock::Now;
use super::effect::{Effects, TimerKind};
use crate::sim::fact::{Grant, ServiceFact};

use super::id::{ClientId, FencingToken, GrantNo, LockNodeId, NodeId, RequestNo, StoreId};
use super::message::{Answer, Body, Peer, Request, SpecialRequest, StoreToService};
pub use super::scenario::Fixed;
use super::scenario::{ClientSettings, LockSystem, Loses, Scenario, ScenarioSpec};
use super::time::{LocalTime, SimDuration, SimTime};
pub use chubby::{ChubbySettings, Sequencer};
pub use consul::{Behavior, ConsulSettings, ConsulToken};
pub use dhcp::DhcpSettings;
pub use etcd::{EtcdSettings, EtcdToken};
pub use kafka::{KafkaLeaderSettings, KafkaProducerSettings, TransactionVersion, TransactionalId};
pub use kubernetes::{KubernetesSettings, KubernetesToken};
use lease_table::LeaseTable;
pub use lease_table::{Copied, Held, Record};
pub use raft::RaftMessage;
pub use raft::leader::office::Office;
pub use raft::leader::{RaftLeaderSettings, Reads};
pub use raft::lease::RaftLeaseSettings;
pub use raft::lease::history::{Applied, History};
pub use redis::{RedisSettings, RedisToken};
pub use redlock::majority::Majority;
pub use redlock::{AskOrder, Persistence, RedlockSettings, Validity, WaitsFor};
use rules::by_library;
pub use rules::{
    Anew, ItemRules, Lateness, NameOrder, NodeRules, Reentry, Rules, Schedule, StoreCheck,
    TokenWorth, TtlRule,
};
pub use settings::{OwnSetting, SystemSettings};
pub use sql::{SqlAcquire, SqlClock, SqlHold, SqlSettings};
pub use zookeeper::{AtTheEnd, OnDisconnect, ZooKeeperSettings, ZooKeeperToken};

/// What grants the lock, where nothing says which system it is.
pub const LOCK_SERVICE: &str = "Lock service";

/// What a system is, for pickers and for validation.
#[derive(Clone, Copy, Debug)]
pub struct SystemInfo {
    /// Which system.
    pub system: LockSystem,
    /// Its name.
    pub name: &'static str,
    /// What grants the lock in it, as people call it: [`LOCK_SERVICE`] where it is no one system.
    pub service: &'static str,
    /// What its token is and whether it can fence, in one line.
    pub token: &'static str,
    /// The general settings that it fixes.
    pub fixes: &'static [Fixed],
    /// Why a control for one of them has no effect, without a full stop.
    pub fixed: &'static str,
    /// Its own settings that have a neutral value.
    pub own: &'static [OwnSetting],
    /// The rules that it follows in a scenario.
    pub(super) rules: fn(&ScenarioSpec) -> Rules,
    /// Fixes those of a client's settings that the system's library does not leave to anybody.
    pub(super) shape: fn(&ScenarioSpec, Option<SimDuration>, &mut ClientSettings),
    halves: Halves,
}

/// What a system does: how its halves are made, and what its record needs besides.
#[derive(Clone, Copy, Debug)]
struct Halves {
    node: fn(&Scenario, LockNodeId) -> LockNode,
    client: fn(&Scenario, ClientId) -> LockClient,
    observer: fn(&Scenario) -> Observer,
}

impl Halves {
    /// One node with a lease table that goes by the system's rules: all that most systems need.
    const TABLE: Self = Self {
        node: LockNode::table,
        client: LockClient::single_node,
        observer: |_| Observer::Nothing,
    };
}

impl SystemInfo {
    /// How many nodes it has in a scenario.
    pub fn nodes(&self, spec: &ScenarioSpec) -> u8 {
        (self.rules)(spec).n_nodes
    }
}

/// The rules that the scenario's system follows.
pub fn rules(spec: &ScenarioSpec) -> Rules {
    (info(spec.lock).rules)(spec)
}

/// What the scenario's system leaves of the settings of a client whose leases last `ttl`.
pub(super) fn shape(spec: &ScenarioSpec, ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    (info(spec.lock).shape)(spec, ttl, settings);
}

/// All systems, in the order in which they are offered.
pub const SYSTEMS: [SystemInfo; 15] = [
    lease_server::INFO,
    plain::INFO,
    etcd::INFO,
    redis::INFO,
    zookeeper::INFO,
    chubby::INFO,
    consul::INFO,
    redlock::INFO,
    sql::INFO,
    dhcp::INFO,
    raft::leader::INFO,
    raft::lease::INFO,
    kubernetes::INFO,
    kafka::leader::INFO,
    kafka::producer::INFO,
];

/// What `system` is.
pub fn info(system: LockSystem) -> &'static SystemInfo {
    match system {
        LockSystem::LeaseServer => &lease_server::INFO,
        LockSystem::Plain => &plain::INFO,
        LockSystem::Etcd => &etcd::INFO,
        LockSystem::Redis => &redis::INFO,
        LockSystem::ZooKeeper => &zookeeper::INFO,
        LockSystem::Chubby => &chubby::INFO,
        LockSystem::Consul => &consul::INFO,
        LockSystem::Redlock => &redlock::INFO,
        LockSystem::Sql => &sql::INFO,
        LockSystem::Dhcp => &dhcp::INFO,
        LockSystem::RaftLeader => &raft::leader::INFO,
        LockSystem::RaftLease => &raft::lease::INFO,
        LockSystem::Kubernetes => &kubernetes::INFO,
        LockSystem::KafkaLeader => &kafka::leader::INFO,
        LockSystem::KafkaProducer => &kafka::producer::INFO,
    }
}

/// What happens to a lock node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeInput {
    /// A client asks.
    Request(ClientId, Request),
    /// The connection of a client is gone: the service's own observation, not the client's word.
    Disconnected(ClientId),
    /// Another node of the service tells it something.
    Peer(LockNodeId, Peer),
    /// A store asks, or confirms what it was told.
    Store(StoreId, StoreToService),
    /// The run begins.
    Start,
    /// The time of its timer has come.
    Timer,
    /// It is back after a stop, without what it has lost.
    Restart(Loses),
    /// It takes the place of the node that it is a copy of.
    TakesOver {
        /// The grant that the other one named last, for the record; nobody decides by it.
        named: Option<Grant>,
    },
}

impl NodeInput {
    /// What a message is to a lock node; `None`: no lock node is told that.
    pub fn of(from: NodeId, body: Body) -> Option<Self> {
        match (from, body) {
            (NodeId::Client(client), Body::Request(request)) => {
                Some(Self::Request(client, request))
            }
            (NodeId::Client(client), Body::Disconnected) => Some(Self::Disconnected(client)),
            (NodeId::Lock(node), Body::Peer(told)) => Some(Self::Peer(node, told)),
            (NodeId::Store(store), Body::StoreToService(told)) => Some(Self::Store(store, told)),
            (
                NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_),
                Body::Request(_)
                | Body::Disconnected
                | Body::Peer(_)
                | Body::StoreToService(_)
                | Body::Answer(_)
                | Body::StoreRequest(_)
                | Body::StoreAnswer(_)
                | Body::ServiceToStore(_),
            ) => None,
        }
    }
}

/// The node half: a node of the lock service.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LockNode {
    /// A table with a queue that goes by the system's rules: all that most systems need.
    Table(LeaseTable),
    /// See [`LockSystem::Redis`].
    Redis(redis::Node),
    /// See [`LockSystem::ZooKeeper`].
    ZooKeeper(zookeeper::Node),
    /// See [`LockSystem::Redlock`].
    Redlock(redlock::node::Node),
    /// See [`LockSystem::RaftLeader`].
    RaftLeader(Box<raft::leader::Node>),
    /// See [`LockSystem::RaftLease`].
    RaftLease(Box<raft::lease::node::Node>),
    /// See [`LockSystem::KafkaLeader`].
    KafkaLeader(Box<kafka::leader::Node>),
    /// See [`LockSystem::KafkaProducer`].
    KafkaProducer(kafka::producer::Node),
}

impl LockNode {
    /// A node of the system that `scenario` names; `id`: which of its nodes.
    pub fn new(scenario: &Scenario, id: LockNodeId) -> Self {
        (info(scenario.spec().lock).halves.node)(scenario, id)
    }

    fn table(scenario: &Scenario, _id: LockNodeId) -> Self {
        Self::Table(LeaseTable::new(scenario))
    }

    /// Takes an input in; `now` is what the clock shows that the node judges by.
    pub fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        match self {
            Self::Table(table) => table.handle(now, input, effects),
            Self::Redis(node) => node.handle(now, input, effects),
            Self::ZooKeeper(node) => node.handle(now, input, effects),
            Self::Redlock(node) => node.handle(now, input, effects),
            Self::RaftLeader(node) => node.handle(now, input, effects),
            Self::RaftLease(node) => node.handle(now, input, effects),
            Self::KafkaLeader(node) => node.handle(now, input, effects),
            Self::KafkaProducer(node) => node.handle(now, input, effects),
        }
    }

    /// Whether it does something before anybody asks it.
    pub fn acts_by_itself(&self) -> bool {
        matches!(self, Self::RaftLease(_))
    }
}

/// What a client wants of the lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intent {
    /// To get it.
    Acquire,
    /// To set the time to live of a lock that was taken without one.
    SetExpiry(FencingToken),
    /// To have a session before it asks.
    OpenSession,
    /// To keep its place in the queue, or its session.
    KeepAlive,
    /// To keep the lock.
    Renew(FencingToken),
    /// To give it back.
    Release(FencingToken),
    /// To settle the delivery of an item under this token: it is done, or (`true`) goes back.
    Settle(FencingToken, bool),
    /// To know whether it still has it, and what the current token is.
    Check(FencingToken),
    /// To take it once more while it has it under this token; whether with a token of its own.
    Reenter(FencingToken, bool),
}

impl Intent {
    /// What a client asks for it; `stamp`: its wall clock.
    pub fn request(self, request: RequestNo, stamp: LocalTime) -> Request {
        match self {
            Self::Acquire => Request::Acquire { request, stamp, unchanged: None },
            Self::SetExpiry(token) => SpecialRequest::SetExpiry { request, token }.into(),
            Self::OpenSession => SpecialRequest::OpenSession { request }.into(),
            Self::KeepAlive => SpecialRequest::KeepAlive { request }.into(),
            Self::Renew(token) => Request::Renew { request, token, stamp },
            Self::Release(token) => Request::Release { request, token },
            Self::Settle(token, back) => SpecialRequest::Settle { request, token, back }.into(),
            Self::Check(token) => Request::Check { request, token },
            Self::Reenter(token, anew) => SpecialRequest::Reenter { request, token, anew }.into(),
        }
    }
}

/// What a client learns of the lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It has it.
    Granted {
        /// The grant's number, for the record.
        grant: GrantNo,
        /// Its token.
        token: FencingToken,
        /// How long, from the grant on.
        ttl: Option<SimDuration>,
        /// Where it answers an earlier poll than the last: when that was sent.
        earlier: Option<Now>,
    },
    /// It waits in the queue.
    Queued,
    /// It is not in the queue and may ask again.
    Taken,
    /// Its session lives on; the request that was answered.
    Alive(RequestNo),
    /// Its session and its place are gone.
    SessionOver,
    /// It keeps the lock.
    Renewed {
        /// The request that was answered.
        request: RequestNo,
        /// How long, from the renewal on.
        ttl: SimDuration,
    },
    /// Its connection to the service is gone.
    Disconnected,
    /// Its renewal was refused.
    RenewRefused {
        /// The token that it had sent.
        token: FencingToken,
    },
    /// There is nothing to be granted any more.
    NothingLeft,
    /// Its release, or its settling, was answered.
    ReleaseAnswered {
        /// Whether the lock was not its own any more.
        refused: bool,
    },
    /// It took the lock once more: the token to use inside; none: it has not got it.
    Reentered(Option<FencingToken>),
    /// Its check was answered.
    Checked {
        /// Whether it held the lock when the service was asked.
        valid: bool,
        /// The present holder's token.
        current: Option<FencingToken>,
    },
}

impl Outcome {
    /// What an answer says, if it is of the lock. Whether it counts is for the library to say.
    pub fn of(answer: Answer) -> Option<Self> {
        Some(match answer {
            Answer::Granted { token, grant, ttl, .. } => {
                Self::Granted { grant, token, ttl, earlier: None }
            }
            Answer::Queued { .. } => Self::Queued,
            Answer::Taken { .. } => Self::Taken,
            Answer::Alive { request } => Self::Alive(request),
            Answer::SessionOver { .. } => Self::SessionOver,
            Answer::Renewed { request, ttl, .. } => Self::Renewed { request, ttl },
            Answer::RenewRefused { token, .. } => Self::RenewRefused { token },
            Answer::Released { .. } | Answer::Settled { .. } => {
                Self::ReleaseAnswered { refused: false }
            }
            Answer::ReleaseRefused { .. } | Answer::SettleRefused { .. } => {
                Self::ReleaseAnswered { refused: true }
            }
            Answer::NothingLeft { .. } => Self::NothingLeft,
            Answer::Reentered { token, .. } => Self::Reentered(token),
            Answer::Checked { valid, current, .. } => Self::Checked { valid, current },
            Answer::Looked { .. } | Answer::NotLeader { .. } => return None,
        })
    }
}

/// The client half: what the library in a client does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LockClient {
    /// For systems whose service is one node that answers every request.
    SingleNode(single_node::ClientHalf),
    /// For Redlock, which asks all nodes and counts. Boxed: it is several times as large.
    Redlock(Box<redlock::client::ClientHalf>),
    /// The same as `SingleNode`, looking before it asks.
    Looks(sql::ClientHalf),
    /// For a Raft leader, whose clients each have a node of their own.
    OwnNode(raft::leader::client::OwnNode),
    /// For a lease service whose leader it must find.
    FindsLeader(Box<raft::lease::client::ClientHalf>),
}

impl LockClient {
    /// The library in client `id`, of the system that `scenario` names.
    pub fn new(scenario: &Scenario, id: ClientId) -> Self {
        (info(scenario.spec().lock).halves.client)(scenario, id)
    }

    fn single_node(scenario: &Scenario, id: ClientId) -> Self {
        Self::SingleNode(single_node::ClientHalf::of(scenario, id))
    }

    /// Whether it asks for the lock again by itself until it is answered.
    pub fn asks_again_by_itself(&self) -> bool {
        match self {
            Self::SingleNode(_) | Self::Looks(_) => false,
            Self::Redlock(_) | Self::OwnNode(_) | Self::FindsLeader(_) => true,
        }
    }

    /// The client waits for the lock no more: it has it, or has given up. What is still answered
    /// is of no use.
    pub fn wait_is_over(&mut self) {
        match self {
            Self::SingleNode(half) => half.wait_is_over(),
            Self::Looks(half) => half.wait_is_over(),
            // Theirs end what they ask for themselves.
            Self::Redlock(_) | Self::OwnNode(_) | Self::FindsLeader(_) => {}
        }
    }

    /// Starts what the client wants. `request` is a number that it never used before.
    pub fn intend(&mut self, now: Now, intent: Intent, request: RequestNo, effects: &mut Effects) {
        match self {
            Self::SingleNode(half) => half.intend(now, intent, request, effects),
            Self::Looks(half) => half.intend(now, intent, request, effects),
            Self::Redlock(half) => half.intend(now, intent, request, effects),
            Self::OwnNode(half) => half.intend(now, intent, request, effects),
            Self::FindsLeader(half) => half.intend(now, intent, request, effects),
        }
    }

    /// Takes an answer of a lock node in; `None` if the client learns nothing from it.
    pub fn handle(
        &mut self,
        now: Now,
        from: LockNodeId,
        answer: Answer,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        match self {
            Self::SingleNode(half) => half.handle(now, answer, effects),
            Self::Looks(half) => half.handle(now, answer, effects),
            Self::Redlock(half) => half.handle(now, from, answer, effects),
            Self::OwnNode(half) => half.handle(answer, effects),
            Self::FindsLeader(half) => half.handle(now, from, answer, effects),
        }
    }

    /// Its connection to the service is gone; `None` if that does not matter to the client.
    pub fn disconnected(&self) -> Option<Outcome> {
        match self {
            Self::SingleNode(half) => half.disconnected(),
            Self::Looks(_) | Self::Redlock(_) | Self::OwnNode(_) | Self::FindsLeader(_) => None,
        }
    }

    /// The time of one of the library's own timers has come.
    pub fn timer(&mut self, now: Now, kind: TimerKind, effects: &mut Effects) -> Option<Outcome> {
        match self {
            Self::SingleNode(_) | Self::Looks(_) => None,
            Self::Redlock(half) => half.timer(now, kind, effects),
            Self::OwnNode(half) => {
                half.timer(now, effects);
                None
            }
            Self::FindsLeader(half) => {
                half.timer(now, kind, effects);
                None
            }
        }
    }
}

/// What a run's record must know of the lock and no node of it can: who holds a majority of nodes
/// that know nothing of one another.
#[derive(Clone, Debug)]
pub enum Observer {
    /// A node says it itself.
    Nothing,
    /// Counts keys.
    Keys(Majority),
    /// Knows who was elected last.
    Office(Office),
    /// Knows what several nodes agreed on.
    Log(History),
}

impl Observer {
    /// What follows for the lock from what happened at a node.
    pub fn observe(
        &mut self,
        node: LockNodeId,
        at: SimTime,
        fact: ServiceFact,
        number: impl FnOnce() -> GrantNo,
    ) -> [Option<ServiceFact>; 2] {
        match self {
            Self::Nothing | Self::Log(_) => [None, None],
            Self::Keys(keys) => [keys.observe(node, at, fact, number), None],
            Self::Office(office) => office.observe(fact, number),
        }
    }

    /// The grant that a client's value or term belongs to by now.
    pub fn grant_of(&self, client: ClientId, token: FencingToken) -> Option<GrantNo> {
        match self {
            Self::Nothing => None,
            Self::Keys(keys) => keys.grant_of(client, token),
            Self::Office(office) => office.grant_of(client, token),
            Self::Log(history) => history.grant_of(client, token),
        }
    }

    /// What is to be recorded of a fact that every node of a service finds by itself.
    pub fn first(
        &mut self,
        applied: Applied,
        fact: ServiceFact,
        number: impl FnOnce() -> GrantNo,
    ) -> [Option<ServiceFact>; 2] {
        match self {
            Self::Log(history) => history.first(applied, fact, number),
            Self::Nothing | Self::Keys(_) | Self::Office(_) => [None, Some(fact)],
        }
    }

    /// For the system that `scenario` names.
    pub fn new(scenario: &Scenario) -> Self {
        (info(scenario.spec().lock).halves.observer)(scenario)
    }
}
