//! Faults that are put on a lane by hand: which kinds a lane's node can have, and the fault that a
//! place or a stretch of the lane makes of one. What it then does the simulation says.

use crate::sim::id::{FaultId, NodeId};
use crate::sim::scenario::{Fault, FaultKind, MessageAddress, ScenarioSpec};
use crate::sim::time::SimTime;

use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::verdict;
use crate::view_model::setup::new_fault::has_stretch;
use crate::view_model::setup::new_fault::{WHATS, What, new_fault, whoms};
use crate::view_model::tracks::flight::Flights;
use crate::view_model::tracks::shown::Shown;

/// What can befall a node, the usual first: whoever draws on its lane means that.
pub fn kinds(node: NodeId, spec: &ScenarioSpec) -> Vec<(What, &'static str)> {
    let can = |what: What| whoms(what, spec).contains(&node);
    let mut kinds: Vec<_> = WHATS.into_iter().filter(|(what, _)| can(*what)).collect();
    kinds.sort_by_key(|(what, _)| matches!(what, What::ClockJump | What::ClockRate));
    kinds
}

/// A new fault at an instant of a node's lane. Of messages the first one that is sent from then on,
/// or the last if none is.
pub fn fault_at(shown: &Shown, what: What, node: NodeId, at: SimTime) -> Fault {
    let mut fault = new_fault(&all_faults(&shown.runs), what, node, None);
    put(&mut fault.kind, shown, at);
    fault
}

/// The same fault over a stretch of the lane, whichever end was first.
pub fn over(fault: &Fault, shown: &Shown, one: SimTime, other: SimTime) -> Fault {
    let (from, to) = (one.min(other), one.max(other));
    let mut fault = fault.clone();
    put(&mut fault.kind, shown, from);
    if has_stretch(&fault.kind) {
        fault.kind.set_length(to.since(from));
    }
    fault
}

/// The set-up with the faults of both runs, so that a new one's id is free in either.
fn all_faults(runs: &Runs) -> ScenarioSpec {
    let mut spec = runs.run_1.scenario().spec().clone();
    let run_2 = runs.run_2.iter().flat_map(|run| &run.scenario().spec().faults);
    spec.faults.extend(run_2.cloned());
    spec
}

fn put(kind: &mut FaultKind, shown: &Shown, at: SimTime) {
    match kind {
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => {
            let flights = shown.run(RunNo::One).map(|run| &run.flights);
            message.nth = flights.map_or(1, |flights| nth_from(flights, message, at));
        }
        FaultKind::Pause { .. }
        | FaultKind::Crash { .. }
        | FaultKind::Cut { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ClockRate { .. }
        | FaultKind::ServiceRestart { .. }
        | FaultKind::Failover { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => {
            // A clock's rate has no beginning.
            kind.start_at(at);
        }
    }
}

fn nth_from(flights: &Flights, message: &MessageAddress, at: SimTime) -> u32 {
    let route = flights.routes.get(&(message.from, message.to));
    let all = route.map_or(&[][..], |route| &route.flights);
    let of_kind: Vec<_> = all.iter().filter(|flight| flight.kind == message.kind).collect();
    let n_before = of_kind.iter().filter(|flight| flight.sent < at).count();
    let nth = (n_before + 1).min(of_kind.len().max(1));
    u32::try_from(nth).unwrap_or(u32::MAX)
}

/// A fault of the set-up, wherever it is: in Run 1, or in Run 2 alone.
pub fn find(runs: &Runs, id: FaultId) -> Option<&Fault> {
    let mut all = runs.shown().flat_map(|(_, run)| &run.scenario().spec().faults);
    all.find(|fault| fault.id == id)
}

/// What is said of the runs that are drawn faintly behind others: `The run with Client A pause:
/// Corrupted at 17.1 s`.
pub fn ghost_words(runs: &Runs, without: &str) -> String {
    let came_to = |run: RunNo| verdict::of_run(runs, run).map(|verdict| verdict.text);
    let all: Vec<_> = match runs.run_2 {
        None => came_to(RunNo::One).into_iter().collect(),
        Some(_) => {
            let of = |run: RunNo| Some(format!("{} {}", run.name(), came_to(run)?));
            RunNo::ALL.into_iter().filter_map(of).collect()
        }
    };
    format!("Faint: what happened with “{without}”. {}", all.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::id::{ClientId, LockNodeId, StoreId};
    use crate::sim::message::MessageKind;
    use crate::sim::scenario::{PauseScope, Start};
    use crate::sim::time::SimDuration;
    use std::rc::Rc;

    const A: NodeId = NodeId::Client(ClientId(0));

    fn shown() -> Shown {
        let runs = Runs::of(&GALLERY[0].file()).expect("it is in the gallery");
        Shown::of(&Rc::new(runs))
    }

    #[test]
    fn every_lane_offers_what_can_befall_its_node() {
        let spec = GALLERY[0].file().scenario;
        let first = |node| kinds(node, &spec)[0].1;
        assert_eq!(first(A), "Pause the whole client");
        assert_eq!(first(NodeId::Lock(LockNodeId(0))), "Restart the lock service");
        assert_eq!(first(NodeId::Store(StoreId(0))), "Restart the storage");
        let names: Vec<_> = kinds(A, &spec).into_iter().map(|(_, name)| name).collect();
        assert!(names.contains(&"Set a clock") && !names.contains(&"Restart the storage"));
    }

    #[test]
    fn a_stretch_is_drawn_from_either_end() {
        let shown = shown();
        let at = SimTime::from_millis;
        let pause = fault_at(&shown, What::Pause(PauseScope::Client), A, at(25_000));
        assert!(find(&shown.runs, pause.id).is_none(), "its id is free");
        for (one, other) in [(25_000, 28_000), (28_000, 25_000)] {
            let drawn = over(&pause, &shown, at(one), at(other));
            let FaultKind::Pause { start, length, .. } = drawn.kind else {
                panic!("it stays a pause");
            };
            assert_eq!(start, Start::At(at(25_000)));
            assert_eq!(length, SimDuration::from_secs(3));
        }
        let crash = fault_at(&shown, What::Crash { restarts: false }, A, at(3_000));
        let drawn = over(&crash, &shown, at(3_000), at(9_000));
        assert_eq!(drawn.kind, crash.kind, "a crash for good has no length");
    }

    #[test]
    fn a_message_is_the_next_of_its_kind() {
        let shown = shown();
        let nth = |millis| {
            let lost = What::Lose(MessageKind::Renew);
            match fault_at(&shown, lost, A, SimTime::from_millis(millis)).kind {
                FaultKind::Lose { message } => message.nth,
                other => panic!("{other:?}"),
            }
        };
        let run = shown.run(RunNo::One).expect("it is shown");
        let renewals = &run.flights.routes[&(A, NodeId::Lock(LockNodeId(0)))].flights;
        let sent: Vec<_> = renewals.iter().filter(|it| it.kind == MessageKind::Renew).collect();
        assert!(!sent.is_empty());
        assert_eq!(nth(0), 1);
        let last = u32::try_from(sent.len()).expect("few");
        assert_eq!(nth(sent[sent.len() - 1].sent.micros() / 1_000), last);
        assert_eq!(nth(38_000), last, "none is sent later");
    }

    #[test]
    fn a_ghost_says_what_it_came_to() {
        let words = ghost_words(&shown().runs, "Client A pause");
        assert!(words.starts_with("Faint: what happened with “Client A pause”. Run 1 Corrupted"));
    }
}
