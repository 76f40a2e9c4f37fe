//! The last answer of each kind, as places in the log: who quotes one reads it there.

use crate::sim::fact::{Question, ServiceFact, StoreFact};
use crate::sim::id::EntrySeq;
use crate::sim::limits::MAX_CLIENTS;
use crate::sim::log::Cause;

/// The last answer of each kind that the lock service and the stores have given.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Answers {
    asked: Option<Cause>,
    renewed: Option<Cause>,
    released: Option<Cause>,
    sealed: Option<Cause>,
    acted: Option<Cause>,
    unknown: Option<Cause>,
    /// The answer to a write, and its client's last read before it.
    written: Option<Cause>,
    read_before: Option<Cause>,
    /// The last read of each client.
    reads: [Option<Cause>; MAX_CLIENTS],
}

impl Answers {
    /// All that there are; the read that a write was built on follows the write.
    pub fn all(&self) -> impl Iterator<Item = EntrySeq> + '_ {
        let all = [
            self.asked,
            self.renewed,
            self.released,
            self.sealed,
            self.acted,
            self.unknown,
            self.written,
            self.read_before,
        ];
        all.into_iter().flatten().map(Cause::seq)
    }

    pub(super) fn of_service(&mut self, fact: &ServiceFact, seq: EntrySeq) {
        let answer = Some(Cause::of(seq));
        if fact.asked().is_some() {
            self.asked = answer;
        } else if fact.renewed().is_some() {
            self.renewed = answer;
        } else if fact.released().is_some() {
            self.released = answer;
        }
    }

    pub(super) fn of_store(&mut self, fact: &StoreFact, seq: EntrySeq) {
        let answer = Some(Cause::of(seq));
        match fact.about().question {
            Some(Question::Write(write)) => {
                self.written = answer;
                self.read_before = self.reads[write.client.index()];
            }
            Some(Question::Seal(_)) => self.sealed = answer,
            Some(Question::Effect(_)) => self.acted = answer,
            Some(_) | None => {}
        }
        if let Some(read) = fact.read() {
            self.reads[read.client.index()] = answer;
        } else if fact.put_off().is_some() {
            self.unknown = answer;
        }
    }
}
