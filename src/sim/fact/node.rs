//! What one of several nodes of a lock service did by itself: its key, and who leads them. The
//! facts, what each is about, and its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::{About, LeaseEnd};
use crate::sim::id::{ClientId, FencingToken, GrantNo};
use crate::sim::time::SimDuration;

/// What one of several nodes that know nothing of one another did with its key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyFact {
    /// It set its key for this client.
    Set { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// Its key now lasts `ttl` from here.
    Extended { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// Its key is gone.
    Gone { client: ClientId, token: FencingToken, how: LeaseEnd },
    /// It is back and answers nobody for this long.
    KeepsOut { ttl: SimDuration },
    /// With one key more, a majority of them lasts `ttl` from here.
    Lasts { grant: GrantNo, client: ClientId, token: FencingToken, ttl: SimDuration },
}

/// Who leads a group of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaftFact {
    /// A node asks for votes in this term.
    Campaigns { term: FencingToken },
    /// A majority voted for this client's node; the token is the term.
    Elected { client: ClientId, token: FencingToken },
    /// A majority has answered its heartbeats, and votes for nobody else for so long.
    LeadsOn { client: ClientId, token: FencingToken, ttl: SimDuration },
    /// It knows that it no longer leads.
    Deposed { client: ClientId, token: FencingToken, how: LeaseEnd },
    /// A majority voted for this node of a lease service.
    Leads { term: FencingToken },
    /// It knows that it no longer leads.
    LeadsNoMore { term: FencingToken },
}

impl KeyFact {
    pub(super) fn set_length(&mut self, of: impl Fn(SimDuration) -> SimDuration) {
        match self {
            Self::Set { ttl, .. } | Self::Extended { ttl, .. } | Self::KeepsOut { ttl } => {
                *ttl = of(*ttl);
            }
            // An observer counted how long a majority lasts, in true time.
            Self::Lasts { .. } | Self::Gone { .. } => {}
        }
    }

    /// The grant of which a majority of keys lasts so long from here.
    pub(super) fn lasts(self) -> Option<(GrantNo, SimDuration)> {
        let Self::Lasts { grant, ttl, .. } = self else {
            return None;
        };
        Some((grant, ttl))
    }

    pub(super) fn about(self) -> About {
        match self {
            Self::Set { client, .. }
            | Self::Extended { client, .. }
            | Self::Gone { client, .. } => About::of(client),
            Self::KeepsOut { .. } => About::default(),
            Self::Lasts { grant, client, .. } => About::of(client).grant(grant),
        }
    }
}

impl RaftFact {
    pub(super) fn set_length(&mut self, of: impl Fn(SimDuration) -> SimDuration) {
        if let Self::LeadsOn { ttl, .. } = self {
            *ttl = of(*ttl);
        }
    }

    pub(super) fn about(self) -> About {
        match self {
            Self::Campaigns { .. } | Self::Leads { .. } | Self::LeadsNoMore { .. } => {
                About::default()
            }
            Self::Elected { client, .. }
            | Self::LeadsOn { client, .. }
            | Self::Deposed { client, .. } => About::of(client),
        }
    }
}

impl fmt::Display for KeyFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set { client, token, ttl } => {
                write!(f, "sets its key to {client}'s {token} for {ttl}")
            }
            Self::Extended { client, token, ttl } => {
                write!(f, "extends its key {token} of {client} for {ttl}")
            }
            Self::Gone { client, token, how } => {
                let how = match how {
                    LeaseEnd::Expired => "expired",
                    LeaseEnd::Released | LeaseEnd::ReleasedBy(_) | LeaseEnd::Settled(_) => {
                        "deleted"
                    }
                    LeaseEnd::TakenOver | LeaseEnd::Overtaken => "taken over",
                    LeaseEnd::Disconnected => "connection lost",
                    LeaseEnd::Forgotten => "forgotten",
                };
                write!(f, "no longer has its key {token} of {client}: {how}")
            }
            Self::KeepsOut { ttl } => write!(f, "keeps out for {ttl}"),
            Self::Lasts { client, token, ttl, .. } => {
                write!(f, "makes {client}'s majority {token} last {ttl}")
            }
        }
    }
}

impl fmt::Display for RaftFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Campaigns { term } => write!(f, "asks for votes in term {term}"),
            Self::Elected { token, .. } => write!(f, "is elected in term {token}"),
            Self::LeadsOn { token, ttl, .. } => {
                write!(f, "is heard by a majority in term {token}, for {ttl}")
            }
            Self::Deposed { token, .. } => write!(f, "no longer leads in term {token}"),
            Self::Leads { term } => write!(f, "is elected in term {term}"),
            Self::LeadsNoMore { term } => write!(f, "no longer leads in term {term}"),
        }
    }
}
