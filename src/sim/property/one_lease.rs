//! “One lease at a time”: no grant is made while another client's promise runs. A promise lasts the
//! time to live from the grant or from the last renewal that was applied; its holder's own release
//! ends it early, anybody else's does not.

use super::Seen;
use super::breaks::Breaks;
use super::report::PropertyState;
use crate::sim::fact::{Fact, Grant, LeaseEnd};
use crate::sim::id::{ClientId, GrantNo};
use crate::sim::time::SimTime;

#[derive(Clone, Debug, Default)]
pub(super) struct OneLease {
    /// The promises that may still run; those that are over are dropped at the next grant.
    promises: Vec<Promise>,
    breaks: Breaks,
}

#[derive(Clone, Copy, Debug)]
struct Promise {
    grant: GrantNo,
    client: ClientId,
    /// `None`: without end.
    until: Option<SimTime>,
}

impl OneLease {
    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let now = seen.entry.at;
        match seen.entry.fact {
            Fact::Service(_, fact) => {
                if let Some((grant, ttl)) = fact.prolonged() {
                    let renewed = self.promises.iter_mut().find(|promise| promise.grant == grant);
                    if let Some(promise) = renewed {
                        promise.until = Some(now + ttl);
                    }
                } else if let Some((Grant { no: grant, client, .. }, ttl)) = fact.made() {
                    self.promised(seen, Promise { grant, client, until: ttl.map(|ttl| now + ttl) });
                } else if let Some((ended, LeaseEnd::Released | LeaseEnd::Disconnected)) =
                    fact.ended()
                {
                    self.promises.retain(|promise| promise.grant != ended.no);
                }
            }
            Fact::Message(..) | Fact::Client(..) | Fact::Store(..) | Fact::Fault(..) => {}
        }
    }

    fn promised(&mut self, seen: &Seen<'_>, new: Promise) {
        let now = seen.entry.at;
        self.promises.retain(|promise| promise.until.is_none_or(|until| until > now));
        if self.promises.iter().any(|promise| promise.client != new.client) {
            self.breaks.by(seen.entry);
        }
        self.promises.retain(|promise| promise.client != new.client);
        self.promises.push(new);
    }

    pub(super) fn state(&self) -> PropertyState {
        self.breaks.state(PropertyState::Holds)
    }
}
