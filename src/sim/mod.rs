//! The simulation: scenario in, recording out. It knows no browser, no wall clock, no floats and no
//! hash order, so that the same scenario gives the same log, byte for byte, on every machine.
//!
//! ```text
//! ScenarioFile ─▶ Scenario ─▶ Simulation ─▶ Recording { EventLog, snapshots, reports, digest }
//! ```
//!
//! This module may use `std` and `thiserror`, and of this crate only `crate::sim`.
#![deny(clippy::disallowed_types, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod client;
pub mod clock;
pub mod comparison;
pub mod course;
pub mod digest;
pub mod effect;
pub mod engine;
pub mod event_queue;
pub mod fact;
pub mod form;
pub mod history;
pub mod id;
pub mod limits;
pub mod lock;
pub mod log;
mod long_list;
pub mod message;
pub mod plain_text;
pub mod prng;
pub mod property;
pub mod recording;
pub mod scenario;
pub mod storage;
pub mod text;
pub mod time;
pub mod world;

pub use comparison::{Compared, Comparison};
pub use engine::{Progress, Simulation};
pub use fact::Fact;
pub use id::{ClientId, EntrySeq, FencingToken, GrantNo, NodeId, StoreId};
pub use log::{EventLog, LogEntry};
pub use recording::Recording;
pub use scenario::timestamp::Timestamp;
pub use scenario::{Change, Scenario, ScenarioFile, ScenarioSpec};
pub use time::{LocalTime, SimDuration, SimTime};
pub use world::World;
