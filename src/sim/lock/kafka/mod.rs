//! Kafka's two epochs: that of a partition's leader, which the controller raises, and that of a
//! producer, which the transaction coordinator raises. Brokers check both, so here the service
//! tells the stores; what a store then does with a write stands in `sim::storage`.

pub(super) mod leader;
pub(super) mod producer;
mod telling;

pub use leader::KafkaLeaderSettings;
pub use producer::{KafkaProducerSettings, TransactionVersion, TransactionalId};

use crate::sim::id::FencingToken;
use crate::sim::lock::Fixed;

/// What Kafka leaves to nobody, for both.
const SETTLED: &[Fixed] = &[
    Fixed::TokenSource,
    Fixed::MinHold,
    Fixed::Cap,
    Fixed::Expiry,
    Fixed::Clock,
    Fixed::OwnerCheck,
    Fixed::LockDelay,
    Fixed::Grace,
    Fixed::Item,
    Fixed::Ends,
    Fixed::Late,
    Fixed::ConnectionBound,
    Fixed::TwoSteps,
    Fixed::Wait,
    Fixed::Session,
    Fixed::WaiterCheck,
    Fixed::HandOff,
    Fixed::Identity,
    Fixed::Renew,
    Fixed::Deadline,
    Fixed::Rule,
    Fixed::Seal,
    Fixed::CheckGap,
    Fixed::Durable,
];

/// A producer id and its epoch. As one token the id stands above, as in `producerId` and
/// `producerEpoch` of every batch; only epochs of the same id can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProducerEpoch {
    /// The producer id.
    pub id: i64,
    /// Its epoch: 16 bits with a sign, never negative.
    pub epoch: i64,
}

/// Where the producer id begins in a token.
const EPOCH_BITS: u32 = 16;

/// The highest epoch. It only ever fences: a producer is given at most the one before.
pub(super) const LAST_EPOCH: i64 = i16::MAX as i64;

impl ProducerEpoch {
    /// As one number.
    pub fn token(self) -> FencingToken {
        FencingToken((self.id << EPOCH_BITS) | self.epoch)
    }

    /// What a token stands for.
    pub fn of(token: FencingToken) -> Self {
        Self { id: token.0 >> EPOCH_BITS, epoch: token.0 & ((1 << EPOCH_BITS) - 1) }
    }

    /// The next one of the same id; the last one stays.
    fn raised(self) -> Self {
        Self { epoch: (self.epoch + 1).min(LAST_EPOCH), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_and_its_epoch_are_one_number_that_reads_back() {
        for (id, epoch, token) in [(0, 33, 33), (1, 0, 65_536), (-1, 7, -65_529)] {
            let both = ProducerEpoch { id, epoch };
            assert_eq!(both.token(), FencingToken(token));
            assert_eq!(ProducerEpoch::of(both.token()), both);
        }
        let last = ProducerEpoch { id: 0, epoch: LAST_EPOCH };
        assert_eq!(last.raised(), last);
    }
}
