//! What a fault did: how it is listed, what it was in a few words, and why.

use crate::sim::clock::ClockKind;
use crate::sim::fact::{FaultFact, RenewalStop};
use crate::sim::id::{FaultId, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::scenario::{ExpiryJudge, FaultKind, FenceRule, Loses, PauseScope};
use crate::sim::time::{ClockShift, SimTime};
use crate::view_model::words::struck::shift;
use crate::view_model::words::wording::{duration, time};

use super::{Listed, Listing, Mark, MomentKind, Teller};

/// What befell a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IncidentKind {
    /// Nothing passes between it and this node.
    Cut(NodeId),
    /// Its wall clock was set.
    ClockJump(ClockShift),
    /// The lock service was stopped.
    Down,
    /// A store stopped and came back; whether it has forgotten the highest token.
    StoreRestart(bool),
    /// A client's connection to the service was lost.
    ConnectionLost,
    /// A client's worker died and its renewer did not.
    WorkerDied,
    /// A client's renewer stopped for good.
    RenewerGaveUp,
    /// A living client does not renew.
    RenewalStopped(RenewalStop),
    /// A client holds the lock and has not begun its work.
    WaitsToBegin,
    /// A lock was given back and is not free yet.
    KeptOn,
}

/// What a lane shows of it, and until when. Pauses and crashes of whole clients have tracks of
/// their own; what is over ends where its beginning said.
pub(super) fn incident(fact: FaultFact) -> Option<(IncidentKind, Option<SimTime>)> {
    Some(match fact {
        FaultFact::LinkCut { to, until, .. } => (IncidentKind::Cut(to), Some(until)),
        FaultFact::ClockJumped { by, .. } => (IncidentKind::ClockJump(by), None),
        FaultFact::ServiceStopped { until, .. } => (IncidentKind::Down, Some(until)),
        FaultFact::StoreRestarted { forgot, .. } => (IncidentKind::StoreRestart(forgot), None),
        FaultFact::ConnectionLost { .. } => (IncidentKind::ConnectionLost, None),
        FaultFact::WorkerCrashed { .. } => (IncidentKind::WorkerDied, None),
        FaultFact::Paused { .. }
        | FaultFact::Crashed { .. }
        | FaultFact::Restarted { .. }
        | FaultFact::LinkRestored { .. }
        | FaultFact::ServiceBack { .. } => return None,
    })
}

impl Listed for FaultFact {
    fn listing(&self) -> Listing {
        match self {
            Self::Paused { .. } => Listing::of(MomentKind::Fault, Mark::Pause, 8),
            Self::Crashed { .. } | Self::WorkerCrashed { .. } | Self::LinkCut { .. } => {
                Listing::of(MomentKind::Fault, Mark::Crash, 8)
            }
            Self::ClockJumped { .. } | Self::ServiceStopped { .. } => {
                Listing::of(MomentKind::Fault, Mark::Crash, 8)
            }
            Self::StoreRestarted { .. } | Self::ConnectionLost { .. } => {
                Listing::of(MomentKind::Fault, Mark::Crash, 8)
            }
            Self::ServiceBack { .. } => Listing::of(MomentKind::Fault, Mark::Wake, 8),
            Self::Restarted { .. } | Self::LinkRestored { .. } => {
                Listing::of(MomentKind::Fault, Mark::Wake, 4)
            }
        }
    }
}

impl Teller<'_> {
    /// What happened, in a few words, without a full stop. `node`: who did it.
    pub(super) fn fault_did(&self, node: &str, entry: &LogEntry, fact: FaultFact) -> String {
        match fact {
            FaultFact::Paused { scope, .. } => paused(node, scope),
            FaultFact::Crashed { .. } => format!("{node} crashes"),
            FaultFact::Restarted { .. } => format!("{node} starts again, knowing nothing"),
            FaultFact::WorkerCrashed { .. } => {
                format!("{node}'s worker dies; its renewer lives on")
            }
            FaultFact::ConnectionLost { .. } => {
                format!("{node}'s connection to the service is lost")
            }
            FaultFact::LinkCut { to, .. } => {
                let ends =
                    format!("{} and {}", self.words.inside(entry.node()), self.words.inside(to));
                format!("The link between {ends} is cut")
            }
            FaultFact::LinkRestored { to, .. } => {
                let ends =
                    format!("{} and {}", self.words.inside(entry.node()), self.words.inside(to));
                format!("The link between {ends} is back")
            }
            FaultFact::ClockJumped { by, .. } => format!("{node}'s clock is set {}", shift(by)),
            FaultFact::ServiceStopped { until, .. } => {
                format!("{node} stops for {}", duration(until.since(entry.at)))
            }
            FaultFact::ServiceBack { loses, .. } => match loses {
                Loses::Nothing => format!("{node} is back"),
                Loses::Leases => format!("{node} is back and has forgotten its leases"),
                Loses::Everything => format!("{node} is back and has forgotten everything"),
                Loses::SinceSnapshot => format!("{node} is back as it was at its last snapshot"),
            },
            FaultFact::StoreRestarted { forgot: false, .. } => format!("{node} restarts"),
            FaultFact::StoreRestarted { forgot: true, .. }
                if !self.recording.scenario().storage().fencing =>
            {
                "What it had seen of tokens was not durable, and nothing is compared with it."
                    .to_owned()
            }
            FaultFact::StoreRestarted { forgot: true, .. } => {
                format!("{node} restarts and forgets the highest token")
            }
        }
    }

    /// Why, in a sentence.
    pub(super) fn why_fault(&self, entry: &LogEntry, id: FaultId, fact: FaultFact) -> String {
        match fact {
            FaultFact::Paused { client, scope, .. } => self.paused(entry, client, scope),
            FaultFact::Crashed { client } => self.crashed(entry, client),
            FaultFact::Restarted { client } => {
                format!(
                    "{client} begins from nothing: it must ask for the lock again.",
                    client = self.words.short(client)
                )
            }
            FaultFact::WorkerCrashed { client } => format!(
                "{client}'s renewer goes on renewing for a worker that is gone: the service \
                cannot tell, and nobody else gets the lock.",
                client = self.words.short(client)
            ),
            FaultFact::ConnectionLost { client }
                if self.recording.scenario().rules().connection_bound =>
            {
                format!(
                    "The lease lives with the connection and ends with it. {client} is not told.",
                    client = self.words.short(client)
                )
            }
            FaultFact::ConnectionLost { .. } => {
                "The lease does not live with the connection: nothing ends.".to_owned()
            }
            FaultFact::LinkCut { until, .. } => {
                let held = match self.is_held(id) {
                    true => "is held until then",
                    false => "is lost",
                };
                format!(
                    "Until {} nothing passes, and what is sent {held}. Neither end is told: each \
                    sees silence, as in a pause or a crash.",
                    time(until)
                )
            }
            FaultFact::LinkRestored { .. } => match self.is_held(id) {
                true => "What was held arrives now.".to_owned(),
                false => "Messages pass again; what was lost stays lost.".to_owned(),
            },
            FaultFact::ClockJumped { .. } => self.clock_jumped(entry),
            FaultFact::ServiceStopped { .. } => {
                "It answers nobody meanwhile, and what reaches it is lost.".to_owned()
            }
            FaultFact::ServiceBack { loses, .. } => back(loses).to_owned(),
            FaultFact::StoreRestarted { forgot: true, .. }
                if !self.recording.scenario().storage().fencing =>
            {
                "What it had seen of tokens was not durable, and nothing is compared with it."
                    .to_owned()
            }
            FaultFact::StoreRestarted { forgot: true, .. } => {
                "What it had seen of tokens was not durable: from here every token passes until \
                a newer one arrives."
                    .to_owned()
            }
            FaultFact::StoreRestarted { .. } => "It has kept all that it knew.".to_owned(),
        }
    }
}

fn paused(node: &str, scope: PauseScope) -> String {
    match scope {
        PauseScope::Client => format!("{node} pauses"),
        PauseScope::Worker => format!("{node}'s worker pauses"),
        PauseScope::Renewer => format!("{node}'s renewer pauses"),
    }
}

impl Teller<'_> {
    /// Whether this cut holds messages back.
    fn is_held(&self, id: FaultId) -> bool {
        let faults = &self.recording.scenario().spec().faults;
        let found = faults.iter().find(|listed| listed.id == id);
        found.is_some_and(|found| matches!(found.kind, FaultKind::Cut { held: true, .. }))
    }

    fn clock_jumped(&self, entry: &LogEntry) -> String {
        let rules = self.recording.scenario().rules();
        let by_timestamp = rules.expiry == ExpiryJudge::HoldersTimestamp;
        match entry.node() {
            NodeId::Lock(_) if rules.expiry == ExpiryJudge::Observers => {
                "Nobody judges a lease by it: whoever asks watches the record by its own clock."
            }
            NodeId::Lock(_) if rules.clock == ClockKind::Wall => {
                "The service judges expiry by this clock: every lease now ends as much earlier or \
                later."
            }
            NodeId::Lock(_) => {
                "Its wall clock alone. The service judges expiry by its monotonic clock, which \
                does not jump."
            }
            NodeId::Client(_) if by_timestamp => {
                "Expiry is judged by the clients' wall clocks here: a lease is over when the \
                asker's clock says so."
            }
            NodeId::Client(_) => {
                "Its wall clock alone. Intervals and its own deadline run by its monotonic clock, \
                which does not jump."
            }
            NodeId::Store(_)
                if self.recording.scenario().storage().rule == FenceRule::TimeFence =>
            {
                "The time fence compares with this clock: writes are now judged as much earlier \
                or later."
            }
            NodeId::Store(_) => "Nothing in this set-up is judged by it.",
        }
        .to_owned()
    }
}
fn back(loses: Loses) -> &'static str {
    match loses {
        Loses::Nothing => "Its state was durable: leases, queue and counter are as before.",
        Loses::Leases => {
            "It no longer knows who holds the lock or who waited. The holder is not told, and \
            whoever asks next can be granted it."
        }
        Loses::Everything => {
            "It no longer knows who holds the lock, nor what it has counted: a token that it \
            counts can be handed out a second time."
        }
        Loses::SinceSnapshot => {
            "It was restored from its last snapshot: grants made since are forgotten, their \
            holders not told, and their tokens can be handed out a second time, unless the \
            restore skips them."
        }
    }
}
