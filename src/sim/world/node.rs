//! A node of the lock service as the log tells it: whether it stands, how its clock was set, and
//! what it is at by itself where there are several: whose key it has, whom it leads.

use crate::sim::fact::{KeyFact, LeaseEnd, RaftFact, ServiceFact};
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::time::{ClockShift, SimTime};

/// What is so at a node of the lock service.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LockNodeState {
    /// It is stopped until then.
    pub stopped_until: Option<SimTime>,
    /// How far its wall clock was set.
    pub shift: ClockShift,
    /// What it is at by itself, and since when.
    pub works: Option<(SimTime, NodeWork)>,
    /// It was back and answers nobody until then. A key that it has kept goes on behind it.
    pub keeps_out_until: Option<SimTime>,
}

/// What one of several nodes is at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeWork {
    /// It has set its key for a client.
    Key {
        /// Whose it is.
        client: ClientId,
        /// Its value.
        token: FencingToken,
        /// How it went; `None`: it is there.
        gone: Option<LeaseEnd>,
    },
    /// It leads for its client, as it believes.
    Leads {
        /// Whose it is.
        client: ClientId,
        /// In which term.
        term: FencingToken,
    },
    /// It leads a lease service, as it believes, in this term.
    LeadsService(FencingToken),
    /// It asked for votes in this term, and has heard of none. It gives up in silence.
    Campaigns(FencingToken),
}

impl LockNodeState {
    /// Whose key it has.
    pub fn key(&self) -> Option<ClientId> {
        match self.works?.1 {
            NodeWork::Key { client, gone: None, .. } => Some(client),
            NodeWork::Key { .. }
            | NodeWork::Leads { .. }
            | NodeWork::LeadsService(_)
            | NodeWork::Campaigns(_) => None,
        }
    }

    pub(super) fn apply(&mut self, fact: ServiceFact, at: SimTime) {
        if let ServiceFact::Key(fact) = fact {
            self.apply_key(fact, at);
        } else if let ServiceFact::Raft(fact) = fact {
            self.apply_raft(fact, at);
        }
    }

    fn apply_key(&mut self, fact: KeyFact, at: SimTime) {
        match fact {
            KeyFact::Set { client, token, .. } => {
                self.works = Some((at, NodeWork::Key { client, token, gone: None }));
            }
            KeyFact::Gone { how, .. } => {
                if let Some((_, NodeWork::Key { gone, .. })) = &mut self.works {
                    *gone = Some(how);
                }
            }
            KeyFact::KeepsOut { ttl } => self.keeps_out_until = Some(at + ttl),
            KeyFact::Extended { .. } | KeyFact::Lasts { .. } => {}
        }
    }

    fn apply_raft(&mut self, fact: RaftFact, at: SimTime) {
        self.works = match fact {
            RaftFact::Campaigns { term } => Some((at, NodeWork::Campaigns(term))),
            RaftFact::Elected { client, token: term } => {
                Some((at, NodeWork::Leads { client, term }))
            }
            RaftFact::Leads { term } => Some((at, NodeWork::LeadsService(term))),
            RaftFact::Deposed { .. } | RaftFact::LeadsNoMore { .. } => None,
            RaftFact::LeadsOn { .. } => return,
        };
    }
}
