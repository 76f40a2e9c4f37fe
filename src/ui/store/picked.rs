//! What the page's state says besides the scenario: what is picked out, light or dark, the stretch
//! that the timeline shows, and the runs that stay faintly behind others.

use std::rc::Rc;

use crate::sim::id::FaultId;
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimTime;
use crate::view_model::controls::amount;
use crate::view_model::runs::Runs;
use crate::view_model::timeline::by_hand::ghost_words;

/// What the user has picked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Nothing.
    Nothing,
    /// A moment, by its index.
    Moment(u32),
    /// A fault.
    Fault(FaultId),
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// As the system says.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The stretch of time that the timeline shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its start.
    pub start: SimTime,
    /// Its end.
    pub end: SimTime,
    /// Nobody has zoomed: it follows the runs.
    pub fitted: bool,
}

impl Window {
    /// The whole of the runs.
    pub fn whole(runs: &Runs) -> Self {
        Self { start: SimTime::ZERO, end: runs.ends_at(), fitted: true }
    }
}

/// The runs as they were before a fault was switched off or removed: drawn faintly behind what is
/// so now, until the next edit.
#[derive(Clone, PartialEq, Debug)]
pub struct Ghost {
    /// The runs.
    pub runs: Rc<Runs>,
    /// What is said of them.
    pub words: Rc<str>,
}

impl Ghost {
    /// The ghost that changes leave behind, if they take a fault away.
    pub(super) fn left_by(
        changes: &[Change],
        runs: &Rc<Runs>,
        spec: &ScenarioSpec,
    ) -> Option<Self> {
        let gone = |change: &Change| match change {
            Change::EnableFault { id, enabled: false } | Change::RemoveFault(id) => Some(*id),
            _ => None,
        };
        let id = changes.iter().find_map(gone)?;
        // What was off did nothing.
        spec.faults.iter().find(|fault| fault.id == id && fault.enabled)?;
        let words = ghost_words(runs, &amount::fault_name(&runs.words, id, spec));
        Some(Self { runs: runs.clone(), words: words.into() })
    }
}
