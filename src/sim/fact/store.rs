//! What a store did: the facts, what each is about, and its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::{About, Question};
use crate::sim::id::{ClientId, FencingToken, GrantNo, Version, WriteId};

/// What a store did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreFact {
    /// It told the value's version.
    ReadServed { client: ClientId, grant: GrantNo, version: Version },
    /// The fence was raised by a new holder, or stood there already.
    SealAccepted { client: ClientId, grant: GrantNo, token: FencingToken },
    /// The fence stands higher than the seal.
    SealRefused { client: ClientId, grant: GrantNo, token: FencingToken, highest: FencingToken },
    /// The write was applied; it made `version`.
    WriteAccepted {
        write: WriteId,
        grant: GrantNo,
        token: FencingToken,
        base: Option<Version>,
        version: Version,
    },
    /// It refused the write.
    WriteRefused {
        write: WriteId,
        grant: GrantNo,
        token: FencingToken,
        highest: FencingToken,
        why: Refusal,
    },
    /// The write was applied before, and is answered as then.
    DuplicateIgnored { write: WriteId, grant: GrantNo, token: FencingToken },
    /// The outside acted for this piece of work; `again`: it had before, and knew it, so it did
    /// not.
    Effect { write: WriteId, grant: GrantNo, again: bool },
    /// It does not know this client's epoch yet and put its write off; `known`: what it knows.
    EpochUnknown { client: ClientId, token: FencingToken, known: Option<FencingToken> },
    /// About the epochs by which it judges.
    Epoch(EpochFact),
}

/// What a store learnt of epochs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EpochFact {
    /// It learnt the leader epoch.
    Learnt { token: FencingToken },
    /// It took in that a transaction is over, and knows this epoch from here.
    MarkerWritten { token: FencingToken, commits: bool },
    /// It refused such word: it knows a newer epoch.
    MarkerRefused { token: FencingToken, known: FencingToken },
}

/// Why a write was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refusal {
    /// Its token does not pass the fence.
    Token,
    /// It was built on another version than the present one.
    Version,
    /// It came after the time that its sender gave it.
    TooLate,
    /// There is nothing to update.
    Missing,
    /// A write before it is missing: its number does not follow.
    Gap,
    /// The lock service said that the token is not the holder's.
    NotHeld,
}

/// A read that is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    pub client: ClientId,
    pub grant: GrantNo,
    pub version: Version,
}

/// A seal and what the store said to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seal {
    pub client: ClientId,
    pub grant: GrantNo,
    pub token: FencingToken,
    /// The fence that refused it.
    pub below: Option<FencingToken>,
}

/// An act of the outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Act {
    pub write: WriteId,
    pub grant: GrantNo,
    /// The outside knew the piece of work, and did nothing.
    pub again: bool,
}

/// A write that is put off: its sender's epoch is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PutOff {
    pub client: ClientId,
    pub token: FencingToken,
    /// The epoch that the store knows.
    pub known: Option<FencingToken>,
}

/// What a store said to a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// It was applied.
    Applied { base: Option<Version>, version: Version },
    /// It was refused.
    Refused { why: Refusal, highest: FencingToken },
    /// It was applied before, and is answered as then.
    Known,
}

/// A write, as the facts of a store name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Which.
    pub write: WriteId,
    /// Under which grant it was sent.
    pub grant: GrantNo,
    /// With which token.
    pub token: FencingToken,
}

impl StoreFact {
    /// The read that is served.
    pub fn read(self) -> Option<Read> {
        let Self::ReadServed { client, grant, version } = self else {
            return None;
        };
        Some(Read { client, grant, version })
    }

    /// The seal that is answered.
    pub fn seal(self) -> Option<Seal> {
        if let Self::SealAccepted { client, grant, token } = self {
            return Some(Seal { client, grant, token, below: None });
        }
        let Self::SealRefused { client, grant, token, highest } = self else {
            return None;
        };
        Some(Seal { client, grant, token, below: Some(highest) })
    }

    /// The write that is answered, and what is said to it.
    pub fn written(self) -> Option<(Written, Said)> {
        if let Self::WriteAccepted { write, grant, token, base, version } = self {
            return Some((Written { write, grant, token }, Said::Applied { base, version }));
        }
        if let Self::WriteRefused { write, grant, token, highest, why } = self {
            return Some((Written { write, grant, token }, Said::Refused { why, highest }));
        }
        let Self::DuplicateIgnored { write, grant, token } = self else {
            return None;
        };
        Some((Written { write, grant, token }, Said::Known))
    }

    /// The write that is applied.
    pub fn applied(self) -> Option<Written> {
        match self.written()? {
            (written, Said::Applied { .. }) => Some(written),
            (_, Said::Refused { .. } | Said::Known) => None,
        }
    }

    /// The write that is refused, why, and by which fence.
    pub fn refused(self) -> Option<(Written, Refusal, FencingToken)> {
        match self.written()? {
            (written, Said::Refused { why, highest }) => Some((written, why, highest)),
            (_, Said::Applied { .. } | Said::Known) => None,
        }
    }

    /// The write that is there by now.
    pub fn stands(self) -> Option<WriteId> {
        match self.written()? {
            (written, Said::Applied { .. } | Said::Known) => Some(written.write),
            (_, Said::Refused { .. }) => None,
        }
    }

    /// What the outside does.
    pub fn act(self) -> Option<Act> {
        let Self::Effect { write, grant, again } = self else {
            return None;
        };
        Some(Act { write, grant, again })
    }

    /// The write that is put off.
    pub fn put_off(self) -> Option<PutOff> {
        let Self::EpochUnknown { client, token, known } = self else {
            return None;
        };
        Some(PutOff { client, token, known })
    }

    /// The token below which the store may refuse from here.
    pub fn raises(self) -> Option<FencingToken> {
        match self {
            Self::SealAccepted { token, .. } | Self::WriteAccepted { token, .. } => Some(token),
            Self::Epoch(fact) => fact.raises(),
            Self::ReadServed { .. }
            | Self::SealRefused { .. }
            | Self::WriteRefused { .. }
            | Self::DuplicateIgnored { .. }
            | Self::Effect { .. }
            | Self::EpochUnknown { .. } => None,
        }
    }

    /// Whether it answers a client: with a value, or with yes or no.
    pub fn is_an_answer(self) -> bool {
        match self {
            Self::ReadServed { .. }
            | Self::SealAccepted { .. }
            | Self::SealRefused { .. }
            | Self::WriteAccepted { .. }
            | Self::WriteRefused { .. }
            | Self::DuplicateIgnored { .. }
            | Self::Effect { .. } => true,
            Self::EpochUnknown { .. } | Self::Epoch(_) => false,
        }
    }

    /// What it is about.
    pub fn about(self) -> About {
        match self {
            Self::ReadServed { client, grant, .. } => About::of(client).grant(grant),
            Self::SealAccepted { client, grant, .. } => {
                About::of(client).grant(grant).asks(Question::Seal(client))
            }
            Self::SealRefused { client, grant, .. } => {
                About::of(client).grant(grant).asks(Question::Seal(client)).outcome()
            }
            Self::WriteAccepted { write, grant, .. }
            | Self::WriteRefused { write, grant, .. }
            | Self::DuplicateIgnored { write, grant, .. } => {
                About::of(write.client).grant(grant).asks(Question::Write(write)).outcome()
            }
            Self::Effect { write, grant, .. } => {
                About::of(write.client).grant(grant).asks(Question::Effect(write)).outcome()
            }
            Self::EpochUnknown { client, .. } => About::of(client),
            Self::Epoch(fact) => fact.about(),
        }
    }
}

impl EpochFact {
    /// A broker is told an epoch: what is lower is refused from here.
    fn raises(self) -> Option<FencingToken> {
        match self {
            Self::Learnt { token } | Self::MarkerWritten { token, .. } => Some(token),
            Self::MarkerRefused { .. } => None,
        }
    }

    pub(super) fn about(self) -> About {
        match self {
            Self::Learnt { .. } | Self::MarkerWritten { .. } => About::default(),
            Self::MarkerRefused { .. } => About::default().outcome(),
        }
    }
}

impl fmt::Display for StoreFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadServed { client, version, .. } => {
                write!(f, "serves {client} version {}", version.n_writes())
            }
            Self::SealAccepted { client, token, .. } => {
                write!(f, "accepts {client}'s seal with {token}")
            }
            Self::SealRefused { client, token, highest, .. } => {
                write!(f, "refuses {client}'s seal with {token}: highest {highest}")
            }
            Self::WriteAccepted { write, token, base, version, .. } => {
                write!(f, "accepts write {write} with {token}")?;
                if let Some(base) = base {
                    write!(f, ", built on version {}", base.n_writes())?;
                }
                write!(f, ": version {}", version.n_writes())
            }
            Self::WriteRefused { write, token, highest, why, .. } => {
                write!(f, "refuses write {write} with {token}: ")?;
                match why {
                    Refusal::Token => write!(f, "highest {highest}"),
                    Refusal::Version => f.write_str("built on another version"),
                    Refusal::Missing => f.write_str("no such row"),
                    Refusal::TooLate => f.write_str("too late by its clock"),
                    Refusal::Gap => f.write_str("a write before it is missing"),
                    Refusal::NotHeld => f.write_str("the service says that it is not the holder's"),
                }
            }
            Self::DuplicateIgnored { write, token, .. } => {
                write!(f, "ignores write {write} with {token}: applied before")
            }
            Self::Effect { write, again: false, .. } => write!(f, "acts outside for {write}"),
            Self::Effect { write, again: true, .. } => {
                write!(f, "does not act outside for {write}: it did before")
            }
            Self::EpochUnknown { client, token, known } => {
                let known = known.map_or("no epoch".to_owned(), |known| known.to_string());
                write!(f, "puts {client}'s write with {token} off: it knows {known}")
            }
            Self::Epoch(fact) => fact.fmt(f),
        }
    }
}

impl fmt::Display for EpochFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Learnt { token } => write!(f, "learns that the epoch is {token}"),
            Self::MarkerWritten { token, commits } => {
                let what = if *commits { "commit" } else { "abort" };
                write!(f, "writes the {what} marker with {token}")
            }
            Self::MarkerRefused { token, known } => {
                write!(f, "refuses the marker with {token}: it knows {known}")
            }
        }
    }
}
