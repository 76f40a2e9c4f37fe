//! What goes to and fro without end and tells nothing new: renewals that are given, and questions
//! for the lock after the first that are told “taken”. The drawing makes ticks of it, the list one
//! line, and steps go past it.

use std::collections::{BTreeMap, VecDeque};

use crate::sim::fact::{Fact, Sending, ServiceFact};
use crate::sim::id::{EntrySeq, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

use super::{MomentKind, listed};

/// What of a run is routine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Routine {
    /// The requests that tell something although their kind goes to and fro: the first of each
    /// client, those that are granted, and renewals that are refused.
    telling: Vec<EntrySeq>,
}

/// What is done again and again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Again {
    /// Asking for the lock.
    Polls,
    /// Keeping it, or a place in its queue.
    Renews,
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
        Self { telling }
    }

    /// Whether a request tells something although its kind goes to and fro.
    pub fn tells(&self, request: EntrySeq) -> bool {
        self.telling.binary_search(&request).is_ok()
    }

    /// What an entry does again, if it is routine.
    pub fn again(&self, run: &Recording, entry: &LogEntry) -> Option<Again> {
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
