//! Where a dragged fault snaps: the events that do not depend on it. A pause that is dragged moves
//! its own consequences along; they are found by a run in which the held end is not there, so that
//! nothing snaps to what it causes itself. It knows no pointer.

use crate::sim::engine::{Progress, Simulation};
use crate::sim::recording::Recording;
use crate::sim::scenario::{Change, Fault};
use crate::sim::time::SimTime;

use super::marker::Grip;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::facts::listed;

/// Steps that a run for snapping may take, so that a grip is in hand at once; beyond them nothing
/// snaps.
const MAX_STEPS: u32 = 20_000;

/// How near an event draws what is dragged to itself.
const REACH: Px = Px::whole(8);

/// The instants to which what is held of a fault snaps, in order.
pub fn points(run: &Recording, fault: &Fault, grip: Grip) -> Vec<SimTime> {
    let spec = run.scenario().spec();
    let known = spec.faults.iter().any(|known| known.id == fault.id);
    let change = match grip {
        Grip::End => {
            let longer = Box::new(endless(fault, run.ends_at()));
            if known { Change::ReplaceFault(*longer) } else { Change::AddFault(*longer) }
        }
        Grip::Start | Grip::Body if known => Change::EnableFault { id: fault.id, enabled: false },
        // It is not there yet: everything that happens happens without it.
        Grip::Start | Grip::Body => return instants(run),
    };
    let Ok(scenario) = run.scenario().with(&[change]) else {
        return Vec::new();
    };
    let mut simulation = Simulation::new(&scenario);
    match simulation.run(MAX_STEPS) {
        Progress::Finished => instants(&simulation.finish()),
        Progress::Running => Vec::new(),
    }
}

/// The fault as if it were never over while `until` is not reached.
fn endless(fault: &Fault, until: SimTime) -> Fault {
    let mut endless = fault.clone();
    let from = fault.kind.starts_at().unwrap_or(SimTime::ZERO);
    endless.kind.set_length(until.since(from));
    endless
}

fn instants(run: &Recording) -> Vec<SimTime> {
    let listed = run.log().entries().iter().filter(|entry| listed(&entry.fact).kind.is_some());
    let mut instants: Vec<SimTime> = listed.map(|entry| entry.at).collect();
    instants.dedup();
    instants
}

/// The event to which an instant is drawn on the screen, if one is near enough.
pub fn nearest(points: &[SimTime], scale: &TimeScale, at: SimTime) -> Option<SimTime> {
    let after = points.partition_point(|point| *point < at);
    let near = points.get(after).into_iter().chain(points[..after].last());
    let apart = |point: &SimTime| {
        let (x, other) = (scale.x(at), scale.x(*point));
        Px((x.0 - other.0).abs())
    };
    near.copied().filter(|point| apart(point) <= REACH).min_by_key(apart)
}

/// The event before an instant, or the one behind it.
pub fn next(points: &[SimTime], at: SimTime, forward: bool) -> Option<SimTime> {
    match forward {
        true => points.get(points.partition_point(|point| *point <= at)).copied(),
        false => points[..points.partition_point(|point| *point < at)].last().copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    use crate::view_model::drawing::scale::TimeView;

    fn first() -> (Recording, Fault) {
        let file = GALLERY[0].file();
        let run = Recording::of(&file.base().expect("it is valid"));
        (run, file.scenario.faults[0].clone())
    }

    #[test]
    fn nothing_snaps_to_what_it_causes_itself() {
        let (run, fault) = first();
        let from = fault.kind.starts_at().expect("it has one");
        let to = from + fault.kind.length().expect("it has one");
        let of = |grip| points(&run, &fault, grip);
        assert!(instants(&run).contains(&to), "the end is an event of the run as it is");
        assert!(!of(Grip::End).contains(&to));
        assert!(!of(Grip::Start).contains(&from) && !of(Grip::Body).contains(&from));
        // Where the end lies changes nothing before it.
        let before = |list: &[SimTime]| list.iter().filter(|at| **at < to).count();
        assert_eq!(before(&of(Grip::End)), before(&instants(&run)));
    }

    #[test]
    fn an_instant_is_drawn_to_the_nearest_event_within_reach() {
        let end = SimTime::from_millis(20_000);
        let scale = TimeScale::new(TimeView::whole(end), Px::ZERO, Px::whole(800));
        let at = SimTime::from_millis;
        let points = [at(5_000), at(5_300), at(10_000)];
        let drawn = |millis| nearest(&points, &scale, at(millis));
        assert_eq!(drawn(5_100), Some(at(5_000)));
        assert_eq!(drawn(5_200), Some(at(5_300)));
        assert_eq!(drawn(9_800), Some(at(10_000)));
        assert_eq!(drawn(9_700), None);
        assert_eq!(next(&points, at(5_000), true), Some(at(5_300)));
        assert_eq!(next(&points, at(5_000), false), None);
        assert_eq!(next(&points, at(20_000), false), Some(at(10_000)));
    }
}
