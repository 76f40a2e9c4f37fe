//! What goes wrong in a scenario: pauses, crashes and delayed messages, each with a stable id.

use serde::{Deserialize, Serialize};

use crate::sim::id::{ClientId, FaultId, NodeId};
use crate::sim::message::MessageKind;
use crate::sim::time::{SimDuration, SimTime};

/// One fault. It can be switched off without being removed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Unique in the scenario; stays the same when the fault is edited.
    pub id: FaultId,
    /// What the user calls it, such as “full GC”. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Off: the fault stays in the list and does not happen.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
    /// What happens.
    pub kind: FaultKind,
}

fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_yes(value: &bool) -> bool {
    *value
}

/// The kinds of fault.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FaultKind {
    /// A client stands still and then goes on as if nothing had been.
    Pause {
        /// Who.
        client: ClientId,
        /// Which part of it.
        #[serde(default)]
        scope: PauseScope,
        /// Whether its clocks run on.
        #[serde(default)]
        kind: PauseKind,
        /// When it begins.
        start: Start,
        /// How long it lasts, 0 to 24 h.
        length: SimDuration,
    },
    /// A client loses everything it knew.
    Crash {
        /// Who.
        client: ClientId,
        /// When.
        at: SimTime,
        /// How long until it starts again, knowing nothing; never, if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restart_after: Option<SimDuration>,
    },
    /// One message travels longer.
    Delay {
        /// Which message.
        message: MessageAddress,
        /// How much longer than the network's latency, 0 to 24 h.
        by: SimDuration,
    },
}

/// Which part of a client stands still.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseScope {
    /// All of it, as in a stop-the-world collection or a VM migration.
    #[default]
    Client,
    /// The worker only; its renewer goes on renewing.
    Worker,
    /// The renewer only; its worker goes on working.
    Renewer,
}

/// What a pause does to the client's clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseKind {
    /// The process stands still, its clocks run on.
    #[default]
    Process,
    /// The machine is suspended: the monotonic clock stops, the wall clock does not.
    Suspend,
}

/// When a pause begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Start {
    /// At an instant.
    At(SimTime),
    /// When the client is about to take a named step for the n-th time.
    Step {
        /// The step.
        step: NamedStep,
        /// The n-th time, from 1.
        nth: u32,
    },
}

/// Places in a client's life where a pause does the most harm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedStep {
    /// Before the acquire is sent.
    BeforeAcquire,
    /// After the grant, before its reply is handled.
    BeforeReply,
    /// After the reply, before the first read (or the start of the work).
    BeforeRead,
    /// Between the read (or the start of the work) and the write.
    BeforeWrite,
    /// Between the check and the write.
    AfterCheck,
    /// In the renewer, before a renewal is sent.
    InRenewer,
    /// A new holder, before the first write of its grant.
    BeforeFirstWrite,
}

impl NamedStep {
    /// All of them, in the order of a client's life.
    pub const ALL: [Self; 7] = [
        Self::BeforeAcquire,
        Self::BeforeReply,
        Self::BeforeRead,
        Self::BeforeWrite,
        Self::AfterCheck,
        Self::InRenewer,
        Self::BeforeFirstWrite,
    ];
}

/// Names one message of a run: the n-th of its kind from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageAddress {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// What it is.
    pub kind: MessageKind,
    /// The n-th such message, from 1.
    pub nth: u32,
}

impl FaultKind {
    /// The client that the fault strikes; for a delay its sender, if that is a client.
    pub fn client(&self) -> Option<ClientId> {
        match self {
            Self::Pause { client, .. } | Self::Crash { client, .. } => Some(*client),
            Self::Delay { message, .. } => match (message.from, message.to) {
                (NodeId::Client(client), _) | (_, NodeId::Client(client)) => Some(client),
                _ => None,
            },
        }
    }
}
