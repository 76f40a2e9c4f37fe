//! Who leads, in truth: an observer of the run, which no node can ask. A leader that was deposed
//! and has not heard so goes on believing; the grant ended when another was elected.

use crate::sim::event::{Event, LeaseEnd, NodeEvent};
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
        event: NodeEvent,
        number: impl FnOnce() -> GrantNo,
    ) -> [Option<Event>; 2] {
        match event {
            NodeEvent::Elected { client, token } => {
                let before = self.ended(LeaseEnd::TakenOver);
                let grant = number();
                self.holder = Some((grant, client, token));
                self.last.push((grant, client, token));
                // A majority has voted, and not heard it lead yet: nothing is promised so far.
                let ttl = Some(SimDuration::ZERO);
                [before, Some(Event::Granted { grant, client, token, ttl })]
            }
            NodeEvent::LeadsOn { client, token, ttl } => {
                let renewed = self.holder.filter(|(_, _, term)| *term == token);
                let by = client;
                [renewed.map(|(grant, ..)| Event::Renewed { grant, by, token, ttl }), None]
            }
            NodeEvent::Deposed { token, how, .. } => {
                let own = self.holder.is_some_and(|(_, _, term)| term == token);
                [if own { self.ended(how) } else { None }, None]
            }
            NodeEvent::Refreshed { .. }
            | NodeEvent::Copied { .. }
            | NodeEvent::TookOver { .. }
            | NodeEvent::TookOverFree
            | NodeEvent::StoreAsked { .. }
            | NodeEvent::MadeAnew
            | NodeEvent::Election { .. }
            | NodeEvent::Unserved { .. }
            | NodeEvent::Jeopardy { .. }
            | NodeEvent::Safe { .. }
            | NodeEvent::KeySet { .. }
            | NodeEvent::KeyExtended { .. }
            | NodeEvent::KeyGone { .. }
            | NodeEvent::KeepsOut { .. }
            | NodeEvent::Lasts { .. }
            | NodeEvent::Miscounted { .. }
            | NodeEvent::Leads { .. }
            | NodeEvent::LeadsNoMore { .. }
            | NodeEvent::Campaigns { .. }
            | NodeEvent::Reentered { .. }
            | NodeEvent::ReentryRefused { .. }
            | NodeEvent::EpochLearnt { .. }
            | NodeEvent::EpochUnknown { .. }
            | NodeEvent::EpochRaised { .. }
            | NodeEvent::MarkerWritten { .. }
            | NodeEvent::MarkerRefused { .. } => [None, None],
        }
    }

    fn ended(&mut self, how: LeaseEnd) -> Option<Event> {
        let (grant, client, token) = self.holder.take()?;
        Some(Event::LeaseEnded { grant, client, token, how })
    }
}
