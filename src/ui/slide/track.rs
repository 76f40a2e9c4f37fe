//! Where a value lies on a slider's track: logarithmic, with a straight beginning, so that zero is
//! on it. Floats live here and nowhere deeper.

use crate::sim::scenario::Quantity;
use crate::sim::time::SimDuration;
use crate::view_model::controls::amount::{self, Range};

/// Places on a track, as a native range input counts them.
pub const PLACES: u32 = 1000;

/// The track of a quantity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Track {
    /// Its values.
    pub range: Range,
    /// Below this the track is about straight, above it logarithmic.
    straight: f64,
}

impl Track {
    /// The track of a quantity where leases last as long as `ttl`.
    pub fn of(quantity: Quantity, ttl: SimDuration) -> Self {
        let straight = match quantity {
            Quantity::Latency => 5_000.0,
            Quantity::Ttl => 500_000.0,
            Quantity::FaultStart(_) => 3_000_000.0,
            Quantity::Renew
            | Quantity::Work
            | Quantity::StartsAfter
            | Quantity::RenewCap
            | Quantity::FaultLength(_) => 200_000.0,
            Quantity::LockDelay | Quantity::Grace | Quantity::MinHold => 500_000.0,
            Quantity::DeadlineMargin | Quantity::CheckGap => 20_000.0,
        };
        Self { range: amount::range_beside(quantity, ttl), straight }
    }

    /// The place of a value; values beyond the ends lie at the ends.
    pub fn place(&self, value: SimDuration) -> u32 {
        let (low, high) = (self.bent(self.range.least), self.bent(self.range.most));
        let here = (self.bent(value) - low) / (high - low);
        let place = (here * f64::from(PLACES)).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "held between 0 and PLACES"
        )]
        let place = place.clamp(0.0, f64::from(PLACES)) as u32;
        place
    }

    /// The round value at a place.
    pub fn value(&self, place: u32) -> SimDuration {
        match place {
            0 => return self.range.least,
            PLACES.. => return self.range.most,
            _ => {}
        }
        let (low, high) = (self.bent(self.range.least), self.bent(self.range.most));
        let here = low + (high - low) * f64::from(place) / f64::from(PLACES);
        let micros = here.exp_m1() * self.straight;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between the range's ends"
        )]
        let micros = micros.max(0.0).round() as u64;
        self.range.nearest(SimDuration::from_micros(micros))
    }

    fn bent(&self, value: SimDuration) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a day of microseconds is exact")]
        let micros = value.micros() as f64;
        (micros / self.straight).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::id::FaultId;

    #[test]
    fn a_round_value_comes_back_from_its_place() {
        for quantity in [Quantity::Ttl, Quantity::Latency, Quantity::FaultLength(FaultId(1))] {
            let track = Track::of(quantity, SimDuration::from_secs(3_600));
            assert_eq!(track.value(0), track.range.least);
            assert_eq!(track.value(PLACES), track.range.most);
            let places: Vec<_> = (0..=PLACES).map(|place| track.value(place)).collect();
            assert!(places.is_sorted(), "{quantity:?}");
            for seconds in [1, 5, 10, 15] {
                let value = SimDuration::from_secs(seconds).min(track.range.most);
                let away = track.value(track.place(value)).micros().abs_diff(value.micros());
                assert!(away <= value.micros() / 50, "{quantity:?} at {value}");
            }
        }
    }
}
