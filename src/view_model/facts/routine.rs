//! What goes to and fro without end and tells nothing new: renewals that are given, questions for
//! the lock after the first that are told “taken”, and what of such is lost in a silence, but for
//! its first and its last. The drawing makes ticks of it, the list one line, and steps go past it.

use std::collections::{BTreeMap, VecDeque};

use crate::sim::fact::{Fact, Sending, ServiceFact};
use crate::sim::id::{EntrySeq, MessageNo, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

use super::{MomentKind, listed};
use crate::view_model::words::message_row;

/// What of a run is routine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Routine {
    /// The requests that tell something although their kind goes to and fro: the first of each
    /// client, those that are granted, and renewals that are refused.
    telling: Vec<EntrySeq>,
    /// The lost messages that tell something although their kind goes to and fro: from one node to
    /// another, the first and the last before one arrives again.
    lost: Vec<MessageNo>,
}

/// What is done again and again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Again {
    /// Asking for the lock.
    Polls,
    /// Keeping it, or a place in its queue.
    Renews,
    /// Sending into a silence.
    Loses,
}

impl Again {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Polls, Self::Renews, Self::Loses];
}

/// Requests from one node to another, as they arrive.
type Asked = VecDeque<(SimTime, EntrySeq)>;

impl Routine {
    /// Reads a run.
    pub fn of(run: &Recording) -> Self {
        // Counted before, so that no list that grows leaves holes in memory.
        let answers = run.entries().iter().filter(|entry| answered(entry).is_some());
        let mut telling = Vec::with_capacity(answers.count() + FIRST_REQUESTS);
        let mut firsts: BTreeMap<NodeId, SimTime> = BTreeMap::new();
        let mut asked: BTreeMap<(NodeId, NodeId, Again), Asked> = BTreeMap::new();
        for entry in run.entries() {
            let Some(Sending { from, to, kind, arrives, .. }) = entry.fact.sending() else {
                continue;
            };
            if let Some(again) = asks(kind) {
                if again == Again::Polls && *firsts.entry(from).or_insert(entry.at) == entry.at {
                    telling.push(entry.seq);
                }
                let list = asked.entry((from, to, again)).or_default();
                while list.get(1).is_some_and(|(arrived, _)| *arrived <= entry.at) {
                    list.pop_front();
                }
                list.push_back((arrives, entry.seq));
            }
            let Some(answers) = answered(entry) else { continue };
            let list = asked.get(&(to, from, answers));
            let mut latest_first = list.into_iter().flatten().rev();
            let answered = latest_first.find(|(arrives, _)| *arrives <= entry.at);
            telling.extend(answered.map(|(_, seq)| *seq));
        }
        telling.sort_unstable();
        telling.dedup();
        Self { telling, lost: first_and_last_lost(run) }
    }

    /// Whether a request tells something although its kind goes to and fro.
    pub fn tells(&self, request: EntrySeq) -> bool {
        self.telling.binary_search(&request).is_ok()
    }

    /// Whether a lost message tells something although its kind goes to and fro.
    pub fn tells_lost(&self, message: MessageNo) -> bool {
        self.lost.binary_search(&message).is_ok()
    }

    /// What an entry does again, if it is routine.
    pub fn again(&self, run: &Recording, entry: &LogEntry) -> Option<Again> {
        if let Some(lost) = entry.fact.lost() {
            let tells = message_row::tells(lost.kind) || self.tells_lost(lost.message);
            return (!tells).then_some(Again::Loses);
        }
        if let Some(sending) = entry.fact.sending() {
            return asks(sending.kind).filter(|_| !self.tells(entry.seq));
        }
        if let Fact::Service(_, ServiceFact::Refused { .. }) = entry.fact {
            let request = request_of(run, entry)?;
            return (!self.tells(request)).then_some(Again::Polls);
        }
        (listed(&entry.fact).kind == Some(MomentKind::Renewal)).then_some(Again::Renews)
    }
}

/// The first and the last of each silence between two nodes.
fn first_and_last_lost(run: &Recording) -> Vec<MessageNo> {
    let is_lost = |entry: &&LogEntry| entry.fact.lost().is_some();
    let mut told = Vec::with_capacity(run.entries().iter().filter(is_lost).count());
    // The last one that was lost since one arrived.
    let mut silences: BTreeMap<(NodeId, NodeId), MessageNo> = BTreeMap::new();
    for entry in run.entries() {
        if let Some(lost) = entry.fact.lost() {
            let before = silences.insert((lost.from, lost.to), lost.message);
            told.extend(before.is_none().then_some(lost.message));
        } else if let Some(handled) = entry.fact.handled().filter(|_| !silences.is_empty()) {
            told.extend(silences.remove(&(handled.from, handled.to)));
        }
    }
    told.extend(silences.into_values());
    told.sort_unstable();
    told.dedup();
    told
}

/// Room for the first requests of all clients, to every node.
const FIRST_REQUESTS: usize = 128;

/// What an answer that tells something was asked by.
fn answered(entry: &LogEntry) -> Option<Again> {
    match entry.fact.sending()?.kind {
        MessageKind::Granted => Some(Again::Polls),
        MessageKind::RenewRefused => Some(Again::Renews),
        _ => None,
    }
}

/// What a request asks for again and again.
fn asks(kind: MessageKind) -> Option<Again> {
    match kind {
        MessageKind::Renew | MessageKind::KeepAlive => Some(Again::Renews),
        kind if kind.wants_the_lock() => Some(Again::Polls),
        _ => None,
    }
}

/// The request that an answer is caused by.
fn request_of(run: &Recording, answer: &LogEntry) -> Option<EntrySeq> {
    let mut entry = answer;
    // Sent, received, answered: a few causes back.
    for _ in 0..4 {
        entry = run.log().get(entry.cause?.seq())?;
        if entry.fact.sending().is_some_and(|sending| asks(sending.kind).is_some()) {
            return Some(entry.seq);
        }
    }
    None
}
