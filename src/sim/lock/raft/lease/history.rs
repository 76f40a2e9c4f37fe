//! What was agreed on, in truth: an observer of the run, which no node can ask. Every node that
//! applies an entry of the log finds the same facts; the first one to find them is recorded. Where
//! nodes agree on something else at the same place, because a majority lost its disks, what went
//! before is forgotten, and the record says so.

use std::mem::{Discriminant, discriminant};

use super::super::Entry;
use crate::sim::fact::{Grant, LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo};

/// Of which entry a fact is, and the how many-th.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Applied {
    /// The entry's place in the log.
    pub index: u32,
    /// Its facts are counted from 0.
    pub nth: u8,
    /// The entry.
    pub entry: Entry,
}

/// The facts so far.
#[derive(Clone, Debug, Default)]
pub struct History {
    said: Vec<(Applied, ServiceFact)>,
    holder: Option<Grant>,
    /// All grants, for the record.
    grants: Vec<Grant>,
}

impl History {
    /// The grant of this client and token.
    pub fn grant_of(&self, client: ClientId, token: FencingToken) -> Option<GrantNo> {
        let of = |one: &&Grant| (one.client, one.token) == (client, token);
        self.grants.iter().rev().find(of).map(|grant| grant.no)
    }

    /// What is to be recorded when a node finds this fact: nothing if another one has before.
    pub fn first(
        &mut self,
        applied: Applied,
        fact: ServiceFact,
        number: impl FnOnce() -> GrantNo,
    ) -> [Option<ServiceFact>; 2] {
        let later = self.said.iter().rev().take_while(|(one, _)| one.index >= applied.index);
        let (n_later, mut is_known, mut is_other) = (later.clone().count(), false, false);
        for (one, said) in later {
            if *one == applied {
                debug_assert_eq!(about(said), about(&fact), "nodes that agree find the same");
                is_known = true;
            }
            is_other |= one.index == applied.index && one.entry != applied.entry;
        }
        if is_known {
            return [None, None];
        }
        let is_next = n_later == usize::from(applied.nth) && !is_other;
        let forgotten = if is_next { None } else { self.forget(applied.index) };
        self.said.push((applied, fact));
        [forgotten, Some(self.note(fact, number))]
    }

    fn forget(&mut self, from: u32) -> Option<ServiceFact> {
        self.said.retain(|(one, _)| one.index < from);
        Some(self.holder.take()?.ended(LeaseEnd::Forgotten))
    }

    /// The same fact with the record's own number of its grant.
    fn note(&mut self, fact: ServiceFact, number: impl FnOnce() -> GrantNo) -> ServiceFact {
        if let Some((grant, ttl)) = fact.made() {
            let grant = Grant { no: number(), ..grant };
            self.holder = Some(grant);
            self.grants.push(grant);
            return grant.made(ttl);
        }
        let known = |client, token, no| self.grant_of(client, token).unwrap_or(no);
        let fact = fact.numbered(known);
        if let Some((ended, _)) = fact.ended() {
            self.holder.take_if(|held| held.no == ended.no);
        }
        fact
    }
}

/// What of a fact every node finds alike: not a time, which each reads on its own clock.
fn about(
    fact: &ServiceFact,
) -> (Discriminant<ServiceFact>, Option<ClientId>, Option<FencingToken>) {
    (discriminant(fact), fact.about().client, fact.token())
}

#[cfg(test)]
mod tests {
    use super::super::super::Command;
    use super::*;

    fn applied(index: u32, nth: u8, term: i64) -> Applied {
        Applied { index, nth, entry: Entry { term, command: Command::NOTHING } }
    }

    fn granted(token: i64) -> ServiceFact {
        let (grant, client) = (GrantNo(7), ClientId(0));
        ServiceFact::Granted { grant, client, token: FencingToken(token), ttl: None }
    }

    #[test]
    fn what_a_second_node_finds_is_not_recorded_again() {
        let mut history = History::default();
        let first = history.first(applied(3, 0, 1), granted(33), || GrantNo(1));
        assert!(matches!(first, [None, Some(ServiceFact::Granted { grant: GrantNo(1), .. })]));
        let again = history.first(applied(3, 0, 1), granted(33), || GrantNo(2));
        assert_eq!(again, [None, None]);
        let second_fact = history.first(applied(3, 1, 1), granted(34), || GrantNo(2));
        assert!(matches!(second_fact, [None, Some(_)]));
    }

    #[test]
    fn another_entry_at_the_same_place_makes_what_was_forgotten() {
        let mut history = History::default();
        for index in 2..6 {
            history.first(applied(index, 0, 1), granted(33), || GrantNo(index));
        }
        let other = history.first(applied(4, 0, 2), granted(33), || GrantNo(9));
        let [Some(ServiceFact::LeaseEnded { grant, how, .. }), Some(_)] = other else {
            panic!("{other:?}");
        };
        assert_eq!((grant, how), (GrantNo(5), LeaseEnd::Forgotten));
        let known = history.first(applied(3, 0, 1), granted(33), || GrantNo(10));
        assert_eq!(known, [None, None]);
    }
}
