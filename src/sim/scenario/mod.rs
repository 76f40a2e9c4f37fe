//! What a run is made from: the file as people write it, the scenario that is valid by
//! construction, and the changes that edits and comparisons share. It knows nothing of a run.

mod change;
mod choice;
mod declare;
mod encoding;
mod error;
mod fault;
mod file;
mod incident;
mod loose;
mod quantity;
mod resource;
mod settings;
mod settling;
mod spec;
pub mod timestamp;
mod unchecked;
mod valid;

pub use choice::{
    Check, Deadline, ExpiryJudge, FenceRule, HandOff, Identity, LeaseCap, OnConflict, OnLoss,
    Operation, Piece, Progress, Ratio, Reenters, RefusedRelease, Renew, RenewCap, RenewFailure,
    RenewedBy, Repeat, TokenSource, Wait, Whole, WorkKind,
};
pub use encoding::{text_of, without_mark};
pub use error::{FileError, ScenarioError};
pub use fault::{
    CrashScope, Fault, FaultKind, Loses, MessageAddress, NamedStep, PauseKind, PauseScope, Start,
};
pub use file::{Expectation, ExpectedRun, FILE_VERSION, ScenarioFile, ViewSpec};
pub use incident::{ActorName, FaultEnd, Incident, Observed, ObservedKind};
pub use loose::{FaultProblem, LooseEnd};
pub use resource::{CannotFence, RESOURCES, Resource, ResourceInfo, resource_info};
pub(crate) use settings::any_setting;
pub use settings::{
    Change, ClientSettings, ClientSpec, Fixed, LeaseSpec, Quantity, ScenarioSpec, Setting,
    StorageSettings,
};
pub use settling::{Ends, Late, SettleAt, SettleCheck, SettleRefusal};
pub use spec::{Length, LockSystem};
pub use unchecked::Unchecked;
pub use valid::{Client, Scenario};
