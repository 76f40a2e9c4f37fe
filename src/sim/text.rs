//! The log as plain text, one entry a line: for goldens, for the command line, for people who
//! search with grep. Sentences for readers of the page are the view model's.

use std::fmt;

use super::fact::{
    Abandoned, BeliefEnd, ClientFact, EpochFact, Fact, FaultFact, KeyFact, LeaseEnd, Loss,
    MessageFact, RaftFact, Refusal, ServiceFact, StoreFact,
};
use super::log::{EventLog, LogEntry};
use super::scenario::{Loses, PauseScope};

/// `#21 17.1 s storage refused write A1.1 with 33: highest 34 (because of #20)`.
impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.to_string();
        let node = self.node().to_string();
        write!(f, "#{:<3} {at:>9}  {node:<8} {}", self.seq.0, self.fact)?;
        match self.cause {
            Some(cause) => write!(f, "  (#{})", cause.seq().0),
            None => Ok(()),
        }
    }
}

impl fmt::Display for EventLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(_, fact) => fact.fmt(f),
            Self::Service(_, fact) => fact.fmt(f),
            Self::Client(_, fact) => fact.fmt(f),
            Self::Store(_, fact) => fact.fmt(f),
            Self::Fault(_, fact) => fact.fmt(f),
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
            },
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
            Self::EpochRaised { client, token } => {
                write!(f, "aborts {client}'s transaction and raises the epoch to {token}")
            }
            Self::Key(fact) => fact.fmt(f),
            Self::Raft(fact) => fact.fmt(f),
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
                    LeaseEnd::Released | LeaseEnd::ReleasedBy(_) => "deleted",
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
            Self::RenewerGaveUp { token } => write!(f, "stops renewing token {token}"),
            Self::WorkerDone { holding: true } => f.write_str("is done and keeps the lock"),
            Self::WorkerDone { holding: false } => f.write_str("is done"),
            Self::Jeopardy { token, .. } => write!(f, "is in jeopardy with token {token}"),
            Self::Safe { token, .. } => write!(f, "is safe again with token {token}"),
            Self::Miscounted { token, .. } => {
                write!(f, "counts a majority for {token} that never stood at one time")
            }
            Self::Resumed { scope } => write!(f, "wakes ({})", scope_name(*scope)),
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

impl fmt::Display for FaultFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paused { scope, until, .. } => {
                write!(f, "pauses ({}) until {until}", scope_name(*scope))
            }
            Self::Crashed { .. } => f.write_str("crashes"),
            Self::Restarted { .. } => f.write_str("starts again"),
            Self::WorkerCrashed { .. } => f.write_str("loses its worker"),
            Self::LinkCut { to, until, .. } => write!(f, "is cut off from {to} until {until}"),
            Self::LinkRestored { to, .. } => write!(f, "reaches {to} again"),
            Self::ClockJumped { by, .. } => write!(f, "sets its wall clock by {by}"),
            Self::ServiceStopped { until, .. } => write!(f, "stops until {until}"),
            Self::ServiceBack { loses, .. } => {
                f.write_str("is back")?;
                match loses {
                    Loses::Nothing => Ok(()),
                    Loses::Leases => f.write_str(" without its leases"),
                    Loses::Everything => f.write_str(" without leases and counter"),
                    Loses::SinceSnapshot => f.write_str(" as it was at its last snapshot"),
                }
            }
            Self::StoreRestarted { forgot: true, .. } => {
                f.write_str("restarts and forgets the highest token")
            }
            Self::StoreRestarted { forgot: false, .. } => f.write_str("restarts"),
            Self::ConnectionLost { .. } => f.write_str("loses its connection to the service"),
        }
    }
}

fn scope_name(scope: PauseScope) -> &'static str {
    match scope {
        PauseScope::Client => "all of it",
        PauseScope::Worker => "worker",
        PauseScope::Renewer => "renewer",
    }
}
