//! Names of things: nodes, grants, tokens, writes, messages. Newtypes, so that none is mistaken for
//! another; fixed widths, because `usize` differs between wasm32 and x86-64.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use thiserror::Error;

use super::limits::MAX_CLIENTS;
use super::plain_text::quoted;

/// A client, 0 for A to 7 for H.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u8);

/// A node of the lock service, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LockNodeId(pub u8);

/// A store, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StoreId(pub u8);

/// Any node: a kind and an index of its own, so that one client more renumbers nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodeId {
    /// A client.
    Client(ClientId),
    /// A node of the lock service.
    Lock(LockNodeId),
    /// A store.
    Store(StoreId),
}

/// The number of a grant, from 1 in the order made. It orders grants even where tokens do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GrantNo(pub u32);

/// A fencing token. `i64`, because a wrapped ZooKeeper sequence number is negative and etcd's ids
/// pass 2^53; a string in files, because a JSON number would lose digits in JavaScript.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FencingToken(pub i64);

/// The place of an entry in the event log, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntrySeq(pub u32);

/// The number of a message, from 0 in the order sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageNo(pub u32);

/// The number by which a client tells the answers to its requests apart; never used twice, not
/// even after a restart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestNo(pub u32);

/// The stable id of a fault in a scenario.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FaultId(pub u16);

/// A write: the piece of work that it belongs to and the step inside it. A retry or a duplicate
/// carries the same id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WriteId {
    /// Who does it.
    pub client: ClientId,
    /// Which piece of that client's work, from 1.
    pub work: u32,
    /// Which write inside the piece, from 1.
    pub step: u16,
    /// Whether the piece is one that all clients share; whoever does it, it is the same piece.
    pub shared: bool,
}

impl WriteId {
    /// What tells it from other pieces and steps: a shared piece is nobody's own.
    pub fn piece(self) -> (Option<ClientId>, u32, u16) {
        ((!self.shared).then_some(self.client), self.work, self.step)
    }
}

/// The version of a store's value: how many writes it has accepted. Kept one higher, so that
/// `Option` of it takes four bytes and a log entry stays within its size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(NonZeroU32);

impl Version {
    /// The version before the first write.
    pub const EMPTY: Self = Self(NonZeroU32::MIN);

    /// The version after `n_writes` accepted writes.
    pub const fn after(n_writes: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(n_writes))
    }

    /// How many writes were accepted.
    pub const fn n_writes(self) -> u32 {
        self.0.get() - 1
    }

    /// The version after one more write.
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl GrantNo {
    /// None yet: what a node writes that cannot know whether its yes makes a grant.
    pub const UNKNOWN: Self = Self(0);
}

impl ClientId {
    /// The client's letter, A to H.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// As an index into a list of clients.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl EntrySeq {
    /// As an index into the log.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(client) => write!(f, "{client}"),
            Self::Lock(LockNodeId(0)) => f.write_str("service"),
            Self::Lock(LockNodeId(index)) => write!(f, "service {}", index + 1),
            Self::Store(StoreId(0)) => f.write_str("storage"),
            Self::Store(StoreId(index)) => write!(f, "storage {}", index + 1),
        }
    }
}

impl fmt::Display for WriteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}.{}", self.client, self.work, self.step)
    }
}

/// Why a text is not the name of a node.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Not a client's letter.
    #[error("“{0}” is not a client: use a letter from A to H")]
    Client(String),
    /// Neither a client, the lock service nor a store.
    #[error("“{0}” is not a node: use A to H, “service” or “storage”")]
    Node(String),
    /// Not a store.
    #[error("“{0}” is not a store: use “storage”, or “storage 2” to “storage 4”")]
    Store(String),
    /// Not a node of the lock service.
    #[error("“{0}” is not a lock node: use “service”, or “service 2” to “service 9”")]
    LockNode(String),
    /// Not a token.
    #[error("“{0}” is not a token: use a whole number in quotes")]
    Token(String),
}

impl From<ClientId> for NodeId {
    fn from(client: ClientId) -> Self {
        Self::Client(client)
    }
}

impl From<LockNodeId> for NodeId {
    fn from(node: LockNodeId) -> Self {
        Self::Lock(node)
    }
}

impl From<StoreId> for NodeId {
    fn from(store: StoreId) -> Self {
        Self::Store(store)
    }
}

impl FromStr for ClientId {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.as_bytes() {
            [letter] if letter.is_ascii_uppercase() && usize::from(letter - b'A') < MAX_CLIENTS => {
                Ok(Self(letter - b'A'))
            }
            _ => Err(NameError::Client(quoted(text))),
        }
    }
}

impl FromStr for NodeId {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        let number = |rest: &str| -> Option<u8> {
            match rest.trim() {
                "" => Some(0),
                digits => digits.parse::<u8>().ok().filter(|&n| n >= 1).map(|n| n - 1),
            }
        };
        if let Ok(client) = text.parse() {
            return Ok(Self::Client(client));
        }
        let service = text.strip_prefix("service").and_then(number);
        let store = text.strip_prefix("storage").and_then(number);
        match (service, store) {
            (Some(index), _) => Ok(Self::Lock(LockNodeId(index))),
            (_, Some(index)) => Ok(Self::Store(StoreId(index))),
            (None, None) => Err(NameError::Node(quoted(text))),
        }
    }
}

impl FromStr for FencingToken {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        text.trim().parse().map(Self).map_err(|_| NameError::Token(quoted(text)))
    }
}

/// A store alone, as a node is named.
impl fmt::Display for StoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NodeId::Store(*self).fmt(f)
    }
}

impl FromStr for StoreId {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.parse() {
            Ok(NodeId::Store(store)) => Ok(store),
            _ => Err(NameError::Store(quoted(text))),
        }
    }
}

/// A node of the lock service alone, as a node is named.
impl fmt::Display for LockNodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NodeId::Lock(*self).fmt(f)
    }
}

impl FromStr for LockNodeId {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.parse() {
            Ok(NodeId::Lock(node)) => Ok(node),
            _ => Err(NameError::LockNode(quoted(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for name in ["A", "H", "service", "service 9", "storage", "storage 4"] {
            assert_eq!(name.parse::<NodeId>().expect(name).to_string(), name);
        }
        assert!("I".parse::<ClientId>().is_err());
        assert!("service 0".parse::<NodeId>().is_err());
        assert!("x".repeat(9_000).parse::<NodeId>().expect_err("bad").to_string().len() < 120);
    }
}
