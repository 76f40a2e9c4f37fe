//! What a client did: the facts, what each is about, and its line in a log.
#![expect(missing_docs, reason = "variants are documented; their fields are named by their types")]

use std::fmt;

use super::{About, Question};
use crate::sim::id::{FencingToken, GrantNo, StoreId, WriteId};
use crate::sim::scenario::PauseScope;
use crate::sim::time::SimDuration;

/// What a client did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientFact {
    /// It handled the grant: from here it believes that it holds the lock.
    BeliefStarted { grant: GrantNo, token: FencingToken },
    /// It stopped believing.
    BeliefEnded { grant: GrantNo, token: FencingToken, why: BeliefEnd },
    /// The worker began a piece of work (or its next step) that will end in this write.
    WorkStarted { write: WriteId, grant: GrantNo, takes: SimDuration },
    /// The worker holds the lock and begins its work so much later: what it is to do waits in a
    /// buffer, or is not due yet. `renews`: its lease is renewed meanwhile.
    WaitsToBegin { grant: GrantNo, takes: SimDuration, renews: bool },
    /// The worker gave a piece of work up before its write, and says why.
    WorkAbandoned { write: WriteId, grant: GrantNo, why: Abandoned },
    /// The worker has nothing left to do; `holding`: it stays on as idle holder.
    WorkerDone { holding: bool },
    /// The grant was handled after the client's own deadline: it starts no belief.
    GrantTooLate { grant: GrantNo, token: FencingToken },
    /// The worker heard nothing in time; `attempt` counts from 1. `gives_up`: it asks no more.
    TimedOut { attempt: u32, gives_up: bool },
    /// A compare-and-set refused its write: it reads and works again; `attempt` counts from 1.
    TriesAgain { write: WriteId, attempt: u32 },
    /// The renewer has stopped for good, and told nobody.
    RenewerGaveUp { token: FencingToken },
    /// Its lease is not renewed any more, or not for now, and nobody is told why.
    RenewalStopped { token: FencingToken, why: RenewalStop },
    /// No pause of this scope is left.
    Resumed { scope: PauseScope },
    /// Its own deadline has passed, and it waits to hear of the service.
    Jeopardy { token: FencingToken },
    /// It heard in time: its session lives.
    Safe { token: FencingToken },
    /// It counted a majority that never stood at one time: a grant that was over when made.
    Miscounted { grant: GrantNo, token: FencingToken },
}

/// Why a living client does not renew.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RenewalStop {
    /// It renews for so long after the grant, and that is over.
    Cap(SimDuration),
    /// Its worker has taken no step for so long; it renews again when there is one.
    NoProgress(SimDuration),
    /// The same, and it gives the lock back.
    Leaves(SimDuration),
}

/// Why a client stopped believing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BeliefEnd {
    /// Its renewal was refused.
    RenewalRefused,
    /// A check found that the lease is gone.
    CheckFailed,
    /// A store refused its token.
    Fenced(StoreId),
    /// It sent the release.
    Released,
    /// Its own deadline has passed.
    DeadlinePassed,
    /// It crashed.
    Crashed,
    /// Its connection to the service was lost, and it takes no risk.
    Disconnected,
}

/// Why a piece of work ended without its write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Abandoned {
    /// The check said that the lease is gone.
    CheckFailed,
    /// A store refused the seal.
    SealRefused,
    /// A store refused the write.
    Fenced,
    /// No answer came, however often it asked.
    NoAnswer,
    /// The client knows that the lock is lost, and stops.
    LockLost,
}

impl ClientFact {
    /// The grant in which it believes from here.
    pub fn believes(self) -> Option<GrantNo> {
        let Self::BeliefStarted { grant, .. } = self else {
            return None;
        };
        Some(grant)
    }

    /// Why it stops believing.
    pub fn stops_believing(self) -> Option<BeliefEnd> {
        let Self::BeliefEnded { why, .. } = self else {
            return None;
        };
        Some(why)
    }

    /// The write that its work will end in, and how long the work takes.
    pub fn starts_work(self) -> Option<(WriteId, SimDuration)> {
        let Self::WorkStarted { write, takes, .. } = self else {
            return None;
        };
        Some((write, takes))
    }

    /// The write that it gives up, and why.
    pub fn gives_up(self) -> Option<(WriteId, Abandoned)> {
        let Self::WorkAbandoned { write, why, .. } = self else {
            return None;
        };
        Some((write, why))
    }

    /// Whether its write was refused and it does the same work again.
    pub fn tries_again(self) -> bool {
        matches!(self, Self::TriesAgain { .. })
    }

    /// Whether it has nothing left to do.
    pub fn is_done(self) -> bool {
        matches!(self, Self::WorkerDone { .. })
    }

    /// The scope of which no pause is left.
    pub fn wakes(self) -> Option<PauseScope> {
        let Self::Resumed { scope } = self else {
            return None;
        };
        Some(scope)
    }

    pub(super) fn about(self) -> About {
        match self {
            Self::BeliefStarted { grant, .. } | Self::GrantTooLate { grant, .. } => {
                About::a(grant).outcome()
            }
            Self::BeliefEnded { grant, .. } => {
                About::a(grant).asks(Question::BeliefEnded(grant)).outcome()
            }
            Self::WorkStarted { write, grant, .. } => About::of(write.client).grant(grant),
            Self::WaitsToBegin { grant, .. } => About::a(grant),
            Self::TriesAgain { write, .. } => About::of(write.client),
            Self::WorkAbandoned { write, grant, .. } => {
                About::of(write.client).grant(grant).outcome()
            }
            Self::RenewerGaveUp { token } | Self::RenewalStopped { token, .. } => {
                About::default().token(token)
            }
            Self::Miscounted { grant, .. } => About::a(grant).outcome(),
            Self::Jeopardy { .. } => About::default().outcome(),
            Self::WorkerDone { .. }
            | Self::TimedOut { .. }
            | Self::Resumed { .. }
            | Self::Safe { .. } => About::default(),
        }
    }
}

impl fmt::Display for ClientFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BeliefStarted { token, .. } => write!(f, "believes that it holds token {token}"),
            Self::BeliefEnded { token, why, .. } => {
                write!(f, "stops believing in token {token}: ")?;
                match why {
                    BeliefEnd::RenewalRefused => f.write_str("renewal refused"),
                    BeliefEnd::CheckFailed => f.write_str("the check failed"),
                    BeliefEnd::Fenced(_) => f.write_str("a store refused it"),
                    BeliefEnd::DeadlinePassed => f.write_str("its own deadline has passed"),
                    BeliefEnd::Released => f.write_str("released"),
                    BeliefEnd::Crashed => f.write_str("crashed"),
                    BeliefEnd::Disconnected => f.write_str("connection lost"),
                }
            }
            Self::WorkStarted { write, takes, .. } => {
                write!(f, "works towards write {write} for {takes}")
            }
            Self::WaitsToBegin { takes, renews, .. } => {
                let renewed = if *renews { "" } else { " unrenewed" };
                write!(f, "waits{renewed} for {takes} before it begins")
            }
            Self::WorkAbandoned { write, why, .. } => {
                write!(f, "gives write {write} up: ")?;
                match why {
                    Abandoned::CheckFailed => f.write_str("the check failed"),
                    Abandoned::SealRefused => f.write_str("the seal was refused"),
                    Abandoned::NoAnswer => f.write_str("no answer"),
                    Abandoned::LockLost => f.write_str("the lock is lost"),
                    Abandoned::Fenced => f.write_str("it was refused"),
                }
            }
            Self::GrantTooLate { token, .. } => {
                write!(f, "is told of token {token} after its own deadline")
            }
            Self::TimedOut { attempt, gives_up } => {
                let more = if *gives_up { " and last" } else { "" };
                write!(f, "hears nothing in time, attempt {attempt}{more}")
            }
            Self::TriesAgain { write, attempt } => {
                write!(f, "reads again for write {write}, attempt {attempt}")
            }
            Self::RenewalStopped { token, why } => match why {
                RenewalStop::Cap(cap) => {
                    write!(f, "renews token {token} no more: {cap} after its grant")
                }
                RenewalStop::NoProgress(after) => {
                    write!(f, "does not renew token {token}: no step for {after}")
                }
                RenewalStop::Leaves(after) => {
                    write!(f, "gives token {token} back: no step for {after}")
                }
            },
            Self::RenewerGaveUp { token } => write!(f, "stops renewing token {token}"),
            Self::WorkerDone { holding: true } => f.write_str("is done and keeps the lock"),
            Self::WorkerDone { holding: false } => f.write_str("is done"),
            Self::Jeopardy { token, .. } => write!(f, "is in jeopardy with token {token}"),
            Self::Safe { token, .. } => write!(f, "is safe again with token {token}"),
            Self::Miscounted { token, .. } => {
                write!(f, "counts a majority for {token} that never stood at one time")
            }
            Self::Resumed { scope } => write!(f, "wakes ({})", super::scope_name(*scope)),
        }
    }
}
