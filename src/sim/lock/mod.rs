//! The lock systems. Each is four things: a node half (what the service does), a client half (what
//! its library does), its settings, and the kind of token that it hands out. One file per system
//! and a line in each table here; the engine knows none of them by name.

mod lease_server;
mod lease_table;
mod plain;
mod single_node;
mod tokens;

use super::clock::Now;
use super::effect::Effects;
use super::id::{FencingToken, GrantNo, NodeId, RequestNo};
use super::message::Body;
use super::scenario::{LockSystem, Loses, Scenario};
use super::time::{LocalTime, SimDuration};

/// What a system is, for pickers and for validation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SystemInfo {
    /// Which system.
    pub system: LockSystem,
    /// Its name.
    pub name: &'static str,
    /// What its token is and whether it can fence, in one line.
    pub token: &'static str,
    /// Whether its locks have a time to live.
    pub has_ttl: bool,
    /// Number of its nodes.
    pub n_nodes: u8,
}

/// All systems, in the order in which they are offered.
pub const SYSTEMS: [SystemInfo; 2] = [lease_server::INFO, plain::INFO];

/// What `system` is.
pub fn info(system: LockSystem) -> &'static SystemInfo {
    match system {
        LockSystem::Plain => &SYSTEMS[1],
        LockSystem::LeaseServer => &SYSTEMS[0],
    }
}

/// What happens to a lock node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeInput {
    /// A message arrived.
    Message(NodeId, Body),
    /// The time of its timer has come.
    Timer,
    /// It is back after a stop, without what it has lost.
    Restart(Loses),
}

/// The node half: a node of the lock service.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LockNode {
    /// See [`LockSystem::Plain`].
    Plain(plain::Node),
    /// See [`LockSystem::LeaseServer`].
    LeaseServer(lease_server::Node),
}

impl LockNode {
    /// A node of the system that `scenario` names.
    pub fn new(scenario: &Scenario) -> Self {
        match scenario.spec().lock {
            LockSystem::Plain => Self::Plain(plain::Node::new(scenario)),
            LockSystem::LeaseServer => Self::LeaseServer(lease_server::Node::new(scenario)),
        }
    }

    /// Takes an input in; `now` is what the clock shows that the node judges by.
    pub fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        match self {
            Self::Plain(node) => node.handle(now, input, effects),
            Self::LeaseServer(node) => node.handle(now, input, effects),
        }
    }
}

/// What a client wants of the lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intent {
    /// To get it.
    Acquire,
    /// To set the time to live of a lock that was taken without one.
    SetExpiry(FencingToken),
    /// To keep its place in the queue.
    KeepAlive,
    /// To keep the lock.
    Renew(FencingToken),
    /// To give it back.
    Release(FencingToken),
    /// To know whether it still has it, and what the current token is.
    Check(FencingToken),
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
    /// Its renewal was refused.
    RenewRefused {
        /// The token that it had sent.
        token: FencingToken,
    },
    /// Its release was answered, whatever the answer.
    ReleaseAnswered,
    /// Its check was answered.
    Checked {
        /// Whether it held the lock when the service was asked.
        valid: bool,
        /// The present holder's token.
        current: Option<FencingToken>,
    },
}

/// The client half: what the library in a client does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LockClient {
    /// For systems whose service is one node that answers every request.
    SingleNode(single_node::ClientHalf),
}

impl LockClient {
    /// The library of the system that `scenario` names.
    pub fn new(scenario: &Scenario) -> Self {
        match scenario.spec().lock {
            LockSystem::Plain | LockSystem::LeaseServer => {
                Self::SingleNode(single_node::ClientHalf::default())
            }
        }
    }

    /// Starts what the client wants. `request` is a number that it never used before.
    pub fn intend(&mut self, now: Now, intent: Intent, request: RequestNo, effects: &mut Effects) {
        match self {
            Self::SingleNode(half) => half.intend(now, intent, request, effects),
        }
    }

    /// Takes a message of the service in; `None` if the client learns nothing from it.
    pub fn handle(&mut self, now: Now, body: &Body, effects: &mut Effects) -> Option<Outcome> {
        match self {
            Self::SingleNode(half) => half.handle(now, body, effects),
        }
    }
}
