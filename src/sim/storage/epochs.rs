//! How a Kafka broker checks a write: by the leader epoch that it was told last, or by the epoch
//! and the number that it has seen last of the write's producer. It knows nothing but what arrived.
//!
//! Sources, of Apache Kafka: `Partition.checkCurrentLeaderEpoch`, `ProducerAppendInfo`
//! (`checkProducerEpoch`, `checkSequence`), `ProducerStateEntry` (the last five batches are known
//! again), `UnifiedLog.analyzeAndValidateProducerState` (a batch that is known again is answered as
//! then, before its epoch is looked at).

use std::collections::{BTreeMap, VecDeque};

use crate::sim::fact::Refusal;
use crate::sim::id::FencingToken;
use crate::sim::lock::StoreCheck;
use crate::sim::lock::kafka::ProducerEpoch;

/// What a broker knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Epochs {
    /// It is no broker.
    None,
    /// The leader epoch that it was told last.
    Leader(Option<FencingToken>),
    /// What it has seen, per producer id.
    Producers {
        /// Whether a marker must carry a higher epoch than the writes before it.
        strict_markers: bool,
        /// By producer id.
        seen: BTreeMap<i64, Producer>,
    },
}

/// What a broker has seen of a producer id.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Producer {
    epoch: i64,
    /// The numbers of its last writes under that epoch, the newest last.
    last: VecDeque<u32>,
    /// It has written since the last marker.
    in_transaction: bool,
}

/// `ProducerStateEntry.NUM_BATCHES_TO_RETAIN`.
const KNOWN_AGAIN: usize = 5;

/// What a broker makes of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// It takes it.
    Passes,
    /// It does not know this epoch yet.
    Unknown(Option<FencingToken>),
    /// It has this write.
    Duplicate,
    /// It refuses it, and knows this epoch.
    Refused(Refusal, FencingToken),
}

impl Epochs {
    pub(super) fn new(check: StoreCheck) -> Self {
        match check {
            StoreCheck::AsSet => Self::None,
            StoreCheck::LeaderEpoch => Self::Leader(None),
            StoreCheck::ProducerEpoch { strict_markers } => {
                Self::Producers { strict_markers, seen: BTreeMap::new() }
            }
        }
    }

    /// Looks at a write. `None`: it is no broker.
    pub(super) fn check(&self, token: FencingToken, sequence: u32) -> Option<Found> {
        match self {
            Self::None => None,
            Self::Leader(known) => Some(match known {
                Some(known) if token < *known => Found::Refused(Refusal::Token, *known),
                Some(known) if token == *known => Found::Passes,
                Some(_) | None => Found::Unknown(*known),
            }),
            Self::Producers { seen, strict_markers } => {
                let ProducerEpoch { id, epoch } = ProducerEpoch::of(token);
                let Some(producer) = seen.get(&id) else {
                    // Of a producer id that it does not know, the older protocol takes any number.
                    let passes = sequence == 0 || !strict_markers;
                    let found = Found::Refused(Refusal::Gap, token);
                    return Some(if passes { Found::Passes } else { found });
                };
                let known = ProducerEpoch { id, epoch: producer.epoch }.token();
                Some(producer.check(epoch, sequence, known))
            }
        }
    }

    /// A write was applied.
    pub(super) fn applied(&mut self, token: FencingToken, sequence: u32) {
        if let Self::Producers { seen, .. } = self {
            let ProducerEpoch { id, epoch } = ProducerEpoch::of(token);
            let producer = seen.entry(id).or_default();
            producer.raise(epoch);
            producer.last.push_back(sequence);
            if producer.last.len() > KNOWN_AGAIN {
                producer.last.pop_front();
            }
            producer.in_transaction = true;
        }
    }

    /// It is told the leader epoch. Whether that is news to it.
    pub(super) fn learn(&mut self, token: FencingToken) -> bool {
        let Self::Leader(known) = self else {
            return false;
        };
        let is_news = known.is_none_or(|known| token > known);
        if is_news {
            *known = Some(token);
        }
        is_news
    }

    /// It is told that a transaction is over.
    ///
    /// # Errors
    /// The epoch that it knows, if that is newer.
    pub(super) fn mark(&mut self, token: FencingToken) -> Result<(), FencingToken> {
        let Self::Producers { strict_markers, seen } = self else {
            return Ok(());
        };
        let ProducerEpoch { id, epoch } = ProducerEpoch::of(token);
        if let Some(producer) = seen.get(&id) {
            // The same marker once more: it was written, and its answer was lost.
            let again = epoch == producer.epoch && !producer.in_transaction;
            let stale = match strict_markers {
                true => epoch <= producer.epoch && !again,
                false => epoch < producer.epoch,
            };
            if stale {
                return Err(ProducerEpoch { id, epoch: producer.epoch }.token());
            }
        }
        let producer = seen.entry(id).or_default();
        producer.raise(epoch);
        producer.in_transaction = false;
        Ok(())
    }
}

impl Producer {
    fn check(&self, epoch: i64, sequence: u32, known: FencingToken) -> Found {
        if epoch == self.epoch && self.last.contains(&sequence) {
            return Found::Duplicate;
        }
        if epoch < self.epoch {
            return Found::Refused(Refusal::Token, known);
        }
        let last = self.last.back().filter(|_| epoch == self.epoch);
        // Under a new epoch numbers begin anew, whether a write or a marker began it.
        if last.map_or(0, |last| last.wrapping_add(1)) == sequence {
            Found::Passes
        } else {
            Found::Refused(Refusal::Gap, known)
        }
    }

    fn raise(&mut self, epoch: i64) {
        if epoch > self.epoch {
            self.epoch = epoch;
            self.last.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: fn(i64) -> FencingToken = FencingToken;

    fn producers(strict_markers: bool) -> Epochs {
        Epochs::new(StoreCheck::ProducerEpoch { strict_markers })
    }

    fn write(broker: &mut Epochs, token: i64, sequence: u32) -> Option<Found> {
        let found = broker.check(TOKEN(token), sequence);
        if found == Some(Found::Passes) {
            broker.applied(TOKEN(token), sequence);
        }
        found
    }

    #[test]
    fn a_leader_epoch_is_refused_taken_or_not_known_yet() {
        let mut broker = Epochs::new(StoreCheck::LeaderEpoch);
        assert_eq!(broker.check(TOKEN(33), 0), Some(Found::Unknown(None)));
        assert!(broker.learn(TOKEN(34)));
        assert!(!broker.learn(TOKEN(33)), "word that is overtaken");
        let known = TOKEN(34);
        let lower = Some(Found::Refused(Refusal::Token, known));
        assert_eq!(broker.check(TOKEN(33), 0), lower);
        assert_eq!(broker.check(known, 0), Some(Found::Passes));
        assert_eq!(broker.check(TOKEN(35), 0), Some(Found::Unknown(Some(known))));
    }

    #[test]
    fn under_one_epoch_numbers_follow_and_the_last_five_are_known_again() {
        let mut broker = producers(true);
        for sequence in 0..7 {
            assert_eq!(write(&mut broker, 33, sequence), Some(Found::Passes));
        }
        let known = TOKEN(33);
        for sequence in 2..7 {
            assert_eq!(write(&mut broker, 33, sequence), Some(Found::Duplicate));
        }
        let gap = Some(Found::Refused(Refusal::Gap, known));
        assert_eq!(write(&mut broker, 33, 1), gap, "longer ago than it remembers");
        assert_eq!(write(&mut broker, 33, 8), gap);
        assert_eq!(write(&mut broker, 34, 1), gap, "a new epoch begins at 0");
        assert_eq!(write(&mut broker, 34, 0), Some(Found::Passes));
        let stale = Some(Found::Refused(Refusal::Token, TOKEN(34)));
        assert_eq!(write(&mut broker, 33, 6), stale, "not even what it had");
    }

    #[test]
    fn epochs_of_two_producer_ids_say_nothing_of_one_another() {
        let mut broker = producers(true);
        assert_eq!(write(&mut broker, 33, 1), Some(Found::Refused(Refusal::Gap, TOKEN(33))));
        assert_eq!(write(&mut producers(false), 33, 1), Some(Found::Passes));
        assert_eq!(write(&mut broker, 1 << 16, 0), Some(Found::Passes));
        assert_eq!(write(&mut broker, 33, 0), Some(Found::Passes));
    }

    #[test]
    fn a_marker_is_refused_if_lower_or_equal_unless_it_was_written() {
        let mut strict = producers(true);
        assert_eq!(write(&mut strict, 33, 0), Some(Found::Passes));
        assert_eq!(strict.mark(TOKEN(33)), Err(TOKEN(33)), "of the transaction before");
        assert_eq!(strict.mark(TOKEN(34)), Ok(()));
        assert_eq!(strict.mark(TOKEN(34)), Ok(()), "its answer was lost");
        assert_eq!(write(&mut strict, 33, 1), Some(Found::Refused(Refusal::Token, TOKEN(34))));
        assert_eq!(write(&mut strict, 34, 0), Some(Found::Passes));
        assert_eq!(strict.mark(TOKEN(34)), Err(TOKEN(34)), "it would end the next transaction");

        let mut lenient = producers(false);
        assert_eq!(write(&mut lenient, 33, 0), Some(Found::Passes));
        assert_eq!(lenient.mark(TOKEN(33)), Ok(()));
        assert_eq!(lenient.mark(TOKEN(32)), Err(TOKEN(33)));
        assert_eq!(write(&mut lenient, 33, 1), Some(Found::Passes), "numbers go on");
    }
}
