//! Every interleaving, within small bounds: the simulation's own state machines (lock service,
//! clients, stores) driven by the model checker `stateright` instead of the engine. Whatever the
//! engine orders by time is free here: any message may land next or stay under way, any worker may
//! take its step, any timer may fire, the lease may end at any moment.
//!
//! The counts of states are part of the tests: a model that has lost half of its behaviour would
//! still find nothing wrong, and its count would tell.

mod deadline;
mod fence;
mod ledger;
mod race;
mod units;
mod update;

use std::fmt::Debug;
use std::hash::Hash;

use stateright::{Checker, Model};

/// The property that nothing breaks; with it a check goes on to its end after a counterexample, so
/// that every count is that of the whole space.
const EXPLORED: &str = "explored to the end";

/// What exploring a model came to.
#[derive(PartialEq, Eq, Debug)]
struct Explored {
    /// Distinct states.
    states: usize,
    /// Steps of the shortest way to break the property; none: it holds in every state.
    broken_after: Option<usize>,
}

/// Explores `model` to its end.
fn explore<M>(model: M, property: &'static str) -> Explored
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + Send + Sync + PartialEq,
    M::Action: Clone + Debug + Send + Sync + PartialEq,
{
    let checker = model.checker().spawn_bfs().join();
    assert!(checker.is_done(), "the space is explored to its end");
    let way = checker.discovery(property);
    Explored {
        states: checker.unique_state_count(),
        broken_after: way.map(|path| path.into_actions().len()),
    }
}

/// It holds in each of this many states.
fn holds_in(states: usize) -> Explored {
    Explored { states, broken_after: None }
}

/// It is broken somewhere in this many states, in no fewer steps than these.
fn broken_in(states: usize, steps: usize) -> Explored {
    Explored { states, broken_after: Some(steps) }
}
