//! What a node of the lock service did: the facts, what each is about, and its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::{About, KeyFact, Question, RaftFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo};
use crate::sim::time::SimDuration;

/// What a node of the lock service did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ServiceFact {
    /// It granted the lock; without a renewal the lease is over after `ttl`.
    Granted { grant: GrantNo, client: ClientId, token: FencingToken, ttl: Option<SimDuration> },
    /// The holder asked again and was told its own grant.
    GrantedAgain { grant: GrantNo, client: ClientId, token: FencingToken },
    /// A client waits in the queue behind `ahead` others, the holder not counted.
    Queued { client: ClientId, ahead: u8 },
    /// The lock is taken, and this client was told so.
    Refused { client: ClientId },
    /// A waiter's session is over; it has left the queue.
    WaiterLeft { client: ClientId },
    /// The lease now lasts `ttl` from here.
    Renewed { grant: GrantNo, by: ClientId, token: FencingToken, ttl: SimDuration },
    /// A renewal came too late, or from one that is not the holder.
    RenewRefused { client: ClientId, token: FencingToken },
    /// The service stopped naming this grant.
    LeaseEnded { grant: GrantNo, client: ClientId, token: FencingToken, how: LeaseEnd },
    /// A renewal would make the lease last longer than `longest` after its grant. `cut`: it is
    /// given what is left of that; else it is refused.
    CapReached {
        grant: GrantNo,
        client: ClientId,
        token: FencingToken,
        longest: SimDuration,
        cut: bool,
    },
    /// The lock was given back, and is free only `left` later: it is held for a least time.
    KeptOn { grant: GrantNo, client: ClientId, token: FencingToken, left: SimDuration },
    /// The time of this grant is over, and nobody has acted on its end yet: it is still named.
    Overdue { grant: GrantNo, client: ClientId, token: FencingToken },
    /// A release came too late, or from one that is not the holder.
    ReleaseRefused { client: ClientId, token: FencingToken },
    /// The service was asked whether this client holds the lock.
    Checked { client: ClientId, token: FencingToken, valid: bool },
    /// A new leader, or the same one after a restart, gave the lease its whole time again: it lasts
    /// `ttl` from here.
    Refreshed { grant: GrantNo, client: ClientId, token: FencingToken, ttl: SimDuration },
    /// A copy now has what the node that it copies had when it was told: a holder, or none.
    Copied { held: Option<(ClientId, FencingToken)> },
    /// A copy took the place of the node that it copied, or was restored there, and names this
    /// grant for `ttl` more.
    TookOver { grant: GrantNo, client: ClientId, token: FencingToken, ttl: Option<SimDuration> },
    /// A copy took the place of the node that it copied, and names nobody.
    TookOverFree,
    /// The lock's own node was gone when a client made its own below it: it was made anew.
    MadeAnew,
    /// The service lost its leader and is away until there is another one.
    Election { lasts: SimDuration },
    /// There is no leader that could serve this client.
    Unserved { client: ClientId },
    /// Code of the holder took the lock once more, and was told this token: the holder's own, or
    /// (`anew`) a new one.
    Reentered { grant: GrantNo, client: ClientId, token: FencingToken, anew: bool },
    /// It took the lock once more, and the lock was not its own any more.
    ReentryRefused { client: ClientId, token: FencingToken },
    /// The coordinator aborts this client's transaction and raised the epoch to fence it.
    EpochRaised { client: ClientId, token: FencingToken },
    /// A worker settled the item: it is done.
    ItemDone { by: ClientId, token: FencingToken },
    /// The item was delivered as often as it may be, and is dead.
    ItemDead { deliveries: u32 },
    /// A settling was not taken; whether it was told so.
    SettleRefused { client: ClientId, token: FencingToken, back: bool, told: bool },
    /// This client was told that there is nothing to be granted any more.
    NothingLeft { client: ClientId },
    /// A store asked whether this token is that of the lock's holder.
    StoreAsked { token: FencingToken, valid: bool },
    /// About the key of one of several nodes that know nothing of one another.
    Key(KeyFact),
    /// About who leads a group of nodes.
    Raft(RaftFact),
}

/// How a grant ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LeaseEnd {
    /// Its time to live was over.
    Expired,
    /// Its holder gave it back.
    Released,
    /// Somebody else gave it back, and the service did not check.
    ReleasedBy(ClientId),
    /// Somebody else took it over: it was over by the clock that decides.
    TakenOver,
    /// The connection that it lived with was lost.
    Disconnected,
    /// The service forgot it.
    Forgotten,
    /// Another's node came to stand before its own; nobody told it.
    Overtaken,
    /// The item that it was a delivery of is done, as this client said.
    Settled(ClientId),
}

/// A grant, as the lock's facts name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grant {
    /// Its number.
    pub no: GrantNo,
    /// Whose it is.
    pub client: ClientId,
    /// The token that it was given under.
    pub token: FencingToken,
}

impl Grant {
    /// It is made, for so long.
    pub fn made(self, ttl: Option<SimDuration>) -> ServiceFact {
        let Self { no: grant, client, token } = self;
        ServiceFact::Granted { grant, client, token, ttl }
    }

    /// It is given so much more time, asked for by this client.
    pub fn renewed(self, by: ClientId, ttl: SimDuration) -> ServiceFact {
        let Self { no: grant, token, .. } = self;
        ServiceFact::Renewed { grant, by, token, ttl }
    }

    /// It ends.
    pub fn ended(self, how: LeaseEnd) -> ServiceFact {
        let Self { no: grant, client, token } = self;
        ServiceFact::LeaseEnded { grant, client, token, how }
    }
}

/// What comes of asking for the lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// It is granted with this token.
    Granted(FencingToken),
    /// It waits.
    Queued,
    /// It is taken.
    Taken,
}

/// What comes of a renewal, or of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Who asked.
    pub client: ClientId,
    /// With which token.
    pub token: FencingToken,
    /// Whether it was taken.
    pub taken: bool,
}

impl ServiceFact {
    /// What it is about.
    pub fn about(self) -> About {
        match self {
            Self::Granted { grant, client, .. } => About::of(client).grant(grant).outcome(),
            Self::GrantedAgain { grant, client, .. }
            | Self::Refreshed { grant, client, .. }
            | Self::TookOver { grant, client, .. }
            | Self::KeptOn { grant, client, .. }
            | Self::CapReached { grant, client, .. }
            | Self::Reentered { grant, client, .. }
            | Self::Overdue { grant, client, .. } => About::of(client).grant(grant),
            Self::Queued { client, .. } | Self::Refused { client } | Self::Unserved { client } => {
                About::of(client)
            }
            Self::WaiterLeft { client } | Self::NothingLeft { client } => {
                About::of(client).outcome()
            }
            Self::ItemDone { by, token } => About::of(by).token(token).outcome(),
            Self::ItemDead { .. } => About::default().outcome(),
            Self::Renewed { grant, by, .. } => {
                About::of(by).grant(grant).asks(Question::Renewal(by))
            }
            Self::RenewRefused { client, token } => {
                About::of(client).token(token).asks(Question::Renewal(client)).outcome()
            }
            Self::LeaseEnded { grant, client, .. } => {
                About::of(client).grant(grant).asks(Question::LeaseEnded(grant)).outcome()
            }
            Self::ReleaseRefused { client, token } | Self::SettleRefused { client, token, .. } => {
                About::of(client).token(token).outcome()
            }
            Self::Checked { client, token, .. } => {
                About::of(client).token(token).asks(Question::Check(client)).outcome()
            }
            Self::Copied { held } => About { client: held.map(|held| held.0), ..About::default() },
            Self::ReentryRefused { client, .. } | Self::EpochRaised { client, .. } => {
                About::of(client).outcome()
            }
            Self::MadeAnew | Self::Election { .. } => About::default().outcome(),
            Self::StoreAsked { valid, .. } => About { outcome: !valid, ..About::default() },
            Self::TookOverFree => About::default(),
            Self::Key(fact) => fact.about(),
            Self::Raft(fact) => fact.about(),
        }
    }

    /// The grant that is made, and for how long.
    pub fn made(self) -> Option<(Grant, Option<SimDuration>)> {
        let Self::Granted { grant: no, client, token, ttl } = self else {
            return None;
        };
        Some((Grant { no, client, token }, ttl))
    }

    /// The grant that ends, and how.
    pub fn ended(self) -> Option<(Grant, LeaseEnd)> {
        let Self::LeaseEnded { grant: no, client, token, how } = self else {
            return None;
        };
        Some((Grant { no, client, token }, how))
    }

    /// What comes of asking for the lock, and who asked.
    pub fn asked(self) -> Option<(ClientId, Asked)> {
        match self {
            Self::Granted { client, token, .. } | Self::GrantedAgain { client, token, .. } => {
                Some((client, Asked::Granted(token)))
            }
            Self::Queued { client, .. } => Some((client, Asked::Queued)),
            Self::Refused { client } => Some((client, Asked::Taken)),
            Self::WaiterLeft { .. }
            | Self::Renewed { .. }
            | Self::RenewRefused { .. }
            | Self::LeaseEnded { .. }
            | Self::KeptOn { .. }
            | Self::CapReached { .. }
            | Self::ReleaseRefused { .. }
            | Self::Overdue { .. }
            | Self::Checked { .. }
            | Self::Refreshed { .. }
            | Self::Copied { .. }
            | Self::TookOver { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Election { .. }
            | Self::Unserved { .. }
            | Self::Reentered { .. }
            | Self::ReentryRefused { .. }
            | Self::EpochRaised { .. }
            | Self::ItemDone { .. }
            | Self::ItemDead { .. }
            | Self::SettleRefused { .. }
            | Self::NothingLeft { .. }
            | Self::StoreAsked { .. }
            | Self::Key(_)
            | Self::Raft(_) => None,
        }
    }

    /// What comes of asking for more time.
    pub fn renewed(self) -> Option<Kept> {
        if let Self::Renewed { by: client, token, .. } = self {
            return Some(Kept { client, token, taken: true });
        }
        let Self::RenewRefused { client, token } = self else {
            return None;
        };
        Some(Kept { client, token, taken: false })
    }

    /// What comes of giving the lock back; whoever did.
    pub fn released(self) -> Option<Kept> {
        if let Self::ReleaseRefused { client, token } | Self::SettleRefused { client, token, .. } =
            self
        {
            return Some(Kept { client, token, taken: false });
        }
        let (Grant { client, token, .. }, how) = self.ended()?;
        let client = match how {
            LeaseEnd::Released => client,
            LeaseEnd::ReleasedBy(other) | LeaseEnd::Settled(other) => other,
            LeaseEnd::Expired
            | LeaseEnd::TakenOver
            | LeaseEnd::Disconnected
            | LeaseEnd::Forgotten
            | LeaseEnd::Overtaken => return None,
        };
        Some(Kept { client, token, taken: true })
    }

    /// Whether the item that the lock stands for is closed, and who says so if it is done.
    pub fn closes_item(self) -> Option<Option<ClientId>> {
        if let Self::ItemDone { by, .. } = self {
            return Some(Some(by));
        }
        matches!(self, Self::ItemDead { .. }).then_some(None)
    }

    /// The grant that lasts so long from here, because its holder asked for more time: of a
    /// majority of keys, where one more of them was given it.
    pub fn prolonged(self) -> Option<(GrantNo, SimDuration)> {
        if let Self::Key(fact) = self {
            return fact.lasts();
        }
        let Self::Renewed { grant, ttl, .. } = self else {
            return None;
        };
        Some((grant, ttl))
    }

    /// How much longer a lock that was given back is not free.
    pub fn kept_on(self) -> Option<SimDuration> {
        let Self::KeptOn { left, .. } = self else {
            return None;
        };
        Some(left)
    }

    /// The waiter that has left the queue.
    pub(super) fn waiter_left(self) -> Option<ClientId> {
        let Self::WaiterLeft { client } = self else {
            return None;
        };
        Some(client)
    }

    /// Whether it sets the time of a lease.
    pub fn sets_time(self) -> bool {
        matches!(self, Self::Granted { .. } | Self::Renewed { .. })
    }

    /// The same of the grant that has this number in the record, where an earlier one is named.
    pub fn numbered(
        mut self,
        number: impl FnOnce(ClientId, FencingToken, GrantNo) -> GrantNo,
    ) -> Self {
        if let Self::GrantedAgain { grant, client, token }
        | Self::Renewed { grant, by: client, token, .. }
        | Self::Refreshed { grant, client, token, .. }
        | Self::KeptOn { grant, client, token, .. }
        | Self::CapReached { grant, client, token, .. }
        | Self::Overdue { grant, client, token }
        | Self::LeaseEnded { grant, client, token, .. } = &mut self
        {
            *grant = number(*client, *token, *grant);
        }
        self
    }

    /// The token that it names, if it names one.
    pub fn token(self) -> Option<FencingToken> {
        match self {
            Self::Granted { token, .. }
            | Self::GrantedAgain { token, .. }
            | Self::Renewed { token, .. }
            | Self::RenewRefused { token, .. }
            | Self::LeaseEnded { token, .. }
            | Self::KeptOn { token, .. }
            | Self::CapReached { token, .. }
            | Self::ReleaseRefused { token, .. }
            | Self::Overdue { token, .. }
            | Self::Checked { token, .. }
            | Self::Refreshed { token, .. }
            | Self::TookOver { token, .. }
            | Self::Reentered { token, .. }
            | Self::ReentryRefused { token, .. }
            | Self::EpochRaised { token, .. }
            | Self::ItemDone { token, .. }
            | Self::SettleRefused { token, .. }
            | Self::StoreAsked { token, .. } => Some(token),
            Self::Copied { held } => held.map(|(_, token)| token),
            Self::Queued { .. }
            | Self::Refused { .. }
            | Self::WaiterLeft { .. }
            | Self::ItemDead { .. }
            | Self::NothingLeft { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Election { .. }
            | Self::Unserved { .. }
            | Self::Key(_)
            | Self::Raft(_) => None,
        }
    }

    /// The same with another length, where it holds one on the node's own clock.
    pub fn with_length(self, of: impl Fn(SimDuration) -> SimDuration) -> Self {
        let mut fact = self;
        match &mut fact {
            Self::Granted { ttl, .. } | Self::TookOver { ttl, .. } => *ttl = ttl.map(&of),
            Self::Renewed { ttl, .. }
            | Self::Refreshed { ttl, .. }
            | Self::KeptOn { left: ttl, .. }
            | Self::CapReached { longest: ttl, .. }
            | Self::Election { lasts: ttl } => *ttl = of(*ttl),
            Self::Key(fact) => fact.set_length(of),
            Self::Raft(fact) => fact.set_length(of),
            Self::GrantedAgain { .. }
            | Self::Queued { .. }
            | Self::Refused { .. }
            | Self::WaiterLeft { .. }
            | Self::RenewRefused { .. }
            | Self::LeaseEnded { .. }
            | Self::ReleaseRefused { .. }
            | Self::Overdue { .. }
            | Self::Checked { .. }
            | Self::Copied { .. }
            | Self::TookOverFree
            | Self::MadeAnew
            | Self::Unserved { .. }
            | Self::Reentered { .. }
            | Self::ReentryRefused { .. }
            | Self::EpochRaised { .. }
            | Self::ItemDone { .. }
            | Self::ItemDead { .. }
            | Self::SettleRefused { .. }
            | Self::NothingLeft { .. }
            | Self::StoreAsked { .. } => {}
        }
        fact
    }
}

impl fmt::Display for ServiceFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Granted { client, token, ttl, .. } => match ttl {
                Some(ttl) => write!(f, "grants {client} token {token} for {ttl}"),
                None => write!(f, "grants {client} token {token} without end"),
            },
            Self::GrantedAgain { client, token, .. } => {
                write!(f, "tells {client} that it holds token {token}")
            }
            Self::Refused { client } => write!(f, "tells {client} that the lock is taken"),
            Self::WaiterLeft { client } => write!(f, "drops {client} from the queue"),
            Self::Queued { client, ahead } => write!(f, "queues {client}, {ahead} ahead"),
            Self::Renewed { by, token, ttl, .. } => {
                write!(f, "renews token {token} for {ttl}, asked by {by}")
            }
            Self::RenewRefused { client, token } => {
                write!(f, "refuses to renew token {token} for {client}")
            }
            Self::LeaseEnded { client, token, how, .. } => match how {
                LeaseEnd::Expired => write!(f, "ends {client}'s lease {token}: expired"),
                LeaseEnd::TakenOver => write!(f, "ends {client}'s lease {token}: taken over"),
                LeaseEnd::Disconnected => {
                    write!(f, "ends {client}'s lease {token}: connection lost")
                }
                LeaseEnd::Overtaken => write!(f, "ends {client}'s lease {token}: overtaken"),
                LeaseEnd::Forgotten => write!(f, "ends {client}'s lease {token}: forgotten"),
                LeaseEnd::Released => write!(f, "ends {client}'s lease {token}: released"),
                LeaseEnd::ReleasedBy(by) => {
                    write!(f, "ends {client}'s lease {token}: released by {by}")
                }
                LeaseEnd::Settled(by) if by == client => {
                    write!(f, "ends {client}'s lease {token}: done")
                }
                LeaseEnd::Settled(by) => {
                    write!(f, "ends {client}'s lease {token}: done by {by}")
                }
            },
            Self::CapReached { client, token, longest, cut: true, .. } => {
                write!(f, "lets {client}'s lease {token} last no longer than {longest}")
            }
            Self::CapReached { client, token, longest, .. } => {
                write!(f, "renews {client}'s lease {token} no more: it may last {longest}")
            }
            Self::KeptOn { client, token, left, .. } => {
                write!(f, "keeps {client}'s lock {token} taken for {left} more")
            }
            Self::Overdue { client, token, .. } => {
                write!(f, "has {client}'s lease {token} over, and not ended")
            }
            Self::ReleaseRefused { client, token } => {
                write!(f, "refuses {client}'s release of token {token}")
            }
            Self::Checked { client, token, valid } => {
                let answer = if *valid { "holds" } else { "does not hold" };
                write!(f, "answers that {client} {answer} token {token}")
            }
            Self::Refreshed { client, token, ttl, .. } => {
                write!(f, "refreshes {client}'s lease {token} for {ttl}")
            }
            Self::Copied { held: Some((client, token)) } => {
                write!(f, "now has a copy of {client}'s lease {token}")
            }
            Self::Copied { held: None } => f.write_str("now has a copy of a free lock"),
            Self::TookOver { client, token, ttl, .. } => {
                write!(f, "takes over with {client}'s lease {token}")?;
                match ttl {
                    Some(ttl) => write!(f, " for {ttl} more"),
                    None => Ok(()),
                }
            }
            Self::TookOverFree => f.write_str("takes over with a free lock"),
            Self::MadeAnew => f.write_str("finds the lock's node gone, and makes it anew"),
            Self::Election { lasts } => write!(f, "elects a leader for {lasts}"),
            Self::Unserved { client } => write!(f, "has no leader to serve {client}"),
            Self::Reentered { client, token, anew, .. } => match anew {
                true => write!(f, "lets {client} in once more under {token}, a new token"),
                false => write!(f, "lets {client} in once more under {token}"),
            },
            Self::ReentryRefused { client, token } => {
                write!(f, "does not let {client} in once more under {token}")
            }
            Self::StoreAsked { token, valid: true } => {
                write!(f, "tells a store that {token} is the lock's token")
            }
            Self::StoreAsked { token, valid: false } => {
                write!(f, "tells a store that {token} is not the lock's token")
            }
            Self::ItemDone { by, token } => {
                write!(f, "has the item done, as {by} says with {token}")
            }
            Self::ItemDead { deliveries } => {
                write!(f, "has the item dead after {deliveries} deliveries")
            }
            Self::SettleRefused { client, token, back, told } => {
                let what = if *back { "back" } else { "ack" };
                match told {
                    true => write!(f, "refuses {client}'s {what} {token}"),
                    false => write!(f, "ignores {client}'s {what} {token}, and answers as if not"),
                }
            }
            Self::NothingLeft { client } => write!(f, "has nothing left for {client}"),
            Self::EpochRaised { client, token } => {
                write!(f, "aborts {client}'s transaction and raises the epoch to {token}")
            }
            Self::Key(fact) => fact.fmt(f),
            Self::Raft(fact) => fact.fmt(f),
        }
    }
}
