//! Fenceline: see where a distributed lock breaks when its holder pauses, and what a fencing token
//! changes.
//!
//! The layers, each using only those before it: `sim` (the deterministic simulation), `explore`
//! (questions over many runs), `view_model` (what is drawn, as plain data) and `ui` (the page).

pub mod explore;
pub mod scenarios;
pub mod sim;
#[cfg(feature = "ui")]
pub mod ui;
pub mod view_model;
