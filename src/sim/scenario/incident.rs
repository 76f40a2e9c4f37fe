//! What a file says of a real incident beside the simulation: when it was, what its actors are
//! called, what was observed. Nothing of it changes a run.

use serde::{Deserialize, Serialize};

use super::error::ScenarioError;
use crate::sim::id::{FaultId, NodeId};
use crate::sim::limits;
use crate::sim::time::{SimDuration, SimTime};
use crate::sim::timestamp::Timestamp;

/// A real incident.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Incident {
    /// When the run's time 0 was: `2024-05-01T10:00:00.000+02:00`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Timestamp>,
    /// What its zone is called, such as `Europe/Berlin`; at most 60 characters. What is shown
    /// follows the distance from UTC in `start`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(length(min = 0, max = limits::MAX_NAME_CHARS))
    )]
    pub zone: String,
    /// Whether the ruler shows times of day instead of times since the start.
    #[serde(skip_serializing_if = "is_no")]
    pub clock: bool,
    /// What actors are called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(not(target_family = "wasm"), schemars(length(min = 0, max = limits::MAX_NAMES)))]
    pub names: Vec<ActorName>,
    /// What was observed, in the order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(length(min = 0, max = limits::MAX_OBSERVED))
    )]
    pub observed: Vec<Observed>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_no(value: &bool) -> bool {
    !*value
}

/// What an actor is called in the incident.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ActorName {
    /// Who: `A`, `service`, `storage`.
    pub actor: NodeId,
    /// What it is called, at most 60 characters.
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(length(min = 1, max = limits::MAX_NAME_CHARS))
    )]
    pub name: String,
}

/// A line of a real log.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Observed {
    /// When, since the run's time 0.
    pub at: SimTime,
    /// Whose line it is, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<NodeId>,
    /// What it says, at most 300 characters.
    #[cfg_attr(
        not(target_family = "wasm"),
        schemars(length(min = 0, max = limits::MAX_LINE_CHARS))
    )]
    pub text: String,
    /// The kind of simulated event that it is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<ObservedKind>,
    /// The end of a fault that it has set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<FaultEnd>,
}

/// Kinds of event that a log of a real system shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
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

/// One end of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FaultEnd {
    /// When it begins.
    Start(FaultId),
    /// When it is over.
    End(FaultId),
}

impl Incident {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Checks the length of everything in it.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub(super) fn validate(&self) -> Result<(), ScenarioError> {
        let fits = |path: &'static str, given: usize, most: usize| match given > most {
            true => Err(ScenarioError::TextTooLong { path, given, most }),
            false => Ok(()),
        };
        let count = |path: &'static str, given: usize, most: usize| match given > most {
            true => Err(ScenarioError::TooMany {
                path: path.to_owned(),
                given: u32::try_from(given).unwrap_or(u32::MAX),
                most: u32::try_from(most).unwrap_or(u32::MAX),
            }),
            false => Ok(()),
        };
        fits("incident.zone", self.zone.chars().count(), limits::MAX_NAME_CHARS)?;
        count("incident.names", self.names.len(), limits::MAX_NAMES)?;
        count("incident.observed", self.observed.len(), limits::MAX_OBSERVED)?;
        for (index, name) in self.names.iter().enumerate() {
            let given = name.name.chars().count();
            fits("incident.names[].name", given, limits::MAX_NAME_CHARS)?;
            let again = self.names[..index].iter().any(|other| other.actor == name.actor);
            if again || name.name.trim().is_empty() {
                return Err(ScenarioError::BadName { actor: name.actor, name: name.name.clone() });
            }
        }
        for line in &self.observed {
            fits("incident.observed[].text", line.text.chars().count(), limits::MAX_LINE_CHARS)?;
            let given = line.at.since(SimTime::ZERO);
            // What is later no file could say.
            if given > limits::MAX_DURATION {
                let (least, most) = (SimDuration::ZERO, limits::MAX_DURATION);
                let path = "incident.observed[].at".to_owned();
                return Err(ScenarioError::OutOfRange { path, given, least, most });
            }
        }
        Ok(())
    }
}
