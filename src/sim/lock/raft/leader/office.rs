//! Who leads, in truth: an observer of the run, which no node can ask. A leader that was deposed
//! and has not heard so goes on believing; the grant ended when another was elected.

use crate::sim::fact::{LeaseEnd, RaftFact, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo};
use crate::sim::time::SimDuration;

/// The present leader.
#[derive(Clone, Debug, Default)]
pub struct Office {
    holder: Option<(GrantNo, ClientId, FencingToken)>,
    /// The last grant of each client, for the record.
    last: Vec<(GrantNo, ClientId, FencingToken)>,
}

impl Office {
    /// The grant that this office was.
    pub fn grant_of(&self, client: ClientId, term: FencingToken) -> Option<GrantNo> {
        let of = |one: &&(GrantNo, ClientId, FencingToken)| (one.1, one.2) == (client, term);
        self.last.iter().rev().find(of).map(|(grant, ..)| *grant)
    }

    /// Takes in what happened at a node, and says what follows for the lock.
    pub fn observe(
        &mut self,
        fact: ServiceFact,
        number: impl FnOnce() -> GrantNo,
    ) -> [Option<ServiceFact>; 2] {
        let ServiceFact::Raft(fact) = fact else {
            return [None, None];
        };
        match fact {
            RaftFact::Elected { client, token } => {
                let before = self.ended(LeaseEnd::TakenOver);
                let grant = number();
                self.holder = Some((grant, client, token));
                self.last.push((grant, client, token));
                // A majority has voted, and not heard it lead yet: nothing is promised so far.
                let ttl = Some(SimDuration::ZERO);
                [before, Some(ServiceFact::Granted { grant, client, token, ttl })]
            }
            RaftFact::LeadsOn { client, token, ttl } => {
                let renewed = self.holder.filter(|(_, _, term)| *term == token);
                let by = client;
                [renewed.map(|(grant, ..)| ServiceFact::Renewed { grant, by, token, ttl }), None]
            }
            RaftFact::Deposed { token, how, .. } => {
                let own = self.holder.is_some_and(|(_, _, term)| term == token);
                [if own { self.ended(how) } else { None }, None]
            }
            RaftFact::Campaigns { .. } | RaftFact::Leads { .. } | RaftFact::LeadsNoMore { .. } => {
                [None, None]
            }
        }
    }

    fn ended(&mut self, how: LeaseEnd) -> Option<ServiceFact> {
        let (grant, client, token) = self.holder.take()?;
        Some(ServiceFact::LeaseEnded { grant, client, token, how })
    }
}
