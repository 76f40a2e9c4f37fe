//! What a file says of a real incident beside the simulation: when it was, what its actors are
//! called, what was observed. Nothing of it changes a run.

use super::error::ScenarioError;
use crate::sim::form::{choices, fields};
use crate::sim::id::{FaultId, NodeId};
use crate::sim::limits;
use crate::sim::scenario::timestamp::Timestamp;
use crate::sim::time::SimTime;

fields! {
    /// A real incident.
    pub struct Incident: Default {
        /// When the run's time 0 was: `2024-05-01T10:00:00.000+02:00`.
        pub start: Option<Timestamp> => None;
        /// What its zone is called, such as `Europe/Berlin`; at most 60 characters. What is shown
        /// follows the distance from UTC in `start`.
        pub zone: String => String::new(), in 0, limits::MAX_NAME_CHARS;
        /// Whether the ruler shows times of day instead of times since the start.
        pub clock: bool => false;
        /// What actors are called.
        pub names: Vec<ActorName> => Vec::new(), in 0, limits::MAX_NAMES;
        /// What was observed, in the order of time.
        pub observed: Vec<Observed> => Vec::new(), in 0, limits::MAX_OBSERVED;
    }
}

fields! {
    /// What an actor is called in the incident.
    pub struct ActorName {
        /// Who: `A`, `service`, `storage`.
        pub actor: NodeId;
        /// What it is called, at most 60 characters.
        pub name: String, in 1, limits::MAX_NAME_CHARS;
    }
}

fields! {
    /// A line of a real log.
    pub struct Observed {
        /// When, since the run's time 0.
        pub at: SimTime;
        /// Whose line it is, if that is known.
        pub actor: Option<NodeId> => None;
        /// What it says, at most 300 characters.
        pub text: String, in 0, limits::MAX_LINE_CHARS;
        /// The kind of simulated event that it is compared with.
        pub is: Option<ObservedKind> => None;
        /// The end of a fault that it has set.
        pub sets: Option<FaultEnd> => None;
    }
}

choices! {
    /// Kinds of event that a log of a real system shows.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum ObservedKind {
        /// The lock was asked for.
        Asked,
        /// The lock was granted.
        Granted,
        /// A lease was renewed.
        Renewed,
        /// A lease was over without having been given back.
        Expired,
        /// The lock was given back.
        Released,
        /// A write was accepted.
        WriteAccepted,
        /// A write was refused.
        WriteRefused,
        /// A client stopped.
        Paused,
        /// It went on.
        Resumed,
        /// A client crashed.
        Crashed,
    }
}

impl ObservedKind {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 10] = [
        Self::Asked,
        Self::Granted,
        Self::Renewed,
        Self::Expired,
        Self::Released,
        Self::WriteAccepted,
        Self::WriteRefused,
        Self::Paused,
        Self::Resumed,
        Self::Crashed,
    ];
}

choices! {
    /// One end of a fault.
    #[derive(Copy)]
    pub enum FaultEnd {
        /// When it begins.
        Start(FaultId),
        /// When it is over.
        End(FaultId),
    }
}

impl Incident {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that each actor has one name; `at`: where the names stand.
    ///
    /// # Errors
    /// The first that is empty or a second one.
    pub(super) fn validate(&self) -> Result<(), ScenarioError> {
        for (nth, name) in self.names.iter().enumerate() {
            let again = self.names[..nth].iter().any(|other| other.actor == name.actor);
            if again || name.name.trim().is_empty() {
                let path = format!("incident.names[{nth}]");
                return Err(ScenarioError::BadName {
                    path,
                    actor: name.actor,
                    name: name.name.clone(),
                });
            }
        }
        Ok(())
    }
}
