//! What a message did: the facts, what each is about, and its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::{About, Fact, Question};
use crate::sim::id::{FencingToken, MessageNo, NodeId};
use crate::sim::message::MessageKind;
use crate::sim::time::SimTime;

/// What a message did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageFact {
    /// It left this node and lands at `arrives`.
    Sent {
        message: MessageNo,
        to: NodeId,
        kind: MessageKind,
        token: Option<FencingToken>,
        arrives: SimTime,
    },
    /// It was handled here: at its arrival, or when the pause that it met was over.
    Received { message: MessageNo, from: NodeId, kind: MessageKind },
    /// It was on its way here and never arrives.
    Lost { message: MessageNo, from: NodeId, kind: MessageKind, why: Loss },
}

/// Why a message never arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loss {
    /// Nobody was there to take it.
    NobodyThere,
    /// The link was cut when it was sent or due.
    LinkCut,
    /// The scenario loses this one message.
    Dropped,
}

/// A message that leaves a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sending {
    pub message: MessageNo,
    pub from: NodeId,
    pub to: NodeId,
    pub kind: MessageKind,
    pub token: Option<FencingToken>,
    pub arrives: SimTime,
}

/// A message at the end of its way: handled, or lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    pub message: MessageNo,
    pub from: NodeId,
    pub to: NodeId,
    pub kind: MessageKind,
}

impl Fact {
    /// The message that is sent here.
    pub fn sending(&self) -> Option<Sending> {
        let Self::Message(from, MessageFact::Sent { message, to, kind, token, arrives }) = *self
        else {
            return None;
        };
        Some(Sending { message, from, to, kind, token, arrives })
    }

    /// The message that is handled here.
    pub fn handled(&self) -> Option<Passed> {
        let Self::Message(to, MessageFact::Received { message, from, kind }) = *self else {
            return None;
        };
        Some(Passed { message, from, to, kind })
    }

    /// The message that never arrives here.
    pub fn lost(&self) -> Option<Passed> {
        let Self::Message(to, MessageFact::Lost { message, from, kind, .. }) = *self else {
            return None;
        };
        Some(Passed { message, from, to, kind })
    }
}

impl MessageFact {
    /// The kind of the message that is sent.
    pub fn sent(self) -> Option<MessageKind> {
        match self {
            Self::Sent { kind, .. } => Some(kind),
            Self::Received { .. } | Self::Lost { .. } => None,
        }
    }

    /// The kind of the message, and the node at its other end.
    pub fn with_whom(self) -> (MessageKind, NodeId) {
        match self {
            Self::Sent { kind, to: other, .. }
            | Self::Received { kind, from: other, .. }
            | Self::Lost { kind, from: other, .. } => (kind, other),
        }
    }

    pub(super) fn about(self) -> About {
        match self {
            Self::Sent { kind, to, token, .. } => {
                About { token, ..About::default() }.asks(Question::Sent(kind, to))
            }
            Self::Received { .. } => About::default(),
            Self::Lost { kind, from, .. } => About::default().asks(Question::Lost(kind, from)),
        }
    }
}

impl fmt::Display for MessageFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sent { message, to, kind, token, arrives } => {
                write!(f, "sends m{} {kind}", message.0)?;
                if let Some(token) = token {
                    write!(f, " {token}")?;
                }
                write!(f, " to {to}, lands {arrives}")
            }
            Self::Received { message, from, kind } => {
                write!(f, "handles m{} {kind} from {from}", message.0)
            }
            Self::Lost { message, from, kind, why } => {
                let why = match why {
                    Loss::NobodyThere => "nobody there",
                    Loss::LinkCut => "link cut",
                    Loss::Dropped => "dropped",
                };
                write!(f, "loses m{} {kind} from {from}: {why}", message.0)
            }
        }
    }
}
