//! What a message did: how it is listed, what it was in a few words, and why.

use crate::sim::fact::{Loss, MessageFact, Passed, Sending};
use crate::sim::id::NodeId;
use crate::sim::log::LogEntry;
use crate::sim::message::{MessageKind, Step};
use crate::sim::time::SimTime;
use crate::view_model::words::wording::{self, time};

use super::{Listed, Listing, Mark, MomentKind, Teller};
use crate::view_model::words::message_row;

impl Listed for MessageFact {
    fn listing(&self) -> Listing {
        match self {
            Self::Sent { kind, .. } => message_row::row(*kind).listing,
            Self::Received { .. } => Listing::unlisted(Mark::Work, 1),
            Self::Lost { .. } => Listing::of(MomentKind::Fault, Mark::Crash, 4),
        }
    }
}

impl Teller<'_> {
    /// What happened, in a few words, without a full stop. `node`: who did it.
    pub(super) fn message_did(&self, node: &str, entry: &LogEntry, fact: MessageFact) -> String {
        match fact {
            MessageFact::Sent { kind: MessageKind::Check, token: Some(token), .. }
                if matches!(entry.node(), NodeId::Store(_)) =>
            {
                format!("{node} asks whether {token} is the lock's token")
            }
            MessageFact::Sent { kind: MessageKind::Check, .. } if self.reads_again(entry) => {
                format!("{node} reads the present token")
            }
            MessageFact::Sent { kind, token, .. } => {
                let token = token.filter(|_| message_row::row(kind).tells_token);
                sent(node, kind, &token.map_or(String::new(), |token| self.told_token(token)))
            }
            MessageFact::Received { from, kind, .. } => {
                format!("{node} receives {}'s {}", self.words.node(from), wording::message(kind))
            }
            MessageFact::Lost { from, kind, why, .. } => {
                let (from, kind) = (self.words.node(from), wording::message(kind));
                match why {
                    Loss::NobodyThere => format!("{from}'s {kind} is lost: {node} is down"),
                    Loss::LinkCut => format!("{from}'s {kind} is lost: the link is cut"),
                    Loss::Dropped => format!("{from}'s {kind} is lost on its way"),
                }
            }
        }
    }

    /// Why, in a sentence.
    pub(super) fn why_message(&self, entry: &LogEntry, fact: MessageFact) -> String {
        match fact {
            MessageFact::Sent { kind, arrives, .. } => self.why_sent(entry, kind, arrives),
            MessageFact::Received { .. } => String::new(),
            MessageFact::Lost { why, .. } => lost(why),
        }
    }
}

fn sent(node: &str, kind: MessageKind, token: &str) -> String {
    let row = message_row::row(kind);
    match row.does {
        Some(does) => format!("{node} {does}{token}"),
        None => format!("{node} sends its {}", row.name),
    }
}

/// Why a message never arrived.
fn lost(why: Loss) -> String {
    match why {
        Loss::NobodyThere => "Whoever it was for is down. A message does not wait for a restart.",
        Loss::LinkCut => {
            "The link was cut when it was sent or due. Neither end is told: silence looks the \
            same as a pause."
        }
        Loss::Dropped => {
            "The network lost this one. Its sender cannot tell whether the request or its \
            answer is gone."
        }
    }
    .to_owned()
}

impl Teller<'_> {
    /// Whether whoever sends this asks for the present token.
    fn reads_again(&self, entry: &LogEntry) -> bool {
        match entry.node() {
            NodeId::Client(client) => self.rereads(client),
            NodeId::Lock(_) | NodeId::Store(_) => false,
        }
    }

    /// Whether the message that is sent here is lost on its way.
    fn is_lost(&self, entry: &LogEntry) -> bool {
        let Some(Sending { message, .. }) = entry.fact.sending() else {
            return false;
        };
        let is_it = |passed: &Passed| passed.message == message;
        let later = &self.recording.entries()[entry.seq.index()..];
        let met = later.iter().find_map(|entry| {
            let lost = entry.fact.lost().filter(is_it).map(|_| true);
            lost.or_else(|| entry.fact.handled().filter(is_it).map(|_| false))
        });
        met == Some(true)
    }

    fn why_sent(&self, entry: &LogEntry, kind: MessageKind, arrives: SimTime) -> String {
        let lands = match self.is_lost(entry) {
            true => "It never arrives.".to_owned(),
            false => format!("It lands at {}.", time(arrives)),
        };
        let NodeId::Client(client) = entry.node() else {
            let asks = kind == MessageKind::Check;
            return if asks {
                format!("Its write waits for the answer. {lands}")
            } else {
                String::new()
            };
        };
        if kind.step() != Some(Step::Writes) {
            return lands;
        }
        let world = self.recording.world_after(entry.seq.0 + 1);
        let state = &world.clients[client.index()];
        let gone = state.lease.and_then(|lease| lease.ended);
        let awake = match state.woke_at == Some(entry.at) {
            true => "Awake again, it",
            false => "It",
        };
        match (gone, state.belief) {
            (Some((ended, ..)), Some(belief)) => format!(
                "{client}'s work is done. {awake} still believes that it holds {}, but its lease \
                 ended at {}: nothing has told it. {lands}",
                belief.token,
                time(ended),
                client = self.words.short(client)
            ),
            _ => format!("{client}'s work is done. {lands}", client = self.words.short(client)),
        }
    }
}
