//! Random numbers that depend on what they are for and on nothing else: keyed by seed, node,
//! purpose and count, so that two runs that part ways, or one client more, do not reshuffle the
//! rest.

use super::id::NodeId;
use super::time::SimDuration;

/// What a random number is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// The wait before a poll.
    PollJitter = 1,
    /// The next token of a source that is not a counter.
    Token = 2,
    /// Which of those that wait is granted.
    HandOff = 3,
    /// How long a node waits for a leader before it asks for votes.
    Election = 4,
}

/// The `nth` random number of `node` for `purpose`: 64 bits, equal on every machine.
pub fn random(seed: u32, node: NodeId, purpose: Purpose, nth: u32) -> u64 {
    let (kind, index) = match node {
        NodeId::Client(id) => (0, id.0),
        NodeId::Lock(id) => (1, id.0),
        NodeId::Store(id) => (2, id.0),
    };
    let key = [u64::from(seed), kind, u64::from(index), purpose as u64, u64::from(nth)];
    // SplitMix64 (Steele, Lea, Flood 2014), with each part of the key folded in.
    key.into_iter().fold(0x9e37_79b9_7f4a_7c15, |state: u64, part| {
        let z = (state ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// A random length from zero to `most`, both included.
pub fn random_up_to(most: SimDuration, number: u64) -> SimDuration {
    SimDuration::from_micros(number % (most.micros() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::id::{ClientId, LockNodeId};

    #[test]
    fn a_number_depends_on_its_key_alone() {
        let a = NodeId::Client(ClientId(0));
        let number = random(1, a, Purpose::PollJitter, 0);
        assert_eq!(number, random(1, a, Purpose::PollJitter, 0));
        let service = NodeId::Lock(LockNodeId(0));
        for other in [
            random(2, a, Purpose::PollJitter, 0),
            random(1, service, Purpose::PollJitter, 0),
            random(1, a, Purpose::Token, 0),
            random(1, a, Purpose::PollJitter, 1),
        ] {
            assert_ne!(number, other);
        }
    }

    #[test]
    fn the_numbers_are_the_same_on_every_machine() {
        let a = NodeId::Client(ClientId(0));
        let numbers: Vec<_> = (0..3).map(|n| random(1, a, Purpose::Token, n) % 1_000).collect();
        assert_eq!(numbers, [912, 340, 781]);
    }
}
