//! What a move of a slider makes of a scenario. It starts from the value that the scenario has when
//! the move is taken, not from the one that is drawn: keys may come faster than pictures.

use track::{PLACES, Track};

use crate::sim::scenario::{Change, Quantity, Renew, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::controls::amount;

pub mod track;

/// A move of a slider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slide {
    /// To a place of its track.
    To(u32),
    /// So many steps up, or down.
    Steps(i32),
    /// To an end: the upper, or the lower.
    End(bool),
    /// To the next of these values, upwards or not.
    Edge(Vec<SimDuration>, bool),
}

/// The change that a move asks for; `None`: the value is there already, or there is none.
pub fn moved(quantity: Quantity, spec: &ScenarioSpec, slide: &Slide) -> Option<Change> {
    let ttl = spec.lease.ttl;
    if quantity == Quantity::Renew {
        return renew_moved(spec.defaults.renew, ttl, slide).map(Change::Renew);
    }
    let value = quantity.value(spec)?;
    let track = Track::of(quantity, ttl);
    let to = match slide {
        Slide::To(place) => track.value(*place),
        Slide::Steps(steps) if *steps > 0 => track.range.above(value, steps.unsigned_abs()),
        Slide::Steps(steps) => track.range.below(value, steps.unsigned_abs()),
        Slide::End(true) => track.range.most,
        Slide::End(false) => track.range.least,
        Slide::Edge(edges, up) => next_edge(edges, &track, value, *up)?,
    };
    (to != value).then(|| quantity.set(to))
}

/// The nearest value beyond which, or from which on, the outcome is another one.
fn next_edge(
    edges: &[SimDuration],
    track: &Track,
    from: SimDuration,
    up: bool,
) -> Option<SimDuration> {
    let range = track.range.least..=track.range.most;
    let mut edges = edges.iter().copied().filter(|edge| range.contains(edge));
    match up {
        true => edges.find(|edge| *edge > from),
        false => edges.rfind(|edge| *edge < from),
    }
}

/// Where a value lies where leases last as long as `ttl`.
pub fn place_of(quantity: Quantity, ttl: SimDuration, value: SimDuration) -> u32 {
    if quantity != Quantity::Renew {
        return Track::of(quantity, ttl).place(value);
    }
    // As shares lie: what is longer than the time to live is at its place, before “off”.
    let share = u64::from(RENEW_PLACES) * value.micros() / ttl.micros().max(1);
    u32::try_from(share).unwrap_or(RENEW_PLACES).min(RENEW_PLACES)
}

/// Where the slider of a quantity stands; `None`: the scenario has no such value.
pub fn place(quantity: Quantity, spec: &ScenarioSpec) -> Option<u32> {
    let ttl = spec.lease.ttl;
    if quantity == Quantity::Renew {
        return Some(renew_place(amount::renew_stop(spec.defaults.renew, ttl)));
    }
    Some(Track::of(quantity, ttl).place(quantity.value(spec)?))
}

/// How far the shares of the time to live go on the track of renewal.
const RENEW_PLACES: u32 = PLACES * 9 / 10;

/// Shares of the time to live lie where they are, up to nine tenths of the track; “off” at its end.
fn renew_place(stop: usize) -> u32 {
    match amount::RENEW_STOPS.get(stop) {
        Some((numerator, denominator)) => {
            RENEW_PLACES * u32::from(*numerator) / u32::from(*denominator)
        }
        None => PLACES,
    }
}

fn renew_moved(now: Renew, ttl: SimDuration, slide: &Slide) -> Option<Renew> {
    let here = amount::renew_stop(now, ttl);
    let off = amount::RENEW_STOPS.len();
    let to = match slide {
        Slide::To(place) => (0..=off).min_by_key(|stop| renew_place(*stop).abs_diff(*place))?,
        Slide::Steps(steps) => {
            let far = usize::try_from(steps.unsigned_abs()).unwrap_or(off);
            if *steps > 0 { (here + far).min(off) } else { here.saturating_sub(far) }
        }
        Slide::End(true) => off,
        Slide::End(false) => 0,
        Slide::Edge(..) => return None,
    };
    let renew = amount::renew_at(to);
    (renew != now).then_some(renew)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GalleryEntry;
    use crate::sim::id::FaultId;

    const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

    fn at(seconds: u64) -> ScenarioSpec {
        let mut spec =
            GalleryEntry::find("paused-holder").expect("it is in the gallery").file().scenario;
        PAUSE.set(SimDuration::from_secs(seconds)).apply(&mut spec).expect("it has this pause");
        spec
    }

    #[test]
    fn a_step_starts_from_what_the_scenario_says() {
        let step = |from, by| moved(PAUSE, &at(from), &Slide::Steps(by));
        assert_eq!(step(15, -1), Some(PAUSE.set(SimDuration::from_millis(14_900))));
        assert_eq!(step(9, 1), Some(PAUSE.set(SimDuration::from_millis(9_100))));
        let end = |up| moved(PAUSE, &at(15), &Slide::End(up));
        assert_eq!(end(false), Some(PAUSE.set(SimDuration::ZERO)));
        assert_ne!(end(true), None);
    }

    #[test]
    fn edges_are_gone_to_from_either_side_and_no_further() {
        let edges = [8, 10].map(SimDuration::from_secs).to_vec();
        let go = |from, up| moved(PAUSE, &at(from), &Slide::Edge(edges.clone(), up));
        assert_eq!(go(15, false), Some(PAUSE.set(edges[1])));
        assert_eq!(go(10, false), Some(PAUSE.set(edges[0])));
        assert_eq!(go(5, true), Some(PAUSE.set(edges[0])));
        assert_eq!(go(8, false), None);
        assert_eq!(go(15, true), None);
    }
}
