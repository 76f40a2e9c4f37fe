//! Who truly holds a majority of the keys: an observer of the run, which no node and no client can
//! ask. It makes grants out of keys for the record, and says until when each was promised.

use crate::sim::fact::{Grant, KeyFact, LeaseEnd, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo, LockNodeId};
use crate::sim::limits::MAX_LOCK_NODES;
use crate::sim::time::SimTime;

/// Counts keys.
#[derive(Clone, Debug)]
pub struct Majority {
    needed: usize,
    /// One for each value of which a key stands, or whose grant has not ended.
    tries: Vec<Try>,
}

#[derive(Clone, Copy, Debug)]
struct Try {
    client: ClientId,
    value: FencingToken,
    /// Per node, until when its key would run by that node's clock with jumps left out.
    promised: [Option<SimTime>; MAX_LOCK_NODES],
    /// Which keys stand, a bit each.
    stands: u16,
    granted: Option<(GrantNo, SimTime)>,
}

impl Majority {
    /// Of so many nodes.
    pub fn of(n_nodes: u8) -> Self {
        Self { needed: usize::from(super::majority_of(n_nodes)), tries: Vec::new() }
    }

    /// The grant that a key of this value belongs to by now.
    pub fn grant_of(&self, client: ClientId, value: FencingToken) -> Option<GrantNo> {
        let of = |one: &&Try| one.client == client && one.value == value;
        self.tries.iter().find(of)?.granted.map(|(grant, _)| grant)
    }

    /// Takes in what happened at a node, and says what follows for the lock. `number` numbers a
    /// grant that is made.
    pub fn observe(
        &mut self,
        node: LockNodeId,
        at: SimTime,
        fact: ServiceFact,
        number: impl FnOnce() -> GrantNo,
    ) -> Option<ServiceFact> {
        let ServiceFact::Key(fact) = fact else {
            return None;
        };
        match fact {
            KeyFact::Set { client, token, ttl } => {
                self.key(node, client, token).promised[usize::from(node.0)] = Some(at + ttl);
                self.counted(at, (client, token), false, number)
            }
            KeyFact::Extended { client, token, ttl } => {
                self.key(node, client, token).promised[usize::from(node.0)] = Some(at + ttl);
                self.counted(at, (client, token), true, number)
            }
            KeyFact::Gone { client, token, how } => self.gone(node, (client, token), how),
            KeyFact::KeepsOut { .. } | KeyFact::Lasts { .. } => None,
        }
    }

    fn key(&mut self, node: LockNodeId, client: ClientId, value: FencingToken) -> &mut Try {
        let of = |one: &Try| one.client == client && one.value == value;
        let place = self.tries.iter().position(of).unwrap_or_else(|| {
            let promised = [None; MAX_LOCK_NODES];
            self.tries.push(Try { client, value, promised, stands: 0, granted: None });
            self.tries.len() - 1
        });
        let one = &mut self.tries[place];
        one.stands |= 1 << node.0;
        one
    }

    fn counted(
        &mut self,
        at: SimTime,
        (client, token): (ClientId, FencingToken),
        extends: bool,
        number: impl FnOnce() -> GrantNo,
    ) -> Option<ServiceFact> {
        let needed = self.needed;
        let of = |one: &&mut Try| one.client == client && one.value == token;
        let one = self.tries.iter_mut().find(of)?;
        if (one.stands.count_ones() as usize) < needed {
            return None;
        }
        let until = one.promised_until(needed)?;
        let ttl = until.since(at);
        let before = one.granted;
        let grant = before.map_or_else(number, |(grant, _)| grant);
        one.granted = Some((grant, until));
        match before {
            None => Some(Grant { no: grant, client, token }.made(Some(ttl))),
            Some((_, before)) if before == until => None,
            Some(_) if extends => Some(Grant { no: grant, client, token }.renewed(client, ttl)),
            Some(_) => Some(ServiceFact::Key(KeyFact::Lasts { grant, client, token, ttl })),
        }
    }

    fn gone(
        &mut self,
        node: LockNodeId,
        (client, token): (ClientId, FencingToken),
        how: LeaseEnd,
    ) -> Option<ServiceFact> {
        let of = |one: &Try| one.client == client && one.value == token;
        let place = self.tries.iter().position(of)?;
        let one = &mut self.tries[place];
        one.stands &= !(1 << node.0);
        let too_few = (one.stands.count_ones() as usize) < self.needed;
        let ended = one.granted.take_if(|_| too_few);
        if one.stands == 0 {
            self.tries.swap_remove(place);
        }
        let (no, _) = ended?;
        Some(Grant { no, client, token }.ended(how))
    }
}

impl Try {
    /// Until when a majority of its keys would run.
    fn promised_until(&self, needed: usize) -> Option<SimTime> {
        let mut ends: Vec<_> = self.promised.iter().flatten().copied().collect();
        ends.sort_unstable();
        ends.len().checked_sub(needed).map(|place| ends[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::time::SimDuration;

    const A: ClientId = ClientId(0);
    const VALUE: FencingToken = FencingToken(7);

    fn at(secs: u64) -> SimTime {
        SimTime::from_millis(secs * 1_000)
    }

    fn set(secs: u64) -> ServiceFact {
        ServiceFact::Key(KeyFact::Set {
            client: A,
            token: VALUE,
            ttl: SimDuration::from_secs(secs),
        })
    }

    #[test]
    fn a_majority_makes_a_grant_that_is_promised_as_long_as_a_majority_would_run() {
        let mut keys = Majority::of(5);
        let grant = GrantNo(1);
        assert_eq!(keys.observe(LockNodeId(0), at(1), set(10), || grant), None);
        assert_eq!(keys.observe(LockNodeId(1), at(1), set(8), || grant), None);
        let ttl = Some(SimDuration::from_secs(8));
        let granted = ServiceFact::Granted { grant, client: A, token: VALUE, ttl };
        assert_eq!(keys.observe(LockNodeId(2), at(1), set(9), || grant), Some(granted));
        assert_eq!(keys.grant_of(A, VALUE), Some(grant));
        // A fourth key that ends later: three of four run until the second shortest ends.
        let ttl = SimDuration::from_secs(8);
        let lasts = KeyFact::Lasts { grant, client: A, token: VALUE, ttl };
        let fourth = keys.observe(LockNodeId(3), at(2), set(9), || grant);
        assert_eq!(fourth, Some(ServiceFact::Key(lasts)));
    }

    #[test]
    fn a_grant_ends_when_fewer_than_a_majority_of_its_keys_are_left() {
        let mut keys = Majority::of(5);
        let grant = GrantNo(1);
        for node in 0..4 {
            keys.observe(LockNodeId(node), at(1), set(10), || grant);
        }
        let gone =
            ServiceFact::Key(KeyFact::Gone { client: A, token: VALUE, how: LeaseEnd::Forgotten });
        assert_eq!(keys.observe(LockNodeId(0), at(2), gone, || grant), None);
        let how = LeaseEnd::Forgotten;
        let ended = ServiceFact::LeaseEnded { grant, client: A, token: VALUE, how };
        assert_eq!(keys.observe(LockNodeId(1), at(2), gone, || grant), Some(ended));
        assert_eq!(keys.observe(LockNodeId(2), at(2), gone, || grant), None);
    }
}
